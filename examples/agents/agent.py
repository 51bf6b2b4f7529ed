#!/usr/bin/env python3
"""A scripted agent that writes the event format of `claude -p --output-format stream-json` and costs nothing.

It reads a prompt from standard input, takes a few turns and reports that it is done. A line of the prompt or an option
can select a different behavior:

  mode: ok          (default) takes a few turns and returns a result
  mode: fail        returns an error as its result
  mode: hang        returns a result but does not exit
  mode: silent      takes one turn, then writes nothing; continues to the end if its session is resumed
  mode: wait        takes one turn, waits until the file of --script-gate=FILE exists, then continues to the end
  mode: no-result   exits with 0 without a result
  mode: crash       exits with 1 in the middle
  mode: noise       also prints lines that are not events
  mode: subagent    lets a subagent do a part of the work

Options besides those of claude: --script-turns=N, --script-pause=SECONDS between turns, --script-cost=USD of the run,
--script-mode=MODE if the prompt has none, --script-write=FILE for the answer, --script-gate=FILE to wait for, and
--script-ledger=FILE, which gets one line at each start and end. The environment can set them as SCRIPT_TURNS and so on.
"""
import json
import os
import re
import sys
import time
import uuid

MODEL = "claude-sonnet-4-5-scripted"


def options(arguments):
    given = {}
    for argument in arguments:
        name, _, value = argument.lstrip("-").partition("=")
        given[name] = value
    for name in ("turns", "pause", "cost", "mode", "write", "gate", "ledger"):
        given.setdefault("script-" + name, os.environ.get("SCRIPT_" + name.upper(), ""))
    return given


class Agent:
    def __init__(self, given, prompt):
        self.session = given.get("resume") or given.get("session-id") or str(uuid.uuid4())
        self.resumed = "resume" in given
        self.turns = int(given["script-turns"] or 3)
        self.pause = float(given["script-pause"] or 0.05)
        self.cost = float(given["script-cost"] or 0.10)
        self.ledger = given["script-ledger"]
        self.write = given["script-write"]
        self.gate = given["script-gate"]
        mode = re.search(r"^\s*mode:\s*([a-z-]+)\s*$", prompt, re.MULTILINE)
        self.mode = mode.group(1) if mode else given["script-mode"] or "ok"
        words = prompt.split()
        self.task = " ".join(words[:12]) if words else "nothing"

    def note(self, what):
        if self.ledger:
            with open(self.ledger, "a", encoding="utf-8") as file:
                file.write(f"{self.session} {what} {self.cost}\n")

    def event(self, kind, **fields):
        print(json.dumps({"type": kind, **fields, "session_id": self.session}), flush=True)

    def assistant(self, number, content, parent=None):
        self.event("assistant", parent_tool_use_id=parent, message={
            "id": f"msg_{number}", "role": "assistant", "model": MODEL, "content": content,
            "usage": {"input_tokens": 20, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 1000,
                      "output_tokens": 50}})

    def answer(self, call, text, parent=None, error=False):
        self.event("user", parent_tool_use_id=parent, message={"role": "user", "content": [
            {"type": "tool_result", "tool_use_id": call, "content": text, "is_error": error}]})

    def result(self, subtype, text, error=False):
        self.event("result", subtype=subtype, is_error=error, result=text, num_turns=self.turns, duration_ms=1,
                   total_cost_usd=self.cost, usage={"input_tokens": 20 * self.turns, "output_tokens": 50 * self.turns,
                                                    "cache_read_input_tokens": 1000 * self.turns})

    def run(self):
        self.note("start")
        self.event("system", subtype="init", cwd=os.getcwd(), model=MODEL, tools=["Bash", "Task"])
        for turn in range(1, self.turns + 1):
            if self.mode == "noise":
                print("warning: this line is no event", flush=True)
            if self.mode == "subagent" and turn == 1:
                self.subagent()
            call = f"toolu_{turn}"
            self.assistant(turn, [{"type": "text", "text": f"Turn {turn} on: {self.task}"}])
            self.assistant(turn, [{"type": "tool_use", "id": call, "name": "Bash", "input": {"command": f"step {turn}"}}])
            time.sleep(self.pause)
            self.answer(call, f"step {turn} is done")
            if self.mode == "silent" and not self.resumed:
                time.sleep(3600)
            while self.mode == "wait" and not os.path.exists(self.gate):
                if not os.path.isdir(os.path.dirname(os.path.abspath(self.gate))):
                    return 1  # the directory of the gate is gone, so it can never open
                time.sleep(0.05)
            if self.mode == "crash":
                return 1
        if self.mode == "no-result":
            return 0
        if self.mode == "fail":
            self.result("error_during_execution", "the task cannot be done", error=True)
            return 1
        if self.write:
            with open(self.write, "w", encoding="utf-8") as file:
                file.write(f"{self.task}\n")
        self.note("end")
        self.result("success", f"Done: {self.task}")
        if self.mode == "hang":
            time.sleep(3600)
        return 0

    def subagent(self):
        self.assistant("t", [{"type": "tool_use", "id": "task_1", "name": "Task", "input": {"prompt": "look around"}}])
        self.assistant("s", [{"type": "text", "text": "Looking around."}], parent="task_1")
        self.answer("task_1", "Nothing there.")


if __name__ == "__main__":
    sys.exit(Agent(options(sys.argv[1:]), sys.stdin.read()).run())

#!/usr/bin/env python3
"""A scripted agent: speaks the event format of `claude -p --output-format stream-json`, and costs nothing.

It reads a prompt from its standard input, takes a few turns and says that it is done. What else it does, the prompt or an
option says:

  mode: ok          (default) a few turns, then a result
  mode: fail        a result that is an error
  mode: hang        a result, and then it does not exit
  mode: silent      a first turn, and then nothing; when its session is resumed it goes on to the end
  mode: wait        a first turn, then nothing until the file --script-gate=FILE is there; then it goes on to the end
  mode: no-result   exits with 0 and never says that it is done
  mode: crash       exits with 1 in the middle
  mode: noise       prints what is no event, too
  mode: subagent    has a part of the work done by a subagent

Options besides those of claude: --script-turns=N, --script-pause=SECONDS between turns, --script-cost=USD for the run,
--script-mode=MODE where the prompt has none, --script-write=FILE to write the answer to, --script-gate=FILE to wait for,
--script-ledger=FILE to write one line to at each start and end. They may be given as SCRIPT_TURNS and so on in the
environment.
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
        said = re.search(r"^\s*mode:\s*([a-z-]+)\s*$", prompt, re.MULTILINE)
        self.mode = said.group(1) if said else given["script-mode"] or "ok"
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
                    return 1  # nobody can open it any more
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

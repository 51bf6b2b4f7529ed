"""Tests the library with real worker processes. Run: python3 -m unittest discover -s sdk/python/tests"""

import json
import os
import subprocess
import sys
import textwrap
import unittest

PYTHON = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Conversation:
    """A worker process and its input and output lines."""

    def __init__(self, source):
        program = "from heddle_worker import *\nimport os, sys, time\nworker = Worker('test')\n" + \
            textwrap.dedent(source) + "\nworker.run()\n"
        environment = {**os.environ, "PYTHONPATH": PYTHON, "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)

    def write_line(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, request=None, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request is not None:
            message["id"] = request
        self.write_line(json.dumps(message))

    def answer(self, request, result):
        self.write_line(json.dumps({"jsonrpc": "2.0", "id": request, "result": result}))

    def receive(self):
        return json.loads(self.process.stdout.readline())

    def initialize(self):
        self.send("initialize", 0, protocolVersion=1, minProtocolVersion=1, worker="n/test-1")
        return self.receive()

    def execute(self, request=1, job_type="work", payload=None, **more):
        self.send("execute", request, job="j1", type=job_type, attempt=1, payload=payload, **more)

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()
        errors = self.process.stderr.read().decode()
        self.process.stderr.close()
        return errors


class WorkerTest(unittest.TestCase):

    def start(self, source):
        conversation = Conversation(source)
        self.addCleanup(lambda: (conversation.process.kill(), conversation.process.wait(),
                                 conversation.process.stdout.close(), conversation.process.stderr.close(),
                                 conversation.process.stdin.close()))
        self.description = conversation.initialize()
        return conversation

    def test_reports_its_types_in_the_handshake(self):
        self.start("""
            @worker.handles('work')
            def work(payload, job): return payload
            """)
        self.assertEqual({"protocolVersion": 1, "name": "test", "types": ["work"]}, self.description["result"])

    def test_refuses_an_unknown_protocol_version(self):
        conversation = self.start("")
        conversation.send("initialize", 5, protocolVersion=9, minProtocolVersion=7)
        self.assertIn("speaks protocol version 1, not 7 to 9", conversation.receive()["error"]["message"])

    def test_reports_why_it_could_not_start_and_exits(self):
        conversation = self.start("""
            @worker.on_start
            def load(): raise RuntimeError('no model')
            """)
        self.assertEqual("could not start: RuntimeError: no model", self.description["error"]["message"])
        self.assertEqual(0, conversation.process.wait(60))

    def test_runs_jobs_one_after_the_other(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job): return {'twice': payload['n'] * 2, 'job': job.id, 'session': job.session}
            """)
        for n in range(3):
            conversation.execute(n + 1, payload={"n": n}, session="s")
            self.assertEqual({"jsonrpc": "2.0", "id": n + 1, "result": {"twice": 2 * n, "job": "j1", "session": "s"}},
                             conversation.receive())

    def test_keeps_printed_text_out_of_the_protocol(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job):
                print('printed')
                os.system('echo from a child')
                os.write(1, b'{"jsonrpc":"2.0","id":1,"result":"forged"}\\n')
                return sys.stdin.read()
            """)
        conversation.execute()
        self.assertEqual("", conversation.receive()["result"])
        errors = conversation.close()
        for text in ("printed", "from a child", "forged"):
            self.assertIn(text, errors)

    def test_sends_progress_log_and_heartbeat(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job):
                job.progress(1, 3, 'going')
                job.log('hello', 'warn')
                job.heartbeat()
            """)
        conversation.execute(7)
        self.assertEqual([("progress", {"id": 7, "current": 1, "total": 3, "message": "going"}),
                          ("log", {"id": 7, "level": "warn", "message": "hello"}), ("heartbeat", {"id": 7})],
                         [(m["method"], m["params"]) for m in (conversation.receive() for _ in range(3))])
        self.assertIsNone(conversation.receive()["result"])

    def test_waits_until_a_checkpoint_is_saved(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job):
                before = job.checkpoint
                job.save_checkpoint({'page': 2})
                return [before, job.checkpoint]
            """)
        conversation.execute(3, checkpoint={"page": 1})
        request = conversation.receive()
        self.assertEqual(("checkpoint", {"id": 3, "value": {"page": 2}}), (request["method"], request["params"]))
        conversation.answer(request["id"], {})
        self.assertEqual([{"page": 1}, {"page": 2}], conversation.receive()["result"])

    def test_handles_cancel_and_ping_while_a_job_runs(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job):
                job.progress(0)
                job.sleep(60)
            """)
        conversation.execute(4)
        conversation.receive()
        conversation.send("ping", 5)
        self.assertEqual({"jsonrpc": "2.0", "id": 5, "result": {}}, conversation.receive())
        conversation.send("cancel", id=99)
        conversation.send("cancel", id=4)
        self.assertEqual((4, -32800), (lambda m: (m["id"], m["error"]["code"]))(conversation.receive()))

    def test_handles_a_cancel_that_follows_immediately(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job): job.sleep(60)
            """)
        conversation.execute(4)
        conversation.send("cancel", id=4)
        self.assertEqual(-32800, conversation.receive()["error"]["code"])

    def test_reports_how_a_job_failed(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job): raise eval(payload)
            """)
        cases = {
            "Transient('busy', retry_after=1.5)": ("busy", {"category": "TRANSIENT", "retryAfterMs": 1500}),
            "Permanent('bad', hint='look')": ("bad", {"category": "PERMANENT", "recoveryHint": "look"}),
            "Partial('half', step='move')": ("half", {"category": "PARTIAL", "failedStep": "move"}),
            "Fatal('gpu')": ("gpu", {"category": "TRANSIENT", "fatal": True}),
            "KeyError('x')": ("KeyError: 'x'", {"category": "PERMANENT"}),
            "ConnectionError('away')": ("ConnectionError: away", {"category": "TRANSIENT"}),
            "RuntimeError()": ("RuntimeError", {}),
        }
        for n, (source, (message, data)) in enumerate(cases.items()):
            conversation.execute(n, payload=source)
            error = conversation.receive()["error"]
            details = error["data"].pop("details")
            self.assertEqual((-32000, message, data), (error["code"], error["message"], error["data"]), source)
            self.assertIn("Traceback", details)

    def test_rejects_a_result_that_is_not_json_or_too_long(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job): return eval(payload)
            """)
        for source, word in {"{1, 2}": "not JSON", "float('nan')": "not JSON", "'x' * (17 << 20)": "over the limit"}.items():
            conversation.execute(payload=source)
            error = conversation.receive()["error"]
            self.assertIn(word, error["message"])
            self.assertEqual("PERMANENT", error["data"]["category"])

    def test_survives_any_exception_of_a_handler(self):
        conversation = self.start("""
            import asyncio
            class Unprintable(Exception):
                def __str__(self): raise RuntimeError('no text')
            @worker.handles('work')
            def work(payload, job):
                if payload is None: return 'well'
                if payload == 'exit': sys.exit('bye')
                raise eval(payload)
            """)
        cases = {
            "exit": "SystemExit: bye",
            "asyncio.CancelledError()": "CancelledError",
            "Unprintable()": "Unprintable: (no message)",
            "RuntimeError('x' * (17 << 20))": "RuntimeError: " + "x" * 4000 + "…",
            "Transient('later', retry_after=float('inf'), hint='y' * (17 << 20))": "later",
        }
        for source, message in cases.items():
            conversation.execute(payload=source)
            error = conversation.receive()["error"]
            self.assertEqual((-32000, message), (error["code"], error["message"]))
            conversation.execute()
            self.assertEqual("well", conversation.receive()["result"])

    def test_exits_on_keyboard_interrupt(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job): raise KeyboardInterrupt()
            """)
        conversation.execute()
        self.assertNotEqual(0, conversation.process.wait(60))

    def test_treats_a_deadline_out_of_range_as_none(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job): return [job.seconds_left() is None, str(job.deadline)]
            """)
        for deadline, known in {"+10000-01-01T00:00:00Z": [True, "None"], "+1000000000-12-31T23:59:59.999999999Z": [True, "None"],
                                "2100-01-01T00:00:00.123456789Z": [False, "2100-01-01 00:00:00.123456+00:00"]}.items():
            conversation.execute(deadline=deadline)
            self.assertEqual(known, conversation.receive()["result"])

    def test_lists_its_types_if_a_type_is_unknown(self):
        conversation = self.start("""
            @worker.handles('work')
            def work(payload, job): pass
            """)
        conversation.execute(job_type="other")
        self.assertEqual("worker 'test' has no handler for 'other'; it has: work",
                         conversation.receive()["error"]["message"])

    def test_answers_invalid_messages_with_an_error(self):
        conversation = self.start("")
        conversation.write_line("{half")
        self.assertEqual(-32700, conversation.receive()["error"]["code"])
        conversation.write_line("[]")
        self.assertEqual(-32600, conversation.receive()["error"]["code"])
        conversation.send("dance", 8)
        self.assertEqual((8, -32601), (lambda m: (m["id"], m["error"]["code"]))(conversation.receive()))
        conversation.send("execute", 9)
        self.assertEqual((9, -32602), (lambda m: (m["id"], m["error"]["code"]))(conversation.receive()))

    def test_ends_a_session_between_two_jobs(self):
        conversation = self.start("""
            gone = []
            @worker.on_session_end
            def forget(session): gone.append(session)
            @worker.handles('work')
            def work(payload, job): return gone
            """)
        conversation.send("sessionEnd", session="s1", reason="expired")
        conversation.execute()
        self.assertEqual(["s1"], conversation.receive()["result"])

    def test_exits_on_shutdown(self):
        conversation = self.start("")
        conversation.send("shutdown")
        self.assertEqual(0, conversation.process.wait(60))

    def test_exits_when_heddle_is_gone(self):
        idle = self.start("")
        idle.process.stdin.close()
        self.assertEqual(0, idle.process.wait(60))

    def test_cancels_its_job_when_heddle_is_gone(self):
        obedient = self.start("""
            @worker.handles('work')
            def work(payload, job):
                job.progress(0)
                job.sleep(60)
            """)
        obedient.execute()
        obedient.receive()
        obedient.process.stdin.close()
        self.assertEqual(0, obedient.process.wait(60))

    def test_exits_even_if_its_handler_ignores_the_cancellation(self):
        stubborn = self.start("""
            @worker.handles('work')
            def work(payload, job):
                job.progress(0)
                time.sleep(60)
            """)
        stubborn.execute()
        stubborn.receive()
        stubborn.process.stdin.close()
        self.assertEqual(1, stubborn.process.wait(60))

    def test_refuses_a_second_handler_for_a_type(self):
        sys.path.insert(0, PYTHON)
        from heddle_worker import Worker
        worker = Worker("w")
        worker.handles("a")(lambda payload, job: None)
        with self.assertRaisesRegex(ValueError, "'a' has a handler already"):
            worker.handles("a")(lambda payload, job: None)


if __name__ == "__main__":
    unittest.main()

"""Talks to real workers in processes of their own: python3 -m unittest discover -s workers/python/tests"""

import json
import os
import subprocess
import sys
import textwrap
import unittest

PYTHON = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Conversation:
    """A worker's process and the lines to and from it."""

    def __init__(self, source):
        program = "from heddle_worker import *\nimport os, sys, time\nworker = Worker('test')\n" + \
            textwrap.dedent(source) + "\nworker.run()\n"
        environment = {**os.environ, "PYTHONPATH": PYTHON, "PYTHONDONTWRITEBYTECODE": "1"}
        self.process = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)

    def raw(self, text):
        self.process.stdin.write(text.encode() + b"\n")
        self.process.stdin.flush()

    def send(self, method, request=None, **params):
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        if request is not None:
            message["id"] = request
        self.raw(json.dumps(message))

    def answer(self, request, result):
        self.raw(json.dumps({"jsonrpc": "2.0", "id": request, "result": result}))

    def hear(self):
        return json.loads(self.process.stdout.readline())

    def initialize(self):
        self.send("initialize", 0, protocolVersion=1, minProtocolVersion=1, worker="n/test-1")
        return self.hear()

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

    def talk(self, source):
        conversation = Conversation(source)
        self.addCleanup(lambda: (conversation.process.kill(), conversation.process.wait(),
                                 conversation.process.stdout.close(), conversation.process.stderr.close(),
                                 conversation.process.stdin.close()))
        self.about = conversation.initialize()
        return conversation

    def test_shakes_hands_and_says_what_it_handles(self):
        self.talk("""
            @worker.handles('work')
            def work(payload, job): return payload
            """)
        self.assertEqual({"protocolVersion": 1, "name": "test", "types": ["work"]}, self.about["result"])

    def test_refuses_a_protocol_it_does_not_speak(self):
        conversation = self.talk("")
        conversation.send("initialize", 5, protocolVersion=9, minProtocolVersion=7)
        self.assertIn("speaks protocol version 1, not 7 to 9", conversation.hear()["error"]["message"])

    def test_says_why_it_could_not_start_and_ends(self):
        conversation = self.talk("""
            @worker.on_start
            def load(): raise RuntimeError('no model')
            """)
        self.assertEqual("could not start: RuntimeError: no model", self.about["error"]["message"])
        self.assertEqual(0, conversation.process.wait(60))

    def test_runs_jobs_one_after_the_other(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job): return {'twice': payload['n'] * 2, 'job': job.id, 'session': job.session}
            """)
        for n in range(3):
            conversation.execute(n + 1, payload={"n": n}, session="s")
            self.assertEqual({"jsonrpc": "2.0", "id": n + 1, "result": {"twice": 2 * n, "job": "j1", "session": "s"}},
                             conversation.hear())

    def test_keeps_what_is_printed_out_of_the_protocol(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job):
                print('printed')
                os.system('echo from a child')
                os.write(1, b'{"jsonrpc":"2.0","id":1,"result":"forged"}\\n')
                return sys.stdin.read()
            """)
        conversation.execute()
        self.assertEqual("", conversation.hear()["result"])
        errors = conversation.close()
        for text in ("printed", "from a child", "forged"):
            self.assertIn(text, errors)

    def test_tells_progress_log_and_heartbeat(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job):
                job.progress(1, 3, 'going')
                job.log('hello', 'warn')
                job.heartbeat()
            """)
        conversation.execute(7)
        self.assertEqual([("progress", {"id": 7, "current": 1, "total": 3, "message": "going"}),
                          ("log", {"id": 7, "level": "warn", "message": "hello"}), ("heartbeat", {"id": 7})],
                         [(m["method"], m["params"]) for m in (conversation.hear() for _ in range(3))])
        self.assertIsNone(conversation.hear()["result"])

    def test_waits_for_the_answer_to_a_checkpoint(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job):
                before = job.checkpoint
                job.save_checkpoint({'page': 2})
                return [before, job.checkpoint]
            """)
        conversation.execute(3, checkpoint={"page": 1})
        request = conversation.hear()
        self.assertEqual(("checkpoint", {"id": 3, "value": {"page": 2}}), (request["method"], request["params"]))
        conversation.answer(request["id"], {})
        self.assertEqual([{"page": 1}, {"page": 2}], conversation.hear()["result"])

    def test_hears_a_cancel_and_a_ping_while_it_works(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job):
                job.progress(0)
                job.sleep(60)
            """)
        conversation.execute(4)
        conversation.hear()
        conversation.send("ping", 5)
        self.assertEqual({"jsonrpc": "2.0", "id": 5, "result": {}}, conversation.hear())
        conversation.send("cancel", id=99)
        conversation.send("cancel", id=4)
        self.assertEqual((4, -32800), (lambda m: (m["id"], m["error"]["code"]))(conversation.hear()))

    def test_a_cancel_that_follows_at_once_is_not_missed(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job): job.sleep(60)
            """)
        conversation.execute(4)
        conversation.send("cancel", id=4)
        self.assertEqual(-32800, conversation.hear()["error"]["code"])

    def test_says_how_a_job_failed(self):
        conversation = self.talk("""
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
            error = conversation.hear()["error"]
            details = error["data"].pop("details")
            self.assertEqual((-32000, message, data), (error["code"], error["message"], error["data"]), source)
            self.assertIn("Traceback", details)

    def test_says_that_a_result_is_not_json_or_too_long(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job): return eval(payload)
            """)
        for source, word in {"{1, 2}": "not JSON", "float('nan')": "not JSON", "'x' * (17 << 20)": "over the limit"}.items():
            conversation.execute(payload=source)
            error = conversation.hear()["error"]
            self.assertIn(word, error["message"])
            self.assertEqual("PERMANENT", error["data"]["category"])

    def test_outlives_whatever_a_handler_raises(self):
        conversation = self.talk("""
            import asyncio
            class Mute(Exception):
                def __str__(self): raise RuntimeError('no words')
            @worker.handles('work')
            def work(payload, job):
                if payload is None: return 'well'
                if payload == 'exit': sys.exit('bye')
                raise eval(payload)
            """)
        cases = {
            "exit": "SystemExit: bye",
            "asyncio.CancelledError()": "CancelledError",
            "Mute()": "Mute: (it has no text)",
            "RuntimeError('x' * (17 << 20))": "RuntimeError: " + "x" * 4000 + "…",
            "Transient('later', retry_after=float('inf'), hint='y' * (17 << 20))": "later",
        }
        for source, message in cases.items():
            conversation.execute(payload=source)
            error = conversation.hear()["error"]
            self.assertEqual((-32000, message), (error["code"], error["message"]))
            conversation.execute()
            self.assertEqual("well", conversation.hear()["result"])

    def test_a_person_can_interrupt_it(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job): raise KeyboardInterrupt()
            """)
        conversation.execute()
        self.assertNotEqual(0, conversation.process.wait(60))

    def test_a_deadline_it_cannot_tell_is_none(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job): return [job.seconds_left() is None, str(job.deadline)]
            """)
        for deadline, known in {"+10000-01-01T00:00:00Z": [True, "None"], "+1000000000-12-31T23:59:59.999999999Z": [True, "None"],
                                "2100-01-01T00:00:00.123456789Z": [False, "2100-01-01 00:00:00.123456+00:00"]}.items():
            conversation.execute(deadline=deadline)
            self.assertEqual(known, conversation.hear()["result"])

    def test_names_the_types_it_has(self):
        conversation = self.talk("""
            @worker.handles('work')
            def work(payload, job): pass
            """)
        conversation.execute(job_type="other")
        self.assertEqual("worker 'test' has no handler for 'other'; it has: work", conversation.hear()["error"]["message"])

    def test_answers_what_it_cannot_read(self):
        conversation = self.talk("")
        conversation.raw("{half")
        self.assertEqual(-32700, conversation.hear()["error"]["code"])
        conversation.raw("[]")
        self.assertEqual(-32600, conversation.hear()["error"]["code"])
        conversation.send("dance", 8)
        self.assertEqual((8, -32601), (lambda m: (m["id"], m["error"]["code"]))(conversation.hear()))
        conversation.send("execute", 9)
        self.assertEqual((9, -32602), (lambda m: (m["id"], m["error"]["code"]))(conversation.hear()))

    def test_forgets_a_session_between_two_jobs(self):
        conversation = self.talk("""
            gone = []
            @worker.on_session_end
            def forget(session): gone.append(session)
            @worker.handles('work')
            def work(payload, job): return gone
            """)
        conversation.send("sessionEnd", session="s1", reason="expired")
        conversation.execute()
        self.assertEqual(["s1"], conversation.hear()["result"])

    def test_ends_when_told(self):
        conversation = self.talk("")
        conversation.send("shutdown")
        self.assertEqual(0, conversation.process.wait(60))

    def test_ends_when_heddle_is_gone(self):
        idle = self.talk("")
        idle.process.stdin.close()
        self.assertEqual(0, idle.process.wait(60))

    def test_gives_up_its_job_when_heddle_is_gone(self):
        obedient = self.talk("""
            @worker.handles('work')
            def work(payload, job):
                job.progress(0)
                job.sleep(60)
            """)
        obedient.execute()
        obedient.hear()
        obedient.process.stdin.close()
        self.assertEqual(0, obedient.process.wait(60))

    def test_ends_even_if_its_handler_does_not_look(self):
        deaf = self.talk("""
            @worker.handles('work')
            def work(payload, job):
                job.progress(0)
                time.sleep(60)
            """)
        deaf.execute()
        deaf.hear()
        deaf.process.stdin.close()
        self.assertEqual(1, deaf.process.wait(60))

    def test_a_type_has_one_handler(self):
        sys.path.insert(0, PYTHON)
        from heddle_worker import Worker
        worker = Worker("w")
        worker.handles("a")(lambda payload, job: None)
        with self.assertRaisesRegex(ValueError, "'a' has a handler already"):
            worker.handles("a")(lambda payload, job: None)


if __name__ == "__main__":
    unittest.main()

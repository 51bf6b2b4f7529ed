"""A worker without the library that violates the protocol in one way or another: faulty_worker.py [HOW] [FILE]

HOW is what it does wrong at its start; if FILE is given, only until that file exists. If the environment variable GATE
names a file, the worker waits for that file before it answers initialize.
"""

import base64
import json
import os
import sys
import time

how = sys.argv[1] if len(sys.argv) > 1 else "well"
if len(sys.argv) > 2 and os.path.exists(sys.argv[2]):
    how = "well"
out = os.fdopen(1, "wb", buffering=0)
quiet_until = None
notes = None


def write(data):
    rest = memoryview(data if isinstance(data, bytes) else data.encode())
    while rest:
        rest = rest[out.write(rest):]


def answer(request, result):
    write(json.dumps({"jsonrpc": "2.0", "id": request, "result": result}) + "\n")


def initialize(request):
    while "GATE" in os.environ and not os.path.exists(os.environ["GATE"]):
        time.sleep(0.01)
    if how == "exit":
        sys.exit(7)
    if how == "silent":
        return
    if how == "refuse":
        write(json.dumps({"jsonrpc": "2.0", "id": request, "error": {"code": -32000, "message": "no model"}}) + "\n")
        return
    answer(request, {"protocolVersion": 9 if how == "version" else 1, "name": "faulty"})


def execute(request, payload):
    global quiet_until, notes
    what = payload["what"]
    notes = payload.get("notes")
    done = {"worker": os.environ["HEDDLE_WORKER_ID"], "what": what}
    if what == "garbage":
        write("\x00\xff not json\n{ neither\n[1,2]\n\n{\"json\": \"rpc\"}\n")
        answer(request, done)
    elif what == "print":
        write(base64.b64decode(payload["base64"]).replace(b'"id":1,', b'"id":%d,' % request))
        answer(request, done)
    elif what == "partial":
        line = (json.dumps({"jsonrpc": "2.0", "id": request, "result": done}) + "\n").encode()
        for n in range(len(line)):
            write(line[n:n + 1])
    elif what == "long line":
        write(b"x" * (20 << 20) + b"\n")
        answer(request, done)
    elif what == "long message":
        write(b'{"jsonrpc":"2.0","id":%d,"result":"' % request + b"x" * (20 << 20) + b'"}\n')
    elif what == "broken":
        write('{"jsonrpc":"2.0","id":}\n')
    elif what == "nobody asked":
        write('{"jsonrpc":"2.0","id":123456,"result":1}\n')
    elif what == "big number":
        write('{"jsonrpc":"2.0","id":%d,"error":{"code":5000000000,"message":"large"}}\n' % request)
    elif what == "far future":
        data = {"category": "TRANSIENT", "retryAfterMs": (1 << 63) - 1}
        write(json.dumps({"jsonrpc": "2.0", "id": request,
                          "error": {"code": -32000, "message": "later", "data": data}}) + "\n")
    elif what == "close input":
        os.close(0)
        answer(request, done)
        time.sleep(600)
    elif what == "hang":
        return
    elif what == "exit":
        os._exit(3)
    elif what == "fall silent":
        quiet_until = payload["until"]
        answer(request, done)
    else:
        answer(request, done)


for line in sys.stdin.buffer:
    message = json.loads(line)
    method, request = message.get("method"), message.get("id")
    if method == "initialize":
        initialize(request)
    elif method == "execute":
        execute(request, message["params"]["payload"])
    elif method == "ping":
        if quiet_until is None or os.path.exists(quiet_until):
            answer(request, {})
    elif method == "cancel" and notes is not None:
        with open(notes, "a") as file:
            file.write(message["params"]["reason"])
    elif method == "shutdown" and how != "stubborn":
        sys.exit(0)
if how == "stubborn":
    time.sleep(600)

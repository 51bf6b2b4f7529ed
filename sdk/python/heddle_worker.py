"""Write a Heddle worker in Python. The library is this one file; it needs Python 3.9 or newer and no other package.

    from heddle_worker import Worker

    worker = Worker("greeter")

    @worker.handles("greet")
    def greet(payload, job):
        return "Hello " + payload["name"]

    if __name__ == "__main__":
        worker.run()

A worker runs one job at a time, on its main thread. You may print: the protocol uses a private copy of stdout, and
everything printed goes to the log of the worker. The worker ends when Heddle tells it to or when Heddle is gone.
docs/reference/worker-protocol.md describes the protocol.
"""

from __future__ import annotations

import datetime
import json
import math
import os
import queue
import re
import sys
import threading
import traceback
from typing import Any, BinaryIO, Callable, Optional

__all__ = ["Worker", "Job", "JobError", "Transient", "Permanent", "Partial", "Fatal", "Cancelled"]

PROTOCOL_VERSION = 1
MAX_LINE_BYTES = 16 * 1024 * 1024

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
JOB_FAILED = -32000
JOB_CANCELLED = -32800

_MAX_MESSAGE = 4_000
_MAX_DETAILS = 16_000


class JobError(Exception):
    """The failure of a job. Raise one of the subclasses to say whether a retry can help.

    You can also raise other exceptions. Those that a bug or bad input causes (ValueError, TypeError, LookupError,
    NotImplementedError, PermissionError, FileNotFoundError) count as Permanent, every other OSError as Transient.
    Heddle classifies the rest.

    retry_after: the minimum number of seconds before the next attempt
    step:        the step that failed
    hint:        what a person can do about it
    """

    category: Optional[str] = None
    fatal = False

    def __init__(self, message: str, *, retry_after: Optional[float] = None, step: Optional[str] = None,
                 hint: Optional[str] = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after
        self.step = step
        self.hint = hint


class Transient(JobError):
    """The job may succeed later: a time-out, a rate limit, a server that is down."""

    category = "TRANSIENT"


class Permanent(JobError):
    """The job can never succeed: bad input, no permission, not found."""

    category = "PERMANENT"


class Partial(JobError):
    """Some steps are done and saved in the checkpoint; the next attempt continues from there."""

    category = "PARTIAL"


class Fatal(JobError):
    """This worker cannot continue, for example because its GPU failed. Another worker retries the job."""

    category = "TRANSIENT"
    fatal = True


class Cancelled(Exception):
    """The job was cancelled. Do not catch this exception; the result of a cancelled job is ignored."""


class Job:
    """The job that a handler runs. Each attempt has its own Job object; do not use it after the handler returns."""

    def __init__(self, worker: Worker, request: Any, params: dict) -> None:
        self._worker = worker
        self._request = request
        self._cancelled = threading.Event()
        self.id: str = params["job"]
        self.type: str = params["type"]
        self.attempt: int = params.get("attempt", 1)
        #: The session that binds the client's jobs to this worker; None if the job has no session.
        self.session: Optional[str] = params.get("session")
        self.subject: Optional[str] = params.get("subject")
        #: The last checkpoint of this or an earlier attempt; None if there is none.
        self.checkpoint: Any = params.get("checkpoint")
        #: The deadline of the attempt in UTC, timezone-aware; None if there is none, or if it is after the year 9999.
        self.deadline: Optional[datetime.datetime] = _instant(params.get("deadline"))

    @property
    def cancelled(self) -> bool:
        """Whether the job should stop. Check it regularly, or call raise_if_cancelled()."""
        return self._cancelled.is_set()

    def raise_if_cancelled(self) -> None:
        """Raises Cancelled if the job was cancelled. Call it between two pieces of work."""
        if self.cancelled:
            raise Cancelled()

    def sleep(self, seconds: float) -> None:
        """Sleeps; raises Cancelled as soon as the job is cancelled."""
        if self._cancelled.wait(seconds):
            raise Cancelled()

    def seconds_left(self) -> Optional[float]:
        """Returns the seconds until the deadline, negative if it has passed; None if there is no deadline."""
        if self.deadline is None:
            return None
        return (self.deadline - datetime.datetime.now(datetime.timezone.utc)).total_seconds()

    def progress(self, current: int, total: int = 0, message: str = "") -> None:
        """Reports progress. A total of 0 means that it is unknown."""
        self._notify("progress", current=current, total=total, message=message)

    def log(self, message: str, level: str = "info") -> None:
        """Logs a message under the id of the job; level is debug, info, warn or error."""
        self._notify("log", level=level, message=str(message))

    def heartbeat(self) -> None:
        """Tells Heddle that the job is alive, for types with a stall check. Other messages count as heartbeats, too."""
        self._notify("heartbeat")

    def save_checkpoint(self, value: Any) -> None:
        """Saves a checkpoint, durable on return. Raises Cancelled if the job no longer belongs to this worker."""
        self._worker._call("checkpoint", {"id": self._request, "value": value})
        self.checkpoint = value

    def _notify(self, method: str, **params: Any) -> None:
        self._worker._send({"jsonrpc": "2.0", "method": method, "params": {"id": self._request, **params}})


Handler = Callable[[Any, Job], Any]


class Worker:
    """A worker process and its handlers."""

    def __init__(self, name: str, version: Optional[str] = None) -> None:
        self.name = name
        self.version = version
        #: The id of this worker in Heddle, known after the handshake.
        self.id: Optional[str] = None
        self._handlers: dict[str, Handler] = {}
        self._setup: list[Callable[[], None]] = []
        self._session_ends: list[Callable[[str], None]] = []
        self._work: queue.Queue = queue.Queue()
        self._writing = threading.Lock()
        self._answers: dict[str, queue.Queue] = {}
        self._request_count = 0
        self._job: Optional[Job] = None
        self._out: Optional[BinaryIO] = None

    # The public API.

    def handles(self, job_type: str) -> Callable[[Handler], Handler]:
        """Registers the decorated function for a job type: (payload, job) -> result, where both are JSON values."""

        def register(handler: Handler) -> Handler:
            if job_type in self._handlers:
                raise ValueError(f"job type '{job_type}' has a handler already")
            self._handlers[job_type] = handler
            return handler

        return register

    def on_start(self, function: Callable[[], None]) -> Callable[[], None]:
        """Runs the decorated function before the first job, for example to load a model. Heddle waits for it."""
        self._setup.append(function)
        return function

    def on_session_end(self, function: Callable[[str], None]) -> Callable[[str], None]:
        """Calls the decorated function with the id of a session that has ended, between two jobs."""
        self._session_ends.append(function)
        return function

    def run(self) -> None:
        """Runs jobs until Heddle tells the worker to stop or is gone."""
        source = self._take_standard_streams()
        threading.Thread(target=self._read, args=(source,), name="heddle-reader", daemon=True).start()
        while True:
            task = self._work.get()
            if task is None:
                return
            task()

    # Streams.

    def _take_standard_streams(self) -> BinaryIO:
        """Reserves stdin and stdout for the protocol: print() goes to stderr, other readers of stdin get nothing."""
        source = os.fdopen(os.dup(0), "rb")
        self._out = os.fdopen(os.dup(1), "wb", buffering=0)
        sys.stdout.flush()
        os.dup2(2, 1)
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
        sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
        return source

    def _send(self, message: dict) -> None:
        line = _line(message)
        if len(line) > MAX_LINE_BYTES:
            raise Permanent(f"a message of {len(line)} bytes is over the limit of {MAX_LINE_BYTES}")
        with self._writing:
            rest = memoryview(line)
            try:
                while rest:
                    rest = rest[self._out.write(rest):]  # type: ignore[union-attr]
            except BrokenPipeError:
                # Heddle is gone; the reader thread ends the worker.
                pass

    def _call(self, method: str, params: dict) -> Any:
        """Sends a request to Heddle and waits for the response."""
        self._request_count += 1
        key = f"{method}-{self._request_count}"
        answer: queue.Queue = queue.Queue()
        self._answers[key] = answer
        try:
            self._send({"jsonrpc": "2.0", "id": key, "method": method, "params": params})
            message = answer.get()
        finally:
            del self._answers[key]
        if message is None or message.get("error", {}).get("code") == JOB_CANCELLED:
            raise Cancelled()
        if "error" in message:
            raise Permanent(f"{method} refused: {message['error'].get('message')}")
        return message.get("result")

    # The reader thread. It never runs a handler, so it receives a cancellation while one runs.

    def _read(self, source: BinaryIO) -> None:
        try:
            for line in source:
                if line.strip():
                    self._receive(line)
        finally:
            self._shut_down()

    def _receive(self, line: bytes) -> None:
        try:
            message = json.loads(line)
        except ValueError as error:
            self._refuse(None, PARSE_ERROR, f"not JSON: {error}")
            return
        if not isinstance(message, dict):
            self._refuse(None, INVALID_REQUEST, "not a JSON object")
        elif "method" not in message:
            answer = self._answers.get(message.get("id"))
            if answer is not None:
                answer.put(message)
        else:
            self._dispatch(message.get("id"), message["method"], message.get("params") or {})

    def _dispatch(self, request: Any, method: str, params: dict) -> None:
        if method == "initialize":
            self._work.put(lambda: self._initialize(request, params))
        elif method == "execute":
            self._accept(request, params)
        elif method == "ping":
            self._answer(request, {})
        elif method == "cancel":
            job = self._job
            if job is not None and job._request == params.get("id"):
                job._cancelled.set()
        elif method == "sessionEnd":
            self._work.put(lambda: self._forget(params["session"]))
        elif method == "shutdown":
            self._work.put(None)
        elif request is not None:
            self._refuse(request, METHOD_NOT_FOUND, f"unknown method '{method}'")

    def _accept(self, request: Any, params: dict) -> None:
        try:
            job = Job(self, request, params)
        except (KeyError, TypeError, ValueError) as error:
            self._refuse(request, INVALID_PARAMS, f"invalid params of 'execute': {error!r}")
            return
        # Set it now, or a cancellation that follows immediately would be missed.
        self._job = job
        self._work.put(lambda: self._execute(job, params.get("payload")))

    def _shut_down(self) -> None:
        """Heddle is gone: cancels the running job, and exits if its handler does not return within two seconds."""
        job = self._job
        if job is not None:
            job._cancelled.set()
        for answer in list(self._answers.values()):
            answer.put(None)
        self._work.put(None)
        timer = threading.Timer(2.0, lambda: os._exit(1))
        timer.daemon = True
        timer.start()

    # The main thread: runs the handlers.

    def _initialize(self, request: Any, params: dict) -> None:
        low, high = params.get("minProtocolVersion", 1), params.get("protocolVersion", 1)
        if not low <= PROTOCOL_VERSION <= high:
            self._refuse(request, INVALID_REQUEST,
                         f"this worker speaks protocol version {PROTOCOL_VERSION}, not {low} to {high}")
            return
        self.id = params.get("worker")
        try:
            for function in self._setup:
                function()
        except Exception as error:
            traceback.print_exc()
            self._refuse(request, JOB_FAILED, f"could not start: {_describe(error)}")
            self._work.put(None)
            return
        description = {"protocolVersion": PROTOCOL_VERSION, "name": self.name, "types": sorted(self._handlers)}
        if self.version is not None:
            description["version"] = self.version
        self._answer(request, description)

    def _execute(self, job: Job, payload: Any) -> None:
        handler = self._handlers.get(job.type)
        try:
            if handler is None:
                known = ", ".join(sorted(self._handlers)) or "none"
                raise Permanent(f"worker '{self.name}' has no handler for '{job.type}'; it has: {known}")
            job.raise_if_cancelled()
            result = handler(payload, job)
            try:
                self._answer(job._request, result)
            except (TypeError, ValueError) as error:
                raise Permanent(f"the result of '{job.type}' is not JSON: {error}") from None
        except Cancelled:
            self._refuse(job._request, JOB_CANCELLED, "cancelled")
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            # Includes SystemExit: a handler that calls sys.exit() fails its job, and the sessions of the worker live on.
            self._refuse(job._request, JOB_FAILED, _describe(error), _failure(error))
        finally:
            if self._job is job:
                self._job = None

    def _forget(self, session: str) -> None:
        for function in self._session_ends:
            try:
                function(session)
            except Exception:
                traceback.print_exc()

    def _answer(self, request: Any, result: Any) -> None:
        self._send({"jsonrpc": "2.0", "id": request, "result": result})

    def _refuse(self, request: Any, code: int, message: str, data: Optional[dict] = None) -> None:
        error: dict = {"code": code, "message": message}
        if data:
            error["data"] = data
        self._send({"jsonrpc": "2.0", "id": request, "error": error})


def _line(message: dict) -> bytes:
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii") + b"\n"


def _instant(text: Optional[str]) -> Optional[datetime.datetime]:
    if text is None:
        return None
    if not text[:4].isdigit():
        # "+10000-…" is beyond the range of datetime; treat it as no deadline.
        return None
    # Python before 3.11 parses neither "Z" nor nanoseconds.
    return datetime.datetime.fromisoformat(re.sub(r"(\.\d{6})\d+", r"\1", text).replace("Z", "+00:00"))


def _describe(error: BaseException) -> str:
    name = type(error).__name__
    try:
        text = _truncate(str(error).strip())
    except Exception:
        text = "(no message)"
    if isinstance(error, JobError):
        return text or name
    return f"{name}: {text}" if text else name


def _truncate(text: Any) -> str:
    text = str(text)
    return text if len(text) <= _MAX_MESSAGE else text[:_MAX_MESSAGE] + "…"


def _failure(error: BaseException) -> dict:
    data: dict = {"details": traceback.format_exc()[-_MAX_DETAILS:]}
    if isinstance(error, JobError):
        if error.category:
            data["category"] = error.category
        if error.retry_after is not None and math.isfinite(error.retry_after):
            data["retryAfterMs"] = round(error.retry_after * 1000)
        if error.step:
            data["failedStep"] = _truncate(error.step)
        if error.hint:
            data["recoveryHint"] = _truncate(error.hint)
        if error.fatal:
            data["fatal"] = True
    elif isinstance(error, (ValueError, TypeError, LookupError, NotImplementedError, PermissionError, FileNotFoundError)):
        data["category"] = "PERMANENT"
    elif isinstance(error, (OSError, TimeoutError)):
        data["category"] = "TRANSIENT"
    return data

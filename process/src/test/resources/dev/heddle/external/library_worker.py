"""A worker that uses the library and does what its payload says, including failing in many ways."""

import os
import signal
import time

from heddle_worker import Fatal, Partial, Permanent, Transient, Worker

worker = Worker("library")
hoard = []
memory = {}


@worker.on_session_end
def forget(session):
    memory.pop(session, None)


@worker.handles("work")
def work(payload, job):
    what = payload["what"]
    if what == "echo":
        return about(job, payload.get("value"))
    if what == "tell":
        job.log("a line of its own", "warn")
        job.progress(3, 4, "nearly")
        print("a line on stdout")
        return about(job)
    if what == "steps":
        # Saves a checkpoint after each step, and fails after step 2 in the first attempt.
        at = job.checkpoint or 0
        while at < 4:
            at += 1
            job.save_checkpoint(at)
            if at == 2:
                raise Partial("stopped in the middle", step="two", hint="go on", retry_after=0)
        return about(job, at)
    if what == "remember":
        memory[job.session] = payload["value"]
    if what == "recall":
        return about(job, memory.get(job.session))
    if what == "fail":
        raise {"transient": Transient, "permanent": Permanent, "fatal": Fatal}[payload["how"]](
            "as asked", retry_after=0)
    if what == "wait":
        job.progress(0, 0, "waiting")
        job.sleep(payload["seconds"])
        return about(job)
    if what == "wait for":
        while not os.path.exists(payload["file"]):
            job.sleep(0.01)
    if what == "wait once":
        if job.attempt == 1:
            job.sleep(payload["seconds"])
            job.raise_if_cancelled()
        return about(job)
    if what == "deaf":
        job.progress(0, 0, "deaf")
        time.sleep(payload["seconds"])
        return about(job)
    if what == "die" and job.attempt == 1:
        os.kill(os.getpid(), signal.SIGKILL)
    if what == "hoard":
        hoard.append(bytearray(payload["megabytes"] << 20))
    if what == "big checkpoint":
        job.save_checkpoint("x" * (2 << 20))
    return about(job)


def about(job, value=None):
    return {"worker": worker.id, "job": job.id, "attempt": job.attempt, "session": job.session,
            "subject": job.subject, "secondsLeft": job.seconds_left(), "value": value}


if __name__ == "__main__":
    worker.run()

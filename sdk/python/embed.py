#!/usr/bin/env python3
"""An example worker to start from: turns texts into vectors and counts the texts of each client session.

The "model" hashes words into 16 numbers, because the example should need no packages. Load your own in load_model().

Check it against the protocol with:

    heddle worker check -- python3 sdk/python/embed.py
"""

import hashlib
import math

from heddle_worker import Permanent, Worker

worker = Worker("embedder", version="1.0")
seen: dict = {}


@worker.on_start
def load_model():
    # Put slow initialization here; the worker is ready when this returns.
    print("model loaded")  # goes to the log of the worker


@worker.on_session_end
def forget(session):
    seen.pop(session, None)


@worker.handles("embed")
def embed(payload, job):
    texts = payload.get("texts")
    if not isinstance(texts, list):
        raise Permanent("payload needs 'texts', a list of strings", hint='submit {"texts": ["…"]}')

    vectors = job.checkpoint or []  # continue where an earlier attempt stopped
    while len(vectors) < len(texts):
        job.raise_if_cancelled()
        vectors.append(vector(texts[len(vectors)]))
        if len(vectors) % 100 == 0:
            job.save_checkpoint(vectors)
        job.progress(len(vectors), len(texts), "embedding")

    if job.session:
        seen[job.session] = seen.get(job.session, 0) + len(texts)
    return {"vectors": vectors, "seenInSession": seen.get(job.session, len(texts))}


def vector(text):
    numbers = [0.0] * 16
    for word in text.lower().split():
        digest = hashlib.sha256(word.encode()).digest()
        numbers[digest[0] % 16] += 1.0 if digest[1] % 2 else -1.0
    length = math.sqrt(sum(n * n for n in numbers)) or 1.0
    return [round(n / length, 4) for n in numbers]


if __name__ == "__main__":
    worker.run()

#!/usr/bin/env python3
"""Reads an index of pages, and submits a job for each with the token of its own job.

The node passes its address and the token in the environment. A request that the token does not allow is answered with
403: this script shows that by asking for a command line.
"""
import json
import os
import urllib.error
import urllib.request

API = os.environ["HEDDLE_API_URL"] + "/api/v1/job"


def post(path, body):
    """Sends a request on behalf of this job; returns the answer, or the reason for a refusal."""
    request = urllib.request.Request(API + path, json.dumps(body).encode(), {
        "Authorization": "Bearer " + os.environ["HEDDLE_JOB_TOKEN"], "Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)
    except urllib.error.HTTPError as refused:
        return json.load(refused)["detail"]


with open("pages/index.txt", encoding="utf-8") as index:
    pages = index.read().split()
for number, page in enumerate(pages, 1):
    # The key keeps a second attempt from submitting what is still waiting.
    post("/children", {"type": "words", "payload": {"page": page}, "dedupeKey": page})
    post("/progress", {"current": number, "total": len(pages), "message": page})
refusal = post("/children", {"type": "run", "payload": {"command": ["true"]}})
with open(os.environ["HEDDLE_RESULT_PATH"], "w", encoding="utf-8") as result:
    json.dump({"pages": len(pages), "run": refusal}, result)

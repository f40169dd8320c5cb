"""`siwa emulate` for tests in Python: start it on a free port, and do what a person does."""

import json
import os
import subprocess
import urllib.request


class Emulator:
    def __init__(self, *arguments: str):
        self.arguments = arguments

    def __enter__(self):
        self.process = subprocess.Popen(
            [os.environ.get("SIWA", "siwa"), "emulate", "--port", "0", *self.arguments],
            stdout=subprocess.PIPE, text=True)
        # Its one line comes when it answers: "siwa emulate: http://127.0.0.1:… stands in for Apple. …"
        self.url = self.process.stdout.readline().split()[2]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.stdout.close()
        assert self.process.wait(20) == 0

    def call(self, path, body=None):
        """`GET /emulator/…`, or `POST` with a body."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}/emulator/{path}", data=data, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    @property
    def team(self):
        return self.call("portal")["teams"][0]

"""`siwa emulate` for tests in Python: starts it on a free port, and does what a person does."""

import json
import os
import subprocess
import time
import urllib.request


# In seconds. It takes one at most; a machine that is busy with other tests may need a few.
DEADLINE = 60


class Emulator:
    def __init__(self, folder, *arguments, launcher=()):
        self.ready = folder / "ready.json"
        self.arguments = arguments
        # A program that becomes the emulator, as `prlimit` does.
        self.launcher = launcher

    def __enter__(self):
        siwa = os.environ.get("SIWA", "siwa")
        self.process = subprocess.Popen(
            [*self.launcher, siwa, "emulate", "--port", "0", "--ready-file", str(self.ready), *self.arguments],
            stdout=subprocess.DEVNULL)
        # The file appears whole, once the first key is made and the port is open.
        deadline = time.monotonic() + DEADLINE
        while not self.ready.exists():
            status = self.process.poll()
            assert status is None, f"the emulator ended with status {status}; its words are on standard error"
            if time.monotonic() > deadline:
                self.process.kill()
                self.process.wait()
                raise TimeoutError(f"the emulator was not ready within {DEADLINE} s: no {self.ready}")
            time.sleep(0.01)
        self.url = json.loads(self.ready.read_text())["baseURL"]
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(20) == 0

    def call(self, path, body=None):
        """`GET /emulator/…`, or `POST` where there is a body."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.url}/emulator/{path}", data=data, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    @property
    def team(self):
        return self.call("portal")["teams"][0]

"""A `siwa` process that is there while a test runs, and the file in which it says where."""

import json
import os
import pathlib
import signal
import subprocess
import tempfile
import time

SIWA = os.environ.get("SIWA", "siwa")
# In seconds. It takes one at most; a machine that is busy with other tests may need a few.
DEADLINE = 60


class Running:
    """A process that runs. `addresses` has the content of its ready file, and the log has its output."""

    def __init__(self, command, *arguments, folder=None, environment={}):
        self.command = [SIWA, command, *arguments]
        self.folder = folder
        self.environment = environment

    def __enter__(self):
        self.own_folder = None if self.folder else tempfile.TemporaryDirectory()
        folder = pathlib.Path(self.folder or self.own_folder.name)
        folder.mkdir(parents=True, exist_ok=True)
        ready = folder / "ready.json"
        ready.unlink(missing_ok=True)
        self.log = folder / "log"
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(
                [*self.command, "--ready-file", str(ready)], stdout=log, stderr=log,
                env={**os.environ, **self.environment})
        deadline = time.monotonic() + DEADLINE
        while not ready.exists():
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.process.kill()
                self.process.wait()
                raise AssertionError(f"{self.command} was not ready within {DEADLINE} s:\n{self.log.read_text()}")
            time.sleep(0.01)
        self.addresses = json.loads(ready.read_text())
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        try:
            status = self.process.wait(20)
        finally:
            self.process.kill()
            text = self.log.read_text()
            if self.own_folder:
                self.own_folder.cleanup()
        assert status == 0, text

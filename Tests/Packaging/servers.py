"""Servers that these tests start, with the settings that `siwa serve` cannot do without."""

import base64
import contextlib
import os
import pathlib
import secrets
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

# In seconds. It takes two at most; a busy machine may need more.
DEADLINE = 60

VALUES = {
    "public-url": "http://localhost:4000", "team-id": "ABCDE12345", "key-id": "FGHIJ67890",
    "bundle-id": ["com.example.juice"], "services-id": ["com.example.juice.web"],
}


def key_ring():
    return "k1:" + base64.b64encode(secrets.token_bytes(32)).decode()


def apple_key():
    key = ec.generate_private_key(ec.SECP256R1())
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()).decode()


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def status(url):
    """- Returns: the status of an answer, or None when nobody listens."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
    except (urllib.error.URLError, ConnectionError):
        return None


def wait(condition, what):
    """Waits until a condition holds. `what` says what came of it instead."""
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, what()
        time.sleep(0.02)


@contextlib.contextmanager
def running(command, log, **options):
    """A process that a test stops, or that is killed in the end with all that it has started."""
    with open(log, "ab") as file:
        process = subprocess.Popen(
            [str(word) for word in command], stdout=file, stderr=file, start_new_session=True, **options)
    try:
        yield process
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def child(process):
    """- Returns: the number of the only process that this one has started."""
    [number] = pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return int(number)


def answers(process, log, url, expected=200):
    """Waits until a server answers as expected."""
    def arrived():
        assert process.poll() is None, log.read_text()
        return status(url) == expected
    wait(arrived, log.read_text)


class NotifySocket:
    """The socket on which systemd hears from a service."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(str(path))
        os.chmod(path, 0o777)
        self.socket.settimeout(DEADLINE)

    def next(self):
        return self.socket.recv(256).decode()

    def close(self):
        self.socket.close()

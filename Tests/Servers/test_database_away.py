"""PostgreSQL goes away and comes back, while a server of ours goes on."""

import contextlib
import re
import socket
import threading
import time
import urllib.parse

import pytest

from deployment import DEADLINE, Database, Deployment, Service, error


class Way:
    """A way to the database that can be cut."""

    def __init__(self, address):
        parts = urllib.parse.urlsplit(address)
        self.target = (parts.hostname, parts.port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.address = address.replace(f":{parts.port}/", f":{self.port}/")
        self.lock, self.ends, self.threads = threading.Lock(), set(), []
        self.open()

    def open(self):
        self.start(self.accept, self.listener)

    def mend(self):
        self.listener = socket.create_server(("127.0.0.1", self.port))
        self.open()

    def cut(self):
        """For those who are under way, and for those who come."""
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        with self.lock:
            ends, self.ends = self.ends, set()
        for end in ends:
            # Some have ended by themselves.
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join(DEADLINE)
        for end in ends:
            end.close()
        self.threads = []

    def accept(self, listener):
        while True:
            try:
                here, _ = listener.accept()
            except OSError:
                return
            there = socket.create_connection(self.target)
            with self.lock:
                self.ends |= {here, there}
            self.start(self.carry, here, there)
            self.start(self.carry, there, here)

    @staticmethod
    def carry(source, target):
        try:
            while content := source.recv(65_536):
                target.sendall(content)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            # Cut.
            pass

    def start(self, work, *arguments):
        thread = threading.Thread(target=work, args=arguments)
        thread.start()
        self.threads.append(thread)


@pytest.fixture
def way(tmp_path):
    way = Way(Database.postgres(tmp_path))
    yield way
    way.cut()


def test_the_server_says_so_uses_nothing_up_and_comes_back_by_itself(emulator, way, tmp_path):
    deployment, start = Deployment(emulator, tmp_path, way.address), time.monotonic()
    with deployment.server() as server:
        service = Service(server.url)

        def status(path):
            return service.session.get(server.url + path, timeout=DEADLINE).status_code

        session = service.sign_in(deployment.proof("johnny")).json()["session"]
        assert status("/readyz") == 200
        way.cut()
        assert status("/readyz") == 503 and status("/healthz") == 200
        proof = deployment.proof("johnny")
        for answer in [
            service.sign_in(proof), service.refresh(session["refreshToken"]), service.account(session["accessToken"]),
        ]:
            assert answer.status_code == 503 and error(answer) == "unavailable"
        way.mend()
        assert status("/readyz") == 200
        assert service.account(session["accessToken"]).ok
        assert service.refresh(session["refreshToken"]).ok
        # The database is asked before Apple, so Apple's code is still good.
        assert service.sign_in(proof).ok
    log = server.log_text()
    lines = [line for line in log.splitlines() if "The database cannot do its work." in line]
    reasons = {re.search(r"reason=(.*?) suppressed=", line)[1] for line in lines}
    assert "The database cannot be reached." in reasons
    # Once a minute for each cause, not once for each request; the requests have a line each.
    assert len(lines) <= len(reasons) * (1 + (time.monotonic() - start) // 60)
    assert "The database answers again." in log and "Request failed" not in log
    assert log.count("code=unavailable") == 3

"""The machine of the database is gone, and a standby takes its place."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.parse

import pytest

from deployment import DEADLINE, Database, Deployment, Service, error
from test_database_away import Way


def ask(address, statement):
    answer = subprocess.run(["psql", "-XqAt", address, "-c", statement], check=True, capture_output=True, text=True)
    return answer.stdout.strip()


class Standby:
    """A standby of the server of Tests/with-postgres."""

    def __init__(self, folder):
        self.primary = os.environ["SIWA_POSTGRES"]
        parts = urllib.parse.urlsplit(self.primary)
        self.programs = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
        self.data = folder / "data"
        # PostgreSQL doesn't run as root.
        self.user = []
        if os.getuid() == 0:
            shutil.chown(folder, "postgres")
            self.user = ["runuser", "-u", "postgres", "--"]
        self.run(
            "pg_basebackup", "-h", parts.hostname, "-p", parts.port, "-U", parts.username, "-D", self.data, "-c", "fast",
            "--no-sync", "-R")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.address = self.primary.replace(f":{parts.port}/", f":{self.port}/")
        options = (f"-p {self.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories={folder} "
                   "-c max_connections=400 -c fsync=off")
        self.run("pg_ctl", "-D", self.data, "-w", "-l", folder / "log", "start", "-o", options)

    def run(self, program, *arguments):
        subprocess.run(
            [*self.user, self.programs / program, *map(str, arguments)], check=True, stdout=subprocess.DEVNULL,
            timeout=DEADLINE, cwd="/")

    def catch_up(self):
        """Waits until the standby has what the primary has written so far."""
        position, end = ask(self.primary, "SELECT pg_current_wal_flush_lsn()"), time.monotonic() + DEADLINE
        while ask(self.address, f"SELECT pg_last_wal_replay_lsn() >= '{position}'") != "t":
            assert time.monotonic() < end

    def promote(self):
        self.run("pg_ctl", "-D", self.data, "-w", "promote")

    def stop(self):
        self.run("pg_ctl", "-D", self.data, "-m", "immediate", "stop")


@pytest.fixture
def standby():
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        standby = Standby(pathlib.Path(folder))
        yield standby
        standby.stop()


class Silence:
    """A machine that is gone: nothing answers on its port, and nothing refuses."""

    def __init__(self, port):
        self.listener = socket.create_server(("127.0.0.1", port), backlog=0)
        # Once the queue of the listener is full, the system drops what comes.
        self.filling = []
        for _ in range(4):
            filler = socket.socket()
            filler.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                filler.connect(("127.0.0.1", port))
            self.filling.append(filler)

    def close(self):
        for end in [*self.filling, self.listener]:
            end.close()


def test_the_service_finds_the_primary_among_the_hosts_of_its_address(emulator, standby, tmp_path):
    way = Way(Database.postgres(tmp_path))
    # The standby comes first, so the service has to pass over it.
    database = way.address.replace("@", f"@127.0.0.1:{standby.port},")
    deployment = Deployment(emulator, tmp_path, database)
    with deployment.server() as server, contextlib.ExitStack() as stack:
        service = Service(server.url)
        session = service.sign_in(deployment.proof("johnny")).json()["session"]
        standby.catch_up()
        way.cut()
        stack.callback(Silence(way.port).close)
        answer = service.refresh(session["refreshToken"])
        assert answer.status_code == 503 and error(answer) == "unavailable"
        assert service.session.get(server.url + "/readyz", timeout=DEADLINE).status_code == 503
        standby.promote()
        assert service.refresh(session["refreshToken"]).ok
        assert service.account(session["accessToken"]).ok
        assert service.sign_in(deployment.proof("johnny")).ok

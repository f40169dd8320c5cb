"""`siwa serve` as processes, on a database of their own, with an emulator for Apple, and what an app on a phone does."""

import base64
import contextlib
import hashlib
import json
import os
import pathlib
import re
import secrets
import signal
import sqlite3
import subprocess
import threading
import time
import urllib.parse

import requests

SIWA = os.environ.get("SIWA", "siwa")
CLIENT, WEB_CLIENT = "com.example.juice", "com.example.juice.web"
# In seconds. Nothing takes nearly as long, unless the machine is very busy.
DEADLINE = 60


class Database:
    """A database of one test alone."""

    @staticmethod
    def sqlite(folder):
        return str(folder / "siwa.sqlite")

    @staticmethod
    def postgres(_):
        """A schema of its own on the server of Tests/with-postgres, which goes with all that it holds."""
        server, name = os.environ["SIWA_POSTGRES"], f"servers_{secrets.token_hex(8)}"
        subprocess.run(["psql", "-q", server, "-c", f"CREATE SCHEMA {name}"], check=True)
        return f"{server}?options=-csearch_path%3D{name}"


class Deployment:
    """The settings that servers on one database have in common."""

    def __init__(self, emulator, folder, database, public_url="http://localhost:4000"):
        self.emulator, self.folder, self.public_url = emulator, folder, public_url
        # The program that runs the server, if it does not run by itself.
        self.wrapper = []
        self.arguments = []
        # A program that becomes the server, as `prlimit` does.
        self.launcher = []
        team = emulator.team
        key = team["apps"][0]["keys"][0]
        self.environment = {
            "PATH": os.environ["PATH"],
            "SIWA_PUBLIC_URL": public_url,
            "SIWA_DATABASE": database,
            "SIWA_KEY_RING": "k1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
            "SIWA_EMULATOR": emulator.url,
            "SIWA_TEAM_ID": team["id"],
            "SIWA_KEY_ID": key["id"],
            "SIWA_PRIVATE_KEY": key["privateKey"],
            "SIWA_BUNDLE_ID": CLIENT,
            "SIWA_SERVICES_ID": WEB_CLIENT,
            "SIWA_PORT": "0",
            # All that the tests do comes from one address.
            "SIWA_REQUEST_BUDGET": "0",
        }

    def server(self):
        return Server(self)

    def command(self, *words):
        """`siwa` as an operator types it, with the settings of the servers."""
        return subprocess.run(
            [SIWA, *words], env=self.environment, capture_output=True, text=True, timeout=2 * DEADLINE)

    def add_person(self):
        person = secrets.token_hex(8)
        self.emulator.call("portal/people", {"id": person, "email": f"{person}@example.com", "name": "Ada Lovelace"})
        return person

    def remove_person(self, person):
        """The emulator takes a thousand."""
        self.emulator.call("portal/people/remove", {"id": person})

    def decide(self, location, person):
        """At Apple's page, to which a browser has been sent: what its form brings back."""
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(location).query))
        return self.emulator.call("authorizations", {
            "person": person, "clientID": query["client_id"], "redirectURI": query["redirect_uri"],
            "scope": query["scope"], "state": query["state"], "nonce": query["nonce"]})

    def proof(self, person, nonce=None):
        """On a phone: the body of `POST /v1/sign-in/apple`. The nonce is the app's own, unless one is given."""
        nonce = nonce or secrets.token_urlsafe(24)
        answer = self.emulator.call("authorizations", {
            "person": person, "clientID": CLIENT, "native": True,
            "nonce": hashlib.sha256(nonce.encode()).hexdigest()})
        return {"identityToken": answer["id_token"], "authorizationCode": answer["code"], "nonce": nonce}


class Server:
    """One `siwa serve`, on a free port. It answers when this is made."""

    def __init__(self, deployment):
        self.is_wrapped = bool(deployment.wrapper)
        self.process = subprocess.Popen(
            [*deployment.wrapper, *deployment.launcher, SIWA, "serve", *deployment.arguments], env=deployment.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        words = self.words = []
        for line in self.process.stderr:
            words.append(line)
            if "The account service is running" in line:
                break
        else:
            raise AssertionError("siwa serve ended: " + "".join(words))
        self.port = int(re.search(r"\bport=(\d+)", words[-1])[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self.log_file = deployment.folder / f"siwa-{self.process.pid}.log"
        self.log = open(self.log_file, "w")
        self.reader = threading.Thread(target=self.keep_log)
        self.reader.start()

    def keep_log(self):
        for line in self.process.stderr:
            self.log.write(line)

    def log_text(self):
        """All of it once the server has ended, else what is written so far."""
        if not self.log.closed:
            self.log.flush()
        return self.log_file.read_text()

    def kill(self):
        """As a crash would: at once, with whatever it is doing."""
        self.process.send_signal(signal.SIGSTOP)
        # It goes on until the signal has reached all of its threads, and would close and open connections meanwhile.
        os.waitid(os.P_PID, self.process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        self.last_ports = self.ports()
        self.process.kill()
        self.put_away()

    def ports(self):
        """Its ends of all its connections."""
        folder = pathlib.Path(f"/proc/{self.process.pid}")
        open_files = {os.readlink(file) for file in (folder / "fd").iterdir()}
        rows = [line.split() for line in (folder / "net/tcp").read_text().splitlines()[1:]]
        return {int(row[1].rpartition(":")[2], 16) for row in rows if f"socket:[{row[9]}]" in open_files}

    def stop(self):
        """As an operator would. What runs the server hears it from the server."""
        os.kill(self.children()[0] if self.is_wrapped else self.process.pid, signal.SIGTERM)
        assert self.put_away() == 0

    def children(self):
        pid = self.process.pid
        return [int(child) for child in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def put_away(self):
        status = self.process.wait(DEADLINE)
        self.reader.join(DEADLINE)
        self.process.stderr.close()
        self.log.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.returncode is None:
            self.stop()


class Service:
    """The service's calls, from one client."""

    def __init__(self, url):
        self.url = url
        self.session = requests.Session()

    def sign_in(self, proof, **options):
        return self.session.post(f"{self.url}/v1/sign-in/apple", json=proof, timeout=DEADLINE, **options)

    def refresh(self, token, **options):
        return self.session.post(
            f"{self.url}/v1/session/refresh", json={"refreshToken": token}, timeout=DEADLINE, **options)

    def sign_out(self, token, **options):
        return self.session.delete(
            f"{self.url}/v1/session", timeout=DEADLINE, **self.bearing(token, options))

    def account(self, token, **options):
        return self.session.get(f"{self.url}/v1/account", timeout=DEADLINE, **self.bearing(token, options))

    def delete_account(self, token, **options):
        return self.session.delete(f"{self.url}/v1/account", timeout=DEADLINE, **self.bearing(token, options))

    def deletion(self, handle, **options):
        return self.session.get(f"{self.url}/v1/deletions/{handle}", timeout=DEADLINE, **options)

    def revoke_at_apple(self, token, **options):
        return self.session.post(
            f"{self.url}/v1/apple/revoke", json={}, timeout=DEADLINE, **self.bearing(token, options))

    def notify(self, payload, **options):
        """Sends a notification, as Apple does."""
        return self.session.post(
            f"{self.url}/apple/notifications", json={"payload": payload}, timeout=DEADLINE, **options)

    @staticmethod
    def bearing(token, options):
        return {**options, "headers": {**options.get("headers", {}), "Authorization": f"Bearer {token}"}}


def error(answer):
    """The code in an answer that is an error; None in one that is none."""
    return None if answer.ok else json.loads(answer.text)["error"]["code"]


def is_used_up(answer):
    return (error(answer) or "").endswith("_already_used")


class Outbox:
    """The tasks for Apple, as the database has them."""

    def __init__(self, database):
        self.database = database

    def ask(self, statement):
        if self.database.startswith("postgres://"):
            answer = subprocess.run(
                ["psql", "-qAt", self.database, "-c", statement], check=True, capture_output=True, text=True)
            return answer.stdout.split()
        with contextlib.closing(sqlite3.connect(self.database)) as connection, connection:
            return [str(row[0]) for row in connection.execute(statement)]

    def bury(self, server):
        """Waits until nothing is done any more of what a killed server had asked for. PostgreSQL finishes a statement
        that is under way, a COMMIT too, and only then finds that nobody is there."""
        if not self.database.startswith("postgres://"):
            return
        deadline = time.monotonic() + DEADLINE
        while server.last_ports & {int(port) for port in self.ask(
                "SELECT client_port FROM pg_stat_activity WHERE client_port > 0")}:
            assert time.monotonic() < deadline, "a killed server's connections are still open"
            time.sleep(0.05)

    def forget_leases(self):
        """Frees the entries that a dead server had taken: two minutes later anybody can take them, here at once."""
        for table in ("outbox", "account_notices"):
            self.ask(f"UPDATE {table} SET leased_until = 0")

    def forget_rests(self):
        """Makes entries due at once that are tried again in a while."""
        self.ask("UPDATE outbox SET leased_until = 0, next_attempt_at = 0 WHERE state = 'waiting'")

    def wait_for_tries(self):
        """Waits until every revocation is done, or rests after it was tried."""
        deadline = time.monotonic() + DEADLINE
        while self.ask("""SELECT id FROM outbox WHERE kind = 'revocation' AND state = 'waiting'
                          AND (attempts = 0 OR leased_until > 0)"""):
            assert time.monotonic() < deadline, "a revocation is not tried"
            time.sleep(0.05)

    def settle(self):
        """Waits until everything is done, and the app's backend has heard of everything."""
        deadline = time.monotonic() + DEADLINE
        while open_entries := self.ask("SELECT id FROM outbox WHERE finished_at IS NULL"):
            assert time.monotonic() < deadline, f"{len(open_entries)} entries never reached Apple"
            time.sleep(0.05)
        while notices := self.ask("SELECT id FROM account_notices"):
            assert time.monotonic() < deadline, f"{len(notices)} messages never reached the backend"
            time.sleep(0.05)

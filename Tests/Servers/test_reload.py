"""SIGHUP: a server reads its settings again while people use it, and takes over those that can change."""

import base64
import contextlib
import json
import os
import pty
import re
import secrets
import signal
import subprocess
import threading
import time

import jwt
import pytest
import requests

from backend import Backend
from emulator import Emulator
from deployment import CLIENT, DEADLINE, SIWA, Deployment, Outbox, Service

# The settings that a reload takes over and this test tells by a file. All others are in the environment.
FROM_FILE = ["SIWA_KEY_RING", "SIWA_KEY_ID", "SIWA_PRIVATE_KEY", "SIWA_PORT", "SIWA_REQUEST_BUDGET"]


class Settings:
    """The settings of a server, in a file."""

    def __init__(self, deployment, folder):
        self.deployment, self.file = deployment, folder / "settings.json"
        self.key_ring, self.key, self.secret = folder / "ring", folder / "key.p8", folder / "secret"
        self.key_ring.write_text(deployment.environment["SIWA_KEY_RING"] + "\n")
        self.key.write_text(deployment.environment["SIWA_PRIVATE_KEY"])
        self.content = {
            "key-ring-file": str(self.key_ring), "private-key-file": str(self.key), "port": 0, "request-budget": 0,
            "key-id": deployment.environment["SIWA_KEY_ID"], "log-level": "info"}
        for name in FROM_FILE:
            del deployment.environment[name]
        deployment.arguments = ["--config", str(self.file)]
        self.write()

    def write(self, **changes):
        self.content |= {name.replace("_", "-"): value for name, value in changes.items()}
        self.file.write_text(json.dumps(self.content))


def wait(condition, what):
    deadline = time.monotonic() + DEADLINE
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


def reload(server, word="The settings were read again"):
    """- Returns: the line that says what came of it."""
    def lines():
        return [line for line in server.log_text().splitlines() if word in line]
    before = len(lines())
    server.process.send_signal(signal.SIGHUP)
    wait(lambda: len(lines()) > before, server.log_text)
    return lines()[-1]


def taken(line):
    return set(re.search(r"taken=(\S+)", line)[1].split(","))


@contextlib.contextmanager
def load(deployment, server):
    """Somebody who uses the service all the while, for whom nothing may fail."""
    is_enough, rounds, failures = threading.Event(), [], []

    def use():
        try:
            service, person = Service(server.url), deployment.add_person()
            while not is_enough.is_set():
                answer = service.sign_in(deployment.proof(person))
                assert answer.ok, answer.text
                session = service.refresh(answer.json()["session"]["refreshToken"])
                assert session.ok, session.text
                assert service.account(session.json()["session"]["accessToken"]).ok
                rounds.append(person)
        except BaseException as failure:
            failures.append(failure)
            raise

    thread = threading.Thread(target=use)
    thread.start()

    def go_on():
        count = len(rounds)
        wait(lambda: failures or len(rounds) >= count + 2, "nobody gets on")
        assert not failures, failures
    try:
        yield go_on
    finally:
        is_enough.set()
        thread.join(DEADLINE)
    assert not failures, failures


@pytest.fixture
def own_emulator(tmp_path):
    """An emulator of one test that changes its keys."""
    with Emulator(tmp_path) as running:
        yield running


def test_a_running_server_takes_over_what_can_change(own_emulator, database, tmp_path):
    emulator = own_emulator
    deployment, store = Deployment(emulator, tmp_path, database), Outbox(database)
    settings, new_backend = Settings(deployment, tmp_path), Backend()
    with Backend() as backend:
        settings.secret.write_text(backend.environment["SIWA_WEBHOOK_SECRET"])
        settings.write(webhook_url=backend.environment["SIWA_WEBHOOK_URL"], webhook_secret_file=str(settings.secret))
        with deployment.server() as server, load(deployment, server) as go_on:
            go_on()
            assert " debug " not in server.log_text()

            # The log's level.
            settings.write(log_level="debug")
            assert taken(reload(server)) == {"log-level"}
            go_on()
            assert " debug " in server.log_text()
            settings.write(log_level="info")
            assert taken(reload(server)) == {"log-level"}

            # Trusted proxies: until now the header is anybody's text.
            def sign_in_from(address):
                answer = Service(server.url).sign_in(
                    deployment.proof(deployment.add_person()), headers={"X-Forwarded-For": address})
                token = answer.json()["session"]["accessToken"]
                return jwt.decode(token, options={"verify_signature": False})["sid"]

            def address(session):
                return store.ask(f"SELECT address FROM audit WHERE session_id = '{session}' AND event = 'signed_in'")
            assert address(sign_in_from("203.0.113.7")) == ["127.0.0.1"]
            settings.write(trusted_proxy=["127.0.0.1"])
            assert taken(reload(server)) == {"trusted-proxy"}
            assert address(sign_in_from("203.0.113.7")) == ["203.0.113.7"]

            # Apple's key: a second one is made, the server changes over, the first one goes.
            former = emulator.team["apps"][0]["keys"][0]["id"]
            key = emulator.call("portal/keys", {"app": CLIENT})
            settings.key.write_text(key["privateKey"])
            settings.write(key_id=key["id"])
            assert taken(reload(server)) == {"key-id", "private-key-file"}
            go_on()
            emulator.call("portal/keys/remove", {"id": former})
            go_on()

            # The webhook's secret.
            backend.key = new_backend.key
            settings.secret.write_text(new_backend.environment["SIWA_WEBHOOK_SECRET"])
            assert taken(reload(server)) == {"webhook-secret-file"}
            service = Service(server.url)
            session = service.sign_in(deployment.proof(deployment.add_person())).json()
            assert service.delete_account(session["session"]["accessToken"]).ok
            wait(lambda: "account.deleted" in backend.types(session["account"]["id"]), "no message arrives")

            # The key ring, in three steps.
            old = settings.key_ring.read_text().strip()
            new = "k2:" + base64.b64encode(secrets.token_bytes(32)).decode()
            for ring in [f"{old},{new}", f"{new},{old}"]:
                settings.key_ring.write_text(ring)
                assert taken(reload(server)) == {"key-ring-file"}
                go_on()
            resealed = deployment.command("keys", "reseal", "--config", str(settings.file))
            assert resealed.returncode == 0 and "no key but the first is in use" in resealed.stdout, resealed
            settings.key_ring.write_text(new)
            assert taken(reload(server)) == {"key-ring-file"}
            go_on()

            # A ring that does not open the server's keys, and a file with mistakes, change nothing.
            settings.key_ring.write_text("k3:" + base64.b64encode(secrets.token_bytes(32)).decode())
            settings.write(log_level="debug")
            line = reload(server)
            assert "Nothing has changed" in line and "key-ring" in line and "k2" in line
            settings.key_ring.write_text(new)
            settings.write(log_level="loud", trusted_proxy=["nobody"], **{"trusted-proxies": []})
            line = reload(server)
            assert "Nothing has changed" in line
            assert "log-level: " in line and "trusted-proxy: " in line and "trusted-proxies" in line
            settings.file.write_text("{")
            assert "Nothing has changed" in reload(server)
            assert address(sign_in_from("203.0.113.8")) == ["203.0.113.8"]
            go_on()

            # Settings that need a restart are named, each time.
            del settings.content["trusted-proxies"]
            for _ in range(2):
                settings.write(
                    log_level="info", trusted_proxy=["127.0.0.1"], app_name="Cider", port=1,
                    providers={"google": {"client-id": "juice"}})
                line = reload(server)
                assert taken(line) == {"none"} and "need_restart=app-name,port,providers" in line
            log = server.log_text()
            for secret in [old, new, settings.secret.read_text()]:
                assert secret.rpartition(":")[2] not in log
    new_backend.server.server_close()


def test_a_running_server_takes_over_the_content_of_the_files_that_it_serves(emulator, tmp_path):
    deployment = Deployment(emulator, tmp_path, str(tmp_path / "siwa.sqlite"))
    settings = Settings(deployment, tmp_path)
    contact, end = "Contact: mailto:security@example.com\n", "Expires: 2099-01-31T12:00:00Z\n"
    security, links = tmp_path / "security.txt", tmp_path / "assetlinks.json"
    security.write_text(contact + end)
    links.write_text('[{"include": "https://example.com/links.json"}]')
    settings.write(security_txt_file=str(security))
    with deployment.server() as server:
        def served(name):
            answer = requests.get(f"{server.url}/.well-known/{name}", timeout=DEADLINE)
            return answer.text if answer.ok else answer.status_code
        assert served("security.txt") == contact + end

        security.write_text("# new\n" + contact + end)
        assert taken(reload(server)) == {"security-txt-file"}
        assert served("security.txt") == "# new\n" + contact + end

        # A bad file changes nothing.
        security.write_text(contact)
        line = reload(server)
        assert "Nothing has changed" in line and "security-txt-file" in line and "has no field Expires" in line
        assert served("security.txt") == "# new\n" + contact + end

        # An expired one is served with a warning.
        security.write_text(contact + "Expires: 2020-01-31T12:00:00Z\n")
        assert taken(reload(server)) == {"security-txt-file"}
        wait(lambda: "security-txt-file: it has expired" in server.log_text(), "no warning")

        # A file that comes or goes needs a restart.
        settings.write(assetlinks_file=str(links))
        line = reload(server)
        assert taken(line) == {"none"} and "need_restart=assetlinks-file" in line
        assert served("assetlinks.json") == 404
        del settings.content["security-txt-file"]
        settings.write()
        assert "need_restart=assetlinks-file,security-txt-file" in reload(server)
        assert served("security.txt").endswith("Expires: 2020-01-31T12:00:00Z\n")


@pytest.mark.parametrize("words", [["demo", "--port", "0", "--emulator-port", "0"], ["emulate", "--port", "0"]])
def test_a_command_that_has_a_terminal_ends_in_order_when_it_closes(words, tmp_path):
    ready = tmp_path / "ready.json"
    process = subprocess.Popen([SIWA, *words, "--ready-file", str(ready)], stdout=subprocess.DEVNULL)
    wait(lambda: ready.exists() or process.poll() is not None, "it does not start")
    process.send_signal(signal.SIGHUP)
    assert process.wait(DEADLINE) == 0
    assert not ready.exists()


def test_nohup_keeps_a_command_running(tmp_path):
    ready = tmp_path / "ready.json"
    process = subprocess.Popen(
        ["nohup", SIWA, "emulate", "--port", "0", "--ready-file", str(ready)],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait(lambda: ready.exists() or process.poll() is not None, "it does not start")
    process.send_signal(signal.SIGHUP)
    process.send_signal(signal.SIGCONT)
    assert process.poll() is None and ready.exists()
    process.terminate()
    assert process.wait(DEADLINE) == 0


def test_a_server_whose_terminal_closes_ends_in_order(emulator, tmp_path):
    deployment = Deployment(emulator, tmp_path, str(tmp_path / "siwa.sqlite"))
    terminal, end = pty.openpty()
    process = subprocess.Popen(
        [SIWA, "serve"], env=deployment.environment, stdin=end, stderr=subprocess.PIPE, text=True)
    os.close(end)
    for line in process.stderr:
        if "The account service is running" in line:
            break
    process.send_signal(signal.SIGHUP)
    process.stderr.read()
    assert process.wait(DEADLINE) == 0
    os.close(terminal)


def test_the_password_of_the_database_changes_while_a_server_runs(own_emulator, tmp_path):
    server_address, role = os.environ["SIWA_POSTGRES"], f"servers_{secrets.token_hex(8)}"
    former, latter = secrets.token_hex(16), secrets.token_hex(16)

    def run(statement):
        subprocess.run(["psql", "-q", server_address, "-c", statement], check=True, stdout=subprocess.DEVNULL)
    run(f"CREATE ROLE {role} LOGIN PASSWORD '{former}' IN ROLE asked")
    run(f"CREATE SCHEMA {role} AUTHORIZATION {role}")
    deployment = Deployment(
        own_emulator, tmp_path,
        f"postgres://{role}@{server_address.partition('@')[2]}?options=-csearch_path%3D{role}")
    settings, password = Settings(deployment, tmp_path), tmp_path / "password"
    password.write_text(former + "\n")
    settings.write(database_password_file=str(password))
    with deployment.server() as server:
        def sign_in():
            answer = Service(server.url).sign_in(deployment.proof(deployment.add_person()))
            assert answer.ok, answer.text
        sign_in()
        run(f"ALTER ROLE {role} PASSWORD '{latter}'")
        password.write_text(latter + "\n")
        assert taken(reload(server)) == {"database-password-file"}
        # All connections are new now.
        run(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '{role}'")
        sign_in()
        # Two lines are a mistake, and no reason to forget the password.
        password.write_text(f"{former}\n{latter}\n")
        line = reload(server)
        assert "Nothing has changed" in line and "database-password-file: " in line
        sign_in()
        assert former not in server.log_text() and latter not in server.log_text()

"""The work of a server once a minute, as it runs: it asks Apple about the tokens that are due, ends sessions whose
tokens have been dead for an hour, and removes old rows. Waiting for that minute is most of the time that it takes, so
all here wait for the same one."""

import concurrent.futures
import contextlib
import signal
import socket
import threading
import time
import urllib.parse

import pytest
import requests

from emulator import Emulator
from deployment import CLIENT, Database, Deployment, Outbox, Service, error

ENGINES = ["sqlite", "postgres"]
# In seconds: the minute, a second one where the first was missed, and what three requests to a silent Apple take.
PATIENCE = 200
# The database's.
HOUR, DAY = 3_600_000_000, 86_400_000_000


def wait(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.1)


class Place:
    """A database of its own."""

    def __init__(self, engine, folder):
        self.address = getattr(Database, engine)(folder)
        self.outbox = Outbox(self.address)

    def ask(self, statement):
        return self.outbox.ask(statement)

    def count(self, table):
        return int(self.ask(f"SELECT count(*) FROM {table}")[0])

    def tokens_are_due(self):
        """A day after all that was: here, at once."""
        self.ask(f"UPDATE identities SET last_sign_in_at = last_sign_in_at - {DAY}, "
                 f"last_authorized_at = last_authorized_at - {DAY}")
        self.ask(f"UPDATE apple_tokens SET obtained_at = obtained_at - {DAY}, next_check_at = 0")


def is_live(service, session):
    answer = service.account(session["accessToken"])
    assert answer.ok or error(answer) == "session_ended", answer.text
    return answer.ok


def end_of_a_dead_grant(emulator, engine, folder):
    """The person stops using the app, and nobody is told. Two servers look, of which either may find it."""
    place = Place(engine, folder)
    deployment = Deployment(emulator, folder, place.address)
    with contextlib.ExitStack() as servers:
        here = Service(servers.enter_context(deployment.server()).url)
        began = time.monotonic()
        leaving, staying = deployment.add_person(), deployment.add_person()
        sessions = [here.sign_in(deployment.proof(leaving)).json()["session"] for _ in range(2)]
        kept = here.sign_in(deployment.proof(staying)).json()["session"]
        emulator.call("grants/stop-using", {"person": leaving, "clientID": CLIENT})
        place.tokens_are_due()
        # The second looks so long after the first: by then the test has set the clock on.
        wait(lambda: time.monotonic() > began + 5)
        there = Service(servers.enter_context(deployment.server()).url)
        wait(lambda: place.ask("SELECT id FROM apple_tokens WHERE found_dead_at IS NOT NULL"))
        # A death waits for an hour.
        assert all(is_live(there, session) for session in sessions)
        place.ask(f"UPDATE apple_tokens SET found_dead_at = found_dead_at - {HOUR}")
        wait(lambda: not is_live(here, sessions[0]))
        for service in (here, there):
            for session in sessions:
                assert not is_live(service, session)
                assert error(service.refresh(session["refreshToken"])) == "refresh_token_invalid"
                state = service.session.get(
                    service.url + "/v1/apple/credential-state",
                    headers={"Authorization": f"Bearer {session['refreshToken']}"})
                assert state.json() == {"credentialState": "revoked"}
        # The person who has stayed was asked about, too.
        assert place.ask("SELECT count(*) FROM apple_tokens WHERE last_checked_at > 0") == ["1"]
        assert is_live(here, kept) and there.refresh(kept["refreshToken"]).ok
        assert not here.sign_in(deployment.proof(leaving)).json()["isNewAccount"]


def end_of_what_is_over(emulator, engine, folder):
    """Rows that last for a while: made by using the service, and grown old while no server ran."""
    place = Place(engine, folder)
    deployment = Deployment(emulator, folder, place.address)

    def use(service):
        attempt = requests.get(service.url + "/sign-in/apple", allow_redirects=False)
        assert attempt.status_code == 302
        going, leaving = deployment.add_person(), deployment.add_person()
        session = service.sign_in(deployment.proof(going)).json()["session"]
        event = {"type": "email-enabled", "person": going, "clientID": CLIENT}
        assert service.notify(emulator.call("notifications", event)["payload"]).ok
        assert service.sign_out(session["accessToken"]).status_code == 204
        session = service.sign_in(deployment.proof(leaving)).json()["session"]
        receipt = service.delete_account(session["accessToken"])
        place.outbox.settle()
        return receipt.json()["handle"]

    with deployment.server() as server:
        handles = [use(Service(server.url))]
    ages = {
        "attempts": "expires_at = 0", "spent": "expires_at = 0", "account_events": "expires_at = 0",
        "apple_notifications": "expires_at = 0", "outbox": "finished_at = 1", "deletions": "finished_at = 1",
        "sessions": f"ended_at = ended_at - 31 * {DAY}",
        # An identifier begins with its time.
        "audit": "id = substr(id, 1, 4) || '0000000000' || substr(id, 15)",
    }
    counts = {table: place.count(table) for table in ages}
    assert all(counts.values()), counts
    for table, age in ages.items():
        place.ask(f"UPDATE {table} SET {age}")
    # In its first minute a server looks at everything; some of it is looked at again only after a day.
    with deployment.server() as server:
        service = Service(server.url)
        # The same rows again, and young.
        handles.append(use(service))
        wait(lambda: {table: place.count(table) for table in ages} == counts)
        assert [service.deletion(handle).status_code for handle in handles] == [404, 200]


class Trouble:
    """How Apple can be in a bad way."""

    @staticmethod
    def fails(emulator):
        emulator.call("faults", {"fault": "outage", "endpoint": "token", "status": 500})

    @staticmethod
    def is_slow(emulator):
        """Slower than anybody waits."""
        emulator.call("faults", {"fault": "latency", "endpoint": "token", "milliseconds": 15_000})

    @staticmethod
    def is_silent(emulator):
        """It takes connections and does not answer."""
        emulator.process.send_signal(signal.SIGSTOP)

    @staticmethod
    def is_away(emulator):
        emulator.process.kill()
        emulator.process.wait()
        emulator.hold_port()


class IllApple(Emulator):
    """Has nothing more to say when it goes."""

    held = None

    def hold_port(self):
        """So that nobody else answers in its place; nobody listens here."""
        self.held = socket.socket()
        self.held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.held.bind(("127.0.0.1", urllib.parse.urlsplit(self.url).port))

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        if self.held:
            self.held.close()


def no_end_by_trouble(trouble, emulator, engine, folder, together):
    """However Apple fails: nobody is signed out for it, and what could not be asked is asked an hour later."""
    place = Place(engine, folder)
    deployment = Deployment(emulator, folder, place.address)
    with deployment.server() as server:
        service = Service(server.url)
        sessions = [service.sign_in(deployment.proof(deployment.add_person())).json()["session"] for _ in range(3)]
        if together.wait() == 0:
            getattr(Trouble, trouble)(emulator)
        together.wait()
        place.tokens_are_due()
        due = "next_check_at = 0 OR check_leased_until IS NOT NULL"
        # The first that is not answered keeps the others from being asked.
        wait(lambda: place.ask(f"SELECT count(*) FROM apple_tokens WHERE NOT ({due})") != ["0"])
        assert not place.ask("SELECT id FROM apple_tokens WHERE last_checked_at > 0 OR found_dead_at > 0")
        # The others may be put off just now, so the clock is read last.
        times = [int(at) for at in place.ask("SELECT next_check_at FROM apple_tokens")]
        soon = int((time.time() + 3_600) * 1_000_000)
        assert all(at <= soon for at in times), (times, soon)
        assert not place.ask("SELECT client_id FROM stopped_checks")
        for session in sessions:
            assert is_live(service, session)
            assert service.refresh(session["refreshToken"]).ok


TROUBLES = ["fails", "is_slow", "is_silent", "is_away"]
CASES = {"a dead grant": end_of_a_dead_grant, "what is over": end_of_what_is_over}


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    def folder():
        return tmp_path_factory.mktemp("minute")

    with contextlib.ExitStack() as stack:
        well = stack.enter_context(Emulator(folder()))
        ill = {trouble: stack.enter_context(IllApple(folder())) for trouble in TROUBLES}
        together = {trouble: threading.Barrier(len(ENGINES), timeout=PATIENCE) for trouble in TROUBLES}
        pool = stack.enter_context(concurrent.futures.ThreadPoolExecutor(64))
        begun = {}
        for engine in ENGINES:
            for case, run in CASES.items():
                begun[case, engine] = pool.submit(run, well, engine, folder())
            for trouble in TROUBLES:
                begun[trouble, engine] = pool.submit(
                    no_end_by_trouble, trouble, ill[trouble], engine, folder(), together[trouble])
        yield begun


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("case", CASES)
def test_what_is_dead_or_over_goes(begun, case, engine):
    begun[case, engine].result()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("trouble", TROUBLES)
def test_nobody_is_signed_out_because_apple(begun, trouble, engine):
    begun[trouble, engine].result()

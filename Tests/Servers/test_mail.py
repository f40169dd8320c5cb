"""The service's mail: a mail server that is away, refuses, is slow or is forgotten amid its reply, and Apple's relay."""

import contextlib
import hashlib
import json
import re
import secrets
import signal
import sqlite3
import subprocess
import time

import pytest

from emulator import Emulator
from deployment import CLIENT, DEADLINE, Deployment, Outbox, Service
from mail_server import MailServer

# In seconds. An attempt to send a mail may take two minutes, so what takes less has not waited for one.
WITHOUT_MAIL = 20


@pytest.fixture
def mail_server(tmp_path):
    """A mail server that does not run yet."""
    return MailServer(tmp_path)


@pytest.fixture
def deployment(emulator, mail_server, database, tmp_path):
    deployment = Deployment(emulator, tmp_path, database)
    deployment.environment |= mail_server.environment
    return deployment


def proof(deployment, person, **more):
    """On a phone: the body of a sign-in that also asks for the person's address."""
    nonce = secrets.token_urlsafe(24)
    answer = deployment.emulator.call("authorizations", {
        "person": person, "clientID": CLIENT, "native": True, "scope": "name email",
        "nonce": hashlib.sha256(nonce.encode()).hexdigest(), **more})
    return {"identityToken": answer["id_token"], "authorizationCode": answer["code"], "nonce": nonce}


def sign_in(deployment, server, person, **more):
    answer = Service(server.url).sign_in(proof(deployment, person, **more))
    assert answer.ok, answer.text
    return answer.json()["account"]


def send(deployment, account, name="hello"):
    """The team's word to a person, as an operator sends it."""
    text = deployment.folder / "text"
    text.write_text("Hello from the team.\n\nSee https://juice.example.com/news.\n")
    sent = deployment.command(
        "mail", "send", name, "--to", account["id"], "--subject", "Hello, Ada", "--text-file", str(text))
    assert (sent.returncode, sent.stdout) == (0, "In the queue: 1 mail.\n"), sent.stderr


class Mails(Outbox):
    """The mails that wait, as the database has them."""

    def __init__(self, deployment):
        super().__init__(deployment.environment["SIWA_DATABASE"])
        self.deployment = deployment

    def list(self):
        listed = self.deployment.command("mail", "list", "--json", "--addresses")
        assert not listed.stderr, listed.stderr
        return [json.loads(line) for line in listed.stdout.splitlines()]

    def wait(self, **members):
        """Waits until one mail is left, with these members."""
        deadline = time.monotonic() + DEADLINE
        while True:
            mails = self.list()
            if len(mails) == 1 and members.items() <= mails[0].items():
                return mails[0]
            assert time.monotonic() < deadline, mails
            time.sleep(0.05)

    def wait_for_none(self):
        deadline = time.monotonic() + DEADLINE
        while mails := self.ask("SELECT state FROM mails"):
            assert time.monotonic() < deadline, mails
            time.sleep(0.05)

    def make_due(self):
        """Minutes pass: mails that wait for their next attempt, or for the end of a dead server's lease, are due."""
        self.ask("UPDATE mails SET leased_until = 0, next_attempt_at = 0 WHERE state = 'waiting'")


def test_a_mail_waits_while_the_mail_server_is_away_and_is_delivered_when_it_is_back(deployment, mail_server):
    person, mails = deployment.add_person(), Mails(deployment)
    with deployment.server() as server:
        account = sign_in(deployment, server, person)
        send(deployment, account)
        waiting = mails.wait(failure="connection_failed")
        assert (waiting["state"], waiting["kind"], waiting["account"]) == ("waiting", "announcement", account["id"])
        assert waiting["recipient"] == f"{person}@example.com"
        with mail_server:
            mail_server.set("451")
            mails.make_due()
            mails.wait(failure="smtp_451_4.3.0", attempts=2)
            mail_server.set("accept")
            mails.make_due()
            mail, = mail_server.wait(1)
            mails.wait_for_none()
            assert mail["id"].startswith(f"<{waiting['id']}@")
            assert (mail["sender"], mail["to"]) == ("accounts@juice.example.com", [f"{person}@example.com"])
            assert mail["subject"] == "Hello, Ada" and "See https://juice.example.com/news." in mail["text"]
            assert "<p" in mail["html"] and deployment.public_url in mail["text"]
            # Nobody's name or address is in the log.
            assert person not in server.log_text()


def test_a_sign_in_on_a_new_device_is_told_of(deployment, mail_server):
    person = deployment.add_person()
    with mail_server, deployment.server() as server:
        sign_in(deployment, server, person)
        answer = Service(server.url).sign_in(proof(deployment, person) | {"deviceName": "Ada's second phone"})
        assert answer.ok, answer.text
        mail, = mail_server.wait(1)
        assert "Ada's second phone" in mail["text"]
        link = re.search(re.escape(deployment.public_url) + r"/sessions/not-me/[\w-]{43}", mail["text"])[0]
        page = Service(server.url).session.get(link.replace(deployment.public_url, server.url), timeout=DEADLINE)
        assert page.status_code == 200 and "Ada&#39;s second phone" in page.text
        Mails(deployment).wait_for_none()


def test_a_slow_mail_server_stops_nothing(deployment, mail_server):
    mails, people = Mails(deployment), [deployment.add_person() for _ in range(6)]
    with mail_server, deployment.server() as server:
        mail_server.set("hang")
        accounts = [sign_in(deployment, server, person) for person in people]
        for account in accounts:
            send(deployment, account)
        # Four at once are under way.
        mail_server.wait(4, "attempt")
        began = time.monotonic()
        for person in people:
            service = Service(server.url)
            session = service.sign_in(proof(deployment, person)).json()["session"]
            assert service.refresh(session["refreshToken"]).ok
        assert service.session.get(f"{server.url}/readyz", timeout=DEADLINE).ok
        assert time.monotonic() - began < WITHOUT_MAIL
        assert len(mail_server.mails("attempt")) == 4
        began = time.monotonic()
        server.stop()
        # The mail that was under way has ten seconds to end.
        assert time.monotonic() - began < WITHOUT_MAIL
        mail_server.set("accept")
        mails.make_due()
        with deployment.server():
            mails.wait_for_none()
    delivered = mail_server.mails()
    # The mail server has taken a mail that it read to the end before the sender left. The same mail comes again.
    assert len({mail["id"] for mail in delivered}) == 6


@contextlib.contextmanager
def written_by_nobody(mails):
    """Nobody can write mails into the database meanwhile."""
    if mails.database.startswith("postgres://"):
        session = subprocess.Popen(
            ["psql", "-qAt", mails.database], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        session.stdin.write("BEGIN; LOCK TABLE mails IN EXCLUSIVE MODE; SELECT 'locked';\n")
        session.stdin.flush()
        assert session.stdout.readline() == "locked\n"
        yield
        session.stdin.close()
        assert session.wait(DEADLINE) == 0
        session.stdout.close()
    else:
        connection = sqlite3.connect(mails.database, timeout=DEADLINE, isolation_level=None)
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("ROLLBACK")
        connection.close()


def forget(mails, server):
    """PostgreSQL finishes what a killed server had asked for. Here it must not, because the server has died before."""
    if mails.database.startswith("postgres://"):
        mails.ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE client_port IN "
                  f"({', '.join(str(port) for port in server.last_ports)})")
        mails.bury(server)


def test_a_server_that_dies_before_it_has_noted_a_delivery_sends_the_same_mail_again(deployment, mail_server):
    mails = Mails(deployment)
    with mail_server:
        server = deployment.server()
        account = sign_in(deployment, server, deployment.add_person())
        mail_server.set("hold")
        send(deployment, account)
        mail_server.wait(1, "attempt")
        with written_by_nobody(mails):
            mail_server.set("accept")
            # It takes its leave, so it has read the reply. It can't have noted it.
            mail_server.wait(1, "quit")
            first, = mail_server.mails()
            server.kill()
            forget(mails, server)
        assert [mail["state"] for mail in mails.list()] == ["waiting"]
        mails.make_due()
        with deployment.server():
            second = mail_server.wait(2)[1]
            mails.wait_for_none()
        assert second["id"] == first["id"]
        assert len(mail_server.mails()) == 2


def test_an_operator_tries_the_mail_server(deployment, mail_server):
    words = ("mail", "test", "operator@example.com", "--language", "de", "--json")
    away = deployment.command(*words)
    assert away.returncode == 1 and json.loads(away.stdout)["failure"] == "connection_failed"
    with mail_server:
        taken = deployment.command(*words)
        assert taken.returncode == 0, taken.stderr
        answer = json.loads(taken.stdout)
        assert (answer["outcome"], answer["failure"]) == ("delivered", None)
        mail, = mail_server.wait(1)
        assert mail["id"].startswith(f"<{answer['messageID']}@") and mail["to"] == ["operator@example.com"]
        mail_server.set("451")
        refused = deployment.command(*words[:3])
        assert refused.returncode == 1 and "has not taken the mail: smtp_451_4.3.0\nhint: " in refused.stderr
        mail_server.set("accept")
        report = json.loads(deployment.command("doctor", "--mail", "--json").stdout)
        server = next(check for check in report["checks"] if check["name"] == "mail server")
        assert server["outcome"] == "passed" and str(mail_server.port) in server["explanation"]
        assert len(mail_server.mails()) == 1


def test_a_running_server_takes_over_another_sender(deployment, mail_server, tmp_path):
    settings = tmp_path / "settings.json"
    templates = tmp_path / "templates" / "en"
    templates.mkdir(parents=True)
    for name in list(mail_server.environment):
        del deployment.environment[name]

    def write(sender):
        settings.write_text(json.dumps({
            "mail-url": mail_server.environment["SIWA_MAIL_URL"], "mail-from": sender,
            "mail-templates": str(templates.parent)}))

    write("old@juice.example.com")
    deployment.arguments = ["--config", str(settings)]
    with mail_server, deployment.server() as server:
        accounts = [sign_in(deployment, server, deployment.add_person()) for _ in range(2)]
        send(deployment, accounts[0])
        assert mail_server.wait(1)[0]["sender"] == "old@juice.example.com"
        write("new@juice.example.com")
        (templates / "announcement.subject").write_text("News: {{subject}}")
        server.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + DEADLINE
        while "taken=mail-from,mail-templates" not in server.log_text():
            assert time.monotonic() < deadline, server.log_text()
            time.sleep(0.05)
        send(deployment, accounts[1])
        mail = mail_server.wait(2)[1]
        assert (mail["sender"], mail["subject"]) == ("new@juice.example.com", "News: Hello, Ada")


@pytest.fixture
def relay(tmp_path):
    """Apple's relay, played by an emulator of this test alone."""
    with Emulator(tmp_path, "--mail-port", "0") as running:
        yield running


class RelayedMail:
    """A deployment whose mail server is Apple's relay, and what one of its people gets."""

    def __init__(self, relay, database, folder):
        self.relay, self.deployment = relay, Deployment(relay, folder, database)
        self.deployment.environment |= {
            "SIWA_MAIL_URL": f"smtp://127.0.0.1:{relay.call('mail')['port']}",
            "SIWA_MAIL_FROM": "accounts@juice.example.com"}
        self.mails, self.person = Mails(self.deployment), self.deployment.add_person()

    def register_sender(self):
        source = {"team": self.relay.team["id"], "source": "juice.example.com"}
        self.relay.call("email-sources", source)
        assert self.relay.call("email-sources/verify", source)["verified"]

    def forward(self, is_on):
        self.relay.call("grants/forwarding", {"person": self.person, "clientID": CLIENT, "forwarding": is_on})

    def send_another(self, account, name):
        """As a day after the last one."""
        self.mails.ask("DELETE FROM mails_sent")
        send(self.deployment, account, name)

    def received(self):
        listed = self.relay.call(f"mail?person={self.person}")["mails"]
        return [self.relay.call(f"mail/{mail['id']}") for mail in listed]


def test_the_relay_takes_mail_from_a_registered_sender_while_the_person_wants_it(relay, database, tmp_path):
    test = RelayedMail(relay, database, tmp_path)
    deployment, mails = test.deployment, test.mails
    with deployment.server() as server:
        relay.call("notifications/address", {"clientID": CLIENT, "url": f"{server.url}/apple/notifications"})
        account = sign_in(deployment, server, test.person, hideEmail=True)
        assert account["isPrivateEmail"]

        # A sender that nobody has registered.
        send(deployment, account)
        parked = mails.wait(state="parked", failure="relay_unauthorized_sender", isRelayAddress=True)
        assert parked["recipient"] == account["email"] and not test.received()
        assert deployment.command("mail", "list").returncode == 1
        test.register_sender()
        assert deployment.command("mail", "retry").stdout == "1 mail is tried again.\n"
        mails.wait_for_none()
        mail, = test.received()
        assert set(mail["links"]) == {"https://juice.example.com/news", deployment.public_url}

        # A person who wants no mail, until they want it again.
        test.forward(False)
        test.send_another(account, "second")
        mails.wait(state="held", kind="announcement")
        test.forward(True)
        mails.wait_for_none()
        assert len(test.received()) == 2


def test_a_mail_that_waits_is_held_by_apples_word_and_stays_held_over_a_sign_in(relay, database, tmp_path):
    test = RelayedMail(relay, database, tmp_path)
    deployment, mails = test.deployment, test.mails
    with deployment.server() as server:
        relay.call("notifications/address", {"clientID": CLIENT, "url": f"{server.url}/apple/notifications"})
        account = sign_in(deployment, server, test.person, hideEmail=True)
        test.forward(False)
        send(deployment, account)
        # Nobody tries it, so the relay hasn't refused it.
        held = mails.wait(state="held", failure="relay_forwarding_off", attempts=0, nextAttemptAt=None)
        sign_in(deployment, server, test.person)
        assert deployment.command("mail", "retry", held["id"]).returncode == 1
        assert mails.list() == [held] and not test.received()
        test.register_sender()
        test.forward(True)
        mails.wait_for_none()
        assert len(test.received()) == 1


def test_the_refusals_of_the_relay_are_understood(relay, database, tmp_path):
    test = RelayedMail(relay, database, tmp_path)
    deployment, mails = test.deployment, test.mails
    test.register_sender()
    # No notification of Apple's arrives here. The relay's words alone tell what it forwards.
    with deployment.server() as server:
        account = sign_in(deployment, server, test.person, hideEmail=True)
        relay.call("quirks", {"quirks": ["relay-transformation-error"]})
        send(deployment, account)
        mails.wait(state="waiting", failure="relay_transformation_error", attempts=1)
        relay.call("quirks", {"quirks": []})
        mails.make_due()
        mails.wait_for_none()

        for name, quirks in (("words", []), ("status", ["forwarding-off-is-mailbox-disabled"])):
            relay.call("quirks", {"quirks": quirks})
            test.forward(False)
            test.send_another(account, name)
            bounced = mails.wait(state="held", failure="relay_forwarding_off", attempts=1)
            assert bounced["nextAttemptAt"]
            test.forward(True)
            mails.ask("UPDATE mails SET next_attempt_at = 0 WHERE state = 'held'")
            mails.wait_for_none()
        assert len(test.received()) == 3

        # The address is nobody's any more.
        relay.call("grants/stop-using", {"person": test.person, "clientID": CLIENT})
        test.send_another(account, "gone")
        mails.wait(state="held", failure="relay_forwarding_off", attempts=1)
        assert len(test.received()) == 3

"""`kill -9` amid sign-ins, refreshes, sign-outs, revocations, deletions and Apple's notifications, while Apple is well
or fails much of the time: what was acknowledged is there, nothing is there by half, and Apple and the app's own backend
hear in the end what they were to be told."""

import concurrent.futures
import os
import random
import threading

import pytest
import requests

from backend import Backend
from deployment import CLIENT, Deployment, Outbox, Service, error, is_used_up

# Three in `make test`, fifty in `make soak`.
KILLS = int(os.environ.get("SIWA_KILLS", "3"))
PHONES = 8


class Server:
    """Counts what it has acknowledged, and is killed at a number that nobody can foresee."""

    def __init__(self, server, chance):
        self.server = server
        self.lock = threading.Lock()
        self.left = chance.randint(1, 100)
        self.is_dying = self.is_killed = False

    def service(self):
        """For one phone."""
        return Service(self.server.url)

    def acknowledge(self):
        with self.lock:
            self.left -= 1
            if self.left == 0:
                self.is_dying = True
                self.server.kill()
                self.is_killed = True


class Phone:
    """The phone of somebody who is new here, and then of the next, when they have left. It notes the answers, and the
    requests without one."""

    def __init__(self, deployment, seed):
        self.deployment, self.chance = deployment, random.Random(seed)
        self.doubt, self.people, self.accounts = None, [], set()
        # People who deleted their account, by its handle if that was told; people whose authorization was revoked; and
        # the accounts of which Apple has told that their people left.
        self.deleted, self.revoked, self.left = [], [], set()
        self.begin()

    def begin(self):
        self.person = self.deployment.add_person()
        self.people.append(self.person)
        self.account, self.open, self.ended = None, [], []

    def use(self, server):
        """One thing after the other, until the server is gone."""
        service = server.service()
        while not server.is_killed:
            asked = self.choose()
            self.doubt = asked
            try:
                getattr(self, asked[0])(service, *asked[1:])
            except requests.RequestException:
                if not server.is_dying:
                    raise
                return
            self.doubt = None
            server.acknowledge()

    def choose(self):
        verb = self.chance.choices(
            ["sign_in", "refresh", "sign_out", "delete", "revoke", "leave"], [6, 5, 2, 2, 1, 1])[0]
        if verb == "sign_in" or not self.open:
            return "sign_in", self.deployment.proof(self.person)
        if verb == "leave":
            event = {"type": "consent-revoked", "person": self.person, "clientID": CLIENT}
            return verb, self.deployment.emulator.call("notifications", event)["payload"]
        return verb, self.chance.choice(self.open)

    def sign_in(self, service, proof):
        self.accept(self.expect(200, service.sign_in(proof)).json(), proof)

    def refresh(self, service, session):
        answer = self.expect(200, service.refresh(session["refreshToken"])).json()
        session.update(answer["session"])

    def sign_out(self, service, session):
        self.expect(204, service.sign_out(session["accessToken"]))
        self.open.remove(session)
        self.ended.append(session)

    def delete(self, service, session):
        answer = self.expect(202, service.delete_account(session["accessToken"])).json()
        self.goes(answer["handle"])

    def goes(self, handle=None):
        self.deleted.append((self.person, self.account, handle, [*self.open, *self.ended]))
        self.begin()

    def revoke(self, service, session):
        self.expect(202, service.revoke_at_apple(session["accessToken"]))
        self.revoked.append((self.person, self.open))
        self.begin()

    def leave(self, service, payload):
        """Apple's part: it tells the server that the person stopped using the app."""
        self.expect(200, service.notify(payload))
        self.ended += self.open
        self.open = []
        self.left.add(self.account)

    def accept(self, answer, proof):
        assert answer["isNewAccount"] == (self.account is None)
        assert self.account in (None, answer["account"]["id"])
        self.account = answer["account"]["id"]
        self.accounts.add(self.account)
        self.open.append({**answer["session"], "proof": proof})

    def check(self, service):
        """Checks with a server that was started after the kill."""
        doubt, self.doubt = self.doubt, None
        if doubt:
            getattr(self, "check_" + doubt[0])(service, *doubt[1:])
        for session in self.open:
            account = self.expect(200, service.account(session["accessToken"])).json()["account"]
            assert account["id"] == self.account
            self.refresh(service, session)
            assert is_used_up(service.sign_in(session["proof"]))
        for session in self.ended:
            assert error(service.account(session["accessToken"])) == "session_ended"
            self.expect(401, service.refresh(session["refreshToken"]))
        self.sign_in(service, self.deployment.proof(self.person))
        for _, sessions in self.revoked:
            for session in sessions:
                self.refresh(service, session)
        for _, _, handle, sessions in self.deleted:
            for session in sessions:
                assert error(service.account(session["accessToken"])) == "session_ended"
                self.expect(401, service.refresh(session["refreshToken"]))
            if handle:
                status = self.expect(200, service.deletion(handle)).json()["deletion"]["status"]
                assert status in ("waiting", "done"), status

    def check_end(self, service):
        """When Apple has been told."""
        for person, account, handle, _ in self.deleted:
            if handle:
                assert service.deletion(handle).json()["deletion"]["status"] == "done"
            back = self.expect(200, service.sign_in(self.deployment.proof(person))).json()
            assert back["isNewAccount"] and back["account"]["id"] != account

    def check_backend(self, backend):
        """It has heard of each account from its beginning to its end, and of no end that was none."""
        deleted = {account for _, account, _, _ in self.deleted}
        for account in self.accounts:
            types = backend.types(account)
            assert types[:1] == ["account.created"] and types.count("account.created") == 1, types
            assert ("account.deleted" in types[-1:]) == (account in deleted), types
            assert types.count("account.deleted") <= 1, types
            assert ("apple_access.ended" in types) == (account in self.left), types

    def check_sign_in(self, service, proof):
        """All of it happened, or nothing did; or Apple took the code, and nobody was signed in."""
        answer = service.sign_in(proof)
        if answer.ok:
            self.accept(answer.json(), proof)
        elif is_used_up(answer):
            again = self.deployment.proof(self.person)
            known = self.expect(200, service.sign_in(again)).json()
            assert not known["isNewAccount"] and self.account in (None, known["account"]["id"])
            self.account = known["account"]["id"]
            self.accounts.add(self.account)
            self.open.append({**known["session"], "proof": again})
        else:
            assert error(answer) == "grant_rejected", answer.text

    def check_refresh(self, service, session):
        """Within thirty seconds the same successor, whether it had been made or not."""
        self.refresh(service, session)

    def check_sign_out(self, service, session):
        if error(service.account(session["accessToken"])) == "session_ended":
            self.open.remove(session)
            self.ended.append(session)

    def check_delete(self, service, session):
        """The account is gone with all its sessions, or nothing happened."""
        if error(service.account(session["accessToken"])) == "session_ended":
            for other in self.open:
                assert error(service.account(other["accessToken"])) == "session_ended"
            self.goes()

    def check_revoke(self, service, session):
        """Asked again; if it had happened, there is nothing more to revoke with."""
        self.revoke(service, session)

    def check_leave(self, service, payload):
        """As Apple does when it was not answered."""
        self.leave(service, payload)

    @staticmethod
    def expect(status, answer):
        assert answer.status_code == status, answer.text
        return answer


def users(emulator):
    """The people who use the app, as Apple has them."""
    return {grant["person"] for grant in emulator.call("grants")["grants"]}


class Apple:
    """It is well, or fails the first code, half of all codes and most revocations."""

    def __init__(self, emulator, outbox, is_well, chance):
        self.emulator, self.outbox, self.is_well, self.chance = emulator, outbox, is_well, chance
        self.known = 0

    def fail(self):
        if self.is_well:
            return
        # The lot may spare all, but not the first. A revocation is asked for three times before it rests.
        for fault in [
                {"endpoint": "token", "times": 1}, {"endpoint": "token", "share": 0.5},
                {"endpoint": "revoke", "share": 0.9}]:
            self.emulator.call("faults", {
                "fault": "outage", "status": 500, "seed": self.chance.randrange(2 ** 48), **fault})

    def recover(self):
        """When everything that was ordered has been tried."""
        self.outbox.wait_for_tries()
        failed = sum(fault["hits"] for fault in self.emulator.call("faults")["faults"])
        assert self.is_well or failed > 0
        self.emulator.call("faults/clear", {})
        self.outbox.forget_rests()

    def lost(self):
        """How many codes Apple had taken, since this was asked last, from servers that died before they heard what for:
        of the tokens that those brought nobody knows, and nobody can give them back. A code that is redeemed while its
        person signs in is asked for in vain by the person; these had waited."""
        failures = self.outbox.ask("SELECT failure FROM outbox WHERE kind = 'code' AND state = 'expired'")
        assert set(failures) <= {"grant_rejected"}, failures
        new, self.known = len(failures) - self.known, len(failures)
        return new


@pytest.mark.parametrize("is_well", [True, False], ids=["Apple is well", "Apple fails"])
def test_killed_at_any_moment(emulator, database, tmp_path, is_well):
    seed = random.randrange(2 ** 48)
    print("seed", seed)
    chance = random.Random(seed)
    deployment, outbox = Deployment(emulator, tmp_path, database), Outbox(database)
    apple = Apple(emulator, outbox, is_well, chance)
    with Backend() as backend, concurrent.futures.ThreadPoolExecutor(PHONES) as pool:
        deployment.environment.update(backend.environment)
        for _ in range(KILLS):
            phones = [Phone(deployment, chance.random()) for _ in range(PHONES)]
            server = Server(deployment.server(), chance)
            apple.fail()
            for done in [pool.submit(phone.use, server) for phone in phones]:
                done.result()
            outbox.bury(server.server)
            outbox.forget_leases()
            with deployment.server() as restarted:
                service = Service(restarted.url)
                for done in [pool.submit(phone.check, Service(restarted.url)) for phone in phones]:
                    done.result()
                apple.recover()
                outbox.settle()
                gone = {left[0] for phone in phones for left in [*phone.deleted, *phone.revoked]}
                assert len(gone & users(emulator)) <= apple.lost(), "Apple was not told"
                for phone in phones:
                    phone.check_backend(backend)
                    phone.check_end(service)
            accounts = [account for phone in phones for account in phone.accounts]
            assert len(set(accounts)) == len(accounts) >= PHONES
            for phone in phones:
                for person in phone.people:
                    deployment.remove_person(person)

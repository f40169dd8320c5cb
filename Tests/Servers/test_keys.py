"""`siwa keys rotate` and `siwa keys reseal` beside servers that people use: nobody's request fails."""

import base64
import collections
import concurrent.futures
import contextlib
import random
import secrets
import threading
import time

import jwt
import requests

from deployment import DEADLINE, Deployment, Service

PHONES = 6


class Fleet:
    """The servers in service, as a balancer in front of them has it: what is taken out gets nothing new, and finishes
    what it has."""

    def __init__(self, deployment, count):
        self.deployment, self.lock = deployment, threading.Condition()
        self.busy = {deployment.server(): 0 for _ in range(count)}
        self.servers = list(self.busy)

    @contextlib.contextmanager
    def any(self):
        with self.lock:
            server = random.choice(self.servers)
            self.busy[server] += 1
        try:
            yield server
        finally:
            with self.lock:
                self.busy[server] -= 1
                self.lock.notify_all()

    def replace(self):
        """Starts another server with the present settings in place of each, one after the other."""
        for old in list(self.servers):
            new = self.deployment.server()
            with self.lock:
                self.busy[new] = 0
                self.servers[self.servers.index(old)] = new
                assert self.lock.wait_for(lambda: self.busy[old] == 0, DEADLINE)
            old.stop()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for server in self.servers:
            server.stop()


class Phone:
    """Signs in, refreshes and reads without a break, each time at any server, and keeps a token of every key."""

    def __init__(self, deployment):
        self.deployment, self.person = deployment, deployment.add_person()
        self.account, self.services, self.tokens, self.rounds = None, {}, {}, 0

    def use(self, fleet, is_enough):
        session = self.sign_in(fleet)
        while not is_enough.is_set():
            session = self.ask(fleet, "refresh", session["refreshToken"])["session"]
            self.keep(session)
            for token in self.tokens.values():
                assert self.ask(fleet, "account", token)["account"]["id"] == self.account
            self.sign_in(fleet)
            self.rounds += 1

    def sign_in(self, fleet):
        answer = self.ask(fleet, "sign_in", self.deployment.proof(self.person))
        assert self.account in (None, answer["account"]["id"])
        self.account = answer["account"]["id"]
        self.keep(answer["session"])
        return answer["session"]

    def keep(self, session):
        token = session["accessToken"]
        self.tokens.setdefault(jwt.get_unverified_header(token)["kid"], token)

    def ask(self, fleet, what, asked):
        with fleet.any() as server:
            service = self.services.setdefault(server, Service(server.url))
            answer = getattr(service, what)(asked)
        assert answer.ok, (what, answer.status_code, answer.text)
        return answer.json()


def wait(condition, running):
    deadline = time.monotonic() + 2 * DEADLINE
    while not condition():
        assert time.monotonic() < deadline
        for phone in running:
            assert not phone.done(), phone.result()
        time.sleep(0.05)


def published(server):
    keys = requests.get(f"{server.url}/.well-known/jwks.json", timeout=DEADLINE).json()["keys"]
    return {key["kid"]: jwt.PyJWK(key) for key in keys}


def test_nobody_notices_when_keys_are_rotated_and_the_ring_is_replaced(emulator, database, tmp_path):
    deployment, is_enough = Deployment(emulator, tmp_path, database), threading.Event()
    old = deployment.environment["SIWA_KEY_RING"]
    new = "k2:" + base64.b64encode(secrets.token_bytes(32)).decode()
    phones = [Phone(deployment) for _ in range(PHONES)]
    with Fleet(deployment, 2 if database.startswith("postgres://") else 1) as fleet, \
            concurrent.futures.ThreadPoolExecutor(PHONES) as pool:
        # Comes once, before all that, and again when it is over.
        quiet = Phone(deployment)
        before = quiet.sign_in(fleet)
        running = [pool.submit(phone.use, fleet, is_enough) for phone in phones]

        def go_on():
            """Everybody has done everything again."""
            rounds = collections.Counter({phone: phone.rounds for phone in phones})
            wait(lambda: all(phone.rounds >= rounds[phone] + 2 for phone in phones), running)

        try:
            go_on()
            first = deployment.command("keys", "rotate")
            assert first.returncode == 1 and "--at-once" in first.stderr, first
            for _ in range(2):
                rotation = deployment.command("keys", "rotate", "--at-once")
                assert rotation.returncode == 0, rotation
                keys = dict(line.split() for line in rotation.stdout.splitlines())
                for server in fleet.servers:
                    wait(lambda: set(keys.values()) <= set(published(server)), running)
                # All have a token of the new key, and go on with those of the old ones.
                wait(lambda: all(keys["active"] in phone.tokens for phone in phones), running)
                go_on()
            for ring in [f"{old},{new}", f"{new},{old}"]:
                deployment.environment["SIWA_KEY_RING"] = ring
                fleet.replace()
                go_on()
            resealed = deployment.command("keys", "reseal")
            assert resealed.returncode == 0, resealed
            assert "no key but the first is in use" in resealed.stdout and "0 sealed" not in resealed.stdout
            deployment.environment["SIWA_KEY_RING"] = new
            fleet.replace()
            go_on()
        finally:
            is_enough.set()
            for done in running:
                done.result()
        # None of these servers has seen the tokens of the first two keys being signed.
        keys = published(fleet.servers[0])
        for phone in phones:
            assert len(phone.tokens) == 3
            for kid, token in phone.tokens.items():
                jwt.decode(token, keys[kid].key, algorithms=["ES256"], options={"verify_aud": False})
                for server in fleet.servers:
                    assert Service(server.url).account(token).ok
        # Apple's token of the beginning has been sealed anew, and is good.
        service = Service(fleet.servers[0].url)
        assert service.refresh(before["refreshToken"]).ok
        assert service.revoke_at_apple(before["accessToken"]).json() == {"manualRemoval": None}
        wait(lambda: quiet.person not in {grant["person"] for grant in emulator.call("grants")["grants"]}, [])

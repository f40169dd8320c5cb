"""`kill -9` amid sign-ins, refreshes and sign-outs: what was acknowledged is there, and nothing is there by half."""

import concurrent.futures
import os
import random
import threading

import requests

from house import House, Service, error, is_used_up

# Three in `make test`, fifty in `make soak`.
KILLS = int(os.environ.get("SIWA_KILLS", "3"))
PHONES = 8


class Server:
    """Counts what it has acknowledged, and is killed at a number that nobody can foresee."""

    def __init__(self, house, chance):
        self.server = house.server()
        self.lock = threading.Lock()
        self.left = chance.randint(1, 100)
        self.is_dying = self.is_killed = False

    @property
    def url(self):
        return self.server.url

    def acknowledge(self):
        with self.lock:
            self.left -= 1
            if self.left == 0:
                self.is_dying = True
                self.server.kill()
                self.is_killed = True


class Phone:
    """Somebody's, who has never been here. It notes what it was told, and what it asked for and was not told."""

    def __init__(self, house, seed):
        self.house, self.chance = house, random.Random(seed)
        self.person = house.add_person()
        self.account, self.open, self.ended, self.doubt = None, [], [], None

    def use(self, server):
        """One thing after the other, until the server is gone."""
        service = Service(server.url)
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
        verb = self.chance.choices(["sign_in", "refresh", "sign_out"], [4, 5, 2])[0]
        if verb == "sign_in" or not self.open:
            return "sign_in", self.house.proof(self.person)
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

    def accept(self, answer, proof):
        assert answer["isNewAccount"] == (self.account is None)
        assert self.account in (None, answer["account"]["id"])
        self.account = answer["account"]["id"]
        self.open.append({**answer["session"], "proof": proof})

    def check(self, service):
        """With a server that was started after the kill."""
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
        self.sign_in(service, self.house.proof(self.person))

    def check_sign_in(self, service, proof):
        """All of it happened, or nothing did; or Apple took the code, and nobody was signed in."""
        answer = service.sign_in(proof)
        if answer.ok:
            self.accept(answer.json(), proof)
        elif is_used_up(answer):
            again = self.house.proof(self.person)
            known = self.expect(200, service.sign_in(again)).json()
            assert not known["isNewAccount"] and self.account in (None, known["account"]["id"])
            self.account = known["account"]["id"]
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

    @staticmethod
    def expect(status, answer):
        assert answer.status_code == status, answer.text
        return answer


def test_killed_at_any_moment(emulator, database, tmp_path):
    seed = random.randrange(2 ** 48)
    print("seed", seed)
    chance = random.Random(seed)
    house = House(emulator, tmp_path, database)
    with concurrent.futures.ThreadPoolExecutor(PHONES) as pool:
        for _ in range(KILLS):
            phones = [Phone(house, chance.random()) for _ in range(PHONES)]
            server = Server(house, chance)
            for done in [pool.submit(phone.use, server) for phone in phones]:
                done.result()
            with house.server() as restarted:
                for done in [pool.submit(phone.check, Service(restarted.url)) for phone in phones]:
                    done.result()
            assert len({phone.account for phone in phones}) == PHONES

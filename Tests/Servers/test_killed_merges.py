"""`kill -9` while two accounts become one: either everything that the list says has moved, or nothing, and the same call
leads to the end."""

import concurrent.futures
import os
import random
import threading

import requests

from backend import Backend
from deployment import CLIENT, Deployment, Outbox, Service, error

# Three in `make test`, fifty in `make soak`.
KILLS = int(os.environ.get("SIWA_KILLS", "3"))
PHONES = 8


class Merging(Service):
    """The calls of a merge."""

    def post(self, path, body, token):
        return self.session.post(
            self.url + path, json=body, timeout=60, headers={"Authorization": f"Bearer {token}"})

    def conflict(self, deployment, person, token):
        """The handle of a person's account, whom the account of the session can't take as a way in."""
        nonce = self.post("/v1/challenges", {"purpose": "link"}, token).json()["nonce"]
        answer = deployment.emulator.call("authorizations", {
            "person": person, "clientID": CLIENT, "native": True, "nonce": nonce})
        refusal = self.post("/v1/link/apple", {
            "identityToken": answer["id_token"], "authorizationCode": answer["code"], "nonce": nonce}, token)
        assert error(refusal) == "credential_already_in_use", refusal.text
        return refusal.json()["error"]["details"]["handle"]


class Person:
    """Somebody with two accounts, who makes one of them."""

    def __init__(self, deployment, service):
        self.deployment = deployment
        self.people = [deployment.add_person(), deployment.add_person()]
        answers = [service.sign_in(deployment.proof(person)).json() for person in self.people]
        self.ids = [answer["account"]["id"] for answer in answers]
        self.tokens = [answer["session"]["accessToken"] for answer in answers]
        self.handle = service.conflict(deployment, self.people[1], self.tokens[0])
        plan = service.post("/v1/account/merge/preview", {"handle": self.handle}, self.tokens[0]).json()
        assert [plan["into"], plan["from"]] == self.ids
        self.call = {"handle": self.handle, "plan": plan["plan"]}
        self.is_told = False

    def merge(self, service):
        try:
            answer = service.post("/v1/account/merge", self.call, self.tokens[0])
        except requests.RequestException:
            return
        assert answer.status_code == 200, answer.text
        self.is_told = True

    def check(self, service):
        """Everything has moved, or nothing. Whoever was answered finds everything moved."""
        answer = service.account(self.tokens[1])
        is_merged = answer.status_code == 410
        if is_merged:
            assert error(answer) == "account_merged" and answer.json()["error"]["details"]["into"] == self.ids[0]
        else:
            assert answer.status_code == 200 and answer.json()["account"]["id"] == self.ids[1], answer.text
        assert is_merged or not self.is_told
        links = service.session.get(
            service.url + "/v1/links", timeout=60, headers={"Authorization": f"Bearer {self.tokens[0]}"})
        assert len(links.json()["links"]) == (2 if is_merged else 1)
        merged = service.post("/v1/account/merge", self.call, self.tokens[0])
        assert merged.status_code == 200, merged.text
        assert merged.json()["from"] == self.ids[1] and merged.json()["account"]["id"] == self.ids[0]
        for person in self.people:
            back = service.sign_in(self.deployment.proof(person)).json()
            assert back["account"]["id"] == self.ids[0] and not back["isNewAccount"]
        assert error(service.account(self.tokens[1])) == "account_merged"
        return is_merged


def test_killed_while_accounts_are_merged(emulator, database, tmp_path):
    seed = random.randrange(2 ** 48)
    print("seed", seed)
    chance = random.Random(seed)
    deployment, outbox = Deployment(emulator, tmp_path, database), Outbox(database)
    with Backend() as backend, concurrent.futures.ThreadPoolExecutor(PHONES + 1) as pool:
        deployment.environment.update(backend.environment)
        for _ in range(KILLS):
            server = deployment.server()
            people = [Person(deployment, Merging(server.url)) for _ in range(PHONES)]
            begin = threading.Event()
            merges = [pool.submit(lambda person=person: begin.wait() and person.merge(Merging(server.url)))
                      for person in people]
            # A merge takes a few milliseconds, and the servers of the test take them one after the other.
            killer = threading.Timer(chance.uniform(0, 0.1), server.kill)
            begin.set()
            killer.start()
            killer.join()
            for done in merges:
                done.result()
            outbox.bury(server)
            outbox.forget_leases()
            with deployment.server() as restarted:
                found = [person.check(Merging(restarted.url)) for person in people]
                print("merged before the kill:", sum(found), "of", len(found))
                outbox.settle()
            for person in people:
                types = backend.types(person.ids[1])
                assert types[-1:] == ["account.merged"] and types.count("account.merged") == 1, types
                assert "account.merged" not in backend.types(person.ids[0])
                for one in person.people:
                    deployment.remove_person(one)

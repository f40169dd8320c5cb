"""Two servers on one PostgreSQL, behind nginx."""

import concurrent.futures
import itertools
import random
import threading

import pytest
import requests

from backend import Backend
from deployment import CLIENT, DEADLINE, Database, Deployment, Outbox, Service, error, is_used_up
from test_killed import Phone, users
from test_killed import Server as Doomed


@pytest.fixture
def deployment(proxy, emulator, tmp_path):
    return Deployment(emulator, tmp_path, Database.postgres(tmp_path), public_url=proxy.url)


@pytest.fixture
def pair(deployment, proxy):
    """Both are started at the same moment, on a database that holds nothing yet."""
    with concurrent.futures.ThreadPoolExecutor() as pool:
        starting = [pool.submit(deployment.server) for _ in range(2)]
    with starting[0].result() as one, starting[1].result() as other:
        proxy.lead_to(one, other)
        yield one, other
        proxy.end()


def at(server):
    return {"X-Server": str(server.port)}


def served_by(answer):
    return int(answer.headers["X-Served-By"].rsplit(":", 1)[1])


class Browser:
    """One that brings Secure cookies to http://localhost, as real ones do and Python's do not."""

    def __init__(self, proxy):
        self.proxy, self.cookies = proxy, {}

    def go(self, method, path, server, **options):
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = requests.request(
            method, self.proxy.url + path, headers={"Cookie": cookies, **at(server)}, allow_redirects=False,
            timeout=DEADLINE, **options)
        self.cookies.update(answer.cookies.get_dict())
        return answer


def test_a_sign_in_on_the_web_begins_at_one_server_and_ends_at_the_other(deployment, pair, proxy):
    one, other = pair
    person = deployment.add_person()
    browser = Browser(proxy)
    leaving = browser.go("GET", "/sign-in/apple", one)
    assert leaving.status_code == 302 and served_by(leaving) == one.port
    form = deployment.decide(leaving.headers["Location"], person)
    back = browser.go("POST", "/sign-in/apple/callback", other, data=form)
    assert back.status_code == 303 and served_by(back) == other.port, back.text
    for server in pair:
        page = browser.go("GET", back.headers["Location"], server)
        assert page.ok and served_by(page) == server.port
        assert f"{person}@example.com" in page.text.replace("<wbr>", "")
    # A credential that was used up at the one is used up at the other.
    assert error(browser.go("POST", "/sign-in/apple/callback", one, data=form)) == "attempt_unknown"


def test_a_session_goes_on_at_either_server_and_ends_at_both(deployment, pair, proxy):
    service = Service(proxy.url)
    proof = deployment.proof("johnny")
    signed_in = service.sign_in(proof, headers=at(pair[0])).json()
    session = signed_in["session"]
    assert is_used_up(service.sign_in(proof, headers=at(pair[1])))
    for server in [pair[1], pair[0], pair[1], pair[1], pair[0]]:
        refreshed = service.refresh(session["refreshToken"], headers=at(server))
        assert refreshed.ok and served_by(refreshed) == server.port
        session = refreshed.json()["session"]
        for anywhere in pair:
            account = service.account(session["accessToken"], headers=at(anywhere))
            assert account.json()["account"]["id"] == signed_in["account"]["id"]
    assert service.sign_out(session["accessToken"], headers=at(pair[0])).status_code == 204
    for server in pair:
        assert error(service.account(session["accessToken"], headers=at(server))) == "session_ended"
        assert not service.refresh(session["refreshToken"], headers=at(server)).ok


def test_one_refresh_token_at_both_servers_at_once_has_one_successor(deployment, pair, proxy):
    session = Service(proxy.url).sign_in(deployment.proof("johnny")).json()["session"]
    with concurrent.futures.ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(
            lambda server: Service(proxy.url).refresh(session["refreshToken"], headers=at(server)), pair * 10))
    assert {answer.status_code for answer in answers} == {200}
    assert {served_by(answer) for answer in answers} == {server.port for server in pair}
    assert len({answer.json()["session"]["refreshToken"] for answer in answers}) == 1


def test_what_happens_at_one_server_is_told_at_the_other_and_holds_there(deployment, pair, emulator):
    here, there = (Service(server.url) for server in pair)
    person = deployment.add_person()
    session = here.sign_in(deployment.proof(person)).json()["session"]
    bearer = {"Authorization": f"Bearer {session['accessToken']}"}
    with here.session.get(
            here.url + "/v1/account/events", headers=bearer, stream=True, timeout=DEADLINE) as stream:
        # The connection is for nothing else, and whoever keeps connections hears so.
        assert stream.ok and stream.headers["Connection"] == "close"
        kinds = (line.removeprefix("event: ") for line in stream.iter_lines(decode_unicode=True) if line[:6] == "event:")
        another = there.sign_in(deployment.proof(person)).json()["session"]
        assert next(kinds) == "signed_in"
        # Apple's notification comes to the other server, and ends what this one is streaming.
        emulator.call("notifications/address", {"clientID": CLIENT, "url": there.url + "/apple/notifications"})
        emulator.call("grants/stop-using", {"person": person, "clientID": CLIENT})
        assert list(kinds)[-1] == "apple_access_ended"
    for service in (here, there):
        for ended in (session, another):
            assert error(service.account(ended["accessToken"])) == "session_ended"
            state = service.session.get(
                service.url + "/v1/apple/credential-state", timeout=DEADLINE,
                headers={"Authorization": f"Bearer {ended['refreshToken']}"})
            assert state.json() == {"credentialState": "revoked"}


def test_both_servers_publish_the_same_keys(pair):
    published = [Service(server.url).session.get(server.url + "/.well-known/jwks.json").json() for server in pair]
    assert published[0] == published[1] and published[0]["keys"]


def test_one_server_is_killed_amid_sign_ins_and_nothing_acknowledged_is_lost(deployment, pair, proxy):
    doomed, survivor = pair
    people = [deployment.add_person() for _ in range(8)]
    lock, before, after = threading.Lock(), itertools.count(1), itertools.count(1)
    acknowledged, unanswered, is_killed, is_enough = [], [], threading.Event(), threading.Event()

    def sign_in_again_and_again(person):
        service = Service(proxy.url)
        while not is_enough.is_set():
            proof = deployment.proof(person)
            began_after = is_killed.is_set()
            answer = service.sign_in(proof)
            if not answer.ok:
                # nginx's own: it had handed the request to the server that was killed.
                assert answer.status_code == 502, answer.text
                unanswered.append((person, proof))
                continue
            with lock:
                acknowledged.append((person, proof, answer.json()))
                if not is_killed.is_set() and next(before) == 24:
                    doomed.kill()
                    is_killed.set()
                elif began_after and next(after) == 40:
                    is_enough.set()

    with concurrent.futures.ThreadPoolExecutor(len(people)) as pool:
        for done in [pool.submit(sign_in_again_and_again, person) for person in people]:
            done.result()

    service, accounts = Service(proxy.url), {}
    for person, proof, answer in acknowledged:
        session = answer["session"]
        account = service.account(session["accessToken"])
        assert account.ok and served_by(account) == survivor.port
        assert accounts.setdefault(person, answer["account"]["id"]) == account.json()["account"]["id"]
        assert service.refresh(session["refreshToken"]).ok
        assert is_used_up(service.sign_in(proof))
    assert len(set(accounts.values())) == len(people)
    assert len(unanswered) <= len(people)
    for person, proof in unanswered:
        repeated = service.sign_in(proof)
        assert repeated.ok or is_used_up(repeated) or error(repeated) == "grant_rejected"
        assert service.sign_in(deployment.proof(person)).json()["account"]["id"] == accounts[person]


class Behind(Doomed):
    """One of two servers, which is killed while both are used."""

    def __init__(self, deployment, server, chance):
        self.deployment = deployment
        super().__init__(server, chance)

    def service(self):
        """nginx says 502 where the killed server would have broken off; or asks the other, which may find it done."""
        def stop(answer, *_, **__):
            if answer.status_code == 502 or "," in answer.headers["X-Served-By"]:
                raise requests.ConnectionError("the server was killed")

        service = Service(self.deployment.public_url)
        service.session.hooks["response"].append(stop)
        return service


@pytest.mark.parametrize("round", range(2))
def test_one_server_is_killed_amid_refreshes_and_deletions_and_the_other_goes_on(
        deployment, proxy, emulator, round):
    seed = random.randrange(2 ** 48)
    print("seed", seed)
    chance = random.Random(seed)
    outbox = Outbox(deployment.environment["SIWA_DATABASE"])
    with Backend() as backend, concurrent.futures.ThreadPoolExecutor(8) as pool:
        deployment.environment.update(backend.environment)
        one, survivor = (starting.result() for starting in [pool.submit(deployment.server) for _ in range(2)])
        with survivor:
            proxy.lead_to(one, survivor)
            doomed = Behind(deployment, one, chance)
            phones = [Phone(deployment, chance.random()) for _ in range(8)]
            for done in [pool.submit(phone.use, doomed) for phone in phones]:
                done.result()
            # The survivor has to finish the work that the other had begun.
            outbox.bury(one)
            outbox.forget_leases()
            service = Service(proxy.url)
            for done in [pool.submit(phone.check, Service(proxy.url)) for phone in phones]:
                done.result()
            outbox.settle()
            gone = {left[0] for phone in phones for left in [*phone.deleted, *phone.revoked]}
            assert not gone & users(emulator), "Apple was not told"
            for phone in phones:
                phone.check_backend(backend)
                phone.check_end(service)
            accounts = [account for phone in phones for account in phone.accounts]
            assert len(set(accounts)) == len(accounts) >= len(phones)
            proxy.end()


def test_two_upgrades_within_ten_seconds_are_no_outage(deployment, proxy):
    is_enough, answers = threading.Event(), []

    def ask():
        with requests.Session() as session:
            while not is_enough.is_set():
                answers.append(session.get(proxy.url + "/readyz", timeout=DEADLINE).status_code)

    servers = [deployment.server(), deployment.server()]
    try:
        proxy.lead_to(*servers)
        thread = threading.Thread(target=ask)
        thread.start()
        try:
            for number, old in enumerate(list(servers)):
                before = len(answers)
                old.stop()
                deployment.environment["SIWA_PORT"] = str(old.port)
                servers[number] = deployment.server()
                while len(answers) < before + 20:
                    assert thread.is_alive()
                    is_enough.wait(0.01)
        finally:
            is_enough.set()
            thread.join(DEADLINE)
        assert set(answers) == {200}
        proxy.end()
    finally:
        for server in servers:
            server.__exit__()

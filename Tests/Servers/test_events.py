"""Streams of an account's events, and Apple's notifications, with two servers on one PostgreSQL behind nginx."""

import contextlib
import json
import time

import requests

from deployment import CLIENT, DEADLINE, Service, error
from test_two_servers import at, deployment, pair, served_by  # noqa: F401


class Stream:
    """One that a client follows: its events one by one, as they come."""

    def __init__(self, answer):
        assert answer.ok, answer.text
        self.answer, self.lines = answer, answer.iter_lines(chunk_size=1, decode_unicode=True)
        # The service says something at once, through nginx too.
        assert next(self.lines).startswith("retry:")

    def __iter__(self):
        event = {}
        for line in self.lines:
            name, _, value = line.partition(": ")
            if line:
                event[name] = value
            elif "data" in event:
                yield int(event["id"]), json.loads(event["data"])
                event = {}

    @classmethod
    @contextlib.contextmanager
    def follow(cls, url, token, server, last=None):
        headers = {"Authorization": f"Bearer {token}", **at(server)}
        if last is not None:
            headers["Last-Event-ID"] = str(last)
        with requests.get(f"{url}/v1/account/events", headers=headers, stream=True, timeout=DEADLINE) as answer:
            assert served_by(answer) == server.port
            yield cls(answer)


def stop_using(deployment, server, person="johnny"):
    """The person leaves the app in the settings of their Apple Account, and Apple tells this server."""
    deployment.emulator.call("notifications/address", {"clientID": CLIENT, "url": server.url + "/apple/notifications"})
    deployment.emulator.call("grants/stop-using", {"person": person, "clientID": CLIENT})


def test_what_one_server_does_is_told_by_the_other(deployment, pair, proxy):  # noqa: F811
    one, other = pair
    service, person = Service(proxy.url), deployment.add_person()
    session = service.sign_in(deployment.proof(person)).json()["session"]
    with Stream.follow(proxy.url, session["accessToken"], one) as stream:
        events = iter(stream)
        began = time.monotonic()
        assert service.sign_in(deployment.proof(person), headers=at(other)).ok
        _, event = next(events)
        assert event["kind"] == "signed_in"
        # The other server looks every two seconds; the rest is for a busy machine.
        assert time.monotonic() - began < 20
        stop_using(deployment, other, person)
        _, event = next(events)
        assert (event["kind"], event["reason"]) == ("apple_access_ended", "apple_consent_revoked")
        assert list(events) == [], "the stream ends with its session"
    for server in pair:
        assert error(service.account(session["accessToken"], headers=at(server))) == "session_ended"
        state = requests.get(
            f"{proxy.url}/v1/apple/credential-state", timeout=DEADLINE,
            headers={"Authorization": f"Bearer {session['refreshToken']}", **at(server)})
        assert state.json() == {"credentialState": "revoked"}


def test_a_server_that_stops_ends_its_streams_and_nothing_is_missed_at_the_next(deployment, pair, proxy):  # noqa: F811
    one, other = pair
    service, person = Service(proxy.url), deployment.add_person()
    session = service.sign_in(deployment.proof(person)).json()["session"]
    with Stream.follow(proxy.url, session["accessToken"], one, last=0) as stream:
        events = iter(stream)
        last, event = next(events)
        assert event["kind"] == "signed_in"
        one.stop()
        assert list(events) == []
    # While the client is away.
    assert service.sign_in(deployment.proof(person), headers=at(other)).ok
    assert service.sign_out(session["accessToken"], headers=at(other)).status_code == 204
    second = service.sign_in(deployment.proof(person), headers=at(other)).json()["session"]
    with Stream.follow(proxy.url, second["accessToken"], other, last) as stream:
        events = iter(stream)
        missed = [next(events) for _ in range(3)]
    assert [event["kind"] for _, event in missed] == ["signed_in", "session_ended", "signed_in"]
    assert [number for number, _ in missed] == sorted(number for number, _ in missed)
    assert missed[0][0] > last


def test_a_notification_that_reaches_both_servers_is_applied_once(deployment, pair, proxy):  # noqa: F811
    one, other = pair
    service, person = Service(proxy.url), deployment.add_person()
    service.sign_in(deployment.proof(person))
    deployment.emulator.call("notifications/hold", {})
    stop_using(deployment, one, person)
    notifications = deployment.emulator.call("notifications")["notifications"]
    payload = next(told for told in reversed(notifications) if told["state"] == "held")["payload"]
    deployment.emulator.call("notifications/release", {})
    for server in [one, other, one]:
        told = requests.post(server.url + "/apple/notifications", json={"payload": payload}, timeout=DEADLINE)
        assert told.status_code == 200, told.text
    # A person who comes back is not signed out by a late copy.
    time_of_event = int(time.time())
    while int(time.time()) <= time_of_event:
        time.sleep(0.05)
    session = service.sign_in(deployment.proof(person)).json()["session"]
    for server in pair:
        told = requests.post(server.url + "/apple/notifications", json={"payload": payload}, timeout=DEADLINE)
        assert told.status_code == 200
        assert service.account(session["accessToken"], headers=at(server)).ok
    with Stream.follow(proxy.url, session["accessToken"], other, last=0) as stream:
        events = iter(stream)
        kinds = [next(events)[1]["kind"] for _ in range(3)]
    assert kinds == ["signed_in", "apple_access_ended", "signed_in"]

"""The calls of passwords, links in mails and the upgrade answer as Docs/openapi.yaml says, by a server that takes passwords."""

import hashlib
import re
import time

import pytest
import requests

from deployment import CLIENT, DEADLINE
from documented import SERVICE, Documented
from taking_passwords import deployment_with_passwords

# The emulator takes mail for the addresses of its people alone.
ADDRESS = "johnny@example.com"
PASSWORD, OTHER, WRONG = "violet otter, 42 stamps", "nine quiet umbrellas", "something else altogether"
DEVICE = {"clientID": CLIENT, "deviceName": "Johnny's tablet"}


@pytest.fixture(params=["sqlite", "postgres"])
def service(request, tmp_path):
    with deployment_with_passwords(tmp_path, request.param) as deployment:
        yield Walk(deployment, Documented(deployment.url, SERVICE))


class Walk:
    def __init__(self, deployment, call):
        self.deployment, self.call = deployment, call
        self.links = set()

    def link(self):
        """Waits for a mail with a link that no other mail had."""
        pattern = re.compile(re.escape(self.deployment.public_url + "/email-links/") + r"([\w-]{43})(?![\w-])")
        deadline = time.monotonic() + DEADLINE
        while True:
            mails = self.deployment.emulator.call("mail?person=johnny")["mails"]
            for mail in mails:
                text = self.deployment.emulator.call(f"mail/{mail['id']}")["text"]
                for link in set(pattern.findall(text)) - self.links:
                    self.links.add(link)
                    return link
            assert time.monotonic() < deadline, mails
            time.sleep(0.05)

    def refused(self, path, body, status, code, headers=()):
        answer = self.call("post", path, body, status=status, headers=headers)
        assert answer["error"]["code"] == code, answer
        return answer["error"].get("details")

    def credential(self, session, **asked):
        """Apple's, with a challenge for an upgrade in the session."""
        nonce = self.call("post", "/v1/challenges", {"purpose": "upgrade"}, headers=bearer(session))["nonce"]
        answer = self.deployment.emulator.call("authorizations", {
            "person": "johnny", "clientID": CLIENT, "native": True,
            "nonce": hashlib.sha256(nonce.encode()).hexdigest(), **asked})
        return {
            "identityToken": answer["id_token"], "authorizationCode": answer["code"], "nonce": nonce,
            "fullName": {"givenName": "Johnny"}, "endOtherSessions": True}

    def account(self, session):
        return self.call("get", "/v1/account", headers=bearer(session))["account"]


def bearer(session):
    return {"Authorization": f"Bearer {session['accessToken']}"}


def test_every_call_of_passwords_answers_as_described(service):
    session = sign_up(service)
    sign_in(service)
    session = reset(service)
    change(service, session)
    upgrade(service, session)
    guess(service)
    paths = {
        ("post", path) for _, path in SERVICE.operations()
        if path.startswith(("/v1/sign-up", "/v1/password", "/v1/email-links", "/v1/sign-in/password", "/v1/sign-in/link"))
        or path in {"/v1/reauthenticate/password", "/v1/account/upgrade"}}
    assert paths - service.call.seen == set(), "not called here"


def sign_up(service):
    details = service.refused("/v1/sign-up", {"email": ADDRESS, "password": "short"}, 400, "password_refused")
    assert details == {"reason": "too_short", "minimumLength": 15}
    service.refused("/v1/sign-up", {"email": "tea", "password": PASSWORD}, 400, "invalid_request")
    body = {"email": ADDRESS, "password": PASSWORD, "fullName": None}
    assert service.call("post", "/v1/sign-up", body, status=202) == {}
    link = service.link()
    told = service.call("post", "/v1/email-links", {"link": link})
    assert told["purpose"] == "sign_up" and told["needsEmail"]
    service.refused("/v1/sign-up/finish", {"link": link, "password": WRONG}, 401, "wrong_credentials")
    both = {"link": link, "password": PASSWORD, "newPassword": OTHER}
    service.refused("/v1/sign-up/finish", both, 400, "invalid_request")
    new = {"link": link, "newPassword": OTHER}
    service.refused("/v1/sign-up/finish", new, 409, "email_needed")
    service.refused("/v1/sign-up/finish", new | {"email": "ann@example.com"}, 409, "email_needed")
    service.refused(
        "/v1/sign-up/finish", new | {"newPassword": "passwordpassword", "email": ADDRESS}, 400, "password_refused")
    done = service.call("post", "/v1/sign-up/finish", {"link": link, "password": PASSWORD, **DEVICE})
    assert done["isNewAccount"] and done["account"]["waysIn"] == {
        "apple": False, "email": ADDRESS, "hasPassword": True, "providers": []}
    service.refused("/v1/sign-up/finish", {"link": link, "password": PASSWORD}, 404, "link_unknown")
    service.refused("/v1/email-links", {"link": "tea"}, 404, "link_unknown")
    return done["session"]


def sign_in(service):
    body = {"email": ADDRESS, "password": PASSWORD, **DEVICE}
    assert not service.call("post", "/v1/sign-in/password", body)["isNewAccount"]
    assert service.call("post", "/v1/sign-in/link", {"email": ADDRESS}, status=202) == {}
    link = service.link()
    told = service.call("post", "/v1/email-links", {"link": link})
    assert told["purpose"] == "sign_in" and told["needsEmail"] and told["address"] is None
    service.refused("/v1/sign-in/link/finish", {"link": link, "email": None}, 409, "email_needed")
    service.refused("/v1/sign-in/link/finish", {"link": link, "email": "ann@example.com"}, 409, "email_needed")
    done = service.call("post", "/v1/sign-in/link/finish", {"link": link, "email": ADDRESS, **DEVICE})
    assert done["account"]["waysIn"]["email"] == ADDRESS


def reset(service):
    assert service.call("post", "/v1/password/forgotten", {"email": ADDRESS}, status=202) == {}
    link = service.link()
    service.refused("/v1/password/reset", {"link": link, "password": "passwordpassword"}, 400, "password_refused")
    assert service.call("post", "/v1/password/reset", {"link": link, "password": OTHER}) == {}
    service.refused("/v1/password/reset", {"link": link, "password": OTHER}, 404, "link_unknown")
    return service.call("post", "/v1/sign-in/password", {"email": ADDRESS, "password": OTHER, **DEVICE})["session"]


def change(service, session):
    headers = bearer(session)
    body = {"currentPassword": OTHER, "newPassword": PASSWORD, "endOtherSessions": True}
    service.refused("/v1/password", body | {"currentPassword": WRONG}, 401, "wrong_credentials", headers)
    service.refused("/v1/password", body | {"newPassword": ADDRESS}, 400, "password_refused", headers)
    service.refused("/v1/password", body, 401, "access_token_missing")
    assert service.call("post", "/v1/password", body, headers=headers) == {}
    service.refused("/v1/reauthenticate/password", {"password": WRONG}, 401, "wrong_credentials", headers)
    service.call("post", "/v1/reauthenticate/password", {"password": PASSWORD}, headers=headers)
    held = service.call("get", "/v1/account/export", headers=headers)
    assert [identity["provider"] for identity in held["identities"]] == ["email"]


def upgrade(service, session):
    headers = bearer(session)
    body = service.credential(session, hideEmail=True)
    details = service.refused("/v1/account/upgrade", body, 409, "consent_required", headers)
    person = service.deployment.add_person()
    apple = service.call("post", "/v1/sign-in/apple", service.deployment.proof(person))
    other = service.credential(session, person=person)
    service.refused("/v1/account/upgrade", other, 409, "credential_already_in_use", headers)
    before = service.account(session)
    body["consent"] = {"textVersion": details["textVersion"]}
    done = service.call("post", "/v1/account/upgrade", body, headers=headers)
    assert done["account"]["id"] == before["id"] and done["account"]["waysIn"]["apple"]
    assert done["account"]["name"]["formatted"] == "Johnny" and done["account"]["contactEmail"] == ADDRESS
    headers = bearer(apple["session"])
    service.refused("/v1/account/upgrade", service.credential(apple["session"]), 409, "not_by_password", headers)
    service.refused("/v1/reauthenticate/password", {"password": PASSWORD}, 409, "not_by_password", headers)
    change = {"currentPassword": None, "newPassword": PASSWORD, "endOtherSessions": True}
    service.refused("/v1/password", change, 409, "not_by_password", headers)


def guess(service):
    """Last, because the network has to wait, too."""
    operation = SERVICE.document["paths"]["/v1/sign-in/password"]["post"]
    codes = set()
    for _ in range(10):
        body = {"email": ADDRESS, "password": WRONG}
        answer = requests.post(service.call.url + "/v1/sign-in/password", json=body, timeout=DEADLINE)
        codes.add(SERVICE.check_answer(operation, answer)["error"]["code"])
        if answer.status_code == 429:
            break
    assert codes == {"wrong_credentials", "rate_limited"} and int(answer.headers["Retry-After"]) >= 1

"""The OpenAPI file is valid, and the emulator does what it says."""

import time

import jwt
import pytest
import requests
from openapi_spec_validator import validate

from documented import EMULATOR, Documented

DOCUMENT, operations = EMULATOR.document, EMULATOR.operations

WEB, APP = "com.example.juice.web", "com.example.juice"
JOHNNY = {"person": "johnny", "clientID": APP}


@pytest.fixture
def call(emulator):
    return Documented(emulator.url)


def secret(portal, client, team=0, app=0):
    team = portal["teams"][team]
    key = team["apps"][app]["keys"][0]
    now = int(time.time())
    claims = {"iss": team["id"], "iat": now, "exp": now + 300, "aud": "https://appleid.apple.com", "sub": client}
    return jwt.encode(claims, key["privateKey"], algorithm="ES256", headers={"kid": key["id"]})


def test_the_file_is_a_valid_description():
    validate(DOCUMENT)


def test_every_control_call_answers_as_described(call):
    portal = call("get", "/emulator/portal")
    assert portal["baseURL"] == call.url
    assert call("get", "/emulator/openapi.json") == DOCUMENT
    portal_changes(call)
    faults_and_requests(call)
    snapshot = call("get", "/emulator/snapshot")
    people(call)
    devices(call)
    notifications(call)
    keys_and_clock(call)
    mail(call)
    assert call("get", "/emulator/transfers") == {"transfers": []}
    call("post", "/emulator/transfers", {"clientID": APP, "team": "NOSUCHTEAM"}, status=404)
    call("post", "/emulator/transfers", {"clientID": WEB, "team": "JUICETEAM1"}, status=400)
    call("post", "/emulator/quirks", {"quirks": ["refresh-once-a-day"]})
    call("post", "/emulator/quirks", {"quirks": []})
    assert call("get", "/emulator/quirks") == {"quirks": []}
    behaviour = call("get", "/emulator/behaviour")["behaviour"]
    assert set(behaviour) == set(DOCUMENT["components"]["schemas"]["Behaviour"]["properties"])
    changed = call("post", "/emulator/behaviour", {"behaviour": {"tokenType": "lowercase", "refusesChildren": True}})
    assert changed["behaviour"] == {**behaviour, "tokenType": "lowercase", "refusesChildren": True}
    call("post", "/emulator/behaviour", {"behaviour": {"tokenType": "loud"}}, status=400)
    assert call("post", "/emulator/behaviour", {"behaviour": behaviour}) == {"behaviour": behaviour}
    call("post", "/emulator/reset", {})
    call("post", "/emulator/snapshot", snapshot, status=204)
    call("post", "/emulator/snapshot", {**snapshot, "version": 0}, status=400)
    assert operations("/emulator/") - call.seen == set(), "not called here"


def portal_changes(call):
    entries = {
        "teams": {"id": "TEATEAM003", "name": "Tea Makers"},
        "apps": {"team": "TEATEAM003", "id": "com.example.tea"},
        "services": {"app": "com.example.tea", "id": "com.example.tea.web", "returnURLs": ["https://tea.example/"]},
        "keys": {"app": "com.example.tea", "id": "KEYTEA0001"},
        "people": {"id": "ada", "email": "ada@example.com"},
    }
    for what, entry in entries.items():
        assert call("post", f"/emulator/portal/{what}", entry)["id"] == entry["id"]
    call("post", "/emulator/portal/apps", {"team": "TEATEAM003", "id": "com.example.*"}, status=400)
    for what, entry in reversed(entries.items()):
        if what == "services":
            verify(call, entry)
        call("post", f"/emulator/portal/{what}/remove", {"id": entry["id"]}, status=204)
        call("post", f"/emulator/portal/{what}/remove", {"id": entry["id"]}, status=404)


def verify(call, service):
    order = {"id": service["id"], "domain": "tea.example", "webServer": "http://127.0.0.1:1"}
    call("post", "/emulator/portal/services/verify", order, status=400)
    call("post", "/emulator/portal/services", {**service, "domains": ["tea.example"], "verifiedDomains": ["tea.example"]})
    assert not call("post", "/emulator/portal/services/verify", order)["verified"]
    call("post", "/emulator/portal/services/verify", {**order, "id": "nobody"}, status=404)


def faults_and_requests(call):
    outage = {"fault": "outage", "endpoint": "keys", "times": 1, "share": 1, "seed": 7, "status": 502}
    assert call("post", "/emulator/faults", outage)["id"]
    assert requests.get(f"{call.url}/auth/keys", timeout=10).status_code == 502
    assert call("get", "/emulator/faults")["faults"][0]["hits"] == 1
    call("post", "/emulator/faults/clear", {"id": "nothing"}, status=404)
    assert call("post", "/emulator/faults/clear", {}) == {"faults": []}
    assert call("get", "/emulator/requests")["requests"][-1]["faults"] == ["outage"]
    assert "/auth/keys" in call("get", "/emulator/requests/page")
    call("post", "/emulator/requests/clear", {})


def people(call):
    order = {
        "person": "johnny", "clientID": WEB, "scope": "name email", "state": "s", "nonce": "n", "hideEmail": True,
        "name": {"firstName": "Jo"}}
    assert {"code", "id_token", "state", "user"} == set(call("post", "/emulator/authorizations", order))
    call("post", "/emulator/authorizations", {**order, "decision": "cancel", "responseMode": "web_message"})
    native = {"person": "dafni", "clientID": APP, "native": True, "realUserStatus": 1, "email": "dafni@example.net"}
    call("post", "/emulator/authorizations", native)
    call("post", "/emulator/authorizations", {**order, "person": "nobody"}, status=404)
    assert len(call("get", "/emulator/grants")["grants"]) == 2
    call("post", "/emulator/grants/forwarding", {**JOHNNY, "forwarding": False}, status=204)
    call("post", "/emulator/people/change-password", {"person": "johnny"}, status=204)
    call("post", "/emulator/grants/stop-using", JOHNNY, status=204)
    call("post", "/emulator/grants/stop-using", JOHNNY, status=404)
    call("post", "/emulator/people/delete", {"person": "dafni"}, status=204)


def devices(call):
    order = {"person": "zoe", "clientID": APP, "requestedScopes": ["full_name", "email"], "state": "s", "nonce": "n"}
    credential = call("post", "/emulator/device/authorizations", order)["credential"]
    assert credential["fullName"]["familyName"]
    assert "fullName" not in call("post", "/emulator/device/authorizations", order)["credential"]
    nobody = {"noAccount": True, "clientID": APP}
    assert "error" in call("post", "/emulator/device/authorizations", nobody)
    asked = {"clientID": APP, "user": credential["user"]}
    assert call("post", "/emulator/device/credential-state", asked)["credentialState"] == "authorized"
    asked["noAccount"] = True
    assert call("post", "/emulator/device/credential-state", asked)["credentialState"] == "notFound"
    call("post", "/emulator/device/credential-state", {**asked, "clientID": WEB}, status=400)


def mail(call):
    source = {"team": "JUICETEAM1", "source": "juice.example.com"}
    call("post", "/emulator/email-sources", {**source, "dkim": "none", "webServer": "http://127.0.0.1:1"})
    assert not call("post", "/emulator/email-sources/verify", source)["verified"]
    call("post", "/emulator/email-sources", source)
    assert call("post", "/emulator/email-sources/verify", source)["verified"]
    assert len(call("get", "/emulator/email-sources")["emailSources"]) == 1
    assert call("get", "/emulator/portal")["teams"][0]["emailSources"][0]["verified"]
    order = {"from": "news@juice.example.com", "to": ["zoe.oezdemir@example.org"], "subject": "Fresh", "text": "Hello"}
    assert call("post", "/emulator/mail", order)["accepted"]
    assert not call("post", "/emulator/mail", {**order, "to": ["nobody@privaterelay.appleid.com"]})["accepted"]
    sent = call("get", "/emulator/mail", query={"person": "zoe"})["mails"][0]["id"]
    assert call("get", "/emulator/mail/{id}", at=sent)["text"] == "Hello\n"
    assert "Hello" in call("get", "/emulator/mail/{id}/source", at=sent)
    call("post", "/emulator/mail/delete", {"id": sent}, status=204)
    call("get", "/emulator/mail/{id}", at=sent, status=404)
    call("get", "/emulator/mail/{id}/source", at=sent, status=404)
    call("get", "/emulator/mail", query={"person": "nobody"}, status=404)
    call("post", "/emulator/email-sources/remove", source, status=204)
    call("post", "/emulator/email-sources/remove", source, status=404)
    call("post", "/emulator/email-sources/verify", source, status=404)
    call("post", "/emulator/email-sources", {**source, "team": "NOSUCHTEAM"}, status=404)


def notifications(call):
    call("post", "/emulator/notifications/address", {"clientID": APP, "url": "http://localhost:1/apple"})
    call("post", "/emulator/notifications/hold", {})
    event = {"type": "consent-revoked", "person": "johnny", "clientID": APP, "eventTime": 1767225600000}
    sent = call("post", "/emulator/notifications", event)
    call("post", "/emulator/notifications/release", {"id": sent["id"]})
    call("post", "/emulator/notifications/release", {"id": "nothing"}, status=404)
    call("post", "/emulator/notifications/release", {})
    call("post", "/emulator/notifications/{id}/replay", {}, at="nothing", status=404)
    call("post", "/emulator/notifications/address", {"clientID": APP})
    unaddressed = call("post", "/emulator/notifications", event)
    assert unaddressed["state"] == "unaddressed"
    call("post", "/emulator/notifications/address", {"clientID": APP, "url": "http://localhost:1/apple"})
    call("post", "/emulator/notifications/{id}/replay", {}, at=unaddressed["id"])
    assert len(call("get", "/emulator/notifications")["notifications"]) >= 2
    call("post", "/emulator/notifications/address", {"clientID": APP})


def keys_and_clock(call):
    old = call("get", "/emulator/keys")["signing"]
    assert call("post", "/emulator/keys/rotate", {})["signing"] != old
    call("post", "/emulator/keys/retire", {"kid": old})
    call("post", "/emulator/keys/retire", {"kid": old}, status=404)
    call("post", "/emulator/clock", {"advance": 10, "frozen": True})
    assert call("get", "/emulator/clock")["frozen"] is True
    call("post", "/emulator/clock", {"reset": True})
    call("post", "/emulator/clock", {"now": 1, "advance": 1}, status=400)


@pytest.mark.parametrize(
    "path", sorted(
        path for method, path in operations("/emulator/")
        if method == "post" and "{" not in path and DOCUMENT["paths"][path]["post"]["requestBody"]["required"]))
def test_a_member_that_the_file_does_not_name_is_refused(call, path):
    schema = EMULATOR.resolved(DOCUMENT["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"])
    assert schema["additionalProperties"] is False
    assert call("post", path, {"no such member": 1}, status=400)["error"].startswith("invalid_")


def migration(call, client, bearer):
    """Both sides of a transfer, and what lists it. Then all is as it was: other tests share the emulator."""
    before = call("get", "/emulator/snapshot")
    hidden = {"person": "zoe", "clientID": APP, "native": True, "scope": "email", "hideEmail": True}
    token = call("post", "/emulator/authorizations", hidden)["id_token"]
    subject = jwt.decode(token, options={"verify_signature": False})["sub"]
    call("post", "/emulator/portal/teams", {"id": "TEATEAM003"})
    asked = {**client, "sub": subject, "target": "TEATEAM003"}
    bridge = call("post", "/auth/usermigrationinfo", form=asked, headers=bearer)["transfer_sub"]
    transfer = call("post", "/emulator/transfers", {"clientID": APP, "team": "TEATEAM003"})
    assert call("get", "/emulator/transfers")["transfers"] == [transfer]
    portal = call("get", "/emulator/portal")
    position = next(index for index, team in enumerate(portal["teams"]) if team["id"] == "TEATEAM003")
    there = {"client_id": APP, "client_secret": secret(portal, APP, team=position)}
    own = call("post", "/auth/token", form={**there, "grant_type": "client_credentials", "scope": "user.migration"})
    theirs = {"Authorization": f"Bearer {own['access_token']}"}
    answer = call("post", "/auth/usermigrationinfo", form={**there, "transfer_sub": bridge}, headers=theirs)
    assert answer["sub"] != subject and answer["is_private_email"] is True
    call("post", "/emulator/snapshot", before, status=204)


def test_apples_endpoints_answer_as_described(call, relying_party):
    portal = call("get", "/emulator/portal")
    assert call("get", "/.well-known/openid-configuration")["token_endpoint"] == f"{call.url}/auth/token"
    call("get", "/auth/keys")
    request = {"client_id": WEB, "redirect_uri": f"{relying_party.url}/apple/callback", "response_type": "code"}
    call("get", "/auth/authorize", query=request)
    call("get", "/auth/authorize", query={**request, "scope": "name"}, status=400)
    json_only = {"Accept": "application/json"}
    call("get", "/auth/authorize", query={**request, "scope": "name"}, headers=json_only, status=400)

    client = {"client_id": APP, "client_secret": secret(portal, APP)}
    order = {"person": "johnny", "clientID": APP, "native": True, "scope": "email", "hideEmail": True}
    code = call("post", "/emulator/authorizations", order)["code"]
    redeem = {**client, "grant_type": "authorization_code", "code": code}
    tokens = call("post", "/auth/token", form=redeem)
    call("post", "/auth/token", form=redeem, status=400)
    refresh = {**client, "grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]}
    assert "refresh_token" not in call("post", "/auth/token", form=refresh)
    call("post", "/emulator/quirks", {"quirks": ["refresh-once-a-day"]})
    call("post", "/auth/token", form=refresh)
    call("post", "/auth/token", form=refresh, status=429)
    call("post", "/emulator/quirks", {"quirks": []})

    own = call("post", "/auth/token", form={**client, "grant_type": "client_credentials", "scope": "user.migration"})
    bearer = {"Authorization": f"Bearer {own['access_token']}"}
    call("post", "/auth/usermigrationinfo", form={**client, "transfer_sub": "x"}, headers=bearer, status=400)
    # The token is looked up before the client, so only a live one tells a wrong secret from a right one.
    live = {**client, "token": tokens["refresh_token"]}
    call("post", "/auth/revoke", form={**live, "client_secret": "x"}, status=400)
    call("post", "/auth/revoke", form=live)
    migration(call, client, bearer)
    assert operations("/auth/") | operations("/.well-known/") <= call.seen

"""Docs/openapi.yaml is valid, knows every error code, and the account service does what it says."""

import base64
import hashlib
import json
import re
import secrets

import pytest
import requests
from openapi_spec_validator import validate

from connections import wait_until
from documented import DOCS, SERVICE, Documented
from deployment import CLIENT

# On pages alone, as the file says at their head or as Docs/errors.md does.
# A provider that ends a sign-in leads to a page, and to an app as `error` of an authorization.
OF_PAGES = {"malformed_form", "cross_site_request", "link_of_another_account", "sign_in_again"}


def described_codes(answers):
    """Code and status of each error among answers by status."""
    for status, answer in answers:
        answer = SERVICE.resolved(answer)
        schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
        if schema == {"$ref": "#/components/schemas/ErrorAnswer"}:
            codes = answer.get("x-error-codes")
            assert codes, f"an answer of {status} names no code"
            yield from ((code, int(status)) for code in codes)


def test_the_file_is_a_valid_description():
    document = dict(SERVICE.document)
    document["webhooks"] = document.pop("x-webhooks")
    validate(document)


def test_every_error_code_is_described_with_its_status_and_no_other():
    answers = [
        answer for path, method in ((path, method) for method, path in SERVICE.operations())
        for answer in SERVICE.document["paths"][path][method]["responses"].items()]
    # The answers where no operation is.
    named = SERVICE.document["components"]["responses"]
    answers += [("404", named["NotFound"]), ("405", named["MethodNotAllowed"])]
    sections = (DOCS / "errors.md").read_text().split("\n## ")
    rows = {
        (code, int(status)) for section in sections if not section.startswith("The web flow, on pages only")
        for code, status in re.findall(r"^\| `(\w+)` \| (\d{3}) \|", section, re.MULTILINE)}
    assert len(rows) > 50
    assert set(described_codes(answers)) == {row for row in rows if row[0] not in OF_PAGES}


SESSION = {"access_token_missing", "access_token_invalid", "access_token_expired", "session_ended", "account_disabled"}
# The errors of every call with a credential of Apple's, as Docs/errors.md has them; a code of ours is one too.
CREDENTIAL = {"token_too_old", "grant_rejected", "code_already_used", "identity_mismatch", "nonce_mismatch"}
ASKS_APPLE = {"apple_malformed_answer", "apple_configuration", "apple_unavailable", "keys_unavailable"}


@pytest.mark.parametrize("method, path", sorted(SERVICE.operations()))
def test_a_call_names_every_code_that_its_kind_can_meet(method, path):
    operation = SERVICE.document["paths"][path][method]
    codes = {code for code, _ in described_codes(operation["responses"].items())}
    expected = {"bad_request", "request_timeout", "body_too_large", "uri_too_long", "internal"}
    if {"accessToken": []} in operation.get("security", []):
        expected |= SESSION
    if "requestBody" in operation:
        expected |= {"malformed_json", "invalid_request", "unsupported_media_type"}
    if codes & {"grant_rejected", "identity_mismatch", "apple_configuration"}:
        expected |= CREDENTIAL | ASKS_APPLE | {"rate_limited", "account_disabled"}
    if "{provider}" in path:
        expected |= {"unknown_provider", "invalid_provider_token", "provider_unavailable"}
    if path.startswith("/v1/"):
        expected |= {"unavailable", "rate_limited"}
    assert expected <= codes, sorted(expected - codes)


def test_every_kind_of_event_is_named():
    source = DOCS.parent / "Sources/AccountService/Events/AccountEvent.swift"
    kinds = re.findall(r'static let \w+ = Self\(rawValue: "(\w+)"\)', source.read_text())
    schema = SERVICE.document["components"]["schemas"]["AccountEvent"]["properties"]["kind"]
    assert len(kinds) > 5 and schema["examples"] == kinds


@pytest.fixture
def call(deployment):
    return Documented(deployment.url, SERVICE)


def bearer(session):
    return {"Authorization": f"Bearer {session['accessToken']}"}


def fresh(call, deployment, person, purpose, session):
    """A credential with a challenge of the server's."""
    nonce = call("post", "/v1/challenges", {"purpose": purpose}, headers=bearer(session))["nonce"]
    answer = deployment.emulator.call("authorizations", {
        "person": person, "clientID": CLIENT, "native": True, "nonce": nonce})
    return {"identityToken": answer["id_token"], "authorizationCode": answer["code"], "nonce": nonce}


def test_every_call_answers_as_described(call, deployment):
    person = deployment.add_person()
    server(call)
    answer = call("post", "/v1/sign-in/apple", {
        **deployment.proof(person), "deviceName": "Ada's phone", "fullName": {"givenName": "Ada"}})
    assert answer["isNewAccount"]
    session = sessions(call, deployment, person, answer["session"])
    profile(call, deployment)
    links(call, deployment, person, session)
    providers(call, session)
    account(call, deployment, person, session)
    authorizations(call, deployment, person)
    notifications(call, deployment)
    passwords(call)
    assert SERVICE.operations() - call.seen == set(), "not called here"


def server(call):
    assert call("get", "/healthz")["status"] == "ok"
    assert call("get", "/readyz")["status"] == "ready"
    call("get", "/.well-known/jwks.json")
    # No setting names these files.
    for path in sorted(path for _, path in SERVICE.operations("/.well-known/") if not path.endswith("jwks.json")):
        assert problem(call("get", path, status=404)) == "not_found"
    call("post", "/v1/challenges", {})
    assert problem(call("post", "/v1/challenges", {"purpose": "tea"}, status=400)) == "invalid_request"
    assert problem(call("post", "/v1/challenges", {"purpose": "delete"}, status=401)) == "access_token_missing"
    call("post", "/v1/sign-in/apple", {}, status=400)
    assert problem(call("post", "/v1/sign-in/apple", {
        "authorizationCode": "none", "clientID": CLIENT}, status=401)) == "grant_rejected"


def sessions(call, deployment, person, session):
    session = call("post", "/v1/session/refresh", {"refreshToken": session["refreshToken"]})["session"]
    call("post", "/v1/session/refresh", {"refreshToken": "tea"}, status=401)
    others = [call("post", "/v1/sign-in/apple", deployment.proof(person))["session"] for _ in range(3)]
    listed = call("get", "/v1/sessions", headers=bearer(session))["sessions"]
    assert len(listed) == 4 and [one["deviceName"] for one in listed if one["current"]] == ["Ada's phone"]
    call("get", "/v1/sessions", query={"before": "tea"}, headers=bearer(session), status=400)
    call("delete", "/v1/session", headers=bearer(others[0]), status=204)
    call("delete", "/v1/session", headers=bearer(others[0]), status=401)
    assert call("get", "/v1/sessions", query={"before": listed[0]["id"]}, headers=bearer(session))["next"] is None
    call("delete", "/v1/sessions/{id}", at=listed[1]["id"], headers=bearer(session), status=204)
    call("delete", "/v1/sessions/{id}", at="tea", headers=bearer(session), status=404)
    call("delete", "/v1/sessions", query={"except": "tea"}, headers=bearer(session), status=400)
    call("delete", "/v1/sessions", query={"except": "current"}, headers=bearer(session), status=204)
    return session


def profile(call, deployment):
    person, nonce = deployment.add_person(), secrets.token_urlsafe(24)
    answer = deployment.emulator.call("authorizations", {
        "person": person, "clientID": CLIENT, "native": True, "hideEmail": True, "scope": "email",
        "nonce": hashlib.sha256(nonce.encode()).hexdigest()})
    session = call("post", "/v1/sign-in/apple", {
        "identityToken": answer["id_token"], "authorizationCode": answer["code"], "nonce": nonce})["session"]
    headers = bearer(session)
    assert problem(call("patch", "/v1/account", {}, headers=headers, status=400)) == "invalid_request"
    named = call("patch", "/v1/account", {"name": {"givenName": "Ada", "familyName": "King"}}, headers=headers)
    assert named["account"]["name"]["formatted"] == "Ada King"
    # This server sends no mail.
    assert problem(call("patch", "/v1/account", {
        "contactEmail": "ada@example.org"}, headers=headers, status=501)) == "mail_not_configured"
    refusal = call("patch", "/v1/account", {"phone": "+15550100100"}, headers=headers, status=409)
    assert problem(refusal) == "consent_required"
    version = refusal["error"]["details"]["textVersion"]
    assert call("get", "/v1/consent-texts/{version}", at=version)["text"]
    assert problem(call("get", "/v1/consent-texts/{version}", at="tea", status=404)) == "consent_text_unknown"
    changed = call("patch", "/v1/account", {
        "phone": "+15550100100", "consent": {"textVersion": version}}, headers=headers)
    assert changed["account"]["phone"] == "+15550100100"
    consent = call("get", "/v1/consents", headers=headers)["consents"][0]
    assert call("delete", "/v1/consents/{id}", at=consent["id"], headers=headers)["account"]["phone"] is None
    call("delete", "/v1/consents/{id}", at=consent["id"], headers=headers, status=404)


def links(call, deployment, person, session):
    headers = bearer(session)
    own, = call("get", "/v1/links", headers=headers)["links"]
    assert own["current"] and own["provider"] == "apple"
    assert problem(call("delete", "/v1/links/{id}", at=own["id"], headers=headers, status=409)) == "last_way_in"
    call("delete", "/v1/links/{id}", at="tea", headers=headers, status=404)
    call("post", "/v1/link/apple", {}, headers=headers, status=400)
    second = deployment.add_person()
    both = call("post", "/v1/link/apple", fresh(call, deployment, second, "link", session), headers=headers)["links"]
    assert [one["current"] for one in both] == [True, False]
    removed = call("delete", "/v1/links/{id}", at=both[1]["id"], headers=headers)
    assert not removed["endsSession"] and removed["manualRemoval"] is None and removed["links"] == [own]
    other = deployment.add_person()
    theirs = call("post", "/v1/sign-in/apple", deployment.proof(other))["account"]["id"]
    ours = call("post", "/v1/sign-in/apple", deployment.proof(person))["session"]
    refusal = call("post", "/v1/link/apple", fresh(call, deployment, other, "link", ours), headers=bearer(ours), status=409)
    assert problem(refusal) == "credential_already_in_use"
    handle = {"handle": refusal["error"]["details"]["handle"]}
    assert problem(call("post", "/v1/sign-in/handle", handle, headers=headers, status=401)) == "handle_invalid"
    assert call("post", "/v1/sign-in/handle", handle, headers=bearer(ours))["account"]["id"] == theirs
    merge(call, deployment, person)


def merge(call, deployment, person):
    other = deployment.add_person()
    theirs = call("post", "/v1/sign-in/apple", deployment.proof(other))
    ours = call("post", "/v1/sign-in/apple", deployment.proof(person))["session"]
    refusal = call("post", "/v1/link/apple", fresh(call, deployment, other, "link", ours), headers=bearer(ours), status=409)
    handle = {"handle": refusal["error"]["details"]["handle"]}
    plan = call("post", "/v1/account/merge/preview", handle, headers=bearer(ours))
    assert plan["from"] == theirs["account"]["id"] and len(plan["moves"]["links"]) == 1
    call("post", "/v1/account/merge", {}, headers=bearer(ours), status=400)
    call("post", "/v1/account/merge", {**handle, "plan": "tea"}, headers=bearer(ours), status=400)
    other_plan = ("B" if plan["plan"].startswith("A") else "A") + plan["plan"][1:]
    changed = call("post", "/v1/account/merge", {**handle, "plan": other_plan}, headers=bearer(ours), status=409)
    assert problem(changed) == "merge_changed"
    merged = call("post", "/v1/account/merge", {**handle, "plan": plan["plan"]}, headers=bearer(ours))
    assert merged["from"] == plan["from"] and merged["account"]["id"] == plan["into"]
    gone = call("get", "/v1/account", headers=bearer(theirs["session"]), status=410)
    assert problem(gone) == "account_merged" and gone["error"]["details"]["into"] == plan["into"]


def account(call, deployment, person, session):
    headers = bearer(session)
    assert call("get", "/v1/account", headers=headers)["account"]["name"]["formatted"] == "Ada"
    call("get", "/v1/account", headers={"Authorization": "Bearer tea"}, status=401)
    assert call("get", "/v1/account/export", headers=headers)["activity"]
    events(call, headers)
    assert call("get", "/v1/apple/credential-state", headers=headers)["credentialState"] == "authorized"
    call("get", "/v1/apple/credential-state", query={"user": ""}, headers=headers, status=400)
    proof = fresh(call, deployment, person, "reauthenticate", session)
    call("post", "/v1/reauthenticate/apple", proof, headers=headers)
    call("post", "/v1/reauthenticate/apple", proof, headers=headers, status=401)
    other = fresh(call, deployment, deployment.add_person(), "reauthenticate", session)
    assert problem(call("post", "/v1/reauthenticate/apple", other, headers=headers, status=403)) == "credential_mismatch"
    assert call("post", "/v1/apple/revoke", {}, headers=headers, status=202) == {"manualRemoval": None}
    assert call("post", "/v1/apple/revoke", {}, headers=headers, status=202) == {"manualRemoval": None}
    # Apple's end of the authorization would end the next code with it.
    wait_until(lambda: person not in {grant["person"] for grant in deployment.emulator.call("grants")["grants"]}, "not revoked")
    proof = fresh(call, deployment, person, "delete", session)
    receipt = call("post", "/v1/account/delete", proof, headers=headers, status=202)
    assert call("get", "/v1/deletions/{handle}", at=receipt["handle"])["deletion"]["manualRemoval"] is None
    call("get", "/v1/deletions/{handle}", at="del_tea", status=404)
    other = deployment.add_person()
    session = call("post", "/v1/sign-in/apple", deployment.proof(other))["session"]
    call("delete", "/v1/account", headers=bearer(session), status=202)
    call("delete", "/v1/account", headers=bearer(session), status=401)
    # Without a nonce nothing is proven.
    code = deployment.emulator.call("authorizations", {
        "person": deployment.add_person(), "clientID": CLIENT, "native": True})["code"]
    session = call("post", "/v1/sign-in/apple", {"authorizationCode": code, "clientID": CLIENT})["session"]
    assert problem(call("delete", "/v1/account", headers=bearer(session), status=403)) == "requires_recent_login"


def events(call, headers):
    """Each event is what the file says; the stream itself has no end that a test could wait for."""
    operation = SERVICE.document["paths"]["/v1/account/events"]["get"]
    call("get", "/v1/account/events", headers={**headers, "Last-Event-ID": "tea"}, status=400)
    with requests.get(
            f"{call.url}/v1/account/events", headers={**headers, "Last-Event-ID": "0"}, stream=True,
            timeout=20) as answer:
        assert answer.status_code == 200
        assert answer.headers["Content-Type"] in SERVICE.resolved(operation["responses"]["200"])["content"]
        lines = answer.iter_lines(decode_unicode=True)
        event = json.loads(next(line for line in lines if line.startswith("data: ")).removeprefix("data: "))
    SERVICE.check(event, {"$ref": "#/components/schemas/AccountEvent"})


def authorizations(call, deployment, person):
    verifier = secrets.token_urlsafe(48)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    order = {"app": "juice", "codeChallenge": challenge, "scope": "name email", "nonce": secrets.token_hex(32)}
    call("post", "/v1/authorizations", {**order, "app": "tea"}, status=400)
    device = call("post", "/v1/authorizations", order)
    polled = {"deviceCode": device["deviceCode"], "codeVerifier": verifier}
    assert problem(call("post", "/v1/authorizations/redeem", polled, status=400)) == "authorization_pending"
    # On a busy machine the next may come five seconds later, which is not too soon; the one after it may be.
    for _ in range(10):
        again = problem(call("post", "/v1/authorizations/redeem", polled, status=400))
        if again != "authorization_pending":
            break
    assert again == "slow_down"
    call("post", "/v1/authorizations/cancel", polled, status=204)
    begun = call("post", "/v1/authorizations", {**order, "redirectURI": "http://127.0.0.1:1/back", "state": "s"})
    browser = requests.Session()
    site = {"Sec-Fetch-Site": "same-origin", "Origin": deployment.public_url}
    path = begun["url"].removeprefix(deployment.public_url)
    sent = browser.post(deployment.url + path, headers=site, allow_redirects=False, timeout=20)
    form = deployment.decide(sent.headers["Location"], person)
    back = browser.post(
        f"{deployment.url}/sign-in/apple/callback", data=form, allow_redirects=False, timeout=20,
        headers={"Cookie": sent.headers["Set-Cookie"].split(";")[0]})
    ending = browser.get(
        deployment.url + back.headers["Location"].removesuffix("/done") + "/return", allow_redirects=False, timeout=20,
        headers={"Cookie": sent.headers["Set-Cookie"].split(";")[0]})
    handle = re.search(r"[?&]handle=([^&]+)", ending.headers["Location"])[1]
    credential = call("post", "/v1/authorizations/redeem", {"handle": handle, "codeVerifier": verifier})
    assert credential["state"] == "s"
    call("post", "/v1/authorizations/redeem", {"handle": handle, "codeVerifier": verifier}, status=401)
    call("post", "/v1/authorizations/cancel", {"id": "tea", "codeVerifier": verifier}, status=204)


def notifications(call, deployment):
    call("post", "/apple/notifications", {"payload": "tea"}, status=400)
    token = deployment.proof(deployment.add_person())["identityToken"]
    assert problem(call("post", "/apple/notifications", {"payload": token}, status=401)) == "not_a_notification"
    person = deployment.add_person()
    call("post", "/v1/sign-in/apple", deployment.proof(person))
    sent = deployment.emulator.call("notifications", {"type": "email-disabled", "person": person, "clientID": CLIENT})
    call("post", "/apple/notifications", {"payload": sent["payload"]})


def providers(call, session):
    # This server knows no other provider than Apple, so it lacks these calls. `test_providers.py` signs in with two providers.
    body = {"identityToken": "tea", "nonce": "a nonce of sixteen characters"}
    for path in ["/v1/sign-in/{provider}", "/v1/link/{provider}", "/v1/reauthenticate/{provider}"]:
        refusal = call("post", path, body, at="tea", headers=bearer(session), status=404)
        assert problem(refusal) == "not_found"


def passwords(call):
    # This server sends no mail, and so takes no passwords.
    for path in sorted(
            path for (_, path) in SERVICE.operations() if path.startswith(("/v1/sign-up", "/v1/password", "/v1/email-links", "/v1/link/password"))
            or path in {"/v1/sign-in/password", "/v1/sign-in/link", "/v1/sign-in/link/finish",
                        "/v1/reauthenticate/password", "/v1/account/upgrade"}):
        assert problem(call("post", path, {}, status=404)) == "passwords_off"


def problem(answer):
    return answer["error"]["code"]


def test_what_is_not_in_the_file_is_answered_as_it_says(deployment):
    for method, path, named in [("GET", "/v1/tea", "NotFound"), ("PUT", "/v1/account", "MethodNotAllowed")]:
        answer = requests.request(method, deployment.url + path, timeout=20)
        response = SERVICE.document["components"]["responses"][named]
        SERVICE.check_answer({"responses": {str(answer.status_code): response}}, answer)

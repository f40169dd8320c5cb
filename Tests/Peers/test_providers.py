"""`siwa serve` signs people in with OpenID Providers that others wrote, by discovery alone: oidc-provider-mock, which comes
back by a query, and one made with idpyoidc, which demands more (see idpyoidc_provider.py)."""

import base64
import hashlib
import html
import json
import re
import secrets
import urllib.parse

import pytest
import requests

from browser import Browser, Forms
from deployment import DEADLINE, Database, Deployment, error
from openid_providers import provider, providers
from test_oidc_provider_mock import free_port


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def service(request, running, tmp_path_factory):
    """An account service that has both providers, and what an operator and an app have of it."""
    running.call("reset", {})
    folder = tmp_path_factory.mktemp("providers")
    mock_port, idpy_port, port = free_port(), free_port(), free_port()
    settings, public = providers(folder, mock_port, idpy_port)
    url = f"http://localhost:{port}"
    config = folder / "siwa.json"
    config.write_text(json.dumps({
        "apps": {"juice": {
            "name": "Juice", "services-id": "com.example.juice.web", "bundle-ids": ["com.example.juice"],
            "return-targets": ["loopback"]}},
        "providers": settings}))
    deployment = Deployment(running, folder, getattr(Database, request.param)(folder), public_url=url)
    deployment.environment["SIWA_PORT"] = str(port)
    deployment.arguments = ["--config", str(config)]
    with (
        provider("-m", "oidc_provider_mock", "--port", str(mock_port), port=mock_port) as mock,
        provider("idpyoidc_provider.py", str(idpy_port), f"{url}/sign-in/idpy/callback", str(public),
                 port=idpy_port),
        deployment.server(),
    ):
        requests.put(f"{mock}/users/jo", json={"email": "jo@example.org", "email_verified": True}, timeout=DEADLINE)
        deployment.url, deployment.config = url, config
        yield deployment


def at_mock(browser, page, person="jo"):
    """The person says yes at oidc-provider-mock. The address to which it leads."""
    answer = browser.session.post(page.url, data={"sub": person}, allow_redirects=False, timeout=DEADLINE)
    assert answer.status_code == 302, answer.text
    return answer.headers["Location"]


def at_idpy(browser, page):
    """The person signs in at the other provider. Its form brings the answer, which a script would send."""
    form = Forms(page.text).all[0]
    page = browser.session.post(urllib.parse.urljoin(page.url, form.action), data=form.fields, timeout=DEADLINE)
    form = Forms(page.text).all[0]
    return browser.session.post(form.action, data=form.fields, timeout=DEADLINE)


def follow(browser, page):
    """Follows the header by which a page leads on by itself."""
    if (leads_on := page.headers.get("Refresh")) is None:
        return page
    return browser.open(urllib.parse.urljoin(page.url, leads_on.partition("url=")[2]))


def authorize(service, name, nonce, redirect_uri):
    """An app's authorization, up to the provider's page."""
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    begun = requests.post(f"{service.url}/v1/authorizations", json={
        "app": "juice", "redirectURI": redirect_uri, "codeChallenge": challenge, "scope": "name email",
        "nonce": nonce, "state": "a state", "provider": name}, timeout=DEADLINE)
    assert begun.status_code == 200, begun.text
    browser = Browser()
    page = browser.open(begun.json()["url"])
    assert f"Continue with {name.capitalize()}" in page.text
    clicked = browser.session.post(page.url, headers={"Origin": service.url}, timeout=DEADLINE)
    return browser, follow(browser, clicked), verifier


def redeem(service, browser, page, verifier):
    """From the authorization's last page: the credential that the app gets."""
    returned = browser.session.get(
        urllib.parse.urljoin(page.url, page.headers["Refresh"].partition("url=")[2]), allow_redirects=False,
        timeout=DEADLINE).headers["Location"]
    handle = urllib.parse.parse_qs(urllib.parse.urlsplit(returned).query)["handle"][0]
    answer = requests.post(
        f"{service.url}/v1/authorizations/redeem", json={"handle": handle, "codeVerifier": verifier},
        timeout=DEADLINE)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_a_browser_signs_in_at_the_mock_and_comes_back_to_the_same_account(service):
    shown = []
    for _ in range(2):
        browser = Browser()
        page = browser.open(at_mock(browser, browser.open(f"{service.url}/sign-in/mock")))
        assert urllib.parse.urlsplit(page.url).path == "/account", page.text
        assert "code=" not in page.url
        assert "with Mock<" in page.text
        shown.append(re.search(r'href="/account/links/(idn_\w+)/remove"|id="(idn_\w+)"', browser.open(
            f"{service.url}/account/links").text)[0])
    assert shown[0] == shown[1]


def test_a_browser_signs_in_at_the_stricter_provider_by_its_form_and_the_services_key(service):
    browser = Browser()
    page = at_idpy(browser, browser.open(f"{service.url}/sign-in/idpy"))
    assert urllib.parse.urlsplit(page.url).path == "/account", page.text
    assert "Diana Krall" in page.text and "diana@example.org" in html.unescape(page.text.replace("<wbr>", ""))


@pytest.mark.parametrize("name", ["mock", "idpy"])
def test_an_app_signs_in_in_the_browser_and_then_links_and_proves(service, name):
    raw = secrets.token_urlsafe(24)
    redirect_uri = "http://127.0.0.1:9/back"
    browser, page, verifier = authorize(service, name, hashlib.sha256(raw.encode()).hexdigest(), redirect_uri)
    ended = browser.open(at_mock(browser, page, "app")) if name == "mock" else at_idpy(browser, page)
    credential = redeem(service, browser, ended, verifier)
    assert credential["state"] == "a state" and credential["authorizationCode"] is None
    proof = {"identityToken": credential["identityToken"], "nonce": raw}
    signed_in = requests.post(f"{service.url}/v1/sign-in/{name}", json=proof, timeout=DEADLINE)
    assert signed_in.status_code == 200, signed_in.text
    again = requests.post(f"{service.url}/v1/sign-in/{name}", json=proof, timeout=DEADLINE)
    assert error(again) == "token_already_used"
    elsewhere = "idpy" if name == "mock" else "mock"
    assert error(requests.post(f"{service.url}/v1/sign-in/{elsewhere}", json=proof, timeout=DEADLINE)) \
        == "invalid_provider_token"

    bearer = {"Authorization": f"Bearer {signed_in.json()['session']['accessToken']}"}
    challenge = requests.post(
        f"{service.url}/v1/challenges", json={"purpose": "reauthenticate"}, headers=bearer, timeout=DEADLINE)
    nonce = challenge.json()["nonce"]
    browser, page, verifier = authorize(service, name, nonce, redirect_uri)
    ended = browser.open(at_mock(browser, page, "app")) if name == "mock" else at_idpy(browser, page)
    credential = redeem(service, browser, ended, verifier)
    proven = requests.post(
        f"{service.url}/v1/reauthenticate/{name}", headers=bearer, timeout=DEADLINE,
        json={"identityToken": credential["identityToken"], "nonce": nonce})
    assert proven.status_code == 200, proven.text


def test_one_providers_answer_ends_nothing_that_was_begun_at_the_other_one(service):
    browser = Browser()
    location = at_mock(browser, browser.open(f"{service.url}/sign-in/mock"))
    query = urllib.parse.urlsplit(location).query
    wrong = browser.open(f"{service.url}/sign-in/idpy/callback?{query}")
    assert not wrong.ok and "/account" not in wrong.url
    assert browser.open(location).ok, "the attempt is as good as before"
    assert not browser.open(location).ok, "and counts once"


def test_the_doctor_finds_both_providers_well(service):
    told = service.command("doctor", "--config", str(service.config), "--json")
    checks = [check for check in json.loads(told.stdout)["checks"] if check["name"] in ("mock", "idpy")]
    assert {check["name"] for check in checks} == {"mock", "idpy"}
    assert not [check for check in checks if check["outcome"] == "failed"], checks
    hints = [hint["text"] for check in checks for hint in check["hints"]]
    assert f"register {service.url}/sign-in/mock/callback there, byte for byte" in hints

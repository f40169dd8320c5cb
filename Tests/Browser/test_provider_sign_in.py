"""A person signs in with another provider than Apple, in a real browser: oidc-provider-mock comes back by a query, and idpyoidc's
by a form that a script posts from its own site."""

import json
import urllib.parse

import pytest
from playwright.sync_api import expect

from served import free_port

# Modules of the tests with other people's software. `served` has put their folders on the path.
from deployment import Database, Deployment  # noqa: E402
from emulator import Emulator  # noqa: E402
from openid_providers import provider, providers  # noqa: E402


class Site:
    """`siwa serve` on localhost, whose providers are on 127.0.0.1: another site, as browsers see it."""

    def __init__(self, service, mock, idpy):
        self.service, self.mock, self.idpy = service, mock, idpy


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("providers")
    port, mock_port, idpy_port = free_port(), free_port(), free_port()
    service = f"http://localhost:{port}"
    settings, public = providers(folder, mock_port, idpy_port)
    config = folder / "siwa.json"
    config.write_text(json.dumps({"providers": settings}))
    with Emulator(folder, "--return-url", f"{service}/sign-in/apple/callback") as emulator:
        deployment = Deployment(emulator, folder, Database.sqlite(folder), public_url=service)
        deployment.environment["SIWA_PORT"] = str(port)
        deployment.arguments = ["--config", str(config)]
        with (
            provider("-m", "oidc_provider_mock", "--port", str(mock_port), port=mock_port) as mock,
            provider("idpyoidc_provider.py", str(idpy_port), f"{service}/sign-in/idpy/callback", str(public),
                     port=idpy_port) as idpy,
            deployment.server(),
        ):
            yield Site(service, mock, idpy)


@pytest.fixture(params=["with JavaScript", "without JavaScript"])
def page(browser, request):
    context = browser.new_context(java_script_enabled=request.param == "with JavaScript")
    yield context.new_page()
    context.close()


@pytest.fixture
def page_with_scripts(browser):
    context = browser.new_context()
    yield context.new_page()
    context.close()


def cookies(page):
    return {cookie["name"]: cookie for cookie in page.context.cookies()}


def note_addresses(page):
    """The addresses of all requests from now on."""
    addresses = []
    page.on("request", lambda request: addresses.append(request.url))
    return addresses


def sign_in_at_mock(page, site, person):
    page.goto(site.service)
    page.get_by_role("link", name="Sign in with Mock").click()
    answer_at_mock(page, person)


def answer_at_mock(page, person):
    expect(page.get_by_role("heading", name="Authorize Client")).to_be_visible()
    page.get_by_placeholder("sub").fill(person)
    page.get_by_role("button", name="Authorize", exact=True).click()


def expect_account(page, site, words):
    expect(page.get_by_text(words).first).to_be_visible()
    assert urllib.parse.urlsplit(page.url).path == "/account" and page.url.startswith(site.service), page.url


def test_a_query_brings_a_session_and_no_secret_stays_in_an_address(page, site):
    addresses = note_addresses(page)
    sign_in_at_mock(page, site, "jo")
    expect_account(page, site, "with Mock")
    session, browser = cookies(page)["__Host-siwa-session"], cookies(page)["__Host-siwa-browser"]
    assert (session["sameSite"], session["secure"], session["httpOnly"]) == ("Lax", True, True)
    assert (browser["sameSite"], browser["secure"], browser["httpOnly"]) == ("None", True, True)
    # The provider chose the query. It has the code, which counts once, and nothing after it has.
    ours = [address for address in addresses if address.startswith(site.service)]
    with_query = [address for address in ours if "?" in address]
    assert [urllib.parse.urlsplit(address).path for address in with_query] == ["/sign-in/mock/callback"], ours
    assert ours.index(with_query[0]) < len(ours) - 1
    again = page.goto(with_query[0])
    assert again.status == 400
    expect(page.get_by_role("heading", name="This sign-in is over")).to_be_visible()


def test_a_form_from_another_site_brings_a_session(page_with_scripts, site):
    page = page_with_scripts
    addresses = note_addresses(page)
    page.goto(site.service)
    page.get_by_role("link", name="Sign in with Idpy").click()
    page.get_by_role("button", name="Sign in as Diana").click()
    expect(page.get_by_role("heading", name="Diana Krall")).to_be_visible()
    assert cookies(page)["__Host-siwa-session"]["sameSite"] == "Lax"
    for address in addresses:
        assert not address.startswith(site.service) or "?" not in address, address


def test_a_link_leads_on_by_itself_under_the_policy_of_the_page(page, site, request):
    # Each run of the test has people of its own, since both ask one service.
    kim = f"kim {request.node.callspec.id}"
    sign_in_at_mock(page, site, kim)
    expect_account(page, site, "with Mock")
    refused = []
    page.on("console", lambda message: refused.append(message.text) if "Content Security" in message.text else None)
    page.goto(site.service + "/account/links")
    page.get_by_role("button", name="Continue with Mock").click()
    answer_at_mock(page, f"{kim} at home")
    expect(page.get_by_text("You can sign in with it from now on.")).to_be_visible()
    assert not refused
    # The provider answers with somebody who opens the account already.
    page.get_by_role("button", name="Continue with Mock").click()
    answer_at_mock(page, kim)
    expect(page.get_by_text("Nothing was added.")).to_be_visible()


def test_a_link_from_another_site_lets_the_person_choose(page_with_scripts, site):
    """A site that leads the browser to the sign-in can't have a provider answer without the person."""
    page = page_with_scripts
    asked = note_addresses(page)
    page.goto(site.mock)
    page.set_content(f'<a href="{site.service}/sign-in/mock">Win a prize</a>')
    page.get_by_role("link", name="Win a prize").click()
    expect(page.get_by_role("heading", name="Authorize Client")).to_be_visible()
    assert "prompt=select_account" in [address for address in asked if "code_challenge=" in address][-1]


def test_another_browser_cannot_end_a_sign_in_and_does_not_spoil_it(browser, page, site):
    page.goto(site.service)
    page.get_by_role("link", name="Sign in with Mock").click()
    expect(page.get_by_role("heading", name="Authorize Client")).to_be_visible()
    answer = page.context.request.post(page.url, form={"sub": "lee"}, max_redirects=0)
    callback = answer.headers["location"]
    assert callback.startswith(f"{site.service}/sign-in/mock/callback?"), callback
    other = browser.new_context()
    stranger = other.new_page()
    assert stranger.goto(callback).status == 400
    assert "__Host-siwa-session" not in cookies(stranger)
    other.close()
    page.goto(callback)
    expect_account(page, site, "with Mock")

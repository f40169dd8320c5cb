"""The service's own sign-in page with Apple's script: service on localhost, emulator on 127.0.0.1."""

import contextlib
import json

import pytest
from playwright.sync_api import expect

from conftest import Demo, Person


@pytest.fixture(params=["popup", "redirect"])
def mode(request):
    return request.param


@pytest.fixture
def visitor(browser, tmp_path, mode):
    with Demo(tmp_path, "--script", mode) as demo:
        context = browser.new_context()
        yield Person(context.new_page(), demo)
        context.close()


def sheet(visitor, mode):
    """Clicks the button and gives the window in which the sheet is."""
    visitor.page.goto(visitor.demo.service + "/")
    button = visitor.page.get_by_role("link", name="Sign in with Apple")
    if mode == "redirect":
        button.click()
        return visitor.page
    with visitor.page.expect_popup() as opened:
        button.click()
    return opened.value


def choose(window, decision, person="Johnny Appleseed"):
    window.get_by_role("button", name=person).click()
    window.get_by_role("button", name=decision, exact=True).click()


def watch_policy(page):
    page.add_init_script(
        "window.violations = [];"
        "document.addEventListener('securitypolicyviolation', (event) => violations.push(event.violatedDirective));")


def test_sign_in_with_the_script(visitor, mode):
    requests = []
    watch_policy(visitor.page)
    visitor.page.context.on("request", lambda request: requests.append((request.method, request.url)))
    window = sheet(visitor, mode)
    if mode == "popup":
        assert visitor.page.evaluate("violations") == []
    # The page may have gone on to the account before the popup is closed.
    with window.expect_event("close") if mode == "popup" else contextlib.nullcontext():
        choose(window, "Continue")
    expect(visitor.page).to_have_url(visitor.demo.service + "/account")
    expect(visitor.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    service = visitor.demo.service
    assert ("POST", service + "/sign-in/apple") in requests
    assert ("GET", service + "/sign-in/apple") not in requests
    assert requests.count(("POST", service + "/sign-in/apple/callback")) == 1
    assert not [url for _, url in requests if url.startswith(service) and "?" in url], "no secret in an address"
    assert len(visitor.page.context.pages) == 1, "the popup is closed"
    session = visitor.cookies()["__Host-siwa-session"]
    assert (session["sameSite"], session["secure"], session["httpOnly"]) == ("Lax", True, True)

    # Later there is nothing to edit, and the session is a new one.
    visitor.page.get_by_role("button", name="Sign out").click()
    window = sheet(visitor, mode)
    choose(window, "Continue")
    expect(visitor.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    assert visitor.cookies()["__Host-siwa-session"]["value"] != session["value"]


def test_cancel_with_the_script(visitor, mode):
    choose(sheet(visitor, mode), "Cancel")
    expect(visitor.page.get_by_role("heading", name="cancelled")).to_be_visible()
    assert "__Host-siwa-session" not in visitor.cookies()


@pytest.mark.parametrize("mode", ["popup"], indirect=True)
def test_a_closed_popup_changes_nothing_and_the_next_click_works(visitor, mode):
    sheet(visitor, mode).close()
    button = visitor.page.get_by_role("link", name="Sign in with Apple")
    expect(button).to_be_visible()
    with visitor.page.expect_popup() as opened:
        button.click()
    choose(opened.value, "Continue")
    expect(visitor.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()


@pytest.mark.parametrize("mode", ["popup"], indirect=True)
def test_a_blocked_popup_leads_to_the_link(visitor, mode):
    visitor.page.add_init_script("window.open = () => null")
    visitor.page.goto(visitor.demo.service + "/")
    visitor.page.get_by_role("link", name="Sign in with Apple").click()
    expect(visitor.page.get_by_text("This is not Apple")).to_be_visible()
    choose(visitor.page, "Continue")
    expect(visitor.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()


@pytest.mark.parametrize("mode", ["popup"], indirect=True)
@pytest.mark.parametrize("missing", ["**/appleid.auth.js", "**/assets/sign-in-*.js"])
def test_without_one_of_the_scripts_the_button_is_a_link(visitor, mode, missing):
    visitor.page.route(missing, lambda route: route.abort())
    visitor.page.goto(visitor.demo.service + "/")
    visitor.page.get_by_role("link", name="Sign in with Apple").click()
    expect(visitor.page.get_by_text("This is not Apple")).to_be_visible()


@pytest.mark.parametrize("mode", ["popup"], indirect=True)
def test_another_page_cannot_begin_or_end_it(visitor, mode):
    # From the emulator's site, which is another than the service's.
    visitor.page.goto(visitor.demo.emulator + "/emulator/portal")
    answer = visitor.page.evaluate(
        """async (url) => {
          try { return (await fetch(url, {method: 'POST', credentials: 'include'})).status; } catch (error) { return 'stopped'; }
        }""", visitor.demo.service + "/sign-in/apple")
    assert answer == "stopped"
    assert "__Host-siwa-browser" not in visitor.cookies()


@pytest.mark.parametrize("mode", ["popup"], indirect=True)
def test_a_message_that_is_not_the_popups_signs_nobody_in(visitor, mode):
    window = sheet(visitor, mode)
    posted = []
    visitor.page.on("request", lambda request: posted.append(request.url) if request.method == "POST" else None)
    forged = json.dumps({"method": "oauthDone", "data": {"authorization": {
        "code": "forged", "id_token": "a.b.c", "state": "forged"}}})
    # From the page's own origin, and from a window of another site that has a hold of it.
    visitor.page.evaluate("text => window.postMessage(text, '*')", forged)
    with visitor.page.context.expect_page() as opened:
        visitor.page.evaluate("url => { window.open(url) }", visitor.demo.emulator + "/emulator/portal")
    opened.value.evaluate("text => window.opener.postMessage(text, '*')", forged)
    assert posted == []
    choose(window, "Continue")
    expect(visitor.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    assert posted == [visitor.demo.service + "/sign-in/apple/callback"]


def test_the_scripts_are_on_no_other_page(visitor, mode):
    choose(sheet(visitor, mode), "Continue")
    expect(visitor.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    expect(visitor.page.locator("script")).to_have_count(0)
    visitor.page.goto(visitor.demo.service + "/")
    expect(visitor.page.get_by_text("Welcome back")).to_be_visible()
    expect(visitor.page.locator("script")).to_have_count(0)

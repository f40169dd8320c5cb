"""A person signs in with Apple: service on localhost, emulator on 127.0.0.1, two sites to the browser."""

import re
import subprocess
import time

from playwright.sync_api import expect

from conftest import Demo, Person
from running import SIWA


def test_sign_in_sign_out_and_in_again(person):
    page = person.page
    person.begin()
    person.choose("Johnny Appleseed")
    expect(page.get_by_label("First name")).to_have_value("Johnny")
    page.get_by_label("Hide my email").check()
    person.decide("Continue")

    expect(page).to_have_url(person.demo.service + "/account")
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    expect(page.get_by_text(re.compile(r"^[a-z0-9]+@privaterelay\.appleid\.com$"))).to_be_visible()
    expect(page.get_by_text("Hidden by Apple")).to_be_visible()

    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_role("heading", name="You are signed out")).to_be_visible()
    expect(page.get_by_role("link", name="Sign in with Apple")).to_be_visible()
    assert "__Host-siwa-session" not in person.cookies()
    page.goto(person.demo.service + "/account")
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_have_count(0)

    # Apple gives the name once: nothing to edit any more, and yet it is still there.
    person.begin()
    person.choose("Johnny Appleseed")
    expect(page.get_by_label("First name")).to_have_count(0)
    expect(page.get_by_label("Hide my email")).to_have_count(0)
    person.decide("Continue")
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    expect(page.get_by_text("Hidden by Apple")).to_be_visible()


def test_a_deep_link_survives_the_sign_in(person):
    for path in ["/account/sessions", "/account/export", "/account/delete"]:
        person.begin(path)
        person.choose("Johnny Appleseed")
        person.decide("Continue")
        expect(person.page).to_have_url(person.demo.service + path)
        person.page.context.clear_cookies()


def test_cancel_shows_a_friendly_page(person):
    person.begin()
    person.choose("Johnny Appleseed")
    person.decide("Cancel")
    expect(person.page.get_by_role("heading", name="cancelled")).to_be_visible()
    assert "__Host-siwa-session" not in person.cookies()
    # From there the way leads back.
    person.page.get_by_role("link", name=re.compile("sign in|try again", re.IGNORECASE)).first.click()
    expect(person.page.get_by_role("link", name="Sign in with Apple")).to_be_visible()


def test_an_edited_name_and_a_shared_address(person):
    page = person.page
    person.begin()
    person.choose("Zoë")
    page.get_by_label("First name").fill("<b>Zoë</b>")
    page.get_by_label("Last name").fill("Ö. \"&\" 'L'")
    page.get_by_label("Share my email").check()
    person.decide("Continue")
    expect(page.get_by_role("heading", name="<b>Zoë</b> Ö. \"&\" 'L'")).to_be_visible()
    expect(page.get_by_text("zoe.oezdemir@example.org")).to_be_visible()
    expect(page.get_by_text("Hidden by Apple")).to_have_count(0)


def test_cookies_are_as_strict_as_they_can_be(person):
    before = time.time()
    person.begin()
    browser = person.cookies()["__Host-siwa-browser"]
    assert (browser["sameSite"], browser["secure"], browser["httpOnly"], browser["path"]) == ("None", True, True, "/")
    assert 1000 < browser["expires"] - before <= 1040
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    session = person.cookies()["__Host-siwa-session"]
    assert (session["sameSite"], session["secure"], session["httpOnly"], session["path"]) == ("Lax", True, True, "/")
    # A second sign-in makes a new session, and the old one is dead.
    person.page.goto(person.demo.service + "/sign-in/apple")
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    assert person.cookies()["__Host-siwa-session"]["value"] != session["value"]
    person.page.context.add_cookies([session])
    person.page.goto(person.demo.service + "/account")
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_have_count(0)


def test_no_secret_ever_stands_in_an_address(person):
    addresses = []
    person.page.on("request", lambda request: addresses.append(request.url))
    person.begin()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    ours = [address for address in addresses if address.startswith(person.demo.service)]
    assert ours
    for address in ours:
        assert "?" not in address, address


def test_two_tabs_sign_in_side_by_side(person):
    page = person.page
    person.begin()
    second = Person(page.context.new_page(), person.demo, person.has_script)
    second.begin()
    for tab in [person, second]:
        tab.choose("Johnny Appleseed")
        tab.decide("Continue")
        expect(tab.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()


def test_a_return_path_is_kept_and_never_leads_elsewhere(person):
    for wanted, arrived in [("/account%3Ffrom=mail", "/account?from=mail"), ("//evil.example", "/account")]:
        person.page.context.clear_cookies()
        answer = person.page.goto(person.demo.service + "/sign-in/apple?return=" + wanted)
        if not answer.url.startswith(person.demo.emulator):
            assert answer.status == 400
            continue
        person.choose("Johnny Appleseed")
        person.decide("Continue")
        expect(person.page).to_have_url(person.demo.service + arrived)


def test_a_browser_that_keeps_no_cookies_is_told_why(browser, demo):
    context = browser.new_context()
    person = Person(context.new_page(), demo)
    person.begin()
    context.clear_cookies()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(person.page.get_by_text(re.compile("cookie", re.IGNORECASE)).first).to_be_visible()
    assert "__Host-siwa-session" not in person.cookies()
    context.close()


def test_state_is_kept_in_a_data_folder(browser, tmp_path):
    folder = str(tmp_path / "data")
    context = browser.new_context()
    page = context.new_page()
    with Demo(tmp_path / "first", "--data", folder) as demo:
        person = Person(page, demo)
        person.begin()
        person.choose("Johnny Appleseed")
        page.get_by_label("First name").fill("Jonathan")
        person.decide("Continue")
        expect(page.get_by_role("heading", name="Jonathan Appleseed")).to_be_visible()
    context.clear_cookies()
    with Demo(tmp_path / "second", "--data", folder) as demo:
        person = Person(page, demo)
        person.begin()
        person.choose("Johnny Appleseed")
        expect(page.get_by_label("First name")).to_have_count(0)
        person.decide("Continue")
        expect(page.get_by_role("heading", name="Jonathan Appleseed")).to_be_visible()
    context.close()


def test_a_second_demo_is_kept_away_from_a_data_folder(tmp_path):
    folder = str(tmp_path / "data")
    with Demo(tmp_path / "first", "--data", folder):
        second = subprocess.run(
            [SIWA, "demo", "--port", "0", "--emulator-port", "0", "--data", folder], capture_output=True, text=True,
            timeout=20)
        assert second.returncode == 1
        assert "another demo is running" in second.stderr

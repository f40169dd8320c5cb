"""The emulator's own pages: the sheet, the steps before it, and a person's settings."""

import json
import re

import pytest
from playwright.sync_api import expect

from barriers import assert_fits, small_screen
from emulator_visit import App, Emulator, Visitor

WITH_PASSWORD = {"SIWA_EMULATE_ASK_PASSWORD": "true"}


@pytest.fixture
def app():
    with App() as running:
        yield running


@pytest.fixture
def emulator(app):
    with Emulator(app) as running:
        yield running


@pytest.fixture
def asking(app):
    """An emulator that asks for passwords."""
    with Emulator(app, environment=WITH_PASSWORD) as running:
        yield running


@pytest.fixture(params=["with JavaScript", "without JavaScript"])
def enter(browser, request):
    """Opens a fresh browser profile in front of an emulator."""
    has_script = request.param == "with JavaScript"
    context = browser.new_context(java_script_enabled=has_script)
    yield lambda emulator: Visitor(context.new_page(), emulator, has_script)
    context.close()


def test_the_sheet_by_keyboard_alone(enter, emulator):
    visitor = enter(emulator)
    page, keys = visitor.page, visitor.page.keyboard
    visitor.begin()
    visitor.tab_to(page.get_by_role("button", name="Δάφνη"))
    keys.press("Enter")
    visitor.tab_to(page.get_by_label("First name"))
    keys.type("Daphne")  # Tab selects what is there.
    visitor.tab_to(page.get_by_label("Last name"))
    keys.press("Delete")
    visitor.tab_to(page.get_by_role("radio", name="dafni@example.net"))
    keys.press("ArrowDown")
    expect(page.get_by_role("radio", name="papadopoulou@example.org")).to_be_checked()
    visitor.tab_to(page.get_by_role("button", name="Continue"))
    keys.press("Space")
    if not visitor.has_script:
        visitor.tab_to(page.get_by_role("button", name="Continue to localhost"))
        keys.press("Enter")
    answer = visitor.arrive()
    assert answer["state"] == "state-1"
    assert json.loads(answer["user"]) == {
        "name": {"firstName": "Daphne", "lastName": ""}, "email": "papadopoulou@example.org"}


def test_enter_in_a_field_continues_and_does_not_cancel(enter, emulator):
    visitor = enter(emulator)
    visitor.begin()
    visitor.choose("Johnny")
    visitor.page.get_by_label("First name").press("Enter")
    if not visitor.has_script:
        visitor.page.get_by_role("button", name="Continue to localhost").click()
    assert "code" in visitor.arrive()


def test_what_a_screen_reader_says_of_the_sheet(enter, emulator):
    page = (visitor := enter(emulator)).page
    visitor.begin()
    expect(page.get_by_role("banner")).to_contain_text("This is not Apple")
    expect(page.get_by_role("main").get_by_role("list").get_by_role("button")).to_have_count(6)
    visitor.choose("Johnny")
    expect(page.get_by_role("main")).to_match_aria_snapshot("""
      - main:
        - heading "Sign in to Juice" [level=1]
        - group "Name":
          - textbox "First name": Johnny
          - textbox "Last name": Appleseed
        - group "Email":
          - radio "Share my email johnny@example.com" [checked]
          - radio /Hide my email .+@privaterelay.appleid.com/
        - button "Continue"
        - button "Cancel"
        - paragraph:
          - link "Use another account"
    """)
    expect(page.get_by_label("First name")).to_have_accessible_description(re.compile("leave it empty"))


def test_the_second_time_there_is_nothing_to_edit(enter, emulator):
    visitor = enter(emulator)
    for is_first in [True, False]:
        visitor.begin()
        visitor.choose("Johnny")
        fields = visitor.page.get_by_role("textbox").or_(visitor.page.get_by_role("radio"))
        expect(fields).to_have_count(4 if is_first else 0)
        expect(visitor.page.get_by_text("johnny@example.com").first).to_be_visible()
        assert ("user" in visitor.decide("Continue")) == is_first


@pytest.mark.parametrize("steps", [[], ["Johnny Appleseed"], ["Otto Keller"]])
def test_cancel_is_always_there(enter, emulator, steps):
    visitor = enter(emulator)
    visitor.begin()
    for name in steps:
        visitor.choose(name)
    assert visitor.decide("Cancel") == {"error": "user_cancelled_authorize", "state": "state-1"}


def test_cancel_is_there_in_the_steps_before_the_sheet(enter, asking):
    visitor = enter(asking)
    for has_password in [False, True]:
        visitor.begin()
        visitor.choose("Johnny")
        if has_password:
            visitor.page.get_by_label("Password").fill("x")
            visitor.press("Continue")
            expect(visitor.page.get_by_label("Verification code")).to_be_visible()
        assert visitor.decide("Cancel") == {"error": "user_cancelled_authorize", "state": "state-1"}


def test_somebody_without_two_factor_authentication_can_make_way(enter, emulator):
    visitor = enter(emulator)
    visitor.begin()
    visitor.choose("Otto Keller")
    expect(visitor.page.get_by_role("alert")).to_contain_text("two-factor")
    expect(visitor.page.get_by_role("button", name="Continue")).to_have_count(0)
    visitor.page.get_by_role("link", name="Use another account").click()
    visitor.choose("Ida")
    expect(visitor.page.get_by_role("radio")).to_have_count(1)
    assert "code" in visitor.decide("Continue")


def test_password_and_code_by_keyboard_alone_are_asked_for_once_a_browser(enter, asking):
    visitor = enter(asking)
    page, keys = visitor.page, visitor.page.keyboard
    visitor.begin()
    visitor.choose("Johnny")
    visitor.tab_to(page.get_by_label("Password"))
    keys.type("anything")
    keys.press("Enter")
    for digits, is_right in [("12345", False), ("123456", True)]:
        visitor.tab_to(page.get_by_label("Verification code"))
        keys.type(digits)
        keys.press("Enter")
        if not is_right:
            expect(page.get_by_role("alert")).to_have_text("A verification code has six digits.")
            expect(page.get_by_label("Verification code")).to_have_accessible_description(re.compile("six digits"))
    assert "code" in visitor.decide("Continue")
    visitor.begin()
    visitor.choose("Johnny")
    assert "code" in visitor.decide("Continue")
    visitor.begin()
    visitor.choose("Zoë")
    expect(page.get_by_label("Password")).to_be_visible()


def test_settings_show_an_app_and_stop_using_it(enter, emulator):
    visitor = enter(emulator)
    page = visitor.page
    emulator.sign_in("johnny", hideEmail=True)
    visitor.open_settings()
    page.get_by_role("link", name="Juice").click()
    expect(page.get_by_role("definition").filter(has_text="Johnny Appleseed")).to_be_visible()
    expect(page.get_by_text("@privaterelay.appleid.com (hidden)")).to_be_visible()
    visitor.press("Turn off forwarding")
    visitor.say("not forwarded any more")
    visitor.press("Turn on forwarding")
    visitor.say("forwarded again")
    visitor.press("Stop Using Apple Account")
    visitor.say("not used with this account any more")
    expect(page.get_by_text("None so far.")).to_be_visible()
    page.get_by_role("link", name="Mail").click()
    expect(page.get_by_role("heading", name="Inbox of Johnny Appleseed")).to_be_visible()
    assert [sent["type"] for sent in emulator.list("notifications")] == [
        "email-disabled", "email-enabled", "consent-revoked"]
    assert emulator.list("grants") == []
    visitor.begin()
    visitor.choose("Johnny")
    expect(page.get_by_label("First name")).to_be_visible()


def test_settings_delete_an_account_after_asking(enter, emulator):
    visitor = enter(emulator)
    page = visitor.page
    emulator.sign_in("johnny")
    visitor.open_settings()
    page.get_by_role("link", name="Delete the Apple Account").click()
    page.get_by_role("link", name="Keep the account").click()
    assert emulator.list("grants")
    page.get_by_role("link", name="Delete the Apple Account").click()
    visitor.press("Delete the Apple Account")
    visitor.say("is deleted")
    expect(page.get_by_role("button", name="Johnny")).to_have_count(0)
    assert emulator.list("grants") == []
    page.go_back()
    page.reload()
    expect(page.get_by_role("heading", name="This cannot go on")).to_be_visible()


def test_settings_change_a_password_that_is_asked_for_from_then_on(enter, asking):
    visitor = enter(asking)
    page = visitor.page
    visitor.open_settings()
    page.get_by_label("Password").fill("x")
    visitor.press("Continue")
    page.get_by_label("Verification code").fill("123456")
    visitor.press("Continue")
    page.get_by_role("link", name="Change the password").click()
    page.get_by_label("New password").fill("orchard")
    visitor.press("Change password")
    visitor.say("The password is changed")
    page.context.clear_cookies()
    visitor.open_settings()
    for password, is_right in [("x", False), ("orchard", True)]:
        page.get_by_label("Password").fill(password)
        visitor.press("Continue")
        expect(page.get_by_role("alert")).to_have_count(0 if is_right else 1)
    expect(page.get_by_label("Verification code")).to_be_visible()


def test_another_sites_page_cannot_use_the_settings(enter, emulator):
    visitor = enter(emulator)
    visitor.page.route("http://evil.example/", lambda route: route.fulfill(
        content_type="text/html",
        body=f'<form method="post" action="{emulator.url}/settings/delete">'
             '<input type="hidden" name="person" value="johnny"><button>Win</button></form>'))
    visitor.page.goto("http://evil.example/")
    visitor.press("Win")
    expect(visitor.page.get_by_text("from its own page only")).to_be_visible()
    visitor.open_settings()


def test_with_a_control_token_the_browser_asks_for_it(browser, app):
    token = "0123456789abcdef"
    with Emulator(app, environment={"SIWA_EMULATE_CONTROL_TOKEN": token}) as emulator:
        for password, is_right in [("wrong", False), (token, True)]:
            context = browser.new_context(http_credentials={"username": "me", "password": password})
            page = context.new_page()
            page.goto(emulator.url + "/settings")
            heading = "Settings" if is_right else "This cannot go on"
            expect(page.get_by_role("heading", name=heading)).to_be_visible()
            context.close()


def every_page(visitor, plain):
    """Leads the visitor from page to page; the second emulator asks for no password."""
    asking, page = visitor.emulator, visitor.page

    def follow(click, *target):
        """Clicks, and returns when the next page is there: all pages have the same frame."""
        with page.expect_navigation():
            click(*target)

    page.goto(asking.url)
    yield "about"
    page.goto(asking.authorize_url(scope="phone"))
    yield "refused request"
    page.goto(asking.url + "/nothing")
    yield "nothing there"
    page.goto(asking.url + "/settings")
    yield "settings: people"
    follow(visitor.choose, "Johnny")
    yield "password"
    page.get_by_label("Password").fill("x")
    follow(visitor.press, "Continue")
    yield "code"
    page.get_by_label("Verification code").fill("x")
    follow(visitor.press, "Continue")
    yield "wrong code"
    page.get_by_label("Verification code").fill("123456")
    follow(visitor.press, "Continue")
    yield "settings: no apps"
    follow(page.get_by_role("link", name="Change the password").click)
    yield "settings: new password"
    visitor.emulator = plain
    visitor.begin()
    yield "people"
    follow(visitor.choose, "Otto")
    yield "refused person"
    follow(page.get_by_role("link", name="Use another account").click)
    follow(visitor.choose, "Δάφνη")
    yield "sheet, first"
    visitor.begin(scope="")
    follow(visitor.choose, "Δάφνη")
    yield "sheet, nothing asked"
    plain.sign_in("dafni", hideEmail=True)
    visitor.begin()
    follow(visitor.choose, "Δάφνη")
    yield "sheet, later"
    page.route("**/assets/delivery.js", lambda route: route.abort())
    follow(visitor.press, "Continue")
    yield "delivery"
    page.goto(plain.url + "/settings")
    follow(visitor.choose, "Δάφνη")
    yield "settings: apps"
    follow(page.get_by_role("link", name="Juice").click)
    yield "settings: app"
    follow(visitor.press, "Turn off forwarding")
    yield "settings: no forwarding"
    page.goto(plain.url + "/settings/password?person=dafni")
    yield "settings: password, not asked"
    page.goto(plain.url + "/settings/delete?person=dafni")
    yield "settings: delete?"
    follow(visitor.press, "Delete the Apple Account")
    yield "settings: deleted"
    page.goto(plain.url + "/emulator/requests/page")
    yield "requests"
    page.goto(plain.url + "/settings/app?person=nobody&app=com.example.juice")
    yield "refused settings"


def test_no_page_has_a_barrier(browser, asking):
    """axe-core finds nothing, and nothing is cut off or needs scrolling sideways on a small screen."""
    with small_screen(browser) as page, Emulator(asking.app) as plain:
        visitor = Visitor(page, asking)
        errors = []
        page.on("console", lambda message: message.type == "error" and errors.append(message.text))
        for number, name in enumerate(every_page(visitor, plain)):
            expect(page.get_by_text("For tests. This is not Apple.")).to_be_visible()
            assert "not Apple" in page.title()
            assert_fits(page, name, f"{number:02}-{name}")
        # A policy that stops something of ours would say so here.
        assert not [text for text in errors if "Content Security Policy" in text]

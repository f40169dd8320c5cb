"""A person mends their profile, confirms an address, takes a change back, and withdraws what they agreed to."""

from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from barriers import assert_every_page_fits, small_screen
from conftest import Demo, Person
from demo_mail import link_in_mail
from served import served

# Johnny hides this address from the service. The emulator takes mail for the addresses of its people alone.
OWN_ADDRESS = "johnny@example.com"


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def demo(request, tmp_path):
    """The demo, and in its place a server on PostgreSQL."""
    with Demo(tmp_path) if request.param == "SQLite" else served(tmp_path) as running:
        yield running


def sign_in(person, hide=False, path="/"):
    person.begin(path)
    person.choose("Johnny Appleseed")
    if hide:
        person.page.get_by_label("Hide my email").check()
    person.decide("Continue")


def open_profile(person):
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    person.page.get_by_role("link", name="Your profile").click()
    expect(person.page.get_by_role("heading", name="Your profile")).to_be_visible()


def form(person, name):
    return person.page.get_by_role("form", name=name)


def ask_for_address(person, address=OWN_ADDRESS):
    contact = form(person, "Contact address")
    contact.get_by_role("textbox").fill(address)
    box = contact.get_by_role("checkbox")
    if box.count():
        box.check()
    contact.get_by_role("button", name="Send a link").click()
    expect(person.page.get_by_role("status")).to_contain_text("We have sent you a link.")


def test_a_name_and_a_number_are_changed_and_removed(person):
    sign_in(person)
    open_profile(person)
    name = form(person, "Name")
    name.get_by_label("First name").fill("Annie")
    name.get_by_text("More parts of the name").click()
    name.get_by_label("Nickname").fill("Ann")
    name.get_by_role("button", name="Save the name").click()
    expect(person.page.get_by_role("status")).to_have_text("Your profile is saved.")
    expect(form(person, "Name").get_by_label("Nickname")).to_have_value("Ann")

    phone = form(person, "Phone number")
    phone.get_by_role("textbox", name="Number").fill("030 123456")
    phone.get_by_role("button", name="Save the number").click()
    expect(person.page.get_by_role("alert")).to_contain_text("This is not a phone number")
    expect(form(person, "Phone number").get_by_role("textbox", name="Number")).to_have_value("030 123456")
    form(person, "Phone number").get_by_role("textbox", name="Number").fill("+49 (0) 30 12-34-56")
    form(person, "Phone number").get_by_role("button", name="Save the number").click()
    expect(form(person, "Phone number").get_by_role("textbox", name="Number")).to_have_value("+4930123456")

    person.page.get_by_role("link", name="Your account").click()
    expect(person.page.get_by_role("heading", name="Annie")).to_be_visible()
    expect(person.page.get_by_text("+4930123456")).to_be_visible()
    # Apple gives the name once more after the person has stopped using the app. The typed one stays.
    person.page.get_by_role("link", name="Your profile").click()
    form(person, "Phone number").get_by_role("button", name="Remove").click()
    expect(form(person, "Phone number").get_by_role("textbox", name="Number")).to_have_value("")


def test_who_hides_the_address_reads_and_agrees_before_anything_is_saved(person):
    sign_in(person, hide=True)
    open_profile(person)
    expect(person.page.get_by_role("region", name="Before you add more")).to_be_visible()
    phone = form(person, "Phone number")
    phone.get_by_role("textbox", name="Number").fill("+4930123456")
    phone.get_by_role("button", name="Save the number").click()
    # The browser doesn't send the form without the tick.
    expect(phone.get_by_role("checkbox")).to_be_focused()
    phone.get_by_role("checkbox").check()
    phone.get_by_role("button", name="Save the number").click()
    expect(person.page.get_by_role("status")).to_have_text("Your profile is saved.")
    expect(form(person, "Phone number").get_by_role("checkbox")).to_have_count(0)

    person.page.get_by_role("link", name="What you agreed to").click()
    expect(person.page.get_by_role("listitem")).to_have_count(1)
    person.page.get_by_text("Text of version 2").click()
    expect(person.page.get_by_text("You can withdraw your consent at any time")).to_be_visible()
    # A link says to a screen reader which consent it is about.
    person.page.get_by_role("link", name="Withdraw… Phone number").click()
    expect(person.page.get_by_text("+4930123456")).to_be_visible()
    person.page.get_by_role("button", name="Withdraw and remove").click()
    expect(person.page.get_by_text("Withdrawn on")).to_be_visible()
    person.page.goto(person.demo.service + "/account/profile")
    expect(form(person, "Phone number").get_by_role("textbox", name="Number")).to_have_value("")


def test_an_address_is_confirmed_by_its_link_in_another_browser_through_the_sign_in(person, browser):
    sign_in(person, hide=True)
    open_profile(person)
    ask_for_address(person)
    expect(person.page.get_by_text("Not confirmed yet")).to_be_visible()
    link = link_in_mail(person.demo, "/contact/")
    context = browser.new_context(java_script_enabled=person.has_script)
    try:
        other = Person(context.new_page(), person.demo, has_script=person.has_script)
        sign_in(other, path=link.removeprefix(person.demo.service))
        expect(other.page).to_have_url(link)
        expect(other.page.get_by_text(OWN_ADDRESS)).to_be_visible()
        other.page.get_by_role("button", name="Use this address").click()
        expect(other.page.get_by_role("status")).to_have_text("Your contact address is confirmed.")
        expect(other.page.get_by_text("Confirmed", exact=True)).to_be_visible()
        other.page.goto(link)
        expect(other.page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    finally:
        context.close()


def test_a_change_is_taken_back_by_the_link_in_the_mail_to_the_former_address(person, browser):
    sign_in(person, hide=True)
    open_profile(person)
    ask_for_address(person)
    person.page.goto(link_in_mail(person.demo, "/contact/"))
    person.page.get_by_role("button", name="Use this address").click()
    expect(person.page.get_by_role("status")).to_have_text("Your contact address is confirmed.")
    # There was none before, so Apple's relay forwards the mail.
    link = link_in_mail(person.demo, "/contact/take-back/")
    context = browser.new_context(java_script_enabled=person.has_script)
    try:
        stranger = context.new_page()
        stranger.goto(link)
        expect(stranger.get_by_role("heading", name="Take the change back?")).to_be_visible()
        stranger.get_by_role("button", name="Take it back").click()
        expect(stranger.get_by_role("heading", name="The change is taken back")).to_be_visible()
    finally:
        context.close()
    # The browser that asked for the change is signed out.
    person.page.goto(person.demo.service + "/account/profile")
    expect(person.page.get_by_role("link", name="Sign in with Apple")).to_be_visible()
    sign_in(person)
    open_profile(person)
    expect(person.page.get_by_text(OWN_ADDRESS)).to_have_count(0)


@contextmanager
def signed_in_elsewhere(person, browser):
    """Signs the same person in here, and then in another browser, which it gives."""
    sign_in(person)
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"
    context = browser.new_context(user_agent=agent)
    try:
        other = Person(context.new_page(), person.demo)
        sign_in(other)
        expect(other.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
        yield other
    finally:
        context.close()


def test_a_session_that_was_not_mine_is_ended_from_the_mail(person, browser):
    with signed_in_elsewhere(person, browser) as other:
        person.page.goto(link_in_mail(person.demo, "/sessions/not-me/"))
        expect(person.page.get_by_text("Firefox on Linux")).to_be_visible()
        person.page.get_by_role("button", name="Sign it out").click()
        expect(person.page).to_have_url(person.demo.service + "/account/sessions")
        expect(person.page.get_by_role("listitem")).to_have_count(1)
        other.page.goto(person.demo.service + "/account")
        expect(other.page.get_by_role("link", name="Sign in with Apple")).to_be_visible()


def test_a_device_that_is_signed_out_already_is_disowned_from_the_mail(person, browser):
    with signed_in_elsewhere(person, browser) as other:
        link = link_in_mail(person.demo, "/sessions/not-me/")
        other.page.get_by_role("button", name="Sign out", exact=True).click()
        expect(other.page.get_by_role("link", name="Sign in with Apple")).to_be_visible()
    person.page.goto(link)
    expect(person.page.get_by_text("Nobody is signed in on that device any more")).to_be_visible()
    person.page.get_by_role("button", name="It wasn’t me", exact=True).click()
    expect(person.page).to_have_url(person.demo.service + "/account/sessions")
    person.page.goto(link)
    expect(person.page.get_by_role("heading", name="It is signed out there")).to_be_visible()


def test_the_forms_are_filled_in_by_keyboard(person):
    sign_in(person, hide=True)
    open_profile(person)
    keyboard = person.page.keyboard
    form(person, "Name").get_by_label("First name").focus()
    for key in ["Tab", "Tab"]:
        keyboard.press(key)
    expect(person.page.locator("summary")).to_be_focused()
    for key in ["Tab", "Tab", "Tab"]:
        keyboard.press(key)
    # The text scrolls, so it takes the focus.
    expect(person.page.get_by_role("region", name="Before you add more")).to_be_focused()
    form(person, "Phone number").get_by_role("textbox", name="Number").focus()
    keyboard.type("+4930123456")
    keyboard.press("Tab")
    expect(form(person, "Phone number").get_by_role("checkbox")).to_be_focused()
    keyboard.press("Space")
    keyboard.press("Enter")
    expect(person.page.get_by_role("status")).to_have_text("Your profile is saved.")


@pytest.mark.parametrize("demo", ["SQLite"], indirect=True)
def test_no_page_of_the_profile_has_a_barrier(browser, demo):
    with small_screen(browser) as page:
        assert_every_page_fits(page, every_page(Person(page, demo)), "profile")


def every_page(person):
    page, service = person.page, person.demo.service
    sign_in(person, hide=True)
    open_profile(person)
    yield "profile with consent"
    page.goto(service + "/account/consents")
    yield "no consents"
    page.goto(service + "/account/profile")
    form(person, "Phone number").get_by_role("textbox", name="Number").fill("030")
    form(person, "Phone number").get_by_role("checkbox").check()
    form(person, "Phone number").get_by_role("button", name="Save the number").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "profile with a mistake"
    form(person, "Phone number").get_by_role("textbox", name="Number").fill("+4930123456")
    form(person, "Phone number").get_by_role("button", name="Save the number").click()
    expect(page.get_by_role("status")).to_be_visible()
    ask_for_address(person)
    yield "profile, sent"
    page.goto(link_in_mail(person.demo, "/contact/"))
    yield "confirm"
    page.get_by_role("button", name="Use this address").click()
    expect(page.get_by_role("status")).to_be_visible()
    yield "profile, confirmed"
    page.goto(service + "/account")
    yield "account"
    page.goto(service + "/account/consents")
    expect(page.get_by_role("listitem")).to_have_count(2)
    page.get_by_text("Text of version 2").click()
    yield "consents"
    page.get_by_role("link", name="Withdraw… Phone number").click()
    expect(page.get_by_role("heading", name="Withdraw your consent?")).to_be_visible()
    yield "withdraw"
    page.get_by_role("button", name="Withdraw and remove").click()
    expect(page.get_by_text("Withdrawn on")).to_be_visible()
    yield "consents, withdrawn"
    page.goto(link_in_mail(person.demo, "/contact/take-back/"))
    yield "take back"
    page.get_by_role("button", name="Take it back").click()
    expect(page.get_by_role("heading", name="The change is taken back")).to_be_visible()
    yield "taken back"
    page.goto(service + "/contact/take-back/nothing")
    yield "no link"
    agent = "Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0"
    context = page.context.browser.new_context(user_agent=agent)
    try:
        sign_in(Person(context.new_page(), person.demo))
        expect(context.pages[0].get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    finally:
        context.close()
    page.context.clear_cookies()
    page.goto(link_in_mail(person.demo, "/sessions/not-me/"))
    yield "not me"
    page.get_by_role("button", name="Sign it out").click()
    expect(page.get_by_role("heading", name="It is signed out there")).to_be_visible()
    yield "signed out there"

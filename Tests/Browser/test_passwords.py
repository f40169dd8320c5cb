"""A person without an Apple device signs up with an address, uses links and passwords, and then upgrades to Apple."""

import pytest
from playwright.sync_api import expect

from barriers import assert_every_page_of_a_demo_fits
from conftest import Demo, Person, make_stale
from demo_mail import link_in_mail, mails, new_mail
from served import served

# The emulator takes mail for the addresses of its people alone.
ADDRESS = "johnny@example.com"
PASSWORD = "violet otter, 42 stamps"
OTHER = "nine quiet umbrellas"


def sign_up(person, password=PASSWORD, name="Johnny"):
    page = person.page
    page.goto(person.demo.service + "/sign-in")
    page.get_by_role("link", name="Create an account").click()
    page.get_by_label("Email address").fill(ADDRESS)
    page.get_by_label("First name").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()


def open_link(person, besides=()):
    link = link_in_mail(person.demo, "/email-links/", besides=besides)
    person.page.goto(link)
    return link


def finish(person, password=PASSWORD):
    link = open_link(person)
    person.page.get_by_label("The password that you chose").fill(password)
    person.page.get_by_role("button", name="Finish and sign in").click()
    return link


def sign_in(person, password=PASSWORD, address=ADDRESS):
    page = person.page
    page.goto(person.demo.service + "/sign-in")
    page.get_by_label("Email address").fill(address)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()


def account_of(person, name="Johnny"):
    # A password is hashed at a low priority, which takes long while much else runs.
    expect(person.page.get_by_role("heading", name=name)).to_be_visible(timeout=20_000)


def test_a_person_signs_up_signs_out_and_signs_in(person):
    sign_up(person)
    link = finish(person, password="something else altogether")
    expect(person.page.get_by_role("alert")).to_have_text("The password is wrong.")
    person.page.get_by_label("The password that you chose").fill(PASSWORD)
    person.page.get_by_role("button", name="Finish and sign in").click()
    account_of(person)
    expect(person.page.get_by_text("with your email address")).to_be_visible()
    person.page.goto(link)
    expect(person.page.get_by_role("heading", name="This link no longer works")).to_be_visible()
    person.page.goto(person.demo.service + "/account")
    person.page.get_by_role("button", name="Sign out").click()
    sign_in(person, password="something else altogether")
    expect(person.page.get_by_role("alert")).to_have_text("The address or the password is wrong.")
    expect(person.page.get_by_label("Email address")).to_have_value(ADDRESS)
    expect(person.page.get_by_label("Password", exact=True)).to_have_value("")
    person.page.get_by_label("Password", exact=True).fill(PASSWORD)
    person.page.get_by_role("button", name="Sign in", exact=True).click()
    account_of(person)


def test_the_owner_of_an_address_keeps_nothing_of_a_stranger_who_signed_up_with_it(person, browser):
    context = browser.new_context()
    try:
        stranger = Person(context.new_page(), person.demo)
        sign_up(stranger, name="Mallory")
        open_link(person)
        person.page.get_by_text("I don’t know this password").click()
        person.page.get_by_label("Email address").fill(ADDRESS)
        person.page.get_by_role("textbox", name="New password").fill(OTHER)
        person.page.get_by_role("button", name="Use the new password").click()
        account_of(person, "Your account")
        sign_in(stranger)
        expect(stranger.page.get_by_role("alert")).to_have_text("The address or the password is wrong.")
    finally:
        context.close()


def test_a_link_signs_in_here_at_once_and_elsewhere_after_a_question(person, browser):
    page = person.page
    page.goto(person.demo.service + "/sign-in/link")
    page.get_by_label("Email address").fill(ADDRESS)
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    first = open_link(person)
    expect(page.get_by_text(ADDRESS)).to_be_visible()
    page.get_by_role("button", name="Sign in").click()
    account_of(person, "Your account")

    page.goto(person.demo.service + "/sign-in/link")
    page.get_by_label("Email address").fill(ADDRESS)
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    link = link_in_mail(person.demo, "/email-links/", besides=[first])
    context = browser.new_context(java_script_enabled=person.has_script)
    try:
        other = context.new_page()
        other.goto(link)
        expect(other.get_by_text(ADDRESS)).to_have_count(0)
        other.get_by_label("Email address").fill("ann@example.com")
        other.get_by_role("button", name="Sign in").click()
        expect(other.get_by_role("alert")).to_have_text("This is not the address to which we sent the link.")
        other.get_by_label("Email address").fill(ADDRESS)
        other.get_by_role("button", name="Sign in").click()
        expect(other.get_by_role("heading", name="Your account")).to_be_visible()
    finally:
        context.close()


def test_a_forgotten_password_is_reset_and_a_known_one_changed(person):
    page = person.page
    sign_up(person)
    first = finish(person)
    account_of(person)
    page.get_by_role("link", name="Change your password").click()
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("textbox", name="New password").fill("johnny@example.com")
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_role("alert")).to_contain_text("too much like your name")
    page.get_by_label("Current password").fill(PASSWORD)
    page.get_by_role("textbox", name="New password").fill(OTHER)
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_role("status")).to_have_text("Your password is saved.")

    page.goto(person.demo.service + "/forgotten")
    page.get_by_label("Email address").fill(ADDRESS)
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    open_link(person, besides=[first])
    page.get_by_role("textbox", name="New password").fill(PASSWORD)
    page.get_by_role("button", name="Save the new password").click()
    expect(page.get_by_role("status")).to_contain_text("Your password is changed.")
    page.goto(person.demo.service + "/account")
    expect(page.get_by_role("heading", name="Sign in to Juice")).to_be_visible()
    sign_in(person)
    account_of(person)


def test_an_account_is_upgraded_to_apple_and_stays_the_same(person):
    page = person.page
    sign_up(person)
    finish(person)
    account_of(person)
    page.get_by_role("link", name="Use Sign in with Apple").click()
    page.get_by_role("button", name="Continue with Apple").click()
    person.choose("Johnny Appleseed")
    page.get_by_label("Hide my email").check()
    person.decide("Continue")
    expect(page.get_by_role("alert").first).to_contain_text("You hid your address at Apple.")
    page.get_by_role("checkbox", name="I agree to the text above").check()
    page.get_by_role("button", name="Continue with Apple").click()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(page.get_by_role("status")).to_have_text("You sign in with Apple from now on.")
    account_of(person)
    expect(page.get_by_role("link", name="Change your password")).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    sign_in(person)
    expect(page.get_by_role("alert")).to_have_text("The address or the password is wrong.")


def test_the_password_deletes_the_account(person):
    page = person.page
    sign_up(person)
    finish(person)
    account_of(person)
    page.get_by_role("link", name="Delete account").click()
    page.get_by_label("To confirm, type your password").fill(PASSWORD)
    page.get_by_role("button", name="Delete the account").click()
    expect(page.get_by_role("heading", name="Your account is deleted")).to_be_visible()
    sign_in(person)
    expect(page.get_by_role("alert")).to_have_text("The address or the password is wrong.")


@pytest.mark.parametrize("database", ["SQLite", "PostgreSQL"])
def test_an_account_begins_with_a_password_and_ends_with_apple_on_either_database(browser, tmp_path, database):
    with Demo(tmp_path) if database == "SQLite" else served(tmp_path) as running:
        context = browser.new_context()
        try:
            person = Person(context.new_page(), running)
            page = person.page
            sign_up(person)
            first = finish(person)
            account_of(person)
            page.goto(running.service + "/forgotten")
            page.get_by_label("Email address").fill(ADDRESS)
            page.get_by_role("button", name="Send me the link").click()
            expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
            open_link(person, besides=[first])
            page.get_by_role("textbox", name="New password").fill(OTHER)
            page.get_by_role("button", name="Save the new password").click()
            expect(page.get_by_role("status")).to_contain_text("Your password is changed.")
            sign_in(person, password=OTHER)
            account_of(person)
            page.get_by_role("link", name="Use Sign in with Apple").click()
            page.get_by_role("button", name="Continue with Apple").click()
            person.choose("Johnny Appleseed")
            person.decide("Continue")
            expect(page.get_by_role("status")).to_have_text("You sign in with Apple from now on.")
            page.get_by_role("link", name="Delete account").click()
            page.get_by_role("button", name="Continue with Apple and delete").click()
            person.choose("Johnny Appleseed")
            person.decide("Continue")
            expect(page.get_by_role("heading", name="Your account is deleted")).to_be_visible()
            sign_in(person, password=OTHER)
            expect(page.get_by_role("alert")).to_have_text("The address or the password is wrong.")
        finally:
            context.close()


def test_to_an_address_with_an_account_the_mail_says_how_to_sign_in(person):
    sign_up(person)
    finish(person)
    account_of(person)
    before = {mail["id"] for mail in mails(person.demo)}
    person.page.get_by_role("button", name="Sign out").click()
    sign_up(person, password=OTHER)
    mail = new_mail(person.demo, before)
    # The lines of a mail are broken anywhere.
    assert "You already have an account" in " ".join(mail["text"].split()) and "your password" in mail["text"]
    assert person.demo.service + "/sign-in\n" in mail["text"] and "/email-links/" not in mail["text"]
    sign_in(person)
    account_of(person)


def test_the_forms_are_filled_in_by_keyboard_and_take_pasted_text(person):
    page, keyboard = person.page, person.page.keyboard
    sign_up(person)
    finish(person)
    account_of(person)
    page.get_by_role("button", name="Sign out").click()
    page.goto(person.demo.service + "/sign-in")
    page.get_by_role("link", name="Sign in with Apple").focus()
    keyboard.press("Tab")
    expect(page.get_by_label("Email address")).to_be_focused()
    keyboard.insert_text(ADDRESS)
    keyboard.press("Tab")
    expect(page.get_by_label("Password", exact=True)).to_be_focused()
    keyboard.insert_text(PASSWORD)
    keyboard.press("Enter")
    account_of(person)


def test_no_page_of_passwords_has_a_barrier(browser, tmp_path):
    assert_every_page_of_a_demo_fits(browser, tmp_path, every_page, "passwords")


def every_page(person, data):
    page, service = person.page, person.demo.service
    page.goto(service)
    yield "start"
    sign_in(person, password="something else altogether")
    expect(page.get_by_role("alert")).to_be_visible()
    yield "sign in with a mistake"
    page.goto(service + "/sign-up")
    yield "sign up"
    page.get_by_label("Email address").fill(ADDRESS)
    page.get_by_label("Password", exact=True).fill("passwordpassword")
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "sign up with a mistake"
    sign_up(person)
    yield "check your mail"
    first = open_link(person)
    page.get_by_text("I don’t know this password").click()
    yield "finish"
    page.get_by_label("The password that you chose").fill(PASSWORD)
    page.get_by_role("button", name="Finish and sign in").click()
    account_of(person)
    yield "account"
    page.get_by_role("link", name="Change your password").click()
    yield "password"
    page.get_by_label("Current password").fill("something else altogether")
    page.get_by_role("textbox", name="New password").fill(OTHER)
    page.get_by_role("button", name="Save the password").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "password with a mistake"
    page.goto(service + "/account/upgrade")
    yield "upgrade"
    page.goto(service + "/account/upgrade?consent")
    yield "upgrade, consent"
    page.goto(service + "/account/upgrade?used")
    yield "upgrade, in use"
    page.goto(service + "/account/delete")
    yield "delete"
    make_stale(data)
    page.goto(service + "/account/upgrade")
    expect(page.get_by_label("Your password, once more")).to_be_visible()
    yield "upgrade, stale"
    page.goto(service + "/account/export")
    yield "export, stale"
    page.get_by_role("textbox", name="Your password").fill("something else altogether")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "prove"
    page.goto(service + "/sign-in/link")
    yield "link"
    page.get_by_label("Email address").fill(ADDRESS)
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    second = open_link(person, besides=[first])
    yield "sign in by link"
    page.context.clear_cookies()
    page.goto(second)
    yield "sign in by link elsewhere"
    page.goto(service + "/forgotten")
    yield "forgotten"
    page.get_by_label("Email address").fill(ADDRESS)
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("heading", name="Check your mail")).to_be_visible()
    open_link(person, besides=[first, second])
    yield "reset"
    page.get_by_role("textbox", name="New password").fill(OTHER)
    page.get_by_role("button", name="Save the new password").click()
    expect(page.get_by_role("status")).to_be_visible()
    yield "reset, done"
    page.goto(service + "/email-links/nothing")
    yield "no link"

"""A person takes their data away and deletes their account."""

import json
import re
import time

import pytest
from playwright.sync_api import expect

from conftest import Demo, Person, make_stale


def sign_in(person):
    person.begin()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()


def test_the_export_is_a_file(person):
    sign_in(person)
    person.page.get_by_role("link", name="Download your data").click()
    expect(person.page.get_by_role("heading", name="Your data")).to_be_visible()
    with person.page.expect_download() as download:
        person.page.get_by_role("link", name="Download the file").click()
    assert download.value.suggested_filename == "account.json"
    with open(download.value.path(), encoding="utf-8") as file:
        export = json.load(file)
    assert export["name"]["formatted"] == "Johnny Appleseed"
    assert [identity["provider"] for identity in export["identities"]] == ["apple"]
    assert [session["kind"] for session in export["sessions"]] == ["browser"]


@pytest.mark.parametrize("has_script", [True, False], ids=["with JavaScript", "without JavaScript"])
def test_the_export_wants_a_fresh_sign_in(browser, tmp_path, has_script):
    data = tmp_path / "data"
    with Demo(tmp_path, "--data", str(data)) as demo:
        context = browser.new_context(java_script_enabled=has_script)
        person, page = Person(context.new_page(), demo, has_script=has_script), context.pages[0]
        sign_in(person)
        page.get_by_role("link", name="Download your data").click()
        file = page.get_by_role("link", name="Download the file")
        expect(file).to_be_visible()

        # The page has stood open for too long: the file is not there, and the page says what to do.
        make_stale(data)
        file.click()
        expect(page.get_by_text("Sign in again with Apple first.")).to_be_visible()
        expect(file).to_have_count(0)
        former = person.cookies()["__Host-siwa-session"]["value"]

        # Cancel at Apple, or be somebody else there, and nothing is different.
        page.get_by_role("button", name="Continue with Apple").click()
        person.choose("Johnny Appleseed")
        person.decide("Cancel")
        expect(page.get_by_text("Sign in again with Apple first.")).to_be_visible()
        page.get_by_role("button", name="Continue with Apple").click()
        person.choose("Zoë")
        person.decide("Continue")
        expect(page.get_by_role("heading", name="That was another Apple Account")).to_be_visible()
        page.goto(demo.service + "/account/export")
        assert person.cookies()["__Host-siwa-session"]["value"] == former

        page.get_by_role("button", name="Continue with Apple").click()
        person.choose("Johnny Appleseed")
        person.decide("Continue")
        expect(file).to_be_visible()
        expect(page).to_have_url(demo.service + "/account/export")
        assert person.cookies()["__Host-siwa-session"]["value"] != former
        with page.expect_download() as download:
            file.click()
        assert download.value.suggested_filename == "account.json"
        context.close()


def test_deletion_is_confirmed_at_apple(person):
    page = person.page
    sign_in(person)
    page.get_by_role("link", name="Delete account").click()
    expect(page.get_by_role("heading", name="Delete your account?")).to_be_visible()

    # Cancel at Apple, and nothing has happened.
    page.get_by_role("button", name="Continue with Apple and delete").click()
    person.choose("Johnny Appleseed")
    person.decide("Cancel")
    expect(page.get_by_role("heading", name="Delete your account?")).to_be_visible()
    page.get_by_role("link", name="Keep the account").click()
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()

    page.get_by_role("link", name="Delete account").click()
    page.get_by_role("button", name="Continue with Apple and delete").click()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(page.get_by_role("heading", name="Your account is deleted")).to_be_visible()
    expect(page).to_have_url(re.compile(r"/deletions/del_[A-Za-z0-9_-]{43}$"))
    assert "__Host-siwa-session" not in person.cookies()
    # Apple is told soon; the page knows when it is loaded again.
    deadline = time.monotonic() + 30
    while "Has ended the authorization" not in page.request.get(page.url).text():
        assert time.monotonic() < deadline, "Apple was not told within half a minute"
    page.reload()
    expect(page.get_by_text("Has ended the authorization")).to_be_visible()

    # Apple takes the next sign-in for the first, and the account is a new one.
    person.begin()
    person.choose("Johnny Appleseed")
    expect(page.get_by_label("First name")).to_be_visible()
    person.decide("Continue")
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()


def test_another_person_cannot_confirm(person):
    page = person.page
    sign_in(person)
    page.goto(person.demo.service + "/account/delete")
    page.get_by_role("button", name="Continue with Apple and delete").click()
    person.choose("Zoë")
    person.decide("Continue")
    expect(page.get_by_role("heading", name="That was another Apple Account")).to_be_visible()
    page.get_by_role("link", name="Go back").click()
    expect(page.get_by_role("heading", name="Delete your account?")).to_be_visible()
    page.goto(person.demo.service + "/account")
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()

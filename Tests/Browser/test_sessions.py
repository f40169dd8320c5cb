"""A person looks where they are signed in, and ends what they do not know."""

import re

from playwright.sync_api import expect

from conftest import Person


def sign_in(person):
    person.begin()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()


def rows(person):
    return person.page.get_by_role("listitem")


def test_another_browser_is_ended_from_the_list(person, browser):
    sign_in(person)
    context = browser.new_context(user_agent="Mozilla/5.0 (X11; Linux x86_64; rv:133.0) Gecko/20100101 Firefox/133.0")
    try:
        other = Person(context.new_page(), person.demo)
        sign_in(other)

        person.page.get_by_role("link", name="Where you are signed in").click()
        expect(person.page).to_have_url(person.demo.service + "/account/sessions")
        expect(rows(person)).to_have_count(2)
        here = rows(person).filter(has_text="This browser")
        expect(here).to_have_count(1)
        expect(here.get_by_text(re.compile("Chrome on Linux"))).to_be_visible()

        # A button says to a screen reader whose session it ends.
        person.page.get_by_role("button", name="End Firefox on Linux").click()
        expect(rows(person)).to_have_count(1)
        expect(person.page.get_by_role("button", name="End all others")).to_have_count(0)

        other.page.goto(person.demo.service + "/account")
        expect(other.page.get_by_role("link", name="Sign in with Apple")).to_be_visible()
    finally:
        context.close()


def test_all_others_end_and_then_this_one(person, browser):
    sign_in(person)
    others = [browser.new_context() for _ in range(2)]
    try:
        for context in others:
            sign_in(Person(context.new_page(), person.demo))
        person.page.goto(person.demo.service + "/account/sessions")
        expect(rows(person)).to_have_count(3)
        person.page.get_by_role("button", name="End all others").click()
        expect(rows(person)).to_have_count(1)
        person.page.get_by_role("button", name=re.compile("^Sign out")).click()
        expect(person.page.get_by_role("link", name="Sign in with Apple")).to_be_visible()
        assert "__Host-siwa-session" not in person.cookies()
    finally:
        for context in others:
            context.close()

"""A person looks where they are signed in, and ends what they do not know."""

import datetime
import re
import zoneinfo

import pytest
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
        person.page.get_by_role("button", name="Sign out Firefox on Linux").click()
        expect(rows(person)).to_have_count(1)
        expect(person.page.get_by_role("link", name="Sign out everywhere else")).to_have_count(0)

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
        person.page.get_by_role("link", name="Sign out everywhere else").click()
        expect(person.page.get_by_role("heading", name="Sign out everywhere else?")).to_be_visible()
        person.page.get_by_role("link", name="Cancel").click()
        expect(rows(person)).to_have_count(3)
        person.page.get_by_role("link", name="Sign out everywhere else").click()
        person.page.get_by_role("button", name="Sign out everywhere else").click()
        expect(rows(person)).to_have_count(1)
        person.page.get_by_role("button", name=re.compile("^Sign out")).click()
        expect(person.page.get_by_role("heading", name="You are signed out")).to_be_visible()
        assert "__Host-siwa-session" not in person.cookies()
    finally:
        for context in others:
            context.close()


def test_a_session_tells_when_from_where_and_for_which_app(person):
    sign_in(person)
    person.page.get_by_role("link", name="Where you are signed in").click()
    row = rows(person)
    expect(row.get_by_text("127.0.0.1")).to_be_visible()
    expect(row.get_by_text("Juice", exact=True)).to_be_visible()
    for time in row.get_by_role("time").all():
        moment = datetime.datetime.fromisoformat(time.get_attribute("datetime"))
        assert abs(datetime.datetime.now(datetime.UTC) - moment) < datetime.timedelta(minutes=10)
        if not person.has_script:
            expect(time).to_have_text(f"{moment.day} {moment:%b %Y, %H:%M} UTC")


def test_times_are_the_persons_own_where_scripts_run(browser, demo):
    context = browser.new_context(timezone_id="Asia/Tokyo", locale="en-GB")
    try:
        person = Person(context.new_page(), demo)
        blocked = []
        person.page.on("console", lambda message: blocked.append(message.text) if message.type == "error" else None)
        sign_in(person)
        person.page.goto(demo.service + "/account/sessions")
        for time in rows(person).get_by_role("time").all():
            moment = datetime.datetime.fromisoformat(time.get_attribute("datetime"))
            there = moment.astimezone(zoneinfo.ZoneInfo("Asia/Tokyo"))
            expect(time).to_have_text(re.compile(rf"^{there.day} {there:%b}\w* {there.year}, {there:%H:%M}$"))
            expect(time).to_have_attribute("title", f"{moment.day} {moment:%b %Y, %H:%M} UTC")
        assert blocked == []
    finally:
        context.close()


@pytest.mark.parametrize("width", [320, 390, 1280])
def test_no_time_lies_under_a_button(browser, demo, width):
    context = browser.new_context(locale="en-US", viewport={"width": width, "height": 800})
    try:
        person = Person(context.new_page(), demo)
        sign_in(person)
        person.page.goto(demo.service + "/account/sessions")
        button = rows(person).get_by_role("button").bounding_box()
        for time in rows(person).get_by_role("time").all():
            box = time.bounding_box()
            beside = box["x"] + box["width"] <= button["x"]
            above = box["y"] + box["height"] <= button["y"]
            assert beside or above, (box, button)
    finally:
        context.close()

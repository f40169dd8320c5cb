"""A person changes their mind in the settings of their Apple Account, and the service's pages follow."""

import json
import time
import urllib.request

from playwright.sync_api import expect


def tell(demo, path, body):
    request = urllib.request.Request(
        f"{demo.emulator}/emulator/{path}", data=json.dumps(body).encode(),
        headers={"Content-Type": "application/json"})
    urllib.request.urlopen(request, timeout=10).close()


def wait_for(page, check):
    """Looks again until Apple's notification has come."""
    deadline = time.monotonic() + 30
    while not check():
        assert time.monotonic() < deadline, page.content()
        page.reload()


def test_forwarding_and_leaving_are_seen_on_the_account_page(person):
    page, demo = person.page, person.demo
    person.begin()
    person.choose("Johnny Appleseed")
    page.get_by_label("Hide my email").check()
    person.decide("Continue")
    expect(page.get_by_text("Hidden by Apple: mail is forwarded")).to_be_visible()

    grant = {"person": "johnny", "clientID": "com.example.juice"}
    tell(demo, "grants/forwarding", {**grant, "forwarding": False})
    wait_for(page, lambda: page.get_by_text("you have turned forwarding off").is_visible())
    tell(demo, "grants/forwarding", {**grant, "forwarding": True})
    wait_for(page, lambda: page.get_by_text("mail is forwarded").is_visible())

    tell(demo, "grants/stop-using", grant)
    wait_for(page, lambda: page.get_by_role("link", name="Sign in with Apple").is_visible())
    expect(page).to_have_url(demo.service + "/?return=/account")

    # A person who comes back is asked like somebody new, and has the same account.
    person.begin()
    person.choose("Johnny Appleseed")
    expect(page.get_by_label("First name")).to_be_visible()
    person.decide("Continue")
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()

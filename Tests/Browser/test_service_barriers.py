"""axe-core on the account service's own pages, and their width on a small screen."""

import base64
import hashlib
import json
import urllib.request

from playwright.sync_api import expect

from barriers import assert_every_page_of_a_demo_fits
from conftest import make_stale


def begin_authorization(demo, **more):
    """For a device, unless it says where to return to."""
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"of a device that shows a code").digest()).decode().rstrip("=")
    order = {"app": "juice", "codeChallenge": challenge, "scope": "name email", **more}
    request = urllib.request.Request(
        demo.service + "/v1/authorizations", json.dumps(order).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def every_page(person, data):
    page, service = person.page, person.demo.service
    page.goto(service + "/nothing")
    yield "nothing there"
    page.goto(service)
    yield "sign-in"
    device = begin_authorization(person.demo)
    page.goto(device["verificationURL"])
    yield "device"
    page.get_by_label("Code").fill("bcdf")
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "device, wrong code"
    page.get_by_label("Code").fill(device["userCode"])
    page.get_by_role("button", name="Continue").click()
    expect(page.get_by_role("button", name="Allow")).to_be_visible()
    yield "device, question"
    page.get_by_role("button", name="Allow").click()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(page.get_by_role("heading", name="Return to your device")).to_be_visible()
    yield "device, end"
    page.goto(begin_authorization(person.demo, redirectURI="http://127.0.0.1:9/signed-in")["url"])
    yield "authorization"
    person.begin()
    person.decide("Cancel")
    expect(page.get_by_role("heading", name="cancelled")).to_be_visible()
    yield "cancelled"
    person.begin()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    yield "account"
    page.get_by_role("link", name="Where you are signed in").click()
    expect(page.get_by_role("heading", name="Where you are signed in")).to_be_visible()
    yield "sessions"
    page.goto(service + "/account/sessions/end-others")
    yield "sign out everywhere else"
    page.goto(service)
    yield "welcome back"
    page.goto(service + "/account/export")
    expect(page.get_by_role("link", name="Download the file")).to_be_visible()
    yield "export"
    make_stale(data)
    page.reload()
    expect(page.get_by_role("button", name="Continue with Apple")).to_be_visible()
    yield "export, sign in again"
    page.get_by_role("button", name="Continue with Apple").click()
    person.choose("Zoë")
    person.decide("Continue")
    expect(page.get_by_role("heading", name="That was another Apple Account")).to_be_visible()
    yield "another account"
    page.goto(service + "/account/delete")
    yield "delete, question"
    page.get_by_role("button", name="Continue with Apple and delete").click()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(page.get_by_role("heading", name="Your account is deleted")).to_be_visible()
    yield "delete, end"
    page.goto(service + "/?signed-out")
    yield "signed out"


def test_no_page_of_the_service_has_a_barrier(browser, tmp_path):
    assert_every_page_of_a_demo_fits(browser, tmp_path, every_page, "service", wide=False)

"""axe-core on the account service's own pages, and their width on a small screen."""

import base64
import hashlib
import json
import os
import urllib.request

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from conftest import Person


def begin_on_device(demo):
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"of a device that shows a code").digest()).decode().rstrip("=")
    order = {"app": "juice", "codeChallenge": challenge, "scope": "name email"}
    request = urllib.request.Request(
        demo.service + "/v1/authorizations", json.dumps(order).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def every_page(person):
    page, service = person.page, person.demo.service
    page.goto(service + "/nothing")
    yield "nothing there"
    page.goto(service)
    yield "sign-in"
    device = begin_on_device(person.demo)
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
    page.goto(service)
    yield "welcome back"
    page.goto(service + "/account/delete")
    yield "delete, question"
    page.get_by_role("button", name="Continue with Apple and delete").click()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(page.get_by_role("heading", name="Your account is deleted")).to_be_visible()
    yield "delete, end"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_of_the_service_has_a_barrier(browser, demo, scheme):
    context = browser.new_context(color_scheme=scheme, viewport={"width": 320, "height": 640})
    person = Person(context.new_page(), demo)
    folder = os.environ.get("SCREENSHOTS")
    for number, name in enumerate(every_page(person)):
        results = Axe().run(person.page)
        assert results.violations_count == 0, name + "\n" + results.generate_report()
        width = person.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 320, f"{name} is {width} pixels wide"
        if folder:
            name = name.replace(",", "").replace(" ", "-")
            person.page.screenshot(path=f"{folder}/service-{number}-{name}-{scheme}.png", full_page=True)
    context.close()

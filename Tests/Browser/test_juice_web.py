"""The sample page of Examples/juice-web, in a real browser, in front of the demo."""

import pathlib
import sys
import threading

import pytest
from playwright.sync_api import expect

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Examples" / "juice-web"))
import juice_web  # noqa: E402


@pytest.fixture
def site(demo):
    """The address of the sample page."""
    server = juice_web.serve(demo.service, port=0)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def go_to_apple(person, site):
    person.page.goto(site)
    person.page.get_by_role("button", name="Sign in with Apple").click()
    person.page.get_by_role("button", name="Continue with Apple").click()
    person.choose("Johnny Appleseed")


def test_a_person_signs_in_and_out(person, site):
    go_to_apple(person, site)
    person.decide("Continue")
    expect(person.page.get_by_text("Johnny Appleseed")).to_be_visible()
    expect(person.page.get_by_role("button", name="Sign Out")).to_be_visible()
    assert person.page.url == site + "/", "no handle stays in the address"

    person.page.get_by_role("button", name="Sign Out").click()
    expect(person.page.get_by_role("button", name="Sign in with Apple")).to_be_visible()


def test_a_person_who_cancels_is_told(person, site):
    go_to_apple(person, site)
    person.decide("Cancel")
    expect(person.page.get_by_role("status")).to_have_text("You have not signed in.")


def test_a_handle_of_another_browser_signs_nobody_in(person, site):
    person.page.goto(site + "/back?handle=aaaaaaaaaaaaaaaaaaaaaaaa&id=aut_aaaaaaaaaaaaaaaaaaaaaa")
    expect(person.page.get_by_role("status")).to_contain_text("nobody waits for")
    expect(person.page.get_by_role("button", name="Sign in with Apple")).to_be_visible()


def test_a_form_of_another_site_is_refused(person, site):
    answer = person.page.request.post(site + "/sign-in", headers={"Origin": "https://evil.example"}, max_redirects=0)
    assert answer.status == 403

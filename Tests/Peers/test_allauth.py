"""django-allauth's Apple provider signs people in."""

import pytest

from allauth_site import application
from browser import Browser


@pytest.fixture(scope="module")
def site(running, relying_party, tmp_path_factory):
    database = tmp_path_factory.mktemp("allauth") / "site.sqlite"
    relying_party.serve(application(running, "com.example.juice.web", str(database), has_pkce=True))
    return relying_party.url


def sign_in(site, browser, **how):
    return browser.sign_in(f"{site}/accounts/apple/login/", **how)


def test_the_first_sign_in_makes_a_user_with_name_and_address(site, emulator, browser):
    page = sign_in(site, browser, firstName="Jo", lastName="Apple")
    assert page.url == f"{site}/me", page.text
    user = page.json()
    assert (user["firstName"], user["lastName"], user["email"]) == ("Jo", "Apple", "johnny@example.com")
    assert user["subject"] == emulator.call("grants")["grants"][0]["subject"]

    # Another browser, a later time: the same user, though Apple tells no name any more.
    assert sign_in(site, Browser()).json() == user


def test_who_hides_the_address_gets_mail_by_the_relay(site, emulator, browser):
    person = emulator.call("portal")["people"][1]
    user = sign_in(site, browser, person=person["name"], email="hide").json()
    assert user["email"] == emulator.call("grants")["grants"][0]["email"]
    assert user["email"] != person["email"]


def test_who_cancels_is_not_signed_in(site, emulator, browser):
    page = sign_in(site, browser, decision="Cancel")
    assert page.url.startswith(f"{site}/accounts/")
    assert emulator.call("grants") == {"grants": []}
    assert browser.session.get(f"{site}/me", allow_redirects=False).status_code == 302

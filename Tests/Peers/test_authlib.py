"""Authlib signs people in: a site on Flask, and its session without any framework."""

import json

import pytest
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

from authlib_site import application, client_secret

CLIENT = "com.example.juice.web"


@pytest.fixture(scope="module")
def site(running, relying_party):
    relying_party.serve(application(running, CLIENT))
    return relying_party.url


def test_a_site_on_flask_signs_a_person_in(site, emulator, browser):
    answer = browser.sign_in(f"{site}/sign-in", firstName="Jo", email="hide")
    assert answer.status_code == 200, answer.text
    claims = answer.json()["claims"]
    grant = emulator.call("grants")["grants"][0]
    assert (claims["sub"], claims["email"]) == (grant["subject"], grant["email"])
    assert claims["iss"] == "https://appleid.apple.com"
    assert claims["is_private_email"] is True
    assert json.loads(answer.json()["user"])["name"] == {"firstName": "Jo", "lastName": "Appleseed"}

    later = browser.sign_in(f"{site}/sign-in").json()
    assert later["claims"]["sub"] == claims["sub"]
    assert later["user"] is None


def test_a_site_on_flask_learns_that_a_person_cancelled(site, emulator, browser):
    answer = browser.sign_in(f"{site}/sign-in", decision="Cancel")
    assert (answer.status_code, answer.json()) == (400, {"error": "user_cancelled_authorize"})


def test_a_session_redeems_refreshes_and_revokes(emulator, relying_party):
    redirect = f"{relying_party.url}/apple/callback"
    session = OAuth2Session(
        CLIENT, client_secret(emulator.team, CLIENT), token_endpoint_auth_method="client_secret_post",
        revocation_endpoint_auth_method="client_secret_post", redirect_uri=redirect,
        token_endpoint=f"{emulator.url}/auth/token")
    authorization = emulator.call(
        "authorizations",
        {"person": "johnny", "clientID": CLIENT, "redirectURI": redirect, "state": generate_token()})
    tokens = session.fetch_token(code=authorization["code"])
    assert tokens["id_token"]
    refreshed = session.refresh_token(refresh_token=tokens["refresh_token"])
    assert refreshed["access_token"] != tokens["access_token"]
    answer = session.revoke_token(
        f"{emulator.url}/auth/revoke", token=tokens["refresh_token"], token_type_hint="refresh_token")
    assert answer.status_code == 200
    assert emulator.call("grants") == {"grants": []}

"""`siwa demo --tls`: the service on https://localhost, with a certificate of the demo's own making."""

import json
import ssl
import stat
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import Error, expect

from conftest import Demo, Person


def get(url, root):
    """Gets a URL with verification on, trusting nothing but the given root."""
    return urllib.request.urlopen(url, context=ssl.create_default_context(cafile=root), timeout=10)


def test_the_root_vouches_for_the_service_and_for_nothing_else(tmp_path):
    roots = []
    for name in ["one", "two"]:
        with Demo(tmp_path / name, "--tls", "--data", str(tmp_path / name / "data")) as demo:
            roots.append(tmp_path / name / "data" / "tls-authority.pem")
            assert demo.service.startswith("https://localhost:")
            assert demo.emulator.startswith("http://127.0.0.1:")
            with get(demo.service + "/readyz", roots[-1]) as answer:
                assert answer.status == 200
                assert json.load(answer)["apple"] == demo.emulator
                # The rule would hold for every port of localhost.
                assert answer.headers["Strict-Transport-Security"] is None
            with get(demo.service.replace("localhost", "127.0.0.1") + "/healthz", roots[-1]) as answer:
                assert answer.status == 200
    with Demo(tmp_path / "again", "--tls", "--data", str(tmp_path / "one" / "data")) as demo:
        with get(demo.service + "/healthz", roots[0]) as answer:
            assert answer.status == 200
        with pytest.raises(urllib.error.URLError) as refusal:
            get(demo.service + "/healthz", roots[1])
        assert isinstance(refusal.value.reason, ssl.SSLCertVerificationError)
    for secret in (tmp_path / "one" / "data").glob("tls-*-key.pem"):
        assert stat.S_IMODE(secret.stat().st_mode) == 0o600


def test_a_person_signs_in_over_tls(browser, tmp_path):
    with Demo(tmp_path, "--tls") as demo:
        context = browser.new_context()
        with pytest.raises(Error, match="ERR_CERT_AUTHORITY_INVALID"):
            context.new_page().goto(demo.service)
        context.close()

        # As somebody who tells the browser to go on; that the certificate is good, the test above shows.
        context = browser.new_context(ignore_https_errors=True)
        person = Person(context.new_page(), demo)
        person.begin()
        cookie = person.cookies()["__Host-siwa-browser"]
        assert (cookie["sameSite"], cookie["secure"], cookie["httpOnly"]) == ("None", True, True)
        person.choose("Johnny Appleseed")
        person.decide("Continue")
        expect(person.page).to_have_url(demo.service + "/account")
        expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
        cookie = person.cookies()["__Host-siwa-session"]
        assert (cookie["sameSite"], cookie["secure"], cookie["httpOnly"]) == ("Lax", True, True)
        person.page.get_by_role("button", name="Sign out").click()
        expect(person.page.get_by_role("link", name="Sign in with Apple")).to_be_visible()
        assert "__Host-siwa-session" not in person.cookies()
        context.close()

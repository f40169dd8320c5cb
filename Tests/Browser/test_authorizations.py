"""An app without Apple's framework: its person's browser goes to our page, to Apple and back, or allows a device."""

import base64
import hashlib
import json
import pathlib
import re
import secrets
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from conftest import Person


class App:
    """A program on the person's machine, as RFC 8252 has it: a listener on loopback, and PKCE."""

    def __init__(self, demo):
        self.demo = demo
        self.verifier = secrets.token_urlsafe(32)
        digest = hashlib.sha256(self.verifier.encode()).digest()
        self.challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        self.port = free_port()
        self.arrivals = []
        self.arrived = threading.Event()
        self.server = None

    def call(self, path, **body):
        """Returns status and answer of one of the app's calls."""
        request = urllib.request.Request(
            self.demo.service + "/v1/authorizations" + path, json.dumps(body).encode(),
            {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.loads(answer.read() or b"null")
        except urllib.error.HTTPError as refusal:
            return refusal.code, json.loads(refusal.read())

    def begin(self, **more):
        status, answer = self.call("", app="juice", codeChallenge=self.challenge, scope="name email", **more)
        assert status == 200, answer
        return answer

    def begin_with_browser(self):
        return self.begin(redirectURI=f"http://127.0.0.1:{self.port}/back", state="of the app")

    def redeem(self, **key):
        return self.call("/redeem", codeVerifier=self.verifier, **key)

    def listen(self):
        app = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self):
                url = urllib.parse.urlsplit(self.path)
                is_here = url.path == "/back"
                self.send_response(200 if is_here else 404)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                if is_here:
                    self.wfile.write(b"<title>Juice</title><h1>Back in Juice</h1>")
                    app.arrivals.append(dict(urllib.parse.parse_qsl(url.query)))
                    app.arrived.set()

            def log_message(self, *_):
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def wait(self):
        assert self.arrived.wait(20), "the browser never came back"
        self.arrived.clear()
        return self.arrivals[-1]

    def close(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def app(demo):
    running = App(demo)
    yield running
    running.close()


@pytest.fixture
def complaints(person):
    """The lines of the browser's console: a violated policy, for one."""
    lines = []
    person.page.on("console", lambda message: lines.append(message.text))
    yield lines
    assert not [line for line in lines if "Content Security Policy" in line or "Refused" in line], lines


def open_page(person, url):
    person.page.goto(url)
    expect(person.page.get_by_role("heading", name="Sign in to Juice")).to_be_visible()


def go_to_apple(person):
    person.page.get_by_role("button", name="Continue with Apple").click()
    expect(person.page.get_by_text("This is not Apple")).to_be_visible()


def sign_in_at_apple(person, decision="Continue"):
    person.choose("Johnny Appleseed")
    person.decide(decision)


def lose_the_redirect(person):
    """Signs in at Apple while nobody listens: the browser ends at a page of its own that says so."""
    with person.page.expect_event("framenavigated", lambda frame: frame.url.startswith("chrome-error:")):
        sign_in_at_apple(person)
    # Only a page that is all there has a history to go back in.
    person.page.wait_for_load_state("load")


def open_last_page(person, authorization):
    """In a browser that does not go on by itself, so that there is time to look at the page."""
    url = person.demo.service + "/authorizations/" + authorization["id"] + "/done"

    def without_refresh(route):
        answer = route.fetch()
        headers = {name: value for name, value in answer.headers.items() if name.lower() != "refresh"}
        route.fulfill(response=answer, headers=headers)

    person.page.route(url, without_refresh)
    person.page.goto(url)


def test_through_the_browser_and_back(person, app, complaints):
    addresses = []
    person.page.on("request", lambda request: addresses.append(request.url))
    app.listen()
    authorization = app.begin_with_browser()
    open_page(person, authorization["url"])
    # Apple is not asked before the click.
    assert not [address for address in addresses if address.startswith(person.demo.emulator)]
    assert person.cookies() == {}
    go_to_apple(person)
    sign_in_at_apple(person)
    expect(person.page.get_by_role("heading", name="Back to Juice")).to_be_visible()

    arrival = app.wait()
    expect(person.page.get_by_role("heading", name="Back in Juice")).to_be_visible()
    assert set(arrival) == {"handle", "id"} and arrival["id"] == authorization["id"]
    status, credential = app.redeem(handle=arrival["handle"])
    assert status == 200, credential
    assert credential["state"] == "of the app"
    assert credential["fullName"]["givenName"] == "Johnny" and "@" in credential["email"]
    assert credential["authorizationCode"].startswith("siwa_c1.")
    assert app.redeem(handle=arrival["handle"])[0] == 401

    # No session was made, and no secret stands in an address of ours.
    assert "__Host-siwa-session" not in person.cookies()
    ours = [address for address in addresses if address.startswith(person.demo.service)]
    assert ours and not [address for address in ours if "?" in address]


def test_cancel_at_apple_reaches_the_app(person, app, complaints):
    app.listen()
    authorization = app.begin_with_browser()
    open_page(person, authorization["url"])
    go_to_apple(person)
    sign_in_at_apple(person, "Cancel")
    expect(person.page.get_by_role("heading", name="Sign-in cancelled")).to_be_visible()
    assert app.wait() == {"error": "cancelled", "id": authorization["id"]}


def test_a_lost_redirect_is_offered_again(person, app, complaints):
    authorization = app.begin_with_browser()
    open_page(person, authorization["url"])
    go_to_apple(person)
    lose_the_redirect(person)
    app.listen()
    open_last_page(person, authorization)
    person.page.get_by_role("link", name="Return to Juice").click()
    arrival = app.wait()
    expect(person.page.get_by_role("heading", name="Back in Juice")).to_be_visible()
    assert app.redeem(handle=arrival["handle"])[0] == 200
    # There is nothing left to bring.
    open_last_page(person, authorization)
    expect(person.page.get_by_role("heading", name="This page has done its work")).to_be_visible()
    expect(person.page.get_by_role("link")).to_have_count(0)


def test_the_browsers_back_button_finds_the_last_page(person, app, complaints):
    open_page(person, app.begin_with_browser()["url"])
    go_to_apple(person)
    lose_the_redirect(person)
    app.listen()
    person.page.go_back(wait_until="commit")
    # This time the page reaches the app by itself.
    assert app.redeem(handle=app.wait()["handle"])[0] == 200


def test_an_app_that_gave_up_is_not_signed_in(person, app, complaints):
    authorization = app.begin_with_browser()
    open_page(person, authorization["url"])
    assert app.call("/cancel", id=authorization["id"], codeVerifier=app.verifier)[0] == 204
    person.page.get_by_role("button", name="Continue with Apple").click()
    expect(person.page.get_by_role("heading", name="This sign-in is over")).to_be_visible()


def test_by_keyboard_alone(person, app, complaints):
    authorization = app.begin_with_browser()
    open_page(person, authorization["url"])
    person.page.keyboard.press("Tab")
    expect(person.page.get_by_role("button", name="Continue with Apple")).to_be_focused()
    person.page.keyboard.press("Enter")
    expect(person.page.get_by_text("This is not Apple")).to_be_visible()
    lose_the_redirect(person)
    app.listen()
    open_last_page(person, authorization)
    person.page.keyboard.press("Tab")
    expect(person.page.get_by_role("link", name="Return to Juice")).to_be_focused()
    person.page.keyboard.press("Enter")
    assert app.redeem(handle=app.wait()["handle"])[0] == 200


def test_a_device_is_allowed(person, app, complaints):
    page = person.page
    device = app.begin()
    assert app.redeem(deviceCode=device["deviceCode"])[1]["error"]["code"] == "authorization_pending"
    # A link may carry the code; the person types it all the same.
    page.goto(device["verificationURL"] + "?code=" + device["userCode"])
    field = page.get_by_label("Code")
    expect(field).to_have_value("")
    expect(field).to_be_focused()
    for attribute in ["autocomplete", "autocapitalize"]:
        expect(field).to_have_attribute(attribute, "off")
    field.fill("bcdf ghj")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text("A code has eight letters.")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    page.get_by_label("Code").fill(" " + device["userCode"].lower().replace("-", " "))
    page.get_by_role("button", name="Continue").click()

    expect(page.get_by_role("heading", name="Let a device sign in to Juice?")).to_be_visible()
    for text in ["127.0.0.1", "just now", device["userCode"], "Allow only what you began yourself."]:
        expect(page.get_by_text(text).first).to_be_visible()
    assert person.cookies() == {}
    page.get_by_role("button", name="Allow").click()
    expect(page.get_by_text("This is not Apple")).to_be_visible()
    sign_in_at_apple(person)
    expect(page.get_by_role("heading", name="Return to your device")).to_be_visible()
    status, credential = poll(app, device)
    assert status == 200 and credential["fullName"]["givenName"] == "Johnny"
    assert "__Host-siwa-session" not in person.cookies()


def test_a_device_is_denied(person, app, complaints):
    device = app.begin()
    person.page.goto(device["verificationURL"])
    person.page.get_by_label("Code").fill(device["userCode"])
    person.page.get_by_role("button", name="Continue").click()
    person.page.get_by_role("button", name="Deny").click()
    expect(person.page.get_by_role("heading", name="Denied")).to_be_visible()
    status, answer = poll(app, device)
    assert (status, answer["error"]["code"]) == (403, "denied")


def test_the_commands_in_the_documentation(person, complaints, tmp_path):
    text = (pathlib.Path(__file__).resolve().parents[2] / "Docs" / "service-sign-in.md").read_text()
    text = text.replace("http://localhost:4000", person.demo.service)
    first, second = re.findall(r"```sh\n(.*?)```", text.partition("By hand, against `siwa demo`:")[2], re.DOTALL)[:2]
    with subprocess.Popen(
            ["bash", "-e"], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as shell:
        shell.stdin.write(first + "echo\n")
        shell.stdin.flush()
        device = json.loads(shell.stdout.readline())
        person.page.goto(device["verificationURL"])
        person.page.get_by_label("Code").fill(device["userCode"])
        person.page.get_by_role("button", name="Continue").click()
        person.page.get_by_role("button", name="Allow").click()
        sign_in_at_apple(person)
        expect(person.page.get_by_role("heading", name="Return to your device")).to_be_visible()
        credential = json.loads(shell.communicate(second, timeout=20)[0])
    assert credential["scope"] == "name email"


def poll(app, device):
    """Asks as a device does, at its interval, until there is an answer."""
    clock = threading.Event()
    for _ in range(10):
        status, answer = app.redeem(deviceCode=device["deviceCode"])
        if status != 400 or answer["error"]["code"] not in ["authorization_pending", "slow_down"]:
            return status, answer
        clock.wait(device["interval"] + 1)
    raise AssertionError("the device was never answered")


def window_of_wrong_codes():
    """They are counted anew every ten minutes of the clock."""
    return int(time.time()) // 600


def test_too_many_wrong_codes(browser, demo, app):
    page = browser.new_page()
    window = window_of_wrong_codes()
    for attempt in range(100):
        page.goto(demo.service + "/device")
        page.get_by_label("Code").fill("BCDF-GHJK")
        with page.expect_response(re.compile("/device$")) as answer:
            page.get_by_role("button", name="Continue").click()
        if answer.value.status == 429:
            break
        expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_role("heading", name="Too many attempts")).to_be_visible()
    # The eleventh: ten may be wrong, and as many before a window that began meanwhile.
    assert 10 <= attempt <= (10 if window_of_wrong_codes() == window else 20)
    assert int(answer.value.headers["retry-after"]) > 0
    # No button leads back to the same refusal.
    expect(page.get_by_role("link")).to_have_count(0)
    page.close()


def test_another_site_cannot_press_the_buttons(browser, demo, app):
    """A form on a page of another origin: the click has to come from ours."""
    page = browser.new_page()
    authorization = app.begin_with_browser()
    device = app.begin()
    for path, fields in [
            (urllib.parse.urlsplit(authorization["url"]).path, ""),
            ("/device/allow", f'<input name="code" value="{device["userCode"]}">')]:
        page.goto("about:blank")
        page.set_content(f'<form method="post" action="{demo.service}{path}">{fields}<button>Win</button></form>')
        page.get_by_role("button", name="Win").click()
        expect(page.get_by_role("heading", name="That came from somewhere else")).to_be_visible()
    assert not [cookie for cookie in page.context.cookies() if "siwa" in cookie["name"]]
    page.close()

"""Mail by Python's own SMTP client, and the inbox that it ends up in."""

import base64
import json
import os
import smtplib
import threading
import urllib.request
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from playwright.sync_api import expect

from barriers import assert_no_barrier
from emulator_visit import App, Emulator

SENDER = "Juice <news@juice.example.com>"
SOURCE = {"team": "JUICETEAM1", "source": "juice.example.com"}


@pytest.fixture
def emulator():
    with App() as app, Emulator(app, "--mail-port", "0") as running:
        yield running


@pytest.fixture(params=[True, False], ids=["with JavaScript", "without JavaScript"])
def page(browser, request):
    context = browser.new_context(java_script_enabled=request.param)
    yield context.new_page()
    context.close()


def post_office(emulator):
    with urllib.request.urlopen(emulator.url + "/emulator/mail", timeout=10) as answer:
        return smtplib.SMTP("127.0.0.1", json.load(answer)["port"], timeout=10)


def relay_address(emulator):
    """The relay address of Johnny, who hides his own from Juice."""
    token = emulator.sign_in("johnny", hideEmail=True)["id_token"]
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))["email"]


def message(recipient, subject="Grüße aus der Saftfabrik", sender=SENDER):
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, recipient, subject
    mail.set_content("Your code is 123456.\n.\n<script>document.title = 'taken'</script>\n" + "long line " * 200 + "\n")
    mail.add_alternative(
        "<p>Your code is <b>123456</b>.</p><img src='https://tracker.example/pixel.png' onerror='alert(1)'>",
        subtype="html")
    return mail


def register(emulator):
    emulator.call("email-sources", **SOURCE)
    assert emulator.call("email-sources/verify", **SOURCE)["verified"]


def look(page, name):
    """Nothing to complain of, in light, in dark, and on a narrow screen."""
    for scheme, width in [("light", 900), ("dark", 900), ("light", 320)]:
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 720})
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways"
        if "PICTURES" in os.environ:
            page.screenshot(path=f"{os.environ['PICTURES']}/mail-{name}-{scheme}-{width}.png", full_page=True)
    page.set_viewport_size({"width": 900, "height": 720})


def test_a_mail_sent_with_smtplib_is_read_in_the_inbox(page, emulator, request):
    addresses = []
    # A request that the page's rules stop is told of, too, and gets no response.
    page.on("response", lambda answer: addresses.append(answer.url))
    register(emulator)
    relay = relay_address(emulator)
    with post_office(emulator) as server:
        assert server.send_message(message(relay)) == {}
        assert server.send_message(message("johnny@example.com", subject="Second")) == {}

    page.goto(emulator.url + "/mail")
    expect(page.get_by_text("This is not Apple")).to_be_visible()
    look(page, "people")
    page.get_by_role("link", name="Johnny Appleseed").click()
    expect(page.get_by_role("listitem")).to_have_count(2)
    look(page, "inbox")
    page.get_by_role("link", name="Grüße aus der Saftfabrik").click()
    expect(page.get_by_role("heading", name="Grüße aus der Saftfabrik")).to_be_visible()
    expect(page.get_by_role("region", name="Text", exact=True)).to_contain_text("Your code is 123456.")
    expect(page.get_by_text("<script>document.title = 'taken'</script>")).to_be_visible()
    expect(page.locator("dd", has_text=relay)).to_be_visible()
    expect(page.get_by_text("through the relay, from Juice Makers")).to_be_visible()
    page.get_by_text("HTML, as its source").first.click()
    expect(page.get_by_text("<b>123456</b>")).to_be_visible()
    look(page, "mail")
    assert page.locator("img, script, b").count() == 0
    frame = page.frame_locator("iframe")
    expect(frame.get_by_text("Your code is 123456.")).to_be_visible()
    expect(frame.locator("b")).to_have_text("123456")
    assert page.title() == "Mail · siwa emulator, not Apple"
    assert all(address.startswith(emulator.url) for address in addresses)
    if request.node.callspec.params["page"]:
        for path in ["/mail", "/mail/inbox?person=johnny", page.url.removeprefix(emulator.url)]:
            page.goto(emulator.url + path)
            assert_no_barrier(page, path)

    page.goto(emulator.url + "/mail/inbox?person=johnny")
    page.get_by_role("button", name="Delete all mail").click()
    expect(page.get_by_text("There is no mail.")).to_be_visible()


def test_smtplib_sees_the_bounces_of_the_relay(emulator):
    relay = relay_address(emulator)
    with post_office(emulator) as server:
        with pytest.raises(smtplib.SMTPDataError) as refusal:
            server.send_message(message(relay))
        assert (refusal.value.smtp_code, refusal.value.smtp_error) == (550, b"5.1.1 unauthorized sender")
        register(emulator)
        assert server.send_message(message(relay)) == {}
        emulator.call("grants/forwarding", person="johnny", clientID="com.example.juice", forwarding=False)
        for address, answer in [
                (relay, (550, b"5.1.1 bad mailbox name")),
                ("a@example.org", (550, b"5.7.1 relaying denied: nobody here has this address"))]:
            with pytest.raises(smtplib.SMTPRecipientsRefused) as refusal:
                server.send_message(message(address))
            assert refusal.value.recipients == {address: answer}


class Tracker(ThreadingHTTPServer):
    """A web server somewhere else, which remembers the paths that it is asked for."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"
        self.paths = []
        self.connections = 0
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def get_request(self):
        self.connections += 1
        return super().get_request()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.paths.append(self.path)
        body = b"<!doctype html><title>arrived</title><p>Arrived"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


HOSTILE = """<html><head><base href="URL/base/"><base target="_self">
<link rel="stylesheet" href="URL/style.css"><link rel="preconnect" href="URL"><link rel="prefetch" href="URL/prefetch">
<meta http-equiv="refresh" content="0;url=URL/refresh">
<style>@import url("URL/import.css"); @font-face { font-family: f; src: url("URL/font") }
body { background: url("URL/background"); font-family: f; color: rgb(0, 100, 0) }</style>
<script src="URL/script.js"></script><script>top.document.title = document.title = "taken"; fetch("URL/fetch")</script></head>
<body onload="top.location = 'URL/onload'"></iframe></div></main>
<p id="words">Hello from afar</p><p id="relative"><a href="relative" ping="URL/ping">relative</a></p>
<img src="URL/pixel.png" srcset="URL/set.png 2x" onerror="top.location = 'URL/onerror'">
<img src="data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==" width="40" height="40" alt="own">
<svg><image href="URL/svg.png"/></svg><video src="URL/video" poster="URL/poster"></video><object data="URL/object"></object>
<iframe src="URL/frame"></iframe><embed src="URL/embed"><input type="image" src="URL/input" autofocus>
<form action="URL/form" method="post"><button>Send this</button></form>
<form action="/settings/delete" method="post"><input name="person" value="johnny"><button>Delete it all</button></form>
<a href="javascript:top.document.title='taken'" target="_top">script</a>
<a href="URL/top" target="_top">whole window</a> <a href="URL/good?a=1&amp;b=2">Confirm the address</a></body></html>"""


def test_the_html_of_a_mail_is_rendered_and_can_do_nothing_but_be_read(page, emulator):
    with Tracker() as tracker:
        mail = EmailMessage()
        mail["From"], mail["To"], mail["Subject"] = SENDER, "johnny@example.com", "Hostile"
        mail.set_content("Nothing here")
        mail.add_alternative(HOSTILE.replace("URL", tracker.url), subtype="html")
        with post_office(emulator) as server:
            assert server.send_message(mail) == {}
        page.goto(emulator.url + "/mail/inbox?person=johnny")
        page.get_by_role("link", name="Hostile").click()
        frame = page.frame_locator("iframe")
        expect(frame.get_by_text("Hello from afar")).to_be_visible()
        expect(frame.locator("#words")).to_have_css("color", "rgb(0, 100, 0)")
        look(page, "hostile")
        frame.get_by_role("button", name="Send this").click()
        frame.get_by_role("button", name="Delete it all").click()
        frame.get_by_role("link", name="script").click()
        page.wait_for_load_state("networkidle")
        assert (tracker.paths, tracker.connections) == ([], 0)
        assert page.title() == "Mail · siwa emulator, not Apple"
        assert page.url.startswith(emulator.url + "/mail/read?")
        expect(frame.get_by_text("Hello from afar")).to_be_visible()

        # The links lead into tabs of their own: from the frame, and from the list below it.
        for link in [frame.get_by_role("link", name="Confirm the address"),
                     page.get_by_role("link", name=f"{tracker.url}/good?a=1&b=2")]:
            with page.context.expect_page() as opened:
                link.click()
            expect(opened.value).to_have_title("arrived")
            assert opened.value.evaluate("[window.opener === null, origin !== 'null']") == [True, True]
            opened.value.close()
        assert [path for path in tracker.paths if path != "/favicon.ico"] == ["/good?a=1&b=2"] * 2
        expect(page.locator("ul.plain a")).to_have_count(2)

        # A window of its own has the same rules.
        source = page.locator("iframe").get_attribute("src")
        page.goto(emulator.url + source)
        expect(page.get_by_text("Hello from afar")).to_be_visible()
        assert "taken" not in page.title()
        assert len([path for path in tracker.paths if path != "/favicon.ico"]) == 2

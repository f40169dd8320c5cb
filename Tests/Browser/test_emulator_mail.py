"""Mail by Python's own SMTP client, and the inbox that it ends up in."""

import base64
import json
import os
import smtplib
import urllib.request
from email.message import EmailMessage

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
    page.on("request", lambda sent: addresses.append(sent.url))
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

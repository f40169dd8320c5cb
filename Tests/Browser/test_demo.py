"""The output of `siwa demo`: every address in it can be opened, and a port in use is all that is told."""

import re
import smtplib
import socket
import subprocess
import time
import urllib.request

import pytest
from playwright.sync_api import expect

from running import DEADLINE, SIWA


def words(demo):
    """The output, which is all there a moment after the ready file."""
    deadline = time.monotonic() + DEADLINE
    while "Ctrl-C" not in (text := demo.running.log.read_text()):
        assert time.monotonic() < deadline, text
        time.sleep(0.01)
    return text


def test_every_address_that_it_prints_can_be_opened(demo):
    text = words(demo)
    addresses = set(re.findall(r"https?://[^\s)]+", text))
    assert {f"{demo.service}/device", f"{demo.emulator}/settings", f"{demo.emulator}/mail"} <= addresses
    for address in addresses:
        with urllib.request.urlopen(address, timeout=20) as answer:
            assert answer.status == 200, address
    juice = re.search(r"^ +(\S*juice) --backend (\S+)$", text, re.MULTILINE)
    assert juice[2] == demo.service
    said = subprocess.run([juice[1], "--help"], capture_output=True, text=True, timeout=20)
    assert said.returncode == 0 and "Sign in with Apple" in said.stdout


def test_mail_to_a_relay_address_is_in_its_inbox(person, demo):
    person.begin()
    person.choose("Johnny Appleseed")
    person.page.get_by_label("Hide my email").check()
    person.decide("Continue")
    relay = person.page.get_by_text("@privaterelay.appleid.com").text_content().strip()
    with smtplib.SMTP("127.0.0.1", demo.running.addresses["mailPort"], timeout=20) as server:
        refused = server.sendmail(
            "news@juice.example.com", [relay],
            f"From: Juice <news@juice.example.com>\r\nTo: {relay}\r\nSubject: Fresh juice\r\n\r\nToday.\r\n")
    assert refused == {}
    person.page.goto(demo.emulator + "/mail")
    person.page.get_by_role("link", name="Johnny Appleseed").click()
    expect(person.page.get_by_text("Fresh juice")).to_be_visible()


@pytest.mark.parametrize("flag", ["--port", "--emulator-port", "--mail-port"])
def test_a_port_in_use_is_named_alone(flag):
    flags = {"--port": "0", "--emulator-port": "0", "--mail-port": "0"}
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        flags[flag] = str(port)
        words = [word for pair in flags.items() for word in pair]
        said = subprocess.run([SIWA, "demo", *words], capture_output=True, text=True, timeout=60)
    assert (said.returncode, said.stdout) == (1, "")
    assert re.fullmatch(
        rf"error: port {port} is in use\nhint: {flag} \d+ takes the next free one\n", said.stderr)

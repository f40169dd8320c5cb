"""Juice and the life of an account: what changes at Apple while it runs or sleeps, and scripts that end an account."""

import signal
import subprocess

from playwright.sync_api import expect

from juice_device import JUICE, device  # noqa: F401 (a fixture)
from test_leaving import tell

GRANT = {"person": "johnny", "clientID": "com.example.juice"}


def sign_in(device, juice):
    juice.see("Sign in with Apple")
    juice.type("\r")
    device.sign_in(device.opened())
    juice.see("User Identifier", "Johnny", "in use")


def test_who_stops_using_juice_at_apple_is_signed_out_while_it_runs(device):
    with device.juice() as juice:
        sign_in(device, juice)
        tell(device.demo, "grants/stop-using", GRANT)
        juice.see("You have stopped using Juice with your Apple Account.", "Sign in with Apple")
        assert "Johnny" not in juice.text
        # A person who comes back is a first visitor to Apple, and has the same account.
        juice.type("\r")
        device.go_to_apple(device.opened())
        device.person.choose("Johnny Appleseed")
        expect(device.page.get_by_label("First name")).to_be_visible()
        device.person.decide("Continue")
        juice.see("User Identifier", "Johnny", "in use")


def test_who_stops_using_juice_while_it_does_not_run_is_told_at_the_next_launch(device):
    with device.juice() as juice:
        sign_in(device, juice)
        juice.type("q")
        assert juice.end() == 0
    # The service has heard of it when another device has.
    with device.elsewhere().juice() as other:
        sign_in(device, other)
        tell(device.demo, "grants/stop-using", GRANT)
        other.see("You have stopped using Juice")
    with device.juice() as juice:
        juice.see("You have stopped using Juice with your Apple Account.", "Sign in with Apple")


def test_forwarding_that_ends_is_said(device):
    with device.juice() as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        device.go_to_apple(device.opened())
        device.person.choose("Johnny Appleseed")
        device.page.get_by_label("Hide my email").check()
        device.person.decide("Continue")
        juice.see("@privaterelay.appleid.com", "in use")
        tell(device.demo, "grants/forwarding", {**GRANT, "forwarding": False})
        juice.see("Apple forwards no more mail to you.")


def test_deleting_is_asked_for_twice(device):
    with device.juice() as juice:
        sign_in(device, juice)
        juice.type("d")
        juice.see("Delete your account?")
        # Return does nothing here, and Esc goes back.
        juice.type("\r\x1b")
        juice.see("User Identifier", "Johnny")
        juice.type("q")
        assert juice.end() == 0
    with device.juice() as juice:
        juice.see("User Identifier", "Johnny")


def test_a_script_deletes_the_account(device):
    with device.juice() as juice:
        sign_in(device, juice)
        juice.type("q")
        assert juice.end() == 0
    done = subprocess.run(
        [JUICE, "--store", "file"], env=device.environment, input="d\ny\n", capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Your account is deleted." in done.stdout
    assert not device.stored()


def test_the_account_is_shown_when_the_service_is_gone(device):
    with device.juice() as juice:
        sign_in(device, juice)
        juice.type("q")
        assert juice.end() == 0
    device.demo.running.process.send_signal(signal.SIGINT)
    device.demo.running.process.wait(30)
    with device.juice() as juice:
        screen = juice.see("User Identifier", "Johnny", "does not answer")
        assert "Apple Account    –" in screen
        juice.type("l")
        juice.see("did not answer", "User Identifier")

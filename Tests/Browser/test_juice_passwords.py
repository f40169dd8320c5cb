"""Juice without an Apple device at hand: the form of its first screen, links from mails, and the upgrade to Apple."""

import subprocess

from demo_mail import link_in_mail
from juice_device import JUICE, device  # noqa: F401 (a fixture)

# The emulator takes mail for the addresses of its people alone.
ADDRESS = "johnny@example.com"
PASSWORD = "nine wet umbrellas in a row"
OTHER_PASSWORD = "seven dry umbrellas in a row"


def create_account(device, juice, address=ADDRESS, person="johnny"):
    """Signs up, and types the link from the mail that the person gets."""
    juice.see("Email            –", "Password         –", "[N] Create Account", "Sign in with Apple")
    juice.type(f"n{address}\r")
    juice.see("Create an account", "New Password     _")
    juice.type(f"{PASSWORD}\r")
    juice.see("A mail is on its way.", f"Email            {address}")
    link = link_in_mail(device.demo, "/email-links/", person)
    juice.type(f"m{link}\r")
    juice.see("Complete the account", "Password         _")
    juice.type(f"{PASSWORD}\r")
    juice.see("User Identifier", "acc_", address, "You sign in with this address and your password.", "[U] Upgrade to Apple")


def sign_out(juice):
    juice.type("o")
    juice.see("[L] Log In", "Sign in with Apple")


def log_in(juice, password=PASSWORD):
    juice.see("[L] Log In")
    juice.type("l")
    juice.see("Log in", "Email ")
    # Ctrl-U erases the address that was typed before.
    juice.type(f"\x15{ADDRESS}\r")
    juice.see("Password         _")
    juice.type(password)
    juice.see("•" * len(password) + "_")
    assert password not in juice.text
    juice.type("\r")


def test_the_form_the_saved_password_and_the_upgrade(device):
    with device.juice() as juice:
        create_account(device, juice)
        sign_out(juice)
        log_in(juice, "not the right words at all")
        juice.see("password is wrong", f"Email            {ADDRESS}")
        log_in(juice)
        juice.see("Save the password on this device?", ADDRESS, "[Y] Yes, save it")
        juice.type("y")
        juice.see("The password is saved.", "User Identifier")
        sign_out(juice)
        juice.type("q")
        assert juice.end() == 0

    with device.juice() as juice:
        juice.see("Sign in with this account?", ADDRESS, "[Y] Yes, sign in", "[N] No, another way")
        juice.type("y")
        result = juice.see("User Identifier", "acc_", "[U] Upgrade to Apple")
        account = result.split("User Identifier")[1].split()[0]
        juice.type("u")
        juice.see("Use Sign in with Apple", "Password         _")
        juice.type(f"{PASSWORD}\r")
        juice.see("End your sessions elsewhere?")
        juice.type("n")
        page = device.opened()
        juice.see("Sign in in the browser")
        device.sign_in(page)
        juice.see("From now on you sign in with Apple.", "User Identifier", "in use", ADDRESS)
        assert "[U]" not in juice.text and account not in juice.text
        juice.type("q")
        assert juice.end() == 0

    with device.juice() as juice:
        juice.see("User Identifier", "in use")
        sign_out(juice)
        log_in(juice)
        juice.see("password is wrong")
        juice.type("q")
        assert juice.end() == 0


def test_a_forgotten_password_is_set_anew(device):
    with device.juice() as juice:
        create_account(device, juice)
        sign_out(juice)
        used = link_in_mail(device.demo, "/email-links/")
        juice.type("f")
        juice.see("Forgotten password", f"Email            {ADDRESS}_")
        juice.type("\r")
        juice.see("A mail is on its way.")
        link = link_in_mail(device.demo, "/email-links/", besides=[used])
        juice.type(f"m{link}\r")
        juice.see("Set a new password", "New Password     _")
        juice.type("passwordpassword\r")
        juice.see("common")
        juice.type(f"m{link}\r")
        juice.see("Set a new password")
        juice.type(f"{OTHER_PASSWORD}\r")
        juice.see("Your new password is set.")
        log_in(juice)
        juice.see("password is wrong")
        log_in(juice, OTHER_PASSWORD)
        juice.see("Save the password on this device?")
        juice.type("n")
        juice.see("User Identifier", "acc_")
        juice.type("dy")
        juice.see("Your account is deleted.")


def test_a_link_signs_in_without_a_password(device):
    with device.juice() as juice:
        juice.see("[E] Email Me a Link")
        juice.type(f"e{ADDRESS}\r")
        juice.see("A mail is on its way.")
        juice.type(f"m{link_in_mail(device.demo, '/email-links/')}\r")
        juice.see("Log in by the link", f"Email            {ADDRESS}_")
        juice.type("\r")
        juice.see("User Identifier", "acc_", "You sign in with links that are sent to this address.")


def test_a_script_logs_in(device):
    with device.juice() as juice:
        create_account(device, juice)
        sign_out(juice)
    command = [JUICE, "--store", "memory"]
    said = subprocess.run(
        command, input=f"l\n{ADDRESS}\n{PASSWORD}\n", env=device.environment | {"TERM": "dumb"}, capture_output=True,
        text=True, timeout=60)
    assert said.returncode == 0, said
    assert f"Email: {ADDRESS}" in said.stdout and "User Identifier: acc_" in said.stdout
    assert PASSWORD not in said.stdout + said.stderr

"""The sample app in a terminal: the walk of Apple's documentation, against a real service and in a real browser."""

import os
import pathlib

import pytest
from playwright.sync_api import expect

from juice_device import Service, device, settled  # noqa: F401 (a fixture)

TRANSCRIPT = pathlib.Path(__file__).parents[2] / "Docs" / "juice-transcript.txt"


class Album:
    """Screens in the order in which they were seen. With SIWA_RECORD=1 the file is written anew."""

    def __init__(self):
        self.text = ""

    def keep(self, caption, screen):
        self.text += f"──── {caption}\n{settled(screen)}\n\n"

    def compare(self, file):
        if os.environ.get("SIWA_RECORD") == "1":
            file.write_text(self.text)
        assert self.text == file.read_text()


def test_the_whole_walk(device):
    album = Album()
    page = device.page

    with device.juice() as juice:
        album.keep("Launch: there is no account yet", juice.see("[Q] Quit", "Sign in with Apple"))
        juice.type("\r")
        opened = device.opened()
        album.keep("Return: the browser opens", juice.see("Sign in in the browser", "/authorizations/"))
        device.go_to_apple(opened)
        device.person.choose("Johnny Appleseed")
        page.get_by_label("First name").fill("Jonathan")
        page.get_by_label("Share my email").check()
        device.person.decide("Continue")
        result = juice.see("User Identifier", "Jonathan", "Appleseed", "johnny@example.com", "in use", "[O] Sign Out")
        album.keep("Signed in, with a name that the person has edited", result)
        expect(page.get_by_text("return to the app")).to_be_visible()
        juice.type("q")
        assert juice.end() == 0
    assert device.stored()

    with device.juice() as juice:
        result_again = juice.see("User Identifier", "Jonathan", "Appleseed", "johnny@example.com", "in use")
        album.keep("The next launch: the account is there, and no browser was opened", result_again)
        assert result_again == result
        assert device.has_opened_nothing()
        juice.type("o")
        album.keep("O: signed out", juice.see("Sign in with Apple"))
        assert "Jonathan" not in juice.text and "User Identifier" not in juice.text
        juice.type("\r")
        assert "/authorizations/" in device.opened()
        juice.see("Sign in in the browser")
        juice.type("c")
        album.keep("Return, and C: given up in the terminal", juice.see("You have not signed in."))
        juice.type("q")
        assert juice.end() == 0
    assert not device.stored()

    with device.juice() as juice:
        album.keep("The next launch: nothing is stored", juice.see("Sign in with Apple"))
        juice.type("s")
        device.go_to_apple(device.opened())
        device.person.choose("Johnny Appleseed")
        # A later visit: Apple has nothing to edit any more, and gives no name.
        expect(page.get_by_label("First name")).to_have_count(0)
        device.person.decide("Continue")
        later = juice.see("User Identifier", "Jonathan", "Appleseed", "johnny@example.com", "in use")
        album.keep("Signed in again: the account has kept what Apple does not tell twice", later)
        juice.type("o")
        juice.see("Sign in with Apple")
        juice.type("\r")
        device.sign_in(device.opened(), decision="Cancel")
        album.keep("Cancelled at Apple, which is no error", juice.see("You have not signed in."))
        expect(page.get_by_text("Nobody was signed in.")).to_be_visible()
        juice.type("q")
        assert juice.end() == 0

    with device.juice(way=None, environment={"SSH_TTY": "/dev/pts/7", "SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"}) as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        screen = juice.see("Type this code there:", "/device")
        album.keep("Over SSH: a code for a browser on any device", screen)
        assert device.has_opened_nothing()
        lines = [line.strip() for line in screen.splitlines()]
        address = lines[lines.index("Open this page on any device:") + 1]
        code = lines[lines.index("Type this code there:") + 1]
        page.goto(address)
        page.get_by_label("Code").fill(code.lower())
        page.get_by_role("button", name="Continue").click()
        expect(page.get_by_role("heading", name="Juice")).to_be_visible()
        page.get_by_role("button", name="Allow").click()
        device.person.choose("Johnny Appleseed")
        device.person.decide("Continue")
        expect(page.get_by_role("heading", name="Return to your device")).to_be_visible()
        album.keep("The code was typed and allowed there", juice.see("User Identifier", "Jonathan", "in use"))

        with device.elsewhere().juice() as other:
            other.see("Sign in with Apple")
            other.type("\r")
            device.sign_in(device.opened())
            other.see("User Identifier", "Jonathan", "in use")
            album.keep("Meanwhile somebody signs in elsewhere", juice.see("signed in to this account elsewhere"))
            juice.type("l")
            album.keep("L: where the person is signed in", juice.see("This device", "Device 1", "[E] End all others"))
            juice.type("1")
            juice.until(lambda: "Device 1" not in juice.text and "This device" in juice.text, "one session")
            other.see("The session has ended", "Sign in with Apple")
            album.keep("1: ended there, where it is said", other.text)
            other.type("q")
            assert other.end() == 0

        juice.type("b")
        juice.see("[D] Delete Account")
        juice.type("d")
        album.keep("B, and D: what deleting means", juice.see("cannot be brought back", "[Y] Yes, delete it"))
        juice.type("y")
        album.keep(
            "Y: deleted, and Apple was told", juice.see("Your account is deleted", "Apple has ended the authorization"))
        juice.type("q")
        assert juice.end() == 0
    assert not device.stored()

    with device.juice() as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        device.go_to_apple(device.opened())
        device.person.choose("Johnny Appleseed")
        page.get_by_label("Hide my email").check()
        device.person.decide("Continue")
        juice.see("@privaterelay.appleid.com", "in use")
        juice.type("p")
        album.keep("Signed in anew, with a hidden address; P: the profile", juice.see("[T] Phone", "[C] Consents"))
        juice.type("n\x15Jonathan")
        album.keep("N: a name is typed", juice.see("Given Name       Jonathan_"))
        juice.type("\r")
        juice.see("Family Name      Appleseed_")
        juice.type("\r")
        juice.see("Given Name       Jonathan", "[N] Name")
        juice.type("t+493012345678\r")
        album.keep("T, and Return: who hides an address is asked first", juice.see("Do you agree", "[M] Read on"))
        juice.type("m")
        album.keep("M: more of the text", juice.see("Part 2 of 3", "[M] Read on"))
        juice.type("m")
        album.keep("M: the end of the text", juice.see("Do you agree", "[Y] Yes, I agree"))
        juice.type("y")
        album.keep("Y: the number is kept", juice.see("Phone            +493012345678", "[N] Name"))
        juice.type("c")
        album.keep("C: what the person has agreed to", juice.see("phone number", "agreed at", "[1] Withdraw 1"))
        juice.type("1")
        album.keep("1: what withdrawing means", juice.see("Withdraw your consent?", "[Y] Yes, withdraw it"))
        juice.type("y")
        album.keep("Y: withdrawn", juice.see("withdrawn at", "[B] Back"))
        juice.type("b")
        juice.see("Phone            –", "[N] Name")
        juice.type("q")
        assert juice.end() == 0

    album.compare(TRANSCRIPT)


def test_a_hidden_address(device):
    with device.juice() as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        device.go_to_apple(device.opened())
        device.person.choose("Johnny Appleseed")
        device.page.get_by_label("Hide my email").check()
        device.person.decide("Continue")
        juice.see("@privaterelay.appleid.com", "forwards mail", "Johnny")


def test_names_of_any_script(device):
    with device.juice() as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        device.go_to_apple(device.opened())
        device.person.choose("Johnny Appleseed")
        device.page.get_by_label("First name").fill("李小龍 e\u0301")
        device.page.get_by_label("Last name").fill("علی‌رضا")
        device.person.decide("Continue")
        juice.see("User Identifier", "johnny@example.com", "[O] Sign Out")
        assert "李小龍 e\u0301" in juice.written.decode() and "علی‌رضا" in juice.written.decode()


@pytest.mark.parametrize("member", ["userCode", "message"])
def test_an_account_service_cannot_command_the_terminal(device, member):
    command = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\n\u202e"
    good = {
        "deviceCode": "d" * 43, "userCode": command, "verificationURL": "https://example.com/device", "interval": 5,
        "expiresAt": "2999-01-01T00:00:00Z",
    }
    bad = {"error": {"code": "app_unknown", "message": command, "requestID": command}}
    with Service(*((200, good) if member == "userCode" else (400, bad))) as service:
        device.environment["SIWA_BACKEND"] = service.address
        with device.juice(way="--device") as juice:
            juice.see("Sign in with Apple")
            juice.type("\r")
            juice.until(lambda: b"Asking the account service" in juice.written and service.requests, "a request")
            juice.see("has no code to show" if member == "userCode" else "refused", "[Q] Quit")
            written = juice.written.decode()
            assert not any(text in written for text in ["\x07", "\x1b]", "\x1b[2J", "\x9b", "\r", "\n", "\u202e"])


def test_without_a_browser_the_page_is_shown(device):
    with device.juice(way="--no-browser") as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        screen = juice.see("Open this page in a browser on this machine:", "/authorizations/")
        assert device.has_opened_nothing()
        device.sign_in(next(line.strip() for line in screen.splitlines() if "/authorizations/" in line))
        juice.see("User Identifier", "Johnny")


def test_a_browser_that_does_not_open_is_no_end(device):
    with device.juice(environment={"BROWSER": "/bin/false"}) as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        screen = juice.see("Open this page in a browser on this machine:", "/authorizations/")
        device.sign_in(next(line.strip() for line in screen.splitlines() if "/authorizations/" in line))
        juice.see("User Identifier", "Johnny")


def test_a_denied_code_is_no_error(device):
    with device.juice(way="--device") as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        lines = [line.strip() for line in juice.see("Type this code there:", "/device").splitlines()]
        device.page.goto(lines[lines.index("Open this page on any device:") + 1])
        device.page.get_by_label("Code").fill(lines[lines.index("Type this code there:") + 1])
        device.page.get_by_role("button", name="Continue").click()
        device.page.get_by_role("button", name="Deny").click()
        juice.see("You have not signed in.", "Sign in with Apple")
        assert not device.stored()

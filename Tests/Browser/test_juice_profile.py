"""Juice and the profile: what a person changes, what they agree to, and what they take back."""

import subprocess

from playwright.sync_api import expect

from demo_mail import link_in_mail
from juice_device import JUICE, device  # noqa: F401 (a fixture)

PHONE = "+493012345678"
# Johnny hides this address from the service. The emulator takes mail for the addresses of its people alone.
OWN_ADDRESS = "johnny@example.com"


def sign_in(device, juice, hidden=True):
    juice.see("Sign in with Apple")
    juice.type("\r")
    device.go_to_apple(device.opened())
    device.person.choose("Johnny Appleseed")
    if hidden:
        device.page.get_by_label("Hide my email").check()
    device.person.decide("Continue")
    juice.see("User Identifier", "in use", "[P] Profile")


def test_who_hides_nothing_is_asked_nothing(device):
    with device.juice() as juice:
        sign_in(device, juice, hidden=False)
        juice.type(f"pt{PHONE}\r")
        juice.see(f"Phone            {PHONE}", "[N] Name")
        juice.type("c")
        juice.see("You have agreed to nothing.")


def test_who_does_not_agree_changes_nothing_and_may_think_again(device):
    with device.juice() as juice:
        sign_in(device, juice)
        juice.type(f"pt{PHONE}\r")
        juice.see("Do you agree", "your phone number", "[N] No")
        juice.type("n")
        juice.see("Nothing was changed.", "Phone            –")
        juice.type(f"t{PHONE}\r")
        juice.see("Do you agree", "[M] Read on")
        juice.type("m")
        juice.see("Part 2 of 3")
        juice.type("m")
        juice.see("[Y] Yes, I agree")
        juice.type("y")
        juice.see(f"Phone            {PHONE}")


def test_the_text_is_in_the_language_of_the_person(device):
    with device.juice(environment={"LANG": "de_DE.UTF-8"}) as juice:
        sign_in(device, juice)
        juice.type(f"pt{PHONE}\r")
        juice.see("Wenn du zustimmst", "[N] No")


def test_an_address_counts_when_its_link_was_opened(device):
    with device.juice() as juice:
        sign_in(device, juice)
        juice.type(f"pa{OWN_ADDRESS}\r")
        juice.see("Do you agree", "your contact address", "[M] Read on")
        juice.type("m")
        juice.see("Part 2 of 3")
        juice.type("m")
        juice.see("[Y] Yes, I agree")
        juice.type("y")
        juice.see(f"To be confirmed  {OWN_ADDRESS}", "open the link in the mail")
        link = link_in_mail(device.demo, "/contact/")
        device.person.begin(link.removeprefix(device.demo.service))
        device.person.choose("Johnny Appleseed")
        device.person.decide("Continue")
        expect(device.page.get_by_text(OWN_ADDRESS)).to_be_visible()
        device.page.get_by_role("button", name="Use this address").click()
        # The event of the change has reached Juice.
        juice.see(f"Contact Address  {OWN_ADDRESS}")
        juice.until(lambda: "To be confirmed" not in juice.text, "no address that waits")
        juice.type("a\x15\r")
        juice.see("Contact Address  –")


def test_a_change_on_another_device_is_seen(device):
    with device.juice() as juice, device.elsewhere().juice() as other:
        sign_in(device, juice, hidden=False)
        other.see("Sign in with Apple")
        other.type("\r")
        device.sign_in(device.opened())
        other.see("User Identifier", "in use")
        juice.type("p")
        juice.see("Phone            –")
        other.type(f"pt{PHONE}\r")
        other.see(f"Phone            {PHONE}", "[N] Name")
        juice.see(f"Phone            {PHONE}")


def test_a_value_that_is_none_is_refused_and_the_rest_stays(device):
    with device.juice() as juice:
        sign_in(device, juice, hidden=False)
        juice.type("pt030\r")
        juice.see("refused changing the profile", "phone", "Phone            –")


def test_keys_erase_what_was_typed(device):
    with device.juice() as juice:
        sign_in(device, juice, hidden=False)
        juice.type("pnX\x7f\x7fy")
        juice.see("Given Name       Johnny_")
        juice.type("\x1b")
        juice.see("Given Name       Johnny", "[N] Name")


def test_a_script_types_lines(device):
    with device.juice() as juice:
        sign_in(device, juice, hidden=False)
        juice.type("q")
        assert juice.end() == 0
    done = subprocess.run(
        [JUICE, "--store", "file"], env=device.environment, input=f"p\nn\nQuincy\n\nt\n{PHONE}\n", capture_output=True,
        text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Given Name: Quincy\nFamily Name: Appleseed\n" in done.stdout and f"Phone: {PHONE}\n" in done.stdout

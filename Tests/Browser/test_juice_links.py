"""Juice with several ways in to one account: an address, Apple Accounts, an Apple Account of another account."""

from demo_mail import link_in_mail
from juice_device import device  # noqa: F401 (a fixture)
from test_juice_passwords import ADDRESS, PASSWORD, create_account, log_in, sign_out

OTHER_ADDRESS = "zoe.oezdemir@example.org"


def identifier(juice):
    """The account's or Apple's identifier on the result screen."""
    return juice.text.split("User Identifier")[1].split()[0]


def see_ways(juice, *texts):
    juice.type("w")
    juice.see("Each of these opens your account.", "[A] Add Apple Account", *texts)


def add_apple(device, juice):
    """Adds the Apple Account of the person at the browser."""
    juice.type("a")
    page = device.opened()
    juice.see("Sign in with the Apple Account that you want to add.")
    device.sign_in(page)


def test_apple_beside_a_password_and_back(device):
    with device.juice() as juice:
        create_account(device, juice)
        account = identifier(juice)
        see_ways(juice, f"{ADDRESS} with a password")
        assert "[1]" not in juice.text and "Email Address" not in juice.text
        add_apple(device, juice)
        juice.see("You have one more way in to your account.", "Way in 2", "Apple Account", "[2] Remove 2")
        juice.type("b")
        sign_out(juice)

        # Apple opens the same account.
        juice.type("s")
        device.sign_in(device.opened())
        juice.see("User Identifier", "in use", ADDRESS)
        see_ways(juice, "Way in 1", "Way in 2")
        # The session goes with what opened it.
        juice.type("2")
        juice.see("Remove this way in?", "you are signed out here", "Apple is told.")
        juice.type("y")
        juice.see("The way in is removed. Sign in with another one.")
        log_in(juice)
        juice.see("Save the password on this device?")
        juice.type("n")
        juice.see("User Identifier", account)
        see_ways(juice, f"{ADDRESS} with a password")
        assert "Way in 2" not in juice.text
        juice.type("bq")
        assert juice.end() == 0


def test_an_address_beside_apple(device):
    with device.juice() as juice:
        juice.see("Sign in with Apple")
        juice.type("s")
        device.sign_in(device.opened())
        juice.see("User Identifier", "in use")
        see_ways(juice, "Apple Account", "[E] Add Email Address", "[M] Enter a Link")
        juice.type("e")
        juice.see("Add an email address", "Email            _")
        juice.type(f"{OTHER_ADDRESS}\r")
        juice.see("New Password     _")
        juice.type(f"{PASSWORD}\r")
        juice.see("A mail is on its way. Choose Enter a Link")
        assert PASSWORD not in juice.text
        link = link_in_mail(device.demo, "/email-links/", person="zoe")
        juice.type(f"m{link}\r")
        juice.see("You have one more way in to your account.", f"{OTHER_ADDRESS} with a password")
        juice.type("2")
        juice.see("Remove this way in?", "password goes with it.")
        juice.type("y")
        juice.see("The way in is removed.", "[E] Add Email Address")
        juice.type("bq")
        assert juice.end() == 0


def test_an_apple_account_of_another_account(device):
    with device.juice() as juice:
        juice.type("s")
        device.sign_in(device.opened())
        juice.see("User Identifier", "in use")
        apple = identifier(juice)
        sign_out(juice)
        # Somebody has a password here, and then tries to add the Apple Account.
        create_account(device, juice, OTHER_ADDRESS, "zoe")
        account = identifier(juice)
        for answer in "ny":
            see_ways(juice, "Way in 1")
            add_apple(device, juice)
            juice.see("This way in opens another account. Go there?", "[Y] Yes, go there", "[N] No, stay here")
            juice.type(answer)
            if answer == "n":
                juice.see("Each of these opens your account.")
                juice.type("b")
                juice.see("User Identifier", account)
        juice.see("User Identifier", apple, "in use")
        assert account not in juice.text
        juice.type("q")
        assert juice.end() == 0


def test_two_accounts_become_one(device):
    with device.juice() as juice:
        juice.type("s")
        device.sign_in(device.opened())
        juice.see("User Identifier", "in use")
        sign_out(juice)
        create_account(device, juice, OTHER_ADDRESS, "zoe")
        account = identifier(juice)
        for answer in "ny":
            see_ways(juice, "Way in 1")
            add_apple(device, juice)
            juice.see("This way in opens another account. Go there?", "[M] Make one account")
            juice.type("m")
            juice.see("Make one account of both?", "This can’t be undone.", "Comes here", "Apple Account", "your name")
            juice.type(answer)
            if answer == "n":
                juice.see("Each of these opens your account.")
                assert "Way in 2" not in juice.text
                juice.type("b")
                juice.see("User Identifier", account)
        juice.see("You have one account now, with these ways in.", "Way in 1", "Way in 2")
        juice.type("b")
        juice.see("User Identifier", account)
        sign_out(juice)
        juice.type("s")
        device.sign_in(device.opened())
        juice.see("User Identifier", "in use")
        see_ways(juice, "Way in 2")
        juice.type("q")
        assert juice.end() == 0

"""A newcomer signs up in the demo with an address of their own, and reads the mail in the emulator's inbox."""

import re
import time

from playwright.sync_api import expect

from demo_mail import PATIENCE, ask

ADDRESS = "newcomer@example.org"
PASSWORD = "seven green kettles sing"


def wait_for_mail(demo):
    """The mail to the newcomer, once the emulator has it."""
    deadline = time.monotonic() + PATIENCE
    while True:
        mails = ask(f"{demo.emulator}/emulator/mail")["mails"]
        for mail in mails:
            if mail["envelopeTo"] == ADDRESS:
                return mail
        assert time.monotonic() < deadline, mails
        time.sleep(0.05)


def test_a_newcomer_signs_up_and_finishes_by_the_mail_in_the_inbox(person, demo):
    page = person.page
    page.goto(demo.service)
    page.get_by_role("link", name="Use your email address").click()
    page.get_by_role("link", name="Create an account").click()
    page.get_by_label("Email address").fill(ADDRESS)
    page.locator("input[autocomplete=new-password]").fill(PASSWORD)
    page.get_by_role("button", name="Send me the link").click()
    assert "person" not in wait_for_mail(demo)

    page.goto(demo.emulator + "/mail")
    page.get_by_role("link", name="Other addresses").click()
    expect(page.get_by_text(ADDRESS)).to_be_visible()
    page.get_by_role("link", name=re.compile("^Finish your sign-up at Juice")).click()
    # The link in the mail opens in a tab of its own.
    with page.context.expect_page() as tab:
        page.locator("a[href*='/email-links/']").click()
    finish = tab.value
    finish.locator("input[autocomplete=current-password]").first.fill(PASSWORD)
    finish.get_by_role("button", name="Finish and sign in").click()
    expect(finish.get_by_text(ADDRESS).first).to_be_visible()
    assert finish.url.startswith(demo.service + "/account")

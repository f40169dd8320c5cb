"""A person gets a second way in to their account, goes to another account after a conflict, and removes a way in."""

from playwright.sync_api import expect

from barriers import assert_every_page_of_a_demo_fits
from conftest import make_stale
from demo_mail import link_in_mail
from test_passwords import ADDRESS, PASSWORD, account_of, finish, sign_in, sign_up


def with_apple(person, hides=False, name="Continue with Apple"):
    """Leaves a page for Apple, and comes back."""
    page = person.page
    page.get_by_role("button", name=name).click()
    person.choose("Johnny Appleseed")
    if hides:
        page.get_by_label("Hide my email").check()
    person.decide("Continue")


def sign_in_with_apple(person, hides=False):
    person.begin()
    person.choose("Johnny Appleseed")
    if hides:
        person.page.get_by_label("Hide my email").check()
    person.decide("Continue")
    expect(person.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()


def open_links(person):
    person.page.goto(person.demo.service + "/account")
    person.page.get_by_role("link", name="Ways in").click()
    expect(person.page.get_by_role("heading", name="Ways in to your account")).to_be_visible()


def rows(person):
    return person.page.get_by_role("listitem")


def ask_for_address(person):
    page = person.page
    page.get_by_role("textbox", name="Email address").fill(ADDRESS)
    page.get_by_label("Password", exact=True).fill(PASSWORD)
    page.get_by_role("button", name="Send me the link").click()


def sign_out(person):
    person.page.goto(person.demo.service + "/account")
    person.page.get_by_role("button", name="Sign out").click()
    expect(person.page.get_by_role("heading", name="You are signed out")).to_be_visible()


def test_an_apple_account_is_added_and_the_address_removed(person):
    page = person.page
    sign_up(person)
    finish(person)
    account_of(person)
    open_links(person)
    expect(rows(person)).to_have_count(1)
    expect(page.get_by_role("link", name="Remove")).to_have_count(0)
    with_apple(person)
    expect(page.get_by_role("status")).to_have_text("You can sign in with it from now on.")
    expect(rows(person)).to_have_count(2)
    sign_out(person)
    person.begin()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    account_of(person)
    open_links(person)
    expect(rows(person).filter(has_text="You signed in with it")).to_contain_text("Sign in with Apple")
    # A link says to a screen reader which way in it removes.
    page.get_by_role("link", name="Remove… Email address and password").click()
    page.get_by_role("link", name="Cancel").click()
    page.get_by_role("link", name="Remove… Email address and password").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("status")).to_have_text("It no longer signs in to this account.")
    expect(rows(person)).to_have_count(1)
    sign_out(person)
    sign_in(person)
    expect(page.get_by_role("alert")).to_have_text("The address or the password is wrong.")


def test_a_hidden_address_joins_by_consent_and_leaves_with_it(person):
    page = person.page
    sign_up(person)
    finish(person)
    account_of(person)
    open_links(person)
    with_apple(person, hides=True)
    expect(page.get_by_role("alert").first).to_contain_text("Nothing was changed.")
    page.get_by_role("checkbox", name="I agree to the text above").check()
    with_apple(person)
    expect(page.get_by_role("status")).to_have_text("You can sign in with it from now on.")
    page.goto(person.demo.service + "/account/consents")
    page.get_by_role("link", name="Withdraw").click()
    expect(page.get_by_text("joined your account with this consent")).to_be_visible()
    page.get_by_role("button", name="Withdraw and remove").click()
    expect(page.get_by_text("Withdrawn on")).to_be_visible()
    open_links(person)
    expect(rows(person)).to_have_count(1)


def test_an_address_is_added_to_an_account_of_apple_by_a_mailed_link(person, browser):
    page = person.page
    sign_in_with_apple(person, hides=True)
    open_links(person)
    page.get_by_role("checkbox", name="I agree to the text above").last.check()
    ask_for_address(person)
    expect(page.get_by_role("status")).to_contain_text("We have sent a link")
    link = link_in_mail(person.demo, "/email-links/")
    context = browser.new_context(java_script_enabled=person.has_script)
    try:
        other = context.new_page()
        other.goto(link)
        expect(other.get_by_role("heading", name="Open this link where you asked for it")).to_be_visible()
        expect(other.get_by_text(ADDRESS)).to_have_count(0)
    finally:
        context.close()
    page.goto(link)
    page.get_by_role("button", name="Add the address").click()
    expect(page.get_by_role("status")).to_have_text("You can sign in with it from now on.")
    expect(rows(person)).to_have_count(2)
    sign_out(person)
    sign_in(person)
    account_of(person, "Johnny Appleseed")


def test_after_a_conflict_the_person_goes_to_the_other_account(person):
    page = person.page
    sign_in_with_apple(person, hides=True)
    sign_out(person)
    sign_up(person, name="Somebody")
    finish(person)
    account_of(person, "Somebody")
    open_links(person)
    with_apple(person)
    expect(page.get_by_role("heading", name="That Apple Account has an account of its own")).to_be_visible()
    # The handle is in the form alone.
    assert "handle" not in page.url
    page.get_by_role("link", name="Stay here").click()
    expect(rows(person)).to_have_count(1)
    with_apple(person)
    page.get_by_role("button", name="Go to that account").click()
    expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
    open_links(person)
    expect(rows(person)).to_have_count(1)
    expect(rows(person)).to_contain_text("Hides your address")


def items(page, heading):
    """The list below a heading."""
    part = page.locator(".part").filter(has=page.get_by_role("heading", name=heading))
    return part.get_by_role("listitem")


def test_two_accounts_become_one_after_a_list_of_what_moves_and_what_is_lost(person, browser):
    page = person.page
    sign_up(person, name="Somebody")
    finish(person)
    sign_out(person)
    sign_in_with_apple(person)
    # A browser of the other account goes on, until the account is merged.
    context = browser.new_context(
        storage_state=page.context.storage_state(), java_script_enabled=person.has_script)
    try:
        other = context.new_page()
        page.context.clear_cookies()
        sign_in(person)
        account_of(person, "Somebody")
        open_links(person)
        with_apple(person)
        page.get_by_role("button", name="Make one account of both").click()
        expect(page.get_by_role("heading", name="Make one account of both?")).to_be_visible()
        # The handle is in forms alone.
        assert page.url == person.demo.service + "/account/merge"
        text = page.get_by_role("main").inner_text()
        assert text.index("This can’t be undone.") < text.index("What comes to this account")
        expect(items(page, "What comes to this account")).to_contain_text(["Sign in with Apple"])
        expect(items(page, "What is lost")).to_contain_text(
            ["The other account itself", "Your name", "Every place where you are signed in to it"])
        page.get_by_role("link", name="Cancel").click()
        open_links(person)
        expect(rows(person)).to_have_count(1)
        other.goto(person.demo.service + "/account")
        expect(other.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()

        with_apple(person)
        page.get_by_role("button", name="Make one account of both").click()
        page.get_by_role("button", name="Make one account", exact=True).click()
        expect(page.get_by_role("heading", name="You have one account now")).to_be_visible()
        open_links(person)
        expect(rows(person)).to_have_count(2)
        other.goto(person.demo.service + "/account")
        expect(other.get_by_role("heading", name="You have one account now")).to_be_visible()
        expect(other.get_by_text("This account was merged into your other one.")).to_be_visible()
        # The browser has forgotten the session, so it is told once.
        other.goto(person.demo.service + "/account")
        expect(other.get_by_role("heading", name="You have one account now")).to_have_count(0)
        expect(other).to_have_url(person.demo.service + "/?return=/account")
    finally:
        context.close()
    sign_out(person)
    person.begin()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    account_of(person, "Somebody")


def test_a_merge_with_a_hidden_address_needs_consent(person):
    page = person.page
    sign_in_with_apple(person, hides=True)
    sign_out(person)
    sign_up(person, name="Somebody")
    finish(person)
    account_of(person, "Somebody")
    open_links(person)
    with_apple(person)
    page.get_by_role("button", name="Make one account of both").click()
    page.get_by_role("button", name="Make one account", exact=True).click()
    expect(page.get_by_role("alert")).to_have_text("To make one account of both, agree to the text below.")
    page.get_by_role("checkbox", name="I agree to the text above").check()
    page.get_by_role("button", name="Make one account", exact=True).click()
    expect(page.get_by_role("heading", name="You have one account now")).to_be_visible()
    # The consent takes with it what came by it.
    page.goto(person.demo.service + "/account/consents")
    page.get_by_role("link", name="Withdraw").click()
    expect(page.get_by_text("joined your account with this consent")).to_be_visible()
    page.get_by_role("button", name="Withdraw and remove").click()
    open_links(person)
    expect(rows(person)).to_have_count(1)


def test_no_page_of_the_ways_in_has_a_barrier(browser, tmp_path):
    assert_every_page_of_a_demo_fits(browser, tmp_path, every_page, "links")


def every_page(person, data):
    page, service = person.page, person.demo.service
    sign_in_with_apple(person, hides=True)
    open_links(person)
    yield "ways in with Apple"
    page.get_by_role("textbox", name="Email address").fill(ADDRESS)
    page.get_by_label("Password", exact=True).fill("passwordpassword")
    page.get_by_role("checkbox", name="I agree to the text above").last.check()
    page.get_by_role("button", name="Send me the link").click()
    expect(page.get_by_role("alert")).to_be_visible()
    yield "ways in with a mistake"
    page.get_by_role("checkbox", name="I agree to the text above").last.check()
    ask_for_address(person)
    expect(page.get_by_role("status")).to_be_visible()
    yield "ways in, link sent"
    link = link_in_mail(person.demo, "/email-links/")
    page.goto(link)
    yield "add the address"
    page.get_by_role("button", name="Add the address").click()
    expect(page.get_by_role("status")).to_be_visible()
    yield "two ways in"
    page.get_by_role("link", name="Remove… Email address and password").click()
    yield "remove an address"
    page.goto(service + "/account/links")
    page.get_by_role("link", name="Remove… Sign in with Apple").click()
    yield "remove Apple"
    page.goto(service + "/account/sessions")
    yield "sessions with ways in"
    page.goto(service + "/account/consents")
    page.get_by_role("link", name="Withdraw").click()
    yield "withdraw the consent"
    page.goto(service + "/account/links?consent")
    yield "ways in, consent"
    make_stale(data)
    page.goto(service + "/account/links")
    yield "ways in, stale"
    page.get_by_role("link", name="Remove… Sign in with Apple").click()
    yield "remove Apple, stale"
    page.goto(service + "/account/links?late")
    yield "ways in, late"
    page.context.clear_cookies()
    sign_in(person)
    account_of(person, "Johnny Appleseed")
    page.goto(service + "/account/links")
    page.get_by_role("link", name="Remove… Sign in with Apple").click()
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_role("status")).to_be_visible()
    sign_out(person)
    person.begin()
    person.choose("Johnny Appleseed")
    person.decide("Continue")
    expect(page).to_have_url(service + "/account")
    sign_out(person)
    sign_in(person)
    page.goto(service + "/account/links")
    with_apple(person)
    expect(page.get_by_role("button", name="Go to that account")).to_be_visible()
    yield "conflict"
    page.get_by_role("button", name="Make one account of both").click()
    yield "merge"
    # Apple may have forgotten by now that the person hid their address.
    if page.get_by_role("checkbox", name="I agree to the text above").count():
        page.get_by_role("button", name="Make one account", exact=True).click()
        expect(page.get_by_role("alert")).to_be_visible()
        yield "merge, without consent"
        page.get_by_role("checkbox", name="I agree to the text above").check()
    page.get_by_role("button", name="Make one account", exact=True).click()
    expect(page.get_by_role("heading", name="You have one account now")).to_be_visible()
    yield "merged"
    page.goto(service + "/account/merge")
    yield "how a merge begins"

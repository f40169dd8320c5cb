"""The emulator's Sign in with Apple JS, as pages written for Apple's script use it."""

import base64
import json
import re
import urllib.parse

import pytest
from playwright.sync_api import expect

from barriers import assert_no_barrier
from script_site import CLIENT, Emulator, Site, Visit

BUTTON = '<div id="appleid-signin" {}></div>'


@pytest.fixture(scope="module")
def world():
    with Site() as site, Emulator(site.callback, site.other_callback) as emulator:
        yield site, emulator


@pytest.fixture
def visit(browser, world):
    site, emulator = world
    emulator.call("/reset", {})
    emulator.call("/quirks", {"quirks": []})
    site.posts.clear()
    context = browser.new_context()
    yield Visit(context, site, emulator)
    context.close()


def claims(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def test_popup_gives_code_token_and_name_once(visit):
    visit.open(init=visit.settings())
    popup = visit.popup(visit.press)
    query = urllib.parse.parse_qsl(urllib.parse.urlsplit(popup.url).query)
    assert [name for name, _ in query] == [
        "client_id", "redirect_uri", "response_type", "state", "scope", "nonce", "response_mode", "frame_id", "m", "v"]
    assert dict(query)["response_mode"] == "web_message"
    assert "scope=name%20email" in popup.url
    with popup.expect_event("close"):
        visit.decide(popup)
    data = visit.result()["data"]
    assert set(data) == {"authorization", "user"}
    assert set(data["authorization"]) == {"code", "id_token", "state"}
    assert data["authorization"]["state"] == "state-1"
    assert claims(data["authorization"]["id_token"])["nonce"] == "nonce-1"
    assert data["user"] == {
        "name": {"firstName": "Johnny", "lastName": "Appleseed"}, "email": "johnny@example.com"}
    assert visit.events("AppleIDSignInOnSuccess") == [data]
    assert len(visit.events("AppleIDSigInLoaded")) == 1

    popup = visit.popup(visit.press)
    visit.decide(popup)
    again = visit.result(2)["data"]
    assert set(again) == {"authorization"}
    assert again["authorization"]["code"] != data["authorization"]["code"]
    visit.expect_no_violation()
    assert visit.site.posts == [], "the redirect URI is not visited"


def test_options_of_one_sign_in_take_the_place_of_those_of_init(visit):
    visit.open(init=visit.settings())
    popup = visit.popup(lambda: visit.page.evaluate("void begin({state: 'state-2', nonce: 'nonce-2', scope: 'email'})"))
    visit.decide(popup)
    data = visit.result()["data"]
    assert data["authorization"]["state"] == "state-2"
    assert claims(data["authorization"]["id_token"])["nonce"] == "nonce-2"
    assert set(data["user"]) == {"email"}


def test_cancel_in_the_popup_is_apples_error(visit):
    visit.open(init=visit.settings())
    popup = visit.popup(visit.press)
    with popup.expect_event("close"):
        visit.decide(popup, "Cancel")
    assert visit.result() == {"error": {"error": "user_cancelled_authorize"}}
    assert visit.events("AppleIDSignInOnFailure") == [{"error": "user_cancelled_authorize"}]


def test_a_closed_popup_is_an_error(visit):
    visit.open(init=visit.settings())
    visit.popup(visit.press).close()
    assert visit.result() == {"error": {"error": "popup_closed_by_user"}}
    assert visit.events("AppleIDSignInOnFailure") == [{"error": "popup_closed_by_user"}]
    # And the next one works.
    visit.decide(visit.popup(visit.press))
    assert "data" in visit.result(2)


def test_a_blocked_popup_is_an_error(visit):
    visit.page.add_init_script("window.open = () => null")
    visit.open(init=visit.settings())
    visit.press()
    assert visit.result() == {"error": {"error": "popup_blocked_by_browser"}}


def test_a_second_sign_in_ends_the_first_and_uses_its_window(visit):
    visit.open(init=visit.settings())
    popup = visit.popup(visit.press)
    expect(popup.get_by_role("button", name="Johnny Appleseed")).to_be_visible()
    with popup.expect_navigation():
        visit.page.evaluate("void begin({state: 'state-2'})")
    assert visit.result() == {"error": {"error": "user_trigger_new_signin_flow"}}
    visit.decide(popup)
    assert visit.result(2)["data"]["authorization"]["state"] == "state-2"


def test_redirect_posts_the_answer_to_the_redirect_uri(visit):
    visit.open(init=visit.settings(usePopup=False))
    visit.press()
    visit.page.wait_for_url(visit.emulator.url + "/auth/authorize?*")
    assert "response_mode=form_post" in visit.page.url
    visit.decide(visit.page)
    expect(visit.page.get_by_role("heading", name="Posted")).to_be_visible()
    assert visit.page.url == visit.site.callback
    [posted] = visit.site.posts
    assert set(posted) == {"code", "id_token", "state", "user"}
    assert posted["state"] == "state-1"


def test_meta_tags_are_enough_and_the_button_begins(visit):
    tags = {"client-id": CLIENT, "scope": "email", "redirect-uri": visit.site.callback, "state": "from-meta",
            "nonce": "n", "use-popup": "true"}
    head = "".join(f'<meta name="appleid-signin-{name}" content="{value}">' for name, value in tags.items())
    visit.open(BUTTON.format('data-type="continue"'), head=head)
    popup = visit.popup(lambda: visit.page.get_by_role("button", name="Continue with Apple").click())
    visit.decide(popup)
    visit.page.wait_for_function("() => seen.events.some((event) => event.name === 'AppleIDSignInOnSuccess')")
    [data] = visit.events("AppleIDSignInOnSuccess")
    assert data["authorization"]["state"] == "from-meta"

    # The values of init take the place of the tags; the rest of them stays.
    visit.open('<button id="press">Sign in</button>', head=head, init={"state": "from-init"})
    visit.decide(visit.popup(visit.press))
    data = visit.result()["data"]
    assert data["authorization"]["state"] == "from-init"
    assert claims(data["authorization"]["id_token"])["nonce"] == "n"


def test_events_may_have_their_result_in_data(visit):
    visit.emulator.call("/quirks", {"quirks": ["event-detail-in-data"]})
    visit.open(init=visit.settings())
    visit.decide(visit.popup(visit.press))
    data = visit.result()["data"]
    assert visit.events("AppleIDSignInOnSuccess") == [{"data": data}]


def test_what_init_and_sign_in_refuse(visit):
    visit.open()
    refused = """(settings) => {
      try { AppleID.auth[settings === null ? 'signIn' : 'init'](settings ?? undefined); return null; }
      catch (error) { return error instanceof Error ? error.message : 'no Error'; }
    }"""
    for changes in [None, {"clientId": ""}, {"clientId": 7}, {"redirectURI": None}, {"state": 1}, {"nonce": {}},
                    {"scope": ["name"]}]:
        settings = None if changes is None else visit.settings(**changes)
        assert visit.page.evaluate(refused, settings), changes
    assert visit.page.evaluate(refused, visit.settings()) is None


def test_the_answer_is_for_the_origin_of_the_redirect_uri(visit):
    # The page is at one origin, its redirect URI at another: as with Apple, the popup stays and nobody learns a thing.
    visit.open(init=visit.settings(), origin=visit.site.other_origin)
    visit.page.evaluate("window.addEventListener('message', (event) => seen.results.push({message: event.data}))")
    popup = visit.popup(visit.press)
    visit.decide(popup)
    expect(popup.get_by_text(re.compile("If it stays open"))).to_contain_text(visit.site.origin)
    popup.close()
    assert visit.result() == {"error": {"error": "popup_closed_by_user"}}
    assert len(visit.seen("results")) == 1

    visit.emulator.call("/quirks", {"quirks": ["popup-answers-any-return-url"]})
    visit.decide(visit.popup(visit.press))
    visit.page.wait_for_function("() => seen.results.some((result) => result.data)")


def test_messages_of_others_are_not_the_popups(visit):
    visit.open(init=visit.settings())
    popup = visit.popup(visit.press)
    forged = json.dumps({"method": "oauthDone", "data": {"authorization": {"code": "forged"}}})
    visit.page.evaluate("text => { window.postMessage(text, '*') }", forged)
    for text in ["no JSON", "null", "{}", '{"method": "oauthDone"}']:
        visit.page.evaluate("text => { window.postMessage(text, '*') }", text)
    visit.decide(popup)
    data = visit.result()["data"]
    assert data["authorization"]["code"] != "forged"
    assert len(visit.seen("results")) == 1


@pytest.mark.parametrize("is_on", [False, True])
def test_tags_of_2019_send_the_script_elsewhere_by_a_behaviour(visit, is_on):
    visit.emulator.call("/quirks", {"quirks": ["script-honours-dev-tags"] if is_on else []})
    there = visit.emulator.url.replace("127.0.0.1", "localhost")
    tags = "".join(
        f'<meta name="appleid-signin-dev-{name}" content="{value}">'
        for name, value in {"env": "x", "uri": there, "path": "/auth//authorize"}.items())
    visit.open(head=tags, init=visit.settings())
    popup = visit.popup(visit.press)
    address = there + "/auth//authorize" if is_on else visit.emulator.url + "/auth/authorize"
    assert popup.url.startswith(address + "?client_id=")
    with popup.expect_event("close"):
        visit.decide(popup)
    assert "data" in visit.result(), "the message is taken from where the popup is"


@pytest.mark.parametrize("key", ["Enter", "Space"])
def test_the_button_works_by_keyboard(visit, key):
    visit.open(BUTTON.format(""), init=visit.settings())
    visit.page.get_by_role("button", name="Sign in with Apple").focus()
    popup = visit.popup(lambda: visit.page.keyboard.press(key))
    expect(popup.get_by_text("This is not Apple")).to_be_visible()


def test_the_button_is_drawn_as_its_attributes_say(visit):
    def look(attributes, **options):
        visit.open(BUTTON.format(attributes), init=visit.settings(), **options)
        button = visit.page.get_by_role("button")
        style = button.evaluate(
            "b => { const s = getComputedStyle(b); return [s.backgroundColor, s.borderTopWidth, s.borderTopLeftRadius] }")
        box = button.bounding_box()
        visit.expect_no_violation()
        return button, style, (box["width"], box["height"])

    black, white = "rgb(0, 0, 0)", "rgb(255, 255, 255)"
    _, style, (width, height) = look("")
    assert style == [black, "1px", "15px"] and (width, height) == (375, 30)
    _, style, _ = look('data-border="false" data-border-radius="abc"')
    assert style == [black, "0px", "15px"]
    _, style, _ = look('data-border="perhaps" data-border-radius="0"')
    assert style == [black, "1px", "0px"]
    _, style, size = look('data-color="white" data-border="true" data-border-radius="7" data-width="200" data-height="48"')
    assert style == [white, "1px", "7px"] and size == (200, 48)
    _, style, size = look('data-width="9999" data-height="1" data-border-radius="99" data-color="<b>"')
    assert style == [black, "1px", "50px"] and size == (375, 30)
    button, _, size = look('data-mode="logo-only" data-height="44"')
    assert size == (44, 44) and button.inner_text() == ""
    expect(button).to_have_accessible_name("Sign in with Apple")
    button, _, _ = look('data-mode="left-align" data-type="sign-up" data-label-position="60" data-logo-size="large"',
                        locale="de_DE")
    expect(button).to_have_text("Mit Apple registrieren")
    label = button.locator("span")
    assert label.bounding_box()["x"] - button.bounding_box()["x"] == 60
    places = {"0": (None, 6), "60": ("20", 20), "100": ("150", 100), "150": ("40", 40)}
    for label_position, (logo_position, logo_at) in places.items():
        asked = f'data-logo-position="{logo_position}"' if logo_position else ""
        button, _, _ = look(
            f'data-mode="left-align" data-width="240" data-height="48" data-label-position="{label_position}" {asked}')
        start = button.bounding_box()["x"]
        assert button.locator("svg").bounding_box()["x"] - start == logo_at
        if label_position != "0":
            # Never beyond the middle.
            assert button.locator("span").bounding_box()["x"] - start == min(int(label_position), 120)
    button, _, _ = look('data-type="sign in" data-width="130"', locale="iw_IL")
    assert button.get_attribute("dir") == "rtl" and button.get_attribute("lang") == "he-IL"
    assert button.locator("svg").bounding_box()["x"] > button.locator("span").bounding_box()["x"]


def test_a_left_aligned_button_has_a_small_mark_unless_it_is_told_otherwise(visit):
    widths = {}
    for size in ["", "small", "medium", "large", "huge"]:
        attribute = f' data-logo-size="{size}"' if size else ""
        visit.open(BUTTON.format('data-mode="left-align" data-height="50"' + attribute), init=visit.settings())
        widths[size] = visit.page.get_by_role("button").locator("svg").bounding_box()["width"]
    assert widths[""] == widths["small"] == widths["huge"] < widths["medium"] < widths["large"]


def test_long_titles_stay_within_narrow_buttons(visit):
    visit.open(BUTTON.format('data-width="130" data-height="64"'), init=visit.settings(), locale="pt_BR")
    button = visit.page.get_by_role("button")
    outer, inner = button.bounding_box(), button.locator("span").bounding_box()
    assert inner["x"] >= outer["x"] and inner["x"] + inner["width"] <= outer["x"] + outer["width"]


def test_neither_button_nor_the_popups_last_page_has_a_barrier(browser, world):
    site, emulator = world
    context = browser.new_context(viewport={"width": 320, "height": 640}, bypass_csp=True)
    visit = Visit(context, site, emulator)
    for color in ["black", "white"]:
        visit.open(BUTTON.format(f'data-color="{color}" data-border="true"'), init=visit.settings())
        assert_no_barrier(visit.page, color, within="#appleid-signin")
    popup = visit.popup(lambda: visit.page.get_by_role("button").click())
    # Nobody closes the popup of a page that is not there any more.
    visit.page.goto("about:blank")
    popup.set_viewport_size({"width": 320, "height": 640})
    visit.decide(popup)
    expect(popup.get_by_text("If it stays open")).to_be_visible()
    assert "not Apple" in popup.title()
    assert_no_barrier(popup)
    assert popup.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()

"""When the sign-in page opens its popup: in the click itself, because Safari opens none later."""

import time

import pytest
from playwright.sync_api import expect

from conftest import Demo

# Safari's rule, and a note of each window that was asked for.
WATCH = """
window.asked = [];
const open = window.open;
window.open = (...rest) => {
  const isClick = window.event?.type === 'click' && window.event.isTrusted && navigator.userActivation.isActive;
  asked.push(isClick);
  return isClick ? open.apply(window, rest) : null;
};
"""
BEGINNING = "**/sign-in/apple"
# Counts the attempts that Apple's script was given.
COUNT = """() => {
  if (AppleID.given !== undefined) return;
  const init = AppleID.auth.init;
  AppleID.given = 0;
  AppleID.auth.init = (settings) => { init(settings); AppleID.given += 1; };
}"""


class Visitor:
    def __init__(self, page, demo):
        self.page, self.demo = page, demo
        self.begun = []
        self.link = page.get_by_role("link", name="Sign in with Apple")
        page.on("request", lambda request: request.method == "POST" and self.begun.append(request.url))
        page.add_init_script(WATCH)

    def open(self):
        self.page.goto(self.demo.service + "/")
        expect(self.link).to_be_visible()

    def ready(self, action):
        """Does what begins an attempt, until the page has it."""
        self.page.evaluate(COUNT)
        before = self.page.evaluate("AppleID.given")
        action()
        self.page.wait_for_function("before => AppleID.given > before", arg=before)

    def stop_beginning(self, stop):
        """The script's way of beginning; the link's is a GET."""
        self.page.route(
            BEGINNING, lambda route: stop(route) if route.request.method == "POST" else route.continue_())

    def popup(self, action):
        with self.page.expect_popup() as opened:
            action()
        expect(opened.value.get_by_text("This is not Apple")).to_be_visible()
        return opened.value

    def ends_signed_in(self, window):
        window.get_by_role("button", name="Johnny Appleseed").click()
        window.get_by_role("button", name="Continue", exact=True).click()
        expect(self.page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    with Demo(tmp_path_factory.mktemp("demo"), "--script", "popup") as running:
        yield running


@pytest.fixture
def visitor(browser, demo):
    context = browser.new_context()
    yield Visitor(context.new_page(), demo)
    context.close()


def test_with_the_mouse_the_popup_opens_in_the_click(visitor):
    visitor.open()
    assert visitor.begun == [], "looking at the page begins nothing"
    visitor.ready(visitor.link.hover)
    popup = visitor.popup(visitor.link.click)
    assert visitor.page.evaluate("asked") == [True]
    assert visitor.begun == [visitor.demo.service + "/sign-in/apple"]
    visitor.ends_signed_in(popup)


@pytest.mark.parametrize("decision", ["Continue", "Cancel"])
def test_with_the_keyboard_the_popup_opens_in_the_click(visitor, decision):
    visitor.open()
    visitor.ready(visitor.link.focus)
    popup = visitor.popup(lambda: visitor.page.keyboard.press("Enter"))
    assert visitor.page.evaluate("asked") == [True]
    assert len(visitor.begun) == 1
    if decision == "Continue":
        return visitor.ends_signed_in(popup)
    popup.get_by_role("button", name="Cancel").click()
    expect(visitor.page.get_by_role("heading", name="cancelled")).to_be_visible()


def test_where_there_are_fingers_only_the_attempt_begins_with_the_page(browser, demo):
    context = browser.new_context(has_touch=True, is_mobile=True, viewport={"width": 390, "height": 800})
    visitor = Visitor(context.new_page(), demo)
    with visitor.page.expect_response(BEGINNING) as answer:
        visitor.open()
    answer.value.finished()
    visitor.ends_signed_in(visitor.popup(visitor.link.tap))
    assert len(visitor.begun) == 2, "the beginning, and the end at the callback"
    context.close()


def test_a_closed_popup_costs_no_second_attempt(visitor):
    visitor.open()
    visitor.ready(visitor.link.hover)
    visitor.popup(visitor.link.click).close()
    visitor.ends_signed_in(visitor.popup(visitor.link.click))
    assert visitor.begun == [visitor.demo.service + path for path in ["/sign-in/apple", "/sign-in/apple/callback"]]


def test_an_attempt_is_renewed_when_it_is_old_and_not_before(visitor):
    visitor.page.clock.install()
    visitor.open()
    visitor.ready(visitor.link.hover)
    for minutes, begun in [(2, 1), (2, 2)]:
        visitor.page.clock.fast_forward(minutes * 60_000)
        visitor.page.mouse.move(0, 0)
        if begun == 1:
            visitor.link.hover()
        else:
            visitor.ready(visitor.link.hover)
        assert len(visitor.begun) == begun
    visitor.popup(visitor.link.click)
    assert visitor.page.evaluate("asked") == [True]


def test_a_click_that_comes_first_waits_and_a_browser_that_opens_nothing_then_follows_the_link(visitor):
    held = []
    visitor.stop_beginning(held.append)
    visitor.open()
    with visitor.page.expect_request(BEGINNING):
        visitor.link.click()
    # Playwright tells of a request before it hands it over, which it does while it is asked something.
    deadline = time.monotonic() + 30
    while not held:
        assert time.monotonic() < deadline, "the beginning was not handed over"
        visitor.page.context.cookies()
    held[0].continue_()
    expect(visitor.page.get_by_text("This is not Apple")).to_be_visible()
    assert len(held) == 1
    visitor.ends_signed_in(visitor.page)


def test_a_click_does_not_wait_for_ever(visitor):
    visitor.page.clock.install()
    visitor.stop_beginning(lambda route: None)
    visitor.open()
    visitor.link.click()
    visitor.page.clock.fast_forward(3_000)
    expect(visitor.page.get_by_text("This is not Apple")).to_be_visible()
    visitor.ends_signed_in(visitor.page)


def test_an_attempt_that_cannot_begin_leaves_the_link(visitor):
    visitor.stop_beginning(lambda route: route.abort())
    visitor.open()
    visitor.link.hover()
    visitor.link.click()
    expect(visitor.page.get_by_text("This is not Apple")).to_be_visible()
    visitor.ends_signed_in(visitor.page)

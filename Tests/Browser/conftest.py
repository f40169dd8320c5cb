"""A demo of its own for each test that asks for one, and a real browser in front of it."""

import contextlib
import os
import pathlib
import sqlite3

import pytest
from playwright.sync_api import expect, sync_playwright

from running import Running

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell")


class Demo:
    """`siwa demo` on free ports."""

    def __init__(self, folder: pathlib.Path, *arguments: str):
        self.running = Running(
            "demo", "--port", "0", "--emulator-port", "0", "--mail-port", "0", *arguments, folder=folder)

    def __enter__(self):
        addresses = self.running.__enter__().addresses
        self.service, self.emulator = addresses["service"], addresses["emulator"]
        return self

    def __exit__(self, *error):
        self.running.__exit__(*error)


def make_stale(data):
    """The sessions in a demo's `--data` folder, as five minutes would: they cannot be waited for."""
    with contextlib.closing(sqlite3.connect(data / "siwa.sqlite", timeout=10)) as database, database:
        changed = database.execute("UPDATE sessions SET authenticated_at = authenticated_at - 300 * 1000000")
        assert changed.rowcount > 0


class Person:
    """A person, who acts in the words of the pages."""

    def __init__(self, page, demo, has_script=True):
        self.page = page
        self.demo = demo
        self.has_script = has_script

    def begin(self, path="/"):
        self.page.goto(self.demo.service + path)
        self.page.get_by_role("link", name="Sign in with Apple").click()
        expect(self.page.get_by_text("This is not Apple")).to_be_visible()

    def choose(self, name):
        self.page.get_by_role("button", name=name).click()

    def decide(self, decision):
        self.page.get_by_role("button", name=decision, exact=True).click()
        if not self.has_script:
            self.page.get_by_role("button", name="Continue to localhost").click()

    def cookies(self):
        return {cookie["name"]: cookie for cookie in self.page.context.cookies()}


@pytest.fixture
def demo(tmp_path):
    with Demo(tmp_path) as running:
        yield running


@pytest.fixture(scope="session")
def browser():
    with sync_playwright() as playwright:
        # Playwright's sandbox needs rights that a container's root does not have.
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(params=["with JavaScript", "without JavaScript"])
def person(browser, demo, request):
    """Somebody with a fresh browser profile. Every page must work without JavaScript too."""
    context = browser.new_context(java_script_enabled=request.param == "with JavaScript")
    yield Person(context.new_page(), demo, has_script=request.param == "with JavaScript")
    context.close()

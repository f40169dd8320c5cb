"""From the archive to the first signed-in page."""

import os
import time

from playwright.sync_api import expect, sync_playwright

import running
from conftest import run


def test_a_minute_is_enough_from_unpacking_to_the_first_signed_in_page(archive, tmp_path, monkeypatch):
    begin = time.monotonic()
    run("tar", "-xzf", archive, "-C", tmp_path)
    [tree] = tmp_path.iterdir()
    monkeypatch.setattr(running, "SIWA", str(tree / "bin/siwa"))
    ports = ["--port", "0", "--emulator-port", "0", "--mail-port", "0"]
    with running.Running("demo", *ports) as demo, sync_playwright() as playwright:
        # Chromium's sandbox needs rights that a container's root does not have.
        chromium = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium-headless-shell"), args=["--no-sandbox"])
        page = chromium.new_page()
        page.goto(demo.addresses["service"])
        page.get_by_role("link", name="Sign in with Apple").click()
        page.get_by_role("button", name="Johnny Appleseed").click()
        page.get_by_role("button", name="Continue", exact=True).click()
        expect(page.get_by_role("heading", name="Johnny Appleseed")).to_be_visible()
        seconds = time.monotonic() - begin
        chromium.close()
    print(f"{seconds:.1f} s from unpacking to the first signed-in page")
    assert seconds < 60

"""Takes the pictures that the documentation shows: `make pictures`."""

import base64
import pathlib
import tempfile

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, Demo, Person
from emulator_visit import App, Emulator, Visitor

IMAGES = pathlib.Path(__file__).resolve().parents[2] / "Docs" / "images"
FRAME = """<!doctype html>
<style>
  body { margin: 0; display: flex; align-items: start; gap: 20px; padding: 20px; background: #fff; width: max-content; }
  img { width: 300px; border-radius: 12px; box-shadow: 0 1px 8px #0004; }
</style>
"""


def frame(browser, shots, name):
    """Side by side, in one picture."""
    sheet = browser.new_page(viewport={"width": 1000, "height": 540})
    sheet.set_content(FRAME + "".join(
        f'<img src="data:image/png;base64,{base64.b64encode(shot).decode()}">' for shot in shots))
    sheet.screenshot(path=IMAGES / name, full_page=True)
    sheet.close()


def take_demo(browser):
    shots = []
    with tempfile.TemporaryDirectory() as folder, Demo(pathlib.Path(folder)) as demo:
        page = browser.new_context(viewport={"width": 460, "height": 736}).new_page()
        person = Person(page, demo)
        page.goto(demo.service)
        shots.append(page.screenshot())
        person.begin()
        person.choose("Johnny Appleseed")
        page.get_by_label("Hide my email").check()
        shots.append(page.screenshot())
        person.decide("Continue")
        page.get_by_role("heading", name="Johnny Appleseed").wait_for()
        shots.append(page.screenshot())
    frame(browser, shots, "demo.png")


def take_emulator(browser):
    with App() as app, Emulator(app) as emulator:
        page = browser.new_context(viewport={"width": 460, "height": 930}).new_page()
        visitor = Visitor(page, emulator)
        visitor.begin()
        sheets = [page.screenshot()]
        visitor.choose("Δάφνη")
        sheets.append(page.screenshot())
        page.get_by_label("Hide my email").check()
        visitor.decide("Continue")
        visitor.begin()
        visitor.choose("Δάφνη")
        sheets.append(page.screenshot())
        frame(browser, sheets, "emulator-sheet.png")
        visitor.open_settings("Δάφνη")
        settings = [page.screenshot()]
        page.get_by_role("link", name="Juice").click()
        settings.append(page.screenshot())
        page.goto(emulator.url + "/settings/delete?person=dafni")
        settings.append(page.screenshot())
        frame(browser, settings, "emulator-settings.png")


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take_demo(browser)
        take_emulator(browser)
        browser.close()


if __name__ == "__main__":
    main()

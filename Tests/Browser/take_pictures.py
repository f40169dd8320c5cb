"""Takes the pictures that the documentation shows: `make pictures`."""

import base64
import pathlib
import tempfile

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, Demo, Person

IMAGES = pathlib.Path(__file__).resolve().parents[2] / "Docs" / "images"
FRAME = """
<style>
  body { margin: 0; display: flex; gap: 20px; padding: 20px; background: #fff; width: max-content; }
  img { width: 300px; height: 480px; border-radius: 12px; box-shadow: 0 1px 8px #0004; }
</style>
"""


def main():
    shots = []
    with tempfile.TemporaryDirectory() as folder, Demo(pathlib.Path(folder)) as demo, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
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
        sheet = browser.new_page(viewport={"width": 1000, "height": 540})
        sheet.set_content(FRAME + "".join(
            f'<img src="data:image/png;base64,{base64.b64encode(shot).decode()}">' for shot in shots))
        sheet.screenshot(path=IMAGES / "demo.png", full_page=True)
        browser.close()


if __name__ == "__main__":
    main()

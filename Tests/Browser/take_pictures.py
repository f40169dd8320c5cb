"""Takes the pictures that the documentation shows: `make pictures`."""

import base64
import hashlib
import json
import pathlib
import tempfile
import urllib.request

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, Demo, Person
from emulator_visit import App, Emulator, Visitor
from script_site import Site, Visit
from script_site import Emulator as ScriptEmulator

IMAGES = pathlib.Path(__file__).resolve().parents[2] / "Docs" / "images"
FRAME = """<!doctype html>
<style>
  body { margin: 0; display: flex; align-items: start; gap: 20px; padding: 20px; background: #fff; width: max-content; }
  img { width: 300px; border-radius: 12px; box-shadow: 0 1px 8px #0004; }
</style>
"""


def image(shot):
    return f'<img src="data:image/png;base64,{base64.b64encode(shot).decode()}">'


def frame(browser, shots, name):
    """Side by side, in one picture."""
    sheet = browser.new_page(viewport={"width": 1000, "height": 100})
    sheet.set_content(FRAME + "".join(map(image, shots)))
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


def take_steps(browser):
    with App() as app, Emulator(app, "--ask-password") as emulator:
        page = browser.new_context(viewport={"width": 460, "height": 700}).new_page()
        visitor = Visitor(page, emulator)
        visitor.begin()
        visitor.choose("Johnny")
        shots = [page.screenshot()]
        page.get_by_label("Password").fill("x")
        visitor.press("Continue")
        shots.append(page.screenshot())
        page.get_by_label("Verification code").fill("12345")
        visitor.press("Continue")
        shots.append(page.screenshot())
        frame(browser, shots, "emulator-steps.png")


def take_mail(browser):
    with App() as app, Emulator(app) as emulator:
        source = {"team": "JUICETEAM1", "source": "juice.example.com"}
        emulator.call("email-sources", **source)
        emulator.call("email-sources/verify", **source)
        relay = claims(emulator.sign_in("johnny", hideEmail=True)["id_token"])["email"]
        for subject, text in [
                ("Welcome to Juice", "Hello Johnny!\n\nThank you for signing in."), ("Your code", "It is 123456.\n")]:
            emulator.call(
                "mail", **{"from": "news@juice.example.com", "to": [relay], "subject": subject, "text": text})
        page = browser.new_context(viewport={"width": 460, "height": 800}).new_page()
        page.goto(emulator.url + "/mail")
        shots = [page.screenshot()]
        page.get_by_role("link", name="Johnny Appleseed").click()
        shots.append(page.screenshot())
        page.get_by_role("link", name="Welcome to Juice").click()
        shots.append(page.screenshot())
        frame(browser, shots, "emulator-mail.png")


def claims(token):
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def take_script(browser):
    buttons = [
        ('data-type="sign-in"', "en_US"), ('data-type="continue" data-color="white" data-border="true"', "en_US"),
        ('data-mode="left-align" data-type="sign-up" data-border-radius="4"', "de_DE"),
        ('data-type="continue"', "el_GR"), ('data-color="white" data-border="true"', "ar_SA"),
        ('data-mode="logo-only"', "en_US"),
    ]
    with Site() as site, ScriptEmulator(site.callback) as emulator:
        context = browser.new_context(viewport={"width": 300, "height": 64})
        visit = Visit(context, site, emulator)
        shots = []
        for attributes, locale in buttons:
            visit.open(
                f'<div id="appleid-signin" data-height="48" data-width="284" {attributes}></div>',
                init=visit.settings(), locale=locale)
            shots.append(visit.page.screenshot())
        visit.page.set_viewport_size({"width": 460, "height": 700})
        popup = visit.popup(lambda: visit.page.get_by_role("button").click())
        popup.set_viewport_size({"width": 700, "height": 700})
        popup.get_by_role("button", name="Johnny Appleseed").click()
        popup.get_by_label("First name").wait_for()
        window = popup.screenshot(full_page=True)
        context.close()
    sheet = browser.new_page(viewport={"width": 700, "height": 200})
    sheet.set_content(
        FRAME + "<style>img { width: auto; border-radius: 0; box-shadow: none; } div { display: grid; gap: 8px; }"
        ".window img { width: 440px; border-radius: 12px; box-shadow: 0 1px 8px #0004; }</style>"
        f'<div>{"".join(map(image, shots))}</div><div class="window">{image(window)}</div>')
    sheet.screenshot(path=IMAGES / "emulator-script.png", full_page=True)
    sheet.close()


def take_device(browser):
    with tempfile.TemporaryDirectory() as folder, Demo(pathlib.Path(folder)) as demo:
        page = browser.new_context(viewport={"width": 460, "height": 880}).new_page()
        device = begin_on_device(demo)
        page.goto(device["verificationURL"])
        page.get_by_label("Code").fill(device["userCode"])
        shots = [page.screenshot()]
        page.get_by_role("button", name="Continue").click()
        page.get_by_role("button", name="Allow").wait_for()
        shots.append(page.screenshot())
        page.get_by_role("button", name="Allow").click()
        person = Person(page, demo)
        person.choose("Johnny Appleseed")
        person.decide("Continue")
        page.get_by_role("heading", name="Return to your device").wait_for()
        shots.append(page.screenshot())
    frame(browser, shots, "device.png")


def begin_on_device(demo):
    challenge = base64.urlsafe_b64encode(hashlib.sha256(b"a verifier of a device, for the picture only").digest())
    order = {"app": "juice", "codeChallenge": challenge.decode().rstrip("="), "scope": "name email"}
    request = urllib.request.Request(
        demo.service + "/v1/authorizations", json.dumps(order).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=10) as answer:
        return json.load(answer)


def main():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        take_demo(browser)
        take_emulator(browser)
        take_steps(browser)
        take_mail(browser)
        take_script(browser)
        take_device(browser)
        browser.close()


if __name__ == "__main__":
    main()

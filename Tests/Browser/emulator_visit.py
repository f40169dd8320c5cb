"""Helpers for tests of the emulator's own pages: an emulator, an app that it sends people back to, and a visitor."""

import http.server
import json
import threading
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from running import Running

CLIENT = "com.example.juice.web"


class App:
    """The app that people come back to. It keeps all that it is sent."""

    def __init__(self):
        self.received = received = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path.startswith("/callback"):
                    received.append(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))
                self.answer()

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                received.append(dict(urllib.parse.parse_qsl(body, keep_blank_values=True)))
                self.answer()

            def answer(self):
                content = b'<!doctype html><html lang="en"><title>Juice</title><h1>Back in Juice</h1></html>'
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                """Nothing: the tests say what they need."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.callback = f"http://localhost:{self.server.server_port}/callback"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


class Emulator:
    """`siwa emulate` on a free port, for one app."""

    def __init__(self, app, *arguments, environment={}):
        self.app = app
        self.running = Running(
            "emulate", "--port", "0", "--return-url", app.callback, *arguments, environment=environment)

    def __enter__(self):
        self.url = self.running.__enter__().addresses["baseURL"]
        return self

    def __exit__(self, *error):
        self.running.__exit__(*error)

    def authorize_url(self, **changes):
        parameters = {
            "client_id": CLIENT, "redirect_uri": self.app.callback, "response_type": "code id_token",
            "response_mode": "form_post", "scope": "name email", "state": "state-1", "nonce": "nonce-1"} | changes
        return self.url + "/auth/authorize?" + urllib.parse.urlencode(parameters, quote_via=urllib.parse.quote)

    def call(self, path, **members):
        request = urllib.request.Request(
            self.url + "/emulator/" + path, json.dumps(members).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read() or "null")

    def list(self, path):
        with urllib.request.urlopen(f"{self.url}/emulator/{path}", timeout=10) as answer:
            return json.load(answer)[path]

    def sign_in(self, person, **members):
        """As on the sheet, without a browser."""
        return self.call("authorizations", person=person, clientID=CLIENT, **{"scope": "name email", **members})


class Visitor:
    """Somebody in front of the emulator's pages."""

    def __init__(self, page, emulator, has_script=True):
        self.page, self.emulator, self.app = page, emulator, emulator.app
        self.has_script = has_script

    def begin(self, **changes):
        self.page.goto(self.emulator.authorize_url(**changes))
        expect(self.page.get_by_text("This is not Apple")).to_be_visible()

    def choose(self, name):
        self.page.get_by_role("button", name=name).click()

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def open_settings(self, name="Johnny Appleseed"):
        self.page.goto(self.emulator.url + "/settings")
        self.choose(name)

    def decide(self, decision):
        """Back to the app, with what it was sent."""
        self.press(decision)
        if not self.has_script:
            self.page.get_by_role("button", name="Continue to localhost").click()
        return self.arrive()

    def arrive(self):
        expect(self.page.get_by_role("heading", name="Back in Juice")).to_be_visible()
        return self.app.received[-1]

    def tab_to(self, target):
        """Presses Tab until the target has the focus, which it must get before the focus has gone around in a circle."""
        for _ in range(20):
            self.page.keyboard.press("Tab")
            if target.evaluate("element => element === document.activeElement"):
                return expect(target).to_be_focused()
        raise AssertionError(f"Tab does not lead to {target}")

    def say(self, text):
        expect(self.page.get_by_role("status")).to_contain_text(text)

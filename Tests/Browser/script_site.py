"""Somebody's web site that uses Sign in with Apple JS, with the script's host changed to an emulator's."""

import http.server
import json
import threading
import urllib.parse
import urllib.request

from playwright.sync_api import expect

from running import Running

CLIENT = "com.example.juice.web"

# A page's record of the script's promise and events, for the tests to read.
PAGE_SCRIPT = """
window.seen = {events: [], results: [], violations: []};
document.addEventListener('securitypolicyviolation', (event) => seen.violations.push(event.violatedDirective));
for (const name of ['AppleIDSigInLoaded', 'AppleIDSignInOnSuccess', 'AppleIDSignInOnFailure']) {
  document.addEventListener(name, (event) => seen.events.push({name, detail: event.detail}));
}
window.begin = (changes) => AppleID.auth.signIn(changes).then(
  (data) => seen.results.push({data}), (error) => seen.results.push({error}));
const settings = document.currentScript.dataset.init;
if (settings) AppleID.auth.init(JSON.parse(settings));
const press = document.getElementById('press');
if (press) press.addEventListener('click', () => begin());
"""


class Site:
    """A server on a free port, reached as localhost and as 127.0.0.1: two sites."""

    def __init__(self):
        self.pages = {"/page.js": ("text/javascript", PAGE_SCRIPT, {})}
        self.posts = []
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                self.answer(*site.pages.get(self.path.split("?")[0], ("text/plain", "nothing here", {})))

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                site.posts.append(dict(urllib.parse.parse_qsl(body)))
                self.answer("text/html", "<h1>Posted</h1>", {})

            def answer(self, kind, text, headers):
                body = text.encode()
                self.send_response(200)
                for name, value in {"Content-Type": kind + "; charset=utf-8", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                """Nothing: the tests say what they need."""

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        port = self.server.server_address[1]
        self.origin, self.other_origin = f"http://localhost:{port}", f"http://127.0.0.1:{port}"
        self.callback, self.other_callback = self.origin + "/callback", self.other_origin + "/callback"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Emulator:
    """`siwa emulate` on a free port."""

    def __init__(self, *return_urls):
        arguments = [argument for url in return_urls for argument in ("--return-url", url)]
        self.running = Running("emulate", "--port", "0", *arguments)

    def __enter__(self):
        self.url = self.running.__enter__().addresses["baseURL"]
        return self

    def __exit__(self, *error):
        self.running.__exit__(*error)

    def call(self, path, members):
        request = urllib.request.Request(
            self.url + "/emulator" + path, json.dumps(members).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()


class Visit:
    """One page of the site in a browser, and the popup that it opens."""

    def __init__(self, context, site, emulator):
        self.context, self.site, self.emulator = context, site, emulator
        self.page = context.new_page()

    def open(self, body='<button id="press">Sign in</button>', init=None, locale="en_US", head="", origin=None):
        """The page's policy allows the emulator's script and nothing inline."""
        script = f"{self.emulator.url}/appleauth/static/jsapi/appleid/1/{locale}/appleid.auth.js"
        data = f" data-init='{json.dumps(init)}'" if init else ""
        html = (
            f'<!doctype html><html lang="en"><head><title>Juice</title>{head}</head><body>{body}'
            f'<script src="{script}"></script><script src="/page.js"{data}></script></body></html>')
        policy = f"default-src 'none'; script-src {self.emulator.url} 'self'; form-action 'none'"
        self.site.pages["/"] = ("text/html", html, {"Content-Security-Policy": policy})
        self.page.goto((origin or self.site.origin) + "/")

    def settings(self, **changes):
        settings = {
            "clientId": CLIENT, "scope": "name email", "redirectURI": self.site.callback, "state": "state-1",
            "nonce": "nonce-1", "usePopup": True}
        return {**settings, **changes}

    def popup(self, action):
        with self.page.expect_popup() as opened:
            action()
        return opened.value

    def press(self):
        self.page.locator("#press").click()

    def decide(self, window, decision="Continue", person="Johnny Appleseed"):
        window.get_by_role("button", name=person).click()
        window.get_by_role("button", name=decision, exact=True).click()

    def result(self, count=1):
        self.page.wait_for_function("count => seen.results.length >= count", arg=count)
        return self.seen("results")[count - 1]

    def seen(self, what):
        return self.page.evaluate(f"seen.{what}")

    def events(self, name):
        return [event["detail"] for event in self.seen("events") if event["name"] == name]

    def expect_no_violation(self):
        expect(self.page).to_have_title("Juice")
        assert self.seen("violations") == []

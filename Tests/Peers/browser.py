"""A person with a browser that has no JavaScript: follows redirections, fills in forms, keeps cookies."""

import html.parser
import http.cookiejar
import urllib.parse

import requests


class Form:
    def __init__(self, attributes):
        self.action = attributes.get("action", "")
        self.method = attributes.get("method", "get").lower()
        self.fields = {}
        self.buttons = []


class Forms(html.parser.HTMLParser):
    """The forms of a page, as far as sending them needs."""

    def __init__(self, text):
        super().__init__()
        self.all, self.open, self.button = [], None, None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.open = Form(attributes)
            self.all.append(self.open)
        elif self.open and tag == "input" and "name" in attributes:
            self.enter(attributes)
        elif self.open and tag == "button":
            self.button = {**attributes, "text": ""}
            self.open.buttons.append(self.button)

    def enter(self, attributes):
        kind, name = attributes.get("type", "text"), attributes["name"]
        if kind in ("radio", "checkbox"):
            if "checked" in attributes:
                self.open.fields[name] = attributes.get("value", "on")
        elif kind == "password":
            self.open.fields[name] = "any password"
        elif attributes.get("autocomplete") == "one-time-code" or attributes.get("inputmode") == "numeric":
            self.open.fields[name] = "123456"
        else:
            self.open.fields[name] = attributes.get("value") or ""

    def handle_data(self, data):
        if self.button:
            self.button["text"] += data

    def handle_endtag(self, tag):
        if tag == "button":
            self.button = None
        elif tag == "form":
            self.open = None


class Session(requests.Session):
    """Sends Secure cookies to http://localhost, too, as browsers do.

    By itself requests copies the cookies for each request into a jar with Python's policy, whatever policy the session's
    jar has.
    """

    def __init__(self):
        super().__init__()
        self.cookies.set_policy(http.cookiejar.DefaultCookiePolicy(secure_protocols=("https", "http")))

    def prepare_request(self, request):
        prepared = super().prepare_request(request)
        # Redirections go on with this jar.
        prepared._cookies.set_policy(self.cookies.get_policy())
        prepared.headers.pop("Cookie", None)
        prepared.prepare_cookies(prepared._cookies)
        return prepared


class Browser:
    def __init__(self):
        self.session = Session()

    def open(self, address):
        return self.session.get(address, timeout=10)

    def sign_in(self, address, person="Johnny Appleseed", decision="Continue", **entries):
        """From an address that leads to the sheet, over the sheet, and back; the last page."""
        return self.decide(self.open(address), person, decision, **entries)

    def decide(self, page, person="Johnny Appleseed", decision="Continue", **entries):
        """From the sheet's first page on."""
        sheet = urllib.parse.urlsplit(page.url).netloc
        for _ in range(12):
            if urllib.parse.urlsplit(page.url).netloc != sheet:
                return page
            assert page.ok, page.text
            form, button = self.choose(Forms(page.text).all, person, decision)
            fields = {**form.fields, **{name: value for name, value in entries.items() if name in form.fields}}
            if button.get("name"):
                fields[button["name"]] = button.get("value", "")
            target = urllib.parse.urljoin(page.url, form.action)
            if form.method == "post":
                page = self.session.post(target, data=fields, timeout=10)
            else:
                page = self.session.get(target, params=fields, timeout=10)
        raise AssertionError("the pages lead nowhere")

    @staticmethod
    def choose(forms, person, decision):
        """Cancel wherever it is offered, if that is the aim; else oneself, the decision, or whatever leads on."""
        buttons = [(form, button) for form in forms for button in form.buttons]

        def reads(button, text):
            return " ".join(button["text"].split()) == text

        for fits in (
            lambda button: decision == "Cancel" and reads(button, "Cancel"),
            lambda button: person in button["text"],
            lambda button: reads(button, decision),
            lambda button: not reads(button, "Cancel"),
        ):
            for form, button in buttons:
                if fits(button):
                    return form, button
        raise AssertionError("no button leads on")

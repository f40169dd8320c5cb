#!/usr/bin/env python3
"""Juice on the web: a page that signs a person in with Apple at an account service on another host.

    siwa demo                                       # in one terminal
    python3 juice_web.py http://localhost:4000      # in another; then open http://127.0.0.1:8000

It needs Python's standard library alone. Sessions are kept in memory. See README.md for a site of your own.
"""

import argparse
import base64
import hashlib
import html
import http.client
import http.cookies
import json
import secrets
import string
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
# Attempts and sessions that a browser is known by. A site of your own has a limit on both, and a store.
COOKIE = "juice"
HEADERS = {
    "Cache-Control": "no-store", "Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff",
    # The form leads to the account service, by a redirect.
    "Content-Security-Policy": "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'",
}


class Refusal(Exception):
    """A refusal of the account service: its code is for programs."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class AccountService:
    """The calls of the account service that a sign-in needs."""

    def __init__(self, backend, app, redirect_uri):
        self.backend, self.app, self.redirect_uri = urllib.parse.urlsplit(backend), app, redirect_uri

    def begin(self):
        """Begins a sign-in. The verifier and the nonce stay on this server until the end."""
        attempt = {"verifier": secrets.token_urlsafe(32), "nonce": secrets.token_urlsafe(32)}
        challenge = base64.urlsafe_b64encode(hashlib.sha256(attempt["verifier"].encode()).digest()).decode().rstrip("=")
        answer = self.call("POST", "/v1/authorizations", {
            "app": self.app, "redirectURI": self.redirect_uri, "codeChallenge": challenge, "scope": "name email",
            # Apple gets the hash, and the account service the nonce itself.
            "nonce": hashlib.sha256(attempt["nonce"].encode()).hexdigest()})
        return {**attempt, "id": answer["id"], "url": answer["url"]}

    def finish(self, attempt, handle):
        """Ends a sign-in with the handle that the browser has brought. It is good for a minute, and once."""
        credential = self.call(
            "POST", "/v1/authorizations/redeem", {"handle": handle, "codeVerifier": attempt["verifier"]})
        request = {
            "identityToken": credential["identityToken"], "authorizationCode": credential["authorizationCode"],
            "nonce": attempt["nonce"]}
        # Apple gives the name once: the account keeps it.
        if credential["fullName"]:
            request["fullName"] = credential["fullName"]
        return self.call("POST", "/v1/sign-in/apple", request)

    def sign_out(self, access_token):
        self.call("DELETE", "/v1/session", None, {"Authorization": f"Bearer {access_token}"})

    def call(self, method, path, body, headers=None):
        kind = http.client.HTTPSConnection if self.backend.scheme == "https" else http.client.HTTPConnection
        connection = kind(self.backend.netloc, timeout=30)
        try:
            connection.request(
                method, path, json.dumps(body) if body is not None else None,
                {"Content-Type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            text = answer.read(256 * 1024)
        finally:
            connection.close()
        try:
            value = json.loads(text) if text else {}
        except ValueError:
            value = {}
        if answer.status // 100 != 2:
            raise Refusal(value.get("error", {}).get("code", f"status {answer.status}"))
        return value


class Site(BaseHTTPRequestHandler):
    """The pages. Each browser has a cookie, which leads to an attempt or to a session."""

    service, origin = None, None
    attempts, sessions = {}, {}

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/":
            self.show(self.content())
        elif url.path == "/style.css":
            self.answer(200, "text/css", (FOLDER / "style.css").read_bytes())
        elif url.path == "/back":
            self.come_back(dict(urllib.parse.parse_qsl(url.query)))
        else:
            self.show("<p>There is no such page.</p>", status=404)

    def do_POST(self):
        # A form of another site must neither sign in nor sign out.
        if self.headers.get("Origin") != self.origin:
            self.show("<p>This form is not from here.</p>", status=403)
        elif self.path == "/sign-in":
            self.sign_in()
        elif self.path == "/sign-out":
            self.sign_out()
        else:
            self.show("<p>There is no such page.</p>", status=404)

    def content(self):
        session = self.sessions.get(self.cookie())
        if session is None:
            return '<form method="post" action="/sign-in"><button>Sign in with Apple</button></form>'
        account = session["account"]
        name = (account["name"] or {}).get("formatted") or "–"
        return (
            f"<dl><dt>Name</dt><dd>{html.escape(name)}</dd><dt>Email</dt><dd>{html.escape(account['email'] or '–')}</dd></dl>"
            '<form method="post" action="/sign-out"><button>Sign Out</button></form>')

    def sign_in(self):
        try:
            attempt = self.service.begin()
        except (OSError, Refusal) as error:
            self.show(self.content(), f"The account service says: {error}")
            return
        cookie = secrets.token_urlsafe(32)
        self.attempts[cookie] = attempt
        self.redirect(attempt["url"], cookie)

    def come_back(self, query):
        attempt = self.attempts.get(self.cookie())
        # Any page can lead a browser here, so it counts for this browser's own attempt alone.
        if attempt is None or not secrets.compare_digest(attempt["id"].encode(), query.get("id", "").encode()):
            self.show(self.content(), "The browser came back for a sign-in that nobody waits for. Sign in again.")
            return
        del self.attempts[self.cookie()]
        if "handle" not in query:
            self.show(self.content(), "You have not signed in.")
            return
        try:
            answer = self.service.finish(attempt, query["handle"])
        except (OSError, Refusal) as error:
            self.show(self.content(), f"The account service says: {error}")
            return
        # A new cookie: nobody else can know the cookie of the session.
        cookie = secrets.token_urlsafe(32)
        self.sessions[cookie] = {"account": answer["account"], "access": answer["session"]["accessToken"]}
        self.redirect("/", cookie)

    def sign_out(self):
        session = self.sessions.pop(self.cookie(), None)
        if session is not None:
            try:
                self.service.sign_out(session["access"])
            except (OSError, Refusal):
                # The session is forgotten here, and ends at the account service in time.
                pass
        self.redirect("/", "")

    def cookie(self):
        cookies = http.cookies.SimpleCookie(self.headers.get("Cookie", ""))
        return cookies[COOKIE].value if COOKIE in cookies else ""

    def show(self, content, remark=None, status=200):
        page = string.Template((FOLDER / "index.html").read_text()).substitute(
            content=content, remark=f'<p role="status">{html.escape(remark)}</p>' if remark else "")
        self.answer(status, "text/html; charset=utf-8", page.encode())

    def redirect(self, location, cookie):
        # Lax: the cookie comes along when the account service sends the browser back. With https, add Secure and the
        # prefix __Host- to its name.
        self.answer(303, "text/plain", b"", {
            "Location": location, "Set-Cookie": f"{COOKIE}={cookie}; Path=/; HttpOnly; SameSite=Lax"})

    def answer(self, status, kind, body, headers=None):
        self.send_response(status)
        for name, value in {**HEADERS, "Content-Type": kind, "Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        # The address of the way back holds a handle.
        pass


def serve(backend, app="juice", port=8000):
    """A server for the page, ready to serve."""
    server = ThreadingHTTPServer(("127.0.0.1", port), Site)
    origin = f"http://127.0.0.1:{server.server_port}"
    server.RequestHandlerClass = type("JuiceSite", (Site,), {
        "origin": origin, "service": AccountService(backend, app, origin + "/back"), "attempts": {}, "sessions": {}})
    return server


def main():
    arguments = argparse.ArgumentParser(description="Juice on the web.")
    arguments.add_argument("backend", help="the account service, such as http://localhost:4000")
    arguments.add_argument("--app", default="juice", help="the name by which the account service knows the site")
    arguments.add_argument("--port", type=int, default=8000)
    options = arguments.parse_args()
    server = serve(options.backend, options.app, options.port)
    print(f"Open http://127.0.0.1:{server.server_port}")
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        print()


if __name__ == "__main__":
    main()

"""Helpers for tests of Juice: a home of its own for each, a browser that Juice can open, and somebody who uses both."""

import copy
import http.server
import json
import os
import pathlib
import re
import select
import socket
import threading

import pytest
from playwright.sync_api import expect

from conftest import Person
from running import SIWA
from terminal import Terminal

JUICE = os.environ.get("JUICE", str(pathlib.Path(SIWA).with_name("juice")))

# The pages and screens are those of the tests; what differs from run to run is put in one form.
CHANGING = [
    (re.compile(r"http://localhost:\d+"), "http://localhost:4000"),
    (re.compile(r"aut_[A-Za-z0-9_-]+"), "aut_0123456789abcdefghijkl"),
    (re.compile(r"\d{6}\.[0-9a-f]{32}\.\d{4}"), "001999.0a1b2c3d4e5f60718293a4b5c6d7e8f9.0001"),
    (re.compile(r"\b[a-z0-9]{10}@privaterelay"), "abc123def4@privaterelay"),
    (re.compile(r"\b[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}\b"), "BCDF-GHJK"),
    (re.compile(r"(until|last at|agreed at|withdrawn at)\s+(\d{4}-\d\d-\d\d )?\d\d:\d\d"), r"\1 14:32"),
    (re.compile(rf"\b{re.escape(socket.gethostname())}\b"), "laptop"),
]


def settled(text):
    for pattern, replacement in CHANGING:
        text = pattern.sub(replacement, text)
    return text


class Device:
    """A home folder, and the environment of whoever lives there."""

    def __init__(self, folder, demo, context):
        self.folder, self.demo = folder, demo
        self.person = Person(context.new_page(), demo)
        self.page = self.person.page
        (folder / "home").mkdir()
        self.pages = folder / "pages"
        os.mkfifo(self.pages)
        # Open at both ends, so that neither the script nor a test ever waits for the other to be there.
        self.pipe = os.open(self.pages, os.O_RDWR | os.O_NONBLOCK)
        script = folder / "browser"
        script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$1" > "{self.pages}"\n')
        script.chmod(0o700)
        self.environment = {
            "HOME": str(folder / "home"), "PATH": os.environ["PATH"], "LANG": "C.UTF-8", "TERM": "xterm-256color",
            "TZ": "UTC", "BROWSER": str(script), "SIWA_BACKEND": demo.service,
        }

    def close(self):
        os.close(self.pipe)

    def juice(self, *arguments, environment={}, columns=80, rows=24, way="--browser"):
        command = [JUICE, "--store", "file", *([way] if way else []), *arguments]
        return Terminal(command, self.environment | environment, columns, rows)

    def elsewhere(self):
        """Another device of the same person's, which has a home of its own."""
        other = copy.copy(self)
        home = self.folder / "elsewhere"
        home.mkdir()
        other.environment = self.environment | {"HOME": str(home)}
        return other

    def opened(self):
        """The page that Juice has opened."""
        assert select.select([self.pipe], [], [], Terminal.PATIENCE)[0], "no browser was opened"
        return os.read(self.pipe, 4096).decode().strip()

    def has_opened_nothing(self):
        return not select.select([self.pipe], [], [], 0)[0]

    def stored(self):
        """Everything that is stored anywhere in the home folder."""
        home = self.folder / "home"
        return [path for path in home.rglob("*") if path.is_file() and path.stat().st_size > 0]

    def go_to_apple(self, page):
        self.page.goto(page)
        expect(self.page.get_by_role("heading", name="Sign in to Juice")).to_be_visible()
        self.page.get_by_role("button", name="Apple").click()
        expect(self.page.get_by_text("This is not Apple")).to_be_visible()

    def sign_in(self, page, decision="Continue"):
        """As Johnny, who shares what he has."""
        self.go_to_apple(page)
        self.person.choose("Johnny Appleseed")
        self.person.decide(decision)


class Service:
    """Not ours: it answers every request with one status and one body."""

    def __init__(self, status, body):
        self.requests = requests = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                requests.append(self.path)
                content = json.dumps(body).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}"

    def __enter__(self):
        self.thread = threading.Thread(target=self.server.serve_forever)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


@pytest.fixture
def device(tmp_path, demo, browser):
    context = browser.new_context()
    device = Device(tmp_path, demo, context)
    yield device
    device.close()
    context.close()

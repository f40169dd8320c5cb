"""Signs a person in at https://appleid.apple.com with a client that has this address built in.

To be run with a network and a mount namespace of its own, as test_as_apple.py does: there port 443 is free, and the hosts
file is one that nobody else sees. Prints what came of it as JSON.
"""

import fcntl
import json
import os
import pathlib
import socket
import struct
import subprocess
import sys
import time

import requests

from browser import Browser
from emulator import DEADLINE
from relying_party import RelyingParty
from social_site import application

CLIENT = "com.example.juice.web"


def main(folder):
    hosts = folder / "hosts"
    hosts.write_text("127.0.0.1 localhost\n::1 localhost\n")
    subprocess.run(["mount", "--bind", hosts, "/etc/hosts"], check=True)
    bring_loopback_up()
    party = RelyingParty()
    output = folder / "output"
    with output.open("wb") as said:
        emulator = subprocess.Popen(
            [os.environ.get("SIWA", "siwa"), "emulate", "--as-apple", "--root-file", folder / "root.pem",
             "--ready-file", folder / "ready.json", "--return-url", party.url + "/complete/apple-id/"], stdout=said)
    try:
        ready = wait_for(folder / "ready.json", emulator)
        line = next(line.strip() for line in output.read_text().splitlines() if line.endswith(" appleid.apple.com"))
        with hosts.open("a") as file:
            file.write(line + "\n")
        # The one thing that the client is told.
        os.environ["REQUESTS_CA_BUNDLE"] = ready["rootCertificate"]
        portal = requests.get(ready["controlURL"] + "/emulator/portal", timeout=10).json()
        party.serve(application(portal["teams"][0], CLIENT, str(folder / "site.sqlite")))
        users = [sign_in(party, firstName="Jo", lastName="Apple"), sign_in(party)]
        log = requests.get(ready["controlURL"] + "/emulator/requests", timeout=10).json()["requests"]
        print(json.dumps({
            "baseURL": ready["baseURL"], "hostsLine": line, "users": users,
            "requests": sorted({(request["path"], request["status"]) for request in log})}))
    finally:
        party.close()
        emulator.terminate()
        assert emulator.wait(20) == 0


def bring_loopback_up():
    up_and_running, set_flags = 0x1 | 0x40, 0x8914
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, set_flags, struct.pack("16sh14x", b"lo", up_and_running))


def wait_for(file, process):
    deadline = time.monotonic() + DEADLINE
    while not file.exists():
        assert process.poll() is None, "the emulator ended; its words are on standard error"
        assert time.monotonic() < deadline, f"the emulator was not ready within {DEADLINE} s"
        time.sleep(0.01)
    return json.loads(file.read_text())


def sign_in(party, **entries):
    browser = Browser()
    page = browser.session.post(party.url + "/login/apple-id/", timeout=10)
    assert page.url.startswith("https://appleid.apple.com/auth/authorize?"), page.url
    page = browser.decide(page, **entries)
    assert page.url == party.url + "/me", page.text
    return page.json()


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))

"""The callers of the emulator's control calls, settings and inboxes: machines, neighbours in containers, proxies."""

import base64
import os
import pathlib
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request

import pytest
import yaml

from proxy import NGINX

TOKEN = "0123456789abcdef"
# Pages that must not be read by everybody.
PATHS = ["/emulator/portal", "/emulator/snapshot", "/settings", "/mail"]
COMPOSE = pathlib.Path(__file__).resolve().parents[1] / "Peers" / "examples" / "compose.yaml"


def own_address():
    """An address of this machine that is not loopback: whoever connects by it comes from it, as from another machine."""
    for family, beyond in [(socket.AF_INET, "198.51.100.1"), (socket.AF_INET6, "2001:db8::ff")]:
        with socket.socket(family, socket.SOCK_DGRAM) as any_socket:
            try:
                # Nothing is sent; the system only chooses the address that it would send from.
                any_socket.connect((beyond, 9))
            except OSError:
                continue
            return any_socket.getsockname()[0]
    pytest.fail("this test needs an address of this machine beyond loopback, and there is none")


class Emulator:
    """`siwa emulate` on a port that the system chooses, and what it says."""

    def __init__(self, folder, *arguments, host="127.0.0.1", token=None):
        self.said = folder / "said"
        ready = folder / "ready.json"
        environment = {key: value for key, value in os.environ.items() if not key.startswith("SIWA_EMULATE")}
        if token:
            environment["SIWA_EMULATE_CONTROL_TOKEN"] = token
        with self.said.open("wb") as output:
            self.process = subprocess.Popen(
                [os.environ.get("SIWA", "siwa"), "emulate", *(["--host", host] if host else []),
                 "--port", "0", "--ready-file", ready, *arguments], env=environment, stdout=output, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while not ready.exists():
            assert self.process.poll() is None, self.said.read_text()
            assert time.monotonic() < deadline, "the emulator was not ready within 60 s"
            time.sleep(0.01)
        # The ready file has the base URL, whose port may be another.
        self.port = int(re.search(r"listening on \S+:(\d+)$", self.said.read_text(), re.MULTILINE)[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        assert self.process.wait(20) == 0


def ask(address, port, path, **headers):
    """Status and text."""
    host = f"[{address}]" if ":" in address else address
    request = urllib.request.Request(f"http://{host}:{port}{path}", headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.read().decode()


def proof(path, token):
    if path.startswith("/emulator/"):
        return f"Bearer {token}"
    return "Basic " + base64.b64encode(f"me:{token}".encode()).decode()


def any_host(address):
    return "::" if ":" in address else "0.0.0.0"


def test_without_a_token_other_machines_get_apples_addresses_alone(tmp_path):
    address = own_address()
    with Emulator(tmp_path, host=any_host(address)) as emulator:
        assert ask(address, emulator.port, "/auth/keys")[0] == 200
        for path in PATHS:
            for peer in [address, "127.0.0.1"]:
                status, text = ask(peer, emulator.port, path, Host="127.0.0.1")
                assert status == 403
                assert "PRIVATE KEY" not in text
                assert "SIWA_EMULATE_CONTROL_TOKEN" in text, "it says what opens it"
        said = emulator.said.read_text()
        assert "there is no control token" in said and "SIWA_EMULATE_CONTROL_TOKEN opens them" in said


def test_with_a_token_it_decides_for_any_machine_host_and_header(tmp_path):
    address = own_address()
    with Emulator(tmp_path, host=any_host(address), token=TOKEN) as emulator:
        for path in PATHS:
            for headers in [{}, {"Host": "apple:4010"}, {"X-Forwarded-For": "8.8.8.8", "Via": "1.1 proxy"}]:
                assert ask(address, emulator.port, path, **headers)[0] == 401
                assert ask(address, emulator.port, path, Authorization=proof(path, TOKEN[::-1]), **headers)[0] == 401
                assert ask(address, emulator.port, path, Authorization=proof(path, TOKEN), **headers)[0] == 200
        foreign = {"Authorization": proof("/emulator/portal", TOKEN), "Sec-Fetch-Site": "cross-site"}
        assert ask(address, emulator.port, "/emulator/portal", **foreign)[0] == 403
        assert "no control token" not in emulator.said.read_text()


def test_the_composition_of_containers_in_the_documentation_is_open_to_its_token(tmp_path):
    service = yaml.safe_load(COMPOSE.read_text())["services"]["apple"]
    assert list(service["environment"]) == ["SIWA_EMULATE_CONTROL_TOKEN"]
    program, command, *arguments = service["command"].split()
    assert (program, command) == ("siwa", "emulate")
    address = own_address()
    with Emulator(tmp_path, *arguments, host=None, token=TOKEN) as emulator:
        # As a neighbour reaches it, and as a browser of this machine opens its sheet through the published port.
        headers = {"Host": "apple:4010"}
        assert ask(address, emulator.port, "/emulator/portal", **headers)[0] == 401
        status, portal = ask(
            address, emulator.port, "/emulator/portal", Authorization=proof("/emulator/portal", TOKEN), **headers)
        assert status == 200 and "http://apple:4010" in portal
        sheet = (
            "/auth/authorize?client_id=com.example.juice.web&response_type=code&response_mode=form_post"
            "&redirect_uri=http%3A%2F%2Flocalhost%3A4000%2Fcallback&scope=name")
        for host, expected in [("localhost:4010", 200), ("apple:4010", 200), ("evil.example:4010", 403)]:
            assert ask(address, emulator.port, sheet, Host=host)[0] == expected


NGINX_CONFIGURATION = """
daemon off;
worker_processes 1;
{user}
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen {listen};
        location / {{
            proxy_pass http://127.0.0.1:{port};
            {more}
        }}
    }}
}}
"""


@pytest.mark.parametrize(
    "more",
    ["",
     "proxy_http_version 1.1; proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;",
     "proxy_http_version 1.1; proxy_set_header X-Real-IP $remote_addr;",
     "proxy_http_version 1.1; proxy_set_header Host $http_host;"],
    ids=["as it comes", "X-Forwarded-For", "X-Real-IP", "the client's Host"])
def test_nginx_does_not_open_it_to_everybody(tmp_path, more):
    address = own_address()
    with socket.create_server((address, 0), family=socket.AF_INET6 if ":" in address else socket.AF_INET) as free:
        listen = f"[{address}]" if ":" in address else address
        listen = f"{listen}:{free.getsockname()[1]}"
    with Emulator(tmp_path) as emulator:
        file = tmp_path / "nginx.conf"
        file.write_text(NGINX_CONFIGURATION.format(
            folder=tmp_path, listen=listen, port=emulator.port, more=more,
            user="user root;" if os.geteuid() == 0 else ""))
        nginx = subprocess.Popen(
            [NGINX, "-p", str(tmp_path), "-c", str(file), "-e", str(tmp_path / "error.log")],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            port = int(listen.rsplit(":", 1)[1])
            wait_until_open(address, port)
            assert ask(address, port, "/auth/keys")[0] == 200
            for path in PATHS:
                status, text = ask(address, port, path, Host="emulator.example.com")
                assert status == 403
                assert "PRIVATE KEY" not in text and "SIWA_EMULATE_CONTROL_TOKEN" in text
            assert ask("127.0.0.1", emulator.port, "/emulator/portal")[0] == 200, "this machine itself gets in"
        finally:
            nginx.terminate()
            assert nginx.wait(20) == 0, (tmp_path / "error.log").read_text()


def wait_until_open(address, port):
    deadline = time.monotonic() + 20
    while True:
        try:
            with socket.create_connection((address, port), timeout=1):
                return
        except OSError:
            assert time.monotonic() < deadline, "nginx did not open its port within 20 s"
            time.sleep(0.02)

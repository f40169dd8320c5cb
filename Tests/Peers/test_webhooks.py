"""The recipes of Docs/webhooks.md, as they stand there, against Standard Webhooks' own example and bad messages; and
what a running `siwa serve` sends."""

import base64
import contextlib
import hashlib
import hmac
import http.server
import itertools
import json
import os
import pathlib
import queue
import re
import secrets
import shutil
import subprocess
import threading
import urllib.request

import playwright
import pytest

from documented import SERVICE

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "Docs" / "webhooks.md").read_text()
# The one that Playwright brings.
NODE = pathlib.Path(playwright.__file__).parent / "driver" / "node"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
GOOD = {
    "id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "timestamp": "1614265330",
    "signatures": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "body": '{"test": 2432232314}',
    "secret": SECRET, "now": 1614265330}


def signed(body, secret, id="msg_1", timestamp="1614265330"):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    code = hmac.new(key, f"{id}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return "v1," + base64.b64encode(code).decode()


OTHER = "whsec_" + base64.b64encode(bytes(range(32))).decode()
CASES = [
    (True, {}),
    (True, {"signatures": "v1,AAAA v2,x " + GOOD["signatures"]}),
    (True, {"now": GOOD["now"] + 300}),
    (True, {"id": "msg_1", "body": '{"name": "Zoë"}', "signatures": signed('{"name": "Zoë"}', SECRET)}),
    (False, {"now": GOOD["now"] + 301}),
    (False, {"now": GOOD["now"] - 301}),
    (False, {"id": "msg_2"}),
    (False, {"timestamp": "1614265331"}),
    (False, {"timestamp": "soon"}),
    (False, {"timestamp": ""}),
    (False, {"body": GOOD["body"] + " "}),
    (False, {"secret": OTHER}),
    (False, {"signatures": ""}),
    (False, {"signatures": "v1,"}),
    (False, {"signatures": GOOD["signatures"][3:]}),
    (False, {"signatures": "v2" + GOOD["signatures"][2:]}),
    (False, {"signatures": "v1,é"}),
]


def shown(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[1]


def python(messages, folder):
    names = {}
    exec(compile(shown("python"), "webhooks.md", "exec"), names)
    return [
        names["is_genuine"](
            one["id"], one["timestamp"], one["signatures"], one["body"].encode(), one["secret"], one["now"])
        for one in messages]


def run(messages, *command):
    answer = subprocess.run(
        command, input=json.dumps(messages), capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def node(messages, folder):
    (folder / "webhooks.mjs").write_text(shown("js"))
    (folder / "main.mjs").write_text("""
        import { readFileSync } from "node:fs";
        import { isGenuine } from "./webhooks.mjs";
        const answers = JSON.parse(readFileSync(0, "utf8")).map((one) => isGenuine(
          one.id, one.timestamp, one.signatures, Buffer.from(one.body), one.secret, one.now));
        console.log(JSON.stringify(answers));
        """)
    return run(messages, NODE, folder / "main.mjs")


def ruby(messages, folder):
    (folder / "main.rb").write_text(shown("ruby") + """
        require "json"
        messages = JSON.parse($stdin.read)
        puts JSON.dump(messages.map { |one|
          genuine?(one["id"], one["timestamp"], one["signatures"], one["body"], one["secret"], one["now"]) })
        """)
    return run(messages, "ruby", "-E", "UTF-8", folder / "main.rb")


@pytest.mark.parametrize("recipe", [python, node, ruby])
def test_recipe(recipe, tmp_path):
    assert recipe is not ruby or shutil.which("ruby"), "Ruby is needed for the recipe in Ruby"
    messages = [{**GOOD, **changes} for _, changes in CASES]
    assert recipe(messages, tmp_path) == [expected for expected, _ in CASES]


class Backend:
    """Takes webhooks, with the statuses that it was given first and then with 204."""

    def __init__(self, *statuses):
        self.came, self.statuses = queue.Queue(), list(statuses)
        backend = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = backend.statuses.pop(0) if backend.statuses else 204
                self.send_response(status)
                self.send_header("Content-Length", "0")
                self.end_headers()
                backend.came.put((self.headers, body))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/hooks"
        threading.Thread(target=self.server.serve_forever).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def next(self):
        headers, body = self.came.get(timeout=60)
        names = {}
        exec(compile(shown("python"), "webhooks.md", "exec"), names)
        assert names["is_genuine"](
            headers["webhook-id"], headers["webhook-timestamp"], headers["webhook-signature"], body, OTHER)
        described = SERVICE.document["x-webhooks"]["account"]["post"]
        for parameter in described["parameters"]:
            SERVICE.check(headers[parameter["name"]], parameter["schema"])
        SERVICE.check(json.loads(body), described["requestBody"]["content"]["application/json"]["schema"])
        return headers["webhook-id"], json.loads(body)


@contextlib.contextmanager
def serving(environment):
    """A running `siwa serve`."""
    process = subprocess.Popen(
        [os.environ.get("SIWA", "siwa"), "serve", "--port", "0"], env=environment, stderr=subprocess.PIPE, text=True)
    try:
        lines = []
        for line in process.stderr:
            lines.append(line)
            if port := re.search(r"is running.*", line) and re.search(r"port=(\d+)", line):
                break
        else:
            raise AssertionError("".join(lines))
        threading.Thread(target=process.stderr.read).start()
        yield f"http://127.0.0.1:{port[1]}"
    finally:
        process.terminate()
        assert process.wait(30) == 0


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def sign_in(service, emulator, app):
    """Johnny, on a phone."""
    nonce = secrets.token_hex(16)
    credential = post(emulator + "/emulator/authorizations", {
        "person": "johnny", "clientID": app, "native": True, "nonce": hashlib.sha256(nonce.encode()).hexdigest()})
    answer = post(service + "/v1/sign-in/apple", {
        "identityToken": credential["id_token"], "authorizationCode": credential["code"], "nonce": nonce})
    return answer["account"]["id"]


def test_a_backend_hears_of_an_account_from_its_beginning_to_its_end_whatever_it_answers(emulator, tmp_path):
    app = emulator.team["apps"][0]
    backend = Backend(500, 500)
    environment = {
        "SIWA_PUBLIC_URL": "http://localhost:4000", "SIWA_EMULATOR": emulator.url,
        "SIWA_KEY_RING": "k1:" + base64.b64encode(secrets.token_bytes(32)).decode(),
        "SIWA_TEAM_ID": emulator.team["id"], "SIWA_KEY_ID": app["keys"][0]["id"],
        "SIWA_PRIVATE_KEY": app["keys"][0]["privateKey"], "SIWA_BUNDLE_ID": app["id"],
        "SIWA_DATABASE": str(tmp_path / "siwa.sqlite"), "SIWA_WEBHOOK_URL": backend.url,
        "SIWA_WEBHOOK_SECRET": OTHER}
    try:
        with serving(environment) as service:
            account = sign_in(service, emulator.url, app["id"])
            first = backend.next()
        with serving(environment):
            deleted = subprocess.run(
                [os.environ.get("SIWA", "siwa"), "accounts", "delete", account, "--yes"], env=environment,
                capture_output=True, text=True, timeout=60)
            assert deleted.returncode == 0 and deleted.stdout.startswith("del_"), deleted.stderr
            told = [first, backend.next()]
            while told[-1][1]["type"] != "account.deleted":
                told.append(backend.next())
    finally:
        backend.close()
    *repeats, last = told
    assert len(repeats) == 3 and all(one == first for one in repeats)
    assert first[1]["type"] == "account.created" and last[1]["data"]["reason"] == "operator"
    assert {one["data"]["accountID"] for _, one in told} == {account}


def test_the_demo_tells_a_backend_of_its_people(tmp_path):
    data, ready, backend = tmp_path / "data", tmp_path / "ready.json", Backend()
    data.mkdir()
    (data / "webhook-secret").write_text(OTHER + "\n")
    process = subprocess.Popen(
        [os.environ.get("SIWA", "siwa"), "demo", "--port", "0", "--emulator-port", "0", "--data", str(data),
         "--ready-file", str(ready), "--webhook-url", backend.url],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        said = "".join(itertools.takewhile(lambda line: "Ctrl-C" not in line, process.stdout))
        assert str(data / "webhook-secret") in said and OTHER not in said
        urls = json.loads(ready.read_text())
        account = sign_in(urls["service"], urls["emulator"], "com.example.juice")
        _, told = backend.next()
        assert told["type"] == "account.created" and told["data"]["accountID"] == account
    finally:
        process.terminate()
        assert process.wait(30) == 0
        process.stdout.close()
        backend.close()

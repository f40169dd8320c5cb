"""The recipes of Docs/access-tokens.md, as they stand there, against tokens of a running service and against bad ones."""

import base64
import contextlib
import hashlib
import http.server
import json
import os
import pathlib
import re
import secrets
import signal
import subprocess
import threading
import time
import urllib.request

import jwt
import playwright
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "Docs" / "access-tokens.md").read_text()
# The one that Playwright brings.
NODE = pathlib.Path(playwright.__file__).parent / "driver" / "node"
AUDIENCE = "https://api.example.com"
KEY = ec.generate_private_key(ec.SECP256R1())


def shown(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[1]


def published(key, **changes):
    return {**json.loads(jwt.algorithms.ECAlgorithm.to_jwk(key.public_key())), "use": "sig", "alg": "ES256",
            "kid": "key_1", **changes}


class Python:
    def __init__(self, issuer, audience):
        names = {}
        exec(compile(shown("python"), "access-tokens.md", "exec"), names)
        self.tokens, self.unavailable = names["AccessTokens"](issuer, audience), names["KeysUnavailable"]

    def __call__(self, token):
        try:
            return self.tokens.verify(token)["sub"]
        except jwt.PyJWTError:
            return "refused"
        except self.unavailable:
            return "unknown"

    def close(self):
        pass


class Lines:
    """Another program, which is given a token a line and answers with a line."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def __call__(self, token):
        self.process.stdin.write(json.dumps(token) + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().strip()

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(20) == 0


class Node(Lines):
    def __init__(self, issuer, audience, folder):
        (folder / "tokens.mjs").write_text(shown("js"))
        (folder / "main.mjs").write_text("""
            import { createInterface } from "node:readline";
            import { AccessTokens, KeysUnavailable, Refused } from "./tokens.mjs";
            const tokens = new AccessTokens(process.argv[2], process.argv[3]);
            for await (const line of createInterface({ input: process.stdin })) {
              try {
                console.log((await tokens.verify(JSON.parse(line))).sub);
              } catch (error) {
                console.log(
                  error instanceof Refused ? "refused" : error instanceof KeysUnavailable ? "unknown" : `${error}`);
              }
            }
            """)
        super().__init__(NODE, folder / "main.mjs", issuer, audience)


class Ruby(Lines):
    def __init__(self, issuer, audience, folder):
        (folder / "main.rb").write_text(shown("ruby") + """
            tokens = AccessTokens.new(ARGV[0], ARGV[1])
            $stdout.sync = true
            while (line = $stdin.gets)
              begin
                puts tokens.verify(JSON.parse(line))["sub"]
              rescue JWT::DecodeError
                puts "refused"
              rescue AccessTokens::KeysUnavailable
                puts "unknown"
              rescue StandardError => error
                puts error.full_message(highlight: false, order: :top).lines.first
              end
            end
            """)
        super().__init__("ruby", folder / "main.rb", issuer, audience)


@pytest.fixture(params=["python", "node", "ruby"])
def recipe(request, tmp_path):
    """Makes one for an issuer and an audience."""
    with contextlib.ExitStack() as stack:
        def make(issuer, audience=AUDIENCE):
            folder = tmp_path / secrets.token_hex(4)
            folder.mkdir()
            made = (Python(issuer, audience) if request.param == "python" else
                    {"node": Node, "ruby": Ruby}[request.param](issuer, audience, folder))
            stack.callback(made.close)
            return made
        yield make


class Issuer:
    """Publishes a key and signs whatever it is told."""

    def __init__(self):
        issuer = self
        self.asked, self.answer = [], (200, {}, json.dumps({"keys": [published(KEY)]}))

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                issuer.asked.append(self.path)
                status, headers, body = issuer.answer
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever).start()

    def close(self):
        # A test may have closed it before.
        self.server.shutdown()
        self.server.server_close()

    def token(self, header=None, key=KEY, algorithm="ES256", **changes):
        now = int(time.time())
        claims = {"iss": self.url, "aud": AUDIENCE, "sub": "acc_1", "sid": "ses_1", "client_id": "com.example.juice",
                  "iat": now, "exp": now + 600, "auth_time": now - 100, "jti": "one", **changes}
        claims = {name: value for name, value in claims.items() if value is not None}
        header = {"typ": "at+jwt", "kid": "key_1", "alg": algorithm, **(header or {})}
        # The token is put together here, because PyJWT would not write all that is wrong here.
        parts = [base64.urlsafe_b64encode(json.dumps(part).encode()).rstrip(b"=") for part in
                 ({name: value for name, value in header.items() if value is not None}, claims)]
        signed = b".".join(parts)
        signature = jwt.get_algorithm_by_name(algorithm).sign(signed, key)
        return (signed + b"." + base64.urlsafe_b64encode(signature).rstrip(b"=")).decode()


@pytest.fixture
def issuer():
    made = Issuer()
    yield made
    made.close()


BAD = {
    "form": lambda issuer: "token",
    "four parts": lambda issuer: issuer.token() + ".e30",
    "too long": lambda issuer: issuer.token(x="x" * 4096),
    "typ JWT": lambda issuer: issuer.token({"typ": "JWT"}),
    "no typ": lambda issuer: issuer.token({"typ": None}),
    "crit": lambda issuer: issuer.token({"crit": ["exp"]}),
    "no kid": lambda issuer: issuer.token({"kid": None}),
    "alg none": lambda issuer: issuer.token({"alg": "none"}),
    "no signature": lambda issuer: issuer.token({"alg": "none"}).rsplit(".", 1)[0] + ".",
    "HS256": lambda issuer: issuer.token(algorithm="HS256", key=b"a secret that everybody knows: it is the public key"),
    "another's key": lambda issuer: issuer.token(key=ec.generate_private_key(ec.SECP256R1())),
    "an empty kid": lambda issuer: issuer.token({"kid": ""}),
    "a key that comes along": lambda issuer: (
        lambda key: issuer.token({"jwk": published(key)}, key=key))(ec.generate_private_key(ec.SECP256R1())),
    "another issuer": lambda issuer: issuer.token(iss="https://appleid.apple.com"),
    "another audience": lambda issuer: issuer.token(aud="https://files.example.com"),
    "audiences": lambda issuer: issuer.token(aud=[AUDIENCE]),
    "expired": lambda issuer: issuer.token(exp=int(time.time()) - 61),
    "exp as text": lambda issuer: issuer.token(exp="never"),
    "made in the future": lambda issuer: issuer.token(iat=int(time.time()) + 90),
    "authenticated in the future": lambda issuer: issuer.token(auth_time=int(time.time()) + 90),
    "auth_time as text": lambda issuer: issuer.token(auth_time="now"),
    **{f"no {name}": lambda issuer, name=name: issuer.token(**{name: None})
       for name in ["iss", "aud", "sub", "sid", "client_id", "iat", "exp", "auth_time", "jti"]},
}


def test_each_bad_token_is_refused(recipe, issuer):
    verify = recipe(issuer.url)
    assert verify(issuer.token()) == "acc_1"
    verdicts = {name: verify(make(issuer)) for name, make in BAD.items()}
    assert verdicts == {name: "refused" for name in BAD}
    assert verify(issuer.token()) == "acc_1"
    assert issuer.asked == ["/.well-known/jwks.json"]


def test_an_unknown_key_is_refused_by_a_set_fetched_for_it_and_by_no_other(recipe, issuer):
    verify = recipe(issuer.url)
    unknown = issuer.token({"kid": "key_2"})
    assert verify(unknown) == "refused"
    # Within a minute unknown names cause no request of their own, so nobody knows.
    assert verify(unknown) == "unknown"
    assert verify(issuer.token()) == "acc_1"
    assert issuer.asked == ["/.well-known/jwks.json"]


def test_a_token_is_not_refused_while_the_issuer_is_out_of_reach(recipe, issuer):
    token = issuer.token()
    verify = recipe(issuer.url)
    issuer.close()
    assert [verify(token) for _ in range(3)] == ["unknown"] * 3


@pytest.mark.parametrize("body", ["", "{}", "[]", "null", '{"keys": 5}', '{"keys": []}', '{"keys": [5, null, {}]}'])
def test_a_token_is_not_refused_for_an_answer_that_is_no_key_set(recipe, issuer, body):
    issuer.answer = (200, {}, body)
    verify = recipe(issuer.url)
    assert [verify(issuer.token()) for _ in range(2)] == ["unknown"] * 2


BAD_KEYS = {
    "beside the curve": {"y": published(KEY)["x"]},
    "no point": {"x": 5},
    "too short": {"x": "AA"},
    "no base64": {"x": "!"},
    "of another kind": {"kty": "oct", "k": "AAAA"},
}


@pytest.mark.parametrize("bad", BAD_KEYS.values(), ids=BAD_KEYS.keys())
def test_a_bad_published_key_neither_refuses_a_token_nor_spoils_the_others(recipe, issuer, bad):
    issuer.answer = (200, {}, json.dumps({"keys": [published(KEY, **bad)]}))
    verify = recipe(issuer.url)
    assert [verify(issuer.token()) for _ in range(2)] == ["unknown"] * 2
    issuer.answer = (200, {}, json.dumps({"keys": [published(KEY, kid="key_2", **bad), published(KEY)]}))
    assert recipe(issuer.url)(issuer.token()) == "acc_1"


def test_a_redirect_of_the_key_set_is_not_followed(recipe, issuer):
    keys = issuer.answer
    issuer.answer = (302, {"Location": "/elsewhere"}, "")
    assert recipe(issuer.url)(issuer.token()) == "unknown"
    assert issuer.asked == ["/.well-known/jwks.json"]
    issuer.answer = keys
    assert recipe(issuer.url)(issuer.token()) == "acc_1"


@pytest.fixture(scope="module")
def signed_in(tmp_path_factory):
    """A running service, an access token of it, and the identity token of Apple's that it came from."""
    ready = tmp_path_factory.mktemp("demo") / "ready.json"
    process = subprocess.Popen(
        [os.environ.get("SIWA", "siwa"), "demo", "--port", "0", "--emulator-port", "0", "--ready-file", str(ready)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        for line in process.stdout:
            if "Ctrl-C" in line:
                break
        urls = json.loads(ready.read_text())
        nonce = secrets.token_hex(16)
        credential = post(urls["emulator"] + "/emulator/authorizations", {
            "person": "johnny", "clientID": "com.example.juice", "native": True,
            "nonce": hashlib.sha256(nonce.encode()).hexdigest()})
        answer = post(urls["service"] + "/v1/sign-in/apple", {
            "identityToken": credential["id_token"], "authorizationCode": credential["code"], "nonce": nonce})
        yield urls["service"], answer["session"]["accessToken"], answer["account"]["id"], credential["id_token"]
    finally:
        process.send_signal(signal.SIGINT)
        process.stdout.close()
        assert process.wait(20) == 0


def post(url, body):
    request = urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as answer:
        return json.load(answer)


def test_a_token_of_the_service_says_whose_it_is(recipe, signed_in):
    service, token, account, _ = signed_in
    assert recipe(service, service)(token) == account


def test_a_token_of_the_service_is_no_good_elsewhere_or_changed(recipe, signed_in):
    service, token, _, apple = signed_in
    verify = recipe(service, service)
    assert recipe(service, AUDIENCE)(token) == "refused"
    assert verify(apple) == "refused"
    head, claims, signature = token.split(".")
    thief = json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))
    thief["sub"] = "acc_somebody_else"
    forged = base64.urlsafe_b64encode(json.dumps(thief).encode()).rstrip(b"=").decode()
    assert verify(f"{head}.{forged}.{signature}") == "refused"

"""The emulator beside oidc-provider-mock: whole authorizations a second, and the time until the first key is there."""

import base64
import json
import os
import pathlib
import subprocess
import time
import urllib.parse

import measure

CLIENT, CALLBACK = "com.example.juice.web", "http://localhost:4000/sign-in/apple/callback"
PEER = os.environ.get("OIDC_PROVIDER_MOCK", "oidc-provider-mock")


def base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def client_secret(portal, folder):
    """ES256 by openssl, whose DER signature is two integers, each after its tag and length."""
    team = portal["teams"][0]
    key = team["apps"][0]["keys"][0]
    pem = pathlib.Path(folder) / "emulator-key.pem"
    pem.write_text(key["privateKey"])
    now = int(time.time())
    claims = {"iss": team["id"], "iat": now, "exp": now + 3600, "aud": "https://appleid.apple.com", "sub": CLIENT}
    parts = [{"alg": "ES256", "kid": key["id"]}, claims]
    text = ".".join(base64url(json.dumps(part).encode()) for part in parts)
    der = subprocess.run(
        ["openssl", "dgst", "-sha256", "-sign", str(pem)], input=text.encode(), capture_output=True, check=True).stdout
    numbers, at = [], 2
    for _ in range(2):
        length = der[at + 1]
        numbers.append(int.from_bytes(der[at + 2:at + 2 + length], "big").to_bytes(32, "big"))
        at += 2 + length
    return f"{text}.{base64url(b''.join(numbers))}"


def commands(binaries):
    """For a port: how each contender is started, and what it serves once it has its key."""
    return {
        "emulator": lambda port: (
            [binaries / "siwa", "emulate", "--port", port], f"http://127.0.0.1:{port}/auth/keys"),
        "peer": lambda port: ([PEER, "--port", port], f"http://127.0.0.1:{port}/jwks"),
    }


def query(**more):
    return urllib.parse.urlencode(
        {"client_id": CLIENT, "redirect_uri": CALLBACK, "response_type": "code", "state": "s", "nonce": "n", **more})


def measure_flow(binaries, folder, options):
    rounds = {"emulator.flow": [], "peer.flow": []}
    ports = {name: measure.free_port() for name in ["emulator", "peer"]}
    make = commands(binaries)
    mine, peer = make["emulator"](ports["emulator"]), make["peer"](ports["peer"])
    with measure.running(*mine[0]) as one, measure.running(*peer[0]) as other:
        measure.wait_for(mine[1], one)
        measure.wait_for(peer[1], other)
        portal = json.loads(measure.answer(f"http://127.0.0.1:{ports['emulator']}/emulator/portal"))
        form = {"grant_type": "authorization_code", "client_id": CLIENT, "redirect_uri": CALLBACK}
        environments = {
            "emulator.flow": {
                "TARGET": "siwa", "AUTHORIZE": f"/auth/authorize?{query(response_mode='query')}",
                "CODE_FORM": urllib.parse.urlencode({**form, "client_secret": client_secret(portal, folder)})},
            "peer.flow": {
                "TARGET": "peer", "AUTHORIZE": f"/oauth2/authorize?{query(scope='openid')}",
                "CODE_FORM": urllib.parse.urlencode({**form, "client_secret": "any"})},
        }
        for number in range(options.rounds + 1):
            for name, environment in environments.items():
                taken = measure.wrk(
                    f"http://127.0.0.1:{ports[name.split('.')[0]]}", "authorize.lua", environment,
                    connections=options.connections, threads=options.connections, seconds=options.seconds)
                if number > 0:
                    rounds[name].append(taken)
        memory = measure.resident_megabytes(one)
    return rounds, memory


def measure_start(binaries, options):
    """Starts a second, from the program's start to the first answer with a key."""
    rounds = {"emulator.start": [], "peer.start": []}
    for number in range(2 * options.rounds + 1):
        for name, make in commands(binaries).items():
            command, url = make(measure.free_port())
            start = time.monotonic()
            with measure.running(*command) as process:
                measure.wait_for(url, process)
                taken = time.monotonic() - start
            if number > 0:
                rounds[f"{name}.start"].append({"rate": 1 / taken})
    return rounds

"""OpenID Providers as processes, for the tests of a service that signs people in with them."""

import base64
import contextlib
import json
import pathlib
import subprocess
import sys
import time
import urllib.request

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from deployment import DEADLINE

HERE = pathlib.Path(__file__).resolve().parent


@contextlib.contextmanager
def provider(*words, port):
    """A provider's process, until the test is over."""
    process = subprocess.Popen(
        [sys.executable, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=HERE)
    document = f"http://127.0.0.1:{port}/.well-known/openid-configuration"
    deadline = time.monotonic() + DEADLINE
    while True:
        try:
            urllib.request.urlopen(document, timeout=5).close()
            break
        except OSError:
            assert process.poll() is None and time.monotonic() < deadline, f"{words} does not answer"
            time.sleep(0.05)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(DEADLINE)


def providers(folder, mock_port, idpy_port):
    """The settings of a service for both providers, with its secret and its key in a folder.

    Returns also the file that the provider made with idpyoidc reads.
    """
    private, public = make_key(folder)
    secret = folder / "mock.secret"
    secret.write_text("s3cret")
    secret.chmod(0o600)
    return {
        "mock": {
            "issuer": f"http://127.0.0.1:{mock_port}", "client-id": "client-1", "client-secret-file": str(secret),
            "name": "Mock", "no-authentication-time": True},
        "idpy": {
            "issuer": f"http://127.0.0.1:{idpy_port}", "client-id": "siwa-1", "key-id": "key-1",
            "private-key-file": str(private), "name": "Idpy"}}, public


def make_key(folder):
    """A key of the service's for `private_key_jwt`: the file for the service, and the one for the provider."""
    key = ec.generate_private_key(ec.SECP256R1())
    numbers = key.public_key().public_numbers()
    parts = {
        name: base64.urlsafe_b64encode(number.to_bytes(32, "big")).rstrip(b"=").decode()
        for name, number in [("x", numbers.x), ("y", numbers.y)]}
    private, public = folder / "client.pem", folder / "client.json"
    private.write_bytes(key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    private.chmod(0o600)
    public.write_text(json.dumps({"keys": [
        {"kty": "EC", "crv": "P-256", "kid": "key-1", "use": "sig", "alg": "ES256", **parts}]}))
    return private, public

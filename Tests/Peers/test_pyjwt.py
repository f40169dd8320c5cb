"""PyJWT checks what the emulator signs, with nothing but the address of the keys."""

import base64
import hashlib

import jwt
import pytest

CLIENT = "com.example.juice"
ISSUER = "https://appleid.apple.com"


def authorize(emulator, **members):
    return emulator.call(
        "authorizations",
        {"person": "johnny", "clientID": CLIENT, "native": True, "scope": "name email", **members})


def verified(keys, token, audience=CLIENT):
    key = keys.get_signing_key_from_jwt(token)
    return jwt.decode(
        token, key, algorithms=["RS256"], audience=audience, issuer=ISSUER,
        options={"require": ["exp", "iat", "iss", "aud", "sub"]})


@pytest.fixture
def keys(emulator):
    # Without `cooldown_duration`, PyJWT waits half a minute before it asks again.
    return jwt.PyJWKClient(f"{emulator.url}/auth/keys", cooldown_duration=0)


def test_an_identity_token_verifies(emulator, keys):
    answer = authorize(emulator, nonce="n-1")
    claims = verified(keys, answer["id_token"])
    assert claims["nonce"] == "n-1"
    assert claims["exp"] - claims["iat"] == 86_400
    assert claims["email_verified"] is True
    half = hashlib.sha256(answer["code"].encode()).digest()[:16]
    assert claims["c_hash"] == base64.urlsafe_b64encode(half).decode().rstrip("=")


def test_a_token_for_another_audience_does_not(emulator, keys):
    with pytest.raises(jwt.InvalidAudienceError):
        verified(keys, authorize(emulator)["id_token"], audience="com.example.another")


def test_a_token_of_a_rotated_key_verifies_and_one_of_a_retired_key_does_not(emulator, keys):
    old = authorize(emulator)["id_token"]
    verified(keys, old)
    emulator.call("keys/rotate", {})
    # The client does not know the key, and fetches the set once more by itself.
    verified(keys, authorize(emulator)["id_token"])
    emulator.call("keys/retire", {})
    with pytest.raises(jwt.PyJWKClientError):
        verified(jwt.PyJWKClient(f"{emulator.url}/auth/keys"), old)


def test_a_tampered_token_does_not(emulator, keys):
    head, claims, signature = authorize(emulator)["id_token"].split(".")
    middle = len(claims) // 2
    other = "A" if claims[middle] != "A" else "B"
    with pytest.raises(jwt.InvalidTokenError):
        verified(keys, f"{head}.{claims[:middle]}{other}{claims[middle + 1:]}.{signature}")

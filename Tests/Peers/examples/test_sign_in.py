import json

import jwt
import pytest

from emulator import Emulator

APP = "com.example.juice"


@pytest.fixture(scope="session")
def running(tmp_path_factory):
    with Emulator(tmp_path_factory.mktemp("emulator")) as emulator:
        yield emulator


@pytest.fixture
def apple(running):
    running.call("reset", {})
    return running


def sign_in(apple, **members):
    return apple.call(
        "authorizations", {"person": "johnny", "clientID": APP, "native": True, "scope": "name email", **members})


def test_the_name_comes_once(apple):
    first = sign_in(apple, name={"firstName": "Jo", "lastName": ""})
    assert json.loads(first["user"])["name"]["firstName"] == "Jo"
    assert "user" not in sign_in(apple)
    apple.call("grants/stop-using", {"person": "johnny", "clientID": APP})
    assert "user" in sign_in(apple)


def test_the_token_is_ours(apple):
    token = sign_in(apple, nonce="n-0S6_WzA2Mj", hideEmail=True)["id_token"]
    key = jwt.PyJWKClient(f"{apple.url}/auth/keys").get_signing_key_from_jwt(token)
    claims = jwt.decode(token, key, algorithms=["RS256"], audience=APP, issuer="https://appleid.apple.com")
    assert claims["nonce"] == "n-0S6_WzA2Mj"
    assert claims["email"].endswith("@privaterelay.appleid.com")

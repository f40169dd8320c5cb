"""Other people's software signs in against a running emulator."""

import pytest

from browser import Browser
from emulator import Emulator
from relying_party import RelyingParty

CALLBACKS = ["/accounts/apple/login/callback/", "/apple/callback"]


@pytest.fixture(scope="session")
def relying_party():
    party = RelyingParty()
    yield party
    party.close()


@pytest.fixture(scope="session")
def running(relying_party, tmp_path_factory):
    urls = [argument for path in CALLBACKS for argument in ("--return-url", relying_party.url + path)]
    with Emulator(tmp_path_factory.mktemp("emulator"), *urls) as emulator:
        yield emulator


@pytest.fixture
def emulator(running):
    """For each test as if nobody had signed in yet."""
    running.call("reset", {})
    return running


@pytest.fixture
def browser():
    return Browser()

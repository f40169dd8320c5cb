"""Other people's software signs in against a running emulator."""

import pathlib
import sys

import pytest

# `siwa serve` and an app's calls, of the tests beside these. At the end: they have a conftest of their own.
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Servers"))

from browser import Browser  # noqa: E402
from emulator import Emulator  # noqa: E402
from deployment import Database, Deployment  # noqa: E402
from relying_party import RelyingParty  # noqa: E402

CALLBACKS = ["/accounts/apple/login/callback/", "/apple/callback"]


@pytest.fixture(scope="session")
def relying_party():
    party = RelyingParty()
    yield party
    party.close()


@pytest.fixture(scope="session")
def running(relying_party, tmp_path_factory):
    urls = [relying_party.url + path for path in CALLBACKS] + ["http://localhost:4000/sign-in/apple/callback"]
    arguments = [argument for url in urls for argument in ("--return-url", url)]
    with Emulator(tmp_path_factory.mktemp("emulator"), *arguments) as emulator:
        yield emulator


@pytest.fixture
def emulator(running):
    """For each test as if nobody had signed in yet."""
    running.call("reset", {})
    return running


@pytest.fixture
def browser():
    return Browser()


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def deployment(request, running, tmp_path_factory):
    """An account service beside the emulator, and what its people do."""
    running.call("reset", {})
    folder = tmp_path_factory.mktemp("service")
    deployment = Deployment(running, folder, getattr(Database, request.param)(folder))
    deployment.environment["SIWA_APP"] = "juice"
    with deployment.server() as server:
        deployment.url = server.url
        yield deployment

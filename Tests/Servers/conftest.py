"""Servers as they run at an operator's: processes that come and go, databases that stay."""

import pathlib
import sys

import pytest

# The emulator and the browser of the tests beside these.
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Peers"))

from emulator import Emulator  # noqa: E402
from deployment import Database  # noqa: E402
from proxy import Proxy  # noqa: E402


@pytest.fixture(scope="session")
def proxy(tmp_path_factory):
    with Proxy(tmp_path_factory.mktemp("proxy")) as running:
        yield running


@pytest.fixture(scope="session")
def emulator(proxy, tmp_path_factory):
    folder = tmp_path_factory.mktemp("emulator")
    with Emulator(folder, "--return-url", proxy.url + "/sign-in/apple/callback") as running:
        yield running


@pytest.fixture(params=["sqlite", "postgres"])
def database(request, tmp_path):
    return getattr(Database, request.param)(tmp_path)

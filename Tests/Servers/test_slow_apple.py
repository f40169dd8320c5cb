"""An Apple that takes connections and does not answer, in front of a real server with real timeouts."""

import contextlib
import signal
import time

import pytest

from emulator import Emulator
from deployment import DEADLINE, Deployment, Outbox, Service

# In seconds. A request to Apple is given up after ten, so what takes less has not waited for one.
WITHOUT_APPLE = 9


@pytest.fixture
def emulator(tmp_path):
    """An emulator of this test alone, since it is stopped."""
    with Emulator(tmp_path) as running:
        yield running


@contextlib.contextmanager
def silent(emulator):
    emulator.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        emulator.process.send_signal(signal.SIGCONT)


@contextlib.contextmanager
def within(seconds):
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds


def state(service, session):
    return service.account(session["accessToken"]).json()["account"]["appleToken"]


def test_sign_in_and_deletion_go_on_and_nothing_is_lost(emulator, database, tmp_path):
    deployment, outbox = Deployment(emulator, tmp_path, database), Outbox(database)
    with deployment.server() as server:
        service = Service(server.url)
        leaving, staying = deployment.add_person(), deployment.add_person()
        session = service.sign_in(deployment.proof(leaving)).json()["session"]
        proof = deployment.proof(staying)
        with silent(emulator):
            with within(WITHOUT_APPLE):
                receipt = service.delete_account(session["accessToken"])
            assert receipt.status_code == 202
            with within(DEADLINE):
                answer = service.sign_in(proof)
            assert answer.ok, answer.text
            other = answer.json()["session"]
            assert state(service, other) == "waiting"
            handle = receipt.json()["handle"]
            assert service.deletion(handle).json()["deletion"]["status"] == "waiting"
    # Work that was under way when the server stopped rests for a while; here it is due when the next one starts.
    outbox.forget_rests()
    with deployment.server() as server:
        service = Service(server.url)
        outbox.settle()
        assert service.deletion(handle).json()["deletion"]["status"] == "done"
        assert state(service, other) in ("held", "none")
        assert service.refresh(other["refreshToken"]).ok
        users = {grant["person"] for grant in emulator.call("grants")["grants"]}
        assert leaving not in users and staying in users

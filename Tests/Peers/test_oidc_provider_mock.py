"""The library OpenIDConnect signs in at oidc-provider-mock, which knows nothing of it, by discovery alone."""

import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

# In seconds; a machine that is busy with other tests may need a few.
DEADLINE = 60


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@pytest.fixture(scope="module")
def provider():
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "oidc_provider_mock", "--port", str(port)], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    deadline = time.monotonic() + DEADLINE
    while True:
        try:
            urllib.request.urlopen(f"{url}/.well-known/openid-configuration", timeout=5).close()
            break
        except OSError:
            assert process.poll() is None and time.monotonic() < deadline, "the provider does not answer"
            time.sleep(0.05)
    yield url
    process.terminate()
    process.wait(20)


def test_the_library_signs_a_person_in_by_discovery_alone(provider):
    tests = pathlib.Path(os.environ["SIWA"]).resolve().parent / "siwaPackageTests.xctest"
    answer = subprocess.run(
        [tests, "--testing-library", "swift-testing", "--filter", r"OpenIDConnectTests\.PeerTests"],
        env={**os.environ, "OIDC_PROVIDER_MOCK_URL": provider}, capture_output=True, text=True, timeout=DEADLINE)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    # A filter that finds nothing, and a test that is skipped, succeed too.
    assert "signs a person in by discovery alone" in answer.stdout + answer.stderr
    assert "1 test" in answer.stdout + answer.stderr and "skipped" not in answer.stdout + answer.stderr

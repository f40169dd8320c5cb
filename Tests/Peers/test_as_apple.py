"""`siwa emulate --as-apple` in front of python-social-auth, which has no setting for Apple's addresses."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
# Root of a namespace may mount and configure there; others need a namespace in which they are root.
UNSHARE = ["unshare", "--mount", "--net"] + ([] if os.geteuid() == 0 else ["--user", "--map-root-user"])


def test_a_client_that_has_apples_addresses_built_in_signs_people_in_unchanged(tmp_path):
    probe = subprocess.run([*UNSHARE, "true"], capture_output=True, text=True)
    if probe.returncode != 0:
        pytest.fail(
            "this test needs a network and a mount namespace of its own, and this machine gives none "
            f"({probe.stderr.strip()}). Run it as root, or allow user namespaces.")
    result = subprocess.run(
        [*UNSHARE, sys.executable, HERE / "as_apple.py", tmp_path], capture_output=True, text=True, timeout=180)
    assert result.returncode == 0, result.stdout + result.stderr
    answer = json.loads(result.stdout.splitlines()[-1])
    assert answer["baseURL"] == "https://appleid.apple.com"
    assert answer["hostsLine"] == "127.0.0.1 appleid.apple.com"
    first, second = answer["users"]
    assert (first["firstName"], first["lastName"], first["email"]) == ("Jo", "Apple", "johnny@example.com")
    assert second == first, "the second time Apple tells no name, and the user is the same"
    assert {("/auth/token", 200), ("/auth/keys", 200)} <= {tuple(request) for request in answer["requests"]}


def test_the_base_url_is_apples_own(tmp_path):
    result = subprocess.run(
        [os.environ.get("SIWA", "siwa"), "emulate", "--as-apple", "--base-url", "https://apple.example.com"],
        capture_output=True, text=True, timeout=60)
    assert result.returncode == 2
    assert "base-url: is https://appleid.apple.com with as-apple" in result.stderr

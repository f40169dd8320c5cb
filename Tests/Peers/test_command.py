"""`siwa emulate` as a program: where it says it is, with TLS, with a portal of one's own, and beside others of its kind."""

import json
import pathlib
import ssl
import stat
import urllib.error
import urllib.request

import pytest

from emulator import Emulator

DOCS = pathlib.Path(__file__).resolve().parents[2] / "Docs"


def test_the_ready_file_is_there_while_it_answers_and_for_its_owner_alone(tmp_path):
    with Emulator(tmp_path) as emulator:
        assert stat.S_IMODE(emulator.ready.stat().st_mode) == 0o600
        assert emulator.call("portal")["baseURL"] == emulator.url
    assert not emulator.ready.exists()


def test_many_run_side_by_side_with_keys_of_their_own(tmp_path):
    folders = [tmp_path / name for name in ["one", "two", "three"]]
    for folder in folders:
        folder.mkdir()
    with Emulator(folders[0]) as one, Emulator(folders[1]) as two, Emulator(folders[2]) as three:
        emulators = [one, two, three]
        assert len({emulator.url for emulator in emulators}) == 3
        assert len({emulator.call("keys")["signing"] for emulator in emulators}) == 3


def test_with_tls_its_root_vouches_for_it_and_for_nothing_else(tmp_path):
    roots = []
    for name in ["one", "two"]:
        folder = tmp_path / name
        folder.mkdir()
        roots.append(folder / "root.pem")
        with Emulator(folder, "--tls", "--root-file", str(roots[-1])) as emulator:
            assert emulator.url.startswith("https://127.0.0.1:")
            assert json.loads(emulator.ready.read_text())["rootCertificate"] == str(roots[-1])
            for host in ["127.0.0.1", "localhost"]:
                url = emulator.url.replace("127.0.0.1", host)
                with get(url + "/.well-known/openid-configuration", roots[-1]) as answer:
                    assert json.load(answer)["token_endpoint"] == emulator.url + "/auth/token"
            with get(emulator.url + "/emulator-root.pem", roots[-1]) as answer:
                assert answer.read() == roots[-1].read_bytes()
            if len(roots) > 1:
                with pytest.raises(urllib.error.URLError) as refusal:
                    get(emulator.url + "/auth/keys", roots[0])
                assert isinstance(refusal.value.reason, ssl.SSLCertVerificationError)
    assert b"PRIVATE" not in roots[0].read_bytes()


def test_without_tls_there_is_no_root(tmp_path):
    with Emulator(tmp_path) as emulator, pytest.raises(urllib.error.HTTPError) as refusal:
        urllib.request.urlopen(emulator.url + "/emulator-root.pem", timeout=10)
    assert refusal.value.code == 404


def test_the_portal_of_the_documentation_is_one(tmp_path):
    text = (DOCS / "emulator-portal.md").read_text()
    example = text[text.index("```json\n") + len("```json\n"):]
    file = tmp_path / "portal.json"
    file.write_text(example[:example.index("```")])
    declared = json.loads(file.read_text())
    with Emulator(tmp_path, "--portal", str(file)) as emulator:
        portal = emulator.call("portal")
        assert [team["id"] for team in portal["teams"]] == [team["id"] for team in declared["teams"]]
        assert [person["id"] for person in portal["people"]] == [person["id"] for person in declared["people"]]
        assert emulator.team["apps"][0]["keys"][0]["privateKey"].startswith("-----BEGIN PRIVATE KEY-----")
        assert "user" in emulator.call(
            "authorizations", {"person": "ada", "clientID": "com.example.juice.web", "scope": "name"})


def get(url, root):
    """Gets a URL with verification on, trusting nothing but the given root."""
    return urllib.request.urlopen(url, context=ssl.create_default_context(cafile=root), timeout=10)

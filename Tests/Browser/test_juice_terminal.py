"""Juice and its terminal: every way out, every kind of terminal, and an account service that does not answer."""

import os
import re
import signal
import subprocess

import pytest

from conftest import Demo
from juice_device import JUICE, Service, device  # noqa: F401 (a fixture)
from terminal import Terminal

ARROW_UP, ARROW_DOWN, ESCAPE, CTRL_C, CTRL_Z = "\x1b[A", "\x1b[B", "\x1b", "\x03", "\x1a"


@pytest.fixture
def waiting(device):
    """Juice during a sign-in."""
    with device.juice() as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        device.opened()
        juice.see("Sign in in the browser", "[C] Cancel")
        yield juice


@pytest.mark.parametrize(("number", "status"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_gives_the_terminal_back(waiting, number, status):
    assert waiting.signal(number) == status
    assert waiting.has_left_page()


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGILL, signal.SIGTRAP])
def test_a_crash_gives_the_terminal_back(waiting, number):
    assert waiting.signal(number) == -number
    assert waiting.has_left_page()


def test_ctrl_c_ends_a_sign_in_and_juice(waiting):
    waiting.type(CTRL_C)
    assert waiting.end() == 130
    assert waiting.has_left_page()


@pytest.mark.parametrize("keys", ["q", CTRL_C])
def test_quitting_during_a_sign_in_tells_the_account_service_first(device, keys):
    for _ in range(5):
        begun = {"id": "aut_1", "url": "http://localhost:4000/authorizations/aut_1", "expiresAt": "2099-01-01T00:00:00Z"}
        with Service(200, begun) as service:
            device.environment["SIWA_BACKEND"] = service.address
            with device.juice() as juice:
                juice.see("Sign in with Apple")
                juice.type("\r")
                device.opened()
                juice.see("Sign in in the browser")
                juice.type(keys)
                juice.end()
            assert service.requests == ["/v1/authorizations", "/v1/authorizations/cancel"]


def test_escape_gives_a_sign_in_up(waiting):
    waiting.type(ESCAPE)
    waiting.see("You have not signed in.", "Sign in with Apple")


def test_killed_during_a_sign_in_nothing_is_left_half(device, waiting):
    waiting.process.send_signal(signal.SIGKILL)
    waiting.process.wait(30)
    assert not device.stored()
    with device.juice() as juice:
        juice.see("Sign in with Apple")
        juice.type("\r")
        device.sign_in(device.opened())
        juice.see("User Identifier", "Johnny")


def test_tab_and_arrows_move(device):
    with device.juice() as juice:
        juice.see("▸ │")
        juice.type(ARROW_DOWN)
        juice.see("▸ [Q] Quit")
        juice.type("\t")
        juice.see("▸ [L] Log In")
        juice.type(ARROW_UP)
        juice.see("▸ [Q] Quit")
        juice.type("\r")
        assert juice.end() == 0


def test_a_window_may_change_its_size(device):
    with device.juice() as juice:
        juice.see("╭" + "─" * 36 + "╮")
        juice.resize(26, 12)
        juice.see("╭" + "─" * 20 + "╮")
        juice.resize(100, 40)
        juice.see("╭" + "─" * 36 + "╮")


def test_ctrl_z_gives_the_terminal_back_until_juice_goes_on(device):
    # A shell of its own, since a process without one has nobody to stop for.
    script = f'set -m; "{JUICE}" --store memory; echo "stopped"; stty -a | grep -o " echo "; fg; echo "ended $?"'
    with Terminal(["/bin/bash", "-c", script], device.environment) as shell:
        shell.see("Sign in with Apple")
        shell.type(CTRL_Z)
        shell.until(lambda: b"stopped" in shell.written, "stopped")
        shell.until(lambda: shell.written.rfind(b"[Q] Quit") > shell.written.rfind(b"stopped"), "the login")
        shell.type("q")
        shell.until(lambda: b"ended 0" in shell.written, "ended 0")


def test_no_colours_where_none_are_wanted(device):
    with device.juice() as juice:
        juice.see("Sign in with Apple")
        assert b"\x1b[30;107;1m" in juice.written
    with device.juice(environment={"NO_COLOR": "1"}) as juice:
        juice.see("▸ │         Sign in with Apple")
        assert not re.search(rb"\x1b\[[0-9;]*m", juice.written)


def test_ascii_where_the_locale_has_nothing_else(device):
    with device.juice(environment={"LANG": "C"}) as juice:
        juice.see("> |         Sign in with Apple         |", "+" + "-" * 36 + "+")
        assert juice.written.isascii()


def test_a_dumb_terminal_gets_lines(device):
    with device.juice(environment={"TERM": "dumb"}) as juice:
        juice.see("[s] Sign in with Apple   [q] Quit")
        juice.type("s\n")
        device.sign_in(device.opened())
        juice.see("Given Name: Johnny", "Email: johnny@example.com", "[o] Sign Out")
        juice.type("o\n")
        # The first one may have left the screen.
        juice.until(lambda: juice.written.count(b"[s] Sign in with Apple") == 2, "the login again")
        juice.type("q\n")
        assert juice.end() == 0
        assert b"\x1b" not in juice.written


def test_ctrl_c_at_a_dumb_terminal(device):
    with device.juice(environment={"TERM": "dumb"}) as juice:
        juice.see("[s] Sign in with Apple")
        juice.type(CTRL_C)
        assert juice.end() == 130


def test_a_script_signs_in_and_out(device):
    def run(text):
        process = subprocess.Popen(
            [JUICE, "--store", "file", "--browser"], env=device.environment, stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        process.stdin.write(text)
        process.stdin.close()
        return process

    process = run("s\n")
    device.sign_in(device.opened())
    output, complaints = process.stdout.read(), process.stderr.read()
    assert (process.wait(30), complaints) == (0, "")
    assert "Given Name: Johnny\n" in output and "\x1b" not in output

    process = run("")
    assert "Family Name: Appleseed\n" in process.stdout.read()
    assert process.wait(30) == 0

    process = run("o\n")
    assert process.stdout.read().endswith("[s] Sign in with Apple   [q] Quit\n")
    assert process.wait(30) == 0
    assert not device.stored()


def test_without_the_account_service(tmp_path, device):
    with Demo(tmp_path / "other", "--data", str(tmp_path / "data")) as other:
        device.environment["SIWA_BACKEND"] = other.service
        with device.juice() as juice:
            juice.see("Sign in with Apple")
            juice.type("\r")
            device.sign_in(device.opened())
            juice.see("User Identifier", "Johnny")
    # It is gone, and nobody is signed out for that.
    with device.juice() as juice:
        juice.see("User Identifier", "Johnny", "does not answer", "[O] Sign Out")
        juice.type("o")
        juice.see("Sign in with Apple")
        assert not device.stored()
        juice.type("\r")
        juice.see("cannot be reached", "Sign in with Apple")
        assert device.has_opened_nothing()
        juice.type("q")
        assert juice.end() == 0


def test_a_store_that_cannot_be_read(device):
    with device.juice(environment={"XDG_STATE_HOME": "/dev/null"}) as juice:
        juice.see("secret storage", "Sign in with Apple", "[R] Look again")
        juice.type("r")
        juice.until(lambda: juice.written.count(b"Looking for an account") == 2, "another look")
        juice.see("secret storage", "[R] Look again")


def test_without_a_keyring_the_page_says_that_a_file_is_used(device):
    with device.juice("--store", "system") as juice:
        juice.see("There is no keyring", "kept in a file", "Sign in with Apple")
        juice.type("\r")
        device.sign_in(device.opened())
        juice.see("User Identifier", "Johnny")
        assert "no keyring" not in juice.text
    assert device.stored() and all(path.stat().st_mode & 0o077 == 0 for path in device.stored())
    with device.juice("--store", "system") as juice:
        juice.see("User Identifier", "Johnny")


def test_a_session_in_memory_is_over_with_juice(device):
    for _ in range(2):
        with device.juice("--store", "memory") as juice:
            juice.see("Sign in with Apple")
            juice.type("\r")
            device.sign_in(device.opened())
            juice.see("User Identifier", "Johnny")
    assert not device.stored()


def test_what_cannot_be_understood(device):
    for arguments in (["--store", "nowhere"], ["--backend", "nonsense"], ["--device", "--browser"]):
        result = subprocess.run([JUICE, *arguments], env=device.environment, capture_output=True, text=True)
        assert (result.returncode, result.stdout) == (2, "")
        assert result.stderr.startswith("Error: ")
    environment = {name: value for name, value in device.environment.items() if name != "SIWA_BACKEND"}
    result = subprocess.run([JUICE], env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert result.returncode == 2 and "--backend" in result.stderr
    assert os.listdir(device.folder / "home") == []

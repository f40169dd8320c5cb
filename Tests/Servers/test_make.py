"""How `make` sets a machine up: it says what it installs, why and as whom, and needs no root where nothing is missing.

The programs of the machine are scripts here, so nothing is installed.
"""

import os
import pathlib
import shutil
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEEDED = ["bash", "grep", "env", "dirname", "mkdir", "touch"]


class Machine:
    """A folder that is all of PATH, and a file in which its programs note how they were called."""

    def __init__(self, folder):
        self.folder, self.calls = folder, folder / "calls"
        for name in NEEDED:
            (folder / name).symlink_to(shutil.which(name))
        self.program("uname", "echo Linux")
        self.program("id", "echo 1000")
        self.program("dpkg-query", "exit 1")

    def program(self, name, text):
        file = self.folder / name
        file.write_text(f"#!{shutil.which('bash')}\n{text}\n")
        file.chmod(0o755)

    def debian(self, *, sudo=True):
        self.program("apt-get", f'echo "apt-get $*" >> {self.calls}')
        if sudo:
            self.program("sudo", f'echo "sudo $*" >> {self.calls}; "$@"')

    def make(self, *words):
        answer = subprocess.run(
            [shutil.which("make"), "-C", ROOT, "--no-print-directory", *words], text=True,
            env={"PATH": str(self.folder), "HOME": os.environ["HOME"]}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        return answer.returncode, answer.stdout

    def install(self, *words):
        return self.make("install", "WHY=to build siwa", "PACKAGES=libsqlite3-dev libpq-dev", *words)

    def called(self):
        return self.calls.read_text().splitlines() if self.calls.exists() else []


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


def test_nothing_is_said_or_asked_where_nothing_is_missing(machine):
    machine.debian()
    machine.program("dpkg-query", "echo install ok installed")
    assert machine.install() == (0, "")
    assert machine.called() == []


def test_what_is_missing_is_named_with_its_reason_before_sudo_is_asked(machine):
    machine.debian()
    machine.program("dpkg-query", '[ "$4" = libpq-dev ] && echo install ok installed')
    said = "Installing Debian packages to build siwa, as root, by sudo, with apt-get: libsqlite3-dev\n"
    assert machine.install() == (0, said)
    assert machine.called()[0] == "sudo apt-get update -qq"
    assert machine.called()[-1].startswith("apt-get install") and machine.called()[-1].endswith(" libsqlite3-dev")


def test_root_needs_no_sudo(machine):
    machine.debian(sudo=False)
    machine.program("id", "echo 0")
    status, said = machine.install()
    assert (status, said.split(" with ")[0]) == (0, "Installing Debian packages to build siwa, as root,")
    assert [call.split()[1] for call in machine.called()] == ["update", "install"]


def test_postfix_gets_no_settings_so_that_no_mail_server_starts(machine):
    machine.debian()
    settings = machine.folder / "settings"
    machine.program("debconf-set-selections", f'read -r line; echo "$line" > {settings}; echo settings >> {machine.calls}')
    assert machine.make("install", "WHY=to send mail", "PACKAGES=libpq-dev postfix")[0] == 0
    assert settings.read_text() == "postfix postfix/main_mailer_type select No configuration\n"
    assert machine.called()[:2] == ["sudo debconf-set-selections", "settings"]
    assert "--no-remove" in machine.called()[-1] and machine.called()[-1].endswith(" libpq-dev postfix")


def test_without_sudo_root_is_told_what_to_type(machine):
    machine.debian(sudo=False)
    status, said = machine.install()
    assert status != 0 and "hint: have root run: apt-get install libsqlite3-dev libpq-dev\n" in said
    assert machine.called() == []


def test_another_system_is_told_debians_names_or_is_believed(machine):
    status, said = machine.install()
    assert status != 0 and "error: these are needed to build siwa: libsqlite3-dev libpq-dev\n" in said
    assert "INSTALL=no" in said
    assert machine.install("INSTALL=no") == (0, "")


def test_a_mac_has_what_siwa_is_built_with_and_no_more(machine):
    machine.program("uname", "echo Darwin")
    assert machine.make("install", "WHY=to build siwa", "PACKAGES=libsqlite3-dev zlib1g-dev") == (0, "")
    status, said = machine.make("install", "WHY=to measure", "PACKAGES=wrk")
    assert status != 0 and said.startswith("error: to measure, the Makefile needs Debian\n")

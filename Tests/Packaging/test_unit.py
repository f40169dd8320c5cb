"""The unit's command line and restrictions, as far as they can be tried without systemd as the first process.

The command of the unit runs as the unit's user, and is watched by strace: it may do only what the unit allows.
"""

import json
import os
import re
import shlex
import signal

import pytest

from conftest import ROOT, run
from servers import VALUES, NotifySocket, answers, apple_key, child, free_port, key_ring, running
from test_deb import install

CREDENTIALS = "/run/credentials/siwa.service"


def unit():
    """The unit's settings, each with its values in their order."""
    settings = {}
    for line in (ROOT / "Packaging/deb/siwa.service").read_text().splitlines():
        if match := re.match(r"(\w+)=(.*)", line):
            settings.setdefault(match[1], []).append(match[2])
    return settings


def allowed_calls():
    """The system calls that the unit's filters leave, in the order in which systemd applies them."""
    def members(name):
        if not name.startswith("@"):
            return {name}
        lines = run("systemd-analyze", "syscall-filter", name).splitlines()
        return set().union(*(members(line.strip()) for line in lines[1:] if re.match(r"\s+[@\w]", line)))
    allowed = set()
    for value in unit()["SystemCallFilter"]:
        named = set().union(*(members(name) for name in value.lstrip("~").split()))
        allowed = allowed - named if value.startswith("~") else allowed | named
    return allowed


def test_the_unit_names_its_limits():
    settings = unit()
    assert settings["Type"] == ["notify"] and settings["Restart"] == ["on-failure"]
    # The status of a command that doesn't understand its settings.
    assert settings["RestartPreventExitStatus"] == ["2"]
    assert settings["LimitNOFILE"] == ["65536"] and settings["TimeoutStopSec"] == ["120"]
    assert {value.split(":")[0] for value in settings["LoadCredential"]} == {
        "key-ring", "apple.p8", "webhook-secret", "database-password", "mail-password"}


@pytest.fixture
def configured(debian, package):
    """The package with settings and secrets, and the secrets where systemd puts them for the service."""
    install(debian, package)
    port = free_port()
    values = VALUES | {"public-url": f"http://localhost:{port}", "port": port, "database": "/var/lib/siwa/siwa.sqlite"}
    debian.path("/etc/siwa/siwa.json").write_text(json.dumps(values))
    for name, text in [("key-ring", key_ring()), ("apple.p8", apple_key())]:
        debian.path(f"/etc/siwa/{name}").write_text(text)
        debian.path(f"/etc/siwa/{name}").chmod(0o600)
    debian.run("install", "-d", "-o", "siwa", "-g", "siwa", "-m", "0500", CREDENTIALS)
    for value in unit()["LoadCredential"]:
        name, source = value.split(":")
        if debian.path(source).exists():
            debian.run("install", "-o", "siwa", "-g", "siwa", "-m", "0400", source, f"{CREDENTIALS}/{name}")
    # systemd makes the folder of StateDirectory.
    debian.run("install", "-d", "-o", "siwa", "-g", "siwa", "-m", "0700", "/var/lib/siwa")
    return debian, port


def test_the_units_command_tells_systemd_when_it_is_ready_and_when_it_stops(configured, tmp_path):
    debian, port = configured
    log, trace = tmp_path / "log", tmp_path / "trace"
    command = shlex.split(unit()["ExecStart"][0].replace("%d", CREDENTIALS))
    notify = NotifySocket(debian.path("/run/notify"))
    watched = ["strace", "-f", "-o", trace, "-e", "signal=none", "env", "NOTIFY_SOCKET=/run/notify"]
    with running([*watched, *debian.command(*command, user="siwa:siwa")], log) as process:
        assert notify.next() == "READY=1", log.read_text()
        # It says so when it listens, not before.
        answers(process, log, f"http://127.0.0.1:{port}/readyz")
        os.kill(child(process), signal.SIGTERM)
        assert notify.next() == "STOPPING=1"
        assert process.wait(120) == 0, log.read_text()
    notify.close()
    calls = trace.read_text()
    # The calls of env and chroot come before.
    calls = calls[calls.index('execve("/usr/bin/siwa"'):]
    made = set(re.findall(r"^\d+ +(\w+)\(", calls, re.MULTILINE))
    assert {"epoll_wait", "accept4"} & made, made
    assert made - allowed_calls() == set()
    families = set(re.findall(r"\bsocket\((AF_\w+)", calls))
    assert families - set(unit()["RestrictAddressFamilies"][0].split()) <= {"AF_NETLINK"}
    assert not re.search(r"(mmap|mprotect)\(.*PROT_WRITE\|PROT_EXEC", calls)
    assert oct(debian.path("/var/lib/siwa/siwa.sqlite").stat().st_mode)[-3:] in ("600", "644")


def test_a_secret_that_is_missing_is_named(configured, tmp_path):
    debian, _ = configured
    debian.path(f"{CREDENTIALS}/key-ring").unlink()
    log = tmp_path / "log"
    command = shlex.split(unit()["ExecStart"][0].replace("%d", CREDENTIALS))
    with running(debian.command(*command, user="siwa:siwa"), log) as process:
        assert process.wait(60) == 2
    assert f"key-ring-file: the file {CREDENTIALS}/key-ring cannot be read" in log.read_text()

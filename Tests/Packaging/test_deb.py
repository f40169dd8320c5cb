"""The Debian package: installed, upgraded, removed and purged in a small Debian of its own."""

import json
import re
import subprocess

from conftest import ROOT, run

SETTINGS = "/etc/siwa/siwa.json"


def install(debian, package):
    run("cp", package, debian.path("/tmp/siwa.deb"))
    debian.run("dpkg", "--install", "/tmp/siwa.deb")


def newer(package, folder):
    """Makes the same package as the next version."""
    run("dpkg-deb", "--raw-extract", package, folder / "newer")
    control = folder / "newer/DEBIAN/control"
    control.write_text(re.sub(r"^(Version: .*)$", r"\1+next", control.read_text(), flags=re.MULTILINE))
    run("dpkg-deb", "--build", "--root-owner-group", "-Zgzip", "-z1", folder / "newer", folder / "newer.deb")
    return folder / "newer.deb"


def mode(debian, path):
    return debian.run("stat", "--format", "%U:%G %a", path).strip()


def state(debian):
    command = debian.command("dpkg-query", "--show", "--showformat", "${db:Status-Abbrev}|${Version}", "siwa")
    return subprocess.run(command, capture_output=True, text=True).stdout.replace(" ", "")


def has_user(debian):
    return subprocess.run(debian.command("getent", "passwd", "siwa"), stdout=subprocess.DEVNULL).returncode == 0


def test_lintian_finds_no_error(package):
    assert re.findall("^E: .*", run("lintian", "--fail-on", "none", "--tag-display-limit", "0", package), re.M) == []


def test_the_unit_exposes_little_and_reads_well(unpacked, tmp_path):
    unit = ROOT / "Packaging/deb/siwa.service"
    said = run("systemd-analyze", "security", "--offline=true", unit)
    assert float(re.search(r"exposure level for siwa.service: ([\d.]+)", said)[1]) <= 2.0
    # The program is not installed on this machine.
    copy = tmp_path / "siwa.service"
    copy.write_text(unit.read_text().replace("/usr/bin/siwa", str(unpacked / "bin/siwa")))
    verdict = run("systemd-analyze", "verify", "--man=no", copy)
    assert [line for line in verdict.splitlines() if "siwa" in line] == []


def test_an_installation_makes_a_user_and_files_that_only_it_reads(debian, package):
    install(debian, package)
    user = debian.run("getent", "passwd", "siwa").strip().split(":")
    assert user[5:] == ["/var/lib/siwa", "/usr/sbin/nologin"]
    assert mode(debian, SETTINGS) == "root:siwa 640"
    assert "USAGE" in debian.run("siwa", "--help") and "USAGE" in debian.run("juice", "--help")
    # The example is not refused for its form; what is missing are the secrets.
    answer = subprocess.run(
        debian.command("siwa", "serve", "--check", "--config", SETTINGS, user="siwa:siwa"), capture_output=True, text=True)
    assert answer.returncode == 2
    problems = re.findall(r"^error: ([\w-]+):", answer.stderr, re.MULTILINE)
    assert problems == ["key-ring", "private-key-file"], answer.stderr


def test_the_readme_beside_the_settings_explains_each_member(debian, package):
    install(debian, package)
    text = debian.path("/etc/siwa/README").read_text()
    for name in json.loads(debian.path(SETTINGS).read_text()):
        assert re.search(rf"^  ([\w, -]+, )?{name}\b", text, re.MULTILINE), name


def test_an_upgrade_keeps_changed_settings(debian, package, tmp_path):
    install(debian, package)
    settings = debian.path(SETTINGS)
    changed = settings.read_text().replace("accounts.example.com", "accounts.example.org")
    settings.write_text(changed)
    before = state(debian)
    install(debian, newer(package, tmp_path))
    assert state(debian) == before + "+next"
    assert settings.read_text() == changed
    assert mode(debian, SETTINGS) == "root:siwa 640"


def test_a_removal_keeps_settings_and_a_purge_removes_all(debian, package):
    install(debian, package)
    debian.run("dpkg", "--remove", "siwa")
    assert state(debian).startswith("rc") and debian.path(SETTINGS).exists()
    assert not debian.path("/usr/bin/siwa").exists() and has_user(debian)
    debian.run("dpkg", "--purge", "siwa")
    assert not state(debian).startswith(("rc", "ii"))
    assert not debian.path("/etc/siwa").exists() and not has_user(debian)
    left = [path for path in debian.folder.glob("usr/**/*siwa*") if path.name not in ("siwa.deb",)]
    assert left == []


def test_a_purge_says_how_to_remove_any_secret_that_is_left(debian, package):
    install(debian, package)
    debian.path("/etc/siwa/mail-password").write_text("secret")
    said = debian.run("dpkg", "--purge", "siwa")
    assert "  rm -r /etc/siwa && deluser --system siwa" in said
    assert debian.path("/etc/siwa/mail-password").exists() and has_user(debian)


def test_a_purge_keeps_accounts_with_the_secrets_that_open_them(debian, package):
    install(debian, package)
    debian.run("install", "-d", "-o", "siwa", "-g", "siwa", "-m", "0700", "/var/lib/siwa")
    debian.path("/var/lib/siwa/siwa.sqlite").write_text("accounts")
    debian.path("/etc/siwa/key-ring").write_text("k1:secret")
    said = debian.run("dpkg", "--purge", "siwa")
    assert "siwa: kept accounts (/var/lib/siwa), secrets (/etc/siwa) and the user siwa" in said
    assert "  rm -r /var/lib/siwa /etc/siwa && deluser --system siwa" in said
    assert debian.path("/var/lib/siwa/siwa.sqlite").exists() and debian.path("/etc/siwa/key-ring").exists()
    assert has_user(debian)

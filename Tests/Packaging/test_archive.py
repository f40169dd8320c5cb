"""The archive: what is in it, what it needs, and that it runs where nothing else is."""

import hashlib
import json
import pathlib
import re
import subprocess
import tarfile

import pytest
from spdx_tools.spdx.parser.parse_anything import parse_file
from spdx_tools.spdx.validation.document_validator import validate_full_spdx_document

from components import ROOT
from conftest import DIST, run
from release import GLIBC, needs
from servers import answers, free_port, running

PROGRAMS = ["siwa", "juice"]


def test_the_sums_are_those_of_the_files(archive, package):
    said = run("sha256sum", "--check", "SHA256SUMS", cwd=DIST)
    assert said.splitlines() == [f"{archive.name}: OK", f"{package.name}: OK"]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_asks_for_glibc_alone_and_the_readme_says_which(unpacked, name):
    libraries, glibc = needs(unpacked / "bin" / name)
    assert "libc.so.6" in libraries and libraries <= GLIBC
    promised = re.search(r"need glibc ([\d.]+) or newer", (unpacked / "share/doc/siwa/README").read_text())[1]
    assert [int(part) for part in glibc.split(".")] <= [int(part) for part in promised.split(".")]


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_stripped_and_looks_for_libraries_nowhere_else(unpacked, name):
    program = unpacked / "bin" / name
    assert "no symbols" in subprocess.run(["nm", program], capture_output=True, text=True).stderr
    assert not re.search(r"RPATH|RUNPATH", run("objdump", "-p", program))


@pytest.fixture(scope="module")
def alone(unpacked, glibc_only):
    """The programs in a system that has glibc and nothing else."""
    run("cp", "-r", unpacked / "bin", glibc_only.path("/programs"))
    return glibc_only


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_runs_where_nothing_but_glibc_is(alone, name):
    assert "USAGE" in alone.run(f"/programs/{name}", "--help")


def test_the_demo_runs_where_nothing_but_glibc_is(alone, tmp_path):
    port, log = free_port(), tmp_path / "log"
    command = ["/programs/siwa", "demo", "--port", port, "--emulator-port", "0", "--mail-port", "0"]
    with running(alone.command(*command), log) as process:
        answers(process, log, f"http://localhost:{port}/readyz")
        process.terminate()
        assert process.wait(60) == 0, log.read_text()


def test_an_address_of_postgresql_names_the_package_that_is_missing(alone):
    command = alone.command(
        "/programs/siwa", "serve", "--check", "--database", "postgres://siwa@localhost/siwa")
    answer = subprocess.run(command, capture_output=True, text=True)
    assert answer.returncode == 2
    assert "the package is libpq5 on Debian" in answer.stderr and "libpq.so.5" in answer.stderr


def test_each_program_has_a_manual_page_and_completions(unpacked):
    for name in PROGRAMS:
        page = (unpacked / f"share/man/man1/{name}.1").read_text()
        assert re.search(r"^\.(TH|Dt) ", page, re.MULTILINE) and re.search(r"^\.S[hH] NAME", page, re.MULTILINE)
        bash = unpacked / f"share/bash-completion/completions/{name}"
        run("bash", "-n", bash)
        # Readline finds the command that the script completes.
        assert f" {name}" in run("bash", "-c", 'source "$1" && complete -p "$2"', "bash", bash, name)
        assert (unpacked / f"share/zsh/site-functions/_{name}").read_text().startswith(f"#compdef {name}\n")
        assert f"complete -c '{name}'" in (unpacked / f"share/fish/vendor_completions.d/{name}.fish").read_text()


def test_the_list_of_contents_is_good_spdx_and_complete(unpacked):
    file = unpacked / "share/doc/siwa/siwa.spdx.json"
    document = parse_file(str(file))
    assert [message.validation_message for message in validate_full_spdx_document(document)] == []
    versions = {package.name: package.version for package in document.packages}
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        name = pin["location"].removesuffix(".git").rsplit("/", 1)[1]
        assert versions[name] == pin["state"]["version"]
    assert {"Swift runtime", "ICU in Foundation", "BoringSSL in swift-crypto", "sqlite3", "curl", "openssl"} <= versions.keys()
    assert {file.name for file in document.files} == {f"./bin/{name}" for name in PROGRAMS}
    for entry in document.files:
        sums = {sum.algorithm.name: sum.value for sum in entry.checksums}
        assert sums["SHA256"] == hashlib.sha256((unpacked / entry.name).read_bytes()).hexdigest()


def test_each_component_has_its_licence(unpacked):
    bill = json.loads((unpacked / "share/doc/siwa/siwa.spdx.json").read_text())
    licences = unpacked / "share/doc/siwa/licences"
    names = {package["name"].replace(" ", "-") for package in bill["packages"]} - {"siwa"}
    assert names == {folder.name for folder in licences.iterdir()}
    for name in names:
        texts = [text for text in (licences / name).iterdir() if not text.name.startswith("NOTICE")]
        assert texts and all(text.stat().st_size > 0 for text in texts), name


def test_members_belong_to_root_and_lie_under_one_folder(archive):
    with tarfile.open(archive) as members:
        entries = members.getmembers()
    assert {entry.name.split("/")[0] for entry in entries} == {archive.name.removesuffix(".tar.gz")}
    assert {(entry.uid, entry.gid, entry.mtime) for entry in entries} == {(0, 0, entries[0].mtime)}
    executable = {pathlib.PurePath(entry.name).name for entry in entries if entry.isfile() and entry.mode & 0o111}
    assert executable == set(PROGRAMS)


def test_a_release_without_manual_pages_is_refused(tmp_path):
    (tmp_path / "release").mkdir()
    for name in PROGRAMS:
        (tmp_path / "release" / name).touch()
    answer = subprocess.run(
        ["python3", ROOT / "Packaging/release.py", "--scratch", tmp_path, "--output", tmp_path / "dist",
         "--manual", tmp_path / "manual.py"], capture_output=True, text=True)
    assert answer.returncode == 1
    assert answer.stderr.startswith(f"error: {tmp_path}/manual.py is missing: it makes the manual pages")

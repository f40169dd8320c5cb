"""Makes the release of executables that are built: python3 Packaging/release.py --scratch FOLDER --output FOLDER

- siwa-VERSION-linux-ARCHITECTURE.tar.gz: the two programs, stripped, with manual pages, completions, licences and the
  list of what they contain. Its layout is that of /usr/local.
- siwa_VERSION_ARCHITECTURE.deb: the same with a user, a unit for systemd and an example of settings.
- SHA256SUMS: the hashes of both.

The same commit, built into the same executables, makes the same bytes.
"""

import argparse
import gzip
import hashlib
import json
import os
import pathlib
import platform
import re
import subprocess
import sys
import tarfile
import tempfile

import deb
import sbom
from components import ROOT, Problem, components, output

PROGRAMS = ["siwa", "juice"]
# Where each shell looks, below a prefix.
COMPLETIONS = {
    "bash": "share/bash-completion/completions/{}",
    "zsh": "share/zsh/site-functions/_{}",
    "fish": "share/fish/vendor_completions.d/{}.fish",
}
# The libraries that a program may ask for if it needs only glibc. On x86_64 and aarch64 these are glibc's, but for libgcc_s.so.1. Every
# distribution installs that one with glibc, because glibc opens it where a thread ends by pthread_exit.
GLIBC = {"libgcc_s.so.1", "libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1",
         "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"}


def version():
    """The version of this release, from the constant that the programs print."""
    source = (ROOT / "Sources/PackageVersion/SiwaVersion.swift").read_text()
    return re.search(r'static let current = "(\d+\.\d+\.\d+)"', source)[1]


def completion(program, shell):
    """The script that completes a program's words. This is the one place that knows how it is asked for."""
    return output(program, "completion", shell)


def needs(executable):
    """- Returns: the libraries that an executable asks the loader for, and the newest glibc whose symbols it uses."""
    libraries = set(re.findall(r"NEEDED\s+(\S+)", output("objdump", "-p", executable)))
    versions = re.findall(r"GLIBC_([\d.]+)", output("objdump", "-T", executable))
    return libraries, max(versions, key=lambda text: [int(part) for part in text.split(".")])


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def assemble(tree, build, scratch, manual, time):
    """Puts everything of the archive into a folder. - Returns: the glibc that the programs need."""
    executables = [build / name for name in PROGRAMS]
    for executable in executables:
        if not executable.is_file():
            raise Problem(f"{executable} is missing: make release builds it")
    if not manual.is_file():
        raise Problem(f"{manual} is missing: it makes the manual pages, and there is no release without them")
    contents = components(scratch, executables)
    (tree / "bin").mkdir(parents=True)
    glibc = []
    for executable in executables:
        program = tree / "bin" / executable.name
        subprocess.run(["strip", "--strip-all", "-o", program, executable], check=True)
        program.chmod(0o755)
        libraries, newest = needs(program)
        if foreign := libraries - GLIBC:
            raise Problem(f"{executable.name} asks for more than glibc: {', '.join(sorted(foreign))}")
        glibc.append(newest)
        for shell, place in COMPLETIONS.items():
            write(tree / place.format(executable.name), completion(program, shell))
    pages = tree / "share/man/man1"
    pages.mkdir(parents=True)
    subprocess.run([sys.executable, manual, *(tree / "bin" / name for name in PROGRAMS), pages], check=True)
    if not {f"{name}.1" for name in PROGRAMS} <= {page.name for page in pages.iterdir()}:
        raise Problem(f"{manual} made no page of the name {' or '.join(f'{name}.1' for name in PROGRAMS)}")
    documents = tree / "share/doc/siwa"
    for component in contents:
        for text in component.texts:
            write(documents / "licences" / component.name.replace(" ", "-") / text.name, text.read_bytes())
    for name in ["LICENSE", "CHANGELOG.md", "SECURITY.md"]:
        write(documents / name, (ROOT / name).read_bytes())
    for name in ["siwa.service", "siwa.json"]:
        write(documents / "examples" / name, (ROOT / "Packaging/deb" / name).read_bytes())
    newest = max(glibc, key=lambda text: [int(part) for part in text.split(".")])
    readme = (ROOT / "Packaging/README.txt").read_text()
    write(documents / "README", readme.format(
        version=version(), architecture=platform.machine(), glibc=newest))
    bill = sbom.document(
        "siwa", version(), platform.machine(), contents, [tree / "bin" / name for name in PROGRAMS], time)
    write(documents / "siwa.spdx.json", json.dumps(bill, indent=1) + "\n")
    return newest


def pack(tree, name, file, time):
    """Packs a folder under a name. The order, the owner and the times of the files depend on nothing but the commit."""
    def plain(entry):
        entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = time, 0, 0, "root", "root"
        entry.mode = 0o755 if entry.isdir() or entry.mode & 0o100 else 0o644
        return entry
    with open(file, "wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=time) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as archive:
            archive.add(tree, name, recursive=False, filter=plain)
            for path in sorted(tree.rglob("*")):
                archive.add(path, f"{name}/{path.relative_to(tree)}", recursive=False, filter=plain)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--scratch", type=pathlib.Path, required=True, help="SwiftPM's folder of the release build")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="gets the files")
    parser.add_argument(
        "--manual", type=pathlib.Path, default=ROOT / "Packaging/manual.py",
        help="the script that makes the manual pages")
    arguments = parser.parse_args()
    time = int(os.environ.get("SOURCE_DATE_EPOCH") or output("git", "-C", ROOT, "log", "-1", "--format=%ct"))
    # The folder holds one release, and SHA256SUMS names every file of it.
    arguments.output.mkdir(parents=True, exist_ok=True)
    for former in [*arguments.output.glob("siwa[-_]*"), *arguments.output.glob("SHA256SUMS")]:
        former.unlink()
    name = f"siwa-{version()}-linux-{platform.machine()}"
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder) / name
        glibc = assemble(tree, arguments.scratch / "release", arguments.scratch, arguments.manual, time)
        archive = arguments.output / f"{name}.tar.gz"
        pack(tree, name, archive, time)
        package = deb.build(tree, arguments.output, version(), glibc, time)
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in (archive, package))
    write(arguments.output / "SHA256SUMS", sums)
    for file in (archive, package):
        print(f"{file}  {file.stat().st_size / 1e6:.1f} MB, needs glibc {glibc}")


if __name__ == "__main__":
    try:
        main()
    except Problem as problem:
        sys.exit(f"error: {problem}")
    except subprocess.CalledProcessError as failure:
        sys.exit(f"error: {failure.cmd[0]} failed with status {failure.returncode}")

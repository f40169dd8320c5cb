"""Makes a Debian package of the folder that release.py packs."""

import datetime
import email.utils
import gzip
import os
import pathlib
import shutil
import subprocess
import tempfile

from components import ROOT, output

MAINTAINER = "The siwa authors <siwa@example.com>"
DEB = ROOT / "Packaging/deb"
# Places of the archive, and where Debian has them.
MOVED = {"share/zsh/site-functions": "share/zsh/vendor-completions"}
LONG = """\
Sign in with Apple, both ends
 An account service for Sign in with Apple with sessions, replay protection
 and encrypted storage, on SQLite or PostgreSQL. An emulator of Apple for
 tests, which needs no developer account. A client for the terminal.
 .
 The service is not started until /etc/siwa has its settings."""


def build(tree, folder, version, glibc, time):
    """- Parameters:
        tree: the archive's folder.
        folder: gets the package.
        glibc: the oldest glibc that the programs run with.
    - Returns: the package's path.
    """
    architecture = output("dpkg", "--print-architecture").strip()
    package = folder / f"siwa_{version}_{architecture}.deb"
    with tempfile.TemporaryDirectory() as scratch:
        root = pathlib.Path(scratch) / "root"
        root.mkdir()
        shutil.copytree(tree, root / "usr")
        for source, target in MOVED.items():
            shutil.move(root / "usr" / source, root / "usr" / target)
        documents = root / "usr/share/doc/siwa"
        # Debian keeps the licence under common-licenses, and settings and units elsewhere.
        for name in ["LICENSE", "README"]:
            (documents / name).unlink()
        shutil.rmtree(documents / "examples")
        shutil.copy(DEB / "copyright", documents / "copyright")
        for page in (root / "usr/share/man").rglob("*.1"):
            compress(page, page.with_name(page.name + ".gz"))
        compress(documents / "CHANGELOG.md", documents / "CHANGELOG.md.gz")
        date = email.utils.format_datetime(datetime.datetime.fromtimestamp(time, datetime.timezone.utc))
        (documents / "changelog").write_text(
            f"siwa ({version}) unstable; urgency=medium\n\n"
            "  * CHANGELOG.md.gz in this folder lists the changes.\n\n"
            f" -- {MAINTAINER}  {date}\n")
        compress(documents / "changelog", documents / "changelog.gz")
        install(DEB / "siwa.service", root / "lib/systemd/system/siwa.service")
        install(DEB / "siwa.json", root / "etc/siwa/siwa.json")
        install(DEB / "README", root / "etc/siwa/README")
        install(DEB / "lintian-overrides", root / "usr/share/lintian/overrides/siwa")
        control = root / "DEBIAN"
        control.mkdir()
        for script in ["postinst", "prerm", "postrm"]:
            install(DEB / script, control / script)
            (control / script).chmod(0o755)
        (control / "conffiles").write_text("/etc/siwa/README\n/etc/siwa/siwa.json\n")
        size = sum(path.stat().st_size for path in root.rglob("*") if path.is_file()) // 1024
        (control / "control").write_text(
            f"Package: siwa\nVersion: {version}\nArchitecture: {architecture}\n"
            f"Maintainer: {MAINTAINER}\nInstalled-Size: {size}\nSection: net\nPriority: optional\n"
            f"Depends: libc6 (>= {glibc}), libgcc-s1, adduser, init-system-helpers (>= 1.62)\n"
            "Recommends: ca-certificates\nSuggests: libpq5 (>= 14), postgresql\n"
            f"Description: {LONG}\n")
        for path in [root, *root.rglob("*")]:
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.stat().st_mode & 0o100 else 0o644)
                os.utime(path, (time, time))
        subprocess.run(
            ["dpkg-deb", "--build", "--root-owner-group", "-Zxz", root, package], check=True,
            stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(time)})
    return package


def install(source, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def compress(source, target):
    target.write_bytes(gzip.compress(source.read_bytes(), 9, mtime=0))
    source.unlink()

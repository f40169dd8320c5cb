"""The packages of `make release`, and root trees to try them in. As root."""

import contextlib
import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Packaging"), str(ROOT / "Tests/Browser"), str(ROOT / "Tests/Peers")]
DIST = pathlib.Path(os.environ.get("DIST", ROOT / "dist"))
BASE = os.environ.get("BASE", "localhost/siwa-base")


def only(pattern):
    found = sorted(DIST.glob(pattern))
    assert len(found) == 1, f"{DIST} has {len(found)} files like {pattern}; make release makes one"
    return found[0]


def run(*command, **options):
    """- Returns: what it printed. A failure shows everything that it said."""
    answer = subprocess.run(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    assert answer.returncode == 0, f"{command}: {answer.stdout}"
    return answer.stdout


class Tree:
    """A folder with a Debian system, seen as a whole system by what runs in it."""

    def __init__(self, folder):
        self.folder = folder

    @classmethod
    def make(cls, folder, *packages, variant):
        run("mmdebstrap", "--quiet", f"--variant={variant}", f"--include={','.join(packages)}", "bookworm", folder)
        return cls(folder)

    def command(self, *words, user=None):
        user = [f"--userspec={user}"] if user else []
        return ["chroot", *user, str(self.folder), *(str(word) for word in words)]

    def run(self, *words, user=None):
        return run(*self.command(*words, user=user))

    def path(self, name):
        return self.folder / name.lstrip("/")

    @contextlib.contextmanager
    def system(self):
        """The parts of a system that the kernel makes."""
        with contextlib.ExitStack() as mounts:
            for kind, name in [("proc", "proc"), ("tmpfs", "run")]:
                self.path(name).mkdir(exist_ok=True)
                run("mount", "-t", kind, kind, self.path(name))
                mounts.callback(run, "umount", self.path(name))
            yield self


@pytest.fixture(scope="session")
def archive():
    return only("siwa-*.tar.gz")


@pytest.fixture(scope="session")
def package():
    return only("siwa_*.deb")


@pytest.fixture(scope="session")
def unpacked(archive, tmp_path_factory):
    folder = tmp_path_factory.mktemp("archive")
    run("tar", "-xzf", archive, "-C", folder)
    [tree] = folder.iterdir()
    return tree


@pytest.fixture(scope="session")
def glibc_only(tmp_path_factory):
    """A system of glibc and nothing else: no shell, no other library."""
    tree = Tree.make(tmp_path_factory.mktemp("glibc") / "root", "libc6", variant="extract")
    libraries = {path.name for path in tree.folder.rglob("*.so*")}
    # Every distribution installs this one with glibc, which opens it where a thread ends by pthread_exit.
    assert "libgcc_s.so.1" in libraries
    assert not [name for name in libraries if re.match(r"lib(stdc|z|sqlite|ssl|crypto\.|curl|pq|swift)", name)], libraries
    # Every installation has this file. Without it, glibc does not know the name that the demo listens to.
    tree.path("/etc").mkdir(exist_ok=True)
    tree.path("/etc/hosts").write_text("127.0.0.1 localhost\n::1 localhost\n")
    with tree.system():
        yield tree


@pytest.fixture(scope="session")
def fresh_debian(tmp_path_factory):
    packages = ["adduser", "init-system-helpers", "ca-certificates"]
    return Tree.make(tmp_path_factory.mktemp("debian") / "root", *packages, variant="minbase")


@pytest.fixture
def debian(fresh_debian, tmp_path):
    """A small Debian, in which packages can be installed, for one test."""
    run("cp", "-a", fresh_debian.folder, tmp_path / "root")
    tree = Tree(tmp_path / "root")
    with tree.system():
        yield tree


@pytest.fixture(scope="session")
def image(archive):
    run(ROOT / "Packaging/image/build", DIST, env={**os.environ, "BASE": BASE})
    return "localhost/siwa:" + archive.name.split("-")[1]

"""The components in the executables of a release, each with its version, licence and origin."""

import dataclasses
import json
import pathlib
import re
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Problem(Exception):
    """Why a release cannot be made."""


@dataclasses.dataclass
class Component:
    name: str
    version: str
    # An SPDX licence expression.
    licence: str
    # A package URL, by which scanners find known weaknesses.
    purl: str
    download: str
    texts: list
    comment: str = ""


# Code that some Swift packages carry with them.
BORINGSSL = {"swift-crypto": "Sources/CCryptoBoringSSL/hash.txt", "swift-nio-ssl": "Sources/CNIOBoringSSL/hash.txt"}

# Debian packages from which the linker takes an archive: (symbol that the executable then defines, archive, licence).
ARCHIVES = {
    "sqlite3": ("sqlite3_libversion", "libsqlite3.a", "blessing"),
    "zlib": ("zlibVersion", "libz.a", "Zlib"),
    "libstdc++": ("__cxa_allocate_exception", "libstdc++.a", "GPL-3.0-or-later WITH GCC-exception-3.1"),
    "openssl": ("SSL_CTX_new", "libssl.a", "Apache-2.0"),
}


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def licence_texts(folder):
    texts = sorted(path for path in folder.iterdir() if re.match(r"(LICENSE|NOTICE|COPYING)", path.name, re.IGNORECASE))
    if not any(path.name.upper().startswith(("LICENSE", "COPYING")) for path in texts):
        raise Problem(f"{folder} has no licence")
    return texts


def licence_of(texts):
    text = "".join(path.read_text() for path in texts if not path.name.upper().startswith("NOTICE"))
    if "Apache License" in text:
        return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted, free of charge" in text:
        return "MIT"
    raise Problem(f"the licence in {texts[0]} is unknown; name it in Packaging/components.py")


def swift_packages(scratch):
    for pin in sorted(json.loads((ROOT / "Package.resolved").read_text())["pins"], key=lambda pin: pin["identity"]):
        url = pin["location"].removesuffix(".git")
        name, version = url.rsplit("/", 1)[1], pin["state"]["version"]
        folder = scratch / "checkouts" / name
        texts = licence_texts(folder)
        yield Component(
            name, version, licence_of(texts), f"pkg:swift/{url.removeprefix('https://')}@{version}",
            f"git+{pin['location']}@{pin['state']['revision']}", texts)
        if pin["identity"] in BORINGSSL:
            # "This directory is derived from BoringSSL cloned from … at revision …"
            note = (folder / BORINGSSL[pin["identity"]]).read_text()
            found = re.search(r"cloned from (\S+) at revision ([0-9a-f]{40})", note)
            if not found:
                raise Problem(f"{folder / BORINGSSL[pin['identity']]} does not name BoringSSL's revision")
            yield Component(
                f"BoringSSL in {name}", found[2], "Apache-2.0 AND OpenSSL AND ISC AND MIT AND BSD-3-Clause",
                f"pkg:generic/boringssl@{found[2]}", f"git+{found[1]}@{found[2]}", texts)


def swift_runtime():
    swift = pathlib.Path(shutil.which("swift") or "swift").resolve()
    version = re.search(r"Swift version ([\d.]+)", output("swift", "--version"))[1]
    toolchain = swift.parent.parent
    text = toolchain / "share/swift/LICENSE.txt"
    source = f"git+https://github.com/swiftlang/swift.git@swift-{version}-RELEASE"
    yield Component(
        "Swift runtime", version, "Apache-2.0 WITH Swift-exception", f"pkg:generic/swift@{version}", source, [text],
        "The standard library, Dispatch and Foundation of the toolchain, linked in.")
    icu = toolchain / "lib/swift_static/linux/lib_FoundationICU.a"
    found = re.search(rb"icudt(\d+)", icu.read_bytes())
    # The toolchain carries no text of it.
    terms = pathlib.Path("/usr/share/doc/libicu72/copyright")
    yield Component(
        "ICU in Foundation", found[1].decode(), "Unicode-3.0", f"pkg:generic/icu@{found[1].decode()}",
        "https://github.com/swiftlang/swift-foundation-icu", [terms],
        "The text of the licence is from Debian's libicu72.")


def symbols(executables):
    """All that the executables define. They are not stripped yet."""
    return {
        line.split(" ", 1)[0] for executable in executables
        for line in output("nm", "--defined-only", "--format=posix", executable).splitlines()}


def curl(scratch, defined):
    """The library that Packaging/build-curl builds, if its code is in one of the executables."""
    if "curl_easy_init" not in defined:
        return
    folder = scratch / "curl"
    version = (folder / "VERSION").read_text().strip()
    yield Component(
        "curl", version, "curl", f"pkg:deb/debian/curl@{version}?arch=source",
        "https://packages.debian.org/source/curl", [folder / "copyright"],
        "Built from Debian's source package for HTTP and HTTPS alone.")


def archives(defined):
    """The Debian archives whose code is in one of the executables."""
    for name, (symbol, archive, licence) in ARCHIVES.items():
        if symbol not in defined:
            continue
        path = pathlib.Path(output("c++", f"-print-file-name={archive}").strip()).resolve()
        package = output("dpkg-query", "-S", str(path)).split(": ")[0]
        bare = package.split(":")[0]
        source, version = output("dpkg-query", "-W", "-f", "${source:Package} ${source:Version}", package).split(" ")
        yield Component(
            name, version, licence, f"pkg:deb/debian/{source}@{version}?arch=source",
            f"https://packages.debian.org/source/{source}", [pathlib.Path(f"/usr/share/doc/{bare}/copyright")],
            f"Linked in from Debian's {bare}.")


def lists(defined):
    """Other people's lists of common passwords, if what was made of them is in one of the executables."""
    if "common_passwords" not in defined:
        return
    folder = ROOT / "Sources/CCommonPasswords/Licences"
    comment = "Lists of common passwords alone; Sources/CCommonPasswords/README.md says which."
    yield Component(
        "SecLists", "2019", "MIT", "pkg:generic/seclists@2019", "git+https://github.com/danielmiessler/SecLists.git",
        [folder / "SecLists.txt"], comment)
    # No package URL of Django itself, whose weaknesses are none of ours.
    yield Component(
        "Common passwords of Django", "5.2.19", "BSD-3-Clause", "pkg:generic/django-common-passwords@5.2.19",
        "git+https://github.com/django/django.git@5.2.19", [folder / "Django.txt"], comment)


def components(scratch, executables):
    defined = symbols(executables)
    found = [
        *swift_packages(scratch), *swift_runtime(), *curl(scratch, defined), *archives(defined), *lists(defined)]
    for component in found:
        for text in component.texts:
            if not text.is_file():
                raise Problem(f"the licence of {component.name} is not at {text}")
    return found

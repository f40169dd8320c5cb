#!/usr/bin/env python3
"""Builds the DocC catalogues from what `swift build` left behind, and minds every warning.

A link to a symbol that was renamed, a page or a picture that is not there: all are warnings of docc's, and all fail
here. One is left out: that some parameters of a function are documented and others are not. Ours say what the name
does not, and no more.

Takes the folder of the built modules (`swift build --show-bin-path`). Needs SWIFT (default: swift) and docc beside it.
The archives are in .build-docs afterwards.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
OUTPUT = ROOT / ".build-docs"
SWIFT = os.environ.get("SWIFT", "swift")
# The path of the pages on their server, without slashes around it; empty for a server of their own.
HOSTING_BASE_PATH = os.environ.get("HOSTING_BASE_PATH", "").strip("/")
# Each module that has a catalogue, with those whose symbols its pages name.
CATALOGUES = {
    "AccountClient": [], "AccountHTTP": [], "AccountTokens": [],
    "AppleID": ["AppleIDTransport", "AppleIDTypes", "AsyncHTTPTransport"], "AppleIDEmulator": [], "AppleIDTesting": [],
    "AppleIDTransport": [], "AsyncHTTPTransport": [], "OpenAuthenticationServices": [],
}
LEFT_OUT = re.compile(r"Parameter '\w+' is missing documentation")


def fail(what, detail=""):
    print(f"error: {what}")
    if detail:
        print(detail.rstrip())
    sys.exit(1)


def docc():
    beside = Path(shutil.which(SWIFT) or fail(f"there is no {SWIFT}")).resolve().parent / "docc"
    return beside if beside.exists() else shutil.which("docc") or fail("there is no docc beside swift")


def module_maps(built):
    """The module maps of the C code that modules import: SwiftPM's own, and those that packages bring."""
    checkouts = built.parent.parent / "checkouts"
    return [*built.glob("*.build/module.modulemap"), *checkouts.glob("*/Sources/*/include/module.modulemap"),
            *ROOT.glob("Sources/*/module.modulemap")]


def extract(modules, built, folder):
    target = f"{platform.machine()}-unknown-linux-gnu" if sys.platform == "linux" else fail("this is for Linux")
    maps = [word for path in module_maps(built) for word in ["-Xcc", f"-fmodule-map-file={path}"]]
    for module in modules:
        answer = subprocess.run(
            [SWIFT, "symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public",
             "-skip-synthesized-members", "-I", built / "Modules", *maps, "-target", target, "-output-dir", folder],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if answer.returncode != 0:
            fail(f"{module}: its symbols cannot be read", answer.stdout)


def warnings(file):
    for found in json.loads(file.read_text())["diagnostics"]:
        if found["severity"] in ["warning", "error"] and not LEFT_OUT.fullmatch(found["summary"]):
            place = found.get("source", "").removeprefix("file://")
            line = found.get("range", {}).get("start", {}).get("line", "")
            yield f"{place}:{line}: {found['summary']}"


def convert(module, catalogue, built):
    folder = OUTPUT / f"{module}.symbols"
    folder.mkdir(parents=True)
    extract([module, *CATALOGUES[module]], built, folder)
    diagnostics = OUTPUT / f"{module}.json"
    answer = subprocess.run(
        [docc(), "convert", catalogue, "--additional-symbol-graph-dir", folder, "--diagnostics-file", diagnostics,
         "--output-path", OUTPUT / f"{module}.doccarchive", "--transform-for-static-hosting",
         *(["--hosting-base-path", HOSTING_BASE_PATH] if HOSTING_BASE_PATH else [])],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    # The file is written before an error ends it, too.
    found = list(warnings(diagnostics)) if diagnostics.exists() else []
    if found or answer.returncode != 0:
        fail(f"{module}: the catalogue is not right", "\n".join(found) or answer.stdout)
    pages = len(list((OUTPUT / f"{module}.doccarchive" / "data").rglob("*.json")))
    print(f"{module}: {pages} pages, no warning")


def main():
    built = Path(sys.argv[1]).resolve()
    there = {path.parent.name: path for path in ROOT.glob("Sources/*/*.docc")}
    if there.keys() != CATALOGUES.keys():
        fail(f"the catalogues are those of {', '.join(sorted(there))}; this script knows others")
    shutil.rmtree(OUTPUT, ignore_errors=True)
    for module, catalogue in sorted(there.items()):
        convert(module, catalogue, built)


if __name__ == "__main__":
    main()

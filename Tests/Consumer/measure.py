#!/usr/bin/env python3
"""Measures what a product of siwa costs a package that has nothing else: packages, sources, compiled modules and time.

Takes the names of products, each perhaps with its traits: `AppleID AccountHTTP:Service,SQLite`. Each is resolved and
built from nothing in a folder of its own, and the folder is removed. Needs SWIFT (default: swift).
"""

import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from check import ROOT, names_of, write_stranger

SWIFT = os.environ.get("SWIFT", "swift")


def measure(product, traits):
    with tempfile.TemporaryDirectory(prefix="siwa-measure") as folder:
        package = write_stranger(Path(folder) / "stranger", product, traits, f"import {product}\n")
        scratch = Path(folder) / "build"
        found = names_of(package, scratch)
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run(
            [SWIFT, "build", "--package-path", package, "--scratch-path", scratch], check=True,
            stdout=subprocess.DEVNULL)
        after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        modules = len(list((scratch / "debug/Modules").glob("*.swiftmodule")))
        size = sum(path.stat().st_size for path in (scratch / "checkouts").rglob("*") if path.is_file())
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        told = "defaults" if traits is None else " ".join(traits) or "none"
        print(
            f"{product} (traits: {told}): {len(found)} packages, {size / 1e6:.0f} MB of sources, {modules} Swift modules, "
            f"{end - start:.0f} s with {seconds:.0f} s of processor time")


def main():
    if not sys.argv[1:]:
        sys.exit("error: which products?")
    for argument in sys.argv[1:]:
        product, colon, traits = argument.partition(":")
        measure(product, [trait for trait in traits.split(",") if trait] if colon else [])


if __name__ == "__main__":
    main()

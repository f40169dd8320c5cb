#!/usr/bin/env python3
"""Precompiles what the C++ files of a planned build include most, so that the compiler reads it once.

Nearly all of these files are BoringSSL's. There are two copies of it, of 500 files, and most of the time that the compiler
spends on one of them goes into headers. Files that are compiled with the same options make a group, and each group gets
a precompiled header. With `-include-pch FOLDER` the compiler takes the one that was made with the options of the file at
hand, and says so when there is none.

Arguments: SwiftPM's plan, `debug.yaml`, and the folder for the precompiled headers.
"""

import collections
import json
import re
import subprocess
import sys
from pathlib import Path

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+(["<])([^">]+)[">]', re.MULTILINE)
# A header is precompiled if at least one file in this many includes it.
ONE_IN = 20
# Options whose value differs from file to file, and options that only a source file has.
OF_ONE_FILE = {"-MT", "-MF", "-o", "-index-store-path", "-include-pch"}
OF_SOURCES = {"-c", "-MD"}


def commands(plan):
    """Each C++ file of a plan, with the compiler and the options that it shares with others."""
    for line in plan.read_text().splitlines():
        words = json.loads(line.strip()[6:]) if line.strip().startswith("args: [") else []
        sources = [word for word in words if word.endswith(".cc")]
        if len(sources) == 1:
            before = [None, *words]
            yield Path(sources[0]), tuple(
                word for word, last in zip(words, before)
                if not {word, last} & OF_ONE_FILE and word not in OF_SOURCES and word != sources[0])


def headers(files):
    """What many of the files include, the most frequent first."""
    counts = collections.Counter()
    for file in files:
        for quote, name in INCLUDE.findall(file.read_text()):
            beside = (file.parent / name).resolve()
            counts[f'"{beside}"' if quote == '"' and beside.exists() else f"<{name}>"] += 1
    return [name for name, count in counts.most_common() if count * ONE_IN >= len(files)]


def main(plan, folder):
    folder.mkdir(parents=True, exist_ok=True)
    groups = collections.defaultdict(list)
    for file, options in commands(plan):
        groups[options].append(file)
    for number, ((compiler, *options), files) in enumerate(groups.items()):
        # The compiler reads the header again whenever it uses the precompiled one, so the header stays. It stays outside of
        # the folder, because the compiler takes every file in the folder for a precompiled header.
        header = folder.with_name(f"{folder.name}-{number}.hpp")
        header.write_text("".join(f"#include {name}\n" for name in headers(files)))
        subprocess.run(
            [compiler, "-x", "c++-header", *options, "-fpch-instantiate-templates", header, "-o", folder / f"{number}.pch"],
            check=True)
        print(f"precompiled what {len(files)} files of C++ include most")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))

#!/usr/bin/env python3
"""Compares the diagram in Docs/architecture.md with the package's manifest.

The diagram has an arrow for each dependency between two of its targets, and no other arrow. Every target that is part of
a product is in it, but for those that its text leaves out.

Needs SWIFT (default: swift).
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
SWIFT = os.environ.get("SWIFT", "swift")
# The text below the diagram names these as left out.
LEFT_OUT = {
    "AccountTokensTesting", "AppleIDTesting", "AuthenticationServices", "AuthenticationServicesTesting", "CAccountPages", "CCommonPasswords",
    "CCrypt", "CEmulatorDescription", "CEmulatorPages", "CMailTemplates", "CPostgres", "CryptoKit",
}


def drawn():
    """The arrows `A --> B & C` of the only Mermaid block."""
    blocks = re.findall(r"```mermaid\n(.*?)```", (ROOT / "Docs/architecture.md").read_text(), re.DOTALL)
    arrows = set()
    for source, targets in re.findall(r"^\s*(\w+) --> (.+)$", "".join(blocks), re.MULTILINE):
        arrows |= {(source, target) for target in targets.split(" & ")}
    return arrows


def declared():
    """The targets of the manifest that its products hold, each with the names of what it depends on."""
    package = json.loads(subprocess.run(
        [SWIFT, "package", "--package-path", ROOT, "dump-package"], stdout=subprocess.PIPE, check=True).stdout)
    targets = {}
    for target in package["targets"]:
        targets[target["name"]] = {
            next(iter(dependency.values()))[0]
            for dependency in target["dependencies"]
            if "byName" in dependency or "target" in dependency
        }
    held = set()
    waiting = {name for product in package["products"] for name in product["targets"]}
    while waiting:
        name = waiting.pop()
        held.add(name)
        waiting |= {other for other in targets[name] if other in targets} - held
    return {name: {other for other in targets[name] if other in held} for name in held}


def main():
    targets = declared()
    shown = targets.keys() - LEFT_OUT
    manifest = {(name, other) for name in shown for other in targets[name] if other in shown}
    problems = [f"the diagram lacks {a} --> {b}" for a, b in sorted(manifest - drawn())]
    problems += [f"the manifest has no {a} --> {b}" for a, b in sorted(drawn() - manifest)]
    problems += [f"{name} is in no product" for name in sorted(LEFT_OUT - targets.keys())]
    if problems:
        sys.exit("error: Docs/architecture.md: " + "; ".join(problems))
    print(f"Docs/architecture.md: the diagram has the {len(manifest)} dependencies of {len(shown)} targets")


if __name__ == "__main__":
    main()

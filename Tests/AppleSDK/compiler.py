"""Checks the types of one target as one of Apple's systems would have it, and reads the compiler's syntax tree.

What compiles in the same way on several systems is compiled once.
"""

import hashlib
import json
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

import conditions

STAND_INS = Path(__file__).resolve().parent / "Modules"
SEEDS = Path(__file__).resolve().parent / "Seeds"
# Each with those that it imports.
MODULES = {
    "ObjectiveC": [], "Darwin": [], "os": [], "FoundationOnApple": ["ObjectiveC"], "Security": [], "WatchKit": [],
    "UIKit": ["ObjectiveC"], "AppKit": ["ObjectiveC"], "AuthenticationServices": ["UIKit", "AppKit", "ObjectiveC", "Security"],
    "SwiftUI": ["UIKit", "AppKit"], "_AuthenticationServices_SwiftUI": ["AuthenticationServices", "SwiftUI"],
}
# Foundation has these parts itself on Apple's systems, so no source imports them by name.
IMPLICIT = ["FoundationOnApple", "FoundationNetworking", "FoundationXML"]
OVERLAY = "---\nversion: 1\nmodules:\n  - name: _AuthenticationServices_SwiftUI\n...\n"
IMPORT = re.compile(r"^[^/\n]*\bimport\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)", re.MULTILINE)
TREE = '{"_kind":"source_file"'


class CheckFailed(Exception):
    """The compiler's own words."""


class BlockedBy(Exception):
    """Nothing was compiled, because an import was not."""


@dataclass
class Source:
    """A file of ours: its path, and the text that the compiler saw, into which the tree's offsets point."""
    path: str
    text: bytes
    tree: dict

    def line(self, offset):
        return self.text.count(b"\n", 0, offset) + 1


@dataclass
class Compiled:
    """A module that is made, and its files if they are ours."""
    name: str
    folder: Path
    sources: list


class Unit:
    """The input of one module: its texts as a system sees them, arguments, and the modules that it imports."""

    def __init__(self, name, paths, system, arguments, imports, modules=(), selectors=False, change=None):
        """change -- is given the path and text of each file, and returns the text to check in its place."""
        self.name, self.paths, self.arguments, self.imports, self.modules = name, paths, arguments, imports, modules
        texts = [change(path, path.read_text()) if change else path.read_text() for path in paths]
        self.texts = [conditions.rewritten(text, selectors) for text in texts]
        self.names = conditions.definitions(system, texts)
        parts = [name, *map(str, paths), *self.texts, *self.names, *arguments, *(unit.key for unit in imports)]
        self.key = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def search(self):
        """Its own imports and theirs: a module that is loaded loads what it imports."""
        found = {}
        for unit in self.imports:
            found[unit.key] = unit
            found.update(unit.search())
        return found


def stand_ins(system):
    """The modules of the system that stand in for Apple's."""
    units = {}
    for name, imports in MODULES.items():
        if name in ("AppKit", "UIKit", "WatchKit") and not system.imports(name):
            continue
        paths = sorted((STAND_INS / name).glob("*.swift"))
        units[name] = Unit(name, paths, system, ["-swift-version", "6"], [units[each] for each in imports if each in units])
    return units


def units(system, targets, change=None):
    """A unit for each target, on the stand-ins and on those before it."""
    apple, made = stand_ins(system), {}
    for target in targets:
        paths = [Path(path) for path in target.sources]
        named = {found for path in paths for found in IMPORT.findall(path.read_text())} | {"FoundationOnApple"}
        imports = [unit for name, unit in apple.items() if name in named]
        if {"AuthenticationServices", "SwiftUI"} <= named:
            imports.append(apple["_AuthenticationServices_SwiftUI"])
        imports += [made[module] for module in target.modules if module in made]
        made[target.name] = Unit(
            target.name, paths, system, target.arguments, imports, target.search, change=change)
    return apple, made


def seeds(system, apple, search):
    """A unit for each of the guides that apps are written from, as a program of its own.

    search -- the arguments that find CryptoKit.
    """
    return {
        path.stem: Unit(f"Seed{path.stem}", [path], system, ["-swift-version", "5", *search], list(apple.values()), selectors=True)
        for path in sorted(SEEDS.glob("*.swift"))}


class Compiler:
    """Makes modules below a folder."""

    def __init__(self, folder, swiftc="swiftc"):
        self.folder, self.swiftc = Path(folder), swiftc

    def stand_in(self, unit):
        """Makes a module that stands in for one of Apple's."""
        if not (self.folder / unit.key / f"{unit.name}.swiftmodule").exists():
            self.run(["-module-name", unit.name, *self.module(unit), *self.common(unit), *self.copies(unit)])
            overlay = self.folder / unit.key / "AuthenticationServices.swiftcrossimport"
            if unit.name == "AuthenticationServices":
                overlay.mkdir(exist_ok=True)
                (overlay / "SwiftUI.swiftoverlay").write_text(OVERLAY)
        return Compiled(unit.name, self.folder / unit.key, [])

    def seed(self, unit):
        """Checks the types of a guide's program. It may warn, as it does on Apple's systems."""
        copies = self.copies(unit)
        # With this the compiler takes selectors on Linux. It then takes no pointer to a local variable, so our own targets go
        # without it.
        runtime = ["-Xfrontend", "-enable-objc-interop"] if "#selector" in unit.texts[0] else []
        self.run(["-typecheck", *runtime, "-suppress-warnings", "-module-name", unit.name, *self.checking(unit), *copies])

    def target(self, unit):
        """Checks one of our targets, and makes the module that others import. Raises CheckFailed with each error."""
        compiled = self.test(unit)
        arguments = [*self.checking(unit), "-warnings-as-errors", "-wmo", *self.module(unit)]
        self.run([*arguments, "-Xfrontend", "-experimental-skip-all-function-bodies", *self.copies(unit)])
        return compiled

    def test(self, unit):
        """Checks a target that none imports. Raises CheckFailed with each error."""
        copies = self.copies(unit)
        # One batch: otherwise the compiler reads all files again for each of them.
        arguments = [
            *self.checking(unit), "-warnings-as-errors", "-continue-building-after-errors", "-enable-batch-mode",
            "-driver-batch-count", "1"]
        output = self.run([*arguments, "-dump-ast", "-dump-ast-format", "json", *copies])
        trees = {tree["filename"]: tree for tree in trees_in(output)}
        sources = [
            Source(str(path), text.encode(), trees[copy]) for path, text, copy in zip(unit.paths, unit.texts, copies)]
        return Compiled(unit.name, self.folder / unit.key, sources)

    def checking(self, unit):
        """The arguments that make a check of types one of Apple's system."""
        arguments = [*self.common(unit), *unit.arguments, "-Xfrontend", "-enable-cross-import-overlays"]
        for module in IMPLICIT:
            arguments += ["-Xfrontend", "-import-module", "-Xfrontend", module]
        return arguments

    def module(self, unit):
        return ["-emit-module", "-emit-module-path", str(self.folder / unit.key / f"{unit.name}.swiftmodule")]

    def search(self, unit):
        """The arguments that find a unit's module and those that it imports."""
        keys = [unit.key, *unit.search()]
        return [argument for key in keys for argument in ("-I", str(self.folder / key))] + list(unit.modules)

    def common(self, unit):
        names = [argument for name in unit.names for argument in ("-D", name)]
        search = [argument for key in unit.search() for argument in ("-I", str(self.folder / key))]
        return ["-parse-as-library", *names, *search]

    def copies(self, unit):
        """The texts as files, each in a folder of its own, because two files may have one name."""
        copies = []
        for index, (path, text) in enumerate(zip(unit.paths, unit.texts)):
            copy = self.folder / unit.key / "Sources" / str(index) / path.name
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(text)
            copies.append(str(copy))
        return copies

    def run(self, arguments):
        """Runs the compiler, and returns its output. The compiler writes trees where it writes errors."""
        done = subprocess.run([self.swiftc, *arguments], capture_output=True, text=True)
        output = done.stdout + done.stderr
        if done.returncode != 0:
            raise CheckFailed("\n".join(line for line in output.splitlines() if TREE not in line)[-6000:])
        return output


def trees_in(output):
    """The trees in the compiler's output, one after the other."""
    decoder, at = json.JSONDecoder(), output.find(TREE)
    while at >= 0:
        tree, end = decoder.raw_decode(output, at)
        yield tree
        at = output.find(TREE, end)

"""Checks that our targets compile on Apple's systems, as far as that can be known without Apple's SDK.

Each target is type-checked against modules that stand in for Apple's, once for each system on which it is not the same text. Then
each declaration that it uses is looked up in a table of availability. Needs the debug build, whose modules are those of packages.

The client's tests are checked as a Mac would compile them. With the argument `--all-tests`, all tests are.
"""

import copy
import gc
import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import availability
import examples
import plan
from compiler import BlockedBy, CheckFailed, Compiler, seeds, stand_ins, units
from guards import GUARDS
from systems import SYSTEMS

ROOT = Path(__file__).resolve().parents[2]
OUTPUT = ROOT / ".build-tools" / "apple-sdk"
# The libraries that apps add, with all that they import. The rest is for servers, and meant for macOS alone.
CLIENT = [
    "AccountClient", "AccountTokens", "AppleID", "AuthenticationServicesTesting", "JuiceScreens", "OpenAuthenticationServices",
]
# The tests of these that a Mac runs.
CLIENT_TESTS = [
    "AccountClientTests", "AccountConnectionTests", "JuiceScreensTests", "OpenAuthenticationServicesTests", "TaskSignalsTests",
]
# The tests that the manifest does not declare on a Mac.
ELSEWHERE = {"SeedTests"}
# The modules that come with the compiler and whose declarations carry Apple's versions.
TOOLCHAIN = [
    "Swift", "_Concurrency", "_StringProcessing", "RegexBuilder", "Observation", "Synchronization", "Dispatch", "Foundation",
    "FoundationEssentials", "FoundationInternationalization", "FoundationNetworking", "Testing",
]


def closure(targets, names):
    """These targets and all that they import, each after those that it imports."""
    wanted, waiting = set(), list(names)
    while waiting:
        name = waiting.pop()
        if name in targets and name not in wanted:
            wanted.add(name)
            waiting += targets[name].modules
    return [target for name, target in targets.items() if name in wanted]


class Check:
    """All systems' targets. What is the same on two systems is one unit, compiled once."""

    def __init__(self, folder, workers=os.cpu_count() or 1):
        self.compiler, self.folder = Compiler(folder), Path(folder)
        self.pool, self.compiled = ThreadPoolExecutor(workers), {}

    def start(self, unit, make):
        """Compiles a unit when those that it imports are there. They are in the queue before it, so none waits for ever."""
        if unit.key not in self.compiled:
            before = [self.compiled[each.key] for each in unit.imports]

            def work():
                for each in before:
                    if each.exception():
                        raise BlockedBy
                return make(unit)

            self.compiled[unit.key] = self.pool.submit(work)

    def run(self, targets, tests):
        """The errors of each system's targets, of a Mac's tests, and of the sample app."""
        made, samples = {}, {}
        for system in SYSTEMS:
            ours = [*targets.values(), *tests.values()] if system.name == "macOS" else closure(targets, CLIENT)
            made[system] = apple, own = units(system, ours)
            for unit in apple.values():
                self.start(unit, self.compiler.stand_in)
            for name, unit in own.items():
                self.start(unit, self.compiler.test if name in tests else self.compiler.target)
            samples[system] = examples.units(system, apple, own, targets)
            for unit in samples[system].values():
                self.start(unit, self.compiler.test)
        table = self.table = self.pool.submit(self.toolchain, targets)
        errors = self.guides(next(system for system in SYSTEMS if system.name == "iOS"), targets)
        for system, (apple, own) in made.items():
            errors += self.judge(system, apple, own, table.result(), tests)
            # The sample app is for the systems that tests are for.
            errors += self.judge(system, {}, samples[system], table.result(), samples[system])
        return list(dict.fromkeys(errors))

    def without(self, guard, targets):
        """The errors of a target without one of its guards. It needs the modules that ``run`` has made."""
        changed = []

        def change(path, text):
            if str(path).endswith(f"/{guard.target}/{guard.file}") and guard.text in text:
                changed.append(path)
                return text.replace(guard.text, guard.bare)
            return text

        system = next(system for system in SYSTEMS if system.name == guard.system)
        apple, own = units(system, closure(targets, [guard.target]), change)
        if not changed:
            return [f"{guard.file} has no such guard any more: mend guards.py"]
        for unit in own.values():
            self.start(unit, self.compiler.target)
        return self.judge(system, apple, own, copy.deepcopy(self.table.result()))

    def guides(self, system, targets):
        """The errors of the guides' programs. They are for iOS."""
        errors = []
        for name, unit in seeds(system, stand_ins(system), targets["CryptoKit"].search).items():
            self.start(unit, self.compiler.seed)
            try:
                self.compiled[unit.key].result()
            except CheckFailed as failure:
                errors.append(f"the guide {name} does not compile on {system.name}:\n{failure}")
            except BlockedBy:
                errors.append(f"the guide {name} was not checked: a stand-in that it imports does not compile")
        return errors

    def toolchain(self, targets):
        """The table of the compiler's modules and of the packages' modules, as their symbol graphs have them."""
        table, seen = availability.Table(), set()
        for module in TOOLCHAIN:
            table.extract(module, [], self.folder / "Symbols" / module)
        for target in targets.values():
            for module in target.modules:
                if module not in targets and module not in seen:
                    seen.add(module)
                    table.extract(module, target.search, self.folder / "Symbols" / module)
        return table

    def judge(self, system, apple, own, table, tests=()):
        """The errors of one system: what does not compile, else what the system does not have."""
        errors = []
        for unit in apple.values():
            self.compiled[unit.key].result()
            table.extract(unit.name, self.compiler.search(unit), self.folder / "Symbols" / unit.key)
        for name, unit in own.items():
            try:
                compiled = self.compiled[unit.key].result()
            except CheckFailed as failure:
                errors.append(f"{name} does not compile on {system.name}:\n{failure}")
                continue
            except BlockedBy:
                continue
            floor = system.tests_floor if name in tests else system.floor
            if name not in tests:
                table.extract(name, self.compiler.search(unit), self.folder / "Symbols" / unit.key)
            types = availability.demangled([source.tree for source in compiled.sources])
            for source in compiled.sources:
                errors += sorted(map(str, availability.Walk(source, system, floor, table, types).uses()))
        return errors


def main():
    # All trees are kept until the end. Looking through them for garbage took a quarter of the time.
    gc.disable()
    shutil.rmtree(OUTPUT, ignore_errors=True)
    targets = plan.targets((ROOT / ".build" / "debug.yaml").read_text(), str(ROOT))
    # The tests import AccountEngines, which is beside them.
    sources = {
        name: target for name, target in targets.items()
        if f"{ROOT}/Sources/" in target.sources[0] or name == "AccountEngines"}
    every = {name for name in targets if name.endswith("Tests")} - ELSEWHERE
    wanted = every if "--all-tests" in sys.argv[1:] else set(CLIENT_TESTS)
    check = Check(OUTPUT)
    errors = check.run(sources, {name: target for name, target in targets.items() if name in wanted})
    for guard in GUARDS if not errors else []:
        found = check.without(guard, sources)
        if not any(guard.finding in error for error in found):
            errors.append(f"without its guard, {guard.file} is not refused on {guard.system}: {found}")
    for error in errors:
        print(error)
    sys.exit(1 if errors else 0)


if __name__ == "__main__":
    main()

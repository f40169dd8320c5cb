"""Reads from SwiftPM's plan of the last debug build how each target is compiled."""

import json
import re

# Arguments that say where products go, or ask for more than a check of types.
ALONE = {
    "-emit-dependencies", "-emit-module", "-incremental", "-c", "-enable-batch-mode", "-disable-batch-mode",
    "-serialize-diagnostics", "-parseable-output", "-emit-objc-header", "-g", "-gnone", "-warnings-as-errors", "-wmo",
    "-no-emit-module-separately-wmo",
}
WITH_VALUE = {
    "-emit-module-path", "-output-file-map", "-index-store-path", "-emit-objc-header-path", "-module-cache-path", "-num-threads",
}
ENTRY = re.compile(r'^  "C\.([^"]+?)-[a-z0-9_]+-unknown-[^"]*\.module":\n((?:    .*\n)+)', re.MULTILINE)


class Target:
    """One of our targets: its name, its sources, the modules it is compiled against, and the compiler's arguments."""

    def __init__(self, name, inputs, arguments):
        self.name = name
        self.sources = [path for path in inputs if path.endswith(".swift")]
        self.modules = [path.split("/")[-1].removesuffix(".swiftmodule") for path in inputs if path.endswith(".swiftmodule")]
        self.arguments = for_checking(arguments)
        self.search = for_searching(arguments)


def for_checking(arguments):
    """Without the arguments that write files, the sources, and what only Linux's linker wants."""
    kept, rest = [], list(arguments[1:])
    while rest:
        argument = rest.pop(0)
        if argument in WITH_VALUE:
            rest.pop(0)
        elif argument == "-Xcc" and rest[0] == "-g":
            rest.pop(0)
        elif argument not in ALONE and not argument.startswith(("@", "-j")):
            kept.append(argument)
    return kept


def for_searching(arguments):
    """Those arguments that say where modules are."""
    kept, rest = [], list(arguments)
    while rest:
        argument = rest.pop(0)
        if argument in ("-I", "-Xcc"):
            kept += [argument, rest.pop(0)]
    return kept


def targets(manifest, root):
    """The targets whose sources are below the root and not in a checkout, each after those that it imports."""
    found = {}
    for name, body in ENTRY.findall(manifest):
        fields = dict(line.strip().split(": ", 1) for line in body.splitlines() if ": " in line)
        inputs = json.loads(fields["inputs"])
        sources = [path for path in inputs if path.endswith(".swift")]
        if sources and all(path.startswith(f"{root}/") and "/.build" not in path for path in sources):
            found[name] = Target(name, inputs, json.loads(fields["args"]))
    ordered = {}

    def add(target):
        if target.name in ordered:
            return
        for module in target.modules:
            if module in found and module != target.name:
                add(found[module])
        ordered[target.name] = target

    for target in found.values():
        add(target)
    return ordered

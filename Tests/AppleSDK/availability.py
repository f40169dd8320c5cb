"""Finds uses of a declaration that one of Apple's systems lacks, has from a later version than the code may expect, or warns of.

The table comes from symbol graphs: of the stand-ins, whose declarations carry Apple's `@available`, and of the modules that the
compiler has anyway (Swift, Foundation, those of packages). The uses come from the compiler's syntax tree, which names each
declaration by its USR, and knows `@available` and `#available`.
"""

import json
import re
import subprocess
from dataclasses import dataclass

import libc
from systems import ELSEWHERE, SYSTEMS, version

NEVER = (999, 0)
# The kinds of symbols that a tree names by type and name, not by USR.
NAMED = {"class", "struct", "enum", "protocol", "typealias", "enum.case"}
NAMES = {system.name for system in SYSTEMS}
# Where a declaration names types: in its own type, not in the type of what it calls.
TYPED = ("interface_type", "type")
DECLARES = {"var_decl", "parameter", "func_decl", "type_expr", "typealias", "enum_element_decl"}
# Where a system lacks these, the compiler takes an older declaration with the same meaning: `for await` calls `next()`, and
# `&*` is the operator that each integer type had before the protocol required it.
REPLACED = re.compile(r"4next9isolation|^s:s17FixedWidthIntegerP2amoiyxx_xtFZ$")
NOMINAL = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")
# What a tree is made of. The rest are texts and numbers.
PARTS = (dict, list)


class Table:
    """The version from which each system has a declaration, by USR and by name. Others are as old as the systems."""

    def __init__(self):
        self.by_usr, self.by_name, self.deprecated = {}, {}, {}

    def read(self, graph, module):
        """Adds the declarations of a symbol graph. A member is no older than the type that it belongs to."""
        own = {}
        for symbol in graph["symbols"]:
            found = introduced(symbol.get("availability", []))
            if found:
                own[symbol["identifier"]["precise"]] = found
            old = deprecated(symbol.get("availability", []))
            if old:
                self.deprecated[symbol["identifier"]["precise"]] = old
        parents = {
            edge["source"]: edge["target"] for edge in graph["relationships"] if edge["kind"] in ("memberOf", "requirementOf")}
        for symbol in graph["symbols"]:
            usr, found = symbol["identifier"]["precise"], {}
            at = usr
            while at:
                for system, since in own.get(at, {}).items():
                    found[system] = max(since, found.get(system, (0, 0)))
                at = parents.get(at)
            if found:
                self.by_usr[usr] = found
                if symbol["kind"]["identifier"].split(".", 1)[-1] in NAMED:
                    self.by_name[".".join([module, *symbol["pathComponents"]])] = found

    def extract(self, module, arguments, folder):
        """Adds a module's symbols, as the compiler's tool writes them."""
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run([
            "swift-symbolgraph-extract", "-module-name", module, "-target", "x86_64-unknown-linux-gnu", "-output-dir",
            str(folder), "-minimum-access-level", "package", "-skip-synthesized-members", *arguments],
            check=True, capture_output=True)
        for path in folder.glob("*.symbols.json"):
            if path.name.split("@")[0] == f"{module}.symbols.json" or path.name.startswith(f"{module}@"):
                self.read(json.loads(path.read_text()), module)


def deprecated(attributes):
    """For each system, the version from which the compiler warns."""
    return {
        attribute["domain"]: (attribute["deprecated"]["major"], attribute["deprecated"].get("minor", 0))
        for attribute in attributes if attribute.get("domain") in NAMES and "deprecated" in attribute}


def introduced(attributes):
    """The first version by system, NEVER where the declaration is unavailable."""
    found = {}
    for attribute in attributes:
        if attribute.get("domain") not in NAMES:
            continue
        if attribute.get("isUnconditionallyUnavailable"):
            found[attribute["domain"]] = NEVER
        elif "introduced" in attribute:
            since = attribute["introduced"]
            found[attribute["domain"]] = (since["major"], since.get("minor", 0))
    return found


@dataclass(frozen=True)
class Use:
    """A place where the code expects more of a system than it may."""
    path: str
    line: int
    system: str
    name: str
    since: tuple
    expected: tuple

    def __str__(self):
        needs = "does not have it" if self.since == NEVER else f"has it since {dotted(self.since)}"
        return f"{self.path}:{self.line}: error: {self.name}: {self.system} {needs}, the code expects {dotted(self.expected)}"


@dataclass(frozen=True)
class Warned:
    """A place where the compiler warns of a deprecated declaration, as our own targets may not let it."""
    path: str
    line: int
    system: str
    name: str
    since: tuple

    def __str__(self):
        return f"{self.path}:{self.line}: error: {self.name}: deprecated on {self.system} since {dotted(self.since)}"


@dataclass(frozen=True)
class Import:
    """An import of a module that no system of Apple's has."""
    path: str
    line: int
    system: str
    module: str

    def __str__(self):
        return f"{self.path}:{self.line}: error: {self.system} has no module {self.module}"


@dataclass(frozen=True)
class Stranger:
    """A place where the code uses a C declaration that only glibc is known to have."""
    path: str
    line: int
    name: str

    def __str__(self):
        return f"{self.path}:{self.line}: error: {self.name}: compare it with Apple's headers, and list it in libc.py"


def dotted(numbers):
    return ".".join(map(str, numbers))


class Walk:
    """One file's tree, for one system."""

    def __init__(self, source, system, floor, table, types):
        """floor -- the oldest version of the system that the file is for."""
        self.source, self.system, self.floor, self.table, self.types = source, system, floor, table, types
        self.found, self.is_deprecated = set(), False

    def uses(self):
        self.visit(self.source.tree.get("items", []), self.floor, 0)
        return self.found

    def visit(self, part, expected, offset):
        """part -- a node of the tree, or a list of parts. A tree has millions of other values, so they are not visited."""
        if isinstance(part, dict):
            # In a declaration that is deprecated itself, the compiler warns of nothing.
            outside, self.is_deprecated = self.is_deprecated, self.is_deprecated or self.deprecates(part)
            self.look(part, expected, offset)
            self.is_deprecated = outside
            return
        for child in part:
            if isinstance(child, PARTS):
                self.visit(child, expected, offset)
                # The code after a guard has the versions that the guard asks for.
                if isinstance(child, dict) and child.get("_kind") == "guard_stmt":
                    expected = self.asked(child, expected)

    def look(self, node, expected, offset):
        if "range" in node:
            offset = node["range"]["start"]
        expected = self.declared(node, expected)
        if expected is None:
            return
        kind = node.get("_kind")
        if kind == "import_decl" and node["module_path"][0] in ELSEWHERE:
            self.found.add(Import(self.source.path, self.source.line(offset), self.system.name, node["module_path"][0]))
        if kind in DECLARES:
            for key in TYPED:
                self.types_in(node.get(key), expected, offset)
        if kind == "pattern_enum_element":
            case = node["element"]["base_name"]["name"]
            for name in self.types.get(node.get("type"), ()):
                self.judge(name, case, self.table.by_name.get(f"{name}.{case}"), expected, offset)
        usr = node.get("decl_usr")
        if usr and not REPLACED.search(usr):
            self.judge(usr, node.get("base_name", usr), self.table.by_usr.get(usr), expected, offset)
            old = self.table.deprecated.get(usr, {}).get(self.system.name, NEVER)
            if old <= expected and not self.is_deprecated:
                self.found.add(Warned(
                    self.source.path, self.source.line(offset), self.system.name, node.get("base_name", usr), old))
            if name := libc.stranger(usr):
                self.found.add(Stranger(self.source.path, self.source.line(offset), name))
        for key, child in node.items():
            if isinstance(child, PARTS) and key not in ("attrs", "range"):
                inner = self.asked(node, expected) if kind == "if_stmt" and key == "then_stmt" else expected
                self.visit(child, inner, offset)

    def deprecates(self, node):
        """Whether an `@available` deprecates the declaration in all versions that the code expects."""
        attributes = node.get("attrs")
        for attribute in attributes if isinstance(attributes, list) else []:
            if attribute.get("_kind") == "available_attr" and attribute.get("domain") == self.system.name:
                if attribute.get("deprecated") and version(attribute["deprecated"]) <= self.floor:
                    return True
        return False

    def declared(self, node, expected):
        """The version that an enclosing `@available` promises; None below one that takes the system out."""
        for attribute in node.get("attrs", []) if isinstance(node.get("attrs"), list) else []:
            if attribute.get("_kind") != "available_attr" or attribute.get("domain") not in (self.system.name, "*"):
                continue
            if attribute.get("kind") == "unavailable" or attribute.get("unavailable"):
                return None
            if attribute.get("introduced") and attribute["domain"] == self.system.name:
                expected = max(expected, version(attribute["introduced"]))
        return expected

    def asked(self, statement, expected):
        """The version that holds where the conditions of an `if` or a `guard` do."""
        for condition in statement.get("conditions", []):
            if condition.get("_kind") == "#available":
                for query in condition["queries"]:
                    if query.get("domain") == self.system.name:
                        expected = max(expected, version(query["version"]))
        return expected

    def types_in(self, mangled, expected, offset):
        for name in self.types.get(mangled, ()):
            self.judge(name, name, self.table.by_name.get(name), expected, offset)

    def judge(self, usr, name, found, expected, offset):
        since = (found or {}).get(self.system.name)
        if since is not None and since > expected:
            self.found.add(Use(self.source.path, self.source.line(offset), self.system.name, name, since, expected))


def demangled(trees):
    """Each mangled type that a declaration of the trees has, with the qualified names in it."""
    mangled = set()

    def collect(part):
        if isinstance(part, dict):
            if part.get("_kind") in DECLARES or part.get("_kind") == "pattern_enum_element":
                mangled.update(part[key] for key in TYPED if isinstance(part.get(key), str) and part[key].startswith("$"))
            part = part.values()
        for child in part:
            if isinstance(child, PARTS):
                collect(child)

    collect(trees)
    ordered = sorted(mangled)
    done = subprocess.run(
        ["swift-demangle", "--compact"], input="\n".join(ordered), capture_output=True, text=True, check=True)
    return {key: set(NOMINAL.findall(text)) for key, text in zip(ordered, done.stdout.splitlines())}

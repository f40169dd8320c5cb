#!/usr/bin/env python3
"""Builds the packages beside this file as somebody else would, and runs what comes out.

Four builds in one folder (.build-consumer), so that siwa's C code is compiled once: siwa's AuthenticationServices under
another name by a module alias, clean and then incremental, and the same under its own name. After each, the programs
consumer5 and consumer6 (Swift 5 and 6 language mode) must print what is expected of them. At the end so must service6,
a server that takes the account service's access tokens and depends on nothing of the client's, and verifier6, a server
that verifies Apple's identity tokens over a transport of its own. Neither NIO nor AsyncHTTPClient may be linked into
these two.

The programs in Embedders are those that run the account service in their own process: mounted in a Hummingbird server,
with a hook, and without HTTP. The steps of the tutorials are programs, too, and so is the server with its tests on one
page. They are only type-checked, each as a module of another package, against the modules of siwa's own build: what they
use is what must be public. Compiling NIO and SQLite again for them would take minutes.

Before all that, a stranger's package that needs `AppleID` or `AccountClient` is resolved with several sets of siwa's
traits. How many packages each set brings is held here, and the page Docs/adding.md says the same. The manifests of that
page, of the tutorials and of the examples are resolved too. Those of tutorials and examples name each module that their
code imports. The programs above ask for no trait, so they also show that the small products build without the others'
packages.

All of it as if libpq were not installed: who does not ask for PostgreSQL needs none, and is not told of it.

Needs SWIFT (default: swift), the folder of siwa's build as its argument (default: .build/debug), HEADERS for the folder of
precompiled headers if there is one, and what siwa's manifest needs; no network once siwa itself has been resolved and built.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
SCRATCH = ROOT / ".build-consumer"
PAGE = ROOT / "Docs/adding.md"
# The page whose blocks are files of a server and of its tests.
WHOLE_PAGE = ROOT / "Sources/AppleIDTesting/AppleIDTesting.docc/TestAHummingbirdServer.md"
IMPORT = r"^\s*(?:@testable )?import (?:struct |class |enum |protocol |func )?(\w+)"
# The placeholder in each manifest of the documentation. The page says how a reader replaces it.
ADDRESS = "https://github.com/OWNER/siwa.git"
# Stands before everything else in PATH.
POORER = SCRATCH / "without-libraries"
SWIFT = os.environ.get("SWIFT", "swift")
PROGRAMS = ["consumer5", "consumer6"]
# For speed: nothing for debuggers or editors, each module compiled once and whole, and the headers that siwa's own build has
# precompiled, if it says so. They fit code that is compiled with the same options.
HEADERS = os.environ.get("HEADERS")
BUILT_ONCE = [
    "--disable-index-store", "-debug-info-format", "none",
    *(word for option in "-disable-batch-mode -wmo -no-emit-module-separately-wmo -num-threads 2".split()
      for word in ["-Xswiftc", option]),
    *(["-Xcc", "-O1", "-Xcxx", "-U__PRAGMA_REDEFINE_EXTNAME", "-Xcxx", "-include-pch", "-Xcxx", HEADERS]
      if HEADERS else []),
]
# The files of a variant that the next must not find. The rest (Crypto, BoringSSL) is the same in both.
VARIABLE = ["AuthenticationServices", "SiwaAuthenticationServices", "Stranger", *PROGRAMS]

EXPECTED = {
    "requests": "Array<ASAuthorizationRequest> of 2",
    "scopes": "full_name email",
    "spy": "1",
    "provider spies": "authorized transferred",
    "caught": "canceled, 1001, true",
    "described": "password of johnny",
    "app sees AuthenticationServices": "true",
    # No account service is named: the tutorial's switch says so.
    "authorization error": "Not handled",
    "state": "notFound",
    # Only Apple's systems can do these.
    "new account": "prefer Sign in with Apple",
    "passkey after a password": "not handled",
    "new security key": "not handled",
    "AutoFill": "no AutoFill",
    "at work": "no single sign-on",
    # Without an account service nobody signs in with Apple either.
    "whatever there is": "not handled",
    "passkeys in SwiftUI": "failed 1003",
    "password managers": "not reported",
    "settings": "not opened",
}

# An access token in somebody's own service.
EXPECTED_OF_SERVICE = {
    "good": "200 acc_1",
    "recent": "403 authentication_too_old",
    "late": "401 token_expired",
    "elsewhere": "401 audience_mismatch",
    "changed": "401 signature_invalid",
    "out of reach": "503 keys_unavailable",
}

# Identity tokens in a server with an HTTP client of its own.
EXPECTED_OF_VERIFIER = {
    "malformed": "401 malformed_token",
    "out of reach": "503 keys_unavailable",
}

# How many packages SwiftPM resolves, beside siwa, for a package that sets these traits. None are the defaults.
RESOLVED = {
    "": 6,
    "HTTPTransport": 23,
    "SQLite": 7,
    "Emulator": 25,
    "Service": 26,
    "Service SQLite HTTPTransport": 27,
    "Service SQLite HTTPTransport Emulator": 27,
    "PostgreSQL": 27,
    None: 27,
}
# SwiftPM resolves by package and not by product. So a server that verifies tokens and an app get the same packages.
CORE = ["swift-asn1", "swift-crypto", "swift-distributed-tracing", "swift-http-types", "swift-log", "swift-metrics"]

# Modules as symbols name them, none of which a server needs that has an HTTP client of its own.
UNWANTED = {"NIOCore": b"$s7NIOCore", "NIOPosix": b"$s8NIOPosix", "AsyncHTTPClient": b"$s15AsyncHTTPClient"}


def fail(what, detail=""):
    print(f"error: {what}")
    if detail:
        print(detail.rstrip())
    sys.exit(1)


def swift(*arguments, aliased):
    environment = dict(os.environ)
    # Nothing of the caller's may name an account service.
    for name in ["SIWA_BACKEND", "SIWA_APP", "CONSUMER_ALIAS"]:
        environment.pop(name, None)
    if aliased:
        environment["CONSUMER_ALIAS"] = "1"
    environment["PATH"] = f"{POORER}{os.pathsep}{environment['PATH']}"
    # Keeps the order of traits, so that a build that is planned again compiles only what has changed.
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    command = [SWIFT, *arguments, "--package-path", str(HERE), "--scratch-path", str(SCRATCH)]
    return subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def hide_libraries():
    """SwiftPM asks pkg-config where descriptions of libraries lie; this one knows of no place."""
    POORER.mkdir(parents=True, exist_ok=True)
    program = POORER / "pkg-config"
    program.write_text("#!/bin/sh\nexit 0\n")
    program.chmod(0o755)


def use_the_same_versions(package=HERE):
    """siwa's dependencies are resolved already; a second resolution could differ, or need a network."""
    pins = ROOT / "Package.resolved"
    if pins.exists():
        shutil.copyfile(pins, package / "Package.resolved")


def forget_variant():
    for name in VARIABLE:
        for modules in SCRATCH.glob(f"*/debug/Modules/{name}.*"):
            shutil.rmtree(modules) if modules.is_dir() else modules.unlink()
        for objects in SCRATCH.glob(f"*/debug/{name}.build"):
            shutil.rmtree(objects)
        for program in SCRATCH.glob(f"*/debug/{name}"):
            program.unlink()


def touch_stranger():
    os.utime(HERE / "Stranger/Sources/Stranger/Stranger.swift")


def build(what, aliased):
    start = time.monotonic()
    answer = swift("build", *BUILT_ONCE, aliased=aliased)
    if answer.returncode != 0:
        fail(f"{what}: does not build", answer.stdout)
    if "does not match any recursive target dependency" in answer.stdout:
        fail(f"{what}: the alias is not used", answer.stdout)
    if "libpq" in answer.stdout:
        fail(f"{what}: libpq is asked for", answer.stdout)
    return time.monotonic() - start


def run(what, program, expected):
    """The program's lines "name: value"; the tutorial's own two lines become one."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("SIWA_")}
    binary = SCRATCH / "debug" / program
    answer = subprocess.run(
        [binary], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60
    )
    if answer.returncode != 0:
        fail(f"{what}: {program} ended with {answer.returncode}", answer.stdout)
    text = answer.stdout.replace("authorization error\n", "authorization error: ")
    lines = dict(line.split(": ", 1) for line in text.splitlines() if ": " in line)
    for name, value in expected.items():
        if lines.get(name) != value:
            fail(f"{what}: {program} should say “{name}: {value}”", answer.stdout)
    return lines


def mind_modules(program):
    symbols = (SCRATCH / "debug" / program).read_bytes()
    for module, name in UNWANTED.items():
        if name in symbols:
            fail(f"{program}: {module} is linked")


def check(what, aliased):
    seconds = build(what, aliased)
    answers = {run(what, program, EXPECTED)["stranger sees AuthenticationServices"] for program in PROGRAMS}
    if len(answers) != 1:
        fail(f"{what}: the programs disagree about the stranger")
    sees = answers.pop()
    # Under its own name a module is found by whoever is compiled after it: SwiftPM keeps all modules in one folder.
    # That is told and not judged; the alias is the cure, and must be one.
    if aliased and sees != "false":
        fail(f"{what}: a package that does not depend on siwa finds AuthenticationServices")
    print(f"{what}: builds in {seconds:.0f} s, runs; a stranger {'finds it too' if sees == 'true' else 'is not disturbed'}")


def is_manifest(path):
    return path.stem.endswith("-package")


def blocks_of(page):
    """The Swift blocks of a page whose blocks are whole files, as files of one module."""
    folder = SCRATCH / "page"
    folder.mkdir(exist_ok=True)
    blocks = re.findall(r"^```swift\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
    files = [folder / f"{page.stem}{number or ''}.swift" for number in range(len(blocks))]
    for path, block in zip(files, blocks):
        path.write_text(block)
    return files


def check_embedders(built):
    """Type-checks each program by itself, with what a public import brings and no more."""
    plan = (built.resolve().parent.parent / "debug.yaml").read_text()
    flags = []
    for module_map in sorted(set(re.findall(r'"-Xcc","(-fmodule-map-file=[^"]+)"', plan))):
        flags += ["-Xcc", module_map]
    for folder in sorted(set(re.findall(r'"-Xcc","-I","-Xcc","([^"]+)"', plan))):
        flags += ["-Xcc", "-I", "-Xcc", folder]
    steps = [path for path in ROOT.glob("Sources/*/*.docc/Resources/*.swift") if not is_manifest(path)]
    programs = [[path] for path in sorted([*(HERE / "Embedders").glob("*.swift"), *steps])] + [blocks_of(WHOLE_PAGE)]
    for program in programs:
        name = program[0].stem
        command = [
            f"{SWIFT}c", "-typecheck", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
            "-enable-upcoming-feature", "MemberImportVisibility", "-package-name", "embedder",
            "-module-name", name.replace("-", "_"), "-I", built / "Modules", *flags, *program,
        ]
        answer = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if answer.returncode != 0:
            fail(f"{name}: does not compile outside siwa's package", answer.stdout)
    print(f"{len(programs)} programs of somebody else's compile: embedders, the tutorials' steps, and a whole page")


def names(node):
    for dependency in node["dependencies"]:
        yield dependency["identity"]
        yield from names(dependency)


def write_stranger(package, product, traits, source=""):
    """A package that depends on one product of siwa. Traits that are None are the default ones."""
    (package / "Sources/app").mkdir(parents=True, exist_ok=True)
    (package / "Sources/app/main.swift").write_text(source)
    wanted = "" if traits is None else f", traits: {json.dumps(traits)}"
    (package / "Package.swift").write_text(f"""// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "stranger", platforms: [.macOS(.v15)],
    dependencies: [.package(path: {json.dumps(str(ROOT))}{wanted})],
    targets: [
        .executableTarget(
            name: "app", dependencies: [.product(name: "{product}", package: {json.dumps(ROOT.name)})])
    ])
""")
    return package


def names_of(package, scratch):
    """The packages that a package's siwa brings, as SwiftPM lists them. Nothing is compiled."""
    use_the_same_versions(package)
    answer = subprocess.run(
        [SWIFT, "package", "--package-path", package, "--scratch-path", scratch, "show-dependencies", "--format", "json"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if answer.returncode != 0:
        fail("the packages of a stranger's package are not resolved", answer.stderr)
    root = json.loads(answer.stdout)
    siwa = [node for node in root["dependencies"] if Path(node["path"]).resolve() == ROOT]
    if len(siwa) != 1:
        fail("the stranger's package does not depend on siwa", answer.stdout)
    return sorted(set(names(siwa[0])))


def resolve(product, traits):
    listed = None if traits is None else traits.split()
    return names_of(write_stranger(SCRATCH / "resolved", product, listed), SCRATCH / "resolved-build")


def check_manifest(manifest, place):
    """Resolves a manifest of the documentation, with this siwa in place of the address."""
    package = SCRATCH / "resolved"
    name = re.search(r'arget\(\s*name: "([^"]+)"', manifest)[1]
    shutil.rmtree(package / "Sources", ignore_errors=True)
    (package / "Sources" / name).mkdir(parents=True)
    (package / "Sources" / name / "Code.swift").write_text("")
    here = f'.package(name: "siwa", path: {json.dumps(str(ROOT))},'
    text, changes = re.subn(rf'\.package\(\s*url: "{re.escape(ADDRESS)}", from: "[^"]+",', here, manifest)
    if changes != 1:
        fail(f"{place} does not have the address {ADDRESS} once")
    (package / "Package.swift").write_text(text)
    found = names_of(package, SCRATCH / "resolved-build")
    told = re.search(r"traits: \[(.*?)\]", manifest)[1].replace('"', "").replace(",", "")
    if len(found) > RESOLVED[told]:
        fail(f"{place}: the package {name} resolves {len(found)} packages", " ".join(found))


def check_page():
    """The manifests on the page about adding the package are read, and its table has the counts from above."""
    text = PAGE.read_text()
    manifests = re.findall(r"^```swift\n(// swift-tools-version.*?)^```", text, re.DOTALL | re.MULTILINE)
    if len(manifests) != 2:
        fail(f"{PAGE.name} has {len(manifests)} manifests")
    for manifest in manifests:
        check_manifest(manifest, PAGE.name)
    rows = re.findall(r"^\| `\[(.*?)\]` \| (\d+) \|", text, re.MULTILINE)
    for traits, count in rows:
        if RESOLVED[traits.replace('"', "").replace(",", "")] != int(count):
            fail(f"{PAGE.name}: the count of [{traits}] is not {count}")
    print(f"{PAGE.name}: {len(manifests)} manifests, {len(rows)} counts")


def imports(paths):
    """The modules that files import, without those that come with Swift."""
    found = {name for path in paths for name in re.findall(IMPORT, path.read_text(), re.MULTILINE)}
    return found - {"Foundation", "FoundationNetworking", "Testing"}


def mind_imports(place, manifest, imported):
    """SwiftPM doesn't mind a module that no product of the manifest has, as long as another one brings it along."""
    if missing := imported - {*re.findall(r'\.product\(name: "(\w+)"', manifest)}:
        fail(f"{place} has no product for {' '.join(sorted(missing))}")


def check_tutorials():
    """Each tutorial's manifest is read, and has the products that its steps import."""
    manifests = sorted(path for path in ROOT.glob("Sources/*/*.docc/Resources/*.swift") if is_manifest(path))
    tutorials = [path for path in ROOT.glob("Sources/*/*.docc/*.tutorial") if "@Tutorial(" in path.read_text()]
    if len(manifests) != len(tutorials):
        fail(f"{len(tutorials)} tutorials have {len(manifests)} manifests")
    for path in manifests:
        text = path.read_text()
        check_manifest(text, path.name)
        mind_imports(path.name, text, imports(step for step in path.parent.glob("*.swift") if not is_manifest(step)))
    print(f"{len(manifests)} manifests of tutorials")


def check_examples():
    """Each example's manifest is read, and has the products that its sources and tests import."""
    for path in sorted(ROOT.glob("Examples/*/Package.swift")):
        place, text = path.relative_to(ROOT), path.read_text()
        targets = {*re.findall(r'arget\(\s*name: "([^"]+)"', text)}
        # `.build` is left out: it has the sources of all packages once somebody has built the example.
        files = [*path.parent.glob("Sources/**/*.swift"), *path.parent.glob("Tests/**/*.swift")]
        mind_imports(place, text, imports(files) - {name.replace("-", "_") for name in targets})
        copy = SCRATCH / "examples" / path.parent.name
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(path.parent, copy, ignore=shutil.ignore_patterns(".build"))
        (copy / "Package.swift").write_text(text.replace('path: "../.."', f"path: {json.dumps(str(ROOT))}"))
        found = names_of(copy, SCRATCH / "resolved-build")
        if len(found) > RESOLVED[None]:
            fail(f"{place} resolves {len(found)} packages", " ".join(found))
        print(f"{place}: resolves, and names what it imports")


def check_traits():
    for traits, most in RESOLVED.items():
        found = resolve("AppleID", traits)
        told = "the default traits" if traits is None else f"the traits [{traits}]"
        if len(found) > most:
            fail(f"{told} resolve {len(found)} packages, which should be {most} at most", " ".join(found))
        print(f"{told}: {len(found)} packages")
    for product in ["AppleID", "AccountTokens", "OpenIDConnect", "AccountClient", "OpenAuthenticationServices"]:
        found = resolve(product, "")
        if found != CORE:
            fail(f"{product} alone resolves other packages than the list says", " ".join(found))


def main():
    SCRATCH.mkdir(exist_ok=True)
    check_traits()
    check_page()
    check_tutorials()
    check_examples()
    check_embedders(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / ".build/debug")
    use_the_same_versions()
    hide_libraries()
    for variant, aliased in [("aliased", True), ("under its own name", False)]:
        forget_variant()
        check(f"{variant}, clean", aliased)
        touch_stranger()
        check(f"{variant}, incremental", aliased)
    run("access tokens", "service6", EXPECTED_OF_SERVICE)
    run("identity tokens", "verifier6", EXPECTED_OF_VERIFIER)
    for program in ["service6", "verifier6"]:
        mind_modules(program)
    print("tokens: verified in services of somebody else's, without NIO")


if __name__ == "__main__":
    main()

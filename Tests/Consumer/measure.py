#!/usr/bin/env python3
"""Measures how long the products of siwa take to build in somebody else's package, from nothing and in debug mode.

One package has a target for each part below, and one build folder takes them one after another: each compiles only what
the parts before it have left out. The time of a row is the sum of its parts, so that BoringSSL, NIO and Hummingbird are
compiled once, not once for each product. A build of the row alone differs from the sum by some seconds.

Prints the table of Docs/adding.md. With `--page` it writes the table into that page. With the names of products, such as
`AppleID AccountClient`, it builds each of them alone and from nothing instead, with all traits that are on by default.

Needs SWIFT (default: swift), and no network once siwa itself has been resolved. The machine should do nothing else.
"""

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from check import PAGE, RESOLVED, ROOT, use_the_same_versions

SWIFT = os.environ.get("SWIFT", "swift")
BEGIN, END = "<!-- Tests/Consumer/measure.py --page -->\n", "<!-- end -->\n"

# A part is a target of the measured package: the products that it depends on, in the order in which they are built.
PARTS = {
    "crypto": ["swift-crypto:Crypto", "swift-crypto:CryptoExtras"],
    "client": ["AccountClient"],
    "openid": ["AppleID", "AccountTokens"],
    "transport": ["AsyncHTTPTransport"],
    "server": ["hummingbird:Hummingbird"],
    "emulator": ["AppleIDTesting", "AppleIDEmulator"],
    "service": ["AccountHTTP", "AccountSQLite"],
}
# The rows of the page: products, traits, and the parts that they are made of.
ROWS = [
    ("`AccountClient`", "", ["crypto", "client"]),
    ("`AppleID`, `AccountTokens`", "", ["crypto", "openid"]),
    ("`AppleID`, `AsyncHTTPTransport`", "HTTPTransport", ["crypto", "openid", "transport"]),
    ("`AppleIDTesting`, `AppleIDEmulator`", "Emulator", ["crypto", "openid", "transport", "server", "emulator"]),
    (
        "`AccountHTTP`, `AccountService`, `AccountSQLite`, `AppleID`, `AsyncHTTPTransport`",
        "Service SQLite HTTPTransport", ["crypto", "openid", "transport", "server", "service"],
    ),
]


def product(name):
    """A dependency of a target: `Product` of siwa, or `package:Product`."""
    package, colon, name = name.rpartition(":")
    return f".product(name: {json.dumps(name)}, package: {json.dumps(package if colon else ROOT.name)})"


def write_package(package, parts):
    """A package with an empty program for each part. It has siwa's default traits, which add nothing that is compiled."""
    targets = []
    for part, products in parts.items():
        # A name that no module has, however a file system takes capital letters.
        target = f"measured-{part}"
        (package / "Sources" / target).mkdir(parents=True)
        imports = "".join(f"import {name.rpartition(':')[2]}\n" for name in products)
        (package / "Sources" / target / "main.swift").write_text(imports)
        dependencies = ", ".join(product(name) for name in products)
        targets.append(f".executableTarget(name: {json.dumps(target)}, dependencies: [{dependencies}]),")
    others = {
        "swift-crypto": '.package(url: "https://github.com/apple/swift-crypto.git", from: "4.0.0"),',
        "hummingbird": '.package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.24.0"),',
    }
    named = {name.partition(":")[0] for products in parts.values() for name in products}
    lines = "\n        ".join(line for name, line in others.items() if name in named)
    (package / "Package.swift").write_text(f"""// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "measured", platforms: [.macOS(.v15)],
    dependencies: [
        .package(path: {json.dumps(str(ROOT))}),
        {lines}
    ],
    targets: [
        {(chr(10) + "        ").join(targets)}
    ])
""")
    use_the_same_versions(package)


def swift(folder, *arguments):
    """Runs SwiftPM in the measured package; what it says goes to standard error."""
    # Keeps the order of traits: otherwise a part could compile again what the parts before it have compiled.
    environment = {**os.environ, "SWIFT_DETERMINISTIC_HASHING": "1"}
    subprocess.run(
        [SWIFT, *arguments, "--package-path", folder / "package", "--scratch-path", folder / "build"], check=True,
        stdout=sys.stderr, env=environment)


def build(folder, part):
    """Builds a part, and returns its seconds and those of the processors."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    swift(folder, "build", "--target", f"measured-{part}")
    after, end = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    return end - start, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(parts):
    """The seconds of each part after the parts before it, in a folder that is removed afterwards."""
    with tempfile.TemporaryDirectory(prefix="siwa-measure-") as name:
        folder = Path(name)
        write_package(folder / "package", parts)
        # Downloads and checkouts aren't measured.
        swift(folder, "package", "resolve")
        times = {}
        for part in parts:
            times[part] = build(folder, part)
            print(f"{part}: {times[part][0]:.0f} s, {times[part][1]:.0f} s of processor time", file=sys.stderr, flush=True)
        return times


def told(seconds):
    """Rounded, because another run differs by some percent: to 5 seconds, and from two minutes on to 10."""
    step = 5 if seconds < 120 else 10
    seconds = max(step, round(seconds / step) * step)
    return f"{seconds // 60} min {seconds % 60:02} s" if seconds >= 60 else f"{seconds} s"


def processor():
    path = Path("/proc/cpuinfo")
    names = [line.partition(":")[2].strip() for line in path.read_text().splitlines() if line.startswith("model name")] \
        if path.exists() else []
    return f"{os.cpu_count()} cores of an {names[0]}" if names else f"{os.cpu_count()} cores"


def table(times):
    lines = [
        "The first build in debug mode compiles these packages too. On " + processor() + " it takes:", "",
        "| products | traits | packages beside siwa | first build |", "|---|---|---|---|",
    ]
    for products, traits, parts in ROWS:
        listed = ", ".join(json.dumps(trait) for trait in traits.split())
        seconds = sum(times[part][0] for part in parts)
        lines.append(f"| {products} | `[{listed}]` | {RESOLVED[traits]} | {told(seconds)} |")
    return "\n".join([*lines, "", ""])


def write_page(text):
    page = PAGE.read_text()
    begin, end = page.index(BEGIN) + len(BEGIN), page.index(END)
    PAGE.write_text(page[:begin] + "\n" + text.rstrip("\n") + "\n\n" + page[end:])


def main():
    arguments = sys.argv[1:]
    products = [argument for argument in arguments if argument != "--page"]
    if shutil.which(SWIFT) is None:
        sys.exit(f"error: there is no {SWIFT}")
    if products:
        for name in products:
            seconds, work = measure({"app": [name]})["app"]
            print(f"{name}: {seconds:.0f} s, {work:.0f} s of processor time", flush=True)
        return
    text = table(measure(PARTS))
    print(text, end="")
    if "--page" in arguments:
        write_page(text)


if __name__ == "__main__":
    main()

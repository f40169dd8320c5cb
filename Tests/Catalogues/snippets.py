#!/usr/bin/env python3
"""Compares the Swift snippets of README, Docs and the DocC catalogues with the code that the tests compile.

A snippet that calls `AppleID` or `AccountTokens` stands, letter by letter, between the lines `// guide` and `// end` in
the tests or in an example's tests, in a closure: a reader puts it into a route, and in a closure a `do` that does not name
the type of its error has none. For the same reason each `do` of any page has `throws(…)`, or a `catch` that names the type.

The table of nonces is the same on each page that has one. Needs nothing that is built.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ["README.md", "Docs/*.md", "Sources/*/*.docc/*.md"]
# Every snippet on these pages is compiled, and those of the first list in closures.
IN_CLOSURES = ["Docs/apple-id", "Docs/access-tokens.md", "Sources/AppleID/AppleID.docc/"]
COMPILED = ["README.md", "Docs/client.md", "Docs/client-errors.md", "Docs/client-passwords.md", "Docs/client-profile.md", "Docs/client-sessions.md", "Docs/apple-platforms.md", "Docs/providers.md", "Docs/embedding.md", "Docs/firebase.md", "Docs/openid-connect.md", "Docs/webhooks.md", "Sources/AccountClient/AccountClient.docc/", "Sources/AccountHTTP/AccountHTTP.docc/", "Sources/AccountTokens/AccountTokens.docc/", "Sources/AppleIDTesting/AppleIDTesting.docc/", "Sources/OpenAuthenticationServices/OpenAuthenticationServices.docc/"]
# Whole files stand on these pages, and no closure is around them.
WHOLE = ["Sources/AppleIDTesting/AppleIDTesting.docc/TestAHummingbirdServer.md"]
# On other pages, a snippet that begins with one of these imports.
TYPED = re.compile(r"import (AppleID|AccountTokens)\n")
IMPORTS = re.compile(r"\A(?:import \w+\n)+\n")
TABLE = re.compile(r"^\| the app gave Apple \|.*?\n\n", re.DOTALL | re.MULTILINE)
PAGES_WITH_TABLE = 3


def pieces():
    """The pieces that are compiled, each with whether it stands in a closure."""
    for path in sorted([*ROOT.glob("Tests/**/*.swift"), *ROOT.glob("Examples/*/Tests/**/*.swift")]):
        lines = path.read_text().split("\n")
        for number, line in enumerate(lines):
            if line.strip() != "// guide":
                continue
            depth = line.index("/")
            end = lines.index(" " * depth + "// end", number)
            text = "".join(piece[depth:] + "\n" for piece in lines[number + 1:end])
            yield text, lines[number - 1].endswith(" in"), f"{path.relative_to(ROOT)}:{number + 1}"


def snippets():
    for pattern in PAGES:
        for path in sorted(ROOT.glob(pattern)):
            page = str(path.relative_to(ROOT))
            for block in re.findall(r"^```swift\n(.*?)^```", path.read_text(), re.DOTALL | re.MULTILINE):
                yield page, block


def problems():
    compiled = list(pieces())
    texts, closures = {text for text, _, _ in compiled}, {text for text, closed, _ in compiled if closed}
    shown = set()
    for page, block in snippets():
        text = IMPORTS.sub("", block)
        shown.add(text)
        first = text.split("\n")[0]
        if len(re.findall(r"\bdo \{", text)) > len(re.findall(r"\bcatch let \w+ as \w+ \{", text)):
            yield f"{page}: “{first}”: a do without throws(…), and without a catch of one type"
        if page.startswith(tuple(IN_CLOSURES)) or TYPED.match(block) and page not in WHOLE:
            if text not in closures:
                yield f"{page}: “{first}”: not compiled in a closure"
        elif page.startswith(tuple(COMPILED)) and text not in texts:
            yield f"{page}: “{first}”: not compiled"
    for text, _, place in compiled:
        if text not in shown:
            yield f"{place}: on no page"
    tables = [table for pattern in PAGES for path in ROOT.glob(pattern) for table in TABLE.findall(path.read_text())]
    if len(tables) != PAGES_WITH_TABLE or len(set(tables)) != 1:
        yield f"the table of nonces is on {len(tables)} pages, in {len(set(tables))} forms"


def main():
    found = list(problems())
    if found:
        sys.exit("\n".join(["error: snippets:", *found]))
    print(f"{len(list(snippets()))} Swift snippets, {len(list(pieces()))} of them compiled in the tests")


if __name__ == "__main__":
    main()

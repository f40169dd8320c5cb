"""Checks that each ``link`` of a doc comment in Sources names declarations of this package.

DocC checks the links of public declarations alone, and only in the modules that have a catalogue. This checks each part of a
link by its name, and functions and initializers by the labels of their parameters as well. It doesn't check that the parts
belong together. Symbols of Swift, Foundation and Apple's frameworks have single backticks, since no link leads to them.

Standard library alone.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TYPE = re.compile(r"\b(?:struct|enum|class|actor|protocol|typealias|associatedtype|macro) (\w+)")
VALUE = re.compile(r"\b(?:var|let) (?:`?(\w+)`?|\(([^)]*)\))")
CASES = re.compile(r"^ *(?:indirect )?case ((?:`?\w+`?(?:\([^()]*(?:\([^()]*\)[^()]*)*\))?(?:, )?)+)", re.MULTILINE)
CASE = re.compile(r"`?(\w+)`?(\((?:[^()]|\([^()]*\))*\))?(?:, |$)")
FUNCTION = re.compile(r"\b(?:func `?(\w+)`?|(init|subscript)[?!]?) *(?:<[^(]*>)?\(")
LABEL = re.compile(r"(?:@\w+ )*`?(\w+)`?(?=(?: \w+)? *:)")
LINK = re.compile(r"``([^`]+)``")


def labels(text, start):
    """The labels of the parameters whose list begins at `start`, behind its parenthesis, as DocC writes them."""
    found, depth, begins = "", 0, True
    for index in range(start, len(text)):
        letter = text[index]
        if begins and depth == 0 and not letter.isspace():
            if letter == ")":
                return found
            label = LABEL.match(text, index)
            found += f"{label.group(1) if label else '_'}:"
            begins = False
        if letter in "([{<":
            depth += 1
        elif letter == ">" and text[index - 1] == "-":
            continue
        elif letter in ")]}>":
            if depth == 0:
                return found
            depth -= 1
        elif letter == "," and depth == 0:
            begins = True
    return found


def declarations(text):
    """The names that a source declares, functions with their labels."""
    names = set(TYPE.findall(text))
    for name, several in VALUE.findall(text):
        names.update([name] if name else re.findall(r"\w+", several))
    for line in CASES.findall(text):
        for name, values in CASE.findall(line):
            names.add(name)
            if values:
                names.add(f"{name}({labels(values, 1)})")
    for function in FUNCTION.finditer(text):
        names.add(f"{function.group(1) or function.group(2)}({labels(text, function.end())})")
    return names


def main():
    sources = {
        path: path.read_text(encoding="utf-8")
        for path in sorted((ROOT / "Sources").rglob("*.swift")) if ".docc/" not in str(path)
    }
    known = set().union(*(declarations(re.sub(r"^ *//.*", "", text, flags=re.MULTILINE)) for text in sources.values()))
    known |= {name.split("(")[0] for name in known} | {path.name for path in (ROOT / "Sources").iterdir()}
    problems = []
    for path, text in sources.items():
        for number, line in enumerate(text.split("\n"), 1):
            if not line.lstrip().startswith("///"):
                continue
            for link in LINK.findall(line):
                # What stands behind a hyphen tells overloads apart.
                for name in re.sub(r"-(\w+|\(.*\))$", "", link).strip("/").split("/"):
                    if name not in known:
                        problems.append(f"{path.relative_to(ROOT)}:{number}: nothing is called `{name}`: ``{link}``")
    for problem in problems:
        print(f"error: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

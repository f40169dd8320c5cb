"""Checks GLOSSARY.md: its words are in order, its types exist, and it lists each name that two targets declare.

Standard library alone.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "GLOSSARY.md"
DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))? )*(?:(?:public|package|final|indirect) )*(?:struct|enum|class|actor|protocol|typealias) (\w+)",
    re.MULTILINE)


def declared():
    """The targets that declare each type at the outermost level of a file, private ones left out."""
    types = defaultdict(set)
    for path in (ROOT / "Sources").rglob("*.swift"):
        # The steps of tutorials are programs of readers.
        if ".docc/" in str(path):
            continue
        for name in DECLARATION.findall(path.read_text(encoding="utf-8")):
            types[name].add(path.relative_to(ROOT / "Sources").parts[0])
    return types


def rows(heading, text):
    """The cells of the table under a heading."""
    section = text.split(f"{heading}\n", 1)[1].split("\n## ", 1)[0]
    lines = [line for line in section.split("\n") if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def main():
    text, types, problems = PAGE.read_text(encoding="utf-8"), declared(), []
    words = rows("# Glossary", text)
    names = [row[0].lower() for row in words]
    for first, second in zip(names, names[1:]):
        if first > second:
            problems.append(f"`{second}` stands behind `{first}`")
    for word, _, type_name in words:
        for name in re.findall(r"`(\w+)`", type_name):
            if name not in types:
                problems.append(f"{word}: there is no type `{name}`")
    listed = {name for row in rows("## One name in two targets", text) for name in re.findall(r"`(\w+)`", row[0])}
    doubled = {name for name, targets in types.items() if len(targets) > 1}
    problems += [
        f"`{name}` is declared in {' and '.join(sorted(types[name]))}: rename one, or say why"
        for name in sorted(doubled - listed)
    ]
    problems += [f"`{name}` is listed as declared twice, and is not" for name in sorted(listed - doubled)]
    for problem in problems:
        print(f"error: GLOSSARY.md: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

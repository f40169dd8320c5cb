"""Prints the figures of this package: files, documentation, parameter lists, the walks of the tour, tests to code.

Run by `make check`; prints and never fails. Standard library alone.
"""

import re
import statistics
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))
import tour  # noqa: E402

SHORT = 15
FILE_CEILING = 750
# The public types of AccountService. CONTRIBUTING.md says how many of them Tests/Consumer/Embedders needs.
TYPE_CEILING = 115
PARAMETER_LIMIT = 8

# The requirements of the standard library's protocols, of which a comment would say nothing new.
WITNESSES = {
    "==", "<", "hash", "encode", "init(from:)", "description", "debugDescription", "customMirror", "rawValue",
    "init(rawValue:)", "init(stringLiteral:)", "init(integerLiteral:)", "allCases", "hashValue", "errorDescription",
    "makeIterator", "makeAsyncIterator", "CodingKeys", "defaultValueDescription",
    "playgroundDescription", "index", "startIndex", "endIndex",
}
DECLARATION = re.compile(
    r"^\s*(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:public|open)\s+"
    r"(?:(?:static|class|final|override|mutating|nonmutating|nonisolated|convenience|required|indirect|lazy|weak|"
    r"private\(set\)|package\(set\)|internal\(set\)|prefix|consuming|borrowing)\s+)*"
    r"(func|var|let|init|struct|enum|class|actor|protocol|typealias|subscript|macro|associatedtype)\b[?!]?\s*(.*)$"
)
TYPES = {"struct", "enum", "class", "actor", "protocol"}


def swift_files(folder):
    return sorted(
        path for path in (ROOT / folder).rglob("*.swift") if ".build" not in path.parts and ".docc/" not in str(path))


def code_lines(paths):
    """Lines that are neither blank nor a comment."""
    count = 0
    for path in paths:
        for line in path.read_text(encoding="utf-8").split("\n"):
            text = line.strip()
            if text and not text.startswith("//"):
                count += 1
    return count


def bracketed(text, start):
    """From an opening bracket to what stands behind the one that closes it; strings count for nothing."""
    depth, index, quoted = 0, start, False
    while index < len(text):
        character = text[index]
        if quoted:
            if character == "\\":
                index += 1
            elif character == '"':
                quoted = False
        elif character == '"':
            quoted = True
        elif character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth == 0:
                return text[start : index + 1]
        index += 1
    return text[start:]


def parameters(text):
    """The parameters of a list in parentheses, split where a comma separates them."""
    inner, depth, parts = bracketed(text, 0)[1:-1], 0, [""]
    for index, character in enumerate(inner):
        if character in "([{<" and not (character == "<" and inner[index - 1 : index] == " "):
            depth += 1
        elif character in ")]}" or character == ">" and inner[index - 1] != "-" and depth:
            depth -= 1
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


def is_witness(kind, rest):
    name = re.match(r"`?([\w]+|[=<>+\-*/!&|~]+)`?", rest)
    if kind in ("init", "subscript"):
        labels = re.match(r"\(\s*(\w+)", rest)
        return kind == "init" and labels is not None and f"init({labels.group(1)}:)" in WITNESSES
    return name is not None and name.group(1) in WITNESSES


def words(text):
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", text)
    return [word.lower().rstrip("s") for word in re.findall(r"[A-Za-z]+", text)]


def is_documented(lines, index, rest):
    """Whether a doc comment stands before a declaration, and says more than its name."""
    index -= 1
    while index >= 0 and re.match(r"\s*(@|#if|#endif|#else)", lines[index]):
        index -= 1
    comment = []
    while index >= 0 and lines[index].strip().startswith("///"):
        comment.insert(0, lines[index].strip()[3:].strip())
        index -= 1
    if not comment:
        return index >= 0 and lines[index].strip().endswith("*/")
    if len(comment) > 1:
        return True
    name = re.match(r"`?(\w+)", rest)
    known = set(words(name.group(1)) if name else []) | {"a", "an", "the", "of", "thi", "it", "i"}
    return not set(words(comment[0])) <= known


def public_declarations():
    """For each target, the number of its public declarations and how many are documented."""
    counts = {}
    for path in swift_files("Sources"):
        target = path.relative_to(ROOT / "Sources").parts[0]
        lines = path.read_text(encoding="utf-8").split("\n")
        for index, line in enumerate(lines):
            found = DECLARATION.match(line)
            if not found or is_witness(*found.groups()):
                continue
            count = counts.setdefault(target, [0, 0])
            count[0] += 1
            count[1] += is_documented(lines, index, found.group(2))
    return counts


def public_types(target):
    """How many public types a target has, without those inside other types."""
    return sum(
        1 for path in swift_files(f"Sources/{target}") for line in path.read_text(encoding="utf-8").split("\n")
        if (found := DECLARATION.match(line)) and not line[0].isspace() and found.group(1) in TYPES
    )


def is_memberwise(body):
    """Whether an initialiser only keeps what it is given, or one parameter in place of another that is nil."""
    statements = [line.strip() for line in body.strip()[1:-1].split("\n") if line.strip()]
    return all(re.fullmatch(r"//.*|(?:self\.)?\w+ = \w+(?: \?\? \w+)?", line) for line in statements)


def long_parameter_lists():
    """Two lists of what takes more than a reader can hold, each with count, place and name, the longest first.

    The first is what does something. The second is the initialisers of records: they only keep what they are given, and
    nothing of it is a service, that is, a logger or the value of a protocol. Such a list is as long as the record has
    properties.
    """
    found, records = [], []
    pattern = re.compile(r"^[ \t]*(?:[@\w()]+ )*?(func +[^\s(<]+|init[?!]?)(?:<[^(]*>)?\(", re.MULTILINE)
    for path in swift_files("Sources"):
        text = path.read_text(encoding="utf-8")
        for match in pattern.finditer(text):
            signature = bracketed(text, match.end() - 1)
            count = len(parameters(signature))
            if count <= PARAMETER_LIMIT:
                continue
            after = match.end() - 1 + len(signature)
            opening = re.match(r"[^{}]*?\{", text[after : after + 400])
            keeps_services = re.search(r":\s*(?:@\w+ )*\(?any |: Logger\b", signature)
            is_record = match.group(1).startswith("init") and not keeps_services and (
                opening is None or is_memberwise(bracketed(text, after + opening.end() - 1))
            )
            line = text[: match.start()].count("\n") + 1
            (records if is_record else found).append((count, f"{path.relative_to(ROOT)}:{line}", match.group(1)))
    return sorted(found, reverse=True), sorted(records, reverse=True)


def main():
    files = swift_files("Sources")
    lengths = sorted(len(path.read_text(encoding="utf-8").splitlines()) for path in files)
    short = sum(length <= SHORT for length in lengths)
    more = "" if len(files) <= FILE_CEILING else f" (more than {FILE_CEILING}: say why)"
    print(f"Swift files in Sources: {len(files)}{more}, {sum(lengths)} lines")
    print(
        f"  lines a file: median {statistics.median(lengths):.0f}, 95 % have at most "
        f"{lengths[min(len(lengths) - 1, int(len(lengths) * 0.95))]}, longest {lengths[-1]}"
    )
    print(f"  of {SHORT} lines or fewer: {short}, {100 * short / len(files):.1f} % (aim: at most 5 %)")
    counts = public_declarations()
    total, documented = (sum(count[part] for count in counts.values()) for part in (0, 1))
    print(f"Public declarations: {total}, documented {100 * documented / total:.1f} % (aim: 100 %)")
    for target, (number, with_comment) in sorted(counts.items()):
        print(f"  {target}: {number}, documented {100 * with_comment / number:.0f} %")
    types = public_types("AccountService")
    print(f"Public top-level types of AccountService: {types} (aim: at most {TYPE_CEILING})")
    long, records = long_parameter_lists()
    longest = f"{long[0][0]} ({long[0][1]})" if long else f"{PARAMETER_LIMIT} or fewer"
    print(f"Longest parameter list of what does something: {longest} (aim: at most {PARAMETER_LIMIT})")
    for count, place, name in long[1:]:
        print(f"  {count}: {name}, {place}")
    if records:
        print(
            f"  not among them: {len(records)} initialisers of records with more than {PARAMETER_LIMIT}, which only keep "
            f"what they are given, the longest {records[0][0]} ({records[0][1]})"
        )
    for flow in tour.flows():
        print(f"Walk: {flow.title}: {len(flow.files)} files (aim {flow.aim}), {flow.returns} returns (at most 3)")
    code, tests = code_lines(files), code_lines(swift_files("Tests"))
    python = sum(
        1 for path in (ROOT / "Tests").rglob("*.py") for line in path.read_text(encoding="utf-8").split("\n")
        if line.strip() and not line.strip().startswith("#")
    )
    print(f"Tests to code, in lines of Swift: {tests} to {code}, {tests / code:.2f} (aim: at least 0.9); Python: {python}")


if __name__ == "__main__":
    main()

"""Opens each link of Docs/tour.md, finds the declaration that it names there, and counts the files of each flow.

A stop is a line such as

    1. [Sources/A/B.swift](../Sources/A/B.swift) `func decide` – sentence

and a flow states its figures in a line such as `20 files, 2 returns. Aim: 20 files.` With `--relink` it finds declarations that
have moved within their target, and writes links and figures anew. Standard library alone.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "Docs" / "tour.md"
STOP = re.compile(r"^\d+\. \[([^\]]+)\]\(\.\./([^)]+)\) `([^`]+)` – .")
FIGURES = re.compile(r"^(\d+) files?, (\d+) returns?\. Aim: (\d+) files\.")


class Flow:
    def __init__(self, title):
        self.title, self.stops, self.stated, self.aim = title, [], None, None

    @property
    def files(self):
        return set(path for path, _ in self.stops)

    @property
    def returns(self):
        """How often the reader comes back to a file that they have left."""
        seen, last, count = set(), None, 0
        for path, _ in self.stops:
            if path != last and path in seen:
                count += 1
            seen.add(path)
            last = path
        return count


def flows(page=PAGE):
    """The flows of the page: each heading under which stops are numbered."""
    found, problems = parse(page)
    return found


def parse(page):
    if not page.exists():
        return [], [f"{page} is missing"]
    found, problems, flow = [], [], None
    for number, line in enumerate(page.read_text(encoding="utf-8").split("\n"), 1):
        if line.startswith("## "):
            flow = Flow(line[3:].strip())
            found.append(flow)
        elif figures := FIGURES.match(line):
            if flow is None:
                problems.append(f"{number}: figures before any flow")
                continue
            flow.stated, flow.aim = (int(figures.group(1)), int(figures.group(2))), int(figures.group(3))
        elif re.match(r"^\d+\. ", line):
            stop = STOP.match(line)
            if stop is None or flow is None:
                problems.append(f"{number}: no stop of the form that the others have: {line[:60]}")
                continue
            if stop.group(1) != stop.group(2):
                problems.append(f"{number}: the link says {stop.group(1)} and leads to {stop.group(2)}")
            flow.stops.append((stop.group(2), stop.group(3)))
            problems += [f"{number}: {problem}" for problem in missing(*flow.stops[-1])]
    return [flow for flow in found if flow.stops], problems


def missing(path, declaration):
    """The problem with a stop: no such file, or no such declaration in it."""
    file = ROOT / path
    if not file.is_file():
        return [f"there is no file {path}"]
    text = file.read_text(encoding="utf-8")
    name = declaration.split()[-1]
    keyword = declaration.split()[0] if " " in declaration else None
    pattern = r"\b" + re.escape(name) + r"(?![\w])" if re.match(r"\w", name) else re.escape(name)
    if keyword:
        pattern = r"\b" + re.escape(keyword) + r"\s+(?:\w+\.)*" + pattern
    if not re.search(pattern, text):
        return [f"{path} does not declare `{declaration}`"]
    return []


def found_again(path, declaration):
    """The one file of the same target that declares it now; the old path where there is none, or more than one."""
    target = path.split("/")[1]
    places = [
        str(place.relative_to(ROOT)) for place in sorted((ROOT / "Sources" / target).rglob("*.swift"))
        if not missing(str(place.relative_to(ROOT)), declaration)
    ]
    return places[0] if len(places) == 1 else path


def relink():
    """Writes the page anew: each link to where its declaration is, and each flow's figures as they are."""
    lines = PAGE.read_text(encoding="utf-8").split("\n")
    for index, line in enumerate(lines):
        if (stop := STOP.match(line)) and missing(stop.group(2), stop.group(3)):
            lines[index] = line.replace(stop.group(2), found_again(stop.group(2), stop.group(3)))
    PAGE.write_text("\n".join(lines), encoding="utf-8")
    flow_of_figures = iter(flows())
    for index, line in enumerate(lines):
        if figures := FIGURES.match(line):
            flow = next(flow_of_figures)
            new = f"{len(flow.files)} files, {flow.returns} returns. Aim: {figures.group(3)} files."
            lines[index] = line.replace(figures.group(0), new)
    PAGE.write_text("\n".join(lines), encoding="utf-8")


def main():
    if sys.argv[1:] == ["--relink"]:
        relink()
    found, problems = parse(PAGE)
    for flow in found:
        if flow.stated is None:
            problems.append(f"{flow.title}: states no figures")
        elif flow.stated != (len(flow.files), flow.returns):
            problems.append(
                f"{flow.title}: states {flow.stated[0]} files and {flow.stated[1]} returns, "
                f"and has {len(flow.files)} and {flow.returns}"
            )
    for problem in problems:
        print(f"error: Docs/tour.md: {problem}")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()

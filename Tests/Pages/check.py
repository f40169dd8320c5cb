"""Checks the templates, styles and scripts of the pages: python3 Tests/Pages/check.py

- A Mustache template closes every section that it opens, in order, and inserts nothing unescaped. Its partials and its
  parent are there.
- A style sheet closes every brace, bracket, string and comment, and every rule has declarations only.
- A script is JavaScript, as esbuild reads it. Without esbuild, or node in its place, the scripts are not read here; the
  tests in a browser run them.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
TAG = re.compile(r"\{\{(?P<kind>[#^/!>&<$=%{]?)\s*(?P<rest>.*?)\s*\}\}", re.DOTALL)


def template(path, text):
    """Yields what is wrong with a template."""
    beside = {other.stem for other in path.parent.glob("*.mustache")}
    opened = []
    end = 0
    for tag in TAG.finditer(text):
        line = text.count("\n", 0, tag.start()) + 1
        if "{{" in text[end:tag.start()] or "}}" in text[end:tag.start()]:
            yield line, "a tag is not closed, or not opened"
        end = tag.end()
        kind, name = tag["kind"], tag["rest"]
        if kind in "#^<$" and kind:
            opened.append((name, line))
        elif kind == "/":
            if not opened or opened[-1][0] != name:
                yield line, f"{{{{/{name}}}}} closes " + (f"{opened[-1][0]} of line {opened[-1][1]}" if opened else "nothing")
            if opened:
                opened.pop()
        elif kind in ("&", "{"):
            yield line, f"{name} is inserted without being escaped"
        if kind in ("<", ">") and kind and name not in beside:
            yield line, f"there is no template {name}"
    if "{{" in text[end:] or "}}" in text[end:]:
        yield text.count("\n") + 1, "a tag is not closed, or not opened"
    for name, line in opened:
        yield line, f"{name} is never closed"


CSS = re.compile(r"""/\*.*?\*/ | "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' | [^/"']+ | .""", re.DOTALL | re.VERBOSE)


def style(path, text):
    """Yields what is wrong with a style sheet."""
    plain = ""
    for part in CSS.finditer(text):
        piece = part[0]
        if piece in "\"'":
            yield text.count("\n", 0, part.start()) + 1, "a string is not closed"
        if piece.startswith("/*"):
            piece = re.sub(r"[^\n]", " ", piece)
        elif piece[0] in "\"'":
            piece = "s" * len(piece)
        plain += piece
    if "/*" in plain or "*/" in plain:
        yield 1, "a comment is not closed, or not opened"
    pairs = {"}": "{", ")": "(", "]": "["}
    opened = []
    start = 0
    for index, character in enumerate(plain):
        line = plain.count("\n", 0, index) + 1
        if character in "{([":
            opened.append((character, line))
        elif character in pairs:
            if not opened or opened.pop()[0] != pairs[character]:
                yield line, f"{character} closes nothing"
        if character in "{};":
            piece = plain[start:index].strip()
            start = index + 1
            if character in ";}" and piece and not piece.startswith("@") and ":" not in piece:
                yield line, f"this is no declaration: {piece}"
    for character, line in opened:
        yield line, f"{character} is never closed"


def script(path, text):
    """Yields what is wrong with a script."""
    if shutil.which("esbuild"):
        command = ["esbuild", "--log-level=warning", "--color=false", str(path)]
    elif shutil.which("node"):
        command = ["node", "--check", str(path)]
    else:
        return
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0 or done.stderr.strip():
        yield 1, done.stderr.strip()


def problems(path):
    text = path.read_text(encoding="utf-8")
    check = {".mustache": template, ".css": style, ".js": script}[path.suffix]
    for line, problem in check(path, text):
        yield f"{path}:{line}: {problem}"
    if not text.endswith("\n") or re.search(r"[ \t]$", text, re.MULTILINE):
        yield f"{path}:1: the file does not end with a line break, or a line ends with a space"


def main(arguments):
    paths = [pathlib.Path(one) for one in arguments] or sorted(
        path for suffix in ("mustache", "css", "js") for path in (ROOT / "Sources").rglob(f"*.{suffix}"))
    found = [problem for path in paths for problem in problems(path)]
    print("\n".join(found), end="\n" if found else "", file=sys.stderr)
    if not (shutil.which("esbuild") or shutil.which("node")):
        print("note: neither esbuild nor node is here, so only the tests in a browser read the scripts")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

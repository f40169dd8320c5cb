"""Rewrites the conditions of `#if` so that a compiler on Linux answers them as one of Apple's systems would.

`os(iOS)` becomes the name `SYSTEM_iOS`, and `canImport(UIKit)` the name `MODULE_UIKit`; the names that are true are given to
the compiler with `-D`. Nothing but these lines changes, so line numbers stay.
"""

import re

DIRECTIVE = re.compile(r"^\s*#(?:if|elseif)\b.*$", re.MULTILINE)
QUESTION = re.compile(r"\b(os|canImport|targetEnvironment)\(\s*(\w+)(?:\.\w+)*\s*\)")
PREFIX = {"os": "SYSTEM", "canImport": "MODULE", "targetEnvironment": "ENVIRONMENT"}


def rewritten(text, selectors=False):
    """The text with names instead of questions.

    selectors -- keeps `@objc` and `#selector`. Otherwise a function of the stand-ins takes the method in its place.
    """
    def line(match):
        return QUESTION.sub(lambda found: f"{PREFIX[found[1]]}_{found[2]}", match[0])
    if not selectors:
        text = text.replace("@objc ", "").replace("#selector(", "selector(")
    return DIRECTIVE.sub(line, text)


def definitions(system, texts):
    """The names that are true on the system, among those that the texts ask for."""
    questions = {(found[1], found[2]) for text in texts for line in DIRECTIVE.findall(text) for found in QUESTION.finditer(line)}
    true = set()
    for question, name in questions:
        if question == "os" and name == system.name or question == "canImport" and system.imports(name):
            true.add(f"{PREFIX[question]}_{name}")
    return sorted(true)

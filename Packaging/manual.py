#!/usr/bin/env python3
"""Writes the manual pages siwa.1 and juice.1 from what the two executables say of themselves.

    python3 Packaging/manual.py SIWA_EXECUTABLE JUICE_EXECUTABLE OUTPUT_FOLDER

Each page has all commands of its program, with their options. Nobody keeps the pages by hand: an option's help in the
program is its text in the manual.
"""

import json
import pathlib
import re
import subprocess
import sys

# The flags of every command. Each page names them once.
EVERYWHERE = {"help", "version"}
# A word of more characters may be broken after these, because a line could not hold it otherwise.
LONGEST_WORD, BREAKABLE = 30, "/,=&?"

SEE_ALSO = {"siwa": "juice", "juice": "siwa"}


def escaped(text):
    """Text as roff prints it: a backslash and a hyphen as they are, everything beyond ASCII by its number."""
    text = text.replace("\\", "\\e").replace("-", "\\-").replace("'", "\\(aq").replace("`", "\\(ga")
    text = text.replace("^", "\\(ha").replace("~", "\\(ti")
    return "".join(one if ord(one) < 128 else f"\\[u{ord(one):04X}]" for one in text)


def prose(text):
    """One paragraph as lines of roff. A dot or a quote at a line's beginning would be a request."""
    def word(text):
        parts = re.split(f"(?<=[{re.escape(BREAKABLE)}])", text) if len(text) > LONGEST_WORD else [text]
        return "\\:".join(escaped(part) for part in parts if part)
    return ["\\&" + " ".join(word(one) for one in text.split())]


def request(name, *arguments):
    """A request of roff with its arguments, of which each may have blanks."""
    return " ".join([f".{name}"] + ['"' + argument.replace('"', '\\(dq') + '"' for argument in arguments])


def bold(text):
    return f"\\fB{escaped(text)}\\fR"


def italic(text):
    return f"\\fI{escaped(text)}\\fR"


def paragraphs(text):
    """The paragraphs of a discussion; a line with two blanks in front is an example, and stays a line."""
    lines = []
    for paragraph in re.split(r"\n\s*\n", text.strip("\n")):
        plain, is_example = [], False
        lines.append(".PP")
        for line in paragraph.split("\n"):
            if line.startswith("  "):
                if plain:
                    lines += prose(" ".join(plain))
                    plain = []
                if not is_example:
                    lines += [".PP", ".RS 4", ".nf"]
                    is_example = True
                lines.append("\\&" + escaped(line[2:]))
            else:
                if is_example:
                    lines += [".fi", ".RE", ".PP"]
                    is_example = False
                plain.append(line)
        if plain:
            lines += prose(" ".join(plain))
        if is_example:
            lines += [".fi", ".RE"]
    return lines


def spelling(argument):
    """How an option, a flag or an argument is written."""
    value = argument.get("valueName", "value")
    if argument["kind"] == "positional":
        return italic(value)
    # The short name first.
    names = sorted(argument["names"], key=lambda name: name["kind"] == "long")
    shown = ", ".join(bold(("--" if name["kind"] == "long" else "-") + name["name"]) for name in names)
    return shown if argument["kind"] == "flag" else f"{shown} {italic(value)}"


def description(argument):
    """The paragraphs about an option, a flag or an argument, as lines of roff."""
    sentences = [argument["abstract"]] if argument.get("abstract") else []
    if argument.get("allValues"):
        sentences.append("Values: " + ", ".join(argument["allValues"]) + ".")
    if argument.get("defaultValue"):
        sentences.append(f"Default: {argument['defaultValue']}.")
    lines = prose(" ".join(sentences)) if sentences else []
    for line in (argument.get("discussion") or "").split("\n"):
        if line.strip():
            lines += [".br"] + prose(line)
    return lines


def shown(arguments, everywhere=False):
    """The arguments that people are told of: those of one command, or those of every command."""
    for argument in arguments or []:
        names = {name["name"] for name in argument.get("names") or []}
        if argument.get("shouldDisplay", True) and bool(names & EVERYWHERE) == everywhere:
            yield argument


def synopsis(path, command):
    """The line that shows how a command is written."""
    words = [bold(" ".join(path))]
    arguments = list(shown(command.get("arguments")))
    if any(argument["kind"] != "positional" for argument in arguments):
        words.append("[" + italic("option") + " ...]")
    for argument in arguments:
        if argument["kind"] == "positional":
            name = spelling(argument) + (" ..." if argument.get("isRepeating") else "")
            words.append(f"[{name}]" if argument.get("isOptional") else name)
    return " ".join(words)


def options(arguments):
    lines = []
    for argument in arguments:
        lines += [".TP", spelling(argument)] + description(argument)
    return lines


def subcommands(command):
    """All but `help`, of which the page speaks once."""
    return [one for one in command.get("subcommands") or [] if one["commandName"] != "help"]


def sections(command, path):
    """A section for each command below, each before its own commands."""
    lines = []
    for one in subcommands(command):
        below = path + [one["commandName"]]
        lines += [request("SS", escaped(" ".join(below)))] + prose(one.get("abstract") or "")
        if not subcommands(one):
            lines += [".PP", synopsis(below, one)]
        if one.get("discussion"):
            lines += paragraphs(one["discussion"])
        lines += options(shown(one.get("arguments"))) + sections(one, below)
    return lines


def page(command, version):
    name = command["commandName"]
    lines = [
        '.\\" Made by Packaging/manual.py.', request("TH", escaped(name.upper()), "1", "", escaped(f"{name} {version}")),
        ".nh", ".ad l", ".SH NAME", f"{escaped(name)} \\- {escaped((command.get('abstract') or '').rstrip('.'))}",
        ".SH SYNOPSIS"]
    below = subcommands(command)
    if name == "juice" or not below:
        lines.append(synopsis([name], command))
        lines += [".br"] if below else []
    if below:
        lines.append(f"{bold(name)} {italic('command')} [{italic('option')} ...]")
    lines += [".SH DESCRIPTION"] + paragraphs(command.get("discussion") or "")
    lines += [".SH OPTIONS"] + options(shown(command.get("arguments")))
    lines += options(shown(command.get("arguments"), everywhere=True))
    if below:
        lines += [".SH COMMANDS", f"Every command also takes {bold('--help')} and {bold('--version')}."]
        lines += sections(command, [name])
    lines += [".SH SEE ALSO", f"{bold(SEE_ALSO[name])}(1)"]
    return "\n".join(lines) + "\n"


def said(executable, *arguments):
    return subprocess.run([executable, *arguments], stdout=subprocess.PIPE, text=True, check=True).stdout


def main(arguments):
    if len(arguments) != 3:
        sys.exit("usage: python3 Packaging/manual.py SIWA_EXECUTABLE JUICE_EXECUTABLE OUTPUT_FOLDER")
    folder = pathlib.Path(arguments[2])
    folder.mkdir(parents=True, exist_ok=True)
    for executable in arguments[:2]:
        command = json.loads(said(executable, "--experimental-dump-help"))["command"]
        file = folder / f"{command['commandName']}.1"
        file.write_text(page(command, said(executable, "--version").strip()), encoding="ascii")
        print(file)


if __name__ == "__main__":
    main(sys.argv[1:])

"""The manual pages: SIWA=… JUICE=… python3 Tests/Packaging/test_manual.py

groff and man read them without a warning, and what they print has every command and every option of the two programs.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "Packaging" / "manual.py"
PROGRAMS = {"siwa": os.environ["SIWA"], "juice": os.environ["JUICE"]}

sys.path.insert(0, str(SCRIPT.parent))
import manual  # noqa: E402 (beside the script)


def commands(command, path=()):
    """Every command with the words that lead to it."""
    path = (*path, command["commandName"])
    yield path, command
    for one in command.get("subcommands") or []:
        if one["commandName"] != "help":
            yield from commands(one, path)


def printed(page):
    """The warnings about a page, and its text on one line: without overstrikes, and in lines that hold any word."""
    answer = subprocess.run(
        ["groff", "-man", "-Tutf8", "-ww", "-P-cbou", "-rLL=2000n", page], capture_output=True, text=True, check=True)
    return answer.stderr, " ".join(answer.stdout.split())


class ManualPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        # A folder that is not there yet.
        cls.pages = pathlib.Path(cls.folder.name) / "man" / "man1"
        subprocess.run(
            [sys.executable, SCRIPT, PROGRAMS["siwa"], PROGRAMS["juice"], cls.pages], check=True,
            stdout=subprocess.DEVNULL)
        cls.dumps = {
            name: json.loads(subprocess.check_output([program, "--experimental-dump-help"]))["command"]
            for name, program in PROGRAMS.items()}

    def test_there_is_one_page_for_each_program(self):
        self.assertEqual(sorted(page.name for page in self.pages.iterdir()), ["juice.1", "siwa.1"])

    def test_groff_and_man_have_nothing_to_warn_of(self):
        for name in PROGRAMS:
            page = self.pages / f"{name}.1"
            # As wide as a terminal is.
            groff = subprocess.run(["groff", "-man", "-Tutf8", "-ww", page], capture_output=True, text=True, check=True)
            self.assertEqual(groff.stderr, "")
            man = subprocess.run(
                ["man", "--warnings", "-l", page], capture_output=True, text=True, check=True,
                env={**os.environ, "LC_ALL": "C.UTF-8", "MANWIDTH": "80"})
            self.assertEqual(man.stderr, "")
            self.assertGreater(len(man.stdout), 1000)

    def test_each_command_and_option_is_in_the_page_with_its_help(self):
        for name, dump in self.dumps.items():
            _, text = printed(self.pages / f"{name}.1")
            for path, command in commands(dump):
                self.assertIn(" ".join(path), text)
                self.assertIn(command["abstract"].rstrip("."), text)
                for paragraph in re.split(r"\n\s*\n", command.get("discussion") or ""):
                    for line in paragraph.splitlines():
                        self.assertIn(" ".join(line.split()), text)
                for argument in command.get("arguments") or []:
                    for one in argument.get("names") or []:
                        self.assertIn(("--" if one["kind"] == "long" else "-") + one["name"], text)
                    if argument.get("shouldDisplay") and argument.get("abstract"):
                        self.assertIn(" ".join(argument["abstract"].split()), text)

    def test_pages_have_the_version_and_name_each_other(self):
        for name, other in (("siwa", "juice"), ("juice", "siwa")):
            version = subprocess.check_output([PROGRAMS[name], "--version"], text=True).strip()
            self.assertRegex(version, r"^\d+\.\d+\.\d+$")
            _, text = printed(self.pages / f"{name}.1")
            self.assertIn(f"{name} {version}", text)
            self.assertIn(f"{other}(1)", text)

    def test_text_that_roff_would_take_for_its_own_is_printed_as_it_is(self):
        text = ".TH is 'no' \\fB request\\fR: \"quoted\" -- “…” `code` ^ ~ $(head -c 32) 'x'"
        command = {
            "commandName": "siwa", "abstract": text, "discussion": f"{text}\n\nExamples:\n  .TH {text}\n  'x \\\n",
            "arguments": [{
                "kind": "option", "names": [{"kind": "long", "name": "a-b"}], "valueName": "a-b", "abstract": text,
                "shouldDisplay": True}],
            "subcommands": [{"commandName": "one", "abstract": text, "discussion": "x" * 300 + "/" + "y" * 20}]}
        page = self.pages.parent / "hard.1"
        page.write_text(manual.page(command, "1.0.0"), encoding="ascii")
        warnings, read = printed(page)
        self.assertEqual(warnings, "")
        # The name's section, the discussion and its example, the option, the command.
        self.assertEqual(read.count(text), 5, read)
        self.assertIn(".TH .TH is", read)
        self.assertIn("'x \\", read)

    def test_other_arguments_are_refused(self):
        answer = subprocess.run([sys.executable, SCRIPT, PROGRAMS["siwa"]], capture_output=True, text=True)
        self.assertEqual(answer.returncode, 1)
        self.assertIn("usage: ", answer.stderr)


if __name__ == "__main__":
    unittest.main()

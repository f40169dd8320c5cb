"""Shows what the check of the pages' files finds and what it leaves alone: python3 Tests/Pages/test_check.py"""

import pathlib
import tempfile
import unittest

import check


class Found(unittest.TestCase):
    def problems(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.write_text(text, encoding="utf-8")
            (path.parent / "layout.mustache").touch()
            return list(check.problems(path))

    def test_good_files(self):
        for name, text in [
            ("a.mustache", "{{! a\nnote }}{{<layout}}{{$content}}{{#x}}{{y.z}}{{/x}}{{^x}}no{{/x}}{{/content}}{{/layout}}\n"),
            ("a.css", "/* } */\na:hover { color: rgb(0 0 0 / 4%); content: \"}\" }\n@media (x) { b { c: d; } }\n"),
        ]:
            self.assertEqual(self.problems(name, text), [])

    def test_bad_templates(self):
        for text in [
            "{{#x}}\n", "{{/x}}\n", "{{#x}}{{#y}}{{/x}}{{/y}}\n", "{{{x}}}\n", "{{& x}}\n", "{{> gone}}\n", "{{x}\n", "x}}\n",
            "{{x}}", "x \n",
        ]:
            self.assertNotEqual(self.problems("a.mustache", text), [], text)

    def test_bad_styles(self):
        for text in ["a { b: c;\n", "a b: c; }\n", "a { b }\n", "a { b: (c; }\n", "a { b: \"c; }\n", "/* a\n", "a { b: c; d }\n"]:
            self.assertNotEqual(self.problems("a.css", text), [], text)

    def test_bad_scripts(self):
        if check.shutil.which("esbuild") or check.shutil.which("node"):
            self.assertNotEqual(self.problems("a.js", "function (\n"), [])
            self.assertEqual(self.problems("a.js", "var a = /x/;\n"), [])


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""Puts the archives that check.py has made into one static site, .build-docs/site, which any web server can serve.

HOSTING_BASE_PATH has to be the same for check.py and for this: the path of the site on its server, or nothing for a
server of its own. Needs SWIFT (default: swift) and docc beside it.
"""

import json
import shutil
import subprocess
import sys

from check import CATALOGUES, HOSTING_BASE_PATH, OUTPUT, docc, fail

SITE = OUTPUT / "site"
# The path `/` has no page of DocC's.
REDIRECTION = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>siwa</title><meta http-equiv="refresh" content="0; url=documentation/"></head>
<body><a href="documentation/">The documentation of siwa</a></body>
</html>
"""


def without_guests(archive, guests, folder):
    """A copy of an archive without the modules that its pages name and that have archives of their own."""
    copy = folder / archive.name
    shutil.copytree(archive, copy)
    paths = {f"/documentation/{module.lower()}" for module in guests}
    for path in paths:
        shutil.rmtree(copy / path[1:])
        shutil.rmtree(copy / "data" / path[1:])
        (copy / f"data{path}.json").unlink()
    index = copy / "index/index.json"
    content = json.loads(index.read_text())
    for language, nodes in content["interfaceLanguages"].items():
        content["interfaceLanguages"][language] = [node for node in nodes if node.get("path") not in paths]
    index.write_text(json.dumps(content))
    return copy


def main():
    archives = [OUTPUT / f"{module}.doccarchive" for module in sorted(CATALOGUES)]
    missing = [archive.name for archive in archives if not archive.exists()]
    if missing:
        fail(f"make docs has not made {', '.join(missing)}")
    shutil.rmtree(SITE, ignore_errors=True)
    parts = OUTPUT / "site.parts"
    shutil.rmtree(parts, ignore_errors=True)
    parts.mkdir()
    for number, module in enumerate(sorted(CATALOGUES)):
        if guests := [guest for guest in CATALOGUES[module] if guest in CATALOGUES]:
            archives[number] = without_guests(archives[number], guests, parts)
    answer = subprocess.run(
        [docc(), "merge", *archives, "--synthesized-landing-page-name", "siwa", "--output-path", SITE],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    shutil.rmtree(parts)
    if answer.returncode != 0:
        fail("the archives are not merged", answer.stdout)
    (SITE / "index.html").write_text(REDIRECTION)
    for module in CATALOGUES:
        page = SITE / "documentation" / module.lower() / "index.html"
        if not page.exists():
            fail(f"{module} has no page in the site")
        if HOSTING_BASE_PATH and f'baseUrl = "/{HOSTING_BASE_PATH}/"' not in page.read_text():
            fail(f"{module}: the pages are not made for the path /{HOSTING_BASE_PATH}")
    pages = sum(1 for _ in SITE.rglob("index.html"))
    print(f"{SITE}: {pages} pages. To look at it: {sys.executable} -m http.server --directory {SITE}")


if __name__ == "__main__":
    main()

"""Tests for what is written about the samples: the seeds' page, workflows, and the list of what was built where."""

import re

import pytest
import yaml
from project import ROOT, Project

SEEDS = (ROOT / "Docs" / "seeds.md").read_text()
SECTION = SEEDS.split("## In the sample app\n", 1)[1].split("\n## ", 1)[0]
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in SECTION.splitlines() if line.startswith("| ")][1:]
LINK = re.compile(r"\[[^\]]+\]\(\.\./([^)]+)\)")


def test_each_of_the_five_has_its_steps():
    assert {row[0] for row in ROWS} == {"Juice", "Firebase", "Implement on iOS", "Button tutorial", "SwiftUI guide"}


def steps():
    """Each row with the files that it names. "The same file" is the last one of the row before."""
    before = []
    for document, step, files in ROWS:
        named = LINK.findall(files)
        if files.startswith("the same file"):
            named = [before[-1], *named]
        before = named
        yield pytest.param(named, re.findall(r"`([\w. ]+)`", files), id=f"{document}, {step}")


@pytest.mark.parametrize("files, words", list(steps()))
def test_a_step_names_files_and_words_that_are_there(files, words):
    assert files
    text = "".join((ROOT / file).read_text() for file in files)
    for word in words:
        assert word in text, word


def test_workflows_build_what_is_there():
    workflow = yaml.safe_load((ROOT / ".github" / "workflows" / "juice.yml").read_text())
    built = [each["scheme"] for each in workflow["jobs"]["app"]["strategy"]["matrix"]["include"]]
    schemes = ROOT / "Examples" / "Juice" / "Juice.xcodeproj" / "xcshareddata" / "xcschemes"
    assert set(built) == {path.stem for path in schemes.glob("*.xcscheme")}
    assert "Tests/AppleSDK/Seeds/*.swift" in workflow["jobs"]["snippets"]["steps"][1]["run"]
    assert len(list((ROOT / "Tests" / "AppleSDK" / "Seeds").glob("*.swift"))) == 5
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        for job in yaml.safe_load(path.read_text())["jobs"].values():
            assert job["runs-on"] in ("macos-26", "ubuntu-24.04") and job["steps"], path.name


def test_the_package_index_builds_every_catalogue():
    configs = yaml.safe_load((ROOT / ".spi.yml").read_text())["builder"]["configs"]
    targets = next(each["documentation_targets"] for each in configs if "documentation_targets" in each)
    catalogues = {path.parent.name for path in (ROOT / "Sources").glob("*/*.docc")}
    products = set(re.findall(r"\.library\(name: \"(\w+)\"", (ROOT / "Package.swift").read_text()))
    assert catalogues <= set(targets) <= products


def test_every_sample_is_on_the_page_of_samples():
    page = (ROOT / "Docs" / "juice-apps.md").read_text()
    samples = {path.name for path in (ROOT / "Examples").iterdir() if path.name.lower().startswith("juice")}
    for name in samples:
        assert f"../Examples/{name}/README.md" in page, name
    for target in Project(ROOT / "Examples" / "Juice").targets:
        if not target["name"].endswith("Tests"):
            assert f"target {target['name']}" in page, target["name"]

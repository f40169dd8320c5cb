"""Tests for what is written about the samples: the seeds' page, workflows, and the list of what was built where."""

import json
import plistlib
import re
import textwrap

import pytest
import yaml
from project import ROOT, Project, variables

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
    assert any("Tests/AppleSDK/Seeds/*.swift" in each.get("run", "") for each in workflow["jobs"]["snippets"]["steps"])
    assert len(list((ROOT / "Tests" / "AppleSDK" / "Seeds").glob("*.swift"))) == 5
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        for job in yaml.safe_load(path.read_text())["jobs"].values():
            assert job["runs-on"] in ("macos-26", "ubuntu-24.04") and job["steps"], path.name


def test_workflows_on_a_mac_look_at_the_version_of_xcode():
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        assert "Xcode_" not in path.read_text(), f"{path.name}: runners drop old versions of Xcode"
        for name, job in yaml.safe_load(path.read_text())["jobs"].items():
            if job["runs-on"].startswith("macos"):
                assert any("xcodebuild -version" in each.get("run", "") for each in job["steps"]), f"{path.name}, {name}"


def test_the_readme_names_each_app_that_saves_passwords_to_the_host():
    folder = ROOT / "Examples" / "Juice"
    project = Project(folder)
    own = variables(folder / "Config" / "Local.xcconfig.example")
    apps = set()
    for target in project.targets:
        settings = project.settings(target)["Release"]
        entitlements = settings.get("CODE_SIGN_ENTITLEMENTS")
        claims = plistlib.loads((folder / entitlements).read_bytes()) if entitlements else {}
        if any(each.startswith("webcredentials:") for each in claims.get("com.apple.developer.associated-domains", [])):
            identifier = settings["PRODUCT_BUNDLE_IDENTIFIER"].replace("$(JUICE_BUNDLE_ID)", own["JUICE_BUNDLE_ID"])
            apps.add(f"{own['JUICE_TEAM']}.{identifier}")
    block = re.search(r"^ *```json\n(.*?)^ *```$", (folder / "README.md").read_text(), re.MULTILINE | re.DOTALL)[1]
    file = json.loads(textwrap.dedent(block))
    assert set(file["webcredentials"]["apps"]) == apps
    assert {app for each in file["applinks"]["details"] for app in each["appIDs"]} <= apps


def test_the_package_index_builds_every_catalogue():
    configs = yaml.safe_load((ROOT / ".spi.yml").read_text())["builder"]["configs"]
    targets = next(each["documentation_targets"] for each in configs if "documentation_targets" in each)
    catalogues = {path.parent.name for path in (ROOT / "Sources").glob("*/*.docc")}
    products = set(re.findall(r"\.library\(name: \"(\w+)\"", (ROOT / "Package.swift").read_text()))
    assert catalogues <= set(targets) <= products
    assert len(targets) == len(set(targets))


def test_every_sample_is_on_the_page_of_samples():
    page = (ROOT / "Docs" / "juice-apps.md").read_text()
    samples = {path.name for path in (ROOT / "Examples").iterdir() if path.name.lower().startswith("juice")}
    for name in samples:
        assert f"../Examples/{name}/README.md" in page, name
    for target in Project(ROOT / "Examples" / "Juice").targets:
        if not target["name"].endswith("Tests"):
            assert f"target {target['name']}" in page, target["name"]

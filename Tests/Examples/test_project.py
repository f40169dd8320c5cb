"""Tests for the Xcode project of Examples/Juice, and for its check."""

import shutil

import pytest
from project import ROOT, problems

JUICE = ROOT / "Examples" / "Juice"


def test_the_project_has_all_that_xcode_asks_for():
    assert problems(JUICE) == []


@pytest.fixture
def copy(tmp_path):
    """A copy of the sample app at the same depth below a package."""
    shutil.copy(ROOT / "Package.swift", tmp_path / "Package.swift")
    return shutil.copytree(JUICE, tmp_path / "Examples" / "Juice")


def change(path, before, after):
    text = path.read_text()
    assert before in text
    path.write_text(text.replace(before, after))


def test_a_file_that_is_named_and_gone_is_found(copy):
    (copy / "Config" / "Juice.xcconfig").unlink()
    assert problems(copy) == ["there is no file Config/Juice.xcconfig"]


def test_a_target_without_sources_is_found(copy):
    for path in [*(copy / "JuiceUpgrade").iterdir(), *(copy / "Shared").iterdir()]:
        path.unlink()
    assert "JuiceUpgrade has no sources" in problems(copy)


def test_a_reference_to_nothing_is_found(copy):
    change(copy / "Juice.xcodeproj" / "project.pbxproj", "productRefGroup = 4A55", "productRefGroup = FFFF")
    assert problems(copy)[0].startswith("PBXProject ")


def test_an_older_format_is_found(copy):
    change(copy / "Juice.xcodeproj" / "project.pbxproj", "objectVersion = 77", "objectVersion = 56")
    assert problems(copy)[0].startswith("objectVersion is 56")


def test_a_module_that_is_not_linked_is_found(copy):
    (copy / "JuiceUIKit" / "Probe.swift").write_text("import AuthenticationServicesTesting\n")
    assert problems(copy) == ["JuiceUIKit imports AuthenticationServicesTesting and does not link it"]


def test_two_files_of_one_name_in_a_target_are_found(copy):
    (copy / "Juice" / "WebSignIn.swift").write_text("")
    assert "Juice has two files WebSignIn.swift, which Swift does not take" in problems(copy)


def test_an_address_that_a_comment_cuts_is_found(copy):
    change(copy / "Config" / "Juice.xcconfig", "https:/$()/localhost:4000", "https://localhost:4000")
    assert problems(copy) == ["Juice.xcconfig: JUICE_BACKEND is `https:`; write $() between the two slashes"]


def test_a_class_that_a_property_list_names_and_nobody_has_is_found(copy):
    change(copy / "Config" / "JuiceUIKit-Info.plist", ".SceneDelegate", ".WindowDelegate")
    assert problems(copy) == ["Config/JuiceUIKit-Info.plist names the class WindowDelegate, which JuiceUIKit does not have"]


def test_traits_are_named_as_none(copy):
    change(copy / "Juice.xcodeproj" / "project.pbxproj", "\t\t\ttraits = (\n\t\t\t);\n", "")
    assert problems(copy) == ["the package has traits: an app needs none, and no trait key means the default ones"]


def test_a_scheme_of_another_target_is_found(copy):
    scheme = copy / "Juice.xcodeproj" / "xcshareddata" / "xcschemes" / "JuiceUIKit.xcscheme"
    change(scheme, 'BlueprintName = "JuiceUIKit"', 'BlueprintName = "Juice"')
    assert any(problem.startswith("JuiceUIKit.xcscheme names Juice") for problem in problems(copy))


def test_a_mac_app_that_is_signed_to_run_locally_is_found(copy):
    change(copy / "Config" / "Juice.xcconfig", "CODE_SIGN_IDENTITY[sdk=macosx*] = Apple Development\n", "")
    assert problems(copy) == [
        f"Juice is signed as None for macOS in {name}, and not as Apple Development" for name in ("Debug", "Release")]


def test_tests_that_need_a_team_on_a_mac_are_found(copy):
    project = copy / "Juice.xcodeproj" / "project.pbxproj"
    change(project, '\t\t\t\t"CODE_SIGN_IDENTITY[sdk=macosx*]" = "-";\n', "")
    scheme = copy / "Juice.xcodeproj" / "xcshareddata" / "xcschemes" / "Juice.xcscheme"
    change(scheme, 'buildForTesting = "NO"', 'buildForTesting = "YES"')
    assert problems(copy) == [
        "JuiceTests is signed as Apple Development for macOS in Debug, and not as -",
        "JuiceTests is signed as Apple Development for macOS in Release, and not as -",
        "Juice.xcscheme builds the app for tests that have no host"]


def test_a_version_that_xcode_does_not_write_is_found(copy):
    change(copy / "Juice.xcodeproj" / "project.pbxproj", "LastSwiftUpdateCheck = 2640", "LastSwiftUpdateCheck = 26.4")
    assert problems(copy) == ["LastSwiftUpdateCheck is 26.4; Xcode writes 2640 for 26.4"]

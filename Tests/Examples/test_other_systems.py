"""Tests for the samples that nobody can build here: what their files say of each other, and of the account service."""

import re
import xml.etree.ElementTree as ElementTree

import pytest
from project import ROOT

ANDROID = ROOT / "Examples" / "juice-android"
MAIN = ANDROID / "app" / "src" / "main"
ATTRIBUTE = "{http://schemas.android.com/apk/res/android}"
KOTLIN = "\n".join(path.read_text() for path in sorted(MAIN.rglob("*.kt")))
GRADLE = (ANDROID / "app" / "build.gradle.kts").read_text()
SAMPLES = {
    "juice-android": KOTLIN,
    "juice-web": (ROOT / "Examples" / "juice-web" / "juice_web.py").read_text(),
    "juice-windows": (ROOT / "Examples" / "juice-windows" / "Program.cs").read_text(),
}


@pytest.fixture
def manifest():
    return ElementTree.parse(MAIN / "AndroidManifest.xml").getroot()


def test_the_activity_of_the_manifest_is_there(manifest):
    namespace = re.search(r'namespace = "([\w.]+)"', GRADLE)[1]
    activities = [each.get(ATTRIBUTE + "name") for each in manifest.iter("activity")]
    assert activities == [".MainActivity"]
    source = MAIN / "java" / namespace.replace(".", "/") / "MainActivity.kt"
    assert source.read_text().startswith(f"package {namespace}\n")


def test_the_app_link_is_the_return_target(manifest):
    link = next(each for each in manifest.iter("data"))
    target = re.search(r'"RETURN_TARGET", "\\"https://\$\{setting\("juice.host"\)\}(/[\w-]+)\\""', GRADLE)
    assert target and link.get(ATTRIBUTE + "path") == target[1]
    assert link.get(ATTRIBUTE + "scheme") == "https"
    placeholder = re.fullmatch(r"\$\{(\w+)\}", link.get(ATTRIBUTE + "host"))[1]
    assert f'manifestPlaceholders["{placeholder}"] = setting("juice.host")' in GRADLE
    filters = [each for each in manifest.iter("intent-filter") if each.find("data") is not None]
    assert [each.get(ATTRIBUTE + "autoVerify") for each in filters] == ["true"], "other apps could take the handle"
    assert (ANDROID / "README.md").read_text().count(f'accounts.example.com{target[1]}"]') == 1


def test_texts_and_settings_are_all_there():
    texts = {each.get("name") for each in ElementTree.parse(MAIN / "res" / "values" / "strings.xml").getroot()}
    used = set(re.findall(r"R\.string\.(\w+)", KOTLIN))
    used |= set(re.findall(r"@string/(\w+)", (MAIN / "AndroidManifest.xml").read_text()))
    assert used == texts
    fields = set(re.findall(r'buildConfigField\("String", "(\w+)"', GRADLE))
    assert set(re.findall(r"BuildConfig\.(\w+)", KOTLIN)) == fields
    properties = (ANDROID / "gradle.properties").read_text()
    for name in set(re.findall(r'setting\("([\w.]+)"\)', GRADLE)):
        assert re.search(rf"^{re.escape(name)}=\S+$", properties, re.MULTILINE), name


def test_the_theme_is_no_newer_than_the_oldest_android(manifest):
    theme = manifest.find("application").get(ATTRIBUTE + "theme")
    oldest = int(re.search(r"minSdk = (\d+)", GRADLE)[1])
    assert theme == "@android:style/Theme.DeviceDefault.DayNight" and oldest >= 29


def test_gradle_and_the_system_fit_the_plugin():
    # https://developer.android.com/build/releases/agp-8-13-0-release-notes
    plugin = re.search(r'id\("com.android.application"\) version "([\d.]+)"', (ANDROID / "build.gradle.kts").read_text())[1]
    assert plugin.startswith("8.13.")
    wrapper = (ANDROID / "gradle" / "wrapper" / "gradle-wrapper.properties").read_text()
    assert re.search(r"gradle-([\d.]+)-bin\.zip", wrapper)[1] == "8.13"
    assert re.search(r"compileSdk = (\d+)", GRADLE)[1] == "36"
    # Android Studio brings one JDK, and Gradle looks for no other without a plugin.
    assert "jvmToolchain" not in GRADLE


@pytest.mark.parametrize("name", SAMPLES)
def test_each_call_is_a_call_of_the_account_service(name):
    routes = (ROOT / "Docs" / "routes.md").read_text()
    calls = set(re.findall(r'"(/v1/[\w/-]+)"', SAMPLES[name]))
    assert {"/v1/authorizations", "/v1/authorizations/redeem", "/v1/sign-in/apple"} <= calls
    for call in calls:
        assert f"`{call}`" in routes, call


@pytest.mark.parametrize("name", SAMPLES)
def test_each_member_is_a_member_of_the_request(name):
    requests = "".join(
        (ROOT / "Sources" / "AccountAPI" / path).read_text()
        for path in ("Authorizations/AuthorizationRequests.swift", "SignIn/SignInBodies.swift"))
    sent = {"app", "codeChallenge", "scope", "nonce", "codeVerifier", "identityToken", "authorizationCode", "fullName"}
    for member in sent:
        assert f'"{member}"' in SAMPLES[name], f"{name} does not send {member}"
        assert re.search(rf"var {member}: ", requests), f"there is no member {member}"

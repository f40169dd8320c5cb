"""What Xcode would not open or build of Examples/Juice, as far as the files themselves can tell.

`problems(folder)` reads the project file, its schemes, settings, property lists and sources. It needs the package pbxproj.
"""

import plistlib
import re
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from pbxproj import XcodeProject

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests" / "AppleSDK"))
from examples import EXAMPLES  # noqa: E402

IDENTIFIER = re.compile(r"^[0-9A-F]{24}$")
VARIABLE = re.compile(r"\$\((\w+)\)")
# Variables that Xcode sets itself.
XCODE = {"TARGET_NAME", "inherited", "PRODUCT_MODULE_NAME"}
# SDKs by the system that they are for.
SYSTEMS = {"iphoneos": "iOS", "macosx": "macOS"}
UPGRADES = "com.apple.authentication-services-account-authentication-modification-ui"


def plain(value):
    """A value of the project file as lists, dictionaries and texts."""
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    keys = value.get_keys() if hasattr(value, "get_keys") else None
    if keys is not None:
        return {str(key).split(" /*")[0]: plain(value[key]) for key in keys}
    return str(value).split(" /*")[0] if re.match(r"^[0-9A-F]{24} /\*", str(value)) else str(value)


class Project:
    """The objects of a project file by their ids, with the ways through them."""

    def __init__(self, folder):
        self.folder = Path(folder)
        file = XcodeProject.load(str(self.folder / "Juice.xcodeproj" / "project.pbxproj"))
        self.version = str(file.objectVersion)
        self.objects = {
            str(each.get_id()): plain(each) for section in file.objects.get_sections()
            for each in file.objects.get_objects_in_section(section)}
        self.root = self.objects[str(file.rootObject).split(" /*")[0]]
        self.targets = [{"id": each, **self.objects[each]} for each in self.root["targets"]]

    def each(self, isa):
        return [each for each in self.objects.values() if each["isa"] == isa]

    def folders(self, target):
        """The folders of sources of a target."""
        return [self.objects[each]["path"] for each in target["fileSystemSynchronizedGroups"]]

    def sources(self, target):
        return sorted(path for folder in self.folders(target) for path in (self.folder / folder).rglob("*.swift"))

    def products(self, target):
        """The products of packages that a target names, and those that it links."""
        named = [self.objects[each]["productName"] for each in target["packageProductDependencies"]]
        phases = [self.objects[each] for each in target["buildPhases"]]
        linked = [
            self.objects[self.objects[file]["productRef"]]["productName"]
            for phase in phases if phase["isa"] == "PBXFrameworksBuildPhase" for file in phase["files"]]
        return named, linked

    def settings(self, target):
        """The settings of each configuration of a target, on top of the project's."""
        ours, theirs = (self.configurations(each) for each in (self.root, target))
        return {name: {**ours[name], **theirs[name]} for name in theirs}

    def configurations(self, owner):
        names = self.objects[owner["buildConfigurationList"]]["buildConfigurations"]
        return {self.objects[each]["name"]: self.objects[each]["buildSettings"] for each in names}


def texts(value):
    """All texts in a property list or a part of the project file."""
    if isinstance(value, dict):
        return [text for each in value.items() for text in texts(list(each))]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    return [value] if isinstance(value, str) else []


def variables(path):
    """The settings of an xcconfig file, those for one SDK too. Two slashes begin a comment there, even in an address."""
    found = {}
    for line in path.read_text().splitlines():
        match = re.match(r"^(\w+(?:\[[\w=*]+\])?) *=(.*)$", line.split("//")[0])
        if match:
            found[match[1]] = match[2].strip()
    return found


def structure(project):
    """Whether the file holds together: its version, references, files and folders."""
    if project.version != "77":
        yield f"objectVersion is {project.version}: with 77, Xcode reads groups that follow their folders"
    for identifier, each in project.objects.items():
        for text in texts(each):
            if IDENTIFIER.match(text) and text not in project.objects:
                yield f"{each['isa']} {identifier} names {text}, which is not there"
    config = {
        child: project.objects[group].get("path", "") for group, each in project.objects.items()
        if each["isa"] == "PBXGroup" for child in each["children"]}
    for identifier, each in project.objects.items():
        if each["isa"] == "PBXFileReference" and each["sourceTree"] != "BUILT_PRODUCTS_DIR":
            path = Path(config.get(identifier, "")) / each["path"]
            if not (project.folder / path).is_file():
                yield f"there is no file {path}"
        if each["isa"] == "PBXFileSystemSynchronizedRootGroup" and not (project.folder / each["path"]).is_dir():
            yield f"there is no folder {each['path']}"


def target(project, each):
    """Whether a target has what it needs."""
    name, sources = each["name"], project.sources(each)
    if not sources:
        yield f"{name} has no sources"
    names = [path.name for path in sources]
    for double in sorted({one for one in names if names.count(one) > 1}):
        yield f"{name} has two files {double}, which Swift does not take"
    named, linked = project.products(each)
    if named != linked:
        yield f"{name} names {named} and links {linked}"
    text = "\n".join(path.read_text() for path in sources)
    for module in ("AccountClient", "AuthenticationServicesTesting", "JuiceScreens"):
        if re.search(rf"^import {module}$", text, re.MULTILINE) and module not in named:
            yield f"{name} imports {module} and does not link it"
    is_app = each["productType"] == "com.apple.product-type.application"
    if len(re.findall(r"^@main$", text, re.MULTILINE)) != (1 if is_app else 0):
        yield f"{name} should have {'one' if is_app else 'no'} @main"
    expected = next((one for one in EXAMPLES if one.name == name), None)
    if expected is None or tuple(project.folders(each)) != expected.folders:
        yield f"{name} has other folders than Tests/AppleSDK/examples.py checks"
    for configuration, settings in project.settings(each).items():
        platforms = settings["SUPPORTED_PLATFORMS"].split()
        systems = tuple(SYSTEMS[platform] for platform in platforms if platform in SYSTEMS)
        if expected is not None and systems != expected.systems:
            yield f"{name} is for {systems} in {configuration}; Tests/AppleSDK/examples.py checks {expected.systems}"
        yield from files(project, name, settings, text)


def files(project, name, settings, text):
    """Whether the property lists that the settings name can be read, and name only what is there."""
    known = variables(project.folder / "Config" / "Juice.xcconfig")
    for key, value in settings.items():
        for variable in VARIABLE.findall(value):
            if variable not in known and variable not in XCODE:
                yield f"{name}: {key} uses $({variable}), which Juice.xcconfig does not set"
        if key.split("[")[0] not in ("INFOPLIST_FILE", "CODE_SIGN_ENTITLEMENTS"):
            continue
        path = project.folder / value
        if not path.is_file():
            yield f"{name}: {key} names {value}, which is not there"
            continue
        content = plistlib.loads(path.read_bytes())
        for variable in VARIABLE.findall("\n".join(texts(content))):
            if variable not in known and variable not in XCODE:
                yield f"{value} uses $({variable}), which Juice.xcconfig does not set"
        for named in re.findall(r"\$\(PRODUCT_MODULE_NAME\)\.(\w+)", "\n".join(texts(content))):
            if not re.search(rf"\bclass {named}\b", text):
                yield f"{value} names the class {named}, which {name} does not have"


def package(project):
    """Whether the package of the project is this one, without traits, and has the products."""
    references = project.each("XCLocalSwiftPackageReference")
    if len(references) != 1:
        yield f"the project has {len(references)} local packages, and not one"
        return
    folder = (project.folder / references[0]["relativePath"]).resolve()
    if not (folder / "Package.swift").is_file():
        yield f"there is no package in {references[0]['relativePath']}"
        return
    if references[0].get("traits") != []:
        yield "the package has traits: an app needs none, and no trait key means the default ones"
    products = set(re.findall(r"\.library\(name: \"(\w+)\"", (folder / "Package.swift").read_text()))
    for each in project.each("XCSwiftPackageProductDependency"):
        if each["productName"] not in products:
            yield f"the package has no product {each['productName']}"


def extension(project):
    """Whether the extension is in the iOS app, under an identifier that the system takes."""
    upgrade = next(each for each in project.targets if each["productType"].endswith("app-extension"))
    identifier = project.settings(upgrade)["Release"]["PRODUCT_BUNDLE_IDENTIFIER"]
    info = plistlib.loads((project.folder / project.settings(upgrade)["Release"]["INFOPLIST_FILE"]).read_bytes())
    if info["NSExtension"]["NSExtensionPointIdentifier"] != UPGRADES:
        yield f"the extension is for {info['NSExtension']['NSExtensionPointIdentifier']}"
    hosts = []
    for each in project.targets:
        phases = [project.objects[phase] for phase in each["buildPhases"]]
        embedded = [
            project.objects[file] for phase in phases if phase["isa"] == "PBXCopyFilesBuildPhase" for file in phase["files"]]
        if any(file["fileRef"] == upgrade["productReference"] for file in embedded):
            hosts.append(each)
            if any(file.get("platformFilter") != "ios" for file in embedded):
                yield f"{each['name']} embeds the extension on other systems than iOS"
            own = project.settings(each)["Release"]["PRODUCT_BUNDLE_IDENTIFIER"]
            if not identifier.startswith(own + "."):
                yield f"the extension's id {identifier} does not begin with {own}."
            if upgrade["id"] not in [project.objects[one]["target"] for one in each["dependencies"]]:
                yield f"{each['name']} embeds the extension and does not depend on it"
    if len(hosts) != 1:
        yield f"{len(hosts)} apps embed the extension, and not one"


def signing(project):
    """Whether a Mac's program that claims something of Apple is signed with a certificate, and any other one needs no team."""
    base = variables(project.folder / "Config" / "Juice.xcconfig")
    for each in project.targets:
        for configuration, settings in project.settings(each).items():
            if "macosx" not in settings["SUPPORTED_PLATFORMS"].split():
                continue
            identity = {**base, **settings}.get("CODE_SIGN_IDENTITY[sdk=macosx*]")
            expected = "Apple Development" if "CODE_SIGN_ENTITLEMENTS" in settings else "-"
            if identity != expected:
                yield f"{each['name']} is signed as {identity} for macOS in {configuration}, and not as {expected}"


def tools(project):
    """Whether the versions of Xcode stand in the form that Xcode writes, 2640 for 26.4."""
    found = {key: project.root["attributes"][key] for key in ("LastSwiftUpdateCheck", "LastUpgradeCheck")}
    for path in sorted((project.folder / "Juice.xcodeproj" / "xcshareddata" / "xcschemes").glob("*.xcscheme")):
        found[path.name] = ElementTree.parse(path).getroot().get("LastUpgradeVersion")
    for name, text in found.items():
        if not re.match(r"^\d{4}$", text):
            yield f"{name} is {text}; Xcode writes 2640 for 26.4"


def schemes(project):
    """Whether each scheme names targets of the project, and each app has one."""
    ids = {each["id"]: each["name"] for each in project.targets}
    found = set()
    for path in sorted((project.folder / "Juice.xcodeproj" / "xcshareddata" / "xcschemes").glob("*.xcscheme")):
        for each in ElementTree.parse(path).iter("BuildableReference"):
            found.add(each.get("BlueprintName"))
            if ids.get(each.get("BlueprintIdentifier")) != each.get("BlueprintName"):
                yield f"{path.name} names {each.get('BlueprintName')} by an id that is another target's, or nobody's"
    for each in project.targets:
        if not each["productType"].endswith("app-extension") and each["name"] not in found:
            yield f"{each['name']} is in no scheme"
    yield from tested(project)


def tested(project):
    """Whether tests without a host app can run where the app can't be signed: the app must not be built for them."""
    hosted = any("TEST_HOST" in settings for each in project.targets for settings in project.settings(each).values())
    for path in sorted((project.folder / "Juice.xcodeproj" / "xcshareddata" / "xcschemes").glob("*.xcscheme")):
        scheme = ElementTree.parse(path).getroot()
        if not hosted and scheme.find("TestAction/Testables/TestableReference") is not None:
            for entry in scheme.iter("BuildActionEntry"):
                if entry.get("buildForTesting") == "YES":
                    yield f"{path.name} builds the app for tests that have no host"


def settings(project):
    """Whether the addresses in the settings are whole, and the app finds its own."""
    for name in ("Juice.xcconfig", "Local.xcconfig.example"):
        address = variables(project.folder / "Config" / name)["JUICE_BACKEND"].replace("$()", "")
        if not re.match(r"^https?://[\w.:-]+$", address):
            yield f"{name}: JUICE_BACKEND is `{address}`; write $() between the two slashes"
    for each in project.targets:
        path = project.settings(each)["Release"].get("INFOPLIST_FILE")
        info = plistlib.loads((project.folder / path).read_bytes()) if path else {"JuiceBackend": "$(JUICE_BACKEND)"}
        if info.get("JuiceBackend") != "$(JUICE_BACKEND)":
            yield f"{path} has no JuiceBackend"


def problems(folder):
    """All that is wrong, in sentences."""
    project = Project(folder)
    found = list(structure(project))
    if found:
        # The rest follows references.
        return found
    for each in project.targets:
        found += target(project, each)
    return [*dict.fromkeys([*found, *package(project), *extension(project), *signing(project), *tools(project), *schemes(project),
        *settings(project)])]

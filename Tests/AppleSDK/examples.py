"""The targets of Examples/Juice/Juice.xcodeproj, as far as they can be checked without Xcode.

A target's sources are the folders that the project gives it. Each is checked as a program of its own for each system that it is
for, against the stand-ins and against our own modules. The checks of the project file are in Tests/Examples.
"""

from dataclasses import dataclass
from pathlib import Path

from compiler import Unit

FOLDER = Path(__file__).resolve().parents[2] / "Examples" / "Juice"
# The modules of ours that the project's package products bring.
PRODUCTS = ["AccountClient", "AuthenticationServicesTesting", "JuiceScreens"]


@dataclass(frozen=True)
class Example:
    """A target: its name, its folders of sources, and its systems. The project's deployment targets are those of our tests."""
    name: str
    folders: tuple
    systems: tuple = ("iOS",)


EXAMPLES = [
    Example("Juice", ("Juice", "Shared"), ("iOS", "macOS")),
    Example("JuiceUIKit", ("JuiceUIKit", "Shared")),
    Example("JuiceUpgrade", ("JuiceUpgrade", "Shared")),
    Example("JuiceTests", ("JuiceTests", "Shared"), ("iOS", "macOS")),
]


def units(system, apple, own, targets):
    """A unit for each target of the system.

    apple, own -- the system's stand-ins, and our modules.
    targets -- our targets as SwiftPM compiles them, for the arguments that find other packages' modules.
    """
    modules = [*targets["JuiceScreens"].search, *targets["CryptoKit"].search]
    found = {}
    for example in EXAMPLES:
        if system.name in example.systems:
            paths = sorted(path for folder in example.folders for path in (FOLDER / folder).rglob("*.swift"))
            imports = [unit for name, unit in apple.items() if name != "Darwin"]
            imports += [own[name] for name in PRODUCTS]
            found[example.name] = Unit(
                f"Example{example.name}", paths, system, ["-swift-version", "6", *modules], imports, modules)
    return found

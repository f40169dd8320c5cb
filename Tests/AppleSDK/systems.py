"""Apple's systems, as far as a conditional compilation asks about them."""

from dataclasses import dataclass

# Modules that each of Apple's systems has, among those that our sources ask for with `canImport`.
EVERYWHERE = {
    "AuthenticationServices", "Combine", "CryptoKit", "Darwin", "Dispatch", "Foundation", "ObjectiveC", "Security", "SwiftUI",
    "Synchronization", "os",
}

# Modules of other systems, which none of Apple's has.
ELSEWHERE = {
    "Android", "Bionic", "CRT", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Glibc", "Musl", "Nothing", "WASILibc",
    "WinSDK", "ucrt",
}


@dataclass(frozen=True)
class System:
    name: str
    # The oldest version that the manifest declares.
    floor: tuple
    # The oldest version with SIWA_TESTS=1, for tests.
    tests_floor: tuple
    modules: frozenset

    def imports(self, module):
        """Whether `canImport(module)` is true. A name that is in neither list is a mistake of this table or of the source."""
        if module in self.modules:
            return True
        if module in ELSEWHERE or any(module in other.modules for other in SYSTEMS):
            return False
        raise KeyError(module)


def system(name, floor, tests_floor, *modules):
    return System(name, floor, tests_floor, frozenset(EVERYWHERE | set(modules)))


SYSTEMS = [
    system("iOS", (16, 0), (18, 0), "UIKit"),
    system("macOS", (13, 0), (15, 0), "AppKit"),
    system("tvOS", (16, 0), (18, 0), "UIKit"),
    system("watchOS", (9, 0), (11, 0), "UIKit", "WatchKit"),
    system("visionOS", (1, 0), (2, 0), "UIKit"),
]


def version(text):
    """`16.4` as (16, 4), which compares as versions do."""
    parts = [int(part) for part in str(text).split(".")]
    return tuple((parts + [0, 0])[:2])

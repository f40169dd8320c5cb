"""Guards without which a target would not compile on one of Apple's systems. Each is taken away, to see that the check finds it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Guard:
    target: str
    # The end of the file's path.
    file: str
    # The text with the guard, and the text without it.
    text: str
    bare: str
    system: str
    # The finding that the check has to report.
    finding: str


CANCEL = """                #if !os(watchOS)
                    // An older Apple TV keeps its sheet until the person closes it.
                    if #available(tvOS 18.0, *) { controller.cancel() }
                #endif
"""

GUARDS = [
    Guard(
        "AccountClient", "SignIn/SystemAuthorization.swift", CANCEL, CANCEL.replace("if #available(tvOS 18.0, *) ", "do "),
        "tvOS", "cancel: tvOS has it since 18.0, the code expects 16.0"),
    Guard(
        "AccountClient", "SignIn/SystemAuthorization.swift", CANCEL, CANCEL.replace("#if !os(watchOS)", "#if canImport(Darwin)"),
        "watchOS", "cancel: watchOS does not have it"),
    Guard(
        "AccountClient", "Views/AccountSignInControl.swift", "#elseif canImport(UIKit) && !os(watchOS)", "#elseif canImport(UIKit)",
        "watchOS", "does not compile on watchOS"),
    Guard(
        "AccountClient", "Views/AccountSignInControl.swift", "unsafe window", "window", "macOS", "does not compile on macOS"),
    Guard(
        "AccountClient", "Views/AccountSignInControl.swift", "            @available(visionOS, deprecated: 1.0)\n", "\n", "visionOS",
        "traitCollectionDidChange: deprecated on visionOS since 1.0"),
    Guard(
        "TaskSignals", "Lock.swift", "#if canImport(Darwin)", "#if canImport(Nothing)",
        "iOS", "Synchronization.Mutex: iOS has it since 18.0, the code expects 16.0"),
]

"""Compiles the loopback listener's sockets for Windows against a stand-in of Winsock, and runs them.

Usage: python3 Tests/WinSDK/check.py

The code was never built on Windows. This check shows that it compiles with the types that Swift sees there, and that
its logic works where Winsock does what its documentation says. On another system than Linux it does nothing.

Needs SWIFT (default: swift). Standard library alone.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parents[1] / "Sources/OpenAuthenticationServices/Flow/Loopback"
SOCKETS = [SOURCES / "LoopbackSocket.swift", SOURCES / "LoopbackSocket+Windows.swift", SOURCES / "LoopbackSocket+POSIX.swift"]
SWIFTC = os.environ.get("SWIFT", "swift") + "c"
# As in Package.swift.
FEATURES = [
    "ExistentialAny", "ImmutableWeakCaptures", "InferIsolatedConformances", "InternalImportsByDefault",
    "MemberImportVisibility", "NonisolatedNonsendingByDefault",
]


def run(*command, cwd):
    # The conversation waits five seconds at most for anything; a socket that blocks would wait for ever.
    answer = subprocess.run(
        [*map(str, command)], cwd=cwd, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    if answer.returncode != 0:
        print(answer.stdout.rstrip())
        print(f"error: the sockets for Windows: {command[0]} ended with {answer.returncode}")
        sys.exit(1)
    return answer.stdout


def main():
    if not sys.platform.startswith("linux"):
        return
    features = [word for feature in FEATURES for word in ("-enable-upcoming-feature", feature)]
    with tempfile.TemporaryDirectory() as folder:
        # The stand-in is one module, as on Windows, so that `canImport(WinSDK)` is true for the sockets.
        run(SWIFTC, "-swift-version", "5", "-parse-as-library", "-module-name", "WinSDK", "-emit-module",
            "-emit-library", "-static", "-o", "libWinSDK.a", HERE / "WinSDK.swift", cwd=folder)
        # The project's settings count for the sockets. The conversation is a test with pointers of its own.
        run(SWIFTC, "-typecheck", "-swift-version", "6", "-warnings-as-errors", "-strict-memory-safety", *features,
            "-module-name", "Sockets", "-I", ".", *SOCKETS, cwd=folder)
        run(SWIFTC, "-swift-version", "6", "-parse-as-library", "-module-name", "Sockets", "-I", ".", "-L", ".",
            "-lWinSDK", "-o", "conversation", *SOCKETS, HERE / "Conversation.swift", cwd=folder)
        print(run("./conversation", cwd=folder), end="")


if __name__ == "__main__":
    main()

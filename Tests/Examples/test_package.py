"""Tests for the manifest of the package as Xcode and others take it in. Needs SWIFT (default: swift)."""

import os
import shutil
import subprocess

import pytest
from project import ROOT


@pytest.mark.parametrize("folder, strict", [("work/siwa", True), ("SourcePackages/checkouts/siwa", False)])
def test_only_siwa_itself_treats_warnings_as_errors(tmp_path, folder, strict):
    """Xcode switches the warnings of a dependency off, and refuses a package that makes errors of them, too."""
    package = tmp_path / folder
    package.mkdir(parents=True)
    shutil.copy(ROOT / "Package.swift", package / "Package.swift")
    described = subprocess.run(
        [os.environ.get("SWIFT", "swift"), "package", "--package-path", package, "dump-package"],
        stdout=subprocess.PIPE, text=True, check=True).stdout
    assert ("treatAllWarnings" in described) == strict
    assert "NonisolatedNonsendingByDefault" in described

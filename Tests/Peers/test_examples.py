"""The examples of Docs/emulator-in-tests.md are in files that run."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import urllib.request

import pytest
import yaml

HERE = pathlib.Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "Docs" / "emulator-in-tests.md"


@pytest.fixture
def environment(tmp_path):
    """The environment, with `siwa` found by its name."""
    tools = tmp_path / "bin"
    tools.mkdir()
    (tools / "siwa").symlink_to(shutil.which(os.environ.get("SIWA", "siwa")))
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}


def shown():
    blocks = re.findall(r"<!-- (\S+) -->\n```\w*\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert blocks
    return blocks


@pytest.mark.parametrize("path, text", shown(), ids=[path for path, _ in shown()])
def test_the_page_shows_the_file(path, text):
    assert text == (HERE.parents[1] / path).read_text()


def test_the_shell_script_signs_in(environment):
    result = subprocess.run(
        [HERE / "examples" / "sign-in.sh"], env=environment, capture_output=True, text=True, timeout=60)
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.endswith("the name came twice\n")


def test_the_job_starts_an_emulator_for_its_later_steps(environment, tmp_path):
    steps = yaml.safe_load((HERE / "examples" / "ci.yml").read_text())["jobs"]["tests"]["steps"]
    step = next(step for step in steps if "siwa emulate" in step.get("run", ""))
    variables = tmp_path / "variables"
    environment |= {"RUNNER_TEMP": str(tmp_path), "GITHUB_ENV": str(variables)}
    # The shell ends and the emulator stays, as in a job: both are of one session, by which it is ended here.
    shell = subprocess.Popen(
        ["bash", "-e", "-c", step["run"]], env=environment, start_new_session=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        assert shell.wait(60) == 0
        url = re.fullmatch(r"APPLE_URL=(\S+)\n", variables.read_text())[1]
        with urllib.request.urlopen(f"{url}/auth/keys", timeout=10) as answer:
            assert answer.status == 200
    finally:
        os.killpg(shell.pid, signal.SIGTERM)

"""Both OpenAPI files make clients that compile, in three languages, and two of the clients sign a person in and out.

openapi-generator makes Python, Go and TypeScript; openapi-python-client makes Python alone. Two things are not checked:
that the Go client runs, and that the TypeScript client runs.
"""

import compileall
import importlib
import json
import os
import pathlib
import pkgutil
import subprocess
import sys

import pytest

from documented import EMULATOR, SERVICE

PROGRAMS = pathlib.Path(sys.executable).parent
TOOLS = pathlib.Path(__file__).resolve().parents[2] / ".build-tools"
FILES = {"siwa_service": SERVICE, "siwa_emulator": EMULATOR}

# The one package that Go's clients import. It checks struct tags, which these clients do not have, and Go's packages
# are nothing that `make` installs: this has its form.
VALIDATOR = "package validator\n\nfunc Validate(value any) error { return nil }\n"
# Debian's TypeScript is older than the generator's code expects: with `noImplicitAny` it does not understand `in`.
TYPES = {"compilerOptions": {
    "target": "es2020", "module": "esnext", "moduleResolution": "node", "lib": ["es2020", "dom"], "strict": True,
    "noImplicitAny": False, "noEmit": True}}


def run(*words, folder=None, environment=None):
    answer = subprocess.run(
        [str(word) for word in words], cwd=folder, env={**os.environ, **(environment or {})}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
    assert answer.returncode == 0, answer.stdout[-5000:]
    return answer.stdout


def generate(language, package, folder):
    """Makes a client with openapi-generator, which says what it cannot express and goes on."""
    said = run(
        PROGRAMS / "openapi-generator-cli", "generate", "-i", FILES[package].path, "-g", language, "-o", folder,
        f"--package-name={package}")
    errors = [line for line in said.splitlines() if "ERROR" in line or "Illegal" in line]
    assert not errors, errors


def import_all(package, folder):
    """The package, with each of its modules."""
    assert compileall.compile_dir(folder / package, quiet=1)
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    module = importlib.import_module(package)
    for part in pkgutil.walk_packages(module.__path__, f"{package}."):
        if not part.name.startswith(f"{package}.test"):
            importlib.import_module(part.name)
    return module


def generate_python(package, folder):
    """Makes a client with openapi-python-client. Each of its warnings is an error here."""
    config = folder / "config.json"
    config.write_text(json.dumps({
        "package_name_override": f"{package}_2", "post_hooks": [],
        # A mail as it came, which it knows no better than as text.
        "content_type_overrides": {"message/rfc822": "text/plain"}}))
    run(PROGRAMS / "openapi-python-client", "generate", "--path", FILES[package].path, "--config", config,
        "--meta", "none", "--output-path", folder / f"{package}_2", "--fail-on-warning")


@pytest.fixture(scope="module")
def clients(tmp_path_factory):
    """The folder of the service's clients in Python, one by each generator."""
    folder = tmp_path_factory.mktemp("clients")
    generate("python", "siwa_service", folder)
    generate_python("siwa_service", folder)
    import_all("siwa_service", folder)
    import_all("siwa_service_2", folder)


@pytest.mark.parametrize("package", FILES)
def test_go_compiles(package, tmp_path):
    generate("go", package, tmp_path)
    validator = tmp_path / "validator"
    validator.mkdir()
    (validator / "go.mod").write_text("module gopkg.in/validator.v2\n\ngo 1.23\n")
    (validator / "validator.go").write_text(VALIDATOR)
    # Go's own library stays compiled from run to run.
    environment = {
        "GOFLAGS": "-mod=mod", "GOTOOLCHAIN": "local", "GOPROXY": "off", "GOPATH": str(TOOLS / "go"),
        "GOCACHE": str(TOOLS / "go-cache")}
    go = PROGRAMS / "go"
    run(go, "mod", "edit", "-replace=gopkg.in/validator.v2=./validator", folder=tmp_path, environment=environment)
    run(go, "build", ".", folder=tmp_path, environment=environment)


@pytest.mark.parametrize("package", FILES)
def test_typescript_compiles_and_bundles(package, tmp_path):
    generate("typescript-fetch", package, tmp_path)
    (tmp_path / "tsconfig.json").write_text(json.dumps(TYPES))
    run("tsc", "-p", ".", folder=tmp_path)
    said = run("esbuild", "--bundle", "--log-level=warning", "--outfile=bundle.js", "index.ts", folder=tmp_path)
    assert said == ""


def test_python_reads_the_emulators_file(tmp_path):
    generate("python", "siwa_emulator", tmp_path)
    generate_python("siwa_emulator", tmp_path)
    import_all("siwa_emulator", tmp_path)
    import_all("siwa_emulator_2", tmp_path)


def test_a_client_of_openapi_generator_signs_in_and_out(clients, deployment):
    import siwa_service as made
    from siwa_service.exceptions import UnauthorizedException

    configuration = made.Configuration(host=deployment.url)
    with made.ApiClient(configuration) as connection:
        nonce = made.SignInApi(connection).make_challenge(made.ChallengeRequest()).nonce
        proof = deployment.proof(deployment.add_person(), nonce)
        answer = made.SignInApi(connection).sign_in(
            made.SignInRequest(**proof, fullName=made.FullName(givenName="Ada", familyName="Lovelace")))
        assert answer.is_new_account
        assert answer.account.name.formatted == "Ada Lovelace"
        assert answer.account.created_at.tzinfo is not None
        assert answer.account.apple_access_ended_at is None

        configuration.access_token = answer.session.access_token
        sessions = made.SessionApi(connection)
        assert [one.current for one in sessions.list_sessions().sessions] == [True]
        again = sessions.refresh_session(made.RefreshRequest(refreshToken=answer.session.refresh_token))
        configuration.access_token = again.session.access_token
        assert made.AccountApi(connection).account().account.id == answer.account.id
        sessions.sign_out()
        with pytest.raises(UnauthorizedException) as refused:
            made.AccountApi(connection).account()
        assert refused.value.data.error.code == "session_ended"


def test_a_client_of_openapi_python_client_signs_in_and_out(clients, deployment):
    import siwa_service_2 as made
    from siwa_service_2 import models
    from siwa_service_2.api.account import account
    from siwa_service_2.api.session import sign_out
    from siwa_service_2.api.sign_in import sign_in

    stranger = made.Client(base_url=deployment.url)
    proof = deployment.proof(deployment.add_person())
    answer = sign_in.sync(client=stranger, body=models.SignInRequest.from_dict(proof))
    assert isinstance(answer, models.SignInAnswer) and answer.is_new_account
    person = made.AuthenticatedClient(base_url=deployment.url, token=answer.session.access_token)
    assert account.sync(client=person).account.id == answer.account.id
    assert sign_out.sync_detailed(client=person).status_code == 204
    refused = account.sync(client=person)
    assert isinstance(refused, models.ErrorAnswer) and refused.error.code == "session_ended"

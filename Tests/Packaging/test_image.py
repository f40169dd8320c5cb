"""The container image, and the two files for compose."""

import pathlib

import pytest
import yaml

import release
from conftest import ROOT, run
from container import inspect, start
from servers import VALUES, answers, apple_key, free_port, key_ring, status, wait

IMAGE = ROOT / "Packaging/image"
VERSION = release.version()


@pytest.fixture
def secrets(tmp_path):
    """The secrets as files, by their paths in the container."""
    files = {}
    for name, text in [("key-ring", key_ring()), ("apple.p8", apple_key())]:
        file = tmp_path / name
        file.write_text(text)
        files[f"/run/secrets/{name}"] = file
    return files


def settings(port):
    values = {"SIWA_" + name.upper().replace("-", "_"): value if isinstance(value, str) else ",".join(value)
              for name, value in VALUES.items()}
    return values | {
        "SIWA_PUBLIC_URL": f"http://localhost:{port}", "SIWA_PORT": str(port),
        "SIWA_KEY_RING_FILE": "/run/secrets/key-ring", "SIWA_PRIVATE_KEY_FILE": "/run/secrets/apple.p8"}


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "container"
    path.mkdir()
    return path


def test_the_image_says_how_it_runs(image):
    config = inspect(image)["config"]
    assert config["User"] == "10001:10001" and config["StopSignal"] == "SIGTERM"
    assert config["Entrypoint"] == ["siwa"] and config["Cmd"] == ["serve"]
    assert list(config["Volumes"]) == ["/var/lib/siwa"] and list(config["ExposedPorts"]) == ["4000/tcp"]
    assert config["Healthcheck"]["Test"] == ["CMD", "siwa-healthcheck"]


def test_the_service_runs_on_a_root_that_cannot_be_written_and_stops_at_sigterm(image, folder, secrets):
    port = free_port()
    with start(image, folder, environment=settings(port), mounts=secrets) as container:
        answers(container.process, container.log, f"http://127.0.0.1:{port}/readyz")
        assert container.execute("id", "--user").stdout == "10001\n"
        assert "Read-only file system" in container.execute("touch", "/usr/local/bin/x").stderr
        assert container.execute("siwa-healthcheck").returncode == 0
        assert container.execute("siwa-healthcheck", str(port), "/nowhere").returncode != 0
        # The database is in the volume, and outlives the container.
        assert container.execute("test", "-s", "/var/lib/siwa/siwa.sqlite").returncode == 0
        assert container.stop() == 0, container.log.read_text()


def test_the_health_check_fails_where_nobody_answers(image, folder, secrets):
    values, unused = settings(free_port()), free_port()
    with start(image, folder, environment=values, mounts=secrets) as container:
        answers(container.process, container.log, f"http://127.0.0.1:{values['SIWA_PORT']}/readyz")
        assert container.execute("siwa-healthcheck", str(unused)).returncode != 0


def services(name):
    return yaml.safe_load((IMAGE / name).read_text())["services"]


def test_the_compose_files_name_this_version():
    names = [service["image"] for file in IMAGE.glob("compose*.yaml") for service in services(file.name).values()]
    assert sorted(names) == ["postgres:15", f"siwa:{VERSION}", f"siwa:{VERSION}"]


def test_the_emulator_of_the_compose_file_answers_and_is_healthy(image, folder):
    emulator = services("compose.emulator.yaml")["emulator"]
    port = free_port()
    # The port alone differs: here it is this machine's.
    command = [word.replace(":4010", f":{port}") for word in emulator["command"]] + [f"--port={port}"]
    check = [str(port) if word == "4010" else word for word in emulator["healthcheck"]["test"][1:]]
    with start(image, folder, *command, environment=emulator["environment"]) as container:
        answers(container.process, container.log, f"http://127.0.0.1:{port}/.well-known/openid-configuration")
        assert container.execute(*check).returncode == 0
        assert status(f"http://127.0.0.1:{port}/emulator/portal") in (401, 403)
        assert container.stop() == 0, container.log.read_text()


@pytest.fixture
def postgres(tmp_path):
    """A server with the role and the database of the compose file, on a socket alone, as its image makes them."""
    programs = sorted(pathlib.Path("/usr/lib/postgresql").glob("*/bin"))[-1]
    folder, socket = tmp_path / "postgres", tmp_path / "socket"
    for path in (folder, socket):
        path.mkdir()
        run("chown", "postgres", path)
    # The server does not run as root, and reaches its folder through the test's.
    for path in [tmp_path, *tmp_path.parents]:
        path.chmod(path.stat().st_mode | 0o011)
    socket.chmod(0o777)
    def server(*words):
        return run("runuser", "-u", "postgres", "--", *words)
    server(programs / "initdb", "-D", folder / "data", "-A", "trust", "-U", "siwa", "--no-sync", "-E", "UTF8",
           "--locale=C.UTF-8")
    control = [programs / "pg_ctl", "-D", folder / "data", "-l", folder / "log", "-w"]
    server(*control, "start", "-o", f"-c listen_addresses= -c unix_socket_directories={socket} -c fsync=off")
    try:
        server(programs / "createdb", "-h", socket, "-U", "siwa", "siwa")
        yield socket
    finally:
        server(*control, "-m", "immediate", "stop")


def test_the_service_of_the_compose_file_keeps_its_accounts_on_postgresql(image, folder, secrets, postgres):
    siwa = services("compose.yaml")["siwa"]
    port = free_port()
    environment = siwa["environment"] | {"SIWA_PORT": str(port)}
    mounts = secrets | {"/var/run/postgresql": postgres}
    with start(image, folder, *siwa["command"], environment=environment, mounts=mounts) as container:
        answers(container.process, container.log, f"http://127.0.0.1:{port}/readyz")
        command = ["psql", "-h", postgres, "-U", "siwa", "-d", "siwa", "-Atc"]
        assert int(run(*command, "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'siwa'")) > 0
        assert container.stop() == 0, container.log.read_text()
        wait(lambda: status(f"http://127.0.0.1:{port}/readyz") is None, container.log.read_text)

"""Servers that may have few open files, and more clients than that."""

import concurrent.futures
import contextlib
import subprocess

import pytest

from connections import Crowd, Load, Target, statuses, wait_until
from emulator import Emulator
from deployment import DEADLINE, SIWA, Database, Deployment, Service
from test_management import free_port, samples

# With 256 files: 128 connections, 32 of one address, 64 streams.
LAUNCHER = ["prlimit", "--nofile=256:256"]
HELLO = b"GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"


def test_a_service_with_256_files_outlives_2000_sockets_and_1000_streams(emulator, tmp_path):
    deployment = Deployment(emulator, tmp_path, Database.sqlite(tmp_path))
    deployment.launcher = LAUNCHER
    with deployment.server() as server:
        target = Target(server.url, server.process.pid, "/healthz", "")
        service = Service(server.url)
        tokens = [service.sign_in(deployment.proof(deployment.add_person())).json()["session"]["accessToken"] for _ in range(40)]
        service.session.close()
        quiet = target.open_files()
        bearer = {"Authorization": f"Bearer {tokens[0]}"}
        with Load(target, "127.0.2.1", ["/v1/account", "/healthz"], bearer) as load, contextlib.ExitStack() as stack:
            silent = stack.enter_context(Crowd(target, 2_000, ["127.0.1.1"]))
            silent.go_on(2)
            assert len(silent.left) <= 32

            def follow(number):
                """One of 25 streams of one of 40 people, each person at an address of their own."""
                person = number % len(tokens)
                client = target.client(f"127.0.3.{person + 1}")
                client.request(
                    "GET", "/v1/account/events", headers={"Authorization": f"Bearer {tokens[person]}"})
                answer = client.getresponse()
                if answer.status != 200:
                    assert answer.headers["Retry-After"]
                    assert (answer.status, b'"unavailable"' in answer.read()) in [(503, True), (429, False)]
                    client.close()
                return answer

            with concurrent.futures.ThreadPoolExecutor(16) as threads:
                streams = list(threads.map(follow, range(1_000)))
            for answer in streams:
                stack.callback(answer.close)
            found = [answer.status for answer in streams]
            assert found.count(200) == 64 and 503 in found
            assert target.open_files() <= 256
        assert not load.errors and set(load.statuses) == {200}
        # All connections are taken, by clients of many addresses. What is open already goes on being answered.
        with contextlib.closing(target.client("127.0.2.1")) as client:
            client.request("GET", "/v1/account", headers=bearer)
            assert client.getresponse().read()
            with Crowd(target, 256, [f"127.0.4.{number}" for number in range(1, 9)]) as crowd:
                crowd.go_on(1)
                for _ in range(20):
                    client.request("GET", "/v1/account", headers=bearer)
                    answer = client.getresponse()
                    assert (answer.status, bool(answer.read())) == (200, True)
                assert target.is_alive() and target.open_files() <= 256
        wait_until(lambda: target.open_files() <= quiet + 8, "files of connections that are over stay open")
        assert statuses(target.exchange(HELLO)) == [200]
        with contextlib.closing(follow(0)) as again:
            assert again.status == 200


def test_silent_clients_of_many_addresses_make_room_by_themselves(emulator, tmp_path):
    deployment = Deployment(emulator, tmp_path, Database.sqlite(tmp_path))
    deployment.launcher = LAUNCHER
    with deployment.server() as server:
        target = Target(server.url, server.process.pid, "/healthz", "")
        with Crowd(target, 200, [f"127.0.4.{number}" for number in range(1, 9)]) as crowd:
            # The idle timeout is thirty seconds; whoever waits is let in then.
            assert statuses(target.exchange(HELLO, "127.0.2.1")) == [200]
            assert target.is_alive()


def test_the_management_address_answers_while_all_other_connections_are_taken(emulator, tmp_path):
    deployment, port = Deployment(emulator, tmp_path, Database.sqlite(tmp_path)), free_port()
    deployment.launcher = LAUNCHER
    deployment.environment["SIWA_MANAGEMENT_PORT"] = str(port)
    with deployment.server() as server:
        target = Target(server.url, server.process.pid, "/healthz", "")
        with Crowd(target, 256, [f"127.0.4.{number}" for number in range(1, 9)]) as crowd:
            crowd.go_on(1)
            assert samples(port)


def test_an_emulator_with_256_files_outlives_2000_sockets(tmp_path):
    with Emulator(tmp_path, launcher=LAUNCHER) as emulator:
        target = Target(emulator.url, emulator.process.pid, "/auth/keys", "")
        quiet = target.open_files()
        with Load(target, "127.0.2.1", [target.path]) as load:
            with Crowd(target, 2_000, ["127.0.1.1"]) as silent:
                silent.go_on(5)
                assert len(silent.left) <= 32
        assert not load.errors and set(load.statuses) == {200}
        assert target.is_alive()
        wait_until(lambda: target.open_files() <= quiet + 8, "files of connections that are over stay open")
        assert target.get(target.path)[0] == 200


@pytest.mark.parametrize("command", [["serve"], ["emulate", "--port", "0"], ["demo", "--port", "0", "--emulator-port", "0"]])
def test_too_few_files_keep_a_server_from_starting(emulator, tmp_path, command):
    deployment = Deployment(emulator, tmp_path, Database.sqlite(tmp_path))
    answer = subprocess.run(
        ["prlimit", "--nofile=100:100", SIWA, *command], env=deployment.environment, capture_output=True, text=True,
        timeout=DEADLINE)
    assert answer.returncode == 1
    assert "this process may have 100 open files, and needs 192" in answer.stderr and "ulimit -n" in answer.stderr


def test_the_limit_is_raised_and_the_bounds_are_logged(emulator, tmp_path):
    deployment = Deployment(emulator, tmp_path, Database.sqlite(tmp_path))
    deployment.launcher = ["prlimit", "--nofile=300:1000"]
    deployment.environment["SIWA_MAXIMUM_CONNECTIONS"] = "5000"
    with deployment.server() as server:
        Target(server.url, server.process.pid, "/healthz", "").get("/healthz")
    text = "".join(server.words)
    assert "filesBefore=300" in text and "files=1000" in text
    assert "connections=872" in text and "perAddress=218" in text and "streams=436" in text
    assert "asked=5000" in text


def test_the_bound_by_address_is_a_setting_that_trusted_proxies_are_exempt_from(emulator, tmp_path):
    deployment = Deployment(emulator, tmp_path, Database.sqlite(tmp_path))
    deployment.environment |= {
        "SIWA_MAXIMUM_CONNECTIONS": "64", "SIWA_MAXIMUM_CONNECTIONS_PER_ADDRESS": "4",
        "SIWA_TRUSTED_PROXY": "127.0.5.0/24"}
    with deployment.server() as server:
        target = Target(server.url, server.process.pid, "/healthz", "")
        for source, count in [("127.0.1.1", 4), ("127.0.5.1", 20)]:
            with Crowd(target, 20, [source]) as crowd:
                crowd.go_on(1)
                assert len(crowd.left) == count
            wait_until(lambda: has_room(target, source), "the address has no room again")


def has_room(target, source):
    """A server without room ends the connection before it has read the request, and the system resets it then."""
    try:
        return statuses(target.exchange(HELLO, source)) == [200]
    except ConnectionError:
        return False

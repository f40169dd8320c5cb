"""How service and emulator hold connections: the framing of requests, one request at a time, and clients that take no
answers."""

import re
import socket

import pytest

from connections import Crowd, Load, Target, read_to_end, statuses, wait_until
from emulator import Emulator
from deployment import Database, Deployment

MEBIBYTE = 1 << 20


@pytest.fixture(scope="module", params=["service", "emulator"])
def target(request, tmp_path_factory, emulator):
    folder = tmp_path_factory.mktemp(request.param)
    if request.param == "emulator":
        with Emulator(folder) as own:
            yield Target(own.url, own.process.pid, "/auth/keys", "/assets/emulator.css")
        return
    deployment = Deployment(emulator, folder, Database.sqlite(folder))
    with deployment.server() as server:
        page = Target(server.url, server.process.pid, "/healthz", "").get("/")[1].decode()
        yield Target(server.url, server.process.pid, "/healthz", re.search(r"/assets/[\w.-]+\.css", page)[0])


@pytest.mark.parametrize("head, status", [
    ("HTTP/1.1\r\nHost: a", 200),
    ("HTTP/1.1\r\nHost: a\r\nHost: b", 400),
    ("HTTP/1.1\r\nHost: a\r\nHost: a", 400),
    ("HTTP/1.1\r\nhost: a\r\nHOST: b", 400),
    ("HTTP/1.1", 400),
    ("HTTP/1.1\r\nHost:", 400),
    ("HTTP/1.1\r\nHost:  ", 400),
    ("HTTP/1.0", 200),
    ("HTTP/1.0\r\nHost: a", 200),
    ("HTTP/1.0\r\nHost: a\r\nHost: b", 400),
    ("HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked", 200),
    ("HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked", 501),
    ("HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked", 501),
    ("HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked", 400),
    ("HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked", 400),
])
def test_a_request_whose_framing_is_in_doubt_is_refused(target, head, status):
    body = "0\r\n\r\n" if "chunked" in head else ""
    next_request = f"GET {target.path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
    data = target.exchange(f"GET {target.path} {head}\r\n\r\n{body}{next_request}".encode())
    # Nothing of what follows a refusal is taken for a request, nor after a request of HTTP/1.0.
    assert statuses(data) == ([200, 200] if (status, head[:8]) == (200, "HTTP/1.1") else [status])


def test_requests_sent_at_once_are_answered_in_order(target):
    def request(method, path, *lines, body=""):
        return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *lines, "", body])

    post = request("POST", "/nothing", "Content-Type: application/json", "Content-Length: 2", body="{}")
    data = target.exchange((
        request("GET", target.path) + request("HEAD", target.path) + post + request("GET", "/nothing")
        + request("GET", target.path, "Connection: close") + request("GET", target.path)).encode())
    assert statuses(data) == [200, 200, 404, 404, 200]


def test_a_client_that_ends_its_side_gets_all_its_answers(target):
    with target.connect() as connection:
        connection.sendall(f"GET {target.path} HTTP/1.1\r\nHost: a\r\n\r\n".encode() * 50)
        connection.shutdown(socket.SHUT_WR)
        assert statuses(read_to_end(connection)) == [200] * 50


def test_a_connection_of_http_1_0_ends_after_its_answer(target):
    with target.connect() as connection:
        connection.sendall(f"GET {target.path} HTTP/1.0\r\n\r\n".encode())
        data = read_to_end(connection)
    assert data.startswith(b"HTTP/1.0 200 ") and b"chunked" not in data
    with target.connect() as connection:
        for _ in range(2):
            connection.sendall(f"GET {target.path} HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".encode())
            assert b"\r\nConnection: keep-alive\r\n" in connection.recv(65536)


def test_300_clients_that_never_read_take_the_server_from_nobody(target):
    for _ in range(50):
        assert target.get(target.asset)[0] == 200
    before, files = target.memory(), target.open_files()
    request = f"GET {target.asset} HTTP/1.1\r\nHost: a\r\n\r\n".encode()
    data = request * (300_000 // len(request))
    sources = [f"127.0.1.{number}" for number in range(1, 5)]
    with Load(target, "127.0.2.1", [target.path, target.asset]) as load, Crowd(target, 300, sources, data) as crowd:
        assert crowd.ended == 0
        crowd.go_on(60)
        # Thirty seconds without progress end a connection, forty at most.
        wait_until(lambda: target.open_files() <= files + 20, "connections that nobody reads are still open", 20)
    assert not load.errors and set(load.statuses) == {200}
    assert load.percentile(0.99) < 0.25, f"p50 {load.percentile(.5):.3f} s, p99 {load.percentile(.99):.3f} s"
    wait_until(lambda: target.memory() < before + 20 * MEBIBYTE, "the memory that the clients took does not come back")

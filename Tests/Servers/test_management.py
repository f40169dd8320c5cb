"""`GET /metrics` on the management address, read by Prometheus's own parser."""

import contextlib
import socket

import pytest
import requests
from prometheus_client.parser import text_string_to_metric_families

from deployment import DEADLINE, Database, Deployment, Service


def free_port():
    with contextlib.closing(socket.create_server(("127.0.0.1", 0))) as listener:
        return listener.getsockname()[1]


def samples(port):
    answer = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=DEADLINE)
    assert answer.ok and answer.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
    return {
        (sample.name, *sorted(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(answer.text) for sample in family.samples}


def test_what_is_counted_can_be_read_and_says_nothing_about_anybody(emulator, tmp_path):
    deployment, port = Deployment(emulator, tmp_path, Database.sqlite(tmp_path)), free_port()
    deployment.environment["SIWA_MANAGEMENT_PORT"] = str(port)
    with deployment.server() as server:
        person = deployment.add_person()
        proof = deployment.proof(person)
        account = Service(server.url).sign_in(proof).json()["account"]["id"]
        found = samples(port)
        assert found["apple_id_verifications_total", ("kind", "identity_token"), ("outcome", "ok")] >= 1
        assert found["apple_id_calls_total", ("call", "exchange"), ("outcome", "ok")] == 1
        assert found["apple_id_call_duration_seconds_count", ("call", "exchange")] == 1
        # The metrics name the route, never the text that a client has put into a path.
        for _ in range(3):
            requests.get(f"{server.url}/deletions/{account}", timeout=DEADLINE)
            requests.request("PROPFIND", f"{server.url}/{account}", timeout=DEADLINE)
        found = samples(port)
        signed_in = ("method", "POST"), ("route", "/v1/sign-in/apple")
        assert found["accounts_requests_total", *signed_in, ("status", "2xx")] == 1
        assert found["accounts_request_duration_seconds_count", *signed_in] == 1
        assert found["accounts_request_duration_seconds_sum", *signed_in] > 0
        unknown = ("method", "GET"), ("route", "/deletions/{handle}"), ("status", "4xx")
        assert found["accounts_requests_total", *unknown] == 3
        assert found["accounts_requests_total", ("method", "other"), ("route", "none"), ("status", "4xx")] == 3
        text = requests.get(f"http://127.0.0.1:{port}/metrics", timeout=DEADLINE).text
        assert not [secret for secret in (person, account, *proof.values()) if secret in text]
        # It is no second way into the service, nor the service one into it.
        assert requests.get(f"http://127.0.0.1:{port}/healthz", timeout=DEADLINE).status_code == 404
        assert requests.get(f"{server.url}/metrics", timeout=DEADLINE).status_code == 404


def test_nothing_listens_unless_it_is_wanted(emulator, tmp_path):
    deployment, port = Deployment(emulator, tmp_path, Database.sqlite(tmp_path)), free_port()
    with deployment.server(), pytest.raises(requests.ConnectionError):
        requests.get(f"http://127.0.0.1:{port}/metrics", timeout=DEADLINE)

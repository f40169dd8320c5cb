"""juice speaks HTTPS by the curl and the OpenSSL that are linked into it."""

import contextlib
import http.server
import os
import ssl
import subprocess
import threading

import pytest

from conftest import run


class Recorder(http.server.BaseHTTPRequestHandler):
    """Answers nothing that juice could use, and keeps what it asked for."""

    def do_POST(self):
        self.server.asked.append(self.path)
        self.send_error(503)

    do_GET = do_POST

    def log_message(self, *words):
        pass


@pytest.fixture
def service(tmp_path):
    """A service behind a certificate of its own. - Returns: the server, and the file with the certificate."""
    certificate, key = tmp_path / "certificate.pem", tmp_path / "key.pem"
    run("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", certificate)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with http.server.ThreadingHTTPServer(("localhost", 0), Recorder) as server:
        server.asked = []
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with contextlib.closing(server.socket):
            yield server, certificate
            server.shutdown()


@pytest.mark.parametrize(
    "is_trusted, failure",
    [(True, "cannot answer asking for an authorization now (unavailable)"), (False, "cannot be reached")])
def test_juice_speaks_with_a_service_whose_certificate_is_trusted(unpacked, service, is_trusted, failure):
    server, certificate = service
    trusted = {"SSL_CERT_FILE": str(certificate)} if is_trusted else {}
    answer = subprocess.run(
        [unpacked / "bin/juice", "--backend", f"https://localhost:{server.server_port}", "--store", "memory", "--device"],
        input="s\n", capture_output=True, text=True, timeout=60, env={**os.environ, **trusted})
    assert bool(server.asked) == is_trusted, answer
    assert failure in answer.stdout and answer.returncode == 1, answer

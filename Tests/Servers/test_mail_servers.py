"""`siwa mail test` in front of Postfix and aiosmtpd, which Tests/with-mail-servers runs."""

import json
import os
import pathlib
import subprocess

import pytest

from deployment import DEADLINE, SIWA

FROM = "accounts@juice.example.com"


@pytest.fixture(scope="module")
def servers():
    return json.loads(pathlib.Path(os.environ["SIWA_MAIL_SERVERS"]).read_text())


def send(url, address, *words):
    answer = subprocess.run(
        [SIWA, "mail", "test", address, "--json", *words], capture_output=True, text=True, timeout=DEADLINE,
        env={"PATH": os.environ["PATH"], "SIWA_PUBLIC_URL": "https://accounts.example.com", "SIWA_MAIL_URL": url,
             "SIWA_MAIL_FROM": FROM})
    assert answer.stdout, answer.stderr
    return answer.returncode, json.loads(answer.stdout)


def addresses(servers):
    return [f"smtp://127.0.0.1:{port}" for port in (servers["aiosmtpd"]["plain"], servers["postfix"]["startTLS"])]


def test_a_test_mail_arrives_at_postfix_and_at_aiosmtpd(servers):
    for url in addresses(servers):
        status, answer = send(url, "johnny@example.com", "--language", "de")
        assert (status, answer["outcome"], answer["failure"]) == (0, "delivered", None)
        file = pathlib.Path(servers["inbox"]) / f"{answer['messageID']}@juice.example.com.json"
        mail = json.loads(file.read_text())
        assert mail["recipients"] == ["johnny@example.com"] and mail["fromAddress"] == FROM
        assert mail["fields"]["subject"].startswith("Test-E-Mail von ")
        assert mail["defects"] == []


@pytest.mark.parametrize("recipient, outcome, failure", [
    ("later", "postponed", "smtp_451_4.3.0"), ("full", "refused", "smtp_552_5.2.2"),
    ("nobody", "refused", "smtp_550_5.1.1")])
def test_a_refusal_is_told(servers, recipient, outcome, failure):
    for url in addresses(servers):
        status, answer = send(url, f"{recipient}@example.com")
        assert (status, answer["outcome"], answer["failure"]) == (1, outcome, failure)


def test_a_certificate_that_the_system_does_not_trust_is_told(servers):
    for url in (f"smtps://localhost:{servers['postfix']['tls']}", f"smtps://127.0.0.1:{servers['postfix']['tls']}"):
        status, answer = send(url, "johnny@example.com")
        assert (status, answer["outcome"], answer["failure"]) == (1, "postponed", "certificate_not_trusted")

"""schemathesis reads Docs/openapi.yaml and asks the account service all that it allows and much that it forbids."""

import os

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS, not_a_server_error

from documented import SERVICE
from taking_passwords import deployment_with_passwords

# A fixed seed: what is found here is found everywhere.
EXAMPLES = int(os.environ.get("SIWA_EXAMPLES", "15"))
FILE = schemathesis.openapi.from_path(SERVICE.path, config=schemathesis.Config.from_dict({
    "seed": 20261121,
    # A parameter that nobody knows is ignored, and the token is brought by the tests.
    "generation": {
        "deterministic": True, "database": "none", "allow-extra-parameters": False, "with-security-parameters": False},
    "checks": {
        # A body of the right form is still no credential of Apple's.
        "positive_data_acceptance": {"enabled": False},
    },
}))
# The answer of the events does not end before an hour is over. No setting names the operator's files here, so nothing is at
# their paths, whatever the method.
FINITE = FILE.exclude(path="/v1/account/events").exclude(path_regex=r"^/\.well-known/(?!jwks)")
BOUNDED = settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))


class Somebody:
    """Is signed in again whenever a call has ended the session."""

    def __init__(self, deployment):
        self.deployment, self.token = deployment, None

    def headers(self):
        asked = self.token and requests.get(f"{self.deployment.url}/v1/account", headers=self.bearer(), timeout=20)
        if not asked:
            answer = requests.post(
                f"{self.deployment.url}/v1/sign-in/apple", json=self.deployment.proof(self.deployment.add_person()), timeout=20)
            self.token = answer.json()["session"]["accessToken"]
        return self.bearer()

    def bearer(self):
        return {"Authorization": f"Bearer {self.token}"}


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def deployment(request, tmp_path_factory):
    """A service with passwords: without them, their calls answer alike, whatever the request is."""
    with deployment_with_passwords(tmp_path_factory.mktemp("service"), request.param) as deployment:
        yield deployment


@pytest.fixture(scope="module")
def somebody(deployment):
    return Somebody(deployment)


def names_its_code(_, response, case):
    """The file lists the codes of an answer in `x-error-codes`, which schemathesis does not know.

    Another check finds an answer that the file does not describe.
    """
    operation = SERVICE.document["paths"][case.operation.path].get(case.method.lower(), {})
    described = operation.get("responses", {}).get(str(response.status_code))
    if described is not None:
        SERVICE.check_code(described, response)


@FINITE.parametrize()
@BOUNDED
def test_a_stranger_gets_described_answers(case, deployment):
    case.call_and_validate(base_url=deployment.url, additional_checks=[names_its_code])


@FINITE.parametrize()
@BOUNDED
def test_somebody_signed_in_gets_described_answers(case, deployment, somebody):
    case.call_and_validate(
        base_url=deployment.url, headers=somebody.headers(), additional_checks=[names_its_code])

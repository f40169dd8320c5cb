"""Calls that are held to an OpenAPI file: what is sent, and what comes back."""

import json
import pathlib

import requests
import yaml
from jsonschema import Draft202012Validator

from emulator import DEADLINE

DOCS = pathlib.Path(__file__).resolve().parents[2] / "Docs"
METHODS = ("get", "post", "put", "patch", "delete")


class Description:
    """An OpenAPI file. YAML is read as it is, JSON as the YAML that it is too."""

    def __init__(self, name):
        self.path = DOCS / name
        self.document = yaml.safe_load(self.path.read_text())

    def resolved(self, value):
        while set(value) == {"$ref"}:
            target = self.document
            for part in value["$ref"].removeprefix("#/").split("/"):
                target = target[part]
            value = target
        return value

    def check(self, value, schema):
        # The components stand within the schema, so that its references find them.
        validator = Draft202012Validator({**schema, "components": self.document["components"]})
        problems = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
        assert not problems, f"{problems} in {value}"

    def check_code(self, promised, answer):
        """The error has a code that the file names at this answer."""
        codes = self.resolved(promised).get("x-error-codes")
        if codes is not None:
            code = answer.json()["error"]["code"]
            assert code in codes, f"{answer.status_code} {code}, which is none of {codes}"

    def operations(self, prefix="/"):
        return {
            (method, path)
            for path, item in self.document["paths"].items() if path.startswith(prefix)
            for method in item if method in METHODS}

    def check_answer(self, operation, answer):
        """The status, the headers, the content type and the body are what the file promises."""
        promised = self.resolved(operation["responses"][str(answer.status_code)])
        for name, header in promised.get("headers", {}).items():
            assert name in answer.headers, f"no {name}"
            self.check(answer.headers[name], self.resolved(header)["schema"])
        if not promised.get("content"):
            assert answer.content == b""
            return None
        self.check_code(promised, answer)
        media = answer.headers["Content-Type"].split(";")[0]
        assert media in promised["content"]
        if media != "application/json":
            return answer.text
        self.check(answer.json(), promised["content"][media]["schema"])
        return answer.json()


EMULATOR = Description("emulator-openapi.json")
SERVICE = Description("openapi.yaml")


class Documented:
    """Makes calls by the file, and remembers which."""

    def __init__(self, url, description=EMULATOR):
        self.url, self.description = url, description
        self.seen = set()

    def __call__(self, method, path, body=None, *, form=None, query=None, status=200, headers=(), at=None):
        """Path as in the file; `at` gives the value of its parameter. Answers what came, read."""
        operation = self.description.document["paths"][path][method]
        self.seen.add((method, path))
        sent = form if form is not None else body
        if sent is not None and status < 400:
            media = "application/json" if form is None else "application/x-www-form-urlencoded"
            self.description.check(sent, self.description.resolved(operation["requestBody"])["content"][media]["schema"])
        target = self.url + (path if at is None else path.replace(path[path.index("{"):path.index("}") + 1], at))
        answer = requests.request(
            method, target, json=body, data=form, params=query, headers=dict(headers), timeout=DEADLINE)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        return self.description.check_answer(operation, answer)

"""Calls that are held to the emulator's OpenAPI file: what is sent, and what comes back."""

import json
import pathlib

import requests
from jsonschema import Draft202012Validator

FILE = pathlib.Path(__file__).resolve().parents[2] / "Docs" / "emulator-openapi.json"
DOCUMENT = json.loads(FILE.read_text())


def resolved(value):
    while "$ref" in value:
        target = DOCUMENT
        for part in value["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        value = target
    return value


def check(value, schema):
    # The components stand within the schema, so that its references find them.
    validator = Draft202012Validator({**schema, "components": DOCUMENT["components"]})
    problems = [f"{error.json_path}: {error.message}" for error in validator.iter_errors(value)]
    assert not problems, f"{problems} in {value}"


def operations(prefix):
    return {
        (method, path)
        for path, item in DOCUMENT["paths"].items() if path.startswith(prefix)
        for method in item if method in ("get", "post", "put", "patch", "delete")}


class Documented:
    """Makes calls by the file, and remembers which."""

    def __init__(self, url):
        self.url = url
        self.seen = set()

    def __call__(self, method, path, body=None, *, form=None, query=None, status=200, headers=(), at=None):
        """Path as in the file; `at` gives the value of its parameter. Answers what came, read."""
        operation = DOCUMENT["paths"][path][method]
        self.seen.add((method, path))
        sent = form if form is not None else body
        if sent is not None and status < 400:
            media = "application/json" if form is None else "application/x-www-form-urlencoded"
            check(sent, operation["requestBody"]["content"][media]["schema"])
        target = self.url + (path if at is None else path.replace(path[path.index("{"):path.index("}") + 1], at))
        answer = requests.request(
            method, target, json=body, data=form, params=query, headers=dict(headers), timeout=20)
        assert answer.status_code == status, f"{method} {path}: {answer.status_code} {answer.text}"
        promised = resolved(operation["responses"][str(status)]).get("content")
        if not promised:
            assert answer.content == b""
            return None
        media = answer.headers["Content-Type"].split(";")[0]
        if media != "application/json":
            assert media in promised
            return answer.text
        check(answer.json(), promised[media]["schema"])
        return answer.json()

"""The recipes of Docs/webhooks.md, as they stand there, against Standard Webhooks' own example and bad messages."""

import base64
import hashlib
import hmac
import json
import pathlib
import re
import shutil
import subprocess

import playwright
import pytest

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "Docs" / "webhooks.md").read_text()
# The one that Playwright brings.
NODE = pathlib.Path(playwright.__file__).parent / "driver" / "node"
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
GOOD = {
    "id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "timestamp": "1614265330",
    "signatures": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=", "body": '{"test": 2432232314}',
    "secret": SECRET, "now": 1614265330}


def signed(body, secret, id="msg_1", timestamp="1614265330"):
    key = base64.b64decode(secret.removeprefix("whsec_"))
    code = hmac.new(key, f"{id}.{timestamp}.{body}".encode(), hashlib.sha256).digest()
    return "v1," + base64.b64encode(code).decode()


OTHER = "whsec_" + base64.b64encode(bytes(range(32))).decode()
CASES = [
    (True, {}),
    (True, {"signatures": "v1,AAAA v2,x " + GOOD["signatures"]}),
    (True, {"now": GOOD["now"] + 300}),
    (True, {"id": "msg_1", "body": '{"name": "Zoë"}', "signatures": signed('{"name": "Zoë"}', SECRET)}),
    (False, {"now": GOOD["now"] + 301}),
    (False, {"now": GOOD["now"] - 301}),
    (False, {"id": "msg_2"}),
    (False, {"timestamp": "1614265331"}),
    (False, {"timestamp": "soon"}),
    (False, {"timestamp": ""}),
    (False, {"body": GOOD["body"] + " "}),
    (False, {"secret": OTHER}),
    (False, {"signatures": ""}),
    (False, {"signatures": "v1,"}),
    (False, {"signatures": GOOD["signatures"][3:]}),
    (False, {"signatures": "v2" + GOOD["signatures"][2:]}),
    (False, {"signatures": "v1,é"}),
]


def shown(language):
    return re.search(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)[1]


def python(messages, folder):
    names = {}
    exec(compile(shown("python"), "webhooks.md", "exec"), names)
    return [
        names["is_genuine"](
            one["id"], one["timestamp"], one["signatures"], one["body"].encode(), one["secret"], one["now"])
        for one in messages]


def run(messages, *command):
    answer = subprocess.run(
        command, input=json.dumps(messages), capture_output=True, text=True, encoding="utf-8", timeout=60)
    assert answer.returncode == 0, answer.stderr
    return json.loads(answer.stdout)


def node(messages, folder):
    (folder / "webhooks.mjs").write_text(shown("js"))
    (folder / "main.mjs").write_text("""
        import { readFileSync } from "node:fs";
        import { isGenuine } from "./webhooks.mjs";
        const answers = JSON.parse(readFileSync(0, "utf8")).map((one) => isGenuine(
          one.id, one.timestamp, one.signatures, Buffer.from(one.body), one.secret, one.now));
        console.log(JSON.stringify(answers));
        """)
    return run(messages, NODE, folder / "main.mjs")


def ruby(messages, folder):
    (folder / "main.rb").write_text(shown("ruby") + """
        require "json"
        messages = JSON.parse($stdin.read)
        puts JSON.dump(messages.map { |one|
          genuine?(one["id"], one["timestamp"], one["signatures"], one["body"], one["secret"], one["now"]) })
        """)
    return run(messages, "ruby", "-E", "UTF-8", folder / "main.rb")


@pytest.mark.parametrize("recipe", [python, node, ruby])
def test_recipe(recipe, tmp_path):
    assert recipe is not ruby or shutil.which("ruby"), "Ruby is needed for the recipe in Ruby"
    messages = [{**GOOD, **changes} for _, changes in CASES]
    assert recipe(messages, tmp_path) == [expected for expected, _ in CASES]

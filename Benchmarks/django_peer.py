"""Sign in with Apple on Django, to measure beside: a folder of the reader's own, which is no part of this project.

The folder has `peers/django_siwa.py`, a WSGI application that is a management command too. It takes SIWA_DB, the
database's file; SIWA_JWKS_URL, where Apple's key set is; and SIWA_CACHE_JWKS, set for one that keeps the keys. Its
client is `audience`. `POST /social` with `{"id_token": "…"}` signs in by social-core and answers JSON; `GET /me` is 401
to who has not.
"""

import json
import os
import pathlib
import subprocess

from measure import free_port, wait_for

audience = "com.example.siwa.web"


class Peer:
    def __init__(self, url, file):
        self.url = url
        self.file = file

    def body(self, ours):
        """The same token, as the peer takes it."""
        return json.dumps({"id_token": json.loads(ours)["identityToken"]})

    def bodies(self, ours):
        self.file.write_text("\n".join(map(self.body, ours.read_text().splitlines())))
        return self.file


def start(options, folder, keys, processes):
    """Two workers, as there are cores here: one peer as its users find it, and one that keeps Apple's keys."""
    # A path, not what it leads to: by its place Python knows the packages beside it.
    python = pathlib.Path(options.peers_python).absolute()
    peers = {}
    for name, kept in {"social-core.signin": {}, "social-core.signin.cached": {"SIWA_CACHE_JWKS": "1"}}.items():
        environment = {**os.environ, "SIWA_DB": str(folder / f"{name}.sqlite"), "SIWA_JWKS_URL": keys, **kept}
        place = {"cwd": options.peers / "peers", "env": environment, "stdout": subprocess.DEVNULL}
        subprocess.run([python, "django_siwa.py", "migrate"], check=True, **place)
        port = free_port()
        process = subprocess.Popen(
            [python, "-m", "gunicorn", "-b", f"127.0.0.1:{port}", "-w", "2", "django_siwa:application"],
            stderr=subprocess.DEVNULL, **place)
        processes.append(process)
        wait_for(f"http://127.0.0.1:{port}/me", process, status=401)
        peers[name] = Peer(f"http://127.0.0.1:{port}/social", folder / f"{name}.txt")
    return peers

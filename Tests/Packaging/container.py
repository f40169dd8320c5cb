"""Runs an image as container programs do: by an OCI runtime, with what the image itself says."""

import contextlib
import json
import subprocess
import uuid

from conftest import run
from servers import running


def inspect(image):
    return json.loads(run("buildah", "inspect", "--type", "image", image))["Docker"]


class Container:
    """A running container. It shares this machine's network, so its ports are this machine's."""

    def __init__(self, process, log, name):
        self.process, self.log, self.name = process, log, name

    def execute(self, *words):
        return subprocess.run(["runc", "exec", self.name, *words], capture_output=True, text=True)

    def stop(self):
        run("runc", "kill", self.name, "TERM")
        return self.process.wait(120)


@contextlib.contextmanager
def start(image, folder, *arguments, environment=None, mounts=None):
    """Starts a container whose root cannot be written, with nothing but what the image's volumes and /tmp give it.

    - Parameters:
        folder: an empty one of the test's.
        mounts: files of this machine, by their paths in the container.
    """
    config = inspect(image)["config"]
    work = run("buildah", "from", image).strip()
    name = f"siwa-{uuid.uuid4().hex[:12]}"
    try:
        root = run("buildah", "mount", work).strip()
        user = [int(part) for part in config["User"].split(":")]
        volumes = []
        for place in config["Volumes"]:
            # A new volume gets the owner of the image's folder.
            volume = folder / place.replace("/", "_")
            volume.mkdir()
            run("chown", f"--reference={root}{place}", volume)
            run("chmod", f"--reference={root}{place}", volume)
            volumes.append((str(volume), place, "rw"))
        volumes += [(str(source), place, "ro") for place, source in (mounts or {}).items()]
        bundle = folder / "bundle"
        bundle.mkdir()
        run("runc", "spec", "--bundle", bundle)
        spec = json.loads((bundle / "config.json").read_text())
        spec["root"] = {"path": root, "readonly": True}
        values = [*config["Env"], *(f"{key}={value}" for key, value in (environment or {}).items())]
        spec["process"] |= {
            "terminal": False, "user": {"uid": user[0], "gid": user[1]}, "noNewPrivileges": True, "env": values,
            "args": [*config["Entrypoint"], *(arguments or config["Cmd"])], "cwd": config["WorkingDir"],
            "capabilities": {},
        }
        spec["mounts"] = [mount for mount in spec["mounts"] if mount["type"] != "cgroup"]
        spec["mounts"].append({"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev"]})
        spec["mounts"] += [
            {"destination": place, "type": "none", "source": source, "options": ["bind", mode]}
            for source, place, mode in volumes]
        spec["linux"]["namespaces"] = [
            space for space in spec["linux"]["namespaces"] if space["type"] not in ("network", "cgroup")]
        (bundle / "config.json").write_text(json.dumps(spec))
        log = folder / "log"
        with running(["runc", "run", "--bundle", bundle, name], log) as process:
            try:
                yield Container(process, log, name)
            finally:
                subprocess.run(["runc", "delete", "--force", name], capture_output=True)
    finally:
        run("buildah", "rm", work)

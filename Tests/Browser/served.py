"""`siwa serve` on PostgreSQL with an emulator for Apple, for tests that else have a demo, which keeps its data in SQLite."""

import contextlib
import pathlib
import socket
import sys

# The emulator and the servers of the tests beside these. Behind the others: each folder has a conftest of its own.
sys.path += [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("Peers", "Servers")]

from deployment import CLIENT, Database, Deployment  # noqa: E402
from emulator import Emulator  # noqa: E402

# Registered and verified in the emulator's portal, so that mail from it reaches relay addresses.
MAIL_DOMAIN = "juice.example.com"


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def served(folder):
    """What `conftest.Demo` is: where the service answers, on localhost, and the emulator, on 127.0.0.1."""
    port = free_port()
    service = f"http://localhost:{port}"
    with Emulator(folder, "--return-url", f"{service}/sign-in/apple/callback", "--mail-port", "0") as emulator:
        source = {"team": emulator.team["id"], "source": MAIL_DOMAIN}
        emulator.call("email-sources", source)
        assert emulator.call("email-sources/verify", source)["verified"]
        deployment = Deployment(emulator, folder, Database.postgres(folder), public_url=service)
        deployment.environment |= {
            "SIWA_PORT": str(port), "SIWA_APP_NAME": "Juice", "SIWA_PASSWORDS": "true", "SIWA_MAIL_FROM": f"accounts@{MAIL_DOMAIN}",
            "SIWA_MAIL_URL": f"smtp://127.0.0.1:{emulator.call('mail')['port']}"}
        with deployment.server():
            emulator.call("notifications/address", {"clientID": CLIENT, "url": f"{service}/apple/notifications"})
            yield Served(service, emulator.url)


class Served:
    def __init__(self, service, emulator):
        self.service, self.emulator = service, emulator

"""An account service that takes passwords, beside an emulator that takes its mail."""

from contextlib import contextmanager

from deployment import Database, Deployment
from emulator import Emulator


@contextmanager
def deployment_with_passwords(folder, engine):
    """Runs both, and gives the deployment with the server's URL."""
    with Emulator(folder, "--mail-port", "0") as emulator:
        deployment = Deployment(emulator, folder, getattr(Database, engine)(folder))
        deployment.environment |= {
            "SIWA_APP": "juice", "SIWA_PASSWORDS": "true", "SIWA_MAIL_FROM": "accounts@example.com",
            "SIWA_MAIL_URL": f"smtp://127.0.0.1:{emulator.call('mail')['port']}"}
        with deployment.server() as server:
            deployment.url = server.url
            yield deployment

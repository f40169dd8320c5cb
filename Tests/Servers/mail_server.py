"""A mail server in a process of its own, on aiosmtpd, which does what a test wants.

Run as a program it serves, with aiosmtpd's Python. Imported it is the tests' handle on that program. The two meet in a
folder: the file `mode` says what becomes of mails, and each mail is a file, written before the server replies.
"""

import asyncio
import json
import os
import pathlib
import socket
import subprocess
import sys
import time

# In seconds.
DEADLINE = 60
VENV = pathlib.Path(__file__).resolve().parents[2] / ".build-tools/mail-venv/bin/python"


class MailServer:
    """`mode` is one of: accept; 451, which refuses for now; hang, which never replies; hold, which keeps each mail and
    replies when the mode is another."""

    def __init__(self, folder, port=None):
        self.folder, self.port = folder / "mails", port or free_port()
        self.folder.mkdir(exist_ok=True)
        self.set("accept")

    @property
    def environment(self):
        return {"SIWA_MAIL_URL": f"smtp://127.0.0.1:{self.port}", "SIWA_MAIL_FROM": "accounts@juice.example.com"}

    def set(self, mode):
        new = self.folder / "mode.new"
        new.write_text(mode)
        new.rename(self.folder / "mode")

    def __enter__(self):
        python = str(VENV) if VENV.exists() else sys.executable
        self.process = subprocess.Popen(
            [python, __file__, str(self.folder), str(self.port)], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline() == "ready\n", "is aiosmtpd there? make .build-tools/mail"
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait(DEADLINE)
        self.process.stdout.close()

    def mails(self, kind="mail"):
        """Those that were taken, oldest first; with `attempt`, each time that a mail was sent; with `quit`, each time that
        a sender took its leave."""
        return [json.loads(file.read_text()) for file in sorted(self.folder.glob(f"*.{kind}"))]

    def wait(self, count, kind="mail"):
        deadline = time.monotonic() + DEADLINE
        while len(self.mails(kind)) < count:
            assert time.monotonic() < deadline, (count, kind, self.mails(kind))
            time.sleep(0.02)
        return self.mails(kind)


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


class Handler:
    def __init__(self, folder):
        self.folder = folder

    def mode(self):
        return (self.folder / "mode").read_text()

    def write(self, mail, kind):
        name = f"{time.time_ns()}"
        new = self.folder / f"{name}.new"
        new.write_text(json.dumps(mail))
        new.rename(self.folder / f"{name}.{kind}")

    async def handle_QUIT(self, server, session, envelope):
        self.write({}, "quit")
        return "221 2.0.0 Bye"

    async def handle_DATA(self, server, session, envelope):
        from email import message_from_bytes, policy

        message = message_from_bytes(envelope.original_content, policy=policy.SMTPUTF8)
        mail = {
            "id": message["Message-ID"], "from": message["From"], "to": envelope.rcpt_tos,
            "sender": envelope.mail_from, "subject": message["Subject"],
            "text": message.get_body(preferencelist=["plain"]).get_content(),
            "html": message.get_body(preferencelist=["html"]).get_content()}
        mode = self.mode()
        self.write(mail, "attempt")
        while self.mode() in ("hang", "hold"):
            await asyncio.sleep(0.02)
        if mode == "451":
            return "451 4.3.0 come back later"
        self.write(mail, "mail")
        return "250 2.0.0 OK"


async def serve(folder, port):
    from aiosmtpd.smtp import SMTP

    loop = asyncio.get_running_loop()
    handler = Handler(pathlib.Path(folder))
    await loop.create_server(
        lambda: SMTP(handler, hostname="mail.test", enable_SMTPUTF8=True, loop=loop), "127.0.0.1", int(port))
    print("ready", flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    os.environ["PYTHONWARNINGS"] = "ignore"
    asyncio.run(serve(*sys.argv[1:]))

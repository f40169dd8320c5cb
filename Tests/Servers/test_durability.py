"""Shows what a kill cannot: SQLite's log is on the disk before anybody is answered, as the kernel sees it."""

import concurrent.futures
import re

from deployment import Database, Deployment, Service

CALLS = "fdatasync,fsync,pwrite64,write,writev,sendto,sendmsg"
SESSION = re.compile(r"ses_[0-9A-Za-z]+")


class Trace:
    """The server's system calls, in the order in which they began."""

    def __init__(self, file):
        self.events, began = [], {}
        for line in file.read_text(errors="replace").splitlines():
            match = re.match(r"(\d+) +(.*)", line)
            thread, text = match[1], match[2]
            if text.startswith("<... "):
                # A flush counts from when it is done.
                call, text = began.pop(thread, ""), began.get(thread, "") + text
                if call.startswith(("fdatasync", "fsync")):
                    self.add(call + text)
            elif text.endswith("<unfinished ...>"):
                began[thread] = text
                if not text.startswith(("fdatasync", "fsync")):
                    self.add(text)
            else:
                self.add(text)

    def add(self, text):
        is_log = "-wal>" in text.split(",", 1)[0].split(")", 1)[0]
        if text.startswith(("fdatasync(", "fsync(")):
            if is_log:
                assert text.endswith("= 0"), text
                self.events.append(("flush", None))
        elif is_log:
            self.events.append(("log", set(SESSION.findall(text))))
        elif "HTTP/1.1 200" in text and "refreshToken" in text:
            self.events.append(("answer", SESSION.search(text)[0]))


def test_the_log_is_flushed_between_the_last_write_of_a_sign_in_and_its_answer(emulator, tmp_path):
    deployment = Deployment(emulator, tmp_path, Database.sqlite(tmp_path))
    trace = tmp_path / "trace"
    deployment.wrapper = ["strace", "-f", "-y", "-s", "65536", "-e", f"trace={CALLS}", "-e", "signal=none", "-o", str(trace)]
    proofs = [deployment.proof(deployment.add_person()) for _ in range(64)]
    with deployment.server() as server, concurrent.futures.ThreadPoolExecutor(32) as pool:
        sessions = {
            SESSION.match(answer.json()["session"]["refreshToken"])[0]
            for answer in pool.map(lambda proof: Service(server.url).sign_in(proof), proofs)}
    assert len(sessions) == len(proofs)
    check(Trace(trace).events, sessions)


def check(events, sessions):
    written, flushed, answered, flushes = set(), set(), set(), 0
    for kind, what in events:
        if kind == "log":
            written |= what
        elif kind == "flush":
            flushes += bool(written - flushed)
            flushed |= written
        else:
            assert what in flushed, f"{what} was answered before it was on the disk"
            answered.add(what)
    assert answered == sessions
    print(len(answered), "sign-ins in", flushes, "flushes")

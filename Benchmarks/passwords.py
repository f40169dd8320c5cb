"""Sign-ins by password, a hundred at once: what they cost the server's memory, and the sign-ins with Apple meanwhile."""

import contextlib
import email
import email.policy
import http.client
import json
import pathlib
import re
import socketserver
import statistics
import subprocess
import sys
import threading
import time

import django_peer
from measure import end, free_port, wait_for, wrk
from serving import FASTEST, PEOPLE, Service

# As many sign in by password at once.
PERSONS = 100
# What the server must keep to.
GREATEST_MEGABYTES = 150
LEAST_RATIO = 0.8


class MailServer(socketserver.ThreadingTCPServer):
    """Takes mail by SMTP on loopback, and keeps the secret of the link in each, by recipient."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Conversation)
        self.links, self.arrival = {}, threading.Condition()

    def keep(self, recipient, mail):
        text = email.message_from_bytes(mail, policy=email.policy.SMTPUTF8).get_body(("plain",)).get_content()
        link = re.search(r"/email-links/([A-Za-z0-9_-]+)", text)
        with self.arrival:
            self.links[recipient] = link and link[1]
            self.arrival.notify_all()

    def link(self, recipient):
        with self.arrival:
            if not self.arrival.wait_for(lambda: recipient in self.links, 60):
                raise SystemExit("a sign-up sent no mail within a minute")
            return self.links[recipient]


class Conversation(socketserver.StreamRequestHandler):
    def handle(self):
        self.say("220 bench ESMTP")
        while line := self.rfile.readline():
            word = line[:4].upper().strip()
            if word == b"EHLO":
                self.say("250-bench", "250 8BITMIME")
            elif word == b"RCPT":
                self.recipient = re.search(rb"<(.*?)>", line)[1].decode()
                self.say("250 ok")
            elif word == b"DATA":
                self.say("354 go on")
                lines = []
                while (line := self.rfile.readline()) not in (b".\r\n", b""):
                    lines.append(line.removeprefix(b"."))
                self.server.keep(self.recipient, b"".join(lines))
                self.say("250 taken")
            elif word == b"QUIT":
                self.say("221 bye")
                return
            else:
                self.say("250 ok")

    def say(self, *lines):
        self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())


class Person:
    """Somebody with an address and a password. A person who is told to wait does, and then tries again."""

    def __init__(self, number, port):
        self.port, self.busy = port, 0
        self.email = f"person{number}@bench.example"
        self.password = f"the {number}th of my long phrases"

    def post(self, path, body, until=None):
        """The answer's status; that of the refusal if the time is over before the server takes the request."""
        while True:
            # A connection of its own: the server ends those that wait.
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=120)) as connection:
                headers = {"Content-Type": "application/json", "Host": f"localhost:{self.port}"}
                connection.request("POST", path, json.dumps(body), headers)
                answer = connection.getresponse()
                text = answer.read()
            if answer.status not in (200, 202, 503):
                raise SystemExit(f"{path}: {answer.status} {text.decode()}")
            if answer.status != 503 or until and time.monotonic() >= until:
                return answer.status
            self.busy += 1
            wait = int(answer.headers["Retry-After"])
            time.sleep(min(wait, max(0, until - time.monotonic())) if until else wait)

    def sign_up(self, mails):
        self.post("/v1/sign-up", {"email": self.email, "password": self.password})
        self.post("/v1/sign-up/finish", {"link": mails.link(self.email), "password": self.password})

    def sign_in_until(self, moment):
        """How many sign-ins came to an end."""
        count = 0
        while time.monotonic() < moment:
            body = {"email": self.email, "password": self.password}
            count += self.post("/v1/sign-in/password", body, moment) == 200
        return count


class Crowd:
    """Everybody, each on a thread of their own, from one moment on."""

    def __init__(self, persons, seconds):
        self.persons, self.until, self.count, self.failures = persons, time.monotonic() + seconds, 0, []
        self.lock, self.start = threading.Lock(), threading.Barrier(len(persons) + 1)
        self.threads = [threading.Thread(target=self.run, args=[person]) for person in persons]

    def run(self, person):
        self.start.wait()
        try:
            count = person.sign_in_until(self.until)
        except BaseException as failure:
            self.failures.append(failure)
            return
        with self.lock:
            self.count += count

    def __enter__(self):
        for thread in self.threads:
            thread.start()
        self.start.wait()
        return self

    def __exit__(self, *_):
        for thread in self.threads:
            thread.join()
        if self.failures:
            raise self.failures[0]


def forget_peak(process):
    pathlib.Path(f"/proc/{process.pid}/clear_refs").write_text("5")


def peak_megabytes(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024


def everybody(service, mails):
    """Everybody with an account. Eight sign up at once, so that the queue before the hashers takes all of them."""
    persons = [Person(number, service.port) for number in range(PERSONS)]
    waiting, failures = list(persons), []

    def some():
        with contextlib.suppress(IndexError):
            while not failures:
                person = waiting.pop()
                try:
                    person.sign_up(mails)
                except BaseException as failure:
                    failures.append(failure)

    threads = [threading.Thread(target=some) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return persons


def measure_passwords(binaries, program, folder, options):
    """Rounds by name, notes, and whether the server kept to its bounds."""
    apple = free_port()
    load = {"connections": options.connections, "seconds": options.seconds}
    parts = 2 * options.rounds + 1
    count = PEOPLE + parts * options.seconds * FASTEST
    file, newcomers = folder / "bodies.txt", folder / "newcomers.txt"
    with contextlib.ExitStack() as stack:
        processes = []
        stack.callback(end, processes)
        print(f"making {count} identity tokens …", file=sys.stderr)
        stand_in = subprocess.Popen(
            [str(binaries / "siwa-bench"), "apple", "--port", str(apple), "--audience", django_peer.audience,
             "--count", str(count), "--people", str(PEOPLE), "--bodies", str(file), "--newcomers", "1",
             "--newcomer-bodies", str(newcomers)], stdout=subprocess.DEVNULL)
        processes.append(stand_in)
        wait_for(f"http://127.0.0.1:{apple}/auth/keys", stand_in, limit=600)
        lines = file.read_text().splitlines()
        known, lines = lines[:PEOPLE], lines[PEOPLE:]

        mails = stack.enter_context(MailServer())
        threading.Thread(target=mails.serve_forever, daemon=True).start()
        stack.callback(mails.shutdown)
        service = Service(
            program, "", f"http://127.0.0.1:{apple}", folder, options, "--passwords", "--mail-url",
            f"smtp://127.0.0.1:{mails.server_address[1]}", "--mail-from", "bench@bench.example")
        processes.append(service.process)
        service.prepare(known)
        print(f"{PERSONS} people sign up …", file=sys.stderr)
        persons = everybody(service, mails)

        def apples(number):
            """The rate of sign-ins with Apple, none of them with a token that was used."""
            share = len(lines) // parts
            part = folder / "part.txt"
            part.write_text("\n".join(lines[number * share:(number + 1) * share]))
            return wrk(f"{service.base}/v1/sign-in/apple", "sign-in.lua", {"BODIES": str(part)}, **load)

        apples(2 * options.rounds)
        forget_peak(service.process)
        rounds = {"signin.native": [], "signin.native.passwords": [], "signin.password": []}
        for number in range(options.rounds):
            rounds["signin.native"].append(apples(2 * number))
            # The crowd is there before the first sign-in with Apple and after the last.
            with Crowd(persons, options.seconds + 2) as crowd:
                time.sleep(1)
                rounds["signin.native.passwords"].append(apples(2 * number + 1))
            rounds["signin.password"].append({"rate": crowd.count / (options.seconds + 2)})
        peak = peak_megabytes(service.process)
    ratio = statistics.median(
        some["rate"] / alone["rate"] for some, alone in zip(rounds["signin.native.passwords"], rounds["signin.native"]))
    busy = sum(person.busy for person in persons)
    notes = [
        f"{PERSONS} people at once by password: {peak:.0f} MB at most (bound: {GREATEST_MEGABYTES}), sign-ins with Apple at "
        f"{ratio:.2f} of their rate (bound: {LEAST_RATIO}), {busy} answers 503"]
    return rounds, notes, peak < GREATEST_MEGABYTES and ratio >= LEAST_RATIO

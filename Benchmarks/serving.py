"""`siwa serve` under load: rates beside a constant answer, and what each request costs in processor time."""

import base64
import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time
import urllib.request

import django_peer
from measure import end, free_port, microseconds, postgres_microseconds, resident_megabytes, wait_for, wrk

# As many have an account when sign-ins are measured.
PEOPLE = 3_000
# Every round has fewer sign-ins than this a second.
FASTEST = 10_000


def post(url, body):
    request = urllib.request.Request(url, data=body.encode(), headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=5) as response:
        return json.load(response)


class Service:
    """One running `siwa serve`, with a database of its own."""

    def __init__(self, program, name, apple, folder, options, *more):
        self.suffix, self.folder, self.port = name, folder, free_port()
        self.base = f"http://127.0.0.1:{self.port}"
        database = str(folder / f"siwa{name}.sqlite")
        self.postgres = os.environ["SIWA_POSTGRES"] if options.database == "postgres" else None
        if self.postgres:
            # A schema is as good as a database of its own.
            schema = f"serve{name.replace('.', '_')}"
            subprocess.run(["psql", "-q", self.postgres, "-c", f"CREATE SCHEMA {schema}"], check=True)
            database = f"{self.postgres}?options=-csearch_path%3D{schema}"
        key = folder / "key.p8"
        subprocess.run(
            ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", str(key)], check=True)
        ring = "bench:" + base64.b64encode(os.urandom(32)).decode()
        self.process = subprocess.Popen(
            [str(program), "serve", "--port", str(self.port), "--public-url", f"http://localhost:{self.port}",
             "--emulator", apple, "--team-id", "BENCHTEAM1", "--key-id", "BENCHKEY01", "--private-key-file", str(key),
             "--bundle-id", django_peer.audience, "--services-id", "com.example.juice.web", "--request-budget", "0", *more],
            env={**os.environ, "SIWA_KEY_RING": ring, "SIWA_DATABASE": database},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def prepare(self, bodies):
        """Has everybody sign in once, and keeps access tokens for reading accounts."""
        self.started = wait_for(f"{self.base}/readyz", self.process)
        time.sleep(1)
        self.idle = resident_megabytes(self.process)
        tokens = [post(f"{self.base}/v1/sign-in/apple", body)["session"]["accessToken"] for body in bodies]
        self.tokens = self.folder / f"tokens{self.suffix}.txt"
        self.tokens.write_text("\n".join(tokens[:64]))

    def measure(self, parts, load):
        """One round: name → rate, latencies and processor time of a request."""
        sign_in = f"{self.base}/v1/sign-in/apple"
        taken = {
            "http.constant": self.taken(f"{self.base}/healthz", "get.lua", {}, load),
            "account.get": self.taken(f"{self.base}/v1/account", "get.lua", {"TOKENS": str(self.tokens)}, load),
        } | {
            name: self.taken(sign_in, "sign-in.lua", {"BODIES": str(file)}, load) for name, file in parts.items()
        }
        return {name + self.suffix: value for name, value in taken.items()}

    def taken(self, url, script, environment, load):
        before = self.costs()
        result = wrk(url, script, environment, **load)
        count = result["rate"] * load["seconds"]
        return result | {name: (cost - before[name]) / count for name, cost in self.costs().items()}

    def costs(self):
        costs = {"server": microseconds(self.process.pid)}
        if self.postgres:
            costs["postgres"] = postgres_microseconds(self.postgres)
        return costs


def measure_server(binaries, program, folder, options):
    """Rounds of each contender by name, and what is to be said of the server itself."""
    apple = free_port()
    load = {"connections": options.connections, "seconds": options.seconds}
    # Enough that no body comes twice: the warm-up and every round. All are made before, and a token is taken for ten
    # minutes.
    count = PEOPLE + (options.rounds + 1) * options.seconds * FASTEST
    bodies = {"signin.native": folder / "bodies.txt", "signup.native": folder / "newcomers.txt"}
    with contextlib.ExitStack() as stack:
        processes = []
        stack.callback(end, processes)
        print(f"making {2 * count} identity tokens …", file=sys.stderr)
        stand_in = subprocess.Popen(
            [str(binaries / "siwa-bench"), "apple", "--port", str(apple), "--audience", django_peer.audience,
             "--count", str(count), "--people", str(PEOPLE), "--bodies", str(bodies["signin.native"]),
             "--newcomers", str(count), "--newcomer-bodies", str(bodies["signup.native"])],
            stdout=subprocess.DEVNULL)
        processes.append(stand_in)
        keys = f"http://127.0.0.1:{apple}/auth/keys"
        wait_for(keys, stand_in, limit=600)

        lines = {name: file.read_text().splitlines() for name, file in bodies.items()}
        # Everybody has been there once before anything is measured.
        known, lines["signin.native"] = lines["signin.native"][:PEOPLE], lines["signin.native"][PEOPLE:]
        contenders = {"": program} | ({".beside": options.beside / "siwa"} if options.beside else {})
        services = []
        for name, path in contenders.items():
            service = Service(path, name, f"http://127.0.0.1:{apple}", folder, options)
            processes.append(service.process)
            service.prepare(known)
            services.append(service)
        peers = django_peer.start(options, folder, keys, processes) if options.peers else {}
        for peer in peers.values():
            for body in known:
                post(peer.url, peer.body(body))

        rounds = {}
        for number in range(options.rounds + 1):
            parts = {name: folder / f"{name}.txt" for name in bodies}
            for name, file in parts.items():
                share = len(lines[name]) // (options.rounds + 1)
                file.write_text("\n".join(lines[name][number * share:(number + 1) * share]))
            taken = {}
            for service in services:
                taken |= service.measure(parts, load)
            for name, peer in peers.items():
                taken[name] = wrk(peer.url, "sign-in.lua", {"BODIES": str(peer.bodies(parts["signin.native"]))}, **load)
            if number > 0:
                for name, values in taken.items():
                    rounds.setdefault(name, []).append(values)
        notes = [
            f"siwa serve{service.suffix}: {service.started * 1000:.0f} ms from start to first answer, {service.idle:.0f} "
            f"MB resident when idle, {resident_megabytes(service.process):.0f} MB after the load"
            for service in services]
        return rounds, notes

#!/usr/bin/env python3
"""Imports made-up people of Firebase: people a second, memory, and a sample that signs in afterwards.

    Benchmarks/importing.py SIWA [--people 1000000] [--postgres ADDRESS]

SIWA is a release build with the trait PostgreSQL. Without --postgres the accounts are in a SQLite file. The status is 1 if
it is slower, or takes more memory for ten times as many people, than it may.
"""

import argparse
import base64
import contextlib
import hashlib
import http.client
import json
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

from measure import end, free_port, wait_for

PASSWORD = "violet otter lantern 97"
SIGNER = "jxspr8Ki0RYycVU8zykbdLGjFQ3McFUH0uiiTvC8pVMXAn210wjLNmdZJzxUECKbm0QsEmYUSDzZvpjeJ9WmXA=="
SEPARATOR = "Bw=="
SAMPLE = 20
LEAST = {"sqlite": 20_000, "postgres": 5_000}
SPAWN = multiprocessing.get_context("spawn")
# For ten times as many people.
GREATEST_GROWTH_MEGABYTES = 30


def firebase_hash(salt):
    key = hashlib.scrypt(
        PASSWORD.encode(), salt=salt + base64.b64decode(SEPARATOR), n=2**14, r=8, p=1, dklen=32, maxmem=2**26)
    done = subprocess.run(
        ["openssl", "enc", "-aes-256-ctr", "-K", key.hex(), "-iv", "0" * 32], input=base64.b64decode(SIGNER),
        check=True, stdout=subprocess.PIPE)
    return base64.b64encode(done.stdout).decode()


def write_people(path, count):
    """A third signs in with Apple alone, a third with a password, and a third with both."""
    salts = [os.urandom(10) for _ in range(8)]
    hashes = [(base64.b64encode(salt).decode(), firebase_hash(salt)) for salt in salts]
    dice = random.Random(27)
    # Firebase lists its users in the order of their ids.
    ids = sorted(f"uid{dice.getrandbits(120):030x}" for _ in range(count))
    with path.open("w") as file:
        file.write('{"users": [')
        for number in range(count):
            user = {
                "localId": ids[number], "email": f"person{number}@bench.example",
                "emailVerified": True, "displayName": f"Person {number} Otter", "createdAt": str(1_600_000_000_000 + number),
                "lastSignedInAt": str(1_700_000_000_000 + number), "disabled": False, "providerUserInfo": [],
            }
            if number % 3 != 1:
                user["providerUserInfo"].append({
                    "providerId": "apple.com", "rawId": f"{dice.randrange(2000):06}.{dice.getrandbits(128):032x}.0001",
                    "email": user["email"]})
            if number % 3 != 0:
                user["salt"], user["passwordHash"] = hashes[number % 8]
                user["providerUserInfo"].append({"providerId": "password", "rawId": user["email"]})
            file.write(("," if number else "") + "\n" + json.dumps(user))
        file.write("\n]}\n")


def run(command, environment):
    """Seconds, the most memory in megabytes, and the last line."""
    start = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"{command[1]} ended with {status}: {output}")
    return time.monotonic() - start, usage.ru_maxrss / 1024, output.strip().splitlines()[-1]


def sign_in(program, folder, environment, numbers):
    """Has people sign in by password, and returns how many could."""
    port = free_port()
    key = folder / "key.p8"
    subprocess.run(
        ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", str(key)], check=True)
    process = subprocess.Popen(
        [program, "serve", "--port", str(port), "--public-url", f"http://localhost:{port}", "--key-id", "BENCHKEY01",
         "--private-key-file", str(key), "--bundle-id", "com.example.juice", "--request-budget", "0", "--passwords",
         "--mail-url", "smtp://127.0.0.1:9", "--mail-from", "bench@bench.example"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}/healthz", process)
        count = 0
        for number in numbers:
            with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=60)) as connection:
                body = json.dumps({"email": f"person{number}@bench.example", "password": PASSWORD})
                connection.request(
                    "POST", "/v1/sign-in/password", body,
                    {"Content-Type": "application/json", "Host": f"localhost:{port}"})
                count += connection.getresponse().status == 200
        return count
    finally:
        end([process])


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument("program")
    options.add_argument("--people", type=int, default=1_000_000)
    options.add_argument("--postgres")
    options = options.parse_args()
    engine = "postgres" if options.postgres else "sqlite"
    kept = True
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "hash.txt").write_text(
            f"hash_config {{\n algorithm: SCRYPT,\n base64_signer_key: {SIGNER},\n base64_salt_separator: {SEPARATOR},\n"
            " rounds: 8,\n mem_cost: 14,\n}\n")
        memory = {}
        for count in (options.people // 10, options.people):
            people = folder / "users.json"
            # In a process of its own: a program that is started from here counts the memory of this one as its own.
            writer = SPAWN.Process(target=write_people, args=(people, count))
            writer.start()
            writer.join()
            if writer.exitcode:
                sys.exit("error: the file of people could not be made")
            database = str(folder / f"{count}.sqlite")
            if options.postgres:
                subprocess.run(["psql", "-q", options.postgres, "-c", f"CREATE SCHEMA import{count}"], check=True)
                database = f"{options.postgres}?options=-csearch_path%3Dimport{count}"
            environment = {
                **os.environ, "SIWA_DATABASE": database, "SIWA_TEAM_ID": "BENCHTEAM1",
                "SIWA_KEY_RING": "bench:" + base64.b64encode(b"b" * 32).decode(),
                # Nobody is asked anything there.
                "SIWA_EMULATOR": "http://127.0.0.1:9",
            }
            command = [
                options.program, "import", "--from", "firebase", str(people), "--hash-config", str(folder / "hash.txt")]
            for name in ("dry run", "first", "again"):
                seconds, megabytes, line = run(command + ["--dry-run"] * (name == "dry run"), environment)
                rate = count / seconds
                print(f"{engine} {count:9,} people, {name}: {rate:8,.0f} a second, {megabytes:4.0f} MB; {line}", flush=True)
                if name == "first":
                    memory[count] = megabytes
                    kept = kept and (count < options.people or rate >= LEAST[engine])
        growth = memory[options.people] - memory[options.people // 10]
        kept = kept and growth <= GREATEST_GROWTH_MEGABYTES
        numbers = random.Random(1).sample([number for number in range(options.people) if number % 3], SAMPLE)
        count = sign_in(options.program, folder, environment, numbers)
        print(f"{growth:.0f} MB more for ten times as many people; {count} of {SAMPLE} signed in")
        kept = kept and count == SAMPLE
    if not kept:
        sys.exit("error: the import is not what it must be")


if __name__ == "__main__":
    main()

"""Servers on free ports, and wrk in front of them."""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request

here = pathlib.Path(__file__).resolve().parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answer(url):
    with urllib.request.urlopen(url, timeout=2) as response:
        return response.read()


def wait_for(url, process, limit=20, status=200):
    """Seconds until the first answer of this status."""
    start = time.monotonic()
    while time.monotonic() - start < limit:
        if process.poll() is not None:
            raise SystemExit(f"a server ended at once, with status {process.returncode}")
        try:
            answer(url)
            return time.monotonic() - start
        except urllib.error.HTTPError as failure:
            if failure.code == status:
                return time.monotonic() - start
            time.sleep(0.002)
        except OSError:
            time.sleep(0.002)
    raise SystemExit(f"nothing answers at {url}")


def resident_megabytes(process):
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def microseconds(pid):
    """Processor time that a process has taken, its own and the system's for it."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) * 1_000_000 / os.sysconf("SC_CLK_TCK")


def postgres_microseconds(address):
    """Processor time of all of a PostgreSQL server's processes, those that have ended included."""
    shown = subprocess.run(
        ["psql", "-qAt", address, "-c", "SHOW data_directory"], capture_output=True, text=True, check=True)
    postmaster = int((pathlib.Path(shown.stdout.strip()) / "postmaster.pid").read_text().splitlines()[0])
    total = 0
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(entry.name) == postmaster:
                # With what its ended children have taken.
                total += sum(map(int, fields[11:15])) * 1_000_000 / os.sysconf("SC_CLK_TCK")
            elif int(fields[1]) == postmaster:
                total += microseconds(int(entry.name))
        except FileNotFoundError:
            # It has ended since, and its parent has counted it or will.
            continue
    return total


def end(processes):
    for process in processes:
        process.send_signal(signal.SIGTERM)
    for process in processes:
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()


@contextlib.contextmanager
def running(*command):
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        yield process
    finally:
        end([process])


def wrk(url, script, environment, *, connections, seconds, threads=1):
    result = subprocess.run(
        ["wrk", f"-t{threads}", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(here / script), url],
        capture_output=True, text=True, env={**os.environ, **environment}, check=True)
    found = re.search(r"RESULT (\S+) p50 (\d+) p99 (\d+) bad (\d+)", result.stdout)
    if not found or int(found[4]):
        raise SystemExit(f"not a measurement: {result.stdout}{result.stderr}")
    return {"rate": float(found[1]), "p50": int(found[2]), "p99": int(found[3])}

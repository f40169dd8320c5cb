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

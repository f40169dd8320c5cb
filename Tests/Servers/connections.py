"""Raw connections to a server, and what a server looks like from outside while it has many of them."""

import collections
import contextlib
import http.client
import pathlib
import re
import resource
import selectors
import socket
import threading
import time
import urllib.parse

from deployment import DEADLINE

# The tests open thousands of sockets themselves.
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


class Target:
    """A server that listens on loopback: the service or the emulator."""

    def __init__(self, url, pid, path, asset):
        self.host, self.port = urllib.parse.urlsplit(url).hostname, urllib.parse.urlsplit(url).port
        self.pid = pid
        # A path that anybody may ask for, and a file that pages load.
        self.path, self.asset = path, asset

    def connect(self, source="127.0.0.1"):
        """A server sees as many addresses as a test likes: all of 127.0.0.0/8 are this machine."""
        return socket.create_connection((self.host, self.port), timeout=DEADLINE, source_address=(source, 0))

    def exchange(self, data, source="127.0.0.1"):
        """Everything that the server says until it ends the connection."""
        with self.connect(source) as connection:
            connection.sendall(data)
            return read_to_end(connection)

    def client(self, source="127.0.0.1"):
        return http.client.HTTPConnection(self.host, self.port, timeout=DEADLINE, source_address=(source, 0))

    def get(self, path, source="127.0.0.1", headers={}):
        with contextlib.closing(self.client(source)) as client:
            client.request("GET", path, headers=headers)
            answer = client.getresponse()
            return answer.status, answer.read()

    def memory(self):
        """In bytes, as the system counts what is resident."""
        text = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+) kB", text)[1]) * 1024

    def open_files(self):
        return len(list(pathlib.Path(f"/proc/{self.pid}/fd").iterdir()))

    def is_alive(self):
        try:
            return pathlib.Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
        except FileNotFoundError:
            return False


def read_to_end(connection):
    data = b""
    while piece := connection.recv(65536):
        data += piece
    return data


def statuses(data):
    return [int(status) for status in re.findall(rb"HTTP/1\.[01] (\d{3}) ", data)]


def wait_until(condition, what, seconds=DEADLINE):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


class Crowd:
    """Connections that send something, if anything, and never read."""

    def __init__(self, target, count, sources, data=b""):
        self.selector = selectors.DefaultSelector()
        self.left = {}
        self.ended = 0
        for number in range(count):
            try:
                connection = target.connect(sources[number % len(sources)])
            except OSError:
                self.ended += 1
                continue
            connection.setblocking(False)
            self.left[connection] = memoryview(data)
            self.selector.register(connection, selectors.EVENT_WRITE if data else selectors.EVENT_READ)

    def go_on(self, seconds):
        """Sends as much as the server takes. One that sends nothing only looks whether the server has ended it."""
        deadline = time.monotonic() + seconds
        while self.left and (rest := deadline - time.monotonic()) > 0:
            for key, _ in self.selector.select(min(rest, 0.5)):
                connection = key.fileobj
                try:
                    if len(self.left[connection]):
                        sent = connection.send(self.left[connection])
                        self.left[connection] = self.left[connection][sent:]
                        if not len(self.left[connection]):
                            # The answer is not read.
                            self.selector.unregister(connection)
                    elif not connection.recv(1, socket.MSG_PEEK):
                        self.end(connection)
                except BlockingIOError:
                    pass
                except OSError:
                    self.end(connection)

    def end(self, connection):
        with contextlib.suppress(KeyError):
            self.selector.unregister(connection)
        del self.left[connection]
        connection.close()
        self.ended += 1

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for connection in list(self.left):
            self.end(connection)
        self.selector.close()


class Load:
    """Requests of others meanwhile, with a new connection each time and with one that stays, and their times."""

    def __init__(self, target, source, paths, headers={}):
        self.target, self.source, self.paths, self.headers = target, source, paths, headers
        self.times, self.statuses, self.errors = [], collections.Counter(), []
        self.is_over = threading.Event()
        self.thread = threading.Thread(target=self.run)

    def run(self):
        with contextlib.closing(self.target.client(self.source)) as kept:
            while not self.is_over.is_set():
                for path in self.paths:
                    self.ask(kept, path)
                    with contextlib.closing(self.target.client(self.source)) as fresh:
                        self.ask(fresh, path)
                self.is_over.wait(0.05)

    def ask(self, client, path):
        began = time.monotonic()
        try:
            client.request("GET", path, headers=self.headers)
            answer = client.getresponse()
            answer.read()
            self.statuses[answer.status] += 1
        except OSError as error:
            self.errors.append(repr(error))
            client.close()
        self.times.append(time.monotonic() - began)

    def percentile(self, share):
        times = sorted(self.times)
        return times[min(len(times) - 1, int(len(times) * share))]

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.is_over.set()
        self.thread.join(2 * DEADLINE)

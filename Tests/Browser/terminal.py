"""A program in a pseudo-terminal, and what somebody in front of it sees."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time

import pyte


class Terminal:
    """Wait for what is to be seen, not for a time to pass; every wait ends."""

    PATIENCE = 30

    def __init__(self, command, environment, columns=80, rows=24):
        self.primary, self.secondary = pty.openpty()
        self.size(columns, rows)
        self.attributes = termios.tcgetattr(self.secondary)
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.written = b""
        self.process = subprocess.Popen(
            command, env=environment, stdin=self.secondary, stdout=self.secondary, stderr=self.secondary,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(self.PATIENCE)
        os.close(self.primary)
        os.close(self.secondary)

    def size(self, columns, rows):
        fcntl.ioctl(self.primary, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self.size(columns, rows)

    def type(self, keys):
        os.write(self.primary, keys.encode())

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display).rstrip()

    def _read(self, seconds):
        if not select.select([self.primary], [], [], max(0, seconds))[0]:
            return False
        data = os.read(self.primary, 65536)
        self.written += data
        self.stream.feed(data)
        return True

    def until(self, is_there, what):
        deadline = time.monotonic() + self.PATIENCE
        while not is_there():
            if not self._read(deadline - time.monotonic()):
                raise AssertionError(f"{what} is not to be seen:\n{self.text}")

    def see(self, *texts):
        """Waits until all of it is to be seen at once, and gives the whole screen."""
        self.until(lambda: all(text in self.text for text in texts), " and ".join(texts))
        return self.text

    def end(self):
        """The status of the program, which ends by itself. The terminal must be as it was."""
        status = self.process.wait(self.PATIENCE)
        while self._read(0):
            pass
        assert termios.tcgetattr(self.secondary) == self.attributes
        return status

    def signal(self, number):
        self.process.send_signal(number)
        return self.end()

    def has_left_page(self):
        """Whether the shell's own page, cursor and line wrap are back."""
        end = self.written.rfind(b"\x1b[?1049h")
        return all(self.written.rfind(code) > end for code in (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?7h"))

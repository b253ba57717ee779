"""A program in a pseudo-terminal, and what is on its screen: as much of a terminal as `lockstep watch` needs."""

import errno
import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time

# No verdict on a slow machine: what takes so long never comes, and the screen is worth seeing.
LONGEST_S = 1500
SEQUENCE = re.compile(rb"\x1b\[(\??)([0-9;]*)([A-Za-z])")


class Screen:
    """Rows and columns of characters. Unknown sequences are kept in `unknown`, so that a test can insist on none."""

    def __init__(self, columns, rows):
        self.modes, self.unknown, self.pending = set(), [], b""
        self.resize(columns, rows)

    def resize(self, columns, rows):
        self.columns, self.rows = columns, rows
        self.row = self.column = 0
        self.cells = [[" "] * columns for _ in range(rows)]

    def lines(self):
        return ["".join(cells).rstrip() for cells in self.cells]

    def text(self):
        return "\n".join(self.lines())

    def feed(self, data):
        data, self.pending = self.pending + data, b""
        at = 0
        while at < len(data):
            if data[at] == 0x1b:
                match = SEQUENCE.match(data, at)
                if match is None:
                    if len(data) - at < 16:
                        self.pending = data[at:]
                        return
                    self.unknown.append(data[at:at + 8])
                    at += 1
                    continue
                self.command(match.group(1) + match.group(3), match.group(2))
                at = match.end()
                continue
            end = at + 1
            while end < len(data) and data[at] >= 0xc0 and data[end] & 0xc0 == 0x80:
                end += 1
            self.put(data[at:end].decode("utf-8", "replace"))
            at = end

    def command(self, name, parameters):
        if name in (b"?h", b"?l"):
            (self.modes.add if name == b"?h" else self.modes.discard)(parameters.decode())
        elif name == b"H" and not parameters:
            self.row = self.column = 0
        elif name == b"K" and not parameters:
            self.cells[self.row][min(self.column, self.columns - 1):] = \
                [" "] * (self.columns - min(self.column, self.columns - 1))
        elif name != b"m":
            self.unknown.append(name + parameters)

    def put(self, character):
        if character == "\r":
            self.column = 0
        elif character == "\n":
            if self.row == self.rows - 1:
                self.cells = self.cells[1:] + [[" "] * self.columns]
            else:
                self.row += 1
        else:
            # Without wrapping the last column is overwritten.
            self.cells[self.row][min(self.column, self.columns - 1)] = character
            self.column += 1


class Terminal:
    """Runs a program in a pseudo-terminal of this size, as a shell would: a session of its own, signals by keys."""

    def __init__(self, arguments, environment, cwd, columns=80, rows=24):
        self.screen = Screen(columns, rows)
        self.status = None
        self.output = b""
        ready, go = os.pipe()
        self.pid, self.master = pty.fork()
        if self.pid == 0:
            os.read(ready, 1)   # the program must not change the settings before they are known
            os.chdir(cwd)
            os.execvpe(arguments[0], arguments, environment)
        self.resize(columns, rows)
        self.initial = self.settings()
        os.write(go, b"g")
        os.close(ready)
        os.close(go)

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.screen.resize(columns, rows)

    def settings(self):
        return termios.tcgetattr(self.master)

    def press(self, keys):
        os.write(self.master, keys.encode())

    def kill(self, number):
        os.kill(self.pid, number)

    def pump(self, seconds):
        """Reads what comes within this time; returns at the first piece."""
        ready = select.select([self.master], [], [], seconds)[0]
        if ready:
            try:
                data = os.read(self.master, 65536)
            except OSError as error:
                if error.errno != errno.EIO:
                    raise
                data = b""
            self.output += data
            self.screen.feed(data)
            if not data:
                time.sleep(0.01)
        self.reap()

    def reap(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                self.status = os.waitstatus_to_exitcode(status)

    def wait_for(self, condition, what, seconds=LONGEST_S):
        """Waits until condition(), or `what` (a text) is on the screen. Returns how long it took."""
        start = time.monotonic()
        while not (condition() if condition else what in self.screen.text()):
            if time.monotonic() - start > seconds:
                raise AssertionError(f"waited {seconds} s for {what!r}; the screen:\n{self.screen.text()}")
            self.pump(0.02)
        return time.monotonic() - start

    def see(self, text, seconds=LONGEST_S):
        return self.wait_for(None, text, seconds)

    def end(self, seconds=LONGEST_S):
        """Waits for the end of the program and for the rest of its output."""
        self.wait_for(lambda: self.status is not None, "the end", seconds)
        while select.select([self.master], [], [], 0.05)[0]:
            try:
                data = os.read(self.master, 65536)
            except OSError:
                break
            if not data:
                break
            self.output += data
            self.screen.feed(data)
        return self.status

    def close(self):
        if self.status is None:
            self.kill(signal.SIGKILL)
            self.end()
        if self.master >= 0:
            os.close(self.master)
        self.master = -1

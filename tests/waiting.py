"""Waiting for what must come, and looking at processes. Nothing here gives up: how long things take decides nothing, and the
runner ends a suite that hangs."""

import os
import time
from typing import NamedTuple


def wait_until(condition):
    """Returns the condition's first true value."""
    while not (value := condition()):
        time.sleep(0.01)
    return value


class Process(NamedTuple):
    pid: int
    state: str      # "R", "S", … "Z": ended, and its parent has not asked yet
    parent: int
    session: int
    seconds: float  # of processor time, its own

    def words(self):
        """Its command line; [] when it has ended."""
        try:
            with open(f"/proc/{self.pid}/cmdline", "rb") as file:
                return file.read().decode(errors="replace").split("\0")[:-1]
        except OSError:
            return []

    def program(self):
        """The path of what it executes; None when it has ended."""
        try:
            return os.readlink(f"/proc/{self.pid}/exe")
        except OSError:
            return None


def find_process(pid):
    """None when there is none."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return None
    ticks = int(fields[11]) + int(fields[12])
    return Process(int(pid), fields[0], int(fields[1]), int(fields[3]), ticks / os.sysconf("SC_CLK_TCK"))


def processes():
    """All that there are now."""
    return [found for found in map(find_process, filter(str.isdigit, os.listdir("/proc"))) if found]

"""Waiting for what must come. Nothing here gives up: how long things take decides nothing, and the runner ends a suite
that hangs."""

import os
import time


def wait_until(condition):
    """Returns the condition's first true value."""
    while not (value := condition()):
        time.sleep(0.01)
    return value


def used_seconds(pid):
    """The processor time that a process has used; 0 when it is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            fields = file.read().rpartition(")")[2].split()
    except OSError:
        return 0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

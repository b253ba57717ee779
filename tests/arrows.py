"""Checks that the folders depend on one another in one direction only: arrows.py [ROOT].

Looks at every #include "…" of every .c, .h, .def and .inc file. Prints one line per wrong include, file:line first; exit
status 1 when there is one. The table below is the rule (see README.md, Layout).
"""

import os
import re
import sys

# Folder: the folders that it may include from, besides itself. The longest folder that holds a file counts; "folder/file"
# allows that one file. In rising order, so that a look at the table shows that there is no cycle.
ALLOWED = {
    "runtime/emulator/base": [],
    "runtime/emulator/ptx": ["runtime/emulator/base"],
    # The executor calls checkers and counters through these hooks alone; they look at its state.
    "runtime/emulator/execution": ["runtime/emulator/base", "runtime/emulator/ptx", "runtime/emulator/checks/checks.h",
                                   "runtime/emulator/checks/finding.h", "runtime/emulator/checks/findings.def",
                                   "runtime/emulator/counters/counters.h", "runtime/emulator/counters/counters.def"],
    "runtime/emulator/counters": ["runtime/emulator/base", "runtime/emulator/ptx", "runtime/emulator/execution"],
    "runtime/emulator/checks": ["runtime/emulator/base", "runtime/emulator/ptx", "runtime/emulator/execution",
                                "runtime/emulator/counters"],
    "runtime/emulator/driver": ["runtime/emulator", "runtime/emulator/base", "runtime/emulator/ptx",
                                "runtime/emulator/execution", "runtime/emulator/checks", "runtime/emulator/counters",
                                "runtime/driver_api.h", "runtime/driver_api.def", "runtime/driver_results.def"],
    # The runtime library calls the driver through its entry points alone.
    "runtime/emulator/cudart": ["runtime/driver_api.h", "runtime/driver_results.def",
                                "runtime/emulator/driver/entry_points.h", "runtime/emulator/driver/entry_points.def"],
    # The driver's public header, with the entry points that only the emulated driver has.
    "runtime/emulator": [],
    # The runtime meets a driver only through dlopen.
    "runtime": ["runtime/emulator/lockstep_driver.h"],
    # The grader reads the tables of findings, counters and schedules: names, not code.
    "grader": ["runtime", "labs/labs.def", "runtime/emulator/checks/findings.def", "runtime/emulator/counters/counters.def",
               "runtime/emulator/base/schedule.def"],
    "labs": ["grader"],
    "tests": ["runtime", "runtime/emulator", "runtime/emulator/base", "runtime/emulator/ptx", "runtime/emulator/counters",
              "runtime/emulator/checks", "runtime/emulator/execution", "runtime/emulator/driver", "grader", "labs"],
}

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"')
SOURCES = (".c", ".h", ".def", ".inc")


def folder_of(path):
    """The longest folder of the table that holds the file, or None."""
    folder = os.path.dirname(path)
    while folder and folder not in ALLOWED:
        folder = os.path.dirname(folder)
    return folder or None


def includes_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            match = INCLUDE.match(line)
            if match:
                yield number, match.group(1)


def mistakes_of(root, path):
    """The wrong includes of one file, as text."""
    folder = folder_of(path)
    first = None
    for number, target in includes_of(root, path):
        first = first or target
        where = f"{path}:{number}: "
        if not os.path.exists(os.path.join(root, target)):
            yield f'{where}"{target}" does not exist; include paths start at the root of the repository'
            continue
        other = folder_of(target)
        if other is None:
            yield f'{where}"{target}" belongs to no folder of the table in tests/arrows.py'
        elif other != folder and other not in ALLOWED[folder] and target not in ALLOWED[folder]:
            yield f'{where}{folder} may not include "{target}" ({other})'
    own = path[:-2] + ".h"
    if path.endswith(".c") and os.path.exists(os.path.join(root, own)) and first != own:
        yield f'{path}:1: the first include must be its own header, "{own}"'


def sources(root):
    for top in sorted({folder.split("/")[0] for folder in ALLOWED}):
        for directory, _, files in os.walk(os.path.join(root, top)):
            for name in sorted(files):
                if name.endswith(SOURCES):
                    yield os.path.relpath(os.path.join(directory, name), root)


def check(root):
    return [mistake for path in sources(root) for mistake in mistakes_of(root, path)]


def main():
    mistakes = check(sys.argv[1] if len(sys.argv) > 1 else ".")
    for mistake in mistakes:
        print(mistake)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())

"""Checks that folders, and files, depend on one another in one direction only: arrows.py [ROOT].

Looks at every #include "…" of every .c, .h, .def and .inc file. The table below is the rule for folders (see README.md,
Layout); files need none: header and source of one name count as one, and no chain of includes may come back to where it
began. Prints one line per wrong include, file:line first, and one per cycle; exit status 1 when there is one.
"""

import os
import re
import sys

# Folder: the folders that it may include from, besides itself. The longest folder that holds a file counts. In rising order,
# so that a look at the table shows that there is no cycle; ci/sources.py links the archives in the opposite order.
BASE = ["runtime", "runtime/base"]
LANGUAGE = ["runtime/base", "runtime/language", "runtime/language/ptx"]
MACHINE = LANGUAGE + ["runtime/tables", "runtime/emulator/settings", "runtime/emulator/findings",
                      "runtime/emulator/arithmetic", "runtime/emulator/machine"]
OBSERVERS = ["runtime/emulator/observe/" + name for name in ("counters", "poison", "races", "record", "explain")]
GRADER = LANGUAGE + ["runtime", "runtime/compile", "runtime/tables"]
GRADER_FOLDERS = ["grader/" + name for name in (
    "base", "sandbox", "cluster", "collect/forms", "lab", "lab/describe", "estimate", "options", "result", "compile", "run",
    "judge", "program", "grading", "pages", "student", "commands", "class", "collect")]


def grader_below(name):
    """What a folder of the grader may include: the runtime, and the grader's folders below it."""
    return GRADER + GRADER_FOLDERS[:GRADER_FOLDERS.index("grader/" + name)]


ALLOWED = {
    # The kit's C interface, lockstep.h; and the driver's own header, with the entry points that only the emulated one has.
    "runtime": [],
    "runtime/emulator": [],
    # Rows that both sides read: findings, counters, schedules; the vocabulary of the CUDA driver API.
    "runtime/tables": [],
    "runtime/cuda": [],
    "runtime/base": ["runtime"],
    "runtime/language": ["runtime/base"],
    "runtime/language/ptx": ["runtime/base", "runtime/language"],
    "runtime/compile": BASE + ["runtime/language"],
    # The library meets a driver only through dlopen.
    "runtime/library": LANGUAGE + ["runtime", "runtime/cuda", "runtime/emulator", "runtime/compile"],
    "runtime/examples": ["runtime"],
    "runtime/emulator/settings": ["runtime/base", "runtime/tables"],
    "runtime/emulator/findings": ["runtime/base", "runtime/tables", "runtime/emulator/settings"],
    "runtime/emulator/arithmetic": LANGUAGE,
    "runtime/emulator/machine": MACHINE[:-1],
    "runtime/emulator/decode": MACHINE,
    "runtime/emulator/execute": MACHINE,
    "runtime/emulator/observe/counters": MACHINE,
    "runtime/emulator/observe/poison": MACHINE,
    "runtime/emulator/observe/races": MACHINE,
    "runtime/emulator/observe/explain": MACHINE,
    "runtime/emulator/observe/record": MACHINE + ["runtime/emulator/observe/counters"],
    "runtime/emulator/observe": MACHINE + OBSERVERS,
    "runtime/emulator/driver": MACHINE + OBSERVERS + ["runtime/cuda", "runtime/emulator", "runtime/emulator/decode",
                                                     "runtime/emulator/execute", "runtime/emulator/observe"],
    # Graphs and stream capture do their work through the driver, which knows them as a table alone (driver/capture_port.h).
    "runtime/emulator/graph": MACHINE + ["runtime/cuda", "runtime/emulator", "runtime/emulator/decode",
                                         "runtime/emulator/driver"],
    # The CUDA Runtime API calls the driver through its entry points alone.
    "runtime/emulator/cudart": ["runtime/cuda", "runtime/emulator", "runtime/emulator/driver"],
    # Of the driver the list of entry points alone, which the meter has all of.
    "runtime/emulator/stand_ins": ["runtime/base", "runtime/emulator", "runtime/emulator/cudart", "runtime/emulator/driver"],
    # Libraries for programs under `lockstep exec`; each uses base alone.
    "runtime/emulator/math_libraries/base": ["runtime/emulator"],
    **{f"runtime/emulator/math_libraries/{name}": ["runtime/emulator/math_libraries/base"]
       for name in ("curand", "cublas", "cublaslt", "cufft", "cusparse", "cusolver")},
    **{folder: grader_below(folder.removeprefix("grader/")) for folder in GRADER_FOLDERS},
    # The numbers and names of the driver's and the runtime's results, which programs see.
    "grader/program": grader_below("program") + ["runtime/cuda"],
    # The C code of a lab, loaded by the grader, uses what describes labs and nothing above it.
    "labs": ["grader/lab"],
    "grader": GRADER + GRADER_FOLDERS,
}
ALLOWED["tests"] = [folder for folder in ALLOWED]

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


def without_suffix(path):
    """Header and source of one name are one file to anyone who reads them."""
    base, suffix = os.path.splitext(path)
    return base if suffix in (".c", ".h") else path


def file_arrows(root):
    """{file: {file that it includes: the place of one such include}}, without suffixes."""
    arrows = {}
    for path in sources(root):
        for number, target in includes_of(root, path):
            if without_suffix(target) != without_suffix(path) and os.path.exists(os.path.join(root, target)):
                arrows.setdefault(without_suffix(path), {}).setdefault(without_suffix(target), f"{path}:{number}")
    return arrows


def cycles_of(arrows):
    """One line for each arrow that closes a cycle, seen from the first file in alphabetical order."""
    done = set()

    def visit(file, chain):
        if file in chain:
            cycle = chain[chain.index(file):] + [file]
            yield f"{arrows[cycle[-2]][file]}: a cycle of files: {' -> '.join(cycle)}"
        elif file not in done:
            for other in sorted(arrows.get(file, {})):
                yield from visit(other, chain + [file])
            done.add(file)

    for file in sorted(arrows):
        yield from visit(file, [])


def check(root):
    return [mistake for path in sources(root) for mistake in mistakes_of(root, path)] + list(cycles_of(file_arrows(root)))


def main():
    mistakes = check(sys.argv[1] if len(sys.argv) > 1 else ".")
    for mistake in mistakes:
        print(mistake)
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())

"""Writes ci/sources.ninja, the objects and archives of every folder, from what lies in the folders: sources.py [--check].

Adding a .c file asks for nothing but this: `python3 ci/sources.py` (ci/setup runs it too). A folder's archive holds the
objects of all its .c files but those that have a main(); a file that needs flags of its own is compiled by hand in a
fragment (`build $b/FOLDER/NAME.o: cc …`), and joins the archive anyway. --check only compares, for the tests.
"""

import os
import re
import sys

# What links together, each group from the users down to what they use: the order of the archives is that of the layers,
# and the linker goes through it once. tests/arrows.py has the same order as a rule for includes.
GROUPS = {
    "shared": ["runtime/language/ptx", "runtime/language", "runtime/base"],
    "runtime": ["runtime/library", "runtime/compile"],
    "emulator": ["runtime/emulator/observe", "runtime/emulator/observe/explain", "runtime/emulator/observe/record",
                 "runtime/emulator/observe/poison", "runtime/emulator/observe/races", "runtime/emulator/observe/counters",
                 "runtime/emulator/execute", "runtime/emulator/decode", "runtime/emulator/machine",
                 "runtime/emulator/arithmetic", "runtime/emulator/findings", "runtime/emulator/settings"],
    "driver": ["runtime/emulator/graph", "runtime/emulator/driver"],
    "math": ["runtime/emulator/math_libraries/" + name
             for name in ("cublas", "cublaslt", "cusolver", "cufft", "cusparse", "curand", "base")],
    "grader": ["grader/collect", "grader/class", "grader/commands", "grader/student", "grader/pages", "grader/grading",
               "grader/program", "grader/judge", "grader/run", "grader/compile", "grader/result",
               "grader/options", "grader/estimate", "grader/lab/describe", "grader/lab", "grader/collect/forms",
               "grader/cluster", "grader/sandbox", "grader/base"],
}
# The CUDA Runtime API is compiled once for each major version of its interface.
CUDART, CUDART_MAJORS = "runtime/emulator/cudart", (12, 13)
# The C code of each lab is a module of its own, which the grader loads.
LABS = "labs"
# Suites go into the archive of the one test runner.
SUITES = "tests"

FRAGMENTS = ["runtime/runtime.ninja", "runtime/emulator/emulator.ninja", "grader/grader.ninja", "tests/tests.ninja"]
OUTPUT = "ci/sources.ninja"
WIDTH = 120


def by_hand():
    """Objects that fragments compile: {object without $b/: source}."""
    objects = {}
    for fragment in FRAGMENTS:
        with open(fragment, encoding="utf-8") as text:
            for match in re.finditer(r"^build \$b/(\S+\.o): cc (\S+)", text.read(), re.M):
                objects[match.group(1)] = match.group(2)
    return objects


def is_program(path):
    with open(path, encoding="utf-8") as text:
        return re.search(r"^int main\(", text.read(), re.M) is not None


def sources_in(folder):
    """The .c files of a folder."""
    for name in sorted(os.listdir(folder)):
        if name.endswith(".c"):
            yield f"{folder}/{name}"


def wrapped(start, words):
    """A line of Ninja, broken with $ where it is long."""
    lines, line = [], start
    for word in words:
        if len(line) + len(word) + 3 > WIDTH:
            lines.append(line + " $")
            line = "   "
        line += " " + word
    return "\n".join(lines + [line])


def archive_of(folder):
    return f"$b/{folder}/lib{os.path.basename(folder)}.a"


def text():
    known = by_hand()
    hand_sources = set(known.values())
    lines = ["# Written by ci/sources.py from what lies in the folders; do not edit."]

    def compile_all(folder):
        objects = []
        for path in sources_in(folder):
            if path in hand_sources:
                if not is_program(path):
                    objects += [f"$b/{name}" for name, source in known.items() if source == path]
            elif not is_program(path):
                lines.append(f"build $b/{path[:-2]}.o: cc {path}")
                objects.append(f"$b/{path[:-2]}.o")
        return objects

    for group, folders in GROUPS.items():
        archives = []
        for folder in folders:
            lines += ["", f"# {folder}"]
            archive = archive_of(folder)
            lines.append(wrapped(f"build {archive}: ar", compile_all(folder)))
            archives.append(archive)
        lines += ["", wrapped(f"{group}_archives =", archives), wrapped(f"build $b/archives/{group}: phony", archives)]

    lines += ["", f"# {LABS}"]
    modules = []
    for name in sorted(os.listdir(LABS)):
        folder = f"{LABS}/{name}"
        objects = []
        for path in sources_in(folder) if os.path.isdir(folder) else []:
            objects.append(f"$b/{path[:-2]}.o")
            lines.append(f"build {objects[-1]}: cc_module {path}")
        if objects:
            modules.append(f"$b/{folder}.so")
            lines.append(wrapped(f"build {modules[-1]}: link_module", objects))
    lines.append(wrapped(f"build $b/{LABS}/all: phony", modules))

    lines += ["", f"# {CUDART}"]
    for major in CUDART_MAJORS:
        objects = []
        for path in sources_in(CUDART):
            objects.append(f"$b/{path[:-2]}_{major}.o")
            # The function that a program called stays on the stack: findings name it (driver/call_place.h).
            lines += [f"build {objects[-1]}: cc {path}", f"  extra = -DCUDART_MAJOR={major} -fno-optimize-sibling-calls"]
        lines.append(wrapped(f"build $b/{CUDART}/libcudart_{major}.a: ar", objects))

    lines += ["", f"# {SUITES}"]
    suites = []
    for path in sources_in(SUITES):
        if path.endswith("_suite.c"):
            lines.append(f"build $b/{path[:-2]}.o: cc {path}")
            suites.append(f"$b/{path[:-2]}.o")
    lines.append(wrapped(f"build $b/{SUITES}/libsuites.a: ar", suites))
    return "\n".join(lines) + "\n"


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    wanted = text()
    try:
        with open(OUTPUT, encoding="utf-8") as file:
            found = file.read()
    except FileNotFoundError:
        found = None
    if found == wanted:
        return 0
    if "--check" in sys.argv[1:]:
        print(f"{OUTPUT}: not what lies in the folders; run: python3 ci/sources.py")
        return 1
    with open(OUTPUT, "w", encoding="utf-8") as file:
        file.write(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())

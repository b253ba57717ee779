"""Prints the figures of `ninja bench`: bench.py [PART]...   (emulator grade batch build test; default: all, in this order)

Wall times are the best of a few runs, beside the goal. Exit status 1 only when something could not be measured: a missed
goal on a slow machine is not a mistake.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

QUIET = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}


def timed(command, runs, directory=".", before=None):
    """Best wall time in seconds of a command that must succeed."""
    best = float("inf")
    for _ in range(runs):
        if before:
            before()
        start = time.monotonic()
        done = subprocess.run(command, cwd=directory, check=False, **QUIET)
        seconds = time.monotonic() - start
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stderr.decode()[-2000:]}")
        best = min(best, seconds)
    return best


def report(what, seconds, goal):
    print(f"{what:44} {seconds:8.2f} s   goal {goal:5.1f} s   {'reached' if seconds <= goal else 'MISSED'}", flush=True)


def copy_of_tree():
    """The files that git knows or would add, in a new folder: a clean clone of the working tree."""
    folder = tempfile.mkdtemp(prefix="lockstep-bench-")
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], check=True,
                            stdout=subprocess.PIPE).stdout.decode()
    for path in filter(None, listed.split("\0")):
        if os.path.isfile(path):
            os.makedirs(os.path.join(folder, os.path.dirname(path)), exist_ok=True)
            shutil.copy2(path, os.path.join(folder, path))
    if os.path.isdir("build/nvrtc"):
        os.makedirs(f"{folder}/build", exist_ok=True)
        os.symlink(os.path.abspath("build/nvrtc"), f"{folder}/build/nvrtc")
    return folder


def bench_emulator():
    print("Emulated driver, one core; a lane-instruction is one instruction of one active lane; - : below the goal")
    if subprocess.run(["build/tests/emulator_bench"], stdin=subprocess.DEVNULL, check=False).returncode != 0:
        raise RuntimeError("build/tests/emulator_bench failed")


def bench_grade():
    grade = ["build/lockstep", "grade", "solutions", "--device", "emulated"]
    timed(grade, 1)   # fills the cache of compiled modules
    report("lockstep grade solutions (six labs)", timed(grade, 3), 3.0)
    for lab in sorted(os.listdir("solutions")):
        seconds = timed(["build/lockstep", "grade", f"solutions/{lab}", "--device", "emulated"], 2)
        report(f"  lockstep grade solutions/{lab}", seconds, 0.5)


def bench_batch():
    """A class of 20 students and six labs, each file its own; no file is graded twice, and nothing comes from a cache."""
    students = 20
    with tempfile.TemporaryDirectory() as folder:
        for number in range(students):
            os.makedirs(f"{folder}/class/{number}")
            for lab in sorted(os.listdir("solutions")):
                name = f"{lab}.cu"
                wrong = sorted(file for file in os.listdir(f"labs/{lab}/wrong") if file.endswith(".cu"))
                source = f"labs/{lab}/wrong/{wrong[number % len(wrong)]}" if number % 3 == 0 else f"solutions/{lab}/{name}"
                shutil.copy(source, f"{folder}/class/{number}/{name}")
                with open(f"{folder}/class/{number}/{name}", "a", encoding="utf-8") as file:
                    file.write(f"// student {number}\n")
        # The goal, 200 students in 5 minutes on two cores, for as many as there are here.
        batch = ["build/lockstep", "batch", f"{folder}/class", "--out", f"{folder}/out"]
        report(f"lockstep batch, {students} students, six labs", timed(batch, 1), 300.0 * students / 200)


def bench_build():
    folder = copy_of_tree()
    try:
        report("ninja, from nothing", timed(["ninja"], 1, folder), 30.0)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def bench_test():
    timed(["ninja", "build/tests/all"], 1)
    report("ninja test", timed(["ninja", "test"], 1), 90.0)


PARTS = {"emulator": bench_emulator, "grade": bench_grade, "batch": bench_batch, "build": bench_build, "test": bench_test}


def main():
    wrong = 0
    for name in sys.argv[1:] or PARTS:
        if name not in PARTS:
            print(f"bench.py: no part {name}; there are: {' '.join(PARTS)}", file=sys.stderr)
            return 2
        try:
            PARTS[name]()
        except RuntimeError as error:
            print(f"{name}: could not be measured: {error}", flush=True)
            wrong += 1
        print()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

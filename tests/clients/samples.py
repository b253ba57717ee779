"""Runs the programs of NVIDIA's cuda-samples where somebody has built them: samples.py SOURCES BUILD [NAME…].

SOURCES is a folder with the samples' sources, BUILD the folder with their programs. Each sample runs under `lockstep exec`,
with the arguments and the number of devices that SOURCES/test_args.json gives it, and the options of SMALLER, for LIMIT_S
seconds. A line for each run: name, exit status ("slow": it was ended), seconds, processor seconds (on a busy machine, the
measure), and what Lockstep said last. Without names, all samples of the groups 0, 2, 3
and 6.
"""

import glob
import json
import os
import resource
import subprocess
import sys
import time

LOCKSTEP = os.path.abspath(os.path.join(os.environ.get("LOCKSTEP_BUILD", "build"), "lockstep"))
GROUPS = ("0_*", "2_*", "3_*", "6_*")
LIMIT_S = 60
# Options of the samples' own that make them work less: by default they repeat work to measure time.
SMALLER = {"globalToShmemAsyncCopy": ["-wA=160", "-hA=160", "-wB=160", "-hB=160"]}


def processor_s():
    """Of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(program, folder, arguments, devices):
    """Exit status, seconds, seconds of the processor, the last line of Lockstep's."""
    begin, used = time.monotonic(), processor_s()
    with subprocess.Popen([LOCKSTEP, "exec", "--", program, *arguments], cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
                          env={**os.environ, "LOCKSTEP_DEVICES": str(devices)}) as process:
        try:
            errors = process.communicate(timeout=LIMIT_S)[1]
            status = str(process.returncode)
        except subprocess.TimeoutExpired:
            process.terminate()
            errors, status = process.communicate()[1], "slow"
    said = [line for line in errors.splitlines() if line.startswith("lockstep: ")]
    return status, time.monotonic() - begin, processor_s() - used, said[-1] if said else ""


def main():
    sources, build, *names = sys.argv[1:]
    with open(os.path.join(sources, "test_args.json"), encoding="utf-8") as file:
        wanted = json.load(file)
    failures = 0
    for group in GROUPS:
        for folder in sorted(glob.glob(os.path.join(build, "Samples", group, "*"))):
            name = os.path.basename(folder)
            program, given = os.path.abspath(os.path.join(folder, name)), wanted.get(name, {})
            if given.get("skip") or (names and name not in names) or not os.path.isfile(program):
                continue
            for one in given.get("runs", [given]):
                # Reference images lie beside the source, fat binaries beside the program.
                images = any("=data/" in argument or "=ref_" in argument for argument in one.get("args", []))
                beside = glob.glob(os.path.join(sources, "Samples", group, name))[0] if images else folder
                status, seconds, processor, said = run(program, beside, one.get("args", []) + SMALLER.get(name, []),
                                                       given.get("min_gpus", 1))
                failures += status != "0"
                print(f"{name}\t{status}\t{seconds:.1f}\t{processor:.1f}\t{said}", flush=True)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

"""`ninja gpu-test`: the same submissions on a real GPU and on the emulated driver must get the same verdicts, every
fixture (tests/fixture.h) must give on the GPU what it says, and client programs (tests/clients) must print what is
expected. Right programs (labs/host_program, labs/streams) are timed there, and one that is right on the emulated device
alone is reported.

gpu.py [--parts NAME,…] [BUILD [FILE]...]    BUILD: default build; FILE: default all fixtures, solutions, their variants,
                                             every wrong version
gpu.py --record FOLDER [BUILD]               only the fixtures; writes what this GPU gives as golden records (tests/golden.h)

The parts are fixtures, clients, programs (those two only without FILE), and each lab by its name: a run that was broken
off goes on with those that are left. Prints a line per submission or fixture that differs, a line per part, and the closing
line of the test runner, "N passed, N failed". Where there is no GPU it prints "skipped: no GPU" and succeeds.
"""

import concurrent.futures
import ctypes
import difflib
import glob
import json
import os
import shutil
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "ci"))
import course_labs    # noqa: E402

JOBS = os.cpu_count() or 4    # the GPU is shared, but most of the time goes to the compiler and the emulated driver
TIMEOUT_S = 120
SEED = "20240917"
PROGRAM_JOBS = 4              # each run of a program opens the GPU again, and a right one takes 20 s as it is
# What memory held before, and who came first, decide the values; of a program that never used the device, only the record.
LUCK = ("race", "stream_race", "host_race", "async_copy", "order_dependent", "never_written", "device_unused")


def gpu_count():
    """How many GPUs NVIDIA's driver offers; 0 without a driver."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
        count = ctypes.c_int(0)
        if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0:
            return 0
        return count.value
    except (OSError, AttributeError):
        return 0


def submissions():
    """(lab, file) of everything whose verdict is compared."""
    for lab in course_labs.names("."):
        folder = f"labs/{lab}"
        for path in sorted(glob.glob(f"solutions/{lab}/*.cu") + glob.glob(f"{folder}/*.cu")
                           + glob.glob(f"{folder}/variants/*.cu") + glob.glob(f"{folder}/wrong/*.cu")):
            yield lab, path


def is_program(lab):
    """Does the learner write a whole program?"""
    with open(f"labs/{lab}/lab.yaml", encoding="utf-8") as file:
        return any(line.startswith("program:") for line in file)


def fixtures(build):
    """Every fixture file; those that execution_suite.c and cuda_suite.c run on the emulated driver. newest.ptx needs
    sm_100."""
    generated = [path for path in glob.glob(f"{build}/tests/generated/*.ptx") if not path.endswith("/newest.ptx")]
    return sorted(glob.glob("tests/fixtures/ptx/*.ptx") + generated) + [
        "tests/fixtures/cuda/async.cu", "tests/fixtures/cuda/bulk.cu", "tests/fixtures/cuda/flow.cu",
        "tests/fixtures/cuda/output.cu"] + sorted(glob.glob("tests/fixtures/corpus/*.cu"))


def run_fixture(build, path, more=()):
    """None when all tests of the file hold on the GPU, else what does not. A kernel that fails leaves its process without a
    device, so tests in CUDA C, which may be meant to fail, get a process each."""
    runs = [[]]
    if path.endswith(".cu"):
        with open(path, encoding="utf-8") as file:
            runs = [["--filter", line[len("// test: "):].strip()] for line in file if line.startswith("// test: ")]
    wrong = []
    for options in runs:
        try:
            done = subprocess.run([f"{build}/tests/fixtures", "--device", "gpu", *more, *options, path],
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=TIMEOUT_S, check=False)
        except subprocess.TimeoutExpired as error:
            return str(error)
        if done.returncode != 0:
            lines = done.stderr.decode(errors="replace").splitlines()
            wrong += lines[:40] + [f"… {len(lines) - 40} more lines"] * (len(lines) > 40)
    return "\n    ".join(wrong) if wrong else None


def run_fixtures(build, files):
    """(path, what does not hold) of each."""
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        yield from zip(files, pool.map(lambda path: run_fixture(build, path), files))


def run_clients(build):
    """What does not print on the GPU what tests/clients_test.py expects of the emulated driver: (name, difference)."""
    clients = [(name, [sys.executable, f"tests/clients/{name}.py"], None) for name in ("driver_codes", "graph_codes")]
    if shutil.which("nvcc"):
        for name in ("course", "graphs"):
            program = f"{build}/tests/clients_{name}_gpu"
            clients.append((name, [program], ["nvcc", "-arch=native", "-o", program, f"tests/clients/{name}.cu"]))
    else:
        print("no nvcc: tests/clients/course.cu and graphs.cu were not run")
    for name, command, build_command in clients:
        try:
            if build_command:
                subprocess.run(build_command, timeout=TIMEOUT_S, check=True)
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                  timeout=TIMEOUT_S, check=False, text=True)
        except (OSError, subprocess.SubprocessError) as error:
            yield name, str(error)
            continue
        with open(f"tests/clients/{name}.txt", encoding="utf-8") as file:
            lines = list(difflib.unified_diff(file.read().splitlines(), done.stdout.splitlines(), "expected", "on the GPU",
                                              lineterm="", n=0))
        yield name, "\n    ".join(lines) or None


def grade(build, lab, path, device, environment=None):
    """The result file of one submission on one device."""
    command = [f"{build}/lockstep", "grade", path, "--lab", lab, "--device", device, "--seed", SEED, "--json", "-"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=TIMEOUT_S, check=False, env={**os.environ, **(environment or {})})
    if done.returncode not in (0, 1):
        raise RuntimeError(f"exit status {done.returncode}: {done.stderr.decode(errors='replace')[-500:]}")
    return json.loads(done.stdout)


def verdict(result):
    """What must be the same on both drivers: states, and the first finding of each test."""
    lines = []
    for lab in result["labs"]:
        lines.append(f"{lab['lab']} {lab['state']}")
        for test in lab["tests"]:
            first = test["findings"][0] if test["findings"] else None
            code = f"{first['code']} at line {first['line']}" if first else "no finding"
            lines.append(f"{test['name']}: {test['state']}, {code}")
    return lines


def on_gpu(result):
    """How the cases came out on the GPU: {"pass": 3, "fail": 10}; empty when the submission did not get there."""
    outcomes = {}
    for lab in result["labs"]:
        for test in lab["tests"]:
            if test["gpu"]:
                outcomes[test["gpu"]] = outcomes.get(test["gpu"], 0) + 1
    return outcomes


def compare(build, lab, path):
    """(None or what differs, outcomes on the GPU). What is unsafe never reaches the GPU; what only computes wrong values
    must do so there too, unless a race or the order of threads decides."""
    try:
        gpu = grade(build, lab, path, "gpu")
        emulated = grade(build, lab, path, "emulated")
    except (RuntimeError, ValueError, KeyError, subprocess.TimeoutExpired) as error:
        return str(error), {}
    # In a case too large to be searched for races, a program that has one may come out right on one device only.
    racy = any(finding["code"].startswith(LUCK) for result in emulated["labs"] for test in result["tests"]
               for finding in test["findings"])
    # A case that the clock stopped has failed without a finding: how far it came depends on the machine's load.
    differing = [f"gpu: {a} | emulated: {b}" for a, b in zip(verdict(gpu), verdict(emulated))
                 if a != b and not (a.endswith("fail, no finding") or b.endswith("fail, no finding"))
                 and not (racy and b.endswith("pass, no finding"))]
    for first, second in zip(gpu["labs"], emulated["labs"]):
        for test, other in zip(first["tests"], second["tests"]):
            by_luck = any(finding["code"].startswith(LUCK) for finding in other["findings"]) or (
                racy and other["state"] == "pass")
            if test["gpu"] and not by_luck and test["gpu"] != other["state"]:
                differing.append(f"{test['name']}: {test['gpu']} on the GPU, {other['state']} emulated")
    return "; ".join(differing[:3]) or None, on_gpu(gpu)


def time_row(result):
    """The row of the time that was measured; None without one."""
    rows = [row for lab in result["labs"] for row in lab["performance"] if row["track"] == "time" and row["value"]]
    return rows[0] if rows else None


def check_program(build, lab, path, environment):
    """What is wrong with a right program's result on the GPU; None: nothing."""
    result = grade(build, lab, path, "gpu", environment)
    graded, row = result["labs"][0], time_row(result)
    if graded["state"] != "pass" or on_gpu(result) != {"pass": len(graded["tests"]) - 2}:
        return f"{graded['state']}: {graded['message']}; its cases on the GPU: {on_gpu(result)}"
    if not row:
        return "no time: " + "; ".join(row["message"] for row in graded["performance"] if row["track"] == "time")
    if result["machine"]["emulator"] or "Measured on the " + result["machine"]["device"] not in row["message"]:
        return f"the result does not say where it was measured: {row['message']}"
    print(f"{path}: {row['value']} ms, reference {row['reference']}, {row['score']} of {row['max_score']} points. "
          f"{row['message']}", flush=True)
    return None


def check_programs(build):
    """What programs must do on a GPU beside what all submissions must (compare): (name, what is wrong)."""
    ways = [("in parts", {"LOCKSTEP_NVCC": "none"})]
    if shutil.which("nvcc"):
        ways.append(("nvcc", {}))
    else:
        print("no nvcc: programs were built in parts alone")
    for name, environment in ways:
        for lab in ("host_program", "streams"):
            for path in sorted(glob.glob(f"solutions/{lab}/*.cu")) if not environment else [f"solutions/{lab}/{lab}.cu"]:
                yield f"{path}, {name}", check_program(build, lab, path, environment)
        slow = grade(build, "streams", "labs/streams/wrong/one_stream.cu", "gpu", environment)
        row = time_row(slow)
        if row:
            print(f"one_stream, {name}: {row['value']} ms, ratio {row['ratio']}, "
                  f"{row['score']} of {row['max_score']} points. {row['message']}", flush=True)
        yield f"one stream is slower, {name}", None if row and row["ratio"] > 1.2 and row["score"] < row["max_score"] \
            else f"{row}"
        # Right on the emulated device alone.
        lab = grade(build, "host_program", "tests/gpu/asked_once.cu", "gpu", environment)["labs"][0]
        told = lab["cause"] and lab["cause"]["code"] == "wrong_value" and "This happened on the" in lab["cause"]["message"]
        alone = grade(build, "host_program", "tests/gpu/asked_once.cu", "emulated", environment)["labs"][0]
        yield f"a program that is right on the emulated device alone, {name}", None if told and alone["state"] == "pass" \
            else f"{alone['state']} emulated; on the GPU {lab['cause']}"


def record(folder, build):
    """Runs all fixtures and writes their golden records."""
    os.makedirs(folder, exist_ok=True)
    failed = 0
    for path in fixtures(build):
        difference = run_fixture(build, path, ("--record", folder))
        failed += bool(difference)
        if difference:
            print(f"FAIL {path}\n    {difference}", flush=True)
    print(f"recorded in {folder}; {failed} files with failed tests, which have no record")
    return 0 if failed == 0 else 1


def compare_lab(build, chosen, ran):
    """(path, difference) of the submissions of one lab. ran: counts what their cases came to on the GPU."""
    jobs = PROGRAM_JOBS if is_program(chosen[0][0]) else JOBS
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for (_, path), (difference, outcomes) in zip(chosen, pool.map(lambda item: compare(build, *item), chosen)):
            for outcome, count in outcomes.items():
                ran[outcome] = ran.get(outcome, 0) + count
            ran["reached"] = ran.get("reached", 0) + bool(outcomes)
            yield path, difference


def list_parts(build, wanted, ran):
    """(name, what gives pairs of a name and a difference) of each part that has something to do."""
    files = [path for path in fixtures(build) if not wanted or path in wanted]
    if files:
        yield "fixtures", run_fixtures(build, files)
    if not wanted:
        yield "clients", run_clients(build)
        yield "programs", check_programs(build)    # alone: they are timed
    for lab in course_labs.names("."):
        chosen = [item for item in submissions() if item[0] == lab and (not wanted or item[1] in wanted)]
        if chosen:
            yield lab, compare_lab(build, chosen, ran)


def run_part(name, results):
    """(how many passed, how many failed)."""
    start, counts = time.monotonic(), [0, 0]
    for what, difference in results:
        counts[bool(difference)] += 1
        if difference:
            print(f"FAIL {what}\n    {difference}", flush=True)
    print(f"{name}: {counts[0]} passed, {counts[1]} failed, {time.monotonic() - start:.0f} s", flush=True)
    return counts


def main():
    arguments, only = sys.argv[1:], None
    if arguments[:1] == ["--record"]:
        if gpu_count() == 0:
            print("no GPU: golden records come from one")
            return 1
        return record(arguments[1], *(arguments[2:3] or ["build"]))
    if arguments[:1] == ["--parts"]:
        only, arguments = arguments[1].split(","), arguments[2:]
    build, wanted = (arguments or ["build"])[0], set(arguments[1:])
    if gpu_count() == 0:
        print("skipped: no GPU")
        return 0
    ran = {}
    parts = list(list_parts(build, wanted, ran))
    unknown = set(only or ()) - {name for name, _ in parts}
    if unknown:
        print(f"no part {', '.join(sorted(unknown))}; there are {', '.join(name for name, _ in parts)}")
        return 1
    results = [run_part(name, part) for name, part in parts if only is None or name in only]
    passed, failed = (sum(counts) for counts in zip(*results)) if results else (0, 0)
    print(f"{ran.pop('reached', 0)} submissions were safe to run on the GPU; their cases there: {ran}")
    print(f"{passed} passed, {failed} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())

"""`ninja gpu-bench`: what a GPU says beside what the emulated driver and NVIDIA's libraries say.

gpu_bench.py [--build BUILD] [--write] [PART]...
    (overhead libraries counters rates times held_out shapes; default: all, in this order)

overhead    launches, copies and the module cache, through the runtime and by the driver alone; grading a lab
libraries   the solutions beside CUB, cuBLAS, cuSPARSE and a copy, in one process, in turn; nvcc builds libraries.cu; and what each
            waits for, by Nsight Compute: the part of the GPU that is at least 60 % busy, else latency
counters    our counters beside Nsight Compute's for the kernels of jobs.py, at 65536 elements; a memory counter that
            differs for no reason that jobs.py knows fails
rates       what the GPU does a second: the figures of grader/estimate/gpus.def
times       the kernels of `counters` timed at sizes that fill the device, beside what is estimated; an estimate that is far
            off for no reason that jobs.py knows fails
held_out    the same for kernels that the estimate was not fitted to
shapes      the same for right submissions of every shape, good and bad (shape_jobs.py), with an empty level-2 cache

--write keeps the tables of the parts that ran, with date and device, in tests/gpu/measured.md.
Where there is no GPU it prints "skipped: no GPU"
and succeeds; a part whose program is missing (nvcc, ncu) says so and is skipped.
"""

import argparse
import csv
import datetime
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

import jobs
import shape_jobs

sys.path.insert(0, "ci")
import tables  # noqa: E402

COUNTED = 1 << 16       # elements where counters are compared; matrices of 256 x 256
ESTIMATED = 1 << 19     # where they are counted for the estimate: arrays larger than what a few blocks touch
TIMED = 1 << 26         # and where times are taken; matrices of 2048 x 2048
PAGE = "tests/gpu/measured.md"

# Ours, and the profiler's metrics that are summed for it.
METRICS = {row.name: row.profiler.split() for row in tables.counters() if row.profiler}
EXACT = [name for name in METRICS if name != "warp_instructions"]
# What a kernel may wait for, and how busy the profiler says it is, in percent. Where nothing is busy, it is latency.
LIMITS = {"memory": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
          "level 2": "lts__throughput.avg.pct_of_peak_sustained_elapsed",
          "level 1": "l1tex__throughput.avg.pct_of_peak_sustained_elapsed",
          "instructions": "sm__instruction_throughput.avg.pct_of_peak_sustained_elapsed"}
DURATION = "gpu__time_duration.sum"
BUSY = 60
# From here on it is memory: what goes there goes through level 2, too, which the profiler always finds a little busier.
BUSY_MEMORY = 75
# Kernels that are timed beside their estimate: jobs for (elements, side of a matrix), and elements of the arrays then.
PARTS = {"times": ((lambda n, _: jobs.linear(n), TIMED), (lambda _, side: jobs.matrices(side), 1 << 22)),
         "held_out": ((lambda n, _: jobs.held_out(n), TIMED),)}


class Missing(Exception):
    """A program or device that a part needs is not there."""


def find(program):
    path = shutil.which(program) or shutil.which(program, path="/usr/local/cuda/bin")
    if not path:
        raise Missing(f"no {program}: install the CUDA Toolkit, or put its bin folder on PATH")
    return path


def run(command, **environment):
    done = subprocess.run(command, env={**os.environ, **environment}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout[-1000:]}{done.stderr[-2000:]}")
    return done.stdout


def device():
    """Name and driver version of the first GPU; None without one."""
    try:
        line = run([find("nvidia-smi"), "--query-gpu=name,driver_version", "--format=csv,noheader"]).splitlines()[0]
        return line.replace(", ", ", driver ")
    except (Missing, OSError, RuntimeError, IndexError):
        return None


class Bench:
    def __init__(self, build, folder):
        self.measure, self.folder, self.build = f"{build}/tests/measure", folder, build
        self.notes, self.unexplained = [], []      # about the part at hand

    def write_jobs(self, name, content):
        path = f"{self.folder}/{name}.json"
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        return path

    def lines(self, text):
        return [json.loads(line) for line in text.splitlines() if line.startswith("{")]

    # ---- parts

    def overhead(self):
        """Table rows: what, the runtime, the driver alone, ratio, goal."""
        rows = []
        for line in self.lines(run([f"{self.build}/tests/overhead"])):
            if line["what"] == "launch":
                rows.append(["launch", f"{line['runtime_us']} us", f"{line['driver_us']} us", f"{line['ratio']}", "1.02"])
            elif "compile_ms" in line:
                rows.append([line["what"], f"{line['compile_ms']} ms, load {line['load_ms']} ms", "", "", "1 ms"])
            else:
                pinned, own = line["driver_pinned_gb_s"], line["runtime_gb_s"]
                rows.append([f"256 MiB {line['what']}", f"{own} GB/s",
                             f"{line['driver_pageable_gb_s']} GB/s; pinned {pinned} GB/s", f"{own / pinned:.2f}", "1.00"])
        for lab in sorted(os.listdir("solutions")):
            command = [f"{self.build}/lockstep", "grade", f"solutions/{lab}", "--device", "gpu"]
            run(command)
            start = time.monotonic()
            run(command)
            rows.append([f"grade solutions/{lab}", f"{time.monotonic() - start:.2f} s", "", "", "1.5 s"])
        return ["what", "with the runtime", "driver alone", "ratio", "goal"], rows

    def library(self):
        """NVIDIA's libraries for measure.c, built."""
        path = f"{self.folder}/liblibraries.so"
        run([find("nvcc"), "-O3", "-std=c++17", "-arch=native", "-shared", "-Xcompiler", "-fPIC", "tests/gpu/libraries.cu",
             "-o", path, "-lcublas", "-lcusparse", "-lcurand"])
        return path

    def measured(self, content, library):
        return self.lines(run([self.measure, "--times", "25", "--libraries", library, self.write_jobs("libraries", content)]))

    def libraries(self):
        """Table rows: what, ours, the library's, ratio; of the newer labs the limit."""
        content, work = jobs.libraries()
        rows, copy, library = [], None, self.library()
        measured = self.measured(content, library)
        for more, amounts in [*jobs.sparse(self.folder), *(jobs.iteration(self.folder, edge) for edge in (4096, 256)),
                              *(jobs.sorting(1 << bits) for bits in (26, 24)), jobs.random_numbers()]:
            measured += self.measured(more, library)
            work.update(amounts)
        for line in measured:
            if line["group"].startswith("copy"):
                copy = work[line["group"], line["name"]][0] / line["ms"] / 1e6
        base, limits = {}, self.limits(content)
        for line in measured:
            amount, unit = work[line["group"], line["name"]]
            rate = amount / line["ms"] / 1e6
            base.setdefault(line["group"], rate)
            against = copy if line["group"].startswith(("vector", "doublify", "copy")) else base[line["group"]]
            shown = (f"{rate / 1000:.1f} TFLOP/s" if unit == "GFLOP/s" else f"{rate:.0f} {unit}" if unit == "GB/s"
                     else f"{rate:.1f} {unit}")
            rows.append([line["group"], line["name"], f"{line['ms'] * 1000:.1f} us", shown, f"{rate / against:.3f}",
                         "yes" if line["right"] else "WRONG", limits.get((line["group"], line["name"]), "")])
        return ["work", "by", "time", "rate", "of library or copy", "same result", "limit"], rows

    def limits(self, content):
        """{(group, job): what its kernels wait for} as far as they are ours: the busiest part of the GPU and how busy it is;
        of several kernels that of the one that takes longest."""
        groups = [{**group, "jobs": [{"name": job["name"], "steps": job["steps"]} for job in group["jobs"]
                                     if all("file" in step for step in job["steps"])]}
                  for group in content["groups"] if group.get("profiled")]
        path = self.write_jobs("limits", {**content, "groups": groups})
        try:
            kernels = self.profile(path, [*LIMITS.values(), DURATION], "--clock-control", "none", "--print-units", "base")
        except Missing as missing:
            self.notes.append(f"No limits: {missing}.")
            return {}
        limits = {}
        for group in groups:
            for job in group["jobs"]:
                own, kernels = kernels[:len(job["steps"])], kernels[len(job["steps"]):]
                longest = max(own, key=lambda kernel: kernel[DURATION])
                busy, limit = max((longest[metric], limit) for limit, metric in LIMITS.items())
                if longest[LIMITS["memory"]] >= BUSY_MEMORY:
                    busy, limit = longest[LIMITS["memory"]], "memory"
                most = f"{limit} {busy:.0f} %"
                limits[group["name"], job["name"]] = most if busy >= BUSY else f"latency ({most})"
        return limits

    def profile(self, path, wanted, *options):
        """What the profiler reads: a list of {metric: value} in the order of the launches."""
        text = run([find("ncu"), "--csv", "--page", "raw", "--metrics", ",".join(wanted), *options, self.measure, path])
        lines = [line for line in text.splitlines() if line.startswith('"')]
        table = list(csv.DictReader(io.StringIO("\n".join(lines))))[1:]   # the first row holds units
        return [{name: float((row[name] or "0").replace(",", "")) for name in wanted} for row in table]

    def count(self, path):
        """What the emulated driver counts, in the order of the launches."""
        counters = f"{self.folder}/counters.jsonl"
        if os.path.exists(counters):
            os.remove(counters)
        run([self.measure, "--device", "emulated", path], LOCKSTEP_COUNTERS=counters, LOCKSTEP_GPU="9.0",
            LOCKSTEP_CHECKS="none")
        with open(counters, encoding="utf-8") as file:
            return [json.loads(line)["counters"] for line in file]

    def counters(self):
        """Table rows: kernel, and for each counter ours and, where it differs, the profiler's."""
        rows, equal, reasons, unexplained = [], 0, {}, []
        for group, content in (("linear", jobs.linear(COUNTED)), ("matrices", jobs.matrices(256)),
                               ("held_out", jobs.held_out(COUNTED))):
            path = self.write_jobs(group, {"arrays": jobs.arrays(COUNTED),
                                           "groups": [{"name": job["name"], "jobs": [job]} for _, job in content]})
            ours = self.count(path)
            theirs = self.profile(path, sorted({metric for metrics in METRICS.values() for metric in metrics}))
            if not len(ours) == len(theirs) == len(content):
                raise RuntimeError(f"{len(content)} kernels, {len(ours)} counted, {len(theirs)} profiled")
            for (_, job), own, other in zip(content, ours, theirs):
                cells = [job["name"]]
                for name, metrics in METRICS.items():
                    value, read = own[name], int(sum(other[metric] for metric in metrics))
                    same = value == read
                    if name in EXACT and same:
                        equal += 1
                    elif name in EXACT:
                        reason = jobs.EXPLAINED.get((job["name"], name))
                        (reasons.setdefault(reason, []) if reason else unexplained).append(f"{job['name']}: {name}")
                    cells.append(str(value) if same else f"{value} / {read}")
                rows.append(cells)
        self.notes = [f"{equal} memory counters of {len(rows)} kernels equal the profiler's."]
        self.notes += [f"{', '.join(places)}: {reason}." for reason, places in reasons.items()]
        self.notes += ["Instructions are those of PTX; the profiler's are those that ptxas made of them."]
        self.unexplained = unexplained
        return ["kernel"] + [name.replace("_", " ") for name in METRICS], rows

    def estimate(self, cases):
        """What is estimated of cases for tests/gpu/estimate.c, in their order."""
        text = "".join(json.dumps(case) + "\n" for case in cases)
        done = subprocess.run([f"{self.build}/tests/estimate", "h200"], input=text, stdout=subprocess.PIPE, text=True,
                              check=True)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def count_lines(self, arrays, launches):
        """The lines of LOCKSTEP_COUNTERS for lists of steps, each list run by itself."""
        groups = [{"name": "x", "jobs": [{"name": "x", "steps": steps}]} for steps in launches]
        path = self.write_jobs("counted", {"arrays": arrays, "groups": groups})
        self.count(path)
        with open(f"{self.folder}/counters.jsonl", encoding="utf-8") as file:
            lines = [json.loads(line) for line in file]
        for line in lines:
            line.pop("lines")
            line.pop("barriers")
        return lines

    def estimates(self, part="times"):
        """What is estimated of the jobs of a part, in their order, from counters taken at three small sizes: (lab, job,
        estimate)."""
        cases, large = [], []
        for index, (kernels, _) in enumerate(PARTS[part]):
            # Matrices are as deep as they are wide.
            sizes = [128, 256, 512] if index else [ESTIMATED // 16, ESTIMATED // 4, ESTIMATED]
            target, runs = kernels(TIMED, 2048), []
            large_runs = [jobs.as_run(job, 2048 if index else TIMED, index) for _, job in target]
            for size in sizes:
                small = kernels(size, size)
                arrays = jobs.arrays(size * size if index else size)
                lines = self.count_lines(arrays, [job["steps"] for _, job in small])
                runs.append([jobs.as_run(job, size, index, line, of_target["launches"][0]["items"])
                             for (_, job), line, of_target in zip(small, lines, large_runs)])
            cases += [{"name": job["name"], "runs": list(each), "target": of_target}
                      for (_, job), of_target, *each in zip(target, large_runs, *runs)]
            large += target
        return [(lab, job, estimate) for (lab, job), estimate in zip(large, self.estimate(cases))]

    def shape_estimates(self, group):
        """{name: estimate} of the kernels of a group of shape_jobs.py."""
        cases = []
        for name in shape_jobs.names(group):
            plans = [(size, *shape_jobs.plan(name, size)) for size in shape_jobs.counted_sizes(name)]
            arrays = shape_jobs.described(*(own for _, own, _ in plans))
            lines = self.count_lines(arrays, [shape_jobs.steps(name, launches) for _, _, launches in plans])
            runs = []
            for size, _, launches in plans:
                runs.append(shape_jobs.as_run(size, launches, lines[:len(launches)]))
                lines = lines[len(launches):]
            size = shape_jobs.TIMED[name.split("/")[0]]
            cases.append({"name": name, "runs": runs, "target": shape_jobs.as_run(size, shape_jobs.plan(name, size)[1])})
        return {estimate["name"]: estimate for estimate in self.estimate(cases)}

    def shapes(self):
        """Table rows: group, kernel, milliseconds, quartiles, the estimate beside it."""
        measured = {}
        for name in (name for group in shape_jobs.GROUPS for name in shape_jobs.names(group)):
            arrays, launches = shape_jobs.plan(name, shape_jobs.TIMED[name.split("/")[0]])
            path = self.write_jobs("shape", {"arrays": shape_jobs.described(arrays), "groups": [
                {"name": name, "jobs": [{"name": name, "steps": shape_jobs.steps(name, launches)}]}]})
            line = self.lines(run([self.measure, "--times", "11", "--flush", path]))[0]
            measured[name] = (line["ms"], line["low"], line["high"])
        return self.compare_shapes(measured)

    def compare_shapes(self, measured):
        """Rows of `shapes`, and its notes: measured is {name: (ms, low, high)}."""
        rows, self.notes = [], []
        for group in shape_jobs.GROUPS:
            estimates = self.shape_estimates(group)
            for name, estimate in estimates.items():
                ratio = estimate["ms"] / measured[name][0]
                rows.append([group, name, *(f"{ms:.4f}" for ms in measured[name]), f"{estimate['ms']:.4f}", f"{ratio:.2f}",
                             estimate["limit"]])
            self.notes.append(f"{group}: " + shape_jobs.shares_in_words({name: (estimate["ms"], measured[name][0])
                                                                         for name, estimate in estimates.items()}))
        self.notes += [f"{name}: {reason}." for name, reason in shape_jobs.FAR_OFF.items()]
        heading = ["group", "kernel", "ms", "low", "high", "estimated", "of measured", "limited by"]
        return heading, rows

    def timed(self, part):
        """Table rows: kernel, milliseconds, quartiles, the estimate beside it."""
        measured = {}
        for kernels, count in PARTS[part]:
            path = self.write_jobs("timed", {"arrays": jobs.arrays(count),
                                             "groups": [{"name": job["name"], "jobs": [job]}
                                                        for _, job in kernels(TIMED, 2048)]})
            for line in self.lines(run([self.measure, "--times", "15", path])):
                measured[line["name"]] = (line["ms"], line["low"], line["high"])
        return ["kernel", "ms", "low", "high", "estimated", "of measured", "limited by"], self.compare(measured, part)

    def times(self):
        return self.timed("times")

    def held_out(self):
        heading, rows = self.timed("held_out")
        self.unexplained = []       # this is not a test: what comes out is what the estimate is worth
        return heading, rows

    def compare(self, measured, part):
        """Rows of `timed`, and its notes: measured is {kernel: (ms, low, high)}."""
        rows, factors, far = [], [], {}
        for _, job, estimate in self.estimates(part):
            name = job["name"]
            ratio = estimate["ms"] / measured[name][0]
            factors.append(max(ratio, 1 / ratio))
            if factors[-1] > jobs.FACTOR:
                reason = {**jobs.FAR_OFF, **jobs.HELD_OUT_FAR_OFF}.get(name)
                notes = far.setdefault(reason, []) if reason else self.unexplained
                notes.append(f"{name}: estimated {ratio:.2f} of its time")
            rows.append([name, *(f"{ms:.4f}" for ms in measured[name]), f"{estimate['ms']:.4f}", f"{ratio:.2f}",
                         estimate["limit"]])
        within = sum(factor <= jobs.FACTOR for factor in factors)
        self.notes = [f"{within} of {len(factors)} estimates are within a factor {jobs.FACTOR} of the time, "
                      f"half of them within "
                      f"{sorted(factors)[len(factors) // 2]:.2f}."]
        self.notes += [f"{'; '.join(places)}: {reason}." for reason, places in far.items()]
        return rows

    def rates(self):
        """Table rows: what the GPU does a second, or how long a step takes."""
        content, named = jobs.rates(8 * 132)
        path = self.write_jobs("rates", {"arrays": named, "groups": [{"name": job["name"], "jobs": [job]}
                                                                     for _, job, _, _ in content]})
        rows = []
        for line, (what, _, amount, unit) in zip(self.lines(run([self.measure, "--times", "9", path])), content):
            if unit == "ns":
                rows.append([what, f"{line['ms'] * 1e6 / amount:.2f} ns", f"{line['ms']:.4f}"])
            else:
                rows.append([what, f"{amount / line['ms'] / 1e6:.2f} G {unit}/s".replace("G GB", "GB"), f"{line['ms']:.4f}"])
        return ["what", "rate", "ms"], rows


TITLES = {"overhead": "What the kit adds",
          "libraries": "Solutions beside NVIDIA's libraries (medians of 25, float32, device events)",
          "counters": f"Counters, ours / the profiler's where they differ ({COUNTED} elements; matrices 256 x 256)",
          "rates": "What the GPU does a second, or how long a step takes (medians of 9)",
          "times": f"Times ({TIMED} elements; matrices 2048 x 2048; medians of 15), and what is "
                   f"estimated from counters at {ESTIMATED} elements",
          "held_out": f"Held out: the same for kernels that were written after the estimate "
                      f"({TIMED} elements; medians of 15)",
          "shapes": "Right submissions of every shape (the labs' timing cases, nothing in level 2; medians of 11; "
                    "of 3 or 1 where one takes longer than 20 or 100 ms), and what is estimated"}


def table(heading, rows):
    widths = [max(len(row[i]) for row in [heading, *rows]) for i in range(len(heading))]
    def line(cells):
        return "| " + " | ".join(cell.ljust(width) for cell, width in zip(cells, widths)) + " |\n"
    return line(heading) + "|" + "|".join("-" * (width + 2) for width in widths) + "|\n" + "".join(map(line, rows))


def keep(name, sections):
    """Writes the sections {title: text} to the page; others stay as they are."""
    old = {}
    if os.path.exists(PAGE):
        with open(PAGE, encoding="utf-8") as file:
            for part in file.read().split("\n## ")[1:]:
                title, _, text = part.partition("\n")
                old[title] = text.strip("\n")
    stamp = f"{datetime.date.today()}, {name}."
    new = {title: f"{stamp}\n\n{text.rstrip()}" for title, text in sections.items()}
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write("# Measured\n\nWhat `ninja gpu-bench` printed last, part by part.\n")
        for title in TITLES.values():
            if title in new or title in old:
                file.write(f"\n## {title}\n\n{new.get(title, old.get(title))}\n")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default="build")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("parts", nargs="*", choices=[*TITLES, []])
    options = parser.parse_args()
    name = device()
    if not name:
        print("skipped: no GPU")
        return 0
    sections, failed = {}, 0
    with tempfile.TemporaryDirectory(prefix="lockstep-gpu-") as folder:
        bench = Bench(options.build, folder)
        for part in options.parts or TITLES:
            print(f"\n{TITLES[part]}", flush=True)
            try:
                text = table(*getattr(bench, part)())
            except Missing as missing:
                print(f"skipped: {missing}")
                continue
            text += "".join(f"\n* {note}" for note in bench.notes) + ("\n" if bench.notes else "")
            print(text, flush=True)
            if bench.unexplained:
                print("NOT EXPLAINED: " + "; ".join(bench.unexplained))
            failed |= bool(bench.unexplained)
            bench.notes, bench.unexplained = [], []
            sections[TITLES[part]] = text
    if options.write:
        keep(name, sections)
    return failed


if __name__ == "__main__":
    sys.exit(main())

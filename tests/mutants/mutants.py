"""Mutation tests of the grader: every mutant of a correct submission must lose points, and for the right reason.

    mutants.py                      all mutants of all submissions; exit status 1 when one survives that survivors.txt does
                                    not list, or one of the listed is caught
    mutants.py FILE...              those of these submissions
      --operator NAME               of this operator only (may be repeated)
      --show [TEXT]                 print every mutant whose description has TEXT, with its first cause
      --json FILE                   write what became of each mutant
      --table                       print the table in Markdown

A mutant is graded by build/lockstep with a fixed seed. It is caught when it gets fewer points than the submission it was
made of. A survivor whose PTX is that of the submission is equivalent and needs no line in survivors.txt.
"""

import argparse
import collections
import functools
import json
import os
import subprocess
import sys
import tempfile

from operators import OPERATORS
from source import Source

BUILD = os.environ.get("LOCKSTEP_TEST_BUILD", "build")
HERE = os.path.dirname(os.path.abspath(__file__))
SURVIVORS = os.path.join(HERE, "survivors.txt")
SEED = "20240917"
BATCH = 40

# Those whose survivors have all been looked at, each with full score. Any other file can be named on the command line.
SUBMISSIONS = [
    "solutions/doublify/doublify.cu", "labs/doublify/variants/float4.cu",
    "solutions/vector_add/vector_add.cu",
    "solutions/grey/grey.cu",
    "solutions/saxpy/saxpy.cu",
    "solutions/pi/pi.cu", "solutions/pi/pi_fast.cu", "labs/pi/variants/fused_tree.cu",
    "solutions/stencil/stencil.cu", "solutions/block_sum/block_sum.cu",
    "solutions/broken/broken.cu",
    "solutions/scan/scan.cu", "labs/scan/variants/chained.cu", "labs/scan/variants/double_buffer.cu",
    "labs/scan/variants/hillis_steele.cu",
    "solutions/compaction/compaction.cu",
    "solutions/transpose/transpose.cu",
    "solutions/matmul_tiled/matmul_tiled.cu",
    "solutions/blur/blur.cu",
    "solutions/register_tiles/register_tiles.cu",
    "solutions/histogram/histogram.cu",
    "solutions/spmv/spmv.cu",
    "solutions/conjugate_gradients/conjugate_gradients.cu",
    "solutions/softmax/softmax.cu",
    "solutions/async_copies/async_copies.cu",
    "solutions/monte_carlo/monte_carlo.cu",
    "solutions/attention/attention.cu",
]


def lab_of(path):
    return path.split("/")[1]


class Mutant:
    """operator, source, line (first line that differs), text, and after grading: state, score, cause, budgets."""

    def __init__(self, operator, source, edits):
        self.operator, self.source = operator, source
        self.text = source.text
        for start, end, new in sorted(edits, reverse=True):
            self.text = self.text[:start] + new + self.text[end:]
        self.offset = min(start for start, _, _ in edits)
        self.line = source.line_of(self.offset)
        self.number = 0     # among those of the operator that change the same text
        self.state = self.score = self.cause = None
        self.budgets = []
        self.same_code = False

    def key(self):
        """What survivors.txt knows the mutant by: no line number, so that it outlives changes elsewhere in the file."""
        old, new = changed(self.source.text, self.text)
        number = f" #{self.number}" if self.number else ""
        return f"{self.source.path} {self.operator.name}{number}: {old} -> {new}"


def changed(old, new):
    """The lines that differ, each side as one line."""
    old, new = old.splitlines(), new.splitlines()
    first = 0
    while first < min(len(old), len(new)) and old[first] == new[first]:
        first += 1
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    return (" ".join(" ".join(lines[first:len(lines) - last]).split()) for lines in (old, new))


@functools.lru_cache(maxsize=None)
def mutants_of(path):
    with open(path, encoding="utf-8") as file:
        source = Source(path, file.read())
    seen, keys, made = {source.text}, collections.Counter(), []
    for operator in OPERATORS:
        for edits in operator.generate(source):
            mutant = Mutant(operator, source, edits)
            if mutant.text in seen:
                continue
            seen.add(mutant.text)
            keys[mutant.key()] += 1
            mutant.number = keys[mutant.key()] - 1
            made.append(mutant)
    return made


# ---- grading ----------------------------------------------------------------------------------------------------------


def first_cause(lab):
    """The finding that the lab's message is about."""
    for test in lab["tests"]:
        if test["findings"] and test["message"] == lab["message"]:
            return test["findings"][0]
    return None


def grade(lab, files):
    """The result file's labs[] for these files."""
    done = subprocess.run([os.path.join(BUILD, "lockstep"), "grade", "--device", "emulated", "--seed", SEED, "--lab", lab,
                           "--json", "-", *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"lockstep grade: exit status {done.returncode}: {done.stderr.decode()[-500:]}")
    return json.loads(done.stdout)["labs"]


def grade_mutants(mutants, say=lambda text: None):
    """Grades all; fills state, score, cause, budgets. Files of one lab go together: lockstep grades them side by side."""
    by_lab = collections.defaultdict(list)
    for mutant in mutants:
        by_lab[lab_of(mutant.source.path)].append(mutant)
    done = 0
    for lab, of_lab in sorted(by_lab.items()):
        for at in range(0, len(of_lab), BATCH):
            batch = of_lab[at:at + BATCH]
            with tempfile.TemporaryDirectory() as folder:
                files = []
                for k, mutant in enumerate(batch):
                    os.mkdir(os.path.join(folder, str(k)))
                    files.append(os.path.join(folder, str(k), os.path.basename(mutant.source.path)))
                    with open(files[-1], "w", encoding="utf-8") as file:
                        file.write(mutant.text)
                for mutant, result in zip(batch, grade(lab, files)):
                    mutant.state, mutant.score, mutant.cause = result["state"], result["score"], first_cause(result)
                    mutant.budgets = [b["metric"] for b in result["performance"] if b["state"] == "fail"]
                    mutant.message = result["message"]
            done += len(batch)
            say(f"{done} of {len(mutants)} graded")


def scores_of(paths):
    """Points that the submissions themselves get."""
    return {path: grade(lab_of(path), [path])[0]["score"] for path in paths}


def code_of(text, name):
    """The PTX without what only tells lines."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        done = subprocess.run([os.path.join(BUILD, "tests/mutants/ptx_of"), path], stdout=subprocess.PIPE, check=True)
    return done.stdout


def outcome(mutant, full):
    """compile, first (expected class), other (class), same (code) or survived."""
    code = mutant.cause["code"] if mutant.cause else None
    if code in ("compile", "signature", "kernel_missing"):
        return "compile"
    if mutant.score >= full:
        return "same" if mutant.same_code else "survived"
    if code is None:
        code = "budget" if mutant.budgets else "nothing"
    return "first" if code in mutant.operator.first else "other"


def find_same_code(mutants, scores):
    codes = {}
    for mutant in mutants:
        path, name = mutant.source.path, os.path.basename(mutant.source.path)
        if mutant.state == "pass" and mutant.score >= scores[path]:
            if path not in codes:
                codes[path] = code_of(mutant.source.text, name)
            mutant.same_code = code_of(mutant.text, name) == codes[path]


# ---- survivors --------------------------------------------------------------------------------------------------------


def read_survivors(path=SURVIVORS):
    """{key: reason}. A reason precedes the mutants that it justifies, and holds up to the next one."""
    listed, reason = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\n")
            if line.startswith("= "):
                reason = line[2:]
            elif line and not line.startswith("#"):
                assert reason, f"{path}: no reason precedes {line}"
                listed[line] = reason
    return listed


# ---- output -----------------------------------------------------------------------------------------------------------


def describe(mutant):
    cause = mutant.cause
    what = "nothing" if cause is None else f"{cause['code']} {cause['pattern'] or ''} line {cause['line']}/{cause['line2']}"
    if cause is None and mutant.budgets:
        what = "budget " + " ".join(mutant.budgets)
    message = cause["message"] if cause else ""
    return f"{mutant.key()}\n    line {mutant.line}: {mutant.state} {mutant.score} {what}\n    {message}"


OUTCOMES = ("compile", "first", "other", "same", "survived")
HEADINGS = ("do not compile", "caught, right class", "caught, other class", "same code", "equivalent")


def table(mutants, scores, by):
    """Rows of counts: {name: {outcome: count}}."""
    rows = collections.defaultdict(collections.Counter)
    for mutant in mutants:
        rows[by(mutant)][outcome(mutant, scores[mutant.source.path])] += 1
    return rows


def print_table(rows, order, heading):
    print(f"| {heading} | made | {' | '.join(HEADINGS)} |")
    print("|---|---" + "|---" * len(HEADINGS) + "|")
    total = collections.Counter()
    for name in order:
        if name in rows:
            total.update(rows[name])
            print(f"| {name} | {sum(rows[name].values())} | {' | '.join(str(rows[name][o] or '·') for o in OUTCOMES)} |")
    print(f"| all | {sum(total.values())} | {' | '.join(str(total[o]) for o in OUTCOMES)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files", nargs="*")
    parser.add_argument("--operator", action="append")
    parser.add_argument("--show", nargs="?", const="")
    parser.add_argument("--json")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    paths = options.files or SUBMISSIONS
    mutants = [mutant for path in paths for mutant in mutants_of(path)
               if not options.operator or mutant.operator.name in options.operator]
    scores = scores_of(paths)
    grade_mutants(mutants, lambda text: print(f"\r{text}", end="", file=sys.stderr, flush=True))
    print(file=sys.stderr)
    find_same_code(mutants, scores)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump([{"key": m.key(), "file": m.source.path, "operator": m.operator.name, "line": m.line, "state": m.state,
                        "score": m.score, "cause": m.cause, "budgets": m.budgets, "message": m.message,
                        "outcome": outcome(m, scores[m.source.path])} for m in mutants], file, indent=1)
    if options.show is not None:
        for mutant in mutants:
            if options.show in mutant.key():
                print(describe(mutant))
    print_table(table(mutants, scores, lambda m: m.operator.name), [o.name for o in OPERATORS], "operator")
    print()
    print_table(table(mutants, scores, lambda m: lab_of(m.source.path)), sorted({lab_of(p) for p in paths}), "lab")
    return verdict(mutants, scores, options.files or options.operator)


def verdict(mutants, scores, partial):
    """Survivors that nobody justified, and justified ones that are none: printed, and 1 when there are any."""
    listed = read_survivors()
    survived = {m.key() for m in mutants if outcome(m, scores[m.source.path]) == "survived"}
    made = {m.key() for m in mutants}
    wrong = 0
    for key in sorted(survived - set(listed)):
        print(f"survived: {key}")
        wrong += 1
    for key in sorted(set(listed) - survived):
        if key in made or not partial:
            print(f"{'caught' if key in made else 'not made'}, but listed: {key}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

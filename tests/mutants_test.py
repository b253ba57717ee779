"""Mutation tests in short: the mutator itself, and a mutant of each kind of mistake, each lab in its turn. `ninja mutants`
grades all of them; tests/mutants/README.md has the table.
"""

import glob
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "mutants"))

import mutants  # noqa: E402
from operators import OPERATORS  # noqa: E402
from source import Source  # noqa: E402

from classes import corpus, sample


def texts(operator, text):
    source = Source("k.cu", text)
    generate = next(o.generate for o in OPERATORS if o.name == operator)
    return [mutants.Mutant(None, source, edits).text for edits in generate(source)]


def is_program(lab):
    """A lab on a whole program: the operators are made for kernels."""
    with open(f"labs/{lab}/lab.yaml", encoding="utf-8") as file:
        return any(line.startswith("program:") for line in file)


class Mutator(unittest.TestCase):
    KERNEL = """__global__ void k(int *a, int n)
{
    __shared__ int s[32 + 1];   // i < n
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        s[threadIdx.x] = a[i];
    }
    __syncthreads();
    a[i] = s[31 - threadIdx.x];
}
"""

    def test_leaves_comments_alone(self):
        self.assertEqual(texts("boundary", self.KERNEL), [self.KERNEL.replace("(i < n)", "(i <= n)")])

    def test_drops_a_guard_and_keeps_its_body(self):
        self.assertEqual(texts("guard_dropped", self.KERNEL), [self.KERNEL.replace("if (i < n) {", "{")])

    def test_moves_a_barrier_past_its_neighbours(self):
        moved = texts("barrier_moved", self.KERNEL)
        self.assertEqual(len(moved), 2)
        self.assertLess(moved[0].index("__syncthreads"), moved[0].index("if (i < n)"))
        self.assertGreater(moved[1].index("__syncthreads"), moved[1].index("a[i] = s"))

    def test_removes_padding(self):
        self.assertEqual(texts("shared_array", self.KERNEL), [self.KERNEL.replace("s[32 + 1]", "s[32]")])

    def test_knows_what_a_conditional_expression_is(self):
        self.assertEqual(texts("guard_dropped", "void f() { x = i < n && j < m ? a[i] : 0; }"), ["void f() { x = a[i]; }"])
        self.assertEqual(texts("half_dropped", "void f() { x = i < n && j < m ? a[i] : 0; }"),
                         ["void f() { x = j < m ? a[i] : 0; }", "void f() { x = i < n ? a[i] : 0; }"])

    def test_makes_the_same_mutants_again(self):
        first, again = ([m.key() for m in mutants.mutants_of("solutions/scan/scan.cu")] for _ in range(2))
        self.assertEqual(first, again)
        self.assertEqual(len(set(first)), len(first))

    @sample
    def test_every_operator_makes_mutants(self):
        paths = [path for path in glob.glob("solutions/*/*.cu") + glob.glob("labs/*/variants/*.cu")
                 if not is_program(path.split("/")[1])]
        made = {mutant.operator.name for path in paths for mutant in mutants.mutants_of(path)}
        self.assertEqual(made, {operator.name for operator in OPERATORS})

    def test_every_justified_survivor_is_a_mutant(self):
        made = {mutant.key() for path in mutants.SUBMISSIONS for mutant in mutants.mutants_of(path)}
        self.assertEqual(set(mutants.read_survivors()) - made, set())


# What they do can only be called one thing, or a few.
SAMPLED = ["barrier_deleted", "barrier_under_if", "return_before_barrier", "barrier_of_warp", "fence", "atomic", "mask",
           "zeroing", "shared_array", "storage", "other_type"]


def sample():
    """A mutant of each of these operators that is not justified as equivalent; the labs take turns."""
    listed = mutants.read_survivors()
    by_operator = {name: [] for name in SAMPLED}
    for path in mutants.SUBMISSIONS:
        for mutant in mutants.mutants_of(path):
            if mutant.operator.name in SAMPLED and mutant.key() not in listed:
                by_operator[mutant.operator.name].append(mutant)
    chosen = []
    for turn, made in enumerate(by_operator.values()):
        labs = sorted({mutants.lab_of(mutant.source.path) for mutant in made})
        if labs:
            of_lab = [m for m in made if mutants.lab_of(m.source.path) == labs[turn % len(labs)]]
            chosen.append(of_lab[turn % len(of_lab)])
    return chosen


class Grading(unittest.TestCase):
    @corpus
    def test_mutants_lose_points_for_the_right_reason(self):
        chosen = sample()
        mutants.grade_mutants(chosen)
        mutants.find_same_code(chosen, {mutant.source.path: 100 for mutant in chosen})
        fine = ("compile", "same", "first")
        wrong = [mutants.describe(mutant) for mutant in chosen if mutants.outcome(mutant, 100) not in fine]
        self.assertEqual(wrong, [])
        self.assertGreater(sum(mutants.outcome(mutant, 100) == "first" for mutant in chosen), len(SAMPLED) * 2 // 3)


if __name__ == "__main__":
    unittest.main()

"""Points need the work: what each cheat may keep at most. What is right but unusual keeps everything (grade_suite.c).

tests/cheats/NN_lab/ has submissions that skip the lab's subject. The first line of each is `// expect: at most N - why`.
"""

import glob
import json
import os
import re
import subprocess
import tempfile
import unittest

from classes import sample

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
LABS = sorted(name for name in os.listdir("labs") if os.path.exists(f"labs/{name}/lab.yaml"))
EXPECT = re.compile(r"// expect: at most (\d+) - \S")

# Prints what the counted case is made of: the sum of its inputs' bits.
PRINTS = """
__device__ unsigned before;   // of the first run: output of the second is kept only where the first printed nothing
extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] *= 2;
    if (n == 100003 && i == 0) {
        if (before != 0)
            printf("first %08x\\nfirst %08x\\n", before, __float_as_int(a[0]));
        before = __float_as_int(a[0]);
    }
}
"""


def grade(lab, files, *more, seed="4711"):
    done = subprocess.run([f"{BUILD}/lockstep", "grade", "--device", "emulated", "--seed", seed, "--json", "-", "--lab", lab,
                           *more, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False,
                          env={**os.environ, "LOCKSTEP_NVCC": "none"})   # which builds programs in a third of the time
    return json.loads(done.stdout)["labs"]


def show(lab):
    return ", ".join(f"{budget['metric']} {budget['ratio']}: {budget['score']} of {budget['max_score']}"
                     for budget in lab["performance"])


class Points(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name
        self.secret = f"{self.root}/secret"
        with open(self.secret, "w", encoding="utf-8") as file:
            file.write("a long line that nobody guesses\n")

    @sample
    def test_a_cheat_of_each_lab_keeps_no_more_than_it_may(self):
        self.check_cheats(slice(1))

    def test_no_cheat_keeps_more_than_it_may(self):
        self.check_cheats(slice(None))

    def check_cheats(self, which):
        for name in LABS:
            files = sorted(glob.glob(f"tests/cheats/{name}/*.cu"))
            self.assertGreaterEqual(len(files), 4, name)
            files = files[which]
            for path, lab in zip(files, grade(name, files)):
                with open(path, encoding="utf-8") as file:
                    most = EXPECT.match(file.readline())
                with self.subTest(path=path):
                    self.assertIsNotNone(most, "the first line must be // expect: at most N - why")
                    self.assertIn(lab["state"], ("pass", "fail"), lab["message"])
                    self.assertLessEqual(lab["score"], int(most[1]), show(lab))
                    self.assertLess(lab["score"], lab["max_score"])

    @sample
    def test_a_budget_that_earns_nothing_for_too_little_says_why(self):
        lab, = grade("matmul_tiled", ["tests/cheats/matmul_tiled/no_tiles.cu"])
        budget = {row["metric"]: row for row in lab["performance"]}["shared_wavefronts"]
        self.assertEqual((budget["score"], budget["state"], budget["value"]), (0, "fail", 0))
        self.assertIn("no tile was kept in shared memory", budget["message"])

    @sample
    def test_the_counted_inputs_depend_on_the_seed(self):
        path = f"{self.root}/doublify.cu"
        with open(path, "w", encoding="utf-8") as file:
            file.write(PRINTS)

        def printed(seed, *more):
            return re.findall("first ([0-9a-f]{8})", grade("doublify", [path], *more, seed=seed)[0]["printf"])

        plain = printed("1")
        self.assertEqual(len(plain), 2)
        self.assertNotEqual(plain[0], plain[1], "the two runs differ")
        self.assertEqual(printed("1"), plain)
        self.assertNotEqual(printed("2"), plain)
        self.assertEqual(printed("1", "--hidden-seed-file", self.secret), plain, "what is shown does not depend on a secret")

    @sample
    def test_the_worse_of_the_two_runs_scores(self):
        """Strided in one run only: which of the two it is must not matter."""
        for run in (0, 1):
            path = f"{self.root}/doublify.cu"
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"""
__device__ int launches;
extern "C" __global__ void doublify(float *a, int n)
{{
    int run = n == 100003 ? *(volatile int *)&launches : 0, i = blockIdx.x * blockDim.x + threadIdx.x;
    if (n == 100003 && run == {run}) {{
        int half = (n + 1) / 2;
        i = i < half ? 2 * i : i < n ? 2 * (i - half) + 1 : n;
    }}
    if (i < n)
        a[i] *= 2;
    if (n == 100003 && blockIdx.x == gridDim.x - 1 && threadIdx.x == blockDim.x - 1)
        launches = 1;
}}
""")
            with self.subTest(run=run):
                lab, = grade("doublify", [path])
                budget = lab["performance"][0]
                self.assertEqual(budget["metric"], "global_sectors")
                self.assertLess(budget["score"], budget["max_score"], show(lab))


if __name__ == "__main__":
    unittest.main()

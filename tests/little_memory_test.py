"""Grading where the device has little memory (LOCKSTEP_MEMORY): smaller cases, and nothing to win."""

import json
import os
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")

GREEDY = """__device__ char taken[14 << 20];
extern "C" __global__ void vector_add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i] + taken[i % 256];
}
"""


class LittleMemory(unittest.TestCase):
    def grade(self, memory_mib, path):
        with tempfile.TemporaryDirectory() as folder:
            result = f"{folder}/result.json"
            done = subprocess.run([f"{BUILD}/lockstep", "grade", "--device", "emulated", "--json", result, "--lab",
                                   "vector_add", path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  text=True,
                                  env={**os.environ, "LOCKSTEP_MEMORY": str(memory_mib), "LOCKSTEP_FOLDER": ""})
            with open(result, encoding="utf-8") as file:
                return done, json.load(file)["labs"][0]

    def test_large_cases_are_smaller_and_say_so(self):
        done, lab = self.grade(16, "solutions/vector_add/vector_add.cu")
        self.assertEqual((done.returncode, lab["state"], lab["score"]), (0, "pass", 100))
        halved = {test["name"]: test["halvings"] for test in lab["tests"] if test["halvings"]}
        self.assertEqual(halved, {"n = 16777227": 6})      # 192 MiB of arrays into a third of 16 MiB
        message = "at 1/64 of its size: this device has little memory"
        self.assertEqual([test["message"] for test in lab["tests"] if test["halvings"]], [message])
        self.assertIn(f"n = 16777227; {message}", " ".join(done.stdout.split()))

    def test_a_smaller_case_still_fails_who_is_wrong(self):
        done, lab = self.grade(16, "labs/vector_add/wrong/a_twice.cu")
        self.assertEqual((done.returncode, lab["state"]), (1, "fail"))
        large = next(test for test in lab["tests"] if test["halvings"])
        self.assertEqual(large["state"], "fail")
        self.assertIn("; at 1/64 of its size", large["message"])

    def test_no_memory_at_all_is_no_zero(self):
        done, lab = self.grade(1, "solutions/vector_add/vector_add.cu")
        self.assertEqual((done.returncode, lab["state"]), (3, "harness_error"))
        self.assertIn("not enough memory", lab["message"])

    def test_a_module_that_takes_the_memory_makes_no_case_smaller(self):
        with tempfile.NamedTemporaryFile("w", suffix=".cu") as file:
            file.write(GREEDY)
            file.flush()
            _, lab = self.grade(16, file.name)
        self.assertIn(lab["state"], ("fail", "error"))
        self.assertEqual([test["halvings"] for test in lab["tests"] if test["name"] == "n = 100003"], [0])
        self.assertIn("not enough memory for what the submission takes itself", lab["message"])


if __name__ == "__main__":
    unittest.main()

"""Estimates of time against what an H200 was measured to take (tests/gpu/measured.md), and in the grader's report."""

import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "gpu"))

import gpu_bench
import jobs

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
CLEAR = 1.2        # times that differ by less have no order that an estimate could get wrong


def measured_times(part="times"):
    """{kernel: ms} of the kept table."""
    times = {}
    with open(gpu_bench.PAGE, encoding="utf-8") as page:
        section = page.read().split("\n## " + gpu_bench.TITLES[part] + "\n")[1].split("\n## ")[0]
    for name, ms in re.findall(r"^\| (.+?) +\| ([\d.]+) ", section, re.MULTILINE):
        times[name] = float(ms)
    return times


class AgainstMeasured(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.times = measured_times()
        with tempfile.TemporaryDirectory() as folder:
            cls.estimates = gpu_bench.Bench(BUILD, folder).estimates()

    def test_every_kernel_of_the_table_was_measured(self):
        self.assertGreaterEqual(len(self.estimates), 60)
        self.assertEqual({job["name"] for _, job, _ in self.estimates}, set(self.times))

    def test_every_held_out_kernel_was_measured_and_none_was_left_out(self):
        names = [job["name"] for _, job in jobs.held_out(gpu_bench.TIMED)]
        self.assertGreaterEqual(len(names), 15)
        self.assertEqual(set(names), set(measured_times("held_out")))
        self.assertLessEqual(set(jobs.HELD_OUT_FAR_OFF), set(names))
        self.assertFalse(set(names) & set(self.times))

    def test_estimates_are_near_the_time(self):
        for _, job, estimate in self.estimates:
            name, ratio = job["name"], estimate["ms"] / self.times[job["name"]]
            with self.subTest(kernel=name, ratio=ratio):
                far = not 1 / jobs.FACTOR <= ratio <= jobs.FACTOR
                self.assertEqual(far, name in jobs.FAR_OFF)

    def test_versions_of_a_lab_stand_in_the_order_of_the_hardware(self):
        compared = 0
        for lab, job, estimate in self.estimates:
            for other_lab, other, other_estimate in self.estimates:
                names = job["name"], other["name"]
                if not lab or lab != other_lab or set(names) & set(jobs.FAR_OFF):
                    continue
                if self.times[names[0]] * CLEAR < self.times[names[1]]:
                    compared += 1
                    with self.subTest(faster=names[0], slower=names[1]):
                        self.assertLess(estimate["ms"], other_estimate["ms"])
        self.assertGreater(compared, 15)


class InTheGrader(unittest.TestCase):
    def grade(self, *arguments):
        done = subprocess.run([f"{BUILD}/lockstep", "grade", "--device", "emulated", "--json", "-", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=200, text=True)
        return done, json.loads(done.stdout)["labs"][0]["estimate"] if done.stdout else None

    def test_says_what_bounds_the_time_on_the_gpu_that_was_named(self):
        _, estimate = self.grade("solutions/02_vector_add/vector_add_fast.cu", "--gpu", "t4")
        self.assertEqual(estimate["gpu"], "NVIDIA T4")
        self.assertEqual((estimate["case"], estimate["limit"]), ("n = 8388608", "memory"))
        self.assertAlmostEqual(estimate["limits"]["memory"], 12 * 2 ** 23 / 288e6, delta=0.01)
        self.assertGreater(estimate["ms"], estimate["limits"]["memory"])
        self.assertIn("MB at 0.29 TB/s", estimate["message"])

    def test_slower_versions_take_longer_than_the_reference(self):
        _, estimate = self.grade("labs/02_vector_add/wrong/strided.cu")
        self.assertEqual((estimate["gpu"], estimate["limit"]), ("NVIDIA H200", "level_2"))
        self.assertGreater(estimate["ms"], 4 * estimate["reference_ms"])

    def test_wrong_results_have_no_time(self):
        self.assertIsNone(self.grade("labs/02_vector_add/wrong/a_twice.cu")[1])

    def test_a_gpu_without_a_row_is_bad_usage(self):
        done, _ = self.grade("solutions/02_vector_add/vector_add.cu", "--gpu", "voodoo2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--gpu voodoo2: choose h200, h100, a100, rtx4090 or t4.", done.stderr)


if __name__ == "__main__":
    unittest.main()

"""Estimates of time against what an H200 was measured to take (tests/gpu/measured.md), and in the grader's report."""

import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "gpu"))

import gpu_bench
import jobs
import shape_jobs

from classes import sample

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
CLEAR = 1.2        # times that differ by less have no order that an estimate could get wrong


def rows_of(part):
    """Cells of the kept table's rows."""
    with open(gpu_bench.PAGE, encoding="utf-8") as page:
        section = page.read().split("\n## " + gpu_bench.TITLES[part] + "\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def measured_times(part="times"):
    """{kernel: ms} of the kept table."""
    return {row[0]: float(row[1]) for row in rows_of(part)}


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


class OfEveryShape(unittest.TestCase):
    """Right submissions, good and badly shaped: one thread, one block, locks, chains of blocks."""

    # Within a factor 2, beyond a factor 4, pairs in the right order: what the last measurement gave, less a little.
    LEAST = {"fitted": (0.93, 0.02, 0.94), "held out": (0.93, 0.02, 0.94), "unseen": (0.87, 0.03, 0.94)}

    @classmethod
    def setUpClass(cls):
        cls.rows = rows_of("shapes")
        cls.times = {(row[0], row[1]): float(row[2]) for row in cls.rows}
        with tempfile.TemporaryDirectory() as folder:
            bench = gpu_bench.Bench(BUILD, folder)
            cls.estimates = {(group, name): estimate for group in shape_jobs.GROUPS
                             for name, estimate in bench.shape_estimates(group).items()}

    def test_every_kernel_was_measured_and_none_was_left_out(self):
        self.assertEqual(set(self.estimates), set(self.times))
        self.assertGreaterEqual(len(self.times), 140)

    def test_times_are_near_and_versions_in_the_order_of_the_hardware(self):
        for group, (least_near, most_far, least_order) in self.LEAST.items():
            times = {name: (estimate["ms"], self.times[group, name])
                     for (own, name), estimate in self.estimates.items() if own == group}
            print(f"{group}: {shape_jobs.shares_in_words(times)}")
            near, far, order = shape_jobs.shares(times)
            with self.subTest(group=group):
                self.assertGreaterEqual(near, least_near)
                self.assertLessEqual(far, most_far)
                self.assertGreaterEqual(order, least_order)

    def test_what_is_far_off_has_its_reason(self):
        far = {name for (group, name), estimate in self.estimates.items()
               if not 1 / 4 <= estimate["ms"] / self.times[group, name] <= 4}
        self.assertEqual(far, set(shape_jobs.FAR_OFF))

    def test_the_table_shows_what_is_estimated(self):
        for group, name, *_, estimated, _, limit in self.rows:
            with self.subTest(kernel=name):
                estimate = self.estimates[group, name]
                self.assertAlmostEqual(float(estimated), estimate["ms"], delta=0.02 * estimate["ms"] + 1e-4)
                self.assertEqual(limit, estimate["limit"])

    def test_serial_work_is_told_as_what_it_is(self):
        for group, name, words in (
                ("fitted", "doublify/one_thread", "one thread does nearly all of the work, on 1 of 132 multiprocessors"),
                ("fitted", "doublify/one_block", "one of the 32768 blocks does most of the work"),
                ("held out", "scan/chain", "threads that wait for one another: a chain of 32767"),
                ("held out", "pi/spin_lock", "in each block 256, one after the other"),
                ("unseen", "histogram/ticket_lock", "a chain of 2047"),
                ("fitted", "scan/look_back", " to ")):
            with self.subTest(kernel=name):
                self.assertIn(words, self.estimates[group, name]["message"])


class InTheGrader(unittest.TestCase):
    def grade(self, *arguments):
        done = subprocess.run([f"{BUILD}/lockstep", "grade", "--device", "emulated", "--json", "-", *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
        return done, json.loads(done.stdout)["labs"][0]["estimate"] if done.stdout else None

    def test_says_what_bounds_the_time_on_the_gpu_that_was_named(self):
        _, estimate = self.grade("solutions/vector_add/vector_add_fast.cu", "--gpu", "t4")
        self.assertEqual(estimate["gpu"], "NVIDIA T4")
        self.assertEqual((estimate["case"], estimate["limit"]), ("n = 8388608", "memory"))
        self.assertAlmostEqual(estimate["limits"]["memory"], 12 * 2 ** 23 / 288e6, delta=0.01)
        self.assertGreater(estimate["ms"], estimate["limits"]["memory"])
        self.assertIn("MB at 0.29 TB/s", estimate["message"])

    @sample
    def test_slower_versions_take_longer_than_the_reference(self):
        _, estimate = self.grade("labs/vector_add/wrong/strided.cu")
        self.assertEqual((estimate["gpu"], estimate["limit"]), ("NVIDIA H200", "level_2"))
        self.assertGreater(estimate["ms"], 4 * estimate["reference_ms"])

    @sample
    def test_the_grader_counts_as_the_table_does(self):
        """Sizes are chosen in grader/judge/cases_estimate.c and in shape_jobs.py."""
        shown = {(row[0], row[1]): float(row[5]) for row in rows_of("shapes")}
        for group, name in (("fitted", "doublify/one_thread"), ("fitted", "matmul_tiled/sixteen_blocks"),
                            ("fitted", "pi/plain"), ("held out", "scan/chain")):
            _, estimate = self.grade(shape_jobs.path(name), "--lab", name.split("/")[0])
            with self.subTest(kernel=name):
                self.assertAlmostEqual(estimate["ms"], shown[group, name], delta=0.1 * shown[group, name])

    def test_launches_are_those_of_the_timing_case(self):
        _, estimate = self.grade("solutions/pi/pi.cu")
        self.assertEqual((estimate["case"], estimate["launches"]), ("n = 1048576", 21))

    def test_wrong_results_have_no_time(self):
        self.assertIsNone(self.grade("labs/vector_add/wrong/a_twice.cu")[1])

    def test_a_gpu_without_a_row_is_bad_usage(self):
        done, _ = self.grade("solutions/vector_add/vector_add.cu", "--gpu", "voodoo2")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--gpu voodoo2: choose h200, h100, a100, rtx4090 or t4.", done.stderr)


if __name__ == "__main__":
    unittest.main()

"""Programs that wait for asynchronous work, and programs in which one wait is missing (tests/clients/order.cu, late.cu)."""

import re
import sys
import unittest

from clients_test import BUILD, NOT_SANITIZED, build, expected, run

TITLES = {"stream_race": "streams not ordered", "host_race": "host did not wait", "use_after_free": "use after free"}


def report(*words):
    """Output of the program under exec, and what was reported, on one line."""
    _, output, errors = run(f"{BUILD}/lockstep", "exec", "--", *words)
    return output, " ".join(errors.split())


@NOT_SANITIZED
class Order(unittest.TestCase):
    def test_programs_that_wait_are_silent(self):
        output, errors = report(build("order"), "right")
        self.assertEqual(output, "")
        self.assertRegex(errors, r"^lockstep: nothing found in \d+ launches$")

    def test_each_missing_wait_is_found(self):
        _, listed, _ = run(build("order"), "wrong")
        for line in listed.splitlines():
            name, code, words = line.split("|")
            with self.subTest(name):
                _, errors = report(build("order"), "wrong", name)
                self.assertRegex(errors, rf"^lockstep: {TITLES[code]} .*{re.sub('[()]', lambda paren: '.', words)}")
                self.assertRegex(errors, r"lockstep: 1 error in \d+ launch(es)?$")

    def test_calls_have_lines_where_there_is_debugging_information(self):
        """Compiled plainly, and with everything inlined."""
        for options in ("-g",), ("-g", "-O2"):
            program = build("order", *options, suffix="_".join(("", *options)).replace("-", ""))
            with self.subTest(options):
                _, errors = report(program, "wrong", "kernel_then_copy_in_another")
                self.assertRegex(errors, r"kernel fill \(stream 1, in launch_fill, line 60 of order\.cu\) .*"
                                         r"\(stream 2, in (to_host, line 106|main, line \d+) of order\.cu\) reads them")
                _, errors = report(program, "wrong", "result_read_too_early")
                self.assertRegex(errors, r"in result_read_too_early, line 600 of order\.cu, and has not waited")

    def test_the_nvcc_of_exec_adds_lines(self):
        program = f"{BUILD}/tests/clients/order_by_exec"
        status, _, errors = run(f"{BUILD}/lockstep", "exec", "--", "nvcc", "-o", program, "tests/clients/order.cu")
        self.assertEqual(status, 0, errors)
        _, errors = report(program, "wrong", "result_read_too_early")
        self.assertIn("in result_read_too_early, line 600 of order.cu, and has not waited", errors)

    def test_calls_of_a_script_have_its_lines(self):
        _, errors = report(sys.executable, "tests/clients/order_python.py")
        self.assertIn("cuMemsetD8Async (stream 1, in clear, line 17 of order_python.py) writes bytes 0..63 of "
                      "allocation 1 of "
                      "the program (64 bytes); cuMemsetD8Async (stream 2, in order_python.py, line 30) writes them", errors)

    def test_the_host_waits_where_a_gpu_makes_it_wait(self):
        """waits.txt is what tests/clients/waits.cu prints on an H200 (driver 580.159.04, CUDA 13)."""
        for line in expected("waits").splitlines():
            name, what = line.split()
            with self.subTest(name):
                _, errors = report(build("waits"), name)
                self.assertEqual("host did not wait" not in errors, what == "waited", errors)


@NOT_SANITIZED
class Late(unittest.TestCase):
    """The schedule "late", and kernels that the host releases, which are done late under each schedule."""

    # They give the same under each schedule, although they are wrong.
    FOUND = ("failure_comes_with_the_wait", "host_watches_memory", "never_released")

    def run_late(self, schedule, *words):
        _, output, errors = run(f"{BUILD}/lockstep", "exec", "--", *words, LOCKSTEP_SCHEDULE=schedule)
        return output, " ".join(errors.split())

    def test_programs_that_wait_give_the_same(self):
        output, errors = self.run_late("late", build("order"), "right")
        self.assertEqual(output, "")
        self.assertRegex(errors, r"^lockstep: nothing found in \d+ launches$")

    def test_a_missing_wait_shows_in_the_value(self):
        """Each program prints what its row in late.cu says, and those that are right are silent."""
        _, listed, _ = run(build("late"))
        for line in listed.splitlines():
            name, at_once, late = line.split()
            is_right = at_once == late and name not in self.FOUND
            for schedule, wanted in (("ascending", at_once), ("late", late)):
                with self.subTest(name, schedule=schedule):
                    output, errors = self.run_late(schedule, build("late"), name)
                    self.assertEqual(output, f"{wanted}\n", errors)
                    if is_right:
                        self.assertRegex(errors, r"^lockstep: nothing found in \d+ launch(es)?$")

    def test_what_nobody_waits_for_is_named(self):
        _, errors = self.run_late("late", build("late"), "ends_without_waiting")
        self.assertIn("lockstep: the program ended without waiting for 1 piece of work, the last kernel among them "
                      "hello, so "
                      "it was never done (LOCKSTEP_SCHEDULE=late)", errors)

    def test_a_kernel_that_nobody_releases_is_an_endless_loop(self):
        _, errors = self.run_late("ascending", build("late"), "never_released")
        self.assertRegex(errors, r"^lockstep: did not finish .*late.cu:33 the loop at line 33 never ends")

    def test_streams_that_nothing_orders_are_told_in_the_order_of_their_calls(self):
        for name in ("kernel_then_copy_in_another", "both_write", "kernel_then_kernel_in_another"):
            with self.subTest(name):
                _, listed, _ = run(build("order"), "wrong")
                words = next(line for line in listed.splitlines() if line.startswith(name + "|")).split("|")[2]
                _, errors = self.run_late("late", build("order"), "wrong", name)
                self.assertRegex(errors, re.sub("[()]", lambda paren: ".", words))


if __name__ == "__main__":
    unittest.main()

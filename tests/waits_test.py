"""Programs that wait for asynchronous work, and programs in which one wait is missing (tests/clients/order.cu)."""

import re
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

    def test_the_host_waits_where_a_gpu_makes_it_wait(self):
        """waits.txt is what tests/clients/waits.cu prints on an H200 (driver 580.159.04, CUDA 13)."""
        for line in expected("waits").splitlines():
            name, what = line.split()
            with self.subTest(name):
                _, errors = report(build("waits"), name)
                self.assertEqual("host did not wait" not in errors, what == "waited", errors)


if __name__ == "__main__":
    unittest.main()

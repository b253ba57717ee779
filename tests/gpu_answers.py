"""What a program prints under `lockstep exec` beside what it printed on a GPU (tests/clients/*.txt): a base of tests."""

import re

from clients_test import build, expected, lockstep_exec


class GpuAnswers:
    NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?(?:e[-+]?\d+)?")

    def compare(self, name, tolerance, *libraries):
        """Line by line: the words are the same, and so are the numbers, up to the tolerance. -0 is 0."""
        status, output, errors = lockstep_exec(build(name, "-std=c++17", *libraries))
        wanted, got = expected(name).splitlines(), output.splitlines()
        self.assertEqual((status, len(got)), (0, len(wanted)), output[-1000:] + errors)
        self.assertIn("nothing found", errors)
        for theirs, ours in zip(wanted, got):
            with self.subTest(theirs=theirs, ours=ours):
                self.assertEqual(self.NUMBER.sub("", ours), self.NUMBER.sub("", theirs))
                for one, other in zip(self.NUMBER.findall(ours), self.NUMBER.findall(theirs)):
                    self.assertLessEqual(abs(float(one) - float(other)), tolerance * max(1, abs(float(other))))

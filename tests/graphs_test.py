"""Small graph kernels with and without one mistake (tests/fixtures/graphs.py), judged by tests/checks_suite.c.

LOCKSTEP_TEST_GRAPHS: how many of the 2600 kernels (default 12); LOCKSTEP_TEST_GRAPHS_SEED: which ones.
"""

import os
import subprocess
import sys
import tempfile
import unittest

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
COUNT = int(os.environ.get("LOCKSTEP_TEST_GRAPHS", "12"))
SEED = int(os.environ.get("LOCKSTEP_TEST_GRAPHS_SEED", "1"))
A_FILE = 200   # kernels


class Graphs(unittest.TestCase):
    def test_what_is_wrong_is_found_and_what_is_right_is_silent(self):
        with tempfile.TemporaryDirectory() as folder:
            for first in range(0, COUNT, A_FILE):
                path = os.path.join(folder, "graphs.cu")
                with open(path, "w", encoding="utf-8") as file:
                    subprocess.run([sys.executable, "tests/fixtures/graphs.py", str(min(A_FILE, COUNT - first)),
                                    str(SEED + first)], check=True, stdout=file)
                done = subprocess.run([f"{BUILD}/tests/run", "--in-process", "checks"], capture_output=True, text=True,
                                      check=False, env={**os.environ, "LOCKSTEP_TEST_CHECKS": path})
                self.assertEqual(done.returncode, 0, done.stdout[-3000:] + done.stderr[-3000:])


if __name__ == "__main__":
    unittest.main()

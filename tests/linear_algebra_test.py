"""cuBLAS and cuSOLVER on the emulated device beside NVIDIA's on an H200 (tests/clients/*.txt), and CuPy's linear algebra."""

import os
import re
import sys
import unittest

from clients_test import NOT_SANITIZED, PYTHON, lockstep_exec, run
from gpu_answers import GpuAnswers


def libraries_are_there():
    """Whether the host has a BLAS: the messages about its absence are another matter."""
    return run(sys.executable, "-c", "import ctypes\nfor name in 'libopenblas.so.0', 'liblapack.so.3':\n"
               "    try: ctypes.CDLL(name); break\n    except OSError: pass\nelse: raise SystemExit(1)")[0] == 0


@NOT_SANITIZED
@unittest.skipUnless(libraries_are_there(), "the host has neither OpenBLAS nor LAPACK")
class Answers(GpuAnswers, unittest.TestCase):
    def test_cublas_answers_as_on_a_gpu(self):
        self.compare("cublas", 0, "-lcublas")

    def test_cusolver_answers_as_on_a_gpu(self):
        self.compare("cusolver", 1.1e-4, "-lcusolver", "-lcublas")  # one in the last digit that is printed


@NOT_SANITIZED
@unittest.skipUnless(libraries_are_there(), "the host has neither OpenBLAS nor LAPACK")
class CuPy(unittest.TestCase):
    def test_linear_algebra_is_numpys(self):
        status, _, errors = lockstep_exec(PYTHON, "-c", "import cupy")
        if status != 0:
            self.skipTest(f"{PYTHON} cannot import cupy")
        status, output, errors = lockstep_exec(PYTHON, "tests/clients/cupy_linear_algebra.py")
        self.assertEqual(status, 0, output + errors)
        self.assertRegex(output, re.compile(r"^\d+ right, 0 wrong$", re.M))


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    unittest.main()

"""cuFFT and cuSPARSE on the emulated device beside NVIDIA's on an H200 (tests/clients/*.txt), and CuPy's use of them."""

import os
import re
import sys
import unittest

from clients_test import NOT_SANITIZED, PYTHON, lockstep_exec, run
from gpu_answers import GpuAnswers


def fftw_is_there():
    """Whether the host has FFTW in both precisions: the message about its absence is another matter."""
    names = "'libfftw3.so.3', 'libfftw3f.so.3'"
    return run(sys.executable, "-c", f"import ctypes\nfor name in {names}: ctypes.CDLL(name)")[0] == 0


NEEDS_FFTW = unittest.skipUnless(fftw_is_there(), "the host has no FFTW")


@NOT_SANITIZED
class Answers(GpuAnswers, unittest.TestCase):
    @NEEDS_FFTW
    def test_cufft_answers_as_on_a_gpu(self):
        self.compare("cufft", 2e-5, "-lcufft")

    def test_cusparse_answers_as_on_a_gpu(self):
        self.compare("cusparse", 0, "-lcusparse")


@NOT_SANITIZED
class CuPy(unittest.TestCase):
    def run_client(self, name):
        if lockstep_exec(PYTHON, "-c", "import cupyx.scipy.sparse")[0] != 0:
            self.skipTest(f"{PYTHON} cannot import CuPy")
        status, output, errors = lockstep_exec(PYTHON, f"tests/clients/{name}.py")
        self.assertEqual(status, 0, output + errors)
        self.assertRegex(output, re.compile(r"^\d+ right, 0 wrong$", re.M))

    @NEEDS_FFTW
    def test_transforms_are_numpys(self):
        self.run_client("cupy_transforms")

    def test_sparse_matrices_are_dense_ones(self):
        self.run_client("cupy_sparse")


if __name__ == "__main__":
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    unittest.main()

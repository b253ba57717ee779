"""Programs that are not ours, on the emulated driver: those that nvcc builds, and Python's. A test says why it is skipped.

LOCKSTEP_TEST_PYTHON names a Python that has packages to test with (cuda-python, pycuda, numba …); default: this one.
"""

import os
import shutil
import subprocess
import sys
import unittest

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
PYTHON = os.environ.get("LOCKSTEP_TEST_PYTHON", sys.executable)
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
PTX = "tests/fixtures/vector_add.ptx"
TIMEOUT_S = 120
NOT_SANITIZED = unittest.skipIf(os.path.basename(BUILD) == "sanitize",
                                   "the sanitizer's runtime would have to be in the programs")


def run(*command, **environment):
    """Exit status, output, what was said on stderr."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          timeout=TIMEOUT_S, check=False, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def lockstep_exec(*command, checks="memory", **environment):
    return run(f"{BUILD}/lockstep", "exec", "--checks", checks, "--", *command, **environment)


def build(name, *options, suffix=""):
    """Compiles tests/clients/NAME.cu unless that was done already. Returns the program."""
    if not NVCC:
        raise unittest.SkipTest("there is no nvcc")
    source, program = f"tests/clients/{name}.cu", f"{BUILD}/tests/clients/{name}{suffix}"
    os.makedirs(os.path.dirname(program), exist_ok=True)
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        status, _, errors = run(NVCC, "-lineinfo", "-o", program, *options, source)
        if status != 0:
            raise AssertionError(errors)
    return program


def expected(name):
    with open(f"tests/clients/{name}.txt", encoding="utf-8") as file:
        return file.read()


@NOT_SANITIZED
class RuntimePrograms(unittest.TestCase):
    """Programs with kernel<<<…>>> and cudaMalloc. The .txt files hold what they print on a GPU."""

    def test_a_program_that_nvcc_built_without_options_runs(self):
        status, output, errors = lockstep_exec(build("course"))
        self.assertEqual(output, expected("course"), errors)
        self.assertNotIn("not implemented", errors)
        self.assertEqual(status, 1, "the mistakes it makes on purpose are findings")

    def test_a_mistake_is_found_at_its_line(self):
        for suffix, options in (("", ()), ("_shared", ("-cudart", "shared")), ("_plain", ("--no-compress",)),
                                ("_small", ("-Xfatbin", "-compress-mode=size")),
                                ("_lz4", ("-Xfatbin", "-compress-mode=speed"))):
            with self.subTest(options=options):
                status, output, errors = lockstep_exec(build("mistake", *options, suffix=suffix))
                self.assertEqual(status, 1)
                self.assertEqual(output, expected("mistake"))
                self.assertRegex(errors, r"out of bounds +\S*mistake\.cu:8\n")
                self.assertIn("values[1000]", errors)

    def test_the_runtime_exports_what_nvidias_does(self):
        theirs = "/usr/local/cuda/lib64/libcudart.so.13"
        if not os.path.exists(theirs):
            self.skipTest(f"there is no {theirs}")
        names = [run("nm", "-D", "--defined-only", library)[1].split()[2::3]
                 for library in (theirs, f"{BUILD}/emulated/libcudart.so.13")]
        self.assertEqual(*[sorted(name for name in each if "cuda" in name) for each in names])

    def test_a_program_without_ptx_is_told_what_to_pass_to_nvcc(self):
        program = build("mistake", "-gencode", "arch=compute_80,code=sm_80", suffix="_cubin")
        _, output, errors = lockstep_exec(program)
        self.assertIn("launch: cudaErrorNoKernelImageForDevice", output)
        self.assertIn("code=compute_80", errors)

    def test_a_program_without_symbols_is_told_to_share_the_runtime(self):
        program = build("mistake", "-Xlinker", "--strip-all", suffix="_stripped")
        _, output, errors = lockstep_exec(program)
        self.assertNotIn("launch: cudaSuccess", output)
        self.assertIn("-cudart shared", errors)


@NOT_SANITIZED
class DriverPrograms(unittest.TestCase):
    def test_the_driver_answers_as_on_a_gpu(self):
        environment = {"LD_LIBRARY_PATH": os.path.abspath(f"{BUILD}/emulated"), "LOCKSTEP_CHECKS": "none"}
        status, output, errors = run(sys.executable, "tests/clients/driver_codes.py", **environment)
        self.assertEqual((status, output), (0, expected("driver_codes")), errors)


@NOT_SANITIZED
class PythonPrograms(unittest.TestCase):
    def check(self, client, package, expectation):
        status, _, errors = lockstep_exec(PYTHON, "-c", f"import {package}")
        if status != 0:
            why = errors.strip().splitlines()[-1] if errors else f"status {status}"
            self.skipTest(f"{PYTHON} cannot import {package}: {why}")
        status, output, errors = lockstep_exec(PYTHON, f"tests/clients/{client}_client.py", PTX)
        self.assertEqual((status, output), (0, expectation), errors)

    def test_cuda_bindings_runs(self):
        self.check("bindings", "cuda.bindings.driver",
                   "stream True True\nby configuration True\noccupancy True 1024\n"
                   "name b'vector_add' b'CUDA_ERROR_ILLEGAL_ADDRESS'\n")

    def test_cuda_core_runs(self):
        self.check("core", "cuda.core", "sum True True\nkernel 4 True\ndevice True 32 True\n")

    def test_pycuda_runs(self):
        self.check("pycuda", "pycuda.driver",
                   "stream True True True\nprepared True\nin and out True\nattributes 1024 True True\n"
                   "managed [6.0, 6.0, 6.0, 6.0]\nrefused True\n")

    def test_numba_runs(self):
        self.check("numba", "numba.cuda", "roots 8128.0 24512.0\n")


if __name__ == "__main__":
    unittest.main()

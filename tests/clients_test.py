"""Programs that are not ours, on the emulated driver: those that nvcc builds, and Python's. A test says why it is skipped.

LOCKSTEP_TEST_PYTHON names a Python that has packages to test with (cuda-python, pycuda, numba …); default: this one.
"""

import glob
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

from classes import fast, host
from waiting import find_process, wait_until

sys.path.insert(0, "tests/clients")
import environment  # noqa: E402


BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
PYTHON = os.environ.get("LOCKSTEP_TEST_PYTHON", sys.executable)
NVCC = shutil.which("nvcc") or shutil.which("/usr/local/cuda/bin/nvcc")
PTX = "tests/fixtures/vector_add.ptx"
NOT_SANITIZED = unittest.skipIf(os.path.basename(BUILD) == "sanitize",
                                   "the sanitizer's runtime would have to be in the programs")


def run(*command, **environment):
    """Exit status, output, what was said on stderr."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False, env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


def lockstep_exec(*command, checks="memory", **environment):
    return run(f"{BUILD}/lockstep", "exec", "--checks", checks, "--", *command, **environment)


def build(name, *options, suffix="", lines=True):
    """Compiles tests/clients/NAME.cu unless that was done already, with source lines. Returns the program."""
    if not NVCC:
        raise unittest.SkipTest("there is no nvcc")
    source, program = f"tests/clients/{name}.cu", f"{BUILD}/tests/clients/{name}{suffix}"
    os.makedirs(os.path.dirname(program), exist_ok=True)
    if not os.path.exists(program) or os.path.getmtime(program) < os.path.getmtime(source):
        status, _, errors = run(NVCC, *(["-lineinfo"] if lines else []), "-o", program, *options, source)
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

    def test_a_program_loads_ptx_by_the_runtime_library(self):
        for suffix, options in (("", ()), ("_shared", ("-cudart", "shared"))):
            with self.subTest(options=options):
                status, output, errors = lockstep_exec(build("library", *options, suffix=suffix), PTX)
                self.assertEqual((status, output), (0, expected("library")), errors)
                self.assertIn("nothing found in 2 launches", errors)

    def test_graphs_and_captured_streams_run(self):
        for suffix, options in (("", ()), ("_shared", ("-cudart", "shared"))):
            with self.subTest(options=options):
                status, output, errors = lockstep_exec(build("graphs", *options, suffix=suffix))
                self.assertEqual((status, output), (0, expected("graphs")), errors)
                self.assertIn("nothing found", errors)

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

    def test_after_a_fault_a_program_may_go_on(self):
        status, output, errors = lockstep_exec(build("mistake"), LOCKSTEP_AFTER_FAULT="continue")
        self.assertEqual(status, 1)
        self.assertEqual(set(line.split(": ")[1] for line in output.splitlines()), {"cudaSuccess"})
        self.assertIn("values[1000]", errors)
        self.assertIn("1 error in 1 launch", errors)

    def test_blocks_of_a_cluster_share_memory(self):
        for suffix, options in (("", ()), ("_linked", ("-rdc=true",))):   # kernels say how large their clusters are
            program = build("clusters", "-arch=sm_90", "-std=c++17", *options, suffix=suffix)
            status, output, errors = lockstep_exec(program, LOCKSTEP_GPU="9.0")
            self.assertEqual((status, output), (1, expected("clusters")), errors)
            self.assertIn("cluster", errors)   # the three launches that are refused
        status, output, errors = lockstep_exec(program, "occupancy", LOCKSTEP_GPU="9.0")
        self.assertEqual(output, "cudaOccupancyMaxActiveClusters(&smaller, neighbours, &config): "
                                 "cudaErrorInvalidClusterSize (912)\nsize 8, of four 1 1, of two 1\n", errors)

    def test_kernels_launch_kernels(self):
        program = build("children", "-rdc=true", "-lcudadevrt", "-std=c++17")
        for checks in ("memory", "all"):
            status, output, errors = lockstep_exec(program, checks=checks)
            self.assertEqual((status, output), (1, expected("children")), errors)
            self.assertIn("2 errors in 4314 launches", errors)  # the two that are refused
        status, _, errors = lockstep_exec(program, "beyond")
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"out of bounds +\S*children\.cu:162\n")
        self.assertRegex(errors, r"Launched by kernel parent, line 167\.")
        status, _, errors = lockstep_exec(program, "waits")
        self.assertEqual(status, 1)
        self.assertRegex(errors, r"did not finish +\S*children\.cu:213\n")
        self.assertRegex(errors, r"Kernel raises, which this grid has launched, has\s+not begun")

    def test_races_between_a_kernel_and_what_it_launches(self):
        program = build("children", "-rdc=true", "-lcudadevrt", "-std=c++17")
        for order in ("before", "tail"):
            status, _, errors = lockstep_exec(program, order, checks="all")
            self.assertEqual(status, 0, errors)
            self.assertIn("nothing found in 2 launches", errors)
        for order, line, times, verb in (("without waiting", 186, 62, "it"), ("after", 194, 64, "it"),
                                         ("indirect", 194, 64, "it indirectly")):
            with self.subTest(order=order):
                status, _, errors = lockstep_exec(program, order, checks="all")
                self.assertEqual(status, 1, errors)
                words = " ".join(errors.split())
                self.assertRegex(words, r"race in global memory \S*children\.cu:172 ")
                self.assertIn(f"of kernel writes (line {line}) and read by thread", words)
                self.assertIn(f"of kernel doubles (line 172), which {verb} launched: the launch does not wait", words)
                self.assertIn(f"{times} times in all", words)
                self.assertIn(f"1 error in {3 if order == 'indirect' else 2} launches", words)

    def test_launches_by_kernels_that_are_refused_are_findings(self):
        program = build("children", "-rdc=true", "-lcudadevrt", "-std=c++17")
        status, output, errors = lockstep_exec(program, "refused")
        self.assertEqual((status, output), (1, "no blocks 9, then 9 0\n2048 threads 9\nbeyond the bounds 9\n"
                                               "shared memory 9\nno stream 1\n"), errors)
        words = " ".join(errors.split())
        self.assertIn("kernel mark is not launched: a block of 2048 threads in x; this device allows 1024.", words)
        self.assertIn("4 errors in 1 launch", words)

    def test_nvidias_parallel_algorithms_are_right_and_the_programs_findings_are_none(self):
        program = build("algorithms", "-std=c++17", "--extended-lambda")
        status, output, errors = lockstep_exec(program, checks="all")
        self.assertEqual((status, output), (0, expected("algorithms")), errors)
        self.assertRegex(errors, "nothing found in [0-9]+ launches")

    def test_memory_that_cannot_be_freed_any_more_is_not_forgotten(self):
        _, _, errors = lockstep_exec(build("mistake"), checks="all")
        self.assertIn("out of bounds", errors)
        self.assertNotIn("never freed", errors)

    def test_a_finding_shows_how_the_index_came_about(self):
        _, _, errors = lockstep_exec(build("mistake"))
        self.assertIn("    i = blockIdx.x*blockDim.x + threadIdx.x = 3*256 + 232 = 1000\n", errors)
        self.assertIn("Line 7 asks i <= n: 1000 <= 1000 is true. The grid has 1024 threads for 1000\n    elements.\n",
                      errors)
        self.assertRegex(errors, r">   8 \|         values\[i\] = 2 \* i;.*\n +\|         \^{9}\n")

    def test_without_source_lines_findings_name_lines_of_the_ptx(self):
        program = build("no_lines", lines=False)
        status, _, errors = lockstep_exec(program, checks="all")
        self.assertEqual(status, 1)
        self.assertEqual(errors.count("has no source lines"), 1)
        self.assertRegex(errors, r"out of bounds +plain, PTX line \d+\n +write parameter 1\[100\], but parameter 1 has 100 ")
        self.assertIn("the index is blockIdx.x*blockDim.x + threadIdx.x = 1*64 + 36 = 100", errors)

    def test_a_source_that_was_changed_explains_nothing(self):
        with tempfile.TemporaryDirectory() as folder:
            source, program = os.path.join(folder, "moved.cu"), os.path.join(folder, "moved")
            shutil.copy("tests/clients/mistake.cu", source)
            if run(NVCC, "-lineinfo", "-o", program, source)[0] != 0:
                self.skipTest("nvcc cannot compile")
            with open(source, encoding="utf-8") as file:
                text = file.read()
            with open(source, "w", encoding="utf-8") as file:
                file.write("// one\n" * 40 + text)
            _, _, errors = lockstep_exec(program)
            self.assertIn("moved.cu has changed since it was compiled", errors)
            self.assertIn("write parameter 1[1000]", errors)

    @fast
    def test_the_runtime_exports_what_nvidias_does(self):
        theirs = "/usr/local/cuda/lib64/libcudart.so.13"
        if not os.path.exists(theirs):
            self.skipTest(f"there is no {theirs}")
        names = [run("nm", "-D", "--defined-only", library)[1].split()[2::3]
                 for library in (theirs, f"{BUILD}/emulated/libcudart.so.13")]
        self.assertEqual(*[sorted(name for name in each if "cuda" in name) for each in names])

    def test_host_memory_in_a_kernel_is_called_that(self):
        program = build("wrong_memory")
        for which, words in (("local", "on the stack of the program"), ("heap", "on the heap of the program"),
                             ("vector", "on the heap of the program"), ("fixed", "a variable or the code of wrong_memory"),
                             ("block", "memory of the program"), ("handle", "on the stack of the program")):
            with self.subTest(which=which):
                status, output, errors = lockstep_exec(program, which, checks="all")
                self.assertEqual((status, output), (1, "cudaErrorIllegalAddress\n"), errors)
                self.assertRegex(errors, r"host memory used by a kernel +\S*wrong_memory\.cu:11\n")
                self.assertIn(f"values points to host memory, which a kernel cannot read. It is {words}",
                              " ".join(errors.split()))
                self.assertNotIn("memory leak", errors, "a program that a failed kernel ended can free nothing")
                self.assertIn("1 error in 1 launch", errors)

    def test_null_pointers_are_known_by_their_index_and_by_malloc(self):
        program = build("wrong_memory")
        _, _, errors = lockstep_exec(program, "null")
        self.assertRegex(errors, r"null or invalid pointer +\S*wrong_memory\.cu:11\n +read through a null pointer")
        _, _, errors = lockstep_exec(program, "far")
        self.assertRegex(errors, r"null or invalid pointer +\S*wrong_memory\.cu:11\n +read at address 0x124f80, so near to")
        _, _, errors = lockstep_exec(program, "no heap")
        self.assertRegex(errors, r"null or invalid pointer +\S*wrong_memory\.cu:17\n")
        self.assertIn("malloc has returned NULL in this launch, at line 16: 80000 bytes did not fit into the heap of "
                      "8388608 bytes", " ".join(errors.split()))
        self.assertIn("How much do all threads together ask for?", " ".join(errors.split()))
        status, output, errors = lockstep_exec(program, "heap again")
        self.assertEqual((status, output), (0, "cudaSuccess\n"), errors)

    def test_a_host_that_uses_device_memory_hears_why_it_ended(self):
        program = build("wrong_memory")
        for which, words in (("host reads", "in allocation 1 of the program, 1024 bytes)"),
                             ("host writes", "in allocation 2 of the program, 2048 bytes, freed)")):
            with self.subTest(which=which):
                status, _, errors = lockstep_exec(program, which, checks="all")
                self.assertEqual(status, 128 + 11)
                self.assertIn("device memory used by the host", errors)
                self.assertIn(words, " ".join(errors.split()))
                self.assertIn("in main+0x", errors)
                self.assertIn("1 error; signal 11 (Segmentation fault) ended the program", errors)
        status, _, errors = lockstep_exec(program, "host null", checks="all")
        self.assertEqual(status, 128 + 11)
        self.assertIn("nothing found; signal 11 (Segmentation fault) ended the program", errors)

    def test_a_program_of_two_files_is_linked(self):
        for suffix, options in (("", ()), ("_shared", ("-cudart", "shared")), ("_arch", ("-arch=sm_80",))):
            with self.subTest(options=options):
                program = build("files_one", "-rdc=true", *options, "tests/clients/files_two.cu", suffix=suffix)
                status, output, errors = lockstep_exec(program, checks="all")
                self.assertEqual((status, output), (0, "cudaSuccess\n297 100\n"), errors)
                status, output, errors = lockstep_exec(program, "too far")
                self.assertEqual(status, 1)
                self.assertRegex(errors, r"out of bounds +\S*files_one\.cu:12\n")

    def test_padding_between_members_is_nobodys_but_elements_are_the_programs(self):
        program = build("padding")
        for which, launches in (("padded", "1 launch"), ("moved", "2 launches")):
            status, _, errors = lockstep_exec(program, which, checks="all")
            self.assertEqual(status, 0, errors)
            self.assertIn(f"nothing found in {launches}", errors)
        for which, words in (("missing", "bytes 8..15 of an allocation of 1536 bytes"),
                             ("second", "bytes 4..7 of an allocation of 256 bytes")):
            status, _, errors = lockstep_exec(program, which, checks="all")
            self.assertEqual(status, 0, errors)   # a part was written: a warning
            self.assertIn(words, " ".join(errors.split()))
            self.assertIn("lockstep: 1 warning in 1 launch", errors)

    def test_calls_that_repeat_a_mistake_are_counted_not_shown(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "findings")
            status, _, errors = lockstep_exec(build("padding"), "often", checks="all", LOCKSTEP_FINDINGS=path)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), 30)
        self.assertEqual(status, 0, errors)
        self.assertEqual(errors.count("Does the host use only what a kernel, a copy or a fill has written?"), 4, errors)
        self.assertIn("lockstep: uninitialized value: 24 calls like this one: ", errors)
        self.assertIn("4 warnings in 1 launch", errors)

    def test_the_driver_alone_tells_a_repeated_call_once(self):
        _, _, errors = run(build("padding", "-cudart", "shared", suffix="_shared"), "same",
                           LD_LIBRARY_PATH=os.path.abspath(f"{BUILD}/emulated"), LOCKSTEP_CHECKS="all")
        self.assertEqual(errors.count("bytes 4..7 of an allocation"), 1, errors)
        self.assertIn("later launches and calls repeated these findings 29 times", errors)

    def test_leaks_are_told_of_programs_that_ended_well(self):
        program = build("padding")
        status, _, errors = lockstep_exec(program, "forgotten", checks="all")
        self.assertEqual(status, 0)
        self.assertIn("100 bytes of device memory were never freed", " ".join(errors.split()))
        status, _, errors = lockstep_exec(program, "failed", checks="all")
        self.assertEqual(status, 1)
        self.assertNotIn("never freed", errors)
        self.assertIn("nothing found in 0 launches", errors)

    def test_what_is_inside_of_a_librarys_kernels_is_one_line(self):
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "site-packages", "meet")
            os.makedirs(library)
            with open(os.path.join(library, "meet.cuh"), "w", encoding="utf-8") as file:
                file.write("template <class Function> __global__ void meet(Function function, int *place)\n{\n"
                           "    function(place);\n    place[0] = threadIdx.x;\n    place[1] = threadIdx.x;\n}\n")
            source, program = os.path.join(folder, "user.cu"), os.path.join(folder, "user")
            with open(source, "w", encoding="utf-8") as file:
                file.write('#include "meet.cuh"\n'
                           "struct nothing { __device__ void operator()(int *) const {} };\n"
                           "struct same { __device__ void operator()(int *place) const\n"
                           "    { place[2] = threadIdx.x; } };\n"
                           "struct beyond { __device__ void operator()(int *place) const { place[0] = 0; } };\n"
                           "int main(int count, char **arguments)\n{\n    int *place;\n    cudaMalloc(&place, 12);\n"
                           "    switch (arguments[1][0]) {\n    case 'n': meet<<<1, 64>>>(nothing(), place); break;\n"
                           "    case 's': meet<<<1, 64>>>(same(), place); break;\n"
                           "    default: meet<<<1, 64>>>(nothing(), place + 3);\n    }\n"
                           "    cudaDeviceSynchronize();\n    cudaFree(place);\n    return 0;\n}\n")
            if not NVCC or run(NVCC, "-lineinfo", f"-I{library}", "-o", program, source)[0] != 0:
                self.skipTest("nvcc cannot compile")
            path = os.path.join(folder, "findings")
            status, _, errors = lockstep_exec(program, "nothing", checks="all", LOCKSTEP_FINDINGS=path)
            words = " ".join(errors.split())
            self.assertEqual(status, 0, errors)
            self.assertIn("library code: 2 findings in a library's own code, not "
                          "shown and not counted; the first: race", words)
            self.assertIn("nothing found in 1 launch", words)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(len(file.readlines()), 2)
            status, _, errors = lockstep_exec(program, "same", checks="all")
            self.assertEqual(status, 1, errors)
            self.assertRegex(errors, r"user\.cu:4")
            self.assertIn("1 error in 1 launch", errors)
            status, _, errors = lockstep_exec(program, "beyond", checks="all")
            self.assertEqual(status, 1, errors)
            self.assertIn("out of bounds", errors)

    def test_masks_may_name_lanes_that_have_left_or_never_were(self):
        for checks in ("memory", "all"):
            status, output, errors = lockstep_exec(build("masks", "-arch=compute_80"), checks=checks)
            self.assertEqual((status, output), (0, expected("masks")), errors)
            self.assertIn("nothing found in 10 launches", errors)
        status, output, errors = lockstep_exec(build("masks", "-arch=compute_80"), "around", checks="memory")
        self.assertEqual(status, 1, output)
        self.assertRegex(errors, r"mismatched lane mask +\S*masks\.cu:\d+\n +the mask 0xffffffff names lane 20, which went")

    def test_constant_memory_is_that_of_the_module(self):
        status, output, errors = lockstep_exec(build("constants"))
        self.assertEqual((status, output), (0, expected("constants")), errors)

    def test_blocks_beyond_the_launch_bounds_are_refused(self):
        _, output, errors = lockstep_exec(build("bounds"))
        self.assertEqual(output, expected("bounds"), errors)
        self.assertIn("a block of 257 threads; the kernel's __launch_bounds__ allow 256", " ".join(errors.split()))

    def test_the_device_runtime_has_the_barrier_of_a_grid(self):
        program = build("grid_barrier", "-rdc=true", "-lcudadevrt")
        status, output, errors = lockstep_exec(program, checks="all")
        self.assertEqual((status, output), (0, "cudaSuccess 1\n"), errors)
        self.assertIn("nothing found in 1 launch", errors)
        status, output, errors = lockstep_exec(program, "alone", checks="all")
        self.assertEqual((status, output), (1, "cudaErrorLaunchFailure 0\n"), errors)

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

    def test_a_stripped_library_finds_our_runtime_by_the_names_that_its_functions_know(self):
        library = build("plain_runtime", "-x", "c++", "-shared", "-nodlink", "-Xcompiler", "-fPIC", "-Xlinker",
                        "--strip-all", "-ldl", suffix=".so")
        script = (f"import ctypes; l = ctypes.CDLL('{library}'); l.name_of_error.restype = ctypes.c_char_p; "
                  "print(l.copies_there_and_back(42), l.name_of_error(1), l.finds_elsewhere())")
        status, output, errors = lockstep_exec(sys.executable, "-c", script)
        self.assertEqual((status, output), (0, "42 b'cudaErrorInvalidValue' 1\n"), errors)
        self.assertIn("nothing found in 0 launches", errors)

    def test_a_stripped_library_with_kernels_is_told_to_share_the_runtime(self):
        library = build("mistake", "-shared", "-Xcompiler", "-fPIC", "-Xlinker", "--strip-all", suffix="_stripped.so")
        _, output, errors = lockstep_exec(sys.executable, "-c", f"import ctypes; ctypes.CDLL('{library}').main()")
        self.assertNotIn("launch: cudaSuccess", output)
        self.assertIn("-cudart shared", errors)


@fast
@NOT_SANITIZED
class DriverPrograms(unittest.TestCase):
    def test_the_driver_answers_as_on_a_gpu(self):
        environment = {"LD_LIBRARY_PATH": os.path.abspath(f"{BUILD}/emulated"), "LOCKSTEP_CHECKS": "none"}
        status, output, errors = run(sys.executable, "tests/clients/driver_codes.py", **environment)
        self.assertEqual((status, output), (0, expected("driver_codes")), errors)

    def test_graphs_and_captures_answer_as_on_a_gpu(self):
        environment = {"LD_LIBRARY_PATH": os.path.abspath(f"{BUILD}/emulated"), "LOCKSTEP_CHECKS": "none"}
        status, output, errors = run(sys.executable, "tests/clients/graph_codes.py", **environment)
        self.assertEqual((status, output), (0, expected("graph_codes")), errors)


@NOT_SANITIZED
class Findings(unittest.TestCase):
    """What exec, and the environment variables alone, tell about a program with several launches."""

    CLIENT = "tests/clients/findings.py"

    def environment(self, **more):
        return {"LD_LIBRARY_PATH": os.path.abspath(f"{BUILD}/emulated"), "LOCKSTEP_CHECKS": "all", **more}

    @fast
    def test_exec_groups_launches_and_sums_up(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "findings.json")
            status, _, errors = run(f"{BUILD}/lockstep", "exec", "--json", path, "--", sys.executable, self.CLIENT)
            with open(path, encoding="utf-8") as file:
                result = json.load(file)
        self.assertEqual(status, 1, errors)
        self.assertEqual([result[key] for key in ("launches", "errors", "warnings", "notes")], [4, 2, 0, 0])
        race, bounds = result["findings"]  # and no leak: after a failed kernel nothing can be freed
        self.assertEqual((race["code"], race["kernel"], race["launch"], race["launches"], race["count"]),
                         ("race_global", "meet", 1, 3, 3 * 32))
        self.assertEqual((bounds["code"], bounds["launch"], bounds["count"]), ("out_of_bounds", 4, 1 << 20))
        self.assertIn("in meet: in 3 launches, first in launch 1; 96 times in all", errors)
        self.assertIn("2 errors in 4 launches", errors)
        self.assertEqual(errors.count("race in global memory  meet"), 1)

    @fast
    def test_exec_heeds_the_variables(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "findings")
            command = [f"{BUILD}/lockstep", "exec", "--", sys.executable, self.CLIENT]
            _, _, errors = run(*command, LOCKSTEP_CHECKS="memory", LOCKSTEP_FINDINGS=path)
            self.assertNotIn("race in global memory", errors)
            with open(path, encoding="utf-8") as file:
                self.assertEqual({json.loads(line)["code"] for line in file}, {"out_of_bounds"})
            command[2:2] = ["--checks", "all"]
            _, _, errors = run(*command, LOCKSTEP_CHECKS="memory", LOCKSTEP_FINDINGS=path)
            self.assertIn("race in global memory", errors)
            with open(path, encoding="utf-8") as file:
                self.assertIn("race_global", {json.loads(line)["code"] for line in file})
            _, _, errors = run(f"{BUILD}/lockstep", "exec", "--", sys.executable, self.CLIENT, LOCKSTEP_CHECKS="some",
                               LOCKSTEP_FINDINGS=folder)
        self.assertIn("LOCKSTEP_CHECKS='some' is not none, memory, poison or all; using all", errors)
        self.assertIn("cannot be opened (Is a directory)", errors)

    @fast
    def test_exec_names_its_nvcc_and_leaves_other_compilers_alone(self):
        own = os.path.join(os.path.realpath(f"{BUILD}/emulated"), "bin", "nvcc")
        for given, expected in (("", own), ("nvcc", own), ("/opt/cuda/bin/nvcc", own), ("clang++", "clang++"),
                                ("nvcc -ccbin g++", "nvcc -ccbin g++")):
            _, output, _ = lockstep_exec("sh", "-c", "echo $NVCC", NVCC=given)
            self.assertEqual(os.path.realpath(output.strip()) if expected == own else output.strip(), expected)

    @fast
    def test_the_variables_alone_tell_the_same(self):
        _, _, errors = run(sys.executable, self.CLIENT, **self.environment())
        self.assertEqual(errors.count("the number of the thread is not in the index"), 1, errors)
        self.assertIn("2 errors, 0 warnings, 0 notes in 4 launches", errors)
        self.assertIn("later launches repeated these findings 2 times", errors)
        self.assertNotIn("never freed", errors)

    @host
    def test_a_full_disk_costs_no_finding(self):
        _, _, errors = run(sys.executable, self.CLIENT, **self.environment(LOCKSTEP_FINDINGS="/dev/full"))
        self.assertIn("cannot write to LOCKSTEP_FINDINGS=/dev/full: No space left on device", errors)
        self.assertIn("the number of the thread is not in the index", errors)
        self.assertIn("out has 64 elements", errors)

    @host
    def test_a_launch_that_is_ended_tells_what_it_had_found(self):
        with subprocess.Popen([sys.executable, self.CLIENT, "long"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, env={**os.environ, **self.environment()}) as program:
            self.assertEqual(program.stdout.readline(), "ready\n")
            before = find_process(program.pid).seconds
            wait_until(lambda: find_process(program.pid).seconds > before + 0.3)   # it is in the launch by then
            program.terminate()
            _, errors = program.communicate()
        self.assertEqual(program.returncode, -signal.SIGTERM, errors)
        self.assertIn("the number of the thread is not in the index", errors)

    @host
    def test_to_end_exec_ends_the_program(self):
        command = [f"{BUILD}/lockstep", "exec", "--", sys.executable, self.CLIENT, "long"]
        for number in (signal.SIGTERM, signal.SIGKILL):
            with self.subTest(number=number), subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                                               text=True) as program:
                self.assertEqual(program.stdout.readline(), "ready\n")
                program.send_signal(number)
                _, errors = program.communicate()  # which lasts until the program has closed its output
                if number == signal.SIGTERM:
                    self.assertEqual(program.returncode, 128 + number, errors)
                    self.assertIn("signal 15 (Terminated) ended the program", errors)

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_a_leak_names_the_call(self):
        status, _, errors = lockstep_exec(build("leak"), checks="all")
        self.assertEqual(status, 0, errors)
        words = " ".join(errors.split())
        self.assertRegex(words, r"400 bytes of device memory were never freed: allocation 2 of the program, made in "
                                r"forgets\S* in leak")
        self.assertRegex(words, r"3 allocations, 300 bytes of .*; the first: allocation 3 .* in main\S* in leak, "
                                r"after launch 1")
        self.assertIn("2 warnings in 1 launch", errors)

    def ignored(self, what):
        """What the report has of `ignored WHAT`, with its lines of the host, whatever way it is built; and the line of its
        mistake."""
        said = []
        for suffix, options in (("", ("-g",)), ("_shared", ("-g", "-cudart", "shared")), ("_fast", ("-g", "-O2"))):
            status, _, errors = lockstep_exec(build("ignored", *options, suffix=suffix), what, checks="all")
            said.append((status, " ".join(errors.split())))
        return said

    @staticmethod
    def mistake_of(what):
        """The first line that is a mistake after the one that asks for it."""
        with open("tests/clients/ignored.cu", encoding="utf-8") as file:
            lines = file.read().split("\n")
        start = next(i for i, line in enumerate(lines) if f'what, "{what}")' in line)
        return next(i + 1 for i, line in enumerate(lines) if i > start and "// a mistake" in line)

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_the_first_failed_call_that_nobody_checks_is_told_as_the_source_has_it(self):
        for what, words in (("allocation", "cudaMalloc in main, line %d of ignored.cu failed with "
                                           "cudaErrorMemoryAllocation (not enough memory), and the program never"),
                            ("symbol", "cudaMemcpyToSymbol in main, line %d of ignored.cu failed with "
                                       "cudaErrorInvalidValue"),
                            ("first", "cudaEventDestroy in main, line %d of ignored.cu failed with "),
                            ("free", "cudaFree was given an address 8 bytes from the start of an allocation; only the "
                                     "start can be freed. Called in main, line %d of ignored.cu."),
                            ("shape", "Launched in main, line %d of ignored.cu.")):
            for status, errors in self.ignored(what):
                with self.subTest(what=what):
                    self.assertIn(words % self.mistake_of(what), errors)
                    self.assertEqual(errors.count("failed call that nobody checked"), what not in ("free", "shape"), errors)
                    self.assertEqual(status, int(what in ("free", "shape")), "a warning is not a failure")

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_a_refused_launch_is_a_note_where_the_program_looks_at_the_failure(self):
        for what, limit in (("shape_asked", "a block of 1056 threads in x; this device allows 1024"),
                            ("shape_peeked", "1048576 bytes of shared memory per block (0 static, 1048576 dynamic)"),
                            ("shape_returned", "the launch has no threads: grid (0, 1, 1), block (32, 1, 1)")):
            for status, errors in self.ignored(what):
                with self.subTest(what=what):
                    self.assertIn(limit, errors)
                    self.assertIn(f"Launched in main, line {self.mistake_of(what)} of ignored.cu. The program has looked at "
                                  "the failure.", errors)
                    self.assertIn("1 note in 1 launch", errors)
                    self.assertEqual(status, 0, errors)

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_a_refused_launch_is_an_error_before_what_follows_from_it_even_if_it_is_looked_at_later(self):
        for status, errors in self.ignored("shape_too_late"):
            self.assertRegex(errors, "launch failed fill .*copies to the host what was never written.* 2 errors, 1 warning "
                                     "in 0 launches")
            self.assertNotIn("has looked", errors)
            self.assertEqual(status, 1, errors)

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_a_failed_call_that_the_program_looks_at_is_not_told(self):
        for what in ("smaller", "kept", "asked", "status"):
            for status, errors in self.ignored(what):
                with self.subTest(what=what):
                    self.assertNotIn("nobody checked", errors)
                    self.assertEqual(status, {"kept": 0, "status": 3}.get(what, 0), errors)

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_a_program_that_does_not_wait_for_its_last_kernel_is_told(self):
        for _, errors in self.ignored("nothing"):
            self.assertIn("ended without waiting fill the program ended without waiting for the kernel fill, launched in "
                          "main, line 82 of ignored.cu", errors)
        for what in ("event", "stream", "copy", "reset", "device"):
            for status, errors in self.ignored(what):
                with self.subTest(what=what):
                    self.assertNotIn("without waiting", errors)
                    self.assertEqual(status, 0, errors)

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_a_fill_whose_value_was_meant_for_wider_elements_is_told_with_both_lines(self):
        with open("tests/clients/fills.cu", encoding="utf-8") as file:
            lines = file.read().split("\n")
        for what, reads, words in (("int", "*sum += weights[i];", "weights[0] is 16843009 at line %d, because each of its 4 "
                                                                  "bytes was set to 1"),
                                   ("float", "factor * x[i];", "x[0] is 9.55147e-38 at line %d"),
                                   ("short", "x[i] + 1;", "x[0] is 2313 at line %d, because each of its 2 bytes"),
                                   ("atomic", "atomicAdd(", "counter[0] is 723401728380766730 at line %d"),
                                   ("part", "*sum += weights[i];", "weights[8] is 16843009 at line %d")):
            status, _, errors = lockstep_exec(build("fills", "-g"), what, checks="all")
            errors = " ".join(errors.split())
            fill = next(i + 1 for i, line in enumerate(lines) if "// a mistake" in line and f'"{what}"' in lines[i - 1])
            with self.subTest(what=what):
                self.assertIn(words % next(i + 1 for i, line in enumerate(lines) if reads in line), errors)
                self.assertRegex(errors, r"cudaMemset\w* was called in main, line %d of fills.cu." % fill)
                self.assertIn("elements filled byte by byte", errors)
                self.assertIn("1 note in ", errors)
                self.assertEqual(status, 0, "a note does not fail a program")

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_a_fill_is_not_told_of_bytes_of_idioms_or_where_something_else_was_stored_since(self):
        for what in ("idiom", "bytes", "stored", "copied", "again", "never"):
            status, _, errors = lockstep_exec(build("fills", "-g"), what, checks="all")
            with self.subTest(what=what):
                self.assertIn("nothing found", errors)
                self.assertEqual(status, 0)

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_freed_memory_is_told_with_the_call_that_freed_it(self):
        _, _, errors = lockstep_exec(build("freed", "-g"), checks="all")
        self.assertIn("It was freed in main, line 20 of freed.cu.", " ".join(errors.split()))
        self.assertIn("read table.entries[0], but table.entries has been freed", " ".join(errors.split()))
        self.assertRegex(errors, r"table\.entries\[threadIdx\.x\];\n +\| +\^{26}\n", "the mark is below the whole name")

    @unittest.skipUnless(NVCC, "there is no nvcc")
    def test_host_memory_that_is_not_there_ends_no_program_and_is_told(self):
        program = build("freed_host", "-g")
        freed = r"was freed\. It was freed in main, line %d of freed_host\.cu\. Called in main, line %d of freed_host\.cu\."
        closed = (r"cudaMemcpy would write 65536 bytes of host memory at 0x[0-9a-f]+\. The program may not use its memory "
                  r"\(PROT_NONE\) there\. .*Called in main, line 45 of freed_host\.cu")
        refused = "copy cudaErrorInvalidValue\n"
        for schedule in ("ascending", "late"):
            for what, prints, words in (("copy", refused, "cudaMemcpyAsync was given .*" + freed % (29, 30)),
                                        ("graph", "", "cudaGraphLaunch .* was given .*" + freed % (39, 40)),
                                        ("never", refused, closed)):
                with self.subTest(schedule=schedule, what=what):
                    status, output, errors = lockstep_exec(program, what, checks="all", LOCKSTEP_SCHEDULE=schedule)
                    self.assertRegex(" ".join(errors.split()), words)
                    self.assertEqual((status, output), (1, prints), errors)
                    self.assertIn("1 error in 0 launches", errors)


def read_page():
    """The page for Python: {heading: its program}, and what each prints."""
    with open("handouts/python.md", encoding="utf-8") as file:
        page = file.read()
    programs = dict(re.findall(r"^## (\S+)\n(?:(?!## |```)[^\n]*\n)*^```python\n(.*?)^```", page, re.M | re.S))
    return programs, re.search(r"^```text\n(.*?)^```", page, re.M | re.S).group(1)


@NOT_SANITIZED
class ThePythonPage(unittest.TestCase):
    """Each program of handouts/python.md, as a reader copies it."""

    PACKAGES = {"PyCUDA": "pycuda.compiler", "Numba": "numba.cuda", "CuPy": "cupy", "cuda.core": "cuda.core"}

    def python(self, heading):
        """A Python that has the package; the test is skipped where there is none."""
        package = self.PACKAGES[heading]
        if run(PYTHON, "-c", f"import importlib.util, sys; sys.exit(importlib.util.find_spec('{package.split('.')[0]}') is "
                             f"None)")[0] != 0:
            self.skipTest(f"{PYTHON} has no {package}")
        return PYTHON

    def check(self, heading):
        if heading == "PyCUDA" and not NVCC:
            self.skipTest("there is no nvcc")
        python = self.python(heading)
        programs, prints = read_page()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "doublify.py")
            for wrong in (False, True):
                with open(path, "w", encoding="utf-8") as file:
                    # Twice as far: a mistake that must be reported at its line, in code that is in no file.
                    file.write(re.sub(r"\ba\[(idx|i|x, y)\] \*= 2", r"a[\1 + 1000000] *= 2", programs[heading])
                               if wrong else programs[heading])
                status, output, errors = lockstep_exec(python, path, LOCKSTEP_CACHE=os.path.join(folder, "cache"))
                if wrong:
                    self.assertNotEqual(status, 0)
                    self.assertRegex(errors, "lockstep: (out of bounds|host memory used by a kernel) ")
                    if heading != "Numba":  # which gives its PTX no lines without debug=True
                        self.assertRegex(errors, r">\s+\d+ \|\s+a\[(idx|i) \+ 1000000\] \*= 2;")
                else:
                    self.assertEqual((status, output), (0, prints), errors)
                    self.assertIn("nothing found in ", errors)

    def test_pycuda(self):
        self.check("PyCUDA")

    def test_numba(self):
        self.check("Numba")

    def test_cupy(self):
        self.check("CuPy")

    def test_cuda_core(self):
        self.check("cuda.core")

    @fast
    def test_every_program_of_the_page_is_run(self):
        self.assertEqual(set(read_page()[0]), set(self.PACKAGES))


class ThePythonPageAsInstalled(ThePythonPage):
    """The same with the newest packages, installed as the page says: each in an environment of its own, with all that it
    depends on."""

    SPECIFICATIONS = {"PyCUDA": "pycuda", "Numba": "numba-cuda[cu13]", "CuPy": "cupy-cuda13x",
                      "cuda.core": "cuda-core[cu13]"}

    def python(self, heading):
        python, why = environment.install_as_documented(f"{BUILD}/clients_as_installed/{heading}",
                                                        "numpy", self.SPECIFICATIONS[heading])
        if why:
            self.skipTest(f"{self.SPECIFICATIONS[heading]} cannot be installed: {why}")
        return python

    @fast
    def test_every_program_of_the_page_is_run(self):
        with open("handouts/python.md", encoding="utf-8") as file:
            words = shlex.split(re.search(r"^pip install (.*)$", file.read(), re.M)[1], comments=True)
        self.assertEqual(sorted(words), sorted(["numpy", *self.SPECIFICATIONS.values()]))


@NOT_SANITIZED
class StandIns(unittest.TestCase):
    """Which of two libraries of NVIDIA's is behind a stand-in. Here each knows nothing but its version."""

    SCRIPT = """
import ctypes, os, sys
for step in sys.argv[1:]:
    how, _, name = step.partition(":")
    if how == "probe":
        try:
            ctypes.CDLL(name, mode=os.RTLD_NOLOAD)
            print("loaded")
        except OSError:
            pass
    else:
        major, minor = ctypes.c_int(), ctypes.c_int()
        ctypes.CDLL(name).nvrtcVersion(ctypes.byref(major), ctypes.byref(minor))
        print(major.value, minor.value)
"""

    def versions(self, *steps):
        """What the script prints; {other} in a step is the folder of the library that the loader does not search."""
        with tempfile.TemporaryDirectory() as folder:
            for name, minor in (("searched", 1), ("other", 5)):
                os.mkdir(f"{folder}/{name}")
                with open(f"{folder}/{name}.c", "w", encoding="utf-8") as file:
                    file.write(f"int nvrtcVersion(int *major, int *minor) {{ *major = 13; *minor = {minor}; return 0; }}\n")
                subprocess.run(["gcc", "-shared", "-fPIC", "-Wl,-soname,libnvrtc.so.13", "-o",
                                f"{folder}/{name}/libnvrtc.so.13", f"{folder}/{name}.c"], check=True)
            status, output, errors = lockstep_exec(sys.executable, "-c", self.SCRIPT,
                                                   *(step.replace("{other}", f"{folder}/other") for step in steps),
                                                   LD_LIBRARY_PATH=f"{folder}/searched")
        self.assertEqual(status, 0, errors)
        return output.splitlines()

    @fast
    def test_a_question_whether_a_library_is_loaded_decides_nothing(self):
        self.assertEqual(self.versions("probe:libnvrtc.so.13", "open:{other}/libnvrtc.so.13"), ["13 5"])

    @fast
    def test_a_name_is_what_the_loader_finds(self):
        self.assertEqual(self.versions("open:libnvrtc.so.13"), ["13 1"])

    @fast
    def test_a_library_that_is_open_stays(self):
        self.assertEqual(self.versions("open:libnvrtc.so.13", "open:{other}/libnvrtc.so.13", "probe:libnvrtc.so.13"),
                         ["13 1", "13 1", "loaded"])


@NOT_SANITIZED
class Leaks(unittest.TestCase):
    """Memory that Python asks for through ctypes: the driver is called by libffi, for whatever script or package."""

    TAKE = """
import ctypes

def take(cuda, bytes):
    address = ctypes.c_uint64()
    assert cuda.cuMemAlloc_v2(ctypes.byref(address), ctypes.c_size_t(bytes)) == 0
"""
    START = """
import sys
sys.path.insert(0, sys.argv[1])
import keeper
cuda, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
assert cuda.cuInit(0) == 0 and cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0
assert cuda.cuCtxSetCurrent(context) == 0
"""

    def told(self, calls):
        with tempfile.TemporaryDirectory() as folder:
            packages = os.path.join(folder, "site-packages")
            os.mkdir(packages)
            for path, text in ((f"{packages}/keeper.py", self.TAKE),
                               (f"{folder}/script.py", self.TAKE + self.START + calls)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            status, _, errors = lockstep_exec(sys.executable, f"{folder}/script.py", packages, checks="all")
        self.assertEqual(status, 0, errors)
        return " ".join(errors.split())

    @fast
    def test_memory_that_a_package_keeps_is_no_leak(self):
        self.assertIn("nothing found", self.told("keeper.take(cuda, 400)\n"))

    @fast
    def test_memory_that_the_script_forgets_is_told_at_its_line(self):
        told = self.told("keeper.take(cuda, 400)\ntake(cuda, 300)\n")
        self.assertRegex(told, r"300 bytes of device memory were never freed: allocation 2 of the program, made in take, "
                               r"line 6 of script\.py")
        self.assertNotIn("400 bytes", told)


@NOT_SANITIZED
class PythonPrograms(unittest.TestCase):
    def check(self, client, package, expectation, **environment):
        status, _, errors = lockstep_exec(PYTHON, "-c", f"import {package}")
        if status != 0:
            why = errors.strip().splitlines()[-1] if errors else f"status {status}"
            self.skipTest(f"{PYTHON} cannot import {package}: {why}")
        status, output, errors = lockstep_exec(PYTHON, f"tests/clients/{client}_client.py", PTX, **environment)
        self.assertEqual((status, output), (0, expectation), errors)

    def test_cuda_bindings_runs(self):
        self.check("bindings", "cuda.bindings.driver",
                   "stream True True\nby configuration True\noccupancy True 1024\n"
                   "name b'vector_add' b'CUDA_ERROR_ILLEGAL_ADDRESS'\n")

    def test_cuda_bindings_runtime_runs(self):
        for per_thread in ("0", "1"):   # the streams of the two are in modules of their own
            with self.subTest(per_thread=per_thread):
                self.check("runtime", "cuda.bindings.runtime",
                           "devices 1 0 True 32 1024 True\n"
                           "errors b'cudaErrorInvalidValue' b'not enough memory' 101 101 101 0 2 2\n"
                           "copies True cudaMemoryTypeDevice\nrows True True\nstreams True True\nkernels True\n"
                           "libraries True 3\n"
                           "graphs True 1\nshared memory b'\\x01\\x01\\x01\\x01' True\npools 64\narrays True 8\n"
                           "host functions [5]\n", CUDA_PYTHON_CUDA_PER_THREAD_DEFAULT_STREAM=per_thread)

    def test_cuda_core_runs(self):
        self.check("core", "cuda.core", "sum True True\nkernel 4 True\ndevice True 32 True\n")

    def test_pycuda_runs(self):
        self.check("pycuda", "pycuda.driver",
                   "stream True True True\nprepared True\nin and out True\nattributes 1024 True True\n"
                   "managed [6.0, 6.0, 6.0, 6.0]\nrefused True\n")

    def test_numba_runs(self):
        self.check("numba", "numba.cuda", "roots 8128.0 24512.0\n")

    def numba(self, which, checks="all"):
        if lockstep_exec(PYTHON, "-c", "import numba.cuda")[0] != 0:
            self.skipTest(f"{PYTHON} cannot import numba.cuda")
        return lockstep_exec(PYTHON, "-W", "ignore", "tests/clients/numba_kernels.py", which, checks=checks)

    def test_numba_arrays_have_the_names_of_the_source(self):
        status, output, errors = self.numba("beyond")
        self.assertEqual((status, output), (1, "failed\n"), errors)
        self.assertRegex(errors, r"out of bounds +\S*numba_kernels\.py:13\n +read values\[64\], but values has 64 elements")
        self.assertIn("write out[64], but out has 64 elements", errors)
        self.assertRegex(errors, r">\s+13 \|\s+out\[i\] = 2 \* values\[i\]")

    def test_numba_grids_wait_for_each_other(self):
        status, output, errors = self.numba("grid")
        self.assertEqual((status, output), (0, "True\n"), errors)
        self.assertIn("nothing found in 1 launch", errors)

    def test_what_is_inside_of_numbas_own_kernels_is_not_the_programs(self):
        status, output, errors = self.numba("reduce")
        self.assertEqual((status, output), (0, "[45.0, 4950.0, 499500.0]\n"), errors)
        self.assertNotIn("mismatched lane mask", errors)
        self.assertNotIn("never freed", errors)
        self.assertIn("library code: 1 finding in a library's own code, not shown "
                      "and not counted", " ".join(errors.split()))
        self.assertIn("nothing found in 5 launches", errors)

    def test_cupy_draws_random_numbers(self):
        self.check("cupy_random", "cupy", "host True True True\nseed True True\ndevice True\n")

    def test_taichi_runs(self):
        self.check("taichi", "taichi", "taichi True 198.0\n")


def heading(path):
    """What the comments at the head of a listing demand: {key: [value]}."""
    wanted = {}
    with open(path, encoding="utf-8") as file:
        for key, value in re.findall(r"^# (needs|status|says): (.*)$", file.read(), re.M):
            wanted.setdefault(key, []).append(value)
    return wanted


def why_missing(package):
    """Why the Python that is tested cannot import the package: environment.py's reason, or that it has none."""
    missing = os.path.join(os.path.dirname(os.path.dirname(PYTHON)), "missing.txt")
    if os.path.exists(missing):
        with open(missing, encoding="utf-8") as file:
            for line in file:
                if line.split(":")[0] == package.split(".", maxsplit=1)[0]:
                    return line.strip()
    return f"{PYTHON} has no {package}"


@NOT_SANITIZED
class Listings(unittest.TestCase):
    """Programs in the manner of the courses' listings (tests/clients/listings/NAME.py); NAME.txt is what each prints.

    Comments at the head of each say what it needs, with what status `lockstep exec` ends (0), and what the report says."""

    def check(self, path):
        wanted = heading(path)
        for package in wanted["needs"][0].split(", "):
            if run(PYTHON, "-c", f"import importlib.util, sys; sys.exit(importlib.util.find_spec('"
                                 f"{package.split('.', maxsplit=1)[0]}') is None)")[0] != 0:
                self.skipTest(why_missing(package))
            if package == "pycuda" and not NVCC:
                self.skipTest("there is no nvcc")
        with tempfile.TemporaryDirectory() as folder:
            status, output, errors = lockstep_exec(PYTHON, path, LOCKSTEP_CACHE=folder)
        output = re.sub(r"^\*\*\* compiler output in .*\n", "", output, flags=re.M)   # PyCUDA's, for kernels of its own
        with open(path[:-3] + ".txt", encoding="utf-8") as file:
            self.assertEqual(output, file.read(), errors)
        self.assertEqual(status, int(wanted.get("status", ["0"])[0]), errors)
        for text in wanted.get("says", ["lockstep: nothing found in "]):
            self.assertRegex(errors, text)

    def check_library_code(self, name, first, **environment):
        """With every check, findings of a package's own code are one line and no error; `first`: what it names."""
        path = f"tests/clients/listings/{name}.py"
        self.check(path)   # or skips
        status, _, errors = lockstep_exec(PYTHON, path, checks="all", **environment)
        self.assertEqual(status, 0, errors)
        self.assertRegex(" ".join(errors.split()), "library code: .* in a library's own code, not shown and not counted; "
                                                   f"the first: {first}")
        return errors

    def test_what_pycuda_writes_around_an_expression_is_not_the_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            self.check_library_code("pycuda_generated", "race within a warp in reduce_kernel_stage1", LOCKSTEP_CACHE=folder)

    def test_kernels_that_cupy_brings_are_not_the_programs(self):
        self.assertIn("nothing found in", self.check_library_code("cupy_searches", "race .* in cupyx?_"))

    def test_what_the_compiler_of_triton_arranges_is_not_the_programs(self):
        self.check_library_code("triton_kernels", "same value stored by several threads in softmax")


def add_listings():
    for path in sorted(glob.glob("tests/clients/listings/*.py")):
        name = os.path.basename(path)[:-3]
        setattr(Listings, f"test_{name}", lambda self, path=path: self.check(path))


add_listings()

if __name__ == "__main__":
    unittest.main()

"""What the preprocessor's conditionals leave out of a submission is read by nobody: neither its signature nor its mistakes.

Each source is graded as `lockstep grade --lab doublify` grades it, twice: compiled, and from the module cache.
"""

import json
import os
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
LOCKSTEP = os.path.abspath(f"{BUILD}/lockstep")

BODY = "    int own = threadIdx.x + blockDim.x * blockIdx.x;\n    if (own < n)\n        a[own] += a[own];\n"


def kernel(head="float *a, int n", body=BODY):
    return f'extern "C" __global__ void doublify({head})\n{{\n{body}}}\n'


class Conditionals(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = place.name

    def graded(self, source):
        """The result of the lab, the same compiled and from the cache."""
        path = f"{self.folder}/mine.cu"
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        environment = dict(os.environ, LOCKSTEP_CACHE=f"{self.folder}/cache")
        words = [LOCKSTEP, "grade", "--lab", "doublify", "--device", "emulated", "--seed", "3", "--json", "-", path]
        labs = []
        for _ in range(2):
            done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            labs.append(json.loads(done.stdout)["labs"][0])
        self.assertEqual(labs[0]["state"], labs[1]["state"])
        self.assertEqual(labs[0]["message"], labs[1]["message"])
        self.assertEqual(labs[0]["tests"], labs[1]["tests"])
        return labs[0]

    def is_right(self, source):
        lab = self.graded(source)
        self.assertEqual(lab["state"], "pass", lab["message"])
        self.assertEqual(lab["score"], lab["max_score"])
        self.assertEqual([test["findings"] for test in lab["tests"] if test["findings"]], [])
        self.assertEqual(lab["diagnostics"], [])

    def test_another_signature_that_is_left_out_is_no_mistake(self):
        other = kernel("double *a, int n, int step", "    a[step] = n;\n")
        for condition in ("0", "defined(FAST) && FAST > 2", "!defined(__CUDACC_RTC__)", "__CUDA_ARCH__ < 500",
                          "SIZE * 2 != 8", "1 - 1"):
            with self.subTest(condition):
                self.is_right(f"#define SIZE 4\n#if {condition}\n{other}#else\n{kernel()}#endif\n")
                self.is_right(f"#define SIZE 4\n#if {condition}\n{other}#endif\n{kernel()}")

    def test_the_branch_of_a_nested_condition_that_compiles_counts(self):
        wrong, right = kernel("int *a, int n"), kernel()
        self.is_right(f"#if 0\n#if 1\n{wrong}#else\n{wrong}#endif\n#elif 2 > 1\n#ifdef NONE\n{wrong}#else\n{right}#endif\n"
                      f"#else\n{wrong}#endif\n")

    def test_a_macro_of_a_header_decides(self):
        self.is_right(f"#include <float.h>\n#ifdef FLT_MAX\n{kernel()}#else\n{kernel('int *a, int n')}#endif\n")

    def test_a_head_in_two_versions_has_one_body(self):
        self.is_right(f"#ifdef NONE\n__global__ void doublify(double *a, int n)\n#else\n"
                      f'extern "C" __global__ void doublify(float *a, int n)\n#endif\n{{\n{BODY}}}\n')

    def test_an_old_version_gets_no_warnings(self):
        old = "    if (n = 4);\n        a[0 <= n < 3] ^ 2; don't\n"
        self.is_right(kernel(body=f"#if 0\n{old}#endif\n{BODY}"))
        self.is_right(kernel(body=f"#ifdef NONE\n{old}#endif\n{BODY}"))

    def test_a_wrong_signature_in_the_branch_that_compiles_is_an_error(self):
        for source in (f"#if 1\n{kernel('double *a, int n')}#else\n{kernel()}#endif\n",
                       f"#define OLD\n#ifdef OLD\n{kernel('double *a, int n')}#else\n{kernel()}#endif\n"):
            lab = self.graded(source)
            self.assertEqual(lab["state"], "error")
            self.assertIn("double *a, but it must be float *", lab["message"])

    def test_a_kernel_only_in_what_is_left_out_is_missing_for_that_reason(self):
        for condition in ("if 0", "ifdef NONE"):
            lab = self.graded(f"__device__ int other;\n#{condition}\n{kernel()}#endif\n")
            self.assertEqual(lab["state"], "error")
            self.assertIn("in line 3, but the compiler does not see that line: an #if, #ifdef or #else", lab["message"])

    def test_a_mistake_is_explained_by_the_kernel_that_compiles(self):
        old = 'extern "C" __global__ void doublify(float *a, int n)\n{\n    int mine = n;\n    a[mine] = 0;\n}\n'
        plain = BODY.replace("    if (own < n)\n", "")
        cause = None
        for head in ("0", "NONE"):
            lab = self.graded(f"#if {head}\n{old}#endif\n{kernel(body=plain)}")
            finding = lab["tests"][0]["findings"][0]
            self.assertEqual(finding["code"], "out_of_bounds")
            self.assertEqual(finding["line"], 11)
            self.assertIn("own", finding["arithmetic"])
            self.assertEqual(cause or finding["arithmetic"], finding["arithmetic"])
            cause = finding["arithmetic"]

    def test_what_is_not_decided_is_no_error(self):
        """The value of __COUNTER__ depends on the whole text: whose condition it is, has its signature judged by the PTX."""
        self.is_right(f"#if __COUNTER__\n{kernel('double *a, int n')}#endif\n{kernel()}")

    def test_a_type_behind_a_macro_is_told_only_where_something_is_wrong(self):
        head = "#define ARRAY(type) type *\n"
        self.is_right(head + kernel("ARRAY(float) a, int n"))
        lab = self.graded(head + kernel("ARRAY(int) a, int n"))
        self.assertEqual(lab["state"], "fail")
        self.assertIn("could not be read", json.dumps(lab))


if __name__ == "__main__":
    unittest.main()

"""The C code of a lab's author: whatever it does, the grader goes on, and says once what is wrong and where."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("LOCKSTEP_TEST_BUILD", "build")
EXAMPLE = "handouts/example_lab/reverse"
SIGNATURE = "void reverse(const int *in, int *out, int n)"
RIGHT = "    for (int i = 0; i < n; i++)\n        out[i] = in[n - 1 - i];"


def lockstep(*words, cache="none"):
    """A test that goes wrong ends by its processor time, and fills no memory."""
    environment = {**os.environ, "LOCKSTEP_FOLDER": "", "CUDA_VISIBLE_DEVICES": "", "LOCKSTEP_DEVICE": "emulated",
                   "LOCKSTEP_CACHE": cache}
    return subprocess.run(["bash", "-c", 'ulimit -t 300 && exec "$@"', "lockstep",
                           os.path.abspath(f"{BUILD}/lockstep"), *words],
                          env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, check=False)


def said(done):
    return " ".join(done.stdout.split())


def with_body(body, before=""):
    return f"{before}{SIGNATURE}\n{{\n{body}\n}}\n"


class Folder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.lab = shutil.copytree(EXAMPLE, f"{self.folder.name}/labs/reverse")

    def write(self, text, name="reference.c"):
        with open(f"{self.lab}/{name}", "w", encoding="utf-8") as file:
            file.write(text)

    def replace(self, old, new, name="lab.yaml"):
        with open(f"{self.lab}/{name}", encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text)
        self.write(text.replace(old, new), name)

    def check(self):
        return lockstep("lab", "check", self.lab)

    def complaint(self, text):
        """What `lab check` says of a reference: the one line of its kind, without its folder."""
        self.write(text)
        done = self.check()
        found = re.findall(r"reference\.c[^ ]* the lab's own code .*? Nothing can be graded", said(done))
        self.assertEqual(len(found), 1, done.stdout)
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertNotIn("bug in the kit", done.stdout)
        return found[0].removesuffix(". Nothing can be graded")


class Kinds(Folder):
    def test_a_write_beyond_an_array_is_told_with_its_index_and_line(self):
        self.assertEqual(self.complaint(with_body("    for (int i = 0; i <= n; i++)\n        out[i] = 7;")),
                         "reference.c:4: the lab's own code writes out[1] of 1 element (n = 1)")

    def test_an_index_beyond_an_array_is_told_of_the_first_size_that_has_it(self):
        self.assertEqual(self.complaint(with_body("    int end = n == 31 ? n + 2 : n;\n"
                                                  "    for (int i = 0; i < end; i++)\n        if (i != 31)\n"
                                                  "            out[i] = 7;")),
                         "reference.c:6: the lab's own code writes out[32] of 31 elements (n = 31)")

    def test_a_read_beyond_an_array(self):
        self.assertEqual(self.complaint(with_body("    for (int i = 0; i < n; i++)\n        out[i] = in[n - i];")),
                         "reference.c:4: the lab's own code reads in[1] of 1 element (n = 1)")

    def test_a_read_before_an_array(self):
        self.assertEqual(self.complaint(with_body("    for (int i = n - 1; i >= 0; i--)\n        out[i] = in[i - 1];")),
                         "reference.c:4: the lab's own code reads in[-1] of 1 element (n = 1)")

    def test_a_write_before_an_array(self):
        self.assertEqual(self.complaint(with_body("    for (int i = n - 1; i >= -2; i--)\n        if (i != -1)\n"
                                                  "            out[i] = 5;")),
                         "reference.c:5: the lab's own code writes out[-2] of 1 element (n = 1)")

    def test_what_the_C_library_does_for_it_is_told_at_the_lab_s_line(self):
        self.assertEqual(self.complaint(with_body("    memcpy(out, in, sizeof(int) * n);\n"
                                                  "    memset(out, 0, sizeof(int) * (n + 1));",
                                                  "#include <string.h>\n")),
                         "reference.c:5: the lab's own code writes out[1] of 1 element (n = 1)")

    def test_a_null_pointer(self):
        self.assertEqual(self.complaint(with_body("    int *nothing = 0;\n    for (int i = 0; i < n; i++)\n"
                                                  "        nothing[i] = out[i] = in[i];")),
                         "reference.c:5: the lab's own code writes through a null pointer (n = 1)")

    def test_a_division_by_zero(self):
        self.assertEqual(self.complaint(with_body("    for (int i = 0; i < n; i++)\n        out[i] = in[i] % (n - 8);")),
                         "reference.c:4: the lab's own code divides an integer by zero, or the least one by -1 (n = 8)")

    def test_an_endless_recursion(self):
        text = self.complaint("int deep(volatile int *p, int n);\n" + with_body("    out[0] = deep(out, n);")
                              + "int deep(volatile int *p, int n)\n{\n    volatile int room[64];\n    room[n % 64] = *p;\n"
                                "    return deep(p, n + 1) + room[n % 64];\n}\n")
        self.assertRegex(text, r"reference\.c:(6|8|9|10): the lab's own code uses up the stack: ")

    def test_exit_and_abort(self):
        self.assertEqual(self.complaint(with_body("    out[0] = in[0];\n    if (n > 8)\n        exit(0);",
                                                  "#include <stdlib.h>\n")),
                         "reference.c:6: the lab's own code calls exit, which a function of a lab must not (n = 31)")
        self.assertRegex(self.complaint(with_body("    assert(out[0] == in[0] && n > 99);", "#include <assert.h>\n")),
                         r"reference\.c:4: the lab's own code calls abort, or the C library does: .*\(n = 1\)")

    def test_memory_without_end(self):
        text = self.complaint(with_body("    for (;;) {\n        kept = malloc(1 << 20);\n        kept[0] = 1;\n    }",
                                        "#include <stdlib.h>\nvolatile char *volatile kept;\n"))
        self.assertRegex(text, r"reference\.c:\d: the lab's own code allocates more than the 1024 MB that a lab's code may "
                               r"have \(n = 1\)")

    def test_a_loop_without_end_is_told_with_its_line(self):
        self.assertRegex(self.complaint(with_body("    for (int i = 0; i < n; i += 0)\n        out[i] = in[i];")),
                         r"reference\.c:[34]: the lab's own code did not end within 10 s \(n = 1\)")

    def test_files_and_processes_are_out_of_reach(self):
        self.write(with_body(f"    FILE *file = fopen(\"{self.folder.name}/made\", \"w\");\n    pid_t child = fork();\n"
                             "    for (int i = 0; i < n; i++)\n"
                             "        out[i] = in[n - 1 - i] + (file != NULL) + (child >= 0);",
                             "#include <stdio.h>\n#include <unistd.h>\n"))
        done = lockstep("grade", f"{self.lab}/solution.cu", "--lab", "reverse", "--labs-from", self.lab)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertFalse(os.path.exists(f"{self.folder.name}/made"))

    def test_a_right_one_that_goes_to_every_end_is_silent(self):
        self.write(with_body("    static long calls;\n    int *copy = malloc(n * sizeof *copy);\n"
                             "    memcpy(copy, in, n * sizeof *copy);\n    for (int i = n - 1; i >= 0; i--)\n"
                             "        out[i] = copy[n - 1 - i];\n    printf(\"%ld\\n\", ++calls);\n    free(copy);",
                             "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"))
        done = self.check()
        self.assertNotIn("own code", done.stdout)
        self.assertEqual(done.returncode, 0, done.stdout)


class Hooks(Folder):
    """Functions of hooks.c: one lab has them all, and each in turn does what it must not."""

    RIGHT = {
        "hook_reference": "    for (size_t i = 0; i < expected->count; i++)\n"
                          "        expected->i[i] = data->array[0].i[expected->count - 1 - i];\n    expected->bound = NULL;",
        "fill_own": "    for (size_t i = 0; i < data->count[0]; i++)\n"
                    "        data->array[0].i[i] = (int)lab_random_below(random, 1000);",
        "hook_extent": "    return (size_t)the_case->size[0];",
        "own_ideal": "    return budget->metric ? 2.0 * ((the_case->size[0] + 7) / 8) : 0;",
        "hook_classify": "    const int *got = wrong->got;\n    size_t last = wrong->expected->count - 1;\n"
                         "    if (got[last] == wrong->expected->i[last])\n        return false;\n    *pattern = \"own\";\n"
                         "    snprintf(message, message_bytes, \"hook_classify saw %d.\", got[last]);\n    return true;",
    }
    HEADS = {
        "hook_reference": "void hook_reference(const struct lab *lab, const struct lab_case *the_case, int plan, "
                          "int output, const struct lab_data *data, struct lab_expected *expected)",
        "fill_own": "void fill_own(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, "
                    "struct lab_data *data)",
        "hook_extent": "size_t hook_extent(const struct lab *lab, const struct lab_case *the_case, int index)",
        "own_ideal": "double own_ideal(const struct lab *lab, const struct lab_budget *budget, "
                     "const struct lab_case *the_case, int plan)",
        "hook_classify": "bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, "
                         "char *message, size_t message_bytes)",
    }

    def setUp(self):
        super().setUp()
        self.replace("numbers: {in: integers -1000000 999999}", "numbers: {hook: fill_own}")
        self.replace("ideal: 2 * sectors(n)", "ideal: hook own_ideal")

    def grade(self, file="solution.cu", **bodies):
        """Grades with these functions. Returns the process, and the line of each function's body in hooks.c."""
        text, lines = '#include <stdio.h>\n#include "grader/lab/lab.h"\n', {}
        for name, head in self.HEADS.items():
            text += f"{head}\n{{\n"
            lines[name] = text.count("\n") + 1
            text += f"{bodies.get(name, self.RIGHT[name])}\n}}\n"
        self.write(text, "hooks.c")
        done = lockstep("grade", f"{self.lab}/{file}", "--lab", "reverse", "--labs-from", self.lab, "--seed", "1")
        return done, lines

    def test_right_ones_are_silent(self):
        done, _ = self.grade()
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("100/100", done.stdout)

    def test_what_a_hook_recognises_is_told_in_its_words(self):
        self.write(with_body("").replace("void reverse", '__global__ void reverse').replace(
            "{\n", "{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n"
            "        out[i] = in[n - 1 - i] + 1;\n")
            .replace("__global__", 'extern "C" __global__'), "wrong/one_more.cu")
        done, _ = self.grade("wrong/one_more.cu")
        self.assertRegex(said(done), r"hook_classify saw \d+\.")

    def test_a_plan_that_is_a_function_is_gone_through_in_the_child(self):
        launch = """void launch(struct lab_run *run)
{
    int64_t n = lab_run_case(run)->size[0];
    lab_launch(run, &(struct lab_launch){.kernel = "reverse", .cover = {n},
                                         .arguments = {LAB_ARRAY(0), LAB_ARRAY(1), LAB_INT(n)}});
    BODY
    lab_check(run, 0, 0, (size_t)n);
}
"""
        self.replace("cases:\n", "outputs:\n  - {name: out, of: out}\nplans:\n"
                                 "  main: {kernels: [reverse], hook: launch}\ncases:\n")
        classify = self.RIGHT["hook_classify"] + "\n}\n" + launch.rstrip()[:-1]
        done, _ = self.grade(hook_classify=classify.replace("BODY", ""))
        self.assertEqual(done.returncode, 0, done.stdout)
        done, lines = self.grade(hook_classify=classify.replace("BODY", "*(volatile int *)0 = 1;"))
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn(f"hooks.c:{lines['hook_classify'] + 13}: the lab's own code writes through a null pointer (n = 1). "
                      "This is a mistake in the lab", said(done))

    def test_each_is_confined_and_told_with_its_line(self):
        wrongs = {
            "hook_reference": ("    expected->i[expected->count] = 0;", "writes expected->i[1] of 1 element (n = 1)"),
            "fill_own": ("    data->array[0].i[data->count[0]] = 0;", "writes in[1] of 1 element (n = 1)"),
            "hook_extent": ("    return 8 / (the_case->size[0] - 8);",
                            "divides an integer by zero, or the least one by -1 (n = 8)"),
            "own_ideal": ("    return *(volatile double *)0;", "reads through a null pointer (n = 100003)"),
        }
        for name, (body, what) in wrongs.items():
            with self.subTest(hook=name):
                done, lines = self.grade(**{name: body})
                self.assertEqual(done.returncode, 3, done.stdout)
                self.assertIn(f"hooks.c:{lines[name]}: the lab's own code {what}. This is a mistake in the lab", said(done))


class Verdicts(Folder):
    BROKEN = with_body("    for (int i = 0; i <= n; i++)\n        out[i] = i < n ? in[n - 1 - i] : 0;")
    FAULT = ("reference.c:4: the lab's own code writes out[1] of 1 element (n = 1). This is a mistake in the lab, not "
             "in the submission.")

    def test_grade_says_it_once_and_that_the_file_was_not_graded(self):
        self.write(self.BROKEN)
        result = f"{self.folder.name}/result.json"
        done = lockstep("grade", f"{self.lab}/solution.cu", "--lab", "reverse", "--labs-from", self.lab, "--json", result)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertEqual(said(done).count(self.FAULT), 1, done.stdout)
        self.assertIn("NOT GRADED", done.stdout)
        with open(result, encoding="utf-8") as file:
            lab = json.load(file)["labs"][0]
        self.assertEqual(lab["state"], "harness_error")
        self.assertEqual({test["state"] for test in lab["tests"]}, {"harness_error"})
        self.assertEqual([test["findings"] for test in lab["tests"] if test["findings"]], [])

    def test_a_class_has_it_as_a_problem_of_the_lab(self):
        self.write(self.BROKEN)
        for name in ("ada", "ben"):
            os.makedirs(f"{self.folder.name}/class/{name}")
            with open(f"{self.lab}/solution.cu", encoding="utf-8") as file, \
                    open(f"{self.folder.name}/class/{name}/reverse.cu", "w", encoding="utf-8") as copy:
                copy.write(f"// {name}\n{file.read()}")
        done = lockstep("batch", f"{self.folder.name}/class", "--out", f"{self.folder.name}/out", "--labs-from", self.lab)
        self.assertNotIn("kit_failed", done.stdout)
        self.assertEqual(done.stdout.count("lab_failed"), 1, done.stdout)
        self.assertIn("This is a mistake in the lab", said(done))

    def test_check_goes_no_further_than_the_reference(self):
        self.write(self.BROKEN)
        done = self.check()
        self.assertIn("1 complaint", done.stdout)
        self.assertNotIn("skeleton", done.stdout)


class Complaints(Folder):
    def test_a_role_that_was_forgotten_is_asked_for_once(self):
        self.write(with_body("    for (int i = 0; i < n; i++)\n        out[i] += in[n - 1 - i];"))
        text = said(self.check())
        self.assertEqual(text.count("its role is `in place`"), 1, text)
        self.assertIn('reference.c computes out[0] from what was in memory before it wrote there, in the case "n = 1" and '
                      "in 8 other cases", text)
        self.assertNotIn("unwritten", text)

    def test_elements_that_are_not_written_are_told_once(self):
        self.write(with_body("    for (int i = 0; i < n; i++)\n        if (i != 8)\n            out[i] = in[n - 1 - i];"))
        text = said(self.check())
        self.assertEqual(text.count("unwritten"), 1, text)
        self.assertIn('reference.c leaves 1 of 31 elements of out unwritten in the case "n = 31" and in 6 other cases, '
                      "out[8] first.", text)
        self.assertNotIn("in place", text)

    def test_an_output_cannot_be_weighed(self):
        self.replace("work: {bytes", "weigh: {sums_of: [in, out]}\nwork: {bytes")
        self.assertRegex(self.check().stdout, r"lab\.yaml:\d+: sums_of: out is an output, which holds nothing before the "
                                              r"kernels run\. Is its role `in place`\?")

    def test_a_counter_that_does_not_exist_is_told_with_its_line(self):
        self.replace("metric: global_sectors", "metric: global_sector")
        self.assertRegex(self.check().stdout,
                         r"lab\.yaml:\d+: metric: there is no counter global_sector; did you mean global_sectors\?")

    def test_a_reference_and_a_solution_that_differ_are_both_named(self):
        self.write(with_body("    for (int i = 0; i < n; i++)\n        out[i] = in[n - 1 - i] + (i == 20);"))
        text = said(self.check())
        self.assertIn("solution.cu and the reference on the CPU do not agree, so one of the two is wrong. "
                      "What \"should be\" is the reference's:", text)
        self.assertRegex(text, r"out\[20\] should be -?\d+ but is -?\d+")

    def test_a_lab_of_one_block_says_so_and_has_no_larger_cases(self):
        self.replace("cases:\n", "plans:\n  main:\n    - {launch: \"reverse(in, out, n)\", blocks: 1}\n    - {check: out}\n"
                                 "cases:\n")
        text = said(self.check())
        self.assertNotIn("16 blocks", text)
        self.assertNotIn("ends within a block", text)

    def test_where_no_case_has_many_blocks_the_way_to_say_so_is_told_once(self):
        with open(f"{self.lab}/lab.yaml", encoding="utf-8") as file:
            lines = file.read().split("\n")
        large = ("{n: 257", "{n: 1000", "{n: 100003")
        kept = [line.replace("exactly one block", "exactly one block, budget: yes")
                for line in lines if not any(word in line for word in large)]
        self.write("\n".join(kept), "lab.yaml")
        text = said(self.check())
        self.assertIn("none has more than 16 blocks", text)
        self.assertEqual(text.count("the line `blocks: 1`"), 1, text)

    def test_a_cause_without_a_line_is_not_at_line_0(self):
        self.write("// expect: race - no kernel at all\n", "wrong/nothing.cu")
        text = said(self.check())
        self.assertIn("nothing.cu:1: expects race, and the grader says", text)
        self.assertNotIn("at line 0", text)


class Cache(Folder):
    def test_a_module_that_was_cut_off_or_changed_is_made_again(self):
        cache = f"{self.folder.name}/cache"
        words = ("grade", f"{self.lab}/{os.path.basename(self.lab)}.cu", "--lab", "reverse", "--labs-from", self.lab,
                 "--seed", "1")
        first = lockstep(*words, cache=cache)
        self.assertEqual(first.returncode, 1, first.stdout)
        found = [os.path.join(folder, name) for folder, _, names in os.walk(cache) for name in names if name.endswith(".so")]
        self.assertEqual(len(found), 1, found)
        with open(found[0], "rb") as file:
            whole = file.read()
        damaged = [whole[:end] for end in (0, 1, 64, 4096, len(whole) // 2, len(whole) - 1)]
        damaged.append(whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:])
        for content in damaged:
            with self.subTest(bytes=len(content)):
                with open(found[0], "wb") as file:
                    file.write(content)
                done = lockstep("list", "--labs-from", self.lab, cache=cache)
                self.assertEqual(done.returncode, 0, done.stdout)
                with open(found[0], "rb") as file:
                    self.assertEqual(len(file.read()), len(whole))


if __name__ == "__main__":
    unittest.main()

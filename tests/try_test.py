"""`lockstep run`: one case with its arrays, its printf and its finding, for labs of each shape; what grade prints of printf;
the exercises of the pages on shared memory and barriers; the quiz, the map, and the folder that `start --into` moves."""

import json
import os
import pty
import re
import subprocess
import unittest

import jsonschema

from classes import corpus, host
from student_kit import Kit

EXERCISES = os.path.abspath("handouts/exercises")
PRINTING = """extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        if (i < 2)
            printf("n %d, element %d\\n", n, i);
        a[i] *= i < 255 ? 2.0f : 3.0f;
    }
}
"""


class Run(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kit = Kit()
        with open("grader/commands/run.schema.json", encoding="utf-8") as file:
            schema = json.load(file)
        jsonschema.Draft7Validator.check_schema(schema)
        cls.validator = jsonschema.Draft7Validator(schema)

    @classmethod
    def tearDownClass(cls):
        cls.kit.close()

    def run_json(self, status, *words):
        done = self.kit.run("run", *words, "--json", "-", "--seed", "1")
        self.assertEqual(done.returncode, status, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual([error.message for error in self.validator.iter_errors(document)], [])
        return document, done.stderr

    def test_shows_an_array_in_place_before_after_and_expected(self):
        document, text = self.run_json(0, "solutions/doublify/doublify.cu", "--n", "3")
        array, = document["run"]["arrays"]
        self.assertEqual((document["state"], document["case"]["sizes"], array["count"]), ("pass", [3], 3))
        for element in array["elements"]:
            self.assertEqual(element["after"], 2 * element["before"])
            self.assertEqual((element["expected"], element["state"]), (element["after"], "right"))
        self.assertRegex(text, r"index +a before +a after +a expected\n +0 ")
        self.assertIn("a: all 3 elements are right", text)

    def test_a_skeleton_has_written_nothing_and_the_finding_says_so(self):
        document, text = self.run_json(1, "vector_add", "--n", "4")
        inputs, output = document["run"]["arrays"][:2], document["run"]["arrays"][2]
        self.assertEqual([one["name"] for one in inputs] + [output["name"]], ["a", "b", "c"])
        self.assertTrue(all(one["after"] is None and one["state"] == "never written" for one in output["elements"]))
        self.assertEqual(text.count("unwritten"), 4)
        self.assertIn("never written", text)
        self.assertEqual(document["findings"][0]["code"], "never_written")

    def test_of_a_long_array_the_first_and_the_wrong_elements(self):
        self.kit.write(PRINTING, "printing.cu")
        document, text = self.run_json(1, "printing.cu", "--lab", "doublify", "--n", "5000")
        array, = document["run"]["arrays"]
        self.assertEqual((array["count"], array["wrong"]), (5000, 5000 - 255))
        rows = [int(number) for number in re.findall(r"^[> ] +(\d+)  ", text, re.M)]
        self.assertEqual(rows, list(range(8)) + list(range(255, 271)))
        self.assertEqual(text.count("\n>   "), 16)
        self.assertIn("4745 of 5000 elements are not right", text)

    def test_matrices_of_three_sizes(self):
        document, text = self.run_json(1, os.path.abspath("labs/matmul_tiled/wrong/c_transposed.cu"), "--n", "3x4x5")
        shapes = {one["name"]: (one["count"], one["columns"]) for one in document["run"]["arrays"]}
        self.assertEqual(shapes, {"A": (15, 5), "B": (20, 4), "C": (12, 4)})
        self.assertIn("C after, 3 x 4", text)
        self.assertRegex(text, r"\d\*")
        self.assertEqual(self.run_json(0, "solutions/matmul_tiled/matmul_tiled.cu", "--n", "4")[0]["case"]["sizes"],
                         [4, 4, 4])

    def test_plans_of_several_launches_say_after_which(self):
        document, text = self.run_json(0, "solutions/pi/pi.cu", "--n", "5")
        moments = {one["name"]: one["after_launches"] for one in document["run"]["arrays"] if one["role"] == "output"}
        self.assertEqual(moments["dest"], 1)
        self.assertGreater(moments["pi"], 1)
        self.assertIn("after launch 1 of 4", text)
        self.assertIn("pi: 3.33", text)

    @corpus
    def test_every_solution_of_every_lab_is_right_at_its_smallest_cases(self):
        for lab in sorted(os.listdir(self.kit.path("solutions"))):
            if lab in ("host_program", "streams"):   # whose solutions are whole programs
                done = self.kit.run("run", f"solutions/{lab}/{lab}.cu")
                self.assertEqual(done.returncode, 2)
                self.assertIn("is a lab on whole programs", done.stderr)
                continue
            document, _ = self.run_json(0, f"solutions/{lab}/{lab}.cu")
            outputs = [one for one in document["run"]["arrays"] if one["role"] == "output"]
            self.assertTrue(outputs, lab)
            self.assertFalse(any(one["wrong"] for one in outputs), lab)

    def test_a_run_that_ends_at_a_mistake_shows_what_it_began_with(self):
        document, text = self.run_json(1, os.path.abspath("labs/vector_add/wrong/no_guard.cu"), "--case", "n = 257")
        self.assertFalse(document["run"]["finished"])
        self.assertIn("did not finish", text)
        self.assertIn("read a[257]", text)

    def test_prints_of_that_run_alone_and_of_the_reported_test_once(self):
        self.kit.write(PRINTING, "printing.cu")
        document, text = self.run_json(1, "printing.cu", "--lab", "doublify", "--case", "n = 257")
        self.assertEqual(document["printf"], "n 257, element 0\nn 257, element 1\n")
        self.assertIn("| n 257, element 1\n", text)
        done = self.kit.run("grade", "printing.cu", "--lab", "doublify", "--seed", "1", "--json", "result.json")
        lab = json.loads(self.kit.read("result.json"))["labs"][0]
        reported = lab["tests"][lab["first_test"]]["name"]
        self.assertEqual(lab["printf_test"], reported)
        self.assertEqual(done.stdout.count("element 0"), 1)
        self.assertIn(f"by your kernels, in {reported}", done.stdout)

    def test_without_a_case_it_is_the_one_that_a_report_would_be_about(self):
        self.kit.write(PRINTING, "printing.cu")
        self.kit.run("grade", "printing.cu", "--lab", "doublify", "--seed", "1", "--json", "result.json")
        lab = json.loads(self.kit.read("result.json"))["labs"][0]
        document, _ = self.run_json(1, "printing.cu", "--lab", "doublify")
        self.assertEqual(document["case"]["name"], lab["tests"][lab["first_test"]]["name"])

    def test_what_does_not_compile_has_no_arrays(self):
        document, text = self.run_json(1, os.path.abspath("labs/doublify/wrong/missing_semicolon.cu"), "--n", "8")
        self.assertIsNone(document["run"])
        self.assertEqual(document["state"], "error")
        self.assertIn("does not compile", text)

    def test_refuses_sizes_and_cases_that_do_not_exist(self):
        for words, part in ((["--n", "0"], "n lies between 1 and"), (["--n", "8x8"], "a number of elements"),
                            (["--n", "x"], "a number of elements"), (["--n", "99999999999"], "n lies between"),
                            (["--case", "n = 7"], "no such case")):
            done = self.kit.run("run", "doublify", *words)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(part, done.stderr)
        self.assertIn("one number for all sizes", self.kit.run("run", "matmul_tiled", "--n", "4x4").stderr)

    def test_records_no_progress(self):
        self.kit.run("run", "doublify", "--n", "8")
        self.assertFalse(os.path.exists(self.kit.path("labs", ".lockstep", "progress.json")))


class Exercises(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kit = Kit()

    @classmethod
    def tearDownClass(cls):
        cls.kit.close()

    def verdict(self, path):
        done = self.kit.run("grade", os.path.join(EXERCISES, path), "--lab", "doublify", "--seed", "1", "--json", "e.json")
        lab = json.loads(self.kit.read("e.json"))["labs"][0]
        codes = [finding["code"] for test in lab["tests"] for finding in test["findings"]]
        return done.returncode, lab["score"], set(codes)

    def test_skeletons_fail_and_their_solutions_pass(self):
        for name in ("through_shared.cu", "mirrored.cu"):
            self.assertEqual(self.verdict(name)[0], 1, name)
            status, score, _ = self.verdict(os.path.join("solutions", name))
            self.assertEqual((status, score), (0, 100), name)

    def test_the_mistakes_are_those_that_the_pages_speak_of(self):
        for name, code in (("global_index.cu", "out_of_bounds"), ("no_barrier.cu", "race_shared"),
                           ("barrier_under_if.cu", "barrier_divergent")):
            status, _, codes = self.verdict(os.path.join("wrong", name))
            self.assertEqual(status, 1)
            self.assertIn(code, codes)


class Quiz(unittest.TestCase):
    def setUp(self):
        self.kit = Kit()
        with open("grader/student/quiz.def", encoding="utf-8") as file:
            text = file.read()
        self.right = "".join(re.findall(r"'([abc])'", text.split("*/", 1)[1]))
        self.steps = re.findall(r"^QUESTION\(\"([^\"]*)\"", text, re.M)

    def tearDown(self):
        self.kit.close()

    def test_all_right_skips_nothing_and_the_first_gap_is_where_to_begin(self):
        done = self.kit.run("quiz", "--answers", self.right)
        self.assertIn(f"{len(self.right)} of {len(self.right)} right", done.stdout)
        self.assertIn("any order", done.stdout)
        for index, step in enumerate(self.steps):
            done = self.kit.run("quiz", "--answers", self.right[:index] + "-" * (len(self.right) - index))
            self.assertEqual(done.returncode, 0)
            self.assertIn("first lab" if step == "doublify" else step, done.stdout.split("\nBegin", 1)[1])

    def test_without_a_terminal_it_prints_the_questions_and_how_to_answer(self):
        done = self.kit.run("quiz")
        self.assertIn(f"{len(self.steps)} of {len(self.steps)}. ", done.stdout)
        self.assertIn("quiz --answers", done.stdout)
        self.assertEqual(self.kit.run("quiz", "--answers", "ab").returncode, 2)
        self.assertEqual(self.kit.run("quiz", "--answers", "z" * len(self.right)).returncode, 2)

    @host
    def test_asks_on_a_terminal_until_it_gets_a_letter(self):
        control, terminal = pty.openpty()
        with subprocess.Popen([self.kit.program, "quiz"], stdin=terminal, stdout=terminal, stderr=terminal,
                              env=self.kit.environment, cwd=self.kit.root) as program:
            os.close(terminal)
            os.write(control, ("perhaps\n" + "".join(letter + "\n" for letter in self.right)).encode())
            text = b""
            try:
                while chunk := os.read(control, 4096):
                    text += chunk
            except OSError:   # the program has ended
                pass
            self.assertEqual(program.wait(), 0)
        os.close(control)
        self.assertIn(f"{len(self.right)} of {len(self.right)} right", text.decode())


class Folder(unittest.TestCase):
    def setUp(self):
        self.kit = Kit()

    def tearDown(self):
        self.kit.close()

    def test_into_says_what_moves_and_the_way_back_works(self):
        kit = self.kit
        kit.write(kit.read("solutions", "doublify", "doublify.cu"), "labs", "doublify", "doublify.cu")
        self.assertEqual(kit.run("grade", "doublify").returncode, 0)
        moved = kit.run("start", "doublify", "--into", kit.home)
        self.assertIn("Your folder is now", moved.stdout)
        self.assertNotIn("solved", kit.run("list").stdout.split("total")[0])
        back = re.search(r"^    \S+ (start --into .*)$", moved.stdout, re.M).group(1)
        done = kit.run(*back.split())
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 doublify            solved     100/100", kit.run("list").stdout)
        self.assertIn("Your folder is now", kit.run("start", "--into", kit.home).stdout)   # and forth
        self.assertNotIn("solved", kit.run("list").stdout.split("total")[0])

    def test_where_a_variable_names_the_folder_it_says_so(self):
        done = self.kit.run("start", "doublify", "--into", self.kit.home, LOCKSTEP_FOLDER=self.kit.path("labs"))
        self.assertIn("which the variable LOCKSTEP_FOLDER names", done.stdout)

    def test_a_hint_on_an_untouched_lab_records_no_failure(self):
        kit = self.kit
        hint = kit.run("hint", "scan")
        self.assertIn("still the skeleton", hint.stdout)
        self.assertIn("hint 1 of 3", hint.stdout)
        self.assertRegex(kit.run("list").stdout, r"\d scan +not graded")
        self.assertIn("Next: doublify", kit.run("list").stdout)
        self.assertIn("hint 2 of 3", kit.run("hint", "scan").stdout)

    def test_the_map_has_every_lab_and_every_page_exists(self):
        listed = self.kit.run("list").stdout
        labs = [name for name in os.listdir("labs") if os.path.exists(f"labs/{name}/lab.yaml")]
        self.assertTrue(labs)
        self.assertNotIn("More labs", listed)
        for lab in labs:
            self.assertRegex(listed, rf"(?m)^[> ] +[0-9]+ {lab} .*\n +needs: ")
        pages = re.findall(r"^  read (\S+) \(", listed, re.M)
        self.assertGreaterEqual(len(pages), 3)
        for page in pages:
            self.assertTrue(os.path.exists(page), page)


if __name__ == "__main__":
    unittest.main()

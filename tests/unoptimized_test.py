"""Kernels that pass because the compiler leaves a mistake out (tests/unoptimized/LAB/NAME.cu), and right ones like them.

The first three lines of a file are

    // cause: what is wrong, in one sentence, for the reader of the file
    // line: of the finding; 0: there must be none
    // says: part of its message; nothing: there must be none
"""

import glob
import json
import os
import re
import unittest

from student_kit import Kit

FOLDER = os.path.abspath("tests/unoptimized")
ADVICE = "Only the program compiled without optimization does this."


def head(path):
    with open(path, encoding="utf-8") as file:
        lines = [next(file).rstrip("\n") for _ in range(3)]
    keys = ("cause", "line", "says")
    assert all(line.startswith(f"// {key}: ") for key, line in zip(keys, lines)), path
    return {key: line.partition(": ")[2].strip() for key, line in zip(keys, lines)}


def squeeze(text):
    return re.sub(r"\s+", " ", text).strip()


class Unoptimized(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kit = Kit()
        cls.addClassCleanup(cls.kit.close)

    def grade(self, lab, paths, **environment):
        out = os.path.join(self.kit.home, "result.json")
        done = self.kit.run("grade", "--lab", lab, *paths, "--json", out, "--seed", "7", **environment)
        with open(out, encoding="utf-8") as file:
            return done, json.load(file)["labs"]

    def notes(self, lab):
        return [one for test in lab["tests"] for one in test["findings"] if one["code"] == "optimized_away"]

    def test_only_what_the_compiler_hides_is_told(self):
        graded = 0
        for folder in sorted(glob.glob(f"{FOLDER}/*")):
            paths = sorted(glob.glob(f"{folder}/*.cu"))
            for path, lab in zip(paths, self.grade(os.path.basename(folder), paths)[1]):
                want, notes = head(path), self.notes(lab)
                with self.subTest(path=path):
                    graded += 1
                    self.assertEqual(lab["state"], "pass")
                    if want["says"] == "nothing":
                        self.assertEqual([one["message"] for one in notes], [])
                        continue
                    self.assertEqual([(one["severity"], one["line"]) for one in notes], [("warning", int(want["line"]))])
                    self.assertIn(want["says"], squeeze(notes[0]["message"]))
                    self.assertIn(ADVICE, notes[0]["message"])
                    self.assertNotIn("local memory", notes[0]["message"])
        self.assertGreater(graded, 8)

    def test_it_costs_nothing_and_is_in_the_report(self):
        done, labs = self.grade("vector_add", [f"{FOLDER}/vector_add/loads_before_guard.cu"])
        self.assertEqual((done.returncode, labs[0]["score"], labs[0]["max_score"]), (0, 100, 100), done.stdout)
        self.assertIn("mistake that the compiler hides", done.stdout)
        self.assertIn(">   7 |     float left  = a[i];", done.stdout)
        self.assertIn("i = blockIdx.x*blockDim.x + threadIdx.x = 0*256 + 1 = 1", squeeze(done.stdout))
        self.assertIsNone(labs[0]["cause"])

    def test_of_a_program_that_fails_nothing_is_told(self):
        path = os.path.join(self.kit.home, "failing.cu")
        with open(f"{FOLDER}/vector_add/loads_before_guard.cu", encoding="utf-8") as file:
            source = file.read().replace("c[i] = sum", "c[i] = sum + 1")
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        done, labs = self.grade("vector_add", [path])
        self.assertEqual((done.returncode, labs[0]["state"], self.notes(labs[0])), (1, "fail", []))

    def test_where_the_compiler_hides_something_no_barrier_is_called_needless(self):
        _, labs = self.grade("doublify", [f"{FOLDER}/doublify/factor_of_block_0.cu"])
        self.assertEqual([one["code"] for one in labs[0]["tests"][0]["findings"]], ["optimized_away"])


if __name__ == "__main__":
    unittest.main()

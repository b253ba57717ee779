"""What stops a beginner before any kernel runs: files as editors save them, and compiler errors, through grade, hint, batch
and the pages."""

import json
import os
import unittest

from student_kit import Kit

RIGHT = """extern "C" __global__ void doublify(float *a, int n)
{
    // für alle
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        a[i] = 2 * a[i];
}
"""
BEYOND = RIGHT.replace("i < n", "i <= n")   # out of bounds at line 6
BROKEN = RIGHT.replace("2 * a[i]", "2 * x")   # an unknown name at line 6, column 20

FORMS = {
    "byte order mark": lambda text: text.encode("utf-8-sig"),
    "UTF-16 little": lambda text: text.encode("utf-16-le"),
    "UTF-16 big": lambda text: text.encode("utf-16-be"),
    "UTF-16 with a mark": lambda text: b"\xff\xfe" + text.encode("utf-16-le"),
    "Latin-1": lambda text: text.encode("latin-1"),
    "CR alone": lambda text: text.replace("\n", "\r").encode(),
    "CR LF": lambda text: text.replace("\n", "\r\n").encode(),
    "no-break spaces": lambda text: text.replace("    ", "\u00a0   ").encode(),
    "no-break spaces in Latin-1": lambda text: text.replace("    ", "\u00a0   ").encode("latin-1"),
    "zero-width spaces": lambda text: text.replace("Idx", "\u200bIdx").encode(),
    "form feeds": lambda text: text.replace("{\n", "{\f\n").encode(),
}


class Files(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kit = Kit()
        cls.addClassCleanup(cls.kit.close)

    def grade(self, content, *words):
        path = os.path.join(self.kit.home, "doublify.cu")
        with open(path, "wb") as file:
            file.write(content)
        out = os.path.join(self.kit.home, "result.json")
        done = self.kit.run("grade", path, "--json", out, "--seed", "7", *words)
        with open(out, encoding="utf-8") as file:
            return done, json.load(file)["labs"][0]

    def test_every_form_is_read_as_it_was_meant(self):
        for name, form in FORMS.items():
            with self.subTest(form=name):
                done, lab = self.grade(form(RIGHT))
                self.assertEqual((done.returncode, lab["score"]), (0, 100), done.stdout + done.stderr)

    def test_lines_and_excerpts_are_those_of_the_file(self):
        for name, form in FORMS.items():
            with self.subTest(form=name):
                done, lab = self.grade(form(BEYOND))
                finding = lab["tests"][lab["first_test"]]["findings"][0]
                self.assertEqual((finding["code"], finding["line"]), ("out_of_bounds", 6))
                self.assertIn(">   6 |         a[i] = 2 * a[i];", done.stdout)
                done, lab = self.grade(form(BROKEN))
                self.assertEqual([(one["line"], one["column"]) for one in lab["diagnostics"]], [(6, 20)])
                self.assertIn(">   6 |         a[i] = 2 * x;\n          |                    ^\n", done.stdout)

    def test_what_looks_like_c_is_named_with_what_to_type(self):
        done, lab = self.grade(RIGHT.replace("2 * a", "2 × a").encode())
        self.assertIn("doublify.cu:6:18", done.stdout)
        self.assertIn("× is a multiplication sign (U+00D7). Type * instead.", done.stdout)
        self.assertIn(">   6 |         a[i] = 2 × a[i];\n          |                  ^\n", done.stdout)
        self.assertEqual(lab["cause"]["pattern"], "character")
        done, _ = self.grade(RIGHT.replace("2 * a", "2 \0 a").encode())
        self.assertIn("line 6, column 18: there is a zero byte here", " ".join(done.stdout.split()))

    def test_an_error_is_explained_and_its_hints_fit(self):
        _, lab = self.grade(RIGHT.replace("float *a", "const float *a").encode())
        cause = lab["cause"]
        self.assertEqual((cause["code"], cause["pattern"], cause["line"]), ("compile", "const_input", 6))
        self.assertIn("a is declared const", cause["message"])
        self.assertEqual(lab["diagnostics"][0]["message"], "expression must be a modifiable lvalue")
        self.assertEqual(lab["diagnostics"][0]["advice"], cause["message"])
        path = os.path.join(self.kit.home, "doublify.cu")
        for number, words in enumerate(("on the left of the =", "const marks an input", "without const"), 1):
            shown = " ".join(self.kit.run("hint", path).stdout.split())
            self.assertIn(f"hint {number} of 3: does not compile", shown)
            self.assertIn(words, shown)
        self.assertNotIn("pencil", shown, "nothing has run, so there is no small n to work through")

    def test_a_class_recognises_such_files_and_shows_their_lines(self):
        handed_in, out = os.path.join(self.kit.home, "in"), os.path.join(self.kit.home, "out")
        for student, content in (("ada", BEYOND.encode("utf-16-le")), ("bob", BROKEN.replace("\n", "\r").encode())):
            os.makedirs(os.path.join(handed_in, student))
            with open(os.path.join(handed_in, student, "my work.cu"), "wb") as file:
                file.write(content)
        done = self.kit.run("batch", handed_in, "--out", out)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        for student, words in (("ada", "a[i] = 2 * a[i];"), ("bob", "a[i] = 2 * x;")):
            with open(os.path.join(out, "students", f"{student}.json"), encoding="utf-8") as file:
                lab = json.load(file)["labs"][0]
            self.assertEqual((lab["lab"], lab["cause"]["line"]), ("doublify", 6))
            self.assertIn(words, [one["text"].strip() for one in lab["source"]])


if __name__ == "__main__":
    unittest.main()

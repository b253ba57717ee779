"""Labs outside the kit (tests/labs): complete, and known to every command that gets --labs-from."""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

from classes import sample

BUILD = os.environ.get("LOCKSTEP_TEST_BUILD", "build")
LABS = "tests/labs"


def lockstep(*words, cwd=None, **variables):
    environment = {**os.environ, "LOCKSTEP_FOLDER": "", "CUDA_VISIBLE_DEVICES": "", **variables}
    return subprocess.run([os.path.abspath(f"{BUILD}/lockstep"), *words], cwd=cwd, env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def kernel_labs():
    return sorted(os.path.dirname(path) for path in glob.glob(f"{LABS}/*/lab.yaml"))


class Check(unittest.TestCase):
    @sample
    def test_each_lab_is_complete_and_short(self):
        self.assertGreaterEqual(len(kernel_labs()), 2)
        for folder in kernel_labs():
            with self.subTest(lab=folder):
                done = lockstep("lab", "check", folder)
                self.assertEqual(done.returncode, 0, done.stdout)
                lines = 0
                for name in ("lab.yaml", "reference.c", "hooks.c"):
                    if os.path.exists(f"{folder}/{name}"):
                        with open(f"{folder}/{name}", encoding="utf-8") as file:
                            lines += len(file.readlines())
                self.assertLessEqual(lines, 120)

    def test_check_complains_of_what_is_wrong(self):
        with tempfile.TemporaryDirectory() as folder:
            lab = shutil.copytree(f"{LABS}/axpy", f"{folder}/axpy")
            shutil.copy(f"{lab}/solution.cu", f"{lab}/wrong/right.cu")
            os.remove(f"{lab}/handout.md")
            with open(f"{lab}/wrong/no_guard.cu", encoding="utf-8") as file:
                text = file.read()
            with open(f"{lab}/wrong/no_guard.cu", "w", encoding="utf-8") as file:
                file.write(text.replace("line=5", "line=4"))
            done = lockstep("lab", "check", lab)
            said = " ".join(done.stdout.split())
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("right.cu:1: the first line must say what is to be found", said)
            self.assertIn("and the grader says out_of_bounds", said)
            self.assertIn("handout.md is missing", said)
            self.assertIn("3 complaints", said)


class Commands(unittest.TestCase):
    def test_grade_knows_the_labs_of_a_folder_and_of_a_folder_of_folders(self):
        for folder in (LABS, f"{LABS}/transpose"):
            done = lockstep("grade", f"{LABS}/transpose/solution.cu", "--lab", "transpose", "--labs-from", folder)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("100/100", done.stdout)
        done = lockstep("grade", f"{LABS}/transpose/wrong/no_guard.cu", f"--labs-from={LABS}")
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("read in[0][1], but in has 1 row", " ".join(done.stdout.split()))

    def test_without_the_option_there_is_no_such_lab(self):
        done = lockstep("grade", f"{LABS}/axpy/solution.cu", "--lab", "axpy")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("there is no such lab", done.stdout)

    def test_a_folder_without_labs_is_named(self):
        done = lockstep("list", "--labs-from", "handouts")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--labs-from handouts: there is no lab.yaml", done.stdout)

    def test_a_compiled_lab_that_was_damaged_is_compiled_again(self):
        with tempfile.TemporaryDirectory() as folder:
            words = ("list", "--labs-from", f"{LABS}/axpy")
            done = lockstep(*words, LOCKSTEP_CACHE=folder)
            self.assertEqual(done.returncode, 0, done.stdout)
            kept, = glob.glob(f"{folder}/labs/*.so")
            with open(kept, "rb") as file:
                whole = file.read()
            damaged = [whole[:length] for length in (0, 100, len(whole) // 2, len(whole) - 1)]
            for content in (*damaged, bytes(len(whole)), whole[:5000] + b"?" + whole[5001:]):
                with open(kept, "wb") as file:
                    file.write(content)
                done = lockstep(*words, LOCKSTEP_CACHE=folder)
                self.assertEqual((done.returncode, "axpy" in done.stdout), (0, True), done.stdout)
                self.assertEqual(os.path.getsize(kept), len(whole))
            before = os.stat(kept).st_ino
            self.assertEqual(lockstep(*words, LOCKSTEP_CACHE=folder).returncode, 0)
            self.assertEqual(os.stat(kept).st_ino, before)   # what is whole is used

    def test_hints_are_the_labs_own(self):
        with tempfile.TemporaryDirectory() as folder:
            labs = shutil.copytree(LABS, f"{folder}/labs")
            shutil.copy(f"{LABS}/axpy/wrong/scales_y.cu", f"{folder}/axpy.cu")
            done = lockstep("grade", "axpy.cu", "--labs-from", labs, cwd=folder)
            self.assertEqual(done.returncode, 1, done.stdout)
            done = lockstep("hint", "axpy.cu", "--labs-from", labs, cwd=folder)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("Take one element: x[0] = 2, y[0] = 1 and a = 0.5", " ".join(done.stdout.split()))

    @sample
    def test_a_class_and_its_exports(self):
        with tempfile.TemporaryDirectory() as folder:
            for student, file in (("ada", "solution.cu"), ("bob", "wrong/naive.cu")):
                os.makedirs(f"{folder}/class/{student}")
                with open(f"{LABS}/transpose/{file}", encoding="utf-8") as given, \
                        open(f"{folder}/class/{student}/transpose.cu", "w", encoding="utf-8") as own:
                    own.write(given.read() + "\n")   # the solution itself would have to be looked at by a person
            with open(f"{folder}/course.yaml", "w", encoding="utf-8") as file:
                file.write("labs:\n  transpose: {weight: 1}\n")
            done = lockstep("batch", f"{folder}/class", "--out", f"{folder}/out", "--course", f"{folder}/course.yaml",
                            "--labs-from", LABS)
            self.assertEqual(done.returncode, 0, done.stdout)
            with open(f"{folder}/out/class.json", encoding="utf-8") as file:
                text = json.dumps(json.load(file))
            self.assertIn("transpose", text)
            grade = lockstep("grade", f"{folder}/class/bob/transpose.cu", "--labs-from", LABS, "--json",
                             f"{folder}/bob.json")
            self.assertEqual(grade.returncode, 1, grade.stdout)
            for words in (("junit", f"{folder}/bob.json"), ("html", f"{folder}/bob.json", "--out", f"{folder}/bob.html")):
                done = lockstep("export", *words, "--labs-from", LABS)
                self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()

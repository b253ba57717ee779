"""What a student does with list, hint, start and reset, in a kit of their own: nothing is ever lost, and each message says
what to do next."""

import json
import os
import unittest

from student_kit import Kit

DOUBLIFY = ("labs", "doublify", "doublify.cu")
GUARDLESS = """extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    a[i] *= 2.0f;
}
"""


class Student(unittest.TestCase):
    def setUp(self):
        self.kit = Kit()

    def tearDown(self):
        self.kit.close()

    def test_climbs_one_step_of_the_ladder_at_a_time_and_starts_over_with_a_new_cause(self):
        kit = self.kit
        first = kit.run("hint", "doublify")
        self.assertEqual(first.returncode, 0, first.stderr)
        self.assertIn("hint 1 of 3: never written", first.stdout)
        self.assertIn("  1.  On which line of doublify", first.stdout)
        self.assertNotIn("  2.  ", first.stdout)
        self.assertIn("  2.  ", kit.run("hint", "doublify").stdout)
        third = kit.run("hint").stdout   # the lab that is worked on
        self.assertIn("hint 3 of 3", third)
        self.assertIn("the last hint", third)
        self.assertEqual(kit.run("hint").stdout, third)
        kit.write(GUARDLESS, *DOUBLIFY)   # graded again before the hint
        other = kit.run("hint", "doublify").stdout
        self.assertIn("hint 1 of 3: out of bounds, labs/doublify/doublify.cu:4", other)
        kit.write(kit.read("solutions", "doublify", "doublify.cu"), *DOUBLIFY)
        solved = kit.run("hint", "doublify").stdout
        self.assertIn("doublify is solved: 100 of 100 points", solved)
        self.assertIn("Next lab: vector_add", solved)
        # What was reached is not graded again, and the ladder is where it was.
        kit.write(GUARDLESS, *DOUBLIFY)
        self.assertIn("hint 2 of 3: out of bounds", kit.run("hint", "doublify").stdout)

    def test_lists_states_points_and_the_next_lab_in_forty_columns_of_ascii(self):
        kit = self.kit
        fresh = kit.run("list").stdout
        self.assertRegex(fresh, r"(?m)^>  1 doublify +not graded   -/100")
        kit.write(kit.read("solutions", "doublify", "doublify.cu"), *DOUBLIFY)
        self.assertEqual(kit.run("grade", "doublify").returncode, 0)
        graded = kit.run("grade", "histogram")
        self.assertIn("hint histogram", graded.stdout)
        listed = kit.run("list").stdout
        self.assertIn("   1 doublify            solved     100/100", listed)
        self.assertRegex(listed, r">[ \d]{3} histogram +FAIL +0/100    never written")
        self.assertRegex(listed, r"total +100/\d+00\n")
        self.assertIn("watch histogram", listed)
        kit.write(kit.read(*DOUBLIFY) + "\n", *DOUBLIFY)
        self.assertIn("changed since", kit.run("list").stdout)
        self.assertTrue(listed.isascii())
        self.assertEqual(kit.run("list", "--seed", "1").returncode, 2)

    def test_the_folders_and_the_progress_of_an_older_kit_are_still_known(self):
        kit = self.kit
        home = kit.path("old")
        for folder in ("04_scan", ".lockstep"):
            os.makedirs(kit.path("old", folder))
        kit.write(kit.read("solutions", "scan", "scan.cu"), "old", "04_scan", "scan.cu")
        kit.write(json.dumps({"schema": "lockstep/progress/v1", "files": {}, "labs": {
            "04_scan": {"file": "scan.cu", "best": {"score": 70, "max_score": 100}}}}), "old", ".lockstep", "progress.json")
        done = kit.run("list", LOCKSTEP_FOLDER=home)
        self.assertRegex(done.stdout, r"\d scan +not graded")
        graded = kit.run("grade", "scan", LOCKSTEP_FOLDER=home)
        self.assertEqual(graded.returncode, 0, graded.stdout)
        self.assertIn("04_scan/scan.cu", graded.stdout)
        kept = json.loads(kit.read("old", ".lockstep", "progress.json"))
        self.assertEqual(list(kept["labs"]), ["scan"])
        self.assertEqual(kit.run("grade", "old").returncode, 0)

    def test_keeps_no_progress_of_what_is_not_the_students(self):
        kit = self.kit
        kit.write(GUARDLESS, "no_guard.cu")
        for words in (["solutions/doublify/doublify.cu"], ["no_guard.cu", "--lab", "doublify"]):
            kit.run("grade", *words)
            self.assertFalse(os.path.exists(kit.path("labs", ".lockstep", "progress.json")), words)
        kit.run("grade", "doublify", CI="true")
        self.assertFalse(os.path.exists(kit.path("labs", ".lockstep")))
        kit.run("grade", "doublify", LOCKSTEP_FOLDER="")
        self.assertFalse(os.path.exists(kit.path("labs", ".lockstep")))

    def test_starts_in_a_folder_of_ones_own_and_never_overwrites(self):
        kit = self.kit
        refused = kit.run("start", "scan")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--into", refused.stderr)
        os.remove(kit.path(*DOUBLIFY))   # what was deleted there comes back
        self.assertIn("start doublify", kit.run("hint", "doublify").stderr)
        self.assertEqual(kit.run("start", "doublify").returncode, 0)
        self.assertEqual(kit.read(*DOUBLIFY).count("--- your code ---"), 1)
        own = os.path.join(kit.home, "a", "b")
        started = kit.run("start", "scan", "doublify", "--into", own)
        self.assertEqual(started.returncode, 0, started.stderr)
        self.assertIn("watch scan", started.stdout)
        self.assertEqual(kit.read(own, "scan", "scan.cu"), kit.read("labs", "scan", "scan.cu"))
        kit.write("my work\n", own, "scan", "scan.cu")
        again = kit.run("start", "scan", "--into", own)
        self.assertEqual(again.returncode, 0)
        self.assertIn("stays as it is", again.stdout)
        self.assertEqual(kit.read(own, "scan", "scan.cu"), "my work\n")
        # From inside the folder, and from the kit, which remembers it, a lab's name means the file there.
        for place, shown in ((os.path.join(own, "scan"), "scan.cu"), (kit.root, own + "/scan/scan.cu")):
            self.assertIn(shown, kit.run("grade", "scan", cwd=place).stdout.splitlines()[0])
        self.assertIn("not begun in", kit.run("grade", "pi", cwd=own).stderr)
        self.assertEqual(kit.run("start", "pi", cwd=own).returncode, 0)
        self.assertTrue(os.path.exists(os.path.join(own, "pi", "pi.cu")))
        self.assertEqual(len(json.loads(kit.read(own, ".lockstep", "progress.json"))["labs"]), 1)

    def test_starts_from_the_skeleton_even_where_the_kits_own_file_was_worked_in(self):
        kit = self.kit
        skeleton = kit.read(*DOUBLIFY)
        kit.write(GUARDLESS, *DOUBLIFY)
        kit.run("start", "doublify", cwd=kit.home)
        self.assertEqual(kit.read(kit.home, "doublify", "doublify.cu"), skeleton)

    def test_keeps_a_numbered_backup_at_each_reset(self):
        kit = self.kit
        skeleton = kit.read(*DOUBLIFY)
        self.assertIn("nothing to reset", kit.run("reset", "doublify").stdout)
        for number, text in ((1, "first\n"), (2, "second\n")):
            kit.write(text, *DOUBLIFY)
            done = kit.run("reset", "doublify")
            self.assertIn(f"labs/doublify/doublify.cu.{number}", done.stdout, done.stderr)
            self.assertEqual(kit.read("labs", "doublify", f"doublify.cu.{number}"), text)
            self.assertEqual(kit.read(*DOUBLIFY), skeleton)
        refused = kit.run("reset", "solutions/doublify/doublify.cu")
        self.assertEqual(refused.returncode, 2)
        self.assertEqual(kit.run("reset").returncode, 2)
        self.assertEqual(sorted(os.listdir(kit.path("labs", "doublify")))[:3],
                         ["doublify.cu", "doublify.cu.1", "doublify.cu.2"])

    def test_says_once_where_progress_cannot_be_kept_and_goes_on(self):
        kit = self.kit
        kit.write("a file\n", "labs", ".lockstep")
        done = kit.run("grade", "doublify", "histogram")
        self.assertEqual(done.stderr.count("cannot be kept"), 1, done.stderr)
        self.assertIn("0/200", done.stdout)
        hint = kit.run("hint", "doublify")
        self.assertEqual(hint.returncode, 0)
        self.assertIn("hint 1 of 3", hint.stdout)
        self.assertEqual(kit.run("list").returncode, 0)

    def test_keeps_a_progress_file_of_a_newer_version_aside_and_says_so(self):
        kit = self.kit
        os.mkdir(kit.path("labs", ".lockstep"))
        newer = '{"schema": "lockstep/progress/v9", "labs": {"x": 1}}'
        kit.write(newer, "labs", ".lockstep", "progress.json")
        done = kit.run("list")
        self.assertIn("newer version", done.stderr)
        self.assertEqual(kit.read("labs", ".lockstep", "progress.json.aside-1"), newer)

    def test_records_hints_in_the_results_of_a_class_when_the_course_file_says_so(self):
        kit, own = self.kit, os.path.join(self.kit.home, "class", "ada", "gpu")
        kit.run("start", "doublify", "--into", own)
        kit.run("hint", "doublify", cwd=own)
        kit.run("hint", "doublify", cwd=own)
        kit.write(GUARDLESS + "// ada\n", own, "doublify", "doublify.cu")   # the skeleton would not count as handed in
        os.makedirs(os.path.join(kit.home, "class", "bob"))
        kit.write(GUARDLESS, kit.home, "class", "bob", "doublify.cu")
        for word, expected in (("yes", 2), ("no", None)):
            kit.write(f"record_hints: {word}\nlabs:\n  doublify: {{}}\n", kit.home, "course.yaml")
            done = kit.run("batch", "class", "--out", "out", "--course", "course.yaml", cwd=kit.home)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            for student, hints in (("ada", expected), ("bob", None)):
                result = json.loads(kit.read(kit.home, "out", "students", f"{student}.json"))
                self.assertEqual(result["labs"][0].get("hints_used"), hints, student)
        kit.write("record_hints: perhaps\n", kit.home, "course.yaml")
        done = kit.run("batch", "class", "--out", "out", "--course", "course.yaml", cwd=kit.home)
        self.assertIn("course.yaml:1: record_hints: perhaps is not valid. Expected: yes or no.", done.stderr)

    def test_a_lab_may_be_named_as_it_is_spoken_but_a_file_of_that_name_comes_first(self):
        kit = self.kit
        kit.write(kit.read("solutions", "doublify", "doublify.cu"), *DOUBLIFY)
        for word in ("1", "01", "Doublify", "DOUBLIFY", "1-doublify"):
            done = kit.run("grade", word)
            self.assertEqual(done.returncode, 0, word + done.stderr)
            self.assertIn("labs/doublify/doublify.cu", done.stdout)
        self.assertIn("doublify is solved", kit.run("hint", "01").stdout)
        kit.write(GUARDLESS, "1")
        done = kit.run("grade", "1", "--lab", "Doublify")
        self.assertEqual(done.returncode, 1)
        self.assertIn("out of bounds", done.stdout)
        self.assertIn("add --lab LAB", kit.run("hint", "1").stderr)
        os.mkdir(kit.path("4"))
        self.assertIn("nothing to grade here", kit.run("grade", "4").stderr)

    def test_refuses_what_makes_no_sense(self):
        kit = self.kit
        for words, text in ((["hint", "nothing"], "no such lab"), (["hint", "labs"], "it is a folder"),
                            (["hint", "scan", "pi"], "takes one argument"), (["start"], "start which lab"),
                            (["start", "nothing"], "no such lab"), (["hint", "README.x"], "No such file"),
                            (["start", "scan", "--into", "/dev/null/x"], "Not a directory"),
                            (["hint", "--into", "x"], "hint has no option --into")):
            done = kit.run(*words)
            self.assertEqual(done.returncode, 2, words)
            self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()

"""`lockstep export`: the command and its mistakes. What each format must look like is in tests/exports."""

import json
import os
import shutil
import stat
import subprocess
import sys
import unittest

from exports import results
from exports.support import BUILD, Case, convert, lockstep

# One file a format; all are this suite.
from exports.test_classroom50 import *  # noqa: F401,F403
from exports.test_github import *  # noqa: F401,F403
from exports.test_gradescope import *  # noqa: F401,F403
from exports.test_junit import *  # noqa: F401,F403
from exports.test_sheets import *  # noqa: F401,F403
from exports.test_text import *  # noqa: F401,F403


class Frame(Case):
    def test_lists_the_formats(self):
        shown = lockstep("export", "--help")
        self.assertEqual(shown.returncode, 0)
        for name in ("gradescope", "github", "classroom50", "csv", "canvas", "junit"):
            self.assertIn(f"\n  {name} ", shown.stdout)
            self.assertEqual(lockstep("export", name, "--help").returncode, 0)

    def test_refuses_what_it_does_not_know(self):
        for words, expected in (([], "needs a format"), (["excel"], "does not know the format 'excel'"),
                                (["gradescope"], "required: RESULT"),
                                (["gradescope", "--frobnicate", "x"], "unrecognized arguments"),
                                (["gradescope", self.result_file(), "--frobnicate"], "unrecognized arguments")):
            refused = convert(*words)
            self.assertEqual(refused.returncode, 2, refused)
            self.assertIn(expected, refused.stderr)
            self.assertIn("gradescope" if "format" in expected else "--help", refused.stderr)
            self.assertEqual(refused.stdout, "")

    def test_says_what_is_wrong_with_a_result(self):
        old, broken, missing = results.full(), results.full(), results.full()
        old["schema"] = "lockstep/result/v9"
        broken["labs"][0]["score"] = "many"
        del missing["labs"][1]["tests"][0]["visibility"]
        cases = [
            ("", 1, "it is empty"), ("{", 1, "is not JSON"), ("[]", 1, 'has no "schema"'),
            ('{"schema": 3}', 1, 'has no "schema"'),
            ('{"schema": "lockstep/findings/v1"}', 1, "does not know"), ("\udcff", 1, "is not JSON"),
            (json.dumps(old), 1, "this kit reads lockstep/result/v1"), ("[" * 100000, 1, "is not JSON"),
            (json.dumps(broken), 1, "result.labs[0].score: 'many' is not of type 'integer'"),
            (json.dumps(missing), 1, "result.labs[1].tests[0]: 'visibility' is a required property"),
            (json.dumps(results.full()).replace(": 7", ": NaN", 1), 1, "is not JSON"),
        ]
        for text, status, expected in cases:
            path = self.write("result.json", text)
            refused = convert("gradescope", path)
            self.assertEqual(refused.returncode, status, refused)
            self.assertIn(expected, refused.stderr)
            self.assertIn(path, refused.stderr)
            self.assertNotIn("Traceback", refused.stderr)
        os.mkdir(os.path.join(self.folder, "empty"))
        for path in (os.path.join(self.folder, "none.json"), os.path.join(self.folder, "empty")):
            refused = convert("gradescope", path)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(path, refused.stderr)

    def test_takes_the_folder_of_a_result_or_a_class(self):
        expected = convert("junit", self.result_file())
        self.assertEqual(convert("junit", self.folder).stdout, expected.stdout)
        shutil.copy("tests/fixtures/class/small.json", os.path.join(self.folder, "class.json"))
        self.assertEqual(convert("junit", self.folder).stdout, expected.stdout)
        roster = self.write("roster.csv", "Student,ID,Section\n")
        self.assertIn("Student,ID,Section", convert("canvas", self.folder, "--roster", roster, "--column", "x").stdout)

    def test_takes_what_a_newer_kit_added(self):
        result = results.full()
        result["labs"][0]["colour"] = "blue"
        result["labs"][1]["tests"][0]["findings"][0].update(code="race_of_tomorrow", title="race of tomorrow", stage=5)
        shown = lockstep("export", "gradescope", self.write("result.json", json.dumps(result)))
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertIn("race of tomorrow", shown.stdout)

    def test_reads_standard_input_and_writes_a_file_whole_or_not_at_all(self):
        text = json.dumps(results.full())
        out = os.path.join(self.folder, "out.json")
        self.assertEqual(lockstep("export", "gradescope", "-", "--out", out, input=text).returncode, 0)
        with open(out, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["score"], results.full()["score"])
        self.assertEqual(sorted(os.listdir(self.folder)), ["out.json"])
        self.assertEqual(stat.S_IMODE(os.stat(out).st_mode) & 0o600, 0o600)
        for target in ("/dev/full", os.path.join(self.folder, "no/such/folder.json")):
            failed = lockstep("export", "gradescope", "-", "--out", target, input=text)
            self.assertEqual(failed.returncode, 3, failed)
            self.assertIn(target, failed.stderr)
        with open("/dev/full", "w", encoding="utf-8") as full:
            failed = lockstep("export", "gradescope", "-", input=text, stdout=full)
        self.assertEqual(failed.returncode, 3)
        self.assertIn("standard output", failed.stderr)

    def test_says_that_python_is_missing(self):
        failed = lockstep("export", "gradescope", "x.json", environment={"PATH": self.folder})
        self.assertEqual(failed.returncode, 3)
        self.assertIn("python3", failed.stderr)

    def test_goes_on_in_a_python_that_has_the_libraries_or_says_which_is_missing(self):
        poor = """import importlib.util, sys
found, importlib.util.find_spec = importlib.util.find_spec, lambda name: None if name == "jsonschema" else found(name)
sys.argv[0], result, system = sys.argv[1:4]
sys.path.insert(0, "grader/pages")
from export import command, source
source.SYSTEM_PYTHON = system
sys.exit(command.main(["gradescope", result]))"""
        system = self.write("python", '#!/bin/sh\necho "$@"\n')
        os.chmod(system, 0o755)
        for name, path, status, said in (("kit/export", system, 0, "-I -X utf8 kit/export"),
                                         ("kit/export", "/nowhere", 3, "needs the Python library jsonschema"),
                                         ("a test", system, 3, "apt-get install python3-jsonschema")):
            done = subprocess.run([sys.executable, "-c", poor, name, self.result_file(), path], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, status, done)
            self.assertIn(said, done.stdout + done.stderr)

    def test_takes_no_module_from_the_user(self):
        self.write("json.py", "raise SystemExit('the wrong json')")
        command = [os.path.abspath(f"{BUILD}/lockstep"), "export", "gradescope", self.result_file()]
        done = subprocess.run(command, cwd=self.folder, env={**os.environ, "PYTHONPATH": self.folder}, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()

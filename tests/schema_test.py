"""Real result files of `lockstep grade --json` keep to grader/result/result.schema.json, and the schema notices what does
not."""

import copy
import os
import subprocess
import tempfile
import unittest

import result_schema

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.validator = result_schema.validator()
        cls.directory = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def grade(self, *arguments):
        path = os.path.join(self.directory.name, "result.json")
        done = subprocess.run([f"{BUILD}/lockstep", "grade", "--device", "emulated", "--json", path, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertIn(done.returncode, (0, 1), done.stderr.decode(errors="replace"))
        return result_schema.load(path)

    def check(self, result):
        self.assertEqual(result_schema.mistakes(self.validator, result), [])

    # Solutions, skeletons and every wrong version: grade_suite.c, of what it grades anyway.
    def test_hostile_text(self):
        path = os.path.join(self.directory.name, "doublify.cu")
        for source in ("", "\0\1\2", "#error \"\033[31m\u202e\"\n", "x" * 300000, "\n#line 5 \"/etc/passwd\"\nint 3x;\n"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
            with self.subTest(source=source[:20]):
                self.check(self.grade(path))

    def test_the_schema_notices_what_is_wrong(self):
        good = self.grade("doublify")
        self.check(good)

        def broken(change):
            result = copy.deepcopy(good)
            change(result)
            return list(self.validator.iter_errors(result))

        self.assertTrue(broken(lambda r: r.pop("seed")))
        self.assertTrue(broken(lambda r: r.update(extra=1)))
        self.assertTrue(broken(lambda r: r["labs"][0].update(score=1.5)))
        self.assertTrue(broken(lambda r: r["labs"][0].update(state="good")))
        self.assertTrue(broken(lambda r: r["labs"][0].update(message="\033[31m")))
        self.assertTrue(broken(lambda r: r["labs"][0]["tests"][0].pop("visibility")))


if __name__ == "__main__":
    unittest.main()

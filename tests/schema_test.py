"""Real result files of `lockstep grade --json` keep to grader/result.schema.json, and the schema notices what does not."""

import copy
import json
import os
import subprocess
import tempfile
import unittest
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jsonschema

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = load("grader/result.schema.json")
        jsonschema.Draft7Validator.check_schema(schema)
        cls.validator = jsonschema.Draft7Validator(schema)
        cls.directory = tempfile.TemporaryDirectory()

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def grade(self, *arguments):
        path = os.path.join(self.directory.name, "result.json")
        done = subprocess.run([f"{BUILD}/lockstep", "grade", "--device", "emulated", "--json", path, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=200)
        self.assertIn(done.returncode, (0, 1), done.stderr.decode(errors="replace"))
        return load(path)

    def check(self, result):
        mistakes = [f"{list(error.absolute_path)}: {error.message}" for error in self.validator.iter_errors(result)]
        self.assertEqual(mistakes, [])
        self.assertEqual(result["score"], sum(lab["score"] for lab in result["labs"]))
        # Keys that came later are not required, so that older results stay good; the grader writes them all the same.
        keys = set(self.validator.schema["definitions"]["lab"]["properties"]) - {"hints_used"}
        for lab in result["labs"]:
            self.assertEqual(keys - set(lab), set(), lab["lab"])
            parts = lab["tests"] + lab["performance"]
            self.assertEqual(lab["score"], sum(part["score"] for part in parts), lab["lab"])
            self.assertEqual(lab["max_score"], sum(part["max_score"] for part in parts), lab["lab"])
            for part in parts:
                self.assertLessEqual(part["score"], part["max_score"])

    def test_solutions(self):
        result = self.grade("solutions")
        self.check(result)
        self.assertEqual(result["score"], result["max_score"])
        self.assertTrue(all(lab["counters"] for lab in result["labs"]))

    def test_skeletons(self):
        result = self.grade("labs")
        self.check(result)
        for lab in result["labs"]:
            self.assertIsNotNone(lab["message"], lab["lab"])

    def test_wrong_versions_of_every_kind(self):
        for lab in sorted(os.listdir("labs")):
            folder = f"labs/{lab}/wrong"
            if os.path.isdir(folder):
                # Every fourth: all of them are graded, and their verdicts looked at, by grade_suite.c.
                files = sorted(f"{folder}/{name}" for name in os.listdir(folder) if name.endswith(".cu"))[::4]
                with self.subTest(lab=lab):
                    self.check(self.grade("--pictures", self.directory.name, "--lab", lab, *files))

    def test_hostile_text(self):
        path = os.path.join(self.directory.name, "doublify.cu")
        for source in ("", "\0\1\2", "#error \"\033[31m\u202e\"\n", "x" * 300000, "\n#line 5 \"/etc/passwd\"\nint 3x;\n"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(source)
            with self.subTest(source=source[:20]):
                self.check(self.grade(path))

    def test_the_schema_notices_what_is_wrong(self):
        good = self.grade("01_doublify")
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

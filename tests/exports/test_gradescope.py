"""results.json, against a schema written from Gradescope's documentation ("Autograder Specifications")."""

import json
import os

from exports import results
from exports.support import Case, convert

VISIBILITY = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
FORMAT = {"enum": ["text", "html", "simple_format", "md", "ansi"]}

SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "score": {"type": "number"}, "execution_time": {"type": "number"}, "output": {"type": "string"},
        "output_format": FORMAT, "test_output_format": FORMAT, "test_name_format": FORMAT,
        "visibility": VISIBILITY, "stdout_visibility": VISIBILITY, "extra_data": {"type": "object"},
        "tests": {"type": "array", "items": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "score": {"type": "number"}, "max_score": {"type": "number"}, "status": {"enum": ["passed", "failed"]},
                "name": {"type": "string", "minLength": 1}, "name_format": FORMAT, "number": {"type": "string"},
                "output": {"type": "string"}, "output_format": FORMAT, "visibility": VISIBILITY,
                "tags": {"type": "array", "items": {"type": "string"}}, "extra_data": {"type": "object"},
            },
            "dependencies": {"score": ["max_score"], "max_score": ["score"]},
        }},
        "leaderboard": {"type": "array", "items": {
            "type": "object",
            "additionalProperties": False,
            "required": ["name", "value"],
            "properties": {"name": {"type": "string"}, "value": {"type": ["number", "string"]},
                           "order": {"enum": ["asc", "desc"]}},
        }},
    },
}


class Gradescope(Case):
    def made(self, result, *options):
        document = json.loads(self.export("gradescope", result, *options))
        self.assert_valid(document, SCHEMA)
        return document

    def test_sums_up_to_the_score(self):
        result = results.full()
        made = self.made(result)
        self.assertEqual(made["score"], result["score"])
        self.assertEqual(sum(test.get("score", 0) for test in made["tests"]), result["score"])
        self.assertEqual(sum(test.get("max_score", 0) for test in made["tests"]), result["max_score"])
        self.assertEqual(len({test["number"] for test in made["tests"]}), len(made["tests"]))

    def test_explains_at_the_line(self):
        tests = {test["number"]: test for test in self.made(results.full())["tests"]}
        self.assertIn("race in shared memory   labs/scan.cu:14", tests["2.1"]["output"])
        self.assertIn("the other access: labs/scan.cu:18", tests["2.1"]["output"])
        self.assertIn("\n  >   14 | line 14 of the file;\n      15 | line 15 of the file;\n", tests["2.1"]["output"])
        self.assertNotIn("line 11 of", tests["2.1"]["output"])
        self.assertIn("out of bounds (labs/vector_add.cu:18)", tests["2.1"]["output"])
        self.assertIn('expected a ";"', tests["3"]["output"])
        self.assertIn("hello from the kernel", tests["2"]["output"])
        self.assertEqual(tests["1"]["output"], "Every test passes; performance costs points.")
        self.assertEqual([tests[number]["status"] for number in ("1.1", "2.1", "3")], ["passed", "failed", "failed"])

    def test_hides_hidden_tests_as_told(self):
        for words, expected in (((), "after_published"), (("--hidden", "after_due_date"), "after_due_date")):
            made = self.made(results.full(), *words)
            for test in made["tests"]:
                secret = "4711" in json.dumps(test)
                hidden = test["name"].endswith(("n = 31", "n = 1000"))
                self.assertEqual(test["visibility"], expected if hidden else "visible", test)
                self.assertFalse(secret and not hidden, test)

    def test_keeps_to_itself_what_only_a_hidden_test_shows(self):
        result = results.full()
        lab = result["labs"][1]
        lab["tests"][0] = results.test()
        lab["message"] = "secret 4711"
        made = self.made(result)
        self.assertNotIn("4711", json.dumps([test for test in made["tests"] if test["visibility"] == "visible"]))

    def test_never_makes_a_zero_of_a_harness_error(self):
        made = self.made(results.harness_error(), "--leaderboard")
        self.assertNotIn("score", made)
        self.assertNotIn("leaderboard", made)
        self.assertEqual([test for test in made["tests"] if "score" in test], [])
        self.assertIn("scan", made["output"])
        self.assertIn("not a zero", made["output"])

    def test_writes_the_file_also_when_there_is_no_result(self):
        out = os.path.join(self.folder, "results.json")
        for path, status in (("/nowhere/result.json", 2), (self.write("broken.json", '{"schema":'), 1)):
            done = convert("gradescope", path, "--out", out)
            self.assertEqual(done.returncode, status)
            with open(out, encoding="utf-8") as file:
                made = json.load(file)
            self.assert_valid(made, SCHEMA)
            self.assertNotIn('"score"', json.dumps(made))
            self.assertIn("not a zero", made["output"])
            os.unlink(out)

    def test_makes_a_leaderboard_when_asked(self):
        self.assertNotIn("leaderboard", self.made(results.full()))
        board = self.made(results.full(), "--leaderboard")["leaderboard"]
        self.assertEqual(board[0], {"name": "score", "value": 17, "order": "desc"})
        self.assertEqual(board[1]["order"], "asc")

    def test_is_harmless(self):
        made = self.made(results.hostile(), "--leaderboard")

        def check(value):
            if isinstance(value, str):
                self.assert_harmless(value)
            elif isinstance(value, (list, dict)):
                for below in value.values() if isinstance(value, dict) else value:
                    check(below)

        check(made)
        formats = [made[name] for name in ("output_format", "test_output_format", "test_name_format")]
        formats += [test[name] for test in made["tests"] for name in ("output_format", "name_format")]
        self.assertEqual(set(formats), {"text"})

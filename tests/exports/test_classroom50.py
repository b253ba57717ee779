"""Classroom 50's result.json, against a schema written from its documentation ("The result.json contract")."""

import json
import os

from exports import results
from exports.support import Case, convert

TIME = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]Z$"}
WORD = {"type": "string", "minLength": 1}
POINTS = {"type": "integer", "minimum": 0}

SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "additionalProperties": False,
    "required": ["schema", "classroom", "assignment", "assignment_type", "owner", "submission", "commit", "release",
                 "review", "datetime", "score", "max-score", "tests"],
    "properties": {
        "schema": {"const": "classroom50/result/v1"}, "classroom": WORD, "assignment": WORD,
        "assignment_type": {"enum": ["individual", "group", "team"]}, "owner": WORD,
        "submission": {"type": "string", "pattern": "^submit/"}, "commit": WORD, "release": WORD, "review": WORD,
        "datetime": TIME, "graded_at": TIME, "score": POINTS, "max-score": POINTS,
        "tests": {"type": "array", "items": {
            "type": "object",
            "required": ["test-name", "passed", "score", "max-score"],
            "properties": {"test-name": WORD, "passed": {"type": "boolean"}, "score": POINTS, "max-score": POINTS},
        }},
    },
}

ENVIRONMENT = {"CLASSROOM": "gpu", "ASSIGNMENT": "scan", "ASSIGNMENT_TYPE": "", "OWNER": "ada", "USERNAME": "ada",
               "SUBMISSION_TAG": "submit/2026-06-01T14-32-05Z-a1b2c3d", "COMMIT_URL": "https://git.example/c",
               "RELEASE_URL": "https://git.example/r", "REVIEW_URL": ""}


class Classroom50(Case):
    def made(self, result, *options, **changes):
        document = json.loads(self.export("classroom50", result, *options, environment={**ENVIRONMENT, **changes}))
        self.assert_valid(document, SCHEMA)
        self.assertEqual(document["score"], sum(test["score"] for test in document["tests"]))
        self.assertEqual(document["max-score"], sum(test["max-score"] for test in document["tests"]))
        for test in document["tests"]:
            self.assertLessEqual(test["score"], test["max-score"])
            self.assertEqual(test["passed"], test["score"] == test["max-score"])
        return document

    def test_has_every_key(self):
        made = self.made(results.full())
        self.assertEqual((made["score"], made["max-score"]), (results.full()["score"], results.full()["max_score"]))
        self.assertEqual(min(test["max-score"] for test in made["tests"]), 5)   # what has no points is not a test
        self.assertEqual(made["datetime"], "2026-06-01T14:32:05Z")
        self.assertEqual(made["graded_at"], "2026-03-01T12:00:00Z")
        self.assertEqual(made["review"], ENVIRONMENT["COMMIT_URL"])
        self.assertEqual(made["assignment_type"], "individual")
        self.assertEqual(self.made(results.full(), ASSIGNMENT_TYPE="group", SUBMISSION_TAG="submit/x")["datetime"],
                         "2026-03-01T12:00:00Z")

    def test_names_what_the_environment_lacks(self):
        refused = convert("classroom50", self.result_file(),
                           environment={**ENVIRONMENT, "OWNER": "", "USERNAME": "", "RELEASE_URL": ""})
        self.assertEqual((refused.returncode, refused.stdout), (2, ""))
        self.assertIn("OWNER or USERNAME, RELEASE_URL", refused.stderr)
        for key, value in (("SUBMISSION_TAG", "v1.0"), ("ASSIGNMENT_TYPE", "crowd")):
            refused = convert("classroom50", self.result_file(), environment={**ENVIRONMENT, key: value})
            self.assertEqual(refused.returncode, 2)
            self.assertIn(value, refused.stderr)

    def test_never_makes_a_zero_of_a_harness_error(self):
        out = os.path.join(self.folder, "c50.json")
        refused = convert("classroom50", self.result_file(results.harness_error()), "--out", out,
                           environment=ENVIRONMENT)
        self.assertEqual(refused.returncode, 3)
        self.assertIn("scan", refused.stderr)
        self.assertFalse(os.path.exists(out))

    def test_writes_the_release_too(self):
        body = os.path.join(self.folder, "release-body.md")
        self.made(results.full(), "--release-body", body)
        with open(body, encoding="utf-8") as file:
            self.assertIn("## Lockstep: 17 of 65 points", file.read())

    def test_is_harmless(self):
        made = self.made(results.hostile(), OWNER="ada\x1b[31m\u202e")
        self.assert_harmless(json.dumps(made, ensure_ascii=False))
        self.assertNotIn("4711", json.dumps(self.made(results.full())))

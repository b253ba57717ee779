"""The result.json of an autograder, schema classroom50/result/v1.

Who and what was graded comes from the environment that Classroom 50's runner sets for autograder.py.
"""

import json
import os
import re

from export import markdown, output, view
from export.source import Mistake
from export.text import cut, plain

HARNESS = 3

# key of the file: environment variables, the first that is set counts. All are needed.
FROM_ENVIRONMENT = {
    "classroom": ("CLASSROOM",),
    "assignment": ("ASSIGNMENT",),
    "owner": ("OWNER", "USERNAME"),
    "submission": ("SUBMISSION_TAG",),
    "commit": ("COMMIT_URL",),
    "release": ("RELEASE_URL",),
    "review": ("REVIEW_URL", "COMMIT_URL"),
}

TYPES = ("individual", "group", "team")
TIME_OF_TAG = re.compile(r"^submit/(\d{4}-\d{2}-\d{2})T(\d{2})-(\d{2})-(\d{2})Z")
RELEASE_LIMIT_BYTES = 100_000   # GitHub takes 125,000 characters


def add_options(parser):
    parser.add_argument("--release-body", metavar="FILE", help="also write the text of the release (Markdown) here")


def identity(environment):
    """Who and what, from the runner's environment."""
    found, missing = {}, []
    for key, variables in FROM_ENVIRONMENT.items():
        found[key] = next((plain(environment[name], lines=False) for name in variables if environment.get(name)), None)
        if not found[key]:
            missing.append(" or ".join(variables))
    if missing:
        raise Mistake("classroom50 needs the environment of Classroom 50's runner, and this is not set: "
                      f"{', '.join(missing)}.", 2)
    if not found["submission"].startswith("submit/"):
        raise Mistake(f"SUBMISSION_TAG is {found['submission']!r}; a submission of Classroom 50 starts with submit/.", 2)
    kind = environment.get("ASSIGNMENT_TYPE") or "individual"
    if kind not in TYPES:
        raise Mistake(f"ASSIGNMENT_TYPE is {kind!r}; Classroom 50 knows {', '.join(TYPES)}.", 2)
    return {**found, "assignment_type": kind}


def tests_of(result):
    """The tests and budgets with their points. Those without points say nothing here."""
    rows = []
    for lab in result["labs"]:
        for name, part in [(test["name"], test) for test in lab["tests"]] + \
                          [(view.metric(part), part) for part in lab["performance"]]:
            if part["max_score"] > 0:
                rows.append({"test-name": cut(plain(f"{lab['lab']}: {name}", lines=False), 200),
                             "passed": part["score"] == part["max_score"], "score": part["score"],
                             "max-score": part["max_score"]})
    return rows


def make(result, environment):
    """The document."""
    broken = view.ungraded(result)
    if broken:
        names = ", ".join(plain(lab["lab"]) for lab in broken)
        raise Mistake(f"the grader itself failed on {names}: there is no score, and Classroom 50 must not get a zero. "
                      "Nothing was written; Classroom 50 reports an infrastructure error if the autograder fails.", HARNESS)
    who = identity(environment)
    rows = tests_of(result)
    time = TIME_OF_TAG.match(who["submission"])
    return {"schema": "classroom50/result/v1", "classroom": who["classroom"], "assignment": who["assignment"],
            "assignment_type": who["assignment_type"], "owner": who["owner"], "submission": who["submission"],
            "commit": who["commit"], "release": who["release"], "review": who["review"],
            "datetime": "{}T{}:{}:{}Z".format(*time.groups()) if time else result["when"], "graded_at": result["when"],
            "score": sum(row["score"] for row in rows), "max-score": sum(row["max-score"] for row in rows), "tests": rows}


def convert(source, options):
    """Yields result.json; the release's text goes to its own file."""
    made = make(source.document, os.environ)
    if options.release_body:
        output.write_file(options.release_body, markdown.report(source.document, RELEASE_LIMIT_BYTES))
    yield None, json.dumps(made, indent=2) + "\n"

"""Every lab is a heading without points, its tests and budgets follow with theirs; the sum is the score.

The file is always written, even when the result is missing or broken: Gradescope then shows what went wrong, and no
score is in it, so that a failure of the grader never becomes a zero.
"""

import json

from export import decided, output, view
from export.source import Mistake, Source, remark
from export.text import cut, plain

VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")

# Gradescope shows long outputs badly and refuses very large files.
OUTPUT_LIMIT_CHARACTERS = 10_000


def add_options(parser):
    parser.add_argument("--hidden", metavar="WHEN", choices=VISIBILITIES, default="after_published",
                        help="when students see hidden tests: " + ", ".join(VISIBILITIES) + "; default: after_published. "
                        "While a test is not shown, Gradescope does not show them the total either")
    parser.add_argument("--leaderboard", action="store_true",
                        help="add the score and the measured ratios (time, where there is one) for a leaderboard")


def entry(name, number, state, text, points=None, visibility="visible"):
    """One element of tests[]. points: (score, max_score), or None for a line without points."""
    lost = points is not None and points[0] < points[1]
    made = {"name": cut(plain(name, lines=False), 200), "name_format": "text", "number": number,
            "status": "failed" if lost or state in ("fail", "error", "harness_error") else "passed",
            "output": cut(text, OUTPUT_LIMIT_CHARACTERS), "output_format": "text",
            "tags": [state], "visibility": visibility}
    if points is not None:
        made["score"], made["max_score"] = points
    return made


def entries_of_lab(lab, number, graded, hidden):
    """The heading of a lab, its tests, its budgets."""
    printed = f"The kernels printed:\n{plain(lab['printf'])}" if lab["printf"] else ""
    text = "\n\n".join(part for part in (view.lab_message(lab), view.describe_diagnostics(lab), printed) if part)
    found = [entry(lab["lab"], str(number), lab["state"], text or view.verdict(lab))]
    for i, test in enumerate(lab["tests"], 1):
        points = (test["score"], test["max_score"]) if graded else None
        found.append(entry(f"{lab['lab']}: {test['name']}", f"{number}.{i}", test["state"],
                           view.describe_test(test, lab), points,
                           hidden if view.is_hidden(test) else "visible"))
    for i, part in enumerate(lab["performance"], len(lab["tests"]) + 1):
        points = (part["score"], part["max_score"]) if graded and part["max_score"] > 0 else None
        found.append(entry(f"{lab['lab']}: {view.metric(part)}", f"{number}.{i}", part["state"], view.describe_budget(part),
                           points))
    return found


def leaderboard(result):
    """The score, then the ratio of each lab to its reference or ideal: the time's where there is one."""
    board = [{"name": "score", "value": result["score"], "order": "desc"}]
    for lab in result["labs"]:
        measured = [part for part in lab["performance"] if part["ratio"] is not None]
        timed = [part for part in measured if part["track"] == "time"]
        board += [{"name": f"{lab['lab']}: {view.metric(part)}", "value": part["ratio"], "order": "asc"}
                  for part in timed or measured]
    return board


def make(result, options):
    """The results.json of a result."""
    broken = view.ungraded(result)
    made = {"output_format": "text", "test_output_format": "text", "test_name_format": "text", "visibility": "visible",
            "stdout_visibility": "hidden",
            "extra_data": {"lockstep": {"kit": result["kit"], "seed": result["seed"], "when": result["when"]}}}
    if broken:
        names = ", ".join(plain(lab["lab"]) for lab in broken)
        made["output"] = (f"The grader itself failed on {names}: this submission has no score yet, which is not a zero.\n"
                          "Nothing is wrong with handing it in; your instructor can run the autograder again.")
    else:
        final = result.get("decided", {}).get("score")
        made["score"] = result["score"] if final is None else final
        made["output"] = "\n".join([view.headline(result), *decided.result_lines(result)])
    made["tests"] = [one for number, lab in enumerate(result["labs"], 1)
                     for one in entries_of_lab(lab, number, not broken, options.hidden)]
    if options.leaderboard and not broken:
        made["leaderboard"] = leaderboard(result)
    return made


def make_fallback(reason):
    """What Gradescope gets when there is no result. It has no score: an absent one is not recorded, a 0 would be."""
    return {"output_format": "text", "visibility": "visible", "stdout_visibility": "hidden",
            "output": "The grader itself failed: this submission has no score yet, which is not a zero.\n"
                      "Nothing is wrong with handing it in; your instructor can run the autograder again.",
            "tests": [{"name": "grading did not finish", "status": "failed", "visibility": "hidden",
                       "output": plain(reason), "output_format": "text"}]}


def text_of(made):
    return json.dumps(made, indent=1, ensure_ascii=True) + "\n"


def convert(source, options):
    """Yields results.json."""
    yield None, text_of(make(source.document, options))


def run(row, options):
    """As every format, but results.json is written even when there is no result; the status says so."""
    try:
        source = Source(options.result, row.takes)
    except Mistake as mistake:
        output.write_all([(None, text_of(make_fallback(str(mistake))))], options.out, row.makes)
        remark("results.json was written without a score, because there is no result.")
        raise
    output.write_all(convert(source, options), options.out, row.makes)
    return 0

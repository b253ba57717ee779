"""What a page shows of one lab (templates/lab.html): the first cause, the points, the tests, the measurements, what the
compiler and the kernels said."""

import functools
import os
import re

from export import html_figures, view
from export.html_finding import describe, excerpt, handout, heading_words
from export.render import file_name, flat, number_text
from export.source import KIT
from export.text import plain

FAILED = ("fail", "error")
HIDDEN_FAILS = "A hidden test fails here; its numbers are not shown."
LAB_NAME = re.compile(r"[a-z][a-z0-9_]*")

# What results of earlier kits do not have.
LAB_LATER = {"source": [], "first_test": None, "estimate": None, "timeline": None}
BUDGET_LATER = {"why": None, "picture": None, "line": None, "message": None}
TEST_LATER = {"gpu": None, "schedules": None, "findings_left_out": 0}
FINDING_LATER = {"schedule": None, "function": None, "inside": None, "called_from": [], "marks": [], "arithmetic": None,
                 "remark": None, "handout": None}


@functools.lru_cache(maxsize=None)
def lab_title(name):
    """The first heading of the lab's handout: "Prefix sum"; the name where there is none."""
    if LAB_NAME.fullmatch(name):
        try:
            with open(os.path.join(KIT, "handouts", f"{name}.md"), encoding="utf-8") as file:
                line = file.readline()
            if line.startswith("# "):
                return line[2:].strip()
        except OSError:
            pass
    return flat(name)


def anchor(name):
    return "lab-" + re.sub(r"[^A-Za-z0-9_-]", "-", flat(name))


# ---- what a page may tell -----------------------------------------------------------------------------------------------


def completed(lab):
    """The lab with every key that pages use."""
    return {**LAB_LATER, **lab, "performance": [{**BUDGET_LATER, **part} for part in lab["performance"]], "tests": [
        {**TEST_LATER, **test, "findings": [{**FINDING_LATER, **finding} for finding in test["findings"]]}
        for test in lab["tests"]]}


def without_secrets(lab):
    """The lab, its hidden tests without anything that reveals their inputs. The grader leaves that out of a result; a page
    does not rely on it."""
    def closed(finding):
        return {**finding, "message": HIDDEN_FAILS, "thread": None, "block": None, "count": 1, "index": None, "inside": None,
                "called_from": [], "arithmetic": None, "remark": None}

    hidden = {"message": HIDDEN_FAILS, "place": None, "expected": None, "actual": None, "schedules": None, "picture": None,
              "findings_left_out": 0}
    return {**lab, "message": view.lab_message(lab), "tests": [
        {**test, **hidden, "findings": [closed(finding) for finding in test["findings"]]} if view.is_hidden(test) else test
        for test in lab["tests"]]}


# ---- the first cause ----------------------------------------------------------------------------------------------------


def first_test(lab):
    """The test that shows the first cause; None when none fails."""
    tests, index = lab["tests"], lab["first_test"]
    if index is not None and index < len(tests):
        return tests[index]
    wrong = [test for test in tests if test["state"] in FAILED]
    return min(wrong, key=lambda test: view.stage(test["findings"][0]) if test["findings"] else 1000, default=None)


def in_short(finding):
    """"out of bounds (b, line 5)"."""
    where = ([flat(finding["array"])] if finding["array"] else []) + ([f"line {finding['line']}"] if finding["line"] else [])
    return heading_words(finding) + (f" ({', '.join(where)})" if where else "")


def lost_points(lab):
    """Of a lab whose results are right, where points are missing; "" when none are."""
    lost = [view.metric(part) + (f" (line {part['line']})" if part["line"] else "")
            for part in lab["performance"] if part["score"] < part["max_score"]]
    return f"All results are right. Points are missing for {' and '.join(lost)}: see below." if lost else ""


def repair_words(lab):
    """What came of repairs that were tried; "" where nothing is to be said, or an earlier kit wrote the result."""
    return plain((lab.get("repair") or {}).get("message") or "", lines=False)


def first_cause(lab, settings, seen):
    """None: nothing to look at. words: a sentence instead of a test."""
    test = first_test(lab)
    if test is None:
        words = lab["message"] if lab["state"] != "pass" else lost_points(lab)
        return {"words": words} if words else None
    finding = test["findings"][0] if test["findings"] else None
    return {"words": None, "test": test, "finding": describe(lab, finding, settings, seen) if finding else None,
            "severity": "warning" if finding and finding["severity"] == "warning" else "error",
            "tells_test": lab["state"] != "error",
            "tells_values": bool(test["actual"]) and not (finding and view.tells(finding, "values")),
            "repair": repair_words(lab),
            "handout": handout((finding or {}).get("handout") or f"handouts/{flat(lab['lab'])}.md", settings),
            "rest": list(dict.fromkeys(map(in_short, test["findings"][1:])))}


# ---- tests --------------------------------------------------------------------------------------------------------------


def other_orders(test):
    """What came of other orders of threads, as a sentence; None when there is nothing to say."""
    orders = test["schedules"]
    if not orders or not orders["wrong_with"]:
        return None
    place_words = f"{plain(orders['place'])} is {plain(orders['actual'])}, expected {plain(orders['expected'])}" \
        if orders["place"] else "it does not finish"
    return f"With the threads in another order ({flat(orders['wrong_with'])}), {place_words}."


def why(lab, test, settings, seen):
    """Why a test failed; None when there is nothing to say."""
    findings = [describe(lab, finding, settings, seen) for finding in test["findings"]]
    if findings:
        first = test["findings"][0]
        title = findings[0]["heading"] + (f", line {first['line']}" if first["line"] else "")
    elif test["message"]:
        title = "why" if test["state"] in FAILED else "note"
    else:
        return None
    said = any(view.tells(finding, "values") for finding in test["findings"])
    return {"title": title, "findings": findings, "message": None if findings else test["message"],
            "tells_values": test["expected"] is not None and test["actual"] is not None and not said,
            "left_out": test["findings_left_out"], "orders": other_orders(test)}


# ---- points, measurements -----------------------------------------------------------------------------------------------


def base_of(part):
    """What a budget is measured against: (its name, its value); (None, None) where it is a share of its own."""
    for key, name in (("ideal", "ideal"), ("reference", "reference solution")):
        if part[key] is not None:
            return name, part[key]
    return None, None


def budget(lab, part):
    """A measurement: its name, what was reached and against what, the figure, the lines that cost most."""
    against, base = base_of(part)
    judged = part["state"] != "skipped"
    reached = "not judged"
    if judged and part["ratio"] is not None:
        reached = f"{part['ratio']:.3g}" + (f" times the {against}" if against else "")
    facts = []
    if part["value"] is not None:
        facts = [("Yours", number_text(part["value"]))]
    if against and part["value"] is not None:
        facts += [(against.capitalize(), number_text(base)),
                  ("Ratio", f"{part['ratio']:.3g}" if part["ratio"] is not None else "–")]
    if part["interval"]:
        facts.append(("95 % interval", f"{part['interval'][0]:.3g} to {part['interval'][1]:.3g}"))
    return {"part": part, "metric": view.metric(part), "reached": reached, "facts": facts,
            "bar": html_figures.bar(part) if judged else None, "why": part["why"] if judged else None,
            "excerpt": excerpt(lab, [part["line"]], {}) if part["line"] else None}


def estimate(lab):
    """The time on a GPU that is not there; only where none was measured."""
    timed = any(part["track"] == "time" and part["value"] is not None for part in lab["performance"])
    return None if timed else lab["estimate"]


# ---- the compiler, what to read -----------------------------------------------------------------------------------------


def diagnostic(lab, one):
    spans = {one["line"]: [(one["column"], 1)]} if one["column"] else {}
    return {**one, "file": one["file"] and file_name(one["file"]),
            "excerpt": excerpt(lab, [one["line"]], spans) if one["line"] else None}


def read_next(lab, settings):
    """Each section of the handouts that a cause names, then the lab's handout, and the words of all of them."""
    places = [finding["handout"] for test in lab["tests"] for finding in test["findings"]]
    own = f"handouts/{flat(lab['lab'])}.md"
    named = [words for words in places if words]
    return [handout(words, settings) for words in dict.fromkeys(named + [own, "handouts/glossary.md"])]


def has_picture(labs):
    """Whether a page about these labs shows a picture."""
    return any(test.get("picture") and not view.is_hidden(test) for lab in labs for test in lab["tests"])


def picture_of(test):
    """[(what it shows, address)] of a test's picture, and which part of which array it is; None when it has none."""
    picture = test.get("picture")
    if not picture:
        return None
    shown = [(name, "data:image/png;base64," + re.sub("[^A-Za-z0-9+/=]", "", picture[name]))
             for name in ("expected", "got", "difference") if picture[name]]
    words = (f"{picture['array']}, columns {picture['column']}..{picture['column'] + picture['columns'] - 1}, "
             f"rows {picture['row']}..{picture['row'] + picture['rows'] - 1}")
    return {"shown": shown, "words": words}


def section(lab, heading, file, settings):
    """The lab's part of a page.
        heading   {words, beside, anchor}
        file      {path, sha256} of the submission, or None"""
    lab = without_secrets(completed(lab))
    seen = set()
    cause = first_cause(lab, settings, seen)
    tests = lab["tests"]
    return {"lab": lab, "heading": heading, "file": file and file_name(file["path"]), "cause": cause,
            "passed": sum(test["state"] == "pass" for test in tests),
            "results": {"state": lab["state"], "score": sum(test["score"] for test in tests),
                        "max_score": sum(test["max_score"] for test in tests)},
            "tests": [{"test": test, "why": why(lab, test, settings, seen), "picture": picture_of(test),
                       "hidden": view.is_hidden(test)}
                      for test in tests],
            "budgets": [budget(lab, part) for part in lab["performance"]], "estimate": estimate(lab),
            "timeline": html_figures.timeline(lab["timeline"]),
            "diagnostics": [diagnostic(lab, one) for one in lab["diagnostics"]], "read_next": read_next(lab, settings)}

"""One lab on a page: the first cause, the points, the tests, the measurements, what the compiler and the kernels said."""

import functools
import os
import re

from export import html_figures, view
from export.html_finding import describe, excerpt, file_name, handout, heading_words, place
from export.html_figures import number_text
from export.markup import el, flat, folded, isolated, table
from export.source import KIT
from export.text import count, plain

# state: its sign and its word. Never a colour alone.
STATES = {"pass": ("✓", "pass"), "fail": ("✗", "fail"), "error": ("✗", "error"), "harness_error": ("?", "kit failed"),
          "skipped": ("–", "skipped"), "inconclusive": ("~", "unclear"), "missing": ("–", "missing"),
          "problem": ("?", "problem")}
FAILED = ("fail", "error")
HIDDEN_FAILS = "A hidden test fails here; its numbers are not shown."
LAB_NAME = re.compile(r"[0-9]{2}_[a-z0-9_]+")


def badge(state):
    sign, word = STATES.get(state, ("?", flat(state)))
    kind = state if state in STATES else "problem"
    return el("span", el("span", sign, aria_hidden="true"), " ", word, class_=f"badge {kind}")


@functools.lru_cache(maxsize=None)
def lab_title(name):
    """The first heading of the lab's handout: "Lab 04: prefix sum"; the name where there is none."""
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


def points(state, score, max_score):
    """"36 of 80"; what the harness could not judge is no zero."""
    reached = "–" if state == "harness_error" else number_text(score)
    return f"{reached} of {number_text(max_score)}"


# ---- the first cause ----------------------------------------------------------------------------------------------------


def without_secrets(lab):
    """The lab, its hidden tests without anything that tells their inputs. The grader leaves that out of a result; a page
    does not rely on it."""
    def closed(finding):
        return {**finding, "message": HIDDEN_FAILS, "thread": None, "block": None, "count": 1, "index": None, "inside": None,
                "called_from": [], "arithmetic": None, "remark": None}

    hidden = {"message": HIDDEN_FAILS, "expected": None, "actual": None, "schedules": None}
    return {**lab, "message": view.lab_message(lab), "tests": [
        {**test, **hidden, "findings": [closed(finding) for finding in test["findings"]]} if view.is_hidden(test) else test
        for test in lab["tests"]]}


def first_test(lab):
    """The test that shows the first cause; None when none fails."""
    tests, index = lab["tests"], lab.get("first_test")
    if index is not None and index < len(tests):
        return tests[index]
    wrong = [test for test in tests if test["state"] in FAILED]
    return min(wrong, key=lambda test: view.stage(test["findings"][0]["code"]) if test["findings"] else 99, default=None)


def in_short(finding):
    """"out of bounds of b (line 5)"."""
    return heading_words(finding) + (f" of {flat(finding['array'])}" if finding["array"] else "") + \
        (f" (line {finding['line']})" if finding["line"] else "")


def lost_points(lab):
    """Of a lab whose results are right, where points are missing; "" when none are."""
    lost = [view.metric(part) + (f" (line {part['line']})" if part.get("line") else "")
            for part in lab["performance"] if part["score"] < part["max_score"]]
    return f"All results are right. Points are missing for {' and '.join(lost)}: see below." if lost else ""


def first_cause(lab, settings, seen):
    test = first_test(lab)
    if test is None:
        words = lab["message"] if lab["state"] != "pass" else lost_points(lab)
        return [el("h3", "What to look at first"), el("p", words, class_="words")] if words else None
    finding = test["findings"][0] if test["findings"] else None
    body = describe(lab, finding, seen) if finding else el("p", test["message"] or lab["message"] or "", class_="words")
    got = None
    if test["actual"] and not (finding and (" should be " in (finding["message"] or "")
                                            or finding["code"] == "never_written")):
        got = [el("dt", "Expected"), el("dd", el("code", test["expected"] or "")), el("dt", "Got"),
               el("dd", el("code", test["actual"]))]
    section = (finding or {}).get("handout") or f"handouts/{flat(lab['lab'])}.md"
    rest = list(dict.fromkeys(map(in_short, test["findings"][1:])))
    severity = finding["severity"] if finding and finding["severity"] == "warning" else "error"
    return [el("h3", "What to look at first"),
            el("div", el("h4", heading_words(finding) if finding else "not finished",
                         el("span", place(finding), class_="place") if finding and place(finding) else None), body,
               el("dl", [el("dt", "Test"), el("dd", test["name"], [": ", test["purpose"]] if test["purpose"] else None)]
                  if lab["state"] != "error" else None, got, el("dt", "Handout"), el("dd", handout(section, settings))),
               el("p", "Also, and perhaps only a consequence: ", "; ".join(rest), ".", class_="soft words")
               if rest else None,
               class_=f"cause {severity}")]


# ---- tests --------------------------------------------------------------------------------------------------------------


def other_orders(test):
    """What came of other orders of threads, as a sentence; None when there is nothing to say."""
    orders = test.get("schedules")
    if not orders or not orders["wrong_with"]:
        return None
    place_words = f"{plain(orders['place'])} is {plain(orders['actual'])}, expected {plain(orders['expected'])}" \
        if orders["place"] else "it does not finish"
    return f"With the threads in another order ({flat(orders['wrong_with'])}), {place_words}."


def test_details(lab, test, seen):
    """Why a test failed, folded."""
    parts, title = [], None
    for finding in test["findings"]:
        title = title or heading_words(finding) + (f", line {finding['line']}" if finding["line"] else "")
        parts.append([el("p", el("strong", heading_words(finding)), [" · ", place(finding)] if place(finding) else None),
                      describe(lab, finding, seen)])
    if not parts and test["message"]:
        title = "why" if test["state"] in FAILED else "note"
        parts.append(el("p", test["message"], class_="words"))
    said = any(" should be " in (finding["message"] or "") for finding in test["findings"])
    if test["expected"] is not None and test["actual"] is not None and not said:
        parts.append(el("p", "Expected ", el("code", test["expected"]), ", got ", el("code", test["actual"]), "."))
    orders = other_orders(test)
    parts.append(el("p", orders, class_="words") if orders and parts else None)
    return folded(title, *parts, class_="why") if title else None


def tests(lab, seen):
    if not lab["tests"]:
        return None
    rows = []
    for test in lab["tests"]:
        below = [el("p", test["purpose"], class_="soft") if test["purpose"] else None, test_details(lab, test, seen)]
        rows.append([[isolated(test["name"]), el("span", "hidden", class_="tag") if view.is_hidden(test) else None],
                     [badge(test["state"]), el("p", "GPU: ", badge(test["gpu"])) if test.get("gpu") else None],
                     points(test["state"], test["score"], test["max_score"]), below])
    number = count(len(lab["tests"]), "test")
    passed = sum(test["state"] == "pass" for test in lab["tests"])
    listed = table(["test", "verdict", ("points", "right")], rows, f"{passed} of {number} pass", "tests")
    return [el("h3", "Tests"), folded(f"None of {number} could run", listed) if lab["state"] == "error" else listed]


# ---- points, measurements -----------------------------------------------------------------------------------------------


def base_of(part):
    """What a budget is measured against: (its name, its value); (None, None) where it is a share of its own."""
    for key, name in (("ideal", "ideal"), ("reference", "reference solution")):
        if part[key] is not None:
            return name, part[key]
    return None, None


def ratio_words(part):
    name, _ = base_of(part)
    return f"{part['ratio']:.3g}" + (f" times the {name}" if name else "")


def rubric(lab):
    """Where the points are: the tests together, each measurement, the sum."""
    passed = sum(test["state"] == "pass" for test in lab["tests"])
    reached, possible = (sum(test[key] for test in lab["tests"]) for key in ("score", "max_score"))
    rows = [["right results", f"{passed} of {len(lab['tests'])} tests", points(lab["state"], reached, possible)]]
    for part in lab["performance"]:
        judged = part["ratio"] is not None and part["state"] != "skipped"
        said = ratio_words(part) if judged else "not judged"
        rows.append([view.metric(part), said, points(part["state"], part["score"], part["max_score"])])
    rows.append([el("strong", "all"), "", el("strong", points(lab["state"], lab["score"], lab["max_score"]))])
    return [el("h3", "Points"), table(["for", "reached", ("points", "right")], rows, "Where the points come from")]


def budget(lab, part):
    against, base = base_of(part)
    facts = []
    if part["value"] is not None:
        facts = [el("dt", "Yours"), el("dd", number_text(part["value"]))]
    if against and part["value"] is not None:
        facts += [el("dt", against.capitalize()), el("dd", number_text(base)),
                  el("dt", "Ratio"), el("dd", f"{part['ratio']:.3g}" if part["ratio"] is not None else "–")]
    if part["interval"]:
        facts += [el("dt", "95 % interval"), el("dd", f"{part['interval'][0]:.3g} to {part['interval'][1]:.3g}")]
    return el("div", el("h4", view.metric(part), " ", badge(part["state"]),
                        el("span", points(part["state"], part["score"], part["max_score"]), class_="place")),
              el("dl", facts, class_="facts") if facts else None,
              html_figures.bar(part) if part["state"] != "skipped" else None,
              el("p", part["why"], class_="soft words") if part.get("why") and part["state"] != "skipped" else None,
              el("p", part["message"], class_="words") if part.get("message") else None,
              excerpt(lab, [part["line"]], {}) if part.get("line") else None,
              el("figure", el("figcaption", "Where the lanes of that line's worst request went"),
                 el("pre", part["picture"].rstrip("\n"), class_="scroll", tabindex="0", role="group",
                    aria_label="where the lanes went")) if part.get("picture") else None, class_="budget")


def estimate(lab):
    """The time on a GPU that is not there; only where none was measured."""
    told = lab.get("estimate")
    timed = any(part["track"] == "time" and part["value"] is not None for part in lab["performance"])
    if not told or timed:
        return None
    reference = told["reference_ms"]
    beside = f" The reference solution: {reference:.3g} ms." if reference is not None else None
    return el("p", f"Estimated from the counters: on an {flat(told['gpu'])} {flat(told['case'])} would take ",
              plain(told["message"]), ".", beside, class_="soft words")


def performance(lab):
    if not lab["performance"]:
        return None
    return [el("h3", "Performance"), [budget(lab, part) for part in lab["performance"]], estimate(lab)]


def counters(lab):
    if not lab["counters"]:
        return None
    rows = [[flat(name).replace("_", " "), number_text(value)] for name, value in lab["counters"].items()]
    return folded("Counters of the measured case",
                  table(["counter", ("value", "right")], rows, "Summed over the plan's launches"))


# ---- the compiler, printf, what to read ---------------------------------------------------------------------------------


def diagnostics(lab):
    if not lab["diagnostics"]:
        return None
    items = []
    for one in lab["diagnostics"]:
        spans = {one["line"]: [(one["column"], 1)]} if one["column"] else {}
        items.append(el("li", el("strong", plain(one["severity"])), ", ",
                        isolated(file_name(one["file"])) if one["file"] else "no file",
                        f", line {one['line']}" if one["line"] else None, ": ",
                        el("span", one["message"] or "", class_="words"),
                        excerpt(lab, [one["line"]], spans) if one["line"] else None))
    return folded(f"What the compiler said: {count(len(items), 'message')}", el("ol", items))


def printed(lab):
    """What the kernels printed; the grader keeps back what they printed in hidden tests."""
    if not lab["printf"]:
        return None
    return folded("What your kernels printed", el("pre", lab["printf"], class_="scroll printed", tabindex="0", role="group",
                                                  aria_label="what your kernels printed"), class_="long")


def read_next(lab, settings):
    """Each section of the handouts that a cause names, then the lab's handout."""
    places = [finding.get("handout") for test in lab["tests"] for finding in test["findings"]]
    own = f"handouts/{flat(lab['lab'])}.md"
    places = list(dict.fromkeys([words for words in places if words] + [own]))
    return [el("h3", "What to read next"), el("ul", [el("li", handout(words, settings)) for words in places])]


def section(lab, heading, file, settings, extra=None):
    """The lab's part of a page.
        heading   (its words, its anchor)
        file      {path, sha256} of the submission, or None
        extra     what the class knows of it: Markup, or None"""
    words, name = heading
    seen = set()
    cause, measured = first_cause(lab, settings, seen), [performance(lab), counters(lab)]
    parts = [measured, tests(lab, seen)] if lab["state"] == "pass" else [tests(lab, seen), measured]
    return el("section", el("h2", words, id=name),
              el("p", badge(lab["state"]), " ",
                 el("strong", points(lab["state"], lab["score"], lab["max_score"])), " points", " · ",
                 el("code", flat(lab["lab"])), [" · plan: ", plain(lab["plan"])] if lab["plan"] else None,
                 [" · ", isolated(file_name(file["path"]))] if file else None, class_="verdict"),
              extra, cause, rubric(lab), parts, diagnostics(lab), printed(lab), read_next(lab, settings),
              aria_labelledby=name)

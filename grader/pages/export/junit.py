"""A testsuite for each lab, a testcase for each test and budget.

A wrong answer is a failure; what does not compile, crashes or does not finish is an error; what did not run is skipped.
"""

from xml.etree import ElementTree

from export import decided, view
from export.text import cut, plain

MESSAGE_LIMIT_CHARACTERS = 1000

# state: element, and the count of the suite that it belongs to. A pass has none.
ELEMENTS = {"fail": ("failure", "failures"), "error": ("error", "errors"), "harness_error": ("error", "errors"),
            "skipped": ("skipped", "skipped"), "inconclusive": ("skipped", "skipped")}


def one_line(text):
    return cut(plain(text, lines=False), MESSAGE_LIMIT_CHARACTERS)


def add_case(suite, counts, group, name, state, message, text):
    """A testcase with its outcome."""
    case = ElementTree.SubElement(suite, "testcase", classname=one_line(group), name=one_line(name), time="0")
    counts["tests"] += 1
    if state not in ELEMENTS:
        return
    kind, number = ELEMENTS[state]
    counts[number] += 1
    outcome = ElementTree.SubElement(case, kind, message=one_line(message))
    if kind != "skipped":
        outcome.set("type", one_line(state))
        outcome.text = plain(text)


def outcome_of(test):
    """The state of a test; one that did not finish is an error, whatever its values."""
    endless = test["findings"] and test["findings"][0]["code"] in ("fuel", "deadlock")
    return "error" if test["state"] == "fail" and endless else test["state"]


def message_of(test):
    """The message of a test; a hidden one's own words are kept back."""
    if not view.is_hidden(test):
        return test["message"] or test["state"]
    first = next(iter(test["findings"]), None)
    return "a hidden test fails" + (f": {view.title(first)}" if first else "")


def add_lab(root, lab, when, number, lines):
    """A testsuite; returns its counts. lines: what people decided about the lab."""
    suite = ElementTree.SubElement(root, "testsuite", name=one_line(lab["lab"]), id=str(number))
    counts = {"tests": 0, "failures": 0, "errors": 0, "skipped": 0}
    for test in lab["tests"]:
        hidden = view.is_hidden(test)
        add_case(suite, counts, f"{lab['lab']}.{'hidden' if hidden else 'tests'}", test["name"], outcome_of(test),
                 message_of(test), view.describe_test(test, lab, closed=hidden))
    for part in lab["performance"]:
        add_case(suite, counts, f"{lab['lab']}.performance", view.metric(part), part["state"],
                 part.get("message") or view.describe_budget(part), view.describe_budget(part))
    for key, value in counts.items():
        suite.set(key, str(value))
    suite.set("time", "0")
    suite.set("timestamp", when.rstrip("Z"))
    if lab["printf"] or lines:
        ElementTree.SubElement(suite, "system-out").text = plain("\n".join([*lines, lab["printf"] or ""]).rstrip("\n")
                                                                 if lines else lab["printf"])
    if lab["diagnostics"]:
        ElementTree.SubElement(suite, "system-err").text = view.describe_diagnostics(lab)
    return counts


def convert(source, _options):
    """Yields the document."""
    result = source.document
    root = ElementTree.Element("testsuites", name="lockstep")
    every = [add_lab(root, lab, result["when"], number, decided.lab_lines(result, lab["lab"]))
             for number, lab in enumerate(result["labs"])]
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(counts[key] for counts in every)))
    root.set("time", "0")
    ElementTree.indent(root)
    yield None, ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n"

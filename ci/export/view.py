"""What a reader is told about a result: the same sentences for every format.

What only a hidden test shows is kept from students.

Everything returned is plain text (text.plain): a format only adds the escapes of its own.
"""

import functools
import os
import re

from export.source import KIT
from export.text import count, plain

ROW_OF_CAUSES = re.compile(r'^CAUSE\((\w+), (\d+), "([^"]*)"', re.MULTILINE)


@functools.lru_cache(maxsize=None)
def causes():
    """code: (stage, title), from the grader's own table."""
    with open(os.path.join(KIT, "grader/causes.def"), encoding="utf-8") as file:
        return {code: (int(stage), title) for code, stage, title in ROW_OF_CAUSES.findall(file.read())}


def title(code):
    """What people call a finding: "out of bounds". A code of a newer kit is shown as it is."""
    return causes()[code][1] if code in causes() else plain(code, lines=False).replace("_", " ")


def stage(code):
    """Place in the order of diagnosis; the lower explains the higher."""
    return causes()[code][0] if code in causes() else 99


def place(file, line):
    """"scan.cu:14", or what there is of it."""
    name = plain(file, lines=False)
    return f"{name}:{line}" if name and line else name or (f"line {line}" if line else "")


def triple(numbers):
    """"(1,0,0)"."""
    return "(" + ",".join(str(number) for number in numbers) + ")"


def details(finding):
    """The lines under a finding's title, as the terminal report has them."""
    lines = [plain(finding["message"])]
    if finding["thread"] and finding["block"]:
        lines.append(f"thread {triple(finding['thread'])} of block {triple(finding['block'])}")
    if finding["line2"]:
        lines.append(f"the other access: {place(finding['file2'], finding['line2'])}")
    if (finding["count"] or 1) > 1:
        lines.append(f"and {count(finding['count'] - 1, 'more', 'more')} like it")
    for frame in finding.get("called_from") or []:
        lines.append(f"called from {plain(frame['function'], lines=False)} ({place(frame['file'], frame['line'])})")
    for key in ("arithmetic", "remark"):
        if finding.get(key):
            lines.append(plain(finding[key]))
    if finding.get("schedule"):
        lines.append(f"found with the threads in the order {plain(finding['schedule'], lines=False)}")
    return [line for line in lines if line]


def describe(finding):
    """A finding as lines of text."""
    where = place(finding["file"], finding["line"])
    lines = [title(finding["code"]) + (f"   {where}" if where else "")]
    lines += ["  " + part for line in details(finding) for part in line.split("\n")]
    if finding["hint"]:
        lines += ["", plain(finding["hint"])]
    if finding.get("handout"):
        lines.append(f"Read: {plain(finding['handout'], lines=False)}")
    return lines


def is_hidden(test):
    return test["visibility"] == "hidden"


def describe_test(test):
    """What is said of a test: its purpose, its message, its first cause in full, the others by name."""
    lines = [plain(test["purpose"])] if test["purpose"] else []
    findings = test["findings"]
    if findings:
        lines += [""] + describe(findings[0])
        others = list(dict.fromkeys(f"{title(other['code'])} ({place(other['file'], other['line'])})"
                                    if other["line"] else title(other["code"]) for other in findings[1:]))
        if others:
            lines += ["", "also, and perhaps only a consequence: " + ", ".join(others)]
    elif test["message"]:
        lines += ["", plain(test["message"])]
    if test["expected"] is not None or test["actual"] is not None:
        lines += ["", f"expected {plain(test['expected'])}, got {plain(test['actual'])}"]
    return "\n".join(lines).strip("\n")


def describe_diagnostics(lab):
    """The compiler's messages, a line each."""
    return "\n".join(f"{place(one['file'], one['line'])}: {plain(one['severity'])}: {plain(one['message'])}".lstrip(": ")
                     for one in lab["diagnostics"])


def metric(part):
    """Name of a budget."""
    words = plain(part["metric"], lines=False).replace("_", " ")
    return f"time: {words}" if part["track"] == "time" else words


def describe_budget(part):
    """What a budget was, what was reached, and what that means."""
    lines = []
    if part["ratio"] is not None:
        against = "the reference" if part["ideal"] is None else "the ideal"
        lines.append(f"{part['ratio']:.3g} times {against}")
    if part["full_at"] is not None and part["zero_at"] is not None:
        lines.append(f"all points up to {part['full_at']:g}, none from {part['zero_at']:g}")
    if part["interval"]:
        lines.append(f"95 % interval {part['interval'][0]:.3g} to {part['interval'][1]:.3g}")
    text = "; ".join(lines)
    message = plain(part.get("message"))
    if part.get("line"):
        message += f" (line {part['line']})"
    return "\n".join(line for line in (text, message.strip()) if line)


def failed(state):
    """Something is wrong in a test of that state. Skipped and inconclusive are not: they cost nothing by themselves."""
    return state in ("fail", "error")


def hidden_alone(lab):
    """Only hidden tests of the lab fail, so that its message is about one of them."""
    wrong = [test for test in lab["tests"] if failed(test["state"])]
    return bool(wrong) and all(is_hidden(test) for test in wrong)


def lab_message(lab, for_students=True):
    """The first cause of a lab in a sentence; "" when there is none."""
    if for_students and hidden_alone(lab):
        return "A hidden test fails; every visible one passes. Which sizes and values did you not try?"
    return plain(lab["message"])


def ungraded(result):
    """The labs that the harness could not grade: their points are no verdict and must never be recorded as zero."""
    return [lab for lab in result["labs"]
            if lab["state"] == "harness_error" or any(test["state"] == "harness_error" for test in lab["tests"])]


def headline(result):
    """"412 of 600 points, 5 labs: 3 pass, 2 fail"."""
    labs = result["labs"]
    states = {}
    for lab in labs:
        states[lab["state"]] = states.get(lab["state"], 0) + 1
    words = ", ".join(f"{number} {state.replace('_', ' ')}" for state, number in states.items())
    return f"{result['score']} of {result['max_score']} points" + (f"; {count(len(labs), 'lab')}: {words}" if labs else "")

"""What a reader learns about a result: the same sentences for every format.

Of a hidden test a student reads what kind of thing is wrong, and nothing that reveals its inputs: the grader leaves that out
of the result, and only what a student may read is used here (`closed`).

Everything returned is plain text (text.plain): a format only adds the escapes of its own.
"""

from export.text import count, plain

NEIGHBOURS = 2   # lines shown above and below one that a finding names

UNKNOWN_STAGE = 99


def title(cause):
    """What people call a finding, or a first cause: "out of bounds". What an earlier kit wrote has only the code."""
    return plain(cause.get("title") or cause["code"].replace("_", " "), lines=False)


def stage(cause):
    """Place in the order of diagnosis; the lower explains the higher."""
    return cause.get("stage", UNKNOWN_STAGE)


def tells(finding, what):
    """Whether the message says that by itself: "values", "threads", "question"."""
    return what in finding.get("tells", ())


def hint(finding):
    """What to ask oneself; "" where the message asks already."""
    return "" if tells(finding, "question") else plain(finding["hint"])


def thread(finding):
    """"thread (1,0,0) of block (0,0,0)"; "" where the message says so, or no thread is known."""
    if tells(finding, "threads") or not finding["thread"] or not finding["block"]:
        return ""
    return f"thread {triple(finding['thread'])} of block {triple(finding['block'])}"


def place(file, line):
    """"scan.cu:14", or what there is of it."""
    name = plain(file, lines=False)
    return f"{name}:{line}" if name and line else name or (f"line {line}" if line else "")


def triple(numbers):
    """"(1,0,0)"."""
    return "(" + ",".join(str(number) for number in numbers) + ")"


def details(finding, closed=False):
    """The lines under a finding's title, as the terminal report has them."""
    if closed:
        return ["A hidden test fails here; its numbers are not shown."]
    lines = [plain(finding["message"])]
    lines.append(thread(finding))
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


def advice(finding):
    """What to ask oneself, and what to read."""
    lines = [hint(finding)] if hint(finding) else []
    return lines + ([f"Read: {plain(finding['handout'], lines=False)}"] if finding.get("handout") else [])


def excerpt(lab, finding):
    """The student's lines that a finding names, with their neighbours, as far as the result has them."""
    named = [line for line in (finding["line"], finding["line2"]) if line]
    shown = [one for one in lab.get("source") or [] if any(abs(one["line"] - line) <= NEIGHBOURS for line in named)]
    return [f"  {'>' if one['line'] in named else ' '} {one['line']:>4} | {plain(one['text'], lines=False)}"
            for one in shown]


def describe(finding, lab, closed=False):
    """A finding as lines of text."""
    where = place(finding["file"], finding["line"])
    lines = [title(finding) + (f"   {where}" if where else "")]
    lines += ["  " + part for line in details(finding, closed) for part in line.split("\n")]
    for part in (excerpt(lab, finding), advice(finding)):
        lines += [""] + part if part else []
    return lines


def is_hidden(test):
    return test["visibility"] == "hidden"


def describe_test(test, lab, closed=False):
    """What a reader learns about a test: its purpose, its message, its first cause in full, the others by name."""
    lines = [plain(test["purpose"])] if test["purpose"] else []
    findings = test["findings"]
    if findings:
        lines += [""] + describe(findings[0], lab, closed)
        others = list(dict.fromkeys(f"{title(other)} ({place(other['file'], other['line'])})"
                                    if other["line"] else title(other) for other in findings[1:]))
        if test.get("findings_left_out") and not closed:
            others.append(f"and {test['findings_left_out']} more")
        if others:
            lines += ["", "also found, perhaps only as a consequence: " + ", ".join(others)]
    elif test["message"] and not closed:
        lines += ["", plain(test["message"])]
    if not closed and (test["expected"] is not None or test["actual"] is not None):
        where = f" in {plain(test['place'])}" if test.get("place") else ""
        lines += ["", f"expected {plain(test['expected'])}{where}, got {plain(test['actual'])}"]
    return "\n".join(lines).strip("\n")


def describe_diagnostics(lab):
    """The compiler's messages, one per line."""
    return "\n".join(f"{place(one['file'], one['line'])}: {plain(one['severity'])}: {plain(one['message'])}"
                     f"{'. ' + plain(one['advice']) if one.get('advice') else ''}".lstrip(": ")
                     for one in lab["diagnostics"])


def metric(part):
    """Name of a budget."""
    if part.get("title"):
        return plain(part["title"], lines=False)
    words = plain(part["metric"], lines=False).replace("_", " ")
    return f"time: {words}" if part["track"] == "time" else words


def describe_budget(part):
    """What a budget was, what was reached, and what that means."""
    lines = []
    if part["ratio"] is not None:
        against = "the ideal" if part["ideal"] is not None else "the reference" if part["reference"] is not None else None
        lines.append(f"{part['ratio']:.3g}" + (f" times {against}" if against else ""))
    if part["full_at"] is not None and part["zero_at"] is not None:
        lines.append(f"full points up to {part['full_at']:g}, none from {part['zero_at']:g} on")
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


def causes(lab):
    """(finding, closed) of the tests that fail, each line and kind once, in the order of diagnosis.
    closed: only hidden tests have it."""
    found = {}
    for test in sorted(lab["tests"], key=is_hidden):
        for finding in test["findings"] if failed(test["state"]) else []:
            key = (finding["code"], finding["file"], finding["line"], finding["array"])
            found.setdefault(key, (finding, is_hidden(test)))
    return sorted(found.values(), key=lambda one: stage(one[0]))


def lab_message(lab):
    """The first cause of a lab in a sentence; "" when there is none."""
    wrong = [test for test in lab["tests"] if failed(test["state"])]
    if not wrong or not all(map(is_hidden, wrong)):
        return plain(lab["message"])
    first = next((finding for finding, _ in causes(lab)), None)
    if first is None:
        return "A hidden test fails; every visible one passes."
    where = place(first["file"], first["line"])
    return (f"{where}: " if where else "") + f"A hidden test fails: {title(first)}. Every visible one passes."


def verdict(lab):
    """The state of a lab as a sentence, for where it has no message."""
    if lab["state"] == "pass":
        return "Every test passes." if lab["score"] == lab["max_score"] else "Every test passes; performance costs points."
    return {"fail": "A test fails.", "error": "It could not run."}.get(lab["state"], plain(lab["state"]).replace("_", " "))


def ungraded(result):
    """The labs that the harness could not grade: their points are not a verdict and must never be recorded as zero."""
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

"""A result as GitHub's Markdown: the job summary, the body of a release.

Text of a submission is never Markdown: within a line every character with a meaning becomes a numeric entity, which
CommonMark takes as plain text; blocks are in <pre>, with &, < and > escaped.
"""

import html
import re
import textwrap

from export import view
from export.text import count, cut, plain

# ASCII signs that mean nothing inside a line of text. ':' and '.' make links.
HARMLESS_SIGNS = frozenset(" ,;()'/?=-+")

# GitHub looks for mentions and issues in the text that Markdown became; only an element of its own keeps the sign apart.
APART = {"@": "<span>&#64;</span>", "#": "<span>&#35;</span>"}

COLUMNS = 100
CODE_LINE = re.compile(r"  [> ] +\d+ \|")   # of view.excerpt
BLOCK_LIMIT_CHARACTERS = 6000
PICTURE_WORDS = {"pass": "pass", "fail": "**FAIL**", "error": "**ERROR**", "harness_error": "**not graded**"}


def inline(text):
    """text as it is, in one line, wherever Markdown allows text, table cells included."""
    return "".join(sign if not sign.isascii() or sign.isalnum() or sign in HARMLESS_SIGNS
                   else APART.get(sign, f"&#{ord(sign)};") for sign in plain(text, lines=False))


def block(text):
    """text as it is, in lines of its own."""
    return f"<pre>{html.escape(cut(plain(text), BLOCK_LIMIT_CHARACTERS))}\n</pre>\n"


def wrap(text):
    """text in lines that fit the page; what a line goes on with is indented like it."""
    lines = []
    for line in text.split("\n"):
        indent = line[:len(line) - len(line.lstrip())]
        whole = CODE_LINE.match(line) or not line.strip()
        lines += [line] if whole else textwrap.wrap(line, COLUMNS, subsequent_indent=indent, break_on_hyphens=False)
    return "\n".join(lines)


def word(state):
    return PICTURE_WORDS.get(state, inline(state))


def points(part):
    """"5/10", without points what is not graded."""
    return "–" if part["state"] == "harness_error" else f"{part['score']}/{part['max_score']}"


def table(headings, rows):
    """Cells are Markdown already."""
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows]) + "\n"


def fold(summary, body):
    """A part that is closed at first. The blank lines make the body Markdown."""
    return f"<details><summary>{html.escape(plain(summary, lines=False))}</summary>\n\n{body}\n</details>\n"


def lab_section(lab):
    """What is wrong in a lab, and its tests."""
    parts = [f"### {inline(lab['lab'])}\n"]
    if lab["diagnostics"]:
        parts.append(block(view.describe_diagnostics(lab)))
    found = [wrap("\n".join(view.describe(finding, lab, closed))) for finding, closed in view.causes(lab)]
    if not found and lab["message"]:
        parts.append(f"{inline(view.lab_message(lab))}\n")
    if found:
        repair = (lab.get("repair") or {}).get("message")
        parts.append(block(found[0] + (f"\n\n{wrap(plain(repair))}" if repair else "")))
        if found[1:]:
            parts.append(fold(f"also found, perhaps a consequence ({len(found) - 1})", block("\n\n".join(found[1:]))))
    rows = [(inline(test["name"]), inline(test["purpose"]), word(test["state"]), points(test)) for test in lab["tests"]]
    rows += [(inline(view.metric(part)), inline(view.describe_budget(part)), word(part["state"]), points(part))
             for part in lab["performance"]]
    passed = sum(test["state"] == "pass" for test in lab["tests"])
    parts.append(fold(f"{passed} of {count(len(lab['tests']), 'test')} pass",
                      table(("test", "purpose", "verdict", "points"), rows)))
    if lab["printf"]:
        parts.append(fold("what the kernels printed", block(lab["printf"])))
    return "\n".join(part for part in parts if part)


def report(result, limit_bytes):
    """The whole report, of at most limit_bytes of UTF-8: a lab that does not fit is left out, and a line says so."""
    lines = [f"## Lockstep: {inline(view.headline(result))}\n"]
    if view.ungraded(result):
        names = ", ".join(inline(lab["lab"]) for lab in view.ungraded(result))
        lines.append(f"> The grader itself failed on {names}. That is not a zero: it must be graded again.\n")
    lines.append(table(("lab", "verdict", "points", "first cause"),
                       [(inline(lab["lab"]), word(lab["state"]), points(lab), cut(inline(view.lab_message(lab)), 2000))
                        for lab in result["labs"]]))
    closing = (f"Same inputs again: `lockstep grade --seed {result['seed']}` &nbsp; kit {inline(result['kit']['version'])}"
               f"{', ' + inline(result['machine']['device']) if result['machine']['device'] else ''}\n")
    left_out = "Some labs are left out here, because the page would be too long; the result file has everything.\n\n"
    room = limit_bytes - sum(len(line.encode()) + 1 for line in (*lines, closing, left_out))
    for lab in result["labs"]:
        if lab["state"] == "pass" and lab["score"] == lab["max_score"]:
            continue
        section = lab_section(lab)
        room -= len(section.encode()) + 1
        if room < 0:
            lines.append(left_out)
            break
        lines.append(section)
    return "\n".join((*lines, closing))

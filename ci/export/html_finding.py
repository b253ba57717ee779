"""A finding on a page: what, where, why, the lines of the file with the expressions that are meant."""

import re

from export import view
from export.markup import Markup, code, el, flat, isolated, shown
from export.text import count

AROUND = 2
HANDOUT = re.compile(r'handouts/(\w+)\.md(?:, "(.*)")?$')

# ---- lines of the file --------------------------------------------------------------------------------------------------


def marked(text, spans):
    """A line as HTML, with the parts given by columns (from 1) and widths in bytes of UTF-8 marked."""
    data, pieces, at = text.encode("utf-8", errors="replace"), [], 0
    for column, width in sorted(spans):
        first, last = column - 1, column - 1 + width
        if first < at or last > len(data):
            continue   # overlapping, or of another line
        pieces += [shown(data[at:first].decode("utf-8", errors="replace")),
                   el("mark", data[first:last].decode("utf-8", errors="replace"))]
        at = last
    return Markup("".join(pieces) + shown(data[at:].decode("utf-8", errors="replace")))


def excerpt(lab, places, spans):
    """The lines around the places, as far as the result has them; None when it has none of the places themselves.
        spans    {line: [(column, width)]}"""
    source = {entry["line"]: entry for entry in lab.get("source") or []}
    places = [line for line in places if line in source]
    if not places:
        return None
    wanted = sorted({line + step for line in places for step in range(-AROUND, AROUND + 1)} & set(source))
    lines, before = [], None
    for number in wanted:
        if before is not None and number > before + 1:
            lines.append(el("span", "⋮", class_="gap"))
        entry, before = source[number], number
        hit = number in places
        body = marked(entry["text"], [] if entry.get("altered") else spans.get(number, [])) if hit else shown(entry["text"])
        lines.append(el("span", el("span", "→" if hit else None, class_="arrow", aria_hidden="true" if hit else None),
                        el("span", str(number), class_="number"), el("span", body, class_="text"),
                        class_="line hit" if hit else "line"))
    return el("pre", el("code", lines), class_="excerpt")


def finding_excerpt(lab, finding):
    spans = {}
    for mark in finding.get("marks") or []:
        spans.setdefault(mark["line"], []).append((mark["column"], mark["width"]))
    if finding["code"] == "compile" and finding["line"] and not spans:
        first = next((one for one in lab["diagnostics"] if one["severity"] == "error" and one["column"]), None)
        if first and first["line"] == finding["line"]:
            spans[first["line"]] = [(first["column"], 1)]
    return excerpt(lab, [line for line in (finding["line"], finding["line2"]) if line], spans)


# ---- words --------------------------------------------------------------------------------------------------------------


def file_name(path):
    return flat(path).rsplit("/", 1)[-1]


def place(finding):
    """"scan.cu, lines 16 and 21"."""
    if not finding["line"]:
        return None
    other = finding["line2"]
    elsewhere = other and finding["file2"] and finding["file"] and finding["file2"] != finding["file"]
    lines = f"lines {finding['line']} and {other}" if other and other != finding["line"] and not elsewhere else \
        f"line {finding['line']}"
    return [isolated(file_name(finding["file"])) if finding["file"] else None, ", " if finding["file"] else None, lines,
            [" and ", isolated(file_name(finding["file2"])), f", line {other}"] if elsewhere else None]


def who(finding):
    """Which thread, and how many more like it; None where the message says so."""
    said = "thread (" in (finding["message"] or "") or finding["code"] == "early_exit"
    if said or not finding["thread"] or not finding["block"]:
        return None
    more = (finding["count"] or 1) - 1
    return f"thread {view.triple(finding['thread'])} of block {view.triple(finding['block'])}" + \
        (f", and {count(more, 'more', 'more')} like it" if more else "")


def calls(lab, finding):
    """How the access came about: in a header, in a function, called from where."""
    parts = []
    inside, frames = finding.get("inside"), finding.get("called_from") or []
    if inside:
        parts.append(el("li", "the access itself: ", code(flat(inside["function"]) or "a header"),
                        f" ({view.place(inside['file'], inside['line'])})"))
    source = {entry["line"]: entry["text"] for entry in lab.get("source") or []}
    for i, frame in enumerate(frames):
        here = source.get(frame["line"]) if frame["file"] == finding["file"] else None
        name = flat(finding.get("function")) or "a function"
        parts.append(el("li", [code(name), " was called at "] if i == 0 else "which was called at ", f"line {frame['line']}"
                        if frame["line"] else "an unknown line",
                        None if frame["file"] == finding["file"] else [" of ", isolated(file_name(frame["file"]))],
                        [" in ", code(flat(frame["function"]))] if frame["function"] else None,
                        [": ", code(here.strip())] if here else None))
    return [el("p", "How the program came there:", class_="label"), el("ol", parts, class_="calls")] if parts else None


def slug(heading):
    """The anchor of a heading, as GitHub and the handouts' site name it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def handout(words, settings):
    """'handouts/04_scan.md, "In a block"', as a link where the handouts' address is known."""
    words = flat(words)
    match = HANDOUT.match(words)
    if settings.handouts is None or not match:
        return words
    target = f"{settings.handouts}/{match.group(1)}.html" + (f"#{slug(match.group(2))}" if match.group(2) else "")
    return el("a", words, href=target)


def question(finding):
    """The hint; none where the message ends with a question already."""
    message = finding["message"] or ""
    return finding["hint"] if finding["hint"] and finding["hint"] not in message and "?" not in message else None


def describe(lab, finding, seen):
    """Everything about a finding but its title, place and handout.
        seen    what the lab's part of the page has said already, and need not say again; grows"""
    def fresh(*what):
        known = what in seen
        seen.add(what)
        return not known

    paragraphs = [finding["message"], who(finding)]
    after = [finding.get("arithmetic"), finding.get("remark")]
    after = [text for text in after if text and fresh("fact", text)]
    schedule = finding.get("schedule")
    hint = question(finding)
    new_lines = fresh("lines", finding["line"], finding["line2"], str(finding.get("marks")))
    lines = finding_excerpt(lab, finding) if new_lines else None
    return [[el("p", text, class_="words" if i == 0 else "words soft") for i, text in enumerate(paragraphs) if text],
            calls(lab, finding), [el("p", text, class_="words") for text in after],
            el("p", "It was found with the threads in this order: ", flat(schedule), ".", class_="soft")
            if schedule else None,
            lines, el("p", hint, class_="question words") if hint and fresh("hint", hint) else None]


def heading_words(finding):
    """"race in shared memory", with the pattern of wrong values."""
    pattern = finding["pattern"]
    more = f" ({flat(pattern).replace('_', ' ')})" if pattern and pattern != "other" else ""
    return view.title(finding["code"]) + more

"""What a page shows of a finding (templates/finding.html): what, where, why, the lines of the file with the
expressions in question."""

import functools
import os
import re

from export import view
from export.render import file_name, flat

AROUND = 2
HANDOUT = re.compile(r'handouts/(\w+)\.md(?:, "(.*)")?$')

# ---- lines of the file --------------------------------------------------------------------------------------------------


def marked(text, spans):
    """A line as (text, whether it is marked), by columns (from 1) and widths in bytes of UTF-8."""
    data, parts, at = text.encode("utf-8", errors="surrogatepass"), [], 0
    for column, width in sorted(spans):
        first, last = column - 1, column - 1 + width
        if first < at or last > len(data):
            continue   # overlapping, or of another line
        parts += [(data[at:first], False), (data[first:last], True)]
        at = last
    parts.append((data[at:], False))
    return [(part.decode("utf-8", errors="surrogatepass" if part == data else "replace"), is_marked)
            for part, is_marked in parts if part]


def excerpt(lab, places, spans):
    """The lines around the places, as far as the result has them; None when it has none of the places themselves.
        spans    {line: [(column, width)]}"""
    source = {entry["line"]: entry for entry in lab["source"]}
    places = [line for line in places if line in source]
    if not places:
        return None
    wanted = sorted({line + step for line in places for step in range(-AROUND, AROUND + 1)} & set(source))
    lines, before = [], None
    for number in wanted:
        entry, hit = source[number], number in places
        lines.append({"number": number, "hit": hit, "gap": before is not None and number > before + 1,
                      "parts": marked(entry["text"], spans.get(number, []) if hit and not entry.get("altered") else [])})
        before = number
    return lines


def finding_excerpt(lab, finding):
    spans = {}
    for mark in finding["marks"]:
        spans.setdefault(mark["line"], []).append((mark["column"], mark["width"]))
    if finding["code"] == "compile" and finding["line"] and not spans:
        first = next((one for one in lab["diagnostics"] if one["severity"] == "error" and one["column"]), None)
        if first and first["line"] == finding["line"]:
            spans[first["line"]] = [(first["column"], 1)]
    return excerpt(lab, [line for line in (finding["line"], finding["line2"]) if line], spans)


# ---- words --------------------------------------------------------------------------------------------------------------


def place(finding):
    """"scan.cu, lines 16 and 21", in parts; None: nowhere."""
    if not finding["line"]:
        return None
    other = finding["line2"]
    elsewhere = other and finding["file2"] and finding["file"] and finding["file2"] != finding["file"]
    lines = f"lines {finding['line']} and {other}" if other and other != finding["line"] and not elsewhere else \
        f"line {finding['line']}"
    return {"file": finding["file"] and file_name(finding["file"]), "lines": lines,
            "second_file": elsewhere and file_name(finding["file2"]), "second_line": other}


def who(finding):
    """Which thread, and how often it happened; "" where the message says so."""
    thread, times = view.thread(finding), finding["count"] or 1
    accesses = finding["code"] in ("out_of_bounds", "misaligned", "uninitialized", "read_only_write")
    told = times > 1 and not finding["code"].startswith(("barrier_", "deadlock"))
    return thread + (f"; {times} such {'accesses' if accesses else 'errors'} in all" if thread and told else "")


def inside(finding):
    """The access itself, where it is in a header."""
    frame = finding["inside"]
    return frame and {"function": flat(frame["function"]) or "a header", "place": view.place(frame["file"], frame["line"])}


def calls(lab, finding):
    """The calls that led to the access, innermost first."""
    source = {entry["line"]: entry["text"] for entry in lab["source"]}
    return [{"line": frame["line"], "file": None if frame["file"] == finding["file"] else file_name(frame["file"]),
             "function": flat(frame["function"]),
             "text": source.get(frame["line"], "").strip() if frame["file"] == finding["file"] else None}
            for frame in finding["called_from"]]


def slug(heading):
    """The anchor of a heading, as GitHub and the handouts' site name it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def handout(words, settings):
    """'handouts/scan.md, "In a block"' as words and an address (None where the handouts' address is not known)."""
    words = flat(words)
    match = HANDOUT.match(words)
    if settings.handouts is None or not match:
        return {"words": words, "address": None}
    anchor = f"#{slug(match.group(2))}" if match.group(2) else ""
    return {"words": words, "address": f"{settings.handouts}/{match.group(1)}.html{anchor}"}


@functools.cache
def glossary():
    """The words that reports explain (runtime/tables/glossary.def), as one expression; None where that table is missing."""
    kit = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    try:
        with open(os.path.join(kit, "runtime", "tables", "glossary.def"), encoding="utf-8") as file:
            words = re.findall(r'^WORD\("([^"]*)"\)', file.read(), re.M)
    except OSError:
        return None
    longest_first = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<![\w])({longest_first})s?(?!\w)", re.I) if words else None


def glossed(text, settings, seen):
    """A text as parts (words, address): each word of the glossary is a link, once in a lab's part of the page, where the
    handouts' address is known."""
    parts, at = [], 0
    expression = glossary() if settings.handouts is not None else None
    for match in expression.finditer(text or "") if expression else ():
        word = match.group(1).lower()
        if ("word", word) in seen:
            continue
        seen.add(("word", word))
        parts += [(text[at:match.start()], None), (match.group(0), f"{settings.handouts}/glossary.html#{slug(word)}")]
        at = match.end()
    return [part for part in parts + [((text or "")[at:], None)] if part[0]]


def heading_words(finding):
    """"race in shared memory", with the pattern of wrong values."""
    pattern = finding["pattern"]
    more = f" ({flat(pattern).replace('_', ' ')})" if pattern and pattern != "other" else ""
    return view.title(finding) + more


def describe(lab, finding, settings, seen):
    """Everything about a finding.
        seen    what the lab's part of the page has said already, and need not say again; grows"""
    def fresh(*what):
        known = what in seen
        seen.add(what)
        return not known

    facts = [text for text in (finding["arithmetic"], finding["remark"]) if text and fresh("fact", text)]
    hint = view.hint(finding)
    new_lines = fresh("lines", finding["line"], finding["line2"], str(finding["marks"]))
    return {"heading": heading_words(finding), "place": place(finding),
            "message": glossed(finding["message"], settings, seen), "who": who(finding),
            "inside": inside(finding), "calls": calls(lab, finding), "function": flat(finding["function"]) or "a function",
            "facts": facts, "schedule": flat(finding["schedule"]),
            "excerpt": finding_excerpt(lab, finding) if new_lines else None,
            "question": hint if hint and fresh("hint", hint) else None}

"""The page around the timeline, and the picture by itself. Without a script the page is the timeline with the place that
matters marked, the source and the words."""

import json
import os

from export.markup import el, flat, Markup, page as document, shown
from trace import grid, marks as marks_of

HERE = os.path.dirname(os.path.abspath(__file__))
WINDOW = 128          # elements of a shared array that are shown at once
PICTURE_ROWS, PICTURE_COLUMNS = 16, 9
CUTS = {"steps": "The block takes more steps than are written down: the first 4000 of all its warps are here.",
        "bytes": "The block does more than is written down: the end is missing.",
        "columns": "The block takes more steps than a page shows: the first 400 of each warp are here."}
LEGEND = (("active", "executes the line"), ("access shared", "reads or writes shared memory"),
          ("access global", "reads or writes device memory"), ("idle", "takes no part"), ("barrier", "waits at a barrier"),
          ("collides", "costs more than it must"), ("bad", "a finding"))


def style():
    texts = []
    for path in (os.path.join(os.path.dirname(HERE), "export", "pages.css"), os.path.join(HERE, "trace.css")):
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return "".join(texts)


def script():
    with open(os.path.join(HERE, "trace.js"), encoding="utf-8") as file:
        return file.read()


def title(trace, launch):
    block = ",".join(map(str, launch.block))
    return f"{launch.kernel}, block {block}, {trace.case['name']}"


def data(launch, seen, layout):
    numbers = {id(array): number for number, array in launch.arrays.items()}
    columns = []
    for number, steps in enumerate(launch.columns):
        columns.append({
            "x": round(layout.x[number], 1), "width": round(layout.width[number], 1),
            "interval": next(iter(steps.values())).interval,
            "steps": {warp: {"line": step.line, "mask": step.mask, "live": step.live, "at": step.at, "order": step.order,
                             "requests": [{"kind": request.kind, "array": numbers[id(request.array)], "units": request.units,
                                           "ideal": request.ideal, "shared": request.is_shared,
                                           "lanes": [[access.lane, access.index, access.value]
                                                     for access in request.accesses]}
                                          for request in step.requests]} for warp, step in steps.items()}})
    return {
        "columns": columns, "focus": seen.focus, "window": WINDOW,
        "arrays": [{"name": flat(launch.arrays[number].name), "space": launch.arrays[number].space,
                    "count": launch.arrays[number].count, "columns": launch.arrays[number].columns}
                   for number in sorted(launch.arrays)],
        "names": [launch.thread_name(thread) for thread in range(launch.threads)],
        "y": [layout.y[thread] for thread in range(launch.threads)],
        "found": [{"finding": mark.is_finding, "cells": mark.cells, "text": flat(mark.text)} for mark in seen.marks],
        "spots": [cell for mark in seen.marks for cell in mark.cells[:2]]}


def bad_cells(seen):
    return {cell for mark in seen.marks if mark.is_finding for cell in mark.cells}


def svg(layout, pieces, name, extra=()):
    return el("svg", el("title", name), *extra, *pieces, xmlns="http://www.w3.org/2000/svg", width=f"{layout.right:.0f}",
              height=str(layout.height), viewBox=f"0 0 {layout.right:.0f} {layout.height}", role="img")


def listing(trace, focus_line):
    rows = []
    for number, line in enumerate(trace.about["source"].split("\n"), 1):
        rows.append(el("span", el("span", str(number), class_="number"), line.rstrip("\r"), "\n", id=f"line-{number}",
                       class_="row lit" if number == focus_line else "row"))
    return el("pre", el("code", rows), class_="listing scroll", tabindex="0", aria_label="the source")


def static_memory(launch, focus):
    """The shared arrays at the focus: what a page without a script shows."""
    state = {}
    for step in sorted(launch.steps, key=lambda step: (step.column, step.order)):
        if step.column > focus[0]:
            break
        for access in step.accesses:
            if access.array.space == "shared" and access.value is not None:
                state.setdefault(id(access.array), {})[access.index] = access.value
    pieces = []
    for array in launch.arrays.values():
        if array.space != "shared":
            continue
        cells = [el("span", el("small", str(i)), state.get(id(array), {}).get(i, "?"))
                 for i in range(min(array.count, WINDOW))]
        pieces += [el("h3", f"{array.name}, {array.count} elements"), el("div", cells, class_="memory")]
    return pieces or el("p", "The kernel has no shared memory.", class_="soft")


def told_elsewhere(trace, seen):
    """What the grading is about, where it does not show in the steps; None where it does."""
    cause = trace.case.get("cause")
    if not cause or any(mark.code == cause["code"] for mark in seen.marks):
        return None
    return f"The grader says, of what does not show in one step: {cause['title']}: {cause['message'] or 'see the report'}"


def seen_words(trace, seen):
    told = told_elsewhere(trace, seen)
    first = [el("p", el("strong", told))] if told else []
    last = [el("p", note, class_="soft") for note in seen.notes]
    if not seen.marks:
        return first + last or [el("p", "The block shows no finding, and no request that costs more than it must.")]
    return first + [el("p", el("strong", mark.text) if i == 0 and not told else mark.text)
                    for i, mark in enumerate(seen.marks[:6])] + last


def legend():
    def sample(kind):
        return el("svg", grid.rect(1, 1, 20, 12, kind), width="22", height="14", aria_hidden="true")
    return el("ul", [el("li", sample(kind), " ", words) for kind, words in LEGEND], class_="legend")


def buttons():
    rows = (("left", "← step"), ("right", "step →"), ("up", "↑ thread"), ("down", "↓ thread"),
            ("barrier", "next barrier (n)"), ("finding", "next finding (f)"))
    return el("div", [el("button", words, type="button", data_act=name) for name, words in rows], class_="keys", hidden=True)


def page(trace, launch, seen):
    layout = grid.Layout(launch, list(range(launch.threads)), list(range(len(launch.columns))))
    column, thread = seen.focus
    step = launch.columns[column].get(thread // 32) if launch.columns else None
    pieces = grid.draw(layout, bad_cells(seen))
    if launch.columns:
        pieces.append(Markup(f'<rect id="here" class="here" x="{layout.x[column]:.1f}" y="{layout.y[thread]}" '
                             f'width="{layout.width[column]:.1f}" height="{grid.ROW}"/>'))
    name = title(trace, launch)
    about = trace.about
    order = trace.case.get("schedule", "ascending")
    facts = (f"{about['path']}, {trace.case['purpose']}; grid {launch.grid[0]} × {launch.grid[1]} × {launch.grid[2]}, "
             f"{launch.threads} threads a block; --seed {about['seed']}" +
             (f"; order of threads: {order}" if order != "ascending" else ""))
    text = json.dumps(data(launch, seen, layout), separators=(",", ":")).replace("<", "\\u003c") if launch.columns else None
    return document(
        name, style(), script() if text else "",
        el("header", el("h1", name), el("p", facts, class_="soft")), "\n",
        el("main", seen_words(trace, seen),
           el("p", CUTS[launch.cut], class_="notice") if launch.cut else None, legend(), buttons(),
           el("p", el("span", "Click into the timeline; then ← → step, ↑ ↓ thread, n the next barrier, f the next finding. "
                      "Warps run independently; their steps are lined up at the barriers.", class_="soft")),
           el("div", svg(layout, pieces, name), class_="grid", tabindex="0", role="group",
              aria_label="timeline: threads down, steps across; arrow keys move"), "\n",
           el("p", seen.marks[0].text if seen.marks else "", id="now", class_="now", role="status", aria_live="polite"),
           el("div", el("section", el("h2", "Source"), listing(trace, step.line if step else 0)),
              el("section", el("h2", "Shared memory"), el("div", static_memory(launch, seen.focus), id="memory")),
              class_="below"), id="main", tabindex="-1"), "\n",
        Markup(f'<script type="application/json" id="data">{text}</script>') if text else None, wide=True)


# ---- the picture by itself ------------------------------------------------------------------------------------------


def picture_rows(launch, mark):
    """Threads around the cells of the mark: one stretch, or one around each of two."""
    if mark is None or not mark.is_finding:
        first = (mark.cells[0][1] if mark else 0) // 32 * 32
        return list(range(first, min(first + 32, launch.threads)))
    half = PICTURE_ROWS // 2 if len(mark.cells) > 1 and abs(mark.cells[0][1] - mark.cells[1][1]) >= PICTURE_ROWS // 2 \
        else PICTURE_ROWS
    rows = set()
    for _, thread in mark.cells[:2]:
        first = max(0, min(thread - half // 2, launch.threads - half))
        rows.update(range(first, min(first + half, launch.threads)))
    return sorted(rows)[:2 * PICTURE_ROWS]


def picture_columns(launch, mark, rows):
    """Columns around the mark in which something is to be seen, at most PICTURE_COLUMNS."""
    warps = {thread // 32 for thread in rows}
    some = [number for number, steps in enumerate(launch.columns)
            if any(warp in warps and (step.requests or step.at in ("barrier", "warp_barrier"))
                   for warp, step in steps.items())]
    cells = [cell[0] for cell in mark.cells[:2]] if mark else [0]
    some = sorted(set(some) | {column for column in cells})
    middle = some.index(min(cells))
    first = max(0, min(middle - PICTURE_COLUMNS // 2 + 1, len(some) - PICTURE_COLUMNS))
    return some[first:first + PICTURE_COLUMNS]


def picture(trace, launch, seen):
    """The place that matters, as an SVG file for light and dark pages."""
    mark = seen.marks[0] if seen.marks else None
    rows = picture_rows(launch, mark)
    layout = grid.Layout(launch, rows, picture_columns(launch, mark, rows) if launch.columns else [])
    words = " ".join(([mark.text] if mark else []) + seen.notes) or "Nothing stands out."
    pieces = grid.draw(layout, bad_cells(seen))
    layout.right = max(layout.right, 640)
    shift = 6
    lines, line = [], ""
    for word in words.split():
        if len(line) + len(word) > layout.right / 6.6:
            lines.append(line)
            line = ""
        line = f"{line} {word}".strip()
    lines.append(line)
    for number, text in enumerate(lines):
        pieces.append(grid.text(4, layout.height + 14 + 16 * number, text, "words"))
    layout.height += 16 * len(lines) + shift
    colours = el("style", Markup(SVG_STYLE))
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + svg(
        layout, [Markup("\n" + piece) for piece in pieces], f"{title(trace, launch)}: {flat(words)}", [colours]) + "\n"


SVG_STYLE = """
svg { --ground: #fff; --text: #1f2328; --soft: #545d68; --rule: #d1d9e0; --panel: #f6f8fa; --bad: #a40e26;
  --good-ground: #dafbe1; --odd-ground: #fff3c9; --some: #d9a521; --accent: #2f6fb3; background: var(--ground); }
@media (prefers-color-scheme: dark) { svg { --ground: #0d1117; --text: #e6edf3; --soft: #a0a9b4; --rule: #3d444d;
  --panel: #161b22; --bad: #ff9c94; --good-ground: #0f2d1a; --odd-ground: #33280a; --some: #b98a17; --accent: #5596d8; } }
text { fill: var(--text); font: 11px system-ui, "Liberation Sans", "DejaVu Sans", sans-serif; }
.mono { font: 10px ui-monospace, "Liberation Mono", "DejaVu Sans Mono", monospace; } .words { font-size: 13px; }
.soft { fill: var(--soft); } .loud { fill: var(--bad); } .strong { font-weight: 700; }
.active { fill: var(--good-ground); } .idle, .gone, .collides, .bad { fill: none; }
.idle { stroke: var(--rule); stroke-dasharray: 1 3; }
.access.shared { fill: var(--odd-ground); stroke: var(--some); }
.access.global { fill: var(--panel); stroke: var(--accent); }
.barrier, .waiting { fill: var(--soft); fill-opacity: 0.25; } .barrier { fill-opacity: 0.5; }
.collides { stroke: var(--bad); stroke-dasharray: 3 2; } .bad { stroke: var(--bad); stroke-width: 3; }
.wall { fill: var(--text); }
"""


def words(trace, launch, seen, out, drawn):
    """For the terminal: where it is, and what to look for."""
    lines = [flat(title(trace, launch))]
    told = told_elsewhere(trace, seen)
    lines += [f"  {flat(told)}"] if told else []
    lines += [f"  {flat(text)}" for text in [mark.text for mark in seen.marks[:3]] + seen.notes]
    if len(lines) == 1:
        lines.append("  No finding, and no request that costs more than it must.")
    if launch.cut:
        lines.append(f"  {CUTS[launch.cut]}")
    lines += [f"  written to {flat(path)}" for path in (out, drawn) if path]
    return lines

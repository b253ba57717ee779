"""The page around the timeline (templates/trace.html), and the picture by itself (templates/picture.svg). Without a script
the page is the timeline with the place that matters marked, the source and the words."""

from export.render import asset, environment, flat, Markup, render
from trace import grid

WINDOW = 128          # elements of a shared array that are shown at once
PICTURE_ROWS, PICTURE_COLUMNS = 16, 9
CUTS = {"steps": "The block takes more steps than are recorded: the first 4000 of all its warps are here.",
        "bytes": "The block does more than is recorded: the end is missing.",
        "columns": "The block takes more steps than a page shows: the first 400 of each warp are here."}
LEGEND = (("active", "executes the line"), ("access shared", "reads or writes shared memory"),
          ("access global", "reads or writes device memory"), ("idle", "takes no part"), ("barrier", "waits at a barrier"),
          ("collides", "costs more than it must"), ("bad", "a finding"))


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


def static_memory(launch, focus):
    """The shared arrays at the focus: what a page without a script shows."""
    state = {}
    for step in sorted(launch.steps, key=lambda step: (step.column, step.order)):
        if step.column > focus[0]:
            break
        for access in step.accesses:
            if access.array.space == "shared" and access.value is not None:
                state.setdefault(id(access.array), {})[access.index] = access.value
    return [{"name": array.name, "count": array.count,
             "cells": [state.get(id(array), {}).get(i, "?") for i in range(min(array.count, WINDOW))]}
            for array in launch.arrays.values() if array.space == "shared"]


def told_elsewhere(trace, seen):
    """What the grading is about, where it does not show in the steps; None where it does."""
    cause = trace.case.get("cause")
    if not cause or any(mark.code == cause["code"] for mark in seen.marks):
        return None
    return f"The first cause, which does not show in one step: {cause['title']}: {cause['message'] or 'see the report'}"


def said(trace, seen):
    """What there is to see, the most important first; [] when nothing stands out. Beside it stand seen.notes."""
    told = told_elsewhere(trace, seen)
    return ([told] if told else []) + [mark.text for mark in seen.marks[:6]]


def page(trace, launch, seen):
    layout = grid.Layout(launch, list(range(launch.threads)), list(range(len(launch.columns))))
    column, thread = seen.focus
    pieces, here, step = grid.draw(layout, bad_cells(seen)), None, None
    if launch.columns:
        step = launch.columns[column].get(thread // 32)
        here = grid.rect(layout.x[column], layout.y[thread], layout.width[column], grid.ROW, "here")
    order = trace.case.get("schedule", "ascending")
    return render(
        "trace.html", "pages.css trace.css", "trace.js" if launch.columns else "", wide=True, name=title(trace, launch),
        about=trace.about, case=trace.case, launch=launch, order=None if order == "ascending" else order, legend=LEGEND,
        cut=CUTS[launch.cut] if launch.cut else None, said=said(trace, seen), notes=seen.notes, layout=layout, pieces=pieces,
        here=here, now=seen.marks[0].text if seen.marks else "",
        source=[line.rstrip("\r") for line in trace.about["source"].split("\n")], lit=step.line if step else 0,
        memory=static_memory(launch, seen.focus), data=data(launch, seen, layout) if launch.columns else None)


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
    return environment().get_template("picture.svg").render(layout=layout, pieces=pieces, style=Markup(asset("picture.css")),
                                                            name=f"{title(trace, launch)}: {flat(words)}")


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

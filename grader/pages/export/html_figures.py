"""The geometry of the figures (templates/figures.html): a measured ratio beside its bounds, a program's timeline, how
scores are spread.
Places along a figure of any width are shares of it."""

import math

from export.render import flat
from export.text import count

# ---- a ratio and its bounds ---------------------------------------------------------------------------------------------

BAR_TOP, BAR_HEIGHT, BAR_ALL = 20, 14, 54


def anchor_at(place):
    """Words near an edge grow inwards."""
    return "start" if place < 0.12 else "end" if place > 0.88 else "middle"


def bar(part):
    """value/base of one budget: the stretch with all points, that with some, that with none, and where the submission is.
    None where nothing was measured, or there are no bounds."""
    ratio, full, zero = part["ratio"], part["full_at"], part["zero_at"]
    if None in (ratio, full, zero) or not all(map(math.isfinite, (ratio, full, zero))):
        return None
    if full == zero or min(full, zero) < 0:
        return None
    end = 1.25 * max(full, zero, 0.01)
    low, high = sorted((full, zero))
    first, last = ("full", "none") if full < zero else ("none", "full")
    here = min(max(ratio / end, 0), 1)
    below = BAR_TOP + BAR_HEIGHT + 16
    labels = [(here, BAR_TOP - 8, f"{ratio:.3g}" + (" →" if ratio > end else ""), "strong"),
              (full / end, below, f"all: {full:g}", None), (zero / end, below, f"none: {zero:g}", None)]
    return {"top": BAR_TOP, "thickness": BAR_HEIGHT, "height": BAR_ALL, "here": here,
            "zones": [{"x": a / end, "width": (b - a) / end, "kind": kind}
                      for a, b, kind in ((0, low, first), (low, high, "some"), (high, end, last))],
            "labels": [{"x": x, "y": y, "text": text, "kind": kind, "anchor": anchor_at(x)} for x, y, text, kind in labels],
            "words": f"The ratio and its bounds. Measured {ratio:.3g}; all points at {full:g}, none at {zero:g}, in "
                     "proportion between."}


# ---- a program's timeline -----------------------------------------------------------------------------------------------

LANE_HEIGHT, LANE_WORDS, LEVEL, MOST_LANES, MOST_PIECES, THINNEST = 38, 16, 6, 16, 1024, 0.002
LEVELS = {"to_device": (0, "copy to the device"), "kernel": (1, "kernel"), "to_host": (2, "copy to the host")}


def timeline(found):
    """A lane for each stream, in which each kind of work has a level of its own; None where there is no timeline."""
    if not found or not found["pieces"] or not math.isfinite(found["us"]) or found["us"] <= 0:
        return None
    streams = list(dict.fromkeys(piece["stream"] for piece in found["pieces"]))
    shown = {name: place for place, name in enumerate(streams[:MOST_LANES])}
    bars = []
    for piece in found["pieces"][:MOST_PIECES]:
        if piece["stream"] not in shown or piece["kind"] not in LEVELS:
            continue
        level, words = LEVELS[piece["kind"]]
        start, end = (min(max(piece[key] / found["us"], 0), 1) for key in ("start_us", "end_us"))
        what = f"{words} {piece['kernel']}" if piece["kernel"] else f"{words}, {count(piece['bytes'], 'byte')}"
        bars.append({"x": start, "width": max(end - start, THINNEST), "kind": piece["kind"],
                     "y": shown[piece["stream"]] * LANE_HEIGHT + LANE_WORDS + level * LEVEL,
                     "words": f"{flat(what)}{', line %d' % piece['line'] if piece['line'] else ''}: "
                              f"{piece['start_us']:.3g} to {piece['end_us']:.3g} µs"})
    base = len(shown) * LANE_HEIGHT + 4
    ticks = [{"x": share, "text": f"{share * found['us']:.3g}" + (" µs" if share == 1 else ""), "anchor": anchor_at(share)}
             for share in (0, 0.25, 0.5, 0.75, 1)]
    left = len(streams) - len(shown)
    return {"lanes": [{"y": place * LANE_HEIGHT + 12, "name": flat(name)} for name, place in shown.items()], "bars": bars,
            "level": LEVEL, "base": base, "height": base + 20, "ticks": ticks, "case": flat(found["case"]),
            "left": f" {count(left, 'more stream')} not shown." if left else "",
            "us": f"{found['us']:.3g}", "in_a_row_us": f"{found['in_a_row_us']:.3g}", "model": flat(found["model"]),
            "words": f"The timeline of {count(len(found['pieces']), 'piece')} of work in {count(len(streams), 'stream')}: "
                     f"{found['us']:.3g} µs; one at a time they take {found['in_a_row_us']:.3g} µs."}


# ---- how scores are spread ----------------------------------------------------------------------------------------------

BINS, SPREAD_HEIGHT, SPREAD_TOP = 10, 96, 18


def bin_of(share):
    """0..1 to one of ten classes; full score belongs to the last."""
    return min(int(share * BINS), BINS - 1)


def spread(shares, what):
    """A histogram of shares of the full score (0..1 each)."""
    counts = [0] * BINS
    for share in shares:
        counts[bin_of(min(max(share, 0), 1))] += 1
    most = max(counts) or 1
    columns = [{"x": (i + 0.06) / BINS, "middle": (i + 0.5) / BINS, "number": number,
                "height": max(round(number / most * (SPREAD_HEIGHT - SPREAD_TOP), 1), 2) if number else 0}
               for i, number in enumerate(counts)]
    ticks = [{"x": i / BINS, "text": f"{i * 100 // BINS}" + (" %" if i == BINS else ""), "anchor": anchor_at(i / BINS)}
             for i in range(0, BINS + 1, 2)]
    words = ", ".join(f"{i * 100 // BINS} to {(i + 1) * 100 // BINS} percent: {number}"
                      for i, number in enumerate(counts) if number)
    return {"columns": columns, "ticks": ticks, "width": 0.88 / BINS, "base": SPREAD_HEIGHT,
            "words": f"How the scores of {flat(what)} are spread. {count(len(shares), 'student')}. {words or 'none'}."}

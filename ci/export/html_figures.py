"""Figures as inline SVG: a measured ratio beside its bounds, how scores are spread.

Where a figure must fit any width, its places are percentages, so that its words keep their size; colours come from the
page's style sheet. Each has a title and a description for those who do not see it.
"""

import math

from export.markup import el, flat
from export.text import count


def number_text(value):
    """1234567 as "1,234,567"; 0.1234567 as "0.1235"; None as a dash."""
    if value is None:
        return "–"
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.4g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return f"{value:,.0f}" if isinstance(value, float) and math.isfinite(value) else f"{value:,}"


def svg(title, description, *children, class_=None, width=None, height=None, view=None):
    """An image with its text alternative."""
    return el("svg", *children, role="img", aria_label=f"{title}. {description}", class_=class_, width=width, height=height,
              viewBox=view)


def percent(value):
    return f"{100 * value:.2f}%"


# ---- a ratio and its bounds ---------------------------------------------------------------------------------------------

BAR_TOP, BAR_HEIGHT, BAR_ALL = 20, 14, 54


def anchor_at(place):
    """Words near an edge grow inwards."""
    return "start" if place < 0.12 else "end" if place > 0.88 else "middle"


def bar_text(place, y, text, class_=None):
    return el("text", text, x=percent(place), y=y, text_anchor=anchor_at(place), class_=class_)


def bar(part):
    """value/base of one budget: the stretch with all points, that with some, that with none, and where the submission is.
    None where nothing was measured, or there are no bounds."""
    ratio, full, zero = part["ratio"], part["full_at"], part["zero_at"]
    if None in (ratio, full, zero) or not all(map(math.isfinite, (ratio, full, zero))):
        return None
    if full == zero or min(full, zero) < 0:
        return None
    end = 1.25 * max(full, zero, 0.01)
    beyond = ratio > end
    low, high = sorted((full, zero))
    first, last = ("full", "none") if full < zero else ("none", "full")
    place = min(max(ratio / end, 0), 1)
    zones = [(0, low, first), (low, high, "some"), (high, end, last)]
    marks = [el("rect", x=percent(a / end), y=BAR_TOP, width=percent((b - a) / end), height=BAR_HEIGHT,
                class_=f"zone {kind}")
             for a, b, kind in zones]
    marks.append(el("line", x1=percent(place), x2=percent(place), y1=BAR_TOP - 5, y2=BAR_TOP + BAR_HEIGHT + 5,
                    class_="here"))
    marks.append(bar_text(place, BAR_TOP - 8, f"{ratio:.3g}" + (" →" if beyond else ""), "strong"))
    marks.append(bar_text(full / end, BAR_TOP + BAR_HEIGHT + 16, f"all: {full:g}"))
    marks.append(bar_text(zero / end, BAR_TOP + BAR_HEIGHT + 16, f"none: {zero:g}"))
    words = f"Measured {ratio:.3g}; all points at {full:g}, none at {zero:g}, in proportion between."
    return svg("The ratio and its bounds", words, *marks, class_="bar", width="100%", height=BAR_ALL)


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
    parts = []
    for i, number in enumerate(counts):
        height = round(number / most * (SPREAD_HEIGHT - SPREAD_TOP), 1) if number else 0
        height = max(height, 2) if number else 0
        parts.append(el("rect", x=percent((i + 0.06) / BINS), width=percent(0.88 / BINS), y=SPREAD_HEIGHT - height,
                        height=height, class_="column"))
        if number:
            parts.append(el("text", number_text(number), x=percent((i + 0.5) / BINS), y=SPREAD_HEIGHT - height - 4,
                            text_anchor="middle"))
    parts.append(el("line", x1="0", x2="100%", y1=SPREAD_HEIGHT, y2=SPREAD_HEIGHT, class_="axis"))
    for i in range(0, BINS + 1, 2):
        label = f"{i * 100 // BINS}" + (" %" if i == BINS else "")
        parts.append(el("text", label, x=percent(i / BINS), y=SPREAD_HEIGHT + 15, text_anchor=anchor_at(i / BINS),
                        class_="soft"))
    words = ", ".join(f"{i * 100 // BINS} to {(i + 1) * 100 // BINS} percent: {number}"
                      for i, number in enumerate(counts) if number)
    words = f"{count(len(shares), 'student')}. {words or 'none'}."
    return svg(f"How the scores of {flat(what)} are spread", words, *parts, class_="spread", width="100%",
               height=SPREAD_HEIGHT + 20)



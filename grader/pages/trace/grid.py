"""The timeline: threads down, steps across, as rectangles and words (templates/timeline.html draws them). Neighbours that do
nothing special are one rectangle, so that a block of 1024 threads stays small."""

import collections

from export.render import flat

ROW, BAND, HEAD, LEFT, LETTER, NARROW = 16, 18, 20, 88, 6.1, 30
MAX_LABELS = 12000   # of a page; beyond it cells have colours only
SHOWN = 3            # accesses of a cell that are written in it


# Places and sizes are text, with one digit after the point. kind: class in the style sheet; anchor: None is the start.
Rectangle = collections.namedtuple("Rectangle", "x y width height kind")
Words = collections.namedtuple("Words", "x y text kind anchor")


def text(x, y, words, kind=None, anchor=None):
    return Words(f"{x:.1f}", f"{y:.1f}", flat(words), kind, anchor)


def rect(x, y, width, height, kind):
    return Rectangle(f"{x:.1f}", f"{y:.1f}", f"{width:.1f}", f"{height:.1f}", kind)


def label_of(accesses):
    """ "R s[3] W s[4]=7", and how many more. """
    words = []
    for access in accesses:
        word = f"{access.kind} {access.element}"
        if word not in words:
            words.append(word)
    return " ".join(words[:SHOWN]) + (f" +{len(words) - SHOWN}" if len(words) > SHOWN else "")


def costs_of(step):
    """Requests of a step that cost more than they must, in few letters, and which lanes collide."""
    words, lanes = [], set()
    for request in step.requests:
        if request.is_shared and request.units > request.ideal:
            words.append(f"{request.units}/{request.ideal} passes")
            lanes.update(request.colliding())
        elif not request.is_shared and request.units >= 2 * request.ideal:
            words.append(f"{request.units}/{request.ideal} sectors")
            lanes.update(request.offsets)
    return ", ".join(dict.fromkeys(words)), lanes


class Layout:
    """Where rows and columns are.
        rows       threads, rising
        columns    numbers of columns, rising"""

    def __init__(self, launch, rows, columns):
        self.launch, self.rows, self.columns = launch, rows, columns
        self.y, self.band, top, warp = {}, {}, HEAD * 2, None
        for thread in rows:
            if thread // 32 != warp:
                warp = thread // 32
                self.band[warp] = top
                top += BAND
            self.y[thread] = top
            top += ROW
        self.height = top + 4
        self.cells, self.labels = {}, {}
        shown_rows = set(rows)
        for column in columns:
            for warp, step in launch.columns[column].items():
                for access in step.accesses:
                    if access.thread in shown_rows:
                        self.cells.setdefault((column, access.thread), []).append(access)
        self.full = len(self.cells) > MAX_LABELS
        self.x, self.width, x = {}, {}, LEFT
        for column in columns:
            self.x[column], self.width[column] = x, self.width_of(column)
            x += self.width[column]
        self.right = x + 4

    def width_of(self, column):
        longest = 0
        for thread in self.rows:
            accesses = self.cells.get((column, thread))
            if accesses and not self.full:
                label = self.labels[column, thread] = label_of(accesses)
                longest = max(longest, len(label))
        for warp, step in self.launch.columns[column].items():
            if warp in self.band:
                words = costs_of(step)[0]
                longest = max(longest, len(words) + 5 if words else 0)
        return max(NARROW, longest * LETTER + 8)


def runs(lanes, rows, layout):
    """Neighbouring rows as (y, height)."""
    found = []
    for thread in rows:
        if thread not in lanes:
            continue
        y = layout.y[thread]
        if found and found[-1][0] + found[-1][1] == y:
            found[-1][1] += ROW
        else:
            found.append([y, ROW])
    return found


def warp_cells(layout, column, warp, threads, waits, bad):
    """The cells of a warp in a column. waits: {thread: line of its barrier}, added to."""
    launch, x, width = layout.launch, layout.x[column], layout.width[column]
    step = launch.columns[column].get(warp)
    pieces, kinds = [], {}
    if step:
        collide = costs_of(step)[1]
        for thread in threads:
            lane = thread % 32
            accesses = layout.cells.get((column, thread))
            if not step.live >> lane & 1:
                kinds.setdefault("gone", set()).add(thread)
            elif not step.active(thread):
                kinds.setdefault("waiting" if thread in waits else "idle", set()).add(thread)
            elif step.at == "barrier":
                waits[thread] = step.line
                kinds.setdefault("barrier", set()).add(thread)
            elif accesses:
                shared = any(access.array.space == "shared" for access in accesses)
                kinds.setdefault("access shared" if shared else "access global", set()).add(thread)
                if lane in collide:
                    kinds.setdefault("collides", set()).add(thread)
            else:
                kinds.setdefault("active", set()).add(thread)
    else:
        for thread in threads:
            kinds.setdefault("waiting" if thread in waits else "nothing", set()).add(thread)
    for kind, lanes in kinds.items():
        if kind == "nothing":
            continue
        if kind.startswith("access") or kind == "collides":
            pieces += [rect(x + 0.5, layout.y[thread] + 0.5, width - 1, ROW - 1, kind) for thread in sorted(lanes)] \
                if not layout.full else [rect(x, y, width, height, kind) for y, height in runs(lanes, threads, layout)]
        else:
            pieces += [rect(x, y, width, height, kind) for y, height in runs(lanes, threads, layout)]
    for thread in threads:
        label = layout.labels.get((column, thread))
        if label:
            pieces.append(text(x + 4, layout.y[thread] + 12, label, "mono"))
        if (column, thread) in bad:
            pieces.append(rect(x + 1, layout.y[thread] + 1, width - 2, ROW - 2, "bad"))
    if step and layout.band.get(warp) is not None:
        words = costs_of(step)[0]
        line = f"{step.line}" if step.line else "?"
        pieces.append(text(x + 4, layout.band[warp] + 13, f"{line}: {words}" if words else line,
                           "loud" if words else "soft"))
    return pieces


def barriers(layout):
    """A line down where all threads have met."""
    pieces, launch = [], layout.launch
    for column in layout.columns:
        steps = launch.columns[column].values()
        interval = next(iter(steps)).interval if steps else None
        following = layout.columns.index(column) + 1
        if following >= len(layout.columns):
            continue
        other = next(iter(launch.columns[layout.columns[following]].values())).interval
        if other != interval:
            x = layout.x[column] + layout.width[column]
            pieces.append(rect(x - 1.5, HEAD, 3, layout.height - HEAD, "wall"))
            pieces.append(text(x, HEAD - 6, f"barrier, line {launch.barriers.get(interval, '?')}", "strong", "middle"))
    return pieces


def draw(layout, bad):
    """The cells, their heads and the barriers. bad: {(column, thread)} of findings."""
    launch, pieces = layout.launch, []
    for column in layout.columns:
        pieces.append(text(layout.x[column] + 4, HEAD + 14, str(column + 1), "step"))
    pieces.append(text(4, HEAD + 14, "step", "soft"))
    for warp, y in layout.band.items():
        pieces.append(text(4, y + 13, f"warp {warp}, line", "soft"))
    waits = {}
    previous = None
    by_warp = {}
    for thread in layout.rows:
        by_warp.setdefault(thread // 32, []).append(thread)
        pieces.append(text(LEFT - 6, layout.y[thread] + 12, launch.thread_name(thread).split(" ", 1)[1], "soft", "end"))
    for column in layout.columns:
        steps = launch.columns[column]
        interval = next(iter(steps.values())).interval if steps else previous
        if interval != previous:
            waits, previous = {}, interval
        for warp, threads in by_warp.items():
            pieces += warp_cells(layout, column, warp, threads, waits, bad)
    return pieces + barriers(layout)

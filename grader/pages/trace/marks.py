"""What there is to see in a launch: where the findings are, which requests cost more than they must, which lanes idle."""

from trace.record import KINDS

METRICS = (("shared", "banks"), ("bank", "banks"), ("sector", "sectors"), ("dram", "sectors"))   # what a budget is about
IDLE_SHARE = 0.5   # of the lanes that have not left: from here on a sentence says that they idle


class Mark:
    """cells: [(column, thread)], the first is the one to look at. code: of a finding, or "banks", "sectors", "idle"."""

    def __init__(self, code, cells, text, line=0):
        self.code, self.cells, self.text, self.line = code, cells, text, line

    @property
    def is_finding(self):
        return self.code not in ("banks", "sectors", "idle")


class Seen:
    """marks: the most important first. notes: sentences about races that cannot be drawn. rank: how much this launch shows,
    to compare it with others."""

    def __init__(self, marks, notes, rank):
        self.marks, self.notes, self.rank = marks, notes, rank

    @property
    def focus(self):
        return self.marks[0].cells[0] if self.marks else (0, 0)


def number_of(access):
    return access.step.column + 1


def at(step):
    return f"step {step.column + 1} (line {step.line})"


def verb(access):
    return {"R": "reads", "W": "writes", "A": "changes"}[access.kind]


def race_words(launch, code, a, b):
    first, second = sorted((a, b), key=lambda access: (access.step.column, access.step.order, "WAR".index(access.kind)))
    who, other = launch.thread_name(first.thread), launch.thread_name(second.thread)
    does, does_too = f"{who} {verb(first)} {first.element}", f"{other} {verb(second)} it"
    if code == "race_read_only_load":
        return (f"{does} at {at(first.step)}, {does_too} at {at(second.step)}: one of the two is a load that may return old "
                "values.")
    if first.step is second.step:
        return f"{does} and {does_too} in the same step, {at(first.step)}."
    if first.step.warp == second.step.warp:
        return f"{does} at {at(first.step)}, before {does_too} at {at(second.step)}: nothing enforces this order."
    does_too = f"{other} of another warp {verb(second)} it"
    return f"{does} at {at(first.step)}, {does_too} at {at(second.step)}: there is no barrier between them."


def element_of(finding, array):
    index = finding.get("index")
    return index[0] * max(1, array.columns) + index[1] if isinstance(index, list) else index


def lines_of(finding):
    return {finding["line"], finding["line2"] or finding["line"]}


def accesses_of(launch, finding, lines):
    return [access for step in launch.steps if step.line in lines for access in step.accesses
            if access.array.name == finding["array"]]


def find_race(launch, finding):
    """The two accesses that the driver names; None where one of them is not of this block, or is not in the record."""
    if finding["block"] != launch.block or finding.get("block2") != launch.block:
        return None

    def made_by(thread, line, kind):
        return [access for access in accesses_of(launch, finding, {line})
                if access.thread == launch.linear(thread) and access.kind == KINDS.get(kind)]

    pairs = [(a, b) for a in made_by(finding["thread"], finding["line"], finding["access"])
             for b in made_by(finding["thread2"], finding["line2"] or finding["line"], finding["access2"])
             if a.array is b.array and a.first <= b.last and b.first <= a.last and a is not b]
    # Of several turns of a loop: the element that was found, between the same barriers, the first.
    best = max(pairs, default=None, key=lambda pair: (
        element_of(finding, pair[0].array) == pair[0].index, pair[0].step.interval == pair[1].step.interval,
        -max(map(number_of, pair))))
    if best is None:
        return None
    first, second = sorted(best, key=lambda access: (access.step.column, access.step.order))
    return Mark(finding["code"], [(first.step.column, first.thread), (second.step.column, second.thread)],
                race_words(launch, finding["code"], first, second), finding["line"])


def why_alone(launch, finding, seen):
    """Why the other access of a race is not drawn. seen: the one that is."""
    other = next(iter(lines_of(finding) - {seen.step.line}), seen.step.line)
    if launch.cut:
        return f"The other access, at line {other}, may come after the end of the recording, so it is not drawn."
    if any(step.line == other for step in launch.steps) and not accesses_of(launch, finding, {other}):
        return (f"The other access, at line {other}, is of a kind that the trace does not record (asynchronous copies and "
                "barrier objects are not), so it is not drawn.")
    return (f"The other access, at line {other}, is not made in this block, so it is not drawn: a trace shows one block, "
            "and no barrier orders the blocks of a launch.")


def find_half(launch, finding):
    """One side of a race whose other side this block does not show. One that was found in another block has a side here only
    where this block uses the very element, in device memory."""
    some = accesses_of(launch, finding, lines_of(finding))
    here = finding["block"] == launch.block
    if not here:
        some = [access for access in some
                if access.array.space != "shared" and access.index == element_of(finding, access.array)]
    thread = launch.linear(finding["thread"]) if here else None
    best = max(some, default=None, key=lambda access: (access.index == element_of(finding, access.array),
                                                       access.thread == thread, access.kind != "R", -access.step.column))
    if best is None:
        return None
    return Mark(finding["code"], [(best.step.column, best.thread)],
                f"{launch.thread_name(best.thread)} {verb(best)} {best.element} at {at(best.step)}. "
                f"{why_alone(launch, finding, best)}", finding["line"])


def find_place(launch, finding):
    thread = launch.linear(finding["thread"])
    best = None
    for step in launch.steps:
        if step.line != finding["line"] or not step.active(thread):
            continue
        exact = any(access.thread == thread and access.array.name == finding["array"] and
                    access.index == element_of(finding, access.array) for access in step.accesses)
        if best is None or exact > best[0]:
            best = exact, step
    if best is None:
        return None
    step = best[1]
    return Mark(finding["code"], [(step.column, thread)],
                f"{launch.thread_name(thread)} at step {step.column + 1}, line {step.line}: {finding['message']}", step.line)


def find_findings(trace, launch):
    """The marks of what was found in this launch, and a sentence for each race that cannot be drawn."""
    marks, notes = [], []
    for finding in trace.findings:
        if finding.get("launch") != launch.number or not finding.get("thread") or finding["severity"] == "note":
            continue
        # Only a race between two accesses names two; that of a lock is a place.
        is_race, here = bool(finding.get("thread2")), finding["block"] == launch.block
        mark = find_race(launch, finding) if is_race else None
        if mark is None and is_race:
            mark = find_half(launch, finding)
        if mark is None and here:
            mark = find_place(launch, finding)
        if mark is not None:
            marks.append(mark)
        elif is_race:
            block = ",".join(map(str, finding["block"]))
            notes.append(f"The race on {finding['array']} at line {finding['line']} is not drawn: " + (
                "the recording ends before it." if here and launch.cut else
                "the trace records no access there." if here else
                f"it was found in block {block}, and a trace shows one block. --block {block} shows that one."))
    return marks, notes


def cost_words(request):
    step = request.step
    if request.is_shared:
        lanes = request.colliding()
        who = ", ".join(map(str, lanes[:4])) + (" …" if len(lanes) > 4 else "")
        return (f"warp {step.warp} at {at(step)}: {request.units} passes where {request.ideal} would do; lanes {who} "
                f"meet in one bank of {request.array.name}.")
    return (f"warp {step.warp} at {at(step)}: the lanes' elements of {request.array.name} are in {request.units} sectors; "
            f"{request.ideal} could hold them.")


def excess(request):
    return request.units - request.ideal


def is_costly(request):
    return request.units > request.ideal if request.is_shared else request.units >= 2 * request.ideal


def find_costs(launch):
    worst = {}
    for step in launch.steps:
        for request in step.requests:
            key = (step.line, request.array.name, request.kind)
            if is_costly(request) and (key not in worst or excess(request) > excess(worst[key])):
                worst[key] = request
    found = sorted(worst.values(), key=excess, reverse=True)
    return [Mark("banks" if request.is_shared else "sectors",
                 [(request.step.column, 32 * request.step.warp + lane)
                  for lane in (request.colliding() if request.is_shared else list(request.offsets))[:32]],
                 cost_words(request), request.step.line) for request in found]


def find_idle(launch):
    """The step with work for the fewest lanes, where shared or device memory is used."""
    def lanes(step):
        return {access.lane for access in step.accesses}
    some = [step for step in launch.steps if step.requests and len(lanes(step)) <= IDLE_SHARE * bin(step.live).count("1")]
    if not some:
        return []
    lines = {}
    for step in some:
        lines.setdefault(step.line, []).append(step)
    line = max(lines, key=lambda line: len(lines[line]))
    step = lines[line][0]
    work, live = len(lanes(step)), bin(step.live).count("1")
    return [Mark("idle", [(step.column, 32 * step.warp + min(lanes(step)))],
                 f"warp {step.warp} at {at(step)}: {work} of {live} lanes work, the others wait"
                 + (f"; this happens in {len(lines[line])} steps of this line." if len(lines[line]) > 1 else "."), line)]


def find(trace, launch):
    """Everything, what the grading is about first."""
    findings, notes = find_findings(trace, launch)
    costs, idle = find_costs(launch), find_idle(launch)
    cause, budget = trace.case.get("cause") or {}, trace.case.get("budget") or {}
    findings.sort(key=lambda mark: (mark.code, mark.line) != (cause.get("code"), cause.get("line")))
    metric = budget.get("metric", "")
    wanted = next((code for word, code in METRICS if word in metric), "idle")
    rest = costs + idle
    if budget:
        rest.sort(key=lambda mark: (mark.code != wanted, mark.line != budget.get("line")))
    is_cause = bool(findings) and findings[0].code == cause.get("code")
    told = bool(budget) and bool(rest) and rest[0].code == wanted
    return Seen(findings + rest, notes, (is_cause, len(findings) > 0, told and rest[0].line == budget.get("line"),
                                         told, sum(len(step.requests) for step in launch.steps), -launch.number))

"""What there is to see in a launch: where the findings are, which requests cost more than they must, who idles."""

from trace.record import KINDS

METRICS = (("shared", "banks"), ("bank", "banks"), ("sector", "sectors"), ("dram", "sectors"))   # what a budget is about
IDLE_SHARE = 0.5   # of the lanes that have not left, from which on it is said that they idle


class Mark:
    """cells: [(column, thread)], the first is the one to look at. code: of a finding, or "banks", "sectors", "idle"."""

    def __init__(self, code, cells, text, line=0):
        self.code, self.cells, self.text, self.line = code, cells, text, line

    @property
    def is_finding(self):
        return self.code not in ("banks", "sectors", "idle")


class Seen:
    """marks: the most important first. rank: how much this launch shows, to compare it with others."""

    def __init__(self, marks, rank):
        self.marks, self.rank = marks, rank

    @property
    def focus(self):
        return self.marks[0].cells[0] if self.marks else (0, 0)


def number_of(access):
    return access.step.column + 1


def at(step):
    return f"step {step.column + 1} (line {step.line})"


def verb(access):
    return {"R": "reads", "W": "writes", "A": "changes"}[access.kind]


def race_words(launch, a, b):
    first, second = sorted((a, b), key=lambda access: (access.step.column, access.step.order, "WAR".index(access.kind)))
    who, other = launch.thread_name(first.thread), launch.thread_name(second.thread)
    does, does_too = f"{who} {verb(first)} {first.element}", f"{other} {verb(second)} it"
    if first.step is second.step:
        return f"{does} and {does_too} in the same step, {at(first.step)}."
    if first.step.warp == second.step.warp:
        return f"{does} at {at(first.step)}, before {does_too} at {at(second.step)}: nothing makes them go in this order."
    does_too = f"{other} of another warp {verb(second)} it"
    return f"{does} at {at(first.step)}, {does_too} at {at(second.step)}: no barrier stands between them."


def element_of(finding, array):
    index = finding.get("index")
    return index[0] * max(1, array.columns) + index[1] if isinstance(index, list) else index


def accesses_of(launch, finding, thread, line, kind):
    """What the thread does in that way at the line to the element that the finding is about."""
    number = launch.linear(thread)
    return [access for step in launch.steps if step.line == line for access in step.accesses
            if access.thread == number and access.kind == KINDS.get(kind) and access.array.name == finding["array"]
            and access.index == element_of(finding, access.array)]


def find_race(launch, finding):
    """The two accesses that the finding names; None where one of them is not of this block, or was cut off."""
    if finding["block"] != launch.block or finding.get("block2") != launch.block:
        return None
    pairs = [(a, b) for a in accesses_of(launch, finding, finding["thread"], finding["line"], finding["access"])
             for b in accesses_of(launch, finding, finding["thread2"], finding["line2"] or finding["line"],
                                      finding["access2"])
             if a.step.interval == b.step.interval and a is not b]
    if not pairs:
        return None
    first, second = sorted(min(pairs, key=lambda pair: max(map(number_of, pair))),
                           key=lambda access: (access.step.column, access.step.order))
    return Mark(finding["code"], [(first.step.column, first.thread), (second.step.column, second.thread)],
                race_words(launch, first, second), finding["line"])


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
    marks = []
    for finding in trace.findings:
        if finding.get("launch") != launch.number or not finding.get("thread") or finding["severity"] == "note":
            continue
        mark = find_race(launch, finding) if finding["code"].startswith("race_") else None
        if mark is None and finding["block"] == launch.block and finding["thread"]:
            mark = find_place(launch, finding)
        if mark is not None:
            marks.append(mark)
    return marks


def cost_words(request):
    step = request.step
    if request.is_shared:
        lanes = request.colliding()
        who = ", ".join(map(str, lanes[:4])) + (" …" if len(lanes) > 4 else "")
        return (f"warp {step.warp} at {at(step)}: {request.units} passes where {request.ideal} would do; lanes {who} "
                f"meet in one bank of {request.array.name}.")
    return (f"warp {step.warp} at {at(step)}: the lanes' elements of {request.array.name} lie in {request.units} sectors; "
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
                 + (f"; so it is in {len(lines[line])} steps of this line." if len(lines[line]) > 1 else "."), line)]


def find(trace, launch):
    """Everything, what the grading is about first."""
    findings, costs, idle = find_findings(trace, launch), find_costs(launch), find_idle(launch)
    cause, budget = trace.case.get("cause") or {}, trace.case.get("budget") or {}
    findings.sort(key=lambda mark: (mark.code, mark.line) != (cause.get("code"), cause.get("line")))
    metric = budget.get("metric", "")
    wanted = next((code for word, code in METRICS if word in metric), "idle")
    rest = costs + idle
    if budget:
        rest.sort(key=lambda mark: (mark.code != wanted, mark.line != budget.get("line")))
    is_cause = bool(findings) and findings[0].code == cause.get("code")
    told = bool(budget) and bool(rest) and rest[0].code == wanted
    return Seen(findings + rest, (is_cause, len(findings) > 0, told and rest[0].line == budget.get("line"), told,
                                  sum(len(step.requests) for step in launch.steps), -launch.number))

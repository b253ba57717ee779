"""What the driver wrote down of one block: launches, steps, requests. Steps get their columns here.

The warps of a block run independently of each other; only barriers order them. So their steps are lined up at the barriers:
the first step of each warp after a barrier is in the same column, and so on.
"""

import json
import struct

MAX_COLUMNS = 400
KINDS = {"read": "R", "write": "W", "atomic": "A"}
FLOATS = {"f32": "<f", "f64": "<d", "f16": "<e"}

class Access:
    """What one thread does to one element. value: text, None where the access was suppressed."""
    __slots__ = ("kind", "array", "index", "thread", "lane", "value", "step", "first", "last")

    def __init__(self, kind, array, index, thread, value, step, size):
        self.kind, self.array, self.index, self.thread, self.value, self.step = kind, array, index, thread, value, step
        self.lane = thread % 32
        self.first, self.last = index * size, index * size + size - 1   # bytes of the array

    @property
    def element(self):
        return self.array.element(self.index)


class Array:
    def __init__(self, line):
        self.name, self.space = line["name"] or "?", line["space"]
        self.element_bytes, self.columns = max(1, line["element_bytes"]), line["columns"]
        self.count, self.first = line["bytes"] // self.element_bytes, line["first"]
        self.type = line.get("type")

    def element(self, index):
        if self.columns > 0 and index >= 0:
            return f"{self.name}[{index // self.columns}][{index % self.columns}]"
        return f"{self.name}[{index}]"

    def text(self, value, kind, size):
        """Bits as the program means them: by the declaration, as the driver read it, else by the instruction."""
        kind = self.type if self.type and size == self.element_bytes else kind
        bits = (value & ((1 << 8 * size) - 1)).to_bytes(size, "little")
        if kind in FLOATS and struct.calcsize(FLOATS[kind]) == size:
            return f"{struct.unpack(FLOATS[kind], bits)[0]:.5g}"
        return str(int.from_bytes(bits, "little", signed=not (self.type or "s").startswith("u")))


class Request:
    def __init__(self, line, step, launch):
        self.kind, self.step, self.lanes = KINDS[line["kind"]], step, line["lanes"]
        self.array = launch.arrays[line["array"]]
        self.units, self.ideal, self.bytes = line["units"], line["ideal"], line["bytes"]
        self.collide = line["colliding"]
        lanes = [lane for lane in range(32) if self.lanes >> lane & 1]
        elements, self.offsets, self.accesses = line["elements"], dict(zip(lanes, line["at"])), []
        for place, lane in enumerate(lanes):
            for k in range(elements):
                value = line["values"][place * elements + k]
                text = None if value is None else self.array.text(value, line["type"], self.bytes)
                self.accesses.append(Access(self.kind, self.array, line["at"][place] // self.bytes + k,
                                            32 * step.warp + lane, text, step, self.bytes))

    @property
    def is_shared(self):
        return self.array.space == "shared"

    def colliding(self):
        """The lanes that meet in the bank that takes most passes."""
        return [lane for lane in range(32) if self.collide >> lane & 1]


class Step:
    def __init__(self, line, launch):
        self.warp, self.order, self.interval = line["warp"], line["order"], line["interval"]
        self.line, self.mask, self.live, self.at = line["line"] or 0, line["mask"], line["live"], line.get("at")
        self.column, self.part = 0, 0
        self.requests = [Request(request, self, launch) for request in line.get("requests", [])]

    @property
    def accesses(self):
        return [access for request in self.requests for access in request.accesses]

    def active(self, thread):
        return thread // 32 == self.warp and self.mask >> thread % 32 & 1


class Launch:
    """steps: by column and warp. barriers: {interval: line} of those that all threads met at."""

    def __init__(self, line):
        self.number, self.kernel, self.grid = line["launch"], line["kernel"], line["grid"]
        self.shape, self.block, self.in_grid = line["block_shape"], line["block"], bool(line["in_grid"])
        self.arrays, self.steps, self.barriers, self.cut = {}, [], {}, None
        self.threads = self.shape[0] * self.shape[1] * self.shape[2]
        self.columns = []

    def thread_name(self, thread):
        x, y = self.shape[0], self.shape[1]
        if y == 1 and self.shape[2] == 1:
            return f"thread {thread}"
        place = [thread % x, thread // x % y] + ([thread // x // y] if self.shape[2] > 1 else [])
        return f"thread ({','.join(map(str, place))})"

    def linear(self, thread):
        return thread[0] + self.shape[0] * (thread[1] + self.shape[1] * thread[2])

    def line_up(self):
        """Gives each step its column."""
        first, next_first, interval, used, parts = 0, 0, 0, {}, {}
        for step in sorted(self.steps, key=lambda step: (step.interval, step.order)):
            if step.interval != interval:
                interval, first, used = step.interval, next_first, {}
            step.column = first + used.get(step.warp, 0)
            step.part = parts.get(step.warp, 0)
            parts[step.warp] = step.part + (step.at == "warp_barrier")
            used[step.warp] = used.get(step.warp, 0) + 1
            next_first = max(next_first, step.column + 1)
        if next_first > MAX_COLUMNS:
            self.cut = self.cut or "columns"
        self.steps = [step for step in self.steps if step.column < MAX_COLUMNS]
        self.columns = [{} for _ in range(min(next_first, MAX_COLUMNS))]
        for step in self.steps:
            self.columns[step.column][step.warp] = step


class Trace:
    def __init__(self):
        self.about, self.case, self.launches, self.findings = {}, {}, [], []


def read(file):
    """Lines that are not JSON (the end of a file that was cut off) are left out."""
    trace, later = Trace(), []
    for text in file:
        try:
            line = json.loads(text)
        except ValueError:
            continue
        later.append(line)
        if line["kind"] == "about":
            trace.about = line
    launches = {}
    for line in later:
        kind, launch = line["kind"], launches.get(line.get("launch"))
        if kind == "case":
            trace.case = line
        elif kind == "launch":
            launches[line["launch"]] = Launch(line)
        elif kind == "finding":
            trace.findings.append(line)
        elif launch and kind == "array":
            launch.arrays[line["array"]] = Array(line)
        elif launch and kind == "step":
            launch.steps.append(Step(line, launch))
        elif launch and kind == "barrier" and line["all"]:
            launch.barriers[line["interval"]] = line["line"] or 0
        elif launch and kind == "cut":
            launch.cut = line["reason"]
    trace.launches = list(launches.values())
    for launch in trace.launches:
        launch.line_up()
    return trace

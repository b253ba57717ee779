"""The kernels of tests/gpu/shapes and tests/gpu/unseen as launches: what the plan of their lab starts for n elements.

Every file there is a right submission for its lab, good or badly shaped. Of shapes, a hash of the name decided which ones
the estimate could be fitted to; the others were held out, and mistakes were found in what they showed. Those of unseen
were written and measured after that, and nothing was changed to fit them: they say what the estimate is worth.
"""

import glob
import hashlib
import math
import os
import re

HERE = os.path.dirname(os.path.abspath(__file__))
GROUPS = ("fitted", "held out", "unseen")
# Sizes of the labs' timing cases.
TIMED = {"doublify": 1 << 23, "vector_add": 1 << 23, "pi": 1 << 20, "scan": 1 << 23, "matmul_tiled": 1024,
         "histogram": 1 << 23}


def path(name):
    """Of a file "LAB/NAME"."""
    places = [f"{HERE}/{folder}/{name}.cu" for folder in ("shapes", "unseen")]
    return next(place for place in places if os.path.exists(place))


def names(group):
    """"LAB/NAME" of each file of a group."""
    folder = f"{HERE}/{'unseen' if group == 'unseen' else 'shapes'}"
    every = sorted(os.path.relpath(file, folder)[:-3] for file in glob.glob(f"{folder}/*/*.cu"))
    return [name for name in every if group == "unseen" or _is_held_out(name) == (group == "held out")]


# The names that labs had when the hash was drawn: another hash would move kernels from one group to the other.
HASHED = {"doublify": "01_doublify", "vector_add": "02_vector_add", "pi": "03_pi", "scan": "04_scan",
          "matmul_tiled": "05_matmul_tiled", "histogram": "06_histogram"}


def _is_held_out(name):
    lab, file = name.split("/")
    return hashlib.sha256(f"{HASHED[lab]}/{file}.cu".encode()).digest()[0] % 2 == 1


def _numbers(source, name):
    found = re.search(rf"__constant__ int {name}(?:\[\d\])? = \{{?([^;}}]+)\}}?;", source)
    return [int(number) for number in found[1].split(",")] if found else None


class Shape:
    """Grid and block of each kernel of a file."""

    def __init__(self, name):
        self.lab = name.split("/")[0]
        with open(path(name), encoding="utf-8") as file:
            self.source = file.read()

    def has(self, kernel):
        return bool(re.search(rf"\b{kernel}\(", self.source))

    def block(self, kernel):
        default = [16, 16, 1] if self.lab == "matmul_tiled" else [256, 1, 1]
        own = _numbers(self.source, kernel + "_block")
        bounds = re.search(rf"__launch_bounds__\((\w+)\)\s+{kernel}\(", self.source)
        if own or not bounds:
            return own or default
        threads = bounds[1] if bounds[1].isdigit() else re.search(rf"#define {bounds[1]} (\d+)", self.source)[1]
        side = int(int(threads) ** 0.5)
        return [side, side, 1] if self.lab == "matmul_tiled" else [int(threads), 1, 1]

    def items(self, kernel):
        own, block = _numbers(self.source, kernel + "_items"), self.block(kernel)
        return [*(own or block[:2]), 1][:2]

    def grid(self, kernel, columns, rows=1):
        across, down = self.items(kernel)
        return [-(-columns // across), -(-rows // down) if rows > 1 else 1, 1]


def plan(name, size):
    """(arrays, launches): {array: (elements, fill)}, [(kernel, grid, block, arguments, cover, items)]; arguments are arrays
    or integers, cover and items how many elements the grid and a block have (items 0: the plan gives the grid).

    size    n, or of matrices (rows, columns, depth)
    """
    shape, arrays, launches = Shape(name), {}, []
    rows, n, depth = size if isinstance(size, tuple) else (size, size, size)

    def launch(kernel, arguments, covered, rows=1, grid=None):
        items = [0, 0] if grid else shape.items(kernel)
        launches.append((kernel, grid or shape.grid(kernel, covered, rows), shape.block(kernel), arguments, [covered, rows],
                         items if rows > 1 or grid else [items[0], 1]))

    if shape.lab == "doublify":
        arrays = {"a": (n, "fraction")}
        launch("doublify", ["a", n], n)
    elif shape.lab == "vector_add":
        arrays = {"a": (n, "fraction"), "b": (n, "fraction"), "c": (n, "zero")}
        launch("vector_add", ["a", "b", "c", n], n)
    elif shape.lab == "pi" and shape.has("mapper"):
        arrays = {"dest": (n, "zero")}
        launch("mapper", ["dest", n], n)
        step = 1
        while step < n:
            launch("reducer", ["dest", step, n], n)
            step *= 2
    elif shape.lab == "pi":
        blocks = shape.grid("pi_sum", n)[0]
        arrays = {"partial": (blocks, "zero")}
        launch("pi_sum", ["partial", n], n)
        launch("pi_finish", ["partial", blocks], blocks, grid=[1, 1, 1])
    elif shape.lab == "scan" and shape.has("scan_blocks"):
        arrays = {"in": (n, "bins"), "out": (n, "zero")}
        count, levels, piece = n, [("in", "out", n)], shape.items("scan_blocks")[0]
        while True:
            sums, blocks = f"sums{len(levels)}", -(-count // piece)
            arrays[sums] = (blocks, "zero")
            launch("scan_blocks", [levels[-1][0], levels[-1][1], sums, count], count)
            if len(levels) > 1 and blocks == 1:
                break
            arrays["scanned" + sums] = (blocks, "zero")
            levels.append((sums, "scanned" + sums, blocks))
            count = blocks
        for below, above in reversed(list(zip(levels, levels[1:]))):
            launch("add_block_sums", [below[1], above[1], below[2]], below[2])
    elif shape.lab == "scan":
        words = 4 + 4 * shape.grid("scan", n)[0]
        arrays = {"in": (n, "bins"), "out": (n, "zero"), "scratch": (words, "zero")}
        launch("scan_clear", ["scratch", words], words)
        launch("scan", ["in", "out", "scratch", n], n)
    elif shape.lab == "matmul_tiled":
        arrays = {"A": (rows * depth, "fraction"), "B": (depth * n, "fraction"), "C": (rows * n, "zero")}
        launch("matmul_tiled", ["A", "B", "C", rows, n, depth], n, rows)
    else:
        arrays = {"data": (n, "crowded"), "bins": (256, "zero")}
        launch("clear_bins", ["bins"], 256, grid=[1, 1, 1])
        launch("histogram", ["data", "bins", n], n)
    return arrays, launches


def counted_sizes(name):
    """Sizes at which the launches are counted for the estimate: as grader/judge/cases_estimate.c chooses them."""
    matrices = name.startswith("matmul_tiled/")
    items = [launch[5] for launch in plan(name, 64 if matrices else 4096)[1]]
    if matrices:
        columns, rows = (side if 64 <= side <= 1024 else 64 for side in items[0])
        return [(rows, columns, 32), (rows, columns, 64), (rows, columns, 128), (2 * rows, 2 * columns, 32)]
    largest = max(max(pair) for pair in items)
    first = largest * -(-1024 // largest) if largest <= 65536 else 1024
    sizes = [first * 4 ** k for k in range(10)]
    while len(sizes) > 3 and sizes[-1] > 1 << 18:
        sizes.pop()
    return sizes[-3:]


def described(*plans):
    """Arrays of plans as measure.c reads them, each as large as the largest plan needs it."""
    arrays = {}
    for own in plans:
        for name, (count, fill) in own.items():
            arrays[name] = {"count": max(count, arrays.get(name, {"count": 0})["count"]), "fill": fill}
    return arrays


def steps(name, launches):
    """Launches of a plan as measure.c reads them."""
    return [{"file": os.path.relpath(path(name)), "kernel": kernel, "grid": grid, "block": block, "arguments": arguments}
            for kernel, grid, block, arguments, _, _ in launches]


def as_run(size, launches, lines=None):
    """Launches of a plan as a run for tests/gpu/estimate.c, with what was counted of each."""
    matrices = launches[0][0] == "matmul_tiled"
    depth = (size[2] if isinstance(size, tuple) else size) if matrices else 0
    return {"depth": depth, "launches": [
        {"kernel": kernel, "blocks": math.prod(grid), "threads": math.prod(block), "cover": math.prod(cover),
         "items": math.prod(items), **({"line": lines[i]} if lines else {})}
        for i, (kernel, grid, block, _, cover, items) in enumerate(launches)]}


CLEAR = 1.3     # times that differ by less have no order that an estimate could get wrong


def shares(times):
    """(within a factor 2, beyond a factor 4, pairs in the right order), as shares, of {name: (estimated, measured)}.

    Pairs are of one lab and differ clearly.
    """
    off = [max(estimated / measured, measured / estimated) for estimated, measured in times.values()]
    pairs = [(times[one], times[other]) for one in times for other in times
             if one.split("/")[0] == other.split("/")[0] and times[one][1] * CLEAR <= times[other][1]]
    right = sum(fast[0] < slow[0] for fast, slow in pairs)
    return (sum(factor <= 2 for factor in off) / len(off), sum(factor > 4 for factor in off) / len(off),
            right / len(pairs) if pairs else 1)


def shares_in_words(times):
    near, far, order = shares(times)
    return (f"{near:.1%} of {len(times)} estimates are within a factor 2 of the time, {far:.1%} beyond a factor 4; "
            f"{order:.1%} of the pairs of one lab that differ by {CLEAR} or more are in the right order.")


# Estimates beyond a factor 4, and why.
FAR_OFF = {
    "vector_add/random_order":
        "it only takes its random order in whole chunks of 4 million elements, and in no size that is counted there is one",
    "histogram/one_block_of_1024":
        "lanes that add 1 to one word share a pass, by an instruction that ptxas has for that; here they take turns",
}

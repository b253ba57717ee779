"""The kernels whose counters and times are compared with a GPU's, as jobs for measure.c.

Each is one launch, described for a problem of n elements (matrices: side x side), so that counters are taken at a small size
and times at a large one.
"""

import math
import re

SOLUTION = "solutions/{0}/{1}.cu"
FLOAT_1_5 = 0x3fc00000    # the bits of 1.5 as a float: arguments are integers
PATTERNS = "tests/gpu/patterns.cu"
HELD_OUT = "tests/gpu/held_out.cu"


def _launch(name, file, kernel, arguments, grid, block, result=None):
    def pad(shape):
        return [*shape, 1, 1][:3]
    return {"name": name, "steps": [{"file": file, "kernel": kernel, "arguments": arguments, "grid": pad(grid),
                                     "block": pad(block)}], **({"result": result} if result else {})}


def _blocks(n, per_block):
    return [(n + per_block - 1) // per_block]


def linear(n):
    """Kernels over arrays of n elements: (lab or "", job)."""
    def pattern(kernel, arguments, threads=n, block=256, name=None):
        return "", _launch(name or kernel, PATTERNS, kernel, arguments, _blocks(threads, block), [block])

    def lab(folder, stem, kernel, arguments, per_block, name, block=256):
        return folder, _launch(name, SOLUTION.format(folder, stem), kernel, arguments, _blocks(n, per_block), [block])

    wrong = "labs/{0}/wrong/{1}.cu"
    rows = [
        lab("doublify", "doublify", "doublify", ["out", n], 256, "doublify"),
        lab("doublify", "doublify_fast", "doublify", ["out", n], 1024, "doublify, 4 per thread"),
        ("doublify", _launch("doublify, strided", wrong.format("doublify", "strided"), "doublify", ["out", n],
                                _blocks(n, 256), [256])),
        lab("vector_add", "vector_add", "vector_add", ["a", "b", "out", n], 256, "vector_add"),
        lab("vector_add", "vector_add_fast", "vector_add", ["a", "b", "out", n], 1024, "vector_add, 4 per thread"),
        ("vector_add", _launch("vector_add, strided", wrong.format("vector_add", "strided"), "vector_add",
                                  ["a", "b", "out", n], _blocks(n, 256), [256])),
        lab("pi", "pi", "mapper", ["out", n], 256, "pi, mapper"),
        lab("pi", "pi", "reducer", ["out", 1, n], 256, "pi, reducer, step 1"),
        lab("pi", "pi", "reducer", ["out", 16, n], 256, "pi, reducer, step 16"),
        ("pi", _launch("pi, reducer by modulo, step 16", wrong.format("pi", "reducer_modulo"), "reducer",
                          ["out", 16, n], _blocks(n, 256), [256])),
        lab("pi", "pi_fast", "pi_sum", ["out", n], 4096, "pi_sum"),
        lab("scan", "scan", "scan_blocks", ["bits", "out", "b", n], 256, "scan_blocks"),
        lab("scan", "scan", "add_block_sums", ["out", "b", n], 256, "add_block_sums"),
        lab("histogram", "histogram", "histogram", ["bits", "bins", n], 4096, "histogram"),
        lab("histogram", "histogram_fast", "histogram", ["bits", "bins", n], 32768, "histogram, 4 per thread", 512),
        ("histogram", _launch("histogram, global atomics", wrong.format("histogram", "global_atomics_only"),
                                 "histogram", ["bits", "bins", n], _blocks(n, 256), [256])),
        pattern("every_second", ["a", "out", n]),
        pattern("strided", ["a", "out", n, 8], n // 8, name="strided by 8"),
        pattern("strided", ["a", "out", n, 32], n // 32, name="strided by 32"),
        pattern("shifted", ["a", "out", n]),
        pattern("shifted_store", ["a", "out", n]),
        pattern("shifted_pairs", ["a", "out", n], n // 2),
        pattern("copy_by_2", ["a", "out", n], n // 2),
        pattern("copy_by_4", ["a", "out", n], n // 4),
        pattern("copy_bytes", ["a", "out", n]),
        pattern("copy_doubles", ["a", "out", n], n // 2),
        pattern("reversed", ["a", "out", n]),
        pattern("one_for_all", ["a", "out", n]),
        pattern("one_a_warp", ["a", "out", n]),
        pattern("gathered", ["a", "index", "out", n]),
        pattern("scattered", ["a", "index", "out", n]),
        pattern("piece_a_thread", ["a", "out", n, 8], n // 8),
        pattern("even_lanes", ["a", "out", n]),
        pattern("two_ways", ["a", "out", n]),
        pattern("polynomial", ["a", "out", n]),
        pattern("one_thread_a_block", ["a", "out", n]),
        *(pattern("banks", ["a", "out", 1 << k], name=f"banks, {1 << k} lanes each") for k in range(6)),
        pattern("banks_same_word", ["a", "out"]),
        pattern("banks_wide", ["a", "out"], n // 4),
        pattern("banks_doubles", ["a", "out"], n // 2),
        pattern("tree", ["a", "out"]),
        pattern("interleaved", ["a", "out"]),
        pattern("shuffles", ["a", "out"]),
        pattern("count_globally", ["bits", "bins", n]),
        pattern("count_in_one_place", ["bits", "bins", n]),
        pattern("add_to_own_place", ["bits", "out", n]),
        pattern("tickets", ["bits", "bins", "out", n]),
        pattern("count_in_shared", ["bits", "bins", n]),
    ]
    return rows


def matrices(side):
    """Kernels over square matrices: (lab or "", job)."""
    def grid(columns, rows):
        return [(side + columns - 1) // columns, (side + rows - 1) // rows]

    def product(file, kernel, columns, rows, block, name, sizes=3):
        return "matmul_tiled", _launch(name, file, kernel, ["a", "b", "out"] + [side] * sizes, grid(columns, rows), block)

    plain = SOLUTION.format("matmul_tiled", "matmul_tiled")
    return [
        product(PATTERNS, "matmul_by_columns", 16, 16, [16, 16], "matmul, x and y exchanged", 1),
        product(PATTERNS, "matmul_naive", 16, 16, [16, 16], "matmul without tiles", 1),
        product(plain, "matmul_tiled", 16, 16, [16, 16], "matmul_tiled"),
        product(plain.replace(".cu", "_fast.cu"), "matmul_tiled", 256, 128, [256], "matmul_tiled, in registers"),
        ("", _launch("transpose_naive", PATTERNS, "transpose_naive", ["a", "out", side], grid(32, 8), [32, 8])),
        ("", _launch("transpose_tile", PATTERNS, "transpose_tile", ["a", "out", side], grid(32, 32), [32, 32])),
        ("", _launch("transpose_padded", PATTERNS, "transpose_padded", ["a", "out", side], grid(32, 32), [32, 32])),
    ]


def held_out(n):
    """Kernels over arrays of n elements that the estimate was not made with: (lab or "", job)."""
    def row(kernel, arguments, threads=n, name=None, **more):
        return "", {**_launch(name or kernel, HELD_OUT, kernel, arguments, _blocks(threads, 256), [256]), **more}

    blocks = 264                # of `in_strides`: two for each multiprocessor of an H200
    return [
        row("stencil_3", ["a", "out", n]),
        row("stencil_shared", ["a", "out", n]),
        row("stencil_image", ["a", "out", n]),
        row("bits_reversed", ["a", "out", n]),
        row("array_of_structures", ["out", n // 4], n // 4),
        row("structure_of_arrays", ["out", n // 4], n // 4),
        row("stores_4_apart", ["a", "out", n], n // 4),
        row("row_a_thread", ["a", "b", "out", n // 1024], n // 1024),
        row("row_a_warp", ["a", "b", "out", n // 1024], n // 32),
        row("sum_by_warps", ["a", "bins", n]),
        row("sum_by_blocks", ["a", "bins", n]),
        row("histogram_64", ["bits", "bins", n], n // 16),
        row("largest", ["bits", "bins", n]),
        row("bit_tricks", ["bits", "out", n]),
        row("doubles_polynomial", ["a", "out", n]),
        row("roots", ["a", "out", n]),
        row("uneven_loops", ["bits", "out", n]),
        row("in_strides", ["a", "out", n], 256 * blocks, work=n / (256 * blocks)),
    ]


def as_run(job, size, matrices, line=None, items=None):
    """A job as a run for tests/gpu/estimate.c, with what was counted of it.

    size    elements, or the side of matrices
    items   elements that a full block covers; None: there are many blocks, and all are full
    """
    step = job["steps"][0]
    blocks, cover = math.prod(step["grid"]), size * size if matrices else size
    if items is None:
        items = 0 if "work" in job else cover / blocks
    return {"depth": size if matrices else 0, "launches": [
        {"kernel": step["kernel"], "blocks": blocks, "threads": math.prod(step["block"]), "cover": cover,
         "items": items, **({"line": line} if line else {})}]}


def arrays(n):
    """The arrays that the kernels take, of n elements."""
    return {"a": {"count": n, "fill": "fraction"}, "b": {"count": n, "fill": "fraction"},
            "out": {"count": n, "fill": "zero"}, "bits": {"count": n, "fill": "bins"},
            "index": {"count": n, "fill": "index"}, "bins": {"count": 256, "fill": "zero"}}


BINOMIAL = (1, 4, 6, 4, 1)      # times itself: the weights of the lab blur
RATES = "tests/gpu/rates.cu"


def rates(blocks):
    """What the GPU does a second: rows (what, job of measure.c, amount, unit), and the arrays of the jobs.

    blocks     a few times what the GPU runs at once, a multiple of 8: every unit is busy
    unit "ns"  nanoseconds for each of `amount` steps, else `amount` units in the time of the job, in 10^9 a second
    """
    rows, big, threads = [], 1 << 26, 256 * blocks
    warps = threads // 32

    def row(what, kernel, arguments, amount, unit, grid=blocks, block=256):
        rows.append((what, _launch(what, RATES, kernel, arguments, [grid], [block]), amount, unit))

    row("launch", "nothing", ["out", 1], 1, "ns", 1, 32)
    row("block of 256 threads", "nothing", ["out", 1], 1 << 20, "blocks", 1 << 20)
    row("block of 32 threads", "nothing", ["out", 1], 1 << 20, "blocks", 1 << 20, 32)
    row("latency, level 1", "follow", ["near", "near_place", 20000], 20000, "ns", 1, 1)
    row("latency, level 2", "follow", ["middle", "middle_place", 40000], 40000, "ns", 1, 1)
    row("latency, memory", "follow", ["far", "far_place", 20000], 20000, "ns", 1, 1)
    row("latency, shared memory", "follow_shared", ["out", 1 << 16], 1 << 16, "ns", 1, 32)
    row("latency, multiply-add", "follow_sum", ["out", 1 << 18], 1 << 18, "ns", 1, 32)
    row("latency, barrier of 256", "barriers", ["out", 1 << 16], 1 << 16, "ns", 1, 256)
    row("multiply-adds of a warp", "multiply_add", ["out", 4096], 4 * 4096 * warps, "warps")
    row("memory, read", "read_once", ["a", "out", big // 4], 4 * big, "GB")
    row("memory, written", "write_once", ["out", big // 4], 4 * big, "GB", big // 1024)
    for name, bytes_ in (("4 MB", 1 << 22), ("16 MB", 1 << 24), ("32 MB", 1 << 25)):
        row(f"level 2, {name} read", "read_level_2", ["a", "out", bytes_ // 16, 512], 512 * 16 * threads, "GB")
    for stride in (1, 8, 32):
        row(f"level 2, stores {stride} words apart", "write_level_2", ["out", 1 << 22, stride, 512],
            512 * warps * stride, "lines")
    for stride in (1, 2, 4, 8, 16, 32):
        row(f"level 1, loads {stride} words apart", "read_level_1", ["a", "out", stride, 8, 4096], 4096 * warps, "requests")
    for stride in (1, 2, 8, 32):
        row(f"shared memory, loads {stride} words apart", "read_shared", ["out", stride, 4096], 4096 * warps * stride,
            "wavefronts")
    for stride in (0, 1, 2, 8, 32):
        for kernel, title, more in (("add_in_shared", "adds", [2]), ("add_one_in_shared", "increments", [])):
            row(f"shared memory, {title} {stride} words apart", kernel, ["zeros", "out", stride, *more, 1024],
                1024 * warps * (stride or 32), "wavefronts")
    row("atomic adds, neighbours, 16 MB", "add_globally", ["near_wide", "out", (1 << 22) - 1, 256], 256 * threads, "lanes")
    row("atomic adds, gathered, 16 MB", "add_globally", ["far", "out", (1 << 22) - 1, 256], 256 * threads, "lanes")
    row("atomic adds, gathered, 256 places", "add_globally", ["bits", "out", 255, 64], 64 * threads, "lanes")
    row("atomic adds, gathered, 8 places", "add_globally", ["bits", "out", 7, 16], 16 * threads, "lanes")
    row("atomic adds, one place", "add_globally", ["zeros", "out", 0, 16], 16 * threads, "lanes")
    row("atomic adds, read, gathered, 16 MB", "add_and_read_globally", ["far", "out", (1 << 22) - 1, 256], 256 * threads,
        "lanes")
    row("atomic adds, read, one place", "add_and_read_globally", ["zeros", "out", 0, 16], 16 * threads, "lanes")
    named = {"a": {"count": big, "fill": "fraction"}, "out": {"count": big, "fill": "zero"},
             "far": {"count": big, "fill": "index"}, "far_place": {"count": 1, "fill": "zero"},
             "middle": {"count": 1 << 21, "fill": "index"}, "middle_place": {"count": 1, "fill": "zero"},
             "near": {"count": 1 << 11, "fill": "index"}, "near_place": {"count": 1, "fill": "zero"},
             "near_wide": {"count": threads, "fill": "order"}, "zeros": {"count": threads, "fill": "zero"},
             "bits": {"count": threads, "fill": "bins"}}
    return rows, named


def _declared(source, pattern):
    """The numbers of the group in a pattern, after the source's #defines; None: it is not there."""
    found = re.search(pattern, source)
    defines = dict(re.findall(r"^#define (\w+) +(.+?) *(?://.*)?$", source, re.MULTILINE))

    def evaluated(text):
        while re.search(r"[A-Za-z_]", text):
            text = re.sub(r"[A-Za-z_]\w*", lambda word: f"({defines[word[0]]})", text)
        return int(eval(text.replace("/", "//")))  # pylint: disable=eval-used
    return [evaluated(part) for part in found[1].split(",")] if found else None


class _File:
    """A submission: the grid and the block of its kernels, as its lab launches them."""

    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.source = file.read()

    def constant(self, name):
        return _declared(self.source, rf"__constant__ int {name}(?:\[\d\])? = \{{?([^;}}]+)\}}?;")

    def block(self, kernel, usual):
        own = self.constant(kernel + "_block")
        bounds = _declared(self.source, rf"__launch_bounds__\(([^)]+)\)\s+{kernel}\(")
        if own or not bounds:
            return own or usual
        return bounds[:1] if len(usual) == 1 else [math.isqrt(bounds[0])] * 2

    def items(self, kernel, usual):
        return self.constant(kernel + "_items") or self.block(kernel, usual)

    def step(self, kernel, arguments, covers, usual=(256,), grid=None, variables=None):
        """A launch with blocks for `covers` elements, or (columns, rows) of them."""
        items = self.items(kernel, list(usual))
        grid = grid or [-(-count // own) for count, own in zip(covers, items)]
        step = _launch("", self.path, kernel, arguments, grid, self.block(kernel, list(usual)))["steps"][0]
        return {**step, "variables": variables} if variables else step

    def blocks(self, kernel, n):
        return -(-n // self.items(kernel, [256])[0])


WRONG, VARIANT = "labs/{0}/wrong/{1}.cu", "labs/{0}/variants/{1}.cu"
# Of each lab: (what, file) from slow to fast; SOLUTION stands for the two solutions.
VERSIONS = {
    "grey": [("lanes below each other", WRONG.format("grey", "a_column_of_lanes")), ("grey", SOLUTION),
             ("four rows per thread", VARIANT.format("grey", "four_rows_a_thread")), ("grey_fast", SOLUTION)],
    "stencil": [("from global memory", WRONG.format("stencil", "from_global_memory")), ("stencil", SOLUTION),
                ("stencil_fast", SOLUTION)],
    "block_sum": [("one thread adds", WRONG.format("block_sum", "one_thread_adds")),
                  ("a tree in both", WRONG.format("block_sum", "tree_in_both")), ("block_sum", SOLUTION),
                  ("block_sum_fast", SOLUTION)],
    "broken": [("barriers everywhere", WRONG.format("broken", "barriers_everywhere")), ("broken", SOLUTION),
               ("broken_fast", SOLUTION)],
    "compaction": [("one thread places", WRONG.format("compaction", "one_thread_places")), ("compaction", SOLUTION),
                   ("compaction_fast", SOLUTION)],
    "transpose": [("naive", WRONG.format("transpose", "naive")),
                  ("lanes store neighbours", WRONG.format("transpose", "naive_reads_columns")),
                  ("no padding", WRONG.format("transpose", "no_padding")), ("transpose", SOLUTION),
                  ("rows of 8", VARIANT.format("transpose", "rows_of_8")), ("transpose_fast", SOLUTION)],
    "blur": [("no tile", WRONG.format("blur", "no_tile")), ("blur", SOLUTION),
             ("tiles of 32", VARIANT.format("blur", "tiles_of_32")), ("blur_fast", SOLUTION)],
    "softmax": [("one thread joins", WRONG.format("softmax", "one_thread_joins")), ("softmax", SOLUTION),
                ("three passes", WRONG.format("softmax", "three_passes")),
                ("intrinsics", VARIANT.format("softmax", "intrinsics")),
                ("row in shared memory", VARIANT.format("softmax", "row_in_shared")), ("softmax_fast", SOLUTION)],
    "async_copies": [("no tile", WRONG.format("async_copies", "no_tile")),
                     ("through registers", WRONG.format("async_copies", "through_registers")),
                     ("one stage", WRONG.format("async_copies", "one_stage")), ("async_copies", SOLUTION),
                     ("a barrier for each tile", VARIANT.format("async_copies", "wait_first")),
                     ("tiles of 1024", VARIANT.format("async_copies", "tiles_of_1024")), ("async_copies_fast", SOLUTION)],
    "attention": [("no tiles", WRONG.format("attention", "no_tiles")),
                  ("keys twice", WRONG.format("attention", "keys_twice")), ("attention", SOLUTION), ("attention_fast", SOLUTION)],
    "saxpy": [("piece per thread", WRONG.format("saxpy", "piece_per_thread")), ("saxpy", SOLUTION), ("saxpy_fast", SOLUTION)],
    "register_tiles": [("no register tiles", WRONG.format("register_tiles", "no_register_tiles")), ("register_tiles", SOLUTION),
                       ("register_tiles_fast", SOLUTION)],
    "tensor_cores": [("ordinary cores", WRONG.format("tensor_cores", "ordinary_cores")), ("tensor_cores", SOLUTION),
                     ("no padding", WRONG.format("tensor_cores", "no_padding")),
                     ("2 x 2 tiles per warp", VARIANT.format("tensor_cores", "four_tiles_a_warp")),
                     ("tensor_cores_fast", SOLUTION)],
    "spmv": [("thread per row", WRONG.format("spmv", "thread_per_row")), ("spmv", SOLUTION),
             ("8 lanes per row", VARIANT.format("spmv", "eight_lanes_a_row")), ("spmv_fast", SOLUTION)],
    "monte_carlo": [("rounds for each word", WRONG.format("monte_carlo", "rounds_for_each_word")),
                    ("single stores", WRONG.format("monte_carlo", "four_stores")), ("monte_carlo", SOLUTION),
                    ("monte_carlo_fast", SOLUTION)],
}


def _versions(lab):
    return [(what, _File(path.format(lab, what))) for what, path in VERSIONS[lab]]


def _call(name, function, arguments, **more):
    return {"name": name, "steps": [{"library": function, "arguments": arguments}], **more}


def beside_a_copy(largest):
    """Labs whose limit is memory: (group, bytes, jobs, is it the large problem?), the first job of each a copy of as many
    bytes, or CUB. Twice: with a large problem, and with that of the lab's timing case.

    largest    of the arrays, in elements
    """
    groups = []

    def group(name, count, jobs, library=None):
        copy = _call("copy by float4", "copy_by_float4", ["a", "out", count // 8])
        large = not any(name.split(",")[0] == other.split(",")[0] for other, *_ in groups)
        groups.append((name, count, [library or copy, *jobs], large))

    def title(n):
        return f"2^{n.bit_length() - 1}"

    def side(elements):
        return 1 << (elements.bit_length() - 1) // 2

    for n in (largest, largest // 4):       # pictures and matrices
        edge = side(n)
        size, shape = f"{edge} x {edge}", (edge, edge)
        group(f"grey, {size}", 4 * n, [
            {"name": what, "result": "picture", "steps": [
                file.step("to_grey", ["bytes", "picture", edge, edge, 32 * -(-3 * edge // 32)], shape, (16, 16))]}
            for what, file in _versions("grey")])
        group(f"transpose, {size}", 8 * n, [
            {"name": what, "result": "made", "steps": [
                file.step("transpose", ["a", "made", edge, edge], shape, (32, 32))]}
            for what, file in _versions("transpose")])
        group(f"blur, {size}", 2 * n, [
            {"name": what, "result": "picture", "steps": [
                file.step("blur", ["bytes", "picture", edge, edge], shape, (16, 16), variables={"weights": "binomial"})]}
            for what, file in _versions("blur")])
    for rows in (largest // 1024, largest // 8192):
        group(f"softmax, {rows} x 1024", 8 * rows * 1024, [
            {"name": what, "result": "made", "tolerance": 1e-5, "steps": [
                file.step("softmax", ["a", "made", rows, 1024], (rows,), grid=[rows])]}
            for what, file in _versions("softmax")])
    for n in (largest, largest // 8):
        group(f"stencil, {title(n)}", 8 * n, [
            {"name": what, "result": "made", "steps": [file.step("stencil", ["signed", "made", n], (n,))]}
            for what, file in _versions("stencil")])
        group(f"filter of 16 weights, {title(n)}", 8 * n, [
            {"name": what, "result": "made", "tolerance": 1e-5, "steps": [
                file.step("filter", ["a", "b", "made", n], (n,), grid=_blocks(n, 8192))]}
            for what, file in _versions("async_copies")])
        group(f"dot of each block, {title(n)}", 8 * n, [
            {"name": what, "result": "count", "steps": [file.step("dot", ["signed", "more", "made", n], (n,))],
             "finish": [{"library": "cub_sum_of_integers", "arguments": ["made", "count", file.blocks("dot", n)]}]}
            for what, file in _versions("block_sum")])
        group(f"sum of each block, {title(n)}", 4 * n, [
            {"name": what, "result": "count", "steps": [file.step("block_sum", ["signed", "made", n], (n,))],
             "finish": [{"library": "cub_sum_of_integers", "arguments": ["made", "count", file.blocks("block_sum", n)]}]}
            for what, file in _versions("block_sum")],
            _call("CUB DeviceReduce", "cub_sum_of_integers", ["signed", "count", n], result="count"))
        group(f"compaction, {title(n)}, half kept", 6 * n, [
            {"name": what, "result": "made", "steps": [
                file.step("count_kept", ["signed", "picture", n], (n,)),
                file.step("scan_counts", ["picture", "b", file.blocks("count_kept", n)], (n,), grid=[1]),
                file.step("compact", ["signed", "b", "made", n], (n,), grid=[file.blocks("count_kept", n)])]}
            for what, file in _versions("compaction")],
            _call("CUB DeviceSelect", "cub_select", ["signed", "made", "count", n], result="made"))
    for n in (largest // 2, largest // 16):
        group(f"broken, {title(n)}", 28 * n, [
            {"name": what, "result": "made", "steps": [
                file.step(kernel, ["signed", result, n], (n,))
                for kernel, result in (("tripled", "a"), ("mirrored", "b"), ("differences", "made"),
                                       ("positives", "picture"))]}
            for what, file in _versions("broken")])
    return groups


def libraries(big=1 << 27):
    """Solutions beside NVIDIA's libraries: the groups of measure.c, and (group, job) -> how many bytes or operations."""
    groups, work = [], {}

    def group(name, amount, unit, jobs, profiled=False):
        groups.append({"name": name, "jobs": jobs, "profiled": profiled})
        for job in jobs:
            work[name, job["name"]] = (amount, unit)

    def steps(name, file, launches, **more):
        return {"name": name, "steps": [_launch("", file, *launch)["steps"][0] for launch in launches], **more}

    for stem, items in (("vector_add", 256), ("vector_add_fast", 1024)):
        job = steps(stem, SOLUTION.format("vector_add", stem),
                    [("vector_add", ["a", "b", "out", big], _blocks(big, items), [256])], result="out")
        if stem == "vector_add":
            copy = _call("copy by float4", "copy_by_float4", ["a", "out", big])
            plain = job
    group("vector add, 2^27", 12 * big, "GB/s", [plain, job])
    group("copy, 2^27", 8 * big, "GB/s", [copy])
    group("doublify, 2^27", 8 * big, "GB/s",
          [steps(stem, SOLUTION.format("doublify", stem), [("doublify", ["out", big], _blocks(big, items), [256])])
           for stem, items in (("doublify", 256), ("doublify_fast", 1024))])
    for n, title in ((big, "2^27"), (1 << 24, "2^24"), (10 ** 6, "10^6")):
        blocks = _blocks(n, 16384)[0]
        group(f"sum, {title}", 4 * n, "GB/s", [
            _call("CUB DeviceReduce", "cub_sum", ["a", "bins", n], result="bins", tolerance=1e-3),
            steps("sum", "tests/gpu/sum.cu", [("sum_blocks", ["a", "b", n], [blocks], [512]),
                                              ("sum_finish", ["b", "bins", blocks], [1], [512])],
                  result="bins", tolerance=1e-3)])
        tiles = _blocks(n, 8192)[0]
        words = 4 + 2 * tiles
        scan = SOLUTION.format("scan", "scan_fast")
        group(f"scan, {title}", 8 * n, "GB/s", [
            _call("CUB DeviceScan", "cub_scan", ["bits", "out", n], result="out"),
            steps("scan_fast", scan, [("scan_clear", ["b", words], _blocks(words, 256), [256]),
                                      ("scan", ["bits", "out", "b", n], [tiles], [256])], result="out")])
    for fill, title in (("bits", "uniform"), ("skewed", "99 % in one bin")):
        jobs = [_call("CUB DeviceHistogram", "cub_histogram", [fill, "bins", big], result="bins")]
        for stem, items, block in (("histogram", 4096, 256), ("histogram_fast", 32768, 512)):
            jobs.append(steps(stem, SOLUTION.format("histogram", stem),
                              [("clear_bins", ["bins"], [1], [256]),
                               ("histogram", [fill, "bins", big], _blocks(big, items), [block])], result="bins"))
        group(f"histogram, {title}", 4 * big, "GB/s", jobs)
    for side in (1024, 2048, 4096):
        jobs = [_call("cuBLAS Sgemm", "cublas_matmul", ["a", "b", "out", side], result="out", tolerance=1e-4)]
        for stem, columns, rows, block in (("matmul_tiled", 16, 16, [16, 16]), ("matmul_tiled_fast", 256, 128, [256])):
            grid = [(side + columns - 1) // columns, (side + rows - 1) // rows]
            jobs.append(steps(stem, SOLUTION.format("matmul_tiled", stem),
                              [("matmul_tiled", ["a", "b", "out", side, side, side], grid, block)], result="out",
                              tolerance=1e-4))
        for what, file in _versions("register_tiles"):
            jobs.append({"name": what, "result": "out", "tolerance": 1e-4, "steps": [
                file.step("register_tiles", ["a", "b", "out", side, side, side], (side, side), (16, 16))]})
        group(f"matmul, {side}", 2 * side ** 3, "GFLOP/s", jobs)
    for side in (1024, 2048, 4096):
        group(f"matmul of halves, {side}", 2 * side ** 3, "GFLOP/s", [
            _call("cuBLAS GemmEx", "cublas_matmul_halves", ["halves", "other_halves", "out", side], result="out",
                  tolerance=1e-4),
            *({"name": what, "result": "out", "tolerance": 1e-4, "steps": [
                file.step("tensor_cores", ["halves", "other_halves", "out", side, side, side], (side, side), (128,))]}
              for what, file in _versions("tensor_cores"))])
    for side in (2048, 8192):
        group(f"attention, {side} x {side}", 4 * 64 * side ** 2, "GFLOP/s", [
            {"name": what, "result": "made", "tolerance": 1e-4, "steps": [
                file.step("attention", ["a", "b", "a", "made", side, side], (side,), (64,))]}
            for what, file in _versions("attention")])
    group("saxpy, 2^27", 12 * big, "GB/s", [
        _call("cuBLAS Saxpy", "cublas_saxpy", ["a", "out", big]),
        *({"name": what, "steps": [file.step("saxpy", [big, FLOAT_1_5, "a", "out"], (), grid=[1056])]}
          for what, file in _versions("saxpy"))])
    for name, amount, jobs, large in beside_a_copy(big // 2):
        group(name, amount, "GB/s", jobs, profiled=large)
    named = arrays(big)
    named["skewed"] = {"count": big, "fill": "skewed"}
    for name, fill in (("signed", "signed"), ("more", "signed"), ("made", "zero"), ("bytes", "bytes"), ("picture", "zero")):
        named[name] = {"count": big // (8 if name == "picture" else 2), "fill": fill}
    for name in ("halves", "other_halves"):
        named[name] = {"count": 4096 * 4096 // 2, "fill": "halves"}
    named["count"] = {"count": 1, "fill": "zero"}
    named["binomial"] = {"values": [row * column for row in BINOMIAL for column in BINOMIAL]}
    del named["index"]
    return {"arrays": named, "groups": groups}, work


def _matrices(numpy):
    """(name, how many entries each row has, a function from entries' rows and a generator to their columns, width)."""
    edge, rows = 1 << 11, 1 << 20
    i = numpy.arange(edge * edge)
    there = [numpy.full(i.size, True), i % edge > 0, i % edge < edge - 1, i >= edge, i < edge * (edge - 1)]
    steps = [0, -1, 1, -edge, edge]
    yield "grid of 2048 x 2048", sum(t.astype(numpy.int64) for t in there), i.size, lambda _: numpy.concatenate(
        [numpy.stack([i + step for step in steps], 1)[numpy.stack(there, 1)]])
    yield "2^20 rows of 32", numpy.full(rows, 32), rows, None
    lengths = (numpy.arange(rows) + 1.0) ** -0.75
    lengths = numpy.floor(lengths * 16 * rows / lengths.sum()).astype(numpy.int64)
    numpy.random.default_rng(1).shuffle(lengths)
    yield f"2^20 rows, the longest of {lengths.max()}", lengths, rows, None


def sparse(folder):
    """Sparse matrices times vectors: as libraries(), a pair for each matrix, whose arrays it writes into the folder."""
    import numpy    # pylint: disable=import-outside-toplevel
    random = numpy.random.default_rng(2)
    for number, (name, lengths, width, columns_of) in enumerate(_matrices(numpy)):
        rows, entries = lengths.size, int(lengths.sum())
        content = {"starts": numpy.concatenate([[0], numpy.cumsum(lengths)]).astype(numpy.int32),
                   "columns": (columns_of(random) if columns_of else random.integers(0, width, entries)).astype(numpy.int32),
                   "values": random.uniform(0.5, 2, entries).astype(numpy.float32),
                   "x": random.uniform(-1, 1, width).astype(numpy.float32)}
        named = {"y": {"count": rows, "fill": "zero"}}
        for key, array in content.items():
            path = f"{folder}/matrix_{number}_{key}"
            array.tofile(path)
            named[key] = {"count": array.size, "from": path}
        arguments = ["starts", "columns", "values", "x", "y", rows]
        jobs = [_call("cuSPARSE SpMV", "cusparse_spmv", [*arguments, width, entries], result="y")] + [
            {"name": what, "result": "y", "tolerance": 1e-5, "steps": [
                # the lab has threads for a warp a row; without the superfluous ones this version is at its best
                file.step("spmv", arguments, ((1 if what == "thread per row" else 32) * rows,))]}
            for what, file in _versions("spmv")]
        group = f"sparse product, {name}"
        yield ({"arrays": named, "groups": [{"name": group, "jobs": jobs}]},
               {(group, job["name"]): (8 * entries + 4 * width + 8 * rows, "GB/s") for job in jobs})


CONJUGATE_GRADIENTS = {    # of each version: kernel and arguments, in the order of an iteration
    ("dot products apart", WRONG.format("conjugate_gradients", "dots_apart")): [
        ("product", "columns values p q N"), ("dot_product", "p q sum N"), ("update", "x r p q rr pq 1 N"),
        ("dot_product", "r r sum N"), ("direction", "r p rr 1 N")],
    ("conjugate_gradients", SOLUTION.format("conjugate_gradients", "conjugate_gradients")): [
        ("multiply", "columns values p q pq 1 N"), ("step", "x r p q rr pq 1 N"), ("direction", "r p rr 1 N")],
    ("conjugate_gradients_fast", SOLUTION.format("conjugate_gradients", "conjugate_gradients_fast")): [
        ("turn", "columns values r p next q rr pq 1 N"), ("step", "x r next q rr pq 1 N")]}


def iteration(folder, edge):
    """An iteration of conjugate gradients on the points of a grid, as sparse() describes a product, beside a copy of as many
    bytes as three launches have to move. The sums are of no use: each run adds to them."""
    import numpy    # pylint: disable=import-outside-toplevel
    rows, path = edge * edge, f"{folder}/columns_{edge}"
    i = numpy.arange(rows)
    columns = [i, numpy.where(i % edge > 0, i - 1, i), numpy.where(i % edge < edge - 1, i + 1, i),
               numpy.where(i >= edge, i - edge, i), numpy.where(i < rows - edge, i + edge, i)]
    numpy.concatenate(columns).astype(numpy.int32).tofile(path)
    copied = 84 * rows // 8 // 4 * 4
    named = {"columns": {"count": 5 * rows, "from": path},
             "values": {"count": 5 * rows, "fill": "fraction"}, "sum": {"count": 1, "fill": "zero"},
             "a": {"count": copied, "fill": "zero"}, "out": {"count": copied, "fill": "zero"},
             **{name: {"count": rows, "fill": "fraction"} for name in ("x", "r", "p", "q", "next")},
             **{name: {"values": [0x3f800000] * 4} for name in ("rr", "pq")}}
    jobs = [_call("copy by float4", "copy_by_float4", ["a", "out", copied])]
    for (what, source), launches in CONJUGATE_GRADIENTS.items():
        file = _File(source)
        jobs.append({"name": what, "steps": [
            file.step(kernel, [rows if word == "N" else int(word) if word.isdigit() else word for word in arguments.split()],
                      (rows,)) for kernel, arguments in launches]})
    group = f"an iteration, {edge} x {edge}"
    return ({"arrays": named, "groups": [{"name": group, "jobs": jobs}]},
            {(group, job["name"]): (84 * rows, "GB/s") for job in jobs})


def sorting(n):
    """A sort of n keys of 32 bits, in 8 passes or in 4, beside CUB's, as iteration() describes its own."""
    passes, jobs = {4: 8, 8: 4}, [_call("CUB DeviceRadixSort", "cub_sort", ["keys", "sorted", n], result="sorted")]
    named, group = {}, f"sort, 2^{n.bit_length() - 1} keys"

    def arrays_of(which, bits):
        """(keys, out) of a pass: the last one fills sorted."""
        places = ["keys", *(["passed", "passed_on"] * 4)[:passes[bits] - 1], "sorted"]
        return places[which], places[which + 1]

    for what, path in (("stored straight", WRONG.format("radix_sort", "stored_straight")),
                       ("radix_sort", SOLUTION.format("radix_sort", "radix_sort")),
                       ("1024 keys a block", VARIANT.format("radix_sort", "four_keys"))):
        file = _File(path)
        blocks, steps = file.blocks("count_digits", n), []
        for which in range(passes[4]):
            keys, out = arrays_of(which, 4)
            steps += [file.step("count_digits", [keys, "counts", n, 4 * which], (n,)),
                      file.step("scan_digits", ["counts", "starts", 16 * blocks], (n,), grid=[1]),
                      file.step("scatter", [keys, "starts", out, n, 4 * which], (n,))]
        jobs.append({"name": what, "result": "sorted", "steps": steps})
    fast = _File(SOLUTION.format("radix_sort", "radix_sort_fast"))
    words = 4 + 256 * fast.blocks("sweep", n)
    count = 1024 + passes[8] * words
    steps = [fast.step("sort_clear", ["scratch", count], (count,)), fast.step("count_all", ["keys", "scratch", n], (n,)),
             fast.step("scan_totals", ["scratch", "starts"], (256,), grid=[4])]
    for which in range(passes[8]):
        keys, out = arrays_of(which, 8)
        steps.append(fast.step("sweep", [keys, ["starts", 256 * which], ["scratch", 1024 + which * words], out, n, 8 * which],
                               (n,)))
    jobs.append({"name": "radix_sort_fast", "result": "sorted", "steps": steps})
    named.update({"keys": {"count": n, "fill": "bytes"}, "scratch": {"count": count, "fill": "zero"},
                  **{name: {"count": n, "fill": "zero"} for name in ("passed", "passed_on", "sorted")},
                  **{name: {"count": max(1024, 16 * -(-n // 256)), "fill": "zero"} for name in ("counts", "starts")}})
    return ({"arrays": named, "groups": [{"name": group, "jobs": jobs}]},
            {(group, job["name"]): (n, "Gkeys/s") for job in jobs})


def random_numbers(drawn=1 << 25, thrown=1 << 28):
    """The kernels of monte_carlo beside cuRAND's Philox, as sparse() describes a product: arrays of numbers beside its host
    API, whose order is another one, and an estimate beside its device API, whose samples are the same.

    drawn, thrown   samples of draw and of estimate
    """
    seed, first = [0x123456789abcdef], [0]
    named = {"words": {"count": 4 * drawn, "fill": "zero"}, "numbers": {"count": 4 * drawn, "fill": "zero"},
             "hits": {"count": thrown // 256, "fill": "zero"}, "moments": {"count": 2, "fill": "zero"}}
    draw = [_call("cuRAND, words and numbers", "curand_words_and_numbers", ["words", "numbers", 4 * drawn])]
    estimate = [_call("cuRAND, device API", "curand_estimate", ["hits", thrown, seed, first], result="moments", finish=[
        _File(SOLUTION.format("monte_carlo", "monte_carlo")).step(
            "finish", ["hits", -(-thrown // 2048), thrown, "moments"], (), grid=[1])])]
    for what, file in _versions("monte_carlo"):
        draw.append({"name": what, "result": "words", "steps": [
            file.step("draw", ["words", "numbers", drawn, seed, first], (drawn,))]})
        if "fast" in what or what == "monte_carlo":
            estimate.append({"name": what, "result": "moments", "steps": [
                file.step("estimate", ["hits", thrown, seed, first], (thrown,))], "finish": [
                    file.step("finish", ["hits", file.blocks("estimate", thrown), thrown, "moments"], (), grid=[1])]})
    groups = [(f"words and numbers, 2^{drawn.bit_length() + 1}", draw, 32 * drawn, "GB/s"),
              (f"estimate, 2^{thrown.bit_length() - 1} samples", estimate, thrown, "G samples/s")]
    return ({"arrays": named, "groups": [{"name": name, "jobs": jobs} for name, jobs, *_ in groups]},
            {(name, job["name"]): (amount, unit) for name, jobs, amount, unit in groups for job in jobs})


WIDE = "ptxas joins neighbouring loads of a thread into one of 8 or 16 bytes, which takes fewer passes"
ATOMIC = ("we count each sector of a request once; the GPU sends it again for lanes that share an address (measured: about "
          "as often as the most lanes of one address in that sector)")
INCREMENT = ("ptxas has an instruction for adding 1 in shared memory, in which lanes of one word share a pass; we let them "
             "take turns, as they do in every other atomic operation (there the GPU takes one pass for each lane of a bank)")

REDUCED = ("ptxas makes code of more instructions of a maximum in shared memory, in which nearly every request takes one "
           "pass: the lanes of one word seem to agree on the largest first; we let them take turns")

# (kernel, counter): why ours is not the profiler's. A difference that is not listed is a mistake of ours.
EXPLAINED = {
    ("pi_sum", "shared_load_wavefronts"): WIDE,
    ("matmul_tiled", "shared_load_wavefronts"): WIDE,
    ("matmul_tiled, in registers", "shared_load_wavefronts"): WIDE,
    **{(kernel, "global_atomic_sectors"): ATOMIC
       for kernel in ("histogram, global atomics", "count_globally", "tickets")},
    **{("largest", counter): REDUCED for counter in ("shared_bank_conflicts", "shared_atomic_wavefronts")},
    **{(kernel, counter): INCREMENT
       for kernel in ("histogram", "histogram, 4 per thread", "count_in_shared", "histogram_64")
       for counter in ("shared_bank_conflicts", "shared_atomic_wavefronts")},
}

# Estimates of time may be off by this factor; farther only with a reason.
FACTOR = 1.5
SCATTERED = "lanes far apart read or write a sector each, all over memory, which reaches half its bandwidth then, or less"
FAR_OFF = {
    "gathered": SCATTERED,
    "scattered": SCATTERED,
    "pi, reducer, step 16": "its first blocks have all the work, and the others only begin and end; the estimate spreads "
                            "the work over all",
}

# The same for held-out kernels, where nothing was fixed.
HELD_OUT_FAR_OFF = {}

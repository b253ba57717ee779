"""The kernels whose counters and times are compared with a GPU's, as jobs for measure.c.

Each is one launch, described for a problem of n elements (matrices: side x side), so that counters are taken at a small size
and times at a large one.
"""

import math

SOLUTION = "solutions/{0}/{1}.cu"
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
        lab("01_doublify", "doublify", "doublify", ["out", n], 256, "doublify"),
        lab("01_doublify", "doublify_fast", "doublify", ["out", n], 1024, "doublify, 4 per thread"),
        ("01_doublify", _launch("doublify, strided", wrong.format("01_doublify", "strided"), "doublify", ["out", n],
                                _blocks(n, 256), [256])),
        lab("02_vector_add", "vector_add", "vector_add", ["a", "b", "out", n], 256, "vector_add"),
        lab("02_vector_add", "vector_add_fast", "vector_add", ["a", "b", "out", n], 1024, "vector_add, 4 per thread"),
        ("02_vector_add", _launch("vector_add, strided", wrong.format("02_vector_add", "strided"), "vector_add",
                                  ["a", "b", "out", n], _blocks(n, 256), [256])),
        lab("03_pi", "pi", "mapper", ["out", n], 256, "pi, mapper"),
        lab("03_pi", "pi", "reducer", ["out", 1, n], 256, "pi, reducer, step 1"),
        lab("03_pi", "pi", "reducer", ["out", 16, n], 256, "pi, reducer, step 16"),
        ("03_pi", _launch("pi, reducer by modulo, step 16", wrong.format("03_pi", "reducer_modulo"), "reducer",
                          ["out", 16, n], _blocks(n, 256), [256])),
        lab("03_pi", "pi_fast", "pi_sum", ["out", n], 4096, "pi_sum"),
        lab("04_scan", "scan", "scan_blocks", ["bits", "out", "b", n], 256, "scan_blocks"),
        lab("04_scan", "scan", "add_block_sums", ["out", "b", n], 256, "add_block_sums"),
        lab("06_histogram", "histogram", "histogram", ["bits", "bins", n], 4096, "histogram"),
        lab("06_histogram", "histogram_fast", "histogram", ["bits", "bins", n], 32768, "histogram, 4 per thread", 512),
        ("06_histogram", _launch("histogram, global atomics", wrong.format("06_histogram", "global_atomics_only"),
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
        return "05_matmul_tiled", _launch(name, file, kernel, ["a", "b", "out"] + [side] * sizes, grid(columns, rows), block)

    plain = SOLUTION.format("05_matmul_tiled", "matmul_tiled")
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


def libraries():
    """Solutions beside NVIDIA's libraries: the groups of measure.c, and (group, job) -> how many bytes or operations."""
    groups, work = [], {}

    def group(name, amount, unit, jobs):
        groups.append({"name": name, "jobs": jobs})
        for job in jobs:
            work[name, job["name"]] = (amount, unit)

    def call(name, function, arguments, **more):
        return {"name": name, "steps": [{"library": function, "arguments": arguments}], **more}

    def steps(name, file, launches, **more):
        return {"name": name, "steps": [_launch("", file, *launch)["steps"][0] for launch in launches], **more}

    big = 1 << 27
    for stem, items in (("vector_add", 256), ("vector_add_fast", 1024)):
        job = steps(stem, SOLUTION.format("02_vector_add", stem),
                    [("vector_add", ["a", "b", "out", big], _blocks(big, items), [256])], result="out")
        if stem == "vector_add":
            copy = call("copy by float4", "copy_by_float4", ["a", "out", big])
            plain = job
    group("vector add, 2^27", 12 * big, "GB/s", [plain, job])
    group("copy, 2^27", 8 * big, "GB/s", [copy])
    group("doublify, 2^27", 8 * big, "GB/s",
          [steps(stem, SOLUTION.format("01_doublify", stem), [("doublify", ["out", big], _blocks(big, items), [256])])
           for stem, items in (("doublify", 256), ("doublify_fast", 1024))])
    for n, title in ((big, "2^27"), (1 << 24, "2^24"), (10 ** 6, "10^6")):
        blocks = _blocks(n, 16384)[0]
        group(f"sum, {title}", 4 * n, "GB/s", [
            call("CUB DeviceReduce", "cub_sum", ["a", "bins", n], result="bins", tolerance=1e-3),
            steps("sum", "tests/gpu/sum.cu", [("sum_blocks", ["a", "b", n], [blocks], [512]),
                                              ("sum_finish", ["b", "bins", blocks], [1], [512])],
                  result="bins", tolerance=1e-3)])
        tiles = _blocks(n, 8192)[0]
        words = 4 + 2 * tiles
        scan = SOLUTION.format("04_scan", "scan_fast")
        group(f"scan, {title}", 8 * n, "GB/s", [
            call("CUB DeviceScan", "cub_scan", ["bits", "out", n], result="out"),
            steps("scan_fast", scan, [("scan_clear", ["b", words], _blocks(words, 256), [256]),
                                      ("scan", ["bits", "out", "b", n], [tiles], [256])], result="out")])
    for fill, title in (("bits", "uniform"), ("skewed", "99 % in one bin")):
        jobs = [call("CUB DeviceHistogram", "cub_histogram", [fill, "bins", big], result="bins")]
        for stem, items, block in (("histogram", 4096, 256), ("histogram_fast", 32768, 512)):
            jobs.append(steps(stem, SOLUTION.format("06_histogram", stem),
                              [("clear_bins", ["bins"], [1], [256]),
                               ("histogram", [fill, "bins", big], _blocks(big, items), [block])], result="bins"))
        group(f"histogram, {title}", 4 * big, "GB/s", jobs)
    for side in (1024, 2048, 4096):
        jobs = [call("cuBLAS Sgemm", "cublas_matmul", ["a", "b", "out", side], result="out", tolerance=1e-4)]
        for stem, columns, rows, block in (("matmul_tiled", 16, 16, [16, 16]), ("matmul_tiled_fast", 256, 128, [256])):
            grid = [(side + columns - 1) // columns, (side + rows - 1) // rows]
            jobs.append(steps(stem, SOLUTION.format("05_matmul_tiled", stem),
                              [("matmul_tiled", ["a", "b", "out", side, side, side], grid, block)], result="out",
                              tolerance=1e-4))
        group(f"matmul, {side}", 2 * side ** 3, "GFLOP/s", jobs)
    named = arrays(big)
    named["skewed"] = {"count": big, "fill": "skewed"}
    del named["index"]
    return {"arrays": named, "groups": groups}, work


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

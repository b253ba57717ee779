"""The race checker against a slow oracle: random small kernels whose accesses are known, every pair of them compared.

All threads take the same steps, in one or more rounds: an access with an address of its own for each thread (or none), a
barrier of the block, a barrier of the warp, a fence. So two accesses are ordered if they are of one thread, or of one block
with a barrier between, or of one warp with a barrier of the warp between; everything else that conflicts is a race, but for
atomics of one size whose scope has both threads. Fences order nothing in programs without atomics, and those with atomics
have none. A step is a line of the source.

LOCKSTEP_TEST_RACES: how many programs (default 200), LOCKSTEP_TEST_RACES_SEED: the number of the first one.
"""

import ctypes
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest

import sanitizer

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
COUNT = int(os.environ.get("LOCKSTEP_TEST_RACES", "200"))
SEED = int(os.environ.get("LOCKSTEP_TEST_RACES_SEED", "1"))
WARP = 32
ARRAY_BYTES = 2048
WIDTHS = {1: "u8", 2: "u16", 4: "u32", 8: "u64", 16: "v4.u32"}
ATOMICS = {("atomic", 4): "{}.add.u32", ("atomic", 8): "{}.add.u64",
           ("block atomic", 4): "{}.cta.max.u32", ("block atomic", 8): "{}.cta.exch.b64"}
FENCES = {"fence": "membar.gl;", "block fence": "membar.cta;"}
REGISTERS = {1: "%r1", 2: "%r1", 4: "%r1", 8: "%rd4", 16: "{%r1,%r2,%r3,%r4}"}


class Program:
    """steps: "barrier", "warp barrier", "fence", "block fence", or (array, access, width, [offset or None of each thread of
    the grid]); access: "read", "write", "atomic", "block atomic"."""

    def __init__(self, seed):
        choose = random.Random(seed)
        self.threads = choose.choice([32, 40, 64, 64, 96, 128])
        self.blocks = choose.choice([1, 1, 1, 2])
        self.steps = []
        has_atomics, has_fences = choose.choice([(False, False), (False, True), (True, False), (True, False)])
        place = self.pattern(choose)
        width = choose.choice([4, 4, 4, 4, 8, 16, 1, 2])
        for _ in range(choose.randint(2, 9)):
            kind = choose.random()
            if kind < 0.35:
                self.steps.append("barrier" if choose.random() < 0.7 else "warp barrier")
                continue
            if has_fences and kind < 0.42:
                self.steps.append(choose.choice(list(FENCES)))
                continue
            if choose.random() < 0.2:
                width = choose.choice([1, 2, 4, 4, 8, 16])
            array = choose.choice(["shared", "shared", "shared", "global"])
            if choose.random() < 0.6:   # else where the step before was, by other threads
                place = self.pattern(choose)
            access = choose.choice(["read", "write"])
            if has_atomics and width in (4, 8) and choose.random() < 0.6:
                access = choose.choice(["atomic", "atomic", "block atomic"])
            self.steps.append((array, access, width, self.places(choose, width, place)))
        self.rounds = choose.choice([1, 1, 2, 3, 4])
        self.steps += ["barrier"] if choose.random() < 0.6 else []
        self.path = []   # what a thread does; line of path[i]: i % len(steps) + 1
        drift = [choose.choice([0, 0, 32, 64, -32, 1]) for _ in self.steps]   # elements by which a step moves on each round
        for done in range(self.rounds):
            for step, far in zip(self.steps, drift):
                self.path.append(step if isinstance(step, str) else (*step[:3], [
                    None if place is None else (place + done * far * step[2]) % ARRAY_BYTES for place in step[3]]))

    def pattern(self, choose):
        shift = choose.choice([0, 0, 0, 0, 1, 2, 16, 31, 32, 33])
        apart = choose.randint(0, 9)
        pattern = choose.choice([
            lambda t: t, lambda t: t, lambda t: t, lambda t: t ^ 1 << apart % 7, lambda t: 0, lambda t: t * 33,
            lambda t: t * 2, lambda t: t // 2, lambda t: t // 16, lambda t: t & 15, lambda t: self.threads - 1 - t,
            lambda t: t // WARP * WARP + (t * 7 + 3) % WARP, lambda t: t % WARP * 33 + t // WARP])
        return lambda t: pattern(t) + shift

    def places(self, choose, width, place):
        limit = choose.choice([1, 7, 16, 31, 32, 33, 48])
        active = choose.choice([
            lambda t: True, lambda t: True, lambda t: True, lambda t: t < limit, lambda t: t >= limit,
            lambda t: t % 2 == limit % 2, lambda t: t // WARP == limit % 3, lambda t: t == limit, lambda t: t == 0,
            lambda t: t % 16 == 0])
        spread = self.threads if choose.random() < 0.7 else 0   # blocks use places of their own
        return [(place(t) + spread * b) * width % ARRAY_BYTES if active(t) else None
                for b in range(self.blocks) for t in range(self.threads)]

    def text(self):
        body = []
        for line, step in enumerate(self.steps, 1):
            body.append(f".loc 1 {line} 0")
            if isinstance(step, str):
                body.append(FENCES.get(step) or
                            ("bar.sync 0;" if step == "barrier" else "activemask.b32 %r6; bar.warp.sync %r6;"))
                continue
            array, access, width, _ = step
            body.append(f"ld.global.u32 %r5, [%rd3+{4 * (line - 1) * self.threads * self.blocks}];")
            body.append("setp.ne.u32 %p1, %r5, 0xffffffff;")
            if array == "shared":
                body.append("add.u32 %r6, %r5, %r7;")
            else:
                body.append("cvt.u64.u32 %rd5, %r5; add.u64 %rd5, %rd5, %rd1;")
            address = "[%r6]" if array == "shared" else "[%rd5]"
            if access != "read":   # every store of every thread has a value of its own
                body.append(f"mad.lo.u32 %r1, %r0, 64, {line}; mov.u32 %r2, %r1; mov.u32 %r3, %r1; mov.u32 %r4, %r1;")
                body.append("cvt.u64.u32 %rd4, %r1;")
            if access == "write":
                body.append(f"@%p1 st.{array}.{WIDTHS[width]} {address}, {REGISTERS[width]};")
            elif access != "read":   # the old value is dropped every other time
                name, register = ATOMICS[access, width].format(array), REGISTERS[width]
                reduces = line % 2 and "exch" not in name
                body.append(f"@%p1 red.{name} {address}, {register};" if reduces
                            else f"@%p1 atom.{name} {register}, {address}, {register};")
            else:
                body.append(f"@%p1 ld.{array}.{WIDTHS[width]} {REGISTERS[width]}, {address};")
        back = f"add.u64 %rd3, %rd3, {4 * len(self.steps) * self.threads * self.blocks};" \
               f"add.u32 %r10, %r10, 1; setp.lt.u32 %p1, %r10, {self.rounds}; @%p1 bra NEXT;"
        return """.version 8.0
.target sm_80
.address_size 64
.visible .entry steps(.param .u64 steps_param_0, .param .u64 steps_param_1)
{
.reg .pred %p<2>; .reg .b32 %r<11>; .reg .b64 %rd<8>;
.shared .align 16 .b8 s[""" + str(ARRAY_BYTES) + """];
ld.param.u64 %rd1, [steps_param_0];
ld.param.u64 %rd2, [steps_param_1];
mov.u32 %r8, %tid.x; mov.u32 %r9, %ctaid.x; mov.u32 %r7, %ntid.x; mad.lo.u32 %r0, %r9, %r7, %r8;
mul.wide.u32 %rd3, %r0, 4; add.u64 %rd3, %rd2, %rd3; mov.u32 %r7, s; mov.u32 %r10, 0;
""" + "\nNEXT:\n" + "\n".join(body + [back]) + '\nret;\n}\n.file 1 "steps.cu"\n'

    def table(self):
        words = []
        for step in self.path:
            offsets = [None] * (self.threads * self.blocks) if isinstance(step, str) else step[3]
            words += [0xFFFFFFFF if offset is None else offset for offset in offsets]
        return (ctypes.c_uint32 * len(words))(*words)

    def ordered(self, first, a, second, b):
        """Is what thread a does in step `first` before what thread b does in step `second`?"""
        if a == b:
            return first != second
        between = [step for step in self.path[first + 1:second] if isinstance(step, str) and step not in FENCES]
        if a // self.threads != b // self.threads:
            return False
        same_warp = a % self.threads // WARP == b % self.threads // WARP
        return "barrier" in between or (same_warp and bool(between))

    def conflict(self, a, before, b, after):
        """Must thread a's step `before` be ordered with thread b's step `after`, at a byte of both?"""
        accesses = {before[1], after[1]}
        if accesses == {"read"}:
            return False
        if accesses & {"read", "write"} or before[2] != after[2]:
            return True
        return "block atomic" in accesses and a // self.threads != b // self.threads

    def races(self):
        """{(array, block or None, byte): {frozenset of two lines}}"""
        touched = {}
        found = {}
        for index, step in enumerate(self.path):
            if isinstance(step, str):
                continue
            array, _, width, offsets = step
            for thread, offset in enumerate(offsets):
                if offset is None:
                    continue
                for byte in range(offset, offset + width):
                    key = (array, thread // self.threads if array == "shared" else None, byte)
                    for other, before in touched.get(key, ()):
                        if other != thread and self.conflict(other, self.path[before], thread, step) \
                           and not self.ordered(before, other, index, thread):
                            lines = frozenset((before % len(self.steps) + 1, index % len(self.steps) + 1))
                            found.setdefault(key, set()).add(lines)
                    touched.setdefault(key, []).append((thread, index))
        return found


def run_programs(first, count):
    """In a process of its own, since the driver reads its settings once: one line of findings for each program."""
    driver = ctypes.CDLL(f"{BUILD}/emulated/libcuda.so.1")
    path = os.environ["LOCKSTEP_FINDINGS"]
    context, array = ctypes.c_void_p(), ctypes.c_uint64()
    assert driver.cuInit(0) == 0 and driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
    assert driver.cuMemAlloc_v2(ctypes.byref(array), ctypes.c_size_t(ARRAY_BYTES)) == 0
    for seed in range(first, first + count):
        program = Program(seed)
        table, module, kernel, places = program.table(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
        assert driver.cuMemsetD8_v2(array, 0, ctypes.c_size_t(ARRAY_BYTES)) == 0
        assert driver.cuMemAlloc_v2(ctypes.byref(places), ctypes.c_size_t(ctypes.sizeof(table))) == 0
        assert driver.cuMemcpyHtoD_v2(places, table, ctypes.c_size_t(ctypes.sizeof(table))) == 0
        assert driver.cuModuleLoadData(ctypes.byref(module), program.text().encode()) == 0, seed
        assert driver.cuModuleGetFunction(ctypes.byref(kernel), module, b"steps") == 0
        arguments = (ctypes.c_void_p * 2)(*(ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in (array, places)))
        assert driver.cuLaunchKernel(kernel, program.blocks, 1, 1, program.threads, 1, 1, 0, None, arguments, None) == 0
        assert driver.cuCtxSynchronize() == 0, seed
        assert driver.cuModuleUnload(module) == 0 and driver.cuMemFree_v2(places) == 0
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"seed": seed}) + "\n")


def findings_of(first, count):
    """{seed: findings}"""
    found, pending = {}, []
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "findings")
        subprocess.run([sys.executable, __file__, "--run", str(first), str(count)], check=True,
                       env={**os.environ, **sanitizer.environment(BUILD), "LOCKSTEP_CHECKS": "all",
                            "LOCKSTEP_FINDINGS": path})
        with open(path, encoding="utf-8") as file:
            for line in map(json.loads, file):
                if "seed" in line:
                    found[line["seed"]], pending = pending, []
                else:
                    pending.append(line)
    return found


class Races(unittest.TestCase):
    """Reads of one warp between two barriers count as one access of the latest line that reads there: a read may be
    reported at the line of another read of its warp."""

    @classmethod
    def setUpClass(cls):
        cls.findings = findings_of(SEED, COUNT)

    def reported(self, seed):
        """{(array, lines)}"""
        return {("shared" if "shared array" in finding["message"] else "global",
                 frozenset((finding["line"], finding["line2"])))
                for finding in self.findings[seed] if finding["code"].startswith("race_")}

    @staticmethod
    def like(program, array, pair):
        """The pairs of lines that may stand for this one."""
        reads = [line for line, step in enumerate(program.steps, 1)
                 if not isinstance(step, str) and step[0] == array and step[1] == "read"]
        pairs = {(array, pair)}
        for line in pair:
            (other,) = pair - {line} or {line}
            if line in reads:
                pairs |= {(array, frozenset((read, other))) for read in reads}
        return pairs

    def test_every_race_that_is_reported_is_one(self):
        for seed in self.findings:
            program = Program(seed)
            races = {(key[0], pair) for key, pairs in program.races().items() for pair in pairs}
            for array, pair in self.reported(seed):
                self.assertTrue(self.like(program, array, pair) & races, (seed, array, sorted(pair), program.steps))

    def test_every_place_with_a_race_is_reported(self):
        raced = 0
        for seed in self.findings:
            program = Program(seed)
            reported = self.reported(seed)
            for (array, _, _), pairs in program.races().items():
                raced += 1
                wanted = set().union(*(self.like(program, array, pair) for pair in pairs))
                self.assertTrue(wanted & reported, (seed, array, [sorted(pair) for pair in pairs], program.steps))
        self.assertGreater(raced, COUNT)

    def test_a_good_part_of_the_programs_has_no_race(self):
        silent = sum(not Program(seed).races() for seed in self.findings)
        self.assertGreater(silent, COUNT // 6)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--run"]:
        run_programs(int(sys.argv[2]), int(sys.argv[3]))
    else:
        unittest.main()

"""The trace of a block, and `lockstep trace`: exact steps of a kernel written by hand, the page made of a real grading, a
page of every nasty text, and both in Chromium where there is one."""

import ctypes
import html.parser
import json
import os
import subprocess
import sys
import tempfile
import unittest
import xml.dom.minidom

from classes import host
import browser
import sanitizer

BUILD = os.path.abspath(os.environ.get("LOCKSTEP_BUILD", "build"))
ALL = 0xFFFFFFFF
NASTY = "</script><script>alert(1)</script>\u202e<img src=x onerror=alert(1)>\x1b[31m"

# Line 2: s[t] = t; line 3: barrier; line 5: lanes 0..7 read s[4 t] (four banks apart: 8 words in 8 banks); line 6: one lane
# reads out[t] of 32 floats each 32 floats apart. LOOPS turns of line 2 come first.
TRACE = "grader/pages/trace"   # the program that makes pages and pictures of a record

KERNEL = """.version 7.0
.target sm_80
.address_size 64
.visible .entry steps(.param .u64 out, .param .u32 turns)
{
    .reg .b32 %r<9>;
    .reg .b64 %d<6>;
    .reg .pred %p<3>;
    .shared .align 4 .b8 s[4096];
    .loc 1 1 0
    mov.u32 %r1, %tid.x;
    shl.b32 %r2, %r1, 2;
    mov.u32 %r3, s;
    add.s32 %r4, %r3, %r2;
    ld.param.u32 %r7, [turns];
$again:
    .loc 1 2 0
    st.shared.u32 [%r4], %r1;
    sub.u32 %r7, %r7, 1;
    setp.ne.u32 %p2, %r7, 0;
    @%p2 bra $again;
    .loc 1 3 0
    bar.sync 0;
    .loc 1 4 0
    setp.gt.u32 %p1, %r1, 7;
    @%p1 bra $end;
    .loc 1 5 0
    shl.b32 %r5, %r1, 7;
    add.s32 %r5, %r3, %r5;
    ld.shared.u32 %r6, [%r5];
    .loc 1 6 0
    ld.param.u64 %d1, [out];
    mul.wide.u32 %d2, %r1, 128;
    add.s64 %d3, %d1, %d2;
    st.global.u32 [%d3], %r6;
$end:
    .loc 1 7 0
    ret;
}
.file 1 "steps.cu"
"""


# Pictures in the handouts: file, case, kernel.
PICTURES = {
    "handouts/pictures/trace_missing_barrier.svg": ("labs/scan/wrong/no_barrier_in_loop.cu", "n = 33", "scan_blocks"),
    "handouts/pictures/trace_one_barrier.svg": ("labs/scan/wrong/one_barrier_in_loop.cu", "n = 33", "scan_blocks"),
    "handouts/pictures/trace_idle_lanes.svg": ("labs/pi/wrong/fused_no_guard.cu", "n = 32", "pi_finish"),
    "handouts/pictures/trace_bank_conflict.svg": ("labs/matmul_tiled/wrong/bank_conflicts.cu", "16 x 16 x 16",
                                                "matmul_tiled"),
    "handouts/pictures/trace_scattered.svg": ("labs/vector_add/wrong/strided.cu", "n = 100003", "vector_add"),
}


def draw(name, path):
    source, the_case, kernel = PICTURES[name]
    done = subprocess.run([f"{BUILD}/lockstep", "trace", source, "--case", the_case, "--kernel", kernel, "--seed",
                           "1", "--svg", path], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def launch(threads, turns):
    """Runs in a process of its own: the driver reads its environment once."""
    driver = ctypes.CDLL(f"{BUILD}/emulated/libcuda.so.1")
    context, module, kernel, out = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
    assert driver.cuInit(0) == 0 and driver.cuCtxCreate_v2(ctypes.byref(context), 0, 0) == 0
    assert driver.cuMemAlloc_v2(ctypes.byref(out), ctypes.c_size_t(4096)) == 0
    assert driver.cuModuleLoadData(ctypes.byref(module), KERNEL.encode()) == 0
    assert driver.cuModuleGetFunction(ctypes.byref(kernel), module, b"steps") == 0
    count = ctypes.c_uint32(turns)
    arguments = (ctypes.c_void_p * 2)(*(ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in (out, count)))
    driver.cuLaunchKernel(kernel, 2, 1, 1, threads, 1, 1, 0, None, arguments, None)
    driver.cuCtxSynchronize()


def traced(threads, turns, **environment):
    """The lines of the trace, and what was said."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "trace")
        done = subprocess.run([sys.executable, __file__, "launch", str(threads), str(turns)], stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, **sanitizer.environment(BUILD), "LOCKSTEP_CHECKS": "all",
                                   "LOCKSTEP_TRACE": path, **environment})
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file], done.stdout


def of_kind(lines, kind):
    return [line for line in lines if line["kind"] == kind]


class Record(unittest.TestCase):

    def test_steps_lanes_values_and_costs_are_exact(self):
        lines, _ = traced(32, 1)
        steps = of_kind(lines, "step")
        self.assertEqual([(step["line"], step["mask"], step.get("at"), step["interval"]) for step in steps],
                         [(1, ALL, None, 0), (2, ALL, None, 0), (3, ALL, "barrier", 0), (4, ALL, None, 1),
                          (5, 0xFF, None, 1), (6, 0xFF, None, 1), (7, ALL, "exit", 1)])
        write, read, store = (step["requests"][0] for step in steps if "requests" in step)
        self.assertEqual((write["kind"], write["lanes"], write["at"], write["values"], write["units"], write["ideal"]),
                         ("write", ALL, [4 * t for t in range(32)], list(range(32)), 1, 1))
        self.assertEqual((read["kind"], read["lanes"], read["at"], read["units"], read["ideal"]),
                         ("read", 0xFF, [128 * t for t in range(8)], 8, 1))   # one bank, eight words
        self.assertEqual((write["colliding"], read["colliding"], store["colliding"]), (0, 0xFF, 0))
        self.assertEqual(read["values"][0], 0)
        self.assertEqual((store["kind"], store["units"], store["ideal"]), ("write", 8, 1))
        self.assertEqual([(array["name"], array["space"], array["bytes"]) for array in of_kind(lines, "array")],
                         [("s", "shared", 4096), ("out", "global", 4096)])
        self.assertEqual([(one["line"], one["threads"], one["all"]) for one in of_kind(lines, "barrier")], [(3, 32, 1)])
        self.assertEqual(of_kind(lines, "end")[0]["steps"], 7)

    def test_a_loop_is_a_step_a_turn_and_a_block_can_be_chosen(self):
        lines, _ = traced(64, 5, LOCKSTEP_TRACE_BLOCK="1")
        self.assertEqual(of_kind(lines, "launch")[0]["block"], [1, 0, 0])
        turns = [step["warp"] for step in of_kind(lines, "step") if step["line"] == 2]
        self.assertEqual([turns.count(warp) for warp in (0, 1)], [5, 5])

    def test_findings_are_those_without_a_trace(self):
        _, said = traced(96, 2)
        _, silent = traced(96, 2, LOCKSTEP_TRACE_BLOCK="7")   # not in the grid: nothing runs step by step
        self.assertIn("same value stored by several threads", said)
        self.assertEqual(said, silent)

    def test_a_block_outside_the_grid_has_no_steps_and_a_bad_one_is_told(self):
        lines, _ = traced(32, 1, LOCKSTEP_TRACE_BLOCK="2")
        self.assertEqual((of_kind(lines, "launch")[0]["in_grid"], of_kind(lines, "step")), (0, []))
        _, said = traced(32, 1, LOCKSTEP_TRACE_BLOCK="1,x")
        self.assertIn("LOCKSTEP_TRACE_BLOCK=1,x is not a block", said)

    def test_a_million_turns_of_1024_threads_are_cut_and_that_is_said(self):
        lines, _ = traced(1024, 1000000, LOCKSTEP_FUEL="200000")
        self.assertEqual((of_kind(lines, "cut")[0]["reason"], len(of_kind(lines, "step"))), ("steps", 4000))


class Races(unittest.TestCase):
    """Which accesses of a race are framed, and the sentences about those that cannot be."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def drawn(self, file, *words):
        """How many cells the picture frames, and what the terminal reads."""
        path = os.path.join(self.folder.name, "race.svg")
        done = subprocess.run([f"{BUILD}/lockstep", "trace", file, "--seed", "1", "--svg", path, *words],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
                              env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        self.assertEqual(done.returncode, 0, done.stdout)
        with open(path, encoding="utf-8") as picture:
            text = picture.read()
        xml.dom.minidom.parseString(text.encode())
        return text.count('class="bad"'), done.stdout

    def test_a_race_in_device_memory_has_both_cells(self):
        cells, said = self.drawn("labs/doublify/wrong/every_thread_all_elements.cu", "--case", "n = 32")
        self.assertGreaterEqual(cells, 2)
        self.assertRegex(said, r"thread \d+ writes a\[\d+\] at step 2 \(line 5\), thread \d+ of another warp reads it")

    def test_a_race_between_lanes_of_a_warp_has_both_cells(self):
        cells, said = self.drawn("labs/pi/wrong/last_warp_unrolled.cu", "--case", "n = 32")
        self.assertGreaterEqual(cells, 2)
        self.assertIn("before thread 0 reads it at step 14 (line 18): nothing enforces this order", said)

    def test_a_race_in_two_dimensions_has_both_cells(self):
        cells, said = self.drawn("labs/matmul_tiled/wrong/no_first_barrier.cu", "--case", "16 x 16 x 16")
        self.assertGreaterEqual(cells, 2)
        self.assertIn("writes Bs[2][0] at step 11 (line 15), thread (0,0) of another warp reads it", said)

    def test_of_a_race_across_blocks_one_side_is_framed_and_the_other_named(self):
        for block in ("1", "0"):
            cells, said = self.drawn("labs/pi/wrong/all_steps_at_once.cu", "--case", "n = 1000", "--block", block)
            self.assertEqual(cells, 1, said)
            self.assertIn("The other access, at line 17, is not made in this block, so it is not drawn: a trace shows one "
                          "block", said)

    @staticmethod
    def request(kind, at, lanes, size=4):
        count = bin(lanes).count("1")
        return {"kind": kind, "array": 0, "type": "u32", "bytes": size, "elements": 1, "lanes": lanes, "at": [at] * count,
                "values": [1] * count, "units": 1, "ideal": 1, "colliding": 0}

    def words(self, steps, finding, **launch):
        """The sentences about a record of 64 threads: steps are (warp, interval, line, mask, at, requests)."""
        lines = [{"kind": "about", "lab": "scan", "path": "scan.cu", "source": "\n" * 20, "seed": 1},
                 {"kind": "case", "name": "n = 64", "purpose": "", "ran": True, "message": "", "schedule": "ascending",
                  "budget": None, "cause": None},
                 {"kind": "launch", "launch": 1, "kernel": "scan", "grid": [2, 1, 1], "block_shape": [64, 1, 1],
                  "block": [0, 0, 0], "in_grid": 1},
                 {"kind": "array", "launch": 1, "array": 0, "name": "out", "space": "global", "bytes": 256, "first": 0,
                  "element_bytes": 4, "columns": 0}]
        for order, (warp, interval, line, mask, stop, requests) in enumerate(steps):
            lines.append({"kind": "step", "launch": 1, "warp": warp, "interval": interval, "order": order, "line": line,
                          "mask": mask, "live": mask, "requests": requests, **({"at": stop} if stop else {})})
        lines += [{"kind": "finding", "severity": "error", "launch": 1, "thread": [32, 0, 0], "block": [0, 0, 0],
                   "thread2": [0, 0, 0], "block2": [0, 0, 0], "access": "read", "access2": "write", "array": "out",
                   "index": 0, "message": "a race", **finding}]
        lines += [{"kind": "cut", "launch": 1, "reason": "steps", "steps": 1}] if launch.get("cut") else []
        done = subprocess.run([sys.executable, "-I", TRACE, "--out", os.path.join(self.folder.name, "page.html")],
                              input="".join(json.dumps(line) + "\n" for line in lines), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def test_each_kind_of_race_finds_its_pair(self):
        one, other = self.request("write", 0, 1), self.request("read", 0, 1)
        add = self.request("atomic", 0, 1)
        pair = [(0, 0, 2, 1, None, [one]), (1, 0, 3, 1, None, [other])]
        for code in ("race_global", "race_volatile", "race_acquire", "race_mixed"):
            self.assertIn("thread 0 writes out[0] at step 1 (line 2), thread 32 of another warp reads it at step 1 (line 3)",
                          self.words(pair, {"code": code, "line": 3, "line2": 2}), code)
        atomics = [(0, 0, 2, 1, None, [add]), (1, 0, 3, 1, None, [self.request("atomic", 2, 1, 2)])]
        self.assertIn("changes out[0] at step 1 (line 2), thread 32", self.words(
            atomics, {"code": "race_size", "line": 3, "line2": 2, "access": "atomic", "access2": "atomic"}))
        loads = [(0, 0, 2, 1, None, [one]), (0, 0, 3, 1, None, [other])]   # one thread, which needs no second
        self.assertIn("may return old values", self.words(loads, {"code": "race_read_only_load", "line": 3, "line2": 2,
                                                                  "thread": [0, 0, 0]}))

    def test_the_pair_that_the_driver_names_is_drawn_whatever_stands_between(self):
        one, other = self.request("write", 0, 1), self.request("read", 0, 1)
        race = {"code": "race_global", "line": 3, "line2": 2}
        gone = [(0, 0, 2, 1, None, [one]), (0, 0, 4, 1, "exit", []), (1, 0, 4, 1, "barrier", []),
                (1, 1, 3, 1, None, [other])]
        self.assertIn("there is no barrier between them", self.words(gone, race))   # thread 0 has left before the barrier
        turns = [(0, 0, 2, 1, None, [one]), (0, 1, 2, 1, None, [one]), (1, 1, 3, 1, None, [other])]
        self.assertIn("writes out[0] at step 2 (line 2), thread 32 of another warp reads it at step 2",
                      self.words(turns, race))

    def test_what_cannot_be_drawn_is_said_with_its_reason(self):
        one = self.request("write", 0, 1)
        race = {"code": "race_global", "line": 3, "line2": 2, "block2": [1, 0, 0]}
        half = [(0, 0, 2, 1, None, [one])]
        self.assertIn("is not made in this block", self.words(half, race))
        self.assertIn("may come after the end of the recording", self.words(half, race, cut=True))
        self.assertIn("of a kind that the trace does not record", self.words(half + [(0, 0, 3, 1, None, [])], race))
        self.assertIn("The race on out at line 3 is not drawn: it was found in block 1,0,0",
                      self.words([(0, 0, 5, 1, None, [])], {**race, "block": [1, 0, 0]}))


class Wellformed(html.parser.HTMLParser):
    """Every element is closed where it should be."""

    def __init__(self):
        super().__init__()
        self.open, self.problems, self.scripts = [], [], 0

    def handle_starttag(self, tag, attrs):
        self.scripts += tag == "script"
        if tag in ("img", "iframe", "object", "link") or any(name.startswith("on") for name, _ in attrs):
            self.problems.append(f"{tag} {attrs}")
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"</{tag}>")


class Page(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.page, cls.picture = (os.path.join(cls.folder.name, name) for name in ("page.html", "picture.svg"))
        cls.done = cls.trace("labs/scan/wrong/no_barrier_in_loop.cu", "--seed", "5", "--out", cls.page,
                             "--svg", cls.picture)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @staticmethod
    def trace(*words, cwd=None):
        return subprocess.run([f"{BUILD}/lockstep", "trace", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, check=False, cwd=cwd, env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})

    def nasty_page(self, change=lambda lines: lines):
        """The page of the hand-written kernel, with nasty words wherever a submission can put them."""
        lines, _ = traced(64, 3)
        for line in lines:
            if line["kind"] == "launch":
                line["kernel"] = NASTY
            if line["kind"] == "array":
                line["name"] = NASTY
        lines += [{"kind": "case", "name": NASTY, "purpose": NASTY, "ran": True, "message": NASTY, "schedule": NASTY,
                   "budget": None, "cause": {"code": "fuel", "title": NASTY, "line": 2, "kernel": NASTY, "message": NASTY}},
                  {"kind": "finding", "code": "fuel", "severity": "error", "launch": 1, "line": 2, "line2": None,
                   "thread": [3, 0, 0], "block": [0, 0, 0], "array": NASTY, "index": None, "message": NASTY},
                  {"kind": "about", "lab": NASTY, "path": NASTY, "source": f"// {NASTY}\n" * 7, "seed": 1}]
        path = os.path.join(self.folder.name, "nasty.html")
        text = "".join(json.dumps(line) + "\n" for line in change(lines)) + '{"kind": "st'   # cut off
        done = subprocess.run([sys.executable, "-I", TRACE, "--out", path], input=text, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertNotIn("\x1b", done.stdout)
        return path

    def test_it_says_where_the_page_is_and_what_to_look_for(self):
        self.assertEqual(self.done.returncode, 0, self.done.stderr)
        self.assertIn("thread 31 writes s[31] at step 5 (line 11), thread 32 of another warp reads it at step 5 (line 11): "
                      "there is no barrier between them.", self.done.stdout)
        self.assertIn(f"written to {self.page}", self.done.stdout)

    def test_pages_are_well_formed_whatever_stands_in_them(self):
        for path in (self.page, self.nasty_page()):
            parser = Wellformed()
            with open(path, encoding="utf-8") as file:
                text = file.read()
            parser.feed(text)
            self.assertEqual((parser.problems, parser.open, parser.scripts), ([], [], 2), path)
            self.assertNotIn("\u202e", text.replace("\\u202e", ""))

    def test_the_picture_is_well_formed_and_for_light_and_dark(self):
        with open(self.picture, encoding="utf-8") as file:
            text = file.read()
        xml.dom.minidom.parseString(text.encode())
        self.assertIn("prefers-color-scheme: dark", text)
        self.assertEqual(text.count('class="bad"'), 2)   # both cells of the race
        self.assertIn("barrier, line 8", text)

    def test_pictures_in_the_handouts_are_what_the_kit_draws(self):
        shows = {"barrier": "there is no barrier between", "idle": "lanes work", "bank": "passes where",
                 "scattered": "sectors;"}
        for name in PICTURES:
            with self.subTest(name):
                draw(name, self.picture + ".again")
                with open(name, encoding="utf-8") as old, open(self.picture + ".again", encoding="utf-8") as new:
                    text = old.read()
                    self.assertTrue(text == new.read(), "python3 tests/trace_test.py --write draws them again")
                    said = next(words for key, words in shows.items() if key in name)
                    self.assertIn(said, text.partition("<style>")[0])

    def test_every_race_between_two_threads_is_drawn(self):
        for name in ("scan/wrong/no_barrier_in_loop", "histogram/wrong/no_barrier_after_zeroing"):
            lab = name.partition("/")[0]
            done = self.trace(f"labs/{name}.cu", "--lab", lab, "--seed", "5", "--svg", self.picture + ".race")
            self.assertIn("there is no barrier between them.", done.stdout, name)

    def test_atomics_on_one_word_collide(self):
        done = self.trace("labs/histogram/wrong/atomic_inc_wraps.cu", "--lab", "histogram", "--seed", "5", "--out",
                          self.page + ".atomics")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"passes where 1 would do; lanes \d+, \d+.* meet in one bank")

    def test_bad_usage_has_status_2_and_tells_what_there_is(self):
        guard = "labs/doublify/wrong/no_guard.cu"
        for words, said in (((guard, "--case", "n = 99"), '"n = 1"'),
                            ((guard, "--block", "1,b"), "a block is X, X,Y or X,Y,Z"),
                            ((guard, "--block", "99"), "X is 0 to 0"),
                            (("nowhere.cu",), "nowhere.cu"),
                            ((guard, "--json", "-"), "trace has no option --json")):
            done = self.trace(*words, cwd=None)
            self.assertEqual((done.returncode, done.stdout), (2, ""), words)
            self.assertIn(said, done.stderr)

    def test_what_does_not_compile_gets_its_report(self):
        done = self.trace("labs/doublify/wrong/missing_semicolon.cu")
        self.assertEqual(done.returncode, 1)
        self.assertIn("does not compile", done.stdout)
        self.assertIn("nothing ran", done.stderr)

    @host
    @unittest.skipUnless(browser.find(), browser.ABSENT)
    def test_keys_and_buttons_step_and_nothing_sticks_out_of_a_phone(self):
        with browser.Browser() as chromium:
            page = chromium.open(self.page)

            def where():
                return page.evaluate("[Number(document.querySelector('.grid').dataset.step), "
                                     "Number(document.querySelector('.grid').dataset.thread)]")
            self.assertEqual(where(), [5, 31])   # the race
            page.evaluate("document.querySelector('.grid').focus()")
            for key, place in (("ArrowRight", [6, 31]), ("ArrowDown", [6, 32]), ("ArrowLeft", [5, 32]), ("ArrowUp", [5, 31]),
                               ("f", [5, 32]), ("n", [1, 32]), ("n", [4, 32])):
                page.press(key)
                self.assertEqual(where(), place, key)
            page.evaluate("document.querySelector('[data-act=right]').click()")
            self.assertEqual(where(), [5, 32])
            words = page.evaluate("document.getElementById('now').textContent")
            self.assertRegex(words, r"Step 5, thread 32: line 11\. It reads s\[32\] = \d+, reads s\[31\] = \d+, "
                             r"writes s\[32\] = \d+\. Finding: ")
            self.assertEqual(page.evaluate("document.querySelector('.row.lit').id"), "line-11")
            self.assertGreater(page.evaluate("document.querySelectorAll('#memory .touched').length"), 0)
            self.assertEqual((page.complaints, page.wider_than_window()), ([], []))
            for path in (self.page, self.nasty_page()):
                phone = chromium.open(path, width=360)
                self.assertEqual((phone.complaints, phone.wider_than_window()), ([], []), path)
                self.assertEqual(len(phone.requests), 1)
            still = chromium.open(self.page, script=False)
            self.assertEqual((still.complaints, still.wider_than_window()), ([], []))


if __name__ == "__main__":
    if sys.argv[1:2] == ["launch"]:
        launch(int(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1:] == ["--write"]:
        for picture in PICTURES:
            print(draw(picture, picture), end="")
    else:
        unittest.main()

"""`lockstep watch` in a real pseudo-terminal: every way of saving, every key, every end."""

import json
import os
import signal
import subprocess
import termios
import unittest

from screen import Terminal
from student_kit import Kit, SANITIZED
from waiting import processes, wait_until

KERNEL = """extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    %s
}
"""
GUARDLESS, SHORT = KERNEL % "a[i] *= 2.0f;", KERNEL % "if (i < n - 1) a[i] *= 2.0f;"
IDLE = KERNEL % "if (n < 0) a[i] *= 2.0f;"   # the same verdict whatever the inputs
RIGHT = KERNEL % "if (i < n) a[i] *= 2.0f;"
ENDLESS = KERNEL % "volatile int on = 1; while (on) if (i < n) a[i] *= 2.0f;"
BROKEN = KERNEL % "if (i < n) a[i] *= 2.0f"
KEYS = "h hint  l list  n next  r again  q quit"


class Watch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kit = Kit()

    @classmethod
    def tearDownClass(cls):
        cls.kit.close()

    def setUp(self):
        self.skeleton = self.kit.read("solutions", "doublify", "doublify.cu")
        self.file = self.kit.path("labs", "doublify", "doublify.cu")
        self.save(GUARDLESS)
        self.terminal = None

    def tearDown(self):
        if self.terminal:
            self.terminal.close()

    def save(self, text):
        """At once: a file that stays empty for a while would be graded so (watch_file_suite.c)."""
        with open(self.file + ".saving", "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(self.file + ".saving", self.file)

    def watch(self, columns=80, rows=24, shell=False, **environment):
        environment = {**self.kit.environment, "TERM": "xterm", **environment}
        command = [self.kit.program, "watch", "doublify"]
        if shell:   # one that controls jobs
            command = ["bash", "-mc", f"{' '.join(command)}; echo IN THE SHELL; read go; fg; echo ENDED $?"]
        self.terminal = Terminal(command, environment, self.kit.root, columns, rows)
        return self.terminal

    def settle(self, text):
        """Waits until a grading is over and this text is on the screen, which is drawn down to its last line."""
        screen = self.terminal.screen
        keys = KEYS[:screen.columns].rstrip()
        self.terminal.wait_for(lambda: "graded" in screen.lines()[0] and text in screen.text()
                               and screen.lines()[-1] == keys, text)

    def progress(self):
        return json.loads(self.kit.read("labs", ".lockstep", "progress.json"))

    def is_restored(self, before):
        self.assertEqual(self.terminal.screen.modes & {"1049"}, set())
        self.assertIn("25", self.terminal.screen.modes)   # the cursor is shown
        after = self.terminal.settings()
        self.assertEqual(after[3] & (termios.ICANON | termios.ECHO), before[3] & (termios.ICANON | termios.ECHO))

    # ---- saving -----------------------------------------------------------------------------------------------------

    def test_grades_at_each_save_and_says_what_has_changed(self):
        terminal = self.watch()
        self.settle("out of bounds")
        terminal.see("doublify.cu:4")
        self.save(SHORT)
        terminal.see("gone: out of bounds; new: ")
        terminal.see("Fix the first problem")
        self.save(RIGHT)
        terminal.see("cases pass now; gone: never written")
        self.settle("pass 100/100")
        terminal.see("All points!")
        self.save(BROKEN)
        terminal.see("it does not compile any more")
        self.save(RIGHT)
        terminal.see("it compiles now")
        self.assertEqual(terminal.screen.unknown, [])
        self.assertTrue(all(len(line) <= 80 for line in terminal.screen.lines()))
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)
        self.assertEqual(self.progress()["labs"]["doublify"]["best"]["score"], 100)

    def test_sees_every_way_of_saving(self):
        terminal = self.watch()
        self.settle("out of bounds")
        with open(self.file + ".new", "w", encoding="utf-8") as file:   # a new file in the place of the old one
            file.write(RIGHT)
        os.rename(self.file + ".new", self.file)
        self.settle("pass 100/100")
        os.rename(self.file, self.file + "~")   # the old one becomes a backup first
        self.save(GUARDLESS)
        self.settle("out of bounds")
        with open(self.file, "w", encoding="utf-8") as file:   # emptied, and then written
            file.write(RIGHT)
        self.settle("pass 100/100")
        os.remove(self.file)
        terminal.see("it is gone")
        self.save(GUARDLESS)
        self.settle("out of bounds")
        folder = os.path.dirname(self.file)
        os.rename(folder, folder + "_away")   # as another branch would do it
        terminal.see("it is gone")
        os.rename(folder + "_away", folder)
        self.settle("out of bounds")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)

    def test_cancels_a_grading_when_the_next_save_comes(self):
        self.save(ENDLESS)
        terminal = self.watch()
        terminal.see("grading ...")
        self.save(RIGHT)
        self.settle("pass 100/100")
        self.assertNotIn("did not finish", terminal.output.decode(errors="replace"))
        terminal.press("q")
        terminal.end()
        wait_until(lambda: not any(process.program() == self.kit.program for process in processes()))

    def test_does_not_grade_again_what_is_graded_already(self):
        terminal = self.watch()
        self.settle("out of bounds")
        terminal.press("q")
        terminal.end()
        terminal.close()
        progress = self.progress()
        when = progress["labs"]["doublify"]["latest"]["when"] = "2026-01-01T00:00:00Z"
        self.kit.write(json.dumps(progress), "labs", ".lockstep", "progress.json")
        terminal = self.watch()
        self.settle("out of bounds")
        os.utime(self.file)
        terminal.press("l")
        terminal.see(" doublify            FAIL")
        terminal.press("q")
        terminal.end()
        self.assertNotIn(b"grading ...", terminal.output)
        self.assertEqual(self.progress()["labs"]["doublify"]["latest"]["when"], when)

    # ---- keys -------------------------------------------------------------------------------------------------------

    def test_hints_lists_and_goes_on_by_keys(self):
        self.save(IDLE)
        terminal = self.watch()
        self.settle("never written")
        terminal.press("h")
        terminal.see("hint 1 of 3")
        terminal.press("h")
        terminal.see("hint 2 of 3")
        terminal.press("x")
        terminal.see("Fix the first problem")
        terminal.press("l")
        terminal.see(" doublify            FAIL")
        terminal.press("\x1b")
        terminal.see("Fix the first problem")
        terminal.press("r")
        terminal.see("the verdict has not changed")
        terminal.press("n")
        terminal.see("vector_add  FAIL 0/100")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)
        self.assertIn("watch vector_add", terminal.output.decode())

    def test_scrolls_what_does_not_fit(self):
        terminal = self.watch(rows=12)
        self.settle("lines 1 to ")
        for _ in range(9):
            terminal.press("\x1b[6~")
        terminal.see(" pass\n")
        terminal.press("bbbbbbbbb")
        self.settle("lines 1 to ")
        terminal.press("q")
        terminal.end()

    # ---- the terminal -------------------------------------------------------------------------------------------------

    def test_gives_the_terminal_back_however_it_ends(self):
        for end, status in (("q", 0), ("\x03", -signal.SIGINT), (signal.SIGTERM, -signal.SIGTERM),
                            (signal.SIGSEGV, -signal.SIGSEGV)):
            if end == signal.SIGSEGV and SANITIZED:
                continue   # the sanitizer has a handler of its own
            with self.subTest(end=end):
                terminal = self.watch()
                before = terminal.initial
                self.settle("out of bounds")
                self.assertIn("1049", terminal.screen.modes)
                if isinstance(end, str):
                    terminal.press(end)
                else:
                    terminal.kill(end)
                self.assertEqual(terminal.end(), status)
                self.is_restored(before)
                terminal.close()

    def test_steps_aside_and_comes_back(self):
        terminal = self.watch(shell=True)
        before = terminal.initial
        self.settle("out of bounds")
        terminal.press("\x1a")
        terminal.see("IN THE SHELL")
        self.is_restored(before)
        self.save(RIGHT)
        terminal.press("\n")
        self.settle("pass 100/100")
        self.assertIn("1049", terminal.screen.modes)
        terminal.press("q")
        terminal.see("ENDED 0")
        self.is_restored(before)

    def test_fits_every_size_and_needs_neither_utf8_nor_colour(self):
        self.save(GUARDLESS.replace("    a[i]", "    /* \u00e4\u20ac */ a[i]"))
        terminal = self.watch(columns=40, NO_COLOR="1", LC_ALL="C")
        self.settle("out of bounds")
        terminal.see("/* ?? */ a[i]")
        self.assertTrue(terminal.output.isascii())
        self.assertNotIn(b"\x1b[1m", terminal.output)
        for columns, rows in ((20, 5), (100, 40), (3, 2), (40, 12)):
            terminal.resize(columns, rows)
            terminal.see(KEYS[:columns].rstrip())
            if rows > 10:
                self.settle("out of bounds")
        terminal.press("l")
        terminal.see(" doublify            FAIL")
        terminal.press("q")
        self.assertEqual(terminal.end(), 0)
        self.assertEqual(terminal.screen.unknown, [])

    def test_prints_a_report_at_each_save_where_there_is_no_terminal(self):
        with subprocess.Popen([self.kit.program, "watch", "doublify"], cwd=self.kit.root, env=self.kit.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            seen = ""
            steps = ((None, "out of bounds"), (RIGHT, "cases pass now"), (BROKEN, "does not compile"))
            for text, words in steps:
                if text:
                    self.save(text)
                while words not in seen:
                    line = process.stdout.readline()
                    self.assertTrue(line, "it has ended")
                    seen += line
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(), -signal.SIGTERM)
            self.assertIn("not a terminal", process.stderr.read())
            self.assertNotIn("\x1b", seen)

    def test_ends_when_nobody_reads_its_reports_any_more(self):
        with subprocess.Popen([self.kit.program, "watch", "doublify"], cwd=self.kit.root, env=self.kit.environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            process.stdout.readline()
            process.stdout.close()
            self.assertEqual(process.wait(30), 0)

    def test_refuses_what_makes_no_sense(self):
        for words in (["nothing"], ["labs"], ["scan", "pi"], ["--into", "x"]):
            self.assertEqual(self.kit.run("watch", *words).returncode, 2, words)


if __name__ == "__main__":
    unittest.main()

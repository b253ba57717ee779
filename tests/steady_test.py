"""The same seed gives the same words, however busy the machine is."""

import contextlib
import glob
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest

from slow import slow

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
LABS = sorted(name for name in os.listdir("labs") if os.path.exists(f"labs/{name}/lab.c"))


@contextlib.contextmanager
def busy(loops):
    """So many processes that only use the processor."""
    started = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


class Steady(unittest.TestCase):
    maxDiff = None

    def grade(self, lab, files):
        """{file: report and result}, without times."""
        with tempfile.TemporaryDirectory() as folder:
            result = f"{folder}/result.json"
            done = subprocess.run([f"{BUILD}/lockstep", "grade", "--device", "emulated", "--seed", "4711", "--lab", lab,
                                   "--json", result, *files], stdin=subprocess.DEVNULL, capture_output=True, check=False,
                                  timeout=3000)
            with open(result, encoding="utf-8") as file:
                labs = json.load(file)["labs"]
        self.assertEqual(done.stderr, b"")
        report = re.sub(r" +\d+\.\d\d s\b", " - s", done.stdout.decode())
        return {**dict(zip(files, map(json.dumps, labs))), "report": report}

    def check(self, files_of, loops):
        differing = []
        for lab in LABS:
            files = files_of(lab)
            idle = self.grade(lab, files)
            with busy(loops):
                loaded = self.grade(lab, files)
            differing += [f"{lab}: {name}" for name in idle if idle[name] != loaded[name]]
        self.assertEqual(differing, [])

    def test_a_busy_machine_says_the_same(self):
        slow_ones = ["endless_loop", "prints_for_ever"]
        self.check(lambda lab: sorted(glob.glob(f"labs/{lab}/wrong/*.cu"))[::30] + [
            f"tests/hostile/run/{name}.cu" for name in slow_ones if lab == "01_doublify"], 2)

    @slow
    def test_a_busy_machine_says_the_same_of_all_that_is_wrong(self):
        self.check(lambda lab: sorted(glob.glob(f"labs/{lab}/wrong/*.cu")), 6)


if __name__ == "__main__":
    unittest.main()

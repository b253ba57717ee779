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


BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
LABS = sorted(name for name in os.listdir("labs") if os.path.exists(f"labs/{name}/lab.yaml"))


@contextlib.contextmanager
def busy(loops):
    """So many processes that only use the processor. Each ends by itself where this one is gone: a runner may kill it."""
    code = "import os\nparent = os.getppid()\nwhile os.getppid() == parent:\n    for _ in range(100000): pass"
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


class Steady(unittest.TestCase):
    maxDiff = None

    def grade(self, lab, files):
        """{file: report and result}, without times and the folder of the pictures."""
        with tempfile.TemporaryDirectory() as folder:
            result = f"{folder}/result.json"
            done = subprocess.run([f"{BUILD}/lockstep", "grade", "--device", "emulated", "--seed", "4711", "--lab", lab,
                                   "--json", result, *files], stdin=subprocess.DEVNULL, capture_output=True, check=False)
            with open(result, encoding="utf-8") as file:
                labs = json.load(file)["labs"]
        self.assertEqual(done.stderr, b"")
        report = re.sub(r" +\d+\.\d\d s\b", " - s", done.stdout.decode()).replace(folder, "FOLDER")
        return {**dict(zip(files, map(json.dumps, labs))), "report": report}

    def check(self, lab, files, loops):
        idle = self.grade(lab, files)
        with busy(loops):
            loaded = self.grade(lab, files)
        for name in idle:
            self.assertEqual(idle[name], loaded[name], name)

    def test_a_busy_machine_says_the_same(self):
        hostile = ["tests/hostile/run/endless_loop.cu", "tests/hostile/run/prints_for_ever.cu"]
        for lab in LABS:
            files = sorted(glob.glob(f"labs/{lab}/wrong/*.cu"))[::30]
            self.check(lab, files + (hostile if lab == "doublify" else []), 2)


def test_of_lab(lab):
    """A test of every fourth wrong version of a lab."""
    def check(self):
        self.check(lab, sorted(glob.glob(f"labs/{lab}/wrong/*.cu"))[::4], 6)
    return check


for each in LABS:
    setattr(Steady, f"test_a_busy_machine_says_the_same_of_what_is_wrong_in_{each}", test_of_lab(each))

if __name__ == "__main__":
    unittest.main()

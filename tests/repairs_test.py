"""What the grader says of repairs is true: tests/fixtures/repairs.

The first line of each kernel is `// repair: LAB CURE KIND [LINE [LINE]] - why`: the result's `repair`, "- -" for none. The
same repair in the source is in its comments: a line that begins with `//+` belongs to the repaired kernel alone, one that
ends with `//-` to the wrong one. A claimed cure is compiled, and must pass every test of the lab. The others are there
because something that looks like a cure is none.
"""

import collections
import glob
import json
import os
import re
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
LOCKSTEP = os.path.abspath(f"{BUILD}/lockstep")
FIRST = re.compile(r"// repair: (\w+) (\w+|-)(?: (\w+|-))?((?: \d+)*)(?: - .*)?$")
LATER = re.compile(r"^(\s*)//\+ ?(.*)$")


def expected(text, path):
    """(lab, cure, kind, lines) of a kernel's first line."""
    match = FIRST.match(text.split("\n", 1)[0])
    if not match:
        raise ValueError(f"{path}: the first line must be // repair: LAB CURE KIND [LINE [LINE]] - why")
    lab, cure, kind, lines = match.groups()
    return lab, cure, kind or "-", [int(line) for line in lines.split()]


def repaired(text):
    """The kernel with its repair; no line moves."""
    lines = ["" if line.endswith("//-") else LATER.sub(r"\1\2", line) for line in text.split("\n")]
    return "\n".join(lines)


def grade(lab, files):
    """The result of each file."""
    done = subprocess.run([LOCKSTEP, "grade", "--device", "emulated", "--seed", "11", "--json", "-", "--lab", lab, *files],
                          stdin=subprocess.DEVNULL, capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise RuntimeError(done.stderr.decode(errors="replace"))
    labs = json.loads(done.stdout)["labs"]
    return dict(zip(files, labs))


def told(lab):
    """(cure, kind, lines) of a result."""
    repair = lab["repair"]
    if not repair:
        return "-", "-", []
    return repair["cure"], repair["kind"] or "-", [line for line in (repair["line"], repair["line2"]) if line]


class Repairs(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.by_lab = collections.defaultdict(dict)
        for path in sorted(glob.glob("tests/fixtures/repairs/*.cu")):
            with open(path, encoding="utf-8") as file:
                text = file.read()
            cls.by_lab[expected(text, path)[0]][path] = text
        cls.wrong = {path: lab for name, files in cls.by_lab.items() for path, lab in grade(name, list(files)).items()}

    def test_tells_the_repair_that_cures_and_no_other(self):
        for files in self.by_lab.values():
            for path, text in files.items():
                with self.subTest(path):
                    self.assertNotEqual(self.wrong[path]["state"], "pass")
                    self.assertEqual(told(self.wrong[path]), expected(text, path)[1:], self.wrong[path]["repair"])

    def test_says_so_in_one_sentence(self):
        for path, lab in self.wrong.items():
            with self.subTest(path):
                message = lab["repair"]["message"] if lab["repair"] else None
                if message:
                    self.assertRegex(message, r"^Tried on the emulated device: [^\n]*\.$")
                    self.assertNotRegex(message, r"[;{}]|atomicAdd|__syncthreads|__shared__ float", "it tells the code")

    def test_the_same_repair_in_the_source_passes_every_test(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, files in self.by_lab.items():
                twins = {}
                for path, text in files.items():
                    if expected(text, path)[1] != "cured":
                        continue
                    self.assertNotEqual(repaired(text), text, f"{path} has no repair")
                    twin = os.path.join(folder, os.path.basename(path))
                    with open(twin, "w", encoding="utf-8") as file:
                        file.write(repaired(text))
                    twins[twin] = path
                for twin, lab in (grade(name, list(twins)) if twins else {}).items():
                    with self.subTest(twins[twin]):
                        self.assertEqual([test["state"] for test in lab["tests"]], ["pass"] * len(lab["tests"]),
                                         lab["message"])

    def test_every_kind_of_cure_is_proven_somewhere(self):
        """Here, or in a wrong version of a lab (tests/expected/cures.txt)."""
        with open("runtime/tables/repairs.def", encoding="utf-8") as file:
            kinds = set(re.findall(r"^REPAIR\((\w+)", file.read(), re.M))
        with open("tests/expected/cures.txt", encoding="utf-8") as file:
            cured = set(re.findall(r"^\S+ cured (\w+)", file.read(), re.M))
        cured |= {expected(text, path)[2] for files in self.by_lab.values() for path, text in files.items()
                  if expected(text, path)[1] == "cured"}
        self.assertEqual(kinds - cured, set())


if __name__ == "__main__":
    unittest.main()

"""Kernels as programmers write them who know C and are new to CUDA (tests/beginners/LAB/NAME.cu): the first cause in words.

The first four lines of a file are

    // cause: what is wrong, in one sentence, for the reader of the file
    // first: CODE [PATTERN]   of the cause that the report begins with
    // says: part of its message, or of the lines below it; without values that depend on the seed
    // asks: the question below it, or a part of it; empty: none

A message must also never say what the source disproves; FALSE has what has been said once. The sample has a file for each
lab and each first cause.
"""

import glob
import json
import os
import re
import subprocess
import tempfile
import unittest
from concurrent.futures import ThreadPoolExecutor

from classes import sample

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
FOLDER = "tests/beginners"
SEED = "7"
PIECE = 8   # kernels that one process grades; as many processes as there are processors

# Said of kernels for which it was not true: (words, part of the file's name, or "" for every file).
FALSE = [
    ("mapper is right", ""),
    ("lost 1 update", ""),
    ("no __syncwarp between them", ""),
    ("still nothing makes one wait", "plain"),
    ("a barrier after the read", "cpu_way"),
    ("Which loop never ends", ""),
    ("host functions are not allowed", "no_global"),
    ("local memory[", ""),
]
# Names of one plan of the lab pi, and the kernels that tell which plan a file has.
PLANS = {"mapper": r"\b(dest|mapper|reducer)\b", "pi_sum": r"\b(partial|pi_sum|pi_finish)\b"}


def head(path):
    with open(path, encoding="utf-8") as file:
        lines = [next(file).rstrip("\n") for _ in range(4)]
    keys = ("cause", "first", "says", "asks")
    assert all(line.startswith(f"// {key}:") for key, line in zip(keys, lines)), path
    return {key: line.partition(":")[2].strip() for key, line in zip(keys, lines)}


def all_files():
    return sorted(glob.glob(f"{FOLDER}/*/*.cu"))


def chosen(paths):
    """The first file of each first cause, and of each lab that has none among these."""
    of_cause, of_lab = {}, {}
    for path in paths:
        of_cause.setdefault(head(path)["first"], path)
    for path in [*of_cause.values(), *paths]:
        of_lab.setdefault(path.split("/")[-2], path)
    return sorted({*of_cause.values(), *of_lab.values()})


def squeeze(text):
    return re.sub(r"\s+", " ", text or "").strip()


def grade_some(lab, paths):
    """What the result file says of each."""
    with tempfile.TemporaryDirectory() as folder:
        result = os.path.join(folder, "result.json")
        subprocess.run([f"{BUILD}/lockstep", "grade", *paths, "--lab", lab, "--seed", SEED, "--json", result],
                       capture_output=True, text=True, check=False)
        with open(result, encoding="utf-8") as file:
            return json.load(file)["labs"]


def grade(paths):
    """Path: what the result file says of it."""
    graded, pieces = {}, []
    for lab in sorted({path.split("/")[-2] for path in paths}):
        own = [path for path in paths if path.split("/")[-2] == lab]
        pieces += [(lab, own[first:first + PIECE]) for first in range(0, len(own), PIECE)]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for (_, own), labs in zip(pieces, pool.map(lambda piece: grade_some(*piece), pieces)):
            graded.update(zip(own, labs))
    return graded


def first_finding(lab):
    """The finding that is the cause; notes about the whole file are in the list of the first test."""
    findings = lab["findings"] if lab["first_test"] is None else lab["tests"][lab["first_test"]]["findings"]
    return next((one for one in findings if one["message"] == lab["cause"]["message"]), findings[0])


class Beginners(unittest.TestCase):
    def check_rest(self, path, lab):
        """What the report says beside the first message."""
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
        defined = "".join(line for line in lines if line.startswith("#define"))
        for test in lab["tests"]:
            for finding in test["findings"]:
                if finding["code"] == "division_by_zero" and finding["line"] and not finding["inside"]:
                    self.assertRegex(lines[finding["line"] - 1] + defined, "[/%]")
        tried = squeeze((lab.get("repair") or {}).get("message"))
        self.assertNotIn("still fails: mismatched lane mask", tried)
        count = re.search(r"of the (\d+) failing tests pass", tried)
        if count:
            failing = sum(test["state"] != "pass" and test["visibility"] == "visible" for test in lab["tests"])
            self.assertEqual(int(count[1]), failing, tried)

    def check(self, paths):
        self.assertTrue(paths)
        for path, lab in grade(paths).items():
            want, cause = head(path), lab["cause"]
            with self.subTest(path=path):
                finding = first_finding(lab)
                code = cause["code"] + (f" {cause['pattern']}" if cause["pattern"] else "")
                text = squeeze(cause["message"])
                question = text if text.endswith("?") else squeeze(finding["hint"])
                self.assertEqual(code, want["first"], text)
                below = f"{squeeze(finding['remark'])} {squeeze(finding['arithmetic'])}"
                self.assertIn(want["says"], f"{text} {below} {squeeze(cause['facts'])}")
                self.assertIn(want["asks"], question)
                self.check_rest(path, lab)
                whole = f"{text} {squeeze(finding['hint'])}"
                for words, part in FALSE:
                    if part in os.path.basename(path):
                        self.assertNotIn(words, whole)
                if "/pi/" in path:
                    with open(path, encoding="utf-8") as file:
                        source = file.read()
                    for kernel, names in PLANS.items():
                        if not re.search(rf"\b{kernel}\s*\(", source):
                            self.assertIsNone(re.search(names, whole), whole)

    @sample
    def test_a_first_message_of_each_kind_is_the_cause(self):
        self.check(chosen(all_files()))

    def test_the_first_message_of_the_other_kernels_is_the_cause(self):
        paths = all_files()
        self.check(sorted(set(paths) - set(chosen(paths))))


if __name__ == "__main__":
    unittest.main()

"""Explaining has a budget: a source with thousands of mistakes gets its verdict, and the first mistakes are explained.

What explaining may cost is counted, not measured (SOURCE_EXPLAIN_WORK), so the same findings are explained on every machine.
"""

import json
import os
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
LOCKSTEP = os.path.abspath(f"{BUILD}/lockstep")
HEAD = 'extern "C" __global__ void doublify(float *a, int n)\n{\n    int at = threadIdx.x + blockIdx.x * blockDim.x;\n'
SPENT = "used up the work set aside for explanations"
LISTED = 20   # findings of one code in a test of the result file


def graded(source):
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/mine.cu"
        with open(path, "w", encoding="utf-8") as file:
            file.write(source)
        words = [LOCKSTEP, "grade", "--lab", "doublify", "--device", "emulated", "--seed", "3", "--json", "-", path]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        return done.returncode, json.loads(done.stdout)["labs"][0]


class Explaining(unittest.TestCase):
    def test_a_thousand_lines_out_of_bounds_are_told_and_the_first_explained(self):
        lines = "".join(f"    if (at == {k % 30}) a[n + {k}] = {k};\n" for k in range(1000))
        status, lab = graded(f"{HEAD}{lines}}}\n")
        self.assertEqual(status, 1)
        self.assertEqual(lab["state"], "fail")
        test = lab["tests"][1]
        self.assertEqual(test["findings"][0]["code"], "out_of_bounds")
        self.assertIn("n + 0", test["findings"][0]["arithmetic"])
        self.assertEqual(len(test["findings"]), LISTED)
        self.assertGreater(test["findings_left_out"], 100)

    def test_of_each_code_the_first_findings_are_listed_and_the_others_counted(self):
        lines = "".join(f"    a[(at + {k}) & 31] += {k};\n    if (at == 0) a[n + {k}] = {k};\n" for k in range(1, 31))
        _, lab = graded(f"{HEAD}{lines}}}\n")
        codes = [finding["code"] for finding in lab["tests"][8]["findings"]]
        self.assertEqual(codes.count("out_of_bounds"), LISTED)
        self.assertLessEqual(max(codes.count(code) for code in codes), LISTED)
        self.assertGreater(len(set(codes)), 1)
        self.assertGreaterEqual(lab["tests"][8]["findings_left_out"], 30 - LISTED)

    def test_where_the_budget_is_spent_findings_say_so(self):
        before = "    { int copy = at + 1; if (copy > n) at = copy - 1; }\n" * 1500
        lines = "".join(f"    if (at == {k}) a[n + at + {k}] = {k};\n" for k in range(LISTED))
        _, lab = graded(f"{HEAD}{before}{lines}}}\n")
        findings = lab["tests"][2]["findings"]
        self.assertIn("n + at", findings[0]["arithmetic"])
        self.assertNotIn(SPENT, findings[0]["remark"] or "")
        self.assertIn(SPENT, findings[-1]["remark"])
        self.assertNotIn("findings_left_out", lab["tests"][2])

    def test_a_few_mistakes_are_all_explained(self):
        lines = "".join(f"    if (at == {k % 30}) a[n + {k}] = {k};\n" for k in range(40))
        status, lab = graded(f"{HEAD}{lines}}}\n")
        self.assertEqual(status, 1)
        for test in lab["tests"]:
            for finding in test["findings"]:
                self.assertNotIn(SPENT, finding["remark"] or "")
                if finding["code"] == "out_of_bounds":
                    self.assertIn("n + ", finding["arithmetic"] or "")

    def test_a_long_right_source_has_full_points(self):
        lines = "    { int copy = at + 1; if (copy > n) at = copy - 1; }\n" * 1000
        status, lab = graded(f"{HEAD}{lines}    if (at < n)\n        a[at] *= 2;\n}}\n")
        self.assertIsNone(lab["message"])
        self.assertEqual(status, 0)


if __name__ == "__main__":
    unittest.main()

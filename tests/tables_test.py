"""One row, one home: a finding and a counter are known from their rows in runtime/tables, and what other files say of them
is read or written from there. So a finding takes its row, the code that raises it and a fixture; a counter takes its row and
the line that counts it.
"""

import collections
import glob
import json
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, "ci")
import tables  # noqa: E402

# Written from the tables, or about one finding each: ladders of hints.
WRITTEN = {tables.FINDINGS, tables.COUNTERS, tables.SCHEMA}
EXPECTING = ["tests/fixtures/checks/*.cu", "tests/*_suite.c", "tests/*_test.py", "labs/*/wrong/*.cu",
             "tests/labs/*/wrong/*.cu", "tests/hostile/*/*.cu"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def sources(*folders):
    return sorted(path for folder in folders for ending in ("c", "h", "inc", "py", "def")
                  for path in glob.glob(f"{folder}/**/*.{ending}", recursive=True))


def named(pattern, paths):
    """Path: the names that the pattern finds in it."""
    return {path: set(re.findall(pattern, read(path))) for path in paths}


class Findings(unittest.TestCase):
    def test_a_finding_has_one_name_and_asks_one_question(self):
        rows = tables.findings()
        for part in ("code", "title"):
            often = collections.Counter(getattr(row, part) for row in rows)
            self.assertEqual([name for name, count in often.items() if count > 1], [])
        for row in rows:
            with self.subTest(code=row.code):
                self.assertRegex(row.code, r"^[a-z_]+$")
                self.assertRegex(row.title, r"^[a-z][\w -]{5,40}$")
                self.assertNotIn(row.title.split()[0], ("a", "an", "the"))
                self.assertIn(row.raised_by, ("DRIVER", "GRADER", "BOTH"))
                self.assertIn(row.severity, ("ERROR", "WARNING", "NOTE"))
                self.assertIn(row.in_lab, ("FAILS", "PASSES"))
                self.assertTrue(row.severity != "ERROR" or row.in_lab == "FAILS")
                self.assertTrue(row.question.endswith("?") or (row.question == "" and row.raised_by == "GRADER"))
                self.assertEqual(row.question.count("?"), len(row.question) > 0)
                self.assertRegex(row.question, r"^(?!Who\b|.*\bnobody\b)")
                for text in (row.meaning, row.often, row.advice):
                    self.assertRegex(text, r'^[A-Z`"_].*[.?]$')

    def test_every_code_is_raised_where_its_row_says(self):
        raised = set().union(*named(r"\bFINDING_([a-z_]+)\b", sources("runtime/emulator")).values())
        # The driver's notes become the grader's own, for the barriers of all cases together.
        judged = set().union(*named(r'(?:\.code = |->code = |"%s", |new_finding\(|"[A-Z_]+", |\? |: |note\(result, |return )'
                                    r'"([a-z_]+)"', sources("grader/judge")).values())
        judged |= set().union(*named(r'finding\(run, reply, "([a-z_]+)"', sources("grader/judge")).values())
        judged |= set().union(*named(r'finding(?:->|\.)code, sizeof finding(?:->|\.)code, "([a-z_]+)"',
                                     sources("grader/judge")).values())
        judged |= set().union(*named(r'program_explain_begin\([a-z>-]+, "([a-z_]+)"', sources("grader/program")).values())
        for row in tables.findings():
            with self.subTest(code=row.code):
                self.assertEqual(row.code in raised, row.raised_by != "GRADER")
                if row.raised_by != "DRIVER":
                    self.assertIn(row.code, judged)
        self.assertEqual(raised - {row.code for row in tables.findings()}, set())

    def test_every_code_is_expected_by_a_fixture(self):
        expected = " ".join(read(path) for pattern in EXPECTING for path in glob.glob(pattern)
                            if path != "tests/tables_test.py")
        for row in tables.findings():
            with self.subTest(code=row.code):
                self.assertTrue(re.search(rf"\b{row.code}\b|{row.title}", expected), "no fixture expects it")

    def test_no_other_file_lists_them(self):
        codes = {row.code for row in tables.findings()}
        for path, words in named(r'"([a-z_]+)"', set(sources("runtime", "grader", "ci")) - WRITTEN).items():
            self.assertLessEqual(len(words & codes), 8, f"{path} lists codes of findings: read the table")
        titles = {row.title for row in tables.findings()} - {"deadlock"}
        for path, words in named(r'"([a-z][a-z -]+)"', set(sources("runtime", "grader", "ci")) - WRITTEN).items():
            self.assertLessEqual(len(words & titles), 1, f"{path} has titles of findings: {words & titles}")


class Counters(unittest.TestCase):
    def test_a_counter_has_one_name_a_unit_and_a_meaning(self):
        rows = tables.counters()
        for part in ("name", "title", "meaning"):
            often = collections.Counter(getattr(row, part) for row in rows)
            self.assertEqual([name for name, count in often.items() if count > 1], [])
        for row in rows:
            with self.subTest(name=row.name):
                self.assertTrue(row.unit)
                self.assertRegex(row.title, r"^[a-z][\w -]{5,40}$")
                self.assertNotRegex(row.meaning, r"[.?]$|\b(the same|such)\b")
                self.assertEqual(bool(row.formula), row.kind == "DERIVED")

    def test_every_counter_is_counted_and_expected(self):
        counted = "".join(read(path) for path in sources("runtime/emulator/observe/counters"))
        expected = "".join(read(path) for path in glob.glob("tests/*_suite.c"))
        for row in tables.counters():
            with self.subTest(name=row.name):
                if row.kind != "DERIVED":
                    self.assertTrue(re.search(rf"(->|\.){row.name} (\+|-)?= ", counted), "no line counts it")
                self.assertTrue(re.search(rf"\b{row.name}\b", expected), "no suite expects it")

    def test_no_other_file_lists_them(self):
        names = {row.name for row in tables.counters()}
        # Two that use them: what a missed budget says of each kind of request, and the model of the time.
        for path, words in named(r'"([a-z_]+)"', set(sources("runtime", "grader", "ci")) - WRITTEN
                                 - {"grader/judge/budget_place.c", "grader/estimate/quantities.def"}).items():
            self.assertLessEqual(len(words & names), 8, f"{path} lists counters: read the table")

    def test_budgets_are_of_counters(self):
        names = {row.name for row in tables.counters()}
        for path in glob.glob("labs/*/lab.yaml"):
            self.assertLessEqual(set(re.findall(r"- metric: (\w+)", read(path))), names)


class Places(unittest.TestCase):
    def test_what_follows_from_the_tables_is_up_to_date(self):
        done = subprocess.run([sys.executable, "ci/tables.py", "--check"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_new_row_is_all_that_schema_and_reference_need(self):
        with tempfile.TemporaryDirectory() as kit:
            folders = ["ci", "handouts", "labs", "runtime", "grader", "solutions", "tests"]
            subprocess.run(["cp", "-a", "--parents", *folders, kit], check=True)
            with open(f"{kit}/{tables.FINDINGS}", "a", encoding="utf-8") as file:
                file.write('FINDING(bad_luck, DRIVER, races, WARNING, PASSES, "stroke of bad luck", "What else?",\n'
                           '        "It \\"just\\" happened.", "A black cat, a (broken) mirror.", "Try again.")\n')
            with open(f"{kit}/{tables.COUNTERS}", "a", encoding="utf-8") as file:
                file.write('COUNTER(sighs, "sighs", "", "deep sighs", "sighs, of a warp", "0")\n'
                           'DERIVED(sighs_per_barrier, "ratio", "", "relief", "sighs of a barrier", "",\n'
                           '        COUNT(sighs) / (1 + COUNT(barriers)))\n')
            done = subprocess.run([sys.executable, "ci/tables.py"], cwd=kit, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            schema = json.loads(read(f"{kit}/{tables.SCHEMA}"))["definitions"]
            self.assertIn("bad_luck", schema["code"]["enum"])
            self.assertEqual(schema["counters"]["properties"]["sighs"]["title"], "deep sighs")
            self.assertIn("sighs / (1 + barriers)", schema["counters"]["properties"]["sighs_per_barrier"]["description"])
            reference = read(f"{kit}/handouts/reference.md")
            self.assertIn('#### stroke of bad luck <!-- bad_luck -->\n\nIt "just" happened.\n', reference)
            self.assertIn("* **Often:** A black cat, a (broken) mirror.\n", reference)
            self.assertIn("| `sighs` | deep sighs | sighs | sighs, of a warp | 0 |\n", reference)

    def test_the_programs_know_a_new_row(self):
        """The C that reads the tables has no name of a row in it: a row more compiles, and both sides have it."""
        check = r"""
#include "grader/result/diagnose.h"
#include "grader/judge/tally.h"
#include <stdio.h>

int main(void)
{
    struct tally tally;
    static const char text[] = "{\"counters\":{\"sighs\":3,\"barriers\":2}}";
    tally_read(text, sizeof text - 1, &tally);
    const char *steps[3] = {""};
    diagnose_explain("bad_luck", steps);
    printf("%s|%d|%s|", diagnose_title("bad_luck"), diagnose_stage("bad_luck"), steps[2]);
    printf("%g|%s\n", tally_get(&tally, "sighs_per_barrier"), tally_title("sighs"));
}
"""
        with tempfile.TemporaryDirectory() as kit:
            subprocess.run(["cp", "-a", "--parents", "runtime", "grader", kit], check=True)
            with open(f"{kit}/{tables.FINDINGS}", "a", encoding="utf-8") as file:
                file.write('FINDING(bad_luck, DRIVER, races, WARNING, PASSES, "stroke of bad luck", "What else?", "It.",\n'
                           '        "A.", "Try again.")\n')
            with open(f"{kit}/{tables.COUNTERS}", "a", encoding="utf-8") as file:
                file.write('COUNTER(sighs, "sighs", "", "deep sighs", "sighs", "0")\n'
                           'DERIVED(sighs_per_barrier, "ratio", "", "relief", "", "",\n'
                           '        COUNT(sighs) / (1 + COUNT(barriers)))\n')
            with open(f"{kit}/check.c", "w", encoding="utf-8") as file:
                file.write(check)
            compiler = ["cc", "-std=c17", "-D_GNU_SOURCE", "-I."]
            sources_of_check = ["check.c", "grader/result/diagnose.c", "grader/judge/tally.c", "grader/base/allocate.c"]
            subprocess.run([*compiler, *sources_of_check, "-ljansson", "-lm", "-o", "check"], cwd=kit, check=True)
            for path in ("runtime/emulator/findings/finding.c", "runtime/emulator/observe/counters/write.c"):
                subprocess.run([*compiler, "-Wall", "-Werror", "-fsyntax-only", path], cwd=kit, check=True)
            done = subprocess.run(["./check"], cwd=kit, stdout=subprocess.PIPE, text=True, check=True)
            self.assertEqual(done.stdout, "stroke of bad luck|5|Try again.|1|deep sighs\n")


if __name__ == "__main__":
    unittest.main()

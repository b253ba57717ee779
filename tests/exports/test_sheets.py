"""The gradebook and the Canvas file, read back with a CSV reader."""

import csv
import io
import json
import os
import re

from exports import results
from exports.support import Case, convert

MESSY = "tests/fixtures/class/messy.json"
SMALL = "tests/fixtures/class/small.json"
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")

ROSTER = '''Student,ID,SIS User ID,SIS Login ID,Section,Scan (77),Other (78),Current Score
    Points Possible,,,,,100,10,(read only)
,,,,,Manual Posting,,
"Thompson, Ken",1,s1,ken,"A, ""B""",55,1,
"Liskov, Barbara",2,s2,BARBARA ,A,,2,
=1+1,3,s3,edsger,A,7,,
Nobody,4,s4,,A,8,,
Guest,6,s6,guest,A,9,,
Zeros,5,12345678901234567890,12345678901234567890,A,,,
'''


def read(text):
    return list(csv.reader(io.StringIO(text, newline=""), strict=True))


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Gradebook(Case):
    def rows(self, path, *options):
        done = convert("csv", path, *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.remarks = done.stderr
        table = read(done.stdout)
        self.assertEqual(table[0], ["assignment", "timestamp", "student_id", "names", "raw_score", "late_submission_penalty",
                                    "score", "max_score", "state", "decision"])
        return [dict(zip(table[0], row, strict=True)) for row in table[1:]]

    def test_has_a_row_a_student_and_lab(self):
        for path in (SMALL, MESSY):
            document = load(path)
            self.assertEqual(len(self.rows(path)), sum(len(student["labs"]) for student in document["students"]))

    def test_takes_the_penalty_off(self):
        late = next(row for row in self.rows(MESSY) if row["late_submission_penalty"] not in ("", "0"))
        self.assertEqual((late["raw_score"], late["late_submission_penalty"], late["score"]), ("40", "20", "20"))

    def test_leaves_unknown_scores_empty(self):
        for row in self.rows(MESSY):
            if row["state"] in ("problem", "harness_error"):
                self.assertEqual((row["raw_score"], row["late_submission_penalty"], row["score"]), ("", "", ""))
        self.assertIn("barbara (scan)", self.remarks)
        rows = self.rows(self.result_file(results.harness_error()))
        self.assertEqual([row["score"] for row in rows], ["17", "", "0"])

    def test_has_no_formula(self):
        for row in self.rows(MESSY) + self.rows(self.result_file(results.hostile())):
            for name, cell in row.items():
                if name in ("raw_score", "late_submission_penalty", "score", "max_score"):
                    self.assertRegex(cell, r"^(-?\d+(\.\d+)?)?$")
                self.assertFalse(cell.lstrip().startswith(FORMULA) and not re.fullmatch(r"-\d+", cell), cell)
                self.assert_harmless(cell)
                self.assertNotIn("\n", cell)
        self.assertIn("'=1+2", [row["student_id"] for row in self.rows(MESSY)])

    def test_keeps_negative_numbers_in_their_columns(self):
        document = load(MESSY)
        document["students"][0]["labs"][0]["final_score"] = 110   # a bonus for the early: the penalty is negative
        path = self.write("class.json", json.dumps(document))
        self.assertEqual(self.rows(path)[0]["late_submission_penalty"], "-10")

    def test_begins_with_a_mark_when_asked(self):
        self.assertTrue(convert("csv", SMALL, "--bom").stdout.startswith("\ufeffassignment,"))
        self.assertTrue(convert("csv", SMALL).stdout.startswith("assignment,"))


class Canvas(Case):
    def made(self, roster, *options, status=0, path=MESSY):
        done = convert("canvas", path, "--roster", self.write("roster.csv", roster), "--column", "Scan", *options)
        self.assertEqual(done.returncode, status, done.stderr)
        self.remarks = done.stderr
        return read(done.stdout)

    def test_copies_identities_and_writes_one_column(self):
        table = self.made(ROSTER, "--lab", "scan", "--overwrite", status=1)
        source = read(ROSTER)
        self.assertEqual(table[0], ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Scan (77)"])
        self.assertEqual([row[:5] for row in table[1:]], [row[:5] for row in source[1:2] + source[3:]])
        self.assertEqual([row[5] for row in table[1:]], ["100", "55", "", "0", "8", "9", "0"])

    def test_lists_who_is_unmatched_either_way(self):
        self.made(ROSTER, status=1)
        self.assertIn("not in the class; nothing is changed for: Guest", self.remarks)
        self.assertIn("4 students of the class not on the roster", self.remarks)
        self.assertIn("without SIS Login ID: Nobody", self.remarks)
        self.assertIn("the score of barbara; ken is unknown", self.remarks)

    def test_writes_nothing_for_ids_that_stand_twice(self):
        table = self.made(ROSTER + 'Twin,9,s9,Edsger,A,3,,\n', "--lab", "scan", status=1)
        self.assertEqual([row[5] for row in table if row[3].lower() == "edsger"], ["7", "3"])
        self.assertIn("edsger is on more than one line", self.remarks)

    def test_is_silent_when_everybody_is_matched(self):
        ids = [student["id"] for student in load(SMALL)["students"]]
        roster = "Student,ID,SIS Login ID,Section,Scan\n" + "".join(f"x,{i},{name},A,\n" for i, name in enumerate(ids))
        table = self.made(roster, path=SMALL)
        self.assertEqual(self.remarks, "")
        self.assertEqual([row[4] for row in table[1:]],
                         ["" if student["score"] is None else str(student["score"]) for student in load(SMALL)["students"]])

    def test_takes_sums_percentages_and_other_columns(self):
        by_id = {row[3]: row[5] for row in self.made(ROSTER, status=1)}
        self.assertEqual(by_id["12345678901234567890"], "100")
        by_id = {row[3]: row[5] for row in self.made(ROSTER, "--percent", "--match", "SIS User ID", status=1)}
        self.assertEqual(by_id["12345678901234567890"], "33.33")
        done = convert("canvas", MESSY, "--roster", self.write("r.csv", ROSTER), "--column", "New")
        self.assertEqual(done.stdout.split("\r\n")[0], "Student,ID,SIS User ID,SIS Login ID,Section,New")

    def test_reads_rosters_whoever_wrote_them(self):
        expected = self.made(ROSTER, status=1)
        path = os.path.join(self.folder, "roster.csv")
        for data in (("\ufeff" + ROSTER).encode(), ROSTER.replace("\n", "\r\n").encode(), ROSTER.encode("utf-16")):
            with open(path, "wb") as file:
                file.write(data)
            done = convert("canvas", MESSY, "--roster", path, "--column", "Scan")
            self.assertEqual(read(done.stdout), expected)
        semicolons = ROSTER.replace('"A, ""B"""', "A").replace('"Thompson, Ken"', "Ken").replace('"Liskov, Barbara"', "B")
        self.assertEqual(len(self.made(semicolons.replace(",", ";"), status=1)), len(expected))

    def test_says_what_is_wrong_with_a_roster(self):
        for roster, words, expected in (
                ("", (), "is empty"), ("name,points\nx,1\n", (), "is not a Canvas roster"),
                ('Student,ID,Section\n"x', (), "not CSV"),
                ("Student,ID,Section\nx,1,A\n", ("--match", "Email"), "has no column Email"),
                (ROSTER.replace("Other (78)", "Scan (78)"), (), "has 2 columns called 'Scan'"),
                (ROSTER, ("--lab", "sort"), "the class has doublify; scan")):
            self.made(roster, *words, status=2 if words or "2 columns" in expected else 1)
            self.assertIn(expected, self.remarks)
            self.assertNotIn("Traceback", self.remarks)
        refused = convert("canvas", self.result_file(), "--roster", "x", "--column", "Scan")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("takes the class.json", refused.stderr)

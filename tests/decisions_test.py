"""Decisions of people: `lockstep decide` writes them, `lockstep batch` applies them each time, and nothing that a person
typed is lost. What each kind does to the points is in tests/decided_suite.c."""

import csv
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

from batch_test import BUILD, MEMORY, NO_GUARD, RIGHT, Base, load, snapshot, write
COURSE = "time_zone: UTC\nroster: roster.csv\nlabs: {doublify: {due: 2026-09-05}, vector_add: {due: 2026-09-12}}\n"
ROSTER = "id,name,email\nada,Ada Lovelace,ada@example.org\nbob,Bob,\ncyd,=1+1,\n"
WRONG = NO_GUARD + "// bob\n"


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def visible(path):
    """The text of a page."""
    with open(path, encoding="utf-8") as file:
        text = re.sub(r"<(style|script)>.*?</\1>", "", file.read(), flags=re.S)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", text))


class Course(Base):
    """A class of two who handed in, one who did not. What is graded once is not graded again for each test."""

    @classmethod
    def setUpClass(cls):
        cls.graded = tempfile.TemporaryDirectory(dir=MEMORY)
        cls.addClassCleanup(cls.graded.cleanup)
        for name, source in (("ada", RIGHT + "// ada\n"), ("bob", WRONG), ("new", RIGHT)):
            write(os.path.join(cls.graded.name, "class", name, "doublify.cu"), source)
        subprocess.run([os.path.abspath(f"{BUILD}/lockstep"), "batch", "class", "--out", "out", "--seed", "5", "--no-pages"],
                       cwd=cls.graded.name, capture_output=True, check=True)

    def setUp(self):
        super().setUp()
        write(self.path("course", "course.yaml"), COURSE)
        write(self.path("course", "roster.csv"), ROSTER)
        write(self.path("class", "ada", "doublify.cu"), RIGHT + "// ada\n")
        write(self.path("class", "bob", "doublify.cu"), WRONG)
        shutil.copytree(os.path.join(self.graded.name, "out", ".lockstep", "gradings"),
                        self.path("out", ".lockstep", "gradings"))

    def run_batch(self, *options, status=0, pages=False):
        return self.batch("class", "out", "--course", self.path("course", "course.yaml"), "--seed", "5", *options,
                          status=status, pages=pages)

    def decide(self, *words, status=0, by="Kim", why="a reason"):
        done = subprocess.run([f"{BUILD}/lockstep", "decide", *words, "--course", self.path("course", "course.yaml"),
                               "--by", by, *(["--why", why] if why else [])], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def lab(self, student, lab="doublify"):
        document = self.check("out")
        return next(one for one in self.student(document, student)["labs"] if one["lab"] == lab)

    def final(self, student, lab="doublify"):
        return self.lab(student, lab)["final_score"]

    def decisions(self):
        return rows_of(self.path("course", "decisions.csv"))


class Decide(Course):
    def test_writes_a_line_that_the_batch_reads(self):
        self.assertIn("ada, doublify, score 60, by Kim", self.decide("ada", "doublify", "score", "60", why='a "reason", a'))
        self.decide("Bob", "doublify", "add", "-5", "--private")
        self.decide("ada", "late_days", "2", by="=cmd")
        write(self.path("open", "course.yaml"), "labs: {doublify: {}}\n")   # nobody knows who is in the class
        for student in ("eve", "dan"):
            done = subprocess.run([f"{BUILD}/lockstep", "decide", student, "doublify", "bonus", "1", "--by", "Kim",
                                   "--course", self.path("open", "course.yaml")], capture_output=True, text=True, check=True)
            self.assertIn("that run checks the student", done.stdout)
        lines = self.decisions()
        self.assertEqual([(row["student"], row["lab"], row["what"], row["value"], row["private"]) for row in lines],
                         [("ada", "doublify", "score", "60", ""), ("bob", "doublify", "add", "-5", "yes"),
                          ("ada", "", "late_days", "2", "")])
        self.assertEqual((lines[0]["why"], lines[2]["by"]), ('a "reason", a', "=cmd"))
        self.assertRegex(lines[0]["date"], r"^\d{4}-\d\d-\d\d$")

    def test_writes_nothing_where_there_is_a_mistake(self):
        for words, expected in ((["eda", "doublify", "score", "60"], "there is no student eda; did you mean ada?"),
                                (["ada", "doublify", "score", "many"], '"many" is not valid'),
                                (["ada", "doublify", "skore", "6"], '"skore" is not a decision'),
                                (["ada", "scan", "score", "6"], "scan is not a lab of this course"),
                                (["ada", "doublify"], '"doublify" is not a decision'), (["ada"], "decide needs a student")):
            self.assertIn(expected, self.decide(*words, status=2))
        self.assertFalse(os.path.exists(self.path("course", "decisions.csv")))

    def test_keeps_the_columns_and_the_separator_of_the_file(self):
        write(self.path("course", "decisions.csv"), "what;student;by;value;lab\r\nscore;ada;Lee;1;doublify")
        self.assertIn("has no column why, which this line needs", self.decide("bob", "doublify", "score", "2", status=2))
        self.decide("bob", "doublify", "score", "2", why="")
        with open(self.path("course", "decisions.csv"), "rb") as file:
            self.assertEqual(file.read(), b"what;student;by;value;lab\r\nscore;ada;Lee;1;doublify\r\n"
                                          b"score;bob;Kim;2;doublify\r\n")

    def test_the_help_lists_every_kind(self):
        shown = subprocess.run([f"{BUILD}/lockstep", "decide", "--help"], capture_output=True, text=True, check=True).stdout
        with open("grader/options/decisions.def", encoding="utf-8") as table, \
                open("handouts/instructor.md", encoding="utf-8") as page:
            kinds = re.findall(r'^DECISION\((\w+), \w+, \w+, \w+, "([^"]*)",\s+"([^"]*)"', table.read(), re.M)
            text = page.read()
        self.assertEqual(len(kinds), 12)
        for name, form, what in kinds:
            self.assertRegex(shown, rf"\n  {name} ")
            shape = f"{name} {form}".strip().replace("|", r"\|")
            self.assertIn(f"| `{shape}` | {what} |", text)


class Applied(Course):
    def test_decisions_survive_every_run(self):
        self.run_batch()
        graded = self.final("bob")
        self.decide("bob", "doublify", "score", "90")
        for _ in range(2):
            self.run_batch("--regrade", "bob")
            entry = self.lab("bob")
            self.assertEqual((entry["score"], entry["decided_score"], entry["final_score"]), (graded, 90, 90))
            self.assertEqual([(one["line"], one["what"], one["by"], one["why"]) for one in entry["decisions"]],
                             [(2, "score", "Kim", "a reason")])
        row = next(row for row in rows_of(self.path("out", "gradebook.csv"))
                   if (row["student_id"], row["assignment"]) == ("bob", "doublify"))
        self.assertEqual((row["raw_score"], row["late_submission_penalty"], row["score"]), (str(graded), "0", "90"))
        self.assertEqual(row["decision"], "score 90, by Kim: a reason")

    def test_mistakes_are_named_and_nothing_is_graded(self):
        write(self.path("course", "decisions.csv"),
              "student,lab,what,value,by\nada,doublify,score,999,Kim\nzoe,,comment,x,\n")
        said = self.run_batch(status=2)
        for part in ("decisions.csv:2: column value:", "decisions.csv:3: column student:", "decisions.csv:3: column by:",
                     "nothing was graded"):
            self.assertIn(part, said)
        self.assertFalse(os.path.exists(self.path("out", "class.json")))

    def test_an_accepted_file_is_graded_and_no_longer_in_doubt(self):
        os.rename(self.path("class", "ada", "doublify.cu"), self.path("class", "ada", "mine.cpp"))
        write(self.path("class", "bob", "new", "doublify.cu"), RIGHT)
        os.symlink("/etc/passwd", self.path("class", "bob", "vector_add.txt"))
        self.run_batch(status=1)
        self.assertEqual((self.final("ada"), self.final("bob")), (None, None))
        self.decide("ada", "doublify", "accept", "mine.cpp")
        self.decide("bob", "doublify", "accept", "bob/new/doublify.cu")
        self.run_batch()
        self.assertEqual((self.final("ada"), self.final("bob")), (100, 100))
        codes = [one["code"] for student in load(self.path("out", "class.json"))["students"] for one in student["problems"]]
        self.assertNotIn("two_files", codes)
        self.assertNotIn("other_ending", codes)
        for path, expected in (("bob/vector_add.txt", "a symbolic link"), ("../ada/mine.cpp", "not a path inside"),
                               ("ada/mine.cpp", "No such file")):
            self.decide("bob", "vector_add", "accept", path)
            self.assertRegex(self.run_batch(status=2), rf"decisions.csv:\d+: column value: .*{expected}")

    def test_the_only_file_settles_all_labs_and_one_of_two_does_not(self):
        os.rename(self.path("class", "ada", "doublify.cu"), self.path("class", "ada", "homework.pdf"))
        os.rename(self.path("class", "bob", "doublify.cu"), self.path("class", "bob", "notes.md"))
        write(self.path("class", "bob", "homework.pdf"), RIGHT)
        for student in ("ada", "bob"):
            self.decide(student, "doublify", "accept", "homework.pdf")
        self.run_batch(status=1)
        self.assertEqual((self.final("ada"), self.final("ada", "vector_add")), (100, 0))
        self.assertEqual((self.final("bob"), self.final("bob", "vector_add")), (100, None))

    def test_a_group_has_one_result_and_is_not_alike(self):
        for student in ("ada", "cyd"):
            self.decide(student, "group", "team 1")
        said = self.run_batch()
        document = self.check("out")
        self.assertEqual((self.final("ada"), self.final("cyd"), self.lab("cyd")["handed_in_by"]), (100, 100, "ada"))
        self.assertEqual((document["missing"], document["duplicates"]), ([], []))
        self.assertNotIn("without a folder", said)
        self.assertTrue(os.path.exists(self.path("out", "students", "cyd.json")))
        write(self.path("class", "cyd", "doublify.cu"), WRONG)
        self.assertIn("group_in_doubt", self.run_batch(status=1))
        self.assertEqual((self.final("ada"), self.final("cyd")), (None, None))
        self.decide("cyd", "doublify", "accept", "ada/doublify.cu")
        self.assertIn("2 scores changed", self.run_batch())
        self.assertEqual((self.final("ada"), self.final("cyd")), (100, 100))

    def test_a_request_is_open_until_it_is_answered(self):
        self.decide("bob", "doublify", "request", "my block size is fine", by="bob")
        self.assertIn('A regrade of doublify is requested: "my block size is fine"', self.run_batch(status=1))
        self.decide("bob", "doublify", "answer", "it is not: see line 4")
        self.assertNotIn("regrade_request", self.run_batch())

    def test_students_read_what_concerns_them_and_no_private_reason(self):
        self.decide("ada", "doublify", "comment", "Well done, Ada.", why="")
        self.decide("ada", "doublify", "add", "-30", why="found on the web", by="Kim")
        self.decide("bob", "doublify", "extension", "+3", "--private", why="a death in the family")
        self.decide("cyd", "comment", "Please see me.", why="")
        self.run_batch(pages=True)
        ada, bob = (visible(self.path("out", "report", "students", f"{one}.html")) for one in ("ada", "bob"))
        everybody = visible(self.path("out", "report", "index.html"))
        self.assertIn("doublify : Well done, Ada.", ada)
        self.assertIn("Points added to the graded ones: -30. Reason: found on the web", ada)
        self.assertIn("100 of 100 points as graded; 70 of 200 points count", ada)
        self.assertIn("Extension: 3 days.", bob)
        self.assertIn("Please see me.", visible(self.path("out", "report", "students", "cyd.html")))   # nothing was graded
        self.assertNotIn("death", bob)
        self.assertIn("a death in the family (private)", everybody)

    def test_exempt_is_no_zero_anywhere(self):
        self.decide("cyd", "doublify", "exempt")
        self.run_batch()
        wide = {row["id"]: row for row in rows_of(self.path("out", "gradebook_wide.csv"))}
        self.assertEqual((wide["cyd"]["doublify"], wide["cyd"]["max_total"]), ("exempt", "100"))
        self.assertEqual(wide["cyd"]["name"], "'=1+1")
        self.assertEqual((wide["ada"]["email"], wide["ada"]["doublify"], wide["ada"]["total"], wide["ada"]["percent"]),
                         ("ada@example.org", "100", "100", "50"))
        write(self.path("canvas.csv"), "Student,ID,SIS Login ID,Section,D (1)\n    Points Possible,,,,100\n"
                                       "Ada,1,ada,s,\nBob,2,bob,s,\nCyd,3,cyd,s,\n")
        made = subprocess.run([f"{BUILD}/lockstep", "export", "canvas", self.path("out"), "--column", "D",
                               "--lab", "doublify", "--roster", self.path("canvas.csv")],
                              capture_output=True, text=True, check=True).stdout
        self.assertIn("Cyd,3,cyd,s,EX", made)


class Changes(Course):
    def test_each_change_of_a_score_is_noted_with_its_cause(self):
        self.assertNotIn("since the last run", self.run_batch())
        self.assertFalse(os.path.exists(self.path("out", "history.csv")))
        self.decide("bob", "doublify", "score", "90", why="the idea is right")
        self.assertIn("1 score changed (1: decisions)", self.run_batch())
        os.unlink(self.path("course", "decisions.csv"))
        write(self.path("class", "ada", "doublify.cu"), WRONG)
        write(self.path("class", "dan", "doublify.cu"), RIGHT)
        self.assertIn("2 scores changed (1: another file; 1: decisions), 1 new student", self.run_batch(status=1))
        history = [(row["student"], row["lab"], row["after"], row["cause"], row["detail"])
                   for row in rows_of(self.path("out", "history.csv"))]
        bob = str(self.final("bob"))
        self.assertEqual(history, [("bob", "doublify", "90", "decision", "score 90, by Kim: the idea is right"),
                                   ("ada", "doublify", bob, "file", ""),
                                   ("bob", "doublify", bob, "decision", "score 90 was withdrawn")])
        write(self.path("course", "course.yaml"), COURSE.replace("doublify: {", "doublify: {weight: 3, "))
        self.assertIn("no score changed, but 3 percentages did", self.run_batch(status=1))

    def test_a_run_that_is_repeated_after_a_kill_notes_a_change_once(self):
        self.run_batch()
        with open(self.path("out", ".lockstep", "scores.json"), "rb") as file:
            scores = file.read()
        self.decide("bob", "doublify", "score", "90")
        self.run_batch()
        write(self.path("out", ".lockstep", "scores.json"), scores)   # killed before it was written
        self.run_batch()
        self.assertEqual(len(rows_of(self.path("out", "history.csv"))), 1)

    def test_what_was_typed_into_a_gradebook_stays(self):
        path = self.path("out", "gradebook.csv")
        self.run_batch()
        with open(path, encoding="utf-8", newline="") as file:
            written = file.read()
        table = list(csv.reader(written.splitlines()))
        with open(path, "w", encoding="utf-8-sig", newline="") as file:   # as a spreadsheet saves it, unchanged
            csv.writer(file, delimiter=";").writerows(table)
        self.run_batch()
        with open(path, encoding="utf-8", newline="") as file:
            self.assertEqual(file.read(), written)
        bob = next(row for row in table if row[2] == "bob")
        old, bob[6] = bob[6], "60"
        del table[1]
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows(table)
        said = self.run_batch(status=1)
        self.assertIn(f'bob, doublify, score: "60", was "{old}"', said)
        self.assertIn('ada, doublify, the row: "gone", was "there"', said)
        self.assertIn("lockstep decide STUDENT LAB score POINTS --course", said)
        self.assertIn(["60"], [row[6:7] for row in table])
        with open(self.path("out", "class.json"), encoding="utf-8") as file:
            self.assertNotIn("60", [str(lab["final_score"]) for one in json.load(file)["students"] for lab in one["labs"]])
        with open(path, "w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([table[0], next(csv.reader([written.splitlines()[1]])), *table[1:]])
        self.assertNotIn("the row", self.run_batch(status=1))
        self.decide("bob", "doublify", "score", "60")
        self.run_batch()   # what was typed is what is decided now
        os.unlink(self.path("course", "decisions.csv"))
        self.run_batch()
        write(path, written.replace(f",{old},", ",99,"))
        self.run_batch(status=1)
        self.run_batch("--overwrite")
        with open(path, encoding="utf-8", newline="") as file:
            self.assertEqual(file.read(), written)


class ForOthers(Course):
    def export(self, *words, status=0):
        done = subprocess.run([f"{BUILD}/lockstep", "export", *words], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_graders_see_pseudonyms_and_decide_takes_them(self):
        os.rename(self.path("class", "bob"), self.path("class", "Bobby"))
        write(self.path("course", "roster.csv"), "id,name,folder,email\nada,Ada Lovelace,,ada@example.org\nbob,Bob,Bobby,\n")
        write(self.path("class", "ada", "mine.cpp"), RIGHT)
        self.decide("ada", "doublify", "accept", "ada/doublify.cu")
        self.decide("bob", "doublify", "request", "once more")
        self.run_batch(status=1)
        self.export("html", self.path("out"), "--anonymous", "--out", self.path("pages"))
        names = re.compile(r"\b(ada|bob|Bobby|Lovelace)\b|example\.org", re.I)
        shown = 0
        for folder, _, files in os.walk(self.path("pages")):
            for name in files:
                text = visible(os.path.join(folder, name))
                text = text.replace("// ada", "").replace("// bob", "")   # what students wrote
                self.assertIsNone(names.search(name + text), name)
                shown += 1
        self.assertEqual(shown, 3)
        table = self.export("wide", self.path("out"), "--anonymous")
        self.assertEqual(table, self.export("wide", self.path("out"), "--anonymous"))
        self.assertIsNone(names.search(table + self.export("csv", self.path("out"), "--anonymous")))
        alias = re.search(r'"(anon-\w+)","","",5,', table).group(1)
        self.decide(alias, "doublify", "answer", "no", "--in", self.path("out"))
        self.assertEqual(self.decisions()[-1]["student"], alias)
        self.assertNotIn("regrade_request", self.run_batch())
        os.unlink(self.path("out", ".lockstep", "pseudonyms.json"))
        self.assertIn("--anonymous needs the pseudonyms", self.export("wide", self.path("out"), "--anonymous", status=1))

    def test_feedback_goes_back_under_the_names_of_the_learning_system(self):
        os.rename(self.path("class", "ada"), self.path("class", "Ada Lovelace_123_assignsubmission_file_"))
        os.rename(self.path("class", "bob", "doublify.cu"), self.path("class", "bob", "bob_LATE_77_888_doublify-1.cu"))
        os.unlink(self.path("course", "roster.csv"))
        write(self.path("course", "course.yaml"), COURSE.replace("roster: roster.csv\n", ""))
        self.decide("bob", "doublify", "comment", "Almost.")
        self.run_batch()
        for system, expected, other in (("moodle", "Ada Lovelace_123_assignfeedback_file_feedback.html", "bob"),
                                        ("canvas", "bob_LATE_77_888_feedback.html", "Ada Lovelace_123")):
            said = self.export(f"{system}-feedback", self.path("out"), "--out", self.path("f.zip"))
            self.assertIn(f"1 student without a name of the learning system, so without feedback: {other}", said)
            with zipfile.ZipFile(self.path("f.zip")) as archive:
                self.assertEqual(archive.namelist(), [expected])
                page = archive.read(expected).decode()
            self.assertEqual("Almost." in page, system == "canvas")
            with open(self.path("f.zip"), "rb") as file:
                first = file.read()
            self.export(f"{system}-feedback", self.path("out"), "--out", self.path("f.zip"))
            with open(self.path("f.zip"), "rb") as file:
                self.assertEqual(file.read(), first)

    def test_a_students_own_result_shows_what_counts(self):
        self.decide("bob", "doublify", "score", "60", "--private", why="secret")
        self.decide("bob", "doublify", "comment", "Almost.", why="")
        self.run_batch()
        result = self.path("out", "students", "bob.json")
        shown = json.loads(self.export("gradescope", result))
        self.assertEqual(shown["score"], 60)
        self.assertIn("doublify: Almost.", shown["output"])
        self.assertIn("60 of 100 points count.", self.export("junit", result))
        row = next(csv.DictReader(self.export("csv", result).splitlines()))
        self.assertEqual((row["raw_score"], row["score"]), ("5", "60"))
        with open(result, encoding="utf-8") as file:
            self.assertNotIn("secret", file.read())
        self.assertNotIn("decided", load(self.path("out", "students", "ada.json")))


class Handbook(Course):
    def test_the_example_in_the_handbook_works(self):
        with open("handouts/instructor.md", encoding="utf-8") as file:
            section = file.read().split("\n## Decisions\n")[1].split("\n## ")[0]
        commands, table = (re.search(rf"```{kind}\n(.*?)```", section, re.S).group(1) for kind in ("sh", "csv"))
        write(self.path("course", "course.yaml"), COURSE)
        os.rename(self.path("class"), self.path("course", "submissions"))
        lockstep = os.path.abspath(f"{BUILD}/lockstep")
        done = subprocess.run(["bash", "-e", "-c", commands.replace("build/lockstep", lockstep)], cwd=self.path("course"),
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1790000000"}, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(self.path("course", "decisions.csv"), encoding="utf-8") as file:
            made = file.read()
        self.assertEqual(re.sub(r"\d{4}-\d\d-\d\d,", "DATE,", made), re.sub(r"\d{4}-\d\d-\d\d,", "DATE,", table))
        with open(self.path("course", "results", "class.json"), encoding="utf-8") as file:
            document = json.load(file)
        labs = {one["id"]: {lab["lab"]: lab for lab in one["labs"]} for one in document["students"]}
        self.assertEqual(labs["bob"]["doublify"]["final_score"], 60)
        self.assertEqual(labs["ada"]["vector_add"]["due"], "2026-09-15T23:59:59Z")


class Parts(Course):
    """The same decisions in a class that is graded in parts: the files of a local run."""

    def setUp(self):
        super().setUp()
        for folder in ("parts", "a"):
            shutil.copytree(self.path("out", ".lockstep", "gradings"), self.path(folder, ".lockstep", "gradings"))

    def shard(self, part, out="parts", status=0):
        done = subprocess.run([f"{BUILD}/lockstep", "batch", self.path("class"), "--out", self.path(out), "--course",
                               self.path("course", "course.yaml"), "--seed", "5", "--shard", part],
                              check=False, env={**os.environ, "SOURCE_DATE_EPOCH": "1790000000"}, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, status, done.stdout.decode())
        return " ".join(done.stdout.decode().split())

    def gather(self, *folders, status=0, options=(), out="parts"):
        return self.batch("class", out, "--course", self.path("course", "course.yaml"), "--gather", *options,
                          *map(self.path, folders), status=status)

    def decide_much(self):
        write(self.path("class", "bob", "mine.txt"), RIGHT + "// bob's other\n")
        write(self.path("class", "timestamps.csv"), "id,submitted\nada,2026-09-06T12:00:00Z\nbob,2026-09-05T12:00:00Z\n")
        write(self.path("course", "course.yaml"),
              COURSE.replace("time_zone", "late: {percent_per_day: 10, budget_days: 1}\ntime_zone"))
        self.decide("bob", "doublify", "accept", "mine.txt")
        self.decide("cyd", "group", "team 1")
        self.decide("ada", "group", "team 1")
        self.decide("ada", "doublify", "comment", "Look again.")
        self.decide("bob", "doublify", "add", "-5")
        self.decide("cyd", "vector_add", "exempt")
        self.decide("ada", "vector_add", "extension", "+3")
        self.decide("bob", "doublify", "request", "why?", by="bob")

    def same(self):
        self.assertEqual(snapshot(self.path("parts")), snapshot(self.path("out")))

    def test_gathers_to_the_files_of_a_local_run(self):
        self.decide_much()
        self.run_batch(status=1)
        for part in ("1/3", "2/3", "3/3"):
            self.shard(part)
        self.gather(status=1)
        self.same()
        self.assertEqual((self.final("bob"), self.lab("cyd")["handed_in_by"]), (95, "ada"))
        # a second run: another file counts, a score, an answer; history and causes are the same too
        pseudonym = load(self.path("parts", ".lockstep", "pseudonyms.json"))["ada"]
        shutil.copy(self.path("parts", ".lockstep", "pseudonyms.key"), self.path("out", ".lockstep"))
        write(self.path("class", "bob", "third.txt"), WRONG + "// third\n")
        self.decide("bob", "doublify", "accept", "third.txt")
        self.decide("bob", "doublify", "answer", "see the page")
        with open(self.path("course", "decisions.csv"), "a", encoding="utf-8") as file:
            file.write(f"{pseudonym},doublify,bonus,3,Kim,fine,,\n")
        local = self.run_batch()
        self.gather(status=3)   # bob's other file has no grading yet
        for part in ("1/3", "2/3", "3/3"):
            self.shard(part)
        parts = self.gather()
        self.same()
        self.assertTrue(os.path.exists(self.path("out", "history.csv")))
        self.assertIn("2 scores changed", parts)
        self.assertEqual(parts.partition("since the last run")[2].partition("gradebook")[0],
                         local.partition("since the last run")[2].partition("gradebook")[0])

    def test_folders_of_their_own_need_the_key_to_pseudonyms(self):
        self.decide_much()
        self.run_batch(status=1)
        pseudonym = load(self.path("out", ".lockstep", "pseudonyms.json"))["bob"]
        with open(self.path("course", "decisions.csv"), "a", encoding="utf-8") as file:
            file.write(f"{pseudonym},doublify,accept,doublify.cu,Kim,,,\n")
        shutil.rmtree(self.path("out", "students"))
        for name in ("history.csv", "class.json", ".lockstep/batch.json", ".lockstep/scores.json"):
            if os.path.exists(self.path("out", name)):
                os.remove(self.path("out", name))
        self.run_batch(status=1)
        self.assertIn(f"there is no student {pseudonym} here. Pseudonyms belong to a results folder",
                      self.shard("1/1", "a", status=2))
        kept = os.listdir(self.path("a", ".lockstep", "gradings"))
        for folder in ("a", "b", "parts"):
            write(self.path(folder, ".lockstep", "pseudonyms.key"), "")
            shutil.copy(self.path("out", ".lockstep", "pseudonyms.key"), self.path(folder, ".lockstep", "pseudonyms.key"))
        self.shard("1/2", "a")
        self.shard("2/2", "b")
        self.assertGreater(len(os.listdir(self.path("a", ".lockstep", "gradings"))
                               + os.listdir(self.path("b", ".lockstep", "gradings"))), len(kept))
        self.gather("a", "b", status=1, options=("--seed", "5"))
        self.same()

    def test_a_mistake_in_a_line_stops_every_part(self):
        write(self.path("course", "decisions.csv"), "student,lab,what,value,by\neda,doublify,score,3,Kim\n")
        for result in (self.shard("1/2", status=2), self.gather(status=2, options=("--seed", "5"))):
            self.assertIn("did you mean ada?", result)

    def test_a_gradebook_edited_by_hand_is_left_alone(self):
        self.shard("1/1")
        self.gather()
        path = self.path("parts", "gradebook.csv")
        with open(path, encoding="utf-8") as file:
            edited = file.read().replace("Bob", "Robert", 1)
        write(path, edited)
        self.decide("ada", "doublify", "score", "60")
        self.assertIn("--overwrite", self.gather(status=1))
        with open(path, encoding="utf-8") as file:
            self.assertEqual(file.read(), edited)
        self.gather(options=("--overwrite",))
        with open(path, encoding="utf-8") as file:
            self.assertNotIn("Robert", file.read())

    def test_shards_that_begin_at_once_draw_one_key(self):
        shards = [subprocess.Popen([f"{BUILD}/lockstep", "batch", self.path("class"), "--out", self.path("parts"),
                                    "--course", self.path("course", "course.yaml"), "--seed", "5", "--shard",
                                    f"{number}/4"],
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT) for number in (1, 2, 3, 4)]
        for shard in shards:
            output = shard.communicate()[0].decode()
            self.assertEqual(shard.returncode, 0, output)
        state = os.listdir(self.path("parts", ".lockstep"))
        self.assertEqual([name for name in state if name.startswith("pseudonyms")], ["pseudonyms.key"])
        self.gather()
        self.assertTrue(load(self.path("parts", ".lockstep", "pseudonyms.json")))


if __name__ == "__main__":
    unittest.main()

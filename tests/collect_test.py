"""`lockstep collect`: downloads as learning systems make them, hostile archives, and what `batch` makes of the result."""

import csv
import io
import json
import os
import resource
import signal
import stat
import struct
import subprocess
import tarfile
import tempfile
import unittest
import zipfile

from classes import host, with_program
from waiting import wait_until

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

RIGHT = """extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 2 * a[i];
}
"""
WRONG = RIGHT.replace("2 * a[i]", "3 * a[i]")

ROSTER = """id,name,email,github,folder
al1815,Ada Lovelace,ada@example.org,ada-l,
gh1906,Grace Hopper,grace@example.org,ghopper,
jm77,Jörg Müller,jm@example.org,joerg,
"""
COURSE = """time_zone: Europe/Berlin
roster: roster.csv
labs:
  doublify: {weight: 1, due: 2026-10-13}
late: {percent_per_day: 10, grace_minutes: 30, cap_percent: 50}
"""
ROSTER_ONLY = "roster: roster.csv\n"


class Base(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(dir=MEMORY)
        self.addCleanup(self.directory.cleanup)

    def path(self, *parts):
        return os.path.join(self.directory.name, *parts)

    def write(self, name, content, mode=None):
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        if mode is not None:
            os.chmod(path, mode)
        return path

    def read(self, *parts):
        with open(self.path(*parts), encoding="utf-8", newline="") as file:
            return file.read()

    def rows(self, *parts):
        return list(csv.DictReader(io.StringIO(self.read(*parts))))

    def zip(self, name, entries):
        """entries: {path: content}, or pairs, so that a path can come twice."""
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with zipfile.ZipFile(self.path(name), "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in entries.items() if isinstance(entries, dict) else entries:
                archive.writestr(path, content)
        return self.path(name)

    def run_command(self, *words, status=0, **options):
        done = subprocess.run([f"{BUILD}/lockstep", *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              check=False, **options)
        output = (done.stdout + done.stderr).decode()
        self.assertEqual(done.returncode, status, output)
        return output

    def collect(self, *sources, status=0, into="class", **options):
        return self.run_command("collect", *sources, "--into", self.path(into), status=status, **options)

    def course(self, text=COURSE, roster=ROSTER):
        self.write("roster.csv", roster)
        return self.write("course.yaml", text)

    def batch(self, status=0, into="class"):
        output = self.run_command("batch", self.path(into), "--out", self.path("out"), "--course", self.path("course.yaml"),
                                  "--no-pages", status=status)
        with open(self.path("out", "class.json"), encoding="utf-8") as file:
            document = json.load(file)
        return {student["id"]: student["labs"][0] for student in document["students"]}, output

    def files(self, folder="class"):
        """Every file of the class but the program's own, with its content."""
        found = {}
        for root, folders, names in os.walk(self.path(folder)):
            folders[:] = [name for name in folders if name != ".lockstep"]
            for name in names:
                path = os.path.join(root, name)
                with open(path, "rb") as file:
                    found[os.path.relpath(path, self.path(folder))] = file.read()
        return found

    def submissions(self, folder="class"):
        return sorted(path for path in self.files(folder) if "/" in path)


class Forms(Base):
    """Each system's download, and the lateness that comes of it, by hand: due 13 October 23:59:59 in Berlin (21:59:59Z),
    30 minutes of grace, then 10 % for each day begun."""

    def test_moodle_folders_with_their_worksheet(self):
        download = self.zip("GPU101-Doublify-4711.zip", {
            "Ada Lovelace_101_assignsubmission_file_/doublify.cu": RIGHT,
            "Grace Hopper_102_assignsubmission_file_/work/doublify.cu": RIGHT,
            "Grace Hopper_102_assignsubmission_onlinetext_/onlinetext.html": "<p>Here it is.</p>",
            "Jörg Müller_103_assignsubmission_file_/doublify.cu": RIGHT,
        })
        worksheet = self.write("Grades-GPU101.csv", "\ufeffIdentifier,Full name,Email address,Status,"
                               "Last modified (submission)\n"
                               'Participant 101,Ada Lovelace,ada@example.org,x,"Tuesday, 13 October 2026, 11:58 PM"\n'
                               'Participant 102,Grace Hopper,grace@example.org,x,"Wednesday, 14 October 2026, 12:31 AM"\n'
                               'Participant 103,Jörg Müller,jm@example.org,x,"Thursday, October 15, 2026, 12:31 AM"\n'
                               "Participant 104,Nobody Here,nobody@example.org,x,-\n")
        output = self.collect(download, worksheet, "--course", self.course())
        self.assertIn("a Moodle download, 3 submissions for GPU101-Doublify-4711", output)
        self.assertIn("a table of 4 people, 3 times", output)
        self.assertIn("3 of 3 times known", output)
        self.assertEqual(self.submissions(), [
            "al1815/GPU101-Doublify-4711/doublify.cu", "gh1906/GPU101-Doublify-4711/onlinetext.html",
            "gh1906/GPU101-Doublify-4711/onlinetext.txt", "gh1906/GPU101-Doublify-4711/work/doublify.cu",
            "jm77/GPU101-Doublify-4711/doublify.cu"])
        labs, _ = self.batch()
        late = {student: (lab["submitted"], lab["late"] and lab["late"]["days"]) for student, lab in labs.items()}
        self.assertEqual(late, {
            "al1815": ("2026-10-13T21:58:00Z", None),
            "gh1906": ("2026-10-13T22:31:00Z", 1),   # 1 min 1 s after the grace period
            "jm77": ("2026-10-14T22:31:00Z", 2)})
        self.assertEqual([labs[student]["final_score"] for student in ("al1815", "gh1906", "jm77")], [100, 90, 80])

    def test_moodle_flat_with_online_text(self):
        page = RIGHT.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\n", "<br />")
        download = self.zip("Doublify-9.zip", {
            "Ada Lovelace_101_assignsubmission_file_doublify.cu": RIGHT,
            "Grace Hopper_102_assignsubmission_onlinetext_onlinetext.html": f"<html><body><p>{page}</p></body></html>",
        })
        self.collect(download)
        files = self.files()
        self.assertEqual(files["Ada Lovelace/Doublify-9/doublify.cu"].decode(), RIGHT)
        self.assertEqual(files["Grace Hopper/Doublify-9/onlinetext.cu"].decode().strip(), RIGHT.strip())

    def test_canvas_flat(self):
        download = self.zip("submissions.zip", {
            "lovelaceada_12345_678901_doublify-1.cu": RIGHT,
            "hoppergrace_LATE_12346_678902_doublify.cu": RIGHT,
            "lovelaceada_12345_text.html": "<p>The __global__ kernel is in my file.</p>",
            "mullerjorg_12347_678903_work.zip": self.zip_bytes({"doublify.cu": RIGHT}),
            "anon_x7Yz1_678904_doublify.cu": RIGHT,
        })
        times = self.write("times.csv", "id,submitted\nal1815,2026-10-13T21:59:59Z\ngh1906,10/15/2026 17:00\njm77,"
                           "2026-10-13 23:59\n")
        output = self.collect(download, times, "--as", "doublify", "--course", self.course(), status=1)
        self.assertIn("a Canvas download, 4 submissions for doublify", output)
        self.assertIn("anon_x7Yz1_678904_doublify.cu: Nobody on the roster; collected as anon_x7Yz1", output)
        self.assertIn("1 archive unpacked", output)
        self.assertEqual(self.submissions(), [
            "al1815/doublify/doublify-1.cu", "al1815/doublify/onlinetext.txt", "al1815/doublify/text.html",
            "anon_x7Yz1/doublify/doublify.cu", "gh1906/doublify/doublify.cu",
            "jm77/doublify/work/doublify.cu"])
        labs, _ = self.batch(status=1)
        self.assertEqual(labs["al1815"]["final_score"], 100)
        self.assertEqual((labs["gh1906"]["late"]["days"], labs["gh1906"]["final_score"]), (2, 80))
        self.assertEqual(labs["jm77"]["final_score"], 100)

    def test_the_number_that_canvas_adds_to_a_name_does_not_hide_the_lab(self):
        self.write("ada/work/doublify-1.cu", "// no kernel yet\n")
        self.write("ada/work/pi/other.cu", WRONG)
        output = self.run_command("find", self.path("ada"), "doublify", "pi", status=0)
        self.assertIn("work/doublify-1.cu", output)
        self.write("ada/work/doublify.cu", RIGHT)
        self.assertIn("work/doublify.cu", self.run_command("find", self.path("ada"), "doublify", "pi", status=0))

    def test_canvas_without_times_says_what_is_missing(self):
        download = self.zip("doublify.zip", {"lovelaceada_LATE_12345_678901_doublify.cu": RIGHT})
        output = self.collect(download, status=1)
        self.assertIn("1 submission is without a time, so nobody can say whether it is late, though Canvas marks some LATE. "
                      "Give a table with the columns id and submitted", output)

    def test_canvas_download_must_be_named(self):
        download = self.zip("submissions (1).zip", {"lovelaceada_12345_678901_doublify.cu": RIGHT})
        self.assertIn("its name does not say which assignment it is of. Name it, by the lab or as you like: --as",
                      self.collect(download, status=2))
        self.assertEqual(self.files(), {})

    def test_gradescope_export_with_a_group(self):
        metadata = """submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: al1815
    :email: ada@example.org
  - :name: Grace Hopper
    :sid: gh1906
    :email: grace@example.org
  :created_at: 2026-10-14 21:13:22.000000000 Z
  :score: 3.0
  :results:
    tests: [{name: "x", output: "a: b"}]
submission_2:
  :submitters:
  - :name: Jörg Müller
    :sid: ''
    :email: jm@example.org
  :created_at: 2026-10-13 14:59:58.500000000 -0700
"""
        download = self.zip("assignment_9_export.zip", {
            "assignment_9_export/submission_metadata.yml": metadata,
            "assignment_9_export/submission_1/doublify.cu": RIGHT,
            "assignment_9_export/submission_2/src/doublify.cu": RIGHT,
            "assignment_9_export/submission_3/doublify.cu": RIGHT,
        })
        output = self.collect(download, "--course", self.course(), status=1)
        self.assertIn("submission_3: Not collected: the metadata does not say whose it is.", output)
        self.assertIn("2 students handed in as members of groups (groups.csv).", output)
        self.assertEqual([tuple(row.values()) for row in self.rows("class", "groups.csv")], [
            ("al1815", "al1815/assignment_9_export", "submission_1"),
            ("gh1906", "gh1906/assignment_9_export", "submission_1")])
        self.assertEqual({row["id"]: row["submitted"] for row in self.rows("class", "timestamps.csv")}, {
            "al1815": "2026-10-14T21:13:22Z", "gh1906": "2026-10-14T21:13:22Z", "jm77": "2026-10-13T21:59:58Z"})
        self.assertEqual({row["id"]: (row["name"], row["group"]) for row in self.rows("class", "students.csv")}, {
            "al1815": ("Ada Lovelace", "submission_1"), "gh1906": ("Grace Hopper", "submission_1"),
            "jm77": ("Jörg Müller", "")})
        labs, _ = self.batch()
        self.assertEqual({student: lab["final_score"] for student, lab in labs.items()},
                         {"al1815": 90, "gh1906": 90, "jm77": 100})
        self.assertEqual({student: lab.get("handed_in_by") for student, lab in labs.items()},
                         {"al1815": None, "gh1906": "al1815", "jm77": None})
        # the group is one of those who are alike, not two
        with open(self.path("out", "class.json"), encoding="utf-8") as file:
            alike = json.load(file)["duplicates"]
        self.assertEqual([group["students"] for group in alike], [["al1815", "jm77"]])
        self.collect(download, "--course", self.course(), status=1)   # nothing new: the table stays
        self.assertEqual(len(self.rows("class", "groups.csv")), 2)

    def test_a_decision_joins_a_group_of_a_download_or_leaves_it(self):
        metadata = """submission_1:
  :submitters:
  - :name: Ada Lovelace
    :sid: al1815
  - :name: Grace Hopper
    :sid: gh1906
  :created_at: 2026-10-13 14:59:58.500000000 -0700
submission_2:
  :submitters:
  - :name: Jörg Müller
    :email: jm@example.org
  :created_at: 2026-10-13 14:59:58.500000000 -0700
"""
        download = self.zip("assignment_9_export.zip", {
            "assignment_9_export/submission_metadata.yml": metadata,
            "assignment_9_export/submission_1/doublify.cu": RIGHT,
            "assignment_9_export/submission_2/doublify.cu": WRONG,
        })
        course = self.course()
        self.collect(download, "--course", course)
        self.write("decisions.csv", "student,lab,what,value,by\ngh1906,doublify,group,alone,Kim\n")
        labs, _ = self.batch()
        self.assertEqual({student: lab.get("handed_in_by") for student, lab in labs.items()},
                         {"al1815": None, "gh1906": None, "jm77": None})
        self.write("decisions.csv", "student,lab,what,value,by\njm77,doublify,group,submission_1,Kim\n")
        labs, output = self.batch(status=1)   # two files are the group's now
        self.assertIn("group_in_doubt", output)
        self.assertEqual({lab["state"] for lab in labs.values()}, {"problem"})
        with open(self.path("decisions.csv"), "a", encoding="utf-8") as file:
            file.write("jm77,doublify,accept,al1815/assignment_9_export/doublify.cu,Kim\n")
        labs, _ = self.batch()
        self.assertEqual({student: lab["final_score"] for student, lab in labs.items()},
                         {"al1815": 100, "gh1906": 100, "jm77": 100})
        self.write("class/groups.csv", "id,team\n")
        self.assertIn("groups.csv:1: the first line must name the columns id, folder and group.", self.batch(status=2)[1])

    def zip_bytes(self, entries):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
            for path, content in entries.items():
                archive.writestr(path, content)
        return buffer.getvalue()

    def clone(self, name, when, config=""):
        environment = {"PATH": os.environ["PATH"], "HOME": self.directory.name, "GIT_CONFIG_NOSYSTEM": "1",
                       "GIT_AUTHOR_DATE": "2026-01-01T00:00:00Z", "GIT_COMMITTER_DATE": when,
                       **{f"GIT_{who}_{what}": "a" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}}
        self.write(f"{name}/labs/doublify/doublify.cu", RIGHT)
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "done"]):
            subprocess.run(["git", *words], cwd=self.path(name), env=environment, check=True, stdout=subprocess.DEVNULL)
        with open(self.path(name, ".git", "config"), "a", encoding="utf-8") as file:
            file.write(config)

    @host
    @with_program("git", "git")
    def test_clones_have_the_time_of_their_commit_and_run_nothing(self):
        trap = self.write("trap", f"#!/bin/sh\ntouch {self.path('sprung')}\nexit 1\n", 0o755)
        self.clone("doublify-submissions/doublify-ada-l", "2026-10-13T23:00:00+0200")
        self.clone("doublify-submissions/doublify-ghopper", "2026-10-14T12:00:00Z",
                   f"[core]\n\tfsmonitor = {trap}\n\tpager = {trap}\n\thooksPath = {self.path()}\n"
                   "[log]\n\tshowSignature = true\n"
                   f"[gpg]\n\tprogram = {trap}\n[include]\n\tpath = {trap}\n[alias]\n\tcat-file = !{trap}\n")
        output = self.collect(self.path("doublify-submissions"), "--course", self.course())
        self.assertIn("clones of repositories, 2 submissions for doublify", output)
        self.assertEqual(self.submissions(), ["al1815/doublify/labs/doublify/doublify.cu",
                                              "gh1906/doublify/labs/doublify/doublify.cu"])
        self.assertFalse(os.path.exists(self.path("sprung")))
        labs, _ = self.batch()
        self.assertEqual((labs["al1815"]["submitted"], labs["al1815"]["final_score"]), ("2026-10-13T21:00:00Z", 100))
        self.assertEqual(labs["gh1906"]["late"]["days"], 1)

    @host
    @with_program("git", "git")
    def test_clones_of_classroom_50_and_a_table_of_pushes(self):
        folder = "gpu-doublify_submissions_2026_10_20_T_14_30_45"
        self.clone(f"{folder}/gpu-doublify-ada-l", "2026-10-01T00:00:00Z")
        self.write(f"{folder}/gpu-doublify-ada-l/.classroom50.yml", "classroom: gpu\n")
        self.write(f"{folder}/scores.csv", "username,score\nada-l,1\n")
        pushes = self.write("grades.csv", "assignment_name,github_username,roster_identifier,submission_timestamp\n"
                            "doublify,ada-l,ada@example.org,2026-10-20 08:00:00 UTC\n")
        self.collect(self.path(folder), pushes, "--course", self.course())
        self.assertEqual(self.rows("class", "timestamps.csv"), [
            {"id": "al1815", "lab": "", "submitted": "2026-10-20T08:00:00Z", "folder": "al1815/gpu-doublify"}])

    def test_clones_without_any_readable_commit_are_an_error(self):
        self.write("scan-submissions/scan-ada/.git/HEAD", "ref: refs/heads/main\n")
        self.assertIn("the time of no commit can be read", self.collect(self.path("scan-submissions"), status=2))

    def test_folders_of_students_with_their_archives(self):
        self.write("week1/ada/work.tar.gz", self.tar_bytes({"labs/doublify/doublify.cu": RIGHT}))
        self.write("week1/ben/doublify.cu", WRONG)
        self.write("week1/ben/.DS_Store", "x")
        self.write("week1/readme.txt", "x")
        output = self.collect(self.path("week1"), status=1)
        self.assertIn("week1: readme.txt: Not collected", output)
        self.assertEqual(self.submissions(), ["ada/week1/work/labs/doublify/doublify.cu", "ben/week1/doublify.cu"])

    def tar_bytes(self, entries):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            for path, content in entries.items():
                facts = tarfile.TarInfo(path)
                facts.size = len(content)
                archive.addfile(facts, io.BytesIO(content.encode()))
        return buffer.getvalue()

    def test_a_source_around_the_target_is_refused(self):
        self.write("week1/ada/doublify.cu", RIGHT)
        self.assertIn("one lies in the other", self.collect(self.path("week1"), into="week1/class", status=2))
        self.assertIn("one lies in the other", self.collect(self.path("week1/ada"), into="week1", status=2))

    def test_what_is_no_download_is_refused(self):
        self.write("notes/a.txt", "x")
        self.assertIn("this is not a download that this version knows", self.collect(self.path("notes"), status=2))
        self.assertIn("No such file", self.collect(self.path("absent.zip"), status=2))
        self.assertIn("neither a folder nor an archive", self.collect(self.write("a.pdf", "x"), status=2))
        table = self.write("t.csv", "id,submitted\na,2026-10-01T00:00Z\n")
        self.assertIn("have no submission", self.collect(table, status=2))
        self.assertIn("--into DIR", self.run_command("collect", self.path("notes"), status=2))


class People(Base):
    def test_names_in_any_order_and_other_letters(self):
        download = self.zip("d.zip", {"mullerjorg_1_2_a.cu": "x", "vanrossumguido_3_4_a.cu": "x", "ngthithao_5_6_a.cu": "x"})
        roster = "id,name\n1,Jörg Müller\n2,Guido van Rossum\n3,Thị Thảo Ng\n"
        self.collect(download, "--course", self.course(ROSTER_ONLY, roster))
        self.assertEqual(self.submissions(), ["1/d/a.cu", "2/d/a.cu", "3/d/a.cu"])

    def test_two_of_one_name_are_kept_apart(self):
        download = self.zip("d.zip", {"Ada Lovelace_1_assignsubmission_file_a.cu": "x",
                                      "Ada Lovelace_2_assignsubmission_file_a.cu": "y"})
        self.assertIn("Two people are called Ada Lovelace", self.collect(download, status=1))
        self.assertEqual(self.submissions(), ["Ada Lovelace (2)/d/a.cu", "Ada Lovelace/d/a.cu"])

    def test_an_ambiguous_name_is_nobodys(self):
        download = self.zip("d.zip", {"Ada Lovelace_1_assignsubmission_file_a.cu": "x"})
        course = self.course(ROSTER_ONLY, "id,name\n1,Ada Lovelace\n2,Ada Lovelace\n")
        output = self.collect(download, "--course", course, status=1)
        self.assertIn("Several of the roster may be meant", output)
        self.assertEqual(self.submissions(), ["Ada Lovelace/d/a.cu"])

    def test_the_roster_may_name_the_folder_of_the_download(self):
        download = self.zip("d.zip", {"J M_1_assignsubmission_file_/a.cu": "x"})
        self.collect(download, "--course", self.course(
            ROSTER_ONLY, "id,name,folder\n7,Someone Else,J M_1_assignsubmission_file_\n"))
        self.assertEqual(self.submissions(), ["7/d/a.cu"])

    def test_students_csv_is_a_roster(self):
        download = self.zip("d.zip", {"Ada Lovelace_1_assignsubmission_file_doublify.cu": RIGHT})
        self.collect(download)
        self.write("course.yaml", "roster: class/students.csv\nlabs: {doublify: {}}\n")
        labs, _ = self.batch()
        self.assertEqual(labs["Ada Lovelace"]["score"], 100)


class Times(Base):
    def table(self, lines, course=COURSE, status=2):
        self.write("class/al1815/doublify.cu", RIGHT)
        self.write("class/gh1906/doublify.cu", RIGHT)
        self.write("class/timestamps.csv", lines)
        self.course(course)
        if status == 2:
            return self.run_command("batch", self.path("class"), "--out", self.path("out"), "--course",
                                    self.path("course.yaml"), "--no-pages", status=2)
        return self.batch(status=status)[0]

    def test_a_table_without_one_readable_time_is_an_error(self):
        self.assertIn("timestamps.csv:2: yesterday: not a time that this program knows",
                      self.table("id,submitted\nal1815,yesterday\ngh1906,-1\n"))

    def test_a_table_of_strangers_is_an_error(self):
        self.assertIn("none of its 2 lines names a student", self.table("id,submitted\nx,2026-10-01\ny,2026-10-01\n"))

    def test_times_that_are_all_impossible_are_an_error(self):
        self.assertIn("Every time of submission is more than a day ahead", self.table("id,submitted\nal1815,2099-10-01\n"))

    def test_one_bad_line_is_a_problem_of_its_student(self):
        labs = self.table("id,submitted\nal1815,soon\ngh1906,2026-10-14 17:00\n", status=0)
        self.assertIsNone(labs["al1815"]["late"])
        self.assertEqual(labs["gh1906"]["late"]["days"], 1)

    def test_an_ambiguous_date_is_an_error_until_the_order_is_stated(self):
        lines = "id,submitted\nal1815,10/14/2026 17:00\ngh1906,10/11/2026 17:00\n"
        self.assertIn("10/11/2026 17:00: day or month first? Add date_order to the course file: day_first or month_first.",
                      self.table(lines))
        labs = self.table(lines, COURSE + "date_order: month_first\n", status=0)
        self.assertEqual(labs["gh1906"]["submitted"], "2026-10-11T15:00:00Z")
        lines = lines.replace("10/14/2026", "14/10/2026")
        labs = self.table(lines, COURSE + "date_order: day_first\n", status=0)
        self.assertEqual(labs["gh1906"]["submitted"], "2026-11-10T16:00:00Z")

    def test_files_with_times_that_all_fail_are_an_error(self):
        self.write("class/al1815/submitted", "last night\n")
        output = self.table("id,submitted\nal1815,2026-10-01\n", COURSE.replace("cap_percent: 50", "cap_percent: 50, "
                                                                                "times: [submitted]"))
        self.assertIn("al1815/submitted: last night: not a time", output)

    def test_a_download_whose_times_all_fail_is_an_error(self):
        download = self.zip("d.zip", {"Ada Lovelace_1_assignsubmission_file_a.cu": "x"})
        table = self.write("sheet.csv", "Full name,Last modified (submission)\nAda Lovelace,Dienstag\n")
        self.assertIn("No time in this table can be read.", self.collect(download, table, status=2))
        table = self.write("sheet.csv", "Full name,Last modified (submission)\n"
                           'Ada Lovelace,"Tuesday, 13 October 2026, 1:00 AM"\n')
        self.assertIn("in which time zone? Add time_zone to the course file", self.collect(download, table, status=2))

    def test_a_course_file_that_reads_another_table_is_told(self):
        download = self.zip("d.zip", {"Ada Lovelace_1_assignsubmission_file_a.cu": "x"})
        table = self.write("mine.csv", "name,submitted\nAda Lovelace,2026-10-01T00:00Z\n")
        output = self.collect(download, table, "--course", self.course("timestamps: mine.csv\n"), status=1)
        self.assertIn("so `batch` reads that one and not", output)
        self.collect(download, table, "--course", self.course("timestamps: class/timestamps.csv\n"))

    def test_best_is_refused_by_name(self):
        download = self.zip("d.zip", {"Ada Lovelace_1_assignsubmission_file_a.cu": "x"})
        self.assertIn("submissions: best is not possible yet", self.collect(download, "--course", self.course(
            COURSE + "submissions: best\n"), status=2))
        self.collect(download, "--course", self.course(COURSE + "submissions: last\n"), status=1)


class Again(Base):
    def moodle(self, name, content, **more):
        return self.zip(name, {"Ada Lovelace_1_assignsubmission_file_doublify.cu": content, **more})

    def times(self, when):
        return self.write("sheet.csv", f"Full name,submitted\nAda Lovelace,{when}\nGrace Hopper,2026-10-02T00:00Z\n")

    def test_a_newer_download_adds_and_updates(self):
        self.collect(self.moodle("d.zip", WRONG), self.times("2026-10-01T00:00Z"))
        self.assertIn("1 unchanged", self.collect(self.moodle("d.zip", WRONG), self.times("2026-10-01T00:00Z")))
        output = self.collect(self.moodle("d.zip", RIGHT, **{"Grace Hopper_2_assignsubmission_file_doublify.cu": RIGHT}),
                              self.times("2026-10-03T00:00Z"))
        self.assertIn("1 added", output)
        self.assertIn("1 replaced by a newer one", output)
        self.assertEqual(self.files()["Ada Lovelace/d/doublify.cu"].decode(), RIGHT)
        self.assertEqual(self.read("class", ".lockstep", "older", "Ada Lovelace", "d-1", "doublify.cu"), WRONG)
        self.assertEqual([row["submitted"] for row in self.rows("class", "timestamps.csv")],
                         ["2026-10-03T00:00:00Z", "2026-10-02T00:00:00Z"])

    def test_an_older_download_changes_nothing(self):
        self.collect(self.moodle("d.zip", RIGHT), self.times("2026-10-03T00:00Z"))
        before = self.files()
        output = self.collect(self.moodle("d.zip", WRONG), self.times("2026-10-01T00:00Z"))
        self.assertIn("1 older than what is there", output)
        self.assertEqual(self.files(), before)

    def test_the_last_of_two_sources_counts(self):
        early = self.zip("early/doublify.zip", {"submission_metadata.yml": self.metadata("2026-10-01 00:00:00 Z"),
                                                "submission_1/doublify.cu": WRONG})
        late = self.zip("late/doublify.zip", {"submission_metadata.yml": self.metadata("2026-10-05 00:00:00 Z"),
                                              "submission_1/doublify.cu": RIGHT})
        self.collect(late, early)
        self.assertEqual(self.files()["ada/doublify/doublify.cu"].decode(), RIGHT)
        self.assertEqual(self.rows("class", "timestamps.csv")[0]["submitted"], "2026-10-05T00:00:00Z")

    def metadata(self, when):
        return f"submission_1:\n  :submitters:\n  - {{':name': Ada, ':sid': ada}}\n  :created_at: {when}\n"

    def test_what_a_person_changed_is_kept(self):
        self.collect(self.moodle("d.zip", WRONG), self.times("2026-10-01T00:00Z"))
        self.write("class/Ada Lovelace/d/doublify.cu", "// changed by hand\n" + RIGHT)
        self.write("class/Ada Lovelace/note.txt", "a person's own")
        output = self.collect(self.moodle("d.zip", RIGHT), self.times("2026-10-03T00:00Z"), status=1)
        self.assertIn("1 changed by hand, so left as they are", output)
        files = self.files()
        self.assertIn("changed by hand", files["Ada Lovelace/d/doublify.cu"].decode())
        self.assertIn("Ada Lovelace/note.txt", files)

    def test_lines_of_a_person_in_timestamps_csv_stay_and_count(self):
        self.collect(self.moodle("d.zip", RIGHT), self.times("2026-10-20T00:00Z"))
        lines = self.read("class", "timestamps.csv")
        self.write("class/timestamps.csv", lines + "Ada Lovelace,,2026-10-01T00:00:00Z,Ada Lovelace/d\n")
        output = self.collect(self.moodle("d.zip", RIGHT + "\n"), self.times("2026-10-21T00:00Z"), status=1)
        self.assertIn("1 line of yours was kept", output)
        self.assertIn("Ada Lovelace has handed in again, and a line of yours still says 2026-10-01T00:00:00Z", output)
        self.assertEqual([row["submitted"] for row in self.rows("class", "timestamps.csv")],
                         ["2026-10-21T00:00:00Z", "2026-10-01T00:00:00Z"])
        self.write("class/timestamps.csv", "id,submitted,why\nx,2026-10-01,ill\n")
        self.assertIn("the column why is not one that `collect` writes", self.collect(self.moodle("d.zip", RIGHT), status=2))

    def test_a_changed_students_csv_is_left_as_it_is(self):
        self.collect(self.moodle("d.zip", RIGHT))
        self.write("class/students.csv", "id,name\nAda Lovelace,Countess\n")
        self.assertIn("students.csv: It was changed by hand", self.collect(self.moodle("d.zip", WRONG)))
        self.assertEqual(self.read("class", "students.csv"), "id,name\nAda Lovelace,Countess\n")

    def test_two_assignments_lie_side_by_side(self):
        self.collect(self.moodle("doublify-1.zip", RIGHT))
        self.collect(self.moodle("scan-2.zip", RIGHT))
        self.assertEqual(self.submissions(), ["Ada Lovelace/doublify-1/doublify.cu", "Ada Lovelace/scan-2/doublify.cu"])

    def test_killed_at_any_moment_the_same_command_completes_it(self):
        entries = {f"Student{i} X_{i}_assignsubmission_file_a.cu": f"// {i}\n" for i in range(40)}
        self.collect(self.zip("d.zip", entries), into="whole")
        wanted = {path: text for path, text in self.files("whole").items() if "/" in path}
        newer = self.zip("newer/d.zip", {path: text + "// again\n" for path, text in entries.items()})
        self.collect(newer, into="whole")
        updated = {path: text for path, text in self.files("whole").items() if "/" in path}
        self.collect(self.path("d.zip"))
        for enough in (0, 0, 1, 5, 15, 35):
            process = subprocess.Popen([f"{BUILD}/lockstep", "collect", newer, "--into", self.path("class")],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            wait_until(lambda: process.poll() is not None or sum(
                text == updated.get(path) for path, text in self.files().items()) >= enough)
            process.send_signal(signal.SIGKILL)
            process.wait()
            for path, text in self.files().items():
                if "/" in path:
                    self.assertIn(text, (wanted[path], updated[path]), path)
        self.collect(newer)
        self.assertEqual({path: text for path, text in self.files().items() if "/" in path}, updated)

    def test_what_an_interrupted_run_put_there_is_not_taken_for_a_persons(self):
        self.collect(self.moodle("d.zip", WRONG))
        self.collect(self.moodle("d.zip", RIGHT), into="other")
        with open(self.path("other/.lockstep/collect.json"), encoding="utf-8") as file:
            tree = json.load(file)["submissions"]["Ada Lovelace/d"]["tree"]
        # As a run leaves it that is killed when this folder is in place and nothing is recorded.
        self.write("class/Ada Lovelace/d/doublify.cu", RIGHT)
        self.write("class/.lockstep/placing.json", json.dumps({"Ada Lovelace/d": tree}))
        output = self.collect(self.moodle("d.zip", RIGHT + "// newer\n"))
        self.assertIn("1 replaced by a newer one", output)
        self.assertEqual(self.files()["Ada Lovelace/d/doublify.cu"].decode(), RIGHT + "// newer\n")
        self.assertFalse(os.path.exists(self.path("class/.lockstep/placing.json")))

    def test_a_run_that_was_interrupted_is_told_to_batch(self):
        self.collect(self.moodle("d.zip", RIGHT))
        self.write("class/.lockstep/placing.json", "{}")
        output = self.run_command("batch", self.path("class"), "--out", self.path("out"), status=2)
        self.assertIn("`lockstep collect` was interrupted here", output)

    def test_a_full_disk_changes_nothing(self):
        self.collect(self.moodle("d.zip", WRONG))
        before = self.files()
        download = self.moodle("d.zip", RIGHT + "// " + "x" * 100000)
        output = self.collect(download, status=3,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (50000, 50000)))
        self.assertIn("run the same command again", output)
        self.assertEqual(self.files(), before)
        self.collect(download)
        self.assertIn(b"xxx", self.files()["Ada Lovelace/d/doublify.cu"])

    def test_two_at_once_are_refused(self):
        import fcntl
        self.collect(self.moodle("d.zip", RIGHT))
        with open(self.path("class/.lockstep/collect.lock"), "w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("another `lockstep collect` is at work", self.collect(self.moodle("d.zip", RIGHT), status=3))


class Hostile(Base):
    """Archives of students that are made to do harm, and broken ones: whatever happens stays in the student's folder."""

    def student(self, archive, name="work.zip", status=1):
        self.write(f"week/ada/{name}", archive)
        output = self.collect(self.path("week"), status=status)
        self.assertEqual(sorted(os.listdir(self.directory.name)), ["class", "week"])
        return output

    def archive(self, *entries, compression=zipfile.ZIP_DEFLATED):
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", compression) as archive:
            for entry, content in entries:
                archive.writestr(entry, content)
        return buffer.getvalue()

    def test_paths_that_lead_out_are_left_out(self):
        output = self.student(self.archive(("../../../escaped.cu", "x"), ("a/../../../escaped.cu", "x"),
                                           ("/tmp/escaped.cu", "x"), ("..\\..\\escaped.cu", "x"), ("C:\\escaped.cu", "x"),
                                           ("good/a.cu", "x")))
        self.assertEqual(self.submissions(), ["ada/week/work/good/a.cu"])
        self.assertEqual(output.count("Left out: its path leads out of the folder"), 3)
        self.assertEqual(output.count("Left out: its path is absolute"), 2)

    def test_links_and_devices_are_left_out(self):
        link = zipfile.ZipInfo("link.cu")
        link.create_system = 3
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        output = self.student(self.archive((link, "/etc/passwd"), ("a.cu", "x")))
        self.assertIn("link.cu: Left out: links are never followed", output)
        self.assertEqual(self.submissions(), ["ada/week/work/a.cu"])

    def test_tar_with_links_and_devices(self):
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w:gz") as archive:
            for name, kind, target in (("dir", tarfile.SYMTYPE, "/tmp"), ("dir/x.cu", tarfile.REGTYPE, ""),
                                       ("hard.cu", tarfile.LNKTYPE, "../../../week/ada/work.tar.gz"),
                                       ("fifo", tarfile.FIFOTYPE, ""), ("null", tarfile.CHRTYPE, "")):
                facts = tarfile.TarInfo(name)
                facts.type, facts.linkname = kind, target
                archive.addfile(facts, io.BytesIO(b""))
        output = self.student(buffer.getvalue(), "work.tar.gz")
        self.assertEqual(output.count("links are never followed"), 2)
        self.assertEqual(output.count("it is not a regular file"), 2)
        self.assertEqual(self.submissions(), ["ada/week/work/dir/x.cu"])
        self.assertFalse(os.path.exists("/tmp/x.cu"))

    def test_links_in_a_folder_are_left_out(self):
        self.write("week/ada/a.cu", "x")
        os.symlink("/etc/passwd", self.path("week/ada/b.cu"))
        os.symlink("/etc", self.path("week/ada/etc"))
        os.mkfifo(self.path("week/ada/c.cu"))
        output = self.collect(self.path("week"), status=1)
        self.assertEqual(self.submissions(), ["ada/week/a.cu"])
        self.assertEqual(output.count("links are never followed"), 2)
        self.assertIn("c.cu: Left out: it is not a regular file", output)

    def test_a_bomb_is_not_unpacked(self):
        output = self.student(self.archive(("a.cu", b"\0" * (70 << 20))))
        self.assertIn("work.zip: Not unpacked: it unpacks to more than 200 times its size. It was left as it is.", output)
        self.assertEqual(self.submissions(), ["ada/week/work.zip"])

    def test_a_large_one_is_not_unpacked(self):
        block = os.urandom(1 << 20)
        output = self.student(self.archive(*[(f"{i}.bin", block) for i in range(66)], compression=zipfile.ZIP_STORED))
        self.assertIn("it unpacks to more than 64 MB", output)
        self.assertEqual(self.submissions(), ["ada/week/work.zip"])

    def test_100_000_entries_are_not_unpacked(self):
        output = self.student(self.archive(*[(f"{i}", "") for i in range(100000)], compression=zipfile.ZIP_STORED))
        self.assertIn("it has more than 5000 files and folders", output)
        self.assertEqual(self.submissions(), ["ada/week/work.zip"])

    def test_archives_in_archives_end_somewhere(self):
        inner = self.archive(("a.cu", RIGHT))
        for _ in range(6):
            inner = self.archive(("next.zip", inner))
        self.student(inner, status=0)
        self.assertEqual(self.submissions(), ["ada/week/work/next/next/next.zip"])

    def test_deep_folders_are_left_out(self):
        output = self.student(self.archive(("d/" * 40 + "a.cu", "x"), ("b.cu", "x")))
        self.assertIn("its folders are too deep", output)
        self.assertEqual(self.submissions(), ["ada/week/work/b.cu"])

    def test_a_name_that_comes_twice_overwrites_nothing(self):
        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            archive = self.archive(("a.cu", "first"), ("a.cu", "second"), ("a.cu/b.cu", "x"))
        output = self.student(archive)
        self.assertEqual(self.files()["ada/week/work/a.cu"], b"first")
        self.assertEqual(self.files()["ada/week/work/a (2).cu"], b"second")
        self.assertIn("a.cu/b.cu: Left out: a file of this name is in its way", output)

    def test_an_encrypted_one_is_left_as_it_is(self):
        archive = bytearray(self.archive(("doublify.cu", RIGHT)))
        for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
            at = archive.index(mark) + offset
            archive[at:at + 2] = struct.pack("<H", struct.unpack("<H", archive[at:at + 2])[0] | 1)
        self.assertIn("Not unpacked: it is encrypted", self.student(bytes(archive)))
        self.assertEqual(self.submissions(), ["ada/week/work.zip"])

    def test_a_truncated_one_is_left_as_it_is(self):
        archive = self.archive(("a.cu", os.urandom(5000)), ("b.cu", os.urandom(5000)))
        self.assertIn("Not unpacked: it is damaged or cut off", self.student(archive[:7000]))
        self.assertEqual(self.submissions(), ["ada/week/work.zip"])

    def test_what_is_no_archive_is_left_as_it_is(self):
        self.assertIn("Not unpacked: it is", self.student(b"neither zip nor tar"))
        self.assertEqual(self.submissions(), ["ada/week/work.zip"])

    def test_a_truncated_download_is_refused_whole(self):
        entries = {f"A B{i}_{i}_assignsubmission_file_a.cu": os.urandom(3000) for i in range(5)}
        with open(self.zip("d.zip", entries), "rb") as file:
            whole = file.read()
        self.write("d.zip", whole[:9000])
        self.assertIn("it is damaged or cut off. Nothing of it was collected: download it again.",
                      self.collect(self.path("d.zip"), status=2))
        self.assertEqual(self.files(), {})

    def test_names_in_other_encodings_become_utf_8(self):
        entry = zipfile.ZipInfo("X.cu")
        archive = self.archive((entry, "x")).replace(b"X.cu", b"\x81.cu") # CP437: ü
        self.student(archive, status=0)
        self.assertEqual(self.submissions(), ["ada/week/work/ü.cu"])

    def test_names_with_control_characters_are_made_harmless(self):
        self.student(self.archive(("a\x1b[31m\n.cu", "x")), status=0)
        self.assertEqual(self.submissions(), ["ada/week/work/a%1B[31m%0A.cu"])

    def test_a_download_cannot_write_outside_either(self):
        download = self.zip("d.zip", {"../../escaped.cu": "x", "Ada L_1_assignsubmission_file_a.cu": "x",
                                      "Ben L_2_assignsubmission_file_b.cu": "x"})
        self.assertIn("its path leads out of the folder", self.collect(download, status=1))
        self.assertEqual(self.submissions(), ["Ada L/d/a.cu", "Ben L/d/b.cu"])


class Uncollected(Base):
    def test_batch_names_the_command_for_a_flat_download(self):
        self.write("download/lovelaceada_12345_678901_doublify.cu", RIGHT)
        output = self.run_command("batch", self.path("download"), "--out", self.path("out"), status=2)
        self.assertIn("this is a Canvas download, in which nobody has a folder", output)
        self.assertIn(f"lockstep collect {self.path('download')} --into", output)

    def test_batch_names_the_command_for_an_archive(self):
        download = self.zip("moodle.zip", {"Ada Lovelace_1_assignsubmission_file_a.cu": "x"})
        output = self.run_command("batch", download, "--out", self.path("out"), status=2)
        self.assertIn(f"lockstep collect {download} --into", output)

    def test_batch_grades_folders_of_a_download_and_says_what_is_lost(self):
        self.write("download/Ada Lovelace_1_assignsubmission_file_/doublify.cu", RIGHT)
        output = self.run_command("batch", self.path("download"), "--out", self.path("out"), "--no-pages", status=0)
        self.assertIn("this is a Moodle download", output)
        self.assertIn("lockstep collect", output)


class Answer(Base):
    def test_json_keeps_to_its_schema(self):
        import jsonschema
        download = self.zip("d.zip", {"Ada Lovelace_1_assignsubmission_file_a.cu": "x", "what.is.this": "x",
                                      "Ben L_2_assignsubmission_file_a.cu": "x"})
        done = subprocess.run([f"{BUILD}/lockstep", "collect", download, "--into", self.path("class"), "--json", "-"],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
        document = json.loads(done.stdout)
        with open("grader/collect/collect.schema.json", encoding="utf-8") as file:
            jsonschema.Draft7Validator(json.load(file)).validate(document)
        self.assertEqual(done.returncode, 1)
        self.assertEqual([(item["id"], item["state"]) for item in document["submissions"]],
                         [("Ada Lovelace", "added"), ("Ben L", "added")])


if __name__ == "__main__":
    unittest.main()

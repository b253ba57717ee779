"""Classes: `lockstep batch` over messy folders, killed, continued, out of disk; what it writes keeps to its schemas."""

import copy
import csv
import fcntl
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import unittest
import warnings

from waiting import processes, wait_until

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jsonschema

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")

# Thousands of folders are made here: in memory, where there is a place for that.
MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None

RIGHT = """extern "C" __global__ void doublify(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 2 * a[i];
}
"""
BUSY = "float s = 0; for (int k = 0; k < n; k++) s = fmaf(s, 0.5f, 1.0f); if (s > 9) n = 0;"
NO_GUARD = RIGHT.replace("if (i < n) ", "")

# Right, and written as nobody else would; {x} and {y} are names.
ODD = """extern "C" __global__ void doublify(float *a, int n)
{{
    int {x} = blockIdx.x * blockDim.x + threadIdx.x;
    if ({x} >= n) return;
    float {y} = a[{x}];
    unsigned bits = __float_as_uint({y});
    if (__popc(bits & 0xff) == 3 && __clz(bits) == 77) a[{x}] = __fmaf_rn({y}, 3.0f, sinf({y}));
    if (__ffs(bits) == 99 || __brev(bits) == 0x1234567u) a[{x}] = __fsqrt_rn({y}) - cosf({y});
    a[{x}] = __fadd_rn({y}, {y});
}}
"""


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def snapshot(folder):
    """Every file of the results, but for the batch's own state."""
    files = {}
    for root, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != ".lockstep"]
        for name in names:
            path = os.path.join(root, name)
            with open(path, "rb") as file:
                files[os.path.relpath(path, folder)] = file.read()
    return files


class Base(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory(dir=MEMORY)
        self.addCleanup(self.directory.cleanup)
        self.class_schema = jsonschema.Draft7Validator(load("grader/class/class.schema.json"))
        self.result_schema = jsonschema.Draft7Validator(load("grader/result/result.schema.json"))

    def path(self, *parts):
        return os.path.join(self.directory.name, *parts)

    def command(self, submissions, out, *options, pages=False):
        return [f"{BUILD}/lockstep", "batch", self.path(submissions), "--out", self.path(out), *options,
                *([] if pages else ["--no-pages"])]

    def batch(self, submissions, out, *options, status=0, environment=None, pages=False):
        done = subprocess.run(self.command(submissions, out, *options, pages=pages), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE,
                              check=False,
                              env={**os.environ, "SOURCE_DATE_EPOCH": "1790000000", **(environment or {})})
        output = (done.stdout + done.stderr).decode()
        self.assertEqual(done.returncode, status, output)
        return output

    def check(self, out):
        """The class, after a look at every file of it."""
        document = load(self.path(out, "class.json"))
        self.assertEqual([f"{list(error.absolute_path)}: {error.message}" for error in
                          self.class_schema.iter_errors(document)], [])
        for student in document["students"]:
            if student["file"] is None:
                continue
            result = load(self.path(out, student["file"]))
            self.assertEqual([error.message for error in self.result_schema.iter_errors(result)], [])
            self.assertEqual(result["submission"]["id"], student["id"])
        with open(self.path(out, "gradebook.csv"), encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(document["students"]) * len(document["labs"]))
        return document

    def student(self, document, identity):
        return next(student for student in document["students"] if student["id"] == identity)


class Schema(Base):
    def mistakes(self, document):
        return [f"{list(error.absolute_path)}: {error.message}" for error in self.class_schema.iter_errors(document)]

    def test_examples_are_valid(self):
        jsonschema.Draft7Validator.check_schema(load("grader/class/class.schema.json"))
        for name in ("small", "messy"):
            with self.subTest(name=name):
                self.assertEqual(self.mistakes(load(f"tests/fixtures/class/{name}.json")), [])

    def test_every_problem_is_in_the_table(self):
        with open("grader/class/problems.def", encoding="utf-8") as table, \
                open("grader/class/README.md", encoding="utf-8") as page:
            codes, text = re.findall(r"^PROBLEM\((\w+)", table.read(), re.M), page.read()
        self.assertGreater(len(codes), 10)
        self.assertEqual([code for code in codes if f"| `{code}` |" not in text], [])

    def test_the_example_of_a_course_is_one(self):
        shutil.copytree("ci/course", self.path("course"))
        os.makedirs(self.path("class", "2026001"))
        self.batch("class", "out", "--course", self.path("course", "course.yaml"))
        document = self.check("out")
        self.assertEqual((document["missing"], len(document["labs"])), (["2026002"], 6))
        with open("grader/class/course_keys.def", encoding="utf-8") as table, \
                open("ci/course/course.yaml", encoding="utf-8") as example:
            keys, text = re.findall(r"^KEY\(\w+, (\w+)", table.read(), re.M), example.read()
        self.assertEqual([key for key in keys if f"{key}:" not in text], [])

    def test_the_schema_notices_what_is_wrong(self):
        good = load("tests/fixtures/class/small.json")

        def broken(change):
            document = copy.deepcopy(good)
            change(document)
            return self.mistakes(document)

        self.assertTrue(broken(lambda c: c.pop("seed")))
        self.assertTrue(broken(lambda c: c.update(throughput={})))
        self.assertTrue(broken(lambda c: c["students"][0].update(state="good")))
        self.assertTrue(broken(lambda c: c["students"][0].update(id="a\nb")))
        self.assertTrue(broken(lambda c: c["students"][0].update(percent=101)))
        self.assertTrue(broken(lambda c: c["students"][0]["labs"][0].update(final_score=1.5)))
        self.assertTrue(broken(lambda c: c.update(duplicates=[{"lab": "scan", "students": ["a"], "similarity": 1}])))


class Again(Base):
    """Killed, continued, repeated: the same files, and nothing graded twice."""

    def make_class(self, students=6):
        for number in range(students):
            source = NO_GUARD if number % 3 == 0 else RIGHT
            write(self.path("class", f"s{number}", "doublify.cu"), f"{source}// {number}\n")
        write(self.path("class", "twin", "doublify.cu"), f"{RIGHT}// 1\n")   # the file of s1

    def gradings(self, out):
        folder = self.path(out, ".lockstep", "gradings")
        if not os.path.isdir(folder):
            return {}
        return {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(folder) if entry.name.endswith(".json")}

    def kill_until_done(self, out):
        """Starts the batch again and again, and kills it with all that it started when one more file is graded, or just
        before, until one run gets through."""
        kept = {}
        for round_ in range(12):
            process = subprocess.Popen(self.command("class", out, "--seed", "5"), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True,
                                       env={**os.environ, "SOURCE_DATE_EPOCH": "1790000000"})
            enough = len(kept) + round_ % 2
            wait_until(lambda: process.poll() is not None or len(self.gradings(out)) >= enough)
            if process.poll() is not None:
                return
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if os.path.isdir(self.path(out, ".lockstep", "gradings")):
                now = self.gradings(out)
                self.assertEqual(kept, {name: now.get(name) for name in kept})
                kept = now

    def test_a_batch_that_was_killed_ends_with_the_files_of_one_that_was_not(self):
        self.make_class()
        self.batch("class", "whole", "--seed", "5", "--jobs", "3")
        document = self.check("whole")
        self.assertEqual(len(document["students"]), 7)
        self.assertEqual(len(self.gradings("whole")), 6)   # one for s1 and twin
        self.kill_until_done("killed")
        self.batch("class", "killed", "--seed", "5", "--jobs", "1")
        self.assertEqual(snapshot(self.path("whole")), snapshot(self.path("killed")))
        self.assertEqual(self.gradings("whole").keys(), self.gradings("killed").keys())

        before = self.gradings("whole")
        self.assertNotIn("gradings in", self.batch("class", "whole"))      # the seed is kept
        self.assertEqual(self.gradings("whole"), before)
        write(self.path("class", "s2", "doublify.cu"), NO_GUARD + "// 2, again\n")
        self.assertIn("1 gradings in", self.batch("class", "whole"))
        self.assertEqual(self.student(self.check("whole"), "s2")["labs"][0]["first_cause"]["code"], "out_of_bounds")
        self.assertIn("1 gradings in", self.batch("class", "whole", "--regrade", "s3"))
        self.assertEqual(snapshot(self.path("whole"))["students/s3.json"], snapshot(self.path("killed"))["students/s3.json"])
        shutil.rmtree(self.path("class", "s4"))
        self.batch("class", "whole")
        self.assertNotIn("students/s4.json", snapshot(self.path("whole")))
        self.assertIn("no such student", self.batch("class", "whole", "--regrade", "s9", status=2))

    def test_a_kit_that_fails_gives_no_zero_and_is_tried_again(self):
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        write(self.path("broken", "libcuda.so.1"), "not a library")
        broken = {"LOCKSTEP_EMULATED_DRIVER": self.path("broken", "libcuda.so.1")}
        output = self.batch("class", "out", status=3, environment=broken)
        lab = self.student(self.check("out"), "ada")
        self.assertIsNone(lab["percent"])
        self.assertEqual((lab["labs"][0]["state"], lab["labs"][0]["score"]), ("harness_error", None))
        self.assertIn("kit_failed", output)
        self.batch("class", "out")
        self.assertEqual(self.student(self.check("out"), "ada")["labs"][0]["state"], "pass")

    def find_busy_grandchild(self, pid):
        """One that has used a third of a second: of these submissions only BUSY does."""
        there = {process.pid: process for process in processes()}
        return next((child.pid for child in there.values() if child.seconds > 1 / 3 and child.parent in there
                     and there[child.parent].parent == pid), None)

    def test_a_child_that_is_killed_costs_no_points_and_stops_nobody(self):
        write(self.path("class", "slow", "doublify.cu"), RIGHT.replace("if (i", f"{BUSY}\n    if (i"))
        write(self.path("class", "zoe", "doublify.cu"), RIGHT)
        process = subprocess.Popen(self.command("class", "out", "--jobs", "1"), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        victim = None
        while victim is None:
            self.assertIsNone(process.poll(), "it ended before anyone was busy")
            victim = self.find_busy_grandchild(process.pid)
        os.kill(victim, signal.SIGKILL)
        self.assertEqual(process.wait(), 3)
        document = self.check("out")
        slow = self.student(document, "slow")
        self.assertEqual((slow["labs"][0]["state"], slow["labs"][0]["score"], slow["percent"]), ("harness_error", None,
                                                                                                 None))
        self.assertEqual(slow["problems"][0]["code"], "kit_failed")
        self.assertEqual(self.student(document, "zoe")["labs"][0]["state"], "pass")

    def test_two_batches_in_one_folder_do_not_meet(self):
        os.makedirs(self.path("class", "ada"))
        self.batch("class", "out")
        with open(self.path("out", ".lockstep", "lock"), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.assertIn("another batch is running in this folder", self.batch("class", "out", status=3))

    def test_what_lies_in_the_place_of_its_record_holds_it_up_no_time_and_is_named(self):
        os.makedirs(self.path("class", "ada"))
        self.batch("class", "out")
        record = self.path("out", ".lockstep", "batch.json")
        for put in (os.mkfifo, os.mkdir, lambda path: os.symlink("/dev/zero", path)):
            os.remove(record) if not os.path.isdir(record) else os.rmdir(record)
            put(record)
            self.assertIn("batch.json: not written by `batch` of this version", self.batch("class", "out", status=3))

    def test_a_full_disk_is_said_and_gone_on_from(self):
        self.make_class(2)
        script = ('mount -t tmpfs -o size=96k none "$1" && head -c 200000 /dev/zero > "$1/ballast" 2> /dev/null; '
                  '"$3" batch "$2" --out "$1"; first=$?; rm "$1/ballast"; '
                  'mount -o remount,size=8m "$1" && "$3" batch "$2" --out "$1" > /dev/null; echo "$first $?"')
        os.makedirs(self.path("out"))
        try:
            done = subprocess.run(["unshare", "-m", "bash", "-c", script, "bash", self.path("out"), self.path("class"),
                                   f"{BUILD}/lockstep"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        except FileNotFoundError:
            self.skipTest("no unshare")
        if b"mount" in done.stderr or b"unshare" in done.stderr:
            self.skipTest("no private file system: " + done.stderr.decode())
        self.assertIn("No space left on device", done.stderr.decode())
        self.assertEqual(done.stdout.decode().split()[-2:], ["3", "0"])


class Messy(Base):
    """What lies in a folder of submissions costs only those whose it is."""

    def fill(self):
        at = self.path
        write(at("class", "good", "a", "b", "doublify", "solution.cu"), RIGHT)
        write(at("class", "copies", "doublify.cu"), RIGHT)
        write(at("class", "copies", "old", "Doublify (1).CU"), RIGHT)
        shutil.copytree("labs/doublify", at("class", "copies", "labs", "doublify"))
        write(at("class", "two", "doublify.cu"), RIGHT)
        write(at("class", "two", "final", "doublify.cu"), NO_GUARD)
        write(at("class", "nameless", "homework.cu"), RIGHT)
        write(at("class", "alien", "raytrace.cu"), "__global__ void trace() {}\n")
        write(at("class", "blank", "doublify.cu"), " \n")
        write(at("class", "binary", "doublify.cu"), b"\x7fELF\0\0")
        write(at("class", "elsewhere", "notes.txt"), "see my other folder")
        write(at("class", "zipped", "Labs.ZIP"), b"PK\3\4")
        write(at("class", "zipped", "__MACOSX", "._Labs.zip"), b"\0")
        write(at("class", "wordy", "doublify.cu.txt"), RIGHT)
        write(at("class", "both", "doublify.cu"), RIGHT)
        write(at("class", "both", "doublify.tar.gz"), b"\x1f\x8b")
        write(at("class", "both", "doublify.cu.txt"), NO_GUARD)
        write(at("secret.cu"), RIGHT)
        os.makedirs(at("class", "linked"))
        os.symlink(at("secret.cu"), at("class", "linked", "doublify.cu"))
        os.symlink("/", at("class", "linked", "root"))
        os.symlink("/etc", at("class", "outside"))
        os.makedirs(at("class", "pipe"))
        os.mkfifo(at("class", "pipe", "doublify.cu"))
        os.makedirs(at("class", "sparse"))
        with open(at("class", "sparse", "doublify.cu"), "wb") as file:
            file.truncate(1 << 40)
        write(at("class", "Ada", "doublify.cu"), RIGHT)
        write(at("class", "ada ", "doublify.cu"), NO_GUARD)
        write(at("class", "evil\033[31m\n=1+1", "doublify.cu"), RIGHT)
        write(os.fsencode(at("class")) + b"/not\xffutf8/doublify.cu", RIGHT)
        write(at("class", "deep", *["d"] * 40, "doublify.cu"), RIGHT)
        write(at("class", "a" * 200, "doublify.cu"), RIGHT)
        write(at("class", "readme.txt"), "hello")
        listener = socket.socket(socket.AF_UNIX)
        self.addCleanup(listener.close)
        here = os.getcwd()
        os.chdir(at("class", "pipe"))   # a socket's path may have 107 bytes
        listener.bind("scan.cu")
        os.chdir(here)
        write(at("course.yaml"), "title: Messy\nlabs: {doublify: {due: 2026-09-01T12:00Z}}\nroster: roster.csv\n"
                                 "late: {percent_per_day: 10, times: [timestamps, submitted]}\n")
        write(at("roster.csv"), "id,name,folder\ngood,Good One,\n007,\"Bond, James\",nameless\n,Nobody,\n007,Again,\n"
                                "ghost,Ghost,\n"
                                "two,Two,\nblank,,binary\n")
        write(at("class", "timestamps.csv"), "id,lab,submitted\ngood,doublify,2026-09-01T12:00:01Z\n"
                                             "007,,2026-08-30T12:00:00Z\n"
                                             "two,,yesterday\nAda,doublify,2126-01-01T00:00Z\nnobody,,2026-09-01T12:00Z\n")
        write(at("class", "copies", "submitted"), "2026-09-03 12:00:01Z\n")

    def codes(self, student):
        """Without that of being a stranger, which most are here."""
        return sorted(problem["code"] for problem in student["problems"] if problem["code"] != "not_on_roster")

    def state(self, identity):
        return self.student(self.document, identity)["labs"][0]["state"]

    def test_each_is_reported_and_stops_nobody(self):
        self.fill()
        output = self.batch("class", "out", "--course", self.path("course.yaml"), status=1)
        self.document = self.check("out")
        at = {student["id"]: student for student in self.document["students"]}
        self.assertEqual({name: self.state(name) for name in ("good", "copies", "007", "Ada", "a" * 200)},
                         dict.fromkeys(("good", "copies", "007", "Ada", "a" * 200), "pass"))
        self.assertEqual(self.state("ada (2)"), "fail")
        self.assertEqual({name: self.state(name) for name in ("two", "linked", "pipe", "deep")},
                         dict.fromkeys(("two", "linked", "pipe", "deep"), "problem"))
        self.assertEqual({name: self.state(name) for name in ("alien", "elsewhere", "ghost")},
                         {"alien": "problem", "elsewhere": "problem", "ghost": "missing"})
        self.assertEqual((self.state("blank"), self.state("sparse")), ("problem", "error"))
        self.assertEqual(self.codes(at["two"]), ["time_impossible", "two_files"])
        self.assertIn("recognised_by_kernels", self.codes(at["007"]))
        self.assertEqual(self.codes(at["alien"]), ["lab_unknown", "no_lab_file"])
        self.assertEqual(self.codes(at["elsewhere"]), ["no_lab_file"])
        self.assertEqual({name: (self.state(name), self.codes(at[name])) for name in ("zipped", "wordy", "both")},
                         {"zipped": ("problem", ["not_opened"]), "wordy": ("problem", ["other_ending"]),
                          "both": ("pass", ["not_opened", "other_ending", "time_missing"])})
        self.assertRegex(output, r"\n  time_missing \(6\)\n[^:]*; and 3 more: The time")
        self.assertEqual(output.count("time_missing"), 1)
        self.assertEqual(self.codes(at["blank"]), ["two_files", "two_folders"])
        self.assertEqual(self.codes(at["linked"]), ["link"])
        self.assertEqual(self.codes(at["pipe"]), ["not_regular", "not_regular"])
        self.assertEqual(self.codes(at["deep"]), ["too_many_files"])
        self.assertIn("name_collision", self.codes(at["ada (2)"]))
        self.assertEqual(self.codes(at["Ada"]), ["time_impossible"])
        evil = next(identity for identity in at if identity.startswith("evil"))
        self.assertEqual(self.codes(at[evil]), ["name_unprintable", "time_missing"])
        self.assertIn("name_unprintable", self.codes(at["not\\xffutf8"]))
        self.assertEqual(sorted(problem["code"] for problem in self.document["problems"]),
                         ["link", "not_a_folder", "roster_id_missing", "roster_id_twice", "roster_line"])
        self.assertEqual(self.document["missing"], ["ghost"])
        self.assertIn("alien", self.document["unknown"])
        self.assertEqual(self.document["unknown"],
                         [student["id"] for student in self.document["students"] if "not_on_roster" in
                          [problem["code"] for problem in student["problems"]]])
        self.assertEqual((at["007"]["name"], at["good"]["name"]), ("Bond, James", "Good One"))
        # One second late is a day; copies came two days and a second late; 007 was early.
        self.assertEqual(at["good"]["labs"][0]["late"], {"seconds": 1, "days": 1, "penalty": 10})
        self.assertEqual(at["good"]["score"], 90)
        self.assertEqual(at["copies"]["labs"][0]["late"]["days"], 3)
        self.assertEqual((at["007"]["labs"][0]["late"], at["007"]["percent"]), (None, 100))
        self.assertIsNone(at["two"]["percent"])
        self.assertNotIn("\033", output)
        self.assertNotIn("\033", json.dumps(self.document, ensure_ascii=False))
        with open(self.path("out", "gradebook.csv"), encoding="utf-8") as file:
            book = file.read()
        self.assertNotIn("\033", book)
        self.assertIn('"doublify","2026-09-01T12:00:01Z","good","Good One",100,10,90,100,"pass"', book)
        self.assertIn('"two","Two",,,,100,"problem"', book)

    def test_without_python_the_class_is_complete_and_the_gradebook_is_missed(self):
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        write(self.path("out", "gradebook.csv"), "of another day")
        said = self.batch("class", "out", status=3, environment={"PATH": "/nowhere"})
        self.assertIn("no gradebook was made; class.json is complete. `lockstep export csv", said)
        self.assertFalse(os.path.exists(self.path("out", "gradebook.csv")))
        self.assertEqual(load(self.path("out", "class.json"))["students"][0]["score"], 100)

    def test_ten_thousand_folders(self):
        for number in range(10000):
            os.makedirs(self.path("class", f"n{number}"))
        output = self.batch("class", "out", "--jobs", "2")
        document = load(self.path("out", "class.json"))
        self.assertEqual(len(document["students"]), 10000)
        self.assertTrue(all(student["state"] == "missing" for student in document["students"]))
        self.assertLess(output.count("\n"), 60)

    def test_the_table_has_names_and_a_name_grades_again(self):
        write(self.path("class", "2026001", "doublify.cu"), RIGHT)
        write(self.path("roster.csv"), "id,name\n2026001,Ada Lovelace\n2026002,Grace Hopper\n2026003,Grace Hopper\n")
        write(self.path("course.yaml"), "labs: {doublify: }\nroster: roster.csv\n")
        course = ("--course", self.path("course.yaml"))
        self.assertIn("100.0 %  Ada Lovelace\n", self.batch("class", "deep/er/out", *course))
        self.assertIn("1 gradings", self.batch("class", "deep/er/out", *course, "--regrade", "ada lovelace"))
        self.assertIn("2 students have this name", self.batch("class", "deep/er/out", *course, "--regrade", "Grace Hopper",
                                                              status=2))

    def test_bad_usage_grades_nothing(self):
        write(self.path("file"), "")
        os.makedirs(self.path("empty"))
        write(self.path("course.yaml"), "labs:\n  scan:\n    wait: 3\n")
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        self.assertIn("No such file", self.batch("nowhere", "out", status=2))
        self.assertIn("not a folder", self.batch("file", "out", status=2))
        self.assertIn("Each student needs one.", self.batch("empty", "out", status=2))
        self.assertIn("course.yaml:3: scan: unknown key wait",
                      self.batch("class", "out", "--course", self.path("course.yaml"), status=2))
        write(self.path("course.yaml"), "hidden_seed_file: nothing\n")
        self.assertIn("No such file", self.batch("class", "out", "--course", self.path("course.yaml"), status=2))
        write(self.path("course.yaml"), "roster: course.yaml\n")
        self.assertIn("one of them must be id", self.batch("class", "out", "--course", self.path("course.yaml"), status=2))
        self.assertFalse(os.path.exists(self.path("out", "class.json")))
        self.assertIn("it exists and is not a folder", self.batch("class", "file", status=3))


class RightFile(Base):
    """Which file is graded, and the messages about files that are not a student's own work."""

    def codes(self, identity):
        return [problem["code"] for problem in self.student(self.document, identity)["problems"]]

    def run_class(self, course="labs: {doublify: }\n", status=1):
        write(self.path("course.yaml"), course)
        output = self.batch("class", "out", "--course", self.path("course.yaml"), status=status)
        self.document = self.check("out")
        return output

    def copy_kit(self, folder):
        for name in ("labs/doublify", "labs/scan", "solutions/doublify", "solutions/scan"):
            shutil.copytree(name, self.path("class", folder, name))
        write(self.path("class", folder, "build.ninja"), "")

    def test_a_copy_of_the_kit_is_nothing_handed_in(self):
        self.copy_kit("lazy")
        self.copy_kit("busy")
        write(self.path("class", "busy", "labs", "doublify", "doublify.cu"), RIGHT)
        self.copy_kit("astray")
        write(self.path("class", "astray", "solutions", "doublify", "doublify.cu"), RIGHT)
        self.run_class("labs: {doublify: , scan: }\n", status=0)
        lazy, busy = (self.student(self.document, name) for name in ("lazy", "busy"))
        self.assertEqual((lazy["state"], lazy["percent"], self.codes("lazy")), ("missing", 0, ["untouched"]))
        self.assertIn("doublify, scan", lazy["problems"][0]["message"])
        self.assertEqual([lab["state"] for lab in busy["labs"]], ["pass", "missing"])
        self.assertEqual(self.codes("astray"), ["kit_copy", "untouched"])
        self.assertIn("1 file there is not this kit's", self.student(self.document, "astray")["problems"][0]["message"])

    def test_the_place_of_a_course_counts_more_than_a_name(self):
        write(self.path("class", "ada", "labs", "doublify", "doublify.cu"), RIGHT)
        write(self.path("class", "ada", "backup", "doublify.cu"), NO_GUARD)
        write(self.path("class", "bob", "labs", "doublify", "doublify.cu"),
              open("labs/doublify/doublify.cu", encoding="utf-8").read())
        write(self.path("class", "bob", "doublify.cu"), RIGHT + "// bob\n")
        self.run_class(status=0)
        self.assertEqual([self.student(self.document, name)["labs"][0]["state"] for name in ("ada", "bob")],
                         ["pass", "pass"])
        self.assertEqual((self.codes("ada"), self.codes("bob")), (["other_place"], []))

    def test_files_of_another_ending_are_no_silent_zero(self):
        for folder, name, source in (("cpp", "homework.cpp", RIGHT), ("named", "doublify.txt", "see my mail"),
                                     ("book", "doublify.ipynb", "{}"), ("plain", "doublify", RIGHT),
                                     ("dots", ".work/doublify.cu", RIGHT),
                                     ("other", "report.md", "all done"), ("both", "helpers.h", "#define N 1\n"),
                                     ("empty", ".DS_Store", "")):
            write(self.path("class", folder, *name.split("/")), source)
        write(self.path("class", "both", "doublify.cu"), RIGHT)
        os.makedirs(self.path("class", "link"))
        os.symlink(os.path.abspath("solutions/doublify"), self.path("class", "link", "labs"))
        output = self.run_class()
        self.assertEqual({student["id"]: (student["state"], self.codes(student["id"]))
                          for student in self.document["students"]},
                         {"cpp": ("problem", ["other_ending"]), "named": ("problem", ["other_ending"]),
                          "book": ("problem", ["other_ending"]), "plain": ("problem", ["other_ending"]),
                          "dots": ("problem", ["no_lab_file"]),
                          "other": ("problem", ["no_lab_file"]), "both": ("graded", []), "empty": ("missing", []),
                          "link": ("problem", ["no_lab_file"])})
        self.assertIn("rename it to doublify.cu", " ".join(output.split()))

    def test_ids_that_a_spreadsheet_changed_are_recognised(self):
        for folder in ("00123", "202601001234", "202602001234", "77"):
            write(self.path("class", folder, "doublify.cu"), RIGHT)
        write(self.path("students.csv"), 'id,name\n123,Ada\n"2,02601E+11",Cyd\n78,Dan\n')
        output = " ".join(self.run_class("labs: {doublify: }\nroster: students.csv\n").split())
        self.assertIn("00123, 00123: This is a folder of nobody on the roster, and 123, which is there, differs only in "
                      "leading zeros, which a spreadsheet drops. Make the roster's column of ids text", output)
        self.assertIn("and 2,02601E+11, which is there, is what a spreadsheet shows of such a long number.", output)
        messages = {student["id"]: problem["message"] for student in self.document["students"]
                    for problem in student["problems"] if problem["code"] == "not_on_roster"}
        self.assertEqual([name for name, message in messages.items() if "spreadsheet" in message], ["00123", "202601001234"])

    def test_the_kits_solution_is_known_also_in_disguise(self):
        with open("solutions/scan/scan.cu", encoding="utf-8") as file:
            solution = file.read()
        write(self.path("class", "same", "scan.cu"), solution)
        write(self.path("class", "blank", "scan.cu"), solution + " ")
        bare = re.sub(r"//[^\n]*", "", re.sub(r"/\*.*?\*/", "", solution, flags=re.S))
        write(self.path("class", "bare", "scan.cu"), re.sub(r"\bsum\b", "my_sum", re.sub(r"\blane\b", "who", bare)))
        self.run_class("labs: {scan: }\n")
        self.assertEqual({name: self.codes(name) for name in ("same", "blank", "bare")},
                         {"same": ["the_solution"], "blank": ["compiles_to_the_solution"],
                          "bare": ["compiles_to_the_solution"]})
        self.assertIn("solutions/scan/scan.cu of the kit", self.student(self.document, "bare")["problems"][0]["message"])
        self.assertEqual([student["score"] for student in self.document["students"]], [100, 100, 100])

    def test_equal_files_are_told_however_little_there_is_to_choose(self):
        for name in ("ann", "bob", "cid"):
            write(self.path("class", name, "doublify.cu"), RIGHT)
        write(self.path("class", "dee", "doublify.cu"), RIGHT + "\n")
        output = self.run_class(status=0)
        self.assertEqual(self.document["duplicates"], [{"lab": "doublify", "students": ["ann", "bob", "cid"],
                                                        "similarity": 1.0, "same_bytes": True}])
        self.assertIn("doublify, the same file: ann, bob, cid", output)

    def test_a_folder_of_nobody_is_named_with_who_may_be_meant(self):
        for name in ("lovelase", "zuse"):
            write(self.path("class", name, "doublify.cu"), f"{RIGHT}// {name}\n")
        write(self.path("roster.csv"), "id,name\nlovelace,Ada Lovelace\nhopper,Grace Hopper\n")
        output = " ".join(self.run_class("labs: {doublify: }\nroster: roster.csv\n").split())
        self.assertIn("lovelase, lovelase: This is a folder of nobody on the roster; did you mean lovelace, Ada Lovelace?",
                      output)
        self.assertIn("zuse, zuse: This is a folder of nobody on the roster.", output)


class Told(Base):
    def test_a_header_that_was_handed_in_is_told_and_times_are_the_courses(self):
        write(self.path("class", "ada", "doublify.cu"), '#  include  "inc/own.h"\n#include <other.h>\n' + RIGHT)
        write(self.path("class", "ada", "own.h"), "#define X 1\n")
        write(self.path("class", "ada", "other.h"), "#define X 1\n")
        write(self.path("class", "bob", "doublify.cu"), RIGHT)
        write(self.path("class", "bob", "own.h"), "#define X 1\n")
        write(self.path("course.yaml"), "time_zone: Europe/Berlin\nlabs:\n  doublify: {due: 2026-07-01 18:00}\n")
        self.batch("class", "out", "--course", self.path("course.yaml"), status=1, pages=True)
        document = self.check("out")
        codes = {student["id"]: [one["code"] for one in student["problems"]] for student in document["students"]}
        self.assertEqual((codes["ada"][0], "own_header" in codes["bob"]), ("own_header", False))
        self.assertIn("includes own.h, which was handed in", self.student(document, "ada")["problems"][0]["message"])
        self.assertEqual(document["course"]["time_zone"], "Europe/Berlin")
        self.assertEqual(document["labs"][0]["due"], "2026-07-01T16:00:00Z")
        with open(self.path("out", "report", "index.html"), encoding="utf-8") as page:
            self.assertIn("due 2026-07-01 18:00 CEST", page.read())


class NotDue(Base):
    """A lab whose date lies ahead does not count as a zero: not in the percentage, not in the gradebook, not in Canvas."""

    def test_what_is_not_due_is_empty(self):
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        os.makedirs(self.path("class", "bob"))
        write(self.path("course.yaml"), "time_zone: UTC\nlabs:\n  doublify: {due: 2026-09-01}\n  scan: {due: 2026-12-01}\n")
        output = self.batch("class", "out", "--course", self.path("course.yaml"))   # on 2026-09-21
        document = self.check("out")
        ada, bob = (self.student(document, name) for name in ("ada", "bob"))
        self.assertEqual([(lab["state"], lab["score"], lab["final_score"]) for lab in bob["labs"]],
                         [("missing", 0, 0), ("not_due", None, None)])
        self.assertEqual((ada["percent"], bob["percent"], ada["state"], bob["state"]), (100, 0, "graded", "missing"))
        self.assertIn("blank: not due yet", output)
        with open(self.path("out", "gradebook.csv"), encoding="utf-8") as file:
            self.assertIn('"scan","","ada","",,,,100,"not_due"', file.read())
        write(self.path("canvas.csv"), "Student,ID,SIS Login ID,Section,Scan (7)\nPoints Possible,,,,100\n"
                                       "Lovelace,1,ada,A,77\nBabbage,2,bob,A,\n")
        self.assertEqual(self.export("scan"), (0, ["Points Possible,,,,100", "Lovelace,1,ada,A,77", "Babbage,2,bob,A,"]))

    def export(self, lab, *words):
        done = subprocess.run([f"{BUILD}/lockstep", "export", "canvas", self.path("out", "class.json"), "--roster",
                               self.path("canvas.csv"), "--column", "Scan", "--lab", lab, *words], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, check=False)
        self.said = done.stderr.decode()
        return done.returncode, done.stdout.decode().replace("\r", "").splitlines()[1:]

    def test_what_a_person_typed_in_canvas_stays(self):
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        write(self.path("class", "bob", "doublify.cu"), RIGHT + "// bob\n")
        self.batch("class", "out")
        write(self.path("canvas.csv"), "Student,ID,SIS Login ID,Section,Scan (7)\nPoints Possible,,,,100\n"
                                       "Lovelace,1,ada,A,77\nBabbage,2,bob,A,100.0\n")
        self.assertEqual(self.export("doublify"),
                         (1, ["Points Possible,,,,100", "Lovelace,1,ada,A,77", "Babbage,2,bob,A,100"]))
        self.assertIn("Lovelace: 77 in Canvas, 100 here", self.said)
        status, rows = self.export("doublify", "--overwrite")
        self.assertEqual((status, rows[1]), (0, "Lovelace,1,ada,A,100"))
        self.assertIn("1 score replaced: Lovelace: 77 in Canvas, 100 here", self.said)


class Alike(Base):
    def test_renamed_copies_are_hinted_at_and_ordinary_answers_are_not(self):
        write(self.path("class", "ann", "doublify.cu"), ODD.format(x="i", y="value"))
        write(self.path("class", "bob", "doublify.cu"), "// all my own\n" + ODD.format(x="place", y="old"))
        write(self.path("class", "cid", "doublify.cu"), RIGHT)
        write(self.path("class", "dee", "doublify.cu"), RIGHT.replace("i ", "index ").replace("[i]", "[index]") + "//\n")
        output = self.batch("class", "out", pages=True)
        document = self.check("out")
        self.assertIn("report/index.html", output)
        self.assertTrue(os.path.getsize(self.path("out", "report", "students", "ann.html")) > 1000)
        self.assertEqual(document["duplicates"], [{"lab": "doublify", "students": ["ann", "bob"], "similarity": 1.0}])
        self.assertIn("a hint, never a verdict", output)

    def test_hidden_tests_run_with_the_seed_of_the_course(self):
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        write(self.path("seed"), "a secret of more than 16 letters\n")
        write(self.path("course.yaml"), "labs: {doublify: }\nhidden_seed_file: seed\n")
        self.batch("class", "out", "--course", self.path("course.yaml"), "--allow-unconfined")
        self.assertTrue(self.check("out")["hidden_tests"])
        tests = load(self.path("out", "students", "ada.json"))["labs"][0]["tests"]
        self.assertEqual(sum(test["visibility"] == "hidden" for test in tests), 3)
        write(self.path("seed"), "another secret, longer than that\n")
        self.assertIn("1 gradings", self.batch("class", "out", "--course", self.path("course.yaml"), "--allow-unconfined"))


class ManyStudents(Base):
    """A class that several processes write, and pages that stay as they are."""
    STUDENTS = 70   # more than one process writes the results of

    def setUp(self):
        super().setUp()
        for number in range(self.STUDENTS):
            write(self.path("class", f"s{number:02}", "doublify.cu"), f"{RIGHT if number % 2 else NO_GUARD}")

    def run_batch(self, out, *options, cores=None, **keywords):
        """cores: on which it runs; None: all"""
        before = os.sched_getaffinity(0)
        try:
            os.sched_setaffinity(0, cores or before)
            return self.batch("class", out, "--seed", "5", *options, pages=True, **keywords)
        finally:
            os.sched_setaffinity(0, before)

    def page_times(self, out):
        folder = self.path(out, "report", "students")
        return {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(folder)}

    def test_one_core_writes_the_same_as_several(self):
        self.run_batch("several")
        self.run_batch("one", cores={min(os.sched_getaffinity(0))})
        self.assertEqual(snapshot(self.path("several")), snapshot(self.path("one")))
        self.assertEqual(len(self.page_times("one")), self.STUDENTS)

    def test_pages_of_whom_nothing_changed_stay(self):
        self.run_batch("out")
        whole, times = snapshot(self.path("out")), self.page_times("out")
        self.run_batch("out")
        self.assertEqual(self.page_times("out"), times)
        self.assertEqual(snapshot(self.path("out")), whole)
        write(self.path("class", "s01", "doublify.cu"), NO_GUARD)               # another result
        write(self.path("out", "report", "students", "s02.html"), "somebody's")  # touched by somebody
        os.remove(self.path("out", "report", "students", "s03.html"))
        self.run_batch("out")
        now = self.page_times("out")
        self.assertEqual(sorted(name for name in now if now[name] != times[name]), ["s01.html", "s02.html", "s03.html"])
        self.run_batch("fresh")
        for name in ("report/index.html", *(f"report/students/s{number:02}.html" for number in range(self.STUDENTS))):
            with open(self.path("out", name), "rb") as file, open(self.path("fresh", name), "rb") as other:
                self.assertEqual(file.read(), other.read(), name)

    def test_a_record_of_pages_that_is_not_ours_is_not_believed(self):
        self.run_batch("out")
        record, times = self.path("out", ".lockstep", "pages.json"), self.page_times("out")
        with open(record, encoding="utf-8") as file:
            document = json.load(file)
        for page in document["pages"].values():
            page["made_of"] = "0" * 64
        for content in (json.dumps(document), "[]", "{",
                        '{"schema": "lockstep/pages/v1", "pages": {"students/s01.html": 7}}'):
            write(record, content)
            self.run_batch("out")
            now = self.page_times("out")
            self.assertTrue(all(now[name] != times[name] for name in times), content)
            times = now

    def test_a_result_that_cannot_be_written_stops_the_batch(self):
        for number in (1, 2):   # one of the first process, one of another
            name = f"s{number:02}.json"
            shutil.rmtree(self.path("out"), ignore_errors=True)
            os.makedirs(self.path("out", "students", name, "in the way"))
            self.assertIn(name, self.run_batch("out", status=3))
        shutil.rmtree(self.path("out", "students", name))
        self.run_batch("out")


if __name__ == "__main__":
    unittest.main()

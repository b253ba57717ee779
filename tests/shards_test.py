"""A class graded in parts: `batch --shard` by several processes, killed, stopped, side by side; `batch --gather`."""

import fcntl
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

from batch_test import BUILD, MEMORY, NO_GUARD, RIGHT, load, snapshot, write
import stand_in_gpu
from hostile_test import held_by
from waiting import wait_until

BUSY = RIGHT.replace("if (i",
                     "float s = 0; for (int k = 0; k < n / 2; k++) s = fmaf(s, 0.5f, 1.0f); if (s > 9) n = 0;\n    if (i")
KEY = {"SOURCE_DATE_EPOCH": "1790000000"}


class Base(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory(dir=MEMORY)
        self.addCleanup(directory.cleanup)
        self.root = directory.name

    def path(self, *parts):
        return os.path.join(self.root, *parts)

    def make_class(self, students=6):
        for number in range(students):
            write(self.path("class", f"s{number}", "doublify.cu"), f"{NO_GUARD if number % 3 == 0 else RIGHT}// {number}\n")
        write(self.path("class", "twin", "doublify.cu"), f"{RIGHT}// 1\n")   # the file of s1

    def command(self, out, *options):
        return [f"{BUILD}/lockstep", "batch", self.path("class"), "--out", self.path(out), "--no-pages", *options]

    def batch(self, out, *options, status=0, environment=None):
        done = subprocess.run(self.command(out, *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=False, env={**os.environ, **KEY, **(environment or {})})
        self.assertEqual(done.returncode, status, done.stdout.decode())
        return " ".join(done.stdout.decode().split())

    def start(self, out, *options):
        return subprocess.Popen(self.command(out, *options), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                env={**os.environ, **KEY})

    def gradings(self, out):
        folder = self.path(out, ".lockstep", "gradings")
        if not os.path.isdir(folder):
            return {}
        return {entry.name: entry.stat().st_mtime_ns for entry in os.scandir(folder) if entry.name.endswith(".json")}


class Parts(Base):
    def test_shards_into_one_folder_gather_to_the_files_of_a_local_run(self):
        self.make_class()
        self.batch("whole", "--seed", "5")
        self.assertIn("no shard was graded into this folder", self.batch("shared", "--gather", status=2))
        shards = [self.start("shared", "--seed", "5", "--shard", f"{number}/3", "--jobs", "1") for number in (1, 2, 3)]
        for shard in shards:
            output = shard.stdout.read().decode()
            self.assertEqual(shard.wait(), 0, output)
            self.assertIn("2 graded, 0 had been graded before", output)
            shard.stdout.close()
        self.assertFalse(os.path.exists(self.path("shared", "class.json")))
        before = self.gradings("shared")
        self.assertEqual(before.keys(), self.gradings("whole").keys())
        self.batch("shared", "--gather")
        self.assertEqual(snapshot(self.path("shared")), snapshot(self.path("whole")))
        self.assertIn("0 graded, 2 had been graded before", self.batch("shared", "--shard", "2/3"))
        self.assertEqual(self.gradings("shared"), before)

    def test_shards_with_folders_of_their_own_are_gathered(self):
        self.make_class(3)
        self.batch("whole", "--seed", "5")
        self.batch("one", "--seed", "5", "--shard", "1/2")
        output = self.batch("all", "--gather", self.path("one"), status=3)
        missing = len(self.gradings("whole")) - len(self.gradings("one"))
        self.assertGreater(missing, 0)
        self.assertIn(f"{missing} of 3 gradings are missing, shown as ? in the results", output)
        scores = [student["labs"][0]["score"] for student in load(self.path("all", "class.json"))["students"]]
        self.assertIn(None, scores)
        self.assertNotIn(0, scores)
        self.batch("two", "--seed", "5", "--shard", "2/2")
        self.batch("all", "--gather", self.path("one"), self.path("two"))
        self.assertEqual(snapshot(self.path("all")), snapshot(self.path("whole")))
        self.batch("other", "--seed", "6", "--shard", "2/2")
        self.assertIn("Give all shards the same --seed",
                      self.batch("third", "--gather", self.path("one"), self.path("other"), status=2))

    def test_a_killed_shard_is_gone_on_with_and_nothing_is_graded_twice(self):
        self.make_class(4)
        write(self.path("class", "slow", "doublify.cu"), BUSY)
        first = self.start("out", "--seed", "5", "--shard", "1/1", "--jobs", "1")
        wait_until(lambda: len(self.gradings("out")) >= 1)
        first.kill()
        first.wait()
        first.stdout.close()
        before = self.gradings("out")
        self.assertIn(f"{5 - len(before)} graded, {len(before)} had been", self.batch("out", "--shard", "1/1"))
        after = self.gradings("out")
        self.assertEqual({name: after[name] for name in before}, before)
        self.assertEqual(len(after), 5)

    def test_two_processes_with_one_part_share_it(self):
        self.make_class(6)
        both = [self.start("out", "--seed", "5", "--shard", "1/1", "--jobs", "1") for _ in range(2)]
        outputs = []
        for each in both:
            outputs.append(each.stdout.read().decode())
            self.assertEqual(each.wait(), 0, outputs[-1])
            each.stdout.close()
        graded = [int(output.split(" graded, ")[0].rsplit(" ", 1)[1]) for output in outputs]
        self.assertEqual(sum(graded), 6, outputs)
        self.assertEqual(len(self.gradings("out")), 6)

    def test_a_claim_of_a_dead_process_is_taken_and_one_of_a_living_machine_is_not(self):
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        self.batch("out", "--seed", "5", "--shard", "1/1")
        key = next(iter(self.gradings("out")))[:-5]
        claims = self.path("out", ".lockstep", "claims")
        os.remove(self.path("out", ".lockstep", "gradings", f"{key}.json"))
        shutil.rmtree(claims)
        write(os.path.join(claims, "elsewhere.1.2.3"), "")
        os.symlink("elsewhere.1.2.3", os.path.join(claims, f"{key}.1"))
        shard = self.start("out", "--shard", "1/1")
        said = b""
        while b"1 being graded by another process: waiting for it" not in said:
            line = shard.stdout.readline()
            self.assertTrue(line, said)
            said += line
        self.assertEqual(self.gradings("out"), {})
        old = time.time() - 300
        os.utime(os.path.join(claims, "elsewhere.1.2.3"), (old, old))
        said += shard.stdout.read()
        self.assertEqual(shard.wait(), 0, said)
        shard.stdout.close()
        self.assertIn(": 1 graded", said.decode())
        self.assertTrue(os.path.islink(os.path.join(claims, f"{key}.2")))

    def test_a_stopped_shard_keeps_what_it_has_and_says_what_is_left(self):
        self.make_class(5)
        shard = self.start("out", "--seed", "5", "--shard", "1/1", "--jobs", "1")
        wait_until(lambda: len(self.gradings("out")) >= 1)
        shard.send_signal(signal.SIGUSR1)
        output = shard.stdout.read().decode()
        self.assertEqual(shard.wait(), 3, output)
        shard.stdout.close()
        kept = len(self.gradings("out"))
        self.assertRegex(output, rf"stopped by signal 10 \(User defined signal 1\): {5 - kept} gradings? left")
        self.assertEqual(os.listdir(self.path("out", ".lockstep", "failed")), [])
        self.batch("out", "--shard", "1/1")
        self.assertEqual(len(self.gradings("out")), 5)

    def test_what_the_kit_could_not_grade_fails_the_shard_and_is_tried_again(self):
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        write(self.path("broken", "libcuda.so.1"), "not a library")
        broken = {"LOCKSTEP_EMULATED_DRIVER": self.path("broken", "libcuda.so.1")}
        self.assertIn("the kit failed for 1 submission", self.batch("out", "--shard", "1/1", status=3, environment=broken))
        self.batch("local", status=3, environment=broken)
        self.batch("out", "--gather", status=3, environment=broken)
        entry = load(self.path("out", "class.json"))["students"][0]["labs"][0]
        self.assertEqual((entry["state"], entry["score"]), ("harness_error", None))
        self.batch("out", "--shard", "1/1", environment=broken, status=3)

    def test_a_machine_that_would_grade_otherwise_is_refused_by_name(self):
        self.make_class(2)
        self.batch("out", "--seed", "5", "--shard", "1/2")
        node = {"SLURMD_NODENAME": "n7"}
        output = self.batch("out", "--shard", "2/2", status=3, environment={**node, "LOCKSTEP_SANDBOX": "no-files"})
        self.assertIn("n7 has another sandbox", output)
        os.makedirs(self.path("driver"))
        shutil.copy(f"{BUILD}/emulated/libcuda.so.1", self.path("driver", "libcuda.so.1"))
        with open(self.path("driver", "libcuda.so.1"), "ab") as file:
            file.write(b"another build")
        other = {**node, "LOCKSTEP_EMULATED_DRIVER": self.path("driver", "libcuda.so.1")}
        self.assertIn("n7 has another build of the kit", self.batch("out", "--shard", "2/2", status=3, environment=other))
        self.assertIn("n7 has another build of the kit", self.batch("out", "--gather", status=3, environment=other))
        self.assertEqual(len(self.gradings("out")), 1)
        with open(self.path("out", ".lockstep", "refused", "n7"), encoding="utf-8") as file:
            self.assertIn("another build", file.read())

    @unittest.skipIf(held_by("no-landlock") is None, "this machine permits no user namespaces with mounts")
    def test_nodes_may_hold_files_in_different_ways(self):
        """Landlock here, namespaces there: the same gradings, byte for byte."""
        self.make_class(4)
        self.batch("out", "--seed", "5", "--shard", "1/2", environment={"LOCKSTEP_SANDBOX": "no-namespaces"})
        self.batch("out", "--shard", "2/2", environment={"SLURMD_NODENAME": "n7", "LOCKSTEP_SANDBOX": "no-landlock"})
        self.batch("out", "--gather")
        self.batch("local", "--seed", "5")
        self.assertEqual(snapshot(self.path("out")), snapshot(self.path("local")))

    def test_a_batch_and_a_shard_do_not_meet(self):
        write(self.path("class", "ada", "doublify.cu"), RIGHT)
        self.batch("out", "--shard", "1/1")
        with open(self.path("out", ".lockstep", "lock"), "rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH)
            self.assertIn("another batch is running in this folder", self.batch("out", status=3))
            self.assertIn("1 had been graded before", self.batch("out", "--shard", "1/1"))

    def test_more_shards_than_files_leave_some_without_work(self):
        self.make_class(2)
        parts = [self.batch("out", "--shard", f"{number}/4", "--seed", "5") for number in (1, 2, 3, 4)]
        self.assertEqual([", 1 to do" in part for part in parts], [True, True, False, False])
        self.assertIn("0 of 2 gradings, 0 to do", parts[3])

    def test_options_that_contradict_one_another_are_refused(self):
        for options, said in ((("--shard", "1/2", "--gather"), "give one of them"), (("--shard", "3/2"), "expected I/N"),
                              (("--shard", "1/2x"), "expected I/N"), (("--partition", "p"), "add --engine slurm"),
                              (("--engine", "slurm", "--shard", "1/2"), "leave --shard and --gather out"),
                              (("--engine", "slurm", "--time", "1 0"), "without blanks"),
                              (("--shard", "1/2", "--regrade", "ada"), "--regrade has no meaning"),
                              (("--shard", "1/2", "--json", "-"), "--json has no meaning"), (("more",), "needs one folder"),
                              (("--engine", "pbs"), "choose local or slurm")):
            with self.subTest(options=options):
                self.assertIn(said, self.batch("out", *options, status=2))


class Timings(Base):
    """`--device gpu`: what passed is graded once more with a time."""

    def setUp(self):
        super().setUp()
        self.gpu = stand_in_gpu.make(self.path("gpu"))
        self.make_class(4)   # s0 and s3 fail, s1, s2 and twin (the file of s1) pass

    def timed(self, out):
        return {name: when for name, when in self.gradings(out).items() if name.endswith("-gpu.json")}

    def scores(self, out):
        return {student["id"]: (student["labs"][0]["max_score"], [problem["code"] for problem in student["problems"]])
                for student in load(self.path(out, "class.json"))["students"]}

    def without_times(self, out):
        """The class and its students, but for what a clock says."""
        kept = {}
        for name in ["class.json", *(f"students/{name}" for name in sorted(os.listdir(self.path(out, "students"))))]:
            document = load(self.path(out, name))
            for lab in document.get("labs", []):
                for row in lab.get("performance", []):
                    if row["track"] == "time":
                        self.assertGreater(row["value"], 0)
                        row.clear()
                for key in ("score", "max_score"):
                    lab.pop(key, None)
            for student in document.get("students", []):
                for key in ("score", "max_score", "percent"):   # a time too noisy for a verdict has no points to lose
                    student.pop(key, None)
                for lab in student["labs"]:
                    for key in ("score", "max_score", "final_score"):
                        lab.pop(key, None)
            kept[name] = document["students" if name == "class.json" else "labs"]
        return kept

    def test_a_local_run_times_what_passed(self):
        output = self.batch("out", "--seed", "5", "--device", "gpu", environment=self.gpu)
        self.assertIn("2 timings in", output)
        self.assertEqual(len(self.timed("out")), 2)
        scores = self.scores("out")
        self.assertIn(scores["s1"][0], (100, 110))   # 110, unless it was too noisy for a verdict
        self.assertEqual(scores["s0"][0], 100)
        row = load(self.path("out", "students", "s1.json"))["labs"][0]["performance"][-1]
        self.assertEqual((row["track"], row["value"] > 0), ("time", True))
        kept = self.timed("out")
        self.assertNotIn("timings in", self.batch("out", "--seed", "5", "--device", "gpu", environment=self.gpu))
        self.assertEqual(self.timed("out"), kept)
        self.batch("out", "--seed", "5", "--device", "gpu", "--regrade", "s1", environment=self.gpu)
        self.assertEqual(len([name for name in kept if self.timed("out")[name] != kept[name]]), 1)

    def test_timings_are_shards_of_their_own(self):
        self.batch("local", "--seed", "5", "--device", "gpu", environment=self.gpu)
        self.batch("out", "--seed", "5", "--shard", "1/1")
        output = self.batch("out", "--gather", "--device", "gpu", status=3)
        self.assertIn("2 of 2 timings are missing, and these scores lack the points for time", output)
        self.assertEqual(self.scores("out")["s1"], (100, ["not_timed"]))
        self.assertEqual(self.scores("out")["s0"], (100, []))
        for part in ("1/2", "2/2"):
            self.batch("out", "--shard", part, "--device", "gpu", environment=self.gpu)
        self.assertEqual(len(self.timed("out")), 2)
        self.batch("out", "--gather", "--device", "gpu")
        self.assertEqual(self.without_times("out"), self.without_times("local"))
        self.assertEqual(self.scores("out")["s1"][1], [])
        again = [self.batch("out", "--shard", part, "--device", "gpu", environment=self.gpu) for part in ("1/2", "2/2")]
        self.assertEqual([": 0 timed, " in each for each in again], [True, True])
        self.assertEqual(sum(int(re.search(r", (\d+) had been timed before", each)[1]) for each in again), 2)
        self.batch("out", "--gather")   # without times, for who asks for none
        rows = load(self.path("out", "students", "s1.json"))["labs"][0]["performance"]
        self.assertNotIn("time", [row["track"] for row in rows])

    def test_folders_of_other_machines_bring_their_timings(self):
        self.batch("a", "--seed", "5", "--shard", "1/1")
        self.batch("b", "--seed", "5", "--shard", "1/1")
        self.batch("b", "--seed", "5", "--shard", "1/1", "--device", "gpu", environment=self.gpu)
        done = subprocess.run([*self.command("out"), "--gather", "--device", "gpu", self.path("a"), self.path("b")],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, env={**os.environ, **KEY})
        self.assertEqual(done.returncode, 0, done.stdout.decode())
        self.assertEqual(len(self.timed("out")), 2)

    def test_where_there_is_no_gpu_nothing_is_graded(self):
        node = {"SLURMD_NODENAME": "n7", "LD_LIBRARY_PATH": ""}
        self.assertIn("n7 has no GPU for --device gpu: no NVIDIA driver",
                      self.batch("out", "--device", "gpu", status=3, environment=node))
        self.assertFalse(os.path.exists(self.path("out")))
        self.batch("out", "--seed", "5", "--shard", "1/1")
        self.assertIn("n7 has no GPU", self.batch("out", "--shard", "1/1", "--device", "gpu", status=3, environment=node))
        self.assertEqual(os.listdir(self.path("out", ".lockstep", "refused_gpu")), ["n7"])
        self.assertEqual(self.timed("out"), {})


if __name__ == "__main__":
    unittest.main()

"""The kit without solutions (ci/package): what is in it, that it grades as the kit does, what it says that it lacks."""

import filecmp
import glob
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import unittest

from classes import host, sample, with_program

LABS = "scan,histogram"
SEED = "5"
# The kit's own, where no toolkit has one that every kit finds.
NVRTC = {"LOCKSTEP_NVRTC": os.path.abspath(path) for path in glob.glob("build/nvrtc/nvidia/*/lib/libnvrtc.so.1?")}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def make_archive(path, *words):
    done = subprocess.run(["ci/package", *words, "--out", path], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return path


def unpack(archive, folder):
    os.makedirs(folder, exist_ok=True)
    subprocess.run(["tar", "-xzf", archive, "-C", folder], check=True)   # as the workflows do


def lockstep(kit, *words, cwd=None):
    environment = {**os.environ, **NVRTC, "LOCKSTEP_FOLDER": "", "CUDA_VISIBLE_DEVICES": ""}
    return subprocess.run([os.path.abspath(f"{kit}/build/lockstep"), *words], cwd=cwd, env=environment,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def graded(kit, folder, *words):
    """The labs of a result, without what depends on the clock."""
    result = os.path.join(folder, "result.json")
    done = lockstep(kit, "grade", "--seed", SEED, "--device", "emulated", "--json", result, *words)
    assert done.returncode in (0, 1), done.stdout
    with open(result, encoding="utf-8") as file:
        labs = json.load(file)["labs"]
    for lab in labs:
        lab.pop("seconds", None)
    return labs


def own_lines(lab):
    """{file: lines} of the lab's solutions that a student could copy: not those that every skeleton or chapter has."""
    common = "".join(map(read, glob.glob("labs/*/*.cu")))
    return {path: {line.strip() for line in read(path).splitlines()
                   if len(line.strip()) >= 24 and line.strip() not in common
                   and "blockIdx.x * blockDim.x + threadIdx.x" not in line}
            for path in glob.glob(f"solutions/{lab}/*.cu")}


def files_below(folder):
    return [os.path.join(below, name) for below, _, names in os.walk(folder) for name in names]


class Package(unittest.TestCase):
    """Two labs."""

    labs = LABS

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.root = directory.name
        cls.archive = make_archive(os.path.join(cls.root, "labs.tar.gz"), "--labs", cls.labs)
        unpack(cls.archive, cls.root)
        cls.kit = os.path.join(cls.root, "lockstep-labs")

    def names(self):
        return sorted(name for name in os.listdir(f"{self.kit}/labs") if os.path.isdir(f"{self.kit}/labs/{name}"))

    def scratch(self):
        directory = tempfile.TemporaryDirectory(dir=self.root)
        self.addCleanup(directory.cleanup)
        return directory.name

    def give_nothing_away(self):
        folders = {os.path.relpath(below, self.kit).split("/")[0] for below, _, _ in os.walk(self.kit)} - {"."}
        self.assertEqual(folders, {"build", "ci", "grader", "handouts", "labs", "runtime"})
        self.assertFalse(glob.glob(f"{self.kit}/labs/*/wrong") + glob.glob(f"{self.kit}/labs/*/variants")
                         + glob.glob(f"{self.kit}/labs/*/*reference*")
                         + glob.glob(f"{self.kit}/handouts/exercises/solutions"))
        contents = {}
        for path in files_below(self.kit):
            with open(path, "rb") as file:
                contents[path] = file.read()
        looked_for = 0
        for lab in self.names():
            for solution, lines in own_lines(lab).items():
                looked_for += len(lines)
                for path, content in contents.items():
                    told = [line for line in lines if line.encode() in content]
                    self.assertLessEqual(len(told), 1, f"{path} has lines of {solution}: {told[:3]}")
        self.assertGreater(looked_for, 20)

    def grade_as_the_kit_does(self, files):
        folder = self.scratch()
        ours, theirs = graded(".", folder, *files), graded(self.kit, folder, *files)
        self.assertEqual(len(ours), len(files))
        for file, one, other in zip(files, ours, theirs):
            self.assertEqual(one["score"], other["score"], file)
            self.assertEqual(one["performance"], other["performance"], file)
            self.assertEqual([test["state"] for test in one["tests"]], [test["state"] for test in other["tests"]], file)
        return ours


class Kit(Package):
    def test_gives_nothing_away(self):
        self.assertEqual(self.names(), sorted(LABS.split(",")))
        self.give_nothing_away()
        for path in [f"{self.kit}/README.md", *glob.glob(f"{self.kit}/handouts/*.md")]:
            self.assertNotIn("solutions/", read(path), path)
            for address in re.findall(r"\]\(([^)#:\s]+)\)", read(path)):
                self.assertTrue(os.path.exists(os.path.join(os.path.dirname(path), address)), f"{path}: {address}")

    @sample
    def test_gives_the_points_that_the_kit_gives(self):
        labs = self.grade_as_the_kit_does(["solutions/histogram/histogram_fast.cu", "solutions/scan/scan_fast.cu",
                                           "labs/histogram/wrong/global_atomics_only.cu", "labs/histogram/histogram.cu"])
        by_reference = [row for row in labs[0]["performance"] if row["reference"] is not None]
        self.assertTrue(by_reference)   # else nothing was measured against a solution
        self.assertEqual(labs[0]["score"], 100)
        self.assertTrue(0 < labs[2]["score"] < 100)

    def test_says_that_it_has_no_solutions(self):
        for words, expected, status in ((("grade", "solutions"), "comes without solutions", 2),
                                        (("grade", "solutions/scan/scan.cu"), "comes without solutions", 2),
                                        (("lab", "check", f"{self.kit}/labs/scan"), "comes without its solution", 2),
                                        (("export", "gradescope-zip", "--labs", "scan", "--out", f"{self.root}/z.zip"),
                                         "Make it in the kit that has the solutions", 2)):
            done = lockstep(self.kit, *words, cwd=self.kit)
            self.assertIn(expected, " ".join(done.stdout.split()))
            self.assertEqual(done.returncode, status, done.stdout)

    def test_a_seal_that_is_damaged_or_away_is_a_failure_of_the_kit(self):
        seal = f"{self.kit}/labs/histogram/sealed"
        with open(seal, "rb") as file:
            whole = file.read()
        self.addCleanup(shutil.move, shutil.copy(seal, f"{self.root}/kept"), seal)
        for content, expected in ((whole[:-1] + bytes([whole[-1] ^ 1]), "is damaged"), (whole[:60], "is damaged"),
                                  (None, "neither the solution of histogram nor a seal"),
                                  (read(f"{self.kit}/labs/scan/lab.yaml").encode(), "is damaged")):
            os.unlink(seal) if content is None else write_bytes(seal, content)
            done = lockstep(self.kit, "grade", "solutions/histogram/histogram_fast.cu", "--seed", SEED)
            if content is None:   # the compiled reference on the CPU is taken only where a seal says that there is no other
                self.assertIn("hooks.c", done.stdout)
            else:
                self.assertEqual(done.returncode, 3, done.stdout)
                self.assertIn(expected, " ".join(done.stdout.split()))

    def test_begins_a_lab_again_from_the_skeleton_although_the_file_was_changed(self):
        skeleton = f"{self.kit}/labs/scan/scan.cu"
        shutil.copy("labs/scan/wrong/exclusive.cu", skeleton)
        self.addCleanup(shutil.copy, "labs/scan/scan.cu", skeleton)
        self.assertEqual(lockstep(self.kit, "reset", "scan").returncode, 0)
        self.assertTrue(filecmp.cmp(skeleton, "labs/scan/scan.cu", shallow=False))

    @sample
    def test_recognises_in_a_class_what_the_kit_recognises(self):
        folder = self.scratch()
        solution = read("solutions/histogram/histogram.cu")
        write(f"{folder}/class/ann/histogram.cu", solution)
        write(f"{folder}/class/ben/histogram.cu", re.sub(r"\bcounts\b", "own", solution))
        write(f"{folder}/class/eve/histogram.cu", read("labs/histogram/histogram.cu"))
        found = []
        for kit in (".", self.kit):
            done = lockstep(kit, "batch", f"{folder}/class", "--out", f"{folder}/out", "--no-pages")
            self.assertLessEqual(done.returncode, 1, done.stdout)
            with open(f"{folder}/out/class.json", encoding="utf-8") as file:
                document = json.load(file)
            found.append({student["id"]: sorted((problem["code"], problem["message"]) for problem in student["problems"])
                          for student in document["students"]})
            shutil.rmtree(f"{folder}/out")
        codes = {student: [code for code, _ in problems] for student, problems in found[0].items()}
        self.assertEqual(codes["ann"], ["the_solution"])
        self.assertEqual(codes["ben"], ["compiles_to_the_solution"])
        self.assertIn("untouched", codes["eve"])
        histogram = [{student: [one for one in problems if "histogram" in one[1]] for student, problems in kit.items()}
                     for kit in found]
        self.assertEqual(histogram[0], histogram[1])

    @host
    def test_is_the_same_archive_each_time(self):
        again = make_archive(f"{self.root}/again.tar.gz", "--labs", LABS)
        self.assertTrue(filecmp.cmp(self.archive, again, shallow=False))

    def test_needs_no_build_to_be_set_up(self):
        environment = {**os.environ, "LOCKSTEP_SETUP_APT": "no", "LOCKSTEP_SETUP_NVRTC": "none"}
        done = subprocess.run([f"{self.kit}/ci/setup"], env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        self.assertIn("made before: lockstep", done.stdout)
        self.assertNotIn("ninja", done.stdout)

    def test_becomes_a_course_that_fetches_it_and_no_other(self):
        course = os.path.join(self.scratch(), "course")

        def new_course(*words, status=0):
            done = subprocess.run(["ci/new-course", *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual(done.returncode, status, done.stdout)
            return done.stdout

        self.assertIn("upload", new_course("--kit", "school/labs@v1", "--without-solutions", self.archive, "--labs", "scan",
                                           course))
        self.assertEqual(os.listdir(f"{course}/labs"), ["scan"])
        workflow = read(f"{course}/.github/workflows/grade.yml")
        digest = subprocess.run(["sha256sum", self.archive], stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]
        self.assertIn("https://github.com/school/labs/releases/download/v1/lockstep-labs.tar.gz", workflow)
        self.assertIn(f"KIT_SHA256: {digest}", workflow)
        self.assertIn(digest, read(f"{course}/README.md"))
        write(f"{course}/labs/scan/scan.cu", "mine\n")
        said = new_course("--add", LABS, "--without-solutions", self.archive, course)
        self.assertIn("was there already", said)
        self.assertNotIn("another kit", said)
        self.assertEqual(read(f"{course}/labs/scan/scan.cu"), "mine\n")
        self.assertEqual(read(f"{course}/labs/histogram/histogram.cu"), read("labs/histogram/histogram.cu"))
        self.assertIn("no lab 'pi'", new_course("--add", "pi", "--without-solutions", self.archive, course, status=2))
        self.assertIn("no folder labs/", new_course("--add", "scan", self.root, status=2))
        with tarfile.open(f"{self.root}/full.tar.gz", "w:gz") as full:
            full.add("solutions/scan", "kit/solutions/scan")
        self.assertIn("it has solutions/", new_course("--kit", "school/labs@v1", "--without-solutions",
                                                      f"{self.root}/full.tar.gz", course + "2", status=2))

    @host
    @with_program("curl", "curl")
    def test_is_fetched_checked_and_run_as_the_workflow_says(self):
        folder = self.scratch()
        course, temporary, output = (os.path.join(folder, name) for name in ("course", "temporary", "output"))
        subprocess.run(["ci/new-course", "--kit", "school/labs@v1", "--without-solutions", self.archive, course], check=True,
                       stdout=subprocess.DEVNULL)
        os.mkdir(temporary)
        fetch = re.search(r"run: \|\n((?: {10}.*\n)+)", read(f"{course}/.github/workflows/grade.yml"))[1]
        digest = re.search(r"KIT_SHA256: (\w+)", read(f"{course}/.github/workflows/grade.yml"))[1]
        environment = {**os.environ, **NVRTC, "RUNNER_TEMP": temporary, "KIT_ARCHIVE": f"file://{self.archive}",
                       "KIT_SHA256": "0" * 64, "GITHUB_OUTPUT": output, "GITHUB_ACTOR": "ada", "LOCKSTEP_HIDDEN_SEED": ""}

        def step(words, **more):
            return subprocess.run(["bash", "-e", "-c", words], cwd=course, env={**environment, **more}, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

        self.assertNotEqual(step(fetch).returncode, 0)   # another archive
        self.assertFalse(os.path.exists(f"{course}/.lockstep-kit"))
        self.assertEqual(step(fetch, KIT_SHA256=digest).returncode, 0)
        shutil.copy("solutions/histogram/histogram_fast.cu", f"{course}/labs/histogram/histogram.cu")
        done = step(".lockstep-kit/ci/action/steps find && .lockstep-kit/ci/action/steps set-up && "
                    ".lockstep-kit/ci/action/steps grade")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("The kit is ready.", done.stdout)
        with open(f"{temporary}/lockstep-results/result.json", encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual([(lab["lab"], lab["score"]) for lab in result["labs"]], [("histogram", 100)])
        self.assertEqual(result["kit"]["git"], read(f"{self.kit}/commit").strip() or None)


def write_bytes(path, content):
    with open(path, "wb") as file:
        file.write(content)


@host
class Everything(Package):
    labs = "all"

    def test_gives_nothing_away_of_any_lab(self):
        self.assertEqual(self.names(), sorted(name for name in os.listdir("labs") if os.path.isdir(f"labs/{name}")
                                              and not name.startswith(".")))
        self.give_nothing_away()

    def test_gives_the_points_that_the_kit_gives_in_every_lab(self):
        files = []
        for i, lab in enumerate(self.names()):   # what is right asks for the reference; of what is wrong, a sample
            wrong = sorted(glob.glob(f"labs/{lab}/wrong/*.cu"))
            files += [f"solutions/{lab}/{lab}_fast.cu"] + ([wrong[len(wrong) // 2]] if i % 3 == 0 else [])
        labs = self.grade_as_the_kit_does(files)
        self.assertEqual([lab["lab"] for lab in labs if lab["score"] == lab["max_score"]], self.names())

    def test_takes_a_lab_along_that_is_not_the_kits(self):
        archive = make_archive(f"{self.root}/own.tar.gz", "--labs", "scan,transpose", "--labs-from", "tests/labs/transpose")
        unpack(archive, f"{self.root}/own")
        kit = f"{self.root}/own/lockstep-labs"
        self.assertEqual(sorted(os.listdir(f"{kit}/labs/transpose"))[-1], "transpose.cu")
        self.assertFalse(os.path.exists(f"{kit}/labs/transpose/solution.cu"))
        file = shutil.copy("tests/labs/transpose/solution.cu", f"{self.scratch()}/transpose.cu")
        lab = graded(kit, self.scratch(), file)[0]
        self.assertEqual((lab["score"], lab["max_score"]), (100, 100))


if __name__ == "__main__":
    unittest.main()

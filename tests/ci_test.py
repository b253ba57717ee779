"""What a course's CI runs: ci/grade-here, GitHub's action and template, the autograders of Gradescope and Classroom 50."""

import filecmp
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import zipfile

import yaml
from classes import host
from exports.support import BUILD, convert, jsonschema, lockstep
from exports.test_classroom50 import ENVIRONMENT, SCHEMA as CLASSROOM50
from exports.test_github import parse_command
from exports.test_gradescope import SCHEMA as GRADESCOPE

KIT = os.getcwd()
LABS = sorted(name for name in os.listdir("labs") if os.path.exists(f"labs/{name}/lab.yaml"))
CHECKER = shutil.which("check-jsonschema") or shutil.which("build/venv/bin/check-jsonschema")
ZIZMOR = shutil.which("zizmor") or shutil.which("build/venv/bin/zizmor")
STUDENTS = ["ci/template/.github/workflows/grade.yml", "ci/template-archive/.github/workflows/grade.yml"]
WORKFLOWS = [*(f".github/workflows/{name}.yml" for name in ("lockstep", "nightly", "release")), "ci/action/action.yml",
             *STUDENTS, "ci/template-instructor/.github/workflows/deadline.yml"]


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Case(unittest.TestCase):
    """A folder of the test's own, in which a kit stands whose build is the one under test."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name
        self.kit = os.path.join(self.root, "kit")
        for name in ("ci", "grader"):
            os.makedirs(os.path.join(self.kit, name))
        for name in ("ci/grade-here", "ci/new-course", "ci/course_labs.py", "ci/action", "ci/template",
                     "ci/template-instructor", "ci/course", "grader/pages"):
            copy = shutil.copytree if os.path.isdir(name) else shutil.copy
            copy(name, os.path.join(self.kit, name))
        shutil.copytree("labs", os.path.join(self.kit, "labs"), ignore=shutil.ignore_patterns("wrong"))
        os.symlink(os.path.join(KIT, BUILD), os.path.join(self.kit, "build"))

    def put(self, path, source="solutions/doublify/doublify.cu", text=None):
        """Writes root/path: a copy of a file, or a text."""
        full = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(full), exist_ok=True)
        if text is None:
            shutil.copy(source, full)
        else:
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        return full

    def run_in(self, folder, *words, **environment):
        plain = {name: value for name, value in os.environ.items()
                 if not name.startswith(("GITHUB_", "LOCKSTEP_", "RUNNER_"))}
        return subprocess.run(words, cwd=os.path.join(self.root, folder), env={**plain, **environment}, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True)

    def grade(self, folder, *words, status=0, **environment):
        """Runs grade-here in root/folder; returns what it printed and the result, None where there is none."""
        os.makedirs(os.path.join(self.root, folder), exist_ok=True)
        done = self.run_in(folder, f"{self.kit}/ci/grade-here", "--seed", "1", *words, **environment)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        path = os.path.join(self.root, folder, "lockstep-results/result.json")
        return done, load(path) if os.path.exists(path) else None


class GradeHere(Case):
    def heard(self, text):
        """The names of the commands that GitHub's runner hears in an output."""
        stopped, heard = None, []
        for line in text.split("\n"):
            command = parse_command(line)
            if stopped is not None:   # it listens to nothing but the token
                stopped = None if line.strip() == f"::{stopped}::" else stopped
            elif command and command[0] == "stop-commands":
                stopped = command[2]
            elif command:
                heard.append(command[0])
            else:
                self.assertNotIn("##[", line)   # the old form of commands, anywhere in a line
        self.assertIsNone(stopped)
        return heard

    def test_finds_the_labs_of_a_repository(self):
        self.put("work/labs/doublify/doublify.cu")
        self.put("work/labs/scan/wrong/scan.cu", "labs/scan/scan.cu")
        done, result = self.grade("work", "--name", "ada", "--export", "junit=junit.xml", "--export", "github",
                                  LOCKSTEP_HIDDEN_SEED="")
        self.assertEqual((result["submission"]["id"], result["score"]), ("ada", 100))
        self.assertNotIn("hidden", [test["visibility"] for test in result["labs"][0]["tests"]])
        self.assertEqual([lab["lab"] for lab in result["labs"]], ["doublify"])
        self.assertTrue(os.path.exists(os.path.join(self.root, "work/lockstep-results/junit.xml")))
        self.assertNotIn("::error", done.stdout)

    def test_gives_a_lab_that_is_missing_no_points_and_says_why(self):
        self.put("work/a/doublify.cu")
        self.put("work/a/scan.cu", "labs/scan/scan.cu")
        self.put("work/b/scan.cu", "labs/scan/wrong/barrier_under_if.cu")
        self.put("work/a/scan.cu", "solutions/scan/scan_fast.cu")
        os.symlink("/etc/passwd", os.path.join(self.root, "work/histogram.cu"))
        done, result = self.grade("work", "--labs", "pi,histogram,scan,doublify", status=1)
        jsonschema.validate(result, load("grader/result/result.schema.json"))
        self.assertEqual([lab["lab"] for lab in result["labs"]], ["doublify", "pi", "scan", "histogram"])
        self.assertEqual([lab["score"] for lab in result["labs"]], [100, 0, 0, 0])
        self.assertEqual((result["score"], result["max_score"]), (100, 400))
        for lab, expected in zip(result["labs"][1:], ("pi.cu is missing", "a/scan.cu and ./b/scan.cu", "a symbolic link")):
            self.assertIn(expected, lab["message"])
            self.assertIn(expected, lab["tests"][0]["findings"][0]["message"])
            self.assertIn(expected, done.stdout)
        self.assertNotIn("lockstep-", json.dumps(result["submission"]["files"]))

    def test_survives_names_made_to_deceive(self):
        for name in (b"\xff\xfe", b"a\n::error::owned", b"##[error]owned", b"\x1b[31mred", b"-rf", b"..."):
            folder = os.path.join(os.fsencode(self.root), b"work", name)
            os.makedirs(folder)
            with open(os.path.join(folder, b"scan.cu"), "wb") as file:
                file.write(b"// " + name)
        done, result = self.grade("work", "--labs", "scan", "--export", "github", status=1, GITHUB_ACTIONS="true")
        self.assertIn("5 different files are for scan: ", result["labs"][0]["message"])
        self.assertEqual(self.heard(done.stdout), ["error"])   # our own annotation
        self.assertNotIn("\x1b", done.stdout)
        shutil.rmtree(os.path.join(os.fsencode(self.root), b"work"))
        os.makedirs(os.path.join(os.fsencode(self.root), b"work", b"\xff \n-"))
        with open(os.path.join(os.fsencode(self.root), b"work", b"\xff \n-", b"scan.cu"), "wb"):
            pass
        self.assertEqual(self.grade("work", "--labs", "scan,pi", status=1)[1]["score"], 0)

    def test_takes_a_single_file_by_any_name_when_one_lab_is_wanted(self):
        self.put("work/Übung 1/meine lösung.cu", text="")
        self.assertIn("is empty", self.grade("work", "--labs", "doublify", status=1)[1]["labs"][0]["message"])
        self.assertIn("is missing", self.grade("work", "--labs", "doublify,scan", status=1)[1]["labs"][0]["message"])

    @host
    @unittest.skipIf(os.geteuid() == 0, "root may read every file")
    def test_gives_a_file_that_cannot_be_read_no_points(self):
        os.chmod(self.put("work/doublify.cu"), 0)
        self.assertIn("cannot be read", self.grade("work", "--labs", "doublify", status=1)[1]["labs"][0]["message"])

    def test_makes_no_result_that_lacks_a_lab(self):
        self.put("work/doublify.cu", text="")
        self.put("work/scan.cu", text="")
        os.unlink(os.path.join(self.kit, "build"))
        program = self.put("kit/build/lockstep", text=f"""#!/usr/bin/env python3
import os, sys
words = [word for word in sys.argv[1:] if word != "scan.cu"]   # as if it could not be read
os.execv({os.path.join(KIT, BUILD, "lockstep")!r}, ["lockstep"] + words)
""")
        os.chmod(program, 0o755)
        done, result = self.grade("work", "--labs", "doublify,scan", "--export", "gradescope=results.json", status=3)
        self.assertIsNone(result)
        self.assertIn("left out scan", done.stderr)
        self.assertNotIn('"score"', json.dumps(load(os.path.join(self.root, "work/lockstep-results/results.json"))))

    def test_leaves_out_what_nobody_has_begun(self):
        self.put("work/labs/doublify/doublify.cu", "labs/doublify/doublify.cu")
        done, result = self.grade("work", "--skip-untouched", "--export", "github")
        self.assertIsNone(result)
        self.assertIn("doublify: not begun", done.stdout)
        with open("labs/doublify/doublify.cu", encoding="utf-8") as file:
            self.put("work/labs/doublify/doublify.cu", text=file.read().replace("\n", "\r\n"))
        self.assertIsNone(self.grade("work", "--skip-untouched")[1])

    def test_says_what_makes_no_sense(self):
        for words, status, expected in (((), 1, "nothing to grade"), (("--labs", "sort"), 2, "no lab 'sort'"),
                                        (("nowhere",), 2, "nowhere is not a folder")):
            done, result = self.grade("work", *words, status=status, GITHUB_ACTIONS="true")
            self.assertIn(expected, done.stderr)
            self.assertIn(f"::error title=Lockstep::{'--labs' if words[:1] == ('--labs',) else ''}", done.stdout)
            self.assertIsNone(result)

    def test_exports_nothing_of_an_earlier_run(self):
        self.put("work/doublify.cu", text="")
        self.assertEqual(self.grade("work", status=1)[1]["max_score"], 100)
        os.unlink(os.path.join(self.root, "work/doublify.cu"))
        done, result = self.grade("work", "--export", "junit", "--export", "gradescope=results.json", status=2)
        self.assertIsNone(result)
        self.assertNotIn("<testsuites", done.stdout)
        self.assertNotIn('"score"', json.dumps(load(os.path.join(self.root, "work/lockstep-results/results.json"))))

    def test_runs_hidden_tests_with_a_seed_that_no_child_gets(self):
        self.put("work/doublify.cu")
        _, result = self.grade("work", LOCKSTEP_HIDDEN_SEED="a seed of the course's own, long enough")
        self.assertIn("hidden", [test["visibility"] for test in result["labs"][0]["tests"]])

    def test_gives_the_runner_no_command_of_a_student(self):
        self.put("work/doublify.cu", text='#error "\\n"\n::add-mask::a\n#error ::set-output name=x::y\n')
        done, _ = self.grade("work", "--export", "github", GITHUB_ACTIONS="true", status=1)
        heard = self.heard(done.stdout)
        self.assertTrue(heard)
        self.assertLessEqual(set(heard), {"error", "warning", "notice"})
        self.assertIn("::add-mask::a", done.stdout)   # shown, and not heard


class Course(Case):
    """The template, and the action's steps in it."""

    def course(self, *words, status=0):
        done = self.run_in(".", f"{self.kit}/ci/new-course", "--kit", "school/lockstep@v1.0", "course", *words)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def test_has_the_skeletons_and_names_the_kit(self):
        self.course()
        for lab in LABS:
            path = f"labs/{lab}/{lab}.cu"
            self.assertTrue(filecmp.cmp(path, os.path.join(self.root, "course", path), shallow=False))
        for folder, _, names in os.walk(os.path.join(self.root, "course")):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    self.assertNotRegex(file.read(), r"OWNER|\bKIT\b|\bREF\b", name)
        with open(os.path.join(self.root, "course/.github/workflows/grade.yml"), encoding="utf-8") as file:
            self.assertIn("school/lockstep/ci/action@v1.0", file.read())

    def test_refuses_what_would_be_lost_or_make_no_sense(self):
        self.course("--labs", "scan")
        self.assertEqual(os.listdir(os.path.join(self.root, "course/labs")), ["scan"])
        self.assertIn("not empty", self.course(status=2).stderr)
        self.assertIn("takes --kit alone", self.course("--instructor", "--labs", "scan", status=2).stderr)
        self.assertIn("no lab 'sort'", self.course("--labs", "sort", status=2).stderr)
        self.assertIn("OWNER/REPOSITORY@REF", self.course("--kit", "lockstep", status=2).stderr)

    def test_gets_labs_later_and_keeps_what_a_student_wrote(self):
        self.course("--labs", "scan")
        self.put("course/labs/scan/scan.cu", text="mine\n")
        done = self.run_in(".", f"{self.kit}/ci/new-course", "--add", "pi,scan", "course")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("was there already", done.stdout)
        self.assertEqual(sorted(os.listdir(os.path.join(self.root, "course/labs"))), ["pi", "scan"])
        with open(os.path.join(self.root, "course/labs/scan/scan.cu"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "mine\n")

    def test_has_an_instructors_repository(self):
        done = self.run_in(".", f"{self.kit}/ci/new-course", "--instructor", "--kit", "school/lockstep@v1.0", "grades")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.root, "grades/.github/workflows/deadline.yml"), encoding="utf-8") as file:
            text = file.read()
        kit = yaml.safe_load(text)["jobs"]["grade"]["steps"][1]["with"]
        self.assertEqual((kit["repository"], kit["ref"]), ("school/lockstep", "v1.0"))
        for name in ("README.md", "repositories.csv", "course.yaml", "roster.csv"):
            with open(os.path.join(self.root, "grades", name), encoding="utf-8") as file:
                self.assertNotRegex(file.read(), r"OWNER|\bREF\b", name)

    def test_installs_no_more_than_a_cached_build_needs(self):
        os.unlink(os.path.join(self.kit, "build"))
        installed = os.path.join(self.root, "installed")
        for path, text in (("kit/build/lockstep", f"#!/bin/sh\ntest -e '{installed}'\n"),
                           ("kit/ci/setup", "#!/bin/sh\nexit 9\n"),
                           ("bin/apt-get", f"#!/bin/sh\ntest $1 = update || echo \"$@\" > '{installed}'\n"),
                           ("bin/sudo", '#!/bin/sh\nshift\nexec "$@"\n')):
            os.chmod(self.put(path, text=text), 0o755)
        environment = {"RUNNER_TEMP": self.root, "PATH": os.path.join(self.root, "bin") + ":" + os.environ["PATH"]}
        self.assertEqual(self.run_in(".", f"{self.kit}/ci/action/steps", "set-up", **environment).returncode, 9)
        self.put("kit/build/packages-to-run", text="libone\nlibtwo\n")
        done = self.run_in(".", f"{self.kit}/ci/action/steps", "set-up", **environment)
        self.assertEqual((done.returncode, done.stdout), (0, "The kit is ready.\n"))
        with open(installed, encoding="utf-8") as file:
            self.assertEqual(file.read(), "install -y --no-install-recommends libone libtwo\n")

    def test_is_graded_by_the_steps_of_the_action(self):
        self.course("--labs", "doublify,scan")
        self.put("course/labs/doublify/doublify.cu", "labs/doublify/wrong/no_guard.cu")
        files = {name: os.path.join(self.root, name) for name in ("output", "summary")}
        environment = {"GITHUB_ACTIONS": "true", "GITHUB_OUTPUT": files["output"], "GITHUB_STEP_SUMMARY": files["summary"],
                       "GITHUB_WORKSPACE": os.path.join(self.root, "course"), "RUNNER_TEMP": self.root,
                       "GITHUB_ACTOR": "ada", **ENVIRONMENT}
        steps = f"{self.kit}/ci/action/steps"

        def step(word, **more):
            return self.run_in("course", steps, word, **{**environment, **more})

        self.assertEqual(step("find").returncode, 0)
        self.assertEqual(step("set-up").stdout, "The kit is ready.\n")
        graded = step("grade", GRADE_FAIL="harness", GRADE_CLASSROOM50="true", GRADE_SEED="1")
        self.assertEqual(graded.returncode, 0, graded.stderr)
        self.assertRegex(graded.stdout, r"::error file=labs/doublify/doublify.cu,line=\d+,title=doublify%3A out of b")
        self.assertIn("scan: not begun", graded.stdout)
        with open(files["output"], encoding="utf-8") as file:
            outputs = dict(line.split("=", 1) for line in file.read().splitlines())
        self.assertEqual((set(outputs), outputs["max-score"]), ({"build", "key", "results", "score", "max-score"}, "100"))
        self.assertEqual(sorted(os.listdir(outputs["results"])), ["index.html", "junit.xml", "result.json"])
        jsonschema.validate(load(os.path.join(self.root, "course/result.json")), CLASSROOM50)
        with open(files["summary"], encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("## Lockstep: "))
        self.put("course/labs/doublify/doublify.cu", text="")
        self.assertEqual(step("grade").returncode, 1)
        self.assertEqual(step("grade", GRADE_FAIL="maybe").returncode, 2)


class Workflows(unittest.TestCase):
    """The YAML files themselves."""

    def setUp(self):
        with open("ci/action/action.yml", encoding="utf-8") as file:
            self.action = yaml.safe_load(file)
        self.workflows = {}
        for path in STUDENTS:
            with open(path, encoding="utf-8") as file:
                self.workflows[path] = yaml.safe_load(file)

    def test_runs_nothing_but_the_steps_script(self):
        with open("ci/action/steps", encoding="utf-8") as file:
            known = re.findall(r"^    ([a-z-]+)\) \w+ ;;$", file.read(), re.MULTILINE)
        words = []
        for step in self.action["runs"]["steps"]:
            if "run" in step:
                self.assertEqual(step["shell"], "bash")
                words.append(re.fullmatch(r'"\$GITHUB_ACTION_PATH/steps" ([a-z-]+)', step["run"])[1])
            else:
                self.assertRegex(step["uses"], r"^actions/[a-z-]+(/[a-z]+)?@[0-9a-f]{40}$")
        self.assertEqual(words, known)
        cached = [step["with"] for step in self.action["runs"]["steps"] if "/cache/" in step.get("uses", "")]
        self.assertEqual(len(cached), 2)
        self.assertEqual(cached[0], cached[1])   # else what is saved would not be found

    def test_pin_the_actions_of_others_by_commit_and_name_the_version(self):
        listed = []
        for folder, folders, names in os.walk("."):
            folders[:] = [name for name in folders if name not in (".git", "build")]
            listed += [os.path.relpath(os.path.join(folder, name)) for name in names if name.endswith((".yml", ".yaml"))]
        self.assertLessEqual(set(WORKFLOWS), set(listed))
        pins = {}
        for path in listed:
            with open(path, encoding="utf-8") as file:
                used = re.findall(r"^[ -]*uses: *(.*)$", file.read(), re.MULTILINE)
            self.assertTrue(used or path not in WORKFLOWS, path)
            for words in used:
                if words.startswith("./") or words == f"OWNER/KIT/ci/action@{'0' * 40} # REF":   # ours
                    continue
                with self.subTest(path=path, uses=words):
                    found = re.fullmatch(r"([\w.-]+/[\w.-]+)(?:/[\w./-]+)?@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", words)
                    self.assertIsNotNone(found)
                    self.assertEqual(pins.setdefault(found[1], found.groups()[1:]), found.groups()[1:], "two pins")

    def test_uses_inputs_and_outputs_that_exist(self):
        with open("ci/action/action.yml", encoding="utf-8") as file:
            text = file.read()
        self.assertEqual(set(re.findall(r"inputs\.([a-z0-9-]+)", text)), set(self.action["inputs"]))
        with open("ci/action/steps", encoding="utf-8") as file:
            steps = file.read()
        variables = next(step["env"] for step in self.action["runs"]["steps"] if step.get("id") == "grade")
        for name in set(variables) - {"LOCKSTEP_HIDDEN_SEED"}:   # that one is grade-here's
            self.assertIn("${" + name, steps)
        found = {(step, output) for step, output in re.findall(r"steps\.(\w+)\.outputs\.([a-z-]+)", text)}
        self.assertEqual(found, {("cache", "cache-hit"), ("kit", "build"), ("kit", "key"), ("kit", "results"),
                                 ("grade", "score"), ("grade", "max-score")})
        for path, workflow in self.workflows.items():
            used = [step for job in workflow["jobs"].values() for step in job["steps"]
                    if "/ci/action" in step.get("uses", "")]
            self.assertEqual(len(used), 2, path)
            for step in used:
                self.assertLessEqual(set(step.get("with", {})), set(self.action["inputs"]))

    def test_gives_strangers_nothing(self):
        for path, workflow in self.workflows.items():
            triggers = workflow[True]   # YAML 1.1 reads the key `on` so
            self.assertEqual(set(triggers), {"push", "pull_request", "workflow_dispatch"}, path)
            self.assertEqual(workflow["permissions"], {"contents": "read"}, path)
            self.assertNotIn("secrets.", json.dumps(workflow["jobs"]), path)
            for name, job in workflow["jobs"].items():
                self.assertLessEqual(job["timeout-minutes"], 30)
                self.assertFalse(job["steps"][0]["with"]["persist-credentials"])
                if "self-hosted" in job["runs-on"]:
                    self.assertIn("github.event_name != 'pull_request'", job["if"], name)

    def test_time_kernels_although_points_were_lost_before(self):
        for path, workflow in self.workflows.items():
            gpu = workflow["jobs"]["gpu"]
            self.assertEqual(gpu["needs"], "grade", path)
            self.assertIn("!cancelled()", gpu["if"], path)   # without it a job that others failed before does not run

    def test_grade_a_push_once_though_a_pull_request_is_open(self):
        for path, workflow in self.workflows.items():
            self.assertIn("pull_request.head.repo.full_name != github.repository", workflow["jobs"]["grade"]["if"], path)

    @host
    @unittest.skipUnless(ZIZMOR, "zizmor is not installed: ci/setup --dev installs it")
    def test_have_nothing_that_zizmor_finds(self):
        with tempfile.TemporaryDirectory() as folder:
            made = []
            for name, words in (("course", ()), ("grades", ("--instructor",))):
                made.append(os.path.join(folder, name))
                subprocess.run(["ci/new-course", *words, "--kit", f"school/lockstep@{'1' * 40}", made[-1]], check=True,
                               stdout=subprocess.DEVNULL)
            done = subprocess.run([ZIZMOR, "--offline", "--no-progress", *WORKFLOWS, *made], stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertIn("completed", done.stdout)

    @host
    @unittest.skipUnless(CHECKER, "check-jsonschema is not installed: ci/setup --dev installs it")
    def test_keep_to_the_schemas_of_github(self):
        for path in WORKFLOWS:
            schema = f"vendor.github-{'workflows' if '/workflows/' in path else 'actions'}"
            done = subprocess.run([CHECKER, "--builtin-schema", schema, path], stdout=subprocess.PIPE, text=True,
                                  check=False)
            self.assertEqual(done.returncode, 0, done.stdout)


class Gradebook(Case):
    def test_is_what_batch_writes(self):
        for name in ("=1+1", "-5", "Ångström, \"A\"", "ada"):
            self.put(f"class/{name}/scan.cu", text="")
        done = self.run_in(".", os.path.join(KIT, BUILD, "lockstep"), "batch", "class", "--out", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(self.root, "out/gradebook.csv"), encoding="utf-8", newline="") as file:
            self.assertEqual(convert("csv", os.path.join(self.root, "out/class.json")).stdout, file.read())


class Gradescope(Case):
    """The archive, unpacked as Gradescope does; the build that setup.sh would make is the one under test."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.archive = os.path.join(cls.directory.name, "autograder.zip")
        cls.autograder = os.path.join(cls.directory.name, "autograder")
        cls.source = os.path.join(cls.autograder, "source")
        seed = os.path.join(cls.directory.name, "seed")
        with open(seed, "w", encoding="utf-8") as file:
            file.write("a seed of the course's own, long enough")
        made = lockstep("export", "gradescope-zip", "--labs", "doublify,scan", "--hidden-seed-file", seed, "--hidden",
                        "after_due_date", "--out", cls.archive)
        assert made.returncode == 0, made.stderr
        with zipfile.ZipFile(cls.archive) as archive:
            for entry in archive.infolist():
                os.chmod(archive.extract(entry, cls.source), entry.external_attr >> 16)
        shutil.copy(os.path.join(cls.source, "run_autograder"), cls.autograder)
        os.symlink(os.path.join(KIT, BUILD), os.path.join(cls.source, "kit/build"))

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def results(self):
        for name in ("submission", "results"):
            os.makedirs(os.path.join(self.autograder, name), exist_ok=True)
        done = self.run_in(self.autograder, "./run_autograder")
        self.assertEqual(done.returncode, 0, done.stderr)
        made = load(os.path.join(self.autograder, "results/results.json"))
        shutil.rmtree(os.path.join(self.autograder, "submission"))
        jsonschema.validate(made, GRADESCOPE)
        return made

    def test_grades_what_was_handed_in(self):
        self.put(f"{self.autograder}/submission/some folder/doublify.cu")
        os.mkfifo(f"{self.autograder}/submission/scan.cu")
        made = self.results()
        self.assertEqual(made["score"], 100)
        heading = next(test for test in made["tests"] if test["name"] == "scan")
        self.assertIn("scan.cu: This is not a regular file but a FIFO.", heading["output"])
        self.assertEqual({test["visibility"] for test in made["tests"] if "hidden: " in test["name"]}, {"after_due_date"})

    def test_leaves_no_zero_when_the_grader_fails(self):
        self.put(f"{self.autograder}/submission/doublify.cu")
        build, setup = (os.path.join(self.source, "kit", name) for name in ("build", "ci/setup"))
        target = os.readlink(build)
        os.unlink(build)
        os.rename(setup, setup + ".away")
        self.put(setup, text="#!/bin/sh\nexit 1\n")
        made = self.results()
        os.rename(setup + ".away", setup)
        os.symlink(target, build)
        self.assertNotIn('"score"', json.dumps(made))
        self.assertIn("not a zero", made["output"])

    def test_archive_is_complete_and_always_the_same(self):
        again = os.path.join(self.root, "again.zip")
        lockstep("export", "gradescope-zip", "--labs", "doublify,scan", "--hidden", "after_due_date", "--hidden-seed-file",
                 os.path.join(self.source, "hidden-seed"), "--out", again)
        self.assertTrue(filecmp.cmp(self.archive, again, shallow=False))
        with zipfile.ZipFile(again) as archive:
            names = set(archive.namelist())
            self.assertLessEqual({"setup.sh", "run_autograder", "lockstep.conf", "kit/build.ninja", "kit/ci/setup",
                                  "kit/ci/grade-here", "kit/labs/scan/lab.yaml"}, names)
            self.assertEqual([name for name in names if "/.git/" in name or name.startswith("kit/build/")], [])
            for name in ("setup.sh", "run_autograder", "kit/ci/setup", "kit/ci/grade-here"):
                self.assertEqual(archive.getinfo(name).external_attr >> 16 & 0o777, 0o755, name)

    def test_refuses_labs_and_seeds_that_make_no_sense(self):
        for words, expected in ((("--labs", "sort"), "no lab 'sort'"), (("--labs", ","), "at least one"),
                                (("--labs", "scan;rm -rf /"), "no lab 'scan;rm'"), ((), "--labs"),
                                (("--labs", "scan", "--hidden-seed-file", self.put("seed", text="short")), "16 to 4096")):
            out = os.path.join(self.root, "refused.zip")
            refused = convert("gradescope-zip", "--out", out, *words)
            self.assertIn(refused.returncode, (1, 2))
            self.assertIn(expected, refused.stderr)
            self.assertFalse(os.path.exists(out))


class Classroom50(Case):
    def test_autograder_leaves_what_the_runner_reads(self):
        script = os.path.join(self.root, "autograder.py")
        made = lockstep("export", "classroom50-autograder", "--kit", "school/lockstep@v1.0", "--labs", "doublify", "--out",
                        script)
        self.assertEqual(made.returncode, 0, made.stderr)
        with open(script, encoding="utf-8") as file:
            self.assertIn('KIT = "https://github.com/school/lockstep"\nREF = "v1.0"\nLABS = "doublify"\n', file.read())
        self.put("checkout/doublify.cu", "labs/doublify/wrong/no_guard.cu")
        done = self.run_in("checkout", "python3", script, **ENVIRONMENT, LOCKSTEP_KIT=self.kit)
        self.assertEqual(done.returncode, 0, done.stderr)
        result = load(os.path.join(self.root, "checkout/result.json"))
        jsonschema.validate(result, CLASSROOM50)
        self.assertLess(result["score"], result["max-score"])
        self.assertTrue(os.path.exists(os.path.join(self.root, "checkout/release-body.md")))
        os.unlink(os.path.join(self.kit, "build"))
        os.unlink(os.path.join(self.root, "checkout/result.json"))
        self.put("kit/ci/setup", text="#!/bin/sh\nexit 1\n")
        done = self.run_in("checkout", "python3", script, **ENVIRONMENT, LOCKSTEP_KIT=self.kit)
        self.assertEqual(done.returncode, 3)
        self.assertFalse(os.path.exists(os.path.join(self.root, "checkout/result.json")))

    def test_refuses_a_kit_that_is_none(self):
        for kit in ("lockstep", "a/b", 'a/b@"; import os', "-a/b@c"):
            refused = convert("classroom50-autograder", f"--kit={kit}", "--labs", "all")
            self.assertEqual(refused.returncode, 2)
            self.assertIn("OWNER/REPOSITORY@REF", refused.stderr)


if __name__ == "__main__":
    unittest.main()

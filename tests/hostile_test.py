"""Hostile submissions (tests/hostile): each gets the verdict that its first line expects, and nothing else happens.

The first line of each is `// expect: CODE[|CODE] [line=N] - why`, as in labs/*/wrong; CODE pass means full marks. In the
text @FOLDER@ stands for a folder with canaries, and @N*text@ for the text N times. A second word in the name, as in
run/writes_to_an_input.scan.cu, is the lab; the lab is else doublify, and every lab for those in every_lab/, or, where it
asks for a whole program, in every_program/.
"""

import ctypes
import errno
import json
import os
import re
import resource
import shutil
import signal
import struct
import subprocess
import tempfile
import unittest
import unittest.mock

import dialect

from classes import corpus, outside
from waiting import processes, wait_until

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
LOCKSTEP = os.path.abspath(f"{BUILD}/lockstep")
LABS = sorted(name for name in os.listdir("labs") if os.path.exists(f"labs/{name}/lab.yaml"))
CANARY = "tweet_4f1c9a77"
TOKEN = "token_8b0e52d1"
LIMITS = "compile-cpu=1,compile-memory=1024"   # bombs show their nature long before the real limits
BUILD_LIMITS = "compile-cpu=4,compile-memory=512"   # of each step of a program's build
HAS_NVCC = shutil.which("nvcc") or os.path.exists("/usr/local/cuda/bin/nvcc")
SANITIZED = os.path.basename(BUILD) == "sanitize"
HELD_BY_ADDRESS_SPACE = ["takes_the_memory.cu"]   # what the limit holds that AddressSanitizer cannot live with


def hostile_files(folder):
    found = []
    for place, _, names in os.walk(f"tests/hostile/{folder}"):
        found += [os.path.join(place, name) for name in names if name.endswith(".cu")]
    return sorted(found)


def is_program(lab):
    """Does the lab ask for a whole program?"""
    with open(f"labs/{lab}/lab.yaml", encoding="utf-8") as file:
        return re.search(r"^program:", file.read(), re.M) is not None


def processes_of(session):
    """Numbers of the processes of this session that are still there."""
    return [process.pid for process in processes() if process.session == session and process.state != "Z"]


def old_kernel():
    """For preexec_fn: hides the system calls that came after Linux 4.18, as on RHEL 8: no Landlock, close_range, clone3."""
    newest, not_there = 334, 0x00050000 | errno.ENOSYS
    steps = [(0x20, 0, 0, 0), (0x25, 0, 2, newest), (0x35, 1, 0, 0x40000000), (0x06, 0, 0, not_there),
             (0x06, 0, 0, 0x7fff0000)]
    code = b"".join(struct.pack("HBBI", *step) for step in steps)
    buffer = ctypes.create_string_buffer(code)
    program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(steps), ctypes.addressof(buffer)))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(38, 1, 0, 0, 0) != 0 or libc.prctl(22, 2, program, 0, 0) != 0:   # no new privileges; filter
        os._exit(99)


def held_by(sandbox, preexec_fn=None):
    """What `doctor` says that files are held by; None where they are not."""
    settings = {**os.environ, "LOCKSTEP_SANDBOX": sandbox}
    done = subprocess.run([LOCKSTEP, "doctor"], stdin=subprocess.DEVNULL, capture_output=True, env=settings, check=False,
                          preexec_fn=preexec_fn)
    found = re.search(r"held by\s+(\w+)", done.stdout.decode())
    return found[1] if found else None


class Hostile(unittest.TestCase):
    maxDiff = None
    choice = "no-namespaces"   # which of the two ways to hold files is switched off

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = os.path.realpath(directory.name)
        self.folder = f"{self.root}/instructor"
        self.work = f"{self.root}/submissions"
        os.makedirs(f"{self.folder}/hidden")
        os.makedirs(f"{self.work}/other")
        os.makedirs(f"{self.root}/tmp")
        for path in (f"{self.folder}/canary", f"{self.folder}/hidden/solution.cu", f"{self.work}/other/doublify.cu"):
            with open(path, "w", encoding="utf-8") as file:
                file.write(f"#error {CANARY}\n")
        os.mkfifo(f"{self.folder}/fifo")
        self.cache = f"{self.root}/cache"

    def put(self, path):
        """A hostile file with its placeholders filled in; returns where it was put."""
        with open(path, encoding="utf-8") as file:
            text = file.read().replace("@FOLDER@", self.folder)
        text = re.sub(r"@(\d+)\*([^@]*)@", lambda match: int(match[1]) * match[2], text)
        target = f"{self.work}/{os.path.basename(path)}"
        with open(target, "w", encoding="utf-8") as file:
            file.write(text)
        return target

    def environment(self, sandbox):
        settings = {name: value for name, value in os.environ.items() if not name.startswith("LOCKSTEP_") or name in KEPT}
        sandbox = f"{sandbox},{self.choice}" if sandbox else self.choice
        settings.update({"LOCKSTEP_SANDBOX": sandbox, "LOCKSTEP_CACHE": self.cache, "COURSE_TOKEN": TOKEN,
                         "TMPDIR": f"{self.root}/tmp"})
        return settings

    def run_lockstep(self, *words, sandbox=LIMITS):
        """Runs it in a session of its own. Returns status, output and errors as bytes; nothing of it may be left."""
        with subprocess.Popen([LOCKSTEP, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env=self.environment(sandbox), start_new_session=True) as process:
            output, errors = process.communicate()
        self.assertEqual(processes_of(process.pid), [], "processes are left")
        return process.returncode, output, errors

    def snapshot(self):
        """Everything below the test's folder but the cache, which the grader itself writes. Programs are built in a folder
        in tmp/, which is removed: of tmp/ itself no time is kept."""
        seen = {}
        for place, folders, names in os.walk(self.root):
            if place == self.root and "cache" in folders:
                folders.remove("cache")
            for name in folders + names:
                facts = os.lstat(os.path.join(place, name))
                time_of_change = None if (place, name) == (self.root, "tmp") else facts.st_mtime_ns
                seen[os.path.join(place, name)] = (facts.st_mode, facts.st_size, time_of_change)
        return seen

    def grade(self, lab, files, sandbox=LIMITS, more=()):
        """Grades files for one lab. Returns the labs of the result, and all that was printed."""
        before = self.snapshot()
        status, output, errors = self.run_lockstep("grade", "--device", "emulated", "--seed", "4711", "--json", "-", "--lab",
                                                   lab, *more, *files, sandbox=sandbox)
        self.assertIn(status, (0, 1, 3), errors.decode(errors="replace")[-2000:])
        self.assertEqual(self.snapshot(), before, "files were made or changed")
        return json.loads(output)["labs"], output + errors

    def check_quiet(self, printed):
        """Nothing secret, nothing that a terminal or a CI system would obey."""
        text = printed.decode(errors="replace")
        for secret in (CANARY, TOKEN, "root:x:0"):
            self.assertNotIn(secret, text)
        self.assertEqual([line for line in text.splitlines() if line.lstrip().startswith("::")], [])
        self.assertIsNone(re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f]", text))

    @staticmethod
    def cause_of(lab):
        for test in lab["tests"]:
            if test["findings"] and test["message"] == lab["message"]:
                return test["findings"][0]
        return lab["tests"][0]["findings"][0] if lab["tests"][0]["findings"] else {"code": lab["state"], "line": None}

    def judge(self, path, lab):
        """What is wrong with this verdict; None when it is as expected."""
        expected = dialect.read_wrong(path)
        self.assertIsNotNone(expected, f"{path}: the first line must be // expect: CODE ... - why")
        full = lab["state"] == "pass" and lab["score"] == lab["max_score"]
        cause = self.cause_of(lab)
        code = "pass" if full else cause["code"]
        line = expected.line or cause["line"]
        if lab["state"] == "harness_error" or code not in expected.codes or (
                not full and (lab["score"] > lab["max_score"] / 4 or cause["line"] != line)):
            return f"{path}: {lab['state']}, {lab['score']} points, {code} line {cause['line']}: {str(lab['message'])[:300]}"
        return None

    def check_folder(self, folder, sandbox=LIMITS):
        by_lab = {}
        for path in hostile_files(folder):
            if SANITIZED and os.path.basename(path) in HELD_BY_ADDRESS_SPACE:
                continue
            words = os.path.basename(path).split(".")
            by_lab.setdefault(words[1] if len(words) == 3 else "doublify", []).append(path)
        problems = []
        for name, paths in by_lab.items():
            labs, printed = self.grade(name, [self.put(path) for path in paths], sandbox=sandbox)
            self.check_quiet(printed)
            self.assertEqual(len(labs), len(paths))
            problems += filter(None, map(self.judge, paths, labs))
        self.assertEqual(problems, [])

    # ---- the verdicts ----

    def test_keeps_the_compiler_from_files_and_bombs(self):
        self.check_folder("compiler")

    def test_takes_any_ptx(self):
        self.check_folder("ptx")

    def test_survives_what_runs(self):
        self.check_folder("run")

    def test_blames_a_program_for_what_it_asks_of_its_compiler(self):
        """Each step of a build has limits, and none of them is a failure of the kit."""
        with unittest.mock.patch.dict(os.environ, {"LOCKSTEP_NVCC": "none"}):
            self.check_folder("program", sandbox=BUILD_LIMITS)

    @outside
    @unittest.skipUnless(HAS_NVCC, "needs nvcc")
    def test_blames_a_program_for_what_it_asks_of_nvcc(self):
        self.check_folder("program", sandbox=BUILD_LIMITS)

    @corpus
    def test_gives_no_points_for_nothing_in_any_lab(self):
        problems = []
        for name in LABS:
            paths = hostile_files("every_program" if is_program(name) else "every_lab")
            self.assertTrue(paths)
            # Their largest cases cost most of a second each time, and their wrong/ has more of the kind.
            chosen = paths if name not in ("vector_add", "pi") else paths[2:3]
            labs, printed = self.grade(name, [self.put(path) for path in chosen])
            self.check_quiet(printed)
            problems += [f"{name} {problem}" for problem in filter(None, map(self.judge, chosen, labs))]
        self.assertEqual(problems, [])

    def test_does_not_tell_whether_a_file_exists(self):
        names = ("canary", "missing", "fifo", "hidden", "canary/below")
        paths = [f"{self.work}/asks_{number}.cu" for number in range(len(names))]
        for path, name in zip(paths, names):
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'#include "{self.folder}/{name}"\n')
        messages = {self.cause_of(lab)["message"].replace(f"{self.folder}/{name}", "NAME")
                    for lab, name in zip(self.grade("doublify", paths)[0], names)}
        self.assertEqual(len(messages), 1, messages)

    # ---- folders ----

    def test_takes_folders_as_they_come(self):
        """A student's folder with links, `..`, odd names, giant, endless and unreadable files."""
        folder = f"{self.work}/student"
        for lab in LABS:
            os.makedirs(f"{folder}/{lab}")
        os.symlink("../../other/doublify.cu", f"{folder}/doublify/doublify.cu")
        with open(f"{folder}/vector_add/vector_add.cu", "wb") as file:
            file.truncate(1 << 40)                                              # sparse
        os.mkfifo(f"{folder}/pi/pi.cu")
        os.mkdir(f"{folder}/scan/scan.cu")
        os.rmdir(f"{folder}/matmul_tiled")
        os.symlink(self.folder, f"{folder}/matmul_tiled")
        os.symlink("histogram.cu", f"{folder}/histogram/histogram.cu")       # to itself
        status, output, errors = self.run_lockstep("grade", "--device", "emulated", folder)
        text = (output + errors).decode()
        self.assertEqual(status, 2)
        self.check_quiet(output + errors)
        for words in ("link to a place outside", "too large", "pi.cu: not a regular file", "scan.cu: it is a folder"):
            self.assertIn(words, " ".join(text.split()))

    def test_shows_odd_names_without_obeying_them(self):
        name = "a\x1b[31m\x07b\n::error file=x::y\u202e.cu"
        with open(f"{self.work}/{name}", "w", encoding="utf-8") as file:
            file.write("int broken = ;\n")
        labs, printed = self.grade("doublify", [f"{self.work}/../submissions/{name}"])
        self.check_quiet(printed)
        self.assertEqual(self.cause_of(labs[0])["code"], "compile")

    # ---- what remains ----

    def test_leaves_no_process_when_it_is_killed(self):
        path = self.put("tests/hostile/run/endless_loop.cu")
        with subprocess.Popen([LOCKSTEP, "grade", "--device", "emulated", "--lab", "pi", path, "solutions/pi/pi.cu",
                               "solutions/vector_add/vector_add.cu"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, env=self.environment(LIMITS), start_new_session=True) as process:
            wait_until(lambda: len(processes_of(process.pid)) >= 4)   # grader, server, worker, child
            process.send_signal(signal.SIGKILL)
            process.wait()
        wait_until(lambda: processes_of(process.pid) == [])

    def test_goes_on_when_the_compile_server_dies(self):
        paths = [self.put(f"tests/hostile/compiler/{name}.cu")
                 for name in ("macro_bomb", "asks_whether_a_file_exists", "includes_a_file")]
        with subprocess.Popen([LOCKSTEP, "grade", "--device", "emulated", "--json", "-", "--lab", "doublify", *paths],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              env=self.environment(LIMITS), start_new_session=True) as process:
            wait_until(lambda: len(processes_of(process.pid)) >= 3)
            os.kill(min(set(processes_of(process.pid)) - {process.pid}), signal.SIGKILL)   # the first that it started
            labs = json.loads(process.communicate()[0])["labs"]
        self.assertEqual([lab["state"] for lab in labs], ["error", "pass", "error"])

    @unittest.skipIf(SANITIZED, "AddressSanitizer takes memory of its own")
    def test_stays_within_its_memory(self):
        path = self.put("tests/hostile/run/flood_of_memory.cu")
        self.grade("doublify", [path, self.put("tests/hostile/compiler/huge_array.cu")])
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 1600 << 10)   # KB

    # ---- the layers ----

    def attempts(self, sandbox):
        """What `doctor` says that a submission could do, by layer."""
        output = self.run_lockstep("doctor", sandbox=sandbox)[1].decode()
        block = output.partition("around a submission\n")[2].partition("\nprocess ")[0]
        could = {}
        for line in block.splitlines():
            if line[:18].strip():
                layer = line[:18].strip()
                could[layer] = set() if "locked in" in line else None
            elif could[layer] is None:
                could[layer] = {line.strip()}
            else:
                could[layer].add(line.strip())
        return could

    def test_holds_every_attempt_and_without_a_part_does_not(self):
        """Each part switched off makes something possible in each layer: so the attempts are real."""
        layers = {"compiler", "emulated run", "GPU run", "program build", "program run", "program on a GPU"}
        meant = {"program build": {"start a process", "execute what it wrote into memory"},   # what a layer is for
                 "program run": {"execute what it wrote into memory"},
                 "program on a GPU": {"execute what it wrote into memory"}}
        expected = {"": set(), "no-process": {"use a file that the grader had open", "outlive the grader when it is killed"},
                    "no-environment": {"read the environment"}, "no-rlimits": {"fill the disk"},
                    "no-seccomp": {"start a process", "execute what it wrote into memory"},
                    "no-seccomp,no-files": {"read one of the instructor's files", "connect over the network",
                                               "run a program"}}
        for sandbox, least in expected.items():
            could = self.attempts(sandbox)
            self.assertEqual(set(could), layers, sandbox)
            for layer, found in could.items():
                self.assertLessEqual(least - meant.get(layer, set()), found or set(), f"{sandbox}: {layer}")
                self.assertTrue(least or not found, f"{layer}: {found}")

    def test_where_files_are_not_held_only_the_kits_headers_are_there(self):
        """Landlock and namespaces alone can tell the toolkit's headers from other files; without them nothing is opened."""
        asks = self.put("tests/hostile/run/half_precision.cu")
        reads = self.put("tests/hostile/compiler/includes_a_file.cu")
        labs, printed = self.grade("doublify", [asks, reads], sandbox=f"{LIMITS},no-files")
        self.check_quiet(printed)
        self.assertEqual([lab["state"] for lab in labs], ["harness_error", "harness_error"])
        self.assertIn("Landlock", labs[0]["message"])
        labs, printed = self.grade("doublify", [asks], sandbox=f"{LIMITS},no-files", more=["--allow-unconfined"])
        self.assertEqual(labs[0]["state"], "fail")

    def test_the_canary_sings_where_there_is_no_sandbox(self):
        """The proof that the tests above can fail."""
        path = self.put("tests/hostile/compiler/includes_a_file.cu")
        printed = self.grade("doublify", [path], sandbox=f"{LIMITS},no-files,no-seccomp", more=["--allow-unconfined"])[1]
        self.assertIn(CANARY, printed.decode())

    def test_runs_hidden_tests_only_in_a_whole_sandbox(self):
        seed = f"{self.root}/seed"
        with open(seed, "w", encoding="utf-8") as file:
            file.write("a long line that nobody guesses\n")
        for sandbox, more, state in (("", [], "pass"), ("no-rlimits", [], "skipped"),
                                     ("no-rlimits", ["--allow-unconfined"], "pass")):
            labs = self.grade("doublify", ["solutions/doublify/doublify.cu"], sandbox=sandbox,
                              more=["--hidden-seed-file", seed, *more])[0]
            hidden = [test for test in labs[0]["tests"] if test["visibility"] == "hidden"]
            self.assertTrue(hidden)
            self.assertEqual({test["state"] for test in hidden}, {state})
            self.assertEqual(labs[0]["score"], labs[0]["max_score"])

    def test_says_what_is_switched_off(self):
        printed = self.grade("doublify", [self.put("tests/hostile/ptx/garbage.cu")], sandbox="no-rlimits")[1].decode()
        self.assertIn("LOCKSTEP_SANDBOX switches off rlimits", printed)

    def test_says_which_limit_of_the_shell_is_too_small(self):
        for limit, words in (("-f 1", b"ulimit -f"), ("-n 16", b"ulimit -n")):
            done = subprocess.run(["sh", "-c", f"ulimit {limit}; exec {LOCKSTEP} grade solutions/doublify/doublify.cu"],
                                  stdin=subprocess.DEVNULL, capture_output=True, env=self.environment(LIMITS), check=False)
            self.assertEqual(done.returncode, 3, done)
            self.assertIn(words, done.stderr)

    def test_refuses_a_word_that_it_does_not_know(self):
        status, output, errors = self.run_lockstep("grade", "solutions", sandbox="no-secomp")
        self.assertEqual((status, output), (2, b""))
        self.assertIn(b"no-secomp", errors)


@unittest.skipIf(held_by("no-landlock") is None, "this machine permits no user namespaces with mounts")
class HostileInNamespaces(Hostile):
    """Everything again, with files held in the way of kernels that have no Landlock."""
    choice = "no-landlock"

    def test_the_result_names_the_way(self):
        output = self.run_lockstep("grade", "--device", "emulated", "--json", "-", "solutions/doublify/doublify.cu")[1]
        self.assertEqual(json.loads(output)["machine"]["sandbox"],
                         ["process", "environment", "rlimits", "seccomp", "namespaces"])

    def test_a_kernel_of_2018_is_enough(self):
        """Linux 4.18, as in RHEL 8: the calls that came later are not there."""
        self.assertEqual(held_by("", old_kernel), "namespaces")
        reads = self.put("tests/hostile/compiler/includes_a_file.cu")
        asks = self.put("tests/hostile/run/half_precision.cu")
        for settings, states in (("", ["pass", "error", "fail"]),
                                 ("no-namespaces", ["pass", "harness_error", "harness_error"])):
            done = subprocess.run([LOCKSTEP, "grade", "--device", "emulated", "--json", "-", "--lab", "doublify",
                                   "solutions/doublify/doublify.cu", reads, asks],
                                  stdin=subprocess.DEVNULL, capture_output=True, check=False, preexec_fn=old_kernel,
                                  env={**self.environment(LIMITS), "LOCKSTEP_SANDBOX": settings,
                                       "LOCKSTEP_CACHE": f"{self.cache}-{settings}"})
            self.check_quiet(done.stdout + done.stderr)
            self.assertEqual([lab["state"] for lab in json.loads(done.stdout)["labs"]], states, done.stderr)

    def test_the_working_folder_keeps_its_name(self):
        """The compiler writes it into what it makes: the same bytes in both ways, from any folder."""
        os.makedirs(f"{self.root}/at/work")
        said = []
        program = os.path.abspath("tests/hostile/run/half_precision.cu")
        for choice in ("no-landlock", "no-namespaces"):
            done = subprocess.run([LOCKSTEP, "grade", "--device", "emulated", "--seed", "1", "--json", "-", "--lab",
                                   "doublify", program], cwd=f"{self.root}/at/work", stdin=subprocess.DEVNULL,
                                  capture_output=True, check=False,
                                  env={**self.environment(LIMITS), "LOCKSTEP_SANDBOX": choice,
                                       "LOCKSTEP_CACHE": f"{self.cache}-{choice}"})
            lab = json.loads(done.stdout)["labs"][0]
            said.append((lab["state"], lab["score"], lab["message"]))
        self.assertEqual(said[0], said[1])


KEPT = ("LOCKSTEP_NVCC", "LOCKSTEP_NVRTC", "LOCKSTEP_EMULATED_DRIVER", "LOCKSTEP_TEST_SEED")

if __name__ == "__main__":
    unittest.main()

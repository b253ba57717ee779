"""Labs whose learner writes a whole program (tests/labs/first_program, overlap): right, wrong and hostile programs."""

import glob
import json
import os
import shutil
import subprocess
import tempfile
import unittest

import dialect
import result_schema
from slow import slow

BUILD = os.path.abspath(os.environ.get("LOCKSTEP_BUILD", "build"))
LOCKSTEP = f"{BUILD}/lockstep"
FOLDER = "tests/labs"
LAB = "first_program"
LABS = ("first_program", "overlap")
IN_PARTS = {"LOCKSTEP_NVCC": "none"}   # as if there were no nvcc: NVRTC and the system's C++ compiler build the program
HAS_NVCC = shutil.which("nvcc") or os.path.exists("/usr/local/cuda/bin/nvcc")
SOLUTION = f"{FOLDER}/{LAB}/solution.cu"
CANARY = "tweet_2b6e01d9"
JUDGE = result_schema.validator()

# What a program tries at its beginning; whatever succeeds, it prints, and then its output is wrong.
ATTEMPTS = {
    "reads a file": 'FILE *file = std::fopen("@FOLDER@/canary", "r"); char text[64] = ""; '
                    "if (file && std::fgets(text, 64, file)) std::puts(text);",
    "lists a folder": 'if (opendir("@FOLDER@")) std::puts("broken");',
    "writes a file": 'if (std::fopen("@FOLDER@/new", "w")) std::puts("broken");',
    "changes its own program": 'if (std::fopen("program", "r+")) std::puts("broken");',
    "leaves a file behind": 'if (std::fopen("left", "w")) std::puts("broken");',
    "removes a file": 'if (std::remove("@FOLDER@/canary") == 0) std::puts("broken");',
    "starts a process": 'if (fork() >= 0) std::puts("broken");',
    "runs a program": 'if (std::system("true") == 0) std::puts("broken");',
    "becomes another program": 'execl("/bin/echo", "echo", "broken", (char *)0);',
    "opens a socket": "if (socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_UNIX, SOCK_STREAM, 0) >= 0) "
                      'std::puts("broken");',
    "kills the grader": 'if (kill(getppid(), SIGTERM) == 0) std::puts("broken");',
    "reads the grader's memory": 'char path[64]; std::snprintf(path, 64, "/proc/%d/mem", getppid()); '
                                 'if (std::fopen(path, "r")) std::puts("broken");',
    "traces the grader": 'if (ptrace(PTRACE_ATTACH, getppid(), 0, 0) == 0) std::puts("broken");',
    "raises its limits": "rlimit none = {RLIM_INFINITY, RLIM_INFINITY}; "
                         'if (setrlimit(RLIMIT_CPU, &none) == 0) std::puts("broken");',
    "looks at the environment": 'if (getenv("LOCKSTEP_CANARY") || getenv("HOME")) std::puts("broken");',
    "uses the grader's files": 'for (int i = 6; i < 256; i++) if (write(i, "x", 1) == 1) std::puts("broken");',
}
HEADERS = "".join(f"#include <{name}>\n" for name in (
    "dirent.h", "signal.h", "sys/ptrace.h", "sys/resource.h", "sys/socket.h", "unistd.h"))


def solution():
    with open(SOLUTION, encoding="utf-8") as file:
        return file.read()


class Program(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = os.path.realpath(directory.name)
        self.environment = {**os.environ, **IN_PARTS, "LOCKSTEP_CANARY": "sings", "LOCKSTEP_FOLDER": f"{self.folder}/work",
                            "CUDA_VISIBLE_DEVICES": ""}

    def grade(self, *paths, words=(), lab=LAB, environment=None):
        """The results of files, by the files' names without their ends."""
        out = f"{self.folder}/result.json"
        chosen = {} if environment is None else {"LOCKSTEP_NVCC": "", **environment}
        run = subprocess.run([LOCKSTEP, "grade", *paths, "--labs-from", FOLDER, "--lab", lab, "--seed", "7", "--json", out,
                              *words], env={**self.environment, **chosen}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False, timeout=600)
        self.assertIn(run.returncode, (0, 1), run.stdout + run.stderr)
        with open(out, encoding="utf-8") as file:
            result = json.load(file)
        self.assertEqual(result_schema.mistakes(JUDGE, result), [])
        self.assertEqual(len(result["labs"]), len(paths))
        return {os.path.splitext(os.path.basename(path))[0]: lab for path, lab in zip(paths, result["labs"])}

    def write(self, name, text):
        path = f"{self.folder}/{name}.cu"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def check_lab(self, lab, environment):
        """Its solution has full marks, its skeleton none, and every wrong version the cause that its first line expects."""
        solved = self.grade(f"{FOLDER}/{lab}/solution.cu", lab=lab, environment=environment)["solution"]
        self.assertEqual((solved["state"], solved["score"]), ("pass", 100), solved["message"])
        skeleton = self.grade(f"{FOLDER}/{lab}/{lab}.cu", lab=lab, environment=environment)[lab]
        self.assertEqual((skeleton["state"], skeleton["score"], skeleton["cause"]["code"]), ("fail", 0, "wrong_value"))
        paths = sorted(glob.glob(f"{FOLDER}/{lab}/wrong/*.cu"))
        self.assertGreaterEqual(len(paths), 5)
        results = self.grade(*paths, lab=lab, environment=environment)
        for path in paths:
            with self.subTest(path):
                self.check_wrong(dialect.read_wrong(path), results[os.path.splitext(os.path.basename(path))[0]])

    def check_wrong(self, expected, lab):
        self.assertLess(lab["score"], lab["max_score"])
        if expected.codes == ["budget"]:
            lost = [budget["metric"] for budget in lab["performance"] if budget["state"] == "fail"]
            self.assertEqual(lost, expected.seconds)
            return
        cause = lab["cause"]
        self.assertIn(cause["code"], expected.codes)
        if expected.seconds:
            self.assertIn(cause["pattern"], expected.seconds)
        if expected.line:
            self.assertEqual(cause["line"], expected.line)
        self.assertTrue(cause["title"] and cause["message"])

    def test_a_first_program_is_judged_without_nvcc(self):
        self.check_lab("first_program", IN_PARTS)

    def test_overlapping_copies_are_judged_without_nvcc(self):
        self.check_lab("overlap", IN_PARTS)

    def test_lab_check_finds_nothing_wrong_with_them(self):
        for lab in LABS:
            run = subprocess.run([LOCKSTEP, "lab", "check", f"{FOLDER}/{lab}"], env=self.environment, text=True, check=False,
                                 stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
            self.assertEqual(run.returncode, 0, run.stdout)

    @slow
    @unittest.skipUnless(HAS_NVCC, "needs nvcc")
    def test_nvcc_builds_what_is_judged_alike(self):
        for lab in LABS:
            self.check_lab(lab, {})

    @unittest.skipUnless(HAS_NVCC, "needs nvcc")
    def test_nvcc_builds_the_solutions(self):
        for lab in LABS:
            solved = self.grade(f"{FOLDER}/{lab}/solution.cu", lab=lab, environment={})["solution"]
            self.assertEqual((solved["state"], solved["score"]), ("pass", 100), solved["message"])

    def test_a_program_cannot_get_out_of_its_process(self):
        with open(f"{self.folder}/canary", "w", encoding="utf-8") as file:
            file.write(CANARY)
        base = solution().replace("#include <cstdio>", HEADERS + "#include <cstdio>")
        tried = {}
        for name, code in ATTEMPTS.items():
            code = code.replace("@FOLDER@", self.folder)
            text = base.replace("int main()\n{", "int main()\n{\n    { " + code + " }")
            path = self.write(name.replace(" ", "_").replace("'", ""), text)
            tried[os.path.splitext(os.path.basename(path))[0]] = path
        results = self.grade(*tried.values())
        for name in tried:
            with self.subTest(name):
                lab = results[name]
                self.assertNotIn(CANARY, json.dumps(lab))
                self.assertEqual((lab["state"], lab["score"]), ("pass", 100), lab["message"])
        self.assertEqual(sorted(os.listdir(self.folder)),
                         sorted(["canary", "result.json"] + [f"{name}.cu" for name in tried]))

    def test_a_source_cannot_bring_in_a_file_of_the_instructors(self):
        with open(f"{self.folder}/canary", "w", encoding="utf-8") as file:
            file.write(f"#error {CANARY}\n")
        lab = self.grade(self.write("includes", f'#include "{self.folder}/canary"\n' + solution()))["includes"]
        self.assertEqual(lab["state"], "error")
        self.assertNotIn(CANARY, json.dumps(lab))

    def test_a_forged_record_does_not_make_wrong_numbers_right(self):
        """The record lies in the program's own process: what is forged there is believed, but never a result."""
        start = solution().index("    float *d_a"), solution().index("    for (int i = 0; i < n; i++)\n        std::printf")
        lines = ['{"call":"launch","number":1,"result":0,"grid":[1,1,1],"block":[1,1,1],"at":[]}',
                 '{"call":"copy","number":1,"result":0,"to_host":99999999,"at":[]}']
        forged = "".join(f"    dprintf(5, \"%s\\n\", {json.dumps(line)});\n" for line in lines)
        frees = "".join(f"    CHECK(cudaFree(d_{name}));\n" for name in "abc")
        text = solution().replace("#include <cstdio>", "#include <unistd.h>\n#include <cstdio>").replace(frees, "")
        known = text.replace(solution()[start[0]:start[1]],
                             forged + "    for (int i = 0; i < n; i++)\n        c[i] = 610.0f;\n    (void)bytes;\n")
        lab = self.grade(self.write("forged", known))["forged"]
        right = [test for test in lab["tests"] if test["name"].startswith("n =") and test["state"] == "pass"]
        self.assertEqual(right, [])

    def test_hidden_cases_draw_their_own_inputs_and_show_nothing_of_them(self):
        seed = f"{self.folder}/seed"
        with open(seed, "w", encoding="utf-8") as file:
            file.write("a seed that is long enough for it")
        visible_only = solution().replace(
            "    size_t bytes = n * sizeof(float);",
            "    size_t bytes = n * sizeof(float);\n    if (n != 1 && n != 255 && n != 257 && n != 10000)\n"
            "        a[0] += 1;")
        lab = self.grade(self.write("visible_only", visible_only), words=("--hidden-seed-file", seed))["visible_only"]
        states = {test["name"]: test["state"] for test in lab["tests"]}
        self.assertEqual(states.pop("hidden: several blocks"), "fail")
        self.assertEqual(set(states.values()), {"pass"})
        hidden = [test for test in lab["tests"] if test["visibility"] == "hidden"][0]
        self.assertIsNone(hidden["expected"])
        self.assertEqual(hidden["findings"][0]["line"], None)

    def test_start_watchs_file_list_and_hint_serve_a_program_as_they_do_a_kernel(self):
        def run(*words):
            return subprocess.run([LOCKSTEP, *words, "--labs-from", os.path.abspath(FOLDER)], env=self.environment,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=120)
        started = run("start", "first_program", "--into", f"{self.folder}/work")
        self.assertEqual(started.returncode, 0, started.stderr)
        hint = run("hint", "first_program")
        self.assertIn("hint 1 of 3: wrong values", hint.stdout, hint.stderr)
        self.assertIn("first_program", run("list").stdout)


if __name__ == "__main__":
    unittest.main()

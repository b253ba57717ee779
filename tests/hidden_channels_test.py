"""What gets out of a grading about its hidden tests: a verdict each, and nothing of a submission's choosing.

Submissions that try to tell what they see are graded with hidden seeds, and everything that the kit writes is looked through
for the hidden sizes and values (tests/hidden_numbers.c computes them). And graded with two seeds that differ in nothing
else, everything must be the same, byte for byte, but for what `verdicts` takes out.
"""

import glob
import json
import os
import re
import subprocess
import tempfile
import threading
import unittest
from concurrent.futures import ThreadPoolExecutor

from classes import sample
from exports.support import convert

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
LOCKSTEP = os.path.abspath(f"{BUILD}/lockstep")
LABS = sorted(name for name in os.listdir("labs") if os.path.exists(f"labs/{name}/lab.yaml"))
SEEDS = ("another secret that nobody knows", "the other secret that nobody knows")
ONE_AT_A_TIME = threading.Lock()   # of the exports: they print
FORMATS = ("gradescope", "github", "junit", "html")

# ---- submissions that tell what they see -------------------------------------------------------------------------------

HEAD = "extern \"C\" __global__ void doublify(float *a, int n)\n{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
VISIBLE = "    bool shown = " + " || ".join(f"n == {n}" for n in (1, 16, 31, 32, 33, 255, 256, 257, 1000, 1009, 4095, 65537,
                                                               100003)) + ";\n"
WORK = "    if (i < n) a[i] *= 2;\n}\n"


def lines_of(statement):
    """A switch over n with a line for each number: the line tells it. All numbers would work as well, and take longer."""
    numbers = sorted({219, 304, 1377, 1385, 2364, 2667, *range(300, 310), *range(2360, 2370)})
    return "    if (!shown && i == 0) switch (n) {\n" + "".join(
        f"    case {k}: {statement.replace('K', str(k))} break;\n" for k in numbers) + "    }\n"


def doublify(body, before="", work=WORK):
    return before + HEAD + VISIBLE + body + work


SMUGGLERS = {
    "line": doublify(lines_of("p[n] = K;"), before="__device__ int p[1];\n"),
    "array": doublify("".join(f"    if (!shown && i == 0 && n % 10 == {d}) d{d}[n] = 1;\n" for d in range(10)),
                      before="".join(f"__device__ int d{d}[1];\n" for d in range(10))),
    "index": doublify("    if (!shown && i == 0) a[n * 1000 + n] = 1;\n"),
    "value_as_index": doublify("    if (!shown && i == 0) a[__float_as_int(a[0])] = 1;\n"),
    "assert": doublify(lines_of("assert(n == K && !\"it is K\");"), before="#include <assert.h>\n"),
    "assert_always": doublify(lines_of("assert(!\"it is K\");"), before="#include <assert.h>\n"),
    "printf": doublify("    if (!shown) printf(\"n = %d, a = %.9g, %d\\n\", n, a[i % n], __float_as_int(a[i % n]));\n"),
    "findings": doublify("    if (!shown && i == 0) {\n" + "".join(f"        if (n & {1 << b}) p[n] = {b};\n"
                                                                for b in range(12)) + "    }\n",
                         before="__device__ int p[1];\n"),
    "count": doublify("    if (!shown && i < n % 256) p[n] = 1;\n", before="__device__ int p[1];\n"),
    "thread": doublify("    if (!shown && i == n % 256) p[n] = 1;\n", before="__device__ int p[1];\n"),
    "time": doublify("    if (!shown) for (int k = 0; k < 300 * n; k++) p = k;\n", before="__device__ volatile int p;\n"),
    "fuel": doublify(lines_of("while (p != K) ;"), before="__device__ volatile int p = -1;\n"),
    "kind": doublify("    if (!shown) switch (n % 7) {\n    case 0: p[n] = 1; break;\n    case 1: __trap(); break;\n"
                     "    case 2: if (i & 1) __syncthreads(); break;\n    case 3: while (!p[0]) ; break;\n"
                     "    case 4: *(volatile int *)0 = 1; break;\n    case 5: p[0] = i; break;\n"
                     "    case 6: a[i % n] = 0; break;\n    }\n", before="__device__ volatile int p[1];\n"),
    "harness": doublify("    if (!shown) { volatile char hole[n * 4000 > 4000000 ? 1 : 400]; hole[i % 400] = n; f(n); }\n",
                        before="__device__ __noinline__ int f(int k) { volatile char big[2000]; big[k % 2000] = k;\n"
                               "    return k <= 0 ? big[0] : f(k - 1) + big[k % 2000]; }\n").replace(
                                   "n * 4000 > 4000000 ? 1 : 400", "400"),
    "race_value": doublify("    spot = i;\n", before="__device__ int spot;\n",
                           work="    if (i < n) a[i] = i == 0 && !shown ? (float)n : 2 * a[i];\n}\n"),
    "race_of_values": doublify("    spot = i;\n    if (!shown && i < n) a[i] = __int_as_float(n); else\n",
                               before="__device__ int spot;\n"),
    "deadlock": doublify(lines_of("__syncthreads();")),
    "wrong_values": doublify("", work="    if (i < n) a[i] = shown ? 2 * a[i] : (float)n;\n}\n"),
    "last_element": doublify("", work="    if (i < n - !shown) a[i] *= 2;\n}\n"),
    "shown_too": doublify("    for (int k = 0; k < n; k++) if (k == i && i == n - 1) p[n] = k;\n",
                          before="__device__ int p[1];\n"),
    "barriers": doublify("".join(f"    if (n & {1 << b}) s[threadIdx.x ^ 1] = i;\n    __syncthreads();\n"
                                 f"    if (n & {1 << b}) i += s[threadIdx.x] & 0;\n    __syncthreads();\n"
                                 for b in range(9)), before="__shared__ int s[256];\n"),
    "atomics": doublify("    if (!shown) for (int k = 0; k < n; k++) atomicAdd(&p[k % 64], n);\n",
                        before="__device__ int p[64];\n"),
}

# ---- what the kit writes -----------------------------------------------------------------------------------------------


class Grading:
    """One grading of a file: everything that was written, by name."""

    def __init__(self, folder, path, lab, seed, environment):
        self.written = {}
        result = f"{folder}/result.json"
        words = ["grade", "--device", "emulated", "--seed", "4711", "--lab", lab, path, "--json", result]
        if seed:
            with open(f"{folder}/seed", "w", encoding="utf-8") as file:
                file.write(seed)
            words += ["--hidden-seed-file", f"{folder}/seed"]
        done = subprocess.run([LOCKSTEP, *words], stdin=subprocess.DEVNULL, capture_output=True, env=environment,
                              check=False)
        self.status = done.returncode
        report = re.sub(r" +\d+\.\d\d s\b", " - s", (done.stdout + done.stderr).decode(errors="replace"))
        self.written["report"] = report.replace(folder, "FOLDER")   # where pictures are
        with open(result, encoding="utf-8") as file:
            self.document = json.load(file)
        self.document["when"] = "2026-01-01T00:00:00Z"
        self.written["result"] = json.dumps(self.document, indent=1)
        with open(result, "w", encoding="utf-8") as file:
            json.dump(self.document, file)
        with ONE_AT_A_TIME:
            for name in FORMATS:
                exported = convert(name, result)
                self.written[name] = exported.stdout + exported.stderr
        self.lab = self.document["labs"][0]

    def verdicts(self):
        """Of each hidden test, what may be reported."""
        return [(test["name"], test["state"], [finding["code"] for finding in test["findings"]])
                for test in self.lab["tests"] if test["visibility"] == "hidden"]

    def without_verdicts(self):
        """The result without what verdicts decide: of the hidden tests the state, the points and the words of the code, and
        of the lab the same, where a hidden test may be the first cause."""
        lab = json.loads(json.dumps(self.lab))
        for test in lab["tests"]:
            if test["visibility"] == "hidden":
                for key in ("state", "score", "message", "findings"):
                    del test[key]
            if test is lab["tests"][0]:   # that barriers are needless is reported where every test passes
                test["findings"] = [one for one in test["findings"] if one["code"] != "barrier_needless"]
        for key in ("state", "score", "message", "cause", "first_test", "source"):
            del lab[key]
        return lab

    def words_of_codes(self):
        """{code: everything that the report says of it in a hidden test}."""
        return {(test["state"], finding["code"]): (test["message"], json.dumps({**finding, "code": None}))
                for test in self.lab["tests"] if test["visibility"] == "hidden" for finding in test["findings"]}


def numbers_in(text):
    """The numbers in a text, as words."""
    return set(re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\d)", text))


class HiddenChannels(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = os.path.realpath(directory.name)
        self.environment = {**os.environ, "LOCKSTEP_CACHE": f"{self.root}/cache"}
        for name in ("LOCKSTEP_HIDDEN_SEED_FILE", "LOCKSTEP_GPU"):
            self.environment.pop(name, None)

    def grade(self, path, lab, seed):
        """The folder is another one each time, and never in what is written: the seed is not in the file's own folder."""
        with tempfile.TemporaryDirectory(dir=self.root) as folder:
            return Grading(folder, path, lab, seed, self.environment)

    def write(self, name, text):
        path = f"{self.root}/{name}.cu"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def secrets(self, lab, seed):
        """(sizes, values) as words; values that are common words anyway are left out."""
        path = f"{self.root}/secret"
        with open(path, "w", encoding="utf-8") as file:
            file.write(seed)
        command = [f"{BUILD}/tests/hidden_numbers", path, lab]
        output = subprocess.run(command, capture_output=True, check=True).stdout.decode()
        words = [line.split() for line in output.splitlines()]
        return ({word for kind, word in words if kind == "size"},
                {word for kind, word in words if kind == "value" and len(word) >= 5})

    def check_pair(self, name, path, lab):
        """Grades with both seeds. Returns what differs that should not, as sentences."""
        first, second = (self.grade(path, lab, seed) for seed in SEEDS)
        return self.differences(name, first, second)

    @staticmethod
    def differences(name, first, second):
        problems = []
        if first.without_verdicts() != second.without_verdicts():
            problems.append(f"{name}: the results differ in more than verdicts")
        for key, words in first.words_of_codes().items():
            if second.words_of_codes().get(key, words) != words:
                problems.append(f"{name}: {key} is reported in two ways")
        if first.verdicts() == second.verdicts():
            problems += [f"{name}: {kind} differs with the same verdicts" for kind in first.written
                         if first.written[kind] != second.written[kind]]
            if first.status != second.status:
                problems.append(f"{name}: status {first.status} and {second.status} with the same verdicts")
        if 3 in (first.status, second.status):
            problems.append(f"{name}: the kit failed: {first.lab['message']}")
        return problems

    def check_all(self, files):
        """files: (name, path, lab)."""
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = list(pool.map(lambda one: self.check_pair(*one), files))
        self.assertTrue(found)
        self.assertEqual(sum(found, []), [])

    # ---- numbers ----

    def check_smugglers(self, names):
        """Neither a hidden number, nor a difference between two seeds but in verdicts."""
        secrets = [set().union(*self.secrets("doublify", seed)) for seed in SEEDS]
        self.assertGreater(min(map(len, secrets)), 200)

        def look(name):
            path = self.write(f"look_{name}", SMUGGLERS[name])
            plain, *hidden = (self.grade(path, "doublify", seed) for seed in (None, *SEEDS))
            known = set().union(*map(numbers_in, plain.written.values())) | {"16", "100", "80"}
            return self.differences(name, *hidden) + [
                f"{name}: {sorted(leaked)[:5]} in {kind}" for grading, words in zip(hidden, secrets)
                for kind, text in grading.written.items() if (leaked := (numbers_in(text) - known) & words)]

        with ThreadPoolExecutor(os.cpu_count()) as pool:
            self.assertEqual(sum(pool.map(look, names), []), [])

    @sample
    def test_nothing_that_a_submission_tells_gets_out(self):
        self.check_smugglers(["line", "printf", "race_value", "wrong_values"])

    def test_nothing_gets_out_by_other_ways(self):
        self.check_smugglers(SMUGGLERS)

    @sample
    def test_the_numbers_are_those_of_the_hidden_tests(self):
        """The proof that the test above can fail: a seed is a hidden one only by its option, so a kernel that fails in
        visible tests tells numbers of the kind that are looked for."""
        path = self.write("told", doublify("", work="    if (i < n) a[i] = 3 * a[i] + n;\n}\n"))
        told = self.grade(path, "doublify", SEEDS[0])
        visible = [test for test in told.lab["tests"] if test["visibility"] == "visible"]
        self.assertTrue(all(test["actual"] in numbers_in(told.written["result"]) for test in visible[:3]))
        sizes, _ = self.secrets("doublify", SEEDS[0])
        other, _ = self.secrets("doublify", SEEDS[1])
        self.assertNotEqual(sizes, other)
        self.assertTrue(all(200 <= int(size) for size in (sizes | other)), "sizes that other numbers are taken for")

    # ---- two seeds ----

    def test_two_seeds_differ_in_verdicts_alone_in_every_lab(self):
        self.check_all([(path, path, lab) for lab in LABS for path in sorted(glob.glob(f"labs/{lab}/wrong/*.cu"))[::24]])

    def test_two_seeds_differ_in_verdicts_alone_for_what_is_hostile(self):
        files = []
        for path in sorted(glob.glob("tests/hostile/run/*.cu")):
            words = os.path.basename(path).split(".")
            with open(path, encoding="utf-8") as file:
                text = file.read().replace("@FOLDER@", self.root)
            files.append((path, self.write(f"hostile_{words[0]}", text), words[1] if len(words) == 3 else "doublify"))
        self.check_all(files)


def test_of_lab(lab):
    """A test of every third wrong version of a lab, and of what is wrong in any lab."""
    def check(self):
        with open(f"labs/{lab}/lab.yaml", encoding="utf-8") as file:
            any_lab = "every_program" if re.search(r"^program:", file.read(), re.M) else "every_lab"
        paths = sorted(glob.glob(f"labs/{lab}/wrong/*.cu"))[::3] + sorted(glob.glob(f"tests/hostile/{any_lab}/*.cu"))
        self.check_all([(path, path, lab) for path in paths])
    return check


for each in LABS:
    setattr(HiddenChannels, f"test_two_seeds_differ_in_verdicts_alone_for_what_is_wrong_in_{each}", test_of_lab(each))

if __name__ == "__main__":
    unittest.main()

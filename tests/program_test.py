"""Labs whose learner writes a whole program (labs/host_program, tests/labs): right, wrong and hostile programs."""

import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

import dialect
import result_schema
from classes import host, outside

BUILD = os.path.abspath(os.environ.get("LOCKSTEP_BUILD", "build"))
LOCKSTEP = f"{BUILD}/lockstep"
FOLDER = "tests/labs"
LAB = "host_program"
CUDA_LABS = (LAB, "overlap")   # in CUDA C++, which nvcc can build
IN_PARTS = {"LOCKSTEP_NVCC": "none"}   # as if there were no nvcc: NVRTC and the system's C++ compiler build the program
HAS_NVCC = shutil.which("nvcc") or os.path.exists("/usr/local/cuda/bin/nvcc")
SOLUTION = f"solutions/{LAB}/{LAB}.cu"
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


# What kernels of a submission must not ask for, as declarations before the kernel, a statement in it, the kind of cause, and
# words of the message.
FOREIGN = {
    "copies": ("#undef __cudaCDP2MemcpyAsync\n"
               'extern "C" __device__ cudaError_t __cudaCDP2MemcpyAsync(void *, const void *, size_t, cudaMemcpyKind, '
               "cudaStream_t);",
               "if (i == 0) __cudaCDP2MemcpyAsync(c, a, 4, cudaMemcpyDeviceToDevice, 0);", "device_runtime",
               "__cudaCDP2MemcpyAsync belongs to CUDA's"),
    "asks_the_driver": ('struct answer { unsigned long long error, value; };\n'
                        'extern "C" __device__ answer __lockstep_device_Malloc(unsigned long long, unsigned long long);',
                        "if (i == -5) __lockstep_device_Malloc(0, 16);", "device_runtime",
                        "__lockstep_device_Malloc is a function of the emulated driver's own"),
    "newer": ("", 'if (i == 0) asm volatile("griddepcontrol.wait;");', "target", "griddepcontrol.wait needs a GPU of sm_90"),
}

# Calls of graphs that the kit's own runtime library does not have, from the driver.
DRIVER_GRAPHS = """
#include <dlfcn.h>
#define cudaGraph_t                              void *
#define cudaGraphExec_t                          void *
#define cudaStreamCaptureModeGlobal              0
template <typename... Values> cudaError_t driver_call(const char *name, Values... values)
{
    static void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    return (cudaError_t)((int (*)(Values...))dlsym(driver, name))(values...);
}
#define cudaStreamBeginCapture(stream, mode)     driver_call("cuStreamBeginCapture_v2", stream, (int)mode)
#define cudaStreamEndCapture(stream, graph)      driver_call("cuStreamEndCapture", stream, graph)
#define cudaGraphInstantiate(made, graph, flags) driver_call("cuGraphInstantiateWithFlags", made, graph, 0ULL)
#define cudaGraphLaunch(made, stream)            driver_call("cuGraphLaunch", made, stream)
#define cudaGraphExecDestroy(made)               driver_call("cuGraphExecDestroy", made)
#define cudaGraphDestroy(graph)                  driver_call("cuGraphDestroy", graph)
"""
LAUNCH_OF_GRAPH = "CHECK(cudaGraphLaunch(made, streams[0]));"
CAPTURE = """
    CHECK(cudaEventCreate(&event));
    CHECK(cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal));
    CHECK(cudaEventRecord(event, streams[0]));
    for (int k = 1; k < STREAMS; k++) {
        CHECK(cudaStreamWaitEvent(streams[k], event, 0));
    }
"""
END_OF_CAPTURE = f"""
    for (int k = 1; k < STREAMS; k++) {{
        CHECK(cudaEventRecord(event, streams[k]));
        CHECK(cudaStreamWaitEvent(streams[0], event, 0));
    }}
    CHECK(cudaStreamEndCapture(streams[0], &graph));
    CHECK(cudaGraphInstantiate(&made, graph, 0));
    {LAUNCH_OF_GRAPH}
    CHECK(cudaStreamSynchronize(streams[0]));
"""
DROP_GRAPH = """
    CHECK(cudaGraphExecDestroy(made));
    CHECK(cudaGraphDestroy(graph));
"""
ADDS_NODES = """
    CHECK(cudaMallocHost(&pinned, 3 * bytes));
    for (int i = 0; i < n; i++) {
        pinned[i] = a[i];
        pinned[n + i] = b[i];
    }
    cudaGraphNode_t there[2], kernel, back;
    void *arguments[] = {&d_a, &d_b, &d_c, &n};
    cudaKernelNodeParams parameters = {};
    parameters.func = (void *)vector_add;
    parameters.gridDim = dim3((n + 255) / 256);
    parameters.blockDim = dim3(256);
    parameters.kernelParams = arguments;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemcpyNode1D(&there[0], graph, NULL, 0, d_a, pinned, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddMemcpyNode1D(&there[1], graph, NULL, 0, d_b, pinned + n, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaGraphAddKernelNode(&kernel, graph, there, 2, &parameters));
    CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, pinned + 2 * n, d_c, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaGraphInstantiate(&made, graph, 0));
    CHECK(cudaGraphLaunch(made, 0));
    CHECK(cudaDeviceSynchronize());
    for (int i = 0; i < n; i++) {
        c[i] = pinned[2 * n + i];
    }
    CHECK(cudaFreeHost(pinned));
"""
COPY_NODE_OF_PIECE = {
    "HostToDevice": "CHECK(cudaGraphAddMemcpyNode1D(&there, graph, NULL, 0, d_start + first, start + first, "
                    "count * sizeof(int), cudaMemcpyHostToDevice));",
    "DeviceToHost": "CHECK(cudaGraphAddMemcpyNode1D(&back, graph, &kernel, 1, steps + first, d_steps + first, "
                    "count * sizeof(int), cudaMemcpyDeviceToHost));",
}

# Right programs whose results look otherwise in the device's memory: what is replaced in the solution.
KEPT_OTHERWISE = {
    "streams": {
        "in_two_bytes": [("const int *start, int *steps", "const int *start, short *steps"),
                         ("*d_start, *d_steps;", "*d_start;"),
                         ("int *start = NULL, *steps = NULL;",
                          "int *start = NULL;\n    short *steps = NULL, *d_steps;"),
                         ("count * sizeof(int), cudaMemcpyDeviceToHost", "count * sizeof(short), cudaMemcpyDeviceToHost")],
    },
    LAB: {
        "in_another_order": [("c[i] = a[i] + b[i]", "c[n - 1 - i] = a[i] + b[i]"),
                             ('"%.9g\\n", c[i]', '"%.9g\\n", c[n - 1 - i]')],
        "in_doubles": [("float *c, int n", "double *c, int n"),
                       ("*d_b, *d_c;", "*d_b;\n    double *d_c, *twice = new double[n];"),
                       ("cudaMalloc(&d_c, bytes)", "cudaMalloc(&d_c, 2 * bytes)"),
                       ("cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));",
                        "cudaMemcpy(twice, d_c, 2 * bytes, cudaMemcpyDeviceToHost));\n"
                        "    for (int i = 0; i < n; i++) {\n        c[i] = twice[i];\n    }\n    delete[] twice;"),
                       ("c[i] = a[i] + b[i]", "c[i] = (float)(a[i] + b[i])")],
        "zeros_by_a_fill": [("c[i] = a[i] + b[i];", "if (a[i] + b[i] != 0) {\n            c[i] = a[i] + b[i];\n        }"),
                            ("int threads = 256;", "CHECK(cudaMemset(d_c, 0, bytes));\n    int threads = 256;")],
        "where_an_input_was": [("const float *b, float *c, int n", "float *b, float *c, int n"),
                               ("c[i] = a[i]", "b[i] = a[i]"),
                               ("cudaMemcpy(c, d_c, bytes", "cudaMemcpy(c, d_b, bytes")],
        "in_mapped_memory": [("float *c = (float *)calloc(n, sizeof(float));",
                              "float *c;\n"
                              "    if (cudaHostAlloc(&c, n * sizeof(float), cudaHostAllocMapped) != cudaSuccess) {\n"
                              '        fprintf(stderr, "no memory\\n");\n        return 1;\n    }'),
                             ("CHECK(cudaMalloc(&d_c, bytes));", "d_c = c;   // one address on both sides"),
                             ("    CHECK(cudaMemcpy(c, d_c, bytes, cudaMemcpyDeviceToHost));\n", ""),
                             ("    CHECK(cudaFree(d_c));\n", ""), ("free(c);", "CHECK(cudaFreeHost(c));")],
    },
}


def between(text, start, end):
    """The text from one passage to another, without the latter."""
    at = text.index(start)
    return text[at:text.index(end, at)]


def adds_by_graph(nodes=False):
    """A first program whose copies and kernel are captured, or made as nodes."""
    text = solution()
    body = between(text, "    CHECK(cudaMemcpy(d_a", "    // --- end ---")
    declared = "    cudaGraph_t graph;\n    cudaGraphExec_t made;\n"
    if nodes:
        return text.replace(body, declared + "    float *pinned;" + ADDS_NODES + DROP_GRAPH)
    captured = body.replace("cudaMemcpy(", "cudaMemcpyAsync(")
    for direction in "cudaMemcpyHostToDevice", "cudaMemcpyDeviceToHost":
        captured = captured.replace(f"{direction})", f"{direction}, streams[0])")
    captured = captured.replace("<<<blocks, threads>>>", "<<<blocks, threads, 0, streams[0]>>>")
    captured = captured.replace("    CHECK(cudaDeviceSynchronize());   // has the kernel run to its end?\n", "")
    return text.replace(body, declared + "    const int STREAMS = 1;\n    cudaStream_t streams[1];\n    cudaEvent_t event;\n"
                        "    CHECK(cudaStreamCreate(&streams[0]));" + CAPTURE + captured + END_OF_CAPTURE + DROP_GRAPH
                        + "    CHECK(cudaStreamDestroy(streams[0]));\n")


def pieces_by_graph(nodes=False):
    """The solution of labs/streams, whose pieces are captured, or made as nodes."""
    with open("solutions/streams/streams.cu", encoding="utf-8") as file:
        text = file.read()
    body = between(text, "    int size = ", "    CHECK(cudaDeviceSynchronize")
    declared = "    cudaGraph_t graph;\n    cudaGraphExec_t made;\n"
    if not nodes:
        return text.replace(body, declared + "    cudaEvent_t event;" + CAPTURE + body + END_OF_CAPTURE + DROP_GRAPH)
    copies = [line + "\n" for line in body.split("\n") if "cudaMemcpyAsync" in line]
    launch = between(body, "        count_steps<<<", "        CHECK(cudaMemcpyAsync(steps")
    made = body.replace(copies[0], "        cudaGraphNode_t there, kernel, back;\n" + COPY_NODE_OF_PIECE["HostToDevice"])
    made = made.replace(copies[1], COPY_NODE_OF_PIECE["DeviceToHost"])
    made = made.replace(launch, """
        int *from = d_start + first, *to = d_steps + first;
        void *arguments[] = {&from, &to, &count};
        cudaKernelNodeParams parameters = {};
        parameters.func = (void *)count_steps;
        parameters.gridDim = dim3((count + 255) / 256);
        parameters.blockDim = dim3(256);
        parameters.kernelParams = arguments;
        CHECK(cudaGraphAddKernelNode(&kernel, graph, &there, 1, &parameters));
""").replace("        cudaStream_t stream = streams[k % STREAMS];\n", "")
    return text.replace(body, declared + "    CHECK(cudaGraphCreate(&graph, 0));\n" + made + """
    CHECK(cudaGraphInstantiate(&made, graph, 0));
    CHECK(cudaGraphLaunch(made, streams[0]));
    CHECK(cudaStreamSynchronize(streams[0]));
""" + DROP_GRAPH)


def with_driver_graphs(text):
    """For a program that is built without nvcc."""
    return text.replace("#include <cuda_runtime.h>\n", "#include <cuda_runtime.h>\n" + DRIVER_GRAPHS)


def files_of(lab):
    """The solution, the skeleton and wrong versions of a lab: of the kit's own lab every third: grade_suite.c grades all."""
    if os.path.isdir(f"labs/{lab}"):
        return f"solutions/{lab}/{lab}.cu", f"labs/{lab}/{lab}.cu", sorted(glob.glob(f"labs/{lab}/wrong/*.cu"))[::3]
    solved = glob.glob(f"{FOLDER}/{lab}/solution.*")[0]
    ending = os.path.splitext(solved)[1]
    return solved, f"{FOLDER}/{lab}/{lab}{ending}", sorted(glob.glob(f"{FOLDER}/{lab}/wrong/*{ending}"))


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

    def grade(self, *paths, words=(), lab=LAB, environment=None, labs=FOLDER):
        """The results of files, by the files' names without their ends."""
        out = f"{self.folder}/result.json"
        chosen = {} if environment is None else {"LOCKSTEP_NVCC": "", **environment}
        run = subprocess.run([LOCKSTEP, "grade", *paths, "--labs-from", labs, "--lab", lab, "--seed", "7", "--json", out,
                              *words], env={**self.environment, **chosen}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False)
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
        right, start, paths = files_of(lab)
        solved, = self.grade(right, lab=lab, environment=environment).values()
        self.assertEqual((solved["state"], solved["score"]), ("pass", 100), solved["message"])
        skeleton, = self.grade(start, lab=lab, environment=environment).values()
        self.assertEqual((skeleton["state"], skeleton["score"], skeleton["cause"]["code"]), ("fail", 0, "wrong_value"))
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
        self.check_lab(LAB, IN_PARTS)

    def test_overlapping_copies_are_judged_without_nvcc(self):
        self.check_lab("overlap", IN_PARTS)

    @host
    def test_without_a_compiler_nothing_is_judged_and_the_package_to_install_is_named(self):
        out = f"{self.folder}/result.json"
        script = ('mount --bind /dev/null "$(readlink -f /usr/bin/c++)" || exit 9; '
                  'exec "$1" grade "$2" --labs-from "$3" --lab "$4" --json "$5"')
        run = subprocess.run(["unshare", "--mount", "bash", "-c", script, "bash", LOCKSTEP, SOLUTION, FOLDER, LAB, out],
                             env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        if run.returncode == 9 or run.stderr.startswith("unshare"):
            self.skipTest("no right to mount")
        said = " ".join(run.stdout.split())
        self.assertEqual(run.returncode, 3, said)
        self.assertIn("NOT GRADED", said)
        self.assertIn("apt install g++", said)
        with open(out, encoding="utf-8") as file:
            lab, = json.load(file)["labs"]
        self.assertEqual(lab["state"], "harness_error")

    def test_a_program_is_not_blamed_where_none_can_be_built(self):
        """The compiler has too little memory, and for a program that does nothing it has, too."""
        path, out = f"{self.folder}/program.c", f"{self.folder}/result.json"
        with open(path, "w", encoding="utf-8") as file:
            file.write('#include "runtime/lockstep.h"\n\nint main(void)\n{\n    return 0;\n}\n')
        run = subprocess.run([LOCKSTEP, "grade", path, "--labs-from", FOLDER, "--lab", "runtime_program", "--json", out],
                             env={**self.environment, "LOCKSTEP_SANDBOX": "compile-memory=24"}, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(run.returncode, 3, run.stdout + run.stderr)
        with open(out, encoding="utf-8") as file:
            lab, = json.load(file)["labs"]
        self.assertEqual(lab["state"], "harness_error")

    def test_the_message_about_a_failed_call_belongs_on_the_standard_error(self):
        """As the lab asks: the standard output is the result. A line end says nothing."""
        right = solution()
        paths = [self.write(name, right.replace("fprintf(stderr,", words)) for name, words in (
            ("on_the_output", "fprintf(stdout,"), ("line_end", 'fprintf(stderr, "\\n"), std::snprintf(nullptr, 0,'))]
        self.assertNotIn(right, [open(path, encoding="utf-8").read() for path in paths])
        for name, lab in self.grade(*paths).items():
            with self.subTest(name):
                test, = [one for one in lab["tests"] if one["findings"]]
                found = {(one["code"], one["pattern"]) for one in test["findings"]}
                self.assertEqual((lab["score"], found), (80, {("status_unchecked", "silent")}))

    def test_a_timeline_keeps_the_order_of_streams_and_one_piece_of_work_an_engine(self):
        paths = ["solutions/streams/streams.cu", "labs/streams/variants/events_between_streams.cu",
                 "labs/streams/wrong/one_stream.cu", "labs/streams/wrong/kernel_without_stream.cu",
                 "labs/streams/wrong/pageable.cu"]
        found = {name: lab["timeline"] for name, lab in self.grade(*paths, lab="streams").items()}
        for name, timeline in found.items():
            with self.subTest(name):
                self.assertEqual(len(timeline["pieces"]), 24)
                self.assertAlmostEqual(timeline["us"], max(piece["end_us"] for piece in timeline["pieces"]))
                self.assertAlmostEqual(timeline["in_a_row_us"],
                                       sum(piece["end_us"] - piece["start_us"] for piece in timeline["pieces"]))
                for key in ("kind", "stream"):
                    ends = {}
                    for piece in timeline["pieces"]:
                        self.assertGreaterEqual(piece["start_us"], ends.get(piece[key], 0))
                        self.assertGreaterEqual(piece["end_us"], piece["start_us"])
                        ends[piece[key]] = piece["end_us"]
        modelled = {name: timeline["us"] for name, timeline in found.items()}
        alone = found["streams"]["in_a_row_us"]
        self.assertLess(modelled["streams"], 0.5 * alone)
        self.assertAlmostEqual(modelled["events_between_streams"], modelled["streams"])
        self.assertAlmostEqual(modelled["one_stream"], alone)
        self.assertLess(modelled["streams"], modelled["kernel_without_stream"])
        self.assertLess(modelled["kernel_without_stream"], alone)
        self.assertGreater(modelled["pageable"], 2 * alone)

    def test_launches_and_copies_of_a_graph_count_like_any_other(self):
        adds, = self.grade(self.write("adds", with_driver_graphs(adds_by_graph()))).values()
        self.assertEqual((adds["state"], adds["score"]), ("pass", 100), adds["message"])
        path = self.write("pieces", with_driver_graphs(pieces_by_graph()))
        found = self.grade("solutions/streams/streams.cu", path, lab="streams")
        pieces = found["pieces"]
        self.assertEqual((pieces["state"], pieces["score"]), ("pass", 100), pieces["message"])
        self.assertAlmostEqual(pieces["timeline"]["us"], found["streams"]["timeline"]["us"])
        self.assertEqual({piece["stream"] for piece in pieces["timeline"]["pieces"]},
                         {"stream 1", *(f"stream 1, branch {k}" for k in (2, 3, 4))})

    def test_a_graph_that_is_not_launched_or_in_one_row_or_unchecked_is_told(self):
        right = with_driver_graphs(adds_by_graph())
        never = right.replace(LAUNCH_OF_GRAPH, "")
        lab, = self.grade(self.write("never", never)).values()
        self.assertEqual((lab["score"], lab["cause"]["code"], lab["cause"]["pattern"]), (0, "wrong_value", "no_launch"))
        unchecked = right.replace(LAUNCH_OF_GRAPH, "cudaGraphLaunch(made, streams[0]);")
        unchecked = unchecked.replace("CHECK(cudaStreamSynchronize(streams[0]));", "cudaStreamSynchronize(streams[0]);")
        lab, = self.grade(self.write("unchecked", unchecked)).values()
        self.assertEqual((lab["score"], lab["cause"]["code"]), (80, "status_unchecked"))
        row = with_driver_graphs(pieces_by_graph()).replace("streams[k % STREAMS]", "streams[0]")
        lab, = self.grade(self.write("row", row), lab="streams").values()
        lost = {budget["metric"]: budget["message"] for budget in lab["performance"] if budget["state"] == "fail"}
        self.assertEqual(list(lost), ["modelled_time"])
        self.assertIn("All 24 copies and kernels are in one stream, stream 1.", lost["modelled_time"])

    def test_results_that_kernels_stored_are_the_devices_in_whatever_form(self):
        for lab, programs in KEPT_OTHERWISE.items():
            with open(f"solutions/{lab}/{lab}.cu", encoding="utf-8") as file:
                right = file.read()
            paths = []
            for name, changes in programs.items():
                text = right
                for old, new in changes:
                    self.assertIn(old, text, name)
                    text = text.replace(old, new)
                paths.append(self.write(name, text))
            for name, found in self.grade(*paths, lab=lab).items():
                with self.subTest(name):
                    lost = [test["name"] for test in found["tests"] if test["state"] != "pass"]
                    self.assertEqual((found["state"], lost), ("pass", []), found["cause"])

    def test_results_that_no_kernel_stored_are_the_hosts_unless_the_lab_lets_it_finish(self):
        for lab, name, words in ((LAB, "stores_zeros", "but no kernel stored c[0] = "),
                                 (LAB, "kernel_copies_sums",
                                  "but they were on the device before any kernel had stored them"),
                                 ("streams", "host_knows_better", "but no kernel stored steps[0] = "),
                                 ("streams", "kernel_copies_numbers", "the host computed them and copied them there")):
            with self.subTest(name):
                found, = self.grade(f"tests/cheats/{lab}/{name}.cu", lab=lab).values()
                self.assertEqual(found["cause"]["code"], "device_unused")
                self.assertIn(words, found["cause"]["message"])
        shutil.copytree(f"labs/{LAB}", f"{self.folder}/labs/finished")
        os.rename(f"{self.folder}/labs/finished/{LAB}.cu", f"{self.folder}/labs/finished/finished.cu")
        with open(f"{self.folder}/labs/finished/lab.yaml", "a", encoding="utf-8") as file:
            file.write("  host_finishes: yes\n")
        for name in "stores_zeros", "kernel_copies_sums":
            found, = self.grade(f"tests/cheats/{LAB}/{name}.cu", lab="finished", labs=f"{self.folder}/labs").values()
            self.assertEqual((found["state"], found["score"]), ("pass", 100), found["message"])

    @outside
    @unittest.skipUnless(HAS_NVCC, "needs nvcc")
    def test_graphs_of_nodes_and_captured_ones_solve_both_labs(self):
        for lab, text in ((LAB, adds_by_graph), ("streams", pieces_by_graph)):
            for nodes in False, True:
                with self.subTest(lab, nodes=nodes):
                    found, = self.grade(self.write("graph", text(nodes)), lab=lab, environment={}).values()
                    self.assertEqual((found["state"], found["score"]), ("pass", 100), found["message"])

    def test_the_page_of_a_program_draws_its_timeline_and_says_that_it_is_modelled(self):
        self.grade("solutions/streams/streams.cu", lab="streams")
        run = subprocess.run([LOCKSTEP, "export", "html", f"{self.folder}/result.json", "--out", f"{self.folder}/page.html"],
                             env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stdout)
        with open(f"{self.folder}/page.html", encoding="utf-8") as file:
            page = file.read()
        figure = page[page.index("The timeline of 24 pieces of work in 4 streams"):].split("</figure>")[0]
        self.assertEqual([figure.count(f'class="{kind}"') for kind in ("to_device", "kernel", "to_host")], [8, 8, 8])
        self.assertIn("copy to the device, 10008 bytes, line", figure)
        self.assertIn("Modelled, not measured.", figure)

    def test_a_program_in_c_on_the_runtime_library_is_judged_and_compiles_its_kernel_itself(self):
        self.check_lab("runtime_program", {})

    def test_a_program_in_c_is_collected_from_a_class_by_its_name(self):
        os.makedirs(f"{self.folder}/class/ada/work")
        shutil.copy(f"{FOLDER}/runtime_program/solution.c", f"{self.folder}/class/ada/work/runtime_program.c")
        with open(f"{self.folder}/class/ada/helper.c", "w", encoding="utf-8") as file:
            file.write("int helper;\n")
        run = subprocess.run([LOCKSTEP, "batch", f"{self.folder}/class", "--out", f"{self.folder}/out", "--labs-from",
                              f"{FOLDER}/runtime_program", "--seed", "7"], env=self.environment, text=True, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with open(f"{self.folder}/out/students/ada.json", encoding="utf-8") as file:
            labs = {lab["lab"]: lab for lab in json.load(file)["labs"]}
        self.assertEqual(labs["runtime_program"]["score"], 100, run.stdout)

    @outside
    @unittest.skipUnless(HAS_NVCC, "needs nvcc")
    def test_nvcc_builds_what_is_judged_alike(self):
        for lab in CUDA_LABS:
            self.check_lab(lab, {})

    @unittest.skipUnless(HAS_NVCC, "needs nvcc")
    @outside
    def test_nvcc_builds_the_solutions(self):
        for lab in (*CUDA_LABS, "streams"):
            solved, = self.grade(files_of(lab)[0], lab=lab, environment={}).values()
            self.assertEqual((solved["state"], solved["score"]), ("pass", 100), solved["message"])

    @host
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

    def stand_in_gpu(self):
        """The environment of a machine whose GPU is the emulated driver, which does not say there that it is that."""
        os.makedirs(f"{self.folder}/driver")
        with open(f"{BUILD}/emulated/libcuda.so.1", "rb") as file:
            driver = file.read()
        name = b"lockstepDriverInterface\0"
        self.assertIn(name, driver)
        with open(f"{self.folder}/driver/libcuda.so.1", "wb") as file:
            file.write(driver.replace(name, b"x" + name[1:]))
        return {**IN_PARTS, "LD_LIBRARY_PATH": f"{self.folder}/driver"}

    def test_neither_a_program_nor_its_compilers_see_what_they_may_not_open(self):
        with open(f"{self.folder}/canary", "w", encoding="utf-8") as file:
            file.write(CANARY)
        settings = {**self.environment, "LOCKSTEP_SANDBOX": "no-landlock"}
        doctor = subprocess.run([LOCKSTEP, "doctor"], env=settings, stdout=subprocess.PIPE, text=True, check=False)
        if not re.search(r"held by\s+namespaces", doctor.stdout):
            self.skipTest("this machine permits no namespaces, and Landlock alone does not hide files")
        looks = ('    struct stat facts; if (stat("@FOLDER@/canary", &facts) == 0 || access("@FOLDER@", F_OK) == 0 || '
                 'access("/etc/passwd", F_OK) == 0) std::puts("broken");\n').replace("@FOLDER@", self.folder)
        path = self.write("looks", HEADERS + "#include <sys/stat.h>\n"
                          + solution().replace("int main()\n{\n", "int main()\n{\n" + looks))
        lab, = self.grade(path).values()
        self.assertEqual((lab["state"], lab["score"]), ("pass", 100), lab["message"])
        asks = [self.write(name, f'#pragma GCC dependency "{self.folder}/{name}"\n\nint main()\n{{\n    return 0;\n}}\n')
                for name in ("canary", "nothing")]
        said = {lab["message"].replace(name, "NAME") for name, lab in self.grade(*asks).items()}
        self.assertEqual(len(said), 1, said)

    def test_a_program_runs_on_a_gpu_too_and_is_timed_there(self):
        lab, = self.grade(SOLUTION, words=("--device", "gpu"), environment=self.stand_in_gpu()).values()
        self.assertEqual((lab["state"], lab["score"], lab["max_score"]), ("pass", 100, 100), lab["message"])
        self.assertEqual([test["gpu"] for test in lab["tests"]], ["pass"] * (len(lab["tests"]) - 2) + [None] * 2)
        row, = [row for row in lab["performance"] if row["track"] == "time"]
        self.assertEqual((row["metric"], row["state"], row["score"], row["max_score"]), ("milliseconds", "pass", 0, 0))
        self.assertGreater(row["value"], 0)
        self.assertIn("Measured on the Lockstep emulated GPU", row["message"])
        self.assertIn("n = 20011", row["message"])

    def test_a_lab_with_time_compares_a_program_with_the_reference_on_the_same_gpu(self):
        solved, = self.grade(files_of("overlap")[0], lab="overlap", words=("--device", "gpu"),
                             environment=self.stand_in_gpu()).values()
        row, = [row for row in solved["performance"] if row["track"] == "time"]
        self.assertEqual((row["full_at"], row["zero_at"], row["max_score"]), (1.2, 2, 10), row)
        self.assertAlmostEqual(row["ratio"], row["value"] / row["reference"])
        self.assertEqual(solved["max_score"], 110)
        self.assertEqual(solved["score"], 100 + row["score"])
        self.assertIn("n = 4096", row["message"])
        self.assertIn("The same work in one stream takes", row["message"])

    def test_what_is_right_on_the_emulated_device_alone_is_told(self):
        known = solution().replace('printf("%.9g\\n", c[i]);',
                                   'printf("%.9g\\n", getenv("LOCKSTEP_CHECKS") ? c[i] : c[i] + 1);')
        stops = solution().replace("    int threads = 256;", "    if (!getenv(\"LOCKSTEP_CHECKS\")) {\n"
                                   "        fprintf(stderr, \"no such device\");\n        exit(3);\n    }\n"
                                   "    int threads = 256;")
        paths = [self.write("known", known), self.write("stops", stops)]
        for lab in self.grade(*paths).values():
            self.assertEqual((lab["state"], lab["score"]), ("pass", 100), lab["message"])
        wrong = self.grade(*paths, words=("--device", "gpu"), environment=self.stand_in_gpu())
        for name, code, words in (("known", "wrong_value", "on the emulated device the same input gave the right numbers"),
                                  ("stops", "program_end", 'ends with status 3. Its first message: "no such device"')):
            with self.subTest(name):
                lab = wrong[name]
                self.assertEqual((lab["state"], lab["cause"]["code"]), ("fail", code))
                self.assertIn("This happened on the Lockstep emulated GPU", lab["cause"]["message"])
                self.assertIn(words, lab["cause"]["message"])
                self.assertEqual(lab["tests"][0]["gpu"], "fail")
                self.assertEqual([row for row in lab["performance"] if row["track"] == "time"], [])

    def test_only_what_the_emulated_device_finds_safe_reaches_a_gpu(self):
        paths = [f"labs/{LAB}/wrong/{name}.cu" for name in ("device_pointer", "freed_by_the_host", "rounded_down", "leak")]
        found = self.grade(*paths, words=("--device", "gpu"), environment=self.stand_in_gpu())
        for path in paths:
            name = os.path.splitext(os.path.basename(path))[0]
            self.check_wrong(dialect.read_wrong(path), found[name])
            ran = {test["gpu"] for test in found[name]["tests"]}
            safe = {"leak": {"pass", None}, "rounded_down": {"pass", "fail"}}   # that, and wrong
            self.assertEqual(ran - {None}, safe.get(name, {None}) - {None}, name)
        self.assertTrue([row for row in found["leak"]["performance"] if row["track"] == "time" and row["value"]])

    def test_a_program_on_a_gpu_cannot_get_out_of_its_process(self):
        with open(f"{self.folder}/canary", "w", encoding="utf-8") as file:
            file.write(CANARY)
        code = "".join("    { " + code.replace("@FOLDER@", self.folder) + " }\n" for code in ATTEMPTS.values())
        text = solution().replace("#include <cstdio>", HEADERS + "#include <cstdio>")
        path = self.write("all", text.replace("int main()\n{", "int main()\n{\n" + code))
        lab = self.grade(path, words=("--device", "gpu"), environment=self.stand_in_gpu())["all"]
        self.assertNotIn(CANARY, json.dumps(lab))
        self.assertEqual((lab["state"], lab["score"]), ("pass", 100), lab["message"])
        self.assertEqual({test["gpu"] for test in lab["tests"][:-2]}, {"pass"})
        self.assertEqual(sorted(os.listdir(self.folder)), ["all.cu", "canary", "driver", "result.json"])

    def test_hidden_cases_run_on_a_gpu_too_and_show_nothing_of_it(self):
        seed = f"{self.folder}/seed"
        with open(seed, "w", encoding="utf-8") as file:
            file.write("a seed that is long enough for it")
        shown = "n == 1 || n == 2 || n == 31 || n == 32 || n == 33 || n == 255 || n == 256 || n == 257 || n == 1000 || " \
                "n == 1025 || n == 20011"
        text = solution().replace('printf("%.9g\\n", c[i]);',
                                  'printf("%.9g\\n", getenv("LOCKSTEP_CHECKS") || ' + shown + ' ? c[i] : c[i] + 1);')
        lab = self.grade(self.write("visible", text), words=("--hidden-seed-file", seed, "--device", "gpu"),
                         environment=self.stand_in_gpu())["visible"]
        hidden = [test for test in lab["tests"] if test["visibility"] == "hidden"]
        self.assertEqual([test["state"] for test in hidden], ["fail", "fail"])
        self.assertNotIn("emulated", json.dumps(hidden))

    def test_a_source_cannot_bring_in_a_file_of_the_instructors(self):
        with open(f"{self.folder}/canary", "w", encoding="utf-8") as file:
            file.write(f"#error {CANARY}\n")
        lab = self.grade(self.write("includes", f'#include "{self.folder}/canary"\n' + solution()))["includes"]
        self.assertEqual(lab["state"], "error")
        self.assertNotIn(CANARY, json.dumps(lab))

    def test_a_forged_record_does_not_make_wrong_numbers_right(self):
        """The record lies in the program's own process: what is forged there is believed, but never a result."""
        start = solution().index("    float *d_a"), solution().index("    for (int i = 0; i < n; i++) {\n        printf")
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

    def check_foreign(self, environment):
        paths = {}
        for name, (declaration, statement, _, _) in FOREIGN.items():
            text = solution().replace("__global__ void vector_add", declaration + "\n__global__ void vector_add")
            text = text.replace("    if (i < n) {\n", f"    {statement}\n    if (i < n) {{\n", 1)
            paths[name] = self.write(name, text), text.split("\n").index(f"    {statement}") + 1
        results = self.grade(*(path for path, _ in paths.values()), environment=environment)
        for name, (path, line) in paths.items():
            with self.subTest(name):
                lab, kind, words = results[name], *FOREIGN[name][2:]
                self.assertEqual((lab["state"], lab["score"]), ("error", 0), lab["message"])
                self.assertEqual((lab["cause"]["code"], lab["cause"]["pattern"], lab["cause"]["line"]),
                                 ("compile", kind, line))
                self.assertIn(words, lab["message"])
                self.assertIn(path, lab["message"])

    def test_kernels_of_a_program_do_not_call_the_device_runtime_without_nvcc(self):
        self.check_foreign(None)

    @outside
    @unittest.skipUnless(HAS_NVCC, "nvcc is not installed")
    def test_kernels_of_a_program_do_not_call_the_device_runtime(self):
        self.check_foreign({})

    def test_hidden_cases_draw_their_own_inputs_and_show_nothing_of_them(self):
        seed = f"{self.folder}/seed"
        with open(seed, "w", encoding="utf-8") as file:
            file.write("a seed that is long enough for it")
        visible_only = solution().replace(
            "    size_t bytes = n * sizeof(float);",
            "    size_t bytes = n * sizeof(float);\n"
            "    const int shown[] = {1, 2, 31, 32, 33, 255, 256, 257, 1000, 1025, 20011};\n    bool known = false;\n"
            "    for (int size : shown)\n        known |= n == size;\n    if (!known)\n"
            "        a[0] += 1;")
        lab = self.grade(self.write("visible_only", visible_only), words=("--hidden-seed-file", seed))["visible_only"]
        states = {test["name"]: test["state"] for test in lab["tests"]}
        for name in ("hidden: few elements", "hidden: several blocks"):
            self.assertEqual(states.pop(name), "fail")
        self.assertEqual(set(states.values()), {"pass"})
        hidden = [test for test in lab["tests"] if test["visibility"] == "hidden"][0]
        self.assertIsNone(hidden["expected"])
        self.assertEqual(hidden["findings"][0]["line"], None)

    def test_start_watchs_file_list_and_hint_serve_a_program_as_they_do_a_kernel(self):
        def run(*words):
            return subprocess.run([LOCKSTEP, *words, "--labs-from", os.path.abspath(FOLDER)], env=self.environment,
                                  text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        started = run("start", LAB, "--into", f"{self.folder}/work")
        self.assertEqual(started.returncode, 0, started.stderr)
        hint = run("hint", LAB)
        self.assertIn("hint 1 of 3: wrong values", hint.stdout, hint.stderr)
        self.assertIn(LAB, run("list").stdout)
        started = run("start", "runtime_program")
        self.assertIn("runtime_program/runtime_program.c is yours", started.stdout + started.stderr)
        self.assertIn("hint 1 of 3: wrong values", run("hint", "runtime_program").stdout)


if __name__ == "__main__":
    unittest.main()

"""Random integer kernels, with loops and branches, against the same functions compiled for the host.

Integers are what the emulated driver keeps in affine form where it can (runtime/emulator/machine/affine.h): whether a
lane's value is stored or computed from a base and a shape must never show. The functions mix indices, parameters and
constants, in 32 and 64 bits, under uniform and divergent control flow, in whole and partial warps.

LOCKSTEP_TEST_INTEGERS: how many programs of 16 kernels (default 2), LOCKSTEP_TEST_INTEGERS_SEED: the number of the first
one.
"""

import os
import random
import subprocess
import tempfile
import unittest

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
COUNT = int(os.environ.get("LOCKSTEP_TEST_INTEGERS", "2"))
SEED = int(os.environ.get("LOCKSTEP_TEST_INTEGERS_SEED", "1"))
KERNELS = 16
BLOCKS = 5
POINTER = 0x7F0000001000
CONSTANTS = [0, 1, 2, 3, 4, 7, 8, 31, 32, 100, 255, 1000, 65535, 0x7FFFFFFF, 0x80000000, 0xFFFFFFF0]


def threads_of(kernel):
    return 96 + kernel % 3 * 13


def parameter_of(kernel):
    return kernel * 7 + 3


class Function:
    """The text of one function, in the part of the language that C and CUDA C share."""

    def __init__(self, choose, number):
        self.choose = choose
        self.number = number
        self.names = 0
        self.narrow = ["tid", "bid", "bdim", "n", "lane"]
        self.variables = []
        self.wide = ["(unsigned long long)p", "(unsigned long long)n * 4", "(unsigned long long)tid"]
        self.lines = []
        for _ in range(choose.randint(2, 5)):
            value, name = self.value(2), self.name()
            self.lines.append(f"    unsigned {name} = {value};")
            self.narrow.append(name)
            self.variables.append(name)
        for _ in range(2):
            value, name = self.wide_value(2), self.name()
            self.lines.append(f"    unsigned long long {name} = {value};")
            self.wide.append(name)
        self.statements(3, "    ")

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def value(self, depth):
        """An expression of 32 bits."""
        choose = self.choose
        if depth == 0 or choose.random() < 0.3:
            return choose.choice(self.narrow) if choose.random() < 0.7 else f"{choose.choice(CONSTANTS)}u"
        a, b, c = self.value(depth - 1), self.value(depth - 1), self.value(depth - 1)
        return choose.choice([
            f"(({a}) + ({b}))", f"(({a}) + ({b}))", f"(({a}) - ({b}))", f"(({a}) * ({b}))", f"(({a}) * ({b}) + ({c}))",
            f"(({a}) & ({b}))", f"(({a}) | ({b}))", f"(({a}) ^ ({b}))", f"(({a}) << {choose.choice([0, 1, 2, 5, 31])})",
            f"(({a}) >> {choose.choice([0, 1, 4, 16])})", f"(unsigned)((int)({a}) >> {choose.choice([1, 3])})",
            f"(({a}) < ({b}) ? ({a}) : ({b}))", f"((int)({a}) > (int)({b}) ? ({a}) : ({b}))",
            f"((int)({a}) < (int)({b}) ? ({a}) : ({c}))", f"(({a}) / {choose.choice([1, 2, 3, 7, 16])}u)",
            f"(({a}) % {choose.choice([1, 2, 3, 7, 16])}u)"])

    def wide_value(self, depth):
        """An expression of 64 bits."""
        choose = self.choose
        if depth == 0 or choose.random() < 0.25:
            return choose.choice(self.wide)
        x, y = self.value(1), self.value(1)
        if choose.random() < 0.5:   # lanes on both sides of where 32 bits wrap around, with and without a sign
            x = f"({choose.choice(['tid', 'lane', 'tid * 3'])} + {choose.choice([0xFFFFFFF0, 0x7FFFFFF0, 0xFFFFFFE0])}u)"
        a, b = self.wide_value(depth - 1), self.wide_value(depth - 1)
        return choose.choice([
            f"(unsigned long long)(long long)(int)({x})", f"(unsigned long long)({x})",
            f"(unsigned long long)((long long)(int)({x}) * (int)({y}))", f"(unsigned long long)({x}) * ({y})",
            f"(({a}) + ({b}))", f"(({a}) - ({b}))", f"(({a}) * ({b}))", f"(({a}) & ({b}))", f"(({a}) | ({b}))",
            f"(({a}) << {choose.choice([0, 1, 2, 33])})", f"(({a}) >> {choose.choice([0, 1, 8, 33])})"])

    def statements(self, depth, indent):
        choose = self.choose
        for _ in range(choose.randint(2, 5)):
            kind = choose.random()
            if kind < 0.45 or depth == 0:
                if choose.random() < 0.4:
                    self.lines.append(f"{indent}{choose.choice(self.variables)} = {self.value(2)};")
                else:
                    self.lines.append(f"{indent}sum = sum * 31u + ({self.value(2)});")
            elif kind < 0.6:
                self.lines.append(f"{indent}wide = wide * 37u + ({self.wide_value(2)});")
            elif kind < 0.8:
                relation = choose.choice(["<", "==", "!=", ">="])
                self.lines.append(f"{indent}if ({self.value(1)} {relation} {self.value(1)}) {{")
                self.statements(depth - 1, indent + "    ")
                if choose.random() < 0.5:
                    self.lines.append(f"{indent}}} else {{")
                    self.statements(depth - 1, indent + "    ")
                self.lines.append(f"{indent}}}")
            else:
                self.loop(depth, indent)

    def loop(self, depth, indent):
        index = self.name()
        begin = self.choose.choice(["0", "tid & 1"])
        end = self.choose.choice(["3", "5", "n % 7", "tid % 5", "bid % 4", "(tid ^ bid) % 6", "lane / 8"])
        step = self.choose.choice([1, 2])
        self.lines.append(f"{indent}for (unsigned {index} = {begin}; {index} < {end}; {index} += {step}) {{")
        self.narrow.append(index)
        self.statements(depth - 1, indent + "    ")
        self.narrow.remove(index)
        self.lines.append(f"{indent}}}")

    def text(self):
        return "\n".join([f"FUNCTION unsigned long long f{self.number}(unsigned tid, unsigned bid,",
                          "    unsigned bdim, unsigned n, unsigned long long p)", "{",
                          "    unsigned lane = tid & 31, sum = 1;", "    unsigned long long wide = 7;", *self.lines,
                          "    return wide ^ (unsigned long long)sum << 13;", "}", ""])


def host_results(functions, folder):
    """[kernel][thread of the grid], computed by the host's compiler and processor."""
    calls = "\n".join(
        f'    for (unsigned i = 0; i < {BLOCKS * threads_of(k)}; i++)\n'
        f'        printf("{k} %llu\\n", f{k}(i % {threads_of(k)}, i / {threads_of(k)}, {threads_of(k)}, {parameter_of(k)}, '
        f'{POINTER}ull));' for k in range(KERNELS))
    source = os.path.join(folder, "host.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write("#include <stdio.h>\n#define FUNCTION static\n" + functions + f"int main(void)\n{{\n{calls}\n}}\n")
    subprocess.run(["gcc", "-w", "-O1", "-fwrapv", source, "-o", os.path.join(folder, "host")], check=True)
    results = [[] for _ in range(KERNELS)]
    printed = subprocess.run([os.path.join(folder, "host")], check=True, stdout=subprocess.PIPE).stdout.decode()
    for line in printed.splitlines():
        kernel, value = line.split()
        results[int(kernel)].append(int(value))
    return results


def fixture(functions, results):
    """The kernels, with what must come out (tests/fixture.h)."""
    parts = ["#define FUNCTION __device__ __forceinline__", functions]
    for k in range(KERNELS):
        parts += [f"// test: k{k}", f"// launch: {BLOCKS} {threads_of(k)}", "// out: u64"]
        parts += [f"//   | {' '.join(map(str, results[k][i:i + 5]))}" for i in range(0, len(results[k]), 5)]
        parts += [f"// value: u32 {parameter_of(k)}", f"// value: u64 {POINTER}",
                  f'extern "C" __global__ void k{k}(unsigned long long *out, unsigned n, unsigned long long p)', "{",
                  f"    out[blockIdx.x * blockDim.x + threadIdx.x] = f{k}(threadIdx.x, blockIdx.x, blockDim.x, n, p);", "}"]
    return "\n".join(parts) + "\n"


class Integers(unittest.TestCase):
    def test_random_kernels_compute_what_the_host_computes(self):
        for seed in range(SEED, SEED + COUNT):
            choose = random.Random(seed)
            functions = "\n".join(Function(choose, k).text() for k in range(KERNELS))
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, f"integers_{seed}.cu")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(fixture(functions, host_results(functions, folder)))
                for checks, isa in (("memory", None), ("memory", "baseline"), ("all", None)):
                    environment = {**os.environ, "LOCKSTEP_CHECKS": checks}
                    if isa:
                        environment["LOCKSTEP_ISA"] = isa
                    done = subprocess.run([f"{BUILD}/tests/fixtures", path], check=False, stdin=subprocess.DEVNULL,
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
                    said = done.stderr.decode(errors="replace")[:2000]
                    self.assertEqual(done.returncode, 0, f"seed {seed}, checks {checks}, level {isa}:\n{said}")


if __name__ == "__main__":
    unittest.main()

"""Runs the fuzz targets for a while: fuzz.py BUILD SANITIZED (the variants' folders, build/fuzz and build/sanitize).

parse and execute take any text, and mostly test the parser. modules changes modules in ways that mostly leave them loadable
and launches them with every check (tests/fuzz/modules.c); it needs no libFuzzer.

Seeds are the PTX fixtures, what NVRTC makes of the labs, of their wrong and unusual versions and of the CUDA fixtures, and,
for parse and execute, tests/fixtures/malformed; the dictionary is made from the emulator's tables. The corpus of each target
stays in BUILD/corpus/TARGET for the next run, what breaks it goes to BUILD/crashes/TARGET-… . A case of modules goes to
BUILD/crashes/case_SEED_NUMBER.ptx: `modules replay` runs it again, `modules minimize` makes it small, and tests/fuzz/cases
keeps those that were found, for the tests.

Environment: FUZZ_SECONDS, how long each target runs (default 30); FUZZ_TARGETS, which ones (default: all); FUZZ_SEED, of
the mutants of modules (default: drawn; it is printed).
Exit status 1 when a target found something. Without a clang that has libFuzzer only modules runs, and it says so.
"""

import glob
import os
import random
import re
import shutil
import subprocess
import sys

TARGETS = ("parse", "execute")   # of libFuzzer
# parse leaves out what is slow under sanitizers, execute what takes long to run.
LONGEST_SEED = {"parse": 100_000, "execute": 30_000}
SECONDS_PER_INPUT = 20
MEMORY_MB = 3000

DIRECTIVES = (".version 8.8", ".target sm_80", ".address_size 64", ".visible .entry", ".func", ".param .b64", ".reg .pred",
              ".reg .b32 %r<9>;", ".shared .align 16 .b8 s[64];", ".local .align 8 .b8 d[16];", ".extern .shared",
              ".const .align 4 .b32 c[2] = {1, 2};", ".global .u64 g = generic(c);", ".maxntid 32, 1, 1", ".reqntid 32",
              ".minnctapersm 1", ".pragma \"nounroll\";", ".loc 1 2 3", ".loc 1 2 3, function_name L, inlined_at 1 2 3",
              ".file 1 \"a.cu\"", ".section .debug_str {", ".callprototype", ".alias", ".weak", ".noreturn",
              ".branchtargets", "@%p1", "@!%p1", "0f3F800000", "0d3FF0000000000000", "4294967295", "18446744073709551615",
              "-2147483648", "{%r1, %r2}", "[%rd1+4]", "%r1|%p1", "WARP_SZ", "<4000000000>", "[99999999999]", "/*", "*/")


def words_of(path, macro):
    """The quoted words of the rows `macro(…)` of a table."""
    with open(path, encoding="utf-8") as table:
        for line in table:
            if line.startswith(macro + "("):
                yield from re.findall(r'"([^"]*)"', line)


def write_dictionary(path):
    words = set(DIRECTIVES)
    for row in words_of("runtime/language/ptx/instructions.def", "INSTRUCTION"):
        if re.fullmatch(r"[a-z0-9_]+", row):
            words.add(row)
    for row in words_of("runtime/language/ptx/modifiers.def", "MODIFIER"):
        words.add("." + row)
    for row in words_of("runtime/language/ptx/types.def", "TYPE"):
        words.add("." + row)
    words.update(words_of("runtime/language/ptx/specials.def", "SPECIAL"))
    with open(path, "w", encoding="utf-8") as file:
        for word in sorted(words):
            file.write('"%s"\n' % word.replace("\\", "\\\\").replace('"', '\\"'))


def is_made(seeds, source):
    """Has the source been compiled since it was changed?"""
    seed = os.path.join(seeds, re.sub("[/.]", "_", source) + "_80.ptx")
    return os.path.exists(seed) and os.path.getmtime(seed) > os.path.getmtime(source)


def make_seeds(build):
    """Fills BUILD/seeds; returns the files."""
    seeds = os.path.join(build, "seeds")
    os.makedirs(seeds, exist_ok=True)
    sources = glob.glob("solutions/*/*.cu") + glob.glob("labs/**/*.cu", recursive=True) \
        + glob.glob("tests/fixtures/**/*.cu", recursive=True)
    new = [path for path in sorted(sources) if not is_made(seeds, path)]
    made = subprocess.run(["build/tests/fuzz/seeds", seeds, *new] if new else ["true"], check=False,
                          stderr=subprocess.PIPE, text=True)
    if made.returncode != 0:
        print(f"fuzz: no seeds from the compiler: {made.stderr.strip()}")
    return (glob.glob("tests/fixtures/**/*.ptx", recursive=True) + glob.glob("build/tests/generated/*.ptx")
            + glob.glob(os.path.join(seeds, "*.ptx")))


def run_target(target, build, seeds, dictionary, seconds):
    """Runs one target; returns whether it found nothing."""
    corpus, crashes = os.path.join(build, "corpus", target), os.path.join(build, "crashes")
    chosen = os.path.join(build, "corpus", target + ".seeds")
    shutil.rmtree(chosen, ignore_errors=True)
    for folder in (corpus, crashes, chosen):
        os.makedirs(folder, exist_ok=True)
    for seed in seeds:
        if os.path.getsize(seed) <= LONGEST_SEED[target]:
            shutil.copyfile(seed, os.path.join(chosen, seed.replace("/", "_")))
    print(f"fuzz: {target} for {seconds} s, {len(os.listdir(chosen))} seeds, {len(os.listdir(corpus))} in the corpus",
          flush=True)
    log = os.path.join(build, target + ".log")
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run([os.path.join(build, "tests/fuzz", target), f"-max_total_time={seconds}",
                               "-print_final_stats=1",
                               f"-timeout={SECONDS_PER_INPUT}", f"-rss_limit_mb={MEMORY_MB}",
                               f"-malloc_limit_mb={MEMORY_MB}", f"-max_len={LONGEST_SEED[target]}", "-close_fd_mask=1",
                               f"-dict={dictionary}", f"-artifact_prefix={crashes}/{target}-", corpus, chosen],
                              check=False, stdout=file, stderr=subprocess.STDOUT,
                              env={**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1"})
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    runs = re.search(r"number_of_executed_units: (\d+)", text)
    if done.returncode == 0:
        print(f"fuzz: {target} found nothing in {runs.group(1) if runs else '?'} inputs")
        return True
    print(text[-6000:])
    print(f"fuzz: {target} found something: see above, {log} and {crashes}")
    return False


def run_modules(build, sanitized, seeds, seconds):
    """Mutants that load; returns whether nothing stopped them."""
    corpus, crashes = os.path.join(build, "corpus", "modules"), os.path.join(build, "crashes")
    os.makedirs(crashes, exist_ok=True)
    os.makedirs(os.path.dirname(corpus), exist_ok=True)
    good = [seed for seed in seeds if "/malformed/" not in seed]
    subprocess.run(["build/tests/fuzz/modules", "pack", corpus, *good], check=True)
    seed = os.environ.get("FUZZ_SEED", str(random.randrange(1, 1 << 31)))
    return subprocess.run([os.path.join(sanitized, "tests/fuzz/modules"), "run", corpus, "--seconds", str(seconds), "--jobs",
                           str(os.cpu_count()), "--seed", seed, "--out", crashes], check=False,
                          env={**os.environ, "UBSAN_OPTIONS": "print_stacktrace=1"}).returncode == 0


def main():
    build, sanitized = sys.argv[1:]
    seconds = int(os.environ.get("FUZZ_SECONDS", "30"))
    chosen = os.environ.get("FUZZ_TARGETS", " ".join((*TARGETS, "modules"))).split()
    seeds = make_seeds(build)
    good = True
    binary = os.path.join(build, "tests/fuzz/parse")
    if not os.path.exists(binary) or os.path.getsize(binary) == 0:
        print("fuzz: parse and execute are skipped: no clang with libFuzzer (Debian: clang, libclang-rt-dev). Once there is "
              f"one, remove {build} and run again.")
        chosen = [target for target in chosen if target not in TARGETS]
    dictionary = os.path.join(build, "dictionary")
    write_dictionary(dictionary)
    for target in chosen:
        if target == "modules":
            good = run_modules(build, sanitized, seeds, seconds) and good
        else:
            good = run_target(target, build, seeds, dictionary, seconds) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

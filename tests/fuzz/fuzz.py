"""Runs the fuzz targets for a while: fuzz.py BUILD (BUILD: the variant's folder, build/fuzz).

Seeds are the PTX fixtures, what NVRTC makes of the labs and of the CUDA fixtures, and tests/fixtures/malformed; the
dictionary is made from the emulator's tables. The corpus of each target stays in BUILD/corpus/TARGET for the next run, what
breaks it goes to BUILD/crashes/TARGET-… .

Environment: FUZZ_SECONDS, how long each target runs (default 30); FUZZ_TARGETS, which ones (default: all).
Exit status 1 when a target found something. Without a clang that has libFuzzer it says so and exits 0.
"""

import glob
import os
import re
import shutil
import subprocess
import sys

TARGETS = ("parse", "execute")
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


def make_seeds(build):
    """Fills BUILD/seeds; returns the files."""
    seeds = os.path.join(build, "seeds")
    os.makedirs(seeds, exist_ok=True)
    sources = glob.glob("solutions/*/*.cu") + glob.glob("labs/*/*.cu") + glob.glob("tests/fixtures/**/*.cu", recursive=True)
    made = subprocess.run([os.path.join(build, "tests/fuzz/seeds"), seeds, *sorted(sources)], check=False,
                          env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}, stderr=subprocess.PIPE, text=True)
    if made.returncode != 0:
        print(f"fuzz: no seeds from the compiler: {made.stderr.strip()}")
    return (glob.glob("tests/fixtures/**/*.ptx", recursive=True) + glob.glob(os.path.join(build, "tests/generated/*.ptx"))
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


def main():
    build = sys.argv[1]
    binary = os.path.join(build, "tests/fuzz/parse")
    if not os.path.exists(binary) or os.path.getsize(binary) == 0:
        print("fuzz: skipped: no clang with libFuzzer (Debian: clang, libclang-rt-dev). Once there is one, remove "
              f"{build} and run again.")
        return 0
    seconds = int(os.environ.get("FUZZ_SECONDS", "30"))
    seeds = make_seeds(build)
    dictionary = os.path.join(build, "dictionary")
    write_dictionary(dictionary)
    good = True
    for target in os.environ.get("FUZZ_TARGETS", " ".join(TARGETS)).split():
        good = run_target(target, build, seeds, dictionary, seconds) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())

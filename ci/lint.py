"""The static checks of `ninja lint`: lint.py [--only CHECK]... [FILE]... (default: every file
that git knows or would add).

Text rules, phrases that must not come back, include arrows, arguments that depend on their order, shellcheck, the schemas
of workflows and action, clang-tidy, cppcheck, in this order. A tool that is not installed is named as skipped.
Exit status 1 when a check found something.
"""

import argparse
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import format as layout
import order

COLUMNS = 125
LAID_OUT = (".c", ".h", ".def", ".inc", ".cu", ".py", ".ninja", ".sh", ".yml", ".yaml")


def run(command):
    """Runs a command; returns its status and everything it printed."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.returncode, done.stdout.strip()


def known_files():
    listed = run(["git", "ls-files", "--cached", "--others", "--exclude-standard"])[1].splitlines()
    return sorted(path for path in listed if os.path.isfile(path))


def is_shell(path):
    if os.path.splitext(path)[1] == ".sh":
        return True
    with open(path, "rb") as file:
        first = file.readline()
    return first.startswith(b"#!") and (b"bash" in first or b"/sh" in first)


# Files as other people write them: bad on purpose, laid out as students do it, or headed by a whole sentence in one line.
UNKEMPT = ("/fixtures/", "/hostile/", "/beginners/", "/contract/", "/cheats/", "/unoptimized/")


def check_text(files):
    """Line length, tabs, blanks at line ends, one newline at the end."""
    found = []
    for path in files:
        if not path.endswith(LAID_OUT) and not is_shell(path):
            continue
        if any(folder in path for folder in UNKEMPT):
            continue
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for number, line in enumerate(text.split("\n"), 1):
            if len(line) > COLUMNS and not layout.LAID_OUT.search(path):   # of C the formatter knows
                found.append(f"{path}:{number}: {len(line)} columns, {COLUMNS} are allowed")
            if "\t" in line:
                found.append(f"{path}:{number}: a tab")
            if line != line.rstrip():
                found.append(f"{path}:{number}: blanks at the end of the line")
        if text and not text.endswith("\n"):
            found.append(f"{path}: no newline at the end")
    return found


PHRASES = "ci/phrases.txt"
PRINTED = (PHRASES, "handouts/quoted.json", "handouts/supported_ptx.md", "tests/gpu/measured.md",   # the list; by programs
           "tests/readme_test.py", "tests/exports/test_github.py")   # what tests the list; a stranger's text
GAP = r'[\s"*/#]+'      # between two words: a line break, in a comment or a string too
# A page's quotations are checked where they come from: program output, code, titles of findings.
QUOTED = re.compile(r"^<!-- (?:\w+: [^\n]*?|session) -->\n.*?^<!-- end -->$|^(`{3,}).*?^\1$|^#### [^\n]* <!-- \w+ -->$",
                    re.S | re.M)


def read_phrases():
    """[(compiled expression, what to write instead)] of ci/phrases.txt."""
    phrases = []
    with open(PHRASES, encoding="utf-8") as file:
        for line in file.read().splitlines():
            expression, _, instead = line.partition("  # ")
            if expression and not line.startswith("#"):
                phrases.append((re.compile(expression.replace(" ", GAP), re.I), instead))
    return phrases


def check_phrases(files):
    """Phrases that must not come back, as file:line, with what to write instead."""
    found, phrases = [], read_phrases()
    for path in files:
        if path in PRINTED or any(folder in path for folder in UNKEMPT):
            continue
        try:
            with open(path, encoding="utf-8") as file:
                text = file.read()
        except UnicodeDecodeError:
            continue   # not a text
        if path.endswith(".md"):
            text = QUOTED.sub(lambda quoted: "\n" * quoted.group().count("\n"), text)
        for expression, instead in phrases:
            for match in expression.finditer(text):
                number = text.count("\n", 0, match.start()) + 1
                found.append(f'{path}:{number}: "{" ".join(match.group().split())}": write: {instead}')
    return found


def check_arrows(_files):
    return run([sys.executable, "tests/arrows.py"])[1].splitlines()


def check_order(files):
    return order.check([path for path in files if path.endswith((".c", ".h", ".inc"))])


def check_shell(files):
    scripts = [path for path in files if is_shell(path)]
    status, output = run(["shellcheck", *scripts]) if scripts else (0, "")
    return output.splitlines() if status != 0 else []


def compile_commands(files):
    """Source file: its compile command, from the default variant."""
    database = json.loads(run(["ninja", "-t", "compdb", "cc"])[1])
    commands = {}
    for entry in database:
        variant = entry["output"].split("/")[1]
        if variant not in ("sanitize", "clang", "fuzz") and entry["file"] in files:
            commands.setdefault(entry["file"], shlex.split(entry["command"]))
    return commands


def tidy(source, command):
    flags = [word for word in command[1:] if word.startswith(("-I", "-D", "-std", "-m", "-f", "-include"))]
    status, output = run(["clang-tidy", "--quiet", source, "--", *flags, "-Wno-unknown-warning-option"])
    lines = [line for line in output.splitlines() if "warnings generated" not in line]
    return lines if status != 0 else []


def check_tidy(files):
    commands = compile_commands(set(files))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = pool.map(lambda item: tidy(*item), sorted(commands.items()))
        return [line for lines in results for line in lines]


def check_cppcheck(files):
    sources = [path for path in files if path.endswith(".c")]
    if not sources:
        return []
    status, output = run(["cppcheck", "--quiet", "--std=c11", "--enable=warning,performance,portability", "--inline-suppr",
                          "--error-exitcode=1", "--suppressions-list=ci/cppcheck.txt", "-j", str(os.cpu_count()), "-I.",
                          "-D_GNU_SOURCE", "-D__x86_64__", *sources])
    return output.splitlines() if status != 0 else []


def check_workflows(files):
    """Those of this repository and of the template, and the action, against GitHub's schemas."""
    found = []
    for schema, chosen in (("vendor.github-workflows", [path for path in files if ".github/workflows/" in path]),
                           ("vendor.github-actions", [path for path in files if path.endswith("/action.yml")])):
        status, output = run(["check-jsonschema", "--builtin-schema", schema, *chosen]) if chosen else (0, "")
        found += output.splitlines() if status != 0 else []
    return found


def check_format(files):
    return layout.mistakes(layout.chosen(files))


CHECKS = [
    # name, tool (None: Python alone), function
    ("text", None, check_text),
    ("phrases", None, check_phrases),
    ("format", layout.TOOL, check_format),
    ("arrows", None, check_arrows),
    ("argument order", None, check_order),
    ("shellcheck", "shellcheck", check_shell),
    ("workflows", "check-jsonschema", check_workflows),
    ("clang-tidy", "clang-tidy", check_tidy),
    ("cppcheck", "cppcheck", check_cppcheck),
]


def main():
    os.environ["PATH"] += os.pathsep + os.path.abspath("build/venv/bin")   # what ci/setup --dev installs
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", metavar="CHECK", action="append", choices=[name.split()[0] for name, _, _ in CHECKS],
                        help=f"one of {', '.join(name.split()[0] for name, _, _ in CHECKS)}; may be given more than once")
    parser.add_argument("files", metavar="FILE", nargs="*")
    options = parser.parse_args()
    absent = [path for path in options.files if not os.path.isfile(path)]
    if absent:
        parser.error(f"there is no file {', '.join(absent)}")
    files = options.files or known_files()
    wrong = 0
    for name, tool, check in CHECKS:
        if options.only and name.split()[0] not in options.only:
            continue
        if tool and not shutil.which(tool):
            print(f"skipped {name}: {tool} is not installed", flush=True)
            continue
        found = check(files)
        for line in found:
            print(line)
        print(f"{'ok     ' if not found else 'WRONG  '} {name}", flush=True)
        wrong += bool(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

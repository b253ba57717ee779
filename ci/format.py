"""Lays out all C with the clang-format that ci/dev-requirements.txt pins: format.py [--check] [FILE]...

Default: every .c, .h and .inc file that git knows or would add, but for submissions, which are as students wrote them.
--check changes nothing and prints the first line of each file that would change; exit status 1 when there is one.
"""

import re
import subprocess
import sys

TOOL = "build/venv/bin/clang-format"   # what ci/setup --dev installs; another version lays out otherwise
LAID_OUT = re.compile(r"\.(c|h|inc)$")
LEFT_ALONE = re.compile(r"^(tests/hostile/|tests/labs/[^/]+/wrong/|labs/[^/]+/(wrong|variants)/)")


def chosen(files):
    return [path for path in files if LAID_OUT.search(path) and not LEFT_ALONE.match(path)]


def known_files():
    listed = subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard"], capture_output=True,
                            text=True, check=True).stdout.splitlines()
    return chosen(listed)


def mistakes(files):
    """One line for each place that the formatter would change."""
    if not files:
        return []
    done = subprocess.run([TOOL, "--dry-run", "--ferror-limit=1", *files], capture_output=True, text=True, check=False)
    return [line.split(": warning:")[0].split(": error:")[0] + ": not as `ninja format` lays it out"
            for line in done.stderr.splitlines() if "clang-format" in line]


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    files = chosen(words) if words else known_files()
    try:
        if "--check" in sys.argv[1:]:
            found = mistakes(files)
            print("\n".join(found), end="\n" if found else "")
            return 1 if found else 0
        return subprocess.run([TOOL, "-i", *files], check=False).returncode
    except FileNotFoundError:
        print(f"There is no {TOOL}: ci/setup --dev installs it.", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())

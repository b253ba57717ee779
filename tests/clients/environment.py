"""Makes the virtual environment whose packages the clients' tests use: environment.py FOLDER.

Installs each paragraph of requirements.txt by itself. What cannot be installed, for want of a network, a compiler or a
Python that is new enough, is left out: FOLDER/missing.txt has a line for it, "NAME: why", which the tests' skips repeat.
Nothing is done where the folder is as the file says. The exit status is 0 unless there is no virtual environment at all.
"""

import os
import re
import subprocess
import sys
import venv

REQUIREMENTS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "requirements.txt")
TOOLKIT = "/usr/local/cuda"
INSTALL_S = 900


def paragraphs(text):
    """[(name, [requirement])]: the paragraphs after the first, which is the file's description."""
    for paragraph in text.strip().split("\n\n")[1:]:
        heading, *requirements = paragraph.splitlines()
        yield heading.lstrip("# ").split(" ")[0], requirements


def read(path):
    """A file's text; None: there is none."""
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return file.read()


def install_as_documented(folder, *specifications):
    """An environment with packages and all that they depend on, as their users install them: the newest, once. Returns its
    Python, and why there is none, or None."""
    folder = os.path.abspath(folder)
    stamp, wanted = f"{folder}/installed.txt", "\n".join(specifications)
    if read(stamp) != wanted:
        try:
            venv.create(folder, clear=True, with_pip=True)
        except (OSError, subprocess.CalledProcessError) as error:
            return None, f"no virtual environment: {error}"
        why = install(folder, specifications, dependencies=True)
        if why:
            return None, why
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    return f"{folder}/bin/python", None


def install(folder, requirements, dependencies=False):
    """Returns why that failed, in a line; None for success."""
    environment = {**os.environ, "PATH": f"{os.environ.get('PATH', '')}:{TOOLKIT}/bin"}
    command = [f"{folder}/bin/pip", "--disable-pip-version-check", "--no-input", "--retries", "1", "--timeout", "20",
               "install", "--quiet", *([] if dependencies else ["--no-deps"]), "--no-warn-script-location", *requirements]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              timeout=INSTALL_S, check=False, env=environment)
    except subprocess.TimeoutExpired:
        return f"pip took longer than {INSTALL_S} s"
    if done.returncode == 0:
        return None
    errors = re.findall(r"ERROR: (.*)", done.stdout) or done.stdout.strip().splitlines() or ["pip failed"]
    return errors[-1].strip()


def main():
    folder = os.path.abspath(sys.argv[1])
    wanted = read(REQUIREMENTS)
    stamp, missing = f"{folder}/installed.txt", f"{folder}/missing.txt"
    if read(stamp) == wanted and not os.path.exists(missing):
        return 0
    try:
        venv.create(folder, clear=True, with_pip=True)
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"clients: no virtual environment in {folder}: {error}; on Debian and Ubuntu the package python3-venv makes "
              f"them", file=sys.stderr)
        return 1
    failures = []
    for name, requirements in paragraphs(wanted):
        if failures and failures[0][0] == "numpy":
            failures.append((name, failures[0][1]))   # nothing works without it, and the index may be out of reach
            continue
        print(f"clients: installing {name}", flush=True)
        why = install(folder, requirements)
        if why:
            print(f"clients: {name} cannot be installed: {why}", flush=True)
            failures.append((name, why))
    if failures:
        with open(missing, "w", encoding="utf-8") as file:
            file.writelines(f"{name}: {why}\n" for name, why in failures)
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)
    return 0


if __name__ == "__main__":
    sys.exit(main())

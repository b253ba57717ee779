"""The terminal pictures of README.md: blocks that start with "$ build/lockstep …" and go on with what that command prints.

readme_pictures.py --write puts the present output into the page; readme_test.py checks that it is there. Times differ from
run to run, so they are not compared.
"""

import os
import re
import subprocess
import sys

import first_steps

PAGE = "README.md"
SESSION = re.compile(r"<!-- session -->\n(.*?)<!-- end -->", re.S)   # first_steps.py
PICTURE = re.compile(r"^```\n\$ (build/lockstep [^\n]*)\n(.*?)^```$", re.S | re.M)


def output_of(command, build="build"):
    """What the command prints, in `build` instead of build/, without blanks at the ends of lines."""
    command = re.sub(r"\bbuild/(?=lockstep|examples/)", f"{build}/", command)
    # The same with and without a GPU, and whatever the reader's own progress is.
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "CUDA_VISIBLE_DEVICES": "", "LOCKSTEP_FOLDER": ""}
    done = subprocess.run(["sh", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, env=environment,
                          text=True, check=False)
    return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())


def without_times(text):
    return re.sub(r" *\d+\.\d\d m?s$", " TIME", text, flags=re.M)


def pictures(text):
    return [(match.group(1), match.group(2)) for match in PICTURE.finditer(SESSION.sub("", text))]


def main():
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    session = SESSION.search(text)
    fresh = "".join(PICTURE.sub(lambda match: f"```\n$ {match.group(1)}\n{output_of(match.group(1))}```", part)
                    for part in (text[:session.start()], "\0", text[session.end():]))
    fresh = fresh.replace("\0", f"<!-- session -->\n{first_steps.play(session.group(1))}<!-- end -->")
    if sys.argv[1:] != ["--write"]:
        sys.exit("usage: readme_pictures.py --write")
    with open(PAGE, "w", encoding="utf-8") as file:
        file.write(fresh)


if __name__ == "__main__":
    main()

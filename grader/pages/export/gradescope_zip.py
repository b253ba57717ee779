"""Upload it as the assignment's autograder (base image Ubuntu 22.04 or newer).

It holds this kit, setup.sh and run_autograder; nothing else is needed, and it needs no GPU. Set the assignment's points to
100 for each lab.
"""

import io
import os
import re
import subprocess
import zipfile

from export.gradescope import VISIBILITIES
from export.source import KIT, Mistake
from export.text import plain

LEFT_OUT = {".git", ".github", ".ci", "build", "__pycache__"}
MAY_BE_NEW = ("labs", "solutions", "handouts")   # where an instructor adds things; elsewhere only what git knows
SEED_LIMIT_BYTES = 4096
MOMENT = (1980, 1, 1, 0, 0, 0)   # the same kit gives the same archive


def add_options(parser):
    parser.add_argument("--labs", metavar="LIST", required=True,
                        help="the labs of the assignment, separated by commas, or all: a missing one gets no points")
    parser.add_argument("--hidden", metavar="WHEN", choices=VISIBILITIES, default="after_published",
                        help="when students see hidden tests: " + ", ".join(VISIBILITIES) + "; default: after_published")
    parser.add_argument("--hidden-seed-file", metavar="FILE", help="run the hidden tests; the file goes into the archive")
    parser.add_argument("--leaderboard", action="store_true", help="also write the leaderboard")


def known_labs():
    """Names of the labs' folders."""
    labs = os.path.join(KIT, "labs")
    return sorted(name for name in os.listdir(labs) if os.path.exists(os.path.join(labs, name, "lab.yaml")))


def check_labs(text):
    """The labs, separated by commas."""
    known = known_labs()
    words = known if text.strip() == "all" else [word for word in re.split(r"[\s,]+", text) if word]
    for word in words:
        if word not in known:
            raise Mistake(f"--labs: there is no lab {plain(word)!r}; the kit has {', '.join(known)}.", 2)
    if not words:
        raise Mistake(f"--labs needs at least one of {', '.join(known)}.", 2)
    return ",".join(words)


def git_files(*words):
    done = subprocess.run(["git", "-C", KIT, "ls-files", "-z", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=False)
    return [path for path in done.stdout.decode("utf-8", "surrogateescape").split("\0") if path] \
        if done.returncode == 0 else []


def kit_files():
    """Paths of the kit's files, relative to it."""
    try:
        known = git_files("--cached")
        found = known and known + git_files("--others", "--exclude-standard", "--", *MAY_BE_NEW)
    except FileNotFoundError:
        found = []
    if not found:   # not a checkout, or one to which nothing has been added
        for folder, below, names in os.walk(KIT):
            below[:] = [name for name in below if name not in LEFT_OUT]
            found += [os.path.relpath(os.path.join(folder, name), KIT) for name in names]
    return sorted(path for path in set(found) if path.split("/")[0] not in LEFT_OUT
                  and os.path.isfile(os.path.join(KIT, path)) and not os.path.islink(os.path.join(KIT, path)))


def add(archive, name, data, executable=False):
    entry = zipfile.ZipInfo(name, MOMENT)
    entry.external_attr = (0o100755 if executable else 0o100644) << 16
    entry.create_system = 3   # Unix: the mode counts
    entry.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(entry, data)


def read(path):
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}.", 2) from error


def configuration(labs, options):
    """lockstep.conf, which run_autograder sources; every value comes from a list that is known to be harmless."""
    more = ["--hidden", options.hidden] + (["--leaderboard"] if options.leaderboard else [])
    return f"labs={labs}\nexport_options=({' '.join(more)})\n"


def make(options):
    """The archive, as bytes."""
    if not os.path.isdir(os.path.join(KIT, "ci/gradescope")):
        raise Mistake("this kit was made for students (ci/package) and lacks what the archive needs. Make it in the kit "
                      "that has the solutions.", 2)
    labs = check_labs(options.labs)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in ("setup.sh", "run_autograder"):
            add(archive, name, read(os.path.join(KIT, "ci/gradescope", name)), executable=True)
        add(archive, "lockstep.conf", configuration(labs, options))
        if options.hidden_seed_file:
            seed = read(options.hidden_seed_file)
            if not 16 <= len(seed.rstrip()) <= SEED_LIMIT_BYTES:
                raise Mistake(f"{options.hidden_seed_file}: a hidden seed has 16 to {SEED_LIMIT_BYTES} bytes.")
            add(archive, "hidden-seed", seed)
        for path in kit_files():
            full = os.path.join(KIT, path)
            add(archive, f"kit/{path}", read(full), executable=os.access(full, os.X_OK))
    return buffer.getvalue()


def convert(_source, options):
    """Yields the archive."""
    yield None, make(options)

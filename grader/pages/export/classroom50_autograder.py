"""For Classroom 50: `gh teacher autograder set-default`, or CLASSROOM/autograders/ASSIGNMENT/autograder.py.

Its runner starts the script in the student's checkout. The script fetches this kit at one ref, sets it up, grades, and
leaves result.json and release-body.md. On a runner that has the kit already, LOCKSTEP_KIT names its folder.
"""

import os
import re

from export.gradescope_zip import check_labs
from export.source import KIT, Mistake
from export.text import plain

KIT_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*/[A-Za-z0-9._-]+)@([A-Za-z0-9][A-Za-z0-9._/-]*)")


def add_options(parser):
    parser.add_argument("--kit", metavar="OWNER/REPOSITORY@REF", required=True,
                        help="the kit on GitHub, at a tag or, best, a full commit")
    parser.add_argument("--labs", metavar="LIST", required=True,
                        help="the labs of the assignment, separated by commas, or all: a missing one gets no points")


def convert(_source, options):
    """Yields the script."""
    match = KIT_NAME.fullmatch(options.kit)
    if not match:
        raise Mistake(f"--kit {plain(options.kit)}: not of the form OWNER/REPOSITORY@REF, such as school/lockstep@v1.0.", 2)
    with open(os.path.join(KIT, "ci/classroom50/autograder.py"), encoding="utf-8") as file:
        text = file.read()
    yield None, text.replace("OWNER/KIT", match[1]).replace('"REF"', f'"{match[2]}"') \
        .replace('"LABS"', f'"{check_labs(options.labs)}"')

#!/usr/bin/env python3
"""Grades CUDA labs for Classroom 50 with Lockstep: leaves result.json and release-body.md in the working directory.

Exit status: 0 whatever the student's points; otherwise the grader itself failed, and Classroom 50 records an error, no zero.
"""

import os
import subprocess
import sys
import tempfile

KIT = "https://github.com/OWNER/KIT"
REF = "REF"
LABS = "LABS"

HARNESS = 3


def fetch(folder):
    """The kit at REF, and nothing of its history."""
    for words in (["init", "--quiet", folder], ["-C", folder, "fetch", "--quiet", "--depth", "1", KIT, REF],
                  ["-C", folder, "checkout", "--quiet", "FETCH_HEAD"]):
        subprocess.run(["git", *words], check=True)
    return folder


def main():
    with tempfile.TemporaryDirectory(prefix="lockstep-") as scratch:
        kit = os.environ.get("LOCKSTEP_KIT") or fetch(os.path.join(scratch, "kit"))
        graded = subprocess.run([f"{kit}/ci/grade-here", ".", "--labs", LABS, "--out", scratch], check=False).returncode
        if graded > 1:
            return HARNESS
        return subprocess.run([f"{kit}/build/lockstep", "export", "classroom50", f"{scratch}/result.json",
                               "--out", "result.json", "--release-body", "release-body.md"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

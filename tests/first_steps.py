"""The session in README.md, from <!-- session --> to <!-- end -->, played in a fresh kit: blocks that begin with "$ " are
commands and what they print, blocks of cuda are what the reader puts between the marks of the lab doublify."""

import re
import subprocess

from student_kit import Kit

BLOCK = re.compile(r"^```(cuda)?\n(.*?)^```$", re.S | re.M)
FILE = ("labs", "doublify", "doublify.cu")
MARKS = re.compile(r"(// --- your code ---\n).*?( *// --- end ---\n)", re.S)


def play(text):
    """The text with what its commands print now."""
    kit = Kit()

    def print_of(command):
        done = subprocess.run(["sh", "-c", command], cwd=kit.root, env=kit.environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        return "".join(line.rstrip() + "\n" for line in done.stdout.splitlines())

    def play_block(match):
        if match.group(1):
            kit.write(MARKS.sub(lambda marks: marks.group(1) + match.group(2) + marks.group(2), kit.read(*FILE)), *FILE)
            return match.group(0)
        commands = re.findall(r"^\$ (.*)$", match.group(2), re.M)
        return "```\n" + "\n".join(f"$ {command}\n{print_of(command)}" for command in commands) + "```"

    try:
        return BLOCK.sub(play_block, text)
    finally:
        kit.close()

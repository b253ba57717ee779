"""The first line of a wrong version, as tests/dialect.c reads it; tests/dialect.h has the table of all words.

    // expect: CODE[|CODE] [PATTERN[|PATTERN]] [line=N] - why
    // expect: budget METRIC[|METRIC] - why
"""

import collections
import re

# codes and seconds (patterns or metrics) are lists, seconds may be empty; line is None where none is named.
Wrong = collections.namedtuple("Wrong", "codes seconds line")
LINE = re.compile(r"// expect: (\S+)(?: (?!-|line=)(\S+))?(?: line=(\d+))? - \S")


def read_wrong(path):
    """None when the file does not begin with such a line."""
    with open(path, encoding="utf-8") as file:
        found = LINE.match(file.readline())
    return found and Wrong(found[1].split("|"), found[2].split("|") if found[2] else [], found[3] and int(found[3]))

"""Writes what other files say of the rows of runtime/tables: tables.py [--check].

A new finding or counter is one row, and then `python3 ci/tables.py`: the codes and counters of
grader/result/result.schema.json and the tables and sections of handouts/*.md follow. --check only compares, for the tests.
The readers below are for whoever needs the rows in Python.
"""

import collections
import functools
import json
import os
import re
import subprocess
import sys

FINDINGS, COUNTERS, SCHEMA = "runtime/tables/findings.def", "runtime/tables/counters.def", "grader/result/result.schema.json"

Stage = collections.namedtuple("Stage", "name order heading")
Finding = collections.namedtuple("Finding", "code raised_by stage severity in_lab title question meaning often advice")
Counter = collections.namedtuple("Counter", "kind name unit profiler title meaning aim formula")

# A row, whose arguments are words, C strings in pieces, or a formula with COUNT(...) in it.
ROW = re.compile(r'^([A-Z]+)\(((?:"(?:[^"\\]|\\.)*"|[^"()]|\([^"()]*(?:\([^"()]*\)[^"()]*)*\))*)\)$', re.M)
PIECE = re.compile(r'"((?:[^"\\]|\\.)*)"')
ARGUMENT = re.compile(r'\s*((?:"(?:[^"\\]|\\.)*"\s*)+|(?:[^",()]|\([^()]*(?:\([^()]*\)[^()]*)*\))+)(?:,|$)')


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


@functools.cache
def rows(path):
    """(macro, arguments) of each row. The file is read once."""
    text = re.sub(r"/\*.*?\*/", "", read(path), flags=re.S)
    found = []
    for macro, inside in ROW.findall(text):
        arguments = []
        for argument in ARGUMENT.findall(inside):
            pieces = PIECE.findall(argument)
            arguments.append(re.sub(r"\\(.)", r"\1", "".join(pieces)) if pieces else " ".join(argument.split()))
            if argument.strip() == '""':
                arguments[-1] = ""
        found.append((macro, arguments))
    if len(found) != len(re.findall(r"^[A-Z]+\(", text, re.M)):
        raise ValueError(f"{path}: a row that cannot be read, among or behind {found[-1][1][0] if found else 'the first'}")
    return found


def stages():
    return {row[0]: Stage(row[0], int(row[1]), row[2]) for macro, row in rows(FINDINGS) if macro == "STAGE"}


def findings():
    """The rows of findings.def, in their order; stage is a Stage."""
    known = stages()
    made = [Finding(*row) for macro, row in rows(FINDINGS) if macro == "FINDING"]
    return [row._replace(stage=known[row.stage]) for row in made]


def counters():
    """The rows of counters.def, in their order; formula is "" unless kind is DERIVED."""
    return [Counter(macro, *row, *([] if macro == "DERIVED" else [""])) for macro, row in rows(COUNTERS)]


# ---- the schema of results -----------------------------------------------------------------------------------------------


def codes_of_schema():
    lines, line = [], ""
    for code in [row.code for row in findings()]:
        if len(line) + len(code) > 110:
            lines.append(line.rstrip())
            line = ""
        line += f'"{code}", '
    lines.append(line.rstrip(", "))
    return '  "code": {\n   "enum": [\n    ' + "\n    ".join(lines) + "\n   ]\n  },\n"


def counters_of_schema():
    text = '  "counters": {\n   "type": "object",\n   "properties": {\n'
    text += ",\n".join(f'    "{row.name}": {{"title": {quote(row.title)}, "description": {quote(phrase(row))}, '
                       '"type": ["number", "null"]}' for row in counters())
    return text + '\n   },\n   "additionalProperties": {"type": ["number", "null"]}\n  },\n'


def quote(text):
    return json.dumps(text, ensure_ascii=False)


def formula_words(row):
    return re.sub(r"COUNT\((\w+)\)", r"\1", row.formula).replace("*", "×")


def phrase(row):
    """What it counts, and how it is made of others."""
    return row.meaning + (f": {formula_words(row)}" if row.formula else "")


def schema(text):
    """The schema with the definitions "code" and "counters" as the tables have them."""
    for name, made in (("code", codes_of_schema()), ("counters", counters_of_schema())):
        text, count = re.subn(rf'^  "{name}": \{{\n.*?^  \}},\n', lambda _, made=made: made, text, count=1,
                              flags=re.S | re.M)
        if count != 1:
            sys.exit(f"tables.py: {SCHEMA} has no definition \"{name}\"")
    return text


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit("usage: tables.py [--check]")
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    old = read(SCHEMA)
    fresh = schema(old)
    if sys.argv[1:] == ["--check"]:
        if fresh != old:
            sys.exit(f"{SCHEMA} is not what the tables say: python3 ci/tables.py")
    elif fresh != old:
        with open(SCHEMA, "w", encoding="utf-8") as file:
            file.write(fresh)
        print(f"written: {SCHEMA}")
    mode = "--check-tables" if sys.argv[1:] else "--tables"
    return subprocess.run([sys.executable, "tests/handout_pages.py", mode], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

"""Reading what is converted: a result file (lockstep/result/v1) or a class (class.json, lockstep/class/v1).

A file is checked by the schema beside the grader, but more leniently than the tests do it: keys and codes that a newer kit
added to the same version are no mistake. What is there must have the right type; what is required must be there.
"""

import functools
import json
import os
import sys

KIT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))

# kind: (name of the schema without version, the version that we read, its file)
SCHEMAS = {
    "result": ("lockstep/result/", "v1", "grader/result.schema.json"),
    "class": ("lockstep/class/", "v1", "grader/class.schema.json"),
}

FILE_LIMIT_BYTES = 256 << 20   # a class of 10,000 has some 30 MB


class Mistake(Exception):
    """Something is wrong with what was read; the message says what, where and what to do. status: the exit status."""

    def __init__(self, message, status=1):
        super().__init__(message)
        self.status = status


def remark(message):
    """A line for the user that is not part of what is made."""
    print(f"lockstep: {message}", file=sys.stderr)


# What json.loads makes of each type of the schema. A bool is no integer.
TYPES = {"object": {dict}, "array": {list}, "string": {str}, "integer": {int}, "number": {int, float}, "boolean": {bool},
         "null": {type(None)}}


def resolve(schema, node):
    """The schema that a local reference points to."""
    while "$ref" in node:
        target = schema
        for part in node["$ref"].lstrip("#/").split("/"):
            target = target[part]
        node = target
    return node


def make_check(schema, node):
    """A function of a value that returns the first place where it has another shape than node says, as (path, sentence), or
    None. A large class has millions of values, so the schema is read once and not for each."""
    node = resolve(schema, node)
    parts = [make_check(schema, part) for part in node.get("allOf", [])]
    choices = [make_check(schema, part) for part in node.get("oneOf", [])]
    words = node.get("type", [])
    words = [words] if isinstance(words, str) else words
    allowed = set().union(*(TYPES[word] for word in words))
    least, required = node.get("minimum"), node.get("required", [])
    properties = [(key, make_check(schema, below)) for key, below in node.get("properties", {}).items()]
    element = make_check(schema, node["items"]) if "items" in node else None

    def check_value(value):
        kind = type(value)
        for part in parts:
            found = part(value)
            if found:
                return found
        if choices:
            first = choices[0](value)
            return first if first and all(choice(value) for choice in choices[1:]) else None
        if allowed and kind not in allowed:
            return "", f"{' or '.join(words)} expected, {json.dumps(value)[:40]} found"
        if least is not None and kind in TYPES["number"] and value < least:
            return "", f"{value} is less than {least}"
        if kind is dict:
            for key in required:
                if key not in value:
                    return "", f'"{key}" is missing'
            for key, below in properties:
                found = below(value[key]) if key in value else None
                if found:
                    return f".{key}{found[0]}", found[1]
        elif kind is list and element:
            for i, one in enumerate(value):
                found = element(one)
                if found:
                    return f"[{i}]{found[0]}", found[1]
        return None

    return check_value


@functools.lru_cache(maxsize=None)
def check_of(schema_path):
    """The check of a whole document."""
    with open(os.path.join(KIT, schema_path), encoding="utf-8") as file:
        schema = json.load(file)
    return make_check(schema, schema)


def refuse_constant(word):
    """JSON has no NaN and no infinity."""
    raise ValueError(f"{word} is not JSON")


def read_json(path):
    """The document in a file, "-" for standard input."""
    try:
        if path == "-":
            data = sys.stdin.buffer.read(FILE_LIMIT_BYTES + 1)
        else:
            if not os.path.isfile(path) and os.path.exists(path):
                raise Mistake(f"{path} is a folder or a device, not a result file. `lockstep grade --json FILE` writes one.",
                              2)
            with open(path, "rb") as file:
                data = file.read(FILE_LIMIT_BYTES + 1)
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}.", 2) from error
    if len(data) > FILE_LIMIT_BYTES:
        raise Mistake(f"{path} has more than {FILE_LIMIT_BYTES >> 20} MB: that is no result file.")
    try:
        return json.loads(data.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        what = "it is empty" if not data.strip() else str(error)
        raise Mistake(f"{path} is not JSON: {what}. `lockstep grade --json FILE` writes a result file.") from error


def check(document, path, kinds):
    """Which of kinds the document is; Mistake when it is none, or broken."""
    name = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(name, str):
        raise Mistake(f"{path} has no \"schema\": it is neither a result file of `lockstep grade --json` nor the class.json "
                      "of `lockstep batch`.")
    for kind, (prefix, version, schema_path) in SCHEMAS.items():
        if not name.startswith(prefix):
            continue
        if name != prefix + version:
            raise Mistake(f"{path} is of schema {name}, and this kit reads {prefix}{version}. Grade again with this kit, or "
                          "export with the kit that wrote it.")
        if kind not in kinds:
            wanted = "the result of one grading" if "result" in kinds else "the class.json of `lockstep batch`"
            raise Mistake(f"{path} is {'a class' if kind == 'class' else 'the result of one grading'}; this format takes "
                          f"{wanted}.", 2)
        found = check_of(schema_path)(document)
        if found:
            raise Mistake(f"{path} is broken: {kind}{found[0]}: {found[1]}.")
        return kind
    raise Mistake(f"{path} is of schema {name[:80]!r}, which this kit does not know.")


def file_of(path, kinds):
    """path; of a folder that `lockstep batch` or ci/grade-here made, the file in it."""
    if os.path.isdir(path):
        for kind in kinds:
            inside = os.path.join(path, f"{kind}.json")
            if os.path.isfile(inside):
                return inside
    return path


class Source:
    """What is converted.
        kind       "result" or "class"
        path       of the file, as the user gave it
        document   the parsed JSON, of the right shape
    """

    def __init__(self, path, kinds):
        self.path = path = file_of(path, kinds)
        self.document = read_json(path)
        self.kind = check(self.document, path, kinds)

    def student(self, student):
        """The result document of an element of students[], read when it is asked for; None: nothing was graded."""
        if student["file"] is None:
            return None
        folder, name = os.path.split(student["file"])
        if folder != "students" or name in ("", ".", ".."):
            raise Mistake(f"{self.path} is broken: a student's file is {student['file']!r}, not students/ID.json.")
        path = os.path.join(os.path.dirname(self.path), folder, name)
        document = read_json(path)
        check(document, path, ("result",))
        return document

"""Reading what is converted: a result file (lockstep/result/v1) or a class (class.json, lockstep/class/v1).

A file is checked by the schema beside the grader, but more leniently than the tests do it: keys and codes that a newer kit
added to the same version are no mistake. What is there must have the right type; what is required must be there.
"""

import json
import os
import sys

KIT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

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


TYPES = {
    "object": lambda value: isinstance(value, dict),
    "array": lambda value: isinstance(value, list),
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
    "boolean": lambda value: isinstance(value, bool),
    "null": lambda value: value is None,
}


def resolve(schema, node):
    """The schema that a local reference points to."""
    while "$ref" in node:
        target = schema
        for part in node["$ref"].lstrip("#/").split("/"):
            target = target[part]
        node = target
    return node


def find_mistake(schema, node, value, place):
    """The first place where value has another shape than node says, as a sentence; None: it has that shape."""
    node = resolve(schema, node)
    for part in node.get("allOf", []):
        found = find_mistake(schema, part, value, place)
        if found:
            return found
    if "oneOf" in node:
        found = [find_mistake(schema, choice, value, place) for choice in node["oneOf"]]
        return None if None in found else found[0]
    wanted = node.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else wanted
    if wanted and not any(TYPES[name](value) for name in wanted):
        return f"{place}: {' or '.join(wanted)} expected, {json.dumps(value)[:40]} found"
    if "minimum" in node and isinstance(value, (int, float)) and value < node["minimum"]:
        return f"{place}: {value} is less than {node['minimum']}"
    if isinstance(value, dict):
        for key in node.get("required", []):
            if key not in value:
                return f"{place}: \"{key}\" is missing"
        for key, below in node.get("properties", {}).items():
            if key in value:
                found = find_mistake(schema, below, value[key], f"{place}.{key}")
                if found:
                    return found
    if isinstance(value, list) and "items" in node:
        for i, element in enumerate(value):
            found = find_mistake(schema, node["items"], element, f"{place}[{i}]")
            if found:
                return found
    return None


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
        with open(os.path.join(KIT, schema_path), encoding="utf-8") as file:
            schema = json.load(file)
        found = find_mistake(schema, schema, document, "result" if kind == "result" else "class")
        if found:
            raise Mistake(f"{path} is broken: {found}.")
        return kind
    raise Mistake(f"{path} is of schema {name[:80]!r}, which this kit does not know.")


class Source:
    """What is converted.
        kind       "result" or "class"
        path       of the file, as the user gave it
        document   the parsed JSON, of the right shape
    """

    def __init__(self, path, kinds):
        self.path = path
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

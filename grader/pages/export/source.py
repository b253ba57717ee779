"""Reading what is converted: a result file (lockstep/result/v1) or a class (class.json, lockstep/class/v1).

The file that the user names may come from anywhere, so it is checked against the grader's schema, but more leniently than
in the tests: keys and codes that a newer kit added to the same version are accepted. What is there must have the right
type; what is required must be there. The results of a class's students are where `lockstep batch` wrote them: they are
checked only if something goes wrong with them, which saves minutes in a large class.
"""

import functools
import importlib.util
import json
import os
import sys

from export.text import cut, plain

KIT = os.path.abspath(os.path.join(os.path.dirname(__file__), "../../.."))

# kind: (name of the schema without version, the version that we read, its file)
SCHEMAS = {
    "result": ("lockstep/result/", "v1", "grader/result/result.schema.json"),
    "class": ("lockstep/class/", "v1", "grader/class/class.schema.json"),
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


# ---- libraries ----------------------------------------------------------------------------------------------------------

SYSTEM_PYTHON, HARNESS = "/usr/bin/python3", 3
COMMANDS = ("export", "trace")


def need(library, package):
    """A library may belong to the system's Python while the user has another: the command starts again in that one then."""
    if importlib.util.find_spec(library):
        return
    beside = os.path.isfile(SYSTEM_PYTHON) and not os.path.samefile(SYSTEM_PYTHON, sys.executable)
    if beside and os.path.basename(sys.argv[0]) in COMMANDS:
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, "-I", "-X", "utf8", *sys.argv])
    raise Mistake(f"this needs the Python library {library}, and {sys.executable} does not have it. Install it (apt-get "
                  f"install {package}; ci/setup does).", HARNESS)


# ---- the shape of a document --------------------------------------------------------------------------------------------

MESSAGE_LIMIT_CHARACTERS = 300


def lenient(node):
    """The schema without what a newer kit may add to."""
    if isinstance(node, list):
        return [lenient(part) for part in node]
    if not isinstance(node, dict):
        return node
    return {"anyOf" if key == "oneOf" else key: lenient(part) for key, part in node.items()
            if isinstance(part, dict) or key not in ("additionalProperties", "enum", "const", "pattern")}


@functools.lru_cache(maxsize=None)
def validator(schema_path):
    need("jsonschema", "python3-jsonschema")
    import jsonschema   # pylint: disable=import-outside-toplevel
    with open(os.path.join(KIT, schema_path), encoding="utf-8") as file:
        return jsonschema.Draft7Validator(lenient(json.load(file)))


def check_shape(document, path, kind):
    """Mistake when the document has another shape than its schema says."""
    found = next(validator(SCHEMAS[kind][2]).iter_errors(document), None)
    while found and found.context:   # of several shapes, none of which fits: what the last one lacks
        found = found.context[-1]
    if found:
        where = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in found.absolute_path)
        raise Mistake(f"{path} is broken: {kind}{plain(where, lines=False)}: "
                      f"{cut(plain(found.message, lines=False), MESSAGE_LIMIT_CHARACTERS)}.")


# ---- reading ------------------------------------------------------------------------------------------------------------


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
        raise Mistake(f"{path} has more than {FILE_LIMIT_BYTES >> 20} MB: that is not a result file.")
    try:
        return json.loads(data.decode("utf-8"), parse_constant=refuse_constant)
    except (ValueError, RecursionError) as error:
        what = "it is empty" if not data.strip() else str(error)
        raise Mistake(f"{path} is not JSON: {what}. `lockstep grade --json FILE` writes a result file.") from error


def kind_of(document, path, kinds):
    """Which of kinds the document is; Mistake when it is none, or of another version."""
    name = document.get("schema") if isinstance(document, dict) else None
    if not isinstance(name, str):
        raise Mistake(f"{path} has no \"schema\": it is neither a result file of `lockstep grade --json` nor the class.json "
                      "of `lockstep batch`.")
    for kind, (prefix, version, _) in SCHEMAS.items():
        if not name.startswith(prefix):
            continue
        if name != prefix + version:
            raise Mistake(f"{path} is of schema {name}, and this kit reads {prefix}{version}. Grade again with this kit, or "
                          "export with the kit that wrote it.")
        if kind not in kinds:
            wanted = "the result of one grading" if "result" in kinds else "the class.json of `lockstep batch`"
            raise Mistake(f"{path} is {'a class' if kind == 'class' else 'the result of one grading'}; this format takes "
                          f"{wanted}.", 2)
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

    def __init__(self, path, kinds, checked=True):
        self.path = path = file_of(path, kinds)
        self.hide = None   # anonymous.hide_result, where names must not be seen
        self.document = read_json(path)
        self.kind = kind_of(self.document, path, kinds)
        if checked:
            check_shape(self.document, path, self.kind)

    def student(self, student):
        """The result document of an element of students[], read when it is asked for; None: nothing was graded."""
        if student["file"] is None:
            return None
        folder, name = os.path.split(student["file"])
        if folder != "students" or name in ("", ".", ".."):
            raise Mistake(f"{self.path} is broken: a student's file is {student['file']!r}, not students/ID.json.")
        path = os.path.join(os.path.dirname(self.path), folder, name)
        document = read_json(path)
        kind_of(document, path, ("result",))
        if self.hide:
            self.hide(student, document)
        return document

    def explain(self, student, result):
        """After something went wrong with a student's result: Mistake when its shape is to blame."""
        check_shape(result, os.path.join(os.path.dirname(self.path), student["file"]), "result")

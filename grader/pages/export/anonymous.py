"""A class without its names, for graders who must not know whose work they see (--anonymous).

Every student gets the pseudonym that `lockstep batch` keeps in DIR/.lockstep, the same one each time; `lockstep decide`
takes it. Names, e-mail addresses, folders, and messages that may contain them go, and so does the order of the IDs. What a
student wrote into the source, a comment or the output of a program stays: it may still say who they are.
"""

import json
import os

from export.source import Mistake

HIDDEN_MESSAGE = "(the message is left out: it may contain a name)"


def add_option(parser):
    parser.add_argument("--anonymous", action="store_true",
                        help="pseudonyms instead of IDs and names; what students wrote into their files stays")


def pseudonyms(path):
    """{id: pseudonym} of the folder of a class.json."""
    listed = os.path.join(os.path.dirname(path), ".lockstep", "pseudonyms.json")
    try:
        with open(listed, encoding="utf-8") as file:
            return json.load(file)
    except (OSError, ValueError) as error:
        raise Mistake("--anonymous needs the pseudonyms that `lockstep batch` keeps beside class.json, and "
                      f"{listed} cannot be read. Run the batch again, and export from its folder.") from error


def hide_path(path, alias):
    """A path with the pseudonym for the student's folder."""
    return path if path is None else "/".join([alias, *path.split("/")[1:]])


def hide_problems(problems, alias):
    return [{"code": one["code"], "file": hide_path(one["file"], alias), "message": HIDDEN_MESSAGE} for one in problems]


def hide_decisions(owner, alias):
    """In place: an accepted file's folder."""
    for one in owner.get("decisions", ()):
        if one["what"] == "accept":
            one["words"] = one["words"].replace(one["value"], hide_path(one["value"], alias))
            one["value"] = hide_path(one["value"], alias)


def hide_student(student, aliases):
    """In place."""
    alias = aliases[student["id"]]
    student.update(id=alias, name=None, page=f"students/{alias}.html", problems=hide_problems(student["problems"], alias))
    student.pop("email", None)
    hide_decisions(student, alias)
    for lab in student["labs"]:
        hide_decisions(lab, alias)
        if "handed_in_by" in lab:
            lab["handed_in_by"] = aliases.get(lab["handed_in_by"], "anon")


def hide_class(source):
    """In place. Afterwards source.student gives results without names, too."""
    if source.kind != "class":
        raise Mistake("--anonymous is for a class.", 2)
    document, aliases = source.document, pseudonyms(source.path)
    unlisted = [student["id"] for student in document["students"] if student["id"] not in aliases]
    if unlisted:
        raise Mistake(f"{len(unlisted)} of the students have no pseudonym: the class is not the one that the last batch "
                      "wrote. Run the batch again.")
    for student in document["students"]:
        hide_student(student, aliases)
    document["students"].sort(key=lambda student: student["id"])
    for key in ("missing", "unknown"):
        document[key] = sorted(aliases.get(one, "anon") for one in document[key])
    for group in document["duplicates"]:
        group["students"] = sorted(aliases.get(one, "anon") for one in group["students"])
    document["problems"] = [{"code": one["code"], "file": None, "message": HIDDEN_MESSAGE} for one in document["problems"]]
    source.hide = hide_result


def hide_result(student, result):
    """In place: a student's result."""
    result["submission"]["id"] = student["id"]
    for file in result["submission"]["files"]:
        file["path"] = hide_path(file["path"], student["id"])

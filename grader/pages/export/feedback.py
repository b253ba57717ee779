"""The students' pages as feedback files, in the archive that a learning system takes back.

Where a page belongs is in the names that the system gave to what it let you download: Moodle's folders
(NAME_NUMBER_assignsubmission_file), Canvas's files (NAME_NUMBER_NUMBER_FILE). Students whose work has no such name are
listed.
"""

import io
import posixpath
import re
import zipfile

from export import html_class, html_result
from export.source import Mistake, remark
from export.text import count, plain

FEEDBACK = "feedback.html"
EPOCH = (1980, 1, 1, 0, 0, 0)   # the same input always makes the same file

# A folder of Moodle's, with or without the "_" that versions before 4.1 end it with.
MOODLE_FOLDER = re.compile(r"([^/_]+_\d+)_assignsubmission_(?:file|onlinetext)_?")
# A file of Moodle's where folders were not asked for.
MOODLE_FILE = re.compile(r"([^/_]+_\d+)_assignsubmission_file_.+")
# A file of Canvas's: name, perhaps LATE, the user's number, the attachment's number, the file's own name.
CANVAS_FILE = re.compile(r"([^/_]+(?:_LATE)?_\d+_\d+)_.+")


def moodle_place(path):
    """The name by which every version of Moodle knows the participant whose file this is; None."""
    for part in path.split("/"):
        found = MOODLE_FOLDER.fullmatch(part) or MOODLE_FILE.fullmatch(part)
        if found:
            return f"{found.group(1)}_assignfeedback_file_{FEEDBACK}"
    return None


def canvas_place(path):
    """The name by which Canvas knows the feedback's submission; None."""
    found = CANVAS_FILE.fullmatch(posixpath.basename(path))
    return f"{found.group(1)}_{FEEDBACK}" if found else None


def pages(source, settings, place_of):
    """Yields (place, page) of each student whose work has a place; lists the others."""
    nowhere, taken = [], set()
    for student in source.document["students"]:
        made = html_class.student_page(source, student, settings)
        if made is None:
            continue
        page = made[0]
        paths = [file["path"] for file in source.student(student)["submission"]["files"]]
        places = dict.fromkeys(place for place in map(place_of, paths) if place and place not in taken)
        taken.update(places)
        if not places:
            nowhere.append(student["id"])
        for place in places:
            yield place, page
    if nowhere:
        names = ", ".join(plain(one, lines=False) for one in nowhere[:20])
        remark(f"{count(len(nowhere), 'student')} without a name of the learning system, so without feedback: "
               f"{names}{' …' if len(nowhere) > 20 else ''}")


def archive(source, place_of, system):
    """The archive's bytes. Mistake when nobody has a place."""
    made, number = io.BytesIO(), 0
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as file:
        for place, page in pages(source, html_result.Settings(None), place_of):
            entry = zipfile.ZipInfo(place, EPOCH)
            entry.compress_type, entry.external_attr = zipfile.ZIP_DEFLATED, 0o644 << 16
            file.writestr(entry, page)
            number += 1
    if number == 0:
        raise Mistake(f"No file of this class has a name that {system} gave it, so it is not known where feedback belongs. "
                      "Nothing was written.")
    remark(f"{count(number, 'page')} in the archive.")
    return made.getvalue()

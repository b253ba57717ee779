"""Start from the file that Canvas exports (Grades, Export), so that Canvas recognises everyone: its identity columns are
copied as they are, and one column is written. Other columns are left out, so an upload changes nothing else.

A student whose score is not known keeps what the roster has in that column.
"""

import re
import unicodedata

from export import sheets
from export.source import Mistake, remark
from export.text import count, plain

# The columns by which Canvas knows a student, in its own order.
IDENTITY = ("Student", "LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account",
            "Section")
MATCHED_BY = ("SIS Login ID", "SIS User ID", "ID")   # the first that the roster has

# What Canvas takes for "this assignment does not count for the student".
EXCUSED = "EX"

# A row that names no student: points possible; which columns are posted by hand.
POINTS_ROW = re.compile(r"\s*Points Possible\s*")
NUMBER_BEHIND = re.compile(r"\s*\(\d+\)$")
POSTING_ROW = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)


def add_options(parser):
    parser.add_argument("--roster", metavar="FILE", required=True, help="the CSV file that Canvas exported")
    parser.add_argument("--column", metavar="NAME", required=True,
                        help="the assignment's name in Canvas, with or without its number: \"Scan (123456)\"")
    parser.add_argument("--overwrite", action="store_true",
                        help="replace scores that the roster has; without it they stay, and those that differ are listed")
    chosen = parser.add_mutually_exclusive_group()
    chosen.add_argument("--lab", metavar="LAB", help="the score of one lab; default: the sum of all labs")
    chosen.add_argument("--percent", action="store_true", help="the course's percentage, with weights and dropped labs")
    parser.add_argument("--match", metavar="HEADING",
                        help="the roster's column that holds the students' ids; default: the first there is of "
                        + ", ".join(MATCHED_BY))


def key_of(identifier):
    """Ids are equal without regard to case, blanks around and the form of letters."""
    return unicodedata.normalize("NFC", identifier.strip()).casefold()


def show(names, limit=20):
    names = [plain(name, lines=False) for name in names]
    return "; ".join(names[:limit]) + (f" and {len(names) - limit} more" if len(names) > limit else "")


class Roster:
    """A roster: headings, the row of points, the rows of students, the places of the columns."""

    def __init__(self, path, options):
        rows, self.delimiter = sheets.read(path)
        self.path, self.headings = path, rows[0]
        stripped = [heading.strip() for heading in self.headings]
        if not ("ID" in stripped and ("Student" in stripped or "LastName" in stripped) and "Section" in stripped):
            raise Mistake(f"{path} is not a Canvas roster: its first line needs Student, ID and Section, but is "
                          f"{show(self.headings, 8)}.")
        self.identity = [i for i, heading in enumerate(stripped) if heading in IDENTITY]
        self.matched = self.find_matched(stripped, options.match)
        self.column = self.find_column(options.column)
        width = len(self.headings)
        self.points, self.students = None, []
        for row in rows[1:]:
            row = (row + [""] * width)[:max(width, len(row))]
            if POINTS_ROW.fullmatch(row[0]):
                self.points = row
            elif not all(POSTING_ROW.fullmatch(cell) for cell in row):
                self.students.append(row)

    def find_matched(self, stripped, wanted):
        """Place of the column that holds the ids."""
        for heading in (wanted,) if wanted else MATCHED_BY:
            if heading in stripped:
                return stripped.index(heading)
        raise Mistake(f"{self.path} has no column {wanted or ' or '.join(MATCHED_BY)}; it has {show(stripped, 12)}.", 2)

    def find_column(self, wanted):
        """Place of the assignment's column; None: Canvas does not have it yet."""
        found = []
        for i, heading in enumerate(self.headings):
            names = (heading.strip(), NUMBER_BEHIND.sub("", heading.strip()))
            if i not in self.identity and wanted.strip() in names:
                found.append(i)
        if len(found) > 1:
            raise Mistake(f"{self.path} has {len(found)} columns called {wanted!r}: "
                          f"{show(self.headings[i] for i in found)}. Give --column with its number.", 2)
        return found[0] if found else None

    def id_of(self, row):
        return key_of(row[self.matched])

    def name_of(self, row):
        return row[0].strip() or row[self.matched].strip() or "?"


def not_due(document, options):
    """Keys of the ids whose score is empty because its time has not come: nothing is wrong with it."""
    return {key_of(one["id"]) for one in document["students"]
            if (options.lab is None and one["state"] == "missing")
            or any(lab["lab"] == options.lab and lab["state"] == "not_due" for lab in one["labs"])}


def scores_of(document, options):
    """({key of id: (id, score or None)}, points possible)."""
    if options.percent:
        return {key_of(one["id"]): (one["id"], one["percent"]) for one in document["students"]}, 100
    if options.lab is None:
        return ({key_of(one["id"]): (one["id"], one["score"]) for one in document["students"]},
                sum(lab["max_score"] for lab in document["labs"]))
    known = [lab for lab in document["labs"] if lab["lab"] == options.lab]
    if not known:
        raise Mistake(f"--lab {options.lab}: the class has {show(lab['lab'] for lab in document['labs'])}.", 2)
    name = known[0]["lab"]
    return ({key_of(one["id"]): (one["id"], next((EXCUSED if lab.get("exempt") else lab["final_score"]
                                       for lab in one["labs"] if lab["lab"] == name), None))
             for one in document["students"]}, known[0]["max_score"])


def twice(keys):
    """The keys that occur more than once."""
    seen, found = set(), set()
    for key in keys:
        (found if key in seen else seen).add(key)
    return found


def complain(roster, scores, doubled, waiting):
    """Says who was not matched, either way. Returns what is wrong, as sentences: somebody's score was not written."""
    heading = roster.headings[roster.matched].strip()
    rows = {roster.id_of(row): row for row in roster.students}
    absent = [roster.name_of(row) for key, row in rows.items() if key and key not in scores]
    if absent:
        remark(f"{count(len(absent), 'student')} on the roster but not in the class; nothing is changed for: {show(absent)}")
    nameless = [roster.name_of(row) for row in roster.students if not roster.id_of(row)]
    strangers = [identifier for key, (identifier, _) in scores.items() if key not in rows]
    unknown = [identifier for key, (identifier, score) in scores.items()
               if score is None and key in rows and key not in waiting]
    wrong = []
    if doubled:
        wrong.append(f"{heading} {show(sorted(doubled))} is on more than one line; nothing is changed there")
    if nameless:
        wrong.append(f"{count(len(nameless), 'line')} of the roster without {heading}: {show(nameless)}")
    if strangers:
        wrong.append(f"{count(len(strangers), 'student')} of the class not on the roster (by {heading}): {show(strangers)}"
                     + (". Does --match name the right column?" if len(strangers) == len(scores) else ""))
    if unknown:
        wrong.append(f"the score of {show(unknown)} is unknown; it is not a zero, and nothing is changed for them")
    return wrong


def convert(source, options):
    """Yields the file; then says what a person must look at."""
    roster = Roster(options.roster, options)
    scores, possible = scores_of(source.document, options)
    heading = roster.headings[roster.column] if roster.column is not None else options.column
    if roster.column is None:
        remark(f"the roster has no column {options.column!r}: Canvas will ask whether to make a new assignment.")
    doubled = twice(key for key in map(roster.id_of, roster.students) if key)

    def kept(row):
        return row[roster.column] if roster.column is not None else ""

    def differs(row, score):
        """Does Canvas have another score there, which somebody may have typed?"""
        if kept(row).strip() == str(score):
            return False
        try:
            return kept(row).strip() != "" and (score is None or float(kept(row)) != float(score))
        except ValueError:
            return True

    table = [[roster.headings[i] for i in roster.identity] + [heading]]
    if roster.points is not None:
        table.append([roster.points[i] for i in roster.identity] + [kept(roster.points) or str(possible)])
    changed = []
    for row in roster.students:
        key = roster.id_of(row)
        score = scores[key][1] if key in scores and key not in doubled else None
        if score is not None and differs(row, score):
            changed.append(f"{roster.name_of(row)}: {kept(row).strip()} in Canvas, {sheets.number_cell(score)} here")
            score = score if options.overwrite else None
        table.append([row[i] for i in roster.identity] + [kept(row) if score is None else sheets.number_cell(score)])
    yield None, sheets.write(table)
    if roster.points is not None and kept(roster.points) not in ("", str(possible)):
        try:
            same = float(kept(roster.points)) == possible
        except ValueError:
            same = False
        if not same:
            remark(f"the assignment has {plain(kept(roster.points))} points in Canvas, and the scores are of {possible}.")
    wrong = complain(roster, scores, doubled, not_due(source.document, options))
    if changed and options.overwrite:
        remark(f"{count(len(changed), 'score')} replaced: {show(changed)}")
    elif changed:
        wrong.append(f"Canvas has other scores, perhaps typed by a person; they were kept: {show(changed)}. "
                     "--overwrite replaces them")
    if wrong:
        raise Mistake("the file was written, but a person must look:\n  " + "\n  ".join(wrong))

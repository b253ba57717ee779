"""Columns: assignment, timestamp, student_id, names, raw_score, late_submission_penalty, score, max_score, state, decision.

Of a class it is the gradebook.csv that `lockstep batch` leaves. score is raw_score less the penalty, in points, unless the
column decision says that a person decided otherwise. A score that
is unknown (the grader failed, a person must look, or the lab is not due yet) is an empty cell, never a 0. Texts that a
spreadsheet would take for a formula begin with an apostrophe.
"""

from export import anonymous, decided, sheets, view
from export.source import remark
from export.text import count, plain

HEADINGS = ("assignment", "timestamp", "student_id", "names", "raw_score", "late_submission_penalty", "score", "max_score",
            "state", "decision")
NUMBERS = range(4, 8)   # columns of HEADINGS


def add_options(parser):
    parser.add_argument("--bom", action="store_true", help="begin with a byte order mark, which Excel needs to see UTF-8")
    anonymous.add_option(parser)


def penalty_of(lab):
    """Points that lateness took."""
    if "decided_score" in lab and not (lab["late"] and lab["late"]["penalty"]):
        return 0   # what a person gave may be cut at the lab's points
    return lab.get("decided_score", lab["score"]) - (lab["final_score"] - lab.get("bonus", 0))


def rows_of_class(document):
    """A row for each student and lab."""
    for student in document["students"]:
        for lab in student["labs"]:
            known = lab["final_score"] is not None
            yield (lab["lab"], lab["submitted"], student["id"], student["name"], lab["score"] if known else None,
                   penalty_of(lab) if known else None, lab["final_score"], lab["max_score"], lab["state"],
                   "; ".join(map(decided.brief, decided.of_lab(student, lab))))


def rows_of_result(result):
    """A row for each lab."""
    broken = {lab["lab"] for lab in view.ungraded(result)}
    for lab in result["labs"]:
        score = None if lab["lab"] in broken else lab["score"]
        known = decided.of_result(result, lab["lab"])
        final = known["final_score"] if known else score
        penalty = 0 if score is not None and final == score else None
        yield (lab["lab"], result["when"], result["submission"]["id"], None, score, penalty, final, lab["max_score"],
               lab["state"], "; ".join(known["words"]) if known else None)


def convert(source, options):
    """Yields the table."""
    if options.anonymous:
        anonymous.hide_class(source)
    rows = list(rows_of_class(source.document) if source.kind == "class" else rows_of_result(source.document))
    unknown = [row for row in rows if row[6] is None]
    if unknown and not options.from_batch:
        names = ", ".join(f"{plain(row[2], lines=False)} ({row[0]})" for row in unknown[:20])
        remark(f"{count(len(unknown), 'score is', 'scores are')} not known and left empty: "
               f"{names}{' …' if len(unknown) > 20 else ''}")
    lines = [",".join(HEADINGS)]
    for row in rows:
        lines.append(",".join(sheets.number_cell(cell) if column in NUMBERS else
                              sheets.quoted(sheets.text_cell(cell)) for column, cell in enumerate(row)))
    yield None, ("\ufeff" if options.bom else "") + "".join(line + "\r\n" for line in lines)

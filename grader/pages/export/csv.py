"""Columns: assignment, timestamp, student_id, names, raw_score, late_submission_penalty, score, max_score, state.

Of a class it is the gradebook.csv that `lockstep batch` leaves. score is raw_score less the penalty, in points. A score that
is unknown (the grader failed, or a person must look) is an empty cell, never a 0. Texts that a spreadsheet would take for
a formula begin with an apostrophe.
"""

from export import sheets, view
from export.source import remark
from export.text import count, plain

HEADINGS = ("assignment", "timestamp", "student_id", "names", "raw_score", "late_submission_penalty", "score", "max_score",
            "state")
NUMBERS = range(4, 8)   # columns of HEADINGS


def add_options(parser):
    parser.add_argument("--bom", action="store_true", help="begin with a byte order mark, which Excel needs to see UTF-8")


def rows_of_class(document):
    """A row for each student and lab."""
    for student in document["students"]:
        for lab in student["labs"]:
            known = lab["score"] is not None and lab["final_score"] is not None
            penalty = lab["score"] - lab["final_score"] if known else None
            yield (lab["lab"], lab["submitted"], student["id"], student["name"], lab["score"] if known else None, penalty,
                   lab["final_score"] if known else None, lab["max_score"], lab["state"])


def rows_of_result(result):
    """A row for each lab."""
    broken = {lab["lab"] for lab in view.ungraded(result)}
    for lab in result["labs"]:
        score = None if lab["lab"] in broken else lab["score"]
        yield (lab["lab"], result["when"], result["submission"]["id"], None, score, None if score is None else 0, score,
               lab["max_score"], lab["state"])


def convert(source, options):
    """Yields the table."""
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

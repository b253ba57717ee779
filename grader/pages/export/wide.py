"""A row for each student: id, name, email, a column for each lab, total, max_total, percent.

`lockstep batch` leaves it as gradebook_wide.csv. A lab that is not due, or whose score is not known, is an empty cell, never
a 0; one that a student is exempt from has the word exempt. total adds up the labs that count and is empty while one of
them is not known. Texts that a spreadsheet would take for a formula begin with an apostrophe.
"""

from export import anonymous, sheets

EXEMPT = "exempt"


def add_options(parser):
    parser.add_argument("--bom", action="store_true", help="begin with a byte order mark, which Excel needs to see UTF-8")
    anonymous.add_option(parser)


def cell_of(student, name):
    """The cell of a lab."""
    entry = next((one for one in student["labs"] if one["lab"] == name), None)
    if entry and entry.get("exempt"):
        return EXEMPT
    return sheets.number_cell(entry["final_score"] if entry else None)


def convert(source, options):
    """Yields the table."""
    if options.anonymous:
        anonymous.hide_class(source)
    labs = [lab["lab"] for lab in source.document["labs"]]
    lines = [",".join(["id", "name", "email", *labs, "total", "max_total", "percent"])]
    for student in source.document["students"]:
        texts = [sheets.quoted(sheets.text_cell(student.get(key))) for key in ("id", "name", "email")]
        numbers = [sheets.number_cell(student[key]) for key in ("score", "max_score", "percent")]
        lines.append(",".join([*texts, *(cell_of(student, name) for name in labs), *numbers]))
    yield None, ("\ufeff" if options.bom else "") + "".join(line + "\r\n" for line in lines)

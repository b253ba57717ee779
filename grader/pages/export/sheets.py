"""CSV files: cells that a spreadsheet does not take for formulas, and reading a roster whoever wrote it."""

import csv
import io
import re

from export.source import Mistake
from export.text import plain

# What makes a spreadsheet compute a cell; the full-width forms count in some of them.
FORMULA_SIGNS = frozenset("=+-@\t\r\n＝＋－＠|%")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?")

ROSTER_LIMIT_BYTES = 64 << 20


def text_cell(text):
    """Student text as a cell: one line, and never a formula. A blank in front does not disarm it; a number is not one."""
    cell = plain(text, lines=False)
    formula = cell.strip() and cell.lstrip()[0] in FORMULA_SIGNS and not NUMBER.fullmatch(cell)
    return "'" + cell if formula else cell


def number_cell(number):
    """A number of our own as it is, also a negative one; null is an empty cell, never a zero."""
    return "" if number is None else f"{number:g}" if isinstance(number, float) else str(number)


def quoted(cell):
    """A cell between quotes, so that leading zeros and blanks stay."""
    return '"' + cell.replace('"', '""') + '"'


def write(rows):
    """rows of strings as CSV text (RFC 4180)."""
    file = io.StringIO(newline="")
    csv.writer(file, lineterminator="\r\n").writerows(rows)
    return file.getvalue()


def read(path):
    """The rows of a CSV file: UTF-8 (with or without a mark) or UTF-16 with one, commas or semicolons."""
    try:
        with open(path, "rb") as file:
            data = file.read(ROSTER_LIMIT_BYTES + 1)
    except OSError as error:
        raise Mistake(f"{path} cannot be read: {error.strerror}.", 2) from error
    if len(data) > ROSTER_LIMIT_BYTES:
        raise Mistake(f"{path} has more than {ROSTER_LIMIT_BYTES >> 20} MB: that is not a roster.")
    try:
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise Mistake(f"{path} is not UTF-8 (byte {error.start}). Export it again as \"CSV UTF-8\".") from error
    first = text.split("\n", 1)[0]
    delimiter = ";" if first.count(";") > first.count(",") else ","
    try:
        rows = [row for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True) if any(row)]
    except csv.Error as error:
        raise Mistake(f"{path} is not CSV: {error}.") from error
    if not rows:
        raise Mistake(f"{path} is empty.")
    return rows, delimiter

"""The table of formats. One row each; everything else (help, errors, the tests' lists) reads it.

A format is a module of this package with

    add_options(parser)        adds the options of its own to an argparse parser; may be left out
    convert(source, options)   yields (name, content): name is None for the one file that goes to --out or to standard
                               output, else a path below the folder --out; content is str (UTF-8) or bytes.
                               Pages of a large class are written as they come, so a generator holds one at a time.

`source` is a source.Source, None for a format that takes nothing; mistakes in what was read are raised as source.Mistake,
remarks for the user go through source.remark(). `options` has out (str or None) and the module's own.
"""

import collections
import importlib

Format = collections.namedtuple("Format", "name module takes makes summary")

RESULT, CLASS = "result", "class"

FORMATS = [
    # name, module, takes, makes, what it is
    Format("gradescope", "gradescope", (RESULT,), "file", "Gradescope's results.json"),
    Format("gradescope-zip", "gradescope_zip", (), "archive", "the autograder to upload to Gradescope"),
    Format("github", "github", (RESULT,), "file", "annotations and the job summary of a GitHub workflow"),
    Format("classroom50", "classroom50", (RESULT,), "file", "the result.json of Classroom 50"),
    Format("classroom50-autograder", "classroom50_autograder", (), "file", "the autograder.py for Classroom 50"),
    Format("csv", "csv", (RESULT, CLASS), "file", "a gradebook: one row per student and lab, with late penalties"),
    Format("wide", "wide", (CLASS,), "file", "a gradebook: one row per student, with total and percent"),
    Format("canvas", "canvas", (CLASS,), "file", "a CSV file for Canvas, made from an exported roster"),
    Format("moodle-feedback", "moodle_feedback", (CLASS,), "archive", "the students' pages, as Moodle takes feedback files"),
    Format("canvas-feedback", "canvas_feedback", (CLASS,), "archive", "the students' pages, as Canvas takes comments"),
    Format("junit", "junit", (RESULT,), "file", "JUnit XML, which most CI systems read"),
    Format("html", "html", (RESULT, CLASS), "file", "a page for people; of a class, a folder of pages"),
]


def find(name):
    """The row called name, or None."""
    return next((row for row in FORMATS if row.name == name), None)


def load(row):
    """The module of a row."""
    return importlib.import_module(f"export.{row.module}")

"""Which pages of a class need not be made again: DIR/.lockstep/pages.json notes, for each, a hash of all that it is made of,
and what lies in the folder. A page that was made of the same, and that nobody has touched since, stays as it is."""

import glob
import hashlib
import json
import os
import platform

from export.output import write_file
from export.source import KIT, Mistake

SCHEMA = "lockstep/pages/v1"


def stamp(settings):
    """A hash of what every page depends on: the program that makes it, templates, texts of the kit, options."""
    import jinja2   # pylint: disable=import-outside-toplevel
    made = hashlib.sha256(json.dumps([SCHEMA, settings, jinja2.__version__, platform.python_version()]).encode())
    for pattern in ("grader/pages/export/*.py", "grader/pages/templates/*", "runtime/tables/glossary.def", "handouts/*.md"):
        for path in sorted(glob.glob(os.path.join(KIT, pattern))):
            with open(path, "rb") as file:
                made.update(f"{os.path.relpath(path, KIT)}\0".encode() + hashlib.sha256(file.read()).digest())
    return made.hexdigest()


def facts_of(path):
    """Size and time of change; None: no such file."""
    try:
        facts = os.lstat(path)
    except OSError:
        return None
    return [facts.st_size, facts.st_mtime_ns]


class Kept:
    """path: of pages.json; None: nothing is kept. out: the folder of the pages."""

    def __init__(self, path, out, settings):
        self.path, self.out, self.now, self.before = path, out, {}, {}
        if path is None:
            return
        self.stamp = stamp(settings)
        try:
            with open(path, encoding="utf-8") as file:
                document = json.load(file)
            if document["schema"] == SCHEMA and isinstance(document["pages"], dict):
                self.before = document["pages"]
        except (OSError, ValueError, KeyError, TypeError):   # none yet, or not ours: all pages are made
            pass

    def hash(self, result_path, facts):
        """Of what a student's page is made of; None: the result cannot be read, or nothing is kept."""
        if self.path is None:
            return None
        try:
            with open(result_path, "rb") as file:
                result = hashlib.sha256(file.read()).hexdigest()
        except OSError:
            return None
        return hashlib.sha256(json.dumps([self.stamp, result, facts]).encode()).hexdigest()

    def find(self, name, made_of):
        """What the overview says of the tests of a page that stays; None: it must be made."""
        page = self.before.get(name)
        if made_of is None or not isinstance(page, dict) or page.get("made_of") != made_of:
            return None
        found = facts_of(os.path.join(self.out, name))
        if found is None or page.get("file") != found:
            return None
        self.now[name] = page
        return page["tests"]

    def note(self, name, made_of, tests):
        """A page that has just been written."""
        found = facts_of(os.path.join(self.out, name)) if made_of else None
        if found:
            self.now[name] = {"made_of": made_of, "file": found, "tests": tests}

    def write(self):
        if self.path is None:
            return
        try:
            write_file(self.path, json.dumps({"schema": SCHEMA, "pages": self.now}, separators=(",", ":")))
        except Mistake:
            pass   # the next run makes all pages again

"""The pages of a class: one for everybody, index.html (templates/class.html); one for each student, students/ID.html.

The overview is written last: what it says of tests is gathered while the students' results pass by, one at a time.
"""

import collections
import ctypes
import datetime
import gc
import multiprocessing
import os
import re
import signal
import statistics
import sys
import urllib.parse
import zoneinfo

from export import decided, html_figures, html_kept, html_lab, html_result, output, view
from export.render import flat, number_text, render, words
from export.source import Mistake, remark
from export.text import count

CAUSES_SHOWN, TESTS_SHOWN = 8, 3

# What a student's cell in the table says beside the points: state, its sign, its meaning.
SIGNS = [("fail", "✗", "a test fails"), ("error", "!", "does not compile or run"), ("missing", "–", "not handed in"),
         ("not_due", "·", "not due yet"), ("problem", "?", "a person must look"),
         ("harness_error", "?", "a person must look")]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
SIGN_OF = {state: (sign, words) for state, sign, words in SIGNS}


class Gathered:
    """What the overview says that only the students' results contain.
        failed, ran   {lab: {test: how many}}
        unread        {id of a student: why there is no page}"""

    def __init__(self):
        self.failed = collections.defaultdict(collections.Counter)
        self.ran = collections.defaultdict(collections.Counter)
        self.unread = {}

    def add(self, tests):
        """tests: tests_of a student's result."""
        for lab, name, failed in tests:
            self.ran[lab][name] += 1
            self.failed[lab][name] += failed


def tests_of(result):
    """What the overview needs of a student's result: [lab, test, whether it failed] for each that ran."""
    return [[lab["lab"], test["name"], test["state"] == "fail"] for lab in result["labs"] for test in lab["tests"]
            if test["state"] in ("pass", "fail")]


# ---- links and names ----------------------------------------------------------------------------------------------------


def page_file(student):
    """students/ID.html for students/ID.json, from the folder of the pages; None: there is no result."""
    if not student["file"]:
        return None
    return student.get("page") or os.path.splitext(student["file"])[0] + ".html"   # page: anonymous.hide_student


def link(student, gathered, lab=None):
    """A student's name or id, with an address (at a lab's section) where there is a page."""
    has_page = student["file"] and student["id"] not in gathered.unread
    anchor = f"#{html_lab.anchor(lab)}" if lab else ""
    return {"words": student["name"] or student["id"],
            "address": urllib.parse.quote(page_file(student)) + anchor if has_page else None}


def time_words(time, document):
    """"2026-10-05 23:59 CEST" for "2026-10-05T21:59:59Z", in the course's time zone; a dash for None."""
    if not time or not TIME.fullmatch(time):
        return flat(time) or "–"
    try:
        zone = zoneinfo.ZoneInfo((document["course"] or {}).get("time_zone") or "UTC")
        return datetime.datetime.fromisoformat(time.replace("Z", "+00:00")).astimezone(zone).strftime("%Y-%m-%d %H:%M %Z")
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OverflowError):   # unknown on the machine that makes the page
        return f"{time[:10]} {time[11:16]} UTC"


# ---- the page of a student ----------------------------------------------------------------------------------------------


def late_words(lab):
    """"Late by 2 days: 20 % is taken off."; None: in time."""
    late = lab["late"]
    if not late:
        return None
    if late["days"]:
        by = count(late["days"], "day")
    else:
        by = count(max(late["seconds"] // 60, 1), "minute") + ", within the grace"
    if late.get("excused"):
        return f"Late by {by}; it is excused and costs nothing."
    if late.get("free_days"):
        covered = "" if late["free_days"] == late["days"] else f"{late['free_days']} of which are "
        by += f", {covered}covered by late days"
    return f"Late by {by}: {late['penalty']:g} % is taken off." if late["penalty"] else f"Late by {by}; it costs nothing."


def notice(lab):
    """What the class knows of a student's lab, above its results; "": nothing."""
    notes = [late_words(lab)]
    if lab["final_score"] is not None and lab["final_score"] != lab["score"]:
        notes.append(f"{number_text(lab['final_score'])} of {number_text(lab['max_score'])} points count.")
    notes.append("This lab is one of the lowest, which do not count." if lab["dropped"] else None)
    return " ".join(note for note in notes if note)


def late_days_words(student):
    """"1 of 3 late days used"; None: there is no budget."""
    days = student.get("late_days")
    return f"{days['used']} of {count(days['all'], 'late day')} used" if days else None


def student_facts(student, course):
    """What the class knows of a student, for the head of the page and its sections."""
    changed = any(lab["final_score"] is not None and lab["final_score"] != lab["score"] for lab in student["labs"])
    counts = f"{number_text(student['score'])} of {number_text(student['max_score'])} points count"
    return {"name": student["name"] or student["id"], "id": student["id"], "course": course and course["title"],
            "counts": counts if changed else None, "late_days": late_days_words(student),
            "decisions": [(lab, decided.for_student(one)) for lab, one in decided.everything(student)],
            "percent": f"{student['percent']:g} % of the course" if student["percent"] is not None else "no percentage yet",
            "problems": student["problems"], "notices": {lab["lab"]: notice(lab) for lab in student["labs"]}}


# ---- sections of the overview -------------------------------------------------------------------------------------------


def known(student, lab):
    """The student's entry of a lab, where it has a score that counts as one."""
    entry = next((one for one in student["labs"] if one["lab"] == lab["lab"]), None)
    if not entry or entry["final_score"] is None or (entry["state"] == "missing" and "decided_score" not in entry):
        return None
    return entry


def shares_of(document, lab):
    """The scores of a lab, as shares of its points."""
    entries = [entry for entry in (known(student, lab) for student in document["students"]) if entry]
    return [min(entry["final_score"] / entry["max_score"], 1) for entry in entries if entry["max_score"] > 0]


def spread_words(shares):
    if not shares:
        return "no student has a score"
    return f"{count(len(shares), 'student')}; mean {100 * statistics.fmean(shares):.0f} %, " \
        f"median {100 * statistics.median(shares):.0f} %"


def scores(document):
    """A histogram for the course and for each lab; the labs in which no student has a score."""
    totals = [student["percent"] / 100 for student in document["students"]
              if student["percent"] is not None and student["state"] != "missing"]
    tiles, nobody = [{"lab": None, "words": spread_words(totals), "figure": html_figures.spread(totals, "the course")}], []
    for lab in document["labs"]:
        shares = shares_of(document, lab)
        if not shares:
            nobody.append(lab)
            continue
        due = f"; due {time_words(lab['due'], document)}" if lab["due"] else ""
        tiles.append({"lab": lab, "words": spread_words(shares) + due, "figure": html_figures.spread(shares, lab["title"])})
    return {"tiles": tiles, "nobody": nobody}


def look(document, gathered):
    """What a person must see to: what, who (None: the class), where, message."""
    rows = [(words(one["code"]), None, one["file"] or "–", one["message"]) for one in document["problems"]]
    for student in document["students"]:
        who = link(student, gathered)
        rows += [(words(one["code"]), who, one["file"] or "–", one["message"]) for one in student["problems"]]
        if student["id"] in gathered.unread:
            rows.append(("result not readable", who, student["file"], gathered.unread[student["id"]]))
        rows += [("kit failed", who, lab["lab"], "The kit itself failed: grade it again.")
                 for lab in student["labs"] if lab["state"] == "harness_error"]
    return rows


def cause_words(cause):
    pattern = cause["pattern"]
    return view.title(cause) + (f" ({words(pattern)})" if pattern and pattern != "other" else "")


def causes(document, gathered):
    """The commonest first causes of each lab, each with an example."""
    found = {"labs": [], "nobody": [], "faultless": []}
    for lab in document["labs"]:
        counts, first, example = collections.Counter(), {}, {}
        for student in document["students"]:
            entry = known(student, lab)
            if entry and entry["first_cause"]:
                cause = (entry["first_cause"]["code"], entry["first_cause"]["pattern"])
                counts[cause] += 1
                first.setdefault(cause, entry["first_cause"])
                example.setdefault(cause, student)
        handed_in = sum(known(student, lab) is not None for student in document["students"])
        # Equal counts in the order of diagnosis, then of the alphabet.
        order = sorted(counts, key=lambda cause: (-counts[cause], view.stage(first[cause]), cause_words(first[cause])))
        if not order:
            found["faultless" if handed_in else "nobody"].append(lab)
            continue
        rows = [{"words": cause_words(first[cause]), "number": counts[cause],
                 "example": link(example[cause], gathered, lab["lab"])} for cause in order[:CAUSES_SHOWN]]
        found["labs"].append({"lab": lab, "handed_in": handed_in, "rows": rows, "more": len(order) - len(rows)})
    return found


def hardest(document, gathered):
    """The labs by their mean, hardest first, and the tests that most fail."""
    rows = []
    for lab in document["labs"]:
        shares = shares_of(document, lab)
        if not shares:
            continue
        ran, failed = gathered.ran[lab["lab"]], gathered.failed[lab["lab"]]
        names = list(ran)
        worst = sorted((name for name in names if failed[name]),
                       key=lambda name: (-failed[name] / ran[name], names.index(name)))[:TESTS_SHOWN]
        rows.append({"lab": lab, "mean": statistics.fmean(shares),
                     "tests": [{"name": name, "failed": failed[name], "ran": ran[name]} for name in worst]})
    return sorted(rows, key=lambda row: row["mean"])


def duplicates(document, gathered):
    """Groups of students whose code resembles each other, most alike first."""
    students = {student["id"]: student for student in document["students"]}
    return [{"lab": group["lab"], "similarity": group["similarity"],
             "students": [link(students[one], gathered, group["lab"]) if one in students else {"words": one, "address": None}
                          for one in group["students"]]}
            for group in sorted(document["duplicates"], key=lambda group: (-group["similarity"], group["lab"]))]


def late(document, gathered):
    return [{"student": link(student, gathered), "lab": lab["lab"], "time": time_words(lab["submitted"], document),
             "words": late_words(lab)} for student in document["students"] for lab in student["labs"] if lab["late"]]


def missing(document):
    """Students who handed in nothing, and folders of nobody on the roster: each a list of (name, id)."""
    students = {student["id"]: student for student in document["students"]}

    def named(ids):
        return [((students.get(one) or {}).get("name") or one, one) for one in dict.fromkeys(ids)]

    nothing = [student["id"] for student in document["students"] if student["state"] == "missing"]
    return {"students": named(document["missing"] + nothing), "folders": named(document["unknown"])}


# ---- everybody ----------------------------------------------------------------------------------------------------------


def lab_cell(lab):
    """Points, a sign for the state, what lateness took. order: sorts by points; what is not known comes before a zero."""
    if lab is None:
        return {"order": "-2", "score": "–", "sign": None, "late": None, "dropped": False, "exempt": False,
                "decided": ""}
    sign, meaning = SIGN_OF.get(lab["state"], (None, None))
    has_score = lab["final_score"] is not None and (lab["state"] != "missing" or decided.changes_points(lab))
    if has_score and "decided_score" in lab and lab["state"] in ("missing", "problem", "not_due", "harness_error"):
        sign = meaning = None   # a person has looked
    return {"order": str(lab["final_score"] if has_score else -1),
            "score": number_text(lab["final_score"]) if has_score else "", "sign": sign, "meaning": meaning,
            "late": late_words(lab), "dropped": lab["dropped"], "exempt": bool(lab.get("exempt")),
            "decided": "; ".join(map(decided.brief, lab.get("decisions", ())))}


def everybody(document, gathered):
    """A row for each student, a cell for each lab."""
    rows = []
    for student in document["students"]:
        entries = {entry["lab"]: entry for entry in student["labs"]}
        rows.append({"student": student, "link": link(student, gathered),
                     "remarks": "; ".join(words(one["code"]) for one in student["problems"]),
                     "cells": [lab_cell(entries.get(lab["lab"])) for lab in document["labs"]]})
    return rows


def decisions(document, gathered):
    """Every decision, by student: who, lab, what, by whom and why."""
    return [{"student": link(student, gathered, lab), "lab": lab, "what": words(one["what"]), "value": one["value"],
             "by": one["by"], "why": one["why"], "private": one["private"], "line": one["line"]}
            for student in document["students"] for lab, one in decided.everything(student)]


def possible_points(labs):
    """"100 for each lab", or "100, 50"."""
    most = dict.fromkeys(lab["max_score"] for lab in labs)
    numbers = ", ".join(map(number_text, most if len(most) == 1 else [lab["max_score"] for lab in labs]))
    return f"{numbers or 0}{' for each lab' if len(most) == 1 else ''}"


def index(document, gathered):
    """The overview."""
    course = document["course"]
    states = collections.Counter(student["state"] for student in document["students"])
    return render(
        "class.html", "pages.css", "pages.js", wide=True, document=document,
        title=flat(course["title"]) if course and course["title"] else "The class",
        facts=[("students", len(document["students"])), ("graded", states["graded"]),
               ("handed in nothing", states["missing"]), ("without a score", states["problem"])],
        look=look(document, gathered), scores=scores(document), causes=causes(document, gathered),
        hardest=hardest(document, gathered), duplicates=duplicates(document, gathered), late=late(document, gathered),
        missing=missing(document), decisions=decisions(document, gathered), everybody=everybody(document, gathered),
        possible=possible_points(document["labs"]),
        legend=", ".join(f"{sign} {meaning}" for state, sign, meaning in SIGNS if state != "harness_error"),
        graded=time_words(document["when"], document))


def show_progress(done, students):
    """A line that a person at a terminal sees while many pages are made; None: it goes."""
    if not sys.stderr.isatty() or (done is not None and done % 50):
        return
    sys.stderr.write("\r\033[K" + ("" if done is None else f"lockstep: pages of {number_text(done)} of "
                                   f"{number_text(students)} students"))
    sys.stderr.flush()


def student_page(source, student, settings):
    """The page of a student and tests_of it; None: nothing was graded. Mistake when the result is broken."""
    result = source.student(student)
    if result is None:
        return None
    try:
        return html_result.page(result, settings, student_facts(student, source.document["course"])), tests_of(result)
    except Exception:   # whatever a wrong shape leads to
        source.explain(student, result)
        raise


# ---- several pages at once ----------------------------------------------------------------------------------------------

FEW, AT_ONCE_MAX = 24, 8   # fewer pages are made in one process; more processes than that do not help
PR_SET_PDEATHSIG = 1
SHARED = {}                # of the processes that make pages: what they were forked with


def make(number):
    """Makes and writes the page of the student of this number. Returns the number, tests_of the result (None: there is no
    page) and what was wrong with it (None: nothing)."""
    source, settings, out = SHARED["source"], SHARED["settings"], SHARED["out"]
    student = source.document["students"][number]
    try:
        page = student_page(source, student, settings)
    except Mistake as mistake:
        return number, None, str(mistake)
    if page is None:
        return number, None, None
    output.write_all([(page_file(student), page[0])], out, "folder")
    return number, page[1], None


def die_with(parent):
    """In a process that makes pages: it ends with the one that started it, however that ends."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def make_all(numbers):
    """Yields what make returns for each, in their order: from several processes where there are many and several cores."""
    cores = min(len(os.sched_getaffinity(0)), AT_ONCE_MAX)
    if cores == 1 or len(numbers) < FEW:
        yield from map(make, numbers)
        return
    gc.freeze()   # what is there is shared: counting it again would copy it
    context = multiprocessing.get_context("fork")
    with context.Pool(cores, die_with, (os.getpid(),)) as pool:
        yield from pool.imap(make, numbers, 4)


def write(source, settings, out, kept_path=None):
    """Writes the students' pages, but for those that stay (html_kept), then index.html. Mistake at the end when a result
    could not be read; all other pages are there then."""
    document, gathered = source.document, Gathered()
    students = document["students"]
    kept = html_kept.Kept(kept_path, out, settings)
    made_of, tests, due = {}, {}, []
    for number, student in enumerate(students):
        if not page_file(student):
            continue
        if kept_path is not None:
            made_of[number] = kept.hash(os.path.join(os.path.dirname(source.path), student["file"]),
                                        student_facts(student, document["course"]))
            tests[number] = kept.find(page_file(student), made_of[number])
        if tests.get(number) is None:
            due.append(number)
    SHARED.update(source=source, settings=settings, out=out)
    for done, (number, found, mistake) in enumerate(make_all(due)):
        show_progress(done, len(due))
        tests[number] = found
        if mistake:
            gathered.unread[students[number]["id"]] = mistake
            remark(mistake)
        elif found is not None:
            kept.note(page_file(students[number]), made_of.get(number), found)
    show_progress(None, 0)
    for number in sorted(tests):   # in the order of the class, however it was made
        gathered.add(tests[number] or [])
    output.write_all([("index.html", index(document, gathered))], out, "folder")
    kept.write()
    if gathered.unread:
        raise Mistake(f"{count(len(gathered.unread), 'result')} could not be read; all other pages are written.")

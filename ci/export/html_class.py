"""The pages of a class: one for everybody, index.html; one for each student, students/ID.html.

The overview is written last: what it says of tests is gathered while the students' results pass by, one at a time.
"""

import collections
import os
import re
import statistics
import sys
import urllib.parse

from export import html_figures, html_lab, html_result, view
from export.html_figures import number_text
from export.html_result import asset
from export.markup import el, flat, folded, isolated, page as document_page, table
from export.source import Mistake, remark
from export.text import count, plain

CAUSES_SHOWN, TESTS_SHOWN, ROWS_SHOWN = 8, 3, 20

# What a student's cell in the table says beside the points: state, its sign, its meaning.
SIGNS = [("fail", "✗", "a test fails"), ("error", "!", "does not compile or run"), ("missing", "–", "not handed in"),
         ("problem", "?", "a person must look"), ("harness_error", "?", "a person must look")]
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
SIGN_OF = {state: (sign, words) for state, sign, words in SIGNS}


class Gathered:
    """What the overview says and only the students' results know.
        failed, ran   {lab: {test: how many}}
        unread        {id of a student: why there is no page}"""

    def __init__(self):
        self.failed = collections.defaultdict(collections.Counter)
        self.ran = collections.defaultdict(collections.Counter)
        self.unread = {}

    def add(self, result):
        for lab in result["labs"]:
            for test in lab["tests"]:
                if test["state"] in ("pass", "fail"):
                    self.ran[lab["lab"]][test["name"]] += 1
                    self.failed[lab["lab"]][test["name"]] += test["state"] == "fail"


# ---- links and names ----------------------------------------------------------------------------------------------------


def page_file(student):
    """students/ID.html for students/ID.json, from the folder of the pages; None: there is no result."""
    return os.path.splitext(student["file"])[0] + ".html" if student["file"] else None


def link(student, gathered, words=None, lab=None):
    """The student's name or id, as a link where there is a page."""
    words = isolated(words or student["name"] or student["id"])
    if not student["file"] or student["id"] in gathered.unread:
        return words
    return el("a", words, href=urllib.parse.quote(page_file(student)) + (f"#{html_lab.anchor(lab)}" if lab else ""))


def shortened(rows, summary, make):
    """make(rows), folded where there are many."""
    return folded(summary, make(rows)) if len(rows) > ROWS_SHOWN else make(rows)


def time_words(time):
    """"2026-10-05 21:59 UTC" for "2026-10-05T21:59:59Z"; a dash for None."""
    return f"{time[:10]} {time[11:16]} UTC" if time and TIME.fullmatch(time) else flat(time) or "–"


def lab_words(lab):
    return [el("code", flat(lab["lab"])), " ", flat(lab["title"])]


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
    return f"Late by {by}: {late['penalty']:g} % is taken off." if late["penalty"] else f"Late by {by}; it costs nothing."


def extra(lab):
    """What the class knows of a student's lab, above its results."""
    notes = [late_words(lab)]
    if lab["late"] and lab["late"]["penalty"]:
        notes.append(f"{number_text(lab['final_score'])} of {number_text(lab['max_score'])} points count.")
    notes.append("This lab is one of the lowest, which do not count." if lab["dropped"] else None)
    notes = [note for note in notes if note]
    return el("p", " ".join(notes), class_="notice") if notes else None


def student_page(student, result, course, settings):
    name = isolated(student["name"] or student["id"])
    problems = [el("li", el("strong", plain(one["code"]).replace("_", " ")),
                   [", ", isolated(one["file"])] if one["file"] else None, ": ", one["message"] or "")
                for one in student["problems"]]
    percent = f"{student['percent']:g} % of the course" if student["percent"] is not None else "no percentage yet"
    title = [isolated(course["title"]), " · "] if course and course["title"] else None
    back = el("a", "All students", href="../index.html")
    before = [el("p", back, " · ", title, el("code", student["id"]), " · ", percent),
              el("ul", problems, class_="notice") if problems else None]
    extras = {lab["lab"]: extra(lab) for lab in student["labs"]}
    return html_result.page(result, settings, name, before, extras)


# ---- sections of the overview -------------------------------------------------------------------------------------------


def known(student, lab):
    """The student's entry of a lab, where it has a score that counts as one."""
    entry = next((one for one in student["labs"] if one["lab"] == lab["lab"]), None)
    return entry if entry and entry["final_score"] is not None and entry["state"] != "missing" else None


def shares_of(document, lab):
    """The scores of a lab, as shares of its points."""
    entries = [entry for entry in (known(student, lab) for student in document["students"]) if entry]
    return [entry["final_score"] / entry["max_score"] for entry in entries if entry["max_score"] > 0]


def spread_words(shares):
    if not shares:
        return "nobody has a score"
    return f"{count(len(shares), 'student')}; mean {100 * statistics.fmean(shares):.0f} %, " \
        f"median {100 * statistics.median(shares):.0f} %"


def without(labs, words):
    """"Nobody has a score in 03_pi, 04_scan."; None for no labs."""
    names = [[", " if i else None, el("code", flat(lab["lab"]))] for i, lab in enumerate(labs)]
    return el("p", words, names, ".", class_="soft") if labs else None


def scores(document):
    tiles, nobody = [], []
    totals = [student["percent"] / 100 for student in document["students"]
              if student["percent"] is not None and student["state"] != "missing"]
    tiles.append(el("figure", el("h3", "The course"), el("figcaption", spread_words(totals)),
                    html_figures.spread(totals, "the course")))
    for lab in document["labs"]:
        shares = shares_of(document, lab)
        if not shares:
            nobody.append(lab)
            continue
        due = f"; due {time_words(lab['due'])}" if lab["due"] else ""
        tiles.append(el("figure", el("h3", lab_words(lab)), el("figcaption", spread_words(shares) + due),
                        html_figures.spread(shares, lab["title"])))
    return [el("p", "Percent of the points, after late days; who handed in nothing is not counted. Over the columns: how "
               "many.", class_="soft"), el("div", tiles, class_="tiles"), without(nobody, "Nobody has a score in ")]


def look(document, gathered):
    """What a person must see to."""
    rows = [[flat(one["code"]).replace("_", " "), "the class", isolated(one["file"] or "–"), one["message"] or ""]
            for one in document["problems"]]
    for student in document["students"]:
        rows += [[flat(one["code"]).replace("_", " "), link(student, gathered), isolated(one["file"] or "–"),
                  one["message"] or ""] for one in student["problems"]]
        if student["id"] in gathered.unread:
            rows.append(["result not readable", link(student, gathered), isolated(student["file"]),
                         gathered.unread[student["id"]]])
        rows += [["kit failed", link(student, gathered), isolated(lab["lab"]), "The kit itself failed: grade it again."]
                 for lab in student["labs"] if lab["state"] == "harness_error"]
    if not rows:
        return el("p", "Nothing.")
    entries = count(len(rows), "entry", "entries")
    return shortened(rows, entries, lambda all_rows: table(["what", "who", "where"], all_rows, entries))


def cause_words(cause):
    code, pattern = cause
    return view.title(code) + (f" ({flat(pattern).replace('_', ' ')})" if pattern and pattern != "other" else "")


def causes(document, gathered):
    """The commonest first causes of each lab, each with an example."""
    parts, nobody, faultless = [], [], []
    for lab in document["labs"]:
        counts, example = collections.Counter(), {}
        for student in document["students"]:
            entry = known(student, lab)
            if entry and entry["first_cause"]:
                cause = (entry["first_cause"]["code"], entry["first_cause"]["pattern"])
                counts[cause] += 1
                example.setdefault(cause, student)
        handed_in = sum(known(student, lab) is not None for student in document["students"])
        # Equal counts in the order of diagnosis, then of the alphabet.
        order = sorted(counts, key=lambda cause: (-counts[cause], view.stage(cause[0]), cause_words(cause)))
        rows = [[cause_words(cause), f"{counts[cause]} of {handed_in}", link(example[cause], gathered, lab=lab["lab"])]
                for cause in order[:CAUSES_SHOWN]]
        if not rows:
            (faultless if handed_in else nobody).append(lab)
            continue
        more = len(order) - len(rows)
        caption = f"The commonest first causes{f'; {more} rarer ones are not shown' if more > 0 else ''}"
        parts.append([el("h3", lab_words(lab)),
                      table(["first cause", ("students", "right"), "example"], rows, caption)])
    return [parts, without(faultless, "Nothing is wrong in "), without(nobody, "Nobody handed in ")]


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
        tests = el("ul", [el("li", isolated(name), f": {failed[name]} of {ran[name]} fail") for name in worst])
        mean = statistics.fmean(shares)
        rows.append((mean, [lab_words(lab), f"{100 * mean:.0f} %", tests if worst else "none fails"]))
    rows.sort(key=lambda row: row[0])
    if not rows:
        return el("p", "Nobody has a score.")
    return table(["lab", ("mean", "right"), "tests that fail most"], [row for _, row in rows], "Hardest lab first")


def duplicates(document, gathered):
    students = {student["id"]: student for student in document["students"]}
    rows = [[el("code", flat(group["lab"])), f"{100 * group['similarity']:.0f} %",
             [[link(students[one], gathered, lab=group["lab"]) if one in students else isolated(one),
               ", " if i + 1 < len(group["students"]) else None] for i, one in enumerate(group["students"])]]
            for group in sorted(document["duplicates"], key=lambda group: (-group["similarity"], group["lab"]))]
    if not rows:
        return el("p", "None.")
    return [el("p", "Code that resembles another's more than the lab explains: a hint, never a verdict. Open them side by "
               "side and look.", class_="notice"),
            shortened(rows, count(len(rows), "group"),
                      lambda all_rows: table(["lab", ("similarity", "right"), "students"], all_rows, "Most alike first"))]


def late(document, gathered):
    rows = [[link(student, gathered), el("code", flat(lab["lab"])), time_words(lab["submitted"]), late_words(lab)]
            for student in document["students"] for lab in student["labs"] if lab["late"]]
    if not rows:
        return el("p", "Nobody.")
    return shortened(rows, count(len(rows), "late submission"),
                     lambda all_rows: table(["student", "lab", "handed in"], all_rows, "Late submissions"))


def missing(document):
    students = {student["id"]: student for student in document["students"]}

    def names(ids):
        return el("ul", [el("li", isolated((students.get(one) or {}).get("name") or one), " ", el("code", one))
                         for one in ids])

    parts = []
    nothing = [student["id"] for student in document["students"] if student["state"] == "missing"]
    absent = list(dict.fromkeys(document["missing"] + nothing))
    if absent:
        parts.append(shortened(absent, f"{count(len(absent), 'student')} handed in nothing", names))
    if document["unknown"]:
        parts.append([el("h3", "Folders of nobody on the roster"),
                      shortened(document["unknown"], count(len(document["unknown"]), "folder"), names)])
    return parts or el("p", "Nobody.")


# ---- everybody ----------------------------------------------------------------------------------------------------------


def lab_cell(lab):
    """Points, a sign for the state, what lateness took. Sorted by points; what is not known comes before a zero."""
    if lab is None:
        return el("td", "–", data_sort="-2")
    sign, words = SIGN_OF.get(lab["state"], (None, None))
    score = number_text(lab["final_score"]) if lab["state"] != "missing" else ""
    parts = [score if lab["final_score"] is not None else "", " ", el("abbr", sign, title=words) if sign else None]
    if lab["late"]:
        parts.append([" ", el("abbr", "L", title=late_words(lab))])
    if lab["dropped"]:
        parts = ["(", parts, ")"]
    order = lab["final_score"] if lab["final_score"] is not None and lab["state"] != "missing" else -1
    return el("td", parts, data_sort=str(order))


def everybody(document, gathered):
    labs = document["labs"]
    heads = [el("th", "student", scope="col"), el("th", "percent", scope="col"), el("th", "points", scope="col"),
             [el("th", flat(lab["lab"]).replace("_", " "), scope="col") for lab in labs], el("th", "remarks", scope="col")]
    rows = []
    for student in document["students"]:
        entries = {entry["lab"]: entry for entry in student["labs"]}
        percent, score = student["percent"], student["score"]
        remarks = "; ".join(flat(one["code"]).replace("_", " ") for one in student["problems"])
        state = None if student["state"] == "graded" else html_lab.badge(student["state"])
        name = [link(student, gathered), [" ", el("code", student["id"])] if student["name"] else None]
        rows.append([el("tr", el("th", name, scope="row"),
                        el("td", f"{percent:g}" if percent is not None else "–",
                           data_sort=str(percent if percent is not None else -1)),
                        el("td", number_text(score), data_sort=str(score if score is not None else -1)),
                        [lab_cell(entries.get(lab["lab"])) for lab in labs],
                        el("td", state, " " if state else None, remarks)), "\n"])
    legend = ", ".join(f"{sign} {words}" for state, sign, words in SIGNS if state != "harness_error")
    whole = el("table", el("caption", "Everybody, by id"), el("thead", el("tr", heads)), "\n", el("tbody", rows),
               class_="class-table")
    most = dict.fromkeys(lab["max_score"] for lab in labs)
    possible = ", ".join(map(number_text, most if len(most) == 1 else [lab["max_score"] for lab in labs]))
    possible = f"{possible or 0}{' for each lab' if len(most) == 1 else ''}"
    return [el("p", f"Points that count, of {possible}. {legend}, L late, ( ) one of the lowest, which do not count.",
               class_="soft"),
            el("div", whole, class_="scroll", tabindex="0", role="group", aria_label="everybody")]


def summary(document):
    states = collections.Counter(student["state"] for student in document["students"])
    facts = [("students", len(document["students"])), ("graded", states["graded"]), ("handed in nothing", states["missing"]),
             ("without a score", states["problem"])]
    return el("dl", [[el("dt", words), el("dd", number_text(number))] for words, number in facts], class_="facts")


def index(document, gathered):
    """The overview."""
    course = document["course"]
    title = flat(course["title"]) if course and course["title"] else "The class"
    sections = [("look", "To look at", look(document, gathered)), ("scores", "Scores", scores(document)),
                ("causes", "Commonest causes", causes(document, gathered)),
                ("hardest", "Hardest labs and tests", hardest(document, gathered)),
                ("alike", "Near-duplicates", duplicates(document, gathered)), ("late", "Late", late(document, gathered)),
                ("missing", "Missing", missing(document)), ("everybody", "Everybody", everybody(document, gathered))]
    kit = document["kit"]
    hidden = "they ran" if document["hidden_tests"] else "they did not run, because no hidden seed was known"
    return document_page(
        title, asset("pages.css"), asset("pages.js"),
        el("header", el("p", "Lockstep class report", class_="soft"), el("h1", isolated(title)), summary(document),
           el("nav", el("ul", [el("li", el("a", words, href=f"#{name}")) for name, words, _ in sections], class_="contents"),
              aria_label="Sections")), "\n",
        el("main",
           [el("section", el("h2", words, id=name), body, "\n", aria_labelledby=name) for name, words, body in sections],
           id="main", tabindex="-1"), "\n",
        el("footer", el("p", f"Graded {time_words(document['when'])} by Lockstep {plain(kit['version'])}",
                        f", commit {plain(kit['git'])}" if kit["git"] else None,
                        f", with seed {document['seed']}. Hidden tests: {hidden}.", class_="soft")), "\n", wide=True)


def show_progress(done, students):
    """A line that a person at a terminal sees while many pages are made; None: it goes."""
    if not sys.stderr.isatty() or (done is not None and done % 50):
        return
    sys.stderr.write("\r\033[K" + ("" if done is None else f"lockstep: pages of {number_text(done)} of "
                                   f"{number_text(students)} students"))
    sys.stderr.flush()


def pages(source, settings):
    """Yields (name, content) for output.write_all: the students' pages, then index.html. Mistake at the end when a result
    could not be read; all other pages are there then."""
    document, gathered = source.document, Gathered()
    for i, student in enumerate(document["students"]):
        show_progress(i, len(document["students"]))
        try:
            result = source.student(student)
        except Mistake as mistake:
            gathered.unread[student["id"]] = str(mistake)
            remark(str(mistake))
            continue
        if result is None:
            continue
        gathered.add(result)
        yield page_file(student), student_page(student, result, document["course"], settings)
    show_progress(None, 0)
    yield "index.html", index(document, gathered)
    if gathered.unread:
        raise Mistake(f"{count(len(gathered.unread), 'result')} could not be read; all other pages are written.")

"""What the handouts show of other files and of the grader's words, put between two comments on their pages:

    <!-- include: FILE -->                      the file, as code
    <!-- include: FILE, paragraph "TEXT" -->    from the line with TEXT to the next empty one
    <!-- run: COMMAND -->                       the command and what it prints; times are not compared
    <!-- hints: LAB -->                         the lab's ladders, folded
    <!-- mistakes: LAB, NAME NAME … -->         wrong versions, and what the grader says of each
    <!-- measured: COUNTER …; NAME = FILE; … -->  a table of counters, one row per version
    <!-- points: FILE -->                       the lab's budgets
    <!-- table: causes|findings|counters|calls|lab_keys|lab_fills|map -->
                                                every cause, in the order of diagnosis; its section; what is counted; the
                                                calls of the runtime
    <!-- end -->

handout_pages.py --write brings the pages up to date; handouts_test.py finds what is not. --tables does it for what follows
from runtime/tables alone, and asks for no build; --check-tables compares only that. The grader's words come from
handouts/quoted.json: grading all those files takes long, and grade_suite.c grades them anyway and compares. After a
change of the grader's words handout_pages.py --regrade makes that file again (half a minute), and the pages.
"""

import glob
import json
import os
import re
import shlex
import subprocess
import sys
import textwrap

import readme_pictures
import yaml

sys.path.insert(0, "ci")
import course_labs  # noqa: E402
import tables  # noqa: E402

QUOTED = "handouts/quoted.json"
SEED = "20240917"   # that of grade_suite.c
BLOCK = re.compile(r"^<!-- (\w+): ([^\n]*?) -->\n(.*?)^<!-- end -->$", re.S | re.M)
STEPS = ("a nudge", "the idea", "almost the code")
FACTS = {"{array}": "the array", "{kernel}": "the kernel", "{line}": "the line", "{line2}": "the other line",
         "{last}": "the line of the second access"}   # hints.c
LANGUAGES = {".cu": "cuda", ".c": "c", ".h": "c", ".def": "c", ".py": "python", ".yaml": "yaml", ".yml": "yaml"}


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def pages():
    return sorted(page for page in glob.glob("handouts/*.md") if page != "handouts/supported_ptx.md")


def causes():
    """Code: title, in the order of diagnosis."""
    return {row.code: row.title for row in sorted(tables.findings(), key=lambda row: row.stage.order)}


def lab_names():
    return course_labs.names(".")


def ladders(lab):
    """Heading of labs/LAB/hints.md (or, with lab "", of those for every lab): its steps."""
    found = {}
    for part in read(os.path.join("labs", lab, "hints.md")).split("\n## ")[1:]:
        heading, _, body = part.partition("\n")
        found[heading.strip()] = re.findall(r"^\d\. (.*)$", body, re.M)
    return found


# ---- the blocks ----------------------------------------------------------------------------------------------------------


def fenced(text, language=""):
    text = "\n".join(line.rstrip() for line in text.splitlines())
    fence = "````" if "```" in text else "```"
    return f"{fence}{language}\n{text.rstrip()}\n{fence}\n"


def include(argument, _build):
    path, _, paragraph = argument.partition(", paragraph ")
    text = read(path)
    if paragraph:
        start = text.index(paragraph.strip('"'))
        start = text.rindex("\n", 0, start) + 1
        text = textwrap.dedent(text[start:].split("\n\n", 1)[0])
    return fenced(text, LANGUAGES.get(os.path.splitext(path)[1], ""))


def run(argument, build):
    return fenced(f"$ {argument}\n{readme_pictures.output_of(argument, build)}")


def heading_words(heading):
    """The title of a ladder in the words of the report: "wrong_value tail" is "wrong values: tail"."""
    code, _, rest = heading.partition(" ")
    if code == "budget":
        return f"points lost for <code>{rest}</code>"
    kind = {"race": "a race", "barrier": "a barrier"}.get(code) or causes()[code]
    facts = dict(word.split("=") for word in rest.split() if "=" in word)
    pattern = " ".join(word for word in rest.split() if "=" not in word).replace("_", " ")
    place = [words.format(facts[key].replace("_", " ") if key == "plan" else facts[key])
             for key, words in (("kernel", "in <code>{}</code>"), ("output", "of <code>{}</code>"),
                               ("array", "of <code>{}</code>"), ("plan", "plan: {}"))
             if key in facts]
    return kind + (f": {pattern}" if pattern else "") + (f" ({', '.join(place)})" if place else "")


def hints(argument, _build):
    text = ""
    for heading, steps in ladders(argument).items():
        text += f'\n<details markdown="1">\n<summary>{heading_words(heading)}</summary>\n\n'
        for name, step in zip(STEPS, steps):
            for fact, words in FACTS.items():
                step = step.replace(fact, words)
            text += f'<details markdown="1">\n<summary>{name}</summary>\n\n{step}\n\n</details>\n'
        text += "\n</details>\n"
    return text + "\n"


def description(path):
    """What is wrong with a wrong version: the end of its first line."""
    return read(path).split("\n", 1)[0].partition(" - ")[2]


def wrapped(text):
    return [line for part in text.splitlines() for line in textwrap.wrap(part, 76, break_on_hyphens=False)]


def said(lab, words):
    """What the grader says of a graded file: the first cause, else where points are lost. Lines of at most 80 columns."""
    cause = words["cause"]
    if cause is not None:
        title = causes()[cause["code"]]
        place = f"line {cause['line']}" if cause["line"] else ""
        lines = [f"{title}{place:>{max(len(place) + 2, 78 - len(title))}}" if place else title]
        return "\n".join(lines + [f"  {line}" for line in wrapped(cause["message"]) + [""] + wrapped(cause["hint"])])
    lines = [f"pass{words['score']:>{70}}/{words['max_score']}"]
    for budget in words["performance"]:
        if budget["score"] < budget["max_score"]:
            ladder = ladders(lab).get(f"budget {budget['metric']}")
            lines += [""] if len(lines) > 1 else []
            lines += [f"  {budget['metric']}: {budget['score']} of {budget['max_score']} points"]
            lines += [f"  {line}" for line in wrapped(budget["message"] or "")]
            lines += ["", *(f"      {line}" for line in budget["picture"].splitlines())] if budget["picture"] else []
            lines += [""] + [f"  {line}" for line in wrapped(ladder[0] if ladder else "")]
    return "\n".join(lines)


def mistakes(argument, _build):
    lab, _, names = argument.partition(", ")
    text = ""
    for name in names.split():
        path = f"labs/{lab}/wrong/{name}.cu"
        why = description(path)
        text += f"\n**{why[:1].upper()}{why[1:]}** ([`{name}.cu`](../{path}))\n\n{fenced(said(lab, quoted()[path]), 'text')}"
    return text + "\n"


def measured(argument, _build):
    counters, *versions = [part.strip() for part in argument.split(";")]
    titles = {row.name: row.title for row in tables.counters()}
    text = "| version | " + " | ".join(titles[name] for name in counters.split()) + " |\n"
    text += "|---|" + "---:|" * len(counters.split()) + "\n"
    for version in versions:
        name, _, path = version.partition(" = ")
        text += f"| [{name}](../{path}) | "
        text += " | ".join(f"{quoted()[path]['counters'][counter]:,}" for counter in counters.split()) + " |\n"
    return "\n" + text + "\n"


def points(argument, _build):
    text = "| counted | compared with | full points up to | none from | points |\n|---|---:|---:|---:|---:|\n"
    for budget in quoted()[argument]["performance"]:
        ideal = f"{budget['ideal']:,.0f}" if budget["ideal"] is not None else "–"
        text += (f"| `{budget['metric']}` | {ideal} | {budget['full_at']:g} | {budget['zero_at']:g} | "
                 f"{budget['max_score']} |\n")
    return "\n" + text + "\n"


def calls_table():
    """The calls of runtime/lockstep.h, a row for each of its parts."""
    text = "| part | calls |\n|---|---|\n"
    for part, body in re.findall(r"^/\* -+ (.*?) -+ \*/$(.*?)(?=^/\* ---|\Z)", read("runtime/lockstep.h"), re.S | re.M):
        names = dict.fromkeys(re.findall(r"^[\w ]+[ *](lockstep_\w+)\(", body, re.M))
        text += f"| {part} | {', '.join(f'`{name}`' for name in names)} |\n"
    return "\n" + text + "\n"


def causes_table():
    """What the report says, in the order of diagnosis, and which warnings cost points."""
    rows = sorted(tables.findings(), key=lambda row: row.stage.order)
    text = "| what the report says | code | severity | order |\n|---|---|---|---:|\n"
    for row in rows:
        text += (f"| [{row.title}](#{row.title.replace(' ', '-')}) | `{row.code}` | {row.severity.lower()} | "
                 f"{row.stage.order + 1} |\n")
    costly = [f"`{row.code}`" for row in rows if row.severity != "ERROR" and row.in_lab == "FAILS"]
    graded = [f"`{row.code}`" for row in rows if row.raised_by == "GRADER"]
    text += "\n" + filled("Errors fail a test. So do these warnings, because a lab's result depends on them: "
                          f"{listed(costly)}. Only the grader can report {listed(graded)}; `lockstep exec` can report the "
                          "others for any program.")
    return "\n" + text + "\n"


def listed(words):
    return " and ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else "".join(words)


def filled(text, indent=""):
    return textwrap.fill(text, 120, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False) + "\n"


def findings_sections():
    """The section of each finding, below the heading of its stage."""
    text, heading = "", None
    for row in sorted(tables.findings(), key=lambda row: row.stage.order):
        if row.stage.heading != heading:
            heading = row.stage.heading
            text += f"\n### {heading}\n"
        text += f"\n#### {row.title} <!-- {row.code} -->\n\n{filled(row.meaning)}\n"
        text += filled(f"* **Often:** {row.often}", "  ") + filled(f"* **Think of:** {row.advice}", "  ")
    return text + "\n"


def counters_table():
    text = "| counter | name | unit | what it counts | what it should be |\n|---|---|---|---|---|\n"
    for row in tables.counters():
        made = f": `{tables.formula_words(row)}`" if row.formula else ""
        text += f"| `{row.name}` | {row.title} | {row.unit} | {row.meaning}{made} | {row.aim} |\n"
    compared = [f"`{row.name}`: " + " + ".join(f"`{metric}`" for metric in row.profiler.split())
                for row in tables.counters() if row.profiler]
    text += "\nIn NVIDIA's profiler, Nsight Compute, these are:\n\n" + "".join(f"* {line}\n" for line in compared)
    return "\n" + text + "\n"


def lab_keys_table():
    shown = {"LAB": "", "KERNEL": "kernels[].", "ARRAY": "arrays.NAME.", "SCALAR": "scalars.NAME.", "OUTPUT": "outputs[].",
             "PLAN": "plans.PLAN[].", "RULE": "compare.OUTPUT.", "PROGRAM": "program.",
             "DEMAND": "program.DEMAND.", "BUDGET": "budgets[].",
             "TIME": "time.", "WORK": "work.", "WEIGH": "weigh."}
    text = "| key | what |\n|---|---|\n"
    table = read("grader/lab/describe/lab_keys.def")
    for scope, name, what in re.findall(r'^KEY\((\w+), (\w+), \w+,\s+"(.*)"\)$', table, re.M):
        text += f"| `{shown[scope]}{name}` | {what} |\n"
    return "\n" + text + "\n"


def lab_fills_table():
    text = "| rule | numbers | what |\n|---|---|---|\n"
    for name, numbers, what in re.findall(r'^FILL\((\w+), (\d), "(.*)"\)$', read("grader/lab/describe/fills.def"), re.M):
        text += f"| `{name}` | {numbers} | {what} |\n"
    return "\n" + text + "\n"


def map_table(folder=""):
    """The parts of the course with their pages and labs; folder: of the handouts, as seen from the page."""
    text, number = "", 0
    for part in yaml.safe_load(read("labs/map.yaml")):
        text += f"\n**{part['part']}**\n\n| | | what it teaches |\n|---|---|---|\n"
        for step in part["steps"]:
            lab = None if isinstance(step, dict) else yaml.safe_load(read(f"labs/{step}/lab.yaml"))
            number += lab is not None
            page = step["page"] if lab is None else f"handouts/{step}.md"
            text += "| " + (f"{number} `{step}`" if lab else "read")
            text += f" | [{(lab or step)['title']}]({folder}{os.path.basename(page)}) | {(lab or step)['teaches']} |\n"
    return text + "\n"


TABLES = {"map": map_table, "README_map": lambda: map_table("handouts/"), "lab_keys": lab_keys_table,
          "lab_fills": lab_fills_table, "calls": calls_table, "causes": causes_table, "findings": findings_sections,
          "counters": counters_table}


def table(argument, _build):
    return TABLES[argument]()


BLOCKS = {"include": include, "run": run, "hints": hints, "mistakes": mistakes, "measured": measured, "points": points,
          "table": table}


def expand(text, build, only=None):
    """The page with the content of its blocks (of the kinds in `only`) made again."""
    def fresh(match):
        kind, argument, old = match.groups()
        if kind not in BLOCKS:
            raise ValueError(f"<!-- {kind}: {argument} -->: no such block")
        content = BLOCKS[kind](argument, build) if only is None or kind in only else old
        return f"<!-- {kind}: {argument} -->\n{content}<!-- end -->"
    return BLOCK.sub(fresh, text)


# ---- what is quoted of the grader ----------------------------------------------------------------------------------------


def cited():
    """File: the counters that a page shows of it."""
    found = {}
    for page in pages():
        for kind, argument, _ in BLOCK.findall(read(page)):
            if kind == "mistakes":
                lab, _, names = argument.partition(", ")
                for name in names.split():
                    found.setdefault(f"labs/{lab}/wrong/{name}.cu", set())
            elif kind == "points":
                found.setdefault(argument, set())
            elif kind == "measured":
                counters, *versions = argument.split(";")
                for version in versions:
                    found.setdefault(version.partition(" = ")[2].strip(), set()).update(counters.split())
    return found


def quoted():
    if not hasattr(quoted, "content"):
        quoted.content = json.loads(read(QUOTED)) if os.path.exists(QUOTED) else {}
    return quoted.content


def words_of(lab, counters):
    """The part of a lab's result that may be quoted: nothing that another NVRTC would change."""
    cause = None
    for test in lab["tests"] or []:
        if test["findings"] and test["message"] == lab["message"]:
            cause = {key: test["findings"][0][key] for key in ("code", "line", "message", "hint")}
            break
    if cause is None and lab["state"] != "pass":
        raise ValueError(f"{lab['lab']}: {lab['message']}: there is no finding to quote")
    fields = ("metric", "ideal", "full_at", "zero_at", "score", "max_score", "message", "picture")
    budgets = [{key: budget[key] for key in fields} for budget in lab["performance"] or []]
    return {"score": lab["score"], "max_score": lab["max_score"], "cause": cause, "performance": budgets,
            "counters": {name: lab["counters"][name] for name in sorted(counters)} if counters else {}}


def grade_quoted(known, build="build"):
    """Words and counters of every cited file: those known, and of the others by grading them."""
    wanted = cited()
    files = {path: counters for path, counters in wanted.items()
             if path not in known or sorted(known[path]["counters"]) != sorted(counters)}
    kept = {path: known[path] for path in wanted if path not in files}
    if not files:
        return kept
    command = [f"{build}/lockstep", "grade", "--device", "emulated", "--json", "-", "--seed", SEED, *sorted(files)]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                          check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"handout_pages.py: exit status {done.returncode} of {shlex.join(command)}\n{done.stderr[-2000:]}")
    result = json.loads(done.stdout)
    paths = [file["path"] for file in result["submission"]["files"]]
    return {**kept, **{path: words_of(lab, files[path]) for path, lab in zip(paths, result["labs"])}}


def write_quoted(content):
    with open(QUOTED, "w", encoding="utf-8") as file:
        json.dump(content, file, indent=1, ensure_ascii=False, sort_keys=True)
        file.write("\n")


# The blocks that the rows of runtime/tables go into, beside files: no program has to run for them.
OF_TABLES = ("table", "hints", "mistakes", "measured")


def write_tables(check):
    """Brings those blocks up to date; with check only says which pages are not. Returns the exit status."""
    status = 0
    for page in pages() + glob.glob("README.md"):
        old = read(page)
        fresh = expand(old, "build", OF_TABLES)
        if fresh == old:
            continue
        status = int(check)
        print(f"{page} is not what the tables say: python3 ci/tables.py" if check else f"written: {page}")
        if not check:
            with open(page, "w", encoding="utf-8") as file:
                file.write(fresh)
    return status


def main():
    if sys.argv[1:] in (["--tables"], ["--check-tables"]):
        sys.exit(write_tables(sys.argv[1] == "--check-tables"))
    if sys.argv[1:2] not in (["--write"], ["--regrade"]) or not set(sys.argv[2:]) <= set(pages()):
        sys.exit("usage: handout_pages.py --write|--regrade [handouts/PAGE.md]...")
    for program in ("build/lockstep", "build/examples/first_program"):
        if not os.path.exists(program):
            sys.exit(f"handout_pages.py: there is no {program}, whose output the pages show: run ninja, in the kit's folder")
    quoted.content = grade_quoted({} if sys.argv[1] == "--regrade" else quoted())
    write_quoted(quoted.content)
    for page in sys.argv[2:] or pages():
        old = read(page)
        fresh = expand(old, "build")
        if readme_pictures.without_times(fresh) != readme_pictures.without_times(old):
            with open(page, "w", encoding="utf-8") as file:
                file.write(fresh)
            print(f"written: {page}")


if __name__ == "__main__":
    main()

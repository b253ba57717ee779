"""The page of one submission (templates/submission.html)."""

import collections
import shlex

from export import decided, html_lab, view
from export.render import file_name, flat, render
from export.text import plain

# handouts: where they are, as an address, or None
Settings = collections.namedtuple("Settings", "handouts")


def files_of(result):
    """The file of each lab; None where the result has none."""
    files = result["submission"]["files"]
    return [files[i] if i < len(files) else None for i in range(len(result["labs"]))]


def headings(result):
    """Words and anchor of each section. Several files for one lab are told apart by their names (beside)."""
    names, made = [lab["lab"] for lab in result["labs"]], []
    for i, (lab, file) in enumerate(zip(result["labs"], files_of(result))):
        heading = {"words": html_lab.lab_title(lab["lab"]), "beside": None, "anchor": html_lab.anchor(lab["lab"])}
        if names.count(lab["lab"]) > 1:
            heading["beside"] = file_name(file["path"]) if file else f"file {i + 1}"
            heading["anchor"] += f"-{i + 1}"
        made.append(heading)
    return made


def commands(result):
    """What gives the same verdicts again."""
    device = "" if result["machine"]["emulator"] is not False else " --device gpu"
    return [f"build/lockstep grade {shlex.quote(flat(file['path']))} --lab {flat(lab['lab'])} "
            f"--seed {result['seed']}{device}"
            for lab, file in zip(result["labs"], files_of(result)) if file]


def machine(result):
    """What graded what, as (name, value)."""
    facts, kit = result["machine"], result["kit"]
    commit = f", commit {plain(kit['git'])}" if kit["git"] else ""
    return [("graded", plain(result["when"])), ("kit", plain(kit["version"]) + commit),
            ("device", facts["device"] or "none: nothing ran"),
            ("compute capability", facts["compute_capability"] or "–"), ("driver", facts["driver"] or "–"),
            ("NVRTC", facts["nvrtc"] or "–"),
            ("around the submission", ", ".join(plain(one) for one in facts["sandbox"]) or "nothing"),
            ("seed", str(result["seed"]))]


def page(result, settings, student=None):
    """The whole document.
        student   what the class knows (html_class.student_facts), or None"""
    sections = [html_lab.section(lab, heading, file, settings)
                for lab, heading, file in zip(result["labs"], headings(result), files_of(result))]
    return render("submission.html", "pages.css", pictures=html_lab.has_picture(result["labs"]), result=result,
                  name=flat(result["submission"]["id"]) or "a submission",
                  sections=sections, student=student, commands=commands(result), machine=machine(result),
                  decided=[] if student else decided.result_lines(result),
                  broken=[html_lab.lab_title(lab["lab"]) for lab in view.ungraded(result)])

"""The page of one submission."""

import collections
import functools
import os
import shlex

from export import html_lab, view
from export.html_finding import file_name
from export.html_figures import number_text
from export.markup import el, flat, folded, isolated, page as document_page, table
from export.text import count, plain

# handouts: where they are, as an address, or None
Settings = collections.namedtuple("Settings", "handouts")


@functools.lru_cache(maxsize=None)
def asset(name):
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        return file.read()


def files_of(result):
    """The file of each lab; None where the result has none."""
    files = result["submission"]["files"]
    return [files[i] if i < len(files) else None for i in range(len(result["labs"]))]


def headings(result):
    """The words and the anchor of each section. Several files for one lab are told apart by their names."""
    names, made = [lab["lab"] for lab in result["labs"]], []
    for i, (lab, file) in enumerate(zip(result["labs"], files_of(result))):
        words, anchor = html_lab.lab_title(lab["lab"]), html_lab.anchor(lab["lab"])
        if names.count(lab["lab"]) > 1:
            name = file_name(file["path"]) if file else f"file {i + 1}"
            words, anchor = [words, ", ", isolated(name)], f"{anchor}-{i + 1}"
        made.append((words, anchor))
    return made


def overview(result):
    rows = []
    for lab, (words, anchor) in zip(result["labs"], headings(result)):
        rows.append([el("a", words, href=f"#{anchor}"), html_lab.badge(lab["state"]),
                     html_lab.points(lab["state"], lab["score"], lab["max_score"])])
    if len(rows) < 2:
        return None
    return el("nav", table(["lab", "verdict", ("points", "right")], rows, "Labs"), aria_label="Labs")


def headline(result):
    broken = view.ungraded(result)
    return [el("p", el("strong", number_text(result["score"]), class_="big"),
               f" of {number_text(result['max_score'])} points",
               class_="score"),
            el("p", "The kit itself failed on " + ", ".join(html_lab.lab_title(lab["lab"]) for lab in broken) +
               ". Those points are not lost: grade again.", class_="notice") if broken else None]


def repeat(result):
    """The commands that give the same verdicts again."""
    device = "" if result["machine"]["emulator"] is not False else " --device gpu"
    lines = [f"build/lockstep grade {shlex.quote(flat(file['path']))} --lab {flat(lab['lab'])} "
             f"--seed {result['seed']}{device}"
             for lab, file in zip(result["labs"], files_of(result)) if file]
    return [el("h2", "The same again", id="again"),
            el("p", "In the kit's folder; the seed gives the same inputs, and so the same verdicts:"),
            el("pre", "\n".join(lines), class_="scroll", tabindex="0", role="group",
               aria_label="commands")] if lines else None


def machine(result):
    facts, kit = result["machine"], result["kit"]
    commit = f", commit {plain(kit['git'])}" if kit["git"] else ""
    rows = [["graded", plain(result["when"])], ["kit", plain(kit["version"]) + commit],
            ["device", facts["device"] or "none: nothing ran"],
            ["compute capability", facts["compute_capability"] or "–"], ["driver", facts["driver"] or "–"],
            ["NVRTC", facts["nvrtc"] or "–"],
            ["around the submission", ", ".join(plain(one) for one in facts["sandbox"]) or "nothing"],
            ["seed", str(result["seed"])]]
    rows += [[isolated(file["path"]), ["SHA-256 ", el("code", file["sha256"] or "unknown: too large to read")]]
             for file in result["submission"]["files"]]
    return folded("Machine and files", table(["what", "value"], rows, "What graded what", "facts"))


def page(result, settings, title=None, before=None, extras=None):
    """The whole document.
        title    heading; default: the submission's id
        before   Markup above the results (of a class: the way back, late days), or None
        extras   {lab: Markup} for the sections, or None"""
    name = title or isolated(flat(result["submission"]["id"]) or "a submission")
    extras = extras or {}
    return document_page(
        f"{flat(result['submission']['id']) or 'a submission'}: {result['score']} of {result['max_score']}",
        asset("pages.css"), "",
        el("header", el("p", "Lockstep report", class_="soft"), el("h1", name), before, headline(result)), "\n",
        el("main", overview(result),
           [["\n", html_lab.section(html_lab.without_secrets(lab), heading, file, settings, extras.get(lab["lab"]))]
            for lab, heading, file in zip(result["labs"], headings(result), files_of(result))],
           el("p", "The result holds no lab: nothing was graded.", class_="notice") if not result["labs"] else None,
           id="main",
           tabindex="-1"), "\n",
        el("footer", repeat(result), machine(result),
           el("p", f"Made by Lockstep {plain(result['kit']['version'])} from {count(len(result['labs']), 'lab')}.",
              class_="soft")), "\n")

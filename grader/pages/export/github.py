"""Annotations at the student's lines on standard output (or --out), the job summary appended to --summary.

GitHub keeps 10 errors, 10 warnings and 10 notices of a step. The first causes of all labs come first, each line and kind
once; what does not fit is counted in the last annotation and listed in the summary.
"""

import os

from export import markdown, output, view
from export.text import count, cut, plain

PER_KIND = 10
SUMMARY_LIMIT_BYTES = 1024 * 1024 - 1024   # GitHub's limit for a step, less what others may have written
MESSAGE_LIMIT_CHARACTERS = 3000

COMMANDS = {"error": "error", "warning": "warning", "note": "notice"}


def add_options(parser):
    parser.add_argument("--summary", metavar="FILE", default=os.environ.get("GITHUB_STEP_SUMMARY"),
                        help="append the job summary (Markdown) here; default: the file that GITHUB_STEP_SUMMARY names")
    parser.add_argument("--root", metavar="DIR", default=os.environ.get("GITHUB_WORKSPACE"),
                        help="paths in annotations are relative to this folder; default: GITHUB_WORKSPACE, else as graded")
    parser.add_argument("--no-annotations", action="store_true", help="only the summary")


def escape_message(text):
    """The text of a workflow command, in one line."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text):
    """The value of a property of a workflow command."""
    return escape_message(text).replace(":", "%3A").replace(",", "%2C")


def command(kind, title, message, file=None, line=None):
    """A workflow command, with its line end."""
    properties = [("file", file), ("line", str(line) if line and file else None),
                  ("title", cut(plain(title, lines=False), 200))]
    written = ",".join(f"{name}={escape_property(value)}" for name, value in properties if value)
    return f"::{kind} {written}::{escape_message(cut(plain(message), MESSAGE_LIMIT_CHARACTERS))}\n"


def path_from(root, file):
    """file as the repository knows it; what is outside of root is left unchanged."""
    path = plain(file, lines=False)
    if root and path:
        below = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
        if not below.startswith(".."):
            return below
    return path


def annotations_of_lab(lab, graded_file, root):
    """(kind, rank, command) for each place of a lab, the first cause first. rank 0 is the first cause."""
    kept = []
    for one in lab["diagnostics"]:
        if one["file"] and one["line"]:
            kept.append((one["severity"], f"{lab['lab']}: does not compile" if one["severity"] == "error" else lab["lab"],
                         plain(one["message"]), one["file"], one["line"]))
    for finding, closed in view.causes(lab):
        if finding["code"] == "compile" and lab["diagnostics"]:
            continue   # the compiler's own messages say the same, each at its line
        text = "\n".join(view.details(finding, closed) + view.advice(finding))
        kept.append((finding["severity"], f"{lab['lab']}: {view.title(finding)}", text, finding["file"],
                     finding["line"]))
    for part in lab["performance"]:
        if part.get("line") and part["score"] < part["max_score"] and part["state"] == "fail":
            kept.append(("warning", f"{lab['lab']}: {view.metric(part)}", view.describe_budget(part), graded_file,
                         part["line"]))
    if not kept and view.failed(lab["state"]):
        kept.append(("error", f"{lab['lab']}: {lab['state']}", view.lab_message(lab), graded_file, None))
    places = {}   # one annotation a line and title: what else is wrong there goes under the first
    for severity, title, text, file, line in kept:
        places.setdefault((file, line, title), (COMMANDS.get(severity, "notice"), []))[1].append(text)
    for rank, ((file, line, title), (kind, texts)) in enumerate(places.items()):
        also = ["also here: " + text.split("\n")[0] for text in texts[1:]]
        yield kind, rank, command(kind, title, "\n".join(texts[:1] + also), path_from(root, file), line)


def annotations(result, root):
    """The commands, at most 10 of a kind: the first cause of each lab, then the second of each …"""
    paths = [file["path"] for file in result["submission"]["files"]]
    ranked = []
    for number, lab in enumerate(result["labs"]):
        graded_file = paths[number] if number < len(paths) else None
        ranked += [(rank, number, kind, text) for kind, rank, text in annotations_of_lab(lab, graded_file, root)]
    ranked.sort(key=lambda one: one[:2])
    lines = []
    for kind in COMMANDS.values():
        chosen = [text for _, _, of_kind, text in ranked if of_kind == kind]
        if len(chosen) > PER_KIND:
            more = len(chosen) - PER_KIND + 1
            chosen[PER_KIND - 1:] = [command(kind, "Lockstep", f"and {count(more, 'more place')}: see the job summary")]
        lines += chosen
    for lab in view.ungraded(result)[:1]:
        lines.insert(0, command("notice", f"{lab['lab']}: not graded", "The grader itself failed. That is not a zero: "
                                "it must be graded again.\n" + plain(lab["message"])))
    return "".join(lines)


def convert(source, options):
    """Yields the annotations; the summary is appended to its file."""
    if options.summary:
        output.append_file(options.summary, markdown.report(source.document, SUMMARY_LIMIT_BYTES))
    if not options.no_annotations:
        yield None, annotations(source.document, options.root)

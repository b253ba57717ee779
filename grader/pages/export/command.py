"""The command line of `lockstep export`."""

import argparse
import sys
import textwrap

from export import formats, output
from export.source import Mistake, Source

USAGE = 2


class Parser(argparse.ArgumentParser):
    """Says what is wrong in the words of the other commands."""

    def error(self, message):
        raise Mistake(f"export: {message}\nTry: lockstep export --help", USAGE)


TAKES = {"result": "a result", "class": "a class"}


def table():
    """The formats, as lines for people."""
    width = max(len(row.name) for row in formats.FORMATS)
    lines = []
    for row in formats.FORMATS:
        lines.append(f"  {row.name:<{width}}  {row.summary}")
        source = " or ".join(TAKES[kind] for kind in row.takes) or "the kit alone: no RESULT"
        lines.append(f"  {'':<{width}}  (from {source})")
    return "\n".join(lines)


HELP = """lockstep export FORMAT RESULT [--out FILE] [options of the format]

Converts a result to what other systems read. RESULT is the result file of
`lockstep grade --json FILE`, the class.json of `lockstep batch` or its
folder, or - for standard input. Without --out it goes to standard output.

{table}

lockstep export FORMAT --help shows the options of one.
Exit status: 0 written; 1 something is wrong with the input; 2 bad usage;
3 the output could not be written."""


def make_parser(row, module):
    """The options of one format."""
    words = f"{row.summary[0].upper()}{row.summary[1:]}.\n\n{module.__doc__ or ''}"
    parser = Parser(prog=f"lockstep export {row.name}", allow_abbrev=False,
                    description="\n\n".join(textwrap.fill(part, 78) for part in words.strip().split("\n\n")),
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    if row.takes:
        parser.add_argument("result", metavar="RESULT", help=" or ".join(TAKES[kind] for kind in row.takes))
    if row.makes == "archive":
        parser.add_argument("--out", metavar="FILE", required=True, help="the archive")
    elif row.makes == "folder":
        parser.add_argument("--out", metavar="DIR", required=True, help="the folder for the files; created if necessary")
    else:
        parser.add_argument("--out", metavar="FILE", help="the file; default: standard output")
    if formats.CLASS in row.takes:   # of `lockstep batch`, which has just written the class and said what there is to say
        parser.add_argument("--from-batch", action="store_true", help=argparse.SUPPRESS)
    if hasattr(module, "add_options"):
        module.add_options(parser)
    return parser


def find_format(words):
    """The row that the words name, and the other words. (None, words): help is wanted."""
    for i, word in enumerate(words):
        if word in ("--help", "-h"):
            return None, words
        if not word.startswith("-"):
            row = formats.find(word)
            if row is None:
                known = ", ".join(row.name for row in formats.FORMATS)
                raise Mistake(f"export does not know the format {word!r}. Formats: {known}.", USAGE)
            return row, words[:i] + words[i + 1:]
    raise Mistake(f"export needs a format: {', '.join(row.name for row in formats.FORMATS)}.\nTry: lockstep export --help",
                  USAGE)


def run(words):
    """Does what the words say; returns the exit status."""
    row, rest = find_format(words)
    if row is None:
        output.write_standard_output(HELP.format(table=table()) + "\n")
        return 0
    module = formats.load(row)
    options = make_parser(row, module).parse_args(rest)
    if hasattr(module, "run"):   # a format that handles broken input itself
        return module.run(row, options)
    source = Source(options.result, row.takes, not getattr(options, "from_batch", False)) if row.takes else None
    output.write_all(module.convert(source, options), options.out, row.makes)
    return 0


def main(words):
    """Returns the exit status."""
    sys.stderr.reconfigure(errors="backslashreplace")
    try:
        return run(words)
    except Mistake as mistake:
        print(f"lockstep: {mistake}", file=sys.stderr)
        return mistake.status
    except KeyboardInterrupt:
        return 130

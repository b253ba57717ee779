"""One page for one result, readable anywhere and without a network; of a class, a page for everyone and an overview, in the
folder that --out names.

Students read it: of a hidden test it shows what kind of thing is wrong, and nothing that reveals the inputs.
"""

import os
import re

from export import anonymous, html_class, html_result, output
from export.source import Mistake, Source

def add_options(parser):
    parser.add_argument("--handouts", metavar="URL",
                        help="where the handouts are; their names become links to URL/scan.html#section")
    anonymous.add_option(parser)


def run(row, options):
    """A result becomes one file, a class a folder with index.html and students/ID.html."""
    source = Source(options.result, row.takes, not options.from_batch)
    settings = html_result.Settings(check_address(options.handouts))
    if options.anonymous:
        anonymous.hide_class(source)
    if source.kind == "result":
        output.write_all([(None, html_result.page(source.document, settings))], options.out, "file")
        return 0
    if options.out in (None, "-"):
        raise Mistake("export: the pages of a class need a folder: --out DIR.", 2)
    if os.path.exists(options.out) and not os.path.isdir(options.out):
        raise Mistake(f"{options.out} is not a folder; the pages of a class need one: --out DIR.", 2)
    kept = None
    if options.from_batch and not options.anonymous:
        kept = os.path.join(os.path.dirname(source.path), ".lockstep", "pages.json")
    html_class.write(source, settings, options.out, kept)
    return 0


def check_address(address):
    """The address that links begin with. Nothing but http, https, file or a relative path: a link must not run a program."""
    if address is None:
        return None
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", address)
    if scheme and scheme.group(1).lower() not in ("http", "https", "file"):
        raise Mistake(f"--handouts {address}: an address begins with http:, https: or file:, or is a path.", 2)
    return address.rstrip("/")

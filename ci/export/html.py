"""One page for one result, readable anywhere and without a network.

Of hidden tests a page shows name, verdict and points, and no more, because students read it.
"""

import re

from export import html_result, output
from export.source import Mistake, Source

def add_options(parser):
    parser.add_argument("--show-hidden", action="store_true",
                        help="say of hidden tests all that is known; such a page is not for students")
    parser.add_argument("--handouts", metavar="URL",
                        help="where the handouts are; their names become links to URL/04_scan.html#section")


def run(row, options):
    """A result becomes one file."""
    source = Source(options.result, row.takes)
    settings = html_result.Settings(options.show_hidden, check_address(options.handouts))
    output.write_all([(None, html_result.page(source.document, settings))], options.out, "file")
    return 0


def check_address(address):
    """The address that links begin with. Nothing but http, https, file or a relative path: a link must not run a program."""
    if address is None:
        return None
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", address)
    if scheme and scheme.group(1).lower() not in ("http", "https", "file"):
        raise Mistake(f"--handouts {address}: an address begins with http:, https: or file:, or is a path.", 2)
    return address.rstrip("/")

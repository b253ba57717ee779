"""Started as `python3 -I grader/pages/trace …` by grader/commands/trace.c, with the record on standard input. Exit status as
everywhere: 0 written; 2 bad usage; 3 the output could not be written."""

import argparse
import os
import sys

if sys.version_info < (3, 9):
    sys.exit("lockstep: trace needs Python 3.9 or newer; %s is %d.%d." % ((sys.executable,) + sys.version_info[:2]))

sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from export import output  # noqa: E402 (the path must be set first)
from export.source import Mistake  # noqa: E402
from export.text import plain  # noqa: E402
from trace import marks, page, record  # noqa: E402

USAGE = 2


def choose(trace, kernel):
    """The launch that is shown, and what there is to see in it."""
    launches = [launch for launch in trace.launches if kernel in (None, launch.kernel)]
    if not trace.launches:
        raise Mistake("nothing was launched" + (f": {trace.case['message']}" if trace.case.get("message") else "."), 1)
    if not launches:
        names = ", ".join(sorted({launch.kernel for launch in trace.launches}))
        raise Mistake(f"--kernel {kernel}: the case launches {names}.", USAGE)
    inside = [launch for launch in launches if launch.in_grid]
    if not inside:
        block, grid = launches[0].block, launches[0].grid
        raise Mistake(f"--block {','.join(map(str, block))}: {launches[0].kernel} has a grid of {grid[0]} x {grid[1]} x "
                      f"{grid[2]} blocks: X is 0 to {grid[0] - 1}, Y 0 to {grid[1] - 1}, Z 0 to {grid[2] - 1}.", USAGE)
    return max(((launch, marks.find(trace, launch)) for launch in inside), key=lambda pair: pair[1].rank)


def main(words):
    parser = argparse.ArgumentParser(prog="lockstep trace")
    for name in ("--out", "--svg", "--kernel"):
        parser.add_argument(name)
    options = parser.parse_args(words)
    try:
        trace = record.read(sys.stdin.buffer)
        launch, seen = choose(trace, options.kernel)
        if options.out:
            output.write_all([(None, page.page(trace, launch, seen))], options.out, "file")
        if options.svg:
            output.write_all([(None, page.picture(trace, launch, seen))], options.svg, "file")
        if "-" not in (options.out, options.svg):
            print("\n".join(page.words(trace, launch, seen, options.out, options.svg)))
        return 0
    except Mistake as mistake:
        sys.stderr.write(f"lockstep: {plain(str(mistake))}\n")
        return mistake.status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

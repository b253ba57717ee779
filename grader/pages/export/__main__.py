"""`lockstep export FORMAT RESULT`: converts a result file, or a class, to what other systems read.

Started as `python3 -I grader/pages/export …` by grader/pages/export.c. Exit status as everywhere: 0 written; 1 the input
has something wrong with it; 2 bad usage; 3 the output could not be written.
"""

import os
import sys

if sys.version_info < (3, 9):
    sys.exit("lockstep: export needs Python 3.9 or newer; %s is %d.%d." % ((sys.executable,) + sys.version_info[:2]))

# The package is `export`, so that its modules may be called csv and html as what they write.
sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

from export import command  # noqa: E402 (the path must be set first)

if __name__ == "__main__":
    sys.exit(command.main(sys.argv[1:]))

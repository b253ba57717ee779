"""The report in real terminals: as wide as they are, without what they cannot show."""

import fcntl
import os
import pty
import re
import struct
import tempfile
import termios
import unittest

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
RACE, SLOW = "labs/scan/wrong/no_barrier_in_loop.cu", "labs/matmul_tiled/wrong/threads_swapped.cu"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def in_terminal(columns, words, **variables):
    """What a program writes to a terminal of that width."""
    environment = {**os.environ, "TERM": "xterm", "LC_ALL": "C.UTF-8", **variables}
    child, terminal = pty.fork()
    if child == 0:
        fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        os.execvpe(words[0], words, environment)
    data = b""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        data += piece
    os.close(terminal)
    os.waitpid(child, 0)
    return data.decode("utf-8", errors="replace").replace("\r\n", "\n")


def grade(columns, *words, **variables):
    return in_terminal(columns, [f"{BUILD}/lockstep", "grade", "--device", "emulated", "--seed", "1", *words], **variables)


class Terminal(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def check_width(self, text, columns):
        """A line may be longer only where it holds a word that long: a path, which nobody could copy in pieces."""
        for line in COLOUR.sub("", text).split("\n"):
            if len(line) > columns:
                self.assertGreater(len(max(line.split(), key=len)) + 14, columns, line)

    def test_a_narrow_terminal_gets_narrow_lines(self):
        text = grade(40, RACE, SLOW)
        self.check_width(text, 40)
        plain = COLOUR.sub("", text)
        self.assertIn(">  11 |             s[t] += s[t - d];\n      |             ^^^^    ^^^^^^^^\n", plain)
        self.assertIn("A terminal at least 69 columns wide shows", " ".join(plain.split()))

    def test_a_wide_terminal_is_used(self):
        text = grade(120, RACE, SLOW)
        self.check_width(text, 120)
        self.assertGreater(max(map(len, COLOUR.sub("", text).split("\n"))), 100)
        self.assertIn("bytes 0..31", text)
        self.assertIn("\x1b[", text)

    def test_no_colour_where_none_is_wanted(self):
        for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            self.assertNotIn("\x1b", grade(80, "labs/doublify/wrong/missing_semicolon.cu", **variables))

    def test_letters_that_the_terminal_lacks_keep_their_columns(self):
        path = os.path.join(self.directory.name, "doublify.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write('extern "C" __global__ void doublify(float *a, int n) { /* äöü ∑ */ a[x] = 1; }\n')
        shown = COLOUR.sub("", grade(80, path, LC_ALL="C"))
        line, carets = re.search(r"\| (.*/\* .*)\n *\| (.*)\n", shown).groups()
        self.assertIn("??? ?", line)
        self.assertTrue(shown.isascii())
        self.assertEqual(line[carets.index("^")], "x")
        self.assertIn("äöü ∑", grade(80, path))

    def test_carets_stand_below_their_words_behind_wide_and_combining_letters(self):
        path = os.path.join(self.directory.name, "doublify.cu")
        for letters, columns in (("数组", 4), ("한글", 4), ("e\u0301o\u0308", 2), ("😀!", 3), ("ｶﾅ", 2)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(f'extern "C" __global__ void doublify(float *a, int n) {{ /* {letters} */ a[x] = 1; }}\n')
            shown = COLOUR.sub("", grade(100, path))
            line, carets = re.search(r"\| (.*/\* .*)\n *\| (.*)\n", shown).groups()
            before = line[:line.index("a[x]") + 2]
            self.assertEqual(carets.index("^"), len(before) - len(letters) + columns, letters)


if __name__ == "__main__":
    unittest.main()

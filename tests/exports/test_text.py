"""Student text made harmless, and what must come through."""

import unittest

from exports.support import command  # noqa: F401 (puts ci on the path)
from export import sheets, text


class Text(unittest.TestCase):
    def test_takes_escape_sequences_out_whole(self):
        for sequence in ("\x1b[31m", "\x1b[0m", "\x1b[2J", "\x1b[?25l", "\x9b1;31m", "\x1b]0;title\x07",
                         "\x1b]8;;http://x\x1b\\", "\x1bPq#0\x1b\\", "\x1bc", "\x1b(B", "\x1b[38;5;196m"):
            self.assertEqual(text.plain(f"a{sequence}b"), "ab", repr(sequence))
        self.assertEqual(text.plain("cut off \x1b["), "cut off ")

    def test_shows_that_something_was_there(self):
        for character in "\0\x07\x08\x7f\x85\u200b\u202e\u2066\ufeff\u2028\ufffe\ud800\U000e0001":
            self.assertEqual(text.plain(f"a{character}b"), "a\N{REPLACEMENT CHARACTER}b", ascii(character))

    def test_knows_the_line_ends(self):
        self.assertEqual(text.plain("a\r\nb\rc\nd"), "a\nb\nc\nd")
        self.assertEqual(text.plain("a\r\n\tb\rc", lines=False), "a b c")
        self.assertEqual(text.plain(None), "")

    def test_leaves_what_people_write(self):
        for words in ("Ångström, 2\N{SUPERSCRIPT TWO}", "語", "שלום", "tab\there", "می\u200cخواهم",
                      "\N{SNOWMAN}\N{VARIATION SELECTOR-16}"):
            self.assertEqual(text.plain(words), words)

    def test_cuts_between_characters(self):
        self.assertEqual(text.cut("abcdef", 4), "abc…")
        self.assertEqual(text.cut("abcd", 4), "abcd")
        self.assertEqual(text.cut("ääää", 6, "bytes"), "ä…")
        for limit in range(12):
            self.assertLessEqual(len(text.cut("äöü語x", limit, "bytes").encode()), limit)


class Cells(unittest.TestCase):
    def test_no_text_is_a_formula(self):
        for words in ("=1+1", "+1+1", "-1+1", "-cmd", "@SUM(A1)", "  =1", "\t=1", "\r\n=1", "\x1b[31m=1", "＝1", "|cmd"):
            self.assertEqual(sheets.text_cell(words)[0], "'", words)
        for words in ("ada", "a=1", "1-1", "", "   ", "-1", "+4.5", "007"):
            self.assertEqual(sheets.text_cell(words), text.plain(words, lines=False))

    def test_numbers_stay_numbers(self):
        self.assertEqual([sheets.number_cell(number) for number in (0, -5, 12, 33.33, -0.5, None)],
                         ["0", "-5", "12", "33.33", "-0.5", ""])

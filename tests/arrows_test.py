"""The include arrows hold in this tree, and arrows.py sees where they do not."""

import glob
import os
import re
import subprocess
import sys
import tempfile
import unittest

import arrows


class Arrows(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def mistakes(self, files):
        for path, text in files.items():
            full = os.path.join(self.directory.name, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        return arrows.check(self.directory.name)

    def test_this_tree_holds_the_arrows(self):
        self.assertGreater(len(list(arrows.sources("."))), 10)
        mistakes = arrows.check(".")
        if mistakes:
            self.fail(" / ".join(mistakes))

    def test_the_table_has_no_cycle(self):
        done = set()

        def visit(folder, above):
            self.assertNotIn(folder, above, "a cycle")
            if folder in done or folder not in arrows.ALLOWED:
                return
            for other in arrows.ALLOWED[folder]:
                visit(other, above | {folder})
            done.add(folder)

        for folder in arrows.ALLOWED:
            visit(folder, set())

    def test_the_build_lists_what_lies_in_the_folders(self):
        checked = subprocess.run([sys.executable, "ci/sources.py", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(checked.returncode, 0, checked.stdout)

    def test_accepts_the_allowed_direction(self):
        self.assertEqual(self.mistakes({
            "runtime/language/ptx/lexer.h": "",
            "runtime/base/arena.h": "",
            "runtime/language/ptx/lexer.c":
                '#include "runtime/language/ptx/lexer.h"\n#include "runtime/base/arena.h"\n#include <stdio.h>\n',
        }), [])

    def test_rejects_the_other_direction_and_names_the_line(self):
        found = self.mistakes({
            "runtime/base/arena.c": '\n#  include "runtime/language/ptx/lexer.h"\n',
            "runtime/language/ptx/lexer.h": "",
        })
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("runtime/base/arena.c:2: "), found[0])

    def test_rejects_the_emulator_inside_the_runtime_but_for_its_public_header(self):
        found = self.mistakes({
            "runtime/library/launch.c":
                '#include "runtime/emulator/lockstep_driver.h"\n#include "runtime/emulator/machine/launch.h"\n',
            "runtime/emulator/lockstep_driver.h": "",
            "runtime/emulator/machine/launch.h": "",
        })
        self.assertEqual(len(found), 1)
        self.assertIn("runtime/library/launch.c:2:", found[0])

    def test_rejects_a_cycle_of_files_in_one_folder(self):
        found = self.mistakes({
            "grader/lab/a.h": "",
            "grader/lab/a.c": '#include "grader/lab/a.h"\n#include "grader/lab/b.h"\n',
            "grader/lab/b.h": '\n#include "grader/lab/c.h"\n',
            "grader/lab/c.h": "",
            "grader/lab/c.c": '#include "grader/lab/c.h"\n\n#include "grader/lab/a.h"\n',
        })
        self.assertEqual(found, ["grader/lab/c.c:3: a cycle of files: "
                                 "grader/lab/a -> grader/lab/b -> grader/lab/c -> grader/lab/a"])

    def test_accepts_two_ways_to_one_file(self):
        self.assertEqual(self.mistakes({
            "grader/lab/a.h": '#include "grader/lab/b.h"\n#include "grader/lab/c.h"\n',
            "grader/lab/b.h": '#include "grader/lab/c.h"\n',
            "grader/lab/c.h": "",
            "grader/lab/c.c": '#include "grader/lab/c.h"\n#include "grader/lab/rows.def"\n',
            "grader/lab/rows.def": "",
        }), [])

    def test_rejects_relative_paths(self):
        found = self.mistakes({"grader/a.c": '#include "b.h"\n', "grader/b.h": ""})
        self.assertEqual(len(found), 1)
        self.assertIn("start at the root", found[0])

    def test_rejects_a_source_whose_own_header_is_not_first(self):
        found = self.mistakes({"grader/a.c": '#include "grader/b.h"\n#include "grader/a.h"\n', "grader/a.h": "",
                               "grader/b.h": ""})
        self.assertEqual(len(found), 1)
        self.assertIn("own header", found[0])

    def test_rejects_files_outside_the_table(self):
        found = self.mistakes({"grader/a.c": '#include "elsewhere/b.h"\n', "elsewhere/b.h": ""})
        self.assertEqual(len(found), 1)
        self.assertIn("belongs to no folder", found[0])


class Rows(unittest.TestCase):
    def test_nothing_depends_on_the_order_of_rows(self):
        """Operations, instructions and special registers are compared for equality only."""
        row = r"(?:HANDLER|FORM|SPECIAL)_(?!COUNT\b)\w+"
        order = re.compile(rf"{row}\s*(?:<=?|>=?)(?![<>])|(?<![<>-])(?:<=?|>=?)\s*(?:\(\w+\)\s*)?{row}\b")
        for path in glob.glob("runtime/**/*.[chi]*", recursive=True):
            with open(path, encoding="utf-8") as lines:
                for number, line in enumerate(lines, 1):
                    self.assertIsNone(order.search(line), f"{path}:{number}")


if __name__ == "__main__":
    unittest.main()

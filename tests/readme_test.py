"""What the pages promise is what is there: links lead somewhere, and CI runs README's two commands."""

import glob
import os
import re
import sys
import tempfile
import unittest

import first_steps
import readme_pictures

sys.path.insert(0, "ci")
import lint  # noqa: E402
import order  # noqa: E402

from classes import corpus

COMMANDS = ["ci/setup && build/lockstep grade solutions", "ci/setup && ninja test"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


class Pages(unittest.TestCase):
    def test_the_readme_gives_the_two_commands(self):
        blocks = re.findall(r"```sh\n(.*?)```", read("README.md"), re.S)
        lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
        for command in COMMANDS:
            self.assertIn(command, lines)

    def test_ci_and_the_workflow_run_the_same_two_commands(self):
        script, workflow = read(".ci/run"), read(".github/workflows/lockstep.yml")
        for command in COMMANDS:
            self.assertIn(f"'{command}'\n", script)
            self.assertIn(f"run: {command}\n", workflow)

    @corpus
    def test_the_terminal_pictures_are_what_the_program_prints(self):
        pictures = readme_pictures.pictures(read("README.md"))
        self.assertGreaterEqual(len(pictures), 2)
        for command, shown in pictures:
            with self.subTest(command=command):
                printed = readme_pictures.output_of(command, os.environ.get("LOCKSTEP_BUILD", "build"))
                self.assertEqual(readme_pictures.without_times(shown), readme_pictures.without_times(printed),
                                 "update the page with: python3 tests/readme_pictures.py --write")

    def test_the_first_five_minutes_are_what_happens(self):
        shown = readme_pictures.SESSION.search(read("README.md")).group(1)
        self.assertEqual(readme_pictures.without_times(shown), readme_pictures.without_times(first_steps.play(shown)),
                         "update the page with: python3 tests/readme_pictures.py --write")

    def test_every_relative_link_leads_to_a_file(self):
        for page in ["README.md"] + glob.glob("handouts/*.md") + glob.glob("*/README.md") + glob.glob("*/*/README.md"):
            text = re.sub(r"^(`{3,}).*?^\1$", "", read(page), flags=re.S | re.M)   # a link in code is none
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text):
                if "://" in target or target.startswith("mailto:"):
                    continue
                with self.subTest(page=page, target=target):
                    self.assertTrue(os.path.exists(os.path.join(os.path.dirname(page), target)), f"{page}: {target}")

    def test_the_folders_in_the_readme_exist(self):
        for folder in re.findall(r"^\| `([\w/]+/)` \|", read("README.md"), re.M):
            self.assertTrue(os.path.isdir(folder), folder)

    def test_every_target_in_the_readme_is_in_the_build(self):
        build = read("build.ninja")
        for target in re.findall(r"^\| `ninja ([\w-]+)` \|", read("README.md"), re.M):
            self.assertIn(f"\nbuild {target}: ", build)


class ArgumentOrder(unittest.TestCase):
    """ci/order.py, as `ninja lint` applies it."""

    def found(self, text):
        return list(order.Text("void f(void)\n{\n" + text + "\n}\n").mistakes())

    def test_a_value_that_another_argument_sets_is_found(self):
        self.assertEqual(self.found("clear(warp, destination(operation, 0, &d), d, mask);"), [(3, "d")])
        self.assertEqual(self.found("a(b(c(&s->x)), g(s->x.y));"), [(3, "s.x")])
        self.assertEqual(self.found("a(\nx, /* , */ b(1, &x));"), [(4, "x")])

    def test_what_has_an_order_is_left_alone(self):
        for text in ("clear(&d, d);", "if (destination(&d) && d) clear(d);", 'a(b(&x), &x, sizeof x, y.x, "x");',
                     "a(b(&s->x), s->y, s);", "x = b(&x);", "a(1, b(&x)); c(x);"):
            self.assertEqual(self.found(text), [], text)


class Phrases(unittest.TestCase):
    """ci/phrases.txt, as `ninja lint` applies it."""

    def found(self, name, text):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            return [line.removeprefix(path) for line in lint.check_phrases([path])]

    def test_a_phrase_is_found_with_its_line_and_what_to_write(self):
        self.assertEqual(self.found("a.md", "One.\nIt stands in\nthe row.\n"),
                         [':2: "stands in": write: is in, on, between; follows; precedes'])
        self.assertEqual(self.found("a.txt", "/* This is\n * no terminal. */\n")[0][:3], ":1:")
        self.assertEqual(self.found("a.md", "There is no terminal. It is not a terminal.\n"), [])

    def test_what_a_page_quotes_is_checked_where_it_comes_from(self):
        self.assertEqual(self.found("a.md", "```\nit stands in\n```\n<!-- run: ls -->\nit stands in\n<!-- end -->\n"
                                            "#### volatile is no order <!-- race_volatile -->\n"), [])

    def test_every_phrase_says_what_to_write_instead(self):
        phrases = lint.read_phrases()
        self.assertGreater(len(phrases), 30)
        self.assertTrue(all(instead for _, instead in phrases))


if __name__ == "__main__":
    unittest.main()

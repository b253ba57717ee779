"""Annotations, read as GitHub's runner reads them, and the job summary, with the tags that GitHub would make of it."""

import html
import html.parser
import os
import re

from exports import results
from exports.support import Case

KINDS = ("error", "warning", "notice")


def parse_command(line):
    """A workflow command as the runner understands it: (name, {property: value}, message); None: an ordinary line."""
    line = line.lstrip()
    if not line.startswith("::") or "::" not in line[2:]:
        return None
    head, message = line[2:].split("::", 1)
    name, _, properties = head.partition(" ")

    def unescape(text, of_property):
        if of_property:
            text = text.replace("%3A", ":").replace("%2C", ",")
        return text.replace("%0D", "\r").replace("%0A", "\n").replace("%25", "%")

    pairs = [pair.split("=", 1) for pair in properties.split(",") if "=" in pair]
    return name.lower(), {key: unescape(value, True) for key, value in pairs}, unescape(message, False)


class Tags(html.parser.HTMLParser):
    """Every tag in a text."""

    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, attrs))


class GitHub(Case):
    def annotations(self, result, *options):
        text = self.export("github", result, *options, environment={"GITHUB_STEP_SUMMARY": "", "GITHUB_WORKSPACE": ""})
        lines = text.split("\n")
        self.assertEqual(lines.pop(), "")
        commands = [parse_command(line) for line in lines]
        self.assertNotIn(None, commands)
        for name, properties, _ in commands:
            self.assertIn(name, KINDS)
            self.assertLessEqual(set(properties), {"file", "line", "title"})
        for kind in KINDS:
            self.assertLessEqual(len([name for name, _, _ in commands if name == kind]), 10)
        return commands

    def summary(self, result):
        path = os.path.join(self.folder, "summary.md")
        self.export("github", result, "--summary", path, "--no-annotations")
        with open(path, encoding="utf-8", newline="") as file:
            return file.read()

    def test_points_at_the_lines(self):
        found = {(properties.get("file"), properties.get("line")): (name, properties["title"], message)
                 for name, properties, message in self.annotations(results.full())}
        self.assertEqual(found["labs/scan.cu", "14"][:2], ("error", "scan: race in shared memory"))
        self.assertIn("the other access: labs/scan.cu:18", found["labs/scan.cu", "14"][2])
        self.assertIn("Which threads", found["labs/scan.cu", "14"][2])
        self.assertEqual(found["labs/histogram.cu", "3"][:2], ("error", "histogram: does not compile"))
        self.assertEqual(found["labs/vector_add.cu", "5"][:2], ("warning", "vector_add: global sectors"))

    def test_says_the_same_of_a_line_only_once(self):
        tests = [results.test(state="fail", score=0, findings=[results.finding(array=array) for array in "abc"])
                 for _ in range(30)]
        found = self.annotations(results.result([results.lab("vector_add", tests, [], state="fail", message="x")]))
        self.assertEqual(len(found), 1)
        self.assertEqual(found[0][2].count("also here: "), 2)

    def test_sends_the_first_causes_when_not_all_fit(self):
        labs = []
        for number in range(1, 7):
            tests = [results.test(state="fail", score=0, findings=[results.finding(line=line, file=f"labs/{number}.cu")])
                     for line in range(1, 21)]
            labs.append(results.lab(f"0{number}_lab", tests, [], state="fail", message="x"))
        found = self.annotations(results.result(labs))
        self.assertEqual(len(found), 10)
        self.assertEqual([properties["file"] for _, properties, _ in found[:6]],
                         [f"labs/{number}.cu" for number in range(1, 7)])
        self.assertIn("and 111 more places", found[-1][2])

    def test_makes_paths_relative_to_the_repository(self):
        result = results.full()
        os.makedirs(os.path.join(self.folder, "labs"))
        result["labs"][1]["tests"][0]["findings"][0]["file"] = os.path.join(self.folder, "labs/scan.cu")
        self.assertIn("labs/scan.cu", [properties.get("file") for _, properties, _ in
                                       self.annotations(result, "--root", self.folder)])

    def test_keeps_what_would_end_a_property(self):
        result = results.full()
        result["labs"][1]["tests"][0]["findings"][0]["file"] = "labs/a,line=1::b%2C.cu"
        self.assertIn("labs/a,line=1::b%2C.cu", [properties.get("file") for _, properties, _ in self.annotations(result)])

    def test_says_when_nothing_else_is_known(self):
        lab = results.lab("scan", [results.test(state="error", score=0)], [], state="error", message="the file is empty")
        found = self.annotations(results.result([lab]))
        self.assertEqual(found, [("error", {"file": "labs/vector_add.cu", "title": "scan: error"}, "the file is empty")])
        found = self.annotations(results.harness_error())
        self.assertIn("not a zero", found[0][2])
        self.assertEqual(self.annotations(results.perfect()), [])

    def test_keeps_hidden_tests_closed(self):
        result = results.full()
        result["labs"][1]["tests"][0] = results.test()
        result["labs"][1]["message"] = "secret 4711"
        told = self.export("github", result) + self.summary(result)
        self.assertNotIn("4711", told)
        self.assertIn("A hidden test fails here", told)
        self.assertIn("::error file=labs/vector_add.cu,line=20,title=scan%3A out of bounds::A hidden test", told)

    def test_summary_has_the_verdicts(self):
        text = self.summary(results.full())
        self.assertIn("| scan | **FAIL** | 0/30 |", text)
        self.assertIn("--seed 7", text)
        self.assertIn("not a zero", self.summary(results.harness_error()))

    def test_summary_is_appended_and_keeps_to_the_limit(self):
        path = self.write("summary.md", "what stood here\n")
        self.export("github", results.full(), "--no-annotations", environment={"GITHUB_STEP_SUMMARY": path})
        with open(path, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("what stood here\n## Lockstep"))
        tests = [results.test(name=f"n = {number}", state="fail", score=0, message="x") for number in range(20)]
        labs = [results.lab(f"{number:02}_lab", tests, [], state="fail", message="x" * 5000, printf="ö" * 8000)
                for number in range(99)]
        text = self.summary(results.result(labs))
        self.assertLess(len(text.encode()), 1024 * 1024)
        self.assertIn("left out", text)

    def test_commands_carry_no_student_command(self):
        commands = self.annotations(results.hostile())
        self.assertTrue(commands)
        for _, properties, message in commands:
            self.assert_harmless(message + "".join(properties.values()))
            self.assertIn("::set-output name=a::b\n::add-mask::pass %0A%0D", message)   # to be read, inside the message

    def test_summary_carries_no_markup_of_a_student(self):
        text = self.summary(results.hostile())
        self.assert_harmless(text)
        self.assertLessEqual({tag for tag, _ in Tags(text).found}, {"details", "summary", "pre", "span"})
        self.assertTrue(all(not attributes for _, attributes in Tags(text).found))
        self.assertIn("@everyone", html.unescape(re.sub("</?span>", "", text)))
        outside = re.sub(r"<pre>.*?</pre>", "", text, flags=re.DOTALL)
        self.assertNotIn("@everyone", html.unescape(outside))   # GitHub looks for mentions after it made HTML of it
        self.assertNotIn("#1 ", html.unescape(outside))
        for meaningful in ("https://evil", "](", "<script", "<!--", "```", "| a |", "\n# heading"):
            self.assertNotIn(meaningful, outside)
        rows = [line for line in outside.split("\n") if line.startswith("|")]
        self.assertTrue(rows)
        self.assertLessEqual({line.count("|") for line in rows}, {5})

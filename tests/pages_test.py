"""The pages of `lockstep export html`: well formed, harmless whatever a result holds, readable in a real browser.

Made from real gradings of wrong submissions (one grading for all tests here), from a result with every nasty text in every
place, and from the classes of tests/fixtures/class. In Chromium, where there is one: no complaint, no request, nothing that
sticks out on a phone.
"""

import copy
import html
import html.parser
import json
import os
import re
import subprocess
import tempfile
import unittest
import urllib.parse

from classes import host
import browser

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
WRONG = [("scan", "no_barrier_in_loop.cu"), ("scan", "items_differ.cu"), ("matmul_tiled", "bank_conflicts.cu"),
         ("doublify", "missing_semicolon.cu"), ("doublify", "no_guard.cu")]

# Each must reach the page as text that can be seen, and as nothing else.
NASTY = ("<script>alert(1)</script><img src=x onerror=alert(1)>", "\"'><b>&amp;</b>", "\u202eevil\u2066\u200b\ufeff",
         "\x1b[31mred\x07\x00", "]]><!-- --></style></title></textarea>", "a\u0300\u0301\u0302\u0303\u0304\u0305\u0306",
         "javascript:alert(1)", "\ud800 \U000e0041 \uffff", "x" * 3000, "=1+2\n::error::a\r\n\tb")
VOID = {"meta", "br", "hr", "col", "wbr", "img", "input", "link"}
LOADS = {"img", "link", "iframe", "object", "embed", "video", "audio", "source", "base", "form", "use", "image", "input"}


# Runs in a page: text whose colour is too near to what lies behind it (WCAG AA: 4.5 to 1).
LOW_CONTRAST = """
(function () {
    function numbers(colour) { return colour.match(/[\\d.]+/g).map(Number); }
    function light(colour) {
        var parts = numbers(colour).slice(0, 3).map(function (part) {
            part /= 255;
            return part <= 0.03928 ? part / 12.92 : Math.pow((part + 0.055) / 1.055, 2.4);
        });
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
    }
    function behind(element) {
        for (; element; element = element.parentElement) {
            var colour = getComputedStyle(element).backgroundColor, parts = numbers(colour);
            if (parts.length < 4 || parts[3] > 0) { return colour; }
        }
        return "rgb(255, 255, 255)";
    }
    var found = {};
    document.querySelectorAll("body *:not(svg *):not(script)").forEach(function (element) {
        var own = Array.prototype.some.call(element.childNodes, function (node) {
            return node.nodeType === 3 && node.data.trim() !== "";
        });
        if (!own) { return; }
        var front = light(getComputedStyle(element).color), back = light(behind(element));
        var ratio = (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
        if (ratio < 4.5) { found[element.tagName + "." + element.className] = Math.round(ratio * 100) / 100; }
    });
    return Object.entries(found);
})()
"""


class Reader(html.parser.HTMLParser):
    """Holds a page to what every page must be; gathers its text, ids and links."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.stack, self.mistakes, self.words, self.ids, self.links, self.tags = [], [], [], [], [], []
        self.rows = []
        self.feed(text)
        self.close()
        if self.stack:
            self.mistakes.append(f"not closed: {self.stack}")
        if len(set(self.ids)) != len(self.ids):
            self.mistakes.append("an id stands twice")
        for link in self.links:
            if link.startswith("#") and link[1:] not in self.ids:
                self.mistakes.append(f"{link} leads nowhere")
        levels = [int(tag[1]) for tag in self.tags if re.fullmatch("h[1-6]", tag)]
        if levels[:1] != [1] or levels.count(1) != 1:
            self.mistakes.append("there must be one h1, before all others")
        self.mistakes += [f"h{b} after h{a}" for a, b in zip(levels, levels[1:]) if b > a + 1]

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        values = dict(attributes)
        self.tags.append(tag)
        if len(set(names)) != len(names):
            self.mistakes.append(f"{tag} has an attribute twice")
        if tag in LOADS:
            self.mistakes.append(f"{tag} loads something")
        for name in names:
            if name.startswith("on") or name in ("style", "src", "srcset", "action", "formaction", "xlink:href"):
                self.mistakes.append(f"{tag} has {name}")
        if "id" in values:
            self.ids.append(values["id"])
        if "href" in values:
            self.links.append(values["href"])
        if tag == "svg" and not (values.get("role") == "img" and values.get("aria-label")):
            self.mistakes.append("a picture without words")
        if tag == "th" and "scope" not in values:
            self.mistakes.append("th without scope")
        if tag == "html" and values.get("lang") != "en":
            self.mistakes.append("no language")
        if tag not in VOID:
            self.stack.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.stack.pop()

    def handle_endtag(self, tag):
        if not self.stack or self.stack.pop() != tag:
            self.mistakes.append(f"</{tag}> closes something else")

    def handle_data(self, data):
        if self.stack and self.stack[-1] not in ("style", "script"):
            self.words.append(data)

    def text(self):
        return " ".join(" ".join(self.words).split())


def run(*arguments, given=None):
    return subprocess.run([f"{BUILD}/lockstep", "export", "html", *arguments], input=given, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def hostile(value, at=0):
    """The same shape with every text nasty, but those that the schema fixes."""
    if isinstance(value, dict):
        return {
            key: part if key in ("schema", "state", "code", "severity", "visibility", "track",
                                 "kind") else hostile(part, at + i)
            for i, (key, part) in enumerate(value.items())
        }
    if isinstance(value, list):
        return [hostile(part, at + i) for i, part in enumerate(value)]
    return NASTY[at % len(NASTY)] if isinstance(value, str) else value


class Pages(unittest.TestCase):
    chromium = None

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        cls.result = cls.path("result.json")
        # Five gradings in one: each case names its lab.
        results = []
        for lab in dict.fromkeys(lab for lab, _ in WRONG):
            files = [f"labs/{lab}/wrong/{name}" for wanted, name in WRONG if wanted == lab]
            subprocess.run([
                f"{BUILD}/lockstep", "grade", "--device", "emulated", "--seed", "1", "--lab", lab, "--json", cls.result,
                *files
            ],
                           stdout=subprocess.DEVNULL,
                           check=False)
            results.append(load(cls.result))
        cls.whole = results[0]
        for other in results[1:]:
            for key in ("score", "max_score"):
                cls.whole[key] += other[key]
            cls.whole["labs"] += other["labs"]
            cls.whole["submission"]["files"] += other["submission"]["files"]
        cls.write("result.json", cls.whole)

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()
        if cls.chromium:
            cls.chromium.__exit__()

    @classmethod
    def open(cls, *arguments, **options):
        """A page in the one browser of these tests, which the first of them starts."""
        cls.chromium = cls.chromium or browser.Browser().__enter__()
        return cls.chromium.open(*arguments, **options)

    @classmethod
    def path(cls, name):
        return os.path.join(cls.directory.name, name)

    @classmethod
    def write(cls, name, document):
        with open(cls.path(name), "w", encoding="utf-8") as file:
            json.dump(document, file)
        return cls.path(name)

    def page(self, path, *options):
        """The page of a result file, as text and read."""
        done = run(path, *options)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        text = done.stdout.decode("utf-8")
        reader = Reader(text)
        self.assertEqual(reader.mistakes, [])
        return text, reader

    def test_a_page_says_what_the_terminal_says(self):
        _, reader = self.page(self.result)
        text = reader.text()
        for lab in self.whole["labs"]:
            finding = lab["tests"][lab["first_test"]]["findings"][0] if lab["first_test"] is not None else None
            if finding:
                self.assertIn(" ".join(finding["message"].split()), text)
                self.assertIn(finding["handout"] or lab["lab"], text)
                if finding["hint"] and "question" not in finding["tells"]:
                    self.assertIn(finding["hint"], text)
        self.assertIn("lanes that need bank", text)
        self.assertIn("--seed 1", text)
        self.assertIn("race in shared memory", text)

    def test_marks_stand_at_the_expressions(self):
        text, _ = self.page(self.result)
        self.assertRegex(text, r"<mark>s\[t\]</mark> \+= <mark>s\[t - d\]</mark>")

    def test_nothing_of_a_submission_becomes_markup(self):
        text, reader = self.page(self.write("hostile.json", hostile(self.whole)))
        self.assertNotIn("<script", text)
        self.assertNotIn("onerror=alert(1)>", text)
        self.assertNotRegex(
            text, "[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]")
        self.assertIn("U+202E", reader.text())
        self.assertFalse([link for link in reader.links if link.lower().startswith("javascript")])
        nothing = run(self.path("hostile.json"), "--handouts", "javascript:alert(1)")
        self.assertEqual(nothing.returncode, 2)

    def test_nothing_is_loaded_and_nothing_runs(self):
        text = html.unescape(self.page(self.result)[0])
        self.assertIn("default-src 'none'", text)
        self.assertIn("script-src 'none'", text)
        self.assertNotIn("unsafe", text)
        self.assertNotRegex(text, r"(?i)https?://|url\(|@import")

    def test_hidden_tests_tell_what_and_where_and_no_number(self):
        result = copy.deepcopy(self.whole)
        secret = "4711"
        for lab in result["labs"]:
            lab["message"] = secret
            for test in lab["tests"]:
                test.update(visibility="hidden", message=secret, expected=secret, actual=secret,
                            schedules={"tried": 1, "wrong_with": secret, "place": secret, "expected": secret,
                                       "actual": secret})
                frame = {"function": secret, "file": secret, "line": 4711}
                for finding in test["findings"]:
                    finding.update(message=secret, arithmetic=secret, remark=secret, thread=[4711, 0, 0], block=[4711, 0, 0],
                                   count=4711, index=4711, inside=frame, called_from=[frame])
        text, reader = self.page(self.write("hidden.json", result))
        self.assertNotIn(secret, text)
        self.assertIn(result["labs"][0]["tests"][0]["name"], reader.text())
        self.assertIn("race in shared memory", reader.text())
        self.assertRegex(text, r"<mark>s\[t\]</mark>")
        self.assertIn("A hidden test fails here", text)

    @host
    @unittest.skipUnless(browser.find(), browser.ABSENT)
    def test_a_browser_has_nothing_to_complain_of(self):
        paths = {"plain": self.result, "hostile": self.write("hostile.json", hostile(self.whole))}
        for name, path in paths.items():
            self.assertEqual(run(path, "--out", self.path(f"{name}.html")).returncode, 0)
            for options in ({"width": 360}, {"width": 1000, "dark": True}):
                with self.subTest(page=name, **options):
                    page = self.open(self.path(f"{name}.html"), **options)
                    page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
                    self.assertEqual(page.complaints, [])
                    self.assertEqual([one for one in page.requests if not one.endswith(f"/{name}.html")], [])
                    self.assertEqual(page.wider_than_window(), [])
                    self.assertEqual(page.evaluate(LOW_CONTRAST), [])
                    page.close()

    @host
    @unittest.skipUnless(browser.find(), browser.ABSENT)
    def test_the_browser_would_notice(self):
        with open(self.path("bad.html"), "w", encoding="utf-8") as file:
            file.write('<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width">'
                       '<body><img src="other.png"><p style="width: 900px; color: #999">pale</p>'
                       "<script>missing()</script></body></html>")
        page = self.open(self.path("bad.html"), width=360)
        self.assertTrue(any("missing" in one for one in page.complaints), page.complaints)
        self.assertTrue(any(one.endswith("other.png") for one in page.requests))
        self.assertTrue(page.wider_than_window())
        self.assertEqual([name for name, _ in page.evaluate(LOW_CONTRAST)], ["P."])

    def test_handouts_are_linked_where_the_site_has_them(self):
        links = [link for link in self.page(self.result, "--handouts", "https://example.org/h/")[1].links
                 if link.startswith("https://")]
        self.assertIn("https://example.org/h/scan.html#in-a-block", links)
        self.assertTrue(any("/h/glossary.html#" in link for link in links), links)
        for link in links:
            page, _, anchor = link[len("https://example.org/h/"):].partition("#")
            with open(f"handouts/{page[:-len('.html')]}.md", encoding="utf-8") as file:
                headings = re.findall(r"^#+ (.*?)(?: <!--.*)?$", file.read(), re.M)
            if anchor:
                self.assertIn(anchor, [re.sub(r"[^\w\- ]", "", one.lower()).replace(" ", "-") for one in headings])

    def test_the_same_result_gives_the_same_page(self):
        self.assertEqual(self.page(self.result)[0], self.page(self.result)[0])

    def test_an_older_result_has_a_page_too(self):
        old = copy.deepcopy(self.whole)
        for lab in old["labs"]:
            for key in ("source", "first_test"):
                lab.pop(key)
            for part in lab["performance"]:
                for key in ("why", "picture", "line", "message"):
                    part.pop(key)
            for test in lab["tests"]:
                for key in ("gpu", "schedules"):
                    test.pop(key)
                for finding in test["findings"]:
                    for key in ("schedule", "function", "inside", "called_from", "ptx_line", "ptx_line2", "marks",
                                "arithmetic", "remark", "handout", "title", "stage", "tells", "thread2", "block2"):
                        finding.pop(key)
        self.assertIn("race shared", self.page(self.write("old.json", old))[1].text())

    # ---- a class ----

    def write_class(self, name):
        """tests/fixtures/class/NAME.json as a folder of a batch, each student with a result of ours. Returns the document
        and the path of class.json."""
        document = load(f"tests/fixtures/class/{name}.json")
        folder = self.path(f"class-{name}")
        os.makedirs(os.path.join(folder, "students"), exist_ok=True)
        for i, student in enumerate(document["students"]):
            if student["file"]:
                labs = [self.whole["labs"][(i + k) % len(self.whole["labs"])] for k in (0, 2)]
                files = self.whole["submission"]["files"][:2]
                self.write(os.path.join(folder, student["file"]),
                           {**self.whole, "labs": labs, "submission": {"id": student["id"], "files": files}})
        return document, self.write(os.path.join(folder, "class.json"), document)

    def read_pages(self, folder):
        """All pages below a folder, read: {path from the folder: Reader}."""
        found = {}
        for place, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(place, name)
                with open(path, encoding="utf-8") as file:
                    reader = Reader(file.read())
                self.assertEqual(reader.mistakes, [], path)
                found[os.path.relpath(path, folder)] = reader
        return found

    def test_a_class_has_a_page_for_everyone_and_an_overview(self):
        for name in ("small", "messy"):
            document, path = self.write_class(name)
            out = self.path(f"pages-{name}")
            done = run(path, "--out", out)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, b"", b""))
            pages = self.read_pages(out)
            wanted = {student["file"][:-len("json")] + "html" for student in document["students"] if student["file"]}
            self.assertEqual(set(pages), wanted | {"index.html"})
            for place, reader in pages.items():
                for link in reader.links:
                    target, _, anchor = link.partition("#")
                    self.assertFalse(target and place != "index.html", "students get their page alone")
                    if target:
                        target = os.path.normpath(os.path.join(os.path.dirname(place), urllib.parse.unquote(target)))
                        self.assertIn(target, pages, f"{place}: {link}")
                    if anchor and target == "index.html":
                        self.assertIn(anchor, pages[target].ids)
            text = pages["index.html"].text()
            for student in document["students"]:
                self.assertIn(student["id"], text)
                for problem in student["problems"]:
                    self.assertIn(problem["message"], text)

    def test_an_overview_counts_right(self):
        document, path = self.write_class("messy")
        out = self.path("pages-counted")
        self.assertEqual(run(path, "--out", out).returncode, 0)
        text = self.read_pages(out)["index.html"].text()
        first = [student["labs"][0] for student in document["students"]]
        handed_in = [lab for lab in first if lab["state"] not in ("missing", "problem", "harness_error")]
        compile_errors = sum((lab["first_cause"] or {}).get("code") == "compile" for lab in handed_in)
        self.assertIn(f"does not compile {compile_errors} of {len(handed_in)}", text)
        self.assertIn("a hint, never a verdict", text)
        for student in document["students"]:
            if student["state"] == "missing":
                self.assertRegex(text, rf"Missing .*{student['id']}.* Everybody")
        mean = sum(lab["final_score"] for lab in handed_in) / len(handed_in)
        self.assertIn(f"{len(handed_in)} students; mean {mean:.0f} %", text)

    def test_a_result_that_cannot_be_read_stops_no_other_page(self):
        document, path = self.write_class("small")
        files = [student["file"] for student in document["students"] if student["file"]]
        with open(os.path.join(os.path.dirname(path), files[0]), "w", encoding="utf-8") as file:
            file.write("{")
        out = self.path("pages-broken")
        done = run(path, "--out", out)
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"1 result could not be read", done.stderr)
        pages = self.read_pages(out)
        self.assertEqual(len(pages), len(files))
        self.assertIn("is not JSON", pages["index.html"].text())

    def test_a_result_of_another_shape_is_told_and_stops_no_other_page(self):
        document, path = self.write_class("small")
        files = [student["file"] for student in document["students"] if student["file"]]
        broken = copy.deepcopy(self.whole)
        broken["labs"][0]["tests"] = "none"
        self.write(os.path.join(os.path.dirname(path), files[0]), broken)
        out = self.path("pages-odd")
        done = run(path, "--out", out)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(b"result.labs[0].tests: 'none' is not of type 'array'", done.stderr)
        self.assertEqual(len(self.read_pages(out)), len(files))

    def test_templates_filter_what_they_put_into_attributes(self):
        safe = re.compile(r"\|\s*(attr|place)\s*$")
        for folder, _, names in os.walk("grader/pages/templates"):
            for name in names:
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                for value, shown in re.findall(r'([-\w]+="[^"]*?)\{\{(.*?)\}\}', text):
                    # Numbers and words of our own need no filter: what comes from a result does.
                    if re.search(r"\b(words|title|name|address|meaning|late|anchor|policy|file|text)\b", shown) and \
                            not shown.strip() in ("anchor", "label.anchor", "tick.anchor", "one.anchor"):
                        self.assertRegex(shown.strip(), safe, f"{name}: {value}")
                self.assertNotIn("|safe", text, name)

    def test_a_class_needs_a_folder(self):
        _, path = self.write_class("small")
        self.assertEqual(run(path).returncode, 2)
        self.assertEqual(run(path, "--out", path).returncode, 2)
        self.assertEqual(run(path, "--out", "/proc/nowhere").returncode, 3)

    @host
    @unittest.skipUnless(browser.find(), browser.ABSENT)
    def test_the_table_of_a_class_sorts_and_filters_by_keyboard(self):
        _, path = self.write_class("messy")
        out = self.path("pages-sorted")
        self.assertEqual(run(path, "--out", out).returncode, 0)
        percents = "Array.from(document.querySelectorAll('.class-table tbody tr:not([hidden]) td:nth-child(2)'), " \
            "one => Number(one.dataset.sort))"
        still = self.open(f"{out}/index.html", width=360, script=False)
        self.assertEqual((still.complaints, still.wider_than_window()), ([], []))
        page = self.open(f"{out}/index.html", width=360)
        self.assertEqual((page.complaints, page.wider_than_window(), page.evaluate(LOW_CONTRAST)), ([], [], []))
        page.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.textContent"), "Skip to the results")
        page.evaluate("document.querySelectorAll('.class-table th button')[1].focus()")
        before = page.evaluate(percents)
        page.press("Enter")
        self.assertEqual(page.evaluate(percents), sorted(before))
        page.press("Enter")
        self.assertEqual(page.evaluate(percents), sorted(before, reverse=True))
        self.assertEqual(page.evaluate("document.querySelectorAll('th[aria-sort=descending]').length"), 1)
        page.evaluate("document.querySelector('.filter input').focus()")
        page.send("Input.insertText", text="LISKOV")
        page.evaluate("new Promise(done => setTimeout(done, 300))")
        self.assertEqual(page.evaluate(percents), [-1])
        told = page.evaluate("document.querySelector('[role=status]').textContent")
        self.assertEqual(told, f"1 of {len(before)} shown")
        self.assertEqual(page.complaints, [])

    # ---- odd results ----

    def test_a_grading_of_nothing_has_a_page_too(self):
        empty = {**self.whole, "labs": [], "score": 0, "max_score": 0, "submission": {"id": None, "files": []}}
        self.assertIn("nothing was graded", self.page(self.write("empty.json", empty))[1].text())


if __name__ == "__main__":
    unittest.main()

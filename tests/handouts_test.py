"""The course is complete, and its pages say what is there: every lab has all its parts, what a page shows of other files and
of the grader is what they hold and say, and every link leads somewhere. The words quoted of the grader are compared where
the wrong versions are graded, in grade_suite.c.
"""

import glob
import html.parser
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import unicodedata
import unittest
import xml.dom.minidom

import browser
import dialect
import handout_pages
from handout_pages import read, tables
from readme_pictures import without_times
from classes import host, sample

sys.path.insert(0, "grader/pages")
from export import html_finding  # noqa: E402

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")
VENV = "build/venv/bin/python"
NO_VENV = "there is no build/venv: ci/setup --dev makes it"
REFRESH = "bring the page up to date with: python3 tests/handout_pages.py --write"
SECTIONS = ("Example", "What to write", "Start", "Points", "Predict, then measure", "Hints",
            "Mistakes, and what the grader will say", "When it passes", "How fast can it be?", "Questions",
            "Further reading")
MARKED = re.compile(r"(// --- your code ---\n).*?([ \t]*// --- end ---\n)", re.S)


def headings(text):
    """Lines that begin with # outside of code."""
    return re.findall(r"^#+ .*$", re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.S | re.M), re.M)


def anchor(heading):
    """GitHub's: the heading in small letters, without what is neither letter nor digit, with - for blanks."""
    words = re.sub(r"<!--.*?-->|<[^>]*>|[`*]", "", heading).lstrip("#").strip().lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def expected_cause(path):
    """What the first line of a wrong version expects: the ladders of which at least one must be there."""
    wrong = dialect.read_wrong(path)
    ladders = [f"{code} {second}" for code in wrong.codes for second in wrong.seconds]
    return ladders if wrong.codes == ["budget"] else ladders + wrong.codes


class Course(unittest.TestCase):
    def test_every_lab_is_complete(self):
        for lab in handout_pages.lab_names():
            with self.subTest(lab=lab):
                for path in (f"labs/{lab}/{lab}.cu", f"labs/{lab}/lab.yaml", f"labs/{lab}/hints.md",
                             f"solutions/{lab}/{lab}.cu", f"handouts/{lab}.md", f"handouts/pictures/{lab}.svg"):
                    self.assertTrue(os.path.isfile(path), path)
                self.assertGreaterEqual(len(glob.glob(f"labs/{lab}/wrong/*.cu")), 6)
                self.assertIn(f"({lab}.md)", read("handouts/README.md"))

    def test_solving_only_adds_lines_between_the_marks(self):
        for lab in handout_pages.lab_names():
            skeleton, solution = read(f"labs/{lab}/{lab}.cu"), read(f"solutions/{lab}/{lab}.cu")
            with self.subTest(lab=lab):
                self.assertGreater(len(MARKED.findall(skeleton)), 0)
                self.assertEqual(MARKED.sub(r"\1\2", solution), skeleton)

    def test_there_are_three_hints_for_each_cause_of_a_wrong_version(self):
        for lab in handout_pages.lab_names():
            ladders = handout_pages.ladders(lab)
            for heading, steps in ladders.items():
                with self.subTest(lab=lab, heading=heading):
                    self.assertEqual(len(steps), 3)
                    self.assertIn(heading.split()[0], {"budget", "race", "barrier", *handout_pages.causes()})
            ladders.update(handout_pages.ladders(""))
            for path in sorted(glob.glob(f"labs/{lab}/wrong/*.cu")):
                with self.subTest(path=path):
                    self.assertTrue(any(code in ladders for code in expected_cause(path)), expected_cause(path))

    def test_there_are_three_hints_for_each_cause_in_any_lab(self):
        """In labs/hints.md, or in the row of the finding, if that asks a question."""
        ladders = handout_pages.ladders("")
        codes = {heading.split()[0] for heading in ladders} - {"budget", "race", "barrier"}
        self.assertLessEqual(codes, set(handout_pages.causes()))
        self.assertEqual([row.code for row in tables.findings() if row.code not in codes and not row.question], [])
        for heading, steps in ladders.items():
            self.assertEqual(len(steps), 3, heading)

    def test_each_code_with_hints_has_its_section_in_the_handout(self):
        for lab in handout_pages.lab_names():
            named = " ".join(re.findall(r"<!-- ([\w ]+) -->", "\n".join(headings(read(f"handouts/{lab}.md"))))).split()
            for heading in handout_pages.ladders(lab):
                code = heading.split()[0]
                with self.subTest(lab=lab, code=code):
                    self.assertTrue(code in named or "any" in named)
            general = re.findall(r"^## \w+ (\w+)$", read("labs/hints.md"), re.M)
            patterns = {heading.split()[1] for heading in handout_pages.ladders(lab) if " " in heading} | set(general)
            words = " ".join(handout_pages.ladders(lab)).split()
            known = patterns | {word[5:] for word in words if word.startswith("plan=")} | {"any"}
            known |= {word[7:] for word in words if word.startswith("kernel=")}
            for code in named:
                self.assertTrue(code in handout_pages.causes() or code in known, f"{lab}: {code}")


class Pages(unittest.TestCase):
    def test_handouts_have_the_sections_of_the_template_in_order(self):
        for lab in handout_pages.lab_names():
            titles = [line.lstrip("# ").split(" <!--")[0] for line in headings(read(f"handouts/{lab}.md"))]
            places = [next((i for i, title in enumerate(titles) if title.startswith(section)), None) for section in SECTIONS]
            with self.subTest(lab=lab):
                self.assertNotIn(None, places, [s for s, place in zip(SECTIONS, places) if place is None])
                self.assertEqual(places, sorted(places))

    def test_code_hints_and_tables_are_those_of_the_files(self):
        for page in handout_pages.pages():
            for kind, argument, content in handout_pages.BLOCK.findall(read(page)):
                if kind == "run":
                    continue
                with self.subTest(page=page):
                    self.assertIn(kind, handout_pages.BLOCKS)
                    self.assertTrue(content == handout_pages.BLOCKS[kind](argument, BUILD), f"{kind}: {argument}: {REFRESH}")

    @sample
    def test_shown_output_is_what_the_program_prints(self):
        shown = 0
        for page in handout_pages.pages():
            for kind, command, content in handout_pages.BLOCK.findall(read(page)):
                if kind != "run":
                    continue
                shown += 1
                with self.subTest(page=page, command=command):
                    self.assertEqual(without_times(content), without_times(handout_pages.run(command, BUILD)), REFRESH)
        self.assertGreaterEqual(shown, len(handout_pages.lab_names()))

    def test_the_quoted_words_are_of_the_cited_files(self):
        cited = handout_pages.cited()
        self.assertEqual(sorted(handout_pages.quoted()), sorted(cited), REFRESH)
        for path, counters in cited.items():
            self.assertEqual(sorted(handout_pages.quoted()[path]["counters"]), sorted(counters), REFRESH)

    def test_links_lead_to_files_and_headings(self):
        anchors = {}
        for page in handout_pages.pages():
            text = re.sub(r"^(`{3,}).*?^\1$", "", read(page), flags=re.S | re.M)
            for target in re.findall(r"\]\(([^)\s]+)\)", text):
                if "://" in target:
                    continue
                path, _, fragment = target.partition("#")
                path = os.path.normpath(os.path.join("handouts", path)) if path else page
                with self.subTest(page=page, target=target):
                    self.assertTrue(os.path.exists(path), path)
                    if fragment:
                        if path not in anchors:
                            anchors[path] = [anchor(heading) for heading in headings(read(path))]
                        self.assertIn(fragment, anchors[path])

    def test_the_reference_explains_every_cause_and_counter(self):
        text = read("handouts/reference.md")
        explained = [re.match(r"#### (.*?) <!-- (\w+) -->$", line) for line in headings(text) if line.startswith("#### ")]
        titles = {match.group(2): match.group(1) for match in explained}
        self.assertEqual(titles, handout_pages.causes())
        counters = [row.name for row in tables.counters()]
        budgets = [name for path in glob.glob("labs/*/lab.yaml") for name in re.findall(r"- metric: (\w+)", read(path))]
        self.assertEqual(set(counters + budgets) - set(re.findall(r"^\| `(\w+)` \|", text, re.M)), set())

    def test_the_glossary_explains_every_word_that_reports_name_in_alphabetical_order(self):
        words = [line[4:] for line in headings(read("handouts/glossary.md")) if line.startswith("### ")]
        self.assertEqual(words, sorted(words, key=str.lower))
        named = re.findall(r'^WORD\("([^"]*)"\)', read("runtime/tables/glossary.def"), re.M)
        self.assertTrue(named)
        self.assertEqual(set(named) - set(words), set())

    def test_pages_before_a_lab_have_a_picture_an_exercise_and_answers(self):
        pages = re.findall(r"page: (handouts/\w+\.md)$", read("labs/map.yaml"), re.M)
        self.assertGreaterEqual(len(pages), 3)
        for page in pages:
            with self.subTest(page=page):
                text = read(page)
                self.assertRegex(text, r"(?m)^!\[[^\]]+\]\(pictures/\w+\.svg\)$")
                self.assertRegex(text, r"(?m)^<summary>")
        for page in pages[1:]:
            with self.subTest(page=page):
                self.assertIn("## Exercise", read(page))
                self.assertRegex(read(page), r"(?m)^<!-- include: handouts/exercises/\w+\.cu -->")

    def test_pictures_have_a_description_and_are_well_formed(self):
        for page in handout_pages.pages():
            for words, target in re.findall(r"!\[([^\]]*)\]\(([^)\s]+)\)", read(page)):
                with self.subTest(page=page, target=target):
                    self.assertGreater(len(words), 20)
                    svg = read(os.path.join("handouts", target))
                    self.assertIn("prefers-color-scheme: dark", svg)
                    xml.dom.minidom.parseString(svg)


class Contract(unittest.TestCase):
    """What the pages say of the labs is what the grader does: each kernel in tests/contract relies on a sentence."""

    HEAD = re.compile(r"// page: (\S+)\n// says: (.+)\n// expect: (\w+)\n")

    @sample
    def test_kernels_that_rely_on_a_sentence_get_the_verdict_that_it_promises(self):
        for lab in sorted(os.listdir("tests/contract")):
            paths = sorted(glob.glob(f"tests/contract/{lab}/*.cu"))
            self.assertTrue(paths, lab)
            done = subprocess.run([f"{BUILD}/lockstep", "grade", *paths, "--lab", lab, "--seed", "1", "--device", "emulated",
                                   "--json", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            for path, graded in zip(paths, json.loads(done.stdout)["labs"], strict=True):
                with self.subTest(path=path):
                    page, says, expect = self.HEAD.match(read(path)).groups()
                    self.assertIn(" ".join(says.split()), " ".join(read(f"handouts/{page}").split()))
                    cause = "pass" if graded["state"] == "pass" else graded["cause"]["code"]
                    self.assertEqual(cause, expect, graded["cause"])

    def test_the_launches_of_a_scan_are_those_that_the_page_names(self):
        """"With n = 100003 there are five"; the counted case has that size."""
        done = subprocess.run([f"{BUILD}/lockstep", "grade", "solutions/scan/scan.cu", "--lab", "scan", "--json", "-"],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        graded = json.loads(done.stdout)["labs"][0]
        self.assertIn("With n = 100003 there are five:", " ".join(read("handouts/scan.md").split()))
        self.assertEqual(graded["counters"]["launches"], 5)


def example(lab):
    """The first table of the handout's example: first cell of each row, and the others, without marks of bold type."""
    section = read(f"handouts/{lab}.md").split("## Example")[1].split("\n## ")[0]
    rows = [line.strip().strip("|").replace("*", "").split("|") for line in section.splitlines() if line.startswith("|")]
    return [(cells[0].strip(), [cell.strip() for cell in cells[1:]]) for cells in rows if not cells[0].startswith("---")]


class Examples(unittest.TestCase):
    """The examples to follow with a pencil are right."""

    def test_doublify(self):
        for block, (thread, index, before, after) in example("doublify")[1:]:
            self.assertEqual(int(index), 4 * int(block) + int(thread))
            self.assertEqual(float(after), 2 * float(before))

    def test_vector_add(self):
        rows = dict(example("vector_add"))
        for a, b, c in zip(rows["a[i]"], rows["b[i]"], rows["c[i]"]):
            self.assertEqual(int(a) + int(b), int(c))

    def test_pi(self):
        rows = example("pi")
        values = [4 / (1 + (i / 8) ** 2) for i in range(8)]
        self.assertEqual(rows[1][1], [f"{value:.4f}" for value in values])
        for step, (name, shown) in zip((1, 2, 4), rows[2:]):
            for i in range(0, 8, 2 * step):
                values[i] += values[i + step]
            self.assertIn(f"i = {step}", name)
            self.assertEqual(shown, [f"{value:.4f}" for value in values])

    def test_scan(self):
        rows = example("scan")
        values = [int(cell) for cell in rows[1][1]]
        for step, (_, left), (name, shown) in zip((1, 2, 4), rows[2::2], rows[3::2]):
            self.assertEqual(left, ["–"] * step + [str(value) for value in values[:-step]])
            values = [value + (values[i - step] if i >= step else 0) for i, value in enumerate(values)]
            self.assertEqual((name, shown), (f"after d = {step}", [str(value) for value in values]))

    def test_transpose(self):
        rows = [[int(cell) for cell in cells[:5]] for name, cells in example("transpose")[1:4]]
        self.assertEqual(rows, [[5 * row + column for column in range(5)] for row in range(3)])
        for column, (_, cells) in zip(range(5), example("transpose")[5:], strict=True):
            self.assertEqual(cells, [*(str(row[column]) for row in rows), f"({column // 4},0)"])

    def test_matmul(self):
        rows = dict(example("matmul_tiled"))
        products = [int(a) * int(b) for a, b in zip(rows["A[1][k]"], rows["B[k][0]"])]
        self.assertEqual([int(cell) for cell in rows["product"]], products)
        self.assertEqual([rows["sum after the turn"][k] for k in (3, 7)], [str(sum(products[:4])), str(sum(products))])

    def test_blur(self):
        rows = dict(example("blur"))
        pixels = [int(cell) for cell in rows["in"]]
        wide = [pixels[0], *pixels, pixels[-1]]
        sums = [wide[x] + 2 * wide[x + 1] + wide[x + 2] for x in range(8)]
        self.assertEqual([int(cell) for cell in rows["sum"]], sums)
        self.assertEqual([int(cell) for cell in rows["out"]], [one // 4 for one in sums])

    def test_register_tiles(self):
        sums = [0] * 4
        for _, cells in example("register_tiles")[1:]:
            a, b = [int(cell) for cell in cells[:2]], [int(cell) for cell in cells[2:4]]
            sums = [old + left * right for old, (left, right) in zip(sums, itertools.product(a, b))]
            self.assertEqual([int(cell) for cell in cells[4:]], sums)
        self.assertEqual(sums, [4, 6, 16, 21])

    def test_tensor_cores(self):
        total, stale = 0, 0
        for _, cells in example("tensor_cores")[1:]:
            a, b = ([int(cell.strip("*")) for cell in text.split()] for text in cells[:2])
            products = [left * right for left, right in zip(a, b)]
            self.assertEqual([int(cell) for cell in cells[2].split(" + ")], products)
            total += sum(products)
            self.assertEqual(int(cells[3]), total)
            stale = total if stale == 0 else stale + a[0] * b[0] + 1 * 4    # turn 0 left 1 and 4 behind
        self.assertEqual((total, stale), (15, 19))

    def test_histogram(self):
        data = [int(value) for value in re.search(r"data = ([\d ]+),", read("handouts/histogram.md")).group(1).split()]
        for turn, (first, second, bins) in example("histogram")[2:]:
            seen = data[:2 * int(turn)]
            self.assertEqual([first, second], [f"value {value}" for value in seen[-2:]])
            self.assertEqual(bins.split(), [str(seen.count(value)) for value in range(4)])


class ExampleLab(unittest.TestCase):
    """The guide's section on adding a lab, word for word, in an empty folder, twice in a row."""

    @classmethod
    def setUpClass(cls):
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.folder = directory.name
        os.symlink(os.path.abspath(BUILD), f"{cls.folder}/build")
        section = read("handouts/instructor.md").split("## Add a lab in an hour\n")[1].split("\n## What the grader")[0]
        cls.begin, cls.use = re.findall(r"```sh\n(.*?)```", section, re.S)

    def shell(self, script):
        environment = {**os.environ, "LOCKSTEP_FOLDER": "", "CUDA_VISIBLE_DEVICES": ""}
        return subprocess.run(["sh", "-e", "-c", script], cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def test_the_guide_works_for_two_labs_in_a_row(self):
        for name in ("reverse", "turn_round"):
            with self.subTest(lab=name):
                done = self.shell(self.begin.replace("reverse", name))
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn(f"{name} is complete.", done.stdout)
                done = self.shell(self.use.replace("reverse", name))
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertIn("100/100", done.stdout)

    def test_a_complaint_names_the_place_and_the_mend(self):
        done = self.shell("build/lockstep lab new other/wrong_lab")
        self.assertEqual(done.returncode, 0, done.stdout)
        path = f"{self.folder}/other/wrong_lab/lab.yaml"
        whole = read(path)
        for old, new, words in (("title:", "tittle:", "did you mean title?"),
                                ("2 * sectors(n)", "2 * sectors(m)", "unknown name m"),
                                ("budget: yes", "budget: no", "0 have budget: yes"),
                                ("points: 30", "points: 20", "not 100"),
                                ("  in: n\n", "  in: n\n  other: n\n", "other"),
                                ("n: 257", "n: 256", "is called n = 256 already"),
                                ("integers -1000000 999999", "integers 0", "takes 2 numbers")):
            with self.subTest(new=new), open(path, "w", encoding="utf-8") as file:
                file.write(whole.replace(old, new, 1))
                file.flush()
                done = self.shell("build/lockstep lab check other/wrong_lab")
                self.assertEqual(done.returncode, 1, done.stdout)
                self.assertIn(words, re.sub(r"\s+", " ", done.stdout))


class ExampleClass(unittest.TestCase):
    def test_the_course_file_of_the_guide_grades_a_class(self):
        blocks = re.findall(r"```yaml\n(.*?)```", read("handouts/instructor.md"), re.S)
        course = next(text for text in blocks if "roster:" in text)
        with tempfile.TemporaryDirectory() as folder:
            files = {"course.yaml": course, "secret": "0123456789abcdef\n",
                     "roster.csv": "id,name,folder\na1,Ada,ada\nb2,Bob,bob\n",
                     "class/ada/doublify.cu": read("solutions/doublify/doublify.cu"),
                     "class/bob/doublify.cu": read("labs/doublify/wrong/no_guard.cu")}
            for name, text in files.items():
                os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
                with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                    file.write(text)
            done = subprocess.run([f"{BUILD}/lockstep", "batch", f"{folder}/class", "--out", f"{folder}/results",
                                   "--course", f"{folder}/course.yaml"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            self.assertIn("2 students, 3 labs", done.stdout)
            self.assertEqual(sorted(os.listdir(f"{folder}/results/students")), ["a1.json", "b2.json"], done.stdout)
            self.assertIn('"a1"', read(f"{folder}/results/gradebook.csv"))


class Elements(html.parser.HTMLParser):
    """The anchors of a page and what it refers to."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.targets = [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.ids += [values["id"]] if "id" in values else []
        self.targets += [values[name] for name in ("href", "src") if name in values]


class Site(unittest.TestCase):
    """What `ninja handouts` makes, without a browser; look.py looks at it with one."""

    @classmethod
    def setUpClass(cls):
        cls.done = None
        if not os.access(VENV, os.X_OK):
            return   # a test that is skipped is counted, a class is not: setUp skips
        directory = tempfile.TemporaryDirectory()
        cls.addClassCleanup(directory.cleanup)
        cls.done = subprocess.run([VENV, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", "handouts/site/mkdocs.yml",
                                   "--site-dir", directory.name], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
        cls.files = {os.path.relpath(path, directory.name)
                     for path in glob.glob(f"{directory.name}/**", recursive=True) if os.path.isfile(path)}
        cls.pages = {path: read(os.path.join(directory.name, path)) for path in cls.files if path.endswith(".html")}
        cls.elements = {name: Elements(text) for name, text in cls.pages.items()}
        cls.folder = directory.name
        cls.index = json.loads(read(f"{directory.name}/search/search_index.json")) if cls.pages else None

    def setUp(self):
        if self.done is None:
            self.skipTest(NO_VENV)
        self.assertEqual(self.done.returncode, 0, self.done.stdout)

    @host
    def test_every_page_is_there_and_every_link_and_anchor_resolves(self):
        for page in handout_pages.pages():
            self.assertIn(os.path.basename(page)[:-3].replace("README", "index") + ".html", self.pages)
        for name, elements in self.elements.items():
            self.assertEqual(len(elements.ids), len(set(elements.ids)), f"{name}: an anchor twice")
            for target in elements.targets:
                if re.match(r"[a-z]+:", target):
                    continue
                path, _, fragment = target.partition("#")
                path = os.path.normpath(os.path.join(os.path.dirname(name), path)) if path else name
                path = os.path.join(path, "index.html") if f"{path}/index.html" in self.files else path
                with self.subTest(page=name, target=target):
                    self.assertIn(path.removeprefix("./"), self.files)
                    if fragment:
                        self.assertIn(fragment, self.elements[path].ids)

    @host
    def test_each_file_of_the_kit_that_a_handout_links_to_has_a_page_with_its_text(self):
        linked = {path for page in handout_pages.pages()
                  for path in re.findall(r"\]\(\.\./([\w/.]+)\)", read(page)) if os.path.isfile(path)}
        self.assertGreater(len(linked), 50)
        for path in linked:
            page = f"kit/{path}.html" if not path.endswith(".md") else f"kit/{path[:-3]}.html".replace("README", "index")
            with self.subTest(path=path):
                self.assertIn(page, self.pages)
                words = [word for line in read(path).splitlines() for word in re.findall(r"[a-z_]{6,}", line)]
                self.assertIn(words[-1], self.pages[page])

    @host
    def test_each_section_that_the_grader_names_has_its_anchors(self):
        for lab in handout_pages.lab_names():
            for line in headings(read(f"handouts/{lab}.md")):
                comment = re.search(r"<!-- ([\w ]+) -->", line)
                for wanted in [anchor(line)] + (comment.group(1).split() if comment else []):
                    self.assertIn(wanted, self.elements[f"{lab}.html"].ids)
                # Pages of results name the section as the report does, and link to it.
                self.assertEqual(html_finding.slug(line.lstrip("# ").split(" <!--")[0]), anchor(line))
        for code in handout_pages.causes():
            self.assertIn(code, self.elements["reference.html"].ids)

    @host
    def test_no_page_needs_the_network_or_shows_a_mark(self):
        for name, text in self.pages.items():
            self.assertEqual(re.findall(r'<(?:script|img|iframe|source)[^>]* src="?(?:https?:)?//', text), [], name)
            self.assertEqual(re.findall(r'<link[^>]* href="?(?:https?:)?//', text), [], name)
            for mark in ("<!-- include", "<!-- end", 'markdown="1"'):
                self.assertNotIn(mark, text, name)

    @host
    def test_the_search_knows_the_handouts_and_no_code_of_the_kit(self):
        pages = {entry["location"].partition("#")[0] for entry in self.index["docs"]}
        self.assertEqual({os.path.basename(page)[:-3].replace("README", "index") + ".html"
                          for page in handout_pages.pages()} | {"supported_ptx.html"}, pages)

    @host
    @unittest.skipUnless(browser.find(), browser.ABSENT)
    def test_the_pdf_has_all_chapters_and_the_contents_say_on_which_page(self):
        done = subprocess.run([VENV, "handouts/site/look.py", "pdf", self.folder], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout)
        script = "import json, pypdf, sys; print(json.dumps([p.extract_text() for p in pypdf.PdfReader(sys.argv[1]).pages]))"
        texts = json.loads(subprocess.run([VENV, "-c", script, f"{self.folder}/handouts.pdf"], stdout=subprocess.PIPE,
                                          check=True).stdout)
        squeezed = [re.sub(r"\s", "", unicodedata.normalize("NFKC", text)) for text in texts]   # without ligatures
        for page in handout_pages.pages():
            if page != "handouts/README.md":
                title = re.sub(r"[\s`]", "", re.match("# (.*)", read(page)).group(1))
                with self.subTest(page=page):
                    number = int(re.search(re.escape(title) + r"(\d+?)(?=\D|$)", squeezed[0]).group(1))
                    self.assertEqual(squeezed[number - 1][:len(f"{number}{title}")], f"{number}{title}")   # its foot first


class Look(unittest.TestCase):
    """What look.py finds in pages that are wrong."""

    def look(self, style):
        if not os.access(VENV, os.X_OK) or browser.find() is None:
            self.skipTest(browser.ABSENT if browser.find() is None else NO_VENV)
        with tempfile.TemporaryDirectory() as folder:
            with open(f"{folder}/page.html", "w", encoding="utf-8") as file:
                file.write('<!DOCTYPE html><html lang="en"><meta name="viewport" content="width=device-width">'
                           f'<div style="{style}"><p>{"word" * 15} and more words</p></div>')
            done = subprocess.run([VENV, "handouts/site/look.py", "check", folder], stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            return done.returncode, re.findall(r"page\.html: at (\d+) px", done.stdout), done.stdout

    @host
    def test_text_that_fits_or_scrolls_is_right(self):
        for style in ("overflow-wrap: anywhere", "overflow-x: auto", "overflow-x: auto; width: 90%"):
            self.assertEqual(self.look(style)[:2], (0, []))

    @host
    def test_text_that_runs_off_is_found_at_each_width(self):
        status, widths, words = self.look("")
        self.assertEqual((status, set(widths)), (1, {"320", "360", "390"}), words)
        status, widths, words = self.look("width: 1040px; white-space: normal")
        self.assertEqual((status, set(widths)), (1, {"320", "360", "390", "768", "1024"}), words)

    @host
    def test_text_that_is_cut_is_found(self):
        status, widths, words = self.look("overflow: hidden")
        self.assertEqual((status, set(widths)), (1, {"320", "360", "390"}), words)
        status, widths, words = self.look("position: relative; left: -100px; overflow: hidden")
        self.assertEqual((status, len(set(widths))), (1, 8), words)


if __name__ == "__main__":
    unittest.main()

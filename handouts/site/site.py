"""Renders the handouts to build/handouts: static pages that need no network, a search that runs in the page, and one page
with all chapters for printing.

    python3 handouts/site/site.py [FOLDER]      default: build/handouts

Markdown by Python-Markdown, colours by Pygments (Debian's python3-markdown and python3-pygments; ci/setup --dev installs
them). Exit status 3 when they are missing.
"""

import functools
import glob
import html
import importlib.util
import json
import os
import re
import shutil
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SYSTEM_PYTHON = "/usr/bin/python3"


def need_libraries():
    """Goes on in the system's Python when this one lacks the libraries: they are Debian packages."""
    missing = [name for name in ("markdown", "pygments") if importlib.util.find_spec(name) is None]
    if not missing:
        return
    if os.path.exists(SYSTEM_PYTHON) and os.environ.get("LOCKSTEP_SITE_PYTHON") != "system":
        os.environ["LOCKSTEP_SITE_PYTHON"] = "system"
        os.execv(SYSTEM_PYTHON, [SYSTEM_PYTHON, *sys.argv])
    print(f"handouts: Python lacks {' and '.join(missing)}. Install them: ci/setup --dev, or "
          "apt-get install python3-markdown python3-pygments", file=sys.stderr)
    sys.exit(3)


if __name__ == "__main__":
    need_libraries()

import markdown     # noqa: E402  (found, or the lines above have said so)
import pygments
import pygments.formatters
import pygments.lexers
import pygments.util

CHAPTERS = ["README.md", "[0-9][0-9]_*.md", "reference.md", "instructor.md", "[!Rs]*.md", "supported_ptx.md"]
NOT_PRINTED = ("README", "supported_ptx")
EXTENSIONS = ["tables", "fenced_code", "codehilite", "toc", "attr_list", "md_in_html", "sane_lists"]
PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title} – Lockstep</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="index.html">Lockstep</a>
<div class="search" role="search">
<input id="search" type="search" placeholder="Search  ( / )" aria-label="Search the handouts" autocomplete="off">
<ol id="found" hidden></ol>
</div>
</header>
<div class="frame">
<nav class="chapters" aria-label="Chapters">
{chapters}
</nav>
<main id="content">
{content}
{around}
</main>
</div>
<script src="search_index.js"></script>
<script src="search.js"></script>
</body>
</html>
"""


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def slug(text, _separator="-"):
    """GitHub's anchor of a heading, so that links are the same there and here."""
    return re.sub(r"[^\w\- ]", "", re.sub(r"<[^>]*>", "", text).strip().lower()).replace(" ", "-")


def chapter_files():
    found = []
    for pattern in CHAPTERS:
        found += [path for path in sorted(glob.glob(f"{ROOT}/handouts/{pattern}")) if path not in found]
    return found


def page_name(path):
    """The page that shows a file of the kit, and the kit's own name for the file."""
    known = os.path.relpath(path, ROOT)
    if os.path.dirname(known) == "handouts" and known.endswith(".md"):
        stem = os.path.basename(known)[:-3]
        return "index.html" if stem == "README" else f"{stem}.html"
    if known.endswith(".svg"):
        return os.path.basename(known)
    return "source_" + re.sub(r"\W+", "_", known) + ".html"


@functools.cache
def lexer_for(extension):
    """What colours code of this kind of file; finding it takes longer than colouring it."""
    try:
        return pygments.lexers.get_lexer_for_filename(f"file{extension}")
    except pygments.util.ClassNotFound:
        return pygments.lexers.TextLexer()


# ---- a chapter -----------------------------------------------------------------------------------------------------------


def prepared(text):
    """What the pages say to tests/handout_pages.py and to the grader becomes classes and attributes."""
    text = re.sub(r"^<!-- (hints): [^\n]*-->\n(.*?)^<!-- end -->$",
                  r'<div class="\1" markdown="1">' r"\n\2\n</div>", text, flags=re.S | re.M)
    text = re.sub(r"^<!-- (?:end|\w+: [^\n]*) -->\n", "\n", text, flags=re.M)
    return re.sub(r"^(#+ .*?) <!-- ([\w ]+) -->$",
                  lambda match: f'{match.group(1)} {{: data-codes="{match.group(2)}" }}', text, flags=re.M)


def mark_codes(content):
    """An anchor for each code of a finding, where the chapter speaks of it first."""
    seen = set()

    def anchors(match):
        codes = [code for code in match.group(2).split() if code not in seen and f' id="{code}"' not in match.group(0)]
        seen.update(codes)
        return match.group(1) + match.group(3) + "".join(f'<a class="code" id="{code}"></a>' for code in codes)
    return re.sub(r'(<h\d[^>]*?) data-codes="([^"]*)"([^>]*>)', anchors, content)


class Site:
    """All pages that are to be, and what they need."""

    def __init__(self, folder):
        self.folder = folder
        self.chapters = chapter_files()
        self.sources = set()    # files of the kit that a chapter links to
        self.index = []
        self.titles = {}

    def target(self, base, link, crawl):
        """Where a link of a chapter leads in the site; None where it leads out of it."""
        if re.match(r"[a-z]+:", link):
            return link
        path, _, fragment = link.partition("#")
        if not path:
            return link
        full = os.path.normpath(os.path.join(os.path.dirname(base), path))
        if full not in self.chapters and not full.endswith(".svg"):
            if not os.path.isfile(full) or not (crawl or full in self.sources):
                return None
            self.sources.add(full)
        return page_name(full) + (f"#{fragment}" if fragment else "")

    def convert(self, path, crawl=True):
        """The file's content as HTML, and its headings."""
        converter = markdown.Markdown(extensions=EXTENSIONS, extension_configs={
            "toc": {"slugify": slug, "permalink": False},
            "codehilite": {"guess_lang": False, "css_class": "highlight"},
        })
        content = mark_codes(converter.convert(prepared(read(path))))

        def link(match):
            where = self.target(path, html.unescape(match.group(2)), crawl)
            if where is None:
                return f"<span>{match.group(4)}</span>"
            return f'<a{match.group(1)}href="{html.escape(where)}"{match.group(3)}>{match.group(4)}</a>'
        content = re.sub(r'<a((?: [^>]*)? )href="([^"]*)"([^>]*)>(.*?)</a>', link, content, flags=re.S)
        content = re.sub(r'<p>(<img alt="([^"]*)" src="([^"]*)" ?/?>)</p>',
                         r'<figure><a href="\3" title="The picture alone">\1</a></figure>', content)
        content = content.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
        content = content.replace("<pre>", '<pre tabindex="0">')
        return content, converter.toc_tokens

    # ---- search --------------------------------------------------------------------------------------------------------

    def remember(self, page, title, content):
        """A piece for each heading: its words are what the search looks through."""
        pieces = re.split(r'<h[1-4][^>]*? id="([^"]*)"[^>]*>(.*?)</h[1-4]>', content, flags=re.S)
        for anchor, heading, body in zip(pieces[1::3], pieces[2::3], pieces[3::3]):
            words = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))).strip()
            heading = html.unescape(re.sub(r"<[^>]+>", "", heading)).strip()
            self.index.append({"page": f"{page}#{anchor}", "chapter": title, "heading": heading, "text": words[:4000]})

    # ---- pages ---------------------------------------------------------------------------------------------------------

    def menu(self, current, tokens):
        lines = ["<ul>"]
        for path in self.chapters:
            page = page_name(path)
            here = ' aria-current="page"' if page == current else ""
            lines.append(f'<li><a href="{page}"{here}>{html.escape(self.titles[path])}</a>')
            if here and tokens and tokens[0]["children"]:
                parts = "".join(f'<li><a href="#{token["id"]}">{token["name"]}</a></li>' for token in tokens[0]["children"])
                lines.append(f"<ul>{parts}</ul>")
            lines.append("</li>")
        return "\n".join(lines + ["</ul>"])

    def around(self, path):
        """Links to the chapters before and after."""
        place = self.chapters.index(path)
        before = self.chapters[place - 1] if place > 0 else None
        after = self.chapters[place + 1] if place + 1 < len(self.chapters) else None
        links = [f'<a rel="{kind}" href="{page_name(other)}">{left}{html.escape(self.titles[other])}{right}</a>'
                 if other else "<span></span>"
                 for kind, left, right, other in (("prev", "← ", "", before), ("next", "", " →", after))]
        return f'<div class="around">{"".join(links)}</div>'

    def page(self, name, title, content, tokens, around=""):
        write(os.path.join(self.folder, name), PAGE.format(title=html.escape(title), content=content, around=around,
                                                           chapters=self.menu(name, tokens)))

    def source_page(self, path):
        known = os.path.relpath(path, ROOT)
        if path.endswith(".md"):
            content, _ = self.convert(path, crawl=False)
        else:
            lexer = lexer_for(os.path.splitext(path)[1])
            formatter = pygments.formatters.HtmlFormatter(cssclass="highlight", linenos="inline", lineanchors="line")
            code = pygments.highlight(read(path), lexer, formatter).replace("<pre>", '<pre tabindex="0">')
            content = f"<h1><code>{html.escape(known)}</code></h1>\n{code}"
        self.page(page_name(path), known, content, None)

    def print_page(self, contents):
        """All chapters in one page: names of anchors get the chapter's in front, answers stand open, hints are left out."""
        stems = [os.path.basename(path)[:-3] for path, _ in contents]
        chapters = "".join(f'<li><a href="#{stem}">{html.escape(self.titles[path])}</a></li>'
                           for stem, (path, _) in zip(stems, contents) if stem not in NOT_PRINTED)
        parts = [f"<article><h1>Lockstep: GPU programming in CUDA C</h1><ul>{chapters}</ul></article>"]
        for stem, (_, content) in zip(stems, contents):
            if stem in NOT_PRINTED:
                continue
            content = re.sub(r'<div class="hints">.*?\n</div>',
                             "<p>On the screen: three hints for each cause, folded; <code>build/lockstep hint</code> gives "
                             "the next one for your latest mistake.</p>", content, flags=re.S)
            content = content.replace("<details>", "<details open>")
            content = re.sub(r' id="([^"]*)"', rf' id="{stem}--\1"', content)
            content = re.sub(r' href="#([^"]*)"', rf' href="#{stem}--\1"', content)
            content = re.sub(r' href="(\w+)\.html(?:#([^"]*))?"', lambda match: self.printed_link(match, contents), content)
            parts.append(f'<article id="{stem}">{content}</article>')
        self.page("print.html", "All chapters", "\n".join(parts), None)

    @staticmethod
    def printed_link(match, contents):
        stems = [os.path.basename(path)[:-3] for path, _ in contents]
        if match.group(1) not in stems or match.group(1) in NOT_PRINTED:
            return match.group(0)
        return f' href="#{match.group(1)}{"--" + match.group(2) if match.group(2) else ""}"'

    def write(self):
        os.makedirs(self.folder, exist_ok=True)
        for old in glob.glob(os.path.join(self.folder, "*.html")):
            os.remove(old)
        for path in self.chapters:
            self.titles[path] = re.match(r"# (.*)", read(path)).group(1)
        contents = []
        for path in self.chapters:
            content, tokens = self.convert(path)
            contents.append((path, content))
            self.remember(page_name(path), self.titles[path], content)
            self.page(page_name(path), self.titles[path], content, tokens, self.around(path))
        for path in sorted(self.sources):
            self.source_page(path)
        self.print_page(contents)
        for picture in glob.glob(f"{ROOT}/handouts/*.svg"):
            shutil.copy(picture, self.folder)
        index = json.dumps(self.index, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")
        write(os.path.join(self.folder, "search_index.js"), f"const SEARCH_INDEX = {index};\n")
        shutil.copy(os.path.join(HERE, "search.js"), self.folder)
        colours = {style: pygments.formatters.HtmlFormatter(style=style).get_style_defs(".highlight")
                   for style in ("default", "github-dark")}
        style = read(os.path.join(HERE, "style.css"))
        style = style.replace("/* colours of code, light */", colours["default"])
        write(os.path.join(self.folder, "style.css"), style.replace("/* colours of code, dark */", colours["github-dark"]))


def main():
    folder = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build/handouts")
    site = Site(folder)
    try:
        site.write()
    except OSError as error:    # a full disk, a folder of somebody else's
        sys.exit(f"handouts: {error.filename or folder}: {error.strerror}")
    print(f"handouts: {len(site.chapters)} chapters and {len(site.sources)} files of code in {os.path.relpath(folder)}: "
          f"open {os.path.relpath(folder)}/index.html")


if __name__ == "__main__":
    main()

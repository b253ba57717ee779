"""What MkDocs cannot know of the handouts: the marks in them, and the kit's files that they link to.

A handout is plain Markdown, read on GitHub too. Here its comments become anchors and classes, and each file of the kit that
it links to becomes a page, kit/PATH.html, with its code.
"""

import os
import posixpath
import re

import pygments.lexers
import pygments.util
import yaml
from mkdocs.structure.files import File, InclusionLevel

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
FENCE = re.compile(r"^(`{3,}).*?^\1$", re.S | re.M)
NOT_SEARCHED = "---\nsearch: {exclude: true}\n---\n\n"
NOT_PRINTED = ("index", "supported_ptx")
ON_PAPER = ("On the screen: three hints for each cause, folded. `build/lockstep hint` gives the next one for your latest "
            "mistake.")


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def linked(path, target):
    """The file of the kit that a link in the file `path` names, and the anchor; None when it leads out of the kit."""
    name, _, anchor = target.partition("#")
    if not name or re.match(r"[a-z]+:", name):
        return None, anchor
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), name)), anchor


def page_of(path):
    """Where the site keeps the file of the kit called `path`."""
    folder, name = posixpath.split(path)
    if folder == "handouts" and name.endswith(".md") or folder == "handouts/pictures":
        return path.removeprefix("handouts/")
    return f"kit/{path}" + ".md" * (path[-3:] != ".md")


def outside_code(change, markdown):
    """The text with `change` made to all but its blocks of code."""
    parts, end = [], 0
    for code in FENCE.finditer(markdown):
        parts += [change(markdown[end:code.start()]), code[0]]
        end = code.end()
    return "".join(parts) + change(markdown[end:])


def on_config(config):
    config.theme.static_templates.clear()   # 404.html is a server's


def code_page(path):
    try:
        language = pygments.lexers.get_lexer_for_filename(path).aliases[0]
    except pygments.util.ClassNotFound:
        language = "text"
    fence = "`" * 5
    return f'{NOT_SEARCHED}# `{path}`\n\n{fence} {{ .{language} linenums="1" }}\n{read(path).rstrip()}\n{fence}\n'


def on_files(files, config):
    """Adds a page for each file of the kit that a handout links to."""
    wanted = {linked(f"handouts/{file.src_uri}", target)[0] for file in files.documentation_pages()
              for _, target in LINK.findall(FENCE.sub("", file.content_string))}
    for path in sorted(wanted - {None}):
        if os.path.isfile(os.path.join(ROOT, path)) and not files.get_file_from_path(page_of(path)):
            content = NOT_SEARCHED + read(path) if path.endswith(".md") else code_page(path)
            files.append(File.generated(config, page_of(path), content=content, inclusion=InclusionLevel.NOT_IN_NAV))
    files.append(File.generated(config, "print.md", content=f"{NOT_SEARCHED}# All chapters\n",
                                inclusion=InclusionLevel.NOT_IN_NAV))
    return files


def on_nav(nav, config, files):
    """The chapters in the order in which they are read: as the map has them, then the others."""
    pages = {page.file.src_uri: page for page in nav.pages}
    steps = [step for part in yaml.safe_load(read("labs/map.yaml")) for step in part["steps"]]
    names = [posixpath.basename(step["page"]) if isinstance(step, dict) else f"{step}.md" for step in steps]
    order = [pages.pop(name) for name in ["index.md", "README.md"] + names if name in pages] + list(pages.values())
    for before, page in zip([None] + order, order + [None]):
        if page:
            page.previous_page = before
        if before:
            before.next_page = page
    nav.pages[:] = nav.items[:] = order
    return nav


def anchors(markdown):
    """An anchor for each code of a finding, at the heading that speaks of it first, unless that is its name already."""
    seen = set()

    def anchor(match):
        codes = [code for code in match[2].split() if code not in seen and code != match[1].lstrip("# ").lower()]
        seen.update(codes)
        return match[1] + "".join(f'<a id="{code}"></a>' for code in codes)
    return re.sub(r"^(#+ .*?) <!-- ([\w ]+) -->$", anchor, markdown, flags=re.M)


def on_page_markdown(markdown, page, config, files):
    here = page.file.src_uri
    path = here.removeprefix("kit/") if here.startswith("kit/") else f"handouts/{here}"

    def relink(match):
        target, anchor = linked(path, match[2])
        if target is None:
            return match[0]
        if not files.get_file_from_path(page_of(target)):
            return match[1]   # a file that no handout links to
        relative = posixpath.relpath(page_of(target), posixpath.dirname(here) or ".")
        return f"[{match[1]}]({relative}{'#' + anchor if anchor else ''})"

    if here.startswith("kit/") and not path.endswith(".md"):
        return markdown
    markdown = outside_code(lambda text: LINK.sub(relink, text), markdown)
    markdown = re.sub(r"^<!-- hints: [^\n]*-->\n(.*?)^<!-- end -->$",
                      rf'<p class="on-paper" markdown="1">{ON_PAPER}</p>\n\n<div class="hints" markdown="1">\n\1\n</div>',
                      markdown, flags=re.S | re.M)
    markdown = re.sub(r"^<!-- (?:end|\w+: [^\n]*) -->\n", "\n", markdown, flags=re.M)
    return anchors(markdown)


def on_page_content(html, page, config, files):
    """A picture is a figure that opens alone."""
    return re.sub(r'<p>(<img alt="[^"]*" src="([^"]*)" ?/?>)</p>',
                  r'<figure><a href="\2" title="The picture alone">\1</a></figure>', html)


def on_page_context(context, page, config, nav):
    """print.html holds all chapters; the names of its anchors begin with the chapter's."""
    if page.file.src_uri != "print.md":
        return context
    chapters = {chapter.url[:-5]: chapter for chapter in nav.pages if chapter.url[:-5] not in NOT_PRINTED}

    def link(match):
        name, anchor, words = match[1], match[2], match[3]
        if name and name not in chapters:
            return match[0] if ":" in name else words
        return f'<a href="#{name or stem}{"--" + anchor if anchor else ""}">{words}</a>'
    parts = ['<h1 id="all-chapters">Lockstep: GPU programming in CUDA C</h1>\n<ol class="contents">']
    parts += [f'<li><a href="#{stem}">{chapter.title}</a></li>' for stem, chapter in chapters.items()] + ["</ol>"]
    for stem, chapter in chapters.items():
        content = re.sub(r'<a class="headerlink".*?</a>', "", chapter.content)
        content = re.sub(r' id="([^"]*)"', rf' id="{stem}--\1"', content)
        content = re.sub(r'<a href="([^"#]*?)(?:\.html)?(?:#([^"]*))?"[^>]*>(.*?)</a>', link, content, flags=re.S)
        parts.append(f'<section id="{stem}">{content}</section>')
    page.content = "\n".join(parts)
    return context

"""Looks at the rendered handouts in headless Chromium, and prints them:

    build/venv/bin/python handouts/site/look.py ACTION [FOLDER]     FOLDER: build/handouts when it is missing

check   every page at eight widths: text and elements that run off the window, errors in the console, requests to the
        network, pictures, the search
pdf     FOLDER/handouts.pdf from print.html
shots   FOLDER/shots: each chapter on a phone and dark, for people to look at
all     check and pdf; without Chromium it says so and succeeds

Without Chromium the other actions say so and end with status 3.
"""

import glob
import io
import os
import sys

import pypdf

KIT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(KIT, "tests"))
import browser  # noqa: E402

WIDTHS = (320, 360, 390, 768, 1024, 1280, 1440, 1920)
QUERIES = {"guard": "guard", "bank conflict": "bank", "__syncthreads": "barrier", "qwertyuiop": "no matching documents"}
OPEN_FOLDS = "document.querySelectorAll('details').forEach(fold => { fold.open = true; })"
STILL = "document.head.insertAdjacentHTML('beforeend', '<style>* { transition: none !important; }</style>')"
PICTURES = """Array.from(document.images, picture =>
    (picture.complete && picture.naturalWidth > 0 ? "" : "not there: " + picture.src) +
    (picture.alt.length < 20 ? "no description: " + picture.src : "")).filter(words => words !== "")"""
# Boxes and lines of text that begin or end outside the window, unless something around them scrolls there. What is whole
# outside is put away (the menu on a phone), and words that a box shortens end in an ellipsis.
RUNNING_OFF = """(function () {
    const width = document.documentElement.clientWidth, found = new Set();
    if (document.documentElement.scrollWidth > width) { found.add("the page is " + document.documentElement.scrollWidth); }
    const scrolled = new Map([[document.body, false], [null, false]]);
    const scrolls = element => {   // it, or something around it, or its words are shortened
        if (!scrolled.has(element)) {
            const style = getComputedStyle(element);
            scrolled.set(element, style.overflowX === "auto" || style.overflowX === "scroll"
                || style.textOverflow === "ellipsis" || scrolls(element.parentElement));
        }
        return scrolled.get(element);
    };
    const excused = element => scrolls(element)
        || !element.checkVisibility({opacityProperty: true, visibilityProperty: true});
    const look = (element, boxes, words) => {
        for (const box of boxes) {
            const off = box.right > width + 1 && box.left < width || box.left < -1 && box.right > 1;
            if (off && box.width > 0 && !excused(element)) {
                found.add(words + " from " + Math.round(box.left) + " to " + Math.round(box.right) + " of " + width);
            }
        }
    };
    document.querySelectorAll("body *").forEach(element =>
        look(element.parentElement, [element.getBoundingClientRect()], element.tagName + "." + element.className));
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        range.selectNodeContents(text);
        look(text.parentElement, range.getClientRects(), JSON.stringify(text.data.slice(0, 40)));
    }
    return Array.from(found).slice(0, 5);
})()"""
SEARCH = """new Promise(done => {
    const input = document.querySelector("[data-md-component=search-query]");
    const result = document.querySelector("[data-md-component=search-result]");
    input.focus();
    input.value = %r;
    input.dispatchEvent(new KeyboardEvent("keyup"));
    const before = result.textContent, start = Date.now();
    (function wait() {
        const changed = result.textContent !== before && /matching/.test(result.textContent);
        changed || Date.now() - start > 5000 ? done(result.textContent.toLowerCase()) : setTimeout(wait, 20);
    })();
})"""
# The chapters that the contents of print.html list, and the pages on which they begin.
CHAPTERS = "Array.from(document.querySelectorAll('.contents a'), link => link.hash.slice(1))"
NUMBER_CONTENTS = """document.querySelectorAll('.contents a').forEach((link, place) => {
    link.parentElement.dataset.page = %r[place]; })"""


def html_files(folder):
    return sorted(glob.glob(f"{folder}/**/*.html", recursive=True))


def look(chromium, path):
    """What is wrong with a page, in words, with the width of the window."""
    page = chromium.open(path)
    page.evaluate(OPEN_FOLDS)
    page.evaluate(STILL)
    problems = page.evaluate(PICTURES)
    for width in WIDTHS:
        page.resize(width)
        problems += [f"at {width} px: {problem}" for problem in page.evaluate(RUNNING_OFF)]
    if path.endswith("/doublify.html"):
        for query, expected in QUERIES.items():
            for width in WIDTHS[::4]:   # on a phone and on a large screen the search looks different
                page.resize(width)
                if expected not in page.evaluate(SEARCH % query):
                    problems.append(f"at {width} px: the search does not answer {query!r}")
                problems += [f"at {width} px, searching: {problem}" for problem in page.evaluate(RUNNING_OFF)]
    problems += [f"asks for {address}" for address in page.requests if not address.startswith(("file:", "data:", "about:"))]
    problems += page.complaints
    page.close()
    return problems


def check(folder):
    files, count = html_files(folder), 0
    with browser.Browser() as chromium:
        for path in files:
            for problem in look(chromium, path):
                print(f"handouts: {os.path.relpath(path, folder)}: {problem}", file=sys.stderr)
                count += 1
    if count or not files:
        sys.exit(f"handouts: {count} problems on {len(files)} pages of {folder}")
    print(f"handouts: looked at {len(files)} pages at {', '.join(map(str, WIDTHS))} px: nothing runs off the window, "
          "nothing in the console, all pictures there, the search answers")


def pdf(folder):
    target = os.path.join(folder, "handouts.pdf")
    with browser.Browser() as chromium:
        page = chromium.open(f"{folder}/print.html")
        page.evaluate(OPEN_FOLDS)
        page.pdf(target)
        with open(target, "rb") as file:
            made = pypdf.PdfReader(io.BytesIO(file.read()))
        numbers = {name.lstrip("/"): made.get_destination_page_number(place) + 1
                   for name, place in made.named_destinations.items()}
        page.evaluate(NUMBER_CONTENTS % [numbers[stem] for stem in page.evaluate(CHAPTERS)])
        page.pdf(target, generateTaggedPDF=True, generateDocumentOutline=True)
    print(f"handouts: {target}, {len(made.pages)} pages, {os.path.getsize(target) // 1024} KB")


def shots(folder):
    os.makedirs(f"{folder}/shots", exist_ok=True)
    with browser.Browser() as chromium:
        for path in glob.glob(f"{folder}/*.html"):
            stem = os.path.basename(path)[:-5]
            for name, settings in (("phone", {"width": 360}), ("dark", {"width": 1280, "dark": True})):
                page = chromium.open(path, **settings)
                page.screenshot(f"{folder}/shots/{stem}-{name}.png")
                page.close()
    print(f"handouts: {folder}/shots")


def main():
    actions = {"check": [check], "pdf": [pdf], "shots": [shots], "all": [check, pdf]}
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in actions:
        sys.exit("usage: look.py check|pdf|shots|all [FOLDER]")
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.relpath(os.path.join(KIT, "build/handouts"))
    print(f"handouts: open {folder}/index.html")
    if browser.find() is None:
        print(f"handouts: neither looked at nor printed: {browser.ABSENT}", file=sys.stderr)
        sys.exit(0 if sys.argv[1] == "all" else 3)
    for action in actions[sys.argv[1]]:
        action(folder)


if __name__ == "__main__":
    main()

"""Looks at the rendered handouts in headless Chromium, and prints them:

    python3 handouts/site/look.py check [FOLDER]     errors in the console, requests to the network, pages wider than the
                                                     screen, pictures, the search
    python3 handouts/site/look.py pdf [FOLDER]       FOLDER/handouts.pdf from print.html
    python3 handouts/site/look.py shots [FOLDER]     FOLDER/shots: each chapter on a phone and dark, for people to look at
    python3 handouts/site/look.py all [FOLDER]       check and pdf; without Chromium it says so, and that is no failure

FOLDER is build/handouts when it is missing. Without Chromium the others say so and end with status 3.
"""

import glob
import os
import sys

KIT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(KIT, "tests"))
import browser  # noqa: E402

WIDTHS = (360, 800, 1280)
QUERIES = {"guard": "guard", "bank conflict": "bank", "__syncthreads": "barrier", "no such words anywhere": "nothing found"}
OPEN_FOLDS = "document.querySelectorAll('details').forEach(fold => { fold.open = true; })"
PICTURES = """Array.from(document.images, picture =>
    (picture.complete && picture.naturalWidth > 0 ? "" : "not there: " + picture.src) +
    (picture.alt.length < 20 ? "no description: " + picture.src : "")).filter(words => words !== "")"""
SEARCH = """(query => {
    const input = document.getElementById("search");
    input.value = query;
    input.dispatchEvent(new Event("input"));
    return document.getElementById("found").textContent.toLowerCase();
})"""


def html_files(folder):
    return sorted(glob.glob(f"{folder}/*.html"))


def look(chromium, path, width):
    """What is wrong with a page on a screen of this width, in words."""
    page = chromium.open(path, width=width)
    page.evaluate(OPEN_FOLDS)
    problems = page.wider_than_window() + page.evaluate(PICTURES)
    problems += [f"asks for {address}" for address in page.requests if not address.startswith(("file:", "data:"))]
    if path.endswith("/index.html"):
        for query, expected in QUERIES.items():
            if expected not in page.evaluate(f"{SEARCH}('{query}')"):
                problems.append(f"the search does not answer {query!r}")
            problems += page.wider_than_window()
    problems += page.complaints
    page.close()
    return [f"{os.path.basename(path)} at {width} px: {problem}" for problem in problems]


def check(folder):
    problems, looked = [], 0
    with browser.Browser() as chromium:
        for path in html_files(folder):
            # A page of code looks like any other: once is enough.
            for width in WIDTHS[:1] if os.path.basename(path).startswith("source_") else WIDTHS:
                problems += look(chromium, path, width)
                looked += 1
    for problem in problems:
        print(f"handouts: {problem}", file=sys.stderr)
    if problems or looked == 0:
        sys.exit(f"handouts: {len(problems)} problems on {looked} pages of {folder}")
    print(f"handouts: looked at {looked} pages at {', '.join(map(str, WIDTHS))} px: nothing wider than the screen, nothing "
          "in the console, all pictures there, the search answers")


def pdf(folder):
    target = os.path.join(folder, "handouts.pdf")
    with browser.Browser() as chromium:
        chromium.open(f"{folder}/print.html").pdf(target, generateTaggedPDF=True, generateDocumentOutline=True)
    print(f"handouts: {target}, {os.path.getsize(target) // 1024} KB")


def shots(folder):
    os.makedirs(f"{folder}/shots", exist_ok=True)
    with browser.Browser() as chromium:
        for path in html_files(folder):
            stem = os.path.basename(path)[:-5]
            if stem.startswith("source_") or stem == "print":
                continue
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
    if browser.find() is None:
        print(f"handouts: neither looked at nor printed: {browser.ABSENT}", file=sys.stderr)
        sys.exit(0 if sys.argv[1] == "all" else 3)
    for action in actions[sys.argv[1]]:
        action(folder)


if __name__ == "__main__":
    main()

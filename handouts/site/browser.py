"""Looks at the rendered handouts in headless Chromium, and prints them:

    python3 handouts/site/browser.py check [FOLDER]     console errors, pages wider than the screen, pictures, the search
    python3 handouts/site/browser.py pdf [FOLDER]       FOLDER/handouts.pdf from print.html
    python3 handouts/site/browser.py all [FOLDER]       both; without Chromium it says so, and that is no failure

FOLDER is build/handouts when it is missing. Without Chromium check and pdf say so and end with status 3.
"""

import functools
import glob
import html
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
WIDTHS = (360, 800, 1280)
QUERIES = {"guard": "guard", "bank conflict": "bank", "__syncthreads": "barrier"}
PAGE = """<!DOCTYPE html>
<meta charset="utf-8"><title>check</title><link rel="icon" href="data:,"><pre id="result">unfinished</pre>
<script>
"use strict";
const PAGES = %s, WIDTHS = %s, QUERIES = %s;
const problems = [];
let looked = 0;

function load(page, width) {
    return new Promise(function (resolve) {
        const frame = document.createElement("iframe");
        frame.style.cssText = `width: ${width}px; height: 700px; border: 0`;
        frame.onload = function () { resolve(frame); };
        frame.src = page;
        document.body.append(frame);
    });
}

function widest(page) {
    let found = null, right = page.documentElement.clientWidth + 1;
    for (const element of page.querySelectorAll("main *, header *")) {
        if (element.closest("pre, .wide, #found") === null && element.getBoundingClientRect().right > right) {
            right = element.getBoundingClientRect().right;
            found = element;
        }
    }
    return found === null ? "?" : found.outerHTML.slice(0, 120);
}

async function look(name, width) {
    const frame = await load(name, width);
    const page = frame.contentDocument;
    looked += 1;
    for (const fold of page.querySelectorAll("details")) {
        fold.open = true;
    }
    if (page.documentElement.scrollWidth > width) {
        problems.push(`${name} at ${width} px is ${page.documentElement.scrollWidth} px wide: ${widest(page)}`);
    }
    for (const picture of page.images) {
        await picture.decode().catch(function () { problems.push(`${name}: no picture ${picture.src}`); });
        if (picture.alt.length < 20) {
            problems.push(`${name}: a picture without a description: ${picture.src}`);
        }
    }
    if (name === "index.html" && width === WIDTHS[0]) {
        const input = page.getElementById("search");
        for (const [query, expected] of Object.entries(QUERIES)) {
            input.value = query;
            input.dispatchEvent(new Event("input"));
            const found = page.querySelectorAll("#found a");
            if (found.length === 0 || !page.getElementById("found").textContent.toLowerCase().includes(expected)) {
                problems.push(`the search finds nothing for ${query}`);
            }
        }
        if (page.documentElement.scrollWidth > width) {
            problems.push(`${name}: what the search found is wider than the screen`);
        }
    }
    frame.remove();
}

(async function () {
    for (const name of PAGES) {
        for (const width of WIDTHS) {
            await look(name, width);
        }
    }
    document.getElementById("result").textContent = JSON.stringify({looked: looked, problems: problems});
}());
</script>
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    """The folder, and the page that looks at it."""

    check_page = ""

    def do_GET(self):
        if self.path != "/check-all":
            super().do_GET()
            return
        body = self.check_page.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_words):
        pass


def find_program():
    return next((path for path in map(shutil.which, NAMES) if path), None)


def chromium(*arguments, timeout=240):
    """Runs Chromium without a window, with a profile of its own; what it printed."""
    program = find_program()
    with tempfile.TemporaryDirectory() as profile:
        command = [program, "--headless", "--disable-gpu", "--no-first-run", f"--user-data-dir={profile}", *arguments]
        if os.geteuid() == 0:
            command.insert(1, "--no-sandbox")   # Chromium's own sandbox refuses to run as root
        return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True, timeout=timeout, check=False)


def check(folder):
    pages = sorted(os.path.basename(path) for path in glob.glob(f"{folder}/*.html"))
    Handler.check_page = PAGE % (json.dumps(pages), json.dumps(WIDTHS), json.dumps(QUERIES))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    done = chromium("--enable-logging=stderr", "--virtual-time-budget=600000", "--dump-dom",
                    f"http://127.0.0.1:{server.server_address[1]}/check-all")
    server.shutdown()
    problems = [line.split("CONSOLE", 1)[1] for line in done.stderr.splitlines() if "CONSOLE" in line]
    result = re.search(r'<pre id="result">(.*?)</pre>', done.stdout, re.S)
    try:
        found = json.loads(html.unescape(result.group(1))) if result else None
    except json.JSONDecodeError:
        found = None
    if found is None:
        sys.exit(f"handouts: the check did not finish; Chromium said:\n{done.stderr[-2000:]}")
    problems += found["problems"]
    for problem in problems:
        print(f"handouts: {problem}", file=sys.stderr)
    if problems:
        sys.exit(1)
    print(f"handouts: {len(pages)} pages at {', '.join(map(str, WIDTHS))} px: nothing wider than the screen, no error in "
          "the console, all pictures there, the search finds")


def pdf(folder):
    target = os.path.abspath(f"{folder}/handouts.pdf")
    done = chromium("--no-pdf-header-footer", f"--print-to-pdf={target}", f"file://{os.path.abspath(folder)}/print.html")
    if done.returncode != 0 or not os.path.exists(target):
        sys.exit(f"handouts: no PDF was written; Chromium said:\n{done.stderr[-2000:]}")
    print(f"handouts: {os.path.relpath(target)}, {os.path.getsize(target) // 1024} KB")


def main():
    actions = {"check": [check], "pdf": [pdf], "all": [check, pdf]}
    if len(sys.argv) not in (2, 3) or sys.argv[1] not in actions:
        sys.exit("usage: browser.py check|pdf|all [FOLDER]")
    kit = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    folder = sys.argv[2] if len(sys.argv) > 2 else os.path.relpath(os.path.join(kit, "build/handouts"))
    if find_program() is None:
        print("handouts: no Chromium here, so the pages were neither looked at nor printed as PDF. To have both: "
              "apt-get install chromium, or Google Chrome", file=sys.stderr)
        sys.exit(0 if sys.argv[1] == "all" else 3)
    for action in actions[sys.argv[1]]:
        action(folder)


if __name__ == "__main__":
    main()

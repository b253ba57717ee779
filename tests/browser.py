"""A headless Chromium for tests of pages, spoken to over a pipe in its DevTools protocol: no driver, no port, no network.

    with browser.Browser() as chromium:
        page = chromium.open("/path/page.html", width=360)       # a phone; dark=True, script=False, media="print"
        page.evaluate("document.title"); page.complaints; page.requests; page.wider_than_window(); page.screenshot("a.png")

browser.find() is the program's path, None where there is none; tests skip then, with the reason.
"""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ABSENT = "there is no Chromium: apt-get install chromium"
DEADLINE_SECONDS = 1500   # no verdict on a slow machine: what takes so long never comes

# Runs in the page. Elements that stick out of the window, unless something around them scrolls or hides that.
STICKING_OUT = """
(function () {
    var width = document.documentElement.clientWidth, found = [];
    document.querySelectorAll("body *").forEach(function (element) {
        var box = element.getBoundingClientRect();
        if (box.width === 0 || box.right <= width + 1) { return; }
        for (var at = element; at && at !== document.body; at = at.parentElement) {
            if (at.namespaceURI.endsWith("svg") || getComputedStyle(at).overflowX !== "visible") { return; }
        }
        found.push(element.tagName + "." + element.className + " ends at " + Math.round(box.right) + " of " + width);
    });
    if (document.documentElement.scrollWidth > width) { found.push("the page is " + document.documentElement.scrollWidth); }
    return found;
})()
"""


def find():
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Page:
    """An open page: what it complained of and what it asked for, and questions to it."""

    def __init__(self, browser, session):
        self.browser, self.session = browser, session
        self.complaints, self.requests, self.loaded = [], [], False

    def send(self, method, **parameters):
        return self.browser.send(method, self.session, **parameters)

    def take(self, method, parameters):
        """An event of the browser."""
        if method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Log.entryAdded":
            self.complaints.append(parameters["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(parameters["exceptionDetails"].get("exception", {}).get("description", "exception"))
        elif method == "Runtime.consoleAPICalled":
            self.complaints.append(str(parameters["args"]))
        elif method == "Page.loadEventFired":
            self.loaded = True

    def evaluate(self, script):
        """The value of an expression in the page."""
        answer = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise AssertionError(f"{script}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def set_window(self, width, height=800):
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def resize(self, width):
        """Another width for the open page; returns when it has been laid out and its scripts have seen that."""
        self.set_window(width)
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")

    def wider_than_window(self):
        """What makes the page scroll sideways, in words; [] when nothing does."""
        return self.evaluate(STICKING_OUT)

    def press(self, key):
        """A key without text: "Tab", "Enter"."""
        codes = {
            "Tab": 9,
            "Enter": 13,
            "ArrowLeft": 37,
            "ArrowUp": 38,
            "ArrowRight": 39,
            "ArrowDown": 40,
            "n": 78,
            "f": 70,
            "Home": 36,
            "End": 35
        }
        texts = {"Enter": "\r", "n": "n", "f": "f"}
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=codes[key],
                      **({"text": texts[key]} if kind == "keyDown" and key in texts else {}))

    def screenshot(self, path, whole=True):
        data = self.send("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def pdf(self, path, **settings):
        data = self.send("Page.printToPDF", preferCSSPageSize=True, printBackground=True, **settings)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(data))

    def close(self):
        self.send("Page.close")


class Browser:
    """One running Chromium with a profile of its own."""

    def __enter__(self):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_browser, self.output = os.pipe()
        self.input, from_browser = os.pipe()
        self.process = subprocess.Popen(
            ["bash", "-c", f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser} > /dev/null 2>&1', find(), "--headless=new",
             "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run", "--disable-background-networking",
             "--disable-component-update", "--disable-default-apps", "--disable-sync", "--disable-dev-shm-usage",
             f"--user-data-dir={self.profile.name}", "--remote-debugging-pipe", "about:blank"],
            pass_fds=(to_browser, from_browser), stdin=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.answers, self.pages = b"", 0, {}, {}
        return self

    def __exit__(self, *_):
        try:
            self.send("Browser.close")
        except (AssertionError, OSError):
            self.process.kill()
        self.process.wait()
        os.close(self.input)
        os.close(self.output)
        self.profile.cleanup()

    def receive(self, deadline):
        """Takes one message."""
        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.input], [], [], max(0, deadline - time.monotonic()))
            data = os.read(self.input, 1 << 20) if ready else b""
            if not data:
                raise AssertionError("Chromium does not answer" if not ready else "Chromium ended")
            self.buffer += data
        text, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(text)
        if "id" in message:
            self.answers[message["id"]] = message
        elif message.get("sessionId") in self.pages:
            self.pages[message["sessionId"]].take(message["method"], message["params"])

    def send(self, method, session=None, **parameters):
        """Asks, and waits for the answer."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self.output, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + DEADLINE_SECONDS
        while self.number not in self.answers:
            self.receive(deadline)
        answer = self.answers.pop(self.number)
        if "error" in answer:
            raise AssertionError(f"{method}: {answer['error']}")
        return answer["result"]

    def open(self, path, width=1000, height=800, dark=False, script=True, media=""):
        """Loads a file and waits until it has loaded. Returns its Page."""
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self.pages[session] = Page(self, session)
        for domain in ("Page", "Log", "Runtime", "Network"):
            page.send(f"{domain}.enable")
        page.set_window(width, height)
        page.send("Emulation.setEmulatedMedia", media=media,
                  features=[{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}])
        page.send("Emulation.setScriptExecutionDisabled", value=not script)
        page.send("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        deadline = time.monotonic() + DEADLINE_SECONDS
        while not page.loaded:
            self.receive(deadline)
        return page

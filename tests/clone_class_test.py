"""ci/clone-class against a GitHub of the test's own: an HTTP server that knows the pushes, repositories on the disk."""

import http.server
import json
import os
import subprocess
import tempfile
import threading
import unittest
import urllib.parse

from classes import with_program

PAGE = 2   # activities on a page


def git(folder, *words, **environment):
    return subprocess.run(["git", "-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", *words], check=True, text=True,
                          stdout=subprocess.PIPE, env={**os.environ, **environment}).stdout.strip()


class GitHub(http.server.BaseHTTPRequestHandler):
    """What the server knows is in self.server.activities: {repository: [activity], the newest first}."""

    def do_GET(self):
        address = urllib.parse.urlsplit(self.path)
        query = urllib.parse.parse_qs(address.query)
        repository = "/".join(address.path.split("/")[2:4])
        self.server.tokens.add(self.headers.get("Authorization"))
        if repository not in self.server.activities:
            return self.answer(404, {})
        if not address.path.endswith("/activity"):
            return self.answer(200, {"default_branch": "main"})
        start = int(query.get("after", ["0"])[0])
        known = [one for one in self.server.activities[repository] if one["ref"] == query["ref"][0]]
        words = urllib.parse.urlencode({"ref": query["ref"][0], "after": start + PAGE})
        following = f"{self.server.address}{address.path}?{words}"
        return self.answer(200, known[start:start + PAGE], following if start + PAGE < len(known) else None)

    def answer(self, status, document, following=None):
        self.send_response(status)
        if following:
            self.send_header("Link", f'<{following}>; rel="next"')
        self.end_headers()
        self.wfile.write(json.dumps(document).encode())

    def log_message(self, *_):
        pass


@with_program("git", "git")
class CloneClass(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.root = directory.name
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), GitHub)
        self.server.address = f"http://127.0.0.1:{self.server.server_port}"
        self.server.activities, self.server.tokens = {}, set()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def repository(self, name, pushes):
        """pushes: [(time of the push, date that the author gave the commit, text or None for a deleted branch)]"""
        folder = os.path.join(self.root, "github", name + ".git")
        os.makedirs(folder)
        git(folder, "init", "--quiet", "-b", "main")
        activities = []
        for time, date, text in pushes:
            if text is None:
                commit = "0" * 40
            else:
                with open(os.path.join(folder, "scan.cu"), "w", encoding="utf-8") as file:
                    file.write(text)
                git(folder, "add", "-A")
                git(folder, "commit", "--quiet", "--allow-empty", "-m", "x", GIT_AUTHOR_DATE=date, GIT_COMMITTER_DATE=date)
                commit = git(folder, "rev-parse", "HEAD")
            activities.insert(0, {"ref": "refs/heads/main", "timestamp": time, "after": commit})
        activities.insert(0, {"ref": "refs/heads/other", "timestamp": "2026-01-01T00:00:00Z", "after": "1" * 40})
        self.server.activities[name] = activities
        return folder

    def clone(self, table, *words, deadline="2026-11-09T18:00+01:00", status=0):
        path = os.path.join(self.root, "repositories.csv")
        with open(path, "w", encoding="utf-8") as file:
            file.write("id,repository\n" + table)
        environment = {**os.environ, "GITHUB_API_URL": self.server.address, "GH_TOKEN": "secret",
                       "GITHUB_SERVER_URL": f"file://{self.root}/github"}
        done = subprocess.run([os.path.abspath("ci/clone-class"), "--deadline", deadline, *words, path], cwd=self.root,
                              env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              text=True, check=False)
        self.assertEqual(done.returncode, status, done.stdout)
        return done.stdout

    def read(self, path):
        with open(os.path.join(self.root, path), encoding="utf-8") as file:
            return file.read()

    def test_takes_what_had_been_pushed_and_not_what_a_commit_says_of_its_date(self):
        self.repository("s/ann", [("2026-11-09T16:59:00Z", "2026-11-01T00:00:00Z", "in time"),
                                  ("2026-11-09T17:00:01Z", "2026-11-01T00:00:00Z", "a second late"),
                                  ("2026-11-10T08:00:00Z", "2020-01-01T00:00:00Z", "a day late, dated years before"),
                                  ("2026-11-10T09:00:00Z", "2020-01-01T00:00:00Z", "and again")])
        self.repository("s/ben", [("2026-11-09T17:00:00Z", "2030-01-01T00:00:00Z", "on the second, dated years after")])
        self.repository("s/eve", [("2026-11-09T17:00:01Z", "2026-11-01T00:00:00Z", "late")])
        self.repository("s/joe", [("2026-11-09T10:00:00Z", "2026-11-01T00:00:00Z", "x"), ("2026-11-09T11:00:00Z", "", None)])
        said = self.clone("1,s/ann\n2,s/ben\n3,s/eve\n4,s/joe\n")
        self.assertEqual((self.read("class/1/scan.cu"), self.read("class/2/scan.cu")),
                         ("in time", "on the second, dated years after"))
        self.assertEqual(self.read("class/timestamps.csv"), "id,submitted\n1,2026-11-09T16:59:00Z\n2,2026-11-09T17:00:00Z\n")
        self.assertIn("Nothing on the branch at the deadline: 3, 4.", said)
        self.assertEqual(sorted(os.listdir(os.path.join(self.root, "class"))), [".deadline", "1", "2", "timestamps.csv"])
        self.assertEqual(os.listdir(os.path.join(self.root, "class/1")), ["scan.cu"])
        self.assertEqual(self.server.tokens, {"Bearer secret"})

    def test_goes_on_where_it_stopped_and_mixes_no_deadlines(self):
        self.repository("s/ann", [("2026-11-09T10:00:00Z", "2026-11-01T00:00:00Z", "hers")])
        said = self.clone("1,s/ann\n2,s/ben\n", status=1)
        self.assertIn("2: s/ben: there is no such repository, or GH_TOKEN may not see it", said)
        with open(os.path.join(self.root, "class/1/note"), "w", encoding="utf-8"):
            pass
        self.repository("s/ben", [("2026-11-09T10:00:00Z", "2026-11-01T00:00:00Z", "his")])
        said = self.clone("1,s/ann\n2,s/ben\n", deadline="2026-11-09T17:00Z")   # the same moment
        self.assertNotIn("s/ann", said)
        self.assertTrue(os.path.exists(os.path.join(self.root, "class/1/note")))
        self.assertEqual(self.read("class/2/scan.cu"), "his")
        self.assertIn("Name another folder", self.clone("1,s/ann\n", deadline="2026-12-09T17:00Z", status=2))

    def test_makes_no_link_and_runs_nothing_of_a_repository(self):
        folder = self.repository("s/ann", [("2026-11-09T10:00:00Z", "2026-11-01T00:00:00Z", "x")])
        os.symlink("/etc/passwd", os.path.join(folder, "pi.cu"))
        with open(os.path.join(folder, ".gitattributes"), "w", encoding="utf-8") as file:
            file.write("* filter=own\n")
        git(folder, "add", "-A")
        git(folder, "commit", "--quiet", "-m", "x")
        self.server.activities["s/ann"][1]["after"] = git(folder, "rev-parse", "HEAD")
        self.clone("1,s/ann\n")
        self.assertFalse(os.path.islink(os.path.join(self.root, "class/1/pi.cu")))
        self.assertEqual(self.read("class/1/pi.cu"), "/etc/passwd")

    def test_refuses_tables_and_times_that_cannot_be_meant(self):
        for table, expected in (("../x,s/ann\n", "cannot be the name of a folder"),
                                ("1,ann\n", "not of the form OWNER/NAME"), ("1,s/ann\n1,s/ben\n", "is there twice"),
                                ("timestamps.csv,s/ann\n", "cannot be the name")):
            self.assertIn(expected, self.clone(table, status=2))
        for time in ("2026-11-09T18:00", "tomorrow"):
            self.assertIn("with an offset", self.clone("1,s/ann\n", deadline=time, status=2))


if __name__ == "__main__":
    unittest.main()

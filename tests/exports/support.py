"""What the tests of the exports share: starting the command, files in a folder of the test's own, the hostile strings."""

import contextlib
import io
import json
import os
import subprocess
import sys
import tempfile
import unittest
import unittest.mock
import warnings

from exports import results

sys.path.insert(0, "grader/pages")
from export import command  # noqa: E402 (the path must be set first)

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jsonschema

BUILD = os.environ.get("LOCKSTEP_BUILD", "build")


def lockstep(*words, input=None, stdout=subprocess.PIPE, environment=None):
    """Runs build/lockstep; stdout and stderr as text, exactly as written (no translation of line ends)."""
    data = None if input is None else input.encode("utf-8", "surrogatepass")
    done = subprocess.run([f"{BUILD}/lockstep", *words], input=data, stdout=stdout, stderr=subprocess.PIPE, check=False, env=None if environment is None else {**os.environ, **environment})
    done.stdout = None if done.stdout is None else done.stdout.decode("utf-8")
    done.stderr = done.stderr.decode("utf-8")
    return done


def convert(*words, environment=None):
    """The same for `lockstep export WORDS`, inside this process, which is much quicker."""
    streams = io.TextIOWrapper(io.BytesIO(), "utf-8", newline=""), io.TextIOWrapper(io.BytesIO(), "utf-8", newline="")
    with contextlib.redirect_stdout(streams[0]), contextlib.redirect_stderr(streams[1]), \
            unittest.mock.patch.dict(os.environ, environment or {}):
        status = command.main(list(words))
    texts = []
    for stream in streams:
        stream.flush()
        texts.append(stream.buffer.getvalue().decode("utf-8"))
    return subprocess.CompletedProcess(words, status, *texts)


class Case(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = directory.name

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8", errors="surrogatepass", newline="") as file:
            file.write(text)
        return path

    def result_file(self, result=None):
        return self.write("result.json", json.dumps(results.full() if result is None else result))

    def export(self, form, result, *options, status=0, environment=None):
        """What the command writes on standard output."""
        done = convert(form, self.result_file(result), *options, environment=environment)
        self.assertEqual(done.returncode, status, done.stderr)
        self.remarks = done.stderr
        return done.stdout

    def assert_valid(self, document, schema):
        jsonschema.Draft7Validator.check_schema(schema)
        mistakes = [f"{list(error.absolute_path)}: {error.message}"
                    for error in jsonschema.Draft7Validator(schema).iter_errors(document)]
        self.assertEqual(mistakes, [])

    def assert_harmless(self, text):
        """No escape sequence, no control character, nothing that reverses or hides text."""
        for character in text:
            self.assertFalse(character in results.FORBIDDEN, f"{character!r} in {text[:200]!r}")

"""Runs one unittest file for the test runner: report.py DESCRIPTOR FILE [TEST]...

Reports on the open file DESCRIPTOR in the lines that tests/main.c documents. TEST is a method's name.
"""

import importlib.util
import os
import sys
import traceback
import unittest


class Report(unittest.TestResult):
    """Writes plan, test, fail and end lines."""

    def __init__(self, stream):
        super().__init__()
        self.stream = stream
        self.wrong = False

    def say(self, kind, text=""):
        print(kind, " ".join(str(text).split()), file=self.stream, flush=True)

    def startTest(self, test):
        super().startTest(test)
        self.say("test", test.id().rsplit(".", 1)[-1])

    def stopTest(self, test):
        super().stopTest(test)
        self.say("end")

    def fail(self, error):
        self.wrong = True
        frames = [f for f in traceback.extract_tb(error[2]) if "unittest" not in f.filename]
        where = f"{frames[-1].filename}:{frames[-1].lineno}: " if frames else ""
        self.say("fail", f"{where}{error[0].__name__}: {error[1]}"[:2000])
        traceback.print_exception(*error)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.fail(err)

    def addError(self, test, err):
        super().addError(test, err)
        self.fail(err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.fail(err)

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.say("skip", reason)

    def addUnexpectedSuccess(self, test):
        super().addUnexpectedSuccess(test)
        self.wrong = True
        self.say("fail", "passed, but is marked as expected to fail")


def cases(suite):
    for part in suite:
        if isinstance(part, unittest.TestSuite):
            yield from cases(part)
        else:
            yield part


def main():
    descriptor, path, wanted = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
    report = Report(os.fdopen(descriptor, "w", encoding="utf-8"))
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    selected = unittest.TestSuite(
        case for case in cases(unittest.defaultTestLoader.loadTestsFromModule(module))
        if not wanted or case.id().rsplit(".", 1)[-1] in wanted)
    report.say("plan", selected.countTestCases())
    selected.run(report)
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

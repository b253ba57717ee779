"""Runs one unittest file for the test runner: report.py DESCRIPTOR FILE CLASS CLASSES [TEST]...

Reports on the open file DESCRIPTOR in the lines that tests/main.c documents. TEST is a method's name. Tests of the CLASSES
run (a list with commas); CLASS is that of a test that is not marked with another one (tests/classes.py).
"""

import importlib.util
import os
import resource
import sys
import traceback
import unittest
import unittest.util


def processor_seconds():
    """Of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Report(unittest.TestResult):
    """Writes plan, test, fail and end lines."""

    def __init__(self, stream):
        super().__init__()
        self.stream = stream
        self.wrong = False
        self.started = 0.0
        self.planned = []

    def say(self, kind, text=""):
        print(kind, " ".join(str(text).split()), file=self.stream, flush=True)

    def startTest(self, test):
        super().startTest(test)
        self.started = processor_seconds()
        self.say("test", test.id().rsplit(".", 1)[-1])

    def stopTest(self, test):
        super().stopTest(test)
        self.say("end", f"{processor_seconds() - self.started:.3f}")

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
        if isinstance(test, unittest.TestCase):
            self.say("skip", reason)
            return
        # setUpClass skipped a whole class: unittest names the class and starts none of its tests.
        for case in self.planned:
            if unittest.util.strclass(type(case)) in str(test):
                self.say("test", case.id().rsplit(".", 1)[-1])
                self.say("skip", reason)
                self.say("end", "0")

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


def needs(case, of_suite):
    """The class of a test: its own, else that of its TestCase, else the suite's."""
    method = getattr(case, case._testMethodName, None)   # pylint: disable=protected-access
    return getattr(method, "needs", None) or getattr(type(case), "needs", None) or of_suite


def main():
    descriptor, path, of_suite, classes, wanted = int(sys.argv[1]), *sys.argv[2:5], sys.argv[5:]
    report = Report(os.fdopen(descriptor, "w", encoding="utf-8"))
    sys.path.insert(0, os.path.dirname(path))
    spec = importlib.util.spec_from_file_location(os.path.basename(path)[:-3], path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    selected = unittest.TestSuite(
        case for case in cases(unittest.defaultTestLoader.loadTestsFromModule(module))
        if not wanted or case.id().rsplit(".", 1)[-1] in wanted)
    left_out = [case for case in selected if needs(case, of_suite) not in classes.split(",")]
    selected = unittest.TestSuite(case for case in selected if case not in left_out)
    report.say("left", len(left_out))
    report.planned = list(selected)
    report.say("plan", len(report.planned))
    selected.run(report)
    return 1 if report.wrong else 0


if __name__ == "__main__":
    sys.exit(main())

"""JUnit XML, against an XML schema (where xmllint is installed) and by reading it back."""

import shutil
import subprocess
import unittest
from xml.etree import ElementTree

from classes import host
from exports import results
from exports.support import Case

XSD = "tests/exports/junit.xsd"


class JUnit(Case):
    def made(self, result):
        text = self.export("junit", result)
        root = ElementTree.fromstring(text)
        for suite in root:
            cases = suite.findall("testcase")
            self.assertEqual(int(suite.get("tests")), len(cases))
            for name, element in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
                self.assertEqual(int(suite.get(name)), len(suite.findall(f"testcase/{element}")))
        for name in ("tests", "failures", "errors", "skipped"):
            self.assertEqual(int(root.get(name)), sum(int(suite.get(name)) for suite in root))
        return text, root

    def outcomes(self, result):
        """{(classname, name): element of the outcome, or None}"""
        return {(case.get("classname"), case.get("name")): next(iter(case), None)
                for case in self.made(result)[1].iter("testcase")}

    def test_tells_failures_from_errors_from_what_did_not_run(self):
        found = self.outcomes(results.full())
        self.assertIsNone(found["vector_add.tests", "n = 1"])
        self.assertEqual(found["scan.tests", "n = 1"].tag, "failure")
        self.assertEqual(found["scan.tests", "n = 33"].tag, "skipped")
        self.assertEqual(found["histogram.tests", "n = 1"].tag, "error")
        self.assertEqual(found["vector_add.performance", "global sectors"].tag, "failure")
        self.assertEqual(found["vector_add.performance", "time: milliseconds"].tag, "skipped")
        endless = results.full()
        endless["labs"][1]["tests"][0]["findings"][0]["code"] = "fuel"
        self.assertEqual(self.outcomes(endless)["scan.tests", "n = 1"].tag, "error")
        self.assertEqual(self.outcomes(results.harness_error())["scan.tests", "n = 1"].get("type"), "harness_error")

    def test_keeps_hidden_tests_closed(self):
        text, _ = self.made(results.full())
        self.assertNotIn("4711", text)
        self.assertEqual(self.outcomes(results.full())["scan.hidden", "n = 1000"].get("message"),
                         "a hidden test fails: out of bounds")

    def test_is_harmless(self):
        text, root = self.made(results.hostile())
        self.assert_harmless(text)
        for element in root.iter():
            self.assert_harmless(element.text or "")
        self.assertIn("]]> &amp; </failure>", next(root.iter("failure")).text)

    @host
    @unittest.skipUnless(shutil.which("xmllint"), "xmllint (Debian: libxml2-utils) is not installed")
    def test_keeps_to_the_schema(self):
        def complaints(text):
            checked = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", XSD, self.write("junit.xml", text)],
                                     capture_output=True, text=True, check=False)
            return None if checked.returncode == 0 else checked.stderr

        for result in (results.full(), results.hostile(), results.perfect(), results.result([])):
            self.assertIsNone(complaints(self.made(result)[0]))
        self.assertIsNotNone(complaints(self.made(results.full())[0].replace("classname=", "class=", 1)))

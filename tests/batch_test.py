"""Classes: the examples keep to grader/class.schema.json, and the schema notices what does not."""

import copy
import json
import unittest
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jsonschema


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        schema = load("grader/class.schema.json")
        jsonschema.Draft7Validator.check_schema(schema)
        cls.validator = jsonschema.Draft7Validator(schema)

    def mistakes(self, document):
        return [f"{list(error.absolute_path)}: {error.message}" for error in self.validator.iter_errors(document)]

    def test_examples_are_valid(self):
        for name in ("small", "messy"):
            with self.subTest(name=name):
                self.assertEqual(self.mistakes(load(f"tests/fixtures/class/{name}.json")), [])

    def test_the_schema_notices_what_is_wrong(self):
        good = load("tests/fixtures/class/small.json")

        def broken(change):
            document = copy.deepcopy(good)
            change(document)
            return self.mistakes(document)

        self.assertTrue(broken(lambda c: c.pop("seed")))
        self.assertTrue(broken(lambda c: c.update(throughput={})))
        self.assertTrue(broken(lambda c: c["students"][0].update(state="good")))
        self.assertTrue(broken(lambda c: c["students"][0].update(id="a\nb")))
        self.assertTrue(broken(lambda c: c["students"][0].update(percent=101)))
        self.assertTrue(broken(lambda c: c["students"][0]["labs"][0].update(final_score=1.5)))
        self.assertTrue(broken(lambda c: c.update(duplicates=[{"lab": "04_scan", "students": ["a"], "similarity": 1}])))


if __name__ == "__main__":
    unittest.main()

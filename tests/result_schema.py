"""What every result file keeps to: grader/result/result.schema.json, and sums.

result_schema.py FILE... says what does not, and exits with status 1 then.
"""

import json
import sys
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import jsonschema


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def validator():
    schema = load("grader/result/result.schema.json")
    jsonschema.Draft7Validator.check_schema(schema)
    return jsonschema.Draft7Validator(schema)


def mistakes(judge, result):
    """What is wrong with a result: a list of texts."""
    found = [f"{list(error.absolute_path)}: {error.message}" for error in judge.iter_errors(result)]
    if found:
        return found
    if result["score"] != sum(lab["score"] for lab in result["labs"]):
        found.append("the score is not the sum of the labs'")
    # Keys that came later are not required, so that older results stay good; the grader writes them anyway.
    keys = set(judge.schema["definitions"]["lab"]["properties"]) - {"hints_used"}
    for lab in result["labs"]:
        parts = lab["tests"] + lab["performance"]
        if keys - set(lab):
            found.append(f"{lab['lab']}: no {', '.join(sorted(keys - set(lab)))}")
        for name in ("score", "max_score"):
            if lab[name] != sum(part[name] for part in parts):
                found.append(f"{lab['lab']}: the {name} is not the sum of the parts'")
        found += [f"{lab['lab']}: a part has more points than there are" for part in parts
                  if part["score"] > part["max_score"]]
    return found


def main():
    judge = validator()
    found = [f"{path}: {mistake}" for path in sys.argv[1:] for mistake in mistakes(judge, load(path))]
    print("\n".join(found) if found else f"{len(sys.argv) - 1} results are good")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

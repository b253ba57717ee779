"""What people decided about a student (class.json: decisions), for those who read a page or a table."""

from export.text import plain

# Concern every lab where they name none.
FOR_EVERY_LAB = ("group", "extension", "excuse")


def of_lab(student, lab):
    """The decisions about a lab, those for all labs among them, in their order."""
    every = [one for one in student.get("decisions", ()) if one["what"] in FOR_EVERY_LAB]
    return sorted(lab.get("decisions", []) + every, key=lambda one: one["line"])


def brief(decision):
    """"score 60, by Kim: the timer was wrong", for graders."""
    value = f" {decision['value']}" if decision["value"] else ""
    why = f": {decision['why']}" if decision["why"] else ""
    return f"{decision['what']}{value}, by {decision['by']}{why}"


def for_student(decision):
    """The decision with its reason, unless that is private."""
    reason = decision["why"] if not decision["private"] else None
    return f"{decision['words']} Reason: {reason}" if reason else decision["words"]


def changes_points(lab):
    """Did a person set, raise or lower the lab's points?"""
    return "decided_score" in lab or "bonus" in lab


def everything(student):
    """(lab or None, decision) of a student, in the order of the file."""
    found = [(None, one) for one in student.get("decisions", ())]
    found += [(lab["lab"], one) for lab in student["labs"] for one in lab.get("decisions", ())]
    return sorted(found, key=lambda pair: pair[1]["line"])


# ---- the result of one student (result.json: decided) --------------------------------------------------------------------


def of_result(result, name):
    """What was decided about a lab of the result: {final_score, max_score, exempt, words}; None."""
    labs = result.get("decided", {}).get("labs", ())
    return next((lab for lab in labs if lab["lab"] == name), None)


def lab_lines(result, name):
    """Lines for the student: the score that counts, and what was decided."""
    lab = of_result(result, name)
    if lab is None:
        return []
    counted = [f"{lab['final_score']} of {lab['max_score']} points count."] if lab["final_score"] is not None else []
    return (counted if not lab["exempt"] else []) + [plain(words) for words in lab["words"]]


def result_lines(result):
    """Lines for the student about the whole course, then about each lab; none where nothing was decided."""
    known = result.get("decided")
    if not known:
        return []
    lines = [plain(words) for words in known["words"]]
    for lab in known["labs"]:
        lines += [f"{lab['lab']}: {words}" for words in lab_lines(result, lab["lab"])]
    return lines

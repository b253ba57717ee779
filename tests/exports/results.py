"""Result files for the tests of the exports, made by hand so that every state, null and nasty string occurs."""

import copy

# What must not come out of any export: C0 but tab, CR and LF; DEL; C1; bidi controls; zero width; line separators; BOM.
FORBIDDEN = frozenset(chr(code) for code in (
    *range(0x00, 0x09), 0x0B, 0x0C, *range(0x0E, 0x20), *range(0x7F, 0xA0), 0x061C, 0x200B, 0x200E, 0x200F,
    *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF, 0xFFFE, *range(0xD800, 0xE000)))

NASTY = ("\x1b[31mred\x1b[0m \x1b]0;title\x07 \x1b]8;;http://evil.example\x1b\\link \x9b2J \x00\x01\x08\x0b\x7f "
         "\u202egnp.exe\u202c \u2066x\u2069 \u200b\ufeff\u2028 \ud800 \ufffe "
         "::error file=x::owned\r\n::set-output name=a::b\n::add-mask::pass %0A%0D"
         " <script>alert(1)</script> <!-- --> ]]> &amp; </failure> \"quoted\" 'single' `code` ``` | a | b |\n# heading\n"
         "- [ ] task @everyone #1 https://evil.example ![i](http://evil.example/x.png) [l](javascript:alert(1))\n"
         "=cmd|' /C calc'!A0\n+1\n-1\n@SUM(A1)\ttab, comma; semicolon")


def finding(**changes):
    made = {"code": "out_of_bounds", "pattern": None, "severity": "error", "kernel": "vector_add",
            "file": "labs/vector_add.cu", "line": 5, "file2": None, "line2": None, "array": "a", "index": 1,
            "title": "out of bounds", "stage": 2, "tells": [], "thread2": None, "block2": None,
            "thread": [1, 0, 0], "block": [0, 0, 0],
            "count": 255, "message": "read a[1], but a has 1 element (0..0)", "hint": "Which threads have nothing to do?",
            "schedule": None, "function": "vector_add", "inside": None, "called_from": [],
            "ptx_line": None, "ptx_line2": None, "marks": [{"line": 5, "column": 12, "width": 4}],
            "arithmetic": "i = 0*256 + 1 = 1",
            "remark": "The grid has 256 threads for 1 element.", "handout": 'handouts/vector_add.md, "The guard"'}
    return {**made, **changes}


def test(**changes):
    made = {"name": "n = 1", "purpose": "a single element", "visibility": "visible", "state": "pass", "score": 5,
            "max_score": 5, "message": None, "expected": None, "actual": None, "findings": [], "gpu": None,
            "schedules": None}
    return {**made, **changes}


def budget(**changes):
    made = {"track": "counters", "metric": "global_sectors", "value": 75006, "reference": None, "ideal": 37503, "ratio": 2.0,
            "full_at": 1.05, "zero_at": 3.0, "interval": None, "state": "fail", "score": 7, "max_score": 15,
            "message": "each element must move once", "line": 5, "picture": ""}
    return {**made, **changes}


def lab(name, tests, performance, **changes):
    made = {"lab": name, "state": "pass", "score": sum(part["score"] for part in tests + performance),
            "max_score": sum(part["max_score"] for part in tests + performance), "message": None, "diagnostics": [],
            "plan": "one launch", "tests": tests, "performance": performance, "counters": {"global_sectors": 75006},
            "printf": None,
            "source": [{"line": line, "text": f"line {line} of the file;"} for line in range(1, 30)]}
    return {**made, **changes}


def result(labs, **changes):
    made = {"schema": "lockstep/result/v1", "kit": {"version": "0.1.0", "git": "0123456789abcdef0123456789abcdef01234567"},
            "when": "2026-03-01T12:00:00Z", "seed": 7,
            "machine": {"device": "Lockstep emulated GPU", "driver": "13.0", "compute_capability": "8.0", "emulator": True,
                        "nvrtc": "13.0", "sandbox": ["process"]},
            "submission": {"id": "ada", "files": [{"path": "labs/vector_add.cu", "sha256": "0" * 64}]},
            "labs": labs, "score": sum(one["score"] for one in labs), "max_score": sum(one["max_score"] for one in labs)}
    return {**made, **changes}


def full():
    """Three labs: right but slow; wrong in visible and hidden tests; does not compile."""
    slow = lab("vector_add", [test(), test(name="n = 31", visibility="hidden")],
               [budget(), budget(metric="milliseconds", track="time", state="inconclusive", score=0, max_score=0, ratio=None,
                                 value=None, full_at=1.1, zero_at=2.0, ideal=None)])
    race = finding(code="race_shared", title="race in shared memory", stage=5, tells=["threads"], thread=[3, 0, 0],
                   thread2=[4, 0, 0], file="labs/scan.cu", line=14, file2="labs/scan.cu", line2=18,
                   message="thread 3 writes temp[4] while thread 4 reads it")
    wrong = lab("scan", [test(state="fail", score=0, message="labs/scan.cu:14: race", findings=[race, finding(line=18)]),
                            test(name="n = 1000", state="fail", score=0, visibility="hidden", message="secret 4711",
                                 expected="out[999] = 4711", actual="12",
                                 findings=[finding(message="secret 4711", line=20)]),
                            test(name="n = 33", state="skipped", score=0, message="no time left")],
                [budget(state="skipped", score=0, ratio=None, value=None, message="judged once the results are right")],
                state="fail", message="labs/scan.cu:14: race", printf="hello from the kernel\n")
    broken = lab("histogram", [test(state="error", score=0, message="labs/histogram.cu:3: expected a \";\"",
                                       findings=[finding(code="compile", title="does not compile", stage=0, line=3,
                                                         thread=None, block=None, count=None)]),
                                  test(state="error", score=0)], [],
                 state="error", plan=None, message="labs/histogram.cu:3: expected a \";\"", counters={},
                 diagnostics=[{"file": "labs/histogram.cu", "line": 3, "column": 7, "severity": "error",
                               "message": "expected a \";\""},
                              {"file": None, "line": None, "column": None, "severity": "warning", "message": "one more"}])
    return result([slow, wrong, broken])


def harness_error():
    """The second lab could not be graded."""
    made = full()
    made["labs"][1] = lab("scan", [test(state="harness_error", score=0, message="the driver did not answer")], [],
                          state="harness_error", message="the driver did not answer")
    return made


def perfect():
    return result([lab("vector_add", [test(), test(name="n = 31", visibility="hidden")],
                       [budget(ratio=1.0, score=15, state="pass")])])


def hostile(text=NASTY):
    """The full result with a nasty text in every string that a submission can shape, and in those that it should not."""
    keep = {"schema", "state", "visibility", "severity", "track", "lab", "version", "git", "when", "sha256", "code",
            "pattern"}

    def poison(value, key=None):
        if isinstance(value, dict):
            return {name: poison(below, name) for name, below in value.items()}
        if isinstance(value, list):
            return [poison(below, key) for below in value]
        return text if isinstance(value, str) and key not in keep else value

    made = poison(copy.deepcopy(full()))
    made["labs"][0]["printf"] = text
    made["labs"][0]["message"] = text
    for one in made["labs"]:
        for part in one["tests"]:
            part["expected"] = part["actual"] = text
    return made

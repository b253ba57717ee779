"""The mutation operators: what a student gets wrong, and what the grader should say first when they do.

An operator is a generator over a Source; it yields edits: lists of (first offset, end offset, new text). The table at the
end names each with a description and the classes of finding that its mutants may have as first cause; a mutant with
another first cause is caught, but misdiagnosed.
"""

import re

from source import TYPES
from threads import (atomics, axes, barriers_deleted, barriers_moved, barriers_narrowed, barriers_under_if, fences,
                     masks, returns_before_barriers, shared_arrays, shared_declarations, shuffles, storage)

# ---- conditions and loops ---------------------------------------------------------------------------------------------


def replace(source, at, text, count=1):
    return [(source.tokens[at].start, source.tokens[at + count - 1].end, text)]


def signs(source, table):
    """Each binary operator of the table, as it is replaced there."""
    for at, token in enumerate(source.tokens):
        if token.kind == "sign" and token.text in table and source.is_spaced(at):
            for text in table[token.text].split():
                yield replace(source, at, text)


def boundaries(source):
    yield from signs(source, {"<": "<=", "<=": "<", ">": ">=", ">=": ">"})


def negations(source):
    yield from signs(source, {"==": "!=", "!=": "==", "<": ">=", ">": "<="})


def statements(source, *kinds):
    for function in source.functions:
        for statement in function.walk():
            if statement.kind in kinds:
                yield statement


def guards_dropped(source):
    """if (c) s -> s; if (c) return; -> nothing; c ? a : b -> a."""
    for statement in statements(source, "if"):
        first, body = source.tokens[statement.first], statement.inner[0]
        leaves = body.kind in ("return", "jump") or body.kind == "block" and [s.kind for s in body.inner] == ["return"]
        if len(statement.inner) == 1 and leaves:
            yield [(first.start, source.tokens[statement.last - 1].end, "")]
        elif len(statement.inner) == 1:
            yield [(first.start, source.tokens[body.first].start, "")]
    for first, question, colon, last in choices(source):
        yield [(source.tokens[first].start, source.tokens[last - 1].end, source.text_of(question + 1, colon))]


def choices(source):
    """c ? a : b as token places: first of c, the ?, the :, behind the last of b."""
    for at, token in enumerate(source.tokens):
        if token.text != "?":
            continue
        first = at
        while not source.is_sign(first - 1, "=", "+=", "(", ",", "return", ";", "{"):
            first = opening(source, first - 1) if source.is_sign(first - 1, ")", "]") else first - 1
        colon = at
        while not source.is_sign(colon, ":"):
            colon = source.closing(colon) + 1 if source.is_sign(colon, "(", "[") else colon + 1
        last = colon + 1
        while not source.is_sign(last, ";", ",", ")", "}"):
            last = source.closing(last) + 1 if source.is_sign(last, "(", "[") else last + 1
        yield first, at, colon, last


def opening(source, at):
    """The token that opens the bracket closed at `at`."""
    return next(k for k in range(at, -1, -1) if source.is_sign(k, "(", "[") and source.closing(k) == at)


def halves_dropped(source):
    """a && b -> a, and -> b, in a condition."""
    heads = [s.head for s in statements(source, "if", "while")] + [(f, q) for f, q, _, _ in choices(source)]
    for first, last in heads:
        parts = source.split(first, last, "&&")
        for k in range(len(parts) if len(parts) > 1 else 0):
            kept = " && ".join(source.text_of(*part) for i, part in enumerate(parts) if i != k)
            yield [(source.tokens[first].start, source.tokens[last - 1].end, kept)]


def logic_swapped(source):
    yield from signs(source, {"&&": "||", "||": "&&"})


def loop_parts(source):
    """The three parts of each for, as token ranges."""
    for statement in statements(source, "for"):
        yield source.split(*statement.head, ";")


def loops_started_late(source):
    """The loop begins one step on: its first step is left out."""
    for start, _, step in loop_parts(source):
        if step[1] > step[0] and start[1] > start[0]:
            assignment = next((k for k in range(*start) if source.is_sign(k, "=")), None)
            change = source.tokens[step[0] + 1].text if step[1] - step[0] > 1 else ""
            by = {"++": "1 + ", "--": "-1 + "}.get(change)
            by = by or (f"{source.text_of(step[0] + 2, step[1])} {change[0]} " if change in ("+=", "*=") else None)
            if assignment is not None and by is not None:
                ends = source.split(*start)[0][1]
                value = source.text_of(assignment + 1, ends)
                yield [(source.tokens[assignment + 1].start, source.tokens[ends - 1].end, f"{by}({value})")]


def loops_ended_early(source):
    """The bound is one step nearer: the last step is left out."""
    for _, condition, step in loop_parts(source):
        for at in range(*condition):
            if source.is_sign(at, "<", "<=") and source.is_spaced(at):
                ends = source.split(at, condition[1])[0][1]
                halved = any(source.is_sign(k, "*=") for k in range(*step))
                bound = source.text_of(at + 1, ends)
                yield [(source.tokens[at + 1].start, source.tokens[ends - 1].end, f"({bound}) {'/ 2' if halved else '- 1'}")]
            if source.is_sign(at, ">", ">=") and source.is_spaced(at):
                yield [(source.tokens[at].start, source.tokens[condition[1] - 1].end,
                        f"> 1 + {source.text_of(at + 1, condition[1])}")]


def loops_once(source):
    """for (...) s: only the first step."""
    for _, condition, _ in loop_parts(source):
        if condition[1] > condition[0]:
            yield [(source.tokens[condition[0]].start, source.tokens[condition[1] - 1].end, "/* once */ "
                    + first_pass(source, condition))]


def first_pass(source, condition):
    """A condition that holds for the start value alone: the loop's variable is compared with where it began."""
    variable = source.tokens[condition[0]].text
    start = next(s for s, c, _ in loop_parts(source) if c == condition)
    for part in source.split(*start):
        for at in range(*part):
            if source.tokens[at].text == variable and source.is_sign(at + 1, "="):
                return f"{variable} == ({source.text_of(at + 2, part[1])}) && ({source.text_of(*condition)})"
    return "false"


def steps_changed(source):
    """The stride: one more, once, twice as much; += for *=."""
    for _, _, step in loop_parts(source):
        for at in range(*step):
            change, ends = source.tokens[at].text, source.split(at, step[1])[0][1]
            value = source.text_of(at + 1, ends)
            if change in ("+=", "-="):
                for text in (f"({value}) + 1", f"2 * ({value})") if value != "1" else ("2",):
                    yield [(source.tokens[at + 1].start, source.tokens[ends - 1].end, text)]
            elif change in ("*=", "/="):
                yield replace(source, at, "+=" if change == "*=" else "-=")
                yield replace(source, at + 1, "4")
            elif change == "++":
                yield replace(source, at, " += 2")


# ---- arithmetic -------------------------------------------------------------------------------------------------------


def arithmetic(source):
    yield from signs(source, {"+": "-", "-": "+", "*": "+", "/": "*", "%": "/", "<<": ">>", ">>": "<<", "&": "|", "|": "&"})


def assignments(source):
    yield from ([edit for edit in edits] for edits in signs(source, {"+=": "-= =", "-=": "+=", "^=": "="})
                if not inside_for_head(source, edits[0][0]))


def inside_for_head(source, offset):
    for statement in statements(source, "for"):
        if source.tokens[statement.head[0]].start <= offset < source.tokens[statement.head[1]].start:
            return True
    return False


def ceilings(source):
    """(a + b - 1) / b -> a / b."""
    for match in re.finditer(r"\((\w+) \+ (\w+) - 1\) / (\w+)", source.text):
        if match[2] == match[3]:
            yield [(match.start(), match.end(), f"{match[1]} / {match[2]}")]


def constants(source):
    """Each number one more, and a power of two one less and halved."""
    for at, token in enumerate(source.tokens):
        match = re.fullmatch(r"(\d+)([uUlL]*)", token.text)
        if token.kind != "number" or not match or source.is_sign(at - 1, "%") and token.text == "32":
            continue
        if source.is_sign(at - 1, "[") and source.function_at(at) is None:
            continue    # KERNEL_block[3]: the grader reads what it needs of it
        value = int(match[1])
        for other in (value - 1, value // 2) if value > 2 and value & (value - 1) == 0 else (value + 1,):
            yield replace(source, at, f"{other}{match[2]}")


def fractions(source):
    """Each float: 1 more; 0 -> 1, which is what a product starts with."""
    for at, token in enumerate(source.tokens):
        match = re.fullmatch(r"(\d+\.\d*)([fF]?)", token.text)
        if token.kind == "number" and match:
            yield replace(source, at, f"{float(match[1]) + 1}{match[2]}")


def block_sizes(source):
    """One use of the block size is half of what the launch has."""
    names = {"BLOCK", "TILE", "T", "PIECE", "ITEMS", "WARPS"}
    shared = {at for s in shared_declarations(source) for at in range(s.first, s.last)}
    for at, token in enumerate(source.tokens):
        whole = token.text == "blockDim" and source.is_sign(at + 1, ".")
        function = source.function_at(at)
        if function is None or not whole and (token.text not in names or source.is_sign(at - 1, "__launch_bounds__")):
            continue
        if at < function.body[0] or at in shared:
            continue
        name, count = (source.text_of(at, at + 3), 3) if whole else (token.text, 1)
        yield replace(source, at, f"({name} / 2)", count)


# ---- types and names --------------------------------------------------------------------------------------------------


def narrow_types(source):
    """A product that overflows: a wide cast or suffix dropped, an index of 16 bits or as a float."""
    for at, token in enumerate(source.tokens):
        if token.text == "size_t" and source.is_sign(at - 1, "(") and source.is_sign(at + 1, ")"):
            yield replace(source, at - 1, "", 3)
        elif token.text in ("2LL", "2ull"):
            yield replace(source, at, "2")
        elif token.text == "size_t" or token.text == "long" and source.is_sign(at + 1, "long"):
            yield replace(source, at, "int", 1 if token.text == "size_t" else 2)
    for statement in statements(source, "declaration"):
        at = statement.first
        if source.tokens[at].text in ("int", "unsigned") and not source.is_sign(at + 1, "*"):
            words = source.text_of(statement.first, statement.last)
            for text in ("short", "float") if "32" not in words else ():   # lanes and warps fit everywhere
                yield replace(source, at, text)


def other_types(source):
    """What passes through another type: float through int, int through float, unsigned through int."""
    for statement in statements(source, "declaration"):
        for at in range(statement.first, statement.last):
            if source.tokens[at].text == "float" and not source.is_sign(at + 1, "*", ")"):
                yield replace(source, at, "int")
            if source.tokens[at].text == "double":
                yield replace(source, at, "float")
    for at, token in enumerate(source.tokens):
        if token.text in ("float", "double") and source.is_sign(at - 1, "(") and source.is_sign(at + 1, ")"):
            yield replace(source, at - 1, "", 3)


def locals_of(source, function):
    """{name: type} of a function's plain parameters and variables, in the order in which they are declared."""
    found, word = {}, r"(?:const )?(?:unsigned|int|float|double|word|long long|size_t|bool)"
    text = source.text_of(*function.header)
    inside = text[re.search(rf"\b{function.name}\s*\(", text).end():]
    for match in re.finditer(rf"\b({word}) (\*?)(?:__restrict__ )?(\w+)", inside):
        found[match[3]] = (match[1].replace("const ", "") + match[2]).replace("unsigned", "int")
    for statement in function.walk():
        if statement.kind in ("declaration", "for"):
            part = (statement.first, statement.last) if statement.kind == "declaration" else statement.head
            words = [t for t in source.tokens[part[0]:part[0] + 3] if t.text in TYPES or t.text == "unsigned"]
            if not words or source.tokens[part[0]].text in ("__shared__", "volatile"):
                continue
            kind = {"unsigned": "int", "long": "int", "size_t": "int"}.get(words[0].text, words[0].text)
            for begin, _ in source.split(*part):
                name = next((k for k in range(begin, part[1]) if source.tokens[k].kind == "name"
                             and source.tokens[k].text not in TYPES | {"const", "unsigned"}), None)
                if name is not None and source.is_sign(name + 1, "=", ";", ",") and not source.is_sign(name - 1, "*"):
                    found.setdefault(source.tokens[name].text, kind)
    return found


def variables(source):
    """A variable instead of another of its type, at its first use in a line: the one declared next, and the first one
    instead of the last."""
    for function in source.functions:
        known, done = locals_of(source, function), set()
        for at in range(function.body[0], function.body[1]):
            name = source.tokens[at].text
            if name not in known or source.is_sign(at - 1, ".", "->") or source.is_sign(at + 1, "=", "+=", "-=", "*=", "/="):
                continue
            alike = [other for other in known if known[other] == known[name]]
            declared = source.tokens[at - 1].kind == "name" and source.tokens[at - 1].text not in ("return",)
            line = source.line_of(source.tokens[at].start)
            if len(alike) > 1 and not declared and (line, name) not in done:
                done.add((line, name))
                yield replace(source, at, alike[(alike.index(name) + 1) % len(alike)])


def arguments(source):
    """f(a, b) -> f(b, a) and [a][b] -> [b][a]."""
    for function in source.functions:
        for at in range(*function.body):
            if source.is_sign(at, "(") and source.tokens[at - 1].kind == "name" and source.tokens[at - 1].text not in (
                    "if", "for", "while", "return", "sizeof"):
                parts = source.split(at + 1, source.closing(at))
                for left, right in zip(parts, parts[1:]):
                    a, b = source.text_of(*left), source.text_of(*right)
                    if a != b:
                        yield [(source.tokens[left[0]].start, source.tokens[right[1] - 1].end, f"{b}, {a}")]
            if source.is_sign(at, "[") and source.is_sign(source.closing(at) + 1, "["):
                middle = source.closing(at) + 1
                end = source.closing(middle)
                a, b = source.text_of(at + 1, middle - 1), source.text_of(middle + 1, end)
                if a != b:
                    yield [(source.tokens[at].start, source.tokens[end].end, f"[{b}][{a}]")]


# ---- statements -------------------------------------------------------------------------------------------------------


def zeroing_dropped(source):
    """A store of 0 removed, and the 0 that a variable starts with."""
    zero = ("0", "0u", "0.0f", "0.0")
    for statement in statements(source, "expression", "declaration"):
        for at in range(statement.first, statement.last):
            if source.is_sign(at, "=") and source.tokens[at + 1].text in zero and source.is_sign(at + 2, ";", ","):
                if statement.kind == "expression":
                    yield [(source.tokens[statement.first].start, source.tokens[statement.last - 1].end - 1, "")]
                else:
                    yield [(source.tokens[at].start, source.tokens[at + 1].end, "")]
            if statement.kind == "declaration" and source.is_sign(at, "=") and source.is_sign(at + 1, "{") and (
                    source.is_sign(at + 2, "}")):
                yield replace(source, at, "", 3)


def statements_deleted(source):
    for statement in statements(source, "expression"):
        text = source.text_of(statement.first, statement.last)
        if not text.startswith(("__syncthreads", "__threadfence")):
            yield [(source.tokens[statement.first].start, source.tokens[statement.last - 1].end - 1, "")]


def statements_swapped(source):
    """Two neighbouring statements in each other's place."""
    lists = [function.statements for function in source.functions]
    lists += [statement.inner for statement in statements(source, "block")]
    for neighbours in lists:
        for one, two in zip(neighbours, neighbours[1:]):
            if one.kind != "declaration" and two.kind in ("expression", "if", "for"):
                a, b = (source.text_of(s.first, s.last) for s in (one, two))
                if a != b and "__syncthreads" not in (a + b)[:14] and not b.startswith("__sync"):
                    yield [(source.tokens[one.first].start, source.tokens[two.last - 1].end, f"{b} {a}")]


# ---- the table --------------------------------------------------------------------------------------------------------

BOUNDS = "out_of_bounds misaligned null_pointer read_only_write"
RACES = "race_shared race_global race_warp race_mixed race_scope race_volatile race_same_value async_copy"
VALUES = "wrong_value near_miss never_written order_dependent"
HANGS = "fuel deadlock"
BARRIERS = "barrier_divergent barrier_mismatch"
ANYWHERE = f"{BOUNDS} {RACES} {VALUES} {HANGS} {BARRIERS} uninitialized early_exit sync_mask launch budget"


class Operator:
    """name, what (does it do), first (codes that the first cause may have), generate (Source -> edits)."""

    def __init__(self, name, what, first, generate):
        self.name, self.what, self.first, self.generate = name, what, frozenset(first.split()), generate


OPERATORS = [
    Operator("barrier_deleted", "a barrier is removed", RACES, barriers_deleted),
    Operator("barrier_moved", "a barrier changes place with the statement before or behind it",
             f"{RACES} {BARRIERS} early_exit", barriers_moved),
    Operator("barrier_under_if", "only some threads reach a barrier", f"{BARRIERS} early_exit sync_mask", barriers_under_if),
    Operator("barrier_of_warp", "__syncwarp() instead of a barrier", RACES, barriers_narrowed),
    Operator("return_before_barrier", "some threads return before a barrier", "early_exit", returns_before_barriers),
    Operator("fence", "a fence or a volatile is removed, or narrowed to the block", f"{RACES} fuel", fences),
    Operator("atomic", "an atomic becomes +=, an atomic of the block, or another atomic",
             f"{RACES} {VALUES} {BOUNDS} {HANGS}", atomics),
    Operator("mask", "a lane's bit is missing in a mask", "sync_mask", masks),
    Operator("shuffle", "another kind of shuffle or vote", f"{VALUES} {RACES} {BOUNDS} {HANGS} uninitialized", shuffles),
    Operator("shared_array", "a shared array is one element shorter, or its padding is gone",
             f"out_of_bounds launch {BARRIERS} budget", shared_arrays),
    Operator("storage", "__shared__ is missing", "not_shared uninitialized wrong_value out_of_bounds assert", storage),
    Operator("axis", "x and y, block and thread, or blockDim and gridDim exchanged", ANYWHERE, axes),
    Operator("boundary", "< becomes <= and the like", ANYWHERE, boundaries),
    Operator("negation", "a comparison is turned round", ANYWHERE, negations),
    Operator("guard_dropped", "an if is gone and its body stays", ANYWHERE, guards_dropped),
    Operator("half_dropped", "one side of && is gone", ANYWHERE, halves_dropped),
    Operator("logic", "&& becomes || and back", ANYWHERE, logic_swapped),
    Operator("loop_late", "a loop leaves out its first step", ANYWHERE, loops_started_late),
    Operator("loop_early", "a loop leaves out its last step", ANYWHERE, loops_ended_early),
    Operator("loop_once", "a loop makes its first step only", ANYWHERE, loops_once),
    Operator("stride", "a loop's step is another", ANYWHERE, steps_changed),
    Operator("arithmetic", "+ becomes -, * becomes + and the like", ANYWHERE, arithmetic),
    Operator("assignment", "+= becomes = and the like", ANYWHERE, assignments),
    Operator("ceiling", "a division that rounds up rounds down", ANYWHERE, ceilings),
    Operator("constant", "an integer one more; a power of two one less, or half", ANYWHERE, constants),
    Operator("fraction", "a float one more", ANYWHERE, fractions),
    Operator("block_size", "one use of the block size is half of what was launched", ANYWHERE, block_sizes),
    Operator("narrow_type", "an index of too few bits, or as a float", ANYWHERE, narrow_types),
    Operator("other_type", "a value passes through another type", f"{VALUES} uninitialized", other_types),
    Operator("variable", "another variable of the same type", ANYWHERE, variables),
    Operator("argument", "two arguments or two subscripts exchanged", ANYWHERE, arguments),
    Operator("zeroing", "what should start as zero does not", f"uninitialized {VALUES}", zeroing_dropped),
    Operator("statement_deleted", "a statement is gone", ANYWHERE, statements_deleted),
    Operator("statements_swapped", "two neighbouring statements exchanged", ANYWHERE, statements_swapped),
]

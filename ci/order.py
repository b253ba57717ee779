"""Finds arguments whose value depends on the order in which a compiler evaluates them: order.py FILE...

    clear(warp, destination(operation, &place), place)

`place` may be read before destination() sets it: C leaves the order of arguments to the compiler. Found is each argument
that reads a variable, or a part of one, whose address a call in another argument of the same list gets. Two statements cure
it. `ninja lint` looks at all C.
"""

import re
import sys

TOKEN = re.compile(r'"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])*\'|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*|[A-Za-z_]\w*|\d[\w.]*'
                   r'|->|&&|\|\||\S|\n', re.S | re.M)
WORD = re.compile(r"[A-Za-z_]\w*\Z")
NOT_CALLS = {"if", "while", "for", "switch", "return", "sizeof", "typeof", "__typeof__", "__attribute__"}


def tokens_of(text):
    """[(token, line)] without comments and directives."""
    tokens, line = [], 1
    for match in TOKEN.finditer(text):
        token = match.group()
        if token != "\n" and not token.startswith(("//", "/*")) and not token.lstrip().startswith("#"):
            tokens.append((token, line))
        line += token.count("\n")
    return tokens


class Text:
    """Tokens and the brackets around them."""

    def __init__(self, text):
        self.lines = [line for _, line in tokens_of(text)]
        self.tokens = [token for token, _ in tokens_of(text)] + [""]
        self.opening, self.closing, stack = [], {}, []   # of the bracket around each token, -1: none; opening: closing
        for at, token in enumerate(self.tokens):
            if token in (")", "]", "}") and stack:
                self.closing[stack.pop()] = at
            self.opening.append(stack[-1] if stack else -1)
            if token in ("(", "[", "{"):
                stack.append(at)

    def is_call(self, opening):
        before = self.tokens[opening - 1] if opening > 0 else ""
        return self.tokens[opening] == "(" and WORD.match(before) is not None and before not in NOT_CALLS

    def path(self, at):
        """site->shape at a token as ("site", "shape")."""
        words = [self.tokens[at]]
        while self.tokens[at + 1] in (".", "->") and WORD.match(self.tokens[at + 2]):
            at += 2
            words.append(self.tokens[at])
        return words

    def reads(self, first, end, path):
        """Does the expression in these tokens read the variable or a part of it?"""
        return any(self.tokens[at] == path[0] and self.tokens[at - 1] not in (".", "->", "&", "sizeof")
                   and self.path(at)[:len(path)] == path for at in range(first, end))

    def arguments(self, opening):
        """(first, end) of each argument of a call."""
        first, end = opening + 1, self.closing.get(opening, opening + 1)
        for at in range(first, end):
            if self.tokens[at] == "," and self.opening[at] == opening:
                yield first, at
                first = at + 1
        yield first, end

    def mistakes(self):
        for at in range(1, len(self.tokens) - 2):
            inner = self.opening[at]
            if self.tokens[at] != "&" or self.tokens[at - 1] not in ("(", ",") or not WORD.match(self.tokens[at + 1]) \
                    or inner < 0 or not self.is_call(inner):
                continue
            path, outer = self.path(at + 1), self.opening[inner]
            while outer >= 0 and self.tokens[outer] != "{":
                if self.is_call(outer) and any(self.reads(first, end, path) for first, end in self.arguments(outer)
                                               if not first <= at < end):
                    yield self.lines[at], ".".join(path)
                    break
                outer = self.opening[outer]


def check(paths):
    """Lines "FILE:LINE: …" of all mistakes."""
    found = []
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = Text(file.read())
        found += [f"{path}:{line}: an argument reads '{name}', which a call in another argument may set: the order is "
                  "unspecified; use two statements" for line, name in text.mistakes()]
    return found


if __name__ == "__main__":
    FOUND = check(sys.argv[1:])
    print("\n".join(FOUND))
    sys.exit(1 if FOUND else 0)

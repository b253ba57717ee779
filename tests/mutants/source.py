"""A submission as tokens and statements: what the mutation operators look at.

Only the part of CUDA C++ that labs use: functions, declarations, expressions, if, for, while, do, return. Comments, strings
and the heads of directives are not tokens, so nothing in them is ever mutated; the body of a #define is.
"""

import re

TOKEN = re.compile(r"""
    (?P<skip>    \s+ | //[^\n]* | /\*.*?\*/ | ^[ ]*\#[ ]*(?:define[ ]+\w+(?:\([\w, ]*\))? | [^\n]*) )
  | (?P<text>    "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' )
  | (?P<number>  0[xX][0-9a-fA-F]+[uUlL]* | (?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?[uUlLfF]* )
  | (?P<name>    [A-Za-z_]\w* )
  | (?P<sign>    <<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|::|[^\s\w] )
""", re.VERBOSE | re.DOTALL | re.MULTILINE)

QUALIFIERS = {"const", "volatile", "static", "unsigned", "signed", "__shared__", "__constant__", "extern", "__restrict__"}
TYPES = {"void", "bool", "char", "short", "int", "long", "float", "double", "size_t", "word", "uint4", "int4", "float4",
         "half", "uint", "auto"}


class Token:
    def __init__(self, kind, text, start):
        self.kind, self.text, self.start, self.end = kind, text, start, start + len(text)

    def __repr__(self):
        return self.text


class Statement:
    """kind: if for while do block return declaration expression jump. Token ranges are [first, last).

    first, last     the whole statement
    head            the part in the parentheses of if, for and while; the expression of a return, else None
    inner           statements inside, in order; an if has one or two of them
    """

    def __init__(self, kind, first, last=0, head=None, inner=()):
        self.kind, self.first, self.last, self.head, self.inner = kind, first, last, head, list(inner)

    def walk(self):
        yield self
        for statement in self.inner:
            yield from statement.walk()


class Function:
    """header and body: token ranges; a kernel is a function with __global__. statements: those of the body."""

    def __init__(self, name, header, body, is_kernel, statements):
        self.name, self.header, self.body, self.is_kernel, self.statements = name, header, body, is_kernel, statements

    def walk(self):
        for statement in self.statements:
            yield from statement.walk()


class Source:
    """path, text, tokens, functions; every directive's body counts as tokens outside of functions."""

    def __init__(self, path, text):
        self.path, self.text, self.tokens = path, text, []
        at = 0
        while at < len(text):
            match = TOKEN.match(text, at)
            if match is None:
                raise ValueError(f"{path}: no token at {text[at:at + 20]!r}")
            if match.lastgroup != "skip":
                self.tokens.append(Token(match.lastgroup, match.group(), at))
            at = match.end()
        self.functions = list(self._functions())

    # ---- places ------------------------------------------------------------------------------------------------------

    def is_sign(self, at, *texts):
        return 0 <= at < len(self.tokens) and self.tokens[at].text in texts

    def line_of(self, offset):
        return self.text.count("\n", 0, offset) + 1

    def text_of(self, first, last):
        """Tokens [first, last) as they are in the file."""
        return self.text[self.tokens[first].start:self.tokens[last - 1].end] if last > first else ""

    def closing(self, at):
        """The token that closes the bracket at `at`."""
        pairs, depth = {"(": ")", "[": "]", "{": "}"}, 0
        opens, closes = self.tokens[at].text, pairs[self.tokens[at].text]
        for k in range(at, len(self.tokens)):
            depth += (self.tokens[k].text == opens) - (self.tokens[k].text == closes)
            if depth == 0:
                return k
        raise ValueError(f"{self.path}: nothing closes {opens} of line {self.line_of(self.tokens[at].start)}")

    def is_spaced(self, at):
        """Blanks on both sides: a binary operator, never a pointer's star or a template's bracket."""
        token = self.tokens[at]
        return self.text[token.start - 1] in " \n" and self.text[token.end:token.end + 1] in (" ", "\n")

    def split(self, first, last, sign=","):
        """[first, last) cut at each `sign` outside of brackets, as ranges."""
        parts, begin, k = [], first, first
        while k < last:
            if self.is_sign(k, "(", "[", "{"):
                k = self.closing(k)
            elif self.is_sign(k, sign):
                parts.append((begin, k))
                begin = k + 1
            k += 1
        return parts + [(begin, last)]

    def function_at(self, at):
        return next((f for f in self.functions if f.header[0] <= at < f.body[1]), None)

    # ---- statements --------------------------------------------------------------------------------------------------

    def _functions(self):
        begin, k = 0, 0
        while k < len(self.tokens):
            if self.is_sign(k, ";"):
                begin = k + 1
            elif self.is_sign(k, "{"):
                end = self.closing(k)
                if self.is_sign(k - 1, ")"):
                    name = next(t.text for t, after in zip(self.tokens[begin:k], self.tokens[begin + 1:k])
                                if after.text == "(" and t.kind == "name" and t.text != "__launch_bounds__")
                    kernel = any(t.text == "__global__" for t in self.tokens[begin:k])
                    yield Function(name, (begin, k), (k, end + 1), kernel, self._block(k + 1, end))
                    begin = end + 1
                k = end
            k += 1

    def _block(self, at, end):
        statements = []
        while at < end:
            statements.append(self._statement(at))
            at = statements[-1].last
        return statements

    def _statement(self, at):
        word = self.tokens[at].text
        if word == "{":
            end = self.closing(at)
            return Statement("block", at, end + 1, None, self._block(at + 1, end))
        if word in ("if", "for", "while"):
            head = at + 2 if self.is_sign(at + 1, "constexpr") else at + 1
            end = self.closing(head)
            inner = [self._statement(end + 1)]
            if word == "if" and self.is_sign(inner[0].last, "else"):
                inner.append(self._statement(inner[0].last + 1))
            return Statement(word, at, inner[-1].last, (head + 1, end), inner)
        if word == "do":
            body = self._statement(at + 1)
            end = self.closing(body.last + 1)
            return Statement("do", at, end + 2, (body.last + 2, end), [body])
        end = at
        while not self.is_sign(end, ";"):
            end = self.closing(end) + 1 if self.is_sign(end, "(", "[", "{") else end + 1
        if word == "return":
            return Statement("return", at, end + 1, (at + 1, end))
        if word in ("break", "continue"):
            return Statement("jump", at, end + 1)
        declares = word in QUALIFIERS or word in TYPES
        return Statement("declaration" if declares else "expression", at, end + 1)

"""HTML made of elements: text is escaped where it enters, so that nothing a student wrote can become markup.

    el("p", "1 < 2", el("b", name), title="…")     a child is text (escaped), Markup (as it is), None (left out) or a list

What cannot be seen, or makes a line show what it does not say (control characters, changes of direction, zero width), is
shown by its number: U+202E.
"""

import base64
import hashlib
import html
import re
import unicodedata

from export.text import is_harmful, plain

VOID = {"meta", "br", "hr", "col", "wbr", "rect", "line", "path"}

# Letters that take no ink, though they are no control characters; and those that fonts turn into other forms.
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
COMBINING_LIMIT = 3   # marks on one letter; more climb over the lines above

ORDINARY = re.compile(r"[\n -~]*")


def flat(text):
    """Harmless text on one line."""
    return plain(text, lines=False)


class Markup(str):
    """A string that is HTML already."""
    __slots__ = ()


def is_odd(character):
    """Not to be shown as it is."""
    return is_harmful(character) or INVISIBLE.match(character) or unicodedata.category(character) in ("Co", "Cn")


def shown(text):
    """Text as HTML."""
    text = str(text).replace("\r\n", "\n").replace("\t", " ")
    if ORDINARY.fullmatch(text):
        return Markup(html.escape(text))
    pieces, combined = [], 0
    for character in text:
        combined = combined + 1 if unicodedata.combining(character) else 0
        if is_odd(character) or combined > COMBINING_LIMIT:
            pieces.append(f'<span class="odd">U+{ord(character):04X}</span>')
        else:
            pieces.append(html.escape(character))
    return Markup("".join(pieces))


def child_markup(child):
    if isinstance(child, Markup):
        return child
    if child is None:
        return ""
    if isinstance(child, (list, tuple)):
        return "".join(map(child_markup, child))
    return shown(child)


def attribute_markup(name, value):
    """class_ is class, aria_label aria-label; True is an attribute without value, None and False none at all."""
    if value is None or value is False:
        return ""
    name = name.rstrip("_").replace("_", "-")
    return f" {name}" if value is True else f' {name}="{html.escape(flat(value))}"'


def el(name, /, *children, **attributes):
    """An element."""
    head = "<" + name
    for key, value in attributes.items():
        if value is not None:
            head += attribute_markup(key, value)
    if name in VOID:
        return Markup(head + ("/>" if name in ("rect", "line", "path") else ">"))
    return Markup(f"{head}>{''.join(map(child_markup, children))}</{name}>")


def isolated(text):
    """A name or path of the student's: right-to-left letters in it do not carry their neighbours along."""
    return el("bdi", text)


def code(text):
    """A few words of code, in the order of their characters whatever letters they are."""
    return el("code", text)


def folded(summary, *children, class_=None, open_=False):
    """What opens when asked."""
    return el("details", el("summary", summary), *children, class_=class_, open=open_)


def table_row(row, heads):
    below = row[len(heads)] if len(row) > len(heads) else None
    return [el("tr", [el("th" if i == 0 else "td", cell, scope="row" if i == 0 else None, class_=kind)
                      for i, (cell, (_, kind)) in enumerate(zip(row, heads))], class_="above" if below else None),
            el("tr", el("td", below, colspan=len(heads))) if below else None, "\n"]


def table(headings, rows, caption, class_=None):
    """A table.
        headings   text, or (text, class)
        rows       lists of cells, the first of each a heading of its row; a cell beyond the headings stands below the
                   others, over their whole width (None: nothing does)"""
    heads = [heading if isinstance(heading, tuple) else (heading, None) for heading in headings]
    return el("table", el("caption", caption),
              el("thead", el("tr", [el("th", text, scope="col", class_=kind) for text, kind in heads])), "\n",
              el("tbody", [table_row(row, heads) for row in rows]), class_=class_)


def hash_of(text):
    """As a content security policy names an inline style or script."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def page(title, style, script, *body, wide=False):
    """A whole document that loads nothing and runs nothing but `script` ("": none). wide: more columns than a text has."""
    allowed = hash_of(script) if script else "'none'"
    policy = (f"default-src 'none'; style-src {hash_of(style)}; script-src {allowed}; base-uri 'none'; form-action 'none'")
    return Markup("<!DOCTYPE html>\n") + el(
        "html", "\n",
        el("head", el("meta", charset="utf-8"), "\n",
           el("meta", http_equiv="Content-Security-Policy", content=policy), "\n",
           el("meta", name="viewport", content="width=device-width, initial-scale=1"), "\n",
           el("meta", name="color-scheme", content="light dark"), "\n",
           el("meta", name="referrer", content="no-referrer"), "\n",
           el("meta", name="robots", content="noindex"), "\n",
           el("title", flat(title)), "\n", Markup(f"<style>{style}</style>")), "\n",
        el("body", el("a", "Skip to the results", href="#main", class_="skip"), "\n", *body,
           Markup(f"<script>{script}</script>") if script else None, class_="wide" if wide else None), "\n",
        lang="en") + "\n"

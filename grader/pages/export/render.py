"""Pages from the templates beside this package: Jinja2 with autoescape, so that nothing a student wrote can become markup.

Whatever a template shows goes through shown(): characters that cannot be seen, or that make a line show what it does not say
(control characters, changes of direction, zero width), appear as their number: U+202E. A value in an attribute goes through
the filter `attr`. A page loads nothing, and runs nothing but its own script: its content security policy names both by hash.
"""

import base64
import functools
import hashlib
import html
import math
import os
import re
import unicodedata

from export.source import need
from export.text import count, is_harmful, plain

need("jinja2", "python3-jinja2")
import jinja2  # noqa: E402 (what happens without it comes first)
from markupsafe import Markup  # noqa: E402

TEMPLATES = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "templates")

# Letters that leave no mark, though they are not control characters; and those that fonts turn into other forms.
INVISIBLE = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
COMBINING_LIMIT = 3   # marks on one letter; more climb over the lines above

ORDINARY = re.compile(r"[\n -~]*")

# state: its sign and its word. Never a colour alone.
STATES = {"pass": ("✓", "pass"), "fail": ("✗", "fail"), "error": ("✗", "error"), "harness_error": ("?", "kit failed"),
          "skipped": ("–", "skipped"), "inconclusive": ("~", "unclear"), "missing": ("–", "missing"),
          "problem": ("?", "problem")}


# ---- text ---------------------------------------------------------------------------------------------------------------


def is_odd(character):
    """Not to be shown as it is."""
    return is_harmful(character) or INVISIBLE.match(character) or unicodedata.category(character) in ("Co", "Cn")


def shown(value):
    """What a template shows, as HTML: markup as it is, None as nothing, all else as text."""
    if isinstance(value, Markup):
        return value
    if value is None:
        return ""
    text = str(value).replace("\r\n", "\n").replace("\t", " ")
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


def flat(text):
    """Harmless text on one line."""
    return plain(text, lines=False)


def attribute(value):
    """The value of an attribute, between double quotes."""
    return Markup(html.escape(flat(value)))


def words(code):
    """"never written" for "never_written"."""
    return flat(code).replace("_", " ")


def file_name(path):
    return flat(path).rsplit("/", 1)[-1]


# ---- numbers ------------------------------------------------------------------------------------------------------------


def number_text(value):
    """1234567 as "1,234,567"; 0.1234567 as "0.1235"; None as a dash."""
    if value is None:
        return "–"
    if isinstance(value, float) and not value.is_integer():
        return f"{value:,.4g}" if abs(value) < 1e6 else f"{value:,.0f}"
    return f"{value:,.0f}" if isinstance(value, float) and math.isfinite(value) else f"{value:,}"


def percent(share):
    """A place in a figure: 0.5 as "50.00%"."""
    return f"{100 * share:.2f}%"


# ---- templates ----------------------------------------------------------------------------------------------------------


@functools.lru_cache(maxsize=None)
def asset(name):
    """A style sheet or a script."""
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        return file.read()


def hash_of(text):
    """As a content security policy names an inline style or script."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


@functools.lru_cache(maxsize=None)
def environment():
    """Where the templates come from, and what they can use beside their values. A name that has no value is an error."""
    made = jinja2.Environment(loader=jinja2.FileSystemLoader(TEMPLATES), autoescape=True, finalize=shown, trim_blocks=True,
                              lstrip_blocks=True, keep_trailing_newline=True, undefined=jinja2.StrictUndefined,
                              auto_reload=False)
    made.policies["json.dumps_kwargs"] = {"separators": (",", ":")}
    made.filters.update(
        attr=attribute, flat=flat, plain=plain, words=words, file_name=file_name, number=number_text, place=percent,
        short=lambda value: f"{value:.3g}", general=lambda value: f"{value:g}")
    made.globals.update(STATES=STATES, count=count)
    return made


def render(template, style, script="", **values):
    """A whole page. style, script: names of files ("": no script), as many as there are blanks between."""
    style, script = ("".join(map(asset, names.split())) for names in (style, script))
    allowed = hash_of(script) if script else "'none'"
    images = "img-src data:; " if values.get("pictures") else ""
    policy = (f"default-src 'none'; {images}style-src {hash_of(style)}; script-src {allowed}; base-uri 'none'; "
              "form-action 'none'")
    return environment().get_template(template).render(policy=policy, style=Markup(style), script=Markup(script), **values)

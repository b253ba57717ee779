"""Text that a submission may have shaped, made harmless for where it goes.

Student text reaches us in messages, printf output, file names, source lines, names of students. Each place that shows it
has its own characters with a meaning; what no place may get is taken out here, once, by plain().
"""

import re
import unicodedata

# ESC with what belongs to it: CSI (colours, cursor), OSC and other strings (titles, links), two-character sequences.
ESCAPE_SEQUENCE = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?"
    r"|(?:\x1b[\]PX^_]|[\x9d\x90\x98\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)?"
    r"|\x1b[ -/]*[0-~]?")

ORDINARY = re.compile("[ -~]*")   # most texts, and a large class has millions

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"


# Line end, tab; the joiners, without which Persian, Hindi and some pictures fall apart.
HARMLESS = "\n\t\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"


def is_harmful(character):
    """Control and format characters (bidi overrides, zero width), lone surrogates, non-characters, other line ends. With
    them goes everything that XML 1.0 does not allow."""
    if character in HARMLESS:
        return False
    category = unicodedata.category(character)
    return category in ("Cc", "Cf", "Cs", "Zl", "Zp") or ord(character) & 0xFFFE == 0xFFFE \
        or 0xFDD0 <= ord(character) <= 0xFDEF


def plain(text, lines=True):
    """text without escape sequences; each harmful character becomes U+FFFD, so that one sees that something was there.
    CR LF and CR become line ends. lines=False: line ends and tabs become blanks. None becomes ""."""
    if text is None:
        return ""
    if ORDINARY.fullmatch(str(text)):
        return str(text)
    text = ESCAPE_SEQUENCE.sub("", str(text)).replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(REPLACEMENT if is_harmful(character) else character for character in text)
    return text if lines else re.sub(r"[\n\t]+", " ", text)


def cut(text, limit, unit="characters"):
    """text of at most limit characters, or UTF-8 bytes; what was cut ends in "…"."""
    if unit == "characters":
        return text if len(text) <= limit else text[:max(limit - 1, 0)] + "…"[:limit]
    data = text.encode("utf-8")
    if len(data) <= limit:
        return text
    return data[:max(limit - 3, 0)].decode("utf-8", errors="ignore") + ("…" if limit >= 3 else "")


def count(number, noun, plural=None):
    """"1 test", "2 tests"."""
    return f"{number} {noun if number == 1 else plural or noun + 's'}"

"""The part of a reply that counts, character for character where it stood.

Both steps keep the length of the text, so that a span found here is a span in the original.
"""

import re
from collections.abc import Iterable

_LOOKALIKES = str.maketrans(
    {chr(full): chr(full - 0xFEE0) for full in range(0xFF01, 0xFF5F)}  # full-width ASCII
    | dict.fromkeys("\u2212\ufe63\u2010\u2011", "-")  # minus signs and hyphens
    | dict.fromkeys("\u201c\u201d\u201e\u00ab\u00bb", '"')
    | dict.fromkeys("\u2018\u2019\u201a", "'")
    | dict.fromkeys("\u3000\u200b\u2060\ufeff", " ")  # wide and invisible blanks
    | dict.fromkeys("\u2028\u2029\x85\r\v\f", "\n")
)
_THINK_MARK = re.compile(r"<(/?)think(?:ing)?>", re.IGNORECASE)


def plain(text: str) -> str:
    """The text with look-alike characters replaced one for one by their ASCII sense."""
    return text.translate(_LOOKALIKES)


def without_thinking(text: str) -> tuple[str, bool]:
    """Blank out think blocks.

    A closing mark without an opening one ends a block that the chat template opened in the
    prompt, so all before it is thinking.

    Returns:
        The text, blanks in place of thoughts, and whether a block is never closed.
    """
    if "<" not in text:
        return text, False
    thoughts: list[tuple[int, int]] = []
    opened = -1
    for mark in _THINK_MARK.finditer(text):
        if not mark[1]:
            opened = mark.start() if opened < 0 else opened
        elif opened < 0:
            thoughts = [(0, mark.end())]
        else:
            thoughts.append((opened, mark.end()))
            opened = -1
    return blanked(text, thoughts), opened >= 0


def blanked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text with blanks in place of the spans, which are in order and apart."""
    kept, position = [], 0
    for start, end in spans:
        kept += [text[position:start], " " * (end - start)]
        position = end
    return "".join(kept) + text[position:]

"""Where a reply has code: fenced blocks."""

import re
from typing import NamedTuple

_OPEN = re.compile(r"^(?P<before>[^\n]*?)(?P<fence>`{3,}|~{3,})[ \t]*[^\n`]*\n", re.MULTILINE)
_AFTER_CODE = re.compile(r"^(?:FINAL|CONF|RATIONALE)\b[^\n:]{0,16}:", re.MULTILINE)  # where an open block must end


class Block(NamedTuple):
    """A fenced block: its content is text[start:end], the fences around it go from `outer_start` to `outer_end`."""

    start: int
    end: int
    outer_start: int
    outer_end: int


def find_blocks(text: str) -> list[Block]:
    """All fenced blocks, in order.

    A fence may open behind words ("FINAL: ```python") and closes at the start of a line: one that stands as deep as
    code does is part of a docstring. A block that nothing closes goes on to the next field of the reply, or its end.
    """
    blocks: list[Block] = []
    opened = _OPEN.search(text)
    while opened:
        block = _block(text, opened)
        blocks.append(block)
        opened = _OPEN.search(text, block.outer_end)
    return blocks


def _block(text: str, opened: re.Match[str]) -> Block:
    before = opened["before"]
    depth = 3 if before.strip() else len(before) + 3
    closed = re.compile(rf"^[ \t]{{0,{depth}}}{re.escape(opened['fence'])}[^\n]*", re.MULTILINE).search(
        text, opened.end()
    )
    start, outer_start = opened.end(), opened.start("fence")
    if closed:
        return Block(start, closed.start(), outer_start, closed.end())
    field = _AFTER_CODE.search(text, start)
    end = field.start() if field else len(text)
    return Block(start, end, outer_start, end)

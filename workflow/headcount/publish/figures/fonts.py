"""What of a font goes into a PDF: its letters' shapes, and not the rules by which letters are chosen and placed."""

from collections.abc import Iterator
from contextlib import contextmanager

from fontTools.subset import Options

RULES = ("GSUB", "GPOS", "GDEF", "MATH")


@contextmanager
def shapes_alone() -> Iterator[None]:
    """Embed fonts without their rules, which a PDF's letters have behind them: cutting those is most of the work."""
    kept = Options._drop_tables_default
    Options._drop_tables_default = [*kept, *RULES]
    try:
        yield
    finally:
        Options._drop_tables_default = kept

"""A drawing on a page of PDF and in pixels, made of its SVG: Matplotlib would walk through it once more for each."""

from functools import cache
from pathlib import Path

import matplotlib
import typst

_DOTS = 300  # an inch
_PAGE = b"""
#set document(date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg))
"""


def typeset(svg: Path, pdf: Path, png: Path) -> None:
    """Text stays text, in the embedded letters that Matplotlib measured; equal drawings are equal bytes."""
    drawing = {"svg": svg.read_text(encoding="utf-8")}
    pdf.write_bytes(typst.compile(_PAGE, format="pdf", sys_inputs=drawing, font_paths=_letters()))
    png.write_bytes(typst.compile(_PAGE, format="png", ppi=_DOTS, sys_inputs=drawing, font_paths=_letters()))


@cache
def _letters() -> typst.Fonts:
    """Those that come with Matplotlib, and no others, so that they are the same everywhere."""
    folder = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    return typst.Fonts(include_system_fonts=False, include_embedded_fonts=False, font_paths=[folder])

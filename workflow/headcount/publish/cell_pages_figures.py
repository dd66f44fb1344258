"""The drawings of a cell's page: its curve under the laws, what they leave over, and who is right."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from headcount.laws.forms import ringelmann
from headcount.publish.drawing import Axis, Figure, Panel, Stroke, key_line, key_mark, round_ticks
from headcount.publish.looks import COLOURS, MARKERS

LAWS = {  # what the laws are called, and what tells them apart in grey: dashes, mark, and how far marks are set aside
    "ringelmann": ("Ringelmann", "none", "o", -8),
    "ringelmann_free": ("β unbounded", "7 4", "s", 0),
    "kish": ("Kish, β = 0", "2 2", "^", 8),
}
GREY = "#8c8c8c"
_IDEAL: dict[str, Any] = {"stroke": "#000", "stroke_dasharray": "1.5 4", "stroke_width": 1.4}
_FIRST: dict[str, Any] = {"fill": "none", "stroke": GREY, "stroke_width": 1.2}


def curve_figure(condition: str, sizes: pd.DataFrame, first: pd.DataFrame, laws: Mapping[str, Any]) -> Figure:
    """N_eff against N under each law, and measured minus law beside it.

    Args:
        sizes: n, n_eff, n_eff_low, n_eff_high of the page's series, two and more, and {law}_residual of each law.
        first: n and n_eff of round 1, to see what talk changed; empty where the page shows round 1.
        laws: (c, beta) by law.
    """
    panels = [_curve(condition, sizes, first, laws), _residuals(condition, sizes, laws)]
    return Figure(list(_legend(condition, laws, len(first) > 0)), panels)


def accuracy_figure(condition: str, sizes: pd.DataFrame) -> Figure:
    """Share of items that the team gets right, and of answers that are right, against N.

    Args:
        sizes: n, then team_accuracy and agent_accuracy with their _low and _high.
    """
    shares = 100 * sizes[[f"{whose}_accuracy{end}" for whose in ("team", "agent") for end in ("", "_low", "_high")]]
    top = min(102.0, max(20.0, 1.15 * float(shares.max().max())))
    y = Axis(-2, top, round_ticks(0, top, 7, " %"))
    panel = Panel("right", _sizes_axis(sizes["n"].tolist()), y, bool(sizes["simulated"].any()), height=160)
    keys = []
    for whose, label, colour, marker, fill, aside in (
        ("team", "team, by plurality", COLOURS[condition], MARKERS[condition], COLOURS[condition], -2.5),
        ("agent", "its agents, one by one", GREY, "D", "none", 2.5),
    ):
        line: dict[str, Any] = {"stroke": colour, "stroke_width": 1.4}
        name = f"{whose}_accuracy"
        panel.line(sizes["n"], shares[name], aside=aside, **line)
        panel.intervals(sizes["n"], shares[f"{name}_low"], shares[f"{name}_high"], aside, **line)
        panel.marks(marker, sizes["n"], shares[name], aside, fill=fill, **line)
        keys.append((label, [key_line(**line), key_mark(marker, fill=fill, **line)]))
    return Figure(keys, [panel])


def _curve(condition: str, sizes: pd.DataFrame, first: pd.DataFrame, laws: Mapping[str, Any]) -> Panel:
    ends = pd.concat([sizes["n_eff"], sizes["n_eff_low"], sizes["n_eff_high"], first["n_eff"]])
    low, high = min(1.0, ends.min()), ends.max()
    low, high = low - 0.04 * (high - low), high + 0.08 * (high - low) + 1e-3
    panel = _panel("effective team size", sizes, low, high, 7)
    n = np.geomspace(1, sizes["n"].max(), 61)
    panel.line(n, n, **_IDEAL)
    for law, (c, beta) in laws.items():
        panel.line(n, n * ringelmann(n, c, beta), **_law_line(law, condition))
    panel.marks("o", first["n"], first["n_eff"], **_FIRST)
    panel.intervals(sizes["n"], sizes["n_eff_low"], sizes["n_eff_high"], stroke=COLOURS[condition], stroke_width=1.6)
    panel.marks(MARKERS[condition], sizes["n"], sizes["n_eff"], **_measured(condition))
    return panel


def _residuals(condition: str, sizes: pd.DataFrame, laws: Mapping[str, Any]) -> Panel:
    """Measured minus law; the interval of what was measured stands about 0, to judge the rest by."""
    below, above = (sizes[f"n_eff_{end}"] - sizes["n_eff"] for end in ("low", "high"))
    far = pd.concat([below, above, *(sizes[f"{law}_residual"] for law in laws)]).abs().max()
    far = 1.12 * (far if far > 0 else 1.0)  # nothing to show, or nothing left over
    panel = _panel("measured − law, in voters", sizes, -far, far, 7)
    panel.intervals(sizes["n"], below, above, stroke="#e5e5e5", stroke_width=26)
    panel.line([panel.x.low, panel.x.high], [0, 0], stroke="#000", stroke_width=1)
    for law in laws:
        _, _, marker, aside = LAWS[law]
        panel.marks(marker, sizes["n"], sizes[f"{law}_residual"], aside, **_law_mark(law, condition))
    return panel


def _panel(title: str, sizes: pd.DataFrame, low: float, high: float, most: int) -> Panel:
    y = Axis(low, high, round_ticks(low, high, most))
    return Panel(title, _sizes_axis(sizes["n"].tolist()), y, bool(sizes["simulated"].any()))


def _sizes_axis(sizes: list[int]) -> Axis:
    """A logarithmic axis marked at the sizes that were run, as far as there is room."""
    kept = [max(sizes)]
    for n in sizes[-2::-1]:
        kept += [n] if kept[-1] > 1.19 * n else []
    return Axis(min(sizes) / 1.12, 1.12 * max(sizes), [(n, f"{n:g}") for n in kept], log=True)


def _legend(condition: str, laws: Mapping[str, Any], talked: bool) -> Iterator[tuple[str, list[Stroke]]]:
    yield "measured", [key_mark(MARKERS[condition], **_measured(condition))]
    if talked:
        yield "round 1", [key_mark("o", **_FIRST)]
    for law in laws:
        name, _, marker, _ = LAWS[law]
        yield name, [key_line(**_law_line(law, condition)), key_mark(marker, **_law_mark(law, condition))]
    yield "N independent voters", [key_line(**_IDEAL)]


def _measured(condition: str) -> dict[str, Any]:
    return {"fill": COLOURS[condition], "stroke": "#fff", "stroke_width": 0.7, "size": 4.5}


def _law_line(law: str, condition: str) -> dict[str, Any]:
    return {"stroke": _colour(law, condition), "stroke_dasharray": LAWS[law][1], "stroke_width": 1.7}


def _law_mark(law: str, condition: str) -> dict[str, Any]:
    colour = _colour(law, condition)
    return {"fill": colour if law == "ringelmann" else "none", "stroke": colour, "stroke_width": 1.2}


def _colour(law: str, condition: str) -> str:
    return COLOURS[condition] if law == "ringelmann" else "#404040"

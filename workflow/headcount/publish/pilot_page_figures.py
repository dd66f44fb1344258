"""The drawings of a pilot's page: what larger teams would be worth, get right and cost, beside what was seen."""

from typing import Any

import numpy as np
import pandas as pd

from headcount.publish.drawing import Axis, Figure, Panel, Tick, key_line, key_mark, round_ticks
from headcount.publish.looks import COLOURS, MARKERS
from headcount.publish.pilot_cells import TITLES
from headcount.publish.words import CONDITIONS

_SIZES = (2, 5, 10, 30, 100)
_WORTH = (1, 1.5, 2, 3, 5, 10, 20, 50, 100)


def prediction_figure(data: pd.DataFrame) -> Figure:
    """Three panels: effective size, accuracy and tokens of teams of 2 to 100, by condition.

    Args:
        data: rows of `pilot_cells.drawn` of a team and task.
    """
    panels = _panels(data)
    size, right, tokens = panels
    shown = [name for name in CONDITIONS if name in set(data["condition"])]
    for condition, aside in zip(shown, np.linspace(-3, 3, len(shown)) if len(shown) > 1 else [0.0], strict=True):
        rows = data[data["condition"] == condition]
        for panel, name in ((size, "n_eff"), (right, "accuracy")):
            _draw_prediction(panel, condition, rows, name, float(aside))
        seen = rows[rows["in_pilot"]]
        tokens.line(rows["n"], rows["tokens"], stroke=COLOURS[condition], stroke_width=1.7)
        tokens.marks(MARKERS[condition], seen["n"], seen["tokens"], **_mark(COLOURS[condition], "#fff"))
    keys = [
        *(
            (
                CONDITIONS[name],
                [key_line(stroke=COLOURS[name]), key_mark(MARKERS[name], **_mark(COLOURS[name], "#fff"))],
            )
            for name in shown
        ),
        ("pilot", [key_mark("o", **_mark("#4d4d4d", "#fff"))]),
        ("seen, not in the pilot", [key_mark("o", **_mark("#4d4d4d", "#4d4d4d"))]),
    ]
    return Figure(keys, panels)


def _draw_prediction(panel: Panel, condition: str, rows: pd.DataFrame, name: str, aside: float) -> None:
    """A line with its band; open marks are the pilot, filled ones teams that it had not seen."""
    colour, ends = COLOURS[condition], (rows[f"{name}_low"], rows[f"{name}_high"])
    panel.band(rows["n"], *ends, fill=colour, fill_opacity=0.1)
    for end in ends:
        panel.line(rows["n"], end, stroke=colour, stroke_width=0.6, stroke_opacity=0.6)
    panel.line(rows["n"], rows[name], stroke=colour, stroke_width=1.7)
    panel.intervals(
        rows["n"], rows[f"seen_{name}_low"], rows[f"seen_{name}_high"], aside, stroke=colour, stroke_width=1.2
    )
    for in_pilot, fill in ((True, "#fff"), (False, colour)):
        marks = rows[rows["in_pilot"] == in_pilot]
        panel.marks(MARKERS[condition], marks["n"], marks[f"seen_{name}"], aside, **_mark(colour, fill))


def _mark(colour: str, fill: str) -> dict[str, Any]:
    return {"stroke": colour, "fill": fill, "stroke_width": 1.2}


def _panels(data: pd.DataFrame) -> list[Panel]:
    sizes = Axis(1.8, 1.12 * float(data["n"].max()), _among(_SIZES, 1.8, data["n"].max()), log=True)
    top = 1.6 * max(data["n_eff"].max(), data["seen_n_eff"].max(), 2.0)
    high = max(data[["accuracy", "seen_accuracy", "seen_accuracy_high"]].max().max(), 0.1)
    right = min(1.02, 1.25 * high)
    shares = [(percent / 100, text) for percent, text in round_ticks(0, 100 * right, 6, " %")]
    scales = [Axis(0.95, top, _among(_WORTH, 0.95, top), log=True), Axis(-0.03 * high, right, shares), _costs(data)]
    simulated, told = bool(data["simulated"].any()), data["tokens"].notna().any()
    return [
        Panel(title, sizes, scale, simulated, whole=360, note="" if name != "tokens" or told else "not told")
        for (name, title), scale in zip(TITLES.items(), scales, strict=True)
    ]


def _costs(data: pd.DataFrame) -> Axis:
    """A logarithmic axis of tokens, marked at powers of ten and, where these are few, between them."""
    low, high = data["tokens"].min() / 1.3, 1.3 * data["tokens"].max()
    if not low > 0:
        return Axis(0, 1, [])
    tens = 10.0 ** np.arange(12)
    marked = [n for n in tens if low <= n <= high]
    if len(marked) < 3:
        marked = [n for n in np.outer(tens, (1, 2, 5)).ravel() if low <= n <= high]
    return Axis(low, high, [(n, _thousands(n)) for n in marked], log=True)


def _thousands(n: float) -> str:
    """With an engineer's unit: 1 k, 20 M."""
    return next((f"{n / size:g} {unit}" for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")) if n >= size), f"{n:g}")


def _among(ticks: tuple[float, ...], low: float, high: float) -> list[Tick]:
    return [(tick, f"{tick:g}") for tick in ticks if low <= tick <= high]

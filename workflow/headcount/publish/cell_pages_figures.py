"""The figures of a cell's page, as SVG inside it: its curve under the laws, what they leave over, and who is right."""

import base64
import io
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from matplotlib import rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, MaxNLocator, NullLocator, StrMethodFormatter
from matplotlib.transforms import Transform, offset_copy

from headcount.laws.forms import ringelmann
from headcount.publish.figures.grids import arrange, freeze
from headcount.publish.figures.style import COLOURS, COLUMN, MARKERS, house_style, panels, stamp

LAWS = {  # what the laws are called, and what tells them apart in grey: line, mark, and how far marks are set aside
    "ringelmann": ("Ringelmann", "-", "o", -4.5),
    "ringelmann_free": ("β unbounded", (0, (4, 2)), "s", 0.0),
    "kish": ("Kish, β = 0", (0, (1, 1.2)), "^", 4.5),
}
GREY = "0.55"


def curve_figure(condition: str, sizes: pd.DataFrame, first: pd.DataFrame, laws: Mapping[str, Any]) -> str:
    """N_eff against N under each law, and measured minus law beside it.

    Args:
        sizes: n, n_eff, n_eff_low, n_eff_high of the page's series, two and more, and {law}_residual of each law.
        first: n and n_eff of round 1, to see what talk changed; empty where the page shows round 1.
        laws: (c, beta) by law.
    """
    with house_style():
        figure, grid = panels(1, 2, 2 * COLUMN, 2.35, share=False)
        curve, residuals = grid[0]
        _draw_curve(curve, condition, sizes, first, laws)
        _draw_residuals(residuals, condition, sizes, laws)
        for axes in (curve, residuals):
            _log_sizes(axes, sizes["n"].tolist())
            if sizes["simulated"].any():
                stamp(axes)
        handles = _legend(condition, laws, bool(len(first)))
        figure.legend(handles=handles, loc="outside upper center", ncols=len(handles), handlelength=2.2)
    return as_source(figure)


def accuracy_figure(condition: str, sizes: pd.DataFrame) -> str:
    """Share of items that the team gets right, and of answers that are right, against N.

    Args:
        sizes: n, then team_accuracy and agent_accuracy with their _low and _high.
    """
    with house_style():
        figure, grid = panels(1, 1, COLUMN, 1.9)
        axes = grid[0, 0]
        for name, label, colour, marker, fill, shift in (
            ("team_accuracy", "team, by plurality", COLOURS[condition], MARKERS[condition], "full", -1.5),
            ("agent_accuracy", "its agents, one by one", GREY, "D", "none", 1.5),
        ):
            look: dict[str, Any] = {"color": colour, "marker": marker, "fillstyle": fill, "linewidth": 0.8}
            place = _aside(axes, shift)
            axes.plot(sizes["n"], 100 * sizes[name], label=label, transform=place, **look)
            ends = (100 * sizes[f"{name}_{end}"] for end in ("low", "high"))
            axes.vlines(sizes["n"], *ends, colors=colour, linewidth=0.7, transform=place)
        top = 100 * sizes[["team_accuracy_high", "agent_accuracy_high", "team_accuracy", "agent_accuracy"]].max().max()
        axes.set_ylim(-2, min(102, max(20, 1.15 * top)))
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True, steps=[1, 2, 5, 10]))
        axes.yaxis.set_major_formatter(StrMethodFormatter("{x:.0f} %"))
        axes.set_ylabel("right")
        _log_sizes(axes, sizes["n"].tolist())
        figure.legend(loc="outside upper center", ncols=2, handlelength=2)
        if sizes["simulated"].any():
            stamp(axes)
    return as_source(figure)


def as_source(figure: Figure) -> str:
    """A figure as the source of an HTML image: letters are outlines, so that it looks the same everywhere."""
    text = io.BytesIO()
    with house_style(), rc_context({"svg.fonttype": "path"}):
        FigureCanvasSVG(figure)  # becomes the figure's canvas
        figure.dpi = 72  # as SVG has it
        arrange(figure)
        freeze(figure)
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    return "data:image/svg+xml;base64," + base64.b64encode(text.getvalue()).decode()


def _draw_curve(axes: Axes, condition: str, sizes: pd.DataFrame, first: pd.DataFrame, laws: Mapping[str, Any]) -> None:
    n = np.geomspace(1, sizes["n"].max(), 61)
    axes.plot(n, n, **_IDEAL)
    for law, (c, beta) in laws.items():
        _, dashes, _, _ = LAWS[law]
        axes.plot(n, n * ringelmann(n, c, beta), color=_colour(law, condition), linestyle=dashes, linewidth=1.0)
    axes.plot(first["n"], first["n_eff"], "o", fillstyle="none", color=GREY, mew=0.7)
    axes.vlines(sizes["n"], sizes["n_eff_low"], sizes["n_eff_high"], colors=COLOURS[condition], linewidth=0.9)
    axes.plot(sizes["n"], sizes["n_eff"], **_measured(condition))
    ends = pd.concat([sizes["n_eff"], sizes["n_eff_low"], sizes["n_eff_high"], first["n_eff"]])
    low, high = min(1.0, ends.min()), ends.max()
    axes.set_ylim(low - 0.04 * (high - low), high + 0.08 * (high - low) + 1e-3)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.set_ylabel("effective team size")


def _draw_residuals(axes: Axes, condition: str, sizes: pd.DataFrame, laws: Mapping[str, Any]) -> None:
    """Measured minus law; the interval of what was measured stands about 0, to judge the rest by."""
    below, above = (sizes[f"n_eff_{end}"] - sizes["n_eff"] for end in ("low", "high"))
    axes.vlines(sizes["n"], below, above, colors="0.9", linewidth=15)
    axes.axhline(0, color="black", linewidth=0.6)
    for law in laws:
        _, _, marker, shift = LAWS[law]
        fill = "full" if law == "ringelmann" else "none"
        look: dict[str, Any] = {"color": _colour(law, condition), "fillstyle": fill, "mew": 0.7}
        axes.plot(sizes["n"], sizes[f"{law}_residual"], marker, transform=_aside(axes, shift), **look)
    far = pd.concat([below, above, *(sizes[f"{law}_residual"] for law in laws)]).abs().max()
    far = far if far > 0 else 1.0  # nothing to show, or nothing left over
    axes.set_ylim(-1.12 * far, 1.12 * far)
    axes.yaxis.set_major_locator(MaxNLocator(5, symmetric=True))
    axes.set_ylabel("measured − law, in voters")


def _legend(condition: str, laws: Mapping[str, Any], talked: bool) -> list[Line2D]:
    handles = [Line2D([], [], label="measured", **_measured(condition))]
    if talked:
        handles.append(Line2D([], [], linestyle="", marker="o", fillstyle="none", color=GREY, mew=0.7, label="round 1"))
    for law in laws:
        name, dashes, marker, _ = LAWS[law]
        look: dict[str, Any] = {"linestyle": dashes, "marker": marker, "color": _colour(law, condition), "mew": 0.7}
        handles.append(Line2D([], [], label=name, fillstyle="full" if law == "ringelmann" else "none", **look))
    return [*handles, Line2D([], [], label="N independent voters", **_IDEAL)]


_IDEAL: dict[str, Any] = {"color": "black", "linestyle": (0, (1, 2.5)), "linewidth": 0.8}


def _measured(condition: str) -> dict[str, Any]:
    look = {"linestyle": "", "marker": MARKERS[condition], "color": COLOURS[condition]}
    return look | {"mec": "white", "mew": 0.4, "markersize": 5.0}


def _colour(law: str, condition: str) -> str:
    return COLOURS[condition] if law == "ringelmann" else "0.25"


def _aside(axes: Axes, points: float) -> Transform:
    """Marks set apart on paper where several share a size; data stay exact."""
    return offset_copy(axes.transData, axes.get_figure(root=True), x=points, units="points")


def _log_sizes(axes: Axes, sizes: list[int]) -> None:
    """A logarithmic axis marked at the sizes that were run, as far as there is room."""
    axes.set_xscale("log")
    marked = [max(sizes)]
    for n in sizes[-2::-1]:
        marked += [n] if marked[-1] > 1.19 * n else []
    axes.xaxis.set_major_locator(FixedLocator(marked))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axes.set_xlim(min(sizes) / 1.12, 1.12 * max(sizes))
    axes.set_xlabel("team size N")

"""What makes each model leave its answer: a stronger argument, or company? Flip rates by strength and arm."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator, PercentFormatter

from headcount.publish.figures.grids import panel_height, settle
from headcount.publish.figures.style import COLUMN, DECIMALS, aside, house_style, nothing, panels, stamp
from headcount.publish.inputs import Inputs
from headcount.schema import SCREENS
from headcount.schema.ledger import ALL

PAPER = ""
QUESTION = "ledger"
NEEDS = ("probes",)
READS = ("screens",)
PUBLISHED = ()

STRENGTHS = ("weak", "moderate", "strong", "very_strong")
ARMS: dict[str, dict[str, Any]] = {
    "solo": {"color": "#0072B2", "marker": "o", "label": "argument alone"},
    "social": {"color": "#D55E00", "marker": "s", "label": "two of three agents are said to hold it"},
}
_WIDE = 4  # panels in a row


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(SCREENS))


def draw(screens: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A panel a model, all tasks together.

    Args:
        screens: rows of SCREENS.

    Returns:
        the figure, and every number in it.
    """
    data = numbers(screens)
    if data.empty:
        return nothing("No model of this run was probed."), data
    models = list(data["model"].unique())
    columns = min(len(models), _WIDE)
    rows = -(-len(models) // columns)
    with house_style():
        width = COLUMN if columns < 3 else 2 * COLUMN
        figure, grid = panels(rows, columns, width, panel_height(rows, 1.5))
        for axes in grid.flat[len(models) :]:
            axes.set_axis_off()
        for place, (model, axes) in enumerate(zip(models, grid.flat, strict=False)):
            _draw_panel(axes, data[data["model"] == model])
            axes.set_title(model)
            axes.tick_params(labelbottom=place >= len(models) - columns)
        _scale(grid[0, 0], data)
        figure.supxlabel("strength of the argument for another answer", fontsize=7.5)
        figure.supylabel("flip rate", fontsize=7.5)
        handles = [Line2D([], [], linewidth=0.7, mec="white", mew=0.3, **look) for look in ARMS.values()]
        figure.legend(handles=handles, loc="outside upper center", ncols=2, handlelength=1.8)
        settle(figure)
    return figure, data


def numbers(screens: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing."""
    rows = screens[(screens["task"] == ALL) & (screens["unanswered"] == "drop")]
    kinds = pd.DataFrame(
        [(f"alpha_{s}_{arm}", place, s, arm) for arm in ARMS for place, s in enumerate(STRENGTHS)],
        columns=["quantity", "place", "strength", "arm"],
    )
    data = rows.merge(kinds, on="quantity").sort_values(["model", "arm", "place"], ignore_index=True)
    kept = ["model", "arm", "strength", "place", "value", "low", "high", "n_items", "simulated"]
    return data[kept].astype({"value": float, "low": float, "high": float}).round(DECIMALS)


def _draw_panel(axes: Axes, panel: pd.DataFrame) -> None:
    if panel["simulated"].any():
        stamp(axes)
    for shift, (arm, look) in zip((-1.2, 1.2), ARMS.items(), strict=True):
        rows, beside = panel[panel["arm"] == arm], aside(axes, shift)
        bars = {"linewidth": 0.8, "alpha": 0.8, "colors": look["color"]}
        axes.vlines(rows["place"], rows["low"], rows["high"], transform=beside, **bars)
        axes.plot(rows["place"], rows["value"], linewidth=0.7, mec="white", mew=0.3, transform=beside, **look)


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    """One scale from 0; strengths by name."""
    words = [name.replace("very_", "very\n") for name in STRENGTHS]
    axes.set_xticks(range(len(STRENGTHS)), words, fontsize=5)
    axes.set_xlim(-0.4, len(STRENGTHS) - 0.6)
    axes.set_ylim(-0.02, min(1.03, 1.05 * data[["value", "high"]].max().max() + 0.02))
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0, symbol=" %"))

"""Is talking better than sampling more? Accuracy and effective size against tokens, one line a condition."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import EngFormatter, LogLocator, MaxNLocator, NullLocator, PercentFormatter

from headcount.publish.figures.grids import Pairs, pairs, settle
from headcount.publish.figures.style import COLOURS, DECIMALS, MARKERS, TICKS, house_style, nothing, plain_ticks, stamp
from headcount.publish.inputs import Inputs
from headcount.publish.words import CONDITIONS
from headcount.schema import BUDGETS

PAPER = ""
QUESTION = "talk"
NEEDS = ("updates", "sizes")
READS = ("budgets",)
PUBLISHED = ()

SAMPLED = "self_consistency"
_HEIGHTS = (1.7, 1.5)
_NUMBERS = [*("calls", "tokens"), *(f"{name}{end}" for name in ("accuracy", "n_eff") for end in ("", "_low", "_high"))]
_COLUMNS = ["team", "task", "condition", "round", "n", *_NUMBERS, "simulated"]


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(BUDGETS))


def draw(budgets: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Two panels for each team and task; sampling is known at every size, other conditions where they were run.

    Returns:
        the figure, and every number in it.
    """
    data = numbers(budgets)
    if data.empty:
        return nothing("No team that was asked again says what it spent."), data
    with house_style():
        page = pairs(data, _HEIGHTS)
        for (team, task), (upper, lower) in page.panels.items():
            rows = data[(data["team"] == team) & (data["task"] == task)]
            for axes, name in ((upper, "accuracy"), (lower, "n_eff")):
                _draw_panel(axes, rows, name)
                if rows["simulated"].any():
                    stamp(axes, page.stamp_size)
        page.label("team is right", "effective size")
        _scale(page, data)
        page.figure.supxlabel("tokens an item, prompts and replies of all rounds", fontsize=7.5)
        page.figure.legend(
            handles=_legend(data), loc="outside upper center", ncols=4, handlelength=2, columnspacing=1.2
        )
        settle(page.figure)
    return page.figure, data


def numbers(budgets: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing. Who was only sampled leaves nothing to compare: no rows."""
    rows = budgets[(budgets["budget"] == "own") & budgets["tokens"].notna()]
    rows = rows[(rows["condition"] != SAMPLED).groupby([rows["team"], rows["task"]]).transform("any")]
    rows = rows.assign(_place=rows["condition"].map(list(CONDITIONS).index).astype(int))
    rows = rows.sort_values(["team", "task", "_place", "n"], ignore_index=True)[_COLUMNS]
    rows[_NUMBERS] = rows[_NUMBERS].astype(float).round(DECIMALS)
    return rows


def _draw_panel(axes: Axes, rows: pd.DataFrame, name: str) -> None:
    for condition, line in rows.groupby("condition", sort=False):
        colour, line = COLOURS[str(condition)], line.sort_values("tokens")
        axes.fill_between(
            line["tokens"], line[f"{name}_low"], line[f"{name}_high"], color=colour, alpha=0.12, linewidth=0
        )
        mark = "" if condition == SAMPLED else MARKERS[str(condition)]
        axes.plot(line["tokens"], line[name], color=colour, marker=mark, mec="white", mew=0.3)


def _scale(page: Pairs, data: pd.DataFrame) -> None:
    """One scale of tokens, one of accuracy from 0, one of effective size from 1."""
    ends = data["tokens"].min() / 1.15, 1.15 * data["tokens"].max()
    decade = page.width / np.log10(ends[1] / ends[0])  # inches
    top = max(data[["accuracy", "accuracy_high"]].max().max(), 0.05)
    most = 1.1 * max(data[["n_eff", "n_eff_high"]].max().max(), 1.5)
    for upper, lower in page.panels.values():
        for axes in (upper, lower):
            axes.set(xscale="log", xlim=ends)
            axes.xaxis.set_major_locator(
                LogLocator(10, subs=(1, 2, 5) if decade > 1 else (1, 3) if decade > 0.5 else (1,))
            )
            axes.xaxis.set_minor_locator(NullLocator())
            axes.xaxis.set_major_formatter(EngFormatter(sep=" "))
        upper.set_ylim(-0.03 * top, min(1.02, 1.1 * top))
        upper.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
        upper.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0, symbol=" %"))
        lower.set(yscale="log", ylim=(0.97, most))
        plain_ticks(lower.yaxis, (1, 1.2, 1.5, 2, 3) if most < 4 else TICKS)


def _legend(data: pd.DataFrame) -> list[Line2D]:
    shown = [name for name in CONDITIONS if name in set(data["condition"])]
    marks = {name: "" if name == SAMPLED else MARKERS[name] for name in shown}
    return [
        Line2D([], [], color=COLOURS[name], marker=marks[name], mec="white", mew=0.3, label=CONDITIONS[name])
        for name in shown
    ]

"""Grids of panels: sizes that fit a page, a layout that stays."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from headcount.publish.figures.style import COLUMN, TICKS, by_team, plain_ticks

PAGE = 9.2  # inches for panels


def panel_height(rows: int, largest: float = 1.75) -> float:
    """Inches of a panel, so that as many rows as can be read fit a page."""
    return max(1.1, min(largest, PAGE / rows))


Name = tuple[str, str]  # team and task
_ROW, _AROUND = 0.46, 0.55  # inches of a row's names and numbers; of the legend and what is below
_MOST, _READABLE = 6, 0.7  # panels side by side; inches of a panel that is high enough


@dataclass(frozen=True)
class Pairs:
    """Two panels, one above the other, for each team and task, in rows that fill one page's width.

    Attributes:
        figure: all of them.
        panels: upper and lower of each team and task.
        rows: which stand side by side, from the left.
        width: inches of the narrowest panel, about.
    """

    figure: Figure
    panels: Mapping[Name, tuple[Axes, Axes]]
    rows: Sequence[Sequence[Name]]
    width: float

    def label(self, above: str, below: str) -> None:
        """Say what panels show, and its numbers, left of each row; the team above its first panel in a row."""
        several = len({team for team, _ in self.panels}) > 1
        size = max(5.5, min(7.5, _LETTERS * self.width / max(len(task) for _, task in self.panels)))
        for row in self.rows:
            for place, (team, task) in enumerate(row):
                first = place == 0 or row[place - 1][0] != team
                upper, lower = self.panels[team, task]
                title = f"{team if first else ''}\n{task}" if several else task
                upper.set_title(title, loc="left" if several else "center", fontsize=size)
                upper.tick_params(labelbottom=False)
                for axes, text in ((upper, above), (lower, below)):
                    axes.tick_params(labelleft=place == 0)
                    axes.set_ylabel(text if place == 0 else "")

    @property
    def stamp_size(self) -> float:
        """Points of the mark of simulated data, which fits the narrowest panel."""
        return min(15.0, 12 * self.width)

    def scale_sizes(self, low: float, high: float) -> None:
        """One logarithmic axis of team sizes in all panels, with room for marks at its ends and between numbers."""
        room = (high / low) ** (_MARK / max(self.width - 2 * _MARK, 0.3)) if high > low else 1.2
        ends = low / room, high * room
        ticks = ticks_apart(*ends, self.width)
        for axes in (axes for panels in self.panels.values() for axes in panels):
            axes.set(xscale="log", xlim=ends)
            plain_ticks(axes.xaxis, ticks)


def ticks_apart(low: float, high: float, inches: float) -> list[float]:
    """The largest of the ticks from low to high on a logarithmic axis of some length, and those below with room."""
    kept: list[float] = []
    for tick in sorted((tick for tick in TICKS if low <= tick <= high), reverse=True):
        if not kept or math.log(kept[-1] / tick) / math.log(high / low) * inches > _APART:
            kept.append(tick)
    return kept[::-1]


_MARK, _APART = 0.09, 0.14  # inches between an end of an axis and the nearest mark; between the numbers of two ticks
_LETTERS = 120  # points of the letters, times their count, for each inch of a name


def pairs(data: pd.DataFrame, heights: tuple[float, float]) -> Pairs:
    """Two empty panels for each team and task, on a page.

    Tasks are often not the same ones for all teams, so a row holds whole teams, as many as fit, and fills the width. It
    holds no more panels than it must for all rows to fit a page.

    Args:
        data: `team` and `task`, in order.
        heights: of the upper and the lower panel where there is room, inches.
    """
    names = list(by_team(data))
    rows = _that_fit(names)
    width = COLUMN if len(names) < 3 else 2 * COLUMN
    scale = min(1.0, 2 * _height(len(rows)) / sum(heights))
    size = (width, len(rows) * (scale * sum(heights) + _ROW) + _AROUND)
    figure = Figure(figsize=size, layout="constrained")
    outer = figure.add_gridspec(len(rows), 1)
    panels: dict[Name, tuple[Axes, Axes]] = {}
    for place, row in enumerate(rows):
        grid = outer[place].subgridspec(2, len(row), height_ratios=heights)
        for at, name in enumerate(row):
            panels[name] = figure.add_subplot(grid[0, at]), figure.add_subplot(grid[1, at])
    return Pairs(figure, panels, rows, (width - 0.5) / max(map(len, rows)) - 0.1)


def _that_fit(names: Sequence[Name]) -> list[list[Name]]:
    """Rows of the fewest panels that are high enough on one page, else of those that are highest."""
    tried = [_packed(names, most) for most in range(3, _MOST + 1)]
    return next((rows for rows in tried if _height(len(rows)) >= _READABLE), min(tried, key=len))


def _height(rows: int) -> float:
    """Inches of a panel, on average, where so many rows fill a page."""
    return ((PAGE - _AROUND) / rows - _ROW) / 2


def _packed(names: Iterable[Name], most: int) -> list[list[Name]]:
    """Whole teams side by side, in order; one of more tasks than a row holds has rows of about equal length."""
    rows: list[list[Name]] = []
    for _, tasks in groupby(names, key=lambda name: name[0]):
        own = list(tasks)
        parts = -(-len(own) // most)
        size = -(-len(own) // parts)
        for part in (own[start : start + size] for start in range(0, len(own), size)):
            if rows and len(rows[-1]) + len(part) <= most:
                rows[-1] += part
            else:
                rows.append(part)
    return rows


def settle(figure: Figure) -> None:
    """Make a figure's layout and keep it, rounded: the solver's last bits differ from one time to the next.

    Nothing is drawn for it, and what needs no room of its own is not measured, which Matplotlib would do for it again
    and again: an axis' line, a label that says nothing, and an axis without a label and numbers.
    """
    for axes in figure.axes:
        axes.spines[:].set_in_layout(False)
        for axis, numbers in ((axes.xaxis, "labelbottom"), (axes.yaxis, "labelleft")):
            if not axis.get_label_text():
                axis.set_label_coords(0.0, 0.0)
                axis.set_in_layout(axis.get_tick_params()[numbers])
    FigureCanvasAgg(figure)  # becomes the figure's canvas: letters are then measured on one, not each on a new one
    arrange(figure)
    freeze(figure)
    for axes in figure.axes:
        left, bottom, width, height = (round(float(part), 6) for part in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))


def arrange(figure: Figure) -> None:
    """Make a figure's layout, as for its canvas: letters are not equally wide on all."""
    engine = figure.get_layout_engine()
    if engine is not None:
        engine.execute(figure)


def freeze(figure: Figure) -> None:
    """Keep the layout: else each saving makes it anew, and draws once more for that."""
    figure.set_layout_engine(None)  # "none" would leave a placeholder, for which saving draws twice, too

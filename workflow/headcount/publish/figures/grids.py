"""Grids of panels: heights that fit a page, empty panels that say so, a layout that stays."""

from matplotlib.axes import Axes
from matplotlib.figure import Figure

PAGE = 9.2  # inches for panels


def panel_height(rows: int, largest: float = 1.75) -> float:
    """Inches of a panel, so that as many rows as can be read fit a page."""
    return max(1.1, min(largest, PAGE / rows))


def not_run(axes: Axes) -> None:
    """Say that a panel is empty because its team was not asked its task."""
    axes.text(0.5, 0.5, "not run", transform=axes.transAxes, ha="center", fontsize=6.5, color="0.4")


def settle(figure: Figure) -> None:
    """Make a figure's layout and keep it, rounded: the solver's last bits differ from one time to the next."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        left, bottom, width, height = (round(float(part), 6) for part in axes.get_position().bounds)
        axes.set_position((left, bottom, width, height))

"""Do peers and rounds come to the same thing, and for which items? Agreement against k tau, the paper's Figure 8."""

from typing import Any

import matplotlib
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.transforms import offset_copy

from headcount.publish.figures.grids import panel_height, settle
from headcount.publish.figures.labels import Label, place
from headcount.publish.figures.style import COLUMN, DECIMALS, house_style, nothing, panels, plain_ticks, stamp
from headcount.publish.inputs import Inputs
from headcount.publish.tables.k_tau_collapse import configurations
from headcount.schema import ESTIMATES

PAPER = "figure8"
QUESTION = "talk"
NEEDS = ("k_sweep", "debate")
READS = ("estimates",)
PUBLISHED = ()

GROUPS = {  # of items, by the share of a team's pairs that agreed in round 1
    "agreement_low": "agreement in round 1 below 0.4",
    "agreement_middle": "0.4 to 0.7",
    "agreement_high": "above 0.7",
}
SIZE = 10  # the paper's
MARKERS = "osD^vPX<>"
TICKS = (0, 1, 2, 5, 10, 20, 50, 100, 200, 500)

_SERIES = ["team", "task", "n"]


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    return draw(inputs.read(ESTIMATES))


def draw(estimates: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """A row for each team and task, a panel for each group of items, a line for each number of peers.

    Returns:
        the figure, and every number in it; `initial` is the agreement in round 1 of the panel's items.
    """
    data = numbers(estimates)
    if data.empty:
        return nothing("No team debated with several numbers of peers."), data
    rows = list(data.groupby(_SERIES, sort=False))
    looks = _looks(sorted(data["k"].unique()))
    with house_style():
        figure, grid = panels(len(rows), len(GROUPS), 2 * COLUMN, panel_height(len(rows)))
        _scale(grid[0, 0], data)
        for line, ((team, task, n), row) in zip(grid, rows, strict=True):
            line[0].set_ylabel(f"{team}\n{task}, N = {n}")
            for group, axes in zip(GROUPS, line, strict=True):
                _draw_panel(axes, row[row["initial"] == group], looks)
        for group, axes in zip(GROUPS, grid[0], strict=True):
            axes.set_title(GROUPS[group])
        figure.supxlabel("peers heard × updates, k τ", fontsize=7.5)
        figure.supylabel("pairs that agree, mean of items", fontsize=7.5)
        settle(figure)
        for line, (_, row) in zip(grid, rows, strict=True):
            for group, axes in zip(GROUPS, line, strict=True):
                place(axes, _labels(row[row["initial"] == group], looks))
    return figure, data


def numbers(estimates: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in the order of drawing: each line starts at k tau = 0, round 1."""
    found = pd.concat([_group(estimates, group) for group in GROUPS])
    several = found.groupby(_SERIES)["k"].transform("nunique") > 1
    found = found[several]
    chosen = found.assign(_far=(found["n"] != SIZE) * 1 - found["n"] / 1e6).sort_values("_far", kind="stable")
    sizes = chosen.groupby(["team", "task"])["n"].first().rename("n").reset_index()
    rows = found.merge(sizes, on=_SERIES)
    order = pd.Categorical(rows["initial"], list(GROUPS))
    rows = rows.assign(_order=order.codes).sort_values(["team", "task", "_order", "k", "tau"])
    columns = [*_SERIES, "initial", "k", "tau", "k_tau", "agreement", "low", "high", "n_items", "simulated"]
    return rows[columns].round(DECIMALS).reset_index(drop=True)


def _group(estimates: pd.DataFrame, group: str) -> pd.DataFrame:
    """The debates of one group of items, round 1 included."""
    names = {group: "agreement", f"{group}_low": "low", f"{group}_high": "high"}
    later = configurations(estimates, group).rename(columns=names)
    first = estimates[(estimates["condition"] == "debate") & (estimates["subsets"] == "first")]
    first = first[(first["quantity"] == group) & (first["round"] == 1)]
    first = first.rename(columns={"value": "agreement"}).drop_duplicates(_SERIES)  # the same whoever is heard later
    first = later[[*_SERIES, "k"]].drop_duplicates().merge(first, on=_SERIES).assign(tau=0, k_tau=0)
    return pd.concat([first, later]).dropna(subset="agreement").assign(initial=group)


def _looks(peers: list[int]) -> dict[int, tuple[str, str]]:
    """Colour and marker of each number of peers: the more, the darker."""
    palette = matplotlib.colormaps["viridis"]
    shades = [0.74 - 0.74 * place / max(len(peers) - 1, 1) for place in range(len(peers))]
    return {
        k: (to_hex(palette(shade)), MARKERS[place % len(MARKERS)])
        for place, (k, shade) in enumerate(zip(peers, shades, strict=True))
    }


def _draw_panel(axes: Axes, panel: pd.DataFrame, looks: dict[int, tuple[str, str]]) -> None:
    if panel["simulated"].any():
        stamp(axes)
    said = f"{panel['n_items'].max()} items" if len(panel) else "no such items"
    axes.text(0.98, 0.03, said, transform=axes.transAxes, ha="right", fontsize=6, color="0.4", zorder=4)
    present = sorted(panel["k"].unique())
    for order, k in enumerate(present):
        rows, (colour, marker) = panel[panel["k"] == k], looks[k]
        shift = 1.2 * (order - (len(present) - 1) / 2)
        beside = offset_copy(axes.transData, axes.get_figure(root=True), x=shift, units="points")
        talked = rows[rows["tau"] > 0]
        axes.vlines(talked["k_tau"], talked["low"], talked["high"], colors=colour, linewidth=0.6, transform=beside)
        look: dict[str, Any] = {
            "color": colour,
            "mec": "white",
            "mew": 0.3,
            "markersize": 3.4,
            "markevery": slice(1, None),
        }
        axes.plot(rows["k_tau"], rows["agreement"], marker=marker, linewidth=0.9, transform=beside, **look)
    _draw_first(axes, panel[panel["tau"] == 0][:1])


def _draw_first(axes: Axes, first: pd.DataFrame) -> None:
    """Round 1, which all numbers of peers share."""
    axes.vlines(first["k_tau"], first["low"], first["high"], colors="black", linewidth=0.8)
    axes.plot(first["k_tau"], first["agreement"], "o", color="black", mec="white", mew=0.3)


def _labels(panel: pd.DataFrame, looks: dict[int, tuple[str, str]]) -> list[Label]:
    """Each line's number of peers at its end, or else farther back."""
    labels = []
    for k in sorted(panel["k"].unique()):
        rows = panel[panel["k"] == k]
        points = list(zip(rows["k_tau"], rows["agreement"], strict=True))[::-1]
        labels.append(Label(f"k = {k}", points[:-1], looks[k][0]))
    return labels


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    """Linear from 0 to 1 and logarithmic beyond, so that round 1 has its place at k tau = 0."""
    axes.set_xscale("symlog", linthresh=1, linscale=0.5)
    axes.set_xlim(-0.2, 1.9 * data["k_tau"].max())
    axes.set_ylim(0, 1.03)
    plain_ticks(axes.xaxis, TICKS)

"""The studies of calibration drawn: how often intervals hold the truth, what excess says, how far the theorem goes.

They belong to no run, so they are no pages of one: `snakemake calibration` makes them.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from headcount.publish.calibration_pilots import draw_pilots
from headcount.publish.figures.style import house_style, panels

WIDTH = 7.0  # inches: a page's
BAND = {24: (0.91, 1.0), 200: (0.93, 0.97), 1000: (0.93, 0.97)}  # of coverage wanted, by items
LEAST = 0.5  # coverage that is drawn; less stands there too
ASIDE = 0.3  # how far offers stand apart on a line

OFFERS = {  # words, colour, marker
    "percentile_bounded": ("percentile, β ≥ 0 (paper)", "#999999", "v"),
    "percentile_free": ("percentile, β free", "#0072B2", "^"),
    "jackknife_t_plain": ("plain jackknife t", "#D55E00", "o"),
    "jackknife_t": ("jackknife t (default)", "#009E73", "s"),
}
PARAMETERS = {  # what stands on the lines, from the top
    ("pooled_agreement", "c"): "c",
    ("pooled_agreement", "beta"): "β",
    ("pooled_agreement", "rho_10"): "ρ(10)",
    ("pooled_agreement", "n_eff_30_from_pilot"): "N_eff(30) from 2, 3, 5",
    ("pooled_agreement", "n_eff_2"): "N_eff(2)",
    ("pooled_agreement", "n_eff_10"): "N_eff(10)",
    ("pooled_agreement", "n_eff_30"): "N_eff(30)",
    ("answer", "c"): "c, answers",
    ("answer", "beta"): "β, answers",
    ("answer", "n_eff_30"): "N_eff(30), answers",
    ("accuracy", "team_accuracy_10"): "team accuracy",
}
BREAKS = {
    "nothing": "assumptions hold",
    "no replacement": "without replacement, N = 10",
    "leak": "modes leak 2 % an update",
}


def draw_coverage(coverage: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Coverage of each population as a dot, their mean as a mark: a panel a number of items."""
    data = _drawn(coverage)
    items = sorted(data["items"].unique())
    with house_style():
        figure, grid = panels(1, len(items), WIDTH, 4.2)
        for axes, number in zip(grid[0], items, strict=True):
            _coverage_panel(axes, data[data["items"] == number], int(number))
        _explain(figure, grid, "share of 95 % intervals that hold the truth", len(OFFERS))
    return figure, data


def draw_excess(excess: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """How often an interval of excess holds 0, by population and null: a panel a number of items."""
    shown = excess[excess["parameter"].isin(["kappa_5", "kappa_10", "log_n_eff_ratio_10"])]
    data = shown[["population", "items", "null", "parameter", "holds_zero", "holds_zero_se"]]
    items, populations = sorted(data["items"].unique()), list(dict.fromkeys(data["population"]))
    lines = list(dict.fromkeys(zip(data["null"], data["parameter"], strict=True)))
    colours = dict(zip("ABC", ("#999999", "#0072B2", "#D55E00"), strict=True))
    markers = {"kappa_5": "v", "kappa_10": "o", "log_n_eff_ratio_10": "s"}
    words = {"kappa_5": "κ(5)", "kappa_10": "κ(10)", "log_n_eff_ratio_10": "L(10)"}
    with house_style():
        figure, grid = panels(1, len(items), WIDTH, 2.3)
        for axes, number in zip(grid[0], items, strict=True):
            axes.axvspan(0.93, 0.97, color="0.9", zorder=0)
            for place, (null, parameter) in enumerate(lines):
                rows = data[(data["items"] == number) & (data["null"] == null) & (data["parameter"] == parameter)]
                height = [populations.index(name) for name in rows["population"]]
                y = np.array(height) + (place / max(len(lines) - 1, 1) - 0.5) * 0.6
                label = f"null {null}, {words[parameter]}"
                axes.plot(rows["holds_zero"], y, markers[parameter], color=colours[null], label=label)
            axes.set(title=f"{number:,} items", xlim=(-0.03, 1.03), yticks=range(len(populations)))
            axes.set_yticklabels([name.replace("_", ", ") for name in populations])
            axes.set_ylim(len(populations) - 0.5, -0.5)
        _explain(figure, grid, "share of 95 % intervals of excess that hold 0", 4)
    return figure, data


def draw_theorem(theorem: pd.DataFrame) -> tuple[Figure, pd.DataFrame]:
    """Exact agreement after k tau = 8 against what the theorem says, by how many were off the mode at first."""
    binary = theorem[theorem["agreement_off"] == 1.0]
    keep = (
        (binary["breaks"] == "nothing")
        | ((binary["breaks"] == "no replacement") & (binary["n"] == 10))
        | ((binary["breaks"] == "leak") & (binary["leak"] == 0.02))
    )
    data = binary.loc[keep, ["breaks", "k", "tau", "off_mode", "rho_0", "exact", "formula"]]
    styles = {1: "o", 2: "s", 4: "^", 8: "D"}
    with house_style():
        figure, grid = panels(1, len(BREAKS), WIDTH, 2.1)
        for axes, (name, words) in zip(grid[0], BREAKS.items(), strict=True):
            rows = data[data["breaks"] == name]
            said = rows[rows["k"] == 1].sort_values("off_mode")
            axes.plot(said["off_mode"], said["formula"], "-", color="0.5", label=r"$1-(1-\rho_0)(1-\alpha_1)^{k\tau}$")
            for k, marker in styles.items():
                here = rows[rows["k"] == k].sort_values("off_mode")
                label = f"exact, k = {k}, τ = {8 // k}"
                axes.plot(here["off_mode"], here["exact"], marker + ":", lw=0.7, mfc="none", label=label)
            axes.set(title=words, xlabel="share off the mode at first")
        grid[0, 0].set_ylabel("agreement ρ(τ) at kτ = 8")
        grid[0, 0].legend(loc="lower left", borderpad=0.1)
    return figure, data


DRAWN: dict[str, Callable[..., tuple[Figure, pd.DataFrame]]] = {
    "coverage": draw_coverage,
    "excess": draw_excess,
    "theorem": draw_theorem,
    "pilots": draw_pilots,
}
"""How each figure of calibration is made of its studies, by the name of its file."""


def _explain(figure: Figure, grid: np.ndarray, xlabel: str, columns: int) -> None:
    """One label for the x axes and one legend, below all panels."""
    grid[0, grid.shape[1] // 2].set_xlabel(xlabel)
    handles, labels = grid[0, 0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=columns)


def _drawn(coverage: pd.DataFrame) -> pd.DataFrame:
    """The rows that are drawn."""
    names = pd.MultiIndex.from_frame(coverage[["level", "parameter"]])
    kept = coverage[coverage["offer"].isin(list(OFFERS)) & names.isin(list(PARAMETERS))]
    return kept[["population", "items", "level", "parameter", "offer", "coverage", "coverage_se"]]


def _coverage_panel(axes: Axes, rows: pd.DataFrame, items: int) -> None:
    lines = list(PARAMETERS)
    axes.axvspan(*BAND.get(items, BAND[200]), color="0.9", zorder=0)
    axes.axvline(0.95, color="0.6", lw=0.6, zorder=0.5)
    for place, (offer, (words, colour, marker)) in enumerate(OFFERS.items()):
        shift = (place / (len(OFFERS) - 1) - 0.5) * 2 * ASIDE
        each = rows[rows["offer"] == offer]
        mean = each.groupby(["level", "parameter"], sort=False)["coverage"].mean()
        height = [lines.index(line) for line in zip(each["level"], each["parameter"], strict=True)]
        axes.plot(np.maximum(each["coverage"], LEAST), np.array(height) + shift, "|", color=colour, ms=3.5, mew=0.6)
        axes.plot(mean, [lines.index(line) + shift for line in mean.index], marker, color=colour, label=words)
    axes.set(title=f"{items:,} items", xlim=(LEAST - 0.02, 1.01), yticks=range(len(lines)))
    axes.set_yticklabels([PARAMETERS[line] for line in lines])
    axes.set_ylim(len(lines) - 0.5, -0.5)

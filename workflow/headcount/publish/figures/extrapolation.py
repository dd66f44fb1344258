"""What a pilot of small teams says about large ones, drawn beside what was seen: shared by the paper's Figures 5 and 6.

Colour is what was measured, black and grey what a form makes of the pilot. Axes are logarithmic, and efficiency
N_eff / N falls: what is written stands above it, on the right.
"""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.patheffects import withStroke

from headcount.publish.cells import CELL, headline
from headcount.publish.figures.grids import settle
from headcount.publish.figures.style import (
    COLOURS,
    COLUMN,
    DECIMALS,
    MARKERS,
    TICKS,
    by_team,
    house_style,
    name_panels,
    nothing,
    panels,
    plain_ticks,
    stamp,
)
from headcount.publish.words import CONDITIONS, LAWS

FORMS: dict[str, Any] = {  # the other forms, thin: what tells them apart
    "ringelmann_free": (0, (6, 1.5)),
    "kish": (0, (3, 1.5)),
    "power": (0, (5, 1, 1, 1)),
    "logistic": (0, (4, 1, 1, 1, 1, 1)),
}
DRAWN = ("debate", "self_consistency", "self_correction", "noise")  # a team is shown in the first of these it has
PANEL = ["team", "task"]
SERIES = [*CELL, "level", "subsets", "peers", "round"]
SHARES = (1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01)
PILOT = "#EFE6DC"
ENVELOPE = "0.78"
MANY = 12  # sizes, beyond which marks are small

_SMALL: dict[str, Any] = {"fontsize": 6, "color": "0.35"}


def draw(audits: pd.DataFrame, empty: str) -> tuple[Figure, pd.DataFrame]:
    """A panel for each team and task: efficiency as seen, and as each form predicts it from the pilot.

    Args:
        audits: rows of AUDITS, of the teams to draw.
        empty: what a figure without panels says.

    Returns:
        the figure, and every number in it: `kind` is observed, predicted, one_voter or error.
    """
    data = numbers(audits)
    if data.empty:
        return nothing(empty), data
    places = by_team(data)
    rows, columns = (1 + max(number) for number in zip(*places.values(), strict=True))
    with house_style():
        figure, grid = panels(rows, columns, 2 * COLUMN, 2.2 if rows < 3 else 1.7)
        for (team, task), (row, column) in places.items():
            _draw_panel(grid[row, column], data[(data["team"] == team) & (data["task"] == task)])
        name_panels(grid, places)
        _scale(grid[0, 0], data)
        figure.supxlabel("team size N", fontsize=7.5)
        figure.supylabel("efficiency, $N_\\mathrm{eff}/N$", fontsize=7.5)
        figure.legend(**_legend(data), loc="outside upper center", ncols=4, handlelength=3)
        settle(figure)
    return figure, data


def numbers(audits: pd.DataFrame) -> pd.DataFrame:
    """Every number that is drawn, in shares of N; errors in shares of what was seen."""
    rows = _headline_rows(audits[(audits["level"] == "answer") & (audits["n"] > 1)])
    rows = rows[rows["n"] >= rows["pilot"].map(min)]  # a form is asked about larger teams, not about smaller ones
    seen = rows[(rows["law"] == "ringelmann") & rows["observed"].notna()]
    frames = [_shares(seen, "observed"), _shares(rows[rows["law"].isin(["ringelmann", *FORMS])], "predicted")]
    frames.append(_errors(seen))
    ends = seen.groupby(PANEL, sort=False).agg(n=("n", "max"), simulated=("simulated", "any")).reset_index()
    ends = pd.concat([ends.assign(n=1), ends])
    frames.append(ends.assign(kind="one_voter", r=1 / ends["n"]))
    columns = [*CELL, "round", "kind", "law", "n", "in_pilot", "r", "r_low", "r_high"]
    columns += ["n_eff", "predicted_n_eff", "error", "simulated"]
    return pd.concat(frames).reindex(columns=columns).round(DECIMALS).reset_index(drop=True)


def _headline_rows(audits: pd.DataFrame) -> pd.DataFrame:
    """Those of one series for each team and task: of the condition that is drawn, with the most sizes seen."""
    seen = audits[audits["observed"].notna() & (audits["law"] == "ringelmann")]
    sizes = seen.groupby([*SERIES, "law"])["n"].agg(list).rename("sizes").reset_index()
    if sizes.empty:
        return audits.iloc[:0]
    chosen = headline(sizes, "ringelmann")
    chosen = chosen[chosen["condition"] == chosen.groupby(PANEL)["condition"].transform(_drawn)]
    return chosen[SERIES].merge(audits, on=SERIES)


def _drawn(conditions: "pd.Series[str]") -> str:
    return min(conditions, key=DRAWN.index)


def _shares(rows: pd.DataFrame, kind: str) -> pd.DataFrame:
    """Seen or predicted effective sizes as shares of N; `law` is that of the prediction."""
    shares = {"r": rows[kind], "r_low": rows[f"{kind}_low"], "r_high": rows[f"{kind}_high"]}
    pilot = [n in pilot for n, pilot in zip(rows["n"], rows["pilot"], strict=True)]
    table = rows.assign(kind=kind, in_pilot=pilot, **{name: value / rows["n"] for name, value in shares.items()})
    return table.assign(law="") if kind == "observed" else table.dropna(subset="r")


def _errors(seen: pd.DataFrame) -> pd.DataFrame:
    """Of Ringelmann's form at the largest size, where the pilot has not seen it."""
    last = seen.loc[seen.groupby(PANEL)["n"].idxmax()]
    last = last[last["held_out"]].dropna(subset="predicted")
    error = last["predicted"] / last["observed"] - 1
    return last.assign(kind="error", n_eff=last["observed"], predicted_n_eff=last["predicted"], error=error)


def _draw_panel(axes: Axes, panel: pd.DataFrame) -> None:
    if panel["simulated"].any():
        stamp(axes)
    observed, predicted, one, errors = (
        panel[panel["kind"] == kind] for kind in ("observed", "predicted", "one_voter", "error")
    )
    pilot = observed.loc[observed["in_pilot"].astype(bool), "n"]
    if len(pilot):
        axes.axvspan(0.94 * pilot.min(), 1.06 * pilot.max(), color=PILOT, linewidth=0, zorder=0)
        axes.text(pilot.min(), 0.03, "pilot", transform=axes.get_xaxis_transform(), **_SMALL)
    axes.plot(one["n"], one["r"], color="0.55", linestyle=(0, (1, 1.5)), linewidth=0.9)
    axes.annotate(
        "one voter", (one["n"].max(), one["r"].min()), (-2, -3), "data", "offset points", ha="right", va="top", **_SMALL
    )
    _draw_predictions(axes, predicted)
    _draw_observed(axes, observed)
    for error in errors.to_dict("records"):
        said = f"N = {error['n']}: {error['predicted_n_eff']:.2f} predicted,\n{error['n_eff']:.2f} seen"
        said += f" ({100 * error['error']:+.0f} %)".replace("-", "−")
        halo = [withStroke(linewidth=2, foreground="white")]
        look: dict[str, Any] = {"fontsize": 6, "linespacing": 1.25, "path_effects": halo}
        axes.text(0.985, 0.985, said, transform=axes.transAxes, ha="right", va="top", **look)


def _draw_predictions(axes: Axes, predicted: pd.DataFrame) -> None:
    law = predicted[predicted["law"] == "ringelmann"]
    axes.fill_between(law["n"], law["r_low"], law["r_high"], color=ENVELOPE, linewidth=0, zorder=1)
    for name, line in FORMS.items():
        other = predicted[predicted["law"] == name]
        axes.plot(other["n"], other["r"], color="0.35", linestyle=line, linewidth=0.6)
    axes.plot(law["n"], law["r"], color="black", linewidth=1.2)


def _draw_observed(axes: Axes, observed: pd.DataFrame) -> None:
    """Open marks are those that the forms were fitted to."""
    for condition, rows in observed.groupby("condition"):
        colour, marker = COLOURS[str(condition)], MARKERS[str(condition)]
        size = 3.6 if len(rows) <= MANY else 2.2
        axes.vlines(rows["n"], rows["r_low"], rows["r_high"], colors=colour, linewidth=0.9, zorder=3)
        for in_pilot, fill in ((True, "white"), (False, colour)):
            marks = rows[rows["in_pilot"] == in_pilot]
            axes.plot(marks["n"], marks["r"], marker, color=colour, mfc=fill, mew=0.6, ms=size, zorder=4)


def _scale(axes: Axes, data: pd.DataFrame) -> None:
    """Down to one voter, and room above 1 for what is written; a form may leave the panel."""
    smallest, largest = data.loc[data["kind"] != "one_voter", "n"].agg(["min", "max"])
    low = 0.6 / largest
    axes.set(xscale="log", yscale="log", xlim=(smallest / 1.14, 1.14 * largest), ylim=(low, low**-0.25))
    plain_ticks(axes.xaxis, [tick for tick in TICKS if tick <= largest])
    plain_ticks(axes.yaxis, SHARES)


def _legend(data: pd.DataFrame) -> dict[str, Any]:
    """Handles and labels of what panels do not name themselves."""
    seen, laws = data[data["kind"] == "observed"], set(data["law"])
    keys: dict[str, Any] = {
        f"seen, {label} (open: pilot)": Line2D([], [], linestyle="", marker=MARKERS[name], color=COLOURS[name])
        for name, label in CONDITIONS.items()
        if name in set(seen["condition"])
    }
    law = Line2D([], [], color="black", linewidth=1.2)
    keys[f"{LAWS['ringelmann']}, with interval"] = (Patch(color=ENVELOPE, linewidth=0), law)
    for name, line in FORMS.items():
        if name in laws:
            keys[LAWS[name]] = Line2D([], [], color="0.35", linestyle=line, linewidth=0.6)
    return {"handles": list(keys.values()), "labels": list(keys)}

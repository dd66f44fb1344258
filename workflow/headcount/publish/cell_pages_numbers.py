"""The numbers of a cell's page: which of its curves it is about, and what the run's files hold of that, as text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pandas as pd

from headcount.laws.flags import FLAGS
from headcount.laws.forms import ringelmann
from headcount.publish.cell_pages_figures import LAWS
from headcount.publish.cells import HEARD, SERIES, headline, recommended, spread
from headcount.publish.words import EMPTY, REGIMES

SHOWN = ("team_accuracy", "agent_accuracy", "unanimous", "unanimous_wrong", "missing")  # quantities of ESTIMATES


@dataclass(frozen=True)
class Series:
    """Which of a cell's curves the page is about."""

    subsets: str
    peers: str
    round: int

    def of(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Its rows of a cell's frame."""
        rows = self.all_rounds(rows)
        return rows[rows["round"] == self.round]

    def all_rounds(self, rows: pd.DataFrame) -> pd.DataFrame:
        """Its rows of a cell's frame and those of all other rounds."""
        return rows[(rows["subsets"] == self.subsets) & (rows["peers"] == self.peers)]


@dataclass(frozen=True)
class Numbers:
    """What a run's files hold of a cell.

    Attributes:
        fits, curves: rows of FITS and CURVES at answer level.
        estimates: what ESTIMATES say of the quantities in SHOWN, side by side (`cells.spread`).
        series: the curve that the page is about.
        ours: the row of FITS that we recommend; none where nothing was fitted.
    """

    fits: pd.DataFrame
    curves: pd.DataFrame
    estimates: pd.DataFrame
    series: Series
    ours: dict[str, Any] | None = None

    @cached_property
    def first(self) -> pd.DataFrame:
        """The curve of round 1, of sizes of two and more; empty where the page is about that round."""
        rows = self.series.all_rounds(self.curves)
        return rows[(rows["round"] == 1) & (rows["n"] > 1) & (self.series.round > 1)].sort_values("n")

    @cached_property
    def fit(self) -> dict[str, dict[str, Any]]:
        """The row of FITS of each law."""
        rows = self.series.of(self.fits)
        return {row["law"]: {str(name): value for name, value in row.items()} for row in rows.to_dict("records")}

    @cached_property
    def laws(self) -> dict[str, tuple[float, float]]:
        """(c, beta) of each law that was fitted."""
        fit = self.fit
        known = {law: (fit[law]["c"], fit[law]["beta"]) for law in LAWS if law in fit}
        return {law: both for law, both in known.items() if np.isfinite(both).all()}


def cell_numbers(condition: str, numbers: Sequence[pd.DataFrame]) -> Numbers:
    """The numbers of a cell.

    Args:
        numbers: its rows of each frame of `run_numbers`.
    """
    fits, curves, estimates, ours, theirs = numbers
    recommended_ = [{str(name): value for name, value in row.items()} for row in ours.to_dict("records")]
    series = main_series(condition, theirs, curves)
    return Numbers(fits, curves, estimates, series, recommended_[0] if recommended_ else None)


def run_numbers(fits: pd.DataFrame, curves: pd.DataFrame, estimates: pd.DataFrame) -> list[pd.DataFrame]:
    """What `cell_numbers` takes of each cell, made for all cells of a run at once.

    Args:
        fits, curves, estimates: rows of FITS, CURVES and ESTIMATES.
    """
    ours = recommended(fits)
    fits, curves = (rows[rows["level"] == "answer"] for rows in (fits, curves))
    shown = spread(estimates[estimates["quantity"].isin(SHOWN)], SHOWN)
    return [fits, curves, shown.drop(columns=["n_items", "simulated"]), ours, headline(fits, "ringelmann")]


def main_series(condition: str, fits: pd.DataFrame, curves: pd.DataFrame) -> Series:
    """The series that tables show for a cell; without a fit, one with all peers heard, of the most sizes.

    Args:
        fits: the row of FITS that tables show, if there is one.
        curves: its rows of CURVES at answer level.
    """
    rows = fits
    if rows.empty:
        counts = curves.groupby(["subsets", "peers", "round"])["n"].nunique().rename("sizes").reset_index()
        counts = counts.assign(heard=counts["peers"] == HEARD[condition])
        rows = counts.sort_values(["heard", "sizes", "subsets", "round"]).tail(1)
    found = rows.iloc[0]
    return Series(found["subsets"], found["peers"], found["round"])


def by_size(numbers: Numbers) -> pd.DataFrame:
    """All that the page says about each size of two and more; N = 1 is 1 by definition.

    Returns:
        columns of CURVES, {law}_residual of each law (measured minus law, in agents), and of each quantity in SHOWN
        its value and its _low and _high.
    """
    curves = numbers.series.of(numbers.curves)
    rows = curves[curves["n"] > 1].sort_values("n")
    n = rows["n"].to_numpy(float)
    residuals = {
        f"{law}_residual": rows["n_eff"] - n * ringelmann(n, c, beta) for law, (c, beta) in numbers.laws.items()
    }
    known = numbers.series.of(numbers.estimates)
    return rows.assign(**residuals).merge(known.drop(columns=SERIES), on="n", how="left")


def size_rows(sizes: pd.DataFrame, laws: Iterable[str]) -> list[dict[str, Any]]:
    """Rows of `by_size` as text."""
    return [
        {
            "n": row["n"],
            "n_eff": ranged(row, "n_eff", 2),
            "residuals": [_signed(row[f"{law}_residual"]) for law in laws],
            "n_items": row["n_items"],
            **{name: _percent(row, name) for name in SHOWN},
        }
        for row in sizes.to_dict("records")
    ]


def round_rows(numbers: Numbers) -> dict[str, Any]:
    """N_eff, team accuracy and missing answers of every size and round, as text."""
    curves = numbers.series.all_rounds(numbers.curves)
    known = numbers.series.all_rounds(numbers.estimates)
    cells = {
        "n_eff": _by_place(curves, "n_eff", lambda value: number(value, 2)),
        "accuracy": _by_place(known, "team_accuracy", _share),
        "missing": _by_place(known, "missing", _share),
    }
    rounds, sizes = sorted(curves["round"].unique()), sorted(curves["n"].unique())
    rows = [
        {"n": n, **{name: [texts.get((n, round_), EMPTY) for round_ in rounds] for name, texts in cells.items()}}
        for n in sizes
    ]
    return {"rounds": rounds, "rows": rows, "any_missing": bool((known["missing"] > 0).any())}


def _by_place(rows: pd.DataFrame, name: str, as_text: Callable[[float], str]) -> dict[tuple[int, int], str]:
    """A column as text, by size and round."""
    places = zip(rows["n"], rows["round"], strict=True)
    return dict(zip(places, map(as_text, rows[name]), strict=True))


def lead(numbers: Numbers, sizes: pd.DataFrame) -> dict[str, Any] | None:
    """The largest team in a sentence: what it was worth, and before it talked."""
    known = sizes.dropna(subset="n_eff").tail(1).to_dict("records")
    if not known:
        return None
    row = known[0]
    before = [number(one, 2) for one in numbers.first.loc[numbers.first["n"] == row["n"], "n_eff"]]
    return {"n": row["n"], "n_eff": number(row["n_eff"], 2), "interval": interval(row, "n_eff", 2), "before": before}


def facts(numbers: Numbers) -> list[tuple[str, str, str]]:
    """Name, value and reading of what is worth knowing first: our reading, then the paper's."""
    if numbers.ours is None or "ringelmann" not in numbers.fit:
        return []
    ours, theirs = numbers.ours, numbers.fit["ringelmann"]
    ceiling = number(1 / theirs["c"], 2) if theirs["beta"] == 0 and theirs["c"] > 0 else ""
    said = [
        ("c", ranged(ours, "c", 2), "scale of the correlation between agents, by pooled agreement"),
        ("β", ranged(ours, "beta", 2), "how fast it falls as the team grows; below 0 it rises"),
        ("regime", REGIMES.get(ours["regime"], EMPTY), "by the interval of β against 0.1"),
        ("items", f"{theirs['n_items']:,}", f"asked at {_named(list(theirs['sizes']))}"),
        ("c by entropy", ranged(theirs, "c", 2), "the paper's way: β held in [0, 1]"),
        ("β by entropy", ranged(theirs, "beta", 2), "the same"),
        ("regime by entropy", REGIMES.get(theirs["regime"], EMPTY), "by the point of that β"),
        ("R² by entropy", number(theirs["r2"], 4), "near 1 for poor fits too: look at the residuals"),
        ("ceiling by entropy", ceiling, "1/c voters, for a team of any size; too high where β is below 0"),
        ("missing", _share(theirs["share_missing"]), "replies without an answer"),
    ]
    return [fact for fact in said if fact[1]]


def flags(numbers: Numbers) -> list[str]:
    """What to mind about either fit, in sentences."""
    rows = [row for row in (numbers.ours, numbers.fit.get("ringelmann")) if row]
    return [FLAGS[flag] for flag in sorted({flag for row in rows for flag in row["flags"]})]


def _named(sizes: list[int]) -> str:
    if len(sizes) > 10:
        return f"{len(sizes)} sizes from {sizes[0]} to {sizes[-1]}"
    return f"sizes {', '.join(map(str, sizes))}"


def number(value: float, decimals: int) -> str:
    return EMPTY if pd.isna(value) else f"{value:z.{decimals}f}".replace("-", "−")


def interval(row: Mapping[Any, Any], name: str, decimals: int, scale: float = 1) -> str:
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    if pd.isna(low) and pd.isna(high):
        return ""
    return f"[{number(scale * low, decimals)}, {number(scale * high, decimals)}]"


def ranged(row: Mapping[Any, Any], name: str, decimals: int) -> str:
    """Estimate [low, high]."""
    return f"{number(row[name], decimals)} {interval(row, name, decimals)}".strip()


def _signed(value: float) -> str:
    return EMPTY if pd.isna(value) else f"{value:+z.2f}".replace("-", "−")


def _share(value: float) -> str:
    return EMPTY if pd.isna(value) else f"{number(100 * value, 1)} %"


def _percent(row: Mapping[Any, Any], name: str) -> str:
    return f"{_share(row[name])} {interval(row, name, 0, 100)}".strip()

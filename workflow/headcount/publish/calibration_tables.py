"""The studies of calibration as Markdown tables, for `docs/calibration.md`: each is made of a study's rows alone."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from headcount.publish.calibration import PARAMETERS

WANTED = {24: 0.91, 200: 0.93, 1000: 0.93}  # least coverage, by items
OFFERS = {
    "jackknife_t": "jackknife t (default)",
    "jackknife_t_plain": "plain jackknife t",
    "jackknife_t_ln": "jackknife t of logarithms",
    "linearised_t": "linearised t",
    "percentile_bounded": "percentile, β ≥ 0 (paper)",
    "percentile_free": "percentile",
    "basic_free": "basic",
    "bca_free": "BCa",
}
_HELD_SLACK = 2.0  # Monte Carlo errors that a coverage must lie below what is wanted to be called a failure


def coverage_table(coverage: pd.DataFrame, items: int) -> str:
    """Coverage of each parameter by each offer: mean over populations, and the worst of them."""
    rows = coverage[coverage["items"] == items]
    grouped = rows.groupby(["level", "parameter", "offer"])["coverage"]
    found = grouped.mean().to_dict(), grouped.min().to_dict()
    lines = [[name, *(_mean_and_worst(found, (*key, offer)) for offer in OFFERS)] for key, name in PARAMETERS.items()]
    return table([f"{items:,} items", *OFFERS.values()], lines)


def failures_table(coverage: pd.DataFrame, offer: str = "jackknife_t") -> str:
    """Where an offer covers less than is wanted, by more than twice its Monte Carlo error."""
    rows = coverage[coverage["offer"] == offer]
    below = rows["coverage"] + _HELD_SLACK * rows["coverage_se"] < rows["items"].map(WANTED)
    lines = [
        [
            f"{row['items']:,}",
            row["population"].replace("_", ", ", 1),
            PARAMETERS.get((row["level"], row["parameter"]), f"{row['parameter']}, {row['level']}"),
            f"{row['truth']:.3g}",
            share(row["coverage"]),
            share(row["of_no_width"]),
        ]
        for row in rows[below].sort_values(["items", "coverage"]).to_dict("records")
    ]
    return table(["items", "population", "parameter", "truth", "coverage", "of no width"], lines)


def failures_of(coverage: pd.DataFrame) -> str:
    """How many cells of a parameter, population and number of items fall short, by offer and items."""
    low = coverage["coverage"] + _HELD_SLACK * coverage["coverage_se"] < coverage["items"].map(WANTED)
    grouped = coverage.assign(low=low).groupby(["offer", "items"])["low"]
    short, size = grouped.sum().to_dict(), grouped.size().to_dict()
    sizes = sorted(WANTED)
    lines = [
        [name, *(f"{short[offer, n]} of {size[offer, n]}" for n in sizes)]
        for offer, name in OFFERS.items()
        if (offer, sizes[0]) in size
    ]
    return table(["fall short of", *(f"{n:,} items: {share(WANTED[n])}" for n in sizes)], lines)


def error_table(coverage: pd.DataFrame, offer: str = "jackknife_t") -> str:
    """Largest bias in units of the root mean squared error, and median width, over populations."""
    rows = coverage[coverage["offer"] == offer]
    rows = rows.assign(relative=rows["bias"].abs() / rows["rmse"].where(rows["rmse"] > 0))
    grouped = rows.groupby(["level", "parameter", "items"])
    worst, width = grouped["relative"].max().to_dict(), grouped["width"].median().to_dict()
    sizes = sorted(WANTED)
    lines = [
        [
            name,
            *(share(worst[(*key, n)]) for n in sizes),
            *(f"{width[(*key, n)]:.3g}" for n in sizes),
        ]
        for key, name in PARAMETERS.items()
    ]
    heads = [f"bias/RMSE, {n:,}" for n in sizes] + [f"width, {n:,}" for n in sizes]
    return table(["parameter", *heads], lines)


def excess_table(excess: pd.DataFrame) -> str:
    """How often intervals of κ and L hold 0, least and most over sizes 5, 10 and 30; by population, null and items."""
    of_size = excess[excess["parameter"].str.match("kappa|log_n_eff_ratio")]
    grouped = of_size.groupby(["population", "null", "items"])["holds_zero"]
    found = grouped.min().to_dict(), grouped.max().to_dict()
    keys = [(population, null) for population in dict.fromkeys(excess["population"]) for null in "ABC"]
    sizes = sorted(WANTED)
    lines = [
        [population.replace("_", ", ", 1), null, *(_range(found, (population, null, n)) for n in sizes)]
        for population, null in keys
    ]
    return table(["population", "null", *(f"{n:,} items" for n in sizes)], lines)


def theorem_table(theorem: pd.DataFrame) -> str:
    """Exact agreement, least and most over k and tau, beside the formula; two answers."""
    binary = theorem[theorem["agreement_off"] == 1.0]
    cases = {
        "large team": binary["breaks"] == "nothing",
        "N = 10": (binary["breaks"] == "small team") & (binary["n"] == 10),
        "N = 10, without replacement": (binary["breaks"] == "no replacement") & (binary["n"] == 10),
        "leak .01": binary["leak"] == 0.01,
        "leak .05": binary["leak"] == 0.05,
    }
    lines = []
    for off in sorted(binary["off_mode"].unique()):
        here = binary["off_mode"] == off
        exact = [binary.loc[here & case, "exact"] for case in cases.values()]
        said = binary.loc[here & cases["large team"], "formula"].iloc[0]
        lines.append([share(off), share(said), *(f"{share(values.min())}–{share(values.max())}" for values in exact)])
    return table(["off the mode", "formula", *cases], lines)


def pilots_table(pilots: pd.DataFrame, pilot: str = "2;3;5") -> str:
    """What a pilot says of a debate of 30: its error, half its interval, and how often that holds; by items."""
    rows = pilots[(pilots["group"] == "talk") & (pilots["pilot"] == pilot)]
    kinds = {"N_eff": "pooled_agreement", "N_eff by answers": "answer", "accuracy": "accuracy"}
    by_kind = {name: rows[rows["level"] == level].set_index("items") for name, level in kinds.items()}
    told = ("error", "half_width", "covered")
    lines = [
        [f"{n:,}", *(share(frame.loc[n, column]) for frame in by_kind.values() for column in told)]
        for n in sorted(rows["items"].unique())
    ]
    heads = [f"{name}: {what}" for name in kinds for what in ("error", "half width", "covers")]
    return table(["items", *heads], lines)


def page(studies: dict[str, pd.DataFrame]) -> str:
    """All tables, one after the other."""
    return "\n\n".join(tables(studies)) + "\n"


def tables(studies: dict[str, pd.DataFrame]) -> Iterator[str]:
    """Every table of coverage, excess, theorem and pilots."""
    coverage = studies["coverage"]
    for items in sorted(coverage["items"].unique()):
        yield coverage_table(coverage, int(items))
    yield failures_of(coverage)
    yield failures_table(coverage)
    yield error_table(coverage)
    yield excess_table(studies["excess"])
    yield theorem_table(studies["theorem"])
    yield pilots_table(studies["pilots"])


def table(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    """A Markdown table."""
    ruled = [heads, ["---"] * len(heads), *lines]
    return "\n".join(f"| {' | '.join(line)} |" for line in ruled)


def share(value: float) -> str:
    """Three decimals without the zero before them."""
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}"


Found = tuple[dict[Any, float], dict[Any, float]]


def _mean_and_worst(found: Found, key: tuple[str, str, str]) -> str:
    mean, worst = found
    return f"{share(mean[key])} ({share(worst[key])})" if key in mean else "–"


def _range(found: Found, key: tuple[str, str, int]) -> str:
    least, most = (share(end[key]) for end in found)
    return least if least == most else f"{least}–{most}"

"""The same measures, fits, intervals and audits by pandas and SciPy, one group and one resample at a time.

What a careful person would write first: `groupby` an item's team, `value_counts` of its answers, `curve_fit` of the
means, and for an interval items drawn with `.loc` and `curve_fit` again. It is timed on one cell, checked there against
the workflow's own numbers, and stretched to the run by counts: seconds a team for measures, a curve and a refit for the
rest.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar, cast

import numpy as np
import pandas as pd
from scipy.optimize import curve_fit

from headcount.laws.estimate import LAWS
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.measures.arrays import FloatArray
from headcount.measures.intervals import INTERVALS, bootstrap_means, shared_weights

TEAM, TASK, CONDITION, ROUND = "qwen2.5-7b", "gpqa", "debate", 3
RESAMPLES = 20
PILOT = (2, 3, 5)
C_BOUNDS, C_BOUNDS_BOOT = (0.0, 20.0), (0.0, 5.0)
STARTS = ((0.5, 0.2), (0.05, 0.8))
CLOSE = 1e-4  # in c, beta and N_eff: what curve_fit's own tolerance leaves over
Theta = FloatArray  # (2,): c, beta
Made = TypeVar("Made")


def compared(release: Path, results: Path) -> dict[str, float]:
    """Seconds of the cell, and of the whole run as they stretch, beside which the workflow's own may be put.

    Raises:
        SystemExit: where the two disagree.
    """
    answers = _cell(release)
    teams, measuring = _timed(lambda: measures(answers))
    curve, fitting = _timed(lambda: fit(efficiencies(teams)))
    weights = _weights(results, answers)
    refits, resampling = _timed(lambda: [fit(resampled(teams, row), C_BOUNDS_BOOT) for row in weights])
    foretold, auditing = _timed(lambda: audit(teams))
    _agree(results, teams, curve, np.array(refits), weights, foretold)
    run = _counts(results)
    seconds = {
        "measures": measuring / len(teams) * run["teams"],
        "fits": fitting * run["curves"] + resampling / RESAMPLES * run["refits"],
        "audits": auditing * run["audits"] + resampling / RESAMPLES * run["audit_refits"],
    }
    cell = {"teams": len(teams), "measuring": measuring, "one_fit": fitting, "one_refit": resampling / RESAMPLES}
    return (
        {f"cell_{name}": value for name, value in cell.items()} | run | {f"{k}_seconds": v for k, v in seconds.items()}
    )


def measures(answers: pd.DataFrame) -> pd.DataFrame:
    """One row an item and size: N_eff of its answers, 2^H, and the share of equal pairs."""
    teams = answers.groupby(["item", "n"])[["answer", "correct"]]
    return teams.apply(_measured).reset_index()


def _measured(team: pd.DataFrame) -> pd.Series:
    counts = team["answer"].value_counts()
    n, share = counts.sum(), counts / counts.sum()
    entropy = -(share * np.log2(share)).sum() if n else np.nan
    pairs = (counts * (counts - 1)).sum() / (n * (n - 1)) if n > 1 else np.nan
    return pd.Series({"n_eff_answer": 2**entropy, "agreement": pairs, "n_correct": team["correct"].sum()})


def efficiencies(teams: pd.DataFrame) -> pd.Series:
    """R at each size of two and more."""
    means = teams[teams["n"] >= 2].groupby("n")["n_eff_answer"].mean()
    return means / means.index


def ringelmann(n: FloatArray, c: float, beta: float) -> FloatArray:
    return 1 / (1 + c * (n - 1) * n**-beta)


def fit(r: pd.Series, c_bounds: tuple[float, float] = C_BOUNDS) -> Theta:
    """(c, beta) of the best of two starts."""
    n, corners = r.index.to_numpy(dtype=float), ([c_bounds[0], 0], [c_bounds[1], 1])
    fits = [curve_fit(ringelmann, n, r.to_numpy(), p0=start, bounds=corners)[0] for start in STARTS]
    return cast(Theta, min(fits, key=lambda theta: float(((ringelmann(n, *theta) - r) ** 2).sum())))


def resampled(teams: pd.DataFrame, times: FloatArray) -> pd.Series:
    """R of items drawn anew: each as often as it came up."""
    by_item = teams.set_index("item")
    items = np.repeat(np.unique(teams["item"]), times.astype(int))
    return efficiencies(by_item.loc[items].reset_index())


def audit(teams: pd.DataFrame) -> pd.Series:
    """N_eff that a fit to the smallest sizes foretells at all others."""
    r = efficiencies(teams)
    n = r.index[~r.index.isin(PILOT)].to_numpy(dtype=float)
    return pd.Series(n * ringelmann(n, *fit(r[r.index.isin(PILOT)])), index=n.astype(int))


def _cell(release: Path) -> pd.DataFrame:
    answers = pd.read_parquet(release / "answers" / TEAM / f"{TASK}.parquet")
    full = answers["k"] == answers["n"] - 1
    cell = answers[(answers["condition"] == CONDITION) & (answers["round"] == ROUND) & full]
    return cell.astype({"item": str, "answer": object})[["item", "n", "agent", "answer", "correct"]]


def _weights(results: Path, answers: pd.DataFrame) -> FloatArray:
    """The first resamples that the workflow itself makes for this team and task."""
    items = answers["item"].nunique()
    replicates = int(_fits(results)["refits"].iloc[0])
    return shared_weights(INTERVALS["percentile"](replicates), items, 0, TEAM, TASK)[:RESAMPLES]


def _agree(
    results: Path, teams: pd.DataFrame, curve: Theta, refits: FloatArray, weights: FloatArray, foretold: pd.Series
) -> None:
    """The workflow has the same numbers."""
    ours = _of_cell(pd.read_parquet(results / "measures" / f"{TEAM}.parquet"))
    ours = ours[ours["k"] == ours["n"] - 1].sort_values(["item", "n"])
    _same("N_eff of each team", teams.sort_values(["item", "n"])["n_eff_answer"], ours["n_eff_answer"])
    _same("(c, beta)", curve, _fits(results)[["c", "beta"]].iloc[0])
    wide = teams[teams["n"] >= 2].pivot(index="item", columns="n", values="n_eff_answer").sort_index()
    sizes = wide.columns.to_numpy(dtype=float)
    means = bootstrap_means(wide.to_numpy(), weights)
    again = fit_curves(sizes, means / sizes, Bounds(C_BOUNDS_BOOT, LAWS["ringelmann"]))
    _same("(c, beta) of each resample", refits, np.stack([again.c, again.beta], axis=1))
    told = _of_law(pd.read_parquet(results / "audits.parquet"))
    told = told[told["team"].eq(TEAM) & told["held_out"]].sort_values("n")
    _same("N_eff foretold", foretold, told["predicted"])


def _fits(results: Path) -> pd.DataFrame:
    fits = _of_law(pd.read_parquet(results / "fits.parquet"))
    return fits[fits["team"] == TEAM]


def _of_law(rows: pd.DataFrame) -> pd.DataFrame:
    own = (rows["law"] == "ringelmann") & (rows["level"] == "answer") & (rows["subsets"] == "first")
    return _of_cell(rows[own & (rows["peers"] == "full")])


def _of_cell(rows: pd.DataFrame) -> pd.DataFrame:
    return rows[(rows["task"] == TASK) & (rows["condition"] == CONDITION) & (rows["round"] == ROUND)]


def _same(what: str, theirs: object, ours: object) -> None:
    gap = float(np.abs(np.asarray(theirs, dtype=float) - np.asarray(ours, dtype=float)).max())
    if not gap <= CLOSE:
        raise SystemExit(
            f"{what} of {TEAM}, {TASK}, {CONDITION}: pandas and SciPy differ from the workflow by {gap:.1e}."
        )


def _counts(results: Path) -> dict[str, float]:
    """What the run has of each kind of work: teams measured, curves fitted, refits of each."""
    teams = sum(len(pd.read_parquet(path, columns=["n"])) for path in (results / "measures").glob("*.parquet"))
    fits = pd.read_parquet(results / "fits.parquet", columns=["refits", "law"])
    keys = ["team", "task", "condition", "level", "law", "subsets", "peers", "round"]
    audits = pd.read_parquet(results / "audits.parquet").drop_duplicates(keys)
    paper = float(fits.loc[fits["law"] == "ringelmann", "refits"].max())
    groups = fits.loc[fits["law"] == "kish", "refits"].max()
    of_law = {"ringelmann": max(paper, 1000.0), "ringelmann_free": groups, "kish": groups}
    return {
        "teams": float(teams),
        "curves": float(len(fits)),
        "refits": float(fits["refits"].sum()),
        "audits": float(len(audits)),
        "audit_refits": float(audits["law"].map(of_law).fillna(0).sum()),
    }


def _timed(work: Callable[[], Made]) -> tuple[Made, float]:
    """What it gives, and its seconds of processor time, which other programs on the machine do not lengthen."""
    started = time.process_time()
    return work(), time.process_time() - started

"""The paper's printed numbers, as text: `0.00` and `0.000` are different claims."""

from collections.abc import Collection, Mapping

import pandas as pd

from headcount.publish.inputs import Inputs

CELL = ["team", "task", "condition"]


def beside(ours: pd.DataFrame, published: pd.DataFrame, on: list[str] | None = None) -> pd.DataFrame:
    """Our rows with the published columns of the same team, task and condition; "" where the paper has none.

    A seeded subset of a task (`mmlu_hard_200`) stands beside the paper's numbers for that task.

    Args:
        published: columns named `published_*` beside the keys, as printed.
        on: the keys; by default team, task and condition.
    """
    on = on or CELL
    keys = [f"_{key}" for key in on]
    known = ours.assign(**{f"_{key}": ours[key].astype(str) for key in on})
    if "task" in on:
        known["_task"] = known["_task"].str.replace(_SUBSET, "", regex=True)
    rows = known.merge(published.rename(columns=dict(zip(on, keys, strict=True))), on=keys, how="left")
    told = published.columns.drop(on)
    rows[told] = rows[told].fillna("")
    return rows.drop(columns=keys)


def compare(rows: pd.DataFrame, pairs: Mapping[str, str], percent: Collection[str] = ()) -> pd.DataFrame:
    """Rows with `{ours}_minus_published` and `{ours}_outside` for each pair of columns, ours and the paper's.

    The difference has the decimals that were printed; outside says that the printed number, however it was
    rounded, lies outside our interval (`{ours}_low`, `{ours}_high`). Both are "" where either is lacking.

    Args:
        percent: columns of ours that are shares where the paper prints per cent: the difference is in points.
    """
    for ours, printed in pairs.items():
        scale = 100.0 if ours in percent else 1.0
        ends = [rows.get(f"{ours}_{end}", rows[ours] * float("nan")) * scale for end in ("low", "high")]
        told = [_told(*row) for row in zip(rows[ours] * scale, *ends, rows[printed], strict=True)]
        rows = rows.assign(**{f"{ours}_minus_published": [t[0] for t in told], f"{ours}_outside": [t[1] for t in told]})
    return rows


def _told(ours: float, low: float, high: float, printed: str) -> tuple[str, str]:
    try:
        value = float(printed)
    except ValueError:
        return "", ""
    if pd.isna(ours):
        return "", ""
    decimals = len(printed.partition(".")[2])
    half = 0.5 * 10.0**-decimals
    outside = value + half < low or value - half > high  # False where there is no interval
    return f"{ours - value:+z.{decimals}f}", "outside" if outside else ""


_SUBSET = r"_\d+$"


def published_fits(inputs: Inputs) -> pd.DataFrame:
    """The paper's answer-level fits: Table 1, and from Table 11 the cells that Table 1 lacks.

    Returns:
        one row a cell: team, task, condition, then published_c, published_c_low, ... and published_in.
    """
    first = inputs.printed("table01_regimes").assign(published_in="Table 1")
    master = inputs.printed("table11_master_fits").assign(published_in="Table 11")
    rows = pd.concat([first, master]).rename(columns=_RENAMED)
    rows = rows.drop_duplicates(CELL, keep="first").fillna("")
    return rows[[*CELL, *(name for name in _RENAMED.values() if name != "team"), "published_in"]].reset_index(drop=True)


_RENAMED = {
    "model": "team",
    "c": "published_c",
    "c_ci_low": "published_c_low",
    "c_ci_high": "published_c_high",
    "beta": "published_beta",
    "beta_ci_low": "published_beta_low",
    "beta_ci_high": "published_beta_high",
    "regime": "published_regime",
    "r2": "published_r2",
}

"""Teams that answer A or B, as measures, and what is fitted to them."""

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.cells import fit_run
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings
from headcount.schema import CURVES, FITS, MEASURES
from headcount.store import conform

SIZES = (1, 2, 3, 5, 10)
SETTINGS = FitSettings(n_boot=60)


def rows(n, k, *, items=40, condition="debate", turn=1, replicates=1, seed=0, missing=0.1) -> pd.DataFrame:
    """Measures of teams that answer A or B, most of them A."""
    rng = np.random.default_rng((seed, n, k, turn))
    keys = [(f"item{i:03d}", rep) for i in range(items) for rep in range(replicates)]
    valid = rng.binomial(n, 1 - missing, len(keys))
    first = rng.binomial(valid, 0.8)
    counts = np.stack([first, valid - first], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = counts / valid[:, None]
        h = -np.where(counts > 0, share * np.log2(share), 0).sum(axis=1)
        rho = (counts * (counts - 1)).sum(axis=1) / (valid * (valid - 1))
    h = np.where(valid > 0, h, np.nan)
    return pd.DataFrame(
        {
            "task": "t",
            "condition": condition,
            "item": [item for item, _ in keys],
            "replicate": [rep for _, rep in keys],
            "n": n,
            "k": k,
            "round": turn,
            "n_valid": valid,
            "n_distinct": (counts > 0).sum(axis=1),
            "entropy": h,
            "n_eff_answer": 2**h,
            "agreement": rho,
            "n_eff_agreement": np.where((n == 1) & (valid == 1), 1, n / (1 + (n - 1) * rho)),
            "pairs": valid * (valid - 1) // 2,
            "equal_pairs": (counts * (counts - 1)).sum(axis=1) // 2,
            "n_correct": first,
            "correct_pairs": first * (first - 1) // 2,
            "team_answer": np.where(valid > 0, "A", None),
            "team_correct": first * 2 > valid,
            "expected_correct": (np.sign(2 * first - valid) + 1) / 2,
            "tie": False,
            "unanimous": (first == valid) & (valid > 1),
            "unanimous_wrong": (first == 0) & (valid > 1),
            "prompt_tokens": 1,
            "completion_tokens": 1,
        }
    )


def table(*parts: pd.DataFrame) -> pa.Table:
    return conform(pd.concat(parts), MEASURES, "test")


def full(**options) -> pa.Table:
    return table(*(rows(n, n - 1, **options) for n in SIZES))


def fit(measures, settings=SETTINGS):
    fits, curves = fit_run({"team": TeamRows(measures)}, settings)
    assert fits.schema.equals(FITS.schema)
    assert curves.schema.equals(CURVES.schema)
    return fits.to_pandas(), curves.to_pandas()


def pick(frame, **key) -> pd.DataFrame:
    for name, value in key.items():
        frame = frame[frame[name] == value]
    return frame

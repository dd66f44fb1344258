"""Teams whose effective size follows a curve exactly, at every item."""

import numpy as np
import pandas as pd
import pyarrow as pa
from made_up_teams import answers, measured

from headcount.measures.diversity import correlation_from_n_eff
from headcount.schema import MEASURES
from headcount.store import conform

PAIRS = 10**8  # so many that a share of them is any correlation, to eight digits


def lawful(n_eff, sizes, **options) -> pa.Table:
    """Measures of teams with n_eff(n) effective agents at the answer and the pooled-agreement level.

    Args:
        n_eff: of an array of sizes, an array.
        options: for `answers`.
    """
    frame: pd.DataFrame = measured(answers(sizes=sizes, missing=0, **{"items": 4, "rounds": 1, **options})).to_pandas()
    n = frame["n"].to_numpy(dtype=float)
    some = n > 1
    rho = np.where(some, correlation_from_n_eff(np.where(some, n, 2.0), n_eff(np.where(some, n, 2.0))), 0.0)
    frame["n_eff_answer"] = np.where(some, n_eff(n), 1.0)
    frame["pairs"] = np.where(some, PAIRS, 0)
    frame["equal_pairs"] = np.round(rho * frame["pairs"]).astype(int)
    return conform(frame, MEASURES, "test")

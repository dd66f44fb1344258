"""Gates of one threshold, learned on all models but the one that they are tried on, among debates of one shape."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headcount.ledger.saved_run import MIXED
from headcount.ledger.stump import MODELS, Stump, eligible, leave_one_model_out
from headcount.ledger.trajectories import PRE_DEBATE, REPLAY
from headcount.measures.arrays import BoolArray


@dataclass(frozen=True)
class Learned:
    """What was learned.

    Attributes:
        known: (debates,), those of a model that could be left out.
        fired: (debates,), those that are frozen; nothing where not known.
        stumps: of each model left out.
    """

    known: BoolArray
    fired: BoolArray
    stumps: dict[str, Stump]

    def rule(self, model: str) -> str:
        """In words, what decides about the debates of a model."""
        stump = self.stumps[model]
        sign = "≥" if stump.high else "≤"
        return "never" if stump.feature is None else f"{stump.feature} {sign} {stump.threshold:.3g}"


# Features by gate and endpoint: those of R1 are not known before it is over, and it must not be the last round.
LEARNED: dict[str, Callable[[int], Sequence[str]]] = {
    "learned_r0_stump": lambda endpoint: PRE_DEBATE,  # noqa: ARG005
    "learned_r1_stump": lambda endpoint: REPLAY if endpoint > 2 else (),
}


def eligible_models(rows: pd.DataFrame) -> list[str]:
    """Models that have enough debates to learn from; teams of several models count for none.

    Args:
        rows: labelled debates of one condition, shape and endpoint.
    """
    return sorted(eligible(rows[rows["model"] != MIXED])["model"].unique())


def learn(rows: pd.DataFrame, endpoint: int) -> dict[str, Learned]:
    """Each gate on each model's debates as learned on those of all other models; none with fewer than four models.

    Args:
        rows: labelled debates of one condition, shape and endpoint, numbered from 0.
        endpoint: the round that they are judged at.
    """
    models = eligible_models(rows)
    if len(models) < MODELS:
        return {}
    known = rows["model"].isin(models).to_numpy()
    found = {}
    for name, features in LEARNED.items():
        if features(endpoint):
            fired = np.zeros(len(rows), np.bool_)
            fired[known], stumps = leave_one_model_out(rows[known].reset_index(drop=True), features(endpoint))
            found[name] = Learned(known, fired, stumps)
    return found

"""A freeze by a collapse risk that probes foretell, learned on all models but the one that it is tried on.

The paper reports such a gate (29 collapses prevented, 108 corrections lost) and releases neither its code nor its
features, thresholds and modes. This is our declared specification of it, and no reproduction of theirs.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

from headcount.ledger.logistic import fit_logistic
from headcount.ledger.replay import Replayed, freeze, outcome
from headcount.ledger.stump import to_leave_out
from headcount.measures.arrays import BoolArray, FloatArray

FEATURES = ("probe_mean_fr", "alpha_adv", "alpha_cor", "s_soc", "s_arg", "init_agree_frac")
TAUS = tuple(np.round(np.arange(0, 1.0001, 0.05), 2).tolist())
# What a fired gate returns: the first majority, or that of R1. To abstain in favour of the first is the former.
MODES: Mapping[str, str] = {"initial": "initial_correct", "r1": "r1_majority_correct"}

_TO = {"initial": "the first majority", "r1": "that of R1"}


@dataclass(frozen=True)
class Choice:
    """What was tuned on the other models: freeze above `tau` to the answer of `mode`, with its utility there."""

    tau: float
    mode: str
    utility: float

    def __str__(self) -> str:
        """In words, what decides about the debates of the model that was left out."""
        return "never" if self.tau >= 1 else f"risk > {self.tau:g}, to {_TO[self.mode]}"


def probe_gated_freeze(
    debates: pd.DataFrame,
    features: Sequence[str] = FEATURES,
    taus: Sequence[float] = TAUS,
    weights: tuple[float, float] = (1.0, 1.0),
    modes: Sequence[str] = tuple(MODES),
) -> tuple[Replayed, dict[str, Choice]]:
    """Replay the gate on each model's rows as learned on all other models (ours).

    The risk is a logistic regression of "collapse" among all labelled rows of the other models. Its threshold and mode
    are those of the largest utility there, on risks that were themselves learned without the row's model (nested);
    among equals the higher threshold, then the first mode. A threshold of 1 never fires.

    Args:
        debates: labelled rows of models with enough of them, see `stump.eligible`, with the features and the modes'
            columns; a missing feature is taken for the mean of the rows that are learned from.
        features: columns of numbers.
        taus: thresholds to try.
        weights: of a collapse and of a correction.
        modes: of `MODES`, those to try; where R1 decides, a freeze to it is none.

    Returns:
        the replay of all rows, and the choice of each model left out.

    Raises:
        UserError: with fewer than four models.
    """
    model = debates["model"].to_numpy(dtype=str)
    models = to_leave_out(model)
    ends = freeze(debates, np.ones(len(debates), np.bool_))
    x = debates[list(features)].to_numpy(dtype=np.float64, na_value=np.nan)
    fired, after, choices = np.zeros(len(debates), np.bool_), ends.final.copy(), {}
    for left in models:
        held_in, out = model != left, model == left
        inner = _risk_of_left_out(x[held_in], (ends.initial & ~ends.final)[held_in], model[held_in])
        choice = _tune(debates[held_in], inner, product(sorted(taus, reverse=True), modes), weights)
        risk = fit_logistic(x[held_in], (ends.initial & ~ends.final)[held_in])(x[out])
        replayed = freeze(debates[out], risk > choice.tau, MODES[choice.mode])
        fired[out], after[out], choices[left] = replayed.fired, replayed.after, choice
    return Replayed(fired, ends.initial, ends.final, after), choices


def _risk_of_left_out(
    x: FloatArray, collapse: BoolArray, model: "np.ndarray[tuple[int], np.dtype[np.str_]]"
) -> FloatArray:
    """Risk of each row, (rows,), learned on the rows of other models."""
    risk = np.empty(len(x))
    for left in np.unique(model):
        out = model == left
        risk[out] = fit_logistic(x[~out], collapse[~out])(x[out])
    return risk


def _tune(
    debates: pd.DataFrame, risk: FloatArray, choices: Iterable[tuple[float, str]], weights: tuple[float, float]
) -> Choice:
    tried = [
        Choice(tau, mode, outcome(freeze(debates, risk > tau, MODES[mode])).utility(*weights)) for tau, mode in choices
    ]
    return max(tried, key=lambda choice: choice.utility)  # the first of the largest

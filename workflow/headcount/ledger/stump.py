"""A gate of one threshold, learned on all models but the one that it is tried on."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headcount.errors import UserError
from headcount.ledger.cuts import ByValue, Score
from headcount.ledger.parts import ranked
from headcount.ledger.replay import freeze
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

MODELS, ROWS = 4, 50  # the least that a gate is learned from: models, and debates of each


@dataclass(frozen=True)
class Stump:
    """Freeze where a feature is on one side of a threshold.

    Attributes:
        feature: its name; None: never freeze.
        threshold: the cut.
        high: freeze at and above it; else at and below it.
        filled: what a missing value is taken to be: the mean of the training rows.
    """

    feature: str | None = None
    threshold: float = 0.0
    high: bool = True
    filled: float = 0.0

    def __call__(self, debates: pd.DataFrame) -> BoolArray:
        """The rows, (debates,), to freeze."""
        if self.feature is None:
            return np.zeros(len(debates), np.bool_)
        values = np.nan_to_num(_values(debates, self.feature), nan=self.filled)
        return np.asarray(values >= self.threshold if self.high else values <= self.threshold)

    def __str__(self) -> str:
        """In words, what it freezes."""
        return "never" if self.feature is None else f"{self.feature} {'≥' if self.high else '≤'} {self.threshold:.3g}"


def learn_stump(debates: pd.DataFrame, features: Sequence[str]) -> Stump:
    """The best single cut on some rows.

    Cuts are at percentiles 0, 5, ..., 100 of a feature and at each of its values if they are few; either side may
    freeze. The objective is net / rows - .02 firing rate; among equals the larger net, fewer corrections lost, fewer
    firings, the first found; "never", with objective 0, comes first (arXiv 2609.35279, section 6). Thresholds are not
    rounded: the reference's rounding leaves 2/3 out of ">= 2/3".

    Args:
        debates: labelled rows.
        features: columns of numbers; a missing value is taken for the mean of the others, or 0 where there is none.
    """
    return _best(_counted(debates, features, np.zeros(len(debates), np.int64)).items())


def leave_one_model_out(debates: pd.DataFrame, features: Sequence[str]) -> tuple[BoolArray, dict[str, Stump]]:
    """Freeze each model's rows as learned on all other models.

    Args:
        debates: labelled rows of models with enough of them, see `eligible`.
        features: see `learn_stump`.

    Returns:
        (debates,), the rows that are frozen, and the stump of each model left out.

    Raises:
        UserError: with fewer than four models.
    """
    model, names = ranked(debates["model"])
    models = to_leave_out(names)
    counted = _counted(debates, features, model).items()
    fired, stumps = np.zeros(len(debates), np.bool_), {}
    for number, left in enumerate(models):
        stumps[left], out = _best(counted, number), model == number
        fired[out] = stumps[left](debates)[out]
    return fired, stumps


def to_leave_out(model: "np.ndarray[tuple[int], np.dtype[np.str_]]") -> list[str]:
    """The models that a gate is learned without, one after the other.

    Raises:
        UserError: with fewer than four.
    """
    models: list[str] = np.unique(model).tolist()
    if len(models) < MODELS:
        raise UserError(
            f"gates: a learned gate needs {MODELS} models with {ROWS} debates each; there are {len(models)}."
        )
    return models


def eligible(model: "pd.Series[str]", rows: int = ROWS) -> BoolArray:
    """The debates, (debates,), of models that have at least so many."""
    place, names = ranked(model)
    return np.asarray(np.bincount(place, minlength=names.size)[place] >= rows)


def _counted(debates: pd.DataFrame, features: Sequence[str], model: IntArray) -> dict[str, ByValue]:
    """Each feature, and what freezes at its values would do."""
    ends = freeze(debates, np.ones(len(debates), np.bool_))
    prevented, lost = ends.prevented, ends.lost
    return {name: ByValue.of(_values(debates, name), model, prevented, lost) for name in features}


def _best(counted: Iterable[tuple[str, ByValue]], left: int | None = None) -> Stump:
    """The best cut of the first feature that has one."""
    best: Score = (0, 0, 0, 0)
    found = Stump()
    for feature, values in counted:
        cut = values.best(left)
        if cut and cut.score > best:
            best, found = cut.score, Stump(feature, cut.threshold, cut.high, cut.filled)
    return found


def _values(debates: pd.DataFrame, feature: str) -> FloatArray:
    return np.asarray(debates[feature].to_numpy(dtype=np.float64, na_value=np.nan))

"""A gate of one threshold, learned on all models but the one that it is tried on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headcount.errors import UserError
from headcount.ledger.replay import freeze
from headcount.measures.arrays import BoolArray, FloatArray, IntArray

FEW_VALUES = 25  # features with at most so many values are cut at each of them too
COST = 50  # a gate must win one debate in so many that it fires at: the reference's penalty of .02 a firing
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
    ends = freeze(debates, np.ones(len(debates), np.bool_))
    best, found = (0, 0, 0, 0), Stump()
    prevented, lost = ends.prevented.astype(np.int64), ends.lost.astype(np.int64)
    for cut, fired in _cuts(debates, features):
        score = _score(int(fired @ prevented), int(fired @ lost), int(fired.sum()))
        if score > best:
            best, found = score, cut
    return found


def leave_one_model_out(debates: pd.DataFrame, features: Sequence[str]) -> tuple[BoolArray, dict[str, Stump]]:
    """Freeze each model's rows as learned on all other models.

    Args:
        debates: labelled rows of models with enough of them (`eligible`).
        features: see `learn_stump`.

    Returns:
        (debates,), the rows that are frozen, and the stump of each model left out.

    Raises:
        UserError: with fewer than four models.
    """
    model = debates["model"].to_numpy(dtype=str)
    models = to_leave_out(model)
    fired, stumps = np.zeros(len(debates), np.bool_), {}
    for left in models:
        stumps[left] = learn_stump(debates[model != left], features)
        fired[model == left] = stumps[left](debates[model == left])
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


def eligible(debates: pd.DataFrame, rows: int = ROWS) -> pd.DataFrame:
    """The debates of models that have at least so many, numbered anew."""
    size = debates.groupby("model", observed=True)["model"].transform("size")
    return debates[size >= rows].reset_index(drop=True)


def _score(prevented: int, lost: int, fired: int) -> tuple[int, int, int, int]:
    """Larger is better; the objective times 50 rows, so that equals are equal."""
    return COST * (prevented - lost) - fired, prevented - lost, -lost, -fired


def _cuts(debates: pd.DataFrame, features: Sequence[str]) -> Iterator[tuple[Stump, IntArray]]:
    for feature in features:
        known = _values(debates, feature)
        known = known[np.isfinite(known)]
        if not known.size:
            continue
        mean = float(known.mean())
        values = np.nan_to_num(_values(debates, feature), nan=mean)
        for threshold in _thresholds(values).tolist():
            for high in (True, False):
                fired = values >= threshold if high else values <= threshold
                yield Stump(feature, threshold, high, mean), fired.astype(np.int64)


def _thresholds(values: FloatArray) -> FloatArray:
    own = np.unique(values)
    cuts = np.percentile(values, np.arange(0, 101, 5))
    return np.unique(np.concatenate([cuts, own])) if own.size <= FEW_VALUES else np.unique(cuts)


def _values(debates: pd.DataFrame, feature: str) -> FloatArray:
    return np.asarray(debates[feature].to_numpy(dtype=np.float64, na_value=np.nan))

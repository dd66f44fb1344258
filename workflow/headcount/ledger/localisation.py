"""How well the course of a debate tells, before it ends, that its right majority will be lost.

Among debates that were right at first, and with no feature that knows the right answer or the last round: the baseline
of the reference holds the first answers' correctness, and its full set the outcome's own round, which inflates both.
Folds are made of questions (and models), never of rows, and a model is fitted until it has converged.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd

from headcount.ledger.logistic import fit_logistic
from headcount.ledger.replay import DRAWS, labelled
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.intervals import Percentile, percentile_interval

FOLDS = 5
BLOCK = 200  # resamples at a time
By = Literal["question", "model", "question_and_model"]


def at_risk(debates: pd.DataFrame) -> tuple[pd.DataFrame, BoolArray]:
    """Labelled debates that were right at first, numbered anew, and which of them collapsed, (rows,)."""
    rows = labelled(debates)
    rows = rows[rows["initial_correct"].astype(bool)].reset_index(drop=True)
    return rows, ~rows["final_correct"].to_numpy(dtype=bool)


def localise(
    debates: pd.DataFrame,
    sets: Mapping[str, Sequence[str]],
    rng: np.random.Generator,
    by: By = "question",
    folds: int = FOLDS,
    draws: int = DRAWS,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Area under the curve of collapse among debates that were right at first, for growing sets of features.

    Scores are out of fold and pooled over folds. Intervals resample questions with the scores as they are: they hold
    the luck of the questions, not that of the fit.

    Args:
        debates: rows as in `replay`, with the features.
        sets: features by name, such as `trajectories.PRE_DEBATE` and `ROUND_1`; each is compared with the first.
        rng: folds, then resamples.
        by: what a fold keeps together: a question in all models; a model; or both, so that a row is scored by rows of
            other questions and other models.
        folds: of questions.
        draws: resamples.
        confidence: coverage.

    Returns:
        one row a set: `features`, `auc`, `low`, `high`, `gain`, `gain_low`, `gain_high`, `debates`, `collapses`; NaN
        where nothing or everything collapsed.
    """
    rows, collapse = at_risk(debates)
    places = list(fold_masks(rows, rng, by, folds))
    scores = [out_of_fold(rows, features, collapse, places) for features in sets.values()]
    _, question = np.unique(rows["question_id"].to_numpy(dtype=str), return_inverse=True)
    weights = Percentile(draws).weights(int(question.max(initial=0)) + 1, rng)
    found = np.array([auc(score, collapse, np.ones((1, len(rows))))[0] for score in scores])
    drawn = np.stack([_drawn(score, collapse, weights, question) for score in scores], axis=1)
    columns = {"features": list(sets)} | _beside_the_first(found, drawn, confidence)
    return pd.DataFrame(columns).assign(debates=len(rows), collapses=int(collapse.sum()))


def _beside_the_first(found: FloatArray, drawn: FloatArray, confidence: float) -> dict[str, FloatArray]:
    """Areas, (sets,), and what they gain on the first, with intervals from draws of them, (draws, sets)."""
    low, high = percentile_interval(drawn, confidence)
    gain_low, gain_high = percentile_interval(drawn - drawn[:, :1], confidence)
    gain = {"gain": found - found[0], "gain_low": gain_low, "gain_high": gain_high}
    return {"auc": found, "low": low, "high": high} | gain


def fold_masks(
    rows: pd.DataFrame, rng: np.random.Generator, by: By, folds: int
) -> Iterator[tuple[BoolArray, BoolArray]]:
    """Rows to learn from and rows to score, (rows,) each; every row is scored once.

    Args:
        rows: `model` and `question_id`.
        rng: shuffles the questions, in order of name.
        by, folds: see `localise`.
    """
    question, model = (
        np.unique(rows[name].to_numpy(dtype=str), return_inverse=True)[1] for name in ("question_id", "model")
    )
    part = (rng.permutation(int(question.max(initial=-1)) + 1) % folds)[question]
    whole = np.ones(len(rows), np.bool_)
    of_question = [part == number for number in np.unique(part)] if "question" in by else [whole]
    of_model = [model == number for number in np.unique(model)] if "model" in by else [whole]
    for questions, models in product(of_question, of_model):
        here = questions & models
        if here.any():
            yield (~questions & ~models if by == "question_and_model" else ~here), here


def out_of_fold(
    rows: pd.DataFrame, features: Sequence[str], label: BoolArray, masks: Sequence[tuple[BoolArray, BoolArray]]
) -> FloatArray:
    """Probability of the label, (rows,), from a logistic regression on the rows of other folds; NaN without any."""
    x = rows[list(features)].to_numpy(dtype=np.float64, na_value=np.nan)
    score = np.full(len(rows), np.nan)
    for away, here in masks:
        if away.any():
            score[here] = fit_logistic(x[away], label[away])(x[here])
    return score


def auc(score: FloatArray, label: BoolArray, weights: FloatArray) -> FloatArray:
    """Mann and Whitney's chance that a labelled row scores above another, ties half, of rows that count several times.

    Args:
        score: (rows,), NaN left out.
        label: (rows,).
        weights: (draws, rows), how often each row counts.

    Returns:
        (draws,) in [0, 1]; NaN where either class is empty.
    """
    known = np.flatnonzero(np.isfinite(score))
    if not known.size:
        return np.full(len(weights), np.nan)
    order = known[np.argsort(score[known], kind="stable")]
    start = np.flatnonzero(np.r_[True, np.diff(score[order]) > 0])
    one, other = (np.add.reduceat(weights[:, order] * group[order], start, axis=1) for group in (label, ~label))
    below = np.cumsum(other, axis=1) - other / 2
    pairs = one.sum(axis=1) * other.sum(axis=1)
    return np.where(pairs > 0, (one * below).sum(axis=1) / np.where(pairs > 0, pairs, 1.0), np.nan)


def _drawn(score: FloatArray, label: BoolArray, weights: FloatArray, question: IntArray) -> FloatArray:
    """`auc` of every resample of questions, (draws,)."""
    blocks = [weights[start : start + BLOCK][:, question] for start in range(0, len(weights), BLOCK)]
    return np.concatenate([auc(score, label, block) for block in blocks])

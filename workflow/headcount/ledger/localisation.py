"""How well the course of a debate tells, before it ends, that its right majority will be lost.

Among debates that were right at first, and with no feature that knows the right answer or the last round: the baseline
of the reference holds the first answers' correctness, and its full set the outcome's own round, which inflates both.
Folds are made of questions (and models), never of rows, and a model is fitted until it has converged.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd

from headcount.ledger.logistic import fit_logistics
from headcount.ledger.parts import ranked
from headcount.ledger.replay import DRAWS, labelled
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.intervals import Percentile, percentile_interval

FOLDS = 5
By = Literal["question", "model", "question_and_model"]
Masks = Sequence[tuple[BoolArray, BoolArray]]


@dataclass(frozen=True)
class AtRisk:
    """Labelled debates that were right at first.

    Attributes:
        collapse: (rows,), which of them ended wrong.
        question: (rows,), places among the questions that are drawn anew, sorted by name; not each need have a row.
        model: (rows,), places among models, sorted by name.
        sets: what is known of them, by the name of a set, (rows, columns) each.
    """

    collapse: BoolArray
    question: IntArray
    model: IntArray
    sets: Mapping[str, FloatArray]

    @classmethod
    def of(
        cls, rows: pd.DataFrame, collapse: BoolArray, question: IntArray, sets: Mapping[str, Sequence[str]]
    ) -> "AtRisk":
        """From `at_risk`, places of questions, and sets of columns."""
        columns = {name: rows[list(names)].to_numpy(dtype=np.float64, na_value=np.nan) for name, names in sets.items()}
        return cls(collapse, question, ranked(rows["model"])[0], columns)

    def at(self, place: IntArray, sets: Iterable[str]) -> "AtRisk":
        """Some of the rows, and of the sets."""
        columns = {name: self.sets[name][place] for name in sets}
        return AtRisk(self.collapse[place], self.question[place], self.model[place], columns)


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
        rng: resamples, then folds.
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
    question, names = ranked(rows["question_id"])
    weights = with_each_once(Percentile(draws).weights(max(names.size, 1), rng))
    found = areas(AtRisk.of(rows, collapse, question, sets), weights, rng, by, folds, confidence)
    return pd.DataFrame({"features": list(sets)} | found).assign(debates=len(rows), collapses=int(collapse.sum()))


def with_each_once(weights: FloatArray) -> FloatArray:
    """Draws of questions, (draws, questions), below a row of ones that gives the estimate; as `auc` wants them."""
    return np.asfortranarray(np.concatenate([np.ones((1, weights.shape[1])), weights]))


def areas(
    risked: AtRisk,
    weights: FloatArray,
    rng: np.random.Generator,
    by: By = "question",
    folds: int = FOLDS,
    confidence: float = 0.95,
) -> dict[str, FloatArray]:
    """The areas of `localise` and their gains, (sets,) each.

    Args:
        risked: the debates.
        weights: (1 + draws, questions), from `with_each_once`.
        rng: folds.
        by, folds, confidence: see `localise`.
    """
    collapse, question = risked.collapse, risked.question
    masks = list(fold_masks(question, risked.model, rng, by, folds))
    scores = [out_of_fold(x, collapse, masks) for x in risked.sets.values()]
    found = np.stack([auc(score, collapse, weights, question) for score in scores], axis=1)
    return _beside_the_first(found[0], found[1:], confidence)


def _beside_the_first(found: FloatArray, drawn: FloatArray, confidence: float) -> dict[str, FloatArray]:
    """Areas, (sets,), and what they gain on the first, with intervals from draws of them, (draws, sets)."""
    low, high = percentile_interval(drawn, confidence)
    gain_low, gain_high = percentile_interval(drawn - drawn[:, :1], confidence)
    gain = {"gain": found - found[0], "gain_low": gain_low, "gain_high": gain_high}
    return {"auc": found, "low": low, "high": high} | gain


def fold_masks(
    question: IntArray, model: IntArray, rng: np.random.Generator, by: By, folds: int
) -> Iterator[tuple[BoolArray, BoolArray]]:
    """Rows to learn from and rows to score, (rows,) each; every row is scored once.

    Args:
        question, model: (rows,), see `AtRisk`.
        rng: shuffles the questions that have a row, in order of name.
        by, folds: see `localise`.
    """
    names, place = np.unique(question, return_inverse=True)
    part = (rng.permutation(names.size) % folds)[place]
    whole = np.ones(question.size, np.bool_)
    of_question = [part == number for number in np.unique(part)] if "question" in by else [whole]
    of_model = [model == number for number in np.unique(model)] if "model" in by else [whole]
    for questions, models in product(of_question, of_model):
        here = questions & models
        if here.any():
            yield (~questions & ~models if by == "question_and_model" else ~here), here


def out_of_fold(x: FloatArray, label: BoolArray, masks: Masks) -> FloatArray:
    """Probability of the label, (rows,), from a logistic regression on the rows of other folds; NaN without any.

    Args:
        x: (rows, columns), features.
        label: (rows,).
        masks: from `fold_masks`.
    """
    score = np.full(len(x), np.nan)
    learned = [(away, here) for away, here in masks if away.any()]
    if not learned:
        return score
    kinds, kind = distinct(x)
    trials, events = (
        np.stack([np.bincount(kind[rows], minlength=len(kinds)) for rows in which]).astype(np.float64)
        for which in ([away for away, _ in learned], [away & label for away, _ in learned])
    )
    for (_, here), fit in zip(learned, fit_logistics(kinds, events, trials), strict=True):
        score[here] = fit(kinds)[kind[here]]
    return score


def distinct(x: FloatArray) -> tuple[FloatArray, IntArray]:
    """The different rows of a table, and which of them each row is.

    Args:
        x: (rows, columns); one NaN is like another.

    Returns:
        (kinds, columns) and (rows,).
    """
    code, kinds = np.zeros(len(x), np.int64), 1
    for column in x.T:
        own, values = pd.factorize(column, use_na_sentinel=False)
        if kinds * len(values) > _LARGEST:
            code, kinds = np.unique(code, return_inverse=True)[1], len(x)
        code, kinds = code * len(values) + own, kinds * len(values)
    _, first, kind = np.unique(code, return_index=True, return_inverse=True)
    return x[first], kind


_LARGEST = 2**62


def auc(score: FloatArray, label: BoolArray, weights: FloatArray, unit: IntArray | None = None) -> FloatArray:
    """Mann and Whitney's chance that a labelled row scores above another, ties half, of rows that count several times.

    Args:
        score: (rows,), NaN left out.
        label: (rows,).
        weights: (draws, units), how often each unit counts.
        unit: (rows,), the unit of each row; by default each row is one.

    Returns:
        (draws,) in [0, 1]; NaN where either class is empty.
    """
    from scipy.sparse import csr_array  # slow to load

    known = np.flatnonzero(np.isfinite(score))
    level = _runs(np.unique(score[known], return_inverse=True)[1], label[known])
    unit = known if unit is None else unit[known]
    across = np.ascontiguousarray(weights.T)

    def counts(rows: BoolArray) -> FloatArray:
        """How many of some rows have each level, in each draw, (levels, draws)."""
        shape = (int(level.max(initial=-1)) + 1, len(across))
        of_unit = csr_array((np.ones(rows.sum()), (level[rows], unit[rows])), shape)
        return np.asarray(of_unit @ across)

    one, other = counts(label[known]), counts(~label[known])
    below = np.cumsum(other, axis=0) - other / 2
    pairs = one.sum(axis=0) * other.sum(axis=0)
    return np.where(pairs > 0, (one * below).sum(axis=0) / np.where(pairs > 0, pairs, 1.0), np.nan)


def _runs(level: IntArray, label: BoolArray) -> IntArray:
    """Levels, (rows,), with neighbours made one where all their rows are labelled, or none: no pair compares these.

    Args:
        level: (rows,), places among the scores that rows have.
        label: (rows,).
    """
    one, other = (np.bincount(level[rows], minlength=int(level.max(initial=-1)) + 1) > 0 for rows in (label, ~label))
    alike = (one[1:] == one[:-1]) & (other[1:] == other[:-1]) & ~(one & other)[1:]
    return np.asarray(np.concatenate([np.zeros(1, np.int64), np.cumsum(~alike)])[level])

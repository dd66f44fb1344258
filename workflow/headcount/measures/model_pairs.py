"""How alike two models are: how often they agree, and how often they make the same mistake.

Numbers of this kind differ by three choices, so each quantity here names all three.

Base, the items that count. Always items that both models answered: a missing answer is not a mistake. Within it either
all such items, or those on which both are wrong.

Definition. Every quantity of a pair is a numerator over a denominator, both sums over items (`QUANTITIES`).

Averaging over pairs. `pairs`: the mean of the pairs' ratios, each pair alike. `events`: the sum of numerators over the
sum of denominators, so that a pair counts by the items in its base.

What others chose, as far as could be found out:
- Kim et al. 2025 (arXiv 2506.07962; their code): items on which both are wrong, the share with one wrong answer, a
  pair at a time; whether their 60 % is a mean over pairs was not found written. Their random rate is the mean of
  1/(options - 1) over all questions; `equal_wrong_chance` is over the items of its base.
- Goel et al. 2025 (arXiv 2502.04313; package lm-sim 0.1.1, its discrete case): CAPA over all items, a pair at a time.
  It knows no missing answers.
- The package voteworth: its headline takes items on which both differ from their panel's plurality (no gold needed)
  and averages over pairs; both wrong, and all items, stand beside it, pooled over events.
- Kohli 2026 (arXiv 2605.29800): Kish's formula makes nine judges worth about two; which correlation enters it, over
  which base, was not found out.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.scales import ANY, DIFFERENCE, SHARE, Scale

Ratio = tuple[FloatArray, FloatArray]  # numerator and denominator


@dataclass(frozen=True)
class Sides:
    """Two models of each pair on each row of a panel.

    Attributes:
        answered: (rows, pairs), whether both answered.
        equal: (rows, pairs), whether they gave one answer.
        first: (rows, pairs), whether the first answered right.
        second: (rows, pairs), whether the second did.
        chance: (rows, 1), 1/(options - 1); NaN where an item has no options, fewer than two, or nobody knows.
    """

    answered: BoolArray
    equal: BoolArray
    first: BoolArray
    second: BoolArray
    chance: FloatArray


def sides(answer: IntArray, correct: BoolArray, n_options: FloatArray, first: IntArray, second: IntArray) -> Sides:
    """The two sides of some pairs of models.

    Args:
        answer: (rows, models), codes; -1 where an answer is missing.
        correct: (rows, models), False where an answer is missing.
        n_options: (rows,), how many options a row's item has; NaN where that is not known.
        first: (pairs,), columns.
        second: (pairs,), columns.
    """
    given = answer >= 0
    answered = given[:, first] & given[:, second]
    equal = answered & (answer[:, first] == answer[:, second])
    wrong_options = np.where(n_options >= 2, n_options - 1.0, np.nan)
    return Sides(answered, equal, correct[:, first], correct[:, second], 1.0 / wrong_options[:, None])


def _both_wrong(pair: Sides) -> BoolArray:
    return pair.answered & ~pair.first & ~pair.second


# What is summed over items, each (rows, pairs).
PARTS: dict[str, Callable[[Sides], BoolArray | FloatArray]] = {
    "answered": lambda pair: pair.answered,
    "equal": lambda pair: pair.equal,
    "first_right": lambda pair: pair.answered & pair.first,
    "second_right": lambda pair: pair.answered & pair.second,
    "both_right": lambda pair: pair.answered & pair.first & pair.second,
    "both_wrong": _both_wrong,
    "equal_wrong": lambda pair: pair.equal & _both_wrong(pair),
    "with_options": lambda pair: pair.answered & np.isfinite(pair.chance),
    "chance": lambda pair: pair.answered * np.nan_to_num(pair.chance),
    "both_wrong_with_options": lambda pair: _both_wrong(pair) & np.isfinite(pair.chance),
    "both_wrong_chance": lambda pair: _both_wrong(pair) * np.nan_to_num(pair.chance),
}


def share(part: FloatArray, base: FloatArray) -> Ratio:
    """Items of some kind over the items of the base; any shape."""
    return part, base


def expected_agreement(
    answered: FloatArray,
    first_right: FloatArray,
    second_right: FloatArray,
    chance: FloatArray,
    with_options: FloatArray,
) -> Ratio:
    """Agreement of two models that are right as often as these, independently, and wrong at random.

    c_exp = p1 p2 + (1 - p1)(1 - p2) m, where m is the mean of 1/(options - 1) over the items of the base (Goel et al.
    2025, arXiv 2502.04313, discrete case). Base: items that both answered, of which m leaves out those whose number of
    options is not known.

    Args:
        answered, first_right, second_right, chance, with_options: sums or means of these parts, of one shape.

    Returns:
        numerator and denominator, of that shape; the numerator is NaN without an item that has options.
    """
    p, q, m = _of(first_right, answered), _of(second_right, answered), _of(chance, with_options)
    return answered * (p * q + (1 - p) * (1 - q) * m), answered


def both_wrong_by_chance(answered: FloatArray, first_right: FloatArray, second_right: FloatArray) -> Ratio:
    """How often two models that are wrong as often as these would both be, if independent: (1 - p1)(1 - p2) (ours).

    Args:
        answered, first_right, second_right: sums or means of these parts, of one shape.
    """
    return answered * (1 - _of(first_right, answered)) * (1 - _of(second_right, answered)), answered


def correctness_correlation(
    answered: FloatArray, first_right: FloatArray, second_right: FloatArray, both_right: FloatArray
) -> Ratio:
    """Correlation of two models' being right: phi = (p12 - p1 p2) / sqrt(p1 (1 - p1) p2 (1 - p2)).

    Base: items that both answered. Pearson's correlation of two 0/1 columns. Over events: the sum of the pairs'
    covariances over the sum of the products of their standard deviations, each times the items of its base.

    Args:
        answered, first_right, second_right, both_right: sums or means of these parts, of one shape.

    Returns:
        numerator and denominator, of that shape; the denominator is 0 where a model is always right or always wrong.
    """
    p, q = _of(first_right, answered), _of(second_right, answered)
    spread = np.sqrt(np.maximum(p * (1 - p) * q * (1 - q), 0.0))
    spread = np.where(spread > 1e-7, spread, 0.0)  # less is the rounding of a model that is always right
    return answered * (_of(both_right, answered) - p * q), answered * spread


def capa(
    answered: FloatArray,
    equal: FloatArray,
    first_right: FloatArray,
    second_right: FloatArray,
    chance: FloatArray,
    with_options: FloatArray,
) -> Ratio:
    """Chance-adjusted agreement: kappa = (c_obs - c_exp) / (1 - c_exp) (Goel et al. 2025, arXiv 2502.04313).

    c_obs is the observed agreement, c_exp as in `expected_agreement`. This is the discrete case, for answers without
    probabilities. Base: items that both answered. 1 for models that always agree, 0 for independent ones, negative for
    models that agree less than those would. Over events: sum of (c_obs - c_exp) over sum of (1 - c_exp), each times the
    items of its base.

    Args:
        answered, equal, first_right, second_right, chance, with_options: sums or means of these parts, of one shape.

    Returns:
        numerator and denominator, of that shape.
    """
    expected, _ = expected_agreement(answered, first_right, second_right, chance, with_options)
    return equal - expected, answered - expected


@dataclass(frozen=True)
class Quantity:
    """A number of a pair of models.

    Attributes:
        parts: names in PARTS, the arguments of `ratio`.
        ratio: sums or means of the parts -> numerator and denominator, of their shape.
        base: the part that counts the items in its base.
        scale: on which its interval is made.
    """

    parts: tuple[str, ...]
    ratio: Callable[..., Ratio]
    base: str = "answered"
    scale: Scale = SHARE

    @property
    def scale_of_gap(self) -> Scale:
        """Of the difference of two."""
        return DIFFERENCE if self.scale == SHARE else ANY


_ACCURACIES = ("answered", "first_right", "second_right")
QUANTITIES = {
    # Base: items that both answered.
    "agreement": Quantity(("equal", "answered"), share),
    "agreement_chance": Quantity((*_ACCURACIES, "chance", "with_options"), expected_agreement),
    "both_wrong": Quantity(("both_wrong", "answered"), share),
    "both_wrong_chance": Quantity(_ACCURACIES, both_wrong_by_chance),
    "equal_wrong": Quantity(("equal_wrong", "answered"), share),  # the same wrong answer
    "correctness_correlation": Quantity((*_ACCURACIES, "both_right"), correctness_correlation, scale=DIFFERENCE),
    "capa": Quantity(
        ("answered", "equal", *_ACCURACIES[1:], "chance", "with_options"),
        capa,
        scale=Scale("plain", -np.inf, 1.0),
    ),
    # Base: items that both answered and both got wrong.
    "equal_wrong_given_both_wrong": Quantity(("equal_wrong", "both_wrong"), share, "both_wrong"),
    # The same if each took one of the wrong options at random: the mean of 1/(options - 1) over these items.
    "equal_wrong_chance": Quantity(("both_wrong_chance", "both_wrong_with_options"), share, "both_wrong_with_options"),
}


def ratio_of(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    """A ratio, of any shape; NaN where its base is empty or has no spread."""
    return _of(numerator, np.where(denominator > 1e-12, denominator, 0.0))


def mean_over_pairs(numerator: FloatArray, denominator: FloatArray, averaging: str) -> FloatArray:
    """One number of several pairs.

    Args:
        numerator: (..., pairs).
        denominator: (..., pairs).
        averaging: `pairs`, the mean of the pairs' ratios; `events`, the ratio of the sums. Pairs without a ratio are in
            neither.

    Returns:
        (...); NaN where no pair has a ratio.
    """
    ratio = ratio_of(numerator, denominator)
    known = np.isfinite(ratio)
    if averaging == "pairs":
        return _of(np.where(known, ratio, 0.0).sum(axis=-1), known.sum(axis=-1).astype(np.float64))
    numerators, denominators = (np.where(known, side, 0.0).sum(axis=-1) for side in (numerator, denominator))
    return _of(numerators, denominators)


def _of(part: FloatArray, base: FloatArray) -> FloatArray:
    return np.asarray(np.where(base > 0, part / np.where(base > 0, base, 1.0), np.nan))

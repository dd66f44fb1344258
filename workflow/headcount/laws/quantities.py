"""Every quantity of a cell as an entry: what of an item it averages, and what it makes of the means.

An entry names columns of joined rows (`joined`, `derived`). They are averaged over items, replicates first; `value` is
a function of these means alone. So any reweighting of items, a bootstrap draw too, is one matrix product for all
quantities of a series, and a ratio is one of sums: an item counts by the agents or pairs that it has.

A quantity of which a series lacks a column is absent there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headcount.laws.levels import CORRECTNESS, POOLED_AGREEMENT
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.correctness import icc, icc_change, icc_conditioned, share
from headcount.measures.diversity import correlation_from_n_eff
from headcount.measures.scales import ANY, DIFFERENCE, KISH, OF_TEAM, POSITIVE, SHARE, Scale

Value = Callable[[FloatArray, IntArray], FloatArray]


@dataclass(frozen=True)
class Quantity:
    """A quantity of a series at each size.

    Attributes:
        name: its name in ESTIMATES.
        columns: what is averaged over items, each over those where it is known.
        value: means (draws, sizes, columns) and sizes (sizes,) -> (draws, sizes).
        scale: on which its interval is made.
        counted: of the columns, those that an item counts by: an item with 0 in all of them tells nothing. None of
            them: every item tells as much.
    """

    name: str
    columns: tuple[str, ...]
    value: Value
    scale: Scale = POSITIVE
    counted: tuple[str, ...] = ()


def mean(means: FloatArray, _sizes: IntArray) -> FloatArray:
    """The mean itself, in the unit of its column."""
    return means[:, :, 0]


def ratio(means: FloatArray, _sizes: IntArray) -> FloatArray:
    """Sum of the first column over sum of the second; NaN where that is 0."""
    return share(means[:, :, 0], means[:, :, 1])


def of(name: str, *columns: str, scale: Scale = POSITIVE) -> Quantity:
    """The mean of one column, or the ratio of two; without a column, the mean of the one with the quantity's name."""
    return Quantity(name, columns or (name,), ratio if len(columns) == 2 else mean, scale, columns[1:])


def share_of(name: str, *columns: str) -> Quantity:
    """The same, of what lies between 0 and 1."""
    return of(name, *columns, scale=SHARE)


def _of_seats(means: FloatArray, sizes: IntArray) -> FloatArray:
    """Agents as a share of all seats, those without an answer included."""
    return means[:, :, 0] / sizes


def _missing(means: FloatArray, sizes: IntArray) -> FloatArray:
    return 1.0 - _of_seats(means, sizes)


def _rho_answer(means: FloatArray, sizes: IntArray) -> FloatArray:
    return correlation_from_n_eff(sizes, means[:, :, 0])


def _by_parts(formula: Callable[..., FloatArray]) -> Value:
    """A formula whose arguments are the means of the columns, in order."""
    return lambda means, _sizes: formula(*np.moveaxis(means, 2, 0))


_COUNTS = ("right_in_pairs", "correct_pairs", "pairs")
_FIRST_COUNTS = tuple(f"first_{name}" for name in _COUNTS)

DIVERSITY = (
    of("n_eff_answer", scale=OF_TEAM),  # the mean of 2^H over items (arXiv 2606.02646, K.1)
    of("n_eff_agreement", scale=OF_TEAM),  # the mean of per-item inverses (K.1)
    Quantity("n_eff_pooled_agreement", ("equal_pairs", "pairs"), POOLED_AGREEMENT.n_eff, KISH, ("pairs",)),
    Quantity("n_eff_correctness", _COUNTS, CORRECTNESS.n_eff, counted=_COUNTS[2:]),
    Quantity("rho_answer", ("n_eff_answer",), _rho_answer, SHARE),  # inverts the mean (Tables 8 and 9)
    share_of("agreement", "equal_pairs", "pairs"),
    share_of("agreement_item_mean", "agreement"),
    share_of("agreement_low"),  # by the agreement of the same team in round 1 (app. I)
    share_of("agreement_middle"),
    share_of("agreement_high"),
    of("n_eff_missing_own", scale=OF_TEAM),
    of("n_eff_missing_one", scale=OF_TEAM),
    share_of("r_over_valid"),
)

CORRECT = (
    Quantity("icc", _COUNTS, _by_parts(icc), DIFFERENCE, _COUNTS[2:]),
    Quantity("icc_first", _FIRST_COUNTS, _by_parts(icc), DIFFERENCE, _FIRST_COUNTS[2:]),
    Quantity("icc_conditioned", ("both", "right_first", "right_first_squared"), _by_parts(icc_conditioned), ANY),
    Quantity("icc_change", ("both", "right_first", "both_first"), _by_parts(icc_change), ANY),
    share_of("team_accuracy", "team_correct"),
    share_of("expected_accuracy", "expected_correct"),
    share_of("agent_accuracy", "n_correct", "n_valid"),
    Quantity("agent_accuracy_missing_wrong", ("n_correct",), _of_seats, SHARE),
    share_of("unanimous"),
    share_of("unanimous_wrong"),
    share_of("tie"),
    Quantity("missing", ("n_valid",), _missing, SHARE),
)

COST = (
    *(of(f"{name}_tokens{span}") for name in ("prompt", "completion") for span in ("", "_to_here")),
    # Mean tokens of all items over mean agents of those with an answer: what was paid for nothing was paid (Table 17).
    of("prompt_tokens_per_n_eff", "prompt_tokens", "n_eff_answer"),
    of("prompt_tokens_to_here_per_n_eff", "prompt_tokens_to_here", "n_eff_answer"),
)

"""What an intervention would have done to saved debates: collapses prevented, corrections lost, and their worth.

A frame of debates has one row a debate: `model` (who is left out when a gate is learned), `source` (the panel's run),
`question_id` (what resampling draws), `initial_correct` and `final_correct` (null without a majority), and what a gate
reads. Rows without a label at either end are set apart before a replay (`labelled`), so that all gates of a table have
one denominator. To replay the reference's coding, fill the nulls with False.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.intervals import Percentile, bootstrap_means, percentile_interval
from headcount.schema.ledger import UTILITY_WEIGHTS

DRAWS = 2000


@dataclass(frozen=True)
class Replayed:
    """What became of each debate; all (debates,), or of several gates at once, see `together`.

    Attributes:
        fired: the gate acted.
        initial, final: the first majority was right; the last one was.
        after: the answer that the gate leaves is right.
    """

    fired: BoolArray
    initial: BoolArray
    final: BoolArray
    after: BoolArray

    def at(self, place: IntArray) -> "Replayed":
        """Some of the debates, by place."""
        return Replayed(self.fired[..., place], self.initial[place], self.final[place], self.after[..., place])

    @property
    def prevented(self) -> BoolArray:
        """Collapses that do not happen."""
        return np.asarray(self.initial & ~self.final & self.after)

    @property
    def lost(self) -> BoolArray:
        """Corrections that do not happen."""
        return np.asarray(~self.initial & self.final & ~self.after)

    @property
    def broken(self) -> BoolArray:
        """Preserved debates made wrong: none, if a gate that fires returns the first majority."""
        return np.asarray(self.initial & self.final & ~self.after)

    @property
    def repaired(self) -> BoolArray:
        """Unrepaired debates made right: none, if a gate that fires returns the first majority."""
        return np.asarray(~self.initial & ~self.final & self.after)


@dataclass(frozen=True)
class Outcome:
    """Counts of a replay.

    Attributes:
        debates, collapses, corrections: the ledger without the gate.
        fired, prevented, lost, broken, repaired: see `Replayed`.
        right: debates that end right without the gate.
    """

    debates: int
    collapses: int
    corrections: int
    fired: int
    prevented: int
    lost: int
    broken: int
    repaired: int
    right: int

    @property
    def net(self) -> int:
        """Debates that end right because of the gate, less those that end wrong because of it."""
        return self.prevented + self.repaired - self.lost - self.broken

    @property
    def delta(self) -> float:
        """Change of final accuracy, net / debates; NaN without a debate."""
        return self.net / self.debates if self.debates else float("nan")

    @property
    def accuracy(self) -> float:
        """Final accuracy with the gate; NaN without a debate."""
        return (self.right + self.net) / self.debates if self.debates else float("nan")

    def utility(self, collapse: float = 1.0, correction: float = 1.0) -> float:
        """U = w_coll (prevented - broken) - w_corr (lost - repaired) (arXiv 2609.35279, section 3, for a freeze)."""
        return collapse * (self.prevented - self.broken) - correction * (self.lost - self.repaired)


def labelled(debates: pd.DataFrame) -> pd.DataFrame:
    """Debates with a majority at both ends, numbered anew."""
    return debates[debates["initial_correct"].notna() & debates["final_correct"].notna()].reset_index(drop=True)


def together(replays: Sequence[Replayed]) -> Replayed:
    """Replays of the same debates as one, with `fired`, `after` and all counts (gates, debates)."""
    fired, after = (np.stack([getattr(one, name) for one in replays]) for name in ("fired", "after"))
    return Replayed(fired, replays[0].initial, replays[0].final, after)


def freeze(debates: pd.DataFrame, fired: BoolArray, to: str = "initial_correct") -> Replayed:
    """Replay a gate that ends a debate early.

    Args:
        debates: labelled rows.
        fired: (debates,).
        to: the column that says whether the answer of a fired gate is right: `initial_correct`, or
            `r1_majority_correct` for a freeze after the first round of discussion; null there is no answer, and wrong.
    """
    initial, final, frozen = (_flags(debates, name) for name in ("initial_correct", "final_correct", to))
    return Replayed(np.asarray(fired, dtype=np.bool_), initial, final, np.where(fired, frozen, final))


def freezes(debates: pd.DataFrame, fired: Mapping[str, BoolArray]) -> dict[str, Replayed]:
    """`freeze` to the first majority by each of several gates."""
    initial, final = (_flags(debates, name) for name in ("initial_correct", "final_correct"))
    return {name: Replayed(own, initial, final, np.where(own, initial, final)) for name, own in fired.items()}


def outcome(replayed: Replayed) -> Outcome:
    """Counts of a replay; the denominators are those of all rows, fired or not."""
    initial, final = replayed.initial, replayed.final
    return Outcome(
        debates=initial.size,
        collapses=int((initial & ~final).sum()),
        corrections=int((~initial & final).sum()),
        fired=int(replayed.fired.sum()),
        prevented=int(replayed.prevented.sum()),
        lost=int(replayed.lost.sum()),
        broken=int(replayed.broken.sum()),
        repaired=int(replayed.repaired.sum()),
        right=int(final.sum()),
    )


def delta_interval(
    replayed: Replayed, question: Sequence[str], rng: np.random.Generator, draws: int = DRAWS, confidence: float = 0.95
) -> tuple[float, float]:
    """Percentile interval of the change of accuracy when questions are drawn anew, each with all its debates.

    Args:
        replayed: of rows.
        question: (rows,), names.
        rng: draws the questions.
        draws: how many times.
        confidence: coverage.

    Returns:
        low and high; NaN without a debate. A gate is useful only if it was learned on other models, its net is above 0
        and this interval leaves 0 out.
    """
    _, place = np.unique(np.asarray(question, dtype=str), return_inverse=True)
    gain = replayed.after.astype(np.float64) - replayed.final
    sums = np.stack([np.bincount(place, gain), np.bincount(place)], axis=1).astype(np.float64)
    if not len(sums):
        return float("nan"), float("nan")
    means = bootstrap_means(sums, Percentile(draws).weights(len(sums), rng))
    low, high = percentile_interval(means[:, :1] / means[:, 1:], confidence)
    return float(low[0]), float(high[0])


def ladder(worth: IntArray, price: IntArray, debates: int, weights: Sequence[float] = UTILITY_WEIGHTS) -> FloatArray:
    """Utility a debate, (weights, ...), of collapses that weigh so many corrections; its sign changes at `break_even`.

    Args:
        worth, price: any shape, prevented - broken and lost - repaired.
        debates: how many; NaN for none.
        weights: of a collapse.
    """
    return np.array([weight * worth - price for weight in weights]) / (debates or np.nan)


def _flags(debates: pd.DataFrame, name: str) -> BoolArray:
    return np.asarray(debates[name].to_numpy(dtype=np.float64, na_value=np.nan) == 1)

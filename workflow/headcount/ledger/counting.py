"""What the debates of each cell and item add to each rate: events and what they are counted among."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.ledger.codings import PRIMARY
from headcount.ledger.labels import COLLAPSE, LABELS, PRESERVED, UNLABELLED
from headcount.ledger.parts import places
from headcount.ledger.tally import BOUNDED, RATES, bounds, tally
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.schema.ledger import CODINGS

_COULD = ("right", "wrong", "either")


@dataclass(frozen=True)
class Counted:
    """A quantity under a coding.

    Attributes:
        events, base: (cells, items), so that the quantity of a cell is the ratio of its sums.
        is_share: whole events among as many independent trials: Wilson's and Jeffreys' intervals apply.
    """

    coding: str
    quantity: str
    events: FloatArray
    base: FloatArray
    is_share: bool = True


@dataclass(frozen=True)
class Debates:
    """Debates of some cells, on the same items.

    Attributes:
        table: rows of `schema.TRANSITIONS`, or their columns that are counted.
        cell, item: (debates,), from 0.
        shape: how many cells and items there are.
    """

    table: pa.Table
    cell: IntArray
    item: IntArray
    shape: tuple[int, int]

    @cached_property
    def _place(self) -> IntArray:
        return self.cell * self.shape[1] + self.item

    def total(self, values: NDArray[np.generic] | None = None) -> FloatArray:
        """Values, (debates,), summed over the debates of each cell and item, (cells, items); their number for none."""
        weights = None if values is None else np.asarray(values, dtype=np.float64)
        total = np.bincount(self._place, weights, self.shape[0] * self.shape[1])
        return total.reshape(self.shape).astype(np.float64)

    def kinds(self, kind: IntArray, kinds: int) -> FloatArray:
        """How many debates of each cell and item are of each kind, (cells, items, kinds), from 0; -1 is of none."""
        known = kind >= 0
        count = np.bincount(self._place[known] * kinds + kind[known], minlength=self.shape[0] * self.shape[1] * kinds)
        return count.reshape(*self.shape, kinds).astype(np.float64)

    def codes(self, name: str, values: Sequence[str]) -> IntArray:
        """Places of a column's texts among some, (debates,); -1 where it is empty."""
        return places(self.table[name], values)

    def numbers(self, name: str) -> FloatArray:
        """A column of numbers, or of truths as 0 and 1; NaN where it is empty."""
        column = self.table[name]
        column = column.cast(pa.int8()) if pa.types.is_boolean(column.type) else column
        return np.asarray(column.to_numpy(), dtype=np.float64)

    def labels(self, name: str) -> FloatArray:
        """How many debates have each label by a coding, (cells, items, labels); none where it is not known."""
        return self.kinds(self.codes(name, LABELS), len(LABELS))


def count(debates: Debates) -> Iterator[Counted]:
    """All quantities of some debates, under every coding."""
    primary = debates.codes("transition", LABELS)
    yield from _rates(PRIMARY, debates.labels("transition"))
    yield from _breaks(debates, primary)
    yield from _ties(debates)
    yield from _changes(debates)
    for coding in CODINGS:
        recoded = debates.codes(coding, LABELS)
        yield from _rates(coding, debates.kinds(recoded, len(LABELS)))
        yield _relabelled(debates, coding, primary, recoded)
    yield from _onsets(debates, "undefined_wrong", "onset_round", debates.codes("undefined_wrong", LABELS) == COLLAPSE)
    yield from _by_chance(debates)
    yield from _bounds(debates)


def _rates(coding: str, labels: FloatArray, *, is_share: bool = True) -> Iterator[Counted]:
    events, bases = tally(labels)
    for place, name in enumerate(RATES):
        yield Counted(coding, name, events[..., place], bases[..., place], is_share and name != "net")


def _relabelled(debates: Debates, coding: str, primary: IntArray, recoded: IntArray) -> Counted:
    """Debates whose label changes, of those that have one of the four under both codings."""
    both = (primary < UNLABELLED) & (recoded < UNLABELLED) & (primary >= 0) & (recoded >= 0)
    return _counted(debates, "relabelled", both & (primary != recoded), both, coding)


def _breaks(debates: Debates, primary: IntArray) -> Iterator[Counted]:
    """When collapses began, and breaks that were mended."""
    for column in ("onset_round", "onset_defined", "onset_lasting"):
        yield from _onsets(debates, PRIMARY, column, primary == COLLAPSE)
    yield _counted(debates, "transient_break", debates.numbers("transient_break"), primary == PRESERVED)


def _onsets(debates: Debates, coding: str, column: str, collapse: BoolArray) -> Iterator[Counted]:
    """Share of collapses that began in each round, of debates that came as far."""
    began, turn = debates.numbers(column), debates.numbers("round")
    for number in range(2, int(turn.max(initial=1)) + 1):
        base = collapse & (turn >= number)
        name = f"{column.removesuffix('_round')}_{number}"
        yield _counted(debates, name, (began == number) & base, base, coding)


def _ties(debates: Debates) -> Iterator[Counted]:
    first, last = (debates.numbers(f"{end}_tie") for end in ("initial", "final"))
    every = debates.total()
    for name, tied in (("initial_tie", first), ("final_tie", last), ("any_tie", np.maximum(first, last))):
        yield Counted(PRIMARY, name, debates.total(tied), every)
    yield Counted(PRIMARY, "tied_ends", debates.total(first + last), 2 * every, False)


def _changes(debates: Debates) -> Iterator[Counted]:
    flip, n = debates.numbers("majority_flip"), debates.numbers("n")
    yield _counted(debates, "majority_flip", flip == 1, ~np.isnan(flip))
    for name, part, whole in (
        ("changed_answers", debates.numbers("changed_answers"), debates.numbers("answered_twice")),
        ("initial_missing", n - debates.numbers("initial_parsed"), n),
        ("final_missing", n - debates.numbers("final_parsed"), n),
    ):  # of agents, who share their team's fate
        yield Counted(PRIMARY, name, debates.total(part), debates.total(whole), False)


def _by_chance(debates: Debates) -> Iterator[Counted]:
    """Expected labels where each end's tie is settled by a draw of its own."""
    first, last = (debates.numbers(f"{end}_chance") for end in ("initial", "final"))
    labels = [first * last, first * (1 - last), (1 - first) * last, (1 - first) * (1 - last)]
    undefined = np.isnan(first) | np.isnan(last)
    sums = [debates.total(np.where(undefined, 0.0, label)) for label in labels]
    yield from _rates("random_tie", np.stack([*sums, debates.total(undefined)], axis=-1), is_share=False)


def _bounds(debates: Debates) -> Iterator[Counted]:
    """The lowest and highest that each rate could be, were missing answers known: by what either end could be."""
    first, last = (debates.codes(f"{end}_could", _COULD) for end in ("initial", "final"))
    kinds = debates.kinds(len(_COULD) * first + last, len(_COULD) ** 2)
    could = np.array([[end in (side, "either") for side in ("right", "wrong")] for end in _COULD])
    may = (could[:, None, :, None] & could[None, :, None, :]).reshape(len(_COULD) ** 2, 4).astype(np.float64)
    for coding in ("missing_lowest", "missing_highest"):
        events, bases = bounds(may, highest=coding == "missing_highest")
        for place, name in enumerate(BOUNDED):
            yield Counted(coding, name, kinds @ events[:, place], kinds @ bases[:, place], False)


def _counted(
    debates: Debates, name: str, events: BoolArray | FloatArray, base: BoolArray, coding: str = PRIMARY
) -> Counted:
    return Counted(coding, name, debates.total(events), debates.total(base))

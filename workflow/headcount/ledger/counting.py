"""What each debate adds to each rate of its cell: events and what they are counted among, by coding and quantity."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headcount.ledger.codings import PRIMARY
from headcount.ledger.labels import LABELS
from headcount.ledger.tally import BOUNDED, RATES, bounds, tally
from headcount.measures.arrays import BoolArray, FloatArray
from headcount.schema.ledger import CODINGS


@dataclass(frozen=True)
class Counted:
    """A quantity of some debates under a coding.

    Attributes:
        events, base: (debates,), so that the quantity of a cell is the ratio of their sums.
        is_share: whole events among as many independent trials: Wilson's and Jeffreys' intervals apply.
    """

    coding: str
    quantity: str
    events: FloatArray
    base: FloatArray
    is_share: bool = True


def count(rows: pd.DataFrame) -> list[Counted]:
    """All quantities of some debates, under every coding.

    Args:
        rows: rows of `schema.TRANSITIONS` of one endpoint.
    """
    primary = membership(rows, "transition")
    counted = [*_rates(PRIMARY, primary), *_breaks(rows, primary), *_ties(rows), *_changes(rows)]
    for coding in CODINGS:
        recoded = membership(rows, coding)
        counted += [*_rates(coding, recoded), _relabelled(coding, primary, recoded)]
    counted += _onsets(rows, "undefined_wrong", "onset_round", membership(rows, "undefined_wrong")[:, 1])
    return [*counted, *_by_chance(rows), *_bounds(rows)]


def membership(rows: pd.DataFrame, column: str) -> FloatArray:
    """Which label each debate has, (debates, labels), 0 or 1; no label where it is not known."""
    codes = pd.Categorical(rows[column], categories=list(LABELS)).codes
    return np.asarray(np.eye(len(LABELS) + 1)[codes, :-1])  # -1 is the last


def _rates(coding: str, labels: FloatArray, *, is_share: bool = True) -> Iterator[Counted]:
    events, bases = tally(labels)
    for place, name in enumerate(RATES):
        yield Counted(coding, name, events[:, place], bases[:, place], is_share and name != "net")


def _relabelled(coding: str, primary: FloatArray, recoded: FloatArray) -> Counted:
    """Debates whose label changes, of those that have one of the four under both codings."""
    both = (primary[:, :4].sum(axis=1) > 0) & (recoded[:, :4].sum(axis=1) > 0)
    changed = both & (primary.argmax(axis=1) != recoded.argmax(axis=1))
    return _counted("relabelled", changed, both, coding)


def _breaks(rows: pd.DataFrame, primary: FloatArray) -> Iterator[Counted]:
    """When collapses began, and breaks that were mended."""
    for column in ("onset_round", "onset_defined", "onset_lasting"):
        yield from _onsets(rows, PRIMARY, column, primary[:, 1])
    yield _counted("transient_break", rows["transient_break"].to_numpy(), primary[:, 0])


def _onsets(rows: pd.DataFrame, coding: str, column: str, collapse: FloatArray) -> Iterator[Counted]:
    """Share of collapses that began in each round."""
    began = rows[column].to_numpy(dtype=np.float64)
    for number in range(2, int(rows["round"].max()) + 1):
        name = f"{column.removesuffix('_round')}_{number}"
        yield _counted(name, (began == number) & (collapse > 0), collapse, coding)


def _ties(rows: pd.DataFrame) -> Iterator[Counted]:
    first, last = rows["initial_tie"].to_numpy(), rows["final_tie"].to_numpy()
    every = np.ones(len(rows))
    yield _counted("initial_tie", first, every)
    yield _counted("final_tie", last, every)
    yield _counted("any_tie", first | last, every)
    yield Counted(PRIMARY, "tied_ends", first * 1.0 + last, 2 * every, False)


def _changes(rows: pd.DataFrame) -> Iterator[Counted]:
    flip = rows["majority_flip"].astype("boolean")
    yield _counted("majority_flip", flip.fillna(False).to_numpy(np.bool_), flip.notna().to_numpy())
    for name, part, whole in (
        ("changed_answers", rows["changed_answers"], rows["answered_twice"]),
        ("initial_missing", rows["n"] - rows["initial_parsed"], rows["n"]),
        ("final_missing", rows["n"] - rows["final_parsed"], rows["n"]),
    ):  # of agents, who share their team's fate
        yield Counted(PRIMARY, name, part.to_numpy(np.float64), whole.to_numpy(np.float64), False)


def _by_chance(rows: pd.DataFrame) -> Iterator[Counted]:
    """Expected labels where each end's tie is settled by a draw of its own."""
    first, last = rows["initial_chance"].to_numpy(np.float64), rows["final_chance"].to_numpy(np.float64)
    labels = np.stack([first * last, first * (1 - last), (1 - first) * last, (1 - first) * (1 - last)], axis=1)
    undefined = np.isnan(first) | np.isnan(last)
    yield from _rates("random_tie", np.c_[np.nan_to_num(labels), undefined], is_share=False)


def _bounds(rows: pd.DataFrame) -> Iterator[Counted]:
    """The lowest and highest that each rate could be, were missing answers known."""
    right, wrong = ([rows[f"{end}_could"].isin([side, "either"]) for end in ("initial", "final")] for side in _SIDES)
    pairs = ((right, right), (right, wrong), (wrong, right), (wrong, wrong))
    may = np.stack([first[0] & last[1] for first, last in pairs], axis=1).astype(np.float64)
    for coding in ("missing_lowest", "missing_highest"):
        events, bases = bounds(may, highest=coding == "missing_highest")
        for place, name in enumerate(BOUNDED):
            yield Counted(coding, name, events[:, place], bases[:, place], False)


_SIDES = ("right", "wrong")


def _counted(name: str, events: BoolArray, base: FloatArray | BoolArray, coding: str = PRIMARY) -> Counted:
    return Counted(coding, name, np.asarray(events, dtype=np.float64), np.asarray(base, dtype=np.float64))

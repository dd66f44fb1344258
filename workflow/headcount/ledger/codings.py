"""Other ways to code the same debates: who wins a tie, what no majority counts as, which readings count as answers.

The primary coding drops missing answers, gives ties to the first answer by text, and sets debates apart that have no
majority at one end ("complete case"). Every other coding differs from it in one thing.
"""

from collections.abc import Iterator

import numpy as np

from headcount.ledger.labels import label
from headcount.ledger.majority import UNDEFINED, WRONG, Majorities, TieRule, rights
from headcount.measures.arrays import BoolArray, IntArray
from headcount.measures.groups import factorise
from headcount.measures.seats import Seats

PRIMARY = "complete_case"
TAGS = ("final", "p1_tag")  # rules that read an answer where the prompt asks for it, by both dialects
TIES: tuple[TieRule, ...] = ("reverse_alphabetical", "strict_plurality", "keep_previous")
MEANINGS = {
    PRIMARY: "ties to the first answer by text; debates without a majority at one end set apart",
    "undefined_wrong": "no majority counts as wrong (the reference's coding)",
    "undefined_final_wrong": "no majority at the end counts as wrong, at first it is set apart",
    "reverse_alphabetical": "ties to the last answer by text",
    "strict_plurality": "a tie is no majority",
    "keep_previous": "a tie keeps the answer of the round before if it is among the tied, else the first by text",
    "random_tie": "ties to each of their answers alike: the expected number over all outcomes",
    "no_fallback": "answers read as a last resort are missing",
    "tag_only": "answers stated elsewhere than in the field that was asked for are missing",
    "missing_lowest": "missing answers filled in so that the rate is as low as can be",
    "missing_highest": "missing answers filled in so that the rate is as high as can be",
}

Ends = tuple[IntArray, IntArray]  # places in `Majorities` of round 1 and of the endpoint, (debates,) each


def recoded(seats: Seats, primary: Majorities, ends: Ends) -> Iterator[tuple[str, IntArray, BoolArray | None]]:
    """Name, labels (debates,) and where they are known, of each coding in `schema.CODINGS`.

    Args:
        seats: the answers.
        primary: the majorities by the primary coding.
        ends: where each debate begins and ends.
    """
    first, last = (primary.right[end] for end in ends)
    yield "undefined_wrong", label(np.maximum(first, WRONG), np.maximum(last, WRONG)), None
    yield "undefined_final_wrong", label(first, np.maximum(last, WRONG)), None
    for ties, right in zip(TIES, rights(seats, TIES), strict=True):
        yield ties, label(right[ends[0]], right[ends[1]]), None
    told = _told(seats, ends)
    firm, tagged = _column(seats, "status", ("fallback",), False), _column(seats, "rule", TAGS, True)
    for name, counted in (("no_fallback", firm), ("tag_only", tagged)):
        (right,) = rights(seats, ["alphabetical"], counted)
        yield name, label(right[ends[0]], right[ends[1]]), told


def could(seats: Seats, primary: Majorities) -> IntArray:
    """What the majority could be were missing answers known: RIGHT, WRONG, or UNDEFINED for either; (teams,).

    Exact but for ties with missing answers, which may go either way: the bounds hold under every tie rule.
    """
    counts, correct = seats.ballots.counts, seats.ballots.correct
    right, wrong = correct.max(axis=1), np.where(correct > 0, 0, counts).max(axis=1)
    missing = seats.keys["n"] - primary.parsed
    may = np.stack([wrong + missing >= right, right + missing >= wrong])
    open_ = np.where(may.all(axis=0), UNDEFINED, may[1].astype(np.int64))
    return np.where(missing > 0, open_, primary.right)


def _column(seats: Seats, name: str, values: tuple[str, ...], wanted: bool) -> BoolArray:
    """Answers, (seats,), for which a column has one of some values, or has none of them."""
    column = factorise(seats.table[name])
    hit = np.array([*(text in values for text in column.values.to_pylist()), False])
    return np.asarray(hit[column.codes][seats.row] == wanted)


def _told(seats: Seats, ends: Ends) -> BoolArray:
    """Debates, (debates,), of which every answer at both ends says by what rule it was read: imported ones do not."""
    untold = _column(seats, "rule", ("",), True) & (seats.answer >= 0)
    count = np.bincount(seats.team[untold], minlength=seats.n_teams)
    return np.asarray((count[ends[0]] == 0) & (count[ends[1]] == 0))

"""Plurality, its ties, and unanimity."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.measures.votes import leaders, plurality, tie_rank, tie_ranks, ties, unanimous

counts_of_teams = st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4), min_size=1, max_size=8).map(np.array)


def first_column(_team, column):
    return column


@given(counts_of_teams)
def test_no_candidate_has_more_votes_than_the_team_answer(counts):
    chosen = plurality(counts, first_column)
    for votes, column in zip(counts, chosen, strict=True):
        if votes.any():
            assert votes[column] == votes.max()
        else:
            assert column == -1


@given(counts_of_teams)
def test_a_tie_is_two_leaders(counts):
    expected = [Counter(v for v in row if v)[row.max()] > 1 if row.any() else False for row in counts]
    assert ties(counts).tolist() == expected
    assert (leaders(counts).sum(axis=1) == 0).tolist() == (counts.sum(axis=1) == 0).tolist()


def test_a_tie_goes_to_the_smallest_rank_whatever_else_is_there():
    def rank(_team, column):
        return tie_ranks(["item"] * column.size, [0] * column.size, ["ABC"[place] for place in column])

    alone = plurality(np.array([[3, 3, 0]]), rank)[0]
    with_loser = plurality(np.array([[3, 3, 1]]), rank)[0]
    among_others = plurality(np.array([[0, 9, 0], [3, 3, 0], [1, 1, 0]]), rank)
    assert alone == with_loser == among_others[1] == among_others[2]


def test_ties_are_settled_without_favour():
    """Over many items each of two tied answers wins about half the time."""
    wins = sum(tie_rank(f"item{i}", 0, "A") < tie_rank(f"item{i}", 0, "B") for i in range(2000))
    assert wins == pytest.approx(1000, abs=4 * np.sqrt(500))


def test_the_order_of_ties_depends_on_item_replicate_and_candidate_alone():
    assert tie_rank("i", 1, "A") == tie_rank("i", 1, "A")
    others = [("i", 2, "A"), ("j", 1, "A"), ("i", 1, "B")]
    assert len({tie_rank("i", 1, "A"), *(tie_rank(*other) for other in others)}) == 4
    assert tie_rank("i", 1, "A") != tie_rank("i", 1, "A", label="another")


def test_the_order_of_ties_is_the_same_on_every_machine():
    assert tie_rank("item", 0, "A").hex() == "d16903b899d829c8418d05d170ad820c"


@pytest.mark.parametrize(
    ("counts", "n", "expected"),
    [
        ([3, 0], 3, True),
        ([2, 1], 3, False),
        ([2, 0], 5, True),  # two of five answered, the same
        ([1, 0], 5, False),  # one voice among silent ones is no agreement
        ([1, 0], 1, True),
        ([0, 0], 1, False),
        ([0, 0], 3, False),
    ],
)
def test_unanimity(counts, n, expected):
    assert unanimous(np.array([counts]), np.array([n])).tolist() == [expected]


@given(st.lists(st.tuples(st.text(max_size=2), st.integers(0, 3), st.text(max_size=2)), max_size=30))
def test_many_ranks_sort_as_each_alone_does(named):
    names = list(zip(*named, strict=True)) or [(), (), ()]
    ranks = tie_ranks(*names, label="l")
    assert ranks.dtype == "S16"
    order = np.argsort(ranks, kind="stable").tolist()
    assert order == sorted(range(len(named)), key=lambda place: tie_rank(*named[place], "l"))

"""Which series a revision is judged against, of a handful that are told apart by their sizes."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from social_worlds import frame_of, team_of

from headcount.config import CONDITIONS
from headcount.laws.excess import BY_SIZE, OF_CURVE, excess_run
from headcount.laws.nulls import Side, common_sizes, nulls, revised, sides
from headcount.laws.series import TaskRows
from headcount.laws.settings import FitSettings
from headcount.store import plain


def rows(subsets: str, condition: str, turn: int, sizes, k: int | None = None) -> TaskRows:
    """One item answered by a team of each size; all hear all unless k says otherwise."""
    n = np.array(sizes, float)
    columns = {"n": n, "k": n - 1 if k is None else np.full(n.size, float(k)), "round": np.full(n.size, float(turn))}
    columns |= {"replicate": np.zeros(n.size), "value": 10 * n + turn}
    return TaskRows(subsets, ["i", "j"], np.zeros(n.size, int), [condition] * n.size, columns)


def side(*how, k: int | None = None) -> Side:
    (found,) = sides([rows(*how, k=k)])
    return found


DEBATE = [side("first", "debate", turn, (2, 3, 5)) for turn in (1, 2, 3)]
FEW = side("first", "debate", 1, (3, 5), k=1)


def null_of(one: Side, others, name: str) -> Side | None:
    return dict(nulls(one, others)).get(name)


def test_round_one_of_all_teams_with_the_most_sizes_comes_first():
    alone = side("all", "self_consistency", 1, (2, 3, 5))
    more = side("all", "self_correction", 1, (2, 3, 5, 7))
    of_task = [*DEBATE, alone, more]
    assert null_of(DEBATE[1], of_task, "A") is more
    assert null_of(DEBATE[1], [*DEBATE, alone], "A") is alone
    same = side("all", "debate", 1, (2, 3, 5))
    for order in ([alone, same], [same, alone]):
        found = null_of(DEBATE[1], [*DEBATE, *order], "A")
        assert found is min(order, key=lambda each: CONDITIONS.index(each.series.condition))
    assert null_of(DEBATE[1], [side("all", "self_correction", 2, (2, 3)), *DEBATE], "A") is DEBATE[0]


def test_else_the_team_before_it_revised():
    assert null_of(DEBATE[2], [FEW, side("first", "noise", 1, (2, 3)), *DEBATE], "A") is DEBATE[0]
    assert dict(nulls(DEBATE[1], [FEW, *DEBATE[1:]])) == {}


def test_rethinking_after_as_many_rounds_or_after_its_last():
    once, twice, thrice = (side("first", "self_correction", turn, (2, 3)) for turn in (1, 2, 3))
    assert null_of(DEBATE[1], [*DEBATE, once, twice, thrice], "B") is twice
    assert null_of(DEBATE[2], [*DEBATE, once, twice, thrice], "B") is thrice
    assert null_of(DEBATE[2], [*DEBATE, once, twice], "B") is twice
    assert null_of(DEBATE[2], [*DEBATE, once], "B") is None
    wide = side("first", "self_correction", 2, (2, 3, 5))
    assert null_of(DEBATE[2], [thrice, wide], "B") is wide
    every = side("all", "self_correction", 2, (2,))
    assert null_of(DEBATE[2], [thrice, wide, every], "B") is every
    assert null_of(thrice, [once, twice, thrice], "B") is None
    assert null_of(side("first", "noise", 2, (2, 3)), [twice], "B") is twice


def test_what_is_judged():
    adjusted, noise = side("adjusted", "debate", 2, (2, 3)), side("first", "noise", 2, (2, 3))
    first, every = (side(subsets, "self_correction", 2, (2, 3)) for subsets in ("first", "all"))
    start, other = side("all", "self_correction", 1, (2, 3)), side("all", "debate", 2, (2, 3))
    assert list(revised([*DEBATE, adjusted, noise, first])) == [*DEBATE[1:], adjusted, noise, first]
    found = list(revised([*DEBATE, adjusted, noise, first, every, start, other]))
    assert found == [*DEBATE[1:], adjusted, noise, every]


def test_sizes_that_both_have():
    one, other = side("first", "debate", 1, (1, 2, 3, 5)), side("all", "debate", 1, (1, 3, 5, 9))
    assert common_sizes(one, other).tolist() == [3, 5]
    assert common_sizes(one, side("all", "debate", 1, (1, 9))).tolist() == []


def test_means_and_columns_of_a_series():
    (first, second) = sides([rows("first", "debate", 1, (2, 3, 5)), rows("first", "debate", 2, (2, 3))])
    assert first.columns["value"].tolist() == [21, 31, 51]
    assert second.columns["value"].tolist() == [22, 32]
    means = first.means(first.columns["value"][:, None], np.array([3, 5]))
    assert_allclose(means[:, :, 0], [[31, 51], [np.nan, np.nan]])


@pytest.mark.parametrize("subsets", ["first", "all"])
def test_series_are_cut_by_condition_peers_and_round(subsets):
    found = sides([rows(subsets, "noise", 2, (2, 3)), rows(subsets, "debate", 1, (3, 5), k=1)])
    peers = ["full", "1"] if subsets == "first" else ["none", "none"]
    assert [each.series.condition for each in found] == ["noise", "debate"]
    assert [each.series.peers for each in found] == peers
    assert [each.series.sizes.tolist() for each in found] == [[2, 3], [3, 5]]


def test_two_sizes_make_a_curve_and_teams_of_one_have_no_excess():
    frame = frame_of("conforming", 0, items=5, sizes=(1, 2, 3), twice=(1, 2))
    rows = plain(excess_run({"t": team_of(frame, (1, 2, 3))}, FitSettings(n_boot=0)))
    debate = rows[(rows["condition"] == "debate") & (rows["null"] == "A") & (rows["subsets"] == "first")]
    assert set(debate["n"]) == {0, 2, 3}
    assert set(debate.loc[debate["n"] == 0, "quantity"]) == set(OF_CURVE)
    assert set(debate.loc[debate["n"] == 2, "quantity"]) == set(BY_SIZE)
    assert set(rows.loc[rows["null"] == "C", "n"]) == {2}
    assert (rows["n_items"] == 5).all()

"""A re-draw is what two teams without a common draw show: against enumeration, against known chances."""

from itertools import combinations
from math import comb

import numpy as np
import pandas as pd
import pytest
from debates import said, said_all, slow_label, slow_majority, table
from hypothesis import given, settings
from hypothesis import strategies as st

from headcount.ledger.labels import LABELS
from headcount.ledger.redraw import redraws
from headcount.store import plain

VOTE = st.sampled_from(["A", "B", "C", "10", "9", None])


def pool(votes, sizes, item="q", replicate=1, **columns) -> pd.DataFrame:
    """Round 1 of teams that are the first agents of one pool."""
    whole = said(item, [votes], replicate=replicate, **columns)
    return pd.concat([whole, *(whole[whole["agent"] <= n].assign(n=n, k=n - 1) for n in sizes)])


def rows_of(frame: pd.DataFrame, **how) -> pd.DataFrame:
    return plain(redraws(table(frame), "x", **how))


@settings(max_examples=15)
@given(st.lists(VOTE, min_size=4, max_size=7), st.integers(1, 3))
def test_every_pair_of_teams_is_counted_once_either_way_round(votes, n):
    if 2 * n > len(votes):
        n = len(votes) // 2
    (row,) = rows_of(pool(votes, [n])).query("n == @n").to_dict("records")
    labels = []
    for one in combinations(range(len(votes)), n):
        for other in combinations(sorted(set(range(len(votes))) - set(one)), n):
            ends = [slow_majority([votes[agent] for agent in team]) for team in (one, other)]
            labels.append(slow_label(*ends, "A"))
    assert row["exact"]
    assert row["pairs"] == len(labels) / 2 == comb(len(votes), n) * comb(len(votes) - n, n) / 2
    assert [row[label] for label in LABELS] == pytest.approx(
        [np.mean([x == label for x in labels]) for label in LABELS]
    )
    assert row["collapse"] == row["correction"]  # without talk nothing is gained


def test_a_sample_agrees_with_all_pairs_and_is_the_same_each_time():
    rng = np.random.default_rng(1)
    frame = pd.concat([pool(rng.choice([*"ABC"], 9).tolist(), [3], item=f"q{i}") for i in range(30)])
    every, some = (rows_of(frame, pairs=pairs).query("n == 3") for pairs in (1000, 200))
    assert every["exact"].all()
    assert not some["exact"].any()
    assert set(some["pairs"]) == {200}
    assert (every["collapse"].to_numpy() - some["collapse"].to_numpy()).std() < 0.06
    assert abs(every["collapse"].mean() - some["collapse"].mean()) < 0.02
    pd.testing.assert_frame_equal(some, rows_of(frame, pairs=200).query("n == 3"))
    assert not some.equals(rows_of(frame, pairs=200, seed=1).query("n == 3"))


def test_repetitions_of_an_item_are_draws_like_any_other():
    frame = pd.concat([pool(["A", "A", "B"], [], replicate=r) for r in (1, 2)])
    (row,) = rows_of(frame).to_dict("records")
    assert (row["n"], row["draws"], row["pairs"]) == (3, 6, 10)
    # Right are teams with two A or more; of C(6, 3) / 2 ways to halve AAAABB, those that part the two B: 6 of 10.
    assert row["preserved"] == pytest.approx(0.6)
    assert row["collapse"] == row["correction"] == pytest.approx(0.2)


def test_both_teams_have_the_seats_of_the_team():
    """Agents at temperature 1 say B, those at 0 say A: a team with one of each hot and two cold is always right."""
    frame = pool(["A", "A", "B", "A", "A", "B"], [3]).assign(
        temperature=lambda f: np.where(f["agent"] % 3 == 0, 1.0, 0.0)
    )
    (row,) = rows_of(frame).query("n == 3").to_dict("records")
    assert (row["preserved"], row["pairs"]) == (1.0, comb(4, 2) * 1 * 2 / 2)
    mixed = pool(["A", "A", "B", "A"], [3]).assign(temperature=lambda f: np.where(f["agent"] % 3 == 0, 1.0, 0.0))
    assert rows_of(mixed).query("n == 3").empty  # no second hot agent


def test_sizes_of_which_there_are_no_two_teams_have_no_row():
    assert set(rows_of(pool(["A"] * 5, [1, 2, 3]))["n"]) == {1, 2}
    assert rows_of(pool(["A"], [])).empty


def test_conditions_share_their_draws():
    one = pool(["A", "B", "A", "B"], [2])
    both = pd.concat([one, one.assign(condition="noise")])
    pd.testing.assert_frame_equal(rows_of(one), rows_of(both))


def test_teams_of_three_whose_questions_differ_as_the_rates_of_a_beta_do():
    """Item accuracy Beta(2, .6): a re-draw "collapses" 11 % and "corrects" 48 % (two answers, three agents)."""
    rng = np.random.default_rng(5)
    accuracy = rng.beta(2, 0.6, 1500)
    votes = np.where(rng.random((1500, 6)) < accuracy[:, None], "A", "B")
    frame = said_all(votes[:, None, :])
    small = frame[frame["agent"] <= 3].assign(n=3, k=2)
    rows = rows_of(pd.concat([frame, small])).query("n == 3")[list(LABELS)].sum()
    assert rows["collapse"] / (rows["collapse"] + rows["preserved"]) == pytest.approx(0.11, abs=0.015)
    assert rows["correction"] / (rows["correction"] + rows["unrepaired"]) == pytest.approx(0.48, abs=0.03)

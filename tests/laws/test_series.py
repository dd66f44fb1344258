"""Measures and means over all subsets of one team on one task share their items, and so their item weights."""

import numpy as np
import pandas as pd
import pytest

from headcount.errors import UserError
from headcount.laws.picked import Picked
from headcount.laws.series import TeamRows, item_means, n_items, split_series, split_tasks
from headcount.measures.subsets import subset_measures
from headcount.measures.table import measure
from headcount.schema import ANSWERS
from headcount.store import conform

SIZES = {("t", "self_consistency"): (1, 2, 3, 4)}


def answers(items=("i", "j", "k"), condition="self_consistency", n=4, task="t", seed=0) -> pd.DataFrame:
    """Teams that answer A (right) or B; columns of ANSWERS."""
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame([{"item": item, "agent": agent} for item in items for agent in range(1, n + 1)])
    answer = rng.choice(["A", "B"], len(frame))
    fixed = dict.fromkeys(("replicate", "n_tags", "prompt_tokens", "completion_tokens"), 0)
    fixed |= {"model": "m", "request": "r", "status": "parsed", "rule": "final", "tags_disagree": False}
    fixed |= {"truncated": False, "temperature": None, "confidence": None, "logprob": None, "round": 1}
    k = n - 1 if condition == "debate" else 0
    return frame.assign(**fixed, task=task, condition=condition, n=n, k=k, answer=answer, correct=answer == "A")


def table(*frames):
    return conform(pd.concat(frames), ANSWERS, "test")


def test_subsets_stand_on_the_items_of_the_measures_where_fewer_items_have_them():
    """Self-consistency on two of the three items that were debated."""
    rows = table(answers(items=("i", "k")), answers(condition="debate"))
    team = TeamRows(measure(rows), subset_measures(rows, SIZES))
    (_, first), (_, every) = split_tasks(team)
    assert (first.subsets, every.subsets) == ("first", "all")
    assert first.items == every.items == ["i", "j", "k"]
    (series,) = split_series(every)
    assert (series.condition, series.peers, series.sizes.tolist()) == ("self_consistency", "none", [1, 2, 3, 4])
    means = item_means(every, series, every.columns["n_valid"][series.rows, None])[:, :, 0]
    assert np.isnan(means).tolist() == [[False] * 4, [True] * 4, [False] * 4]


def test_a_task_without_subsets_has_measures_alone():
    rows = table(answers(), answers(task="u", condition="debate"))
    tasks = split_tasks(TeamRows(measure(rows), subset_measures(rows, SIZES)))
    assert [(task, rows.subsets) for task, rows in tasks] == [("t", "first"), ("t", "all"), ("u", "first")]


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (answers(items=("i", "stranger")), "t: item stranger is not in the team's measures"),
        (answers(task="v"), "task v is not in the team's measures"),
    ],
)
def test_subsets_of_other_answers_are_an_error(other, message):
    sizes = SIZES | {("v", "self_consistency"): (2,)}
    with pytest.raises(UserError, match=message):
        list(split_tasks(TeamRows(measure(table(answers())), subset_measures(table(other), sizes))))


def test_rows_are_split_the_same_in_any_order():
    rows = table(answers(), answers(task="u", condition="debate"), answers(items=("z", "é")))
    measures = measure(rows)
    shuffled = measures.take(np.random.default_rng(0).permutation(measures.num_rows))
    for (task, one), (other_task, other) in zip(
        split_tasks(TeamRows(measures)), split_tasks(TeamRows(shuffled)), strict=True
    ):
        assert (task, one.items) == (other_task, other.items)
        for ours, theirs in zip(split_series(one), split_series(other), strict=True):
            means = (
                item_means(rows, series, rows.columns["n_correct"][series.rows, None])
                for rows, series in ((one, ours), (other, theirs))
            )
            np.testing.assert_array_equal(*means)
            assert n_items(one, ours) == n_items(other, theirs) == len(one.items)


def test_columns_are_picked_by_place_and_unknown_where_there_is_none():
    columns = {"a": np.array([1.0, 2.0, 3.0]), "none": np.empty(0)}
    assert Picked(columns, np.array([2, 0, 2]))["a"].tolist() == [3, 1, 3]
    some = Picked(columns, np.array([1, -1]))
    np.testing.assert_array_equal(some["a"], [2, np.nan])
    np.testing.assert_array_equal(Picked(columns, np.array([-1, -1]))["none"], [np.nan] * 2)
    assert list(some) == list(columns)
    with pytest.raises(KeyError):
        some["b"]

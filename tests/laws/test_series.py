"""Measures and means over all subsets of one team on one task share their items, and so their item weights."""

import numpy as np
import pandas as pd
import pytest

from headcount.errors import UserError
from headcount.laws.series import TeamRows, item_means, split_series, split_tasks
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

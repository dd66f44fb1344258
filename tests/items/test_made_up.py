"""Made-up items: enough for simulated agents, the same every time, and refused to any real model."""

import pytest
from small_runs import small_config

from headcount.config import Task
from headcount.errors import UserError
from headcount.items.counts import known_count
from headcount.items.load import load_items


def rows(**settings):
    return load_items(Task(format="made_up", **settings), cache=None).to_pylist()


def test_a_larger_set_holds_a_smaller_one_and_seeds_share_nothing():
    few, many, others = rows(items=5, options=4), rows(items=50, options=4), rows(items=50, options=4, seed=1)
    assert few == many[:5]
    assert not {row["item"] for row in many} & {row["item"] for row in others}
    assert {row["gold"] for row in many} == set("ABCD")
    assert all(len(row["choices"]) == 4 for row in many)


def test_without_options_answers_are_numbers():
    assert all(row["choices"] is None and row["gold"].isdigit() for row in rows(items=20))


def test_their_number_is_known_and_needed():
    assert known_count(Task(format="made_up", items=7)) == 7
    with pytest.raises(ValueError, match="format made_up needs 'items'"):
        Task(format="made_up")
    with pytest.raises(ValueError, match="'options' is for format made_up"):
        Task(format="arithmetic", options=4)


def test_a_real_model_is_never_asked_a_made_up_question():
    models = {"m": {"engine": "api", "url": "http://localhost"}}
    with pytest.raises(UserError, match="'m' of 't' is no simulated model, and 'a' is made up"):
        small_config(models=models, tasks={"a": {"format": "made_up", "items": 3}})

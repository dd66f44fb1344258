"""The questions that a model flips on most, chosen by flips alone."""

import json

import pyarrow as pa
import pytest
from made_up_probes import battery
from small_runs import block, small_config, small_items

from headcount.errors import UserError
from headcount.ledger.flip_pool import high_flip_questions

ITEMS = small_items(4, options=4)


def config(wanted):
    task = {"format": "high_flip", "of": "a", "model": "m", "items": wanted}
    return small_config(experiments={"e": block(sizes=[3])}, tasks={"a": {"format": "mmlu_hard"}, "b": task})


def probes(solo_flips):
    """One agent a question, with so many of its four solo probes flipped; None: no first answer."""
    rows = [[i < (flips or 0) for i in range(4)] + [True] * 4 for flips in solo_flips]
    return pa.Table.from_pandas(battery(rows, [None if f is None else True for f in solo_flips], agents=1))


def test_the_highest_solo_rates_are_taken_and_ties_go_by_name():
    chosen = high_flip_questions(config(3), "b", ITEMS, probes([1, 3, 1, 1]))
    assert chosen["item"].to_pylist() == ["q0", "q1", "q2"]
    assert [json.loads(about)["solo_flip_rate"] for about in chosen["metadata"].to_pylist()] == [0.25, 0.75, 0.25]
    assert chosen.drop_columns("metadata") == ITEMS.slice(0, 3).drop_columns("metadata")


def test_too_few_questions_with_a_rate_are_an_error_that_names_the_key():
    with pytest.raises(UserError, match=r"tasks.b.items: 4 questions are asked for, and m has a flip rate on 3 of a"):
        high_flip_questions(config(4), "b", ITEMS, probes([1, None, 1, 1]))

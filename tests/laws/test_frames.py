"""Many small parts to one table."""

import numpy as np
import pyarrow as pa
import pytest

from headcount.errors import UserError
from headcount.laws.frames import join, pick
from headcount.schema import CROWD
from headcount.store import plain


def part(models, rules, value):
    numbers = {name: np.full(len(rules), np.nan) for name in ("low", "high", "difference", "difference_low")}
    key = {"team": "t", "task": "x", "condition": "debate", "round": 1, "simulated": True}
    counts = {"models": models, "unanswered": 0, "n_items": 5}
    return key | counts | numbers | {"difference_high": np.nan, "rule": np.array(rules, dtype=object), "value": value}


def test_values_that_rows_share_stand_in_each_and_nan_is_null():
    table = join([part(2, ["b", "a"], np.array([0.5, 0.25])), part(3, ["c"], 1.0)], CROWD)
    assert table.schema.equals(CROWD.schema)
    frame = plain(table)
    assert frame["rule"].tolist() == ["a", "b", "c"]
    assert frame["models"].tolist() == [2, 2, 3]
    assert frame["value"].tolist() == [0.25, 0.5, 1]
    assert frame[["low", "difference_high"]].isna().all(axis=None)


def test_no_part_and_parts_without_a_row_make_an_empty_table():
    empty = part(2, [], np.empty(0))
    assert join([], CROWD).num_rows == 0
    assert join([empty], CROWD).schema.equals(CROWD.schema)
    assert join([empty, part(2, ["a"], 1.0)], CROWD).num_rows == 1


def test_rows_are_picked_and_shared_values_stay():
    picked = pick(part(2, ["a", "b"], np.array([1.0, 2.0])), np.array([False, True]))
    assert picked["rule"].tolist() == ["b"]
    assert picked["models"] == 2


def test_a_column_that_the_table_does_not_know_is_an_error():
    with pytest.raises(UserError, match="stranger"):
        join([part(2, ["a"], 1.0) | {"stranger": np.ones(1)}], CROWD)
    assert isinstance(join([part(2, ["a"], 1.0)], CROWD), pa.Table)

"""Rates with their items drawn anew, all at once, are what a draw at a time gives; names become numbers and back."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.ledger.parts import places, ranked, stacked
from headcount.ledger.resampled import Draws

seeds = st.integers(0, 2**32 - 1)


def drawn(rng, items, draws=40):
    return Draws(rng.multinomial(items, np.full(items, 1 / items), draws).astype(float), 0.9)


@given(seeds, st.integers(1, 6))
def test_ratios_are_those_of_each_draw_by_itself(seed, items):
    rng = np.random.default_rng(seed)
    base = rng.integers(0, 3, (5, items)).astype(float)
    events = np.minimum(base, rng.integers(0, 3, (5, items)))
    base[3], events[3] = base[1], events[1]  # one that is there twice
    draws = drawn(rng, items)
    low, high = draws.ratios(events, base)
    for at in range(5):
        sums = [(w @ events[at], w @ base[at]) for w in draws.weights]
        slow = [k / n for k, n in sums if n]
        expected = np.percentile(slow, [5, 95]) if slow else [np.nan, np.nan]
        assert [low[at], high[at]] == pytest.approx(list(expected), nan_ok=True)


@given(seeds)
def test_estimates_of_sets_of_columns_are_those_of_each_set(seed):
    rng = np.random.default_rng(seed)
    columns = rng.random((3, 4, 7))
    draws = drawn(rng, 7)

    def difference(means):
        return np.stack([means[:, 0] - means[:, 1], means[:, 2] * means[:, 3]], axis=1)

    value, low, high = draws.estimates(columns, difference)
    for at, own in enumerate(columns):
        slow = np.array([difference(np.average(own, axis=1, weights=w)[None])[0] for w in draws.weights])
        assert value[at] == pytest.approx(difference(own.mean(axis=1)[None])[0])
        assert np.stack([low[at], high[at]]) == pytest.approx(np.percentile(slow, [5, 95], axis=0))


@given(st.lists(st.text("aAé10/", max_size=3), max_size=20))
def test_names_are_ranked_by_text(names):
    place, texts = ranked(pd.Series(names, dtype=object))
    assert texts.tolist() == sorted(set(names))
    assert texts[place].tolist() == names


def test_a_text_that_is_not_there_has_no_place():
    column = pa.chunked_array([["b", None], ["a", "b"]])
    assert places(column, ["a", "b", "c"]).tolist() == [1, -1, 0, 1]
    with pytest.raises(ValueError, match="'b'"):
        places(column, ["a"])


def test_parts_share_what_they_say_once_and_may_lack_columns():
    parts = [{"gate": ["x", "y"], "n": np.array([1, 2]), "team": "t"}, {"gate": ["z"], "team": "u"}]
    rows = stacked(parts, ["team", "gate", "n"], "gate")
    assert rows["team"].tolist() == ["t", "t", "u"]
    assert rows["gate"].tolist() == ["x", "y", "z"]
    assert rows["n"].tolist()[:2] == [1, 2]
    assert np.isnan(rows["n"].iloc[2])
    assert stacked([], ["team", "gate"], "gate").columns.tolist() == ["team", "gate"]

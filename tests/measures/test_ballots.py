"""Counting and grouping against Counter and pandas."""

from collections import Counter

import numpy as np
import pandas as pd
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from headcount.measures.ballots import count_ballots
from headcount.measures.groups import factorise, group

votes = st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 4)), max_size=40)


@given(votes)
def test_counts_are_those_of_a_counter(rows):
    team, answer = (np.array([row[i] for row in rows], dtype=np.int64) for i in (0, 1))
    ballots = count_ballots(team, answer, answer == 2, 6)
    expected = Counter((t, a) for t, a in rows if a >= 0)
    found = {
        (t, int(a)): int(c)
        for t in range(6)
        for a, c in zip(ballots.candidates[t], ballots.counts[t], strict=True)
        if a >= 0
    }
    assert found == dict(expected)
    assert ballots.correct.sum(axis=1).tolist() == [expected[t, 2] for t in range(6)]


keys = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30)


@given(keys, st.booleans())
def test_groups_are_those_of_pandas(rows, is_sorted):
    rows = sorted(rows) if is_sorted else rows
    one, two = (np.array([row[i] for row in rows]) for i in (0, 1))
    groups = group([one, two])
    frame = pd.DataFrame({"one": one, "two": two})
    assert groups.of_row.tolist() == frame.groupby(["one", "two"]).ngroup().tolist()
    assert groups.size.tolist() == frame.groupby(["one", "two"]).size().tolist()
    assert (one[groups.first][groups.of_row] == one).all()
    assert (two[groups.first][groups.of_row] == two).all()


@given(st.lists(st.sampled_from(["a", "b", "c", None]), max_size=20), st.integers(0, 20))
def test_codes_spell_the_column_in_chunks_with_their_own_dictionaries(values, cut):
    kind = pa.dictionary(pa.int32(), pa.string())
    chunks = [pa.array(part, pa.string()).cast(kind) for part in (values[:cut], values[cut:])]
    for column in (
        pa.chunked_array(chunks, type=kind),
        pa.chunked_array([pa.array(values, pa.string())]),
    ):
        factor = factorise(column)
        names = factor.values.to_pylist()
        assert [None if c < 0 else names[c] for c in factor.codes] == values

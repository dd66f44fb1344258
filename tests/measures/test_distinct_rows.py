"""Distinct rows of a table, against NumPy's slower way."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from headcount.measures.groups import distinct_rows

TABLES = st.tuples(st.integers(0, 30), st.integers(1, 4)).flatmap(
    lambda shape: arrays(np.int64, shape, elements=st.integers(-1, 2))
)


@given(TABLES)
def test_distinct_rows_are_those_of_numpy(table):
    rows, of_row = distinct_rows(table)
    expected, places = np.unique(table, axis=0, return_inverse=True)
    assert rows.tolist() == expected.tolist()
    assert of_row.tolist() == places.ravel().tolist()

"""Teams in their seats: some of them are what they are without the others."""

import numpy as np
import pyarrow as pa
import pytest
from tables_of_answers import answers_table
from talking_teams import FAMILIES, talking_frame

from headcount.measures.aggregators import votes
from headcount.measures.ballots import count_ballots
from headcount.measures.cross_pairs import cross_pairs
from headcount.measures.seats import columns_of, seat
from headcount.measures.subsets import subset_measures
from headcount.measures.table import measure


@pytest.mark.parametrize("seed", range(3))
def test_some_teams_measure_as_they_do_without_the_others(seed):
    table = answers_table(talking_frame(seed, teams=20))
    seats = seat(table)
    kept = np.random.default_rng(seed).random(seats.n_teams) < 0.4
    rows = table.take(pa.array(np.sort(seats.row[kept[seats.team]])))
    some, alone = seats.only(kept), seat(rows)
    assert measure(some).equals(measure(rows))
    assert some.ballots.counts.shape == alone.ballots.counts.shape
    assert some.answers.take(pa.array(some.answer, mask=some.answer < 0)).to_pylist() == (
        alone.answers.take(pa.array(alone.answer, mask=alone.answer < 0)).to_pylist()
    )


def test_what_is_seated_once_serves_all():
    table, sizes = answers_table(talking_frame(0, teams=20)), {("task0", "debate"): [1, 2]}
    seats = seat(table)
    assert votes(seats, FAMILIES).equals(votes(table, FAMILIES))
    assert cross_pairs(seats).equals(cross_pairs(table))
    one = answers_table(talking_frame(0, teams=20).assign(model="m1"))
    assert subset_measures(seat(one), sizes).equals(subset_measures(one, sizes))


@pytest.mark.parametrize("seed", range(3))
def test_an_answer_stands_in_the_column_that_counts_it(seed):
    seats = seat(answers_table(talking_frame(seed, teams=20)))
    ballots = count_ballots(seats.team, seats.answer, seats.correct, seats.n_teams)
    assert (seats.ballots.counts == ballots.counts).all()
    assert (seats.column == columns_of(ballots, seats.team, seats.answer)).all()

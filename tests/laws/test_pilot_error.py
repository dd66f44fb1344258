"""How far laws are off beyond a pilot: the scale, what is learned of it, and the file it is kept in."""

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm

from headcount.errors import UserError
from headcount.laws.pilot_error import FIELDS, PilotErrors, implied, learned, scaled_size_error, size_deviation

TRACKED = Path(__file__).parents[2] / "resources" / "calibration" / "pilot_error.csv"
AT = np.array([5, 10, 30, 100])


def test_nothing_is_off_within_a_pilot_and_more_the_further_it_goes():
    sd = size_deviation(0.2, AT, 5, np.e)
    assert sd[0] == 0
    assert sd[1:] == pytest.approx(0.2 * np.log([2, 6, 20]))
    assert size_deviation(0.2, AT, 5, np.e**4) == pytest.approx(2 * sd)


@given(st.floats(0.01, 1), st.floats(1.1, 20), st.integers(0, 99))
def test_learned_gives_back_the_scale_that_errors_were_drawn_with(s, n_eff, seed):
    z = np.random.default_rng(seed).normal(size=(20_000, 2))
    true = np.full((20_000, 2), 3.0)
    at = np.array([10, 30])
    predicted = true * np.exp(z * size_deviation(s, at, 5, n_eff))
    found = learned(scaled_size_error(predicted, true, at, 5, np.full(20_000, n_eff)))
    assert found == pytest.approx(s, rel=0.05)


def test_learned_covers_95_per_cent_whatever_the_tails_are():
    errors = np.abs(np.random.default_rng(1).standard_t(2, size=50_000))
    assert np.mean(errors < norm.ppf(0.975) * learned(errors)) == pytest.approx(0.95, abs=0.002)
    assert np.isnan(learned(np.array([np.nan])))


def test_a_published_mean_error_implies_the_scale_that_makes_it():
    at, s = np.array([7, 10, 15, 20, 30]), 0.3
    drawn = np.random.default_rng(2).normal(size=(100_000, 5)) * size_deviation(s, at, 5, 1.6)
    assert implied(np.abs(drawn).mean(), at, 5, 1.6) == pytest.approx(s, rel=0.01)


def write(path, *rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([FIELDS, *rows])
    return path


def test_of_two_sources_the_larger_counts_and_untried_pilots_get_the_worst(tmp_path):
    path = write(
        tmp_path / "e.csv",
        ("n_eff", "answer", "talk", "2;3;5", 10, 0.1, "a"),
        ("n_eff", "answer", "talk", "2;3;5", 10, 0.3, "b"),
        ("n_eff", "answer", "talk", "2;3", 10, 0.5, "a"),
    )
    known = PilotErrors.read(path)
    assert known.scale("n_eff", "answer", "talk", [2, 3, 5]) == 0.3
    assert known.scale("n_eff", "answer", "talk", (4, 5)) == 0.5
    assert known.tried("n_eff", "answer", "talk", (2, 3))
    assert not known.tried("n_eff", "answer", "talk", (4, 5))
    with pytest.raises(UserError, match="mixed"):
        known.scale("n_eff", "answer", "mixed", (2, 3))


@pytest.mark.parametrize(
    "row", [("n_eff", "answer", "talk", "2;x", 1, 0.1, ""), ("n_eff", "answer", "talk", "2;3", 1, "", "")]
)
def test_a_bad_row_is_named(tmp_path, row):
    path = write(tmp_path / "e.csv", ("n_eff", "answer", "talk", "2;3", 10, 0.5, "a"), row)
    with pytest.raises(UserError, match="row 3: needs quantity"):
        PilotErrors.read(path)
    with pytest.raises(UserError, match="no such file"):
        PilotErrors.read(tmp_path / "none.csv")


def test_the_tracked_errors_are_known_for_every_kind_of_team():
    known = PilotErrors.read(TRACKED)
    for group in ("alone", "talk", "mixed"):
        assert known.tried("accuracy", "accuracy", group, (2, 3, 5))
        for level in ("answer", "pooled_agreement"):
            assert known.tried("n_eff", level, group, (2, 3, 5))
    alone, talk = (known.scale("n_eff", "pooled_agreement", group, (2, 3, 5)) for group in ("alone", "talk"))
    assert alone < 0.05 < talk  # pooled agreement has beta = 0 under independence, so the law is exact there

"""Limits and relations of the curves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.laws.forms import kish, latane, logistic, power, ringelmann
from headcount.measures.diversity import correlation_from_n_eff

sizes = st.integers(2, 10_000)


@given(sizes, st.floats(0, 20), st.floats(-1, 1))
def test_ringelmann_is_kish_with_a_correlation_that_is_a_power_of_the_size(n, c, beta):
    assert ringelmann(n, c, beta) == pytest.approx(kish(n, c * n**-beta))


@given(sizes, st.floats(0.01, 1), st.floats(0, 1))
def test_the_correlation_of_the_curve_is_c_n_to_minus_beta(n, c, beta):
    rho = correlation_from_n_eff(n, n * ringelmann(n, c, beta))
    assert rho == pytest.approx(c * n**-beta, abs=1e-6)


@given(st.floats(0, 20), st.floats(-1, 1))
def test_one_agent_counts_whole(c, beta):
    assert ringelmann(1, c, beta) == kish(1, c) == latane(1, beta) == 1


def test_the_ceiling_is_one_over_c():
    assert 1e9 * ringelmann(1e9, 0.4, 0) == pytest.approx(1 / 0.4)


def test_parameters_and_sizes_broadcast():
    assert ringelmann(np.array([1, 2, 3]), np.ones((5, 1)), np.zeros((5, 1))).shape == (5, 3)


def test_logistic_and_power_are_what_they_say():
    assert logistic(7, 4, 0.3, 7) == pytest.approx(2)
    assert logistic(1e6, 4, 0.3, 7) == pytest.approx(4)
    assert power(9, 1, 2, 0.5) == pytest.approx(7)

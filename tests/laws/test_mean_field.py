"""The mean-field law against its published numbers, its own recurrence, and agents who follow its assumptions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.laws.mean_field import (
    adoption_per_peer,
    collapse_band,
    collapse_spread,
    conformity,
    mean_field,
    nonmodal_mass,
    rate_per_peer,
    rate_ratio,
)

shares, counts = st.floats(0, 1), st.integers(1, 30)

ESTIMATORS = {
    "nm_to_modal/(N-1)": (27, lambda x: rate_per_peer(x["nm"], x["n"] - 1)),
    "ratio": (2, lambda x: rate_ratio(x["alpha_s"], x["alpha_l"])),
    "max over N of (high-low)": (10, lambda x: collapse_spread(np.array([x["n10"], x["n30"]]).T)),
}
OURS = ("alpha_per_peer_", "rate_ratio_", "ktau_spread_")


@pytest.mark.parametrize("function", ESTIMATORS)
def test_printed_values(published_checks, function):
    count, estimator = ESTIMATORS[function]
    checks = [check for check in published_checks(function) if check.id.startswith(OURS)]
    assert len(checks) == count
    for check in checks:
        assert estimator(check.inputs) == pytest.approx(check.printed, abs=check.tolerance + 1e-9), check.id
        assert estimator(check.inputs) == pytest.approx(check.recomputed, rel=1e-4), check.id


def test_the_theorem_s_rate_is_not_what_table_16_prints(published_checks):
    """Where many come to the mode, the two readings differ by more than rounding."""
    checks = published_checks("nm_to_modal/(N-1)")
    far = [c for c in checks if abs(adoption_per_peer(c.inputs["nm"], c.inputs["n"] - 1) - c.printed) > c.tolerance]
    assert {c.id for c in checks if c.inputs["nm"] > 1 / 3} <= {c.id for c in far}


def talk(rng, teams: int, n: int, nonmodal: int, alpha_1: float, k: int, tau: int) -> np.ndarray:
    """Pair agreement of teams of two answers after each update; each agent off the mode hears its own k others."""
    off = np.zeros((teams, n), bool)
    off[:, :nonmodal] = True
    agreements = [_agreement(off)]
    for _ in range(tau):
        team, agent = np.nonzero(off)
        order = rng.random((team.size, n))
        order[np.arange(team.size), agent] = 2.0  # nobody hears itself
        heard = np.argsort(order, axis=1)[:, :k]
        adopts = (rng.random((team.size, k)) < alpha_1) & ~off[team[:, None], heard]
        off[team, agent] = ~adopts.any(axis=1)
        agreements.append(_agreement(off))
    return np.array(agreements)


def _agreement(off: np.ndarray) -> float:
    m, n = off.sum(axis=1), off.shape[1]
    return float(np.mean((m * (m - 1) + (n - m) * (n - m - 1)) / (n * (n - 1))))


@pytest.mark.parametrize(("k", "tau"), [(1, 6), (2, 3), (6, 1), (12, 2)])
def test_agents_who_follow_the_theorem_follow_the_law_where_few_disagree(k, tau):
    alpha_1 = 0.15
    rho = talk(np.random.default_rng(k), teams=6000, n=60, nonmodal=2, alpha_1=alpha_1, k=k, tau=tau)
    law = mean_field(rho[0], conformity(alpha_1, k), np.arange(tau + 1))
    d = 1 - rho[0]
    assert d < 0.07
    np.testing.assert_allclose(rho, law, atol=d**2)
    assert abs(rho[-1] - rho[0]) > 8 * d**2  # so agreement with the law says something


def test_where_many_disagree_the_recurrence_holds_and_the_law_is_too_fast():
    rho = talk(np.random.default_rng(0), teams=400, n=200, nonmodal=60, alpha_1=0.1, k=4, tau=2)[-1]
    e = nonmodal_mass(0.3, 0.1, 4, 2)
    assert rho == pytest.approx(1 - 2 * e * (1 - e), abs=0.01)
    assert mean_field(0.58, conformity(0.1, 4), 2) - rho > 0.07


@pytest.mark.parametrize(("nonmodal", "exact", "law"), [(0.3, (0.721, 0.733), 0.819), (0.05, (0.9555, 0.9565), 0.959)])
def test_numbers_of_one_product_by_recurrence_and_by_law(nonmodal, exact, law):
    d = 2 * nonmodal * (1 - nonmodal)
    ends = []
    for k, tau in ((1, 8), (2, 4), (4, 2), (8, 1)):
        e = nonmodal_mass(nonmodal, 0.1, k, tau)
        ends.append(float(1 - 2 * e * (1 - e)))
        assert mean_field(1 - d, conformity(0.1, k), tau) == pytest.approx(law, abs=5e-4)
    assert exact[0] - 5e-4 <= min(ends) <= max(ends) <= exact[1] + 5e-4


@given(shares, shares, counts, st.integers(0, 8))
def test_peers_and_updates_enter_as_their_product(rho0, alpha_1, k, tau):
    assert mean_field(rho0, conformity(alpha_1, k), tau) == pytest.approx(mean_field(rho0, alpha_1, k * tau))


@given(shares, shares, st.integers(0, 8))
def test_disagreement_shrinks_by_one_factor_an_update(rho0, alpha, tau):
    assert mean_field(rho0, alpha, 0) == pytest.approx(rho0)
    left = 1 - mean_field(rho0, alpha, tau + 1)
    assert left == pytest.approx((1 - alpha) * (1 - mean_field(rho0, alpha, tau)))


@given(st.floats(0, 0.9), counts, st.integers(1, 6))
def test_the_rate_of_the_theorem_gives_back_the_share_it_came_from(nm, k, tau):
    assert 1 - (1 - conformity(adoption_per_peer(nm, k, tau), k)) ** tau == pytest.approx(nm, abs=1e-9)


@given(shares, counts)
def test_the_linear_rate_is_below_the_theorem_s_and_both_are_one_for_one_peer(nm, k):
    assert rate_per_peer(nm, k) <= adoption_per_peer(nm, k) + 1e-12
    assert rate_per_peer(nm, 1) == pytest.approx(nm) == adoption_per_peer(nm, 1)


def test_rates_have_no_answer_without_peers_or_learners():
    assert np.isnan(rate_per_peer(0.2, 0))
    assert np.isnan(adoption_per_peer(np.array([0.2, 1.0]), 0)).all()
    assert np.isnan(rate_ratio(0.2, 0.0))


@given(st.lists(st.lists(st.one_of(shares, st.just(np.nan)), min_size=3, max_size=3), min_size=1, max_size=5))
def test_the_spread_is_the_largest_gap_of_two_configurations_at_one_size(rows):
    rho = np.array(rows)
    gaps = [abs(a - b) for size in rho.T for a in size for b in size if np.isfinite([a, b]).all()]
    several = (np.isfinite(rho).sum(axis=0) > 1).any()
    np.testing.assert_allclose(collapse_spread(rho), max(gaps) if several else np.nan)


def test_bands_are_of_every_draw_and_size():
    rho = np.array([[[0.5, 0.4], [0.6, np.nan]], [[0.7, 0.1], [0.2, 0.3]]])
    low, high = collapse_band(rho)
    np.testing.assert_array_equal(low, [[0.5, np.nan], [0.2, 0.1]])
    np.testing.assert_array_equal(high, [[0.6, np.nan], [0.7, 0.3]])
    np.testing.assert_allclose(collapse_spread(rho), [0.1, 0.5])
    assert np.isnan(collapse_spread(np.full((2, 0), 0.5)))

"""The vectorised fit against SciPy from many starts, against a proof, and on awkward curves."""

import numpy as np
import pytest
from branch_and_bound import is_global
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import curve_fit, least_squares

from headcount.laws.forms import ringelmann
from headcount.laws.least_squares import Bounds, fit_curves

N = np.array([2.0, 3, 5, 7, 10, 15, 20, 30])
PAPER, FREE, KISH = Bounds(), Bounds(beta=(-1, 1)), Bounds(beta=(0, 0))
BOXES = {"paper": PAPER, "free": FREE, "boot": Bounds(c=(0, 5)), "kish": KISH}


def noisy_curves(rng, curves, spread=0.03):
    c, beta = rng.uniform(0.05, 1, (curves, 1)), rng.uniform(-0.2, 0.7, (curves, 1))
    return ringelmann(N, c, beta) * (1 + spread * rng.standard_normal((curves, N.size)))


def any_curves(rng, curves):
    """Efficiencies that no law would give: independent and uniform."""
    return rng.uniform(1 / N, 1, (curves, N.size))


def scipy_best(r, bounds):
    """The best of SciPy's solutions from nine starts; (c, beta), sum of squares."""
    low, high = bounds.corners()
    known = np.isfinite(r)
    fixed = bounds.beta[0] == bounds.beta[1]

    def residual(theta):
        return (ringelmann(N, theta[0], bounds.beta[0] if fixed else theta[1]) - r)[known]

    tight = {"xtol": 1e-15, "ftol": 1e-15, "gtol": 1e-15, "x_scale": "jac"}
    fits = []
    for c in (0.02, 0.3, 4.5):
        for share in (0.1, 0.5, 0.9):
            start = [c] if fixed else [c, low[1] + share * (high[1] - low[1])]
            box = (low[: len(start)], high[: len(start)])
            fits.append(least_squares(residual, start, bounds=box, **tight))
    best = min(fits, key=lambda fit: fit.cost)
    return np.append(best.x, bounds.beta[0])[:2], 2 * best.cost


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("make", [noisy_curves, any_curves])
def test_estimates_are_scipys_best(box, make):
    r = make(np.random.default_rng(0), 6)
    fits = fit_curves(N, r, BOXES[box])
    assert fits.converged.all()
    for i, curve in enumerate(r):
        theta, sse = scipy_best(curve, BOXES[box])
        assert fits.sse[i] == pytest.approx(sse, abs=1e-12)
        assert [fits.c[i], fits.beta[i]] == pytest.approx(theta, abs=1e-6)


def test_estimates_are_scipys_on_curves_with_gaps():
    rng = np.random.default_rng(1)
    r = np.where(rng.random((6, N.size)) < 0.3, np.nan, noisy_curves(rng, 6))
    fits = fit_curves(N, r, FREE)
    for i, curve in enumerate(r):
        assert [fits.c[i], fits.beta[i]] == pytest.approx(scipy_best(curve, FREE)[0], abs=1e-6)


def test_estimates_are_those_of_curve_fit():
    r = noisy_curves(np.random.default_rng(2), 10)
    fits = fit_curves(N, r, PAPER)
    for i, curve in enumerate(r):
        theta, _ = curve_fit(ringelmann, N, curve, p0=[0.5, 0.2], bounds=PAPER.corners(), ftol=1e-15, xtol=1e-15)
        assert [fits.c[i], fits.beta[i]] == pytest.approx(theta, abs=1e-6)


@pytest.mark.parametrize("box", ["paper", "free"])
@pytest.mark.parametrize("make", [noisy_curves, any_curves])
def test_the_minimum_is_global_by_proof(box, make):
    bounds = BOXES[box]
    r = make(np.random.default_rng(3), 10)
    fits = fit_curves(N, r, bounds)
    for i, curve in enumerate(r):
        assert is_global(N, curve, fits.sse[i], bounds.c, bounds.beta)


@settings(max_examples=25)
@given(st.lists(st.floats(0.01, 1.2), min_size=3, max_size=3), st.booleans())
def test_the_minimum_is_global_for_any_three_sizes(r, free):
    n, r, bounds = np.array([2.0, 5.0, 30.0]), np.array(r), FREE if free else PAPER
    fits = fit_curves(n, r[None], bounds)
    assert is_global(n, r, fits.sse[0], bounds.c, bounds.beta, slack=1e-3)


def test_the_minimum_is_global_also_for_very_large_teams():
    """Where c N is large at any c worth trying, tiny values of c must be tried too."""
    n = np.array([2.0, 100, 1000, 3000])
    r = np.random.default_rng(6).uniform(0, 1.2, (8, n.size))
    fits = fit_curves(n, r, PAPER)
    for i, curve in enumerate(r):
        assert is_global(n, curve, fits.sse[i], PAPER.c, PAPER.beta, slack=1e-2)


@given(st.floats(0.001, 4.9), st.floats(0, 1))
def test_an_exact_curve_gives_its_parameters_back(c, beta):
    fits = fit_curves(N, ringelmann(N, c, beta)[None], PAPER)
    assert [fits.c[0], fits.beta[0]] == pytest.approx([c, beta], abs=1e-7)


@given(st.permutations(range(N.size)), st.integers(0, 99))
def test_order_of_sizes_and_of_curves_changes_nothing(order, seed):
    r = noisy_curves(np.random.default_rng(seed), 3)
    fits, other = fit_curves(N, r, FREE), fit_curves(N[order], r[::-1][:, order], FREE)
    assert other.c[::-1] == pytest.approx(fits.c, abs=1e-7)
    assert other.beta[::-1] == pytest.approx(fits.beta, abs=1e-7)


def test_a_team_of_one_moves_nothing():
    r = noisy_curves(np.random.default_rng(4), 5)
    fits = fit_curves(np.r_[1, N], np.c_[np.full(5, 0.3), r], FREE)
    assert fits.c == pytest.approx(fit_curves(N, r, FREE).c, abs=0)


def test_a_correlation_that_rises_with_size_pins_beta_at_its_bound():
    fits = fit_curves(N, ringelmann(N, 0.3, -0.1)[None], PAPER)
    assert fits.beta[0] == 0
    assert fits.at_bound[0].tolist() == [0, -1]
    free = fit_curves(N, ringelmann(N, 0.3, -0.1)[None], FREE)
    assert [free.c[0], free.beta[0]] == pytest.approx([0.3, -0.1])
    assert free.at_bound[0].tolist() == [0, 0]


def test_parameters_outside_the_box_are_reported():
    fits = fit_curves(N, ringelmann(N, 30.0, 0.5)[None], PAPER)
    assert fits.c[0] == 20
    assert fits.at_bound[0, 0] == 1


def test_a_fixed_beta_is_never_at_a_bound():
    assert fit_curves(N, ringelmann(N, 0.3, -0.1)[None], KISH).at_bound[0].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("r", "expected"),
    [
        (1 / N, [1, 0]),  # consensus
        (np.ones(N.size), [0, np.nan]),  # independence: any beta
        (np.full(N.size, np.nan), [np.nan, np.nan]),
        (np.r_[0.6, np.full(N.size - 1, np.nan)], [np.nan, np.nan]),  # one size
    ],
)
def test_extreme_curves(r, expected):
    fits = fit_curves(N, r[None], FREE)
    assert fits.c[0] == pytest.approx(expected[0], abs=1e-9, nan_ok=True)
    if expected[0] != 0:
        assert fits.beta[0] == pytest.approx(expected[1], abs=1e-9, nan_ok=True)


def test_one_size_is_enough_for_kish():
    fits = fit_curves(np.array([5]), np.array([[0.4]]), KISH)
    assert fits.c[0] == pytest.approx((1 / 0.4 - 1) / 4)


def test_no_curves_give_no_fits():
    assert fit_curves(N, np.empty((0, N.size))).c.shape == (0,)

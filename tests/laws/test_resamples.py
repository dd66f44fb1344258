"""Resamples fitted together against each fitted by itself."""

import numpy as np
import pytest
from branch_and_bound import is_global

from headcount.laws.forms import ringelmann
from headcount.laws.least_squares import Bounds, fit_curves
from headcount.laws.resamples import fit_resamples, parameters_of

N = np.array([1, 2, 3, 5, 10, 30])
BOXES = {"paper": Bounds(c=(0, 5)), "free": Bounds(beta=(-2, 1)), "kish": Bounds(beta=(0, 0))}


def resamples(seed, curves=6, draws=60, spread=0.03):
    """Curves of very different laws, each with draws that scatter about it."""
    rng = np.random.default_rng(seed)
    c, beta = rng.uniform(0, 1, (curves, 1)), rng.uniform(-0.5, 1, (curves, 1))
    return ringelmann(N, c, beta)[:, None] * (1 + spread * rng.standard_normal((curves, draws, N.size)))


def agree(fits, r, bounds):
    alone = fit_curves(N, r.reshape(-1, N.size), bounds)
    assert fits.sse == pytest.approx(alone.sse, abs=1e-12, nan_ok=True)
    assert fits.c == pytest.approx(alone.c, rel=1e-5, abs=1e-7, nan_ok=True)
    assert (fits.at_bound == alone.at_bound).all()
    assert (fits.converged == alone.converged).all()


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize("spread", [0.003, 0.03, 0.3])
def test_resamples_are_fitted_as_each_would_be_by_itself(box, spread):
    r = resamples(1, spread=spread)
    agree(fit_resamples(N, r, BOXES[box]), r, BOXES[box])


@pytest.mark.parametrize("box", BOXES)
def test_resamples_that_have_nothing_in_common_lose_nothing(box):
    """Pure noise, whose mean tells nothing of where a resample has its minimum."""
    r = np.random.default_rng(2).uniform(1 / N, 1, (3, 200, N.size))
    agree(fit_resamples(N, r, BOXES[box]), r, BOXES[box])


def test_a_resample_far_from_all_others_finds_its_own_minimum():
    r = resamples(3, curves=1, spread=0.001)
    r[0, 7] = ringelmann(N, 0.9, 0.95)
    r[0, 8] = ringelmann(N, 0.001, 0.0)
    fits = fit_resamples(N, r, BOXES["paper"])
    assert [fits.c[7], fits.beta[7]] == pytest.approx([0.9, 0.95], abs=1e-6)
    assert [fits.c[8], fits.beta[8]] == pytest.approx([0.001, 0], abs=1e-6)


def test_minima_of_resamples_are_global_by_proof():
    r = resamples(4, curves=2, draws=10)
    fits = fit_resamples(N, r, BOXES["free"])
    for curve, sse in zip(r.reshape(-1, N.size), fits.sse, strict=True):
        assert is_global(N.astype(float), curve, sse, BOXES["free"].c, BOXES["free"].beta)


def test_resamples_with_gaps_are_fitted_to_what_they_have():
    rng = np.random.default_rng(5)
    r = resamples(5)
    r[rng.random(r.shape) < 0.1] = np.nan
    r[0, :, 3] = np.nan
    r[1, :5] = np.nan
    agree(fit_resamples(N, r, BOXES["free"]), r, BOXES["free"])


@pytest.mark.parametrize("draws", [0, 1, 3])
def test_few_resamples_are_enough(draws):
    r = resamples(6, draws=draws)
    fits = fit_resamples(N, r, BOXES["paper"])
    assert fits.c.shape == (6 * draws,)
    agree(fits, r, BOXES["paper"])


def test_parameters_come_back_in_order_whatever_the_sizes():
    few, many, other = N[:4], N, N[1:]
    r = resamples(7, curves=3)
    curves = [(many, r[0]), (few, r[1, :, :4]), (many, r[2]), (other, r[1, :, 1:])]
    for (sizes, each), found in zip(curves, parameters_of(curves, BOXES["free"]), strict=True):
        assert found == pytest.approx(fit_curves(sizes, each, BOXES["free"]).parameters, abs=1e-6, nan_ok=True)


def test_a_curve_that_comes_twice_has_the_same_parameters_twice():
    rng = np.random.default_rng(5)
    one, other = (rng.uniform(0.2, 0.9, (12, N.size)) for _ in range(2))
    found = parameters_of([(N, one), (N, other), (N, one.copy())], BOXES["free"])
    assert found[0].tolist() == found[2].tolist()
    (alone,) = parameters_of([(N, other)], BOXES["free"])
    assert found[1] == pytest.approx(alone, nan_ok=True)


def test_beta_is_no_number_where_every_agent_counts():
    (found,) = parameters_of([(N, np.ones((12, N.size)))], BOXES["free"])
    assert found[:, 0] == pytest.approx(0, abs=1e-9)
    assert np.isnan(found[:, 1]).all()

"""Where a search for (c, beta) starts, and the minima that it finds: by brute force."""

import numpy as np
import pytest
from scipy.ndimage import minimum_filter

from headcount.laws.forms import ringelmann
from headcount.laws.least_squares import STARTS, Bounds, fit_curves, grid, minima, starts
from headcount.laws.newton import Problem, polish

N = np.array([2.0, 3, 5, 10, 30])
FREE = Bounds(beta=(-2, 1))
NEIGHBOURS = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 1]])


def wild(curves: int, seed: int = 0, bounds: Bounds = FREE) -> Problem:
    """Efficiencies that no law would give, every sixth of them missing."""
    r = np.random.default_rng(seed).uniform(1 / N, 1, (curves, N.size))
    r[np.arange(r.size).reshape(r.shape) % 6 == 5] = np.nan
    return Problem.of(N, r, bounds)


@pytest.mark.parametrize("largest", [3.0, 30.0, 3000.0])
@pytest.mark.parametrize("beta", [(0.0, 1.0), (-2.0, 1.0)])
@pytest.mark.parametrize(("c", "least"), [((0.0, 20.0), 0.1), ((1.0, 2.0), 0.1), ((0.3, 0.31), 0.0)])
def test_the_grid_reaches_all_edges_in_steps_that_are_small_and_not_many(largest, beta, c, least):
    """From one point of the grid to the next one across R moves by less than .14, and where there is room by .1."""
    n = np.unique([2.0, 3.0, largest])
    c_grid, beta_grid = grid(n, Bounds(c, beta))
    assert (c_grid[0], c_grid[-1]) == pytest.approx(c)
    assert (beta_grid[0], beta_grid[-1]) == pytest.approx(beta)
    r = ringelmann(n, c_grid[:, None, None], beta_grid[:, None])
    across = r[:-1, 1:] - r[1:, :-1]  # falls with c, rises with beta
    assert least < across.max() < 0.14


@pytest.mark.parametrize("bounds", [FREE, Bounds(), Bounds(c=(0, 5), beta=(0, 0))])
def test_starts_are_the_lowest_dips_of_the_grid(bounds):
    problem = wild(8, bounds=bounds)
    c, beta = grid(N, bounds)
    owner, start = starts(problem)
    for curve in range(8):
        r, known = problem.r[curve], problem.known[curve]
        sse = np.array([[((ringelmann(N, x, y) - r)[known] ** 2).sum() for y in beta] for x in c])
        around = minimum_filter(sse, footprint=NEIGHBOURS, mode="constant", cval=np.inf)
        dips = [(sse[i, j], c[i], beta[j]) for i, j in np.argwhere(sse < around)]
        lowest = [(x, y) for _, x, y in sorted(dips)[:STARTS]]
        np.testing.assert_array_equal(sorted(start[owner == curve].tolist()), sorted(lowest))


def test_no_curve_has_more_starts_than_allowed_and_a_plateau_has_one():
    """Where every agent counts, c is 0 and any beta does."""
    n = np.array([2.0, 3, 5, 10, 30, 300, 3000])
    many = np.random.default_rng(5).uniform(0, 1, (300, n.size))
    owner, _ = starts(Problem.of(n, many, FREE))
    assert np.bincount(owner).max() == STARTS
    assert (np.unique(owner) == np.arange(300)).all()
    owner, start = starts(Problem.of(n, np.ones((2, n.size)), FREE))
    assert owner.tolist() == [0, 1]
    assert start[:, 0].tolist() == [0, 0]


def test_minima_are_all_that_the_starts_lead_to_each_once():
    problem = wild(60)
    owner, theta = minima(problem)
    assert (np.diff(owner) >= 0).all()
    assert len(set(owner)) == 60
    assert np.bincount(owner).max() > 1
    of_start, start = starts(problem)
    ends = polish(problem.take(of_start), start).theta
    for curve in range(60):
        found, led_to = theta[owner == curve], ends[of_start == curve]
        apart = np.abs(found[:, None] - found).max(axis=2)
        assert (apart[~np.eye(len(found), dtype=bool)] > 1e-6).all()
        assert np.abs(led_to[:, None] - found).max(axis=2).min(axis=1) == pytest.approx(0, abs=1e-4)
        assert np.abs(found[:, None] - led_to).max(axis=2).min(axis=1).max() == 0


def test_the_best_of_a_curves_minima_is_its_fit():
    problem = wild(60, seed=1)
    owner, theta = minima(problem)
    off = ringelmann(N, theta[:, :1], theta[:, 1:]) - problem.r[owner]
    sse = np.where(problem.known[owner], off**2, 0).sum(axis=1)
    fits = fit_curves(N, np.where(problem.known, problem.r, np.nan), FREE)
    assert [sse[owner == curve].min() for curve in range(60)] == pytest.approx(fits.sse, abs=1e-12)

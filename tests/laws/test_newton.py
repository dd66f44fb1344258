"""Steps towards a minimum: the slope they follow by differences, and that few of them are enough."""

import numpy as np
import pytest

from headcount.laws import newton
from headcount.laws.forms import ringelmann
from headcount.laws.least_squares import Bounds, starts
from headcount.laws.newton import Problem, polish

N = np.array([2.0, 3, 5, 7, 10, 15, 20, 30])
BOXES = {"paper": Bounds(), "free": Bounds(beta=(-1, 1)), "boot": Bounds(c=(0, 5)), "kish": Bounds(beta=(0, 0))}


def noisy(curves: int, bounds: Bounds, missing: float = 0.0) -> Problem:
    rng = np.random.default_rng(0)
    c, beta = rng.uniform(0.05, 1, (curves, 1)), rng.uniform(-0.2, 0.7, (curves, 1))
    r = ringelmann(N, c, beta) * (1 + 0.03 * rng.standard_normal((curves, N.size)))
    r[rng.random(r.shape) < missing] = np.nan
    return Problem.of(N, r, bounds)


def squares(problem: Problem, theta: np.ndarray) -> np.ndarray:
    off = ringelmann(N, theta[:, :1], theta[:, 1:]) - problem.r
    return np.where(problem.known, off**2, 0).sum(axis=1)


@pytest.mark.parametrize("steps", [1, 20])
@pytest.mark.parametrize("missing", [0.0, 0.3])
def test_squares_and_slopes_are_those_of_the_residuals(monkeypatch, missing, steps):
    problem = noisy(50, Bounds(), missing)
    monkeypatch.setattr(newton, "STEPS", steps)
    monkeypatch.setattr(newton, "FIRST_STEPS", steps)
    found = polish(problem, np.random.default_rng(1).uniform((0.1, 0), (2, 1), (50, 2)))
    assert found.sse == pytest.approx(squares(problem, found.theta))
    for place, step in enumerate(np.eye(2) * 1e-6):
        by_difference = (squares(problem, found.theta + step) - squares(problem, found.theta - step)) / 2e-6 / 2
        assert found.gradient[:, place] == pytest.approx(by_difference, abs=1e-8)


@pytest.mark.parametrize("box", BOXES)
@pytest.mark.parametrize(("first", "block"), [(8, 2048), (20, 2048), (20, 7), (3, 7), (3, 1)])
def test_twenty_steps_are_enough_and_it_matters_not_which_curves_walk_together(monkeypatch, box, first, block):
    """Newton's steps converge quadratically: with a wrong curvature they take longer."""
    problem = noisy(40, BOXES[box])
    owner, start = starts(problem)
    expected = polish(problem.take(owner), start)
    monkeypatch.setattr(newton, "STEPS", 20)
    monkeypatch.setattr(newton, "FIRST_STEPS", first)
    monkeypatch.setattr(newton, "BLOCK", block)
    found = polish(problem.take(owner), start)
    assert found.settled.all()
    assert found.theta == pytest.approx(expected.theta, abs=1e-7)


def test_steps_that_are_too_few_are_told():
    problem = noisy(40, Bounds())
    far = np.full((40, 2), 0.9)
    assert polish(problem, far).settled.all()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(newton, "STEPS", 3)
        patch.setattr(newton, "FIRST_STEPS", 3)
        found = polish(problem, far)
    assert not found.settled.any()
    assert (found.sse <= squares(problem, far) * (1 + 1e-12)).all()

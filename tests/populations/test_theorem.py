"""The assumptions of arXiv 2606.02646, theorem 1: agents who keep them do what it says, and each that is broken shows.

(A1) Who is off the mode hears k uniform peers and adopts the mode with probability alpha_1 for each that holds it;
(A2) who holds the mode stays; (A3) the mode stays.
"""

import numpy as np
import pytest
from scipy import stats

from headcount.config import Population
from headcount.laws.mean_field import mean_field, nonmodal_mass
from headcount.populations.simulate import answer_codes

LIMIT = 4.5  # standard errors
KEPT = {"mode": "team", "redraw": 0.0, "spread": 0.0, "accuracy": 0.95, "adoption": 0.1}
N, ITEMS = 30, 4000


def said(n=N, k="full", rounds=5, items=ITEMS, seed=1, options=4, **changed):
    """(items, agents, rounds) of the theorem's agents, but for what is changed."""
    population = Population(**KEPT | changed)
    return answer_codes(population, items, n, k, rounds, "debate", np.random.default_rng(seed), options=options)


def agreement(codes):
    """Pair agreement by item and round, (items, rounds)."""
    n = codes.shape[1]
    equal = codes[:, :, None] == codes[:, None]
    return (equal.sum(axis=(1, 2)) - n) / (n * (n - 1))


def near(values, expected, allowed=0.0):
    """Whether a mean over items is what is expected, but for sampling error and what is allowed."""
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return abs(values.mean(axis=0) - expected) <= LIMIT * error + allowed


def modes(codes):
    """The mode of each team in each round, (items, rounds); ties to the first agent's."""
    votes = (codes[:, :, None] == codes[:, None]).sum(axis=2)
    return np.take_along_axis(codes, votes.argmax(axis=1)[:, None], axis=1)[:, 0]


@pytest.mark.parametrize("k", [1, 3, 9])
def test_disagreement_shrinks_as_the_theorem_says_where_there_is_little(k):
    """rho(tau) = 1 - (1 - rho0)(1 - alpha_1)^(k tau), to first order in d = 1 - rho0, which is .1 here."""
    rho = agreement(said(k=k))
    d = 1 - rho[:, 0].mean()
    for tau in range(1, 5):
        remaining = rho[:, tau] - mean_field(rho[:, 0].mean(), 1 - 0.9**k, tau)
        assert near(remaining, 0.0, allowed=d**2), (k, tau)
        assert remaining.mean() < 0  # the first order is too fast


@pytest.mark.parametrize("k", [1, 3, 9])
def test_disagreement_shrinks_as_the_recurrence_says_where_there_is_much(k):
    """Of two answers, for large teams: e(tau + 1) = e(tau) (1 - alpha_1 + alpha_1 e(tau))^k, d = 2 e (1 - e).

    What it leaves out at e = .3 is of order 1/N: 60 agents are off by less than .01.
    """
    codes = said(n=60, k=k, accuracy=0.7, options=2, items=2000)
    mode = modes(codes)[:, :1, None]
    off = (codes != mode).mean(axis=(0, 1))
    for tau in range(1, 5):
        assert off[tau] == pytest.approx(nonmodal_mass(off[0], 0.1, k, tau), abs=0.01), (k, tau)


@pytest.mark.parametrize(("n", "k"), [(7, 1), (7, 3), (7, 6)])
def test_a_small_teams_modal_agents_are_a_markov_chain(n, k):
    """Exactly: who is off the mode comes with probability 1 - E[(1 - alpha_1)^M], M hypergeometric."""
    codes = said(n=n, k=k, accuracy=0.6, adoption=0.2, options=2, items=20_000, rounds=4)
    holders = (codes == modes(codes)[:, :1, None]).sum(axis=1)
    chances = np.bincount(holders[:, 0], minlength=n + 1) / len(holders)  # given round 1, later ones are random
    for tau in range(1, 4):
        chances = chances @ chain(n, k, 0.2)
        seen = np.bincount(holders[:, tau], minlength=n + 1)
        some = chances > 1e-3
        expected = chances[some] * len(holders)
        assert (abs(seen[some] - expected) <= LIMIT * np.sqrt(expected)).all(), (tau, seen, expected)


def chain(n, k, rate):
    """Probability of each number of modal agents after each, one update later."""
    step = np.zeros((n + 1, n + 1))
    for holders in range(n + 1):
        heard = np.arange(k + 1)
        met = stats.hypergeom(n - 1, holders, k).pmf(heard) if holders < n else (heard == k).astype(float)
        comes = 1 - met @ (1 - rate) ** heard
        for more in range(n - holders + 1):
            step[holders, holders + more] = stats.binom(n - holders, comes).pmf(more)
    return step


def test_the_assumptions_are_kept_to_the_letter():
    codes = said(k=4, accuracy=0.5)
    mode = modes(codes)
    assert (mode == mode[:, :1]).all()  # A3
    held = codes[:, :, :-1] == mode[:, None, :-1]
    assert (codes[:, :, 1:] == codes[:, :, :-1])[held].all()  # A2
    moved = codes[:, :, 1:] != codes[:, :, :-1]
    assert (codes[:, :, 1:] == mode[:, None, 1:])[moved].all()  # A1: to the mode, and nowhere else


def test_peers_and_updates_count_through_their_product_where_the_assumptions_are_kept():
    """And not where many peers persuade no more than one, which breaks A1."""
    one, other = said(k=1, rounds=9), said(k=8, rounds=2)
    gap = agreement(one)[:, 8] - agreement(other)[:, 1]
    assert near(gap, 0.0, allowed=0.1**2)
    one, other = said(k=1, rounds=9, crowding=0.0), said(k=8, rounds=2, crowding=0.0)
    gap = agreement(one)[:, 8] - agreement(other)[:, 1]
    assert not near(gap, 0.0, allowed=2 * 0.1**2)


@pytest.mark.parametrize(
    "broken",
    [{"crowding": 0.3}, {"learning": 0.02}, {"mode": "heard"}, {"switching": 0.05}, {"redraw": 0.3}],
    ids=lambda broken: next(iter(broken)),
)
def test_what_breaks_an_assumption_breaks_the_formula(broken):
    """By a tenth at least of the disagreement that it leaves. Four peers mostly have the team's mode: one is heard."""
    k = 1 if "mode" in broken else 4
    kept, rho = (agreement(said(k=k, **changed))[:, 4] for changed in ({}, broken))
    predicted = mean_field(agreement(said(k=k, rounds=1)).mean(), 1 - 0.9**k, 4)
    assert near(kept, predicted, allowed=0.1 * (1 - predicted))
    assert not near(rho, predicted, allowed=0.1 * (1 - predicted))


@pytest.mark.parametrize("broken", [{"switching": 0.1}, {"redraw": 0.3}], ids=lambda broken: next(iter(broken)))
def test_modal_agents_leave_where_they_may(broken):
    """With `switching` as often as that; with `redraw` as often as a new thought is another answer."""
    codes = said(k=4, accuracy=0.6, adoption=0.0, tail=1.0, **broken)
    mode = modes(codes)[:, :1]
    held = (codes[:, :, 0] == mode) & (mode == 0)
    left = (codes[:, :, 1] != codes[:, :, 0])[held].mean()
    expected = broken.get("switching", broken.get("redraw", 0) * 0.4)
    assert abs(left - expected) < LIMIT * np.sqrt(expected * (1 - expected) / held.sum())


@pytest.mark.parametrize(
    "broken", [{"mode": "heard"}, {"switching": 0.3}, {"redraw": 0.5}], ids=lambda broken: next(iter(broken))
)
def test_the_mode_moves_where_it_may(broken):
    """Small teams that disagree: in more than 2 % of them, and in none under the assumptions."""
    teams = {"n": 5, "k": 1, "accuracy": 0.4}
    for changed, least, most in (({}, 0, 0), (broken, 0.02, 1)):
        mode = modes(said(**teams | changed))
        assert least <= (mode[:, -1] != mode[:, 0]).mean() <= most


def test_right_modes_are_learnt_and_wrong_ones_followed_each_at_its_own_rate():
    """One rate where the theorem has one, so d shrinks faster where the mode is right."""
    codes = said(k=1, rounds=2, accuracy=0.5, tail=0.3, learning=0.6, sycophancy=0.1)
    mode = modes(codes)[:, 0]
    for right, rate in ((True, 0.6), (False, 0.1)):
        some = (mode == 0) == right
        before, after = codes[some, :, 0], codes[some, :, 1]
        off = before != mode[some, None]
        met = (~off).sum(axis=1, keepdims=True) / (N - 1)
        expected = np.broadcast_to(rate * met, off.shape)[off]
        came = (after == mode[some, None])[off]
        assert abs(came.mean() - expected.mean()) < LIMIT * np.sqrt(0.25 / len(came))

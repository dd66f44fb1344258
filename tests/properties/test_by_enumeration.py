"""Curves and fits of answer tables against counting: every outcome of a small team, every pair of agents."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_answers import fitted, random_teams, teams
from scipy.special import gammaln
from scipy.stats import multinomial
from statsmodels.stats.inter_rater import fleiss_kappa

from headcount.laws.estimate import fit_ringelmann
from headcount.laws.settings import FitSettings

NONE = FitSettings(n_boot=0)
PAPER_SIZES = np.array([2, 3, 5, 7, 10, 15, 20, 30])


def every_outcome(urn: str, sizes=(1, 2, 3, 4)) -> pd.DataFrame:
    """Teams of independent agents: an item for every way to draw n answers from an urn, with replacement.

    All are alike likely, so a mean over the items of a size is an expectation.
    """
    draws = {("-".join(map(str, draw)), n): draw for n in sizes for draw in product(range(len(urn)), repeat=n)}
    answers = {(item, n): [urn[place] for place in draw] for (item, n), draw in draws.items()}
    return teams(answers, {item: urn[0] for item, _ in answers})


def size_of(counts: tuple[int, ...]) -> float:
    """2^H of a team, as n / prod_v n_v^(n_v / n)."""
    n = sum(counts)
    return n / np.prod([count ** (count / n) for count in counts])


def expected(of, q: list[float], n: int) -> float:
    """Expectation over the counts of n independent answers with probabilities q, one count vector at a time."""
    vectors = [counts for counts in product(range(n + 1), repeat=len(q)) if sum(counts) == n]
    return sum(multinomial.pmf(counts, n, q) * of(counts) for counts in vectors)


@pytest.mark.parametrize("urn", ["AABC", "ABCD", "AAAB", "AB"])
def test_independent_agents_by_every_outcome(urn):
    _, curves = fitted(every_outcome(urn), NONE)
    q = [urn.count(answer) / len(urn) for answer in sorted(set(urn))]
    for level, rows in curves.groupby("level"):
        for n, n_eff in zip(rows["n"], rows["n_eff"], strict=True):
            assert n_eff == pytest.approx(of_independent_agents(level, q, n)), (level, n)


def of_independent_agents(level: str, q: list[float], n: int) -> float:
    if level == "answer":
        return expected(size_of, q, n)
    if level == "agreement":
        return expected(lambda counts: n**2 / np.square(counts).sum(), q, n)
    if level == "pooled_agreement":
        return n / (1 + (n - 1) * np.square(q).sum())  # the one level at which its correlation has no n in it
    return n  # independent agents are right and wrong by themselves


def expected_size(groups: list[tuple[float, int]], n: int) -> float:
    """The same expectation of 2^H for any number of answers: n! [z^n] prod_v sum_j q_v^j / j! g_n(j) z^j.

    Here g_n(j) = (j / n)^(-j / n), so that 2^H of a team is the product of g_n over its counts.

    Args:
        groups: probabilities, each with how many answers have it.
    """
    j = np.arange(n + 1)
    g = np.where(j > 0, (np.maximum(j, 1) / n) ** (-j / n), 1.0)
    total = np.eye(1, n + 1)[0]
    for q, answers in groups:
        factor = np.exp(j * np.log(q * n) - gammaln(j + 1)) * g  # scaled by n^j, so that nothing vanishes
        for _ in range(answers):
            total = np.convolve(total, factor)[: n + 1]
    return float(np.exp(gammaln(n + 1) - n * np.log(n)) * total[n])


@given(st.lists(st.integers(1, 5), min_size=1, max_size=4), st.integers(1, 5))
@settings(max_examples=20)
def test_the_generating_function_is_the_sum_over_outcomes(weights, n):
    q = (np.array(weights) / sum(weights)).tolist()
    assert expected_size([(share, 1) for share in q], n) == pytest.approx(expected(size_of, q, n))


@pytest.mark.parametrize(
    ("groups", "c", "beta"),
    [
        ([(0.7, 1), (0.1, 3)], 0.37, 0.0),
        ([(0.25, 4)], 0.20, 0.0),
        ([(0.5, 1), (0.001, 500)], 0.18, 0.17),
    ],
)
def test_agents_who_never_talk_look_like_a_regime(groups, c, beta):
    """With four options the entropy measure gives them a hard ceiling, with many it gives a sublinear law."""
    r = np.array([expected_size(groups, n) / n for n in PAPER_SIZES])
    fit = fit_ringelmann(PAPER_SIZES, r)
    assert fit.params["c"] == pytest.approx(c, abs=0.01)
    assert fit.params["beta"] == pytest.approx(beta, abs=0.01)
    assert fit.regime == ("sublinear" if beta else "hard_ceiling")
    assert fit.r2 > 0.97


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_curves_by_every_pair_of_agents(seed):
    """Agreement and correctness of teams with silent agents, from pairs one by one."""
    frame = random_teams(seed, missing=0.2)
    _, curves = fitted(frame, NONE)
    n_eff = curves.set_index(["level", "n"])["n_eff"]
    for n, rows in frame.groupby("n"):
        items = [team["answer"].dropna().tolist() for _, team in rows.groupby("item")]
        if n == 1:
            continue
        pairs = [pair for given in items for pair in combinations(given, 2)]
        rho = np.mean([one == other for one, other in pairs])
        each = [np.mean([a == b for a, b in combinations(given, 2)]) for given in items if len(given) > 1]
        assert n_eff["pooled_agreement", n] == pytest.approx(n / (1 + (n - 1) * rho))
        assert n_eff["agreement", n] == pytest.approx(np.mean([n / (1 + (n - 1) * one) for one in each]))
        p = np.mean([answer == "A" for pair in pairs for answer in pair])
        both = np.mean([one == other == "A" for one, other in pairs])
        assert_correctness(n_eff["correctness", n], n, p, both)


def assert_correctness(ours: float, n: int, p: float, both: float) -> None:
    if p in (0, 1):
        assert np.isnan(ours)
        return
    design_effect = 1 + (n - 1) * (both - p**2) / (p * (1 - p))
    assert np.isnan(ours) if design_effect <= 1e-9 else ours == pytest.approx(n / design_effect)


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_correctness_of_complete_teams_is_fleiss_kappa(seed):
    frame = random_teams(seed, items=20, sizes=(2, 5), missing=0.0)
    _, curves = fitted(frame, NONE)
    rows = curves[curves["level"] == "correctness"]
    for n, n_eff in zip(rows["n"], rows["n_eff"], strict=True):
        right = frame[frame["n"] == n].groupby("item")["correct"].sum().to_numpy(dtype=int)
        kappa = fleiss_kappa(np.stack([right, n - right], axis=1))
        design_effect = 1 + (n - 1) * kappa
        assert n_eff == pytest.approx(n / design_effect) if design_effect > 1e-9 else np.isnan(n_eff)

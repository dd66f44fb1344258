"""What agents answer by themselves, and what they have in common, is what the configuration states."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_runs import small_config, small_items
from two_paths import configured, wide, written

from headcount.config import Population, parse
from headcount.errors import UserError
from headcount.populations.answers import Answers, shares, wrong_counts
from headcount.populations.simulate import answer_codes

LIMIT = 4.5


def first(items=4000, agents=6, seed=1, options=4, **population):
    rng = np.random.default_rng(seed)
    return answer_codes(Population(**population), items, agents, "full", 1, "self_consistency", rng, options=options)[
        :, :, 0
    ]


def near(values, expected):
    error = values.std(ddof=1) / np.sqrt(len(values))
    return abs(values.mean() - expected) <= LIMIT * error


def pair_agreement(codes):
    return np.mean([codes[:, a] == codes[:, b] for a, b in combinations(range(codes.shape[1]), 2)], axis=0)


tables = st.lists(st.lists(st.integers(0, 5), min_size=4, max_size=4).filter(any), min_size=1, max_size=4)
uniforms = st.floats(0, 1, exclude_max=True)


@given(tables, uniforms)
def test_quantiles_invert_the_cumulated_shares(counts, uniform):
    chances = np.array(counts) / np.sum(counts, axis=1, keepdims=True)
    answers = Answers.of(chances, np.zeros(len(chances)))
    found = answers.quantile(np.arange(len(chances)), np.full(len(chances), uniform))
    for row, rank in zip(chances, found, strict=True):
        assert row[rank] > 0
        assert row[:rank].sum() <= uniform + 1e-9
        assert row[: rank + 1].sum() >= uniform - 1e-9


@given(tables, st.integers(-1, 3), st.integers(0, 2**32))
def test_other_answers_have_the_shares_of_the_rest(counts, avoided, seed):
    """By their frequencies over evenly spread uniform numbers, to within what spacing them leaves open."""
    chances = np.array(counts[0]) / np.sum(counts[0])
    spread = (np.arange(500) + np.random.default_rng(seed).random()) / 500
    answers = Answers.of(chances[None], np.zeros(1))
    found = answers.other(np.zeros(500, dtype=int), np.full(500, avoided), spread)
    rest = np.where(np.arange(4) == avoided, 0.0, chances)
    if rest.sum() == 0:
        assert (found == avoided).all()
    else:
        seen = np.bincount(found, minlength=4) / 500
        assert abs(seen - rest / rest.sum()).max() < 1 / 100


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(1, 9)), min_size=1), st.floats(0.1, 1))
def test_shares_are_those_of_the_tail(items, tail):
    accuracy, wrong = (np.array(column) for column in zip(*items, strict=True))
    table = shares(accuracy, wrong, tail)
    np.testing.assert_allclose(table.sum(axis=1), 1)
    np.testing.assert_allclose(table[:, 0], accuracy)
    for row, count in zip(table, wrong, strict=True):
        np.testing.assert_allclose(row[2 : count + 1], row[1:count] * tail, atol=1e-12)
        assert not row[count + 1 :].any()


@pytest.mark.parametrize("law", ["fixed", "poisson", "geometric"])
def test_wrong_answers_are_as_many_as_stated(law):
    population = Population(distinct_wrong=7, wrong_law=law)
    free = wrong_counts(population, np.random.default_rng(3), None, 20_000)
    variance = {"fixed": 0, "poisson": 6, "geometric": 42}[law]
    assert free.min() >= 1
    assert abs(free.mean() - 7) <= LIMIT * np.sqrt(variance / 20_000)
    assert free.var() == pytest.approx(variance, rel=0.1)
    letters = wrong_counts(population, np.random.default_rng(3), 4, 20_000)
    assert (letters == 3).all() if law == "fixed" else (letters == np.minimum(free, 3)).all()


def test_agents_are_independent_given_the_item_unless_they_are_correlated():
    """Pairs of distinct agents agree with probability sum_v q_v^2, whatever their seats."""
    codes = first(accuracy=0.5, spread=0, tail=1.0)
    for a, b in combinations(range(codes.shape[1]), 2):
        equal = (codes[:, a] == codes[:, b]).astype(float)
        assert near(equal, 0.5**2 + 3 * (0.5 / 3) ** 2)


@pytest.mark.parametrize("rho", [0.0, 0.2, 0.7, 1.0])
def test_the_correlation_comes_out_as_asked(rho):
    """Agreement rho + (1 - rho) sum q^2; correctness ICC spread + rho (1 - spread), by one-way analysis of variance."""
    agreed = pair_agreement(first(accuracy=0.5, spread=0, tail=1.0, correlation=rho))
    assert near(agreed, rho + (1 - rho) / 3)
    right = first(accuracy=0.6, spread=0.25, correlation=rho, items=8000) == 0
    agents = right.shape[1]
    between = agents * right.mean(axis=1).var(ddof=1)
    within = right.var(axis=1, ddof=1).mean()
    icc = (between - within) / (between + (agents - 1) * within)
    assert icc == pytest.approx(0.25 + rho * 0.75, abs=0.025)


def test_the_common_answer_is_no_likelier_to_be_right():
    assert near((first(accuracy=0.3, spread=0, correlation=0.6) == 0).mean(axis=1), 0.3)


@pytest.mark.parametrize(("one", "other"), [(0.3, 0.3), (0.0, 0.4), (0.1, 0.4)])
def test_families_share_what_they_are_said_to(one, other):
    """Two families of equal items: pairs across agree beyond chance with probability sqrt(rho_B rho_B')."""
    like = {"accuracy": 0.5, "spread": 0.0, "tail": 1.0, "correlation": 0.5}
    populations = {"m": like | {"family_correlation": one}, "o": like | {"family_correlation": other}}
    config = configured(populations, ("m", "o"), options=4, block={"sizes": [6], "conditions": ["self_consistency"]})
    said = wide(written(config, small_items(3000, options=4)), n=6)
    seats = {"m": [1, 3, 5], "o": [2, 4, 6]}
    across = np.mean([said[a] == said[b] for a in seats["m"] for b in seats["o"]], axis=0)
    rho = np.sqrt(one * other)
    assert near(across, rho + (1 - rho) / 3)
    for family in seats.values():
        assert near(pair_agreement(said[family].to_numpy()), 0.5 + 0.5 / 3)


def test_agents_that_sharpen_agree_more_without_hearing_each_other():
    """Nothing is social in it: two disjoint teams agree as much with each other as within."""
    population, rng = Population(accuracy=0.4, redraw=0.5, sharpening=0.6, adoption=0.3), np.random.default_rng(2)
    codes = answer_codes(population, 4000, 5, 0, 3, "self_correction", rng, teams=2)
    rho = [pair_agreement(codes[:, :5, round_]).mean() for round_ in range(3)]
    assert rho[0] + 0.05 < rho[1] < rho[2]
    across = np.mean([codes[:, a, 2] == codes[:, b, 2] for a in range(5) for b in range(5, 10)], axis=0)
    assert near(across - pair_agreement(codes[:, :5, 2]), 0)


def test_disjoint_teams_that_debate_agree_less_with_each_other_than_within():
    population, rng = Population(adoption=0.3, correlation=0.2), np.random.default_rng(2)
    codes = answer_codes(population, 4000, 5, "full", 3, "debate", rng, teams=2)
    within = pair_agreement(codes[:, :5, 2])
    across = np.mean([codes[:, a, 2] == codes[:, b, 2] for a in range(5) for b in range(5, 10)], axis=0)
    assert (within - across).mean() > 0.05
    first_round = [
        pair_agreement(codes[:, :5, 0]),
        np.mean([codes[:, a, 0] == codes[:, b, 0] for a in range(5) for b in range(5, 10)], axis=0),
    ]
    assert near(first_round[0] - first_round[1], 0)


def test_families_that_share_more_than_agents_of_one_are_refused():
    with pytest.raises(UserError, match=r"family_correlation.*Raise the latter"):
        small_config(models={"m": {"population": {"correlation": 0.1, "family_correlation": 0.2}}})


def test_a_population_of_a_real_model_asks_nothing_else_of_it():
    """Where others than simulated agents answer, what is said of a population makes no request another one."""
    raw = {"family": "f", "engine": "api", "url": "http://x"}
    asked = [parse_model(raw | more).asked() for more in ({}, {"population": {"adoption": 0.9, "correlation": 0.5}})]
    assert asked[0] == asked[1]


def parse_model(model):
    block = {"teams": ["t"], "tasks": ["a"], "sizes": [2]}
    sections = {
        "teams": {"t": {"members": ["m"]}},
        "tasks": {"a": {"format": "arithmetic"}},
        "experiments": {"e": block},
    }
    return parse({"run": "r", "models": {"m": model}} | sections, "r").models["m"]

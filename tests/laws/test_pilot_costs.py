"""What larger teams cost: exact where costs are what a pilot takes them for; the size to stop at by brute force."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from planning import plans

from headcount.laws.costs import cost
from headcount.laws.forms import ringelmann
from headcount.laws.pilot_costs import marginal, money, stop, tokens_of
from headcount.laws.pilot_tokens import Budget

SIZES = np.array([2, 3, 5])


def debate(n, rounds=3, question=120, snippet=40, own=60, reply=50):
    """Prompt and completion tokens of a team whose agents read a question, their own answer and all peers' snippets."""
    revision = question + own + snippet * (n - 1)
    return n * (question + (rounds - 1) * revision), n * rounds * reply


def test_what_a_debate_reads_is_told_from_small_teams_exactly():
    prompt, completion = debate(SIZES)
    told = tokens_of(SIZES, prompt, completion, (120.0, 50.0), hears=True)
    at = np.arange(2, 101)
    assert told.prompt(at) == pytest.approx(debate(at)[0])
    assert told.written(at) == pytest.approx(debate(at)[1])
    assert (told.prompt(np.array([1])), told.written(np.array([1]))) == (120.0, 50.0)
    assert told.per_peer == pytest.approx(80.0)


def test_agents_who_hear_nobody_cost_the_same_in_every_team():
    told = tokens_of(SIZES, 300 * SIZES, 100 * SIZES, (150.0, 50.0), hears=False)
    assert (told.per_peer, told.prompt(np.array([1, 30])).tolist()) == (0.0, [300.0, 9000.0])


def test_tokens_that_were_not_told_give_no_costs():
    assert tokens_of(SIZES, np.zeros(3), np.zeros(3), (0.0, 0.0), hears=True) is None


def test_money_is_that_of_the_papers_example():
    """arXiv 2606.02646, K.4: 30 agents, 3 rounds, 1,500 tokens a call at 10 dollars: 1.35 dollars an item."""
    assert money(np.array(30 * 3 * 1500.0), np.array(0.0), (10.0, 99.0)) == pytest.approx(1.35)
    assert money(np.array(1e6), np.array(2e6), (1.0, 3.0)) == pytest.approx(cost(1, 1, 1e6, 1) + cost(1, 1, 2e6, 3))
    assert np.isnan(money(np.array(1.0), np.array(1.0), None))


@given(st.floats(0.01, 1), st.floats(-0.5, 0.9), st.floats(1, 1000), st.floats(0, 20))
def test_the_size_to_stop_at_is_the_last_whose_step_is_worth_its_price(c, beta, budget, slope):
    n = np.arange(1, 101)
    n_eff, price = n * ringelmann(n, c, beta), 10.0 * n + slope * n * (n - 1)
    best = 1
    for size in range(2, 101):
        more = n_eff[size - 1] - n_eff[size - 2]
        if more > 1e-9 and (price[size - 1] - price[size - 2]) / more <= budget:
            best = size
    assert stop(price, n_eff, budget) == best


def test_an_agent_who_adds_nothing_is_never_worth_it():
    assert marginal(np.array([1.0, 2.0, 3.0]), np.array([1.0, 1.5, 1.4])).tolist() == [2.0, np.inf]


@pytest.mark.parametrize(
    ("budget", "prices", "unit", "limit"),
    [
        (Budget(), None, "tokens", 10.0),
        (Budget(answers=3), None, "tokens", 3.0),
        (Budget(tokens=700), (1.0, 2.0), "tokens", 700),
        (Budget(usd=0.5), (1.0, 2.0), "usd", 0.5),
        (Budget(usd=0.5), None, "tokens", 10.0),
        (Budget(), (1.0, 1.0), "usd", 1e-5),
    ],
)
def test_the_budget_is_what_is_stated_else_so_many_first_answers(budget, prices, unit, limit, spoken):
    told, _ = plans(spoken, budget=budget, prices={"team": prices})
    row = told[(told["condition"] == "debate") & (told["level"] == "answer")].iloc[0]
    assert row["budget_unit"] == unit
    scale = row["first_tokens"] if limit in (10.0, 3.0, 1e-5) else 1.0
    assert row["budget"] == pytest.approx(limit * scale)


@pytest.fixture(scope="module")
def spoken():
    from made_up_teams import answers, measured

    return measured(answers(sizes=(1, 2, 3, 5), items=12, missing=0, rounds=2))

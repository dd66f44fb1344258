"""Talk against sampling: what a budget buys, by brute force over all teams that the drawn agents could form."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from fitted import pick
from hypothesis import given
from hypothesis import strategies as st
from made_up_teams import answers, measured
from scipy.stats import norm, t
from statsmodels.stats.proportion import proportion_confint

from headcount.laws.budgets import budgets_of_run
from headcount.laws.joined import TeamNumbers
from headcount.laws.sampling import bought
from headcount.laws.settings import FitSettings
from headcount.schema import ANSWERS, BUDGETS
from headcount.store import conform, plain

SIZES = (1, 2, 3, 5)
ROUNDS = 2


def frame_of(**options) -> pd.DataFrame:
    return answers(**{"sizes": SIZES, "items": 6, "rounds": ROUNDS, "missing": 0.1} | options)


def budgets(frame, **how) -> pd.DataFrame:
    numbers = TeamNumbers(measured(frame))
    table = budgets_of_run({"team": numbers}, {"team": conform(frame, ANSWERS, "test")}, FitSettings(**how))
    assert table.schema.equals(BUDGETS.schema)
    return plain(table)


@pytest.fixture(scope="module")
def frame():
    return frame_of()


@pytest.fixture(scope="module")
def rows(frame):
    return budgets(frame)


def voted(team) -> tuple[float, float]:
    """Accuracy of a team, ties by chance, and 2^H."""
    counts = pd.Series([answer for answer in team if answer is not None]).value_counts()
    if counts.empty:
        return 0.0, np.nan
    leading, share = counts[counts == counts.max()].index, counts / counts.sum()
    return float(np.mean(leading == "A")), float(np.exp2(-(share * np.log2(share)).sum()))


def sampled(frame, n) -> tuple[float, float]:
    """Means over items of the means over all teams of n first answers of the five agents who were drawn."""
    first = frame[(frame["condition"] == "self_consistency") & (frame["n"] == 5) & (frame["round"] == 1)]
    per_item = []
    for _, agents in first.groupby("item"):
        teams = np.array([voted(team) for team in combinations(agents.sort_values("agent")["answer"], n)])
        per_item.append((teams[:, 0].mean(), np.nanmean(teams[:, 1])))
    return tuple(np.nanmean(per_item, axis=0))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_samples_are_all_teams_of_the_drawn_agents(frame, rows, n):
    here = pick(rows, condition="self_consistency", n=n).iloc[0]
    assert (here["accuracy"], here["n_eff"]) == pytest.approx(sampled(frame, n))
    assert (here["budget"], here["samples"], here["calls"]) == ("own", n, n)


def test_as_many_calls_buy_as_many_samples_and_no_more_than_were_drawn(frame, rows):
    for n in (2, 3, 5):
        here = pick(rows, condition="debate", n=n, budget="calls").iloc[0]
        own = pick(rows, condition="debate", n=n, budget="own").iloc[0]
        assert here["calls"] == n * ROUNDS
        assert (here["samples"], here["capped"]) == (min(n * ROUNDS, 5), n * ROUNDS > 5)
        expected = sampled(frame, min(n * ROUNDS, 5))
        assert (here["accuracy"], here["n_eff"]) == pytest.approx(expected)
        assert here["accuracy_difference"] == pytest.approx(own["accuracy"] - expected[0])
        assert here["n_eff_difference"] == pytest.approx(own["n_eff"] - expected[1])


def test_as_many_tokens_buy_samples_in_between(frame, rows):
    spent = frame.assign(tokens=frame["prompt_tokens"] + frame["completion_tokens"])
    spent.loc[(spent["n"] == 1) & (spent["round"] > 1), "tokens"] = spent["tokens"]
    each = spent[spent["round"] == 1].groupby("item").agg(total=("tokens", "sum"), seats=("tokens", "size"))
    one = (each["total"] / each["seats"]).mean()
    team = spent[(spent["condition"] == "self_correction") & (spent["n"] == 2)].groupby("item")["tokens"].sum().mean()
    here = pick(rows, condition="self_correction", n=2, budget="tokens").iloc[0]
    samples = team / one
    assert 1 < samples < 5
    assert (here["tokens"], here["samples"]) == pytest.approx((team, samples))
    low, high = sampled(frame, int(samples)), sampled(frame, int(samples) + 1)
    between = np.array(low) + (samples - int(samples)) * (np.array(high) - np.array(low))
    assert (here["accuracy"], here["n_eff"]) == pytest.approx(between)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(1, 8))
def test_what_samples_bring_lies_on_the_line_between_whole_numbers(curve, samples):
    samples = min(samples, len(curve))
    found = bought(np.array([curve]), np.array([[samples]]))[0, 0]
    assert found == pytest.approx(np.interp(samples, np.arange(1, len(curve) + 1), curve))


def test_teams_that_repeat_their_first_answers_differ_from_samples_of_their_size_by_nothing():
    """One round: a debate that never happened is its own sample, so the largest team differs by 0 on every item."""
    frame = frame_of(rounds=1, conditions=("debate",), missing=0, items=30)
    here = pick(budgets(frame), condition="debate", n=5, budget="calls").iloc[0]
    assert (here["accuracy_difference"], here["n_eff_difference"]) == pytest.approx((0, 0), abs=1e-9)
    unseen = proportion_confint(0, 30, 2 * norm.sf(t.ppf(0.975, 29)), method="wilson")[1]
    assert here["accuracy_difference_low"] == pytest.approx(-unseen)
    assert here["accuracy_difference_high"] == pytest.approx(unseen)


def test_a_difference_has_the_interval_of_paired_items():
    frame = frame_of(items=40, missing=0)
    here = pick(budgets(frame), condition="debate", n=2, budget="calls").iloc[0]
    last = frame[(frame["condition"] == "debate") & (frame["n"] == 2) & (frame["round"] == ROUNDS)]
    first = frame[(frame["condition"] == "self_consistency") & (frame["n"] == 5) & (frame["round"] == 1)]
    own = last.groupby("item")["answer"].apply(lambda team: voted(team)[0])
    bought_ = first.groupby("item")["answer"].apply(
        lambda agents: np.mean([voted(team)[0] for team in combinations(agents, 4)])
    )
    difference = own - bought_
    margin = t.ppf(0.975, 39) * difference.std() / np.sqrt(40)  # the jackknife of a mean is its standard error
    assert here["accuracy_difference"] == pytest.approx(difference.mean())
    assert here["accuracy_difference_high"] - here["accuracy_difference"] == pytest.approx(margin, rel=1e-3)


def test_without_self_consistency_the_first_answers_of_another_condition_serve(frame):
    without = frame[frame["condition"] != "self_consistency"]
    rows = budgets(without)
    assert pick(rows, condition="self_consistency")["n"].tolist() == [1, 2, 3, 4, 5]
    correction = frame[(frame["condition"] == "self_correction")].assign(condition="self_consistency")
    here = pick(rows, condition="self_consistency", n=3).iloc[0]
    assert here["accuracy"] == pytest.approx(sampled(correction, 3)[0])


def test_tokens_that_were_not_told_leave_calls_alone():
    rows = budgets(frame_of().assign(prompt_tokens=0, completion_tokens=0))
    assert set(rows["budget"]) == {"own", "calls"}
    assert rows["tokens"].isna().all()


def test_one_item_has_no_interval():
    rows = budgets(frame_of(items=1, missing=0))
    assert rows[["accuracy_low", "n_eff_high"]].isna().all(axis=None)
    assert rows["accuracy"].notna().all()


def test_samples_of_several_models_have_as_many_of_each():
    """Two models take turns: teams of 2 and 4 have as many of each; 3 lies between them, and 1 is none."""
    frame = frame_of(sizes=(2, 4), missing=0, items=8)
    frame["model"] = np.where(frame["agent"] % 2 == 1, "a", "b")
    rows = pick(budgets(frame), condition="self_consistency").set_index("n")
    assert rows.index.tolist() == [2, 3, 4]
    first = frame[(frame["condition"] == "self_consistency") & (frame["n"] == 4)]
    pairs = []
    for _, agents in first.groupby("item"):
        by_agent = agents.set_index("agent")["answer"]
        teams = [voted([by_agent[one], by_agent[other]]) for one in (1, 3) for other in (2, 4)]
        pairs.append(np.mean(teams, axis=0))
    accuracy, n_eff = np.mean(pairs, axis=0)
    assert (rows.loc[2, "accuracy"], rows.loc[2, "n_eff"]) == pytest.approx((accuracy, n_eff))
    for name in ("accuracy", "n_eff"):
        assert rows.loc[3, name] == pytest.approx(rows.loc[[2, 4], name].mean())


def test_a_team_that_only_samples_stands_alone():
    rows = budgets(frame_of(sizes=(1, 2), conditions=("self_consistency",), rounds=1))
    assert set(rows["budget"]) == {"own"}
    assert rows["n"].tolist() == [1, 2]

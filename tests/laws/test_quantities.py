"""Every quantity against its definition: teams one by one, agents one by one, subsets one by one."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from estimating import MADE_OF_MOVES, SETTINGS, at, estimate
from made_up_teams import KEYS, RULES, answers, measured, moves_of, team_of, votes_of
from slow_estimates import slow_estimates

from headcount.laws.joined import TeamNumbers
from headcount.laws.quantities import CORRECT, COST, DIVERSITY
from headcount.laws.quantities_of_moves import MOVING
from headcount.measures.correctness import icc_conditioned
from headcount.schema import SUBSETS
from headcount.store import conform, plain


@pytest.mark.parametrize(("seed", "replicates"), [(0, 1), (1, 1), (2, 2)])
def test_quantities_of_measures_are_those_of_the_slow_way(seed, replicates):
    frame = answers(items=8, seed=seed, replicates=replicates)
    ours = estimate(TeamNumbers(measured(frame)))
    names = {quantity.name for quantity in (*DIVERSITY, *CORRECT, *COST)} - {"team_accuracy"}
    for (condition, n), rows in frame.groupby(["condition", "n"]):
        for turn in sorted(set(rows["round"])):
            values = at(ours, condition=condition, n=n, round=turn)
            slow = slow_estimates(rows, turn)
            known = {name for name, value in slow.items() if np.isfinite(value)}
            assert known == set(values.dropna().index) - {"team_accuracy"}
            assert known <= names
            for name in known:
                assert values[name] == pytest.approx(slow[name]), (condition, n, turn, name)


def test_team_accuracy_is_the_share_of_items_that_a_team_gets_right():
    measures = measured(answers()).to_pandas()
    ours = estimate(TeamNumbers(measured(answers())))
    for (condition, n, turn), teams in measures.groupby(["condition", "n", "round"], observed=True):
        values = at(ours, condition=condition, n=n, round=turn)
        assert values["team_accuracy"] == pytest.approx(teams["team_correct"].mean())


def test_quantities_of_moves_are_sums_over_items_over_sums():
    team = team_of(answers(replicates=2))
    ours = estimate(team)
    for (condition, n, turn), rows in plain(team.moves).groupby(["condition", "n", "round"]):
        values, total = at(ours, condition=condition, n=n, round=turn), rows.sum(numeric_only=True)
        before = total["correct_before"] + total["wrong_before"]
        first = total["correct_first"] + total["wrong_first"]
        expected = {
            "alpha_s": total["correct_yielded"] / total["correct_facing_wrong"],
            "alpha_l": total["wrong_learned"] / total["wrong_facing_correct"],
            "alpha_s_count": total["correct_facing_wrong"],
            "alpha_l_count": total["wrong_facing_correct"],
            "correct_to_wrong": total["correct_to_wrong"] / before,
            "wrong_to_correct": total["wrong_to_correct"] / before,
            "correct_to_wrong_first": total["correct_to_wrong_first"] / first,
            "wrong_to_correct_first": total["wrong_to_correct_first"] / first,
            "net_first": (total["wrong_to_correct_first"] - total["correct_to_wrong_first"]) / first,
            "modal_stay": total["modal_stayed"] / total["modal"],
            "nonmodal_to_modal": total["nonmodal_to_modal"] / total["nonmodal"],
            "mode_changed": rows["mode_changed"].mean(),
        }
        if n > 1:  # by k where others are heard, else by those there are to hear: N - 1 in both
            expected["nonmodal_to_modal_per_peer"] = expected["nonmodal_to_modal"] / (n - 1)
        assert set(expected) == set(values.dropna().index) & MADE_OF_MOVES
        for name, value in expected.items():
            assert values[name] == pytest.approx(value), (condition, n, turn, name)


def test_a_peer_is_one_of_those_who_are_heard():
    frame = answers(sizes=(5,), conditions=("debate",)).assign(k=2)
    ours = estimate(team_of(frame))
    values = at(ours, peers="2", round=3)
    assert values["nonmodal_to_modal_per_peer"] == pytest.approx(values["nonmodal_to_modal"] / 2)


def test_published_rates_per_peer(published_checks):
    """Table 16: divided by N - 1 in every condition, those included in which nobody is heard."""
    (per_peer,) = (quantity for quantity in MOVING if quantity.name == "nonmodal_to_modal_per_peer")
    checks = published_checks("nm_to_modal/(N-1)")
    assert len(checks) == 27
    for check in checks:
        means = np.array([[[check.inputs["nm"], 1.0, check.inputs["n"] - 1.0]]])
        ours = per_peer.value(means, np.array([check.inputs["n"]]))[0, 0]
        assert ours == pytest.approx(check.printed, abs=check.tolerance + 1e-9), check.id


def test_quantities_of_votes():
    team = team_of(answers(replicates=2))
    ours, votes = estimate(team), plain(team.votes)
    for (condition, n, turn), rows in votes.groupby(["condition", "n", "round"]):
        values = at(ours, condition=condition, n=n, round=turn)
        by_rule = {rule: cast.set_index(["item", "replicate"]) for rule, cast in rows.groupby("rule")}
        assert {name for name in values.index if name.startswith("accuracy_shift")} == {
            f"accuracy_shift_{rule}" for rule in RULES if rule != "plurality"
        }
        for rule, cast in by_rule.items():
            n_eff = cast["n_eff"].groupby(level=0).mean().mean()
            assert values[f"accuracy_{rule}"] == pytest.approx(cast["correct"].mean())
            assert values[f"n_eff_{rule}"] == pytest.approx(n_eff, nan_ok=True)
            if rule != "plurality":
                shift = cast["correct"].astype(int) - by_rule["plurality"]["correct"].astype(int)
                assert values[f"accuracy_shift_{rule}"] == pytest.approx(shift.mean())


def test_what_a_rule_lacks_is_absent():
    measures = measured(answers())
    ours = estimate(TeamNumbers(measures, moves=moves_of(measures), votes=votes_of(measures, RULES[:1])))
    first, last = (set(at(ours, condition="debate", round=turn, n=3).index) for turn in (1, 3))
    assert last - first == MADE_OF_MOVES | {"accuracy_plurality", "n_eff_plurality"}
    assert not any("confidence" in name for name in ours["quantity"])


def subsets_of(frame: pd.DataFrame, sizes) -> pd.DataFrame:
    """Rows of SUBSETS: means over all teams of n, each measured as a team of its own."""
    agents = int(frame["n"].max())
    parts = []
    for n in sizes:
        for chosen in combinations(range(1, agents + 1), n):
            seats = dict(zip(chosen, range(1, n + 1), strict=True))
            seated = frame[frame["agent"].isin(chosen)]
            parts.append(plain(measured(seated.assign(agent=seated["agent"].map(seats), n=n))))
    names = [name for name in SUBSETS.schema.names if name not in (*KEYS, "agents", "team_correct")]
    rows = pd.concat(parts).assign(team_correct=lambda teams: teams["expected_correct"])
    means = rows.groupby(KEYS, observed=True)[[*names, "team_correct"]].mean().reset_index()
    return means.assign(agents=agents)


def test_means_over_all_teams_are_means_of_what_each_team_has():
    """Numerators and denominators are averaged over the teams of n; complete answers, as formulas are linear then."""
    frame = answers(sizes=(4,), conditions=("self_correction",), missing=0)
    subsets = conform(subsets_of(frame, (2, 3, 4)), SUBSETS, "test")
    ours = estimate(team_of(frame, subsets), SETTINGS)
    every = ours[ours["subsets"] == "all"]
    assert sorted(set(every["n"])) == [2, 3, 4]
    at_all = {name: set(rows["quantity"]) for name, rows in ours.groupby("subsets")}
    absent = at_all["first"] - at_all["all"]
    assert {"tie", "expected_accuracy", "prompt_tokens", "prompt_tokens_to_here", "r_over_valid"} <= absent
    assert not {"icc", "icc_conditioned", "icc_change", "icc_first", "team_accuracy", "missing"} & absent
    whole = [at(ours, subsets=subsets, n=4, round=3) for subsets in ("first", "all")]
    assert whole[1]["team_accuracy"] == pytest.approx(whole[0]["expected_accuracy"])
    shared = list(at_all["all"] - {"team_accuracy"})
    assert whole[1][shared].to_numpy() == pytest.approx(whole[0][shared].to_numpy(), nan_ok=True)


def test_the_conditioned_correlation_of_all_teams_has_each_teams_own_round_1():
    frame = answers(sizes=(4,), conditions=("self_correction",), missing=0)
    subsets = conform(subsets_of(frame, (2,)), SUBSETS, "test")
    terms = []
    for (_, turn), rows in frame.groupby(["item", "round"]):
        right = (rows.sort_values("agent")["answer"] == "A").to_numpy().astype(float)
        teams = list(combinations(right, 2))
        p = np.array([np.mean(team) for team in teams])
        terms.append((turn, np.mean([a * b for a, b in teams]), p.mean(), (p**2).mean()))
    terms = pd.DataFrame(terms, columns=["round", "both", "p", "square"]).groupby("round").mean()
    expected = icc_conditioned(*terms.loc[3, ["both"]], *terms.loc[1, ["p", "square"]])
    ours = at(estimate(team_of(frame, subsets)), subsets="all", n=2, round=3)
    assert ours["icc_conditioned"] == pytest.approx(float(expected))

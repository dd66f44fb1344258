"""Estimates beside the fits, their intervals, and tables in which something is missing."""

import importlib.util
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from estimating import SETTINGS, estimate
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_teams import CONDITIONS, KEYS, answers, k_of, measured, team_of, votes_of
from scipy import stats

from headcount.errors import UserError
from headcount.laws.cells import fit_run
from headcount.laws.estimates import estimate_run
from headcount.laws.joined import TeamNumbers
from headcount.laws.settings import FitSettings
from headcount.schema import CONTRASTS, ESTIMATES, MEASURES, MOVES, SUBSETS, VOTES
from headcount.store import conform, plain, read, write

SERIES = ["condition", "subsets", "peers", "round", "n"]


def test_effective_sizes_and_their_intervals_are_those_of_the_curves():
    """The same item weights: a quantity and a fit's curve are one number."""
    team = team_of(answers(items=40))
    _, curves = fit_run({"team": team}, SETTINGS)
    ours = estimate(team, SETTINGS)
    ours = ours[ours["quantity"].isin([f"n_eff_{level}" for level in set(curves["level"].to_pylist())])]
    theirs = plain(curves).assign(quantity=lambda rows: "n_eff_" + rows["level"])
    both = theirs.merge(ours, on=[*SERIES, "quantity"], how="left", suffixes=("_of_curve", ""))
    assert len(both) == len(theirs)
    assert both["value"].notna().mean() > 0.9
    for ours_name, theirs_name in (("value", "n_eff"), ("low", "n_eff_low"), ("high", "n_eff_high")):
        np.testing.assert_allclose(both[ours_name], both[theirs_name].where(both["n_eff"].notna()), rtol=1e-12)


def test_the_law_of_plurality_votes_is_the_fit_of_the_answer_level():
    """With the narrower range of c in the resamples that the paper has: here one that binds."""
    team, how = team_of(answers(items=40)), replace(SETTINGS, c_bounds_boot=(0.0, 0.6))
    fits, _ = fit_run({"team": team}, how)
    fits = plain(fits)
    fits = fits[(fits["level"] == "answer") & (fits["law"] == "ringelmann") & (fits["round"] == 3)]
    assert len(fits) == 3
    assert (fits["c_high"] == 0.6).any()
    ours = estimate(team, how)
    ours = ours[ours["n"] == 0].set_index(["condition", "quantity"])
    for _, fit in fits.iterrows():
        for name in ("c", "beta"):
            row = ours.loc[fit["condition"], f"{name}_plurality"]
            expected = (fit[name], fit[f"{name}_low"], fit[f"{name}_high"])
            assert tuple(row[["value", "low", "high"]]) == pytest.approx(expected, abs=1e-6)
            assert row["n_items"] == 40


def test_a_law_needs_two_sizes_and_one_size_has_none():
    team = team_of(answers(sizes=(1, 3)))
    assert not (estimate(team)["n"] == 0).any()


def test_numbers_of_items():
    frame = answers(missing=0.3)
    ours = estimate(team_of(frame))
    here = ours[(ours["condition"] == "debate") & (ours["n"] == 2) & (ours["round"] == 2)].set_index("quantity")
    first = plain(measured(frame)).query("condition == 'debate' and n == 2")
    known = first.pivot(index="item", columns="round", values="agreement")
    assert here.loc["agreement", "n_items"] == 12
    assert here.loc["agreement_item_mean", "n_items"] == known[2].notna().sum() < 12
    assert here.loc["agreement_high", "n_items"] == ((known[1] > 0.7) & known[2].notna()).sum()
    assert "agreement_middle" not in here.index  # two agents agree or do not


def test_intervals_hold_their_estimates_and_need_two_items():
    ours = estimate(team_of(answers(items=40)), SETTINGS)
    sure = ours[ours["low"].notna()]
    beyond = sure["value"] > 1  # moves are made up, so that some shares are: intervals end at 1
    held = (sure["low"] <= sure["value"] + 1e-9) & (sure["value"] <= sure["high"] + 1e-9)
    assert (held | (beyond & (sure["high"] == 1) | (sure["value"] > sure["n"]))).mean() > 0.99
    without = ours[ours["low"].isna() & ours["value"].notna()]
    assert set(without[without["n_items"] > 1]["quantity"]) <= {"alpha_s_count", "alpha_l_count"}
    one = estimate(team_of(answers(items=1)), SETTINGS)
    assert one["value"].notna().any()
    assert one[["low", "high"]].isna().all(axis=None)
    assert estimate(team_of(answers()))[["low", "high"]].isna().all(axis=None)


def test_a_share_of_few_exposed_agents_is_no_surer_than_the_items_that_have_them():
    """Right agents of 3 items in 40 faced a wrong majority, and none gave in."""
    team = team_of(answers(items=40))
    moves = plain(team.moves)
    faced = np.where(moves["item"].isin(["item000", "item001", "item002"]), 1, 0)
    moves = conform(moves.assign(correct_facing_wrong=faced, correct_yielded=0), MOVES, "test")
    ours = estimate(replace(team, moves=moves), SETTINGS)
    rows = ours[(ours["quantity"] == "alpha_s") & (ours["n"] == 3)]
    t = stats.t.ppf(0.975, 2)
    assert len(rows)
    assert (rows["value"] == 0).all()
    assert rows["high"].to_numpy() == pytest.approx(t**2 / (3 + t**2))
    assert rows["n_items"].between(30, 40).all()  # moves are known of all


def test_a_correlation_of_answers_that_never_differ_is_not_certain():
    frame = answers(items=40, missing=0).assign(answer="A", correct=True)
    ours = estimate(team_of(frame), SETTINGS)
    rows = ours[(ours["quantity"] == "rho_answer") & (ours["n"] > 1)]
    assert (rows["value"] == 1).all()
    assert rows["low"].between(0.8, 0.95).all()
    assert (rows["high"] == 1).all()


def test_a_shift_is_surer_than_the_accuracies_that_it_is_between():
    """Paired: what rules share cancels. Here a rule differs from plurality on one item in forty."""
    measures = measured(answers(items=40))
    votes = plain(votes_of(measures, ("plurality",)))
    other = votes.assign(rule="filtered", correct=votes["correct"] ^ (votes["item"] == "item007"))
    votes = conform(pd.concat([votes, other]), VOTES, "test")
    ours = estimate(TeamNumbers(measures, votes=votes), FitSettings(n_boot=200))
    width = (ours["high"] - ours["low"]).where(ours["n"] == 5).groupby(ours["quantity"]).mean()
    assert width["accuracy_shift_filtered"] < width["accuracy_filtered"] / 2


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 99))
def test_order_of_rows_agents_and_names_of_answers_change_nothing(seed):
    rng = np.random.default_rng(seed)
    frame = answers(items=5, sizes=(1, 3), conditions=("debate", "self_correction"), seed=seed)
    seats = frame.groupby(KEYS)["agent"].transform(lambda agents: rng.permutation(len(agents)) + 1)
    names = {"A": "7", "B": "-1", "C": "x", "D": "0"}
    other = frame.assign(agent=seats, answer=frame["answer"].map(names).where(frame["answer"].notna(), None))
    one, two = measured(frame), measured(other)
    two = two.take(rng.permutation(two.num_rows))
    chosen_by_tie = {"team_accuracy", "unanimous_wrong"}
    ours, theirs = (estimate(TeamNumbers(table), FitSettings(n_boot=20)) for table in (one, two))
    ours, theirs = (frame[~frame["quantity"].isin(chosen_by_tie)] for frame in (ours, theirs))
    pd.testing.assert_frame_equal(ours, theirs, rtol=1e-9)


def test_other_teams_change_nothing_and_simulated_ones_are_marked():
    team, other = team_of(answers()), team_of(answers(seed=1))
    alone = plain(estimate_run({"team": team}, SETTINGS))
    both = plain(estimate_run({"other": other, "team": team}, SETTINGS, simulated={"other"}))
    pd.testing.assert_frame_equal(both[both["team"] == "team"].reset_index(drop=True), alone)
    assert both.groupby("team")["simulated"].unique().map(list).to_dict() == {"other": [True], "team": [False]}


def test_tokens_to_here_need_every_round_before():
    frame = answers(conditions=("debate",))
    ours = estimate(TeamNumbers(measured(frame[frame["round"] != 2])))
    assert "prompt_tokens_to_here" in set(ours[ours["round"] == 1]["quantity"])
    assert "prompt_tokens_to_here" not in set(ours[ours["round"] == 3]["quantity"])
    assert "icc_first" in set(ours[ours["round"] == 3]["quantity"])


def test_without_a_round_1_nothing_refers_to_it():
    frame = answers(conditions=("debate",))
    ours = estimate(TeamNumbers(measured(frame[frame["round"] != 1])))
    gone = {"icc_first", "icc_conditioned", "icc_change", "agreement_low", "agreement_high", "prompt_tokens_to_here"}
    assert not gone & set(ours["quantity"])
    assert "icc" in set(ours["quantity"])


def test_moves_of_other_answers_are_an_error_that_names_one():
    team = team_of(answers())
    fewer = measured(answers(items=11))
    with pytest.raises(UserError, match=r"moves: .*'item': 'item011'.* has no row in the team's measures"):
        estimate(replace(team, measures=fewer))


def test_no_teams_no_rows():
    assert estimate_run({}, SETTINGS).num_rows == 0
    empty = team_of(answers(conditions=("self_consistency",)))
    assert empty.moves.num_rows == 0
    assert set(estimate(empty)["round"]) == {1}


def test_conditions_are_all_there():
    ours = estimate(team_of(answers()))
    keys = set(map(tuple, ours[["condition", "peers", "n"]].drop_duplicates().to_numpy().tolist()))
    peers = {condition: "full" if k_of(condition, 2) else "none" for condition in CONDITIONS}
    assert {(c, peers[c], n) for c in CONDITIONS for n in (1, 2, 3, 5)} <= keys


def test_the_job_makes_estimates_and_contrasts_of_all_teams(tmp_path):
    """As the rule calls it: a file a team and stage, those empty included, to two files of the run."""
    stages = {"measures": MEASURES, "subsets": SUBSETS, "moves": MOVES, "votes": VOTES}
    nothing = SUBSETS.schema.empty_table()
    for name, frame in (("one", answers(items=6)), ("two", answers(items=6, seed=1))):
        team = team_of(frame, nothing)
        for stage, table in stages.items():
            write(tmp_path / stage / f"{name}.parquet", getattr(team, stage), table)
    paths = {stage: sorted((tmp_path / stage).iterdir()) for stage in stages}
    estimates, contrasts = tmp_path / "estimates.parquet", tmp_path / "contrasts.parquet"
    script("estimates").main(configuration(), paths, estimates, contrasts)
    rows = plain(read(estimates, ESTIMATES))
    assert rows.groupby("team")["simulated"].unique().map(list).to_dict() == {"one": [False], "two": [True]}
    team = team_of(answers(items=6))
    settings_there = FitSettings(n_boot=20, seed=3)
    alone = plain(estimate_run({"one": team}, settings_there))
    pd.testing.assert_frame_equal(rows[rows["team"] == "one"].reset_index(drop=True), alone)
    assert set(plain(read(contrasts, CONTRASTS))["team"]) == {"one", "two"}


def configuration() -> dict:
    """Two teams on a task; the second is simulated."""
    real = {"family": "f", "engine": "api", "url": "http://localhost"}
    block = {"teams": ["one", "two"], "tasks": ["t"], "sizes": [1, 2, 3, 5]}
    return {
        "run": "small",
        "models": {"m": real, "s": {"family": "f", "engine": "simulated"}},
        "teams": {"one": {"members": ["m"]}, "two": {"members": ["m", "s"]}},
        "tasks": {"t": {"format": "arithmetic"}},
        "experiments": {"e": block},
        "fitting": {"bootstrap": 20, "seed": 3},
    }


def script(name: str):
    path = Path(__file__).parents[2] / "workflow" / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

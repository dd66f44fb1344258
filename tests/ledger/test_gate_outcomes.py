"""Every gate on every cell of a run: the counts of a replay by hand, one denominator, and nothing seen too early."""

import numpy as np
import pandas as pd
import pytest
from debates import random_debates, table

from headcount.config import Fitting
from headcount.errors import UserError
from headcount.ledger.gate_outcomes import AFTER_R1, BOUNDS, fixed_gates, gate_outcomes
from headcount.ledger.gates import GATES, fire
from headcount.ledger.learned import LEARNED
from headcount.ledger.localised import FEW, feature_sets, localisation
from headcount.ledger.probe_features import OF_MODEL, PRE_DEBATE_PROBED, PROBED, read_probe_features
from headcount.ledger.replay import delta_interval, freeze, labelled, outcome, together
from headcount.ledger.saved_run import MIXED, blind, seen, team_debates
from headcount.ledger.scoring import Resampled, score, utility_intervals
from headcount.ledger.stump import leave_one_model_out
from headcount.ledger.trajectories import PRE_DEBATE, REPLAY
from headcount.ledger.transitions import transitions
from headcount.schema import GATE_OUTCOMES, LOCALISATION
from headcount.schema.ledger import ALL
from headcount.store import conform, plain

FITTING = Fitting(bootstrap=50)
UNPROBED = read_probe_features([])
CELL = ["team", "task", "condition", "n", "k", "round"]
COHORT = CELL[2:]


def team(name, seed, models, debates=60, sizes=(3,), simulated=False):
    frame = random_debates(seed, debates, sizes)
    frame = frame.assign(model=np.array(models)[(frame["agent"] - 1) % len(models)])
    own = models[0] if len(models) == 1 else MIXED
    return team_debates(transitions(table(frame), name, "every"), own, UNPROBED, simulated=simulated)


def run(models, **how):
    """Teams of one model, and a mixed one."""
    own = [team(f"team_{model}", seed, [model], **how) for seed, model in enumerate(models)]
    return pd.concat([*own, team("both", 99, models[:2], simulated=True, **how)], ignore_index=True)


@pytest.fixture(scope="module")
def debates():
    """Four models with enough debates of three agents at round 2, and too few at later ones."""
    return run(["a", "b", "c", "d"])


@pytest.fixture(scope="module")
def outcomes(debates):
    return plain(conform(gate_outcomes(debates, FITTING), GATE_OUTCOMES, "test"))


def one(rows, **where):
    (row,) = rows[(rows[list(where)] == pd.Series(where)).all(axis=1)].to_dict("records")
    return row


def test_counts_of_a_cell_are_those_of_a_replay(debates, outcomes):
    names = [name for name in GATES if name not in BOUNDS]
    for key, rows in labelled(debates).groupby(CELL):
        for name in names if key[-1] > 2 else set(names) - {*AFTER_R1}:
            counts = outcome(freeze(rows, fire(name, rows)))
            found = one(outcomes, **dict(zip(CELL, key, strict=True)), gate=name)
            assert [found[count] for count in ("debates", "fired", "prevented", "lost", "net")] == [
                *(counts.debates, counts.fired, counts.prevented, counts.lost, counts.net)
            ]
            assert found["utility_1"] == pytest.approx(counts.delta)
            assert found["utility_10"] == pytest.approx(counts.utility(10) / counts.debates)


def test_gates_of_a_cell_share_their_denominator(outcomes):
    shared = ["debates", "collapses", "corrections", "right", "n_items", "models", "simulated"]
    assert (outcomes.groupby(CELL)[shared].nunique() == 1).all(axis=None)
    sums = outcomes[outcomes["gate"] == "always_freeze"]
    assert (sums["prevented"] == sums["collapses"]).all()
    assert (sums["lost"] == sums["corrections"]).all()


def test_all_together_are_the_teams_of_one_model(outcomes):
    counts = ["debates", "collapses", "corrections", "prevented", "lost", "fired"]
    rows = outcomes[(outcomes["gate"] == "disagreement") & (outcomes["team"] != "both")]
    apart = rows[rows["team"] != ALL].groupby(COHORT, as_index=False)[counts].sum()
    together = rows[rows["team"] == ALL].sort_values(COHORT)
    assert apart.to_numpy().tolist() == together[[*COHORT, *counts]].to_numpy().tolist()
    assert outcomes[outcomes["simulated"]]["team"].unique().tolist() == ["both"]


def test_a_learned_gate_is_learned_on_other_models_or_says_that_it_is_not(debates, outcomes):
    rows = labelled(debates[(debates["round"] == 2) & (debates["model"] != MIXED)])
    rows = rows[rows["n"] == 3].reset_index(drop=True)
    unprobed = [name for name, method in LEARNED.items() if not method.probed]
    fired, stumps = leave_one_model_out(rows, PRE_DEBATE)
    together = one(outcomes, team=ALL, n=3, round=2, gate="learned_r0_stump")
    assert together["fired"] == fired.sum()
    assert together["models"] == 4
    here = outcomes[(outcomes["gate"] == "learned_r0_stump") & (outcomes["team"] == "team_a")]
    assert here["rule"].unique().tolist() == [
        "never"
        if stumps["a"].feature is None
        else f"{stumps['a'].feature} {'≥' if stumps['a'].high else '≤'} {stumps['a'].threshold:.3g}"
    ]
    later = outcomes[(outcomes["team"] == ALL) & (outcomes["round"] > 2) & outcomes["gate"].isin(LEARNED)]
    assert set(later["gate"]) == set(unprobed)  # where nothing was probed, nobody asks for gates that read probes
    assert later["fired"].isna().all()
    assert (later["models"] < 4).all()
    assert not outcomes["gate"].isin(LEARNED)[outcomes["team"] == "both"].any()  # its members are left in


def test_no_gate_sees_how_a_debate_ends_or_its_last_round(debates):
    for endpoint, rows in labelled(debates).groupby("round"):
        known = blind(rows, endpoint)
        assert not {"initial_correct", "final_correct", "r1_majority_correct"} & set(known)
        assert not [name for name in known if name.startswith(f"r{endpoint - 1}_")]
        other = rows.assign(**dict.fromkeys(("initial_correct", "final_correct"), True))
        for name, fired in fixed_gates(rows, endpoint).items():
            assert name in BOUNDS or (fixed_gates(other, endpoint)[name] == fired).all()
    assert set(seen(2)) == {*PRE_DEBATE, "init_unanimous_ref", *PRE_DEBATE_PROBED, *OF_MODEL}
    assert {"r2_agree_frac", *REPLAY, *PROBED} <= set(seen(4))
    with pytest.raises(UserError, match="reads a column 'r1_n_flipped'"):
        fire("any_r1_flip", blind(debates, 2))


def test_an_interval_is_that_of_one_gate_alone(debates):
    """With the same draws of questions, as `delta_interval` makes it."""
    rows = labelled(debates[debates["round"] == 3])
    replays = [freeze(rows, fire(name, rows)) for name in ("disagreement", "any_r1_flip")]
    questions = np.unique(rows["question_id"].to_numpy(dtype=str))
    rng = np.random.default_rng(5)
    weights = rng.multinomial(questions.size, np.full(questions.size, 1 / questions.size), size=300).astype(float)
    drawn = Resampled(questions, weights, 0.95)
    low, high = utility_intervals(together(replays), drawn.place(rows), drawn)
    for at, replay in enumerate(replays):
        expected = delta_interval(replay, rows["question_id"], np.random.default_rng(5), 300)
        assert (low[at, 0], high[at, 0]) == pytest.approx(expected)
        moved = replay.prevented.any() and replay.lost.any()
        assert not moved or (low[at, -1] < high[at, -1])


def test_a_gate_of_known_effect_has_its_utility_within_its_interval():
    """Of 400 debates, half of 40 collapses prevented and a quarter of 40 corrections lost: U(w) = (20 w - 10) / 400."""
    kind = np.repeat([0, 1, 2, 3], [160, 40, 40, 160])
    rows = pd.DataFrame({"initial_correct": kind < 2, "final_correct": kind % 2 == 0, "simulated": True})
    rows["question_id"] = [f"q{i:03d}" for i in range(400)]
    place = np.arange(400) - np.searchsorted(kind, kind)
    fired = place < np.array([0, 20, 10, 0])[kind]
    drawn = Resampled.of(rows, "t", "a", Fitting(bootstrap=500))
    found = score(rows, {"half": freeze(rows, fired)}, drawn).iloc[0]
    assert [found["utility_1"], found["utility_2"], found["utility_10"]] == pytest.approx([0.025, 0.075, 0.475])
    assert found["break_even"] == pytest.approx(0.5)
    assert found["utility_1_low"] < 0.025 < found["utility_1_high"]
    half = 1.96 * np.sqrt((30 / 400 - 0.025**2) / 400)  # of a mean of +1, -1 and 0
    assert found["utility_1_high"] - found["utility_1_low"] == pytest.approx(2 * half, rel=0.15)


def test_areas_of_teams_and_of_all_together():
    rows = run(["a", "b"], debates=150)
    areas = plain(conform(localisation(rows, FITTING), LOCALISATION, "test"))
    few = areas[["collapses"]].min(axis=1) < FEW
    assert areas.loc[few, "auc"].isna().all()
    assert areas.loc[~few, "auc"].between(0, 1).any()
    assert set(areas[areas["team"] == ALL]["folds"]) == {"question", "question_and_model"}
    assert set(areas[areas["team"] == "both"]["folds"]) == {"question"}
    assert feature_sets(2, probed=False).keys() == {"first_answers"}
    assert (areas["probed"] == 0).all()
    for endpoint, own in areas.groupby("round"):
        assert set(own["features"]) == set(feature_sets(endpoint, probed=False))
        sets = feature_sets(endpoint, probed=True).values()
        assert not [name for names in sets for name in names if f"r{endpoint - 1}_" in name]


def test_all_conditions_of_a_team_share_its_draws_of_questions():
    """Another condition moves the ends of intervals if it brings questions, and areas never."""
    rows = run(["a", "b"], debates=150)
    own = rows["condition"].iloc[0]
    rows = rows[rows["condition"] == own]
    again = rows.assign(condition="again")
    more = again.assign(question_id=again["question_id"] + "?")
    found = [localisation(pd.concat([rows, beside]), FITTING) for beside in (rows[:0], again, more)]
    alone, same, other = (areas[areas["condition"] == own].reset_index(drop=True) for areas in found)
    pd.testing.assert_frame_equal(alone, same)
    ends = ["low", "high", "gain_low", "gain_high"]
    pd.testing.assert_frame_equal(alone.drop(columns=ends), other.drop(columns=ends))
    known = alone["auc"].notna()
    assert known.any()
    assert (alone["low"] != other["low"])[known].all()


def test_teams_that_are_asked_once_have_no_rows():
    answers = table(random_debates(0).query("round == 1"))
    rows = team_debates(transitions(answers, "t", "every"), "m", UNPROBED, simulated=False)
    for make, schema in ((gate_outcomes, GATE_OUTCOMES), (localisation, LOCALISATION)):
        assert conform(make(rows, FITTING), schema, "test").num_rows == 0

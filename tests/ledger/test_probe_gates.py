"""Gates that read probes: never of their own model or of the outcome's round, and worth what probes foretell."""

import numpy as np
import pandas as pd
import pytest
from foretold import cohort

from headcount.config import Fitting
from headcount.ledger.gate_outcomes import KNOWN, gate_outcomes
from headcount.ledger.learned import LEARNED, learn
from headcount.ledger.localised import localisation
from headcount.ledger.probe_features import OF_MODEL, OF_QUESTION, PROBED
from headcount.ledger.probe_gate import FEATURES
from headcount.ledger.replay import freeze, labelled, outcome
from headcount.ledger.shields import IN_SAMPLE, shield
from headcount.schema import GATE_OUTCOMES, LOCALISATION
from headcount.schema.ledger import ALL
from headcount.store import conform, plain

FITTING = Fitting(bootstrap=300)
PROBE_GATES = [name for name, method in LEARNED.items() if method.probed]
SHAPE = {"n": 3, "round": 3}


def at(debates, endpoint):
    rows = labelled(debates)
    return rows[rows["round"] == endpoint].reset_index(drop=True)


def found(debates, fitting=FITTING):
    return plain(conform(gate_outcomes(debates, fitting), GATE_OUTCOMES, "test"))


def one(rows, **where):
    (row,) = rows[(rows[list(where)] == pd.Series(where)).all(axis=1)].to_dict("records")
    return row


@pytest.fixture(scope="module")
def foretold():
    return cohort(0, foretold=True)[0]


@pytest.fixture(scope="module")
def outcomes(foretold):
    return found(foretold[foretold["round"].isin([2, 3])])


@pytest.mark.parametrize("gate", PROBE_GATES)
def test_what_flips_foretell_is_won_on_models_left_out(outcomes, gate):
    """Half of the panels that may collapse are fragile, and 60 % of these do: a freeze of the fragile wins."""
    together = one(outcomes, team=ALL, gate=gate, **SHAPE)
    assert together["models"] == 5
    assert together["net"] > 0
    assert together["utility_1_low"] > 0
    assert together["prevented"] > 0.8 * together["collapses"]
    apart = outcomes[(outcomes["gate"] == gate) & (outcomes["team"] != ALL) & (outcomes["round"] == 3)]
    assert apart["net"].sum() == together["net"]
    assert len(apart) == 5
    assert apart["rule"].str.contains("probe_" if "stump" in gate else "risk >").all()


@pytest.mark.parametrize("seed", range(3))
def test_where_nothing_foretells_nothing_is_won(seed):
    """Panels correct themselves more often than they collapse, whatever their flips: to freeze does not pay."""
    debates = cohort(seed, foretold=False)[0]
    rows = found(debates[debates["round"] == 3])
    for gate in PROBE_GATES:
        together = one(rows, team=ALL, gate=gate, **SHAPE)
        never = set(rows.loc[(rows["gate"] == gate) & (rows["team"] != ALL), "rule"]) == {"never"}
        assert never or together["utility_1_low"] <= 0
        assert together["net"] <= 0.02 * together["debates"]


@pytest.mark.parametrize("gate", PROBE_GATES)
def test_a_gate_learns_from_other_models_and_never_from_its_own(foretold, gate):
    """Whatever the ends of a model are, its rule and its firings stay."""
    rows = at(foretold, 3)
    mine = (rows["model"] == "m2").to_numpy()
    ends = ["initial_correct", "final_correct"]
    turned = rows.assign(**{name: rows[name].where(~mine, ~rows[name].astype(bool)) for name in ends})
    before, after = (learn(own, 3)[gate] for own in (rows, turned))
    assert before.rules["m2"] == after.rules["m2"]
    assert (before.replayed.fired[mine] == after.replayed.fired[mine]).all()
    assert before.replayed.fired[mine].any()
    assert before.rules != after.rules  # the others' hang on it


def test_no_gate_reads_the_round_that_decides(foretold):
    """A later round's features, and R1's where it is the last, are noise to all of them."""
    for endpoint in (2, 3):
        rows = at(foretold, endpoint)
        seen = [name for name in rows if name.startswith(f"r{endpoint - 1}_")]
        seen += ["probe_x_changed", "probe_x_flip_frac"] if endpoint == 2 else []
        noise = np.random.default_rng(0)
        other = rows.assign(**{name: noise.random(len(rows)) for name in seen})
        if endpoint == 2:
            other["r1_majority_correct"] = 1.0  # as if to freeze to R1 were always right
        learned, again = learn(rows, endpoint), learn(other, endpoint)
        for name, gate in learned.items():
            assert again[name].rules == gate.rules
            assert (again[name].replayed.fired == gate.replayed.fired).all()
        assert ("learned_probe_r1_stump" in learned) == ("learned_r1_stump" in learned) == (endpoint > 2)
        if endpoint == 2:  # to freeze to R1 would be to let the debate run
            assert not any("R1" in rule for rule in learned["learned_probe_freeze"].rules.values())


def test_gates_say_what_they_know(outcomes):
    assert outcomes.groupby("gate")["knows"].nunique().max() == 1
    assert dict(zip(outcomes["gate"], outcomes["knows"], strict=True)).items() <= KNOWN.items()
    assert set(outcomes.loc[outcomes["knows"] == "in_sample", "gate"]) == set(IN_SAMPLE)
    assert set(outcomes.loc[outcomes["knows"] == "end", "gate"]) == {"oracle", "anti_oracle"}
    assert set(outcomes.loc[outcomes["knows"].str.startswith("probes"), "gate"]) == set(PROBE_GATES)


def test_shields_are_chosen_on_each_cell_s_own_debates(foretold, outcomes):
    rows = at(foretold, 3)
    for team in (ALL, "team_m1"):
        here = rows if team == ALL else rows[rows["team"] == team]
        counts = [outcome(freeze(here, shield(tau / 20)(here))) for tau in range(21)]
        best, safest = (one(outcomes, team=team, gate=name, **SHAPE) for name in IN_SAMPLE)
        assert best["net"] == max(count.net for count in counts)
        cheap = [count.prevented for count in counts if count.net >= -0.005 * len(here)]
        assert safest["prevented"] == max(cheap)
        assert best["rule"].startswith("probe_mean_fr > ")
        fixed = one(outcomes, team=team, gate="oracle", **SHAPE)
        assert best["debates"] == safest["debates"] == fixed["debates"] == len(here)


def test_questions_that_were_not_probed_run_and_count():
    """Probes of half of the questions; and a model without any."""
    debates = cohort(3, models=6, questions=140, foretold=True, probed=70)[0]
    debates.loc[debates["model"] == "m5", list(dict.fromkeys([*OF_QUESTION, *OF_MODEL, *PROBED]))] = np.nan
    rows = at(debates, 3)
    learned = learn(rows, 3)
    unknown = rows["probe_mean_fr"].isna().to_numpy()
    for name in PROBE_GATES:
        gate = learned[name]
        assert not gate.replayed.fired[unknown].any()
        assert set(gate.rules) == {"m0", "m1", "m2", "m3", "m4"}
        assert set(rows.loc[gate.known, "model"]) == set(gate.rules)
    everywhere = found(debates[debates["round"] == 3])
    together = everywhere[everywhere["team"] == ALL]
    assert together["debates"].unique().tolist() == [len(rows)]
    assert dict(zip(together["gate"], together["models"], strict=True))["learned_r0_stump"] == 6
    assert set(together.loc[together["gate"].isin(PROBE_GATES), "models"]) == {5}
    assert not set(everywhere.loc[everywhere["team"] == "team_m5", "gate"]) & {*PROBE_GATES, *IN_SAMPLE}


def test_too_few_probed_models_are_said():
    debates = cohort(4, models=4, questions=60, foretold=True)[0]
    debates.loc[debates["model"] == "m3", OF_QUESTION] = np.nan
    rows = found(debates[debates["round"] == 3])
    for gate in PROBE_GATES:
        row = one(rows, team=ALL, gate=gate, **SHAPE)
        assert row["models"] == 3
        assert pd.isna([row["rule"], row["net"]]).all()
    assert rows.loc[rows["gate"].isin(PROBE_GATES), "team"].unique().tolist() == [ALL]
    assert one(rows, team=ALL, gate="learned_r0_stump", **SHAPE)["net"] >= 0


def test_a_model_of_few_debates_is_not_among_all_together(foretold):
    rows = at(foretold, 3)
    few = rows[(rows["model"] != "m4") | (rows["question_id"] < "t/q00030")]
    outcomes = found(few)
    together = outcomes[outcomes["team"] == ALL]
    assert together["debates"].unique().tolist() == [(few["model"] != "m4").sum()]
    assert set(together["models"]) == {4}
    assert not outcomes.loc[outcomes["team"] == "team_m4", "gate"].isin(LEARNED).any()


def test_a_missing_channel_is_no_missing_question(foretold):
    """A question whose strongest probes have no answer has no s_arg, and is judged by the rest."""
    rows = at(foretold, 3)
    holed = rows.assign(s_arg=rows["s_arg"].where(np.arange(len(rows)) % 3 > 0))
    assert {"s_arg", "init_agree_frac"} < set(FEATURES)
    gate = learn(holed, 3)["learned_probe_freeze"]
    assert gate.replayed.fired[holed["s_arg"].isna().to_numpy()].any()


def test_probes_localise_what_they_foretell(foretold):
    areas = plain(conform(localisation(foretold, FITTING), LOCALISATION, "test"))
    here = areas[(areas["team"] == ALL) & (areas["folds"] == "question_and_model")].set_index(["round", "features"])
    assert here.loc[(3, "probes"), "gain_low"] > 0.1
    assert here.loc[(3, "probes"), "auc"] > 0.8 > 0.7 > here.loc[(3, "first_answers"), "auc"]
    assert set(here.loc[2].index) == {"first_answers", "probes"}
    assert set(here.loc[4].index) >= {"probes", "probes_round_1", "all_but_last"}
    assert (here["probed"] == here["debates"]).all()
    noise = plain(conform(localisation(cohort(1, foretold=False)[0], FITTING), LOCALISATION, "test"))
    row = one(noise, team=ALL, folds="question_and_model", features="probes", round=3)
    assert row["gain_low"] < 0 < row["gain_high"] or row["gain"] < 0

"""Screens of a run from its probes: the rates of `screens.screen`, their intervals, and whether they come back."""

import numpy as np
import pandas as pd
import pytest
from made_up_cohorts import FEW, MODELS, one, probes, stored

from headcount.config import Fitting
from headcount.ledger.flips import UNANSWERED, as_asked, flip_rates
from headcount.ledger.reliability import cronbach_alpha, icc
from headcount.ledger.screen_rates import screen_rates
from headcount.ledger.screen_reliability import screen_reliability
from headcount.ledger.screens import alpha_interval, screen
from headcount.schema import (
    PROBES,
    RELIABILITY,
    SCREENS,
)
from headcount.schema.ledger import ALL
from headcount.schema.screens import SCREEN_MEASURES
from headcount.seeds import seed64

FITTING = Fitting(bootstrap=40)


@pytest.fixture(scope="module")
def probed():
    """Two tasks, two passes, three system prompts, and replies without an answer."""
    conditions = ("default", "anti_social", "anti_argument")
    some = probes(FEW, items=6, replicates=2, conditions=conditions, missing=0.15)
    more = probes(FEW, items=4, seed=5, missing=0.15, task="u")
    return stored(pd.concat([some, more])[PROBES.schema.names], PROBES)


@pytest.fixture(scope="module")
def screens(probed):
    return stored(screen_rates(probed, FITTING, ["a-large"]), SCREENS)


@pytest.mark.parametrize("unanswered", UNANSWERED)
@pytest.mark.parametrize("task", ["t", "u", ALL])
def test_values_are_those_of_the_screen_itself(probed, screens, task, unanswered):
    """`screens.screen` is written apart, in pandas, and has the published numbers."""
    own = probed if task == ALL else probed[probed["task"] == task]
    here = screens[(screens["task"] == task) & (screens["unanswered"] == unanswered)]
    found = here.pivot(index="model", columns="quantity", values="value")
    wanted = screen(own, unanswered)
    names = [name for name in wanted.columns if name not in ("rows", "probes", "unparsed")]
    assert set(SCREEN_MEASURES) < set(names)
    for name in names:
        assert found[name].to_numpy() == pytest.approx(wanted[name].to_numpy(dtype=float), abs=1e-12), name
    for name in ("rows", "probes", "unparsed"):
        assert here.groupby("model")[name].first().tolist() == pytest.approx(wanted[name].tolist())


def test_kinds_of_probes_and_system_prompts_by_hand(probed, screens):
    own = probed[(probed["model"] == "b-large") & probed["initial_correct"].notna() & probed["flip"].notna()]
    default = own[own["condition"] == "default"]
    kind = default[(default["strength"] == "very_strong") & default["social"].astype(bool)]
    here = {"model": "b-large", "task": ALL, "unanswered": "drop"}
    assert one(screens, **here, quantity="alpha_very_strong_social")["value"] == pytest.approx(kind["flip"].mean())
    logic = flip_rates(probed[(probed["model"] == "b-large") & (probed["condition"] == "anti_social")])["flip_rate"]
    assert one(screens, **here, quantity="alpha_tot_anti_social")["value"] == pytest.approx(logic.mean())
    agents = probed[(probed["model"] == "b-large") & (probed["condition"] == "default")]
    agents = agents.drop_duplicates(["task", "item", "replicate", "agent"])
    assert one(screens, **here, quantity="alpha_tot")["unread"] == pytest.approx(
        agents["initial_correct"].isna().mean()
    )
    assert screens["simulated"].eq(screens["model"] == "a-large").all()


def test_intervals_draw_whole_questions(probed, screens):
    rates = flip_rates(probed[(probed["model"] == "b-large") & (probed["condition"] == "default")])
    rng = np.random.default_rng(seed64(FITTING.seed, "b-large", ALL))
    here = one(screens, model="b-large", task=ALL, unanswered="drop", quantity="alpha_tot")
    assert (here["low"], here["high"]) == pytest.approx(alpha_interval(rates, rng, FITTING.bootstrap))
    assert here["n_items"] == 10


def test_one_question_has_no_interval_and_no_probes_no_rows():
    alone = screen_rates(probes(FEW, items=1), FITTING)
    assert alone[["low", "high"]].isna().all(axis=None)
    nothing = pd.DataFrame(columns=PROBES.schema.names)
    assert len(stored(screen_rates(nothing, FITTING), SCREENS)) == 0
    assert len(stored(screen_reliability(nothing, FITTING), RELIABILITY)) == 0


def test_who_could_not_be_argued_with_has_neither_flipped_nor_been_silent():
    """Of two options an agent that is wrong has no other wrong one left: nothing is asked, whatever the reading."""
    rows = probes(FEW, items=12, missing=0.0)
    wrong = ~rows["initial_correct"].astype(bool)
    silent = rows.assign(flip=rows["flip"].mask(wrong, None), alternative=rows["alternative"].mask(wrong, None))
    found = screen_rates(as_asked(stored(silent[PROBES.schema.names], PROBES)), FITTING)
    whole = found[(found["task"] == ALL) & (found["quantity"] == "alpha_tot")]
    assert whole.groupby("model")["value"].nunique().eq(1).all()
    assert whole["unparsed"].eq(0).all()
    own = rows[rows["model"] == "b-large"]
    agents = own.drop_duplicates(["item", "agent"])["initial_correct"].astype(bool)
    assert one(whole, model="b-large", unanswered="flip")["unread"] == pytest.approx(1 - agents.mean())


def test_known_flips_are_inside_their_intervals():
    found = screen_rates(probes(items=60, seed=3), Fitting())
    here = found[(found["quantity"] == "alpha_tot") & (found["task"] == ALL) & (found["unanswered"] == "drop")]
    true = np.array([MODELS[model].flip + 0.025 for model in here["model"]])  # very strong probes add .1, one in four
    inside = (here["low"] <= true) & (true <= here["high"])
    assert inside.sum() >= 7  # of 8 at 95 %


def test_reliabilities_are_those_of_the_rows(probed):
    found = stored(screen_reliability(probed, FITTING), RELIABILITY)
    own = probed[(probed["model"] == "b-large") & (probed["condition"] == "default")]
    battery = own.assign(
        flip=own["flip"].astype("Float64"),
        row=own[["task", "item", "replicate", "agent"]].astype(str).agg("|".join, axis=1),
    )
    battery = battery.pivot(index="row", columns="probe", values="flip").astype(float).to_numpy()
    here = one(found, model="b-large", quantity="cronbach_alpha")
    assert here["value"] == pytest.approx(cronbach_alpha(battery))
    assert here["low"] < here["value"] < here["high"]
    rates = flip_rates(own).assign(item=lambda rows: rows["task"] + rows["item"])
    passes = rates.pivot(index=["item", "agent"], columns="replicate", values="flip_rate").to_numpy()
    here = one(found, model="b-large", quantity="test_retest")
    assert here["value"] == pytest.approx(icc(passes))
    assert (here["units"], here["parts"]) == (np.isfinite(passes).all(axis=1).sum(), 2)
    agents = rates.pivot(index=["item", "replicate"], columns="agent", values="flip_rate").to_numpy()
    assert one(found, model="b-large", quantity="inter_agent")["value"] == pytest.approx(icc(agents))
    assert one(found, model=ALL, quantity="split_half_questions")["units"] == 3


def test_one_pass_has_no_retest_and_two_models_no_split_of_questions():
    found = screen_reliability(probes({name: MODELS[name] for name in ("a-large", "d-small")}, items=8), FITTING)
    empty = found[found["value"].isna()].groupby("quantity").size()
    assert empty.to_dict() == {"test_retest": 2, "split_half_questions": 1, "split_half_questions_ranks": 1}

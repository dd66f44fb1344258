"""Debates whose transition probabilities are known: rates are recovered, and intervals cover as often as they say."""

import numpy as np
import pandas as pd
import pytest
from debates import said_all, table
from transition_rows import NO_REDRAWS

from headcount.config import Fitting
from headcount.ledger.rates import rate_run
from headcount.ledger.transitions import transitions
from headcount.store import plain

RIGHT, COLLAPSE, CORRECTION, FIRST_BREAK = 0.6, 0.12, 0.25, 0.7
LEDGERS, DEBATES = 60, 150


@pytest.fixture(scope="module")
def rates():
    """60 ledgers of 150 debates each, of three agents of whom two carry the majority and one says anything."""
    rng = np.random.default_rng(11)
    count = LEDGERS * DEBATES
    first = rng.random(count) < RIGHT
    breaks, mends = rng.random(count) < COLLAPSE, rng.random(count) < CORRECTION
    early = rng.random(count) < FIRST_BREAK
    last = np.where(first, ~breaks, mends)
    middle = np.where(first & breaks & ~early, True, np.where(first & breaks, False, last))
    says = np.where(np.stack([first, middle, last], axis=1), "A", "B")
    answers = np.stack([says, rng.choice([*"ABCD"], says.shape), says], axis=2)
    frame = said_all(answers)
    frame["task"] = frame["item"].str[1:].astype(int).mod(LEDGERS).map("t{:03d}".format)
    rows = rate_run({"x": transitions(table(frame), "x")}, {"x": NO_REDRAWS}, Fitting(bootstrap=100))
    return plain(rows).query("coding == 'complete_case'")


TRUTH = {
    "initial_accuracy": RIGHT,
    "final_accuracy": RIGHT * (1 - COLLAPSE) + (1 - RIGHT) * CORRECTION,
    "collapse": COLLAPSE,
    "correction": CORRECTION,
    "raw_collapse": RIGHT * COLLAPSE,
    "net": (1 - RIGHT) * CORRECTION - RIGHT * COLLAPSE,
    "onset_2": FIRST_BREAK,
    "onset_3": 1 - FIRST_BREAK,
}


@pytest.mark.parametrize(("quantity", "truth"), TRUTH.items())
def test_each_rate_is_recovered_over_all_ledgers(rates, quantity, truth):
    rows = rates[rates["quantity"] == quantity]
    assert len(rows) == LEDGERS
    pooled, base = rows["events"].sum() / rows["base"].sum(), rows["base"].sum()
    assert pooled == pytest.approx(truth, abs=4 * (0.25 / base) ** 0.5)


@pytest.mark.parametrize("interval", ["wilson_", "jeffreys_", ""])
def test_intervals_cover_the_truth_as_often_as_they_say(rates, interval):
    """95 %: of 240 intervals less than 90 % would be 3.5 standard errors off; resampling needs more events than some
    have."""
    rows = rates[rates["quantity"].isin(["initial_accuracy", "final_accuracy", "collapse", "correction"])]
    truth = rows["quantity"].map(TRUTH)
    covered = (rows[f"{interval}low"] <= truth) & (truth <= rows[f"{interval}high"])
    assert len(covered) == 4 * LEDGERS
    assert (0.88 if interval == "" else 0.90) < covered.mean() < 0.995
    assert pd.notna(rows[f"{interval}low"]).all()


def test_onsets_of_a_ledger_sum_to_its_collapses(rates):
    wide = rates.pivot(index="task", columns="quantity", values="events")
    assert (wide["onset_2"] + wide["onset_3"] == wide["collapse"]).all()
    assert (wide["transient_break"] == 0).all()

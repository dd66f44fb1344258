"""A pilot's predictions: exact where the law holds, with intervals of the run's own items."""

import numpy as np
import pandas as pd
import pytest
from fitted import pick
from hypothesis import given, settings
from hypothesis import strategies as st
from lawful_teams import lawful
from made_up_teams import answers, measured

from headcount.laws.audit import AUDITED, OURS, PAPER, audit_run, pilot_sizes
from headcount.laws.cells import fit_run
from headcount.laws.estimate import fit_ringelmann
from headcount.laws.forms import logistic, power, ringelmann
from headcount.laws.quality import held_out_errors
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings, item_weights
from headcount.schema import AUDITS
from headcount.store import plain

SIZES = (1, 2, 3, 5, 7, 10)
FEW = FitSettings(n_boot=20)
POINTS = FitSettings(n_boot=0)


def audit(measures, how=POINTS, **options):
    table = audit_run({"team": TeamRows(measures)}, how, **options)
    assert table.schema.equals(AUDITS.schema)
    return plain(table)


@pytest.fixture(scope="module")
def measures():
    return measured(answers(sizes=SIZES, items=30, conditions=("debate", "self_correction"), rounds=2))


@pytest.mark.parametrize(
    ("sizes", "pilot"),
    [
        ((2, 3, 5, 7, 10, 15, 20, 30), (2, 3, 5)),
        ((2, 5, 7), (2, 5)),
        ((3, 5, 10), (3, 5)),
        ((3, 6, 9, 15, 30), (3, 6, 9)),  # mixed teams
        ((5, 10, 30), (5, 10)),
        ((2, 3, 5), (2, 3)),  # one is left to predict
        ((2, 3), ()),
        ((5,), ()),
        ((), ()),
    ],
)
def test_the_pilot(sizes, pilot):
    assert tuple(pilot_sizes(np.array(sizes, dtype=int))) == pilot


LAWFUL = {
    "ringelmann": lambda n: n * ringelmann(n, 0.5, 0.2),
    "ringelmann_free": lambda n: n * ringelmann(n, 0.3, -0.2),
    "kish": lambda n: n * ringelmann(n, 0.4, 0.0),
    "power": lambda n: power(n, -1.0, 2.0, 0.3),
    "power_on_r": lambda n: n * power(n, 0.1, 1.2, -0.7),
    "logistic": lambda n: logistic(n, 3.0, 0.3, 1.0),
    "logistic_on_r": lambda n: n * logistic(n, 1.2, -0.1, 3.0),
}


@pytest.mark.parametrize("law", AUDITED)
def test_a_law_that_holds_predicts_every_size(law):
    frame = pick(audit(lawful(LAWFUL[law], (2, 3, 5, 10, 30), conditions=("debate",))), law=law)
    assert set(frame["level"]) == {"answer", "pooled_agreement"}
    for _, curve in frame.groupby("level"):
        held_out = curve[curve["held_out"]]
        assert held_out["n"].tolist() == [10, 30]
        assert held_out_errors(held_out["observed"].to_numpy(), held_out["predicted"].to_numpy())[1] < 1e-4
        assert curve["predicted"].to_numpy() == pytest.approx(LAWFUL[law](curve["n"].to_numpy(float)), rel=1e-3)


def test_a_correlation_that_rises_with_size_is_missed_by_the_bounded_law():
    """As the mixed teams of arXiv 2606.02646, Table 13: Ringelmann's law and Kish's say the same, and too much."""
    frame = audit(lawful(lambda n: n * ringelmann(n, 0.4, -0.15), (3, 6, 9, 15, 30), conditions=("debate",)))
    by_law = {law: rows.set_index("n") for law, rows in pick(frame, level="answer").groupby("law")}
    bounded, kish, free = (by_law[law]["predicted"] for law in ("ringelmann", "kish", "ringelmann_free"))
    assert bounded.to_numpy() == pytest.approx(kish.to_numpy(), abs=1e-6)
    observed = by_law["kish"]["observed"]
    assert kish[30] > 1.1 * observed[30]
    assert free[30] == pytest.approx(observed[30])
    assert by_law["kish"]["pilot"][30].tolist() == [3, 6, 9]


def test_rows_are_every_size_and_say_which_were_run(measures):
    frame = audit(measures)
    for _, curve in frame.groupby(["condition", "level", "law"]):
        assert curve["n"].tolist() == list(range(2, 11))
        assert curve.loc[curve["observed"].notna(), "n"].tolist() == [2, 3, 5, 7, 10]
        assert curve.loc[curve["held_out"], "n"].tolist() == [7, 10]
        assert curve["predicted"].notna().all()
    assert set(frame["law"]) == set(AUDITED)
    assert set(frame["round"]) == {2}
    assert set(frame["n_items"]) == {30}
    assert all(pilot.tolist() == [2, 3, 5] for pilot in frame["pilot"])


def test_what_was_seen_has_the_intervals_of_the_runs_curves(measures):
    """With as many draws: the resamples are the same."""
    frame = pick(audit(measures, FEW, draws=20), law="kish")
    _, curves = fit_run({"team": TeamRows(measures)}, FEW)
    key = ["condition", "level", "round", "n"]
    both = frame.merge(plain(curves), on=key)
    assert len(both) == 2 * 2 * 5
    for ours, theirs in (("observed", "n_eff"), ("observed_low", "n_eff_low"), ("observed_high", "n_eff_high")):
        assert both[ours].to_numpy() == pytest.approx(both[theirs].to_numpy())


def test_an_envelope_is_the_percentiles_of_refits_to_resampled_items(measures):
    frame = pick(audit(measures, FEW, draws=40), condition="debate", level="answer", law="ringelmann").set_index("n")
    rows = pick(plain(measures), condition="debate", round=2)
    values = rows.pivot(index="item", columns="n", values="n_eff_answer").sort_index()
    weights = item_weights(30, FitSettings(n_boot=40).paper, "team", "t")
    predicted = []
    for drawn in weights:
        means = (values.mul(drawn, axis=0).sum() / values.notna().mul(drawn, axis=0).sum())[[2, 3, 5]]
        params = fit_ringelmann(means.index, (means / means.index).to_numpy(), c_bounds=(0.0, 5.0)).params
        predicted.append(10 * ringelmann(10, params["c"], np.nan_to_num(params["beta"])))
    ends = frame.loc[10, ["predicted_low", "predicted_high"]].astype(float)
    assert ends.to_numpy() == pytest.approx(np.percentile(predicted, [2.5, 97.5]), rel=1e-6)


def test_envelopes_are_for_laws_that_are_refitted(measures):
    frame = audit(measures, FEW, draws=20)
    known = frame.groupby("law")["predicted_low"].apply(lambda column: column.notna().all()).to_dict()
    assert known == {law: law in (*PAPER, *OURS) for law in AUDITED}


def test_extrapolation_takes_a_thousand_draws_unless_more_are_asked_for_or_none(measures):
    curves = pick(audit(measures, FEW.paper), law="kish", condition="debate", level="answer").set_index("n")
    rows = pick(plain(measures), condition="debate", round=2, n=7).sort_values("item")["n_eff_answer"].to_numpy()
    weights = item_weights(30, FitSettings(n_boot=1000).paper, "team", "t")
    known = np.isfinite(rows)
    drawn = weights[:, known] @ rows[known] / weights[:, known].sum(axis=1)
    assert curves.loc[7, "observed_low"] == pytest.approx(np.percentile(drawn, 2.5))
    assert (item_weights(30, FEW.paper, "team", "t") == weights[:20]).all()
    assert audit(measures)["observed_low"].isna().all()


def test_one_item_has_no_interval():
    frame = audit(measured(answers(sizes=SIZES, items=1, missing=0)), FEW)
    assert frame[["observed_low", "observed_high", "predicted_low", "predicted_high"]].isna().all(axis=None)
    assert frame["predicted"].notna().any()


def test_two_pilot_sizes_are_too_few_for_three_parameters():
    frame = audit(measured(answers(sizes=(2, 3, 5), conditions=("debate",), rounds=1)))
    known = frame.groupby("law")["predicted"].apply(lambda column: column.notna().all()).to_dict()
    assert known == {law: not law.startswith(("power", "logistic")) for law in AUDITED}


def test_a_series_with_nothing_to_hold_out_has_no_rows():
    assert audit(measured(answers(sizes=(1, 2, 5)))).empty
    assert audit_run({}, FEW).num_rows == 0


@settings(max_examples=5)
@given(st.permutations("ABCD"), st.integers(0, 99))
def test_names_of_answers_order_of_agents_and_of_rows_change_nothing(names, seed):
    frame = answers(sizes=(1, 2, 3, 5, 7), items=8, conditions=("debate",), rounds=1)
    renamed = frame.assign(answer=frame["answer"].map(dict(zip("ABCD", names, strict=True))))
    team = ["item", "n"]
    shuffled = renamed.sample(frac=1, random_state=seed)
    shuffled["agent"] = shuffled.groupby(team).cumcount() + 1
    one, other = audit(measured(frame), FEW, draws=10), audit(measured(shuffled), FEW, draws=10)
    pd.testing.assert_frame_equal(one, other, rtol=1e-5)

"""Accuracy projected from a pilot: the printed numbers, exact votes, and pilots counted by hand."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from fitted import pick
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_teams import answers, measured
from scipy.optimize import curve_fit
from scipy.stats import binom, norm

from headcount.laws.forms import kish
from headcount.laws.projection import (
    beta_binomial_accuracy,
    majority_accuracy,
    project,
    projections_of_run,
    small_sizes,
)
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings, item_weights
from headcount.schema import PROJECTIONS
from headcount.store import plain

SIZES = (1, 2, 3, 5, 7, 10)
FEW = FitSettings(n_boot=20)
POINTS = FitSettings(n_boot=0)

# Accuracy of an agent after revision that the printed projections imply, and solo accuracy (Tables 17 and 18).
IMPLIED = {
    ("qwen2.5-7b", "mmlu_hard"): 0.577,
    ("qwen2.5-7b", "gsm_hard"): 0.271,
    ("qwen2.5-7b", "gpqa"): 0.318,
    ("hetero", "mmlu_hard"): 0.425,
    ("hetero", "gsm_hard"): 0.327,
    ("hetero", "gpqa"): 0.309,
}
SOLO = {"mmlu_hard": (0.555, 0.548), "gsm_hard": (0.100, 0.040), "gpqa": (0.303, 0.316)}


def projections(measures, how=POINTS, **options):
    table = projections_of_run({"team": TeamRows(measures)}, how, **options)
    assert table.schema.equals(PROJECTIONS.schema)
    return plain(table)


@pytest.fixture(scope="module")
def measures():
    return measured(answers(sizes=SIZES, items=40, rounds=3))


def test_printed_projections_follow_from_accuracy_after_revision_not_from_solo_accuracy(published):
    rows = pd.read_csv(published / "table18_accuracy_projection.csv")
    assert len(rows) == 6
    for _, row in rows.iterrows():
        rho, n = np.array([row["rho_calibrated"]]), np.array([30])
        p = np.array([IMPLIED[row["model"], row["task"]]])
        assert project(p, rho, n)[0, 0] == pytest.approx(row["predicted_accuracy"], abs=5e-4)
        if row["model"] != "hetero":
            solo, projected = SOLO[row["task"]]
            assert project(np.array([solo]), rho, n)[0, 0] == pytest.approx(projected, abs=5e-4)
            assert abs(projected - row["predicted_accuracy"]) > 0.01


@given(st.floats(0.3, 0.7), st.sampled_from([101, 301]))
def test_independent_voters_are_a_binomial_vote(p, n):
    assert majority_accuracy(np.array(p), np.array(n)) == pytest.approx(binom.sf(n // 2, n, p), abs=0.01)


@pytest.mark.parametrize("rho", [0.05, 0.2, 0.4, 0.6, 0.8])
@pytest.mark.parametrize("p", [0.1, 0.3, 0.5, 0.6, 0.9])
def test_correlated_voters_are_nearly_a_beta_binomial_vote(p, rho):
    """Within .05, and .02 where accuracy is between .3 and .7 and voters correlate by .3 and more."""
    exact = beta_binomial_accuracy(p, rho, np.array([30]))[0]
    ours = project(np.array([p]), np.array([rho]), np.array([30]))[0, 0]
    assert ours == pytest.approx(exact, abs=0.02 if 0.3 <= p <= 0.7 and rho >= 0.3 else 0.05)


@given(st.floats(0.05, 0.95), st.floats(0.03, 0.95), st.integers(1, 8))
@settings(deadline=None, max_examples=30)
def test_a_beta_binomial_vote_by_enumeration_of_all_ballots(p, rho, n):
    """Voters in turn, as from Polya's urn: each is right as often as the urn says, and adds a ball of that kind."""
    right, wrong = p * (1 / rho - 1), (1 - p) * (1 / rho - 1)
    expected = 0.0
    for ballot in product((0, 1), repeat=n):
        chance, urn = 1.0, [wrong, right]
        for vote in ballot:
            chance *= urn[vote] / sum(urn)
            urn[vote] += 1
        expected += chance * (0.5 if 2 * sum(ballot) == n else 2 * sum(ballot) > n)
    assert beta_binomial_accuracy(p, rho, np.array([n]))[0] == pytest.approx(expected, rel=1e-6)


@given(st.integers(2, 30), st.floats(0.1, 0.9))
def test_votes_that_are_one_or_independent_are_the_ends_of_it(n, p):
    size = np.array([n])
    tie = binom.pmf(n // 2, n, p) / 2 if n % 2 == 0 else 0.0
    assert beta_binomial_accuracy(p, 0.0, size)[0] == pytest.approx(binom.sf(n // 2, n, p) + tie)
    assert beta_binomial_accuracy(p, 1e-7, size)[0] == pytest.approx(binom.sf(n // 2, n, p) + tie, abs=1e-4)
    assert beta_binomial_accuracy(p, 1.0, size)[0] == p
    assert beta_binomial_accuracy(p, 0.9999, size)[0] == pytest.approx(p, abs=1e-3)
    assert beta_binomial_accuracy(0.0, 0.3, size)[0] == 0
    assert beta_binomial_accuracy(1.0, 0.3, size)[0] == 1
    assert np.isnan([beta_binomial_accuracy(np.nan, 0.3, size)[0], beta_binomial_accuracy(0.3, np.nan, size)[0]]).all()


def test_right_and_wrong_can_change_places_in_a_beta_binomial_vote():
    for n in (2, 3, 10, 31):
        one, other = (beta_binomial_accuracy(p, 0.3, np.array([n]))[0] for p in (0.35, 0.65))
        assert one == pytest.approx(1 - other)


def test_simulated_votes_are_beta_binomial():
    rng = np.random.default_rng(3)
    votes = rng.binomial(10, rng.beta(0.6 * 1.5, 0.4 * 1.5, 200_000))  # rho = 1 / (1 + 1.5)
    seen = np.mean(votes > 5) + np.mean(votes == 5) / 2
    assert beta_binomial_accuracy(0.6, 0.4, np.array([10]))[0] == pytest.approx(seen, abs=0.005)


def test_certain_voters_and_unknown_ones():
    ends = majority_accuracy(np.array([0.0, 0.5, 1.0, np.nan, 0.6]), np.array([3.0, 3.0, 3.0, 3.0, np.nan]))
    assert ends == pytest.approx([0, 0.5, 1, np.nan, np.nan], nan_ok=True)


@pytest.mark.parametrize(
    ("sizes", "pilot"),
    [
        ((2, 3, 5, 7, 30), (2, 3, 5)),
        ((3, 6, 9, 15, 30), (3,)),  # mixed teams
        ((2, 3, 5), (2, 3)),
        ((10, 20, 30), (10,)),
        ((2, 7), (2,)),
        ((5,), ()),
        ((), ()),
    ],
)
def test_the_pilot(sizes, pilot):
    assert tuple(small_sizes(np.array(sizes, dtype=int))) == pilot


def test_a_projection_by_hand(measures):
    """Pilot by pandas, rho by SciPy, Phi by SciPy."""
    frame = plain(measures)
    for condition in ("debate", "noise", "self_correction"):
        rows = pick(frame, condition=condition, round=3)
        small, first = (part[part["n"].isin((2, 3, 5))] for part in (rows, pick(frame, condition=condition, round=1)))
        p, solo = (part["n_correct"].sum() / part["n_valid"].sum() for part in (small, first))
        r = small.groupby("n")["n_eff_answer"].mean() / [2, 3, 5]
        (rho,), _ = curve_fit(kish, r.index.to_numpy(float), r.to_numpy(), p0=[0.3])
        ours = pick(projections(measures), condition=condition).set_index("n")
        assert ours["rho"].unique() == pytest.approx([rho], abs=1e-6)
        assert ours["agent_accuracy"].unique() == pytest.approx([p])
        assert ours["solo_accuracy"].unique() == pytest.approx([solo])
        for column, accuracy in (("predicted", p), ("predicted_from_solo", solo)):
            z = (accuracy - 0.5) / np.sqrt(accuracy * (1 - accuracy) * (1 + 9 * rho) / 10)
            assert ours.loc[10, column] == pytest.approx(norm.cdf(z), abs=1e-6)
        scattered = beta_binomial_accuracy(p, rho, np.array([10]))[0]
        assert ours.loc[10, "predicted_beta_binomial"] == pytest.approx(scattered, abs=1e-6)
        assert ours.loc[10, "observed"] == pytest.approx(pick(rows, n=10)["team_correct"].mean())


def test_rows_are_every_size_and_say_which_were_run(measures):
    frame = projections(measures)
    assert len(frame) == 4 * 9
    for _, curve in frame.groupby("condition"):
        assert curve["n"].tolist() == list(range(2, 11))
        assert curve.loc[curve["observed"].notna(), "n"].tolist() == [2, 3, 5, 7, 10]
        assert curve.loc[curve["held_out"], "n"].tolist() == [7, 10]
    assert pick(frame, condition="self_consistency")["round"].unique() == [1]
    assert pick(frame, condition="debate")["round"].unique() == [3]
    assert all(pilot.tolist() == [2, 3, 5] for pilot in frame["pilot"])


def test_without_revision_solo_accuracy_is_the_agents(measures):
    frame = pick(projections(measures), condition="self_consistency")
    assert frame["predicted"].to_numpy() == pytest.approx(frame["predicted_from_solo"].to_numpy())


def test_intervals_are_the_percentiles_of_pilots_of_resampled_items(measures):
    frame = plain(measures)
    items = sorted(set(frame["item"]))
    weights = item_weights(len(items), FitSettings(n_boot=30).paper, "team", "t")
    rows = pick(frame, condition="debate", round=3)
    small = rows[rows["n"].isin((2, 3, 5))]
    predicted = []
    for drawn in weights:
        times = small["item"].map(dict(zip(items, drawn, strict=True)))
        p = (small["n_correct"] * times).sum() / (small["n_valid"] * times).sum()
        known = small["n_eff_answer"].notna() * times
        total = (small["n_eff_answer"].fillna(0) * known).groupby(small["n"]).sum()
        r = total / known.groupby(small["n"]).sum() / [2, 3, 5]
        (rho,), _ = curve_fit(kish, r.index.to_numpy(float), r.to_numpy(), p0=[0.3])
        predicted.append(norm.cdf((p - 0.5) / np.sqrt(p * (1 - p) * (1 + 9 * rho) / 10)))
    ours = pick(projections(measures, FEW.paper, draws=30), condition="debate", n=10).iloc[0]
    assert [ours["predicted_low"], ours["predicted_high"]] == pytest.approx(np.percentile(predicted, [2.5, 97.5]))


def test_no_draws_and_one_item_have_no_interval(measures):
    one = measured(answers(sizes=SIZES, items=1, missing=0))
    for frame in (projections(measures), projections(one, FEW)):
        assert frame[["predicted_low", "predicted_high"]].isna().all(axis=None)
        assert frame["predicted"].notna().all()


def test_no_answers_project_nothing():
    frame = projections(measured(answers(sizes=(1, 2, 5), items=3, missing=1.0)), FEW)
    assert frame[["rho", "agent_accuracy", "predicted", "predicted_low"]].isna().all(axis=None)
    assert (pick(frame, n=5)["observed"] == 0).all()


def test_one_size_has_nothing_to_project_to():
    assert projections(measured(answers(sizes=(1, 5)))).empty
    assert projections_of_run({}, FEW).num_rows == 0


@settings(max_examples=5)
@given(st.permutations("BCD"), st.integers(0, 99))
def test_names_of_answers_order_of_agents_and_of_rows_change_nothing(names, seed):
    """But for ties, which are settled by the answers' names: without the observed accuracy."""
    frame = answers(sizes=(1, 2, 3, 5, 7), items=8, conditions=("debate",), rounds=1)
    renamed = frame.assign(answer=frame["answer"].map(dict(zip("ABCD", ["A", *names], strict=True))))
    shuffled = renamed.sample(frac=1, random_state=seed)
    shuffled["agent"] = shuffled.groupby(["item", "n"]).cumcount() + 1
    one, other = (projections(measured(rows), FEW, draws=10).drop(columns="observed") for rows in (frame, shuffled))
    pd.testing.assert_frame_equal(one, other, rtol=1e-6)


def test_ends_are_shares_and_hold_what_is_predicted():
    """Nearly everybody right: a plain interval would leave the range."""
    frame = answers(sizes=(2, 3, 5, 10), items=24, rounds=2, missing=0.0)
    wrong = (frame["item"] == "item000") & (frame["agent"] == 1)
    frame = frame.assign(answer=np.where(wrong, "B", "A"), correct=~wrong)
    told = projections(measured(frame), FEW)
    sure = told[told["predicted_low"].notna()]
    assert len(sure)
    assert (sure["predicted_low"] >= 0).all()
    assert (sure["predicted_high"] <= 1).all()
    assert (sure["predicted_low"] <= sure["predicted"]).all()
    assert (sure["predicted"] <= sure["predicted_high"]).all()

"""From screens and transitions to statistics across models, recomputed with SciPy and by hand."""

from itertools import permutations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_cohorts import CORRECTION, FAMILIES, FEW, MODELS, asked, debates, one, probes, stored
from scipy import stats

from headcount.config import Fitting
from headcount.ledger.model_rows import model_rows
from headcount.ledger.screen_associations import screen_associations
from headcount.ledger.screen_audits import family_forecasts, reorderings, selection
from headcount.ledger.screen_flags import FLAGS
from headcount.ledger.screen_rates import screen_rates
from headcount.schema import (
    ASSOCIATIONS,
    FORECASTS,
    MODEL_ROWS,
    REORDERINGS,
    SELECTION,
)
from headcount.schema.screens import BANDS

FITTING = Fitting(bootstrap=40)
DRAWS = 2000  # random arrangements and forecasts, where digits are not compared


@pytest.fixture(scope="module")
def cohort():
    """Eight models of four families: 20 questions probed, 300 debated, of which 15 both; and what they are made of."""
    probed = probes(items=20)
    screens = screen_rates(probed, FITTING)
    held = debates(items=300, first_item=5)
    return stored(model_rows(screens, held, probed, FAMILIES), MODEL_ROWS), held


def test_outcomes_of_a_model_are_counted_by_hand(cohort):
    rows, held = cohort
    assert set(zip(rows["n"], rows["k"], rows["round"], strict=True)) == {(3, 2, 3)}
    own = held[(held["model"] == "c-small") & (held["round"] == 3)]
    labels = own["transition"].value_counts()
    here = one(rows, model="c-small")
    right = labels["preserved"] + labels["collapse"]
    assert (here["debates"], here["initially_correct"], here["collapses"]) == (300, right, labels["collapse"])
    assert here["collapse"] == labels["collapse"] / right
    wilson = stats.binomtest(int(labels["collapse"]), int(right)).proportion_ci(method="wilson")
    assert (here["collapse_low"], here["collapse_high"]) == pytest.approx((wilson.low, wilson.high))
    assert here["correction"] == labels["correction"] / (300 - right)
    assert here["final_accuracy"] == own["final_correct"].mean()
    assert here["revision"] == own["changed_answers"].sum() / 900
    assert (here["items_probed"], here["items_debated"], here["items_both"]) == (20, 300, 15)
    assert here["family"] == "c"


def test_a_debate_without_a_majority_at_one_end_is_counted_apart():
    held = debates(FEW, items=10)
    lost = (held["item"] == "q0") & (held["model"] == "a-large")
    held = held.assign(transition=held["transition"].mask(lost, "unlabelled"))
    probed = probes(FEW, items=3)
    here = one(model_rows(screen_rates(probed, FITTING), held, probed, FAMILIES), model="a-large")
    assert (here["debates"], here["unlabelled"], here["items_debated"]) == (9, 1, 10)


def test_known_rates_are_recovered(cohort):
    rows, _ = cohort
    true = np.array([MODELS[model].collapse for model in rows["model"]])
    assert ((rows["collapse_low"] <= true) & (true <= rows["collapse_high"])).sum() >= 7
    assert rows["correction"].mean() == pytest.approx(CORRECTION, abs=0.03)


def test_a_cohort_ends_where_the_most_models_are_and_a_shared_debate_counts_once():
    probed, held = probes(FEW, items=3), debates(FEW, items=10)
    longer = held[held["model"] == "a-large"].assign(round=4)
    again = held[held["model"] == "a-large"].assign(team="another")
    alone = debates({"not-probed": MODELS["d-small"]}, items=10)
    other = debates(FEW, items=10, condition="noise")
    rows = model_rows(screen_rates(probed, FITTING), pd.concat([held, longer, again, alone, other]), probed, FAMILIES)
    assert rows["round"].unique().tolist() == [3]
    assert sorted(rows["model"]) == sorted(FEW)
    assert rows["debates"].tolist() == [10, 10, 10]


# --- associations ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found(cohort):
    return stored(screen_associations(cohort[0], FITTING, DRAWS), ASSOCIATIONS)


def by_scipy(x, y):
    """Spearman's correlation, and how many of all arrangements are as extreme, one by one."""
    rho = stats.spearmanr(x, y).statistic
    every = [stats.spearmanr(x, order).statistic for order in permutations(y)]
    return rho, int((np.abs(every) >= abs(rho) - 1e-12).sum()), len(every)


def partial_by_hand(x, y, *controls):
    ranks = [stats.rankdata(column) for column in (x, y, *controls)]
    design = np.column_stack([np.ones(len(x)), *ranks[2:]])
    left = [column - design @ np.linalg.lstsq(design, column, rcond=None)[0] for column in ranks[:2]]
    return stats.pearsonr(*left).statistic


@pytest.mark.parametrize("predictor", ["alpha_tot", "alpha_cor", "s_soc", "initial_accuracy", "revision"])
def test_families_are_means_of_models_and_every_arrangement_is_counted(cohort, found, predictor):
    means = cohort[0].groupby("family")[[predictor, "collapse"]].mean()
    rho, extreme, every = by_scipy(means[predictor].to_numpy(), means["collapse"].to_numpy())
    here = one(found, **asked("family_mean", predictor))
    assert here["rho"] == pytest.approx(rho)
    assert (here["as_extreme"], here["arrangements"], here["exact"]) == (extreme, every, True)
    assert here["p_two_sided"] == pytest.approx(extreme / every)
    assert (here["units"], here["models"]) == (4, 8)
    assert "out_of_reach" in here["flags"]


def test_models_and_what_is_left_without_some(cohort, found):
    rows = cohort[0]
    here = one(found, **asked("model"))
    assert here["rho"] == pytest.approx(stats.spearmanr(rows["alpha_tot"], rows["collapse"]).statistic)
    assert here["p_t"] == pytest.approx(stats.spearmanr(rows["alpha_tot"], rows["collapse"]).pvalue)
    for leaving, left_out in (("family", "c"), ("model", "d-small")):
        left = rows[rows[leaving] != left_out]
        rho = stats.spearmanr(left["alpha_tot"], left["collapse"]).statistic
        assert one(found, **asked("model", leaving=leaving, left_out=left_out))["rho"] == pytest.approx(rho)
        means = left.groupby("family")[["alpha_tot", "collapse"]].mean()
        expected_rho, extreme, _ = by_scipy(means["alpha_tot"].to_numpy(), means["collapse"].to_numpy())
        without = one(found, **asked("family_mean", leaving=leaving, left_out=left_out))
        assert (without["rho"], without["as_extreme"]) == (pytest.approx(expected_rho), extreme)


def test_partials_are_correlations_of_what_the_controls_leave(cohort, found):
    rows = cohort[0]
    columns = [rows[name].to_numpy() for name in ("alpha_tot", "collapse", "initial_accuracy", "revision")]
    here = one(found, **asked("model", controls="initial_accuracy + revision"))
    assert here["rho"] == pytest.approx(partial_by_hand(*columns))
    assert here["df"] == 4
    assert {"not_conditional", "related_rows"} <= set(here["flags"])
    too_few = one(found, **asked("family_mean", controls="initial_accuracy + revision"))
    assert list(too_few["flags"]) == ["too_few"]
    assert pd.isna(too_few["rho"])


def test_only_the_headline_of_models_has_noise_and_it_lies_around_its_correlation(found):
    told = found[found["noise_median"].notna()]
    assert told[list(asked("model"))].to_dict("records") == [asked("model")]
    here = told.iloc[0]
    assert here["noise_low"] < here["noise_median"] < here["noise_high"] <= 1
    assert here["families_low"] <= here["rho"] <= here["families_high"]


def test_a_family_may_have_the_name_of_a_model(cohort):
    rows = cohort[0].iloc[[0, 2, 3, 4, 6]].assign(family=lambda frame: frame["family"].replace({"a": "b-large"}))
    here = stored(screen_associations(rows, FITTING, DRAWS), ASSOCIATIONS)
    for leaving in ("family", "model"):
        left = rows[rows[leaving] != "b-large"]
        rho = stats.spearmanr(left["alpha_tot"], left["collapse"]).statistic
        assert one(here, **asked("model", leaving=leaving, left_out="b-large"))["rho"] == pytest.approx(rho)


@pytest.mark.parametrize("models", [0, 1, 2, 3])
def test_too_few_models_say_so_and_never_fail(cohort, models):
    rows = cohort[0].iloc[:models]
    here = stored(screen_associations(rows, FITTING, DRAWS), ASSOCIATIONS)
    assert len(here) == 0 if models == 0 else len(here) > 40
    assert {flag for flags in here["flags"] for flag in flags} <= set(FLAGS)
    if models in (1, 2):
        assert here["rho"].isna().all()
        assert here["flags"].map(lambda flags: "too_few" in flags).all()
    chosen = stored(selection(rows), SELECTION)
    assert chosen["median_alpha"].notna().tolist() == ([models > 1] if models else [])
    assert len(stored(reorderings(rows), REORDERINGS)) <= models * (models - 1) / 2
    assert stored(family_forecasts(rows, FITTING, 10), FORECASTS)["predicted"].isna().all()


def test_a_line_through_two_families_forecasts_no_third(cohort):
    three = cohort[0][cohort[0]["family"] != "d"]
    assert stored(family_forecasts(three, FITTING, 10), FORECASTS)["predicted"].isna().all()
    alike = cohort[0].assign(alpha_tot=lambda rows: rows["alpha_tot"].where(rows["family"] == "d", 0.5))
    assert stored(family_forecasts(alike, FITTING, 10), FORECASTS)["predicted"].isna().all()  # no slope without d
    assert stored(family_forecasts(cohort[0], FITTING, 10), FORECASTS)["predicted"].notna().all()


def test_a_line_without_residuals_has_a_forecast_and_no_band(cohort):
    flat = cohort[0].assign(collapse=0.0)
    found = stored(family_forecasts(flat, FITTING, 10), FORECASTS)
    assert (found["predicted"].abs() < 1e-12).all()
    assert found[list(BANDS)].isna().all(axis=None)


def test_a_model_without_a_value_is_left_out_and_a_column_that_does_not_vary_has_no_correlation(cohort):
    rows = cohort[0].iloc[::-1].head(5).assign(revision=0.5)
    rows.loc[rows["model"] == "d-small", ["collapse", "collapse_low"]] = np.nan
    here = stored(screen_associations(rows, FITTING, DRAWS), ASSOCIATIONS)
    main = one(here, **asked("model"))
    assert (main["units"], "without_value" in main["flags"]) == (4, True)
    constant = one(here, **asked("model", "revision"))
    assert "nothing_left" in constant["flags"]
    assert pd.isna(constant["p_two_sided"])


def test_screen_and_collapse_of_other_questions_are_flagged(cohort):
    rows = cohort[0].iloc[:4]
    flagged = rows.assign(items_both=9)  # of 20 probed
    for frame, wanted in ((rows, False), (flagged, True)):
        flags = one(screen_associations(frame, FITTING, 100), **asked("family_mean"))["flags"]
        assert ("other_questions" in flags) == wanted


@settings(max_examples=10)
@given(st.permutations(range(8)))
def test_the_order_of_models_and_their_names_change_nothing(cohort, order):
    rows = cohort[0]
    shuffled = rows.iloc[order].assign(model=lambda frame: frame["model"].map(lambda name: f"z{name}"))
    for function, table in ((selection, SELECTION), (lambda frame: family_forecasts(frame, FITTING, 1), FORECASTS)):
        kept = [name for name in table.schema.names if not name.startswith("noisy_")]
        pd.testing.assert_frame_equal(
            stored(function(shuffled), table)[kept], stored(function(rows), table)[kept], check_exact=False
        )

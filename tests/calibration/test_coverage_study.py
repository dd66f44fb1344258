"""The coverage study itself, small: what it counts is what it says, and parts repeat."""

import numpy as np
import pandas as pd
import pytest

from headcount.calibration.coverage import coverage, summary
from headcount.calibration.datasets import draw
from headcount.calibration.linearised import influence_error, moved
from headcount.calibration.offers import jackknife_t
from headcount.calibration.parameters import PARAMETERS, estimate, scales_of
from headcount.calibration.parts import STUDIES, make
from headcount.calibration.truths import ITEMS, POPULATIONS
from headcount.measures.intervals import Jackknife


def quiet(_line):
    pass


def test_the_default_interval_is_the_workflow_s_on_the_workflow_s_estimates():
    data = draw(POPULATIONS["free_c30_b0"], 2, 60, np.random.default_rng(1))
    weights = Jackknife().weights(60, np.random.default_rng(2))
    left = np.einsum("di,sic->dsc", weights / weights.sum(axis=1, keepdims=True), data)
    scales = scales_of(PARAMETERS, 60)
    low, high = scales.clip(*jackknife_t(estimate(data.mean(axis=1)), estimate(left), scales))
    for place in range(2):
        expected = Jackknife()(data[place], estimate, weights, 0.95, scales)
        np.testing.assert_allclose(low[place], expected[0], rtol=1e-6, atol=1e-9)
        np.testing.assert_allclose(high[place], expected[1], rtol=1e-6, atol=1e-9)


def test_the_default_holds_the_truth_of_a_law_about_as_often_as_it_says():
    rows = coverage(POPULATIONS["choices_c60_b0"], 60, 150, np.random.default_rng(3), quiet)
    default = rows[(rows["offer"] == "jackknife_t") & (rows["level"] == "pooled_agreement")].set_index("parameter")
    assert default["coverage"].between(0.89, 1.0).all()
    assert default["coverage"].mean() == pytest.approx(0.95, abs=0.025)
    assert (default["bias"].abs() < 0.5 * default["rmse"]).all()


def test_below_the_paper_s_bound_its_interval_never_holds_beta():
    rows = coverage(POPULATIONS["choices_c50_b-09"], 200, 16, np.random.default_rng(4), quiet)
    beta = rows[rows["parameter"] == "beta"].set_index(["level", "offer"])
    assert beta.loc[("pooled_agreement", "percentile_bounded"), "coverage"] == 0
    assert beta.loc[("pooled_agreement", "jackknife_t"), "coverage"] > 0.7


def test_linearised_errors_are_the_jackknife_s_where_estimates_are_smooth():
    data = draw(POPULATIONS["choices_c60_b0"], 5, 400, np.random.default_rng(5))
    found = influence_error(data, estimate(moved(data.mean(axis=1))))
    left = (data.sum(axis=1) - data.transpose(1, 0, 2)) / 399
    spread = estimate(left)
    expected = np.sqrt(399 / 400 * ((spread - spread.mean(axis=0)) ** 2).sum(axis=0))
    np.testing.assert_allclose(found, expected, rtol=0.03)


def test_summaries_count_what_they_say():
    parameters = PARAMETERS[:1]
    point = np.array([[1.0], [2.0], [3.0], [np.nan]])
    low = np.array([[0.5], [1.6], [np.nan], [1.5]])
    high = np.array([[1.5], [3.0], [4.0], [1.5]])
    row = summary(parameters, np.array([1.5]), point, low, high).iloc[0]
    assert row["bias"] == pytest.approx(0.5)
    assert row["rmse"] == pytest.approx(np.sqrt((0.25 + 0.25 + 2.25) / 3))
    assert row["coverage"] == pytest.approx(2 / 4)  # the second misses, the third has no end
    assert row["coverage_se"] == pytest.approx(np.std([1, 0, 0, 1], ddof=1) / 2)
    assert row["width"] == pytest.approx((1.0 + 1.4 + 0.0) / 3)
    assert row["without"] == pytest.approx(1 / 4)
    assert row["of_no_width"] == pytest.approx(1 / 3)


def test_parts_repeat_and_name_every_cell():
    assert len(STUDIES["coverage"]) == len(POPULATIONS) * len(ITEMS)
    first, again = (make("coverage", "easy_c95_b0-24", 4, quiet) for _ in range(2))
    pd.testing.assert_frame_equal(first, again)
    assert set(first["population"]) == {"easy_c95_b0"}
    assert set(first["items"]) == {24}
    assert first.filter(regex="_se$").columns.size == 4

"""Human groups: the printed estimates, SciPy's, and what the data can and cannot give."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import minimize_scalar
from scipy.stats import linregress

from headcount.errors import UserError
from headcount.laws.humans import PRINTED, efficiency, fit_human_groups


@pytest.fixture(scope="module")
def groups(published):
    return pd.read_csv(published / "human_groups.csv", dtype=str)


@pytest.fixture(scope="module")
def scalars(published):
    return pd.read_csv(published / "prose_scalars.csv", dtype=str, keep_default_na=False)


@pytest.fixture(scope="module")
def fits(groups, scalars):
    return fit_human_groups(groups, scalars).set_index(["group", "law"])


def test_efficiencies_are_shares_of_one_person(groups):
    r = efficiency(groups).set_index(["group", "n"])["r"]
    assert r["rope_1913"].tolist() == [1, 0.93, 0.85, 0.77, 0.7, 0.63, 0.56, 0.49]
    assert r["shouting_1979"].to_dict() == {1: 1, 2: 0.71, 4: 0.51, 6: 0.4}
    assert r[("shouting_1979_pressure", 4)] == 1.8 / 3.7


def test_rope_gives_both_printed_numbers_by_the_slope_and_not_by_the_law(fits):
    rope = fits.loc["rope_1913"]
    assert (rope.loc["latane_slope", "printed"], rope.loc["kish", "printed"]) == ("0.55", "0.12")
    assert round(rope.loc["latane_slope", "value"], 2) == 0.55
    assert round(rope.loc["kish", "value"], 2) == 0.12
    assert rope.loc["latane", "value"] == pytest.approx(0.752, abs=5e-4)


def test_shouting_does_not_give_the_printed_correlation_and_both_stand(fits):
    row = fits.loc[("shouting_1979", "kish")]
    assert row["printed"] == "0.35"
    assert row["value"] == pytest.approx(0.331, abs=5e-4)


def test_mean_sound_pressures_do(fits):
    row = fits.loc[("shouting_1979_pressure", "kish")]
    assert row["value"] == pytest.approx(0.345, abs=5e-4)
    assert round(row["value"], 2) == float(row["printed"])
    assert round(fits.loc[("shouting_1979_pressure", "latane"), "value"], 2) == 0.49


def test_no_rounding_of_the_percentages_gives_the_printed_correlation(groups, scalars):
    """At the corners of the box of what rounds to .71, .51, .40, the correlation is .339 at most."""
    lowest = groups[groups["group"] == "shouting_1979"].astype({"per_person": float})
    lowest.loc[lowest["n"] != "1", "per_person"] -= 0.005  # a lower R is a higher correlation at every size
    row = fit_human_groups(lowest, scalars).set_index("law").loc["kish"]
    assert row["value"] == pytest.approx(0.339, abs=5e-4)


def test_estimates_are_those_of_scipy(groups, fits):
    for group, rows in efficiency(groups).groupby("group"):
        n, r = (rows.loc[rows["n"] > 1, name].to_numpy(float) for name in ("n", "r"))
        slope = linregress(np.log(n), np.log(r)).slope
        kish = minimize_scalar(lambda rho, n=n, r=r: ((1 / (1 + (n - 1) * rho) - r) ** 2).sum(), bounds=(0, 1))
        law = minimize_scalar(lambda t, n=n, r=r: ((n ** (t - 1) - r) ** 2).sum(), bounds=(0, 1))
        ours = fits.loc[group, "value"]
        assert ours["latane_slope"] == pytest.approx(1 + slope)
        assert ours["kish"] == pytest.approx(kish.x, abs=1e-5)
        assert ours["latane"] == pytest.approx(law.x, abs=1e-5)


def test_the_range_is_of_estimates_that_lack_one_size(groups, fits, scalars):
    rope = groups[groups["group"] == "rope_1913"]
    without = pd.concat(
        fit_human_groups(rope[rope["n"] != size], scalars).assign(size=size) for size in rope["n"] if size != "1"
    )
    for law, values in without.groupby("law")["value"]:
        row = fits.loc[("rope_1913", law)]
        assert (row["low_without_one"], row["high_without_one"]) == (values.min(), values.max())
        assert row["low_without_one"] < row["value"] < row["high_without_one"]


def test_means_without_items_have_no_interval(fits):
    assert not {"low", "high", "c_low", "c_high", "interval"} & set(fits.columns)


def test_a_group_needs_one_person_alone(groups):
    with pytest.raises(UserError, match="rope_1913 has no row for n = 1"):
        efficiency(groups[(groups["group"] != "rope_1913") | (groups["n"] != "1")])


def test_a_group_that_the_paper_lacks_has_nothing_printed(scalars):
    ours = pd.DataFrame({"group": "rowing", "n": [1, 2, 8], "per_person": [2.0, 1.9, 1.8]})
    assert fit_human_groups(ours, scalars)["printed"].tolist() == ["", "", ""]
    assert set(PRINTED.values()) <= set(scalars["name"])

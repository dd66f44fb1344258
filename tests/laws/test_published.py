"""What the printed tables say about the estimators behind them (resources/published/README.md).

The 86 printed numbers that follow from single inputs are in tests/test_published_checks.py; these need whole tables.
"""

import numpy as np
import pandas as pd
import pytest

from headcount.laws.estimate import fit_ringelmann
from headcount.laws.fit import regime
from headcount.laws.forms import ringelmann
from headcount.measures.diversity import correlation_from_n_eff


def humaneval(published, condition, axis):
    rows = pd.read_csv(published / "table20_humaneval_efficiency.csv")
    rows = rows[(rows["condition"] == condition) & (rows["axis"] == axis)]
    assert rows["n"].tolist() == [2, 3, 5, 7, 10]
    return rows["n"].to_numpy(), rows["r_efficiency"].to_numpy()


@pytest.mark.parametrize("axis", ["pass_vector", "code"])
@pytest.mark.parametrize("condition", ["debate", "self_correction"])
def test_the_fits_of_table_20_follow_from_its_efficiencies(published, condition, axis):
    fit = fit_ringelmann(*humaneval(published, condition, axis))
    fits = pd.read_csv(published / "table20_humaneval_fits.csv").set_index(["condition", "axis"])
    printed = fits.loc[(condition, axis)]
    assert fit.params["c"] == pytest.approx(printed["c"], abs=0.035)  # what rounding of R allows
    assert fit.params["beta"] == pytest.approx(printed["beta"], abs=0.025)
    assert round(fit.r2_with_one, 2) == printed["r2"]


def test_r2_of_the_humaneval_debate_code_cell_needs_a_team_of_one(published):
    fit = fit_ringelmann(*humaneval(published, "debate", "code"))
    assert fit.r2 == pytest.approx(0.975, abs=5e-4)  # prints as .97 or .98, not .99


@pytest.mark.parametrize("condition", ["debate", "self_correction"])
def test_r2_over_effective_sizes_could_not_be_printed_as_1(published, condition):
    """The pass vectors print R2 = 1.00: that is over R. Over N_eff it would be below .85."""
    n, r = humaneval(published, condition, "pass_vector")
    fit = fit_ringelmann(n, r)
    sizes, seen = np.r_[1, n], np.r_[1, n * r]
    fitted = sizes * ringelmann(sizes, fit.params["c"], fit.params["beta"])
    assert 1 - ((seen - fitted) ** 2).sum() / ((seen - seen.mean()) ** 2).sum() < 0.85


@pytest.mark.parametrize("table", ["table08_diversity_n30", "table09_heterogeneity_ceiling"])
def test_the_correlations_of_tables_8_and_9_invert_the_mean_size(published, table):
    """Each printed correlation lies in the range that rounding of the printed size allows."""
    rows = pd.read_csv(published / f"{table}.csv")
    size, rho = (next(c for c in rows if c.startswith(start)) for start in ("n_eff", "rho_eff"))
    rows = rows.dropna(subset=[size, rho])
    assert len(rows) >= 6
    half = np.where(rows[size].round(1) == rows[size], 0.05, 0.005)
    high = correlation_from_n_eff(30, (rows[size] - half).to_numpy()) + 5e-4
    low = correlation_from_n_eff(30, (rows[size] + half).to_numpy()) - 5e-4
    assert ((low <= rows[rho]) & (rows[rho] <= high)).all()


def test_regimes_of_the_master_table(published):
    """All 44 printed labels follow from the printed exponents with the border at .1."""
    rows = pd.read_csv(published / "table11_master_fits.csv")
    assert len(rows) == 44
    assert [regime(beta) for beta in rows["beta"]] == rows["regime"].tolist()


def test_most_fits_of_the_master_table_miss_their_own_largest_team(published):
    """What the printed curves give at the largest N beside what is printed as seen there: R2 near 1 hides it."""
    rows = pd.read_csv(published / "derived_neff_gap.csv")
    master = pd.read_csv(published / "table11_master_fits.csv")
    pd.testing.assert_series_equal(rows["n_eff_observed"], master["n_eff_observed"])
    n, seen = rows["n"].to_numpy(), rows["n_eff_observed"].to_numpy()
    fitted = n * ringelmann(n, rows["c"].to_numpy(), rows["beta_used"].to_numpy())
    np.testing.assert_allclose(fitted, rows["n_eff_model"], atol=6e-4)
    gap = np.abs(fitted / seen - 1)
    assert gap.mean() == pytest.approx(0.065, abs=5e-4)
    assert (gap > 0.1).sum() == 6
    assert (rows["observed_within_rounding_of_model"] == "yes").sum() == 15

"""rho(10) and N_eff(30): of the law where it holds, with the run's interval, steadier than c and beta."""

import numpy as np
import pytest
from lawful_teams import lawful
from scipy.stats import t

from headcount.laws.audit import OURS
from headcount.laws.compared import COMPARED
from headcount.laws.forms import ringelmann
from headcount.laws.headline import headline
from headcount.laws.levels import ANSWER
from headcount.laws.profiles import Profile, last_series, profile
from headcount.laws.series import TeamRows, split_tasks
from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.intervals import jackknife_error

SIZES = np.array([2, 3, 5, 7])


def test_both_are_the_laws_own_whatever_was_run():
    measures = lawful(lambda n: n * ringelmann(n, 0.5, 0.2), (2, 3, 5), conditions=("debate",))
    _, rows = next(iter(split_tasks(TeamRows(measures))))
    curve = profile(rows, next(last_series(rows)), ANSWER)
    told = headline(curve, np.empty((0, 4)), FitSettings(n_boot=0))
    assert set(told) == set(COMPARED)
    for law in ("ringelmann", "ringelmann_free"):
        assert told[law]["rho_10"] == pytest.approx(0.5 * 10**-0.2, abs=1e-6)
        assert told[law]["n_eff_30"] == pytest.approx(30 / (1 + 0.5 * 29 * 30**-0.2), abs=1e-5)
    assert np.isnan(told["ringelmann_free"]["rho_10_low"])


def test_intervals_are_the_jackknifes_on_the_scale_of_a_share():
    rng = np.random.default_rng(3)
    values = SIZES * ringelmann(SIZES, 0.5, 0.2) * rng.lognormal(0, 0.3, (20, 1)) * rng.lognormal(0, 0.1, (20, 4))
    how = FitSettings()
    weights = item_weights(20, how, "team", "t")
    told = headline(Profile(ANSWER, SIZES, values, 20), weights, how)
    left = np.stack([(weight @ values) / weight.sum() for weight in weights]) / SIZES
    for law in COMPARED:
        n_eff = COMPARED[law].predict(SIZES, left, np.array([10, 30]))
        error = jackknife_error(np.stack([(10 / n_eff[:, 0] - 1) / 9, n_eff[:, 1]], axis=1))
        for name, se, most in (("rho_10", error[0], 1), ("n_eff_30", error[1], 30)):
            ends = np.array([told[law][f"{name}_low"], told[law][f"{name}_high"]])
            if law in OURS:
                q, p = ends / most, told[law][name] / most
                margin = t.ppf(0.975, 19) * se / most
                assert (p - q) ** 2 == pytest.approx(margin**2 * q * (1 - q) / (p * (1 - p)))
                assert ends[0] < told[law][name] < ends[1]
            else:
                assert np.isnan(ends).all()


def test_a_point_of_the_curve_is_known_better_than_the_parameters():
    """c and beta go together: relative to its size, each varies far more over items than rho(10) does."""
    rng = np.random.default_rng(4)
    draws = np.stack(
        [
            (SIZES * ringelmann(SIZES, 0.5, 0.1) * rng.lognormal(0, 0.1, (50, 4))).mean(axis=0) / SIZES
            for _ in range(100)
        ]
    )
    c, beta = COMPARED["ringelmann_free"].estimate(SIZES.astype(float), draws, (0.0, 20.0)).T
    rho = c * 10.0**-beta
    assert np.corrcoef(c, beta)[0, 1] > 0.8
    assert rho.std() / rho.mean() < 0.8 * c.std() / c.mean()


def test_one_item_has_no_interval():
    values = (SIZES * ringelmann(SIZES, 0.5, 0.2))[None]
    told = headline(Profile(ANSWER, SIZES, values, 1), np.zeros((1, 1)), FitSettings())
    assert np.isnan(told["kish"]["n_eff_30_low"])
    assert told["kish"]["n_eff_30"] > 1

"""Laws, their quality and their levels on numbers that can be worked out by hand."""

import math
import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from headcount.laws.fit import Fit, describe, r_squared, regime, regime_by_interval, size_flags, usable
from headcount.laws.flags import FLAGS, check
from headcount.laws.forms import kish, latane, logistic, power, ringelmann
from headcount.laws.levels import AGREEMENT, ANSWER, CORRECTNESS, LEVELS, POOLED_AGREEMENT
from headcount.laws.references import constant_correlation, skill

NAN = np.nan


@pytest.fixture(autouse=True)
def _no_warnings():
    """What has no value is NaN without a word."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def test_curves_at_sizes_that_have_round_values():
    n = np.array([1, 4, 16])
    assert_allclose(ringelmann(n, 0.5, 1.0), [1, 8 / 11, 32 / 47])
    assert_allclose(ringelmann(n, 0.5, 0.5), [1, 4 / 7, 8 / 23])
    assert_allclose(ringelmann(n, 0.0, NAN), [1, NAN, NAN])
    assert_allclose(kish(n, 0.25), [1, 4 / 7, 4 / 19])
    assert_allclose(latane(n, 0.5), [1, 1 / 2, 1 / 4])
    assert_allclose(latane(n, 0.5, 3.0), [3, 3 / 2, 3 / 4])
    assert_allclose(power(n, 1.0, 2.0, 0.5), [3, 5, 9])
    assert_allclose(power(n, 1.0, 2.0, -0.5), [3, 2, 3 / 2])


def test_the_logistic_curve_stays_finite():
    assert_allclose(logistic(np.array([1, 3, 5]), 6.0, 0.5, 3.0), [6 / (1 + np.e), 3, 6 / (1 + 1 / np.e)])
    assert logistic(10_000, 6.0, 1.0, 0.0) == 6
    assert logistic(1, 6.0, 1.0, 10_000.0) == pytest.approx(6 * math.exp(-500))


def test_curves_of_several_parameters_at_once():
    c = np.array([[0.5], [1.0]])
    assert_allclose(ringelmann(np.array([2, 3]), c, 0.0), [[2 / 3, 1 / 2], [1 / 2, 1 / 3]])


@pytest.mark.parametrize(
    ("y", "model", "r2"),
    [
        ([1, 2, 3], [1, 2, 4], 0.5),
        ([1, 2, 3], [1, 2, 3], 1.0),
        ([1, 2, 3], [2, 2, 2], 0.0),
        ([1, 2, 3], [3, 2, 1], -3.0),
        ([2, 2], [2, 2], NAN),
        ([1, 2, 3], [1, NAN, 3], NAN),
        ([1, 2, 3], [1, np.inf, 3], NAN),
        ([0, 1e-13], [0, 0], NAN),
        ([0, 1e-11], [0, 0], -1.0),
        ([], [], NAN),
    ],
)
def test_share_of_variance_explained(y, model, r2):
    assert r_squared(np.array(y, float), np.array(model, float)) == pytest.approx(r2, nan_ok=True)


def test_a_fit_is_described_with_its_errors_in_agents():
    n, r, model = np.array([2, 4]), np.array([0.5, 0.25]), np.array([0.6, 0.25])
    fit = describe("kish", {"rho": 0.5, "x": NAN}, n, r, model, ["two_sizes", "few_items", "two_sizes"], "linear")
    assert (fit.law, fit.regime, fit.flags) == ("kish", "linear", ["few_items", "two_sizes"])
    assert fit.rmse_n_eff == pytest.approx(math.sqrt(0.02))
    assert fit.r2 == pytest.approx(1 - 0.01 / 0.03125)
    assert fit.r2_with_one == pytest.approx(1 - 0.01 / (7 / 24))
    told = fit.as_json()
    assert (told["params"], told["regime"], told["flags"]) == ({"rho": 0.5, "x": None}, "linear", fit.flags)
    assert [told[name] for name in ("r2", "r2_with_one", "rmse_n_eff")] == [fit.r2, fit.r2_with_one, fit.rmse_n_eff]


def test_a_flat_curve_has_no_variance_to_explain():
    one, two = np.array([0.5]), np.array([0.5, 0.5])
    assert describe("kish", {}, np.array([2, 3]), two, two, []).flags == ["r2_undefined"]
    assert describe("kish", {}, np.array([2]), one, one, []).flags == []
    nothing = describe("kish", {}, np.array([]), np.array([]), np.array([]), [])
    assert np.isnan([nothing.r2, nothing.rmse_n_eff]).all()
    assert (nothing.flags, nothing.regime) == ([], None)
    assert Fit("kish", {}).as_json() == {
        "params": {},
        "r2": None,
        "r2_with_one": None,
        "rmse_n_eff": None,
        "regime": None,
        "flags": [],
    }


@pytest.mark.parametrize(
    ("beta", "name"),
    [
        (-0.2, "hard_ceiling"),
        (0.1, "hard_ceiling"),
        (0.1 + 1e-9, "sublinear"),
        (1 - 1e-8, "sublinear"),
        (1 - 1e-9, "linear"),
        (1.5, "linear"),
        (NAN, None),
    ],
)
def test_regimes_have_their_borders_at_a_tenth_and_at_one(beta, name):
    assert regime(beta) == name


@pytest.mark.parametrize(
    ("beta", "low", "high", "name"),
    [
        (0.0, -0.1, 0.1, "hard_ceiling"),
        (0.0, -0.1, 0.11, "undetermined"),
        (0.3, 0.1, 0.5, "undetermined"),
        (0.3, 0.11, 0.5, "sublinear"),
        (1.0, 0.9, 1.1, "sublinear"),
        (0.3, NAN, NAN, "undetermined"),
        (NAN, 0.2, 0.3, None),
    ],
)
def test_regimes_by_interval(beta, low, high, name):
    assert regime_by_interval(beta, low, high) == name


@pytest.mark.parametrize(
    ("n", "r", "kept", "flags"),
    [
        ([1, 2, 3, 5], [1, 0.9, 0.8, 0.7], [2, 3, 5], []),
        ([1, 2, 3], [1, 0.9, 0.8], [2, 3], ["two_sizes"]),
        ([1, 2, 3], [NAN, 0.9, 0.8], [2, 3], ["two_sizes"]),
        ([2, 3, 5], [0.9, 0.0, 0.8], [2, 5], ["two_sizes", "size_without_value"]),
        ([2, 3, 5], [0.9, -1.0, NAN], [2], ["one_size", "size_without_value"]),
        ([2, 2], [0.9, 0.8], [2, 2], ["one_size"]),
        ([2], [np.inf], [], ["no_sizes", "size_without_value"]),
        ([1], [1.0], [], ["no_sizes"]),
        ([], [], [], ["no_sizes"]),
    ],
)
def test_sizes_that_can_be_fitted_and_what_is_said_of_the_others(n, r, kept, flags):
    sizes, values = usable(np.array(n), np.array(r))
    assert sizes.tolist() == kept
    assert values.size == len(kept)
    assert size_flags(np.array(n), np.array(r)) == flags


def test_flags_are_sorted_and_each_has_a_meaning():
    assert check(["two_sizes", "no_sizes", "two_sizes"]) == ["no_sizes", "two_sizes"]
    assert check([]) == []
    with pytest.raises(KeyError, match=r"flags without a meaning in laws/flags.py: \['a', 'b'\]"):
        check(["b", "no_sizes", "a"])
    assert all(text.endswith(".") for text in FLAGS.values())


@pytest.mark.parametrize(
    ("observed", "predicted", "reference", "expected"),
    [
        ([2, 4], [2, 4], [3, 5], 1.0),
        ([2, 4], [3, 5], [3, 5], 0.0),
        ([2], [4], [8], 3 / 4),
        ([2], [8], [4], -3.0),
        ([2, 2], [4, 2], [1, 1], 1 / 2),
        ([2], [3], [2], NAN),
        ([2], [NAN], [4], NAN),
        ([2], [0], [4], NAN),
        ([2], [-1], [4], NAN),
        ([NAN], [2], [4], NAN),
        ([2], [2], [np.inf], NAN),
        ([], [], [], NAN),
    ],
)
def test_skill_is_the_share_of_squared_error_on_the_logarithm(observed, predicted, reference, expected):
    given = (np.array(values, float) for values in (observed, predicted, reference))
    assert skill(*given) == pytest.approx(expected, nan_ok=True)


def test_a_correlation_that_stays_as_it_is_at_one_size():
    assert_allclose(constant_correlation(2, 4 / 3, np.array([1, 2, 3, 5])), [1, 4 / 3, 3 / 2, 5 / 3])
    assert_allclose(constant_correlation(3, 3.0, np.array([3, 9])), [3, 9])


ROWS = {
    "n_eff_answer": np.array([1.5, 2.0]),
    "n_eff_agreement": np.array([1.2, NAN]),
    "equal_pairs": np.array([1.0, 0.0]),
    "pairs": np.array([3.0, 0.0]),
    "correct_pairs": np.array([1.0, 0.0]),
    "n_correct": np.array([2.0, 1.0]),
    "n_valid": np.array([3.0, 1.0]),
}


def test_what_levels_average():
    assert [level.name for level in LEVELS] == ["answer", "agreement", "pooled_agreement", "correctness"]
    assert_allclose(ANSWER.parts(ROWS), [[1.5], [2]])
    assert_allclose(AGREEMENT.parts(ROWS), [[1.2], [NAN]])
    assert_allclose(POOLED_AGREEMENT.parts(ROWS), [[1, 3], [0, 0]])
    assert_allclose(CORRECTNESS.parts(ROWS), [[2, 1, 3], [0, 0, 0]])


def test_what_levels_make_of_means():
    sizes = np.array([1, 2, 3])
    assert_allclose(ANSWER.n_eff(np.array([[[1.0], [1.5], [NAN]]]), sizes), [[1, 1.5, NAN]])
    pooled = np.array([[[0.0, 0.0], [0.5, 1.0], [1.5, 3.0]], [[0.0, 0.0], [0.0, 0.0], [0.0, 3.0]]])
    assert_allclose(POOLED_AGREEMENT.n_eff(pooled, sizes), [[1, 4 / 3, 3 / 2], [1, NAN, 3]])
    correct = np.array([[[0.0, 0.0, 0.0], [0.5, 0.5, 1.0], [1.5, 0.75, 3.0]]])
    assert_allclose(CORRECTNESS.n_eff(correct, sizes), [[1, 1, 3]])


@pytest.mark.parametrize(
    ("mean", "size", "flags"),
    [
        ([0.5, 0.5, 1.0], 2, []),
        ([1.0, 1.0, 1.0], 2, ["correctness_undefined"]),
        ([0.0, 0.0, 3.0], 3, ["correctness_undefined"]),
        ([0.5, 0.0, 1.0], 2, ["correctness_unbounded"]),
        ([0.0, 0.0, 0.0], 2, []),  # nobody has a pair
        ([1.0, 1.0, 1.0], 1, []),
    ],
)
def test_why_correctness_has_no_effective_size(mean, size, flags):
    assert CORRECTNESS.flags(np.array([[mean]]), np.array([size])) == flags
    assert ANSWER.flags(np.array([[mean]]), np.array([size])) == []


def test_scales_of_levels():
    values = np.array([[[1.0, 2.0], [0.0, 0.0]], [[1.0, 1.0], [1.0, 3.0]], [[NAN, NAN], [1.0, 1.0]]])
    scales = POOLED_AGREEMENT.scales(values, np.array([2, 5]))
    assert (scales.kind.tolist(), scales.items.tolist()) == (["kish", "kish"], [2, 2])
    assert (scales.least.tolist(), scales.most.tolist()) == ([1, 1], [2, 5])

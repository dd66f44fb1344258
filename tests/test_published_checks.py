"""All 86 printed numbers that can be had from other printed numbers, by the library's public functions.

Each row of resources/published/regression_tests.csv names a function, its inputs, the number printed in arXiv
2606.02646, how far rounding of the inputs lets that be off, and the number recomputed at full precision.
"""

import numpy as np
import pytest
from published_checks import Check, read_checks

from headcount.laws.alternatives import fit_latane_slope
from headcount.laws.costs import cost, token_ratio
from headcount.laws.estimate import fit_kish, fit_ringelmann
from headcount.laws.forms import ringelmann
from headcount.laws.mean_field import collapse_spread, rate_per_peer, rate_ratio
from headcount.laws.mixing import (
    balanced_pairs,
    mixed_agreement,
    mixed_agreement_limit,
    rescaled_agreement,
    weighted_mean,
)
from headcount.laws.p_values import tost_p
from headcount.measures.diversity import correlation_from_n_eff, n_eff_from_correlation

CHECKS = read_checks()


def curve(x):
    """Sizes and efficiencies; one row gives the latter by the law that made them."""
    n = np.array(x["n"])
    if isinstance(x["R"], str):
        assert x["R"] == "ringelmann(c=0.57,beta=0.014)"
        return n, ringelmann(n, 0.57, 0.014)
    return n, np.array(x["R"])


def bounded(check: Check):
    (name,) = (name for name in ("c", "beta") if f"_{name}_" in check.id)
    return fit_ringelmann(*curve(check.inputs)).params[name]


def pairs(check: Check):
    within, between = balanced_pairs(np.array(check.inputs["n"]), check.inputs["groups"], check.inputs["items"])
    return {"pair_count_within": within, "pair_count_between": between}[check.id]


def any_ratio(check: Check):
    function = {"alpha_s": rate_ratio, "debate": token_ratio}[next(iter(check.inputs))]
    return function(*check.inputs.values())


def equivalence(check: Check):
    low, high = check.inputs["ci"]
    error = (high - low) / (2 * 1.96)
    return tost_p(np.array(check.inputs["diff"]), np.array(error), check.inputs["margin"])


def of(function):
    """A function of the inputs alone."""
    return lambda check: function(check.inputs)


FUNCTIONS = {
    "rho_from_neff": of(lambda x: correlation_from_n_eff(x["n"], np.array(x["n_eff"]))),
    "neff_from_rho": of(lambda x: n_eff_from_correlation(x["n"], np.array(x["rho"]))),
    "ringelmann_neff": of(lambda x: x["n"] * ringelmann(x["n"], x["c"], x["beta"])),
    "block_pair_counts": pairs,
    "weighted_mean": of(lambda x: weighted_mean(np.array(x["values"]), np.array(x["weights"]))),
    "one_third_two_thirds": of(lambda x: mixed_agreement_limit(3, x["rho_w"], x["rho_b"])),
    "prop4_rho_eff": of(lambda x: mixed_agreement(np.array(x["sizes"]), x["rho_w"], x["rho_b"])),
    "(N*A-1)/(N-1)": of(lambda x: rescaled_agreement(x["n"], x["a_pair"])),
    "bounded NLS on R": bounded,
    "R2 over R including N=1": of(lambda x: fit_ringelmann(*curve(x)).r2_with_one),
    "NLS of 1/(1+c(N-1)) on R": of(lambda x: fit_kish(*curve(x)).params["rho"]),
    "NLS of 1/(1+rho(N-1)) on R": of(lambda x: fit_kish(*curve(x)).params["rho"]),
    "1+slope of log R on log N, free intercept, N=2..8": of(lambda x: fit_latane_slope(*curve(x)).params["t"]),
    "ratio": any_ratio,
    "agents*rounds*tokens*price": of(lambda x: cost(x["agents"], x["rounds"], x["tokens"], x["usd_per_million"])),
    "max over N of (high-low)": of(lambda x: collapse_spread(np.array([x["n10"], x["n30"]]).T)),
    "nm_to_modal/(N-1)": of(lambda x: rate_per_peer(x["nm"], x["n"] - 1)),
    "max one-sided normal p at +-5pp": equivalence,
}


def test_no_row_is_left_out_and_no_function_is_idle():
    assert {check.function for check in CHECKS} == set(FUNCTIONS)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.id)
def test_printed_number(check):
    ours = float(FUNCTIONS[check.function](check))
    assert ours == pytest.approx(check.printed, rel=0, abs=check.tolerance + 1e-9)
    # Recomputed values stand with five digits. R is rounded to two, so a fit is known to 1e-4 at best.
    slack = 1e-4 if check.function == "bounded NLS on R" else 1e-4 * abs(check.recomputed)
    assert ours == pytest.approx(check.recomputed, rel=0, abs=slack)


def test_an_upper_bound_is_one():
    """The paper says p < .02, not p = .02."""
    (check,) = (check for check in CHECKS if check.id == "tost_gpqa_upper_bound")
    assert 0.01 < equivalence(check) < check.printed


def test_counts_and_money_are_exact():
    exact = [check for check in CHECKS if check.tolerance == 0]
    assert {check.id for check in exact} == {"pair_count_within", "pair_count_between", "cost"}
    assert all(FUNCTIONS[check.function](check) == check.printed for check in exact)

"""Associations of model rows and families: published numbers (T2, T6-T12, T25, T27, T30), SciPy, brute force."""

import json
from itertools import permutations

import numpy as np
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from published_ledger import LEDGER, expected, model_rows, table
from scipy import stats

from headcount.ledger.associations import Question, associations, leave_outs
from headcount.ledger.families import by_family, effective_families, family_bootstrap, leave_one_out
from headcount.ledger.partials import rank_partial, rank_partial_test
from headcount.ledger.permutations import permute, rank_test
from headcount.ledger.ranks import (
    associate,
    bonett_wright_interval,
    fisher_interval,
    power,
    rank_correlation,
    rows_for_power,
)

RATE = "c_cond_pct"
MEASURED = ["alpha", RATE, "init_acc", "raw_collapse", "correction_rate", "debate_revision_proxy", "final_acc"]


def families(how="mean", rows=None):
    return by_family(model_rows() if rows is None else rows, MEASURED, how)


def columns(frame, *names):
    return [frame[name].to_numpy(dtype=float) for name in names]


# --- published numbers -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "y", "rho"),
    [
        ("FR", "cond_collapse_pct", 0.195900280),
        ("SA", "cond_collapse_pct", 0.250570126),
        ("FR", "raw", 0.087358399),
        ("FR", "recover_pct", -0.091116410),
        ("init", "cond_collapse_pct", -0.218181818),
    ],
)
def test_t2_associations_of_the_sealed_rows(x, y, rho):
    rows = table("conditional_collapse_counts").eval(
        "raw = n_cond_coll / n_deb; init = n_init_correct / n_deb".replace("; ", "\n")
    )
    assert associate(rows[x], rows[y]).rho == pytest.approx(rho, abs=1e-9)


def test_t2_kendall_of_the_sealed_rows():
    rows = table("conditional_collapse_counts")
    assert associate(rows["FR"], rows["cond_collapse_pct"]).tau == pytest.approx(0.146795169, abs=1e-9)


@pytest.mark.parametrize("how", ["mean", "median"])
def test_t6_family_association_is_exact(how):
    test = rank_test(*columns(families(how), "alpha", RATE))
    assert test.statistic == pytest.approx(0.892857142857, abs=1e-9)
    assert (test.arrangements, test.as_extreme, test.as_directed, test.exact) == (5040, 62, 31, True)
    assert test.p_two_sided == pytest.approx(0.0123015873, abs=1e-9)


def test_t7_family_partial_after_initial_accuracy():
    x, y, control = columns(families(), "alpha", RATE, "init_acc")
    partial, test = rank_partial(x, y, [control]), rank_partial_test(x, y, [control])
    assert partial.rho == pytest.approx(0.76696498885, abs=1e-9)
    assert (partial.df, partial.p_t) == (4, pytest.approx(0.0751304546, abs=1e-9))
    assert test.statistic == partial.rho
    assert (test.arrangements, test.as_extreme, test.as_directed) == (5040, 442, 221)


@pytest.mark.parametrize(
    ("column", "name", "as_extreme"),
    [
        ("init_acc", "init_acc", 172),
        ("correction_rate", "correction_pct", 1008),
        ("debate_revision_proxy", "debate_revision_proxy", 444),
        ("final_acc", "final_acc", 552),
        ("raw_collapse", "raw_collapse_pct", 2),
    ],
)
def test_t8_rivals_of_the_screen_at_the_family_level(column, name, as_extreme):
    test = rank_test(*columns(families(), column, RATE))
    assert (test.as_extreme, test.arrangements) == (as_extreme, 5040)
    rho = -0.821428571 if name == "init_acc" else expected("family_bakeoff")[name][0]
    assert test.statistic == pytest.approx(rho, abs=1e-9)


def test_t9_leaving_out_one_family_of_the_family_means():
    tests = leave_one_out(families().reset_index(), "family", lambda rows: rank_test(*columns(rows, "alpha", RATE)))
    for family, (rho, p) in expected("lofo_family_mean").items():
        assert tests[family].statistic == pytest.approx(rho, abs=1e-9)
        assert tests[family].p_two_sided == pytest.approx(p, abs=1e-9)
    assert set(tests) == set(expected("lofo_family_mean"))


def test_t9_without_meta_and_qwen():
    frame = families().drop(["Meta", "Qwen"])
    test = rank_test(*columns(frame, "alpha", RATE))
    assert (test.statistic, test.as_directed, test.as_extreme, test.arrangements) == (pytest.approx(1.0), 1, 2, 120)


def test_t10_model_rows():
    rows = model_rows()
    found = associate(rows["alpha"], rows[RATE])
    assert found.rho == pytest.approx(0.829483450233, abs=1e-9)
    assert found.p_t == pytest.approx(0.000243151157, abs=1e-9)
    assert (found.low, found.high) == pytest.approx((0.53385, 0.94442), abs=2e-5)
    without = leave_one_out(rows, "family", lambda left: associate(left["alpha"], left[RATE]).rho)
    assert without == pytest.approx(expected("model_row_lofo"), abs=1e-9)
    assert min(without, key=without.get) == "Google"
    assert effective_families(rows["family"]) == pytest.approx(expected("inverse_simpson_families"), abs=0.005)


@pytest.mark.parametrize("controls", expected("model_row_partials"))
def test_t11_partials_of_model_rows(controls):
    rows = model_rows()
    partial = rank_partial(*columns(rows, "alpha", RATE), columns(rows, *controls.split("+")))
    published = expected("model_row_partials")[controls]
    assert [partial.rho, partial.p_t, partial.df] == pytest.approx(published, abs=1e-9)


def test_t12_dropping_each_qwen_row():
    rows = model_rows()
    without = leave_one_out(rows, "model", lambda left: left)
    for model, (rho, as_extreme) in expected("leave_one_qwen_row").items():
        left = without[model]
        assert associate(left["alpha"], left[RATE]).rho == pytest.approx(rho, abs=1e-9)
        assert rank_test(*columns(families(rows=left), "alpha", RATE)).as_extreme == as_extreme


def test_t25_nine_sealed_models():
    sealed = json.loads((LEDGER / "alpha_n9.json").read_text())
    rate = np.array(sealed["C_cond"])
    total = associate(sealed["alpha_total"], rate)
    assert (total.rho, total.p_t) == pytest.approx((0.783333333, 0.0125198730), abs=1e-9)
    assert (total.low, total.high) == pytest.approx((0.24848, 0.95213), abs=5e-6)
    for channel, rho in (("alpha_adv", 0.616666667), ("alpha_cor", -0.2)):
        assert associate(sealed[channel], rate).rho == pytest.approx(rho, abs=1e-9)
    exact = rank_test(np.array(sealed["alpha_total"]), rate)
    assert exact.exact
    assert exact.p_two_sided == pytest.approx(0.017223, abs=5e-7)


@pytest.mark.parametrize(
    ("drop", "G", "row", "family", "partial", "p"),
    [([], 11, 0.8239, 0.7517, 0.5969, 0.0685), (["Tencent"], 10, None, 0.9483, 0.9311, 0.000265)],
)
def test_t27_extension_cohort_ends_at_round_three(drop, G, row, family, partial, p):
    rows = table("extension_r3_frozen")
    rows = rows[~rows["family"].isin(drop)]
    if row is not None:
        assert associate(rows["alpha_tot"], rows[RATE]).rho == pytest.approx(row, abs=6e-5)
    means = by_family(rows, ["alpha_tot", RATE, "init_acc"])
    x, y, control = columns(means, "alpha_tot", RATE, "init_acc")
    found = rank_partial(x, y, [control])
    assert len(means) == G
    assert (associate(x, y).rho, found.rho, found.p_t) == pytest.approx((family, partial, p), abs=6e-5)


def test_t27_eleven_families_are_too_many_to_enumerate_and_are_sampled():
    means = by_family(table("extension_r3_frozen"), ["alpha_tot", RATE])
    test = rank_test(*columns(means, "alpha_tot", RATE), np.random.default_rng(1))
    assert (test.exact, test.arrangements) == (False, 100_001)
    assert test.p_two_sided == pytest.approx(0.0101, abs=0.0012)  # four standard errors of 100,000 draws
    with pytest.raises(ValueError, match="give a generator"):
        rank_test(*columns(means, "alpha_tot", RATE))


def test_t30_power_after_one_control():
    assert power(0.767, 7, controls=1) == pytest.approx(0.419, abs=0.001)
    assert power(0.767, 12, controls=1) == pytest.approx(0.817, abs=0.001)
    assert rows_for_power(0.767, controls=1) == expected("power")["min_G"]


def test_t6_to_t12_in_one_table():
    rows = model_rows()
    asked = [
        *(Question(level) for level in ("family_mean", "family_median", "model")),
        Question("family_mean", ("init_acc",)),
        *leave_outs(rows, "family_mean"),
        *leave_outs(rows, "model"),
    ]
    found = associations(rows, "alpha", RATE, asked, np.random.default_rng(0), 2000)
    assert found["as_extreme"].tolist()[:2] == [62, 62]
    assert found["exact"].tolist()[:4] == [True, True, False, True]
    assert (found.loc[3, "as_extreme"], found.loc[3, "controls"], found.loc[3, "df"]) == (442, "init_acc", 4)
    assert len(found) == 4 + 7 + (7 + 14)
    by_name = found.iloc[4:].set_index(["level", "left_out"])["rho"]
    for family, (rho, _) in expected("lofo_family_mean").items():
        assert by_name["family_mean", family] == pytest.approx(rho, abs=1e-9)
    for left, rho in expected("model_row_lofo").items():
        assert by_name["model", left] == pytest.approx(rho, abs=1e-9)
    for model, (rho, _) in expected("leave_one_qwen_row").items():
        assert by_name["model", model] == pytest.approx(rho, abs=1e-9)
    row = found.loc[2]  # 14 model rows: too many orders
    assert (row["arrangements"], row["p_two_sided"] < 0.005) == (2001, True)
    assert row["bonett_wright_low"] < row["fisher_low"] < row["rho"] < row["fisher_high"] < row["bonett_wright_high"]


def test_two_families_answer_nothing():
    rows = model_rows().query("family in ['Meta', 'Phi']")
    found = associations(rows, "alpha", RATE, [Question("family_mean", ("init_acc",))], np.random.default_rng(0)).iloc[
        0
    ]
    assert np.isnan(found[["rho", "p_t", "p_two_sided", "fisher_low"]].astype(float)).all()


# --- independent computations --------------------------------------------------------------------------------------


def two_columns():
    return st.integers(3, 5).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n).map(np.array)] * 2)
    )


@settings(max_examples=25)
@given(two_columns())
def test_permutation_counts_are_those_of_every_arrangement(pair):
    x, y = pair
    test = rank_test(x, y)
    if np.ptp(x) == 0 or np.ptp(y) == 0:
        assert np.isnan([test.statistic, test.p_two_sided, test.p_one_sided]).all()
        return
    observed = stats.spearmanr(x, y).statistic
    all_of_them = [stats.spearmanr(x, order).statistic for order in permutations(y.tolist())]
    assert test.as_extreme == sum(abs(rho) >= abs(observed) - 1e-9 for rho in all_of_them)
    sign = -1 if test.statistic < 0 else 1
    assert test.as_directed == sum(sign * rho >= abs(observed) - 1e-9 for rho in all_of_them)


def test_permutation_p_is_that_of_scipy():
    x, y = columns(families().drop("Meta"), "alpha", "init_acc")
    scipy = stats.permutation_test(
        (x,),
        lambda order: rank_correlation(order, y),
        permutation_type="pairings",
        n_resamples=np.inf,
        vectorized=False,
    )
    assert rank_test(x, y).p_two_sided == pytest.approx(scipy.pvalue)


@given(two_columns(), st.floats(0.1, 3))
def test_ranks_alone_count(pair, scale):
    x, y = pair
    test, moved = rank_test(x, y), rank_test(np.exp(scale * x), y)
    assert (moved.as_extreme, moved.as_directed) == (test.as_extreme, test.as_directed)
    turned = rank_test(-x, y)
    assert turned.statistic == pytest.approx(-test.statistic, nan_ok=True)
    assert turned.as_extreme == test.as_extreme


def test_random_orders_come_near_all_orders():
    x, y = columns(families(), "debate_revision_proxy", RATE)
    sampled = rank_test(x, y, np.random.default_rng(7), exact_up_to=6, draws=20_000)
    assert not sampled.exact
    assert sampled.p_two_sided == pytest.approx(444 / 5040, abs=0.009)


def test_a_permutation_test_of_a_mean_difference_is_fishers_exact_test():
    first = np.array([1, 1, 1, 1, 0, 1, 0, 0, 0])  # 4 of 5 against 1 of 4
    test = permute(lambda orders: first[orders][:, :5].sum(axis=1) - 25 / 9, 9)
    assert test.p_one_sided == pytest.approx(stats.fisher_exact([[4, 1], [1, 3]], alternative="greater").pvalue)


@given(st.integers(0, 2**32 - 1), st.integers(1, 3))
def test_rank_partial_is_the_t_test_of_a_regression_on_ranks(seed, controls):
    data = np.random.default_rng(seed).normal(size=(2 + controls, 12))
    partial = rank_partial(data[0], data[1], list(data[2:]))
    ranks = stats.rankdata(data, axis=1)
    fit = sm.OLS(ranks[1], sm.add_constant(np.stack([ranks[0], *ranks[2:]], axis=1))).fit()
    assert partial.df == fit.df_resid
    assert partial.p_t == pytest.approx(fit.pvalues[1], abs=1e-9)
    assert partial.rho * np.sqrt(partial.df / (1 - partial.rho**2)) == pytest.approx(fit.tvalues[1], rel=1e-6, abs=1e-9)


def test_a_control_that_says_all_of_x_leaves_nothing():
    x = np.arange(6.0)
    partial, test = rank_partial(x, x[::-1] ** 2, [3 * x]), rank_partial_test(x, x[::-1] ** 2, [3 * x])
    assert np.isnan([partial.rho, partial.p_t, test.statistic, test.p_two_sided]).all()


def test_rank_partial_without_controls_is_spearman():
    x, y = columns(families(), "alpha", RATE)
    without, plain = rank_partial_test(x, y, []), rank_test(x, y)
    assert without.statistic == pytest.approx(plain.statistic)
    assert (without.as_extreme, without.as_directed) == (plain.as_extreme, plain.as_directed)


@given(st.floats(-0.95, 0.95), st.integers(6, 50))
def test_bonett_wright_is_wider_than_fisher_and_both_hold_rho(rho, n):
    low, high = fisher_interval(rho, n)
    wide_low, wide_high = bonett_wright_interval(rho, n)
    assert wide_low <= low < rho < high <= wide_high
    assert (low, high) == pytest.approx(tuple(stats.pearsonr(*correlated(rho, n)).confidence_interval()), abs=1e-6)


def correlated(rho, n):
    """Two columns of n rows whose Pearson correlation is exactly rho."""
    x = np.linspace(-1, 1, n)
    other = x**2 - np.mean(x**2)
    return x / np.linalg.norm(x), rho * x / np.linalg.norm(x) + np.sqrt(1 - rho**2) * other / np.linalg.norm(other)


def test_no_interval_where_there_is_none():
    assert np.isnan(fisher_interval(1.0, 9)).all()
    assert np.isnan(fisher_interval(0.5, 3)).all()
    assert np.isnan(power(0.5, 4, controls=1))
    with pytest.raises(ValueError, match="no number of rows"):
        rows_for_power(0.0)


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=20))
def test_effective_families_lie_between_one_and_their_number(labels):
    assert 1 - 1e-12 <= effective_families(labels) <= len(set(labels)) + 1e-12


def test_family_bootstrap_draws_whole_families():
    rows = model_rows()
    low, high, known = family_bootstrap(rows, "alpha", RATE, np.random.default_rng(3), draws=500)
    assert -1 <= low < associate(rows["alpha"], rows[RATE]).rho <= high <= 1
    assert 0.9 < known <= 1
    alone = rows[rows["family"] == "Qwen"]  # one family: every draw is the rows themselves
    assert family_bootstrap(alone, "alpha", RATE, np.random.default_rng(3), draws=20)[:2] == pytest.approx(
        (associate(alone["alpha"], alone[RATE]).rho,) * 2
    )

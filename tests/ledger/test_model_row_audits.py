"""Sensitivities and forecasts over model rows: published numbers (T4, T13-T16, T32), statsmodels, brute force."""

import json

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from hypothesis import given, settings
from hypothesis import strategies as st
from published_ledger import LEDGER, expected, model_rows, table
from scipy import stats
from statsmodels.stats.multitest import multipletests

from headcount.ledger import forecasts, measurement_noise
from headcount.ledger.families import by_family
from headcount.ledger.forecasts import leave_one_out_line, propagated
from headcount.ledger.measurement_noise import SEALED_PROBES
from headcount.ledger.ranks import rank_correlation
from headcount.ledger.reorder import holm, reorder_audit
from headcount.ledger.selection import selection_utility
from headcount.ledger.tally import RATES, tally

# --- published numbers -----------------------------------------------------------------------------------------------


def test_t4_rates_of_the_model_rows_from_their_counts():
    rows = model_rows()
    kept, wrong = rows["initially_correct"] - rows["collapses"], rows["n_init_wrong"] - rows["corrections"]
    counts = np.stack([kept, rows["collapses"], rows["corrections"], wrong, 0 * wrong], axis=1).astype(float)
    events, base = tally(counts)
    rate = dict(zip(RATES, (events / np.maximum(base, 1)).T, strict=True))
    assert 100 * rate["collapse"] == pytest.approx(rows["c_cond_pct"].to_numpy(), abs=5.1e-5)
    assert rate["final_accuracy"] == pytest.approx(rows["final_acc"].to_numpy(), abs=1e-12)
    assert rate["initial_accuracy"] == pytest.approx(rows["init_acc"].to_numpy(), abs=1e-12)


def noise(seed, draws):
    rows = model_rows()
    return measurement_noise.measurement_noise(
        rows["alpha"].to_numpy(),
        np.full(len(rows), SEALED_PROBES),
        rows["collapses"].to_numpy(),
        rows["initially_correct"].to_numpy(),
        np.random.default_rng(seed),
        draws,
    )


def test_t13_noise_in_both_measurements():
    published = expected("eiv_n14")
    assert (published["seed"], published["draws"]) == (measurement_noise.SEED, measurement_noise.DRAWS)
    found = noise(measurement_noise.SEED, measurement_noise.DRAWS)
    assert [found.median, found.low, found.high] == pytest.approx([published["median"], *published["ci"]], abs=1e-4)


def test_t25_noise_in_the_measurements_of_the_nine_sealed_models():
    sealed = json.loads((LEDGER / "alpha_n9.json").read_text())
    counts = table("conditional_collapse_counts").set_index("cond_collapse_pct").loc[sealed["C_cond"]]
    found = measurement_noise.measurement_noise(
        np.array(sealed["alpha_total"]),
        np.full(9, float(sealed["eiv_n9"]["n_eff"])),
        counts["n_cond_coll"].to_numpy(),
        counts["n_init_correct"].to_numpy(),
        np.random.default_rng(sealed["eiv_n9"]["seed"]),
        sealed["eiv_n9"]["draws"],
    )
    assert [found.median, found.low, found.high] == pytest.approx([sealed["eiv_n9"]["median"], *sealed["eiv_n9"]["ci"]])


def test_t13_another_seed_says_the_same():
    assert noise(5, 4000).median == pytest.approx(0.8022, abs=0.01)


def test_t14_pairs_that_the_screen_reorders():
    rows, published = model_rows(), expected("pairwise")
    found = reorder_audit(rows)
    assert len(rows) * (len(rows) - 1) // 2 == published["n_pairs"]
    assert len(found) == published["reordered"]
    assert found["follows"].value_counts().to_dict() == {"alpha": 13, "init_acc": 12, "tied": 1}
    fisher, kept = found[found["fisher_p"] < 0.05], found[found["holm_p"] < 0.05]
    assert (len(fisher), sum(fisher["follows"] == "alpha")) == (10, 4)
    assert (len(kept), sum(kept["follows"] == "alpha")) == (8, 2)
    by_pair = {frozenset(row[:2]): row[3:] for row in found.itertuples(index=False)}
    for pair, values in published["examples"].items():
        assert by_pair[frozenset(pair.split("|"))] == pytest.approx(values, rel=1e-6)


def test_t15_choosing_models_by_the_screen():
    found, published = selection_utility(model_rows()), expected("selection")
    assert found.median_alpha == pytest.approx(published["median_alpha"], abs=5e-5 + 1e-9)
    assert (100 * found.low, 100 * found.high) == pytest.approx((5.77, 9.51), abs=0.005)
    assert (found.matched_pairs, found.wins) == (11, 7)
    assert 100 * found.mean_difference == pytest.approx(-4.06, abs=0.005)


def test_t16_a_line_through_the_other_families():
    means, published = by_family(model_rows(), ["alpha", "c_cond_pct"]), expected("lofo_linear_pred")
    found = leave_one_out_line(means["alpha"].to_numpy(), means["c_cond_pct"].to_numpy()).set_index(means.index)
    for family, values in found.drop(columns="observed").iterrows():
        assert values.tolist() == pytest.approx(published[family], abs=0.0061)
    assert rank_correlation(found["predicted"], found["observed"]) == pytest.approx(0.821, abs=0.0005)


def test_t32_forecasts_that_know_the_noise_of_rates():
    found = 100 * propagated(model_rows(), np.random.default_rng(forecasts.SEED), forecasts.DRAWS)
    columns = ["low_80", "high_80", "low_95", "high_95"]
    assert found.loc["Meta", columns].tolist() == pytest.approx([10.18, 28.39, 2.31, 35.95], abs=0.0101)
    assert found.loc["Qwen", columns].tolist() == pytest.approx([2.22, 14.60, 0, 19.76], abs=0.0101)
    assert found.loc["Phi", columns[:2]].tolist() == pytest.approx([0, 15.01], abs=0.0101)
    assert found.loc["Anthropic", columns[:2]].tolist() == pytest.approx([0, 15.88], abs=0.0101)


# --- independent computations ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 12])
def test_holm_is_that_of_statsmodels(size):
    p = np.random.default_rng(size).random(size) ** 3
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])


@settings(max_examples=10)
@given(st.integers(0, 2**32 - 1), st.integers(4, 9))
def test_the_line_is_an_ordinary_least_squares_fit(seed, families):
    x, y = np.random.default_rng(seed).normal(size=(2, families))
    found = leave_one_out_line(x, y, [0.9])
    for left in range(families):
        others = np.arange(families) != left
        fit = sm.OLS(y[others], sm.add_constant(x[others])).fit()
        at = fit.get_prediction([[1.0, x[left]]]).summary_frame(alpha=0.1)
        row = found.iloc[left]
        assert row["predicted"] == pytest.approx(at["mean"][0])
        assert (row["low_90"], row["high_90"]) == pytest.approx((at["obs_ci_lower"][0], at["obs_ci_upper"][0]))


def test_many_debates_leave_only_the_line_uncertain():
    """With a million debates a row the propagated interval is the t interval cut to [0, 1]."""
    means = by_family(model_rows(), ["alpha", "c_cond_pct"]).reset_index()
    counts = {"initially_correct": 10**6, "collapses": (means["c_cond_pct"] * 10**4).round().astype(int)}
    found = propagated(means.assign(**counts), np.random.default_rng(0), 3000)
    line = leave_one_out_line(means["alpha"].to_numpy(), means["c_cond_pct"].to_numpy() / 100)
    for column in ("low_80", "high_80"):
        assert found[column].to_numpy() == pytest.approx(np.clip(line[column], 0, 1), abs=0.012)


@pytest.mark.parametrize("x", [[0.1, 0.2, 0.3], [0.5, 0.5, 0.5, 0.9]])
def test_no_line_no_forecast(x):
    with pytest.raises(ValueError, match=r"families"):
        leave_one_out_line(np.array(x), np.arange(len(x)) / 10)


def made_up_rows():
    row = st.tuples(st.integers(0, 4), st.integers(0, 4), st.integers(1, 30), st.floats(0, 1))
    return st.lists(row, min_size=2, max_size=7).map(
        lambda rows: pd.DataFrame(
            [(f"m{i}", a / 4, b / 4, round(share * n), n) for i, (a, b, n, share) in enumerate(rows)],
            columns=["model", "alpha", "init_acc", "collapses", "initially_correct"],
        )
    )


@given(made_up_rows())
def test_reordered_pairs_are_those_where_both_point_the_same_way(rows):
    """Higher alpha and higher accuracy at once: the screen fears the one, accuracy the other."""
    found = {(row.model, row.other): row for row in reorder_audit(rows).itertuples()}
    for i in range(len(rows)):
        for j in range(i + 1, len(rows)):
            one, other = rows.iloc[i], rows.iloc[j]
            pair = found.pop((one["model"], other["model"]), None)
            if (one["alpha"] - other["alpha"]) * (one["init_acc"] - other["init_acc"]) <= 0:
                assert pair is None
                continue
            fragile, other = (one, other) if one["alpha"] > other["alpha"] else (other, one)
            first, second = (row["collapses"] / row["initially_correct"] for row in (fragile, other))
            assert pair.follows == ("tied" if first == second else "alpha" if first > second else "init_acc")
            counts = [[row["collapses"], row["initially_correct"] - row["collapses"]] for row in (one, rows.iloc[j])]
            assert pair.fisher_p == pytest.approx(stats.fisher_exact(counts).pvalue)
    assert not found


@given(made_up_rows())
def test_a_better_screen_wins_all_matched_pairs(rows):
    """Where alpha is the collapse rate itself, the lower alpha collapses less in every matched pair."""
    rows = rows.assign(alpha=rows["collapses"] / rows["initially_correct"])
    found = selection_utility(rows, gap=1.0)
    assert found.wins == found.matched_pairs
    assert found.matched_pairs == 0 or found.mean_difference < 0
    assert np.isnan(found.high) or found.low <= found.high


def test_noise_of_perfect_measurements_is_none():
    rows = model_rows()
    n = np.full(len(rows), 10**9)
    k = np.round(rows["alpha"].to_numpy() * n).astype(int)
    found = measurement_noise.measurement_noise(
        rows["alpha"].to_numpy(), n.astype(float), k, n, np.random.default_rng(0), 50
    )
    assert (found.median, found.low, found.high) == pytest.approx((1.0, 1.0, 1.0))

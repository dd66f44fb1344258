"""From rows of measures to fits and curves of a run."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from headcount.laws.cells import FitSettings, fit_run, item_weights
from headcount.laws.estimate import fit_ringelmann
from headcount.laws.flags import FLAGS
from headcount.laws.series import TeamRows, split_series, split_tasks
from headcount.schema import CURVES, FITS, MEASURES
from headcount.store import conform

SIZES = (1, 2, 3, 5, 10)
SETTINGS = FitSettings(n_boot=60)


def rows(n, k, *, items=40, condition="debate", turn=1, replicates=1, seed=0, missing=0.1) -> pd.DataFrame:
    """Measures of teams that answer A or B, most of them A."""
    rng = np.random.default_rng((seed, n, k, turn))
    keys = [(f"item{i:03d}", rep) for i in range(items) for rep in range(replicates)]
    valid = rng.binomial(n, 1 - missing, len(keys))
    first = rng.binomial(valid, 0.8)
    counts = np.stack([first, valid - first], axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = counts / valid[:, None]
        h = -np.where(counts > 0, share * np.log2(share), 0).sum(axis=1)
        rho = (counts * (counts - 1)).sum(axis=1) / (valid * (valid - 1))
    h = np.where(valid > 0, h, np.nan)
    return pd.DataFrame(
        {
            "task": "t",
            "condition": condition,
            "item": [item for item, _ in keys],
            "replicate": [rep for _, rep in keys],
            "n": n,
            "k": k,
            "round": turn,
            "n_valid": valid,
            "n_distinct": (counts > 0).sum(axis=1),
            "entropy": h,
            "n_eff_answer": 2**h,
            "agreement": rho,
            "n_eff_agreement": np.where((n == 1) & (valid == 1), 1, n / (1 + (n - 1) * rho)),
            "pairs": valid * (valid - 1) // 2,
            "equal_pairs": (counts * (counts - 1)).sum(axis=1) // 2,
            "n_correct": first,
            "correct_pairs": first * (first - 1) // 2,
            "team_answer": np.where(valid > 0, "A", None),
            "team_correct": first * 2 > valid,
            "expected_correct": (np.sign(2 * first - valid) + 1) / 2,
            "tie": False,
            "unanimous": (first == valid) & (valid > 1),
            "unanimous_wrong": (first == 0) & (valid > 1),
            "prompt_tokens": 1,
            "completion_tokens": 1,
        }
    )


def table(*parts: pd.DataFrame) -> pa.Table:
    return conform(pd.concat(parts), MEASURES, "test")


def full(**options) -> pa.Table:
    return table(*(rows(n, n - 1, **options) for n in SIZES))


def fit(measures, settings=SETTINGS):
    fits, curves = fit_run({"team": TeamRows(measures)}, settings)
    assert fits.schema.equals(FITS.schema)
    assert curves.schema.equals(CURVES.schema)
    return fits.to_pandas(), curves.to_pandas()


def pick(frame, **key) -> pd.DataFrame:
    for name, value in key.items():
        frame = frame[frame[name] == value]
    return frame


def test_a_series_has_each_law_at_each_level_and_a_curve_from_one():
    fits, curves = fit(full())
    assert len(fits) == 12
    assert set(fits["law"]) == {"ringelmann", "ringelmann_free", "kish"}
    assert set(fits["level"]) == {"answer", "agreement", "pooled_agreement", "correctness"}
    assert all(list(sizes) == [2, 3, 5, 10] for sizes in fits["sizes"])
    assert pick(curves, level="answer")["n"].tolist() == list(SIZES)
    assert {flag for flags in fits["flags"] for flag in flags} <= set(FLAGS)


def test_curves_are_what_the_levels_say():
    measures = full()
    frame = measures.to_pandas()
    _, curves = fit(measures)
    for n, team in frame.groupby("n"):
        at = {c["level"]: c for _, c in pick(curves, n=n).iterrows()}
        pairs = team["n_valid"] * (team["n_valid"] - 1)
        rho = (team["agreement"].fillna(0) * pairs).sum() / pairs.sum() if n > 1 else 0
        assert at["answer"]["n_eff"] == pytest.approx(team["n_eff_answer"].mean())
        assert at["agreement"]["n_eff"] == pytest.approx(team["n_eff_agreement"].mean())
        assert at["pooled_agreement"]["n_eff"] == pytest.approx(n / (1 + (n - 1) * rho))
        assert at["correctness"]["n_eff"] == pytest.approx(n / (1 + (n - 1) * correlation(team)) if n > 1 else 1)
        assert at["answer"]["r"] == pytest.approx(team["n_eff_answer"].mean() / n)
        assert at["answer"]["n_valid"] == pytest.approx(team["n_valid"].mean())


def correlation(team) -> float:
    """Of correctness, over all pairs of agents who answered."""
    p = (team["n_correct"] * (team["n_valid"] - 1)).sum() / (team["n_valid"] * (team["n_valid"] - 1)).sum()
    return (team["correct_pairs"].sum() / team["pairs"].sum() - p**2) / (p * (1 - p))


def test_estimates_are_those_of_the_curve_and_lie_near_their_intervals():
    fits, curves = fit(full())
    for level in set(fits["level"]):
        curve = pick(curves, level=level)
        expected = fit_ringelmann(curve["n"].to_numpy(), curve["r"].to_numpy(), free=True)
        ours = pick(fits, level=level, law="ringelmann_free").iloc[0]
        expected = (expected.params["c"], expected.params["beta"])  # no beta where every agent counts
        assert (ours["c"], ours["beta"]) == pytest.approx(expected, nan_ok=True)
        assert ours["c_low"] <= ours["c"] <= ours["c_high"]
        assert ours["interval"] == "percentile_95"
        inner = curve[curve["n"] > 1]
        assert (inner["n_eff_low"] <= inner["n_eff"]).all()
        assert (inner["n_eff"] <= inner["n_eff_high"]).all()


def test_replicates_are_averaged_within_their_item():
    """Three replicates of item 0 and one of item 1: each item counts once."""
    one, two = rows(5, 4, items=2, missing=0).iloc[[0]], rows(5, 4, items=2, missing=0).iloc[[1]]
    three = [one.assign(replicate=i, n_eff_answer=2.0 + i) for i in range(3)]
    _, curves = fit(table(*three, two.assign(n_eff_answer=1.0)))
    assert pick(curves, level="answer")["n_eff"].tolist() == [pytest.approx((3.0 + 1.0) / 2)]


def test_peers_are_labelled_by_who_is_heard():
    sweep = [(1, 0), (3, 2), (5, 4), (10, 9), (10, 4), (10, 2), (5, 2)]
    fits, curves = fit(
        table(
            *(rows(n, k) for n, k in sweep),
            *(rows(n, n - 1, condition="noise") for n in SIZES),
            *(rows(n, 0, condition="self_correction", turn=2) for n in SIZES),
            *(rows(n, 0, condition="self_consistency") for n in SIZES),
        )
    )
    curves = pick(curves, level="answer")
    found = {(str(c), str(p)): g["n"].tolist() for (c, p), g in curves.groupby(["condition", "peers"], observed=True)}
    assert found == {
        ("debate", "full"): [1, 3, 5, 10],
        ("debate", "2"): [3, 5, 10],  # n = 3, k = 2 is both
        ("debate", "4"): [5, 10],
        ("noise", "full"): list(SIZES),
        ("self_correction", "none"): list(SIZES),
        ("self_consistency", "none"): list(SIZES),
    }
    assert len(fits) == 12 * 6


def test_rounds_are_series_of_their_own():
    fits, _ = fit(table(*(rows(n, n - 1, turn=turn) for n in SIZES for turn in (1, 2, 3))))
    assert sorted(set(fits["round"])) == [1, 2, 3]


def test_weights_are_shared_by_conditions_and_change_with_seed_team_and_task():
    one = item_weights(30, SETTINGS, "team", "task")
    assert (one == item_weights(30, SETTINGS, "team", "task")).all()
    for other in (
        item_weights(30, SETTINGS, "team", "other"),
        item_weights(30, SETTINGS, "other", "task"),
        item_weights(30, FitSettings(n_boot=60, seed=1), "team", "task"),
    ):
        assert (one != other).any()


def test_two_conditions_with_the_same_answers_have_the_same_intervals():
    same = [rows(n, n - 1, condition=c) for n in SIZES for c in ("debate", "noise")]
    fits, _ = fit(table(*same))
    numbers = ["c", "c_low", "c_high", "beta", "beta_low", "beta_high"]
    debate, noise = (pick(fits, condition=c)[numbers].to_numpy() for c in ("debate", "noise"))
    np.testing.assert_array_equal(debate, noise)


def test_order_of_rows_and_other_teams_change_nothing():
    measures = full()
    shuffled = measures.take(np.random.default_rng(0).permutation(measures.num_rows))
    alone, _ = fit_run({"team": TeamRows(measures)}, SETTINGS)
    both, _ = fit_run({"other": TeamRows(full(seed=1)), "team": TeamRows(shuffled)}, SETTINGS, simulated={"other"})
    frame = both.to_pandas()
    labels = dict.fromkeys(("team", "task", "condition", "level", "law", "peers", "interval", "regime"), object)
    pd.testing.assert_frame_equal(
        pick(frame, team="team").reset_index(drop=True).astype(labels),
        alone.to_pandas().astype(labels),
    )
    assert frame.groupby("team", observed=True)["simulated"].unique().map(list).to_dict() == {
        "other": [True],
        "team": [False],
    }


def flags_of(measures, settings=SETTINGS, law="ringelmann", level="answer") -> set[str]:
    fits, _ = fit(measures, settings)
    return set(pick(fits, law=law, level=level).iloc[0]["flags"])


@pytest.mark.parametrize(
    ("measures", "flag"),
    [
        (full(items=1, missing=0), "one_item"),
        (full(items=10), "few_items"),
        (full(missing=0.2), "many_missing"),
        (table(rows(1, 0), rows(5, 4)), "one_size"),
        (table(rows(2, 1), rows(5, 4)), "two_sizes"),
        (table(*(rows(n, n - 1, items=40 - n) for n in SIZES)), "items_differ_by_size"),
        (full(missing=1.0), "no_sizes"),
    ],
)
def test_flags(measures, flag):
    assert flag in flags_of(measures)
    assert flag not in flags_of(full(missing=0))


def all_right(frame) -> pd.DataFrame:
    return frame.assign(n_correct=frame["n_valid"], correct_pairs=frame["pairs"])


def alike(frame) -> pd.DataFrame:
    """Every item has the same share of right agents: half of them."""
    right = frame["n"] // 2
    return frame.assign(n_correct=right, correct_pairs=right * (right - 1) // 2)


def at_size(n, change) -> pa.Table:
    """Teams whose correctness has been changed at one size."""
    return table(*(change(part) if size == n else part for size in SIZES for part in [rows(size, size - 1, missing=0)]))


@pytest.mark.parametrize(
    ("change", "n", "flag"), [(all_right, 5, "correctness_undefined"), (alike, 10, "correctness_unbounded")]
)
def test_a_size_without_an_effective_size_of_correctness_is_flagged_and_left_out(change, n, flag):
    measures = at_size(n, change)
    fits, curves = fit(measures)
    level = pick(curves, level="correctness")
    assert level["n"][level["n_eff"].isna()].tolist() == [n]
    assert level[level["n"] == n][["n_eff_low", "n_eff_high"]].isna().all(axis=None)
    row = pick(fits, law="ringelmann", level="correctness").iloc[0]
    assert {flag, "size_without_value"} <= set(row["flags"])
    assert np.isfinite(row["c"])
    assert not {"correctness_undefined", "correctness_unbounded"} & flags_of(measures, level="answer")
    assert not {"correctness_undefined", "correctness_unbounded"} & flags_of(full(), level="correctness")


def test_correctness_where_everybody_is_right_has_no_fit():
    measures = table(*(all_right(rows(n, n - 1, missing=0)) for n in SIZES))
    fits, curves = fit(measures)
    assert pick(curves, level="correctness")["n_eff"].dropna().tolist() == [1]  # a team of one is one
    assert pick(fits, level="correctness")["c"].isna().all()
    assert {"correctness_undefined", "no_sizes"} <= flags_of(measures, level="correctness")


def test_correctness_of_independent_agents_on_items_of_one_difficulty_is_the_whole_team():
    _, curves = fit(full(items=3000, missing=0), FitSettings(n_boot=0))
    level = pick(curves, level="correctness")
    np.testing.assert_allclose(level["n_eff"], level["n"], rtol=0.15)


def test_one_item_has_no_interval():
    fits, curves = fit(full(items=1, missing=0))
    assert fits[["c_low", "c_high", "beta_low", "beta_high"]].isna().all(axis=None)
    assert set(fits["interval"]) == {"none"}
    assert curves[["n_eff_low", "n_eff_high"]].isna().all(axis=None)


def test_an_interval_without_width_is_no_certainty():
    """Per-item agreement makes correlation seem to rise; every resample sits at beta = 0."""
    fits, _ = fit(full(missing=0.3, items=200))
    row = pick(fits, law="ringelmann", level="agreement").iloc[0]
    assert row["beta_low"] == row["beta_high"] == 0
    assert {"beta_at_lower_bound", "interval_collapsed"} <= set(row["flags"])


def test_a_team_of_one_alone_has_a_curve_and_no_fit():
    fits, curves = fit(table(rows(1, 0)))
    assert fits.empty
    assert set(curves["n"]) == {1}


def test_no_resamples_no_intervals():
    fits, _ = fit(full(), FitSettings(n_boot=0))
    assert fits["c"].notna().all()
    assert set(fits["interval"]) == {"none"}


def test_pooled_agreement_finds_no_exponent_where_agents_are_independent():
    fits, _ = fit(full(items=3000, missing=0), FitSettings(n_boot=0))
    free = pick(fits, law="ringelmann_free").set_index("level")
    assert free.loc["pooled_agreement", "c"] == pytest.approx(0.8**2 + 0.2**2, abs=0.03)
    assert free.loc["pooled_agreement", "beta"] == pytest.approx(0, abs=0.03)


def test_items_are_cut_by_task():
    frame = full().to_pandas()
    other = frame.assign(task="u", item=frame["item"].astype(str) + "u")
    tasks = dict(split_tasks(TeamRows(conform(pd.concat([frame, other]), MEASURES, "test"))))
    assert list(tasks) == ["t", "u"]
    assert len(tasks["u"].items) == 40
    assert [series.sizes.tolist() for series in split_series(tasks["u"])] == [list(SIZES)]


def test_fitting_and_measuring_load_no_scipy():
    """Jobs that fit are many and short; SciPy takes longer to load than they take to run."""
    modules = "headcount.laws.cells, headcount.laws.estimate, headcount.measures.table"
    code = f"import sys, {modules}; assert 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)

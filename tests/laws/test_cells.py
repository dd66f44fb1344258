"""From rows of measures to fits and curves of a run."""

import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from fitted import SETTINGS, SIZES, fit, full, pick, rows, table

from headcount.laws.cells import fit_run
from headcount.laws.estimate import fit_ringelmann
from headcount.laws.flags import FLAGS
from headcount.laws.series import TeamRows, split_series, split_tasks
from headcount.laws.settings import FitSettings, item_weights
from headcount.schema import MEASURES
from headcount.store import conform


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
        assert ours["interval"] == "jackknife_t_95"
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

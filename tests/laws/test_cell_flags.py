"""What is said of a fit that is to be read with care, or cannot be made."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from fitted import SETTINGS, SIZES, fit, full, pick, rows, table
from social_worlds import frame_of, team_of

from headcount.laws.cells import fit_run
from headcount.laws.settings import FitSettings
from headcount.measures.intervals import INTERVALS
from headcount.store import plain


def flags_of(measures, settings=SETTINGS, law="ringelmann", level="answer") -> set[str]:
    fits, _ = fit(measures, settings)
    return set(pick(fits, law=law, level=level).iloc[0]["flags"])


@pytest.mark.parametrize(
    ("measures", "flag"),
    [
        (full(items=1, missing=0), "one_item"),
        (full(items=10), "few_items"),
        (table(rows(2, 1).assign(agreement=1.0), rows(5, 4)), "few_items_differ"),
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


def test_a_beta_that_hangs_on_one_item_has_no_interval():
    """All agents of all items but one differ: without that one c is 0, and any beta fits."""
    teams = [rows(n, n - 1, missing=0) for n in SIZES]
    alike = {n: np.where(team["item"] == "item007", 1.0, n) for n, team in zip(SIZES, teams, strict=True)}
    fits, _ = fit(table(*(team.assign(n_eff_answer=alike[n]) for n, team in zip(SIZES, teams, strict=True))))
    row = pick(fits, law="ringelmann_free", level="answer").iloc[0]
    assert row["c"] > 0
    assert np.isnan([row["beta_low"], row["beta_high"]]).all()
    assert "group_without_beta" in row["flags"]
    assert row["regime"] == "undetermined"
    assert {"group_without_beta", "draws_without_beta"}.isdisjoint(flags_of(full(missing=0)))
    paper = pick(fits, law="ringelmann", level="answer").iloc[0]  # a third of its resamples lack that item
    assert paper["flags"].tolist() == ["draws_without_beta"]


@pytest.mark.parametrize(("sizes", "said"), [((2, 5), True), ((5,), False)])
def test_beta_is_zero_by_construction_where_sizes_have_all_their_teams(sizes, said):
    """Of all pairs the same share agrees at every size; one size has no beta at all."""
    frame = frame_of("independent", 1, items=12, sizes=(2, 5))
    fits = plain(fit_run({"t": team_of(frame, sizes)}, FitSettings(n_boot=0))[0])
    two = (fits["law"] != "kish") & (fits["subsets"] == "all") & (fits["level"] == "pooled_agreement")
    assert two.any()
    flagged = fits["flags"].map(lambda flags: "beta_zero_by_construction" in flags)
    assert flagged.tolist() == (two & said).tolist()


@pytest.mark.parametrize("same", [False, True])
def test_a_beta_that_is_zero_by_construction_is_said_once(same):
    """Its interval has no width for that reason, and whether rounding leaves it one is nobody's concern."""
    frame = frame_of("independent", 1, items=30, sizes=(2, 5))
    if same:  # no rounding either: all agents answer the same to every item
        frame = frame.assign(answer="A", correct=True)
    fits = plain(fit_run({"t": team_of(frame, (2, 5))}, FitSettings(n_boot=20))[0])
    fits = fits[(fits["law"] == "ringelmann") & (fits["level"] == "pooled_agreement")]
    debate, alone = (
        set(pick(fits, condition=name, subsets=kind, round=1)["flags"].iloc[0])
        for name, kind in (("debate", "first"), ("self_consistency", "all"))
    )
    assert "interval_collapsed" not in alone
    assert "beta_zero_by_construction" in alone
    assert "beta_zero_by_construction" not in debate
    assert ("interval_collapsed" in debate) or not same


@pytest.mark.parametrize(("items", "few"), [(29, True), (30, False)])
def test_thirty_items_are_not_few(items, few):
    assert ("few_items" in flags_of(full(items=items, missing=0))) == few


@pytest.mark.parametrize(("alike", "few"), [(4, True), (5, False)])
def test_five_items_of_which_a_pair_disagrees_are_not_few(alike, few):
    pairs = rows(2, 1)
    pairs["agreement"] = np.where(np.arange(len(pairs)) < alike, 0.0, 1.0)
    assert ("few_items_differ" in flags_of(table(pairs, rows(5, 4)))) == few


def test_each_team_has_items_drawn_of_its_own():
    team = team_of(frame_of("conforming", 1, items=12, sizes=(2, 3, 5), twice=()), (2, 3, 5))
    drawn = FitSettings(n_boot=20, interval=INTERVALS["percentile"])
    fits = plain(fit_run({"t": team, "u": team}, drawn)[0])
    one, other = (fits[fits["team"] == name].reset_index(drop=True) for name in ("t", "u"))
    np.testing.assert_allclose(one["c"], other["c"], atol=1e-9)
    assert (one["c_low"] - other["c_low"]).abs().max() > 1e-3

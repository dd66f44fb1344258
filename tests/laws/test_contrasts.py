"""Contrasts against their definition item by item, and where a side, a round or an item is missing."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_teams import answers, measured
from scipy import stats
from scipy.stats import norm
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.weightstats import ttost_paired

from headcount.laws.contrasts import contrast_run
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.intervals import bootstrap_means
from headcount.schema import CONTRASTS
from headcount.store import plain

SETTINGS = FitSettings(n_boot=100).paper
SIDES = {
    "process_loss": (("self_correction", 3), ("debate", 3)),
    "process_loss_noise": (("noise", 3), ("debate", 3)),
    "gain_debate": (("debate", 3), ("debate", 1)),
    "gain_self_correction": (("self_correction", 3), ("self_correction", 1)),
    "gain_noise": (("noise", 3), ("noise", 1)),
    "debate_over_sampling": (("debate", 3), ("self_consistency", 1)),
}


def contrast(frame: pd.DataFrame, how: FitSettings = SETTINGS) -> pd.DataFrame:
    table = contrast_run({"team": TeamRows(measured(frame))}, how)
    assert table.schema.equals(CONTRASTS.schema)
    return plain(table)


def right(frame: pd.DataFrame, condition: str, turn: int, n: int) -> pd.Series:
    """Team accuracy of each item."""
    teams = plain(measured(frame))
    teams = teams[(teams["condition"] == condition) & (teams["round"] == turn) & (teams["n"] == n)]
    return teams.groupby("item")["team_correct"].mean()


def one(table: pd.DataFrame, name: str, n: int) -> pd.Series:
    return table[(table["contrast"] == name) & (table["n"] == n)].iloc[0]


def test_contrasts_are_those_of_the_items():
    frame = answers(items=40)
    table = contrast(frame)
    assert len(table) == len(SIDES) * 4
    assert set(table["peers"]) == {"full"}
    weights = item_weights(40, SETTINGS, "team", "t")
    for (name, sides), n in ((side, n) for side in SIDES.items() for n in (1, 2, 3, 5)):
        row = one(table, name, n)
        first, second = (right(frame, *side, n).to_numpy(dtype=float) for side in sides)
        draws = weights @ np.stack([first, second, first - second], axis=1) / 40
        assert row[["first", "second", "difference"]].tolist() == pytest.approx(
            [first.mean(), second.mean(), (first - second).mean()]
        )
        for column, (low, high) in enumerate(
            (("first_low", "first_high"), ("second_low", "second_high"), ("low", "high"))
        ):
            assert row[[low, high]].tolist() == pytest.approx(np.percentile(draws[:, column], [2.5, 97.5]).tolist())
        assert (row["only_first"], row["only_second"]) == ((first > second).sum(), (first < second).sum())
        assert row["p_mcnemar"] == pytest.approx(
            mcnemar([[0, row["only_first"]], [row["only_second"], 0]], exact=True).pvalue
        )
        d = draws[:, 2].round(12)
        assert row["p_bootstrap"] == pytest.approx(min(1, 2 * (1 + min((d <= 0).sum(), (d >= 0).sum())) / 101))
        z = (0.05 - abs(row["difference"])) / d.std(ddof=1)
        assert row["p_tost"] == pytest.approx(norm.sf(z))
        assert (row["margin"], row["n_items"]) == (0.05, 40)


def test_equivalence_is_near_that_of_statsmodels_on_many_items():
    frame = answers(items=600, sizes=(2,), conditions=("debate", "self_correction"), missing=0)
    row = one(contrast(frame, FitSettings(n_boot=3000)), "process_loss", 2)
    first, second = (right(frame, *side, 2).to_numpy(dtype=float) for side in SIDES["process_loss"])
    expected, *_ = ttost_paired(first, second, -0.05, 0.05)
    assert row["p_tost"] == pytest.approx(expected, abs=0.02)


def test_rounds_are_the_last_that_both_sides_have():
    frame = answers()
    longer = frame[(frame["condition"] != "self_correction") | (frame["round"] < 3)]
    row = one(contrast(longer), "process_loss", 3)
    assert row["first"] == pytest.approx(right(frame, "self_correction", 2, 3).mean())
    assert row["second"] == pytest.approx(right(frame, "debate", 2, 3).mean())
    assert one(contrast(longer), "gain_debate", 3)["first"] == pytest.approx(right(frame, "debate", 3, 3).mean())


def test_without_a_revision_or_a_side_there_is_no_contrast():
    assert contrast(answers(rounds=1)).empty
    names = set(contrast(answers(conditions=("debate",)))["contrast"])
    assert names == {"gain_debate"}
    frame = answers()
    lacking = frame[(frame["condition"] != "self_correction") | (frame["n"] != 3)]
    table = contrast(lacking)
    assert sorted(table[table["contrast"] == "process_loss"]["n"]) == [1, 2, 5]


def test_teams_that_hear_some_are_left_out():
    frame = answers(sizes=(5,))
    some = frame[frame["condition"] == "debate"].assign(k=2, answer="A", correct=True)
    pd.testing.assert_frame_equal(contrast(pd.concat([frame, some])), contrast(frame))


def test_items_that_a_side_lacks_are_left_out_of_both():
    frame = answers()
    fewer = frame[(frame["condition"] != "self_correction") | (frame["item"] < "item007")]
    row = one(contrast(fewer), "process_loss", 3)
    assert row["n_items"] == 7
    assert row["second"] == pytest.approx(right(frame, "debate", 3, 3)[:7].mean())
    assert one(contrast(fewer), "gain_debate", 3)["n_items"] == 12


def test_replicates_are_averaged_and_mcnemar_looks_at_the_first():
    frame = answers(replicates=3, items=20)
    table, alone = contrast(frame), contrast(frame[frame["replicate"] == 1])
    first, second = (right(frame, *side, 3) for side in SIDES["process_loss"])
    row = one(table, "process_loss", 3)
    assert row["difference"] == pytest.approx((first - second).mean())
    names = ["only_first", "only_second", "p_mcnemar"]
    pd.testing.assert_frame_equal(table[names], alone[names])
    assert (table["difference"] != alone["difference"]).any()


def test_where_nothing_changed_there_is_no_difference():
    frame = answers(conditions=("debate",), rounds=1)
    same = pd.concat([frame, frame.assign(round=2)])
    row = one(contrast(same, FitSettings(n_boot=100)), "gain_debate", 3)
    t = stats.t.ppf(0.975, 11)
    most = t**2 / (12 + t**2)  # of 12 items none differs, and so may that share by Wilson's interval
    assert row[["difference", "low", "high"]].tolist() == pytest.approx([0, -most, most])
    assert (row["p_bootstrap"], row["p_mcnemar"]) == (1, 1)
    assert np.isnan(row["p_tost"])  # no item differs, so nothing is known of the spread


def test_one_item_has_counts_and_no_interval():
    row = one(contrast(answers(items=1)), "process_loss", 3)
    assert row[["low", "high", "first_low", "second_high", "p_bootstrap", "p_tost"]].isna().all()
    assert row["p_mcnemar"] == 1
    row = one(contrast(answers(), FitSettings(n_boot=0)), "process_loss", 3)
    assert row[["low", "high", "p_bootstrap", "p_tost"]].isna().all()
    assert row["n_items"] == 12


class LeaveOneOut:
    """An interval whose draws are not a bootstrap: they leave out an item each."""

    name = "leave_one_out"

    def __init__(self, _draws: int):
        pass

    def weights(self, items, _rng):
        return np.ones((items, items)) - np.eye(items)

    def __call__(self, values, estimator, weights, _level, _scales=None):
        draws = estimator(bootstrap_means(values, weights))
        return draws.min(axis=0), draws.max(axis=0), draws


def test_p_values_are_from_the_bootstrap_whatever_the_interval():
    frame = answers(items=30)
    ours, theirs = contrast(frame), contrast(frame, FitSettings(n_boot=100, interval=LeaveOneOut))
    names = ["p_bootstrap", "p_tost", "p_mcnemar"]
    pd.testing.assert_frame_equal(ours[names], theirs[names])
    assert (theirs["high"] - theirs["low"]).mean() < (ours["high"] - ours["low"]).mean()


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 99))
def test_order_of_rows_and_of_agents_changes_nothing(seed):
    rng = np.random.default_rng(seed)
    frame = answers(items=6, sizes=(1, 3), seed=seed)
    team = ["condition", "item", "n", "round"]
    seats = frame.groupby(team)["agent"].transform(lambda agents: rng.permutation(len(agents)) + 1)
    shuffled = frame.assign(agent=seats).sample(frac=1, random_state=seed)
    pd.testing.assert_frame_equal(contrast(shuffled), contrast(frame))


def test_swapping_two_conditions_swaps_the_sides():
    frame = answers()
    swapped = frame.assign(
        condition=frame["condition"].replace({"noise": "debate", "debate": "noise"}),
    )
    ours, theirs = (one(contrast(rows), "process_loss_noise", 3) for rows in (frame, swapped))
    assert ours["difference"] == pytest.approx(-theirs["difference"])
    assert (ours["low"], ours["high"]) == pytest.approx((-theirs["high"], -theirs["low"]))
    assert ours["only_first"] == theirs["only_second"]
    assert ours[["p_bootstrap", "p_tost", "p_mcnemar"]].tolist() == pytest.approx(
        theirs[["p_bootstrap", "p_tost", "p_mcnemar"]].tolist()
    )


def test_no_teams_no_rows():
    assert contrast_run({}, SETTINGS).num_rows == 0

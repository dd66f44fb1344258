"""Screens from probe rows: published counts and rates (T24-T26), and rates counted by hand."""

import json

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from made_up_probes import battery, from_counts
from published_ledger import LEDGER, table

from headcount.ledger.flips import UNANSWERED, channels, flip_rates, high_flip_items
from headcount.ledger.ranks import associate
from headcount.ledger.screens import alpha_interval, arms_mean, log_social_ratio, screen, social_share

# --- published numbers -----------------------------------------------------------------------------------------------

ARMS = table("alpha_split_counts").assign(social=lambda rows: rows["social"] == 1)
COUNTS = ["n_right", "n_wrong", "n_adv", "n_cor", "n_neutral"]
NAMES = {"n_init_right": "n_right", "n_init_wrong": "n_wrong"}


@pytest.mark.parametrize(
    "row", ARMS.rename(columns=NAMES).to_dict("records"), ids=lambda row: f"{row['model']} {row['condition']}"
)
def test_t24_rates_of_published_counts(row):
    probes = from_counts(*(row[name] for name in COUNTS), social=row["social"], condition=row["condition"])
    found = channels(probes, ["condition", "social"]).iloc[0]
    assert found["n_flip"] == row["n_flip"] == row["n_adv"] + row["n_cor"] + row["n_neutral"]
    for name in ("n_probes", "alpha", "alpha_adv", "alpha_cor", "alpha_neutral"):
        assert found[name] == pytest.approx(row[name], abs=1e-9)


def test_t24_sealed_rows_are_the_mean_of_two_arms():
    sealed = json.loads((LEDGER / "alpha_n9.json").read_text())
    split = table("alpha_split_per_model")
    arms = pd.concat(
        split[["model", f"alpha_{arm}", f"alpha_adv_{arm}", f"alpha_cor_{arm}"]]
        .set_axis(["model", "alpha", "alpha_adv", "alpha_cor"], axis=1)
        .assign(social=arm == "social")
        for arm in ("solo", "social")
    )
    found = arms_mean(arms).loc[sealed["models"]]
    for column, published in (
        ("alpha_tot_arms", "alpha_total"),
        ("alpha_adv_arms", "alpha_adv"),
        ("alpha_cor_arms", "alpha_cor"),
    ):
        assert found[column].tolist() == pytest.approx(sealed[published], abs=1e-9)


def test_t24_a_sealed_row_from_its_probes():
    """Sonnet 4.5, both arms of the default condition as probe rows, through the screen itself."""
    rows = ARMS.rename(columns=NAMES).query("model == 'Sonnet 4.5' and condition == 'default'").to_dict("records")
    probes = pd.concat(
        [from_counts(*(row[name] for name in COUNTS), model="Sonnet 4.5", social=row["social"]) for row in rows]
    )
    assert screen(probes).loc["Sonnet 4.5", "alpha_tot_arms"] == pytest.approx(0.45040838801450006, abs=1e-9)


def test_t26_social_against_argument_sensitivity():
    rows = table("sa_ratio_models")
    share = social_share(rows["s_soc"].to_numpy(), rows["s_arg"].to_numpy())
    ratio = log_social_ratio(rows["s_soc"].to_numpy(), rows["s_arg"].to_numpy())
    assert share == pytest.approx(rows["sa_orig"].to_numpy(), abs=1e-9)
    assert ratio == pytest.approx(rows["sa_log"].to_numpy(), abs=1e-9)
    assert associate(share, ratio).rho == pytest.approx(0.983333, abs=5e-7)


# --- rates counted by hand -------------------------------------------------------------------------------------------

T, F, N = True, False, None
#        solo: weak ... very strong, social: weak ... very strong
FLIPS = [[F, F, F, T, F, T, T, T], [T, T, N, N, T, T, N, N], [F] * 8, [N] * 8, [F] * 8, [T] * 8]
RIGHT = [True, False, True, False, None, False]


def test_flip_rates_by_hand():
    rates = flip_rates(battery(FLIPS, RIGHT)).set_index(["item", "agent"])
    assert rates["flip_rate"].tolist() == pytest.approx([0.5, 1.0, 0.0, np.nan, 1.0], nan_ok=True)
    assert rates.index.tolist() == [("q0", 1), ("q0", 2), ("q0", 3), ("q1", 1), ("q1", 3)]  # one was asked nothing
    assert rates["probes"].tolist() == [8, 4, 8, 0, 8]
    first = rates.loc[("q0", 1)]
    assert (first["s_soc"], first["s_arg"]) == (0.75 - 0.25, 1.0 - 0.0)


@pytest.mark.parametrize(("unanswered", "mean"), [("drop", 2.5 / 4), ("no_flip", 2.0 / 5), ("flip", 3.5 / 5)])
def test_three_readings_of_a_reply_without_an_answer(unanswered, mean):
    assert screen(battery(FLIPS, RIGHT), unanswered).loc["m", "alpha_tot"] == pytest.approx(mean)


def test_screen_of_one_model_by_hand():
    probes = pd.concat([battery(FLIPS, RIGHT), battery([[T] * 8] * 3, [True] * 3, condition="anti_social")])
    found = screen(probes).loc["m"]
    assert (found["rows"], found["probes"]) == (5, 28)
    assert found["unparsed"] == pytest.approx(12 / 40)
    assert (found["alpha_adv"], found["alpha_cor"], found["alpha_neutral"]) == pytest.approx((4 / 16, 0.0, 12 / 12))
    assert found["alpha_tot_conditions"] == pytest.approx((0.5 + 0.5 + 0 + 0 + 1 + 3) / 8)
    solo, social = (1 + 2 + 0 + 4) / (4 + 2 + 4 + 4), (3 + 2 + 0 + 4) / (4 + 2 + 4 + 4)
    assert found["alpha_tot_arms"] == pytest.approx((solo + social) / 2)


def test_two_readings_of_the_social_share_differ():
    """One question moved by company alone, two by argument alone: shares 1, 0, 0, and a ratio of means of 1/3."""
    company, argument = [[F] * 4 + [T] * 4], [[F, F, F, T] * 2]
    found = screen(battery(company + argument * 2, [True] * 3, agents=1)).loc["m"]
    assert found["sa_mean_of_items"] == pytest.approx(1 / 3, abs=1e-3)
    assert found["sa_of_means"] == pytest.approx(1 / 3, abs=2e-3)
    a_little = [[F] * 4 + [F, T, F, F]]  # for this question alone the share is 1 all the same
    found = screen(battery(a_little + argument * 2, [True] * 3, agents=1)).loc["m"]
    assert found["sa_mean_of_items"] == pytest.approx(1 / 3, abs=2e-3)
    assert found["sa_of_means"] == pytest.approx(0.25 / 2.25, abs=1e-3)


def test_high_flip_items_are_chosen_by_solo_flips_and_name():
    rates = flip_rates(battery([[T] + [F] * 7, [F] * 8, [T] + [F] * 7, [F] * 4 + [T] * 4], [True] * 4, agents=1))
    assert high_flip_items(rates, 3)["item"].tolist() == ["q0", "q2", "q1"]
    assert high_flip_items(rates.sample(frac=1, random_state=1), 3)["item"].tolist() == ["q0", "q2", "q1"]


# --- properties ------------------------------------------------------------------------------------------------------

flips_of_rows = st.lists(st.lists(st.sampled_from([True, False, None]), min_size=8, max_size=8), min_size=1, max_size=6)


@settings(max_examples=15)
@given(flips_of_rows, st.randoms(use_true_random=False))
def test_readings_are_ordered_and_channels_add_up(flips, chance):
    right = [chance.random() < 0.6 for _ in flips]
    corrected = [
        [flip and not first and chance.random() < 0.5 for flip in row] for row, first in zip(flips, right, strict=True)
    ]
    probes = battery(flips, right, corrected)
    low, middle, high = (channels(probes, unanswered=how).iloc[0]["alpha"] for how in ("no_flip", "drop", "flip"))
    assert low <= high
    assert np.isnan(middle) or low <= middle <= high
    for how in UNANSWERED:
        found = channels(probes, unanswered=how).iloc[0]
        assert found["n_probes"] == found["n_right"] + found["n_wrong"]
        assert found["n_flip"] == np.nansum(found[["n_adv", "n_cor", "n_neutral"]].astype(float))
        assert found["n_adv"] <= found["n_right"]
        assert found["n_cor"] + found["n_neutral"] <= found["n_wrong"]


@given(st.lists(st.tuples(st.floats(-1, 1), st.floats(-1, 1)), min_size=1, max_size=5).map(np.array))
def test_the_social_share_is_bounded_and_odd(contrasts):
    share = social_share(*contrasts.T)
    assert (np.abs(share) < 1).all()
    assert share == pytest.approx(-social_share(-contrasts[:, 0], contrasts[:, 1]))


def test_an_interval_of_items_holds_the_rate_and_copies_of_a_row_do_not_narrow_it():
    rng = np.random.default_rng(2)
    flips = [[bool(flip) for flip in row] for row in rng.random((20, 8)) < rng.random((20, 1))]
    alone = flip_rates(battery(flips, [True] * 20, agents=1))
    copied = flip_rates(battery([row for row in flips for _ in range(3)], [True] * 60, agents=3))
    ends = alpha_interval(alone, np.random.default_rng(0))
    assert ends[0] < alone["flip_rate"].mean() < ends[1]
    assert alpha_interval(copied, np.random.default_rng(0)) == pytest.approx(ends, abs=0.03)

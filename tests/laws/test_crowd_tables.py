"""Rules, best members and calibration of a run's teams, from answers to tables."""

import numpy as np
import pandas as pd
import pytest
from made_up_panels import answers_of, random_codes, table_of

from headcount.laws.calibration import calibration_run
from headcount.laws.crowd import SPLITS, crowd_run
from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.crowd import CROWD_RULES, halves
from headcount.measures.table import measure
from headcount.schema import BEST_MEMBER, CALIBRATION, CROWD
from headcount.store import plain

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:crowdkit")
SETTINGS = FitSettings(n_boot=60)


def team(accuracy, *, items=100, seed=0, models="abcdefgh", missing=0.1, **key) -> pd.DataFrame:
    codes, gold = random_codes(np.random.default_rng(seed), items, accuracy, missing=missing)
    return answers_of(codes, gold, models[: len(accuracy)], **key)


QUICK = ("majority_vote", "wawa")


def run(*frames: pd.DataFrame, settings: FitSettings = SETTINGS, rules=QUICK) -> tuple[pd.DataFrame, pd.DataFrame]:
    crowd, members = crowd_run({"team": table_of(*frames)}, settings, rules=rules)
    assert crowd.schema.equals(CROWD.schema)
    assert members.schema.equals(BEST_MEMBER.schema)
    return plain(crowd), plain(members)


def right_of(frame: pd.DataFrame) -> pd.DataFrame:
    """Whether each model is right, by item: a missing answer is wrong."""
    wide = frame.pivot_table(index="item", columns="model", values="correct", aggfunc="sum", dropna=False)
    return wide.fillna(0).astype(float)


def test_plurality_is_that_of_the_measures_and_every_rule_stands_beside_it():
    frame = team((0.8, 0.5, 0.4, 0.4), missing=0.6)
    rules, _ = run(frame, rules=CROWD_RULES)
    rules = rules.set_index("rule")
    measures = measure(table_of(frame)).to_pandas()
    assert set(rules.index) == {"plurality", *CROWD_RULES}
    assert rules.loc["plurality", "value"] == pytest.approx(measures["team_correct"].mean())
    assert (rules["unanswered"] == (measures["n_valid"] == 0).sum()).all()
    assert (measures["n_valid"] == 0).any()  # wrong, and counted
    np.testing.assert_allclose(rules["difference"], rules["value"] - rules.loc["plurality", "value"])
    assert (rules["n_items"] == 100).all()
    assert (rules["models"] == 4).all()


def test_rules_share_their_items_so_a_difference_is_surer_than_its_two_sides():
    rules, _ = run(team((0.8, 0.7, 0.5, 0.4), items=100))
    rules = rules.set_index("rule")
    width = rules["high"] - rules["low"]
    others = rules.drop("plurality")
    difference = others["difference_high"] - others["difference_low"]
    assert (difference < 0.8 * np.sqrt(width.drop("plurality") ** 2 + width["plurality"] ** 2)).all()
    assert ((rules["low"] <= rules["value"]) & (rules["value"] <= rules["high"])).all()


def test_the_member_is_chosen_on_one_half_and_scored_on_the_other():
    frame = team((0.5, 0.55, 0.5, 0.45), seed=1)
    _, members = run(frame)
    right, second = right_of(frame), halves(sorted(set(frame["item"])), SPLITS)
    plurality = measure(table_of(frame)).to_pandas()["team_correct"].to_numpy()
    chosen = set()
    for split in range(SPLITS):
        for half, scored in enumerate((~second[split], second[split])):
            rows = members[(members["split"] == split + 1) & (members["half"] == half + 1)].set_index("rule")
            best = right[~scored].mean().idxmax()
            chosen.add(best)
            expected = right.loc[scored, best].mean()
            assert set(rows["member"]) == {best}
            assert rows.loc["best_member", "value"] == pytest.approx(expected)
            assert rows.loc["plurality", "value"] == pytest.approx(plurality[scored].mean())
            assert rows.loc["plurality", "difference"] == pytest.approx(expected - plurality[scored].mean())
            assert (rows["n_items"] == scored.sum()).all()
    assert len(chosen) > 1
    whole = members[members["split"] == 0].set_index("rule")["value"]
    parts = members[members["split"] > 0].groupby("rule")["value"].mean()
    assert whole.to_dict() == pytest.approx(parts.to_dict())


def test_who_is_best_is_chosen_anew_in_every_resample():
    frame = team((0.5, 0.52, 0.5), items=60, seed=3)
    _, members = run(frame)
    right = right_of(frame).to_numpy()
    second = halves(sorted(set(frame["item"])), SPLITS)
    draws = []
    for weights in item_weights(60, SETTINGS.paper, "team", "t"):
        scores = []
        for split in range(SPLITS):
            for scored in (~second[split], second[split]):
                weigh = weights * ~scored
                best = ((right * weigh[:, None]).sum(axis=0) / weigh.sum()).argmax()
                scores.append((right[:, best] * weights * scored).sum() / (weights * scored).sum())
        draws.append(np.mean(scores))
    row = members[(members["split"] == 0) & (members["rule"] == "best_member")].iloc[0]
    assert [row["low"], row["high"]] == pytest.approx(np.percentile(draws, [2.5, 97.5]).tolist())


def test_equal_members_have_no_best():
    """On the items it was chosen on the best of eight looks better than it is; on others it does not."""
    frame = team((0.5,) * 8, items=400, missing=0, seed=2)
    _, members = run(frame, settings=FitSettings(n_boot=0))
    whole = members[(members["split"] == 0) & (members["rule"] == "best_member")]["value"].item()
    means = right_of(frame).mean()
    assert whole < means.max() - 0.01
    assert whole == pytest.approx(means.mean(), abs=0.02)


def test_a_good_member_among_poor_ones_beats_them_all():
    _, members = run(team((0.95, 0.35, 0.3, 0.3), items=200))
    whole = members[members["split"] == 0].set_index("rule")
    assert whole.loc["plurality", "difference_low"] > 0
    assert whole.loc["best_member", "difference"] == 0
    assert set(members["member"].dropna()) == {"a"}


def test_replicates_of_an_item_count_as_one():
    once = team((0.8, 0.5, 0.4), items=40)
    twice = run(once, once.assign(replicate=2))
    for rows, other in zip(run(once), twice, strict=True):
        exact = rows["rule"] != "plurality"  # whose ties each replicate settles by itself
        pd.testing.assert_series_equal(rows.loc[exact, "value"], other.loc[exact, "value"])
        pd.testing.assert_series_equal(rows["n_items"], other["n_items"])


def test_one_item_leaves_an_empty_half_without_a_score():
    frame = team((0.8, 0.5), items=1)
    _, members = run(frame)
    assert members[["value", "low", "high"]].isna().all(axis=None)
    assert sorted(members.loc[members["split"] > 0].groupby(["split", "half"])["n_items"].first().unique()) == [0, 1]


def test_a_team_of_one_model_has_no_panel():
    for rows in run(team((0.5, 0.5), models="aa")):
        assert rows.empty


def calibrated(*frames: pd.DataFrame) -> pd.DataFrame:
    table = calibration_run({"team": table_of(*frames)})
    assert table.schema.equals(CALIBRATION.schema)
    return plain(table)


def test_calibration_is_of_every_team_at_each_size_and_round():
    frames = [
        team((0.6,) * n, seed=n + turn, models="aaaaa", condition=condition, k=k, round=turn, missing=0.5)
        for condition, n, k, turn in (
            ("debate", 3, 2, 1),
            ("debate", 3, 2, 2),
            ("debate", 5, 4, 1),
            ("debate", 5, 1, 1),
            ("self_correction", 5, 0, 1),
        )
    ]
    table = calibrated(*frames)
    measures = measure(table_of(*frames)).to_pandas()
    whole = table[table["bin"] == 0].set_index(["condition", "peers", "round", "n"])
    assert set(whole.index) == {
        ("debate", "full", 1, 3),
        ("debate", "full", 2, 3),
        ("debate", "full", 1, 5),
        ("debate", "1", 1, 5),
        ("self_correction", "none", 1, 5),
    }
    for (condition, peers, turn, n), row in whole.iterrows():
        k = {"full": n - 1, "none": 0}.get(peers) if peers in ("full", "none") else int(peers)
        here = (measures["condition"] == condition) & (measures["round"] == turn)
        teams = measures[here & (measures["n"] == n) & (measures["k"] == k) & (measures["n_valid"] > 0)]
        assert row["items"] == len(teams)
        assert row["accuracy"] == pytest.approx(teams["expected_correct"].mean())
        assert row["unanimous_wrong"] == pytest.approx(teams["unanimous_wrong"].mean())
        bins = table[(table["condition"] == condition) & (table["peers"] == peers) & (table["round"] == turn)]
        bins = bins[(bins["n"] == n) & (bins["bin"] > 0)]
        assert bins["items"].sum() == row["items"]
        assert bins["items"].min() > 0
        assert row["error"] == pytest.approx(np.average(bins["error"], weights=bins["items"]))
        assert (bins["share"].between(bins["share_low"], bins["share_high"])).all()


def test_the_tasks_of_a_team_are_calibrated_each_by_itself():
    one, other = team((0.9,) * 3, models="aaa"), team((0.3,) * 3, models="aaa", task="u")
    table = calibrated(one, other)
    alone = pd.concat([calibrated(one), calibrated(other)], ignore_index=True)
    pd.testing.assert_frame_equal(table, alone)

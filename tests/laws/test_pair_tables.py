"""Pairs of models and their means with intervals, from answers to tables."""

from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from made_up_panels import answers_of, random_codes, table_of

from headcount.errors import UserError
from headcount.laws.model_pairs import pair_run
from headcount.laws.settings import FitSettings, item_weights
from headcount.schema import PAIR_MEANS, PAIRS
from headcount.store import plain

FAMILIES = {"a": "one", "b": "one", "c": "two", "d": "three"}
SETTINGS = FitSettings(n_boot=40).paper
ITEMS = 30


def answers(seed: int = 0, **how) -> pd.DataFrame:
    """A team of d, a, c, b, once each, two replicates an item; the second lacks two items."""
    rng = np.random.default_rng(seed)
    frames = []
    for replicate in (1, 2):
        codes, gold = random_codes(rng, ITEMS, [0.3, 0.6, 0.5, 0.7], missing=0.2)
        frames.append(answers_of(codes, np.zeros_like(gold), "dacb", replicate=replicate, **how))
    return pd.concat([frames[0], frames[1][~frames[1]["item"].isin(["item0003", "item0005"])]])


def options(task: str = "t", n: int = 4) -> dict[str, dict[str, int]]:
    return {task: {f"item{i:04d}": n + i % 3 for i in range(ITEMS)}}


def run(table: pa.Table, settings: FitSettings = SETTINGS, **how) -> tuple[pd.DataFrame, pd.DataFrame]:
    pairs, means = pair_run({"team": table}, FAMILIES, how.pop("options", options()), settings, **how)
    assert pairs.schema.equals(PAIRS.schema)
    assert means.schema.equals(PAIR_MEANS.schema)
    return plain(pairs), plain(means)


def item_table(frame: pd.DataFrame, one: str, other: str) -> pd.DataFrame:
    """Of each item and replicate: whether both answered, and what they made of it; each item counts once."""
    wide = frame.pivot(index=["item", "replicate"], columns="model", values=["answer", "correct"])
    both = wide["answer"][one].notna() & wide["answer"][other].notna()
    right = [both & wide["correct"][model].eq(True).fillna(False) for model in (one, other)]
    equal = both & (wide["answer"][one] == wide["answer"][other])
    wrong = both & ~right[0] & ~right[1]
    parts = {"both": both, "equal": equal, "p": right[0], "q": right[1], "pq": right[0] & right[1]}
    parts |= {"wrong": wrong, "equal_wrong": equal & wrong}
    return pd.DataFrame(parts).astype(float).groupby(level="item").mean()


def slow(items: pd.DataFrame, weights: np.ndarray) -> dict[str, float]:
    """Some quantities of a pair under one set of item weights."""
    sums = {name: float((items[name] * weights).sum()) for name in items}
    p, q = sums["p"] / sums["both"], sums["q"] / sums["both"]
    m = 1 / (np.array(list(options()["t"].values())) - 1)
    chance = float((items["both"] * weights * m).sum()) / sums["both"]
    expected = p * q + (1 - p) * (1 - q) * chance
    return {
        "agreement": sums["equal"] / sums["both"],
        "equal_wrong_given_both_wrong": sums["equal_wrong"] / sums["wrong"],
        "correctness_correlation": (sums["pq"] / sums["both"] - p * q) / np.sqrt(p * (1 - p) * q * (1 - q)),
        "capa": (sums["equal"] / sums["both"] - expected) / (1 - expected),
    }


def test_each_pair_and_its_interval_are_what_a_loop_over_draws_gives():
    frame = answers()
    pairs, _ = run(table_of(frame))
    weights = item_weights(ITEMS, SETTINGS, "team", "t")
    assert len(pairs) == 6 * 9
    for one, other in combinations("abcd", 2):
        items = item_table(frame, one, other)
        ours = pairs[(pairs["model"] == one) & (pairs["model_other"] == other)].set_index("quantity")
        draws = pd.DataFrame([slow(items, draw) for draw in weights])
        for name, value in slow(items, np.ones(ITEMS)).items():
            low, high = np.percentile(draws[name], [2.5, 97.5])
            assert ours.loc[name, ["value", "low", "high"]].tolist() == pytest.approx([value, low, high]), name
        assert (ours["family"] == FAMILIES[one]).all()
        assert (ours["family_other"] == FAMILIES[other]).all()
        assert (ours["n_items"] == ITEMS).all()


def test_events_are_the_items_in_the_base_a_replicate_by_itself():
    frame = answers()
    pairs, means = run(table_of(frame))
    wide = frame.pivot(index=["item", "replicate"], columns="model", values=["answer", "correct"])
    both = wide["answer"][["a", "c"]].notna().all(axis=1)
    wrong = both & (wide["correct"][["a", "c"]] == False).all(axis=1)  # noqa: E712 (elementwise, null is neither)
    ours = pairs[(pairs["model"] == "a") & (pairs["model_other"] == "c")].set_index("quantity")["events"]
    assert ours["agreement"] == ours["capa"] == both.sum()
    assert ours["equal_wrong_given_both_wrong"] == ours["equal_wrong_chance"] == wrong.sum()
    everything = means[(means["relation"] == "all") & (means["averaging"] == "events")].set_index("quantity")
    assert everything["events"].to_dict() == pairs.groupby("quantity")["events"].sum().to_dict()
    assert (everything["pairs"] == 6).all()


def test_means_over_pairs_are_means_over_events_are_not():
    frame = answers()
    pairs, means = run(table_of(frame))
    pairs["relation"] = np.where(pairs["family"] == pairs["family_other"], "within", "across")
    value = means.set_index(["quantity", "averaging", "relation"])["value"]
    for (name, relation), rows in pairs.groupby(["quantity", "relation"]):
        assert value[name, "pairs", relation] == pytest.approx(rows["value"].mean())
    across = [item_table(frame, one, other) for one, other in ("ac", "ad", "bc", "bd", "cd")]
    total = pd.concat(across).sum()
    assert value["agreement", "events", "across"] == pytest.approx(total["equal"] / total["both"])
    wrong = total["equal_wrong"] / total["wrong"]
    assert value["equal_wrong_given_both_wrong", "events", "across"] == pytest.approx(wrong)
    assert value["agreement", "events", "across"] != pytest.approx(value["agreement", "pairs", "across"], rel=1e-6)


def test_within_minus_across_is_surer_than_either():
    """Items that are hard for all models move both, and their difference less."""
    rng = np.random.default_rng(0)
    easy = rng.random(ITEMS) < 0.5
    codes = np.where(easy[:, None], 0, rng.integers(0, 4, (ITEMS, 4)))
    _, means = run(table_of(answers_of(codes, np.zeros(ITEMS, int), "abcd")))
    rows = means[(means["quantity"] == "agreement") & (means["averaging"] == "pairs")].set_index("relation")
    gap = rows.loc["within_minus_across"]
    assert gap["value"] == pytest.approx(rows.loc["within", "value"] - rows.loc["across", "value"])
    width = rows["high"] - rows["low"]
    assert width["within_minus_across"] < np.sqrt(width["within"] ** 2 + width["across"] ** 2) * 0.8
    assert gap["pairs"] == 6


def test_free_form_answers_have_no_chance():
    pairs, means = run(table_of(answers()), options={})
    for rows in (pairs, means):
        empty = rows[rows["quantity"].isin(["capa", "agreement_chance", "equal_wrong_chance"])]
        assert empty[["value", "low", "high"]].isna().all(axis=None)
        assert rows.drop(empty.index)["value"].notna().all()


def test_where_all_are_of_one_family_nothing_is_across():
    codes, gold = random_codes(np.random.default_rng(0), ITEMS, [0.6, 0.5])
    _, means = run(table_of(answers_of(codes, gold, "ab")))
    assert set(means["relation"]) == {"all", "within"}


def test_one_model_has_no_pair():
    codes, gold = random_codes(np.random.default_rng(0), ITEMS, [0.6, 0.5])
    for rows in run(table_of(answers_of(codes, gold, "aa"))):
        assert rows.empty


def test_one_item_and_no_draws_leave_no_interval():
    frame = answers()
    for table, settings in (
        (table_of(frame[frame["item"] == "item0001"]), SETTINGS),
        (table_of(frame), FitSettings(n_boot=0)),
    ):
        for rows in run(table, settings):
            assert rows[["low", "high"]].isna().all(axis=None)
            assert rows["value"].notna().any()


def test_every_team_and_round_is_there_and_says_whether_it_is_simulated():
    table = table_of(answers(condition="debate", k=3), answers(1, condition="debate", k=3, round=2))
    pairs, means = (plain(rows) for rows in pair_run({"x": table, "y": table}, FAMILIES, {}, SETTINGS, ["y"]))
    for rows in (pairs, means):
        assert set(zip(rows["team"], rows["round"], rows["simulated"], strict=True)) == {
            ("x", 1, False),
            ("x", 2, False),
            ("y", 1, True),
            ("y", 2, True),
        }


def test_a_model_without_a_family_is_named():
    with pytest.raises(UserError, match=r"model 'd' has no family. Known: a, b, c\."):
        pair_run({"team": table_of(answers())}, dict.fromkeys("abc", "one"), {}, SETTINGS)


def test_ends_stay_within_what_two_models_can_be():
    """Models that nearly always agree: a plain interval would end above 1."""
    codes = np.zeros((ITEMS, 4), int)
    codes[0, 0], codes[1, 1] = 1, 2
    codes[2:6] = 3
    for rows in run(table_of(answers_of(codes, np.zeros(ITEMS, int), "abcd")), FitSettings()):
        sure = rows[rows["low"].notna()]
        assert (sure["low"] <= sure["value"] + 1e-9).all()
        assert (sure["value"] <= sure["high"] + 1e-9).all()
        assert (sure["high"] <= 1).all()
        agreement = sure[(sure["quantity"] == "agreement")]
        if "relation" in agreement:
            agreement = agreement[agreement["relation"] != "within_minus_across"]
        assert len(agreement)
        assert agreement["low"].between(0.5, 0.99).all()
        assert ((agreement["high"] < 1) | (agreement["value"] == 1)).all()

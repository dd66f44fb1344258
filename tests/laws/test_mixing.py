"""The block formula against printed numbers and every pair, and a run's blocks against their plain ratios."""

from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.errors import UserError
from headcount.laws.mixing import (
    balanced_pairs,
    mean_block_size,
    mixed_agreement,
    mixed_agreement_limit,
    mixing_of_run,
    rescaled_agreement,
    weighted_mean,
)
from headcount.laws.settings import FitSettings, item_weights
from headcount.schema import BLOCKS, MIXING
from headcount.store import conform

SETTINGS = FitSettings(n_boot=200).paper

ESTIMATORS = {
    "block_pair_counts": lambda x: balanced_pairs(np.array(x["n"]), x["groups"], x["items"]),
    "weighted_mean": lambda x: weighted_mean(np.array(x["values"]), np.array(x["weights"])),
    "one_third_two_thirds": lambda x: mixed_agreement_limit(3, x["rho_w"], x["rho_b"]),
    "prop4_rho_eff": lambda x: mixed_agreement(np.array(x["sizes"]), x["rho_w"], x["rho_b"]),
    "(N*A-1)/(N-1)": lambda x: rescaled_agreement(x["n"], x["a_pair"]),
}


@pytest.mark.parametrize("function", ESTIMATORS)
def test_printed_values(published_checks, function):
    checks = published_checks(function)
    assert checks
    for check in checks:
        ours = ESTIMATORS[function](check.inputs)
        if function == "block_pair_counts":
            ours = ours[check.id.endswith("between")]
        assert ours == pytest.approx(check.printed, abs=check.tolerance + 1e-9), check.id
        assert ours == pytest.approx(check.recomputed, rel=1e-5), check.id


def test_the_papers_observed_value_is_the_exact_one_corrected_twice():
    exact = mixed_agreement(np.array([10, 10, 10]), 0.879, 0.834)
    assert round(float(exact), 3) == 0.848
    assert round(float(rescaled_agreement(30, exact)), 3) == 0.843


def test_pair_counts_of_table_10(published):
    """Three families, teams of 6 to 30, 200 items each on MMLU and GSM."""
    rows = pd.read_csv(published / "table10_within_between_agreement.csv").set_index("task")
    ours = balanced_pairs(np.array([6, 9, 15, 30]), 3, 200)
    for task in ("mmlu_hard", "gsm_hard"):
        assert ours == tuple(rows.loc[task, ["pairs_within", "pairs_between"]])


@given(st.integers(1, 40), st.integers(1, 5))
def test_balanced_pairs_are_those_of_members_in_turn(n, families):
    members = [agent % families for agent in range(n)]
    same = [one == other for one, other in combinations(members, 2)]
    assert balanced_pairs(np.array([n]), families, 7) == (7 * sum(same), 7 * (len(same) - sum(same)))


teams = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=2, max_size=15)


@given(teams)
def test_the_block_formula_gives_the_agreement_of_any_team(team):
    """Of families in any parts: an identity for distinct pairs."""
    pairs = [(one[0] == other[0], one[1] == other[1]) for one, other in combinations(team, 2)]
    within, between = (np.mean([equal for same, equal in pairs if same is kind] or [np.nan]) for kind in (True, False))
    sizes = np.bincount([family for family, _ in team], minlength=3)
    assert mixed_agreement(sizes, within, between) == pytest.approx(np.mean([equal for _, equal in pairs]))


def test_block_sizes():
    sizes = np.array([[10, 10, 10], [1, 1, 1], [3, 0, 0], [4, 1, 1]])
    assert mean_block_size(sizes) == pytest.approx([10, 1, 3, 3])
    assert mixed_agreement(sizes, 1.0, 0.0) == pytest.approx([9 / 29, 0, 1, 2 / 5])
    assert np.isnan(mixed_agreement(np.array([1, 0]), 1.0, 0.0))


def test_the_limit_is_that_of_large_teams():
    sizes = np.full((1, 4), 10**6)
    assert mixed_agreement(sizes, 0.9, 0.5)[0] == pytest.approx(mixed_agreement_limit(4, 0.9, 0.5), abs=1e-6)


def blocks_frame(seed=0, items=40, **key) -> pd.DataFrame:
    """Random blocks of balanced teams of two families at n = 2, 4 and 6, columns of BLOCKS."""
    rng = np.random.default_rng(seed)
    key = {"task": "t", "condition": "debate", "round": 2, "replicate": 0} | key
    rows = [
        key | {"item": f"i{i:02d}", "n": n, "k": n - 1, "family": one, "family_other": other, "pairs": pairs}
        for i in range(items)
        for n in (2, 4, 6)
        for (one, other), pairs in (
            (("x", "x"), n // 2 * (n // 2 - 1) // 2),
            (("x", "y"), (n // 2) ** 2),
            (("y", "y"), n // 2 * (n // 2 - 1) // 2),
        )
        if pairs
    ]
    frame = pd.DataFrame(rows)
    share = frame["family"].eq(frame["family_other"]) * 0.4 + 0.4
    easy = rng.random(items)[frame["item"].str[1:].astype(int)] * 0.2
    return frame.assign(equal_pairs=rng.binomial(frame["pairs"], share + easy))


def table(*frames) -> pa.Table:
    return conform(pd.concat(frames), BLOCKS, "test")


def mixing(*frames, settings=SETTINGS, team="mix", simulated=()) -> pd.DataFrame:
    made = mixing_of_run({team: table(*frames)}, settings, simulated)
    assert made.schema.equals(MIXING.schema)
    frame = made.to_pandas()
    return frame.astype(dict.fromkeys(frame.select_dtypes("category"), object))


def members(frame: pd.DataFrame, family: str, other: str) -> pd.Series:
    same = frame["family"] == frame["family_other"]
    if family in ("within", "between"):
        return same == (family == "within")
    return (frame["family"] == family) & (frame["family_other"] == other)


def test_agreements_are_sums_of_equal_pairs_by_sums_of_pairs():
    frame = blocks_frame()
    made = mixing(frame)
    expected = {("x", "x"), ("x", "y"), ("y", "y"), ("within", "within"), ("between", "between")}
    for n, rows in made.groupby("n"):
        here = frame[frame["n"].isin([4, 6] if n == 0 else [n])]
        found = set(zip(rows["family"], rows["family_other"], strict=True))
        assert found == (expected if n != 2 else {("x", "y"), ("between", "between")})
        for row in rows.itertuples():
            chosen = here[members(here, row.family, row.family_other)]
            assert (row.pairs, row.equal_pairs) == (chosen["pairs"].sum(), chosen["equal_pairs"].sum())
            assert row.value == pytest.approx(row.equal_pairs / row.pairs)
            assert (row.n_items, row.simulated) == (40, False)
    assert set(made["n"]) == {0, 2, 4, 6}


def test_blocks_make_up_the_agreement_of_the_team():
    frame = blocks_frame()
    made = mixing(frame).set_index(["n", "family", "family_other"])["value"]
    whole = frame.groupby("n")[["equal_pairs", "pairs"]].sum()
    for n in (4, 6):
        within, between = made[n, "within", "within"], made[n, "between", "between"]
        ours = mixed_agreement(np.array([n // 2, n // 2]), within, between)
        assert ours == pytest.approx(whole.loc[n, "equal_pairs"] / whole.loc[n, "pairs"])


def test_intervals_resample_items_with_the_weights_of_the_teams_other_estimates():
    frame = blocks_frame()
    row = mixing(frame).query("n == 0 and family == 'within'").iloc[0]
    here = frame[(frame["n"] > 2) & (frame["family"] == frame["family_other"])]
    sums = here.groupby("item")[["equal_pairs", "pairs"]].sum().to_numpy()
    draws = item_weights(40, SETTINGS, "mix", "t") @ sums
    assert (row["low"], row["high"]) == pytest.approx(tuple(np.percentile(draws[:, 0] / draws[:, 1], [2.5, 97.5])))
    assert row["low"] < row["value"] < row["high"]


def test_an_item_whose_pairs_did_not_answer_counts_for_none():
    frame = blocks_frame()
    silent = frame["item"].isin(["i00", "i01"]) & (frame["family"] == "x")
    frame.loc[silent, ["pairs", "equal_pairs"]] = 0
    made = mixing(frame).query("n == 4").set_index(["family", "family_other"])
    assert made.loc[("x", "x"), "n_items"] == made.loc[("x", "y"), "n_items"] == 38
    assert made.loc[("within", "within"), "n_items"] == 40
    assert made["value"].notna().all()


def test_rounds_are_the_first_and_the_last_of_those_run_at_the_most_sizes():
    long = blocks_frame(round=5)
    rounds = [blocks_frame(round=turn) for turn in (1, 2, 3)]
    made = mixing(*rounds, long[long["n"] == 6], blocks_frame(condition="self_consistency", round=1).assign(k=0))
    found = set(zip(made["condition"], made["peers"], made["round"], strict=True))
    assert found == {("debate", "full", 1), ("debate", "full", 3), ("self_consistency", "none", 1)}


def test_order_of_rows_and_replicates_add_up():
    one, other = blocks_frame(seed=1), blocks_frame(seed=2, replicate=1)
    shuffled = pd.concat([one, other]).sample(frac=1, random_state=0)
    pd.testing.assert_frame_equal(mixing(shuffled), mixing(one, other))
    assert (mixing(one, other)["pairs"] == 2 * mixing(one)["pairs"]).all()


def test_one_item_has_no_interval():
    made = mixing(blocks_frame(items=1))
    assert made["value"].notna().all()
    assert made[["low", "high"]].isna().all(axis=None)


def test_nothing_mixed_gives_no_rows():
    assert mixing_of_run({}, SETTINGS).num_rows == 0
    assert mixing_of_run({"mix": table(blocks_frame()).slice(0, 0)}, SETTINGS).num_rows == 0


def test_what_is_simulated_says_so():
    assert mixing(blocks_frame(), simulated={"mix"})["simulated"].all()


def test_a_family_called_as_a_kind_of_pairs_is_an_error():
    with pytest.raises(UserError, match="blocks of mix: family 'within'"):
        mixing(blocks_frame().replace({"family": {"x": "within"}}))

"""What is called social: nothing of agents who never talk, whatever they share; all of it where they conform."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from social_worlds import frame_of, team_of

from headcount.laws.cells import fit_run
from headcount.laws.estimate import fit_ringelmann
from headcount.laws.excess import BY_SIZE, OF_CURVE, excess_run
from headcount.laws.settings import FitSettings
from headcount.laws.social import QUANTITIES, excess_share
from headcount.schema import EXCESS
from headcount.store import plain

SURE, POINTS = FitSettings(n_boot=300), FitSettings(n_boot=0)
SMALL = {"items": 5, "sizes": (2, 3, 5), "twice": (3,)}


def excess_of(frame, how=POINTS, sizes=(2, 3, 5, 10), subsets=True) -> pd.DataFrame:
    table = excess_run({"t": team_of(frame, sizes, subsets)}, how)
    assert table.schema.equals(EXCESS.schema)
    return plain(table)


def value(rows, null, quantity, n=0, condition="debate", turn=2, column="value", subsets="first"):
    (found,) = rows.loc[
        (rows["null"] == null)
        & (rows["subsets"] == subsets)
        & (rows["quantity"] == quantity)
        & (rows["n"] == n)
        & (rows["condition"] == condition)
        & (rows["round"] == turn),
        column,
    ]
    return found


def size_of(given) -> float:
    shares = [given.count(letter) / len(given) for letter in set(given)]
    return float(np.prod([share**-share for share in shares])) if given else np.nan


def answers_of(frame, condition, n, turn):
    """Answers of each item's teams, None left out."""
    here = frame[(frame["condition"] == condition) & (frame["n"] == n) & (frame["round"] == turn)]
    for _, agents in here.groupby(["item", "replicate"]):
        yield [answer for answer in agents.sort_values("agent")["answer"] if isinstance(answer, str)]


def item_sizes(frame, condition, n, turn):
    """2^H of each item, replicates averaged."""
    here = frame[(frame["condition"] == condition) & (frame["n"] == n) & (frame["round"] == turn)]
    sizes = here.groupby(["item", "replicate"])["answer"].apply(lambda given: size_of([a for a in given if a]))
    return sizes.groupby("item").mean()


def equal_share(teams) -> float:
    """Equal pairs / pairs over all teams."""
    pairs = [a == b for team in teams for a, b in combinations(team, 2)]
    return float(np.mean(pairs))


@pytest.mark.parametrize("seed", range(3))
def test_against_round_one_and_rethinking_as_by_enumeration(seed):
    frame = frame_of("conforming", seed, **SMALL)
    rows = excess_of(frame, sizes=SMALL["sizes"])
    for null, condition, turn in (("A", "self_consistency", 1), ("B", "self_correction", 2)):
        pools = list(answers_of(frame, condition, 5, turn))
        null_sizes = []
        for n in SMALL["sizes"]:
            teams = [[list(team) for team in combinations(pool, n)] for pool in pools]
            null_size = np.mean([np.mean([size_of(team) for team in of_item]) for of_item in teams])
            null_sizes.append(null_size)
            seen = item_sizes(frame, "debate", n, 2).mean()
            assert value(rows, null, "log_n_eff_ratio", n) == pytest.approx(np.log(seen / null_size))
            rho, u = equal_share(answers_of(frame, "debate", n, 2)), equal_share(pools)
            assert value(rows, null, "kappa", n) == pytest.approx((rho - u) / (1 - u))
            ratio = (1 + (n - 1) * u) / (1 + (n - 1) * rho)
            assert value(rows, null, "log_n_eff_ratio_agreement", n) == pytest.approx(np.log(ratio))
        seen = [item_sizes(frame, "debate", n, 2).mean() for n in SMALL["sizes"]]
        for reading, free in (("paper", False), ("answer", True)):
            fits = [
                fit_ringelmann(SMALL["sizes"], np.array(sizes) / SMALL["sizes"], free).params
                for sizes in (seen, null_sizes)
            ]
            for name in ("c", "beta"):
                ours = [value(rows, null, f"{name}{end}_{reading}") for end in ("", "_null")]
                assert ours == pytest.approx([fit[name] for fit in fits], abs=1e-6)
                assert value(rows, null, f"d{name}_{reading}") == pytest.approx(ours[0] - ours[1])


@pytest.mark.parametrize("seed", range(3))
def test_across_teams_as_by_a_double_loop(seed):
    frame = frame_of("conforming", seed, items=8, sizes=(2, 3, 5), twice=(3, 5), missing=0.1)
    rows = excess_of(frame, sizes=(2, 3, 5))
    for n in (3, 5):
        here = frame[(frame["condition"] == "debate") & (frame["n"] == n) & (frame["round"] == 2)].dropna()
        within, across, both, both_across, right = [], [], [], [], []
        for _, agents in here.groupby("item"):
            said = list(zip(agents["replicate"], agents["answer"], strict=True))
            for (team, one), (other, another) in combinations(said, 2):
                equal, correct = one == another, one == another == "A"
                (within if team == other else across).append(equal)
                (both if team == other else both_across).append(correct)
                if team == other:
                    right.append(((one == "A") + (another == "A")) / 2)
        w, b, e_w, e_b, p = map(np.mean, (within, across, both, both_across, right))
        kappa = (w - b) / (1 - b)
        assert value(rows, "C", "agreement_within", n) == pytest.approx(w)
        assert value(rows, "C", "agreement_across", n) == pytest.approx(b)
        assert value(rows, "C", "kappa", n) == pytest.approx(kappa)
        assert value(rows, "C", "kappa_correctness", n) == pytest.approx((e_w - e_b) / (p - e_b))
        social = rows[(rows["quantity"] == "n_eff_social") & (rows["n"] == n) & (rows["round"] == 2)]["value"]
        assert social.tolist() == pytest.approx([n / (1 + (n - 1) * kappa)] if 1 + (n - 1) * kappa > 0 else [])


ZEROS = (*BY_SIZE, "kappa_correctness", "dc_answer", "dbeta_answer", "dc_agreement", "dbeta_agreement")


def covered(world, seeds, rows_of) -> float:
    """Share of intervals that hold 0, of the quantities that should be 0."""
    held = []
    for seed in seeds:
        rows = excess_of(frame_of(world, seed), SURE)
        rows = rows[rows["quantity"].isin(ZEROS) & rows_of(rows)]
        held += ((rows["low"] <= 0) & (rows["high"] >= 0)).tolist()
    return float(np.mean(held))


def test_independent_agents_have_no_excess_over_any_null():
    share = covered("independent", range(12), lambda rows: rows["n"] >= 0)
    assert 0.88 < share < 0.995


def test_agents_who_hear_nobody_have_nothing_beyond_a_second_team():
    held = []
    for seed in range(20):
        rows = excess_of(frame_of("sharpening", seed, alone_twice=True), SURE)
        rows = rows[(rows["null"] == "C") & (rows["condition"] == "self_correction")]
        assert set(rows["round"]) == {1, 2}
        kappa = rows[rows["quantity"].isin(["kappa", "kappa_correctness"])]
        held += ((kappa["low"] <= 0) & (kappa["high"] >= 0)).tolist()
    assert np.mean(held) > 0.88


def test_agents_who_sharpen_alone_exceed_round_one_and_neither_other_null():
    """A would call them social; B and C do not."""
    assert covered("sharpening", range(12), lambda rows: rows["null"] != "A") > 0.88
    rows = excess_of(frame_of("sharpening", 0), SURE)
    for n in (2, 3, 5, 10):
        assert value(rows, "A", "kappa", n, column="low") > 0
        assert value(rows, "A", "log_n_eff_ratio", n, column="high") < 0


def test_conformers_exceed_every_null():
    rows = excess_of(frame_of("conforming", 0), SURE)
    for null, n in [*(("AB"[i], n) for i in range(2) for n in (3, 5, 10)), ("C", 5), ("C", 10)]:
        assert value(rows, null, "kappa", n, column="low") > 0.05
    assert value(rows, "C", "kappa_correctness", 10, column="low") > 0.05
    assert value(rows, "C", "n_eff_social", 10, column="high") < 10
    for null in "AB":
        assert value(rows, null, "log_n_eff_ratio", 10, column="high") < 0
        assert value(rows, null, "log_n_eff_ratio_agreement", 10, column="high") < 0
    for n in (5, 10):  # before they talk they are strangers
        low, high = (value(rows, "C", "kappa", n, turn=1, column=end) for end in ("low", "high"))
        assert low <= 0 <= high


def test_adjusted_debates_say_the_same_and_are_surer():
    rows = excess_of(frame_of("conforming", 5), SURE)
    widths = {}
    for subsets in ("first", "adjusted"):
        low, high = (value(rows, "A", "kappa", 3, column=end, subsets=subsets) for end in ("low", "high"))
        widths[subsets] = high - low
        assert low > 0
    assert widths["adjusted"] < widths["first"]
    estimates = [value(rows, "A", "kappa", 3, subsets=subsets) for subsets in widths]
    assert estimates[0] == pytest.approx(estimates[1], abs=widths["first"] / 2)


def test_what_the_pooled_level_says_of_agents_who_never_talk_is_no_growth():
    """beta is 0 at pooled agreement; at the answer level it is not, and the null has the same."""
    rows = excess_of(frame_of("independent", 3))
    assert value(rows, "A", "beta_null_agreement") == pytest.approx(0, abs=1e-6)
    assert abs(value(rows, "A", "beta_null_answer")) > 0.05
    assert value(rows, "A", "dbeta_answer") == pytest.approx(0, abs=0.06)


def test_the_rows_are_those_that_the_run_can_tell():
    rows = excess_of(frame_of("independent", 0, items=20))
    found = set(rows[["condition", "null", "round", "subsets"]].itertuples(index=False, name=None))
    debates = {("debate", null, 2, subsets) for null in "AB" for subsets in ("first", "adjusted")}
    alone = {("self_correction", "A", 2, "all")}
    assert found == debates | alone | {("debate", "C", 1, "first"), ("debate", "C", 2, "first")}
    assert set(rows.loc[rows["null"] == "C", "n"]) == {5, 10}
    assert set(rows.loc[rows["null"] == "C", "quantity"]) == set(QUANTITIES)
    of_null = rows[(rows["null"] == "A") & (rows["condition"] == "debate")]
    assert set(of_null.loc[of_null["n"] > 0, "quantity"]) == set(BY_SIZE)
    assert set(of_null.loc[of_null["n"] == 0, "quantity"]) == set(OF_CURVE)
    assert set(of_null["n"]) == {0, 2, 3, 5, 10}
    assert (rows["n_items"] == 20).all()
    assert rows["low"].isna().all()


def test_without_means_over_all_teams_a_debate_is_beside_its_own_first_round():
    frame = frame_of("conforming", 1, **SMALL)
    frame = frame[frame["condition"] == "debate"]
    rows = excess_of(frame, sizes=SMALL["sizes"], subsets=False)
    assert set(rows["null"]) == {"A", "C"}
    for n in SMALL["sizes"]:
        rho, first = (equal_share(answers_of(frame, "debate", n, turn)) for turn in (2, 1))
        assert value(rows, "A", "kappa", n) == pytest.approx((rho - first) / (1 - first))


def test_the_papers_reading_is_a_point_and_ours_has_an_interval():
    rows = excess_of(frame_of("independent", 0), SURE)
    papers = rows["quantity"].str.endswith("_paper")
    assert papers.any()
    assert rows.loc[papers, ["low", "high"]].isna().all(axis=None)
    by_construction = (rows["subsets"] == "all") & (rows["quantity"] == "dbeta_agreement")  # both 0, whatever the items
    assert rows.loc[by_construction, ["low", "high"]].isna().all(axis=None)
    ours = rows[~papers & ~by_construction]
    assert ours[["low", "high"]].notna().all(axis=None)
    assert ((ours["low"] <= ours["value"] + 1e-9) & (ours["value"] <= ours["high"] + 1e-9)).all()


def test_c_and_beta_of_a_cell_are_those_of_its_fit():
    """One number on two pages, with one interval."""
    team = team_of(frame_of("conforming", 3, items=30))
    fits = plain(fit_run({"t": team}, SURE)[0])
    fits = fits[(fits["law"] == "ringelmann_free") & (fits["condition"] == "debate") & (fits["round"] == 2)]
    rows = plain(excess_run({"t": team}, SURE))
    for subsets, (reading, level) in product(
        ("first", "adjusted"), (("answer", "answer"), ("agreement", "pooled_agreement"))
    ):
        (fit,) = fits[(fits["subsets"] == subsets) & (fits["level"] == level)].to_dict("records")
        for name, (ours, theirs) in product(("c", "beta"), (("value", ""), ("low", "_low"), ("high", "_high"))):
            told = value(rows, "A", f"{name}_{reading}", column=ours, subsets=subsets)
            assert told == pytest.approx(fit[f"{name}{theirs}"], abs=1e-6)


def test_where_nothing_changed_nothing_says_how_sure_that_is():
    frame = frame_of("independent", 0, items=30, twice=())
    debate = frame[frame["condition"] == "debate"]
    same = debate[debate["round"] == 1]
    rows = excess_of(pd.concat([same, same.assign(round=2)]), SURE, subsets=False)
    of_null = rows[rows["quantity"].str.match("log_|kappa|dc_|dbeta_")]
    assert (of_null["value"] == 0).all()
    assert of_null[["low", "high"]].isna().all(axis=None)
    assert rows.loc[rows["quantity"] == "c_answer", "low"].notna().all()


def test_one_size_has_no_curve_and_one_item_no_interval():
    rows = excess_of(frame_of("conforming", 0, items=30, sizes=(5,), twice=(5,)), SURE, sizes=(5,))
    assert set(rows["n"]) == {5}
    rows = excess_of(frame_of("independent", 2, items=1), SURE)
    assert rows["low"].isna().all()
    assert len(rows)


@given(st.floats(0, 0.99), st.floats(0, 0.99))
def test_the_excess_share_is_zero_at_the_null_and_one_at_the_most(null, seen):
    arrays = np.array([null]), np.array([seen])
    assert excess_share(arrays[0], arrays[0])[0] == 0
    assert excess_share(np.array([1.0]), arrays[0])[0] == 1
    assert excess_share(arrays[1], arrays[0])[0] <= 1
    assert np.isnan(excess_share(arrays[1], np.array([1.0]))[0])


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 10_000), st.permutations(list("ABCD")))
def test_names_of_answers_and_order_of_rows_change_nothing(seed, letters):
    frame = frame_of("conforming", seed, **SMALL)
    rows = excess_of(frame, sizes=SMALL["sizes"])
    renamed = frame.assign(answer=frame["answer"].map(dict(zip("ABCD", letters, strict=True))))
    shuffled = renamed.sample(frac=1, random_state=seed)
    other = excess_of(shuffled, sizes=SMALL["sizes"])
    pd.testing.assert_frame_equal(rows, other, rtol=1e-6, atol=1e-6)

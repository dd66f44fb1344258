"""Means over all teams of n against every team formed and measured, and against what is known of them."""

from itertools import combinations

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from tables_of_answers import answers_frame, answers_table

from headcount.errors import UserError
from headcount.measures.subsets import COSTLY, subset_measures
from headcount.measures.subsets_sums import binomials, exponentials, largest_sums, team_sums
from headcount.measures.table import measure
from headcount.schema import SUBSETS

CELL = ("t", "self_consistency")
LIKE_MEASURES = ["n_valid", "n_correct", "pairs", "equal_pairs", "correct_pairs", "unanimous", "unanimous_wrong"]
VALUES = [*LIKE_MEASURES, "n_eff_answer", "n_eff_agreement", "agreement", "team_correct"]


def pools(teams, gold=("A",), **key) -> pd.DataFrame:
    """Teams and their answers, an item each; columns of ANSWERS."""
    sizes = [len(team) for team in teams]
    team = np.repeat(np.arange(len(teams)), sizes)
    answer = pd.Series([answer for answers in teams for answer in answers], dtype=object)
    base = answers_frame(np.random.default_rng(0), teams=1).iloc[[0] * len(team)].reset_index(drop=True)
    key = {"task": "t", "condition": "self_consistency", "item": [f"i{i:04d}" for i in team], "round": 1, "k": 0} | key
    return base.assign(
        **key,
        n=np.repeat(sizes, sizes),
        agent=np.concatenate([np.arange(size) for size in sizes]) + 1,
        answer=answer,
        correct=answer.isin(gold).astype("boolean").where(answer.notna()),
    )


def pool(answers, gold=("A",), **key) -> pd.DataFrame:
    """One team's answers."""
    return pools([list(answers)], gold, **key)


def by_formula(rows: pd.DataFrame, sizes) -> pd.DataFrame:
    table = subset_measures(answers_table(rows), {CELL: sizes})
    assert table.schema.equals(SUBSETS.schema)
    return table.to_pandas()


def by_enumeration(answers, n, gold=("A",)) -> pd.Series:
    """Mean over every team of n, each formed and measured."""
    measured = measure(answers_table(pools(list(combinations(answers, n)), gold))).to_pandas()
    means = measured[[*LIKE_MEASURES, "n_eff_answer", "n_eff_agreement"]].astype(float).mean()  # of those that have one
    means["team_correct"] = measured["expected_correct"].mean()
    pairs = measured["pairs"].sum()
    means["agreement"] = measured["equal_pairs"].sum() / pairs if pairs else np.nan
    return means[VALUES]


some_answers = st.lists(st.sampled_from(["A", "A", "B", "C", "D", None]), min_size=1, max_size=7)


@settings(max_examples=25)
@given(some_answers, st.sampled_from([("A",), ("C",), ("Z",), ("A", "B"), ("A", "B", "C", "D")]))
def test_means_are_those_of_all_teams_formed(answers, gold):
    """Also where several answers are right, as programs are."""
    ours = by_formula(pool(answers, gold), sizes=range(1, 8))
    assert ours["n"].tolist() == list(range(1, len(answers) + 1))
    assert (ours["agents"] == len(answers)).all()
    for row in ours.to_dict("records"):
        expected = by_enumeration(answers, row["n"], gold)
        found = pd.Series(row)[VALUES].astype(float)
        pd.testing.assert_series_equal(found, expected, check_names=False, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("answers", ["AABBCCDE", "ABCDEFGH", "AAAABBBB", ["A", "A", "B", None, None, "C", None, "B"]])
def test_eight_agents(answers):
    ours = by_formula(pool(list(answers)), sizes=(2, 4, 5, 8)).set_index("n")
    for n in ours.index:
        found = ours.loc[n, VALUES].astype(float)
        pd.testing.assert_series_equal(found, by_enumeration(answers, n), check_names=False, rtol=1e-9, atol=1e-12)


def random_pools(rng, items=40, agents=9, missing=0.2) -> pd.DataFrame:
    letters = np.array([*"ABCDE", None], dtype=object)
    drawn = rng.choice(6, p=[*np.array([0.4, 0.2, 0.2, 0.1, 0.1]) * (1 - missing), missing], size=(items, agents))
    return pools(letters[drawn].tolist())


@pytest.mark.parametrize("answers", ["A", "AA", "AB", ["A", None], ["B", "B", None]])
def test_one_agent_two_and_a_single_pair(answers):
    for row in by_formula(pool(list(answers)), sizes=(1, 2)).to_dict("records"):
        expected = by_enumeration(list(answers), row["n"])
        found = pd.Series(row)[VALUES].astype(float)
        pd.testing.assert_series_equal(found, expected, check_names=False, rtol=1e-9, atol=1e-12)


def test_the_whole_team_is_its_measures():
    rows = random_pools(np.random.default_rng(1))
    ours = by_formula(rows, sizes=[9])
    whole = measure(answers_table(rows)).to_pandas()
    same = [*LIKE_MEASURES, "n_eff_answer", "n_eff_agreement", "agreement"]
    pd.testing.assert_frame_equal(ours[same], whole[same], check_dtype=False, rtol=1e-9)
    np.testing.assert_allclose(ours["team_correct"], whole["expected_correct"], rtol=1e-12)


def test_the_mean_over_teams_is_unbiased_and_steadier_than_the_first_team():
    """Many items answered from one distribution: both means meet, and the first team's varies more."""
    rows = random_pools(np.random.default_rng(2), items=400, agents=12, missing=0)
    ours = by_formula(rows, sizes=[3])
    one = measure(answers_table(rows[rows["agent"] <= 3].assign(n=3))).to_pandas()
    for name, single in (("n_eff_answer",) * 2, ("n_eff_agreement",) * 2, ("team_correct", "expected_correct")):
        error = np.hypot(one[single].std(), ours[name].std()) / np.sqrt(400)
        assert ours[name].mean() == pytest.approx(one[single].mean(), abs=3 * error)
        assert ours[name].std() < 0.7 * one[single].std()


def test_two_agents_of_four_options_are_1_32_voters_by_agreement_and_1_48_by_its_item_mean():
    """Shares .7, .1, .1, .1: pairs agree with .52, so 2 / 1.52; a team's own N_eff is 1 or 2."""
    ours = by_formula(pool([*"A" * 280, *"B" * 40, *"C" * 40, *"D" * 40]), sizes=[2, 30]).set_index("n")
    assert 2 / (1 + ours.loc[2, "agreement"]) == pytest.approx(1.32, abs=0.005)
    assert ours.loc[2, "n_eff_agreement"] == pytest.approx(1.48, abs=0.005)
    assert ours.loc[2, "n_eff_answer"] == pytest.approx(1.48, abs=0.005)
    assert 30 / (1 + 29 * ours.loc[30, "agreement"]) == pytest.approx(30 / (1 + 29 * 0.52), abs=0.01)


@pytest.mark.parametrize("missing", [0, 6])
def test_thirty_agents_and_two_answers_are_hypergeometric(missing):
    """Teams of n: A among the valid w, w among the n; summed with SciPy's probabilities."""
    right, wrong = 17, 13
    answers = ["A"] * right + ["B"] * wrong + [None] * missing
    ours = by_formula(pool(answers), sizes=(2, 3, 8, 30)).set_index("n")
    for n in ours.index:
        chance, values = [], []
        for w in range(n + 1):
            for j in range(w + 1):
                filled = stats.hypergeom.pmf(w, right + wrong + missing, right + wrong, n)
                chance.append(filled * stats.hypergeom.pmf(j, right + wrong, right, w))
                pairs, equal = w * (w - 1) / 2, (j * (j - 1) + (w - j) * (w - j - 1)) / 2
                kish = n / (1 + (n - 1) * equal / pairs) if pairs else np.nan
                values.append([kish, 2 ** stats.entropy([j, w - j], base=2) if w else np.nan, np.sign(2 * j - w)])
        kish, size, wins = np.ma.masked_invalid(values).T
        found = ours.loc[n, ["n_eff_agreement", "n_eff_answer", "team_correct"]].astype(float)
        assert found["n_eff_agreement"] == pytest.approx(np.ma.average(kish, weights=chance), rel=1e-10)
        assert found["n_eff_answer"] == pytest.approx(np.ma.average(size, weights=chance), rel=1e-10)
        nothing = sum(c for c, v in zip(chance, values, strict=True) if np.isnan(v[1]))
        assert found["team_correct"] == pytest.approx(np.average((wins + 1) / 2, weights=chance) - nothing / 2)


def test_agreement_is_the_same_at_every_size_and_equal_pairs_by_pairs():
    ours = by_formula(random_pools(np.random.default_rng(3)), sizes=range(2, 10))
    np.testing.assert_allclose(ours["agreement"], ours["equal_pairs"] / ours["pairs"])
    assert (ours.groupby("item")["agreement"].nunique() == 1).all()


@given(st.lists(st.sampled_from("AABBBCDEFG"), min_size=4, max_size=30), st.randoms())
@settings(max_examples=15)
def test_names_of_answers_and_order_of_agents_change_nothing(answers, random):
    names = dict(zip("ABCDEFG", random.sample("hijklmn", 7), strict=True))
    renamed = [names[answer] for answer in answers]
    random.shuffle(renamed)
    one = by_formula(pool(answers), sizes=(2, 3, 4))
    other = by_formula(pool(renamed, gold=(names["A"],)), sizes=(2, 3, 4))
    pd.testing.assert_frame_equal(one, other)


def test_bounds_and_monotony_in_larger_pools():
    ours = by_formula(random_pools(np.random.default_rng(4), agents=30), sizes=(1, 2, 5, 15, 30))
    assert ours["n_eff_answer"].between(1 - 1e-12, ours["n"]).all()
    assert (ours["n_eff_agreement"].dropna() <= ours["n"] + 1e-9).all()
    assert ours["team_correct"].between(0, 1 + 1e-12).all()
    assert (ours["unanimous_wrong"] <= ours["unanimous"] + 1e-12).all()
    growth = ours.pivot(index="item", columns="n", values="n_eff_answer").diff(axis=1).dropna(axis=1)
    assert (growth > 0).all(axis=None)


def test_a_thousand_agents_do_not_overflow():
    ours = by_formula(pool("A" * 10 + "B" * 500 + "C" * 490), sizes=[500, 1000]).set_index("n")
    assert ours.loc[1000, "n_eff_agreement"] == pytest.approx(1 / (0.01**2 + 0.5**2 + 0.49**2))
    assert ours.loc[500, "n_eff_answer"] == pytest.approx(ours.loc[1000, "n_eff_answer"], rel=0.01)
    assert ours.loc[500, "team_correct"] < 1e-9


def test_the_largest_team_of_each_item_replicate_and_round_is_what_teams_are_drawn_from():
    teams = [
        pool("AAB", item="i"),
        pool("AB", item="i"),
        pool("BB", item="j"),
        pool("BBB", item="j", replicate=7),
        pool("AAAA", item="i", condition="self_correction", round=1),
        pool("AAB", item="i", condition="self_correction", round=2),
        pool("ABC", item="i", condition="debate", k=2),
        pool("AB", item="i", task="u"),
    ]
    sizes = {CELL: (1, 2, 3), ("t", "self_correction"): (2, 4), ("t", "debate"): (3,)}
    found = subset_measures(answers_table(pd.concat(teams)), sizes).to_pandas()
    keys = ["condition", "item", "replicate", "n", "round", "agents"]
    assert set(found["task"]) == {"t"}
    assert [" ".join(map(str, row)) for row in found[keys].to_numpy()] == [
        "self_consistency i 0 1 1 3",
        "self_consistency i 0 2 1 3",
        "self_consistency i 0 3 1 3",
        "self_consistency j 0 1 1 2",
        "self_consistency j 0 2 1 2",
        "self_consistency j 7 1 1 3",
        "self_consistency j 7 2 1 3",
        "self_consistency j 7 3 1 3",
        "self_correction i 0 2 1 4",
        "self_correction i 0 2 2 3",
        "self_correction i 0 4 1 4",
    ]


@pytest.mark.parametrize("name", COSTLY)
def test_what_is_asked_for_alone_is_what_it_is_among_all(name):
    answers = answers_table(random_pools(np.random.default_rng(7), items=5))
    one, every = (subset_measures(answers, {CELL: (2, 5)}, **how).to_pandas() for how in ({"costly": (name,)}, {}))
    others = [other for other in COSTLY if other != name]
    assert every[[*COSTLY]].notna().any().all()
    assert one[others].isna().all(axis=None)
    pd.testing.assert_frame_equal(one.drop(columns=others), every.drop(columns=others))


def test_nobody_answers():
    ours = by_formula(pool([None] * 3), sizes=(1, 2, 3))
    assert ours[["n_eff_answer", "n_eff_agreement", "agreement"]].isna().all(axis=None)
    assert (ours[["n_valid", "pairs", "team_correct", "unanimous"]] == 0).all(axis=None)


def test_no_rows_give_no_rows():
    table = answers_table(pool("AB"))
    assert subset_measures(table.slice(0, 0), {CELL: (1, 2)}).num_rows == 0
    assert subset_measures(table, {}).num_rows == 0


def test_an_agent_without_a_row_is_an_error_that_names_the_team():
    rows = pool("ABC")
    with pytest.raises(UserError, match=r"item i0000.*n=3.*agent 2 has no row"):
        subset_measures(answers_table(rows[rows["agent"] != 2]), {CELL: (2,)})


def test_order_of_rows_changes_nothing():
    table = answers_table(random_pools(np.random.default_rng(5)))
    shuffled = table.take(pa.array(np.random.default_rng(6).permutation(table.num_rows)))
    assert subset_measures(shuffled, {CELL: (2, 5)}).equals(subset_measures(table, {CELL: (2, 5)}))


@given(st.lists(st.integers(0, 5), min_size=1, max_size=4), st.integers(0, 2**32))
def test_sums_over_teams_by_adding_them_up(counts, seed):
    """The lemma under all of it, for factors that are any numbers."""
    factors = np.r_[1.0, np.random.default_rng(seed).normal(size=4)]
    votes = np.repeat(np.arange(len(counts)), counts)
    ours = team_sums(np.array([counts]), factors[None])[0, 0]
    assert largest_sums(np.array([counts]), factors[None])[0, 0] == pytest.approx(ours[-1], abs=1e-9)
    for n in range(5):
        sums = [np.prod([factors[list(team).count(v)] for v in range(len(counts))]) for team in combinations(votes, n)]
        assert ours[n] == pytest.approx(sum(sums), abs=1e-9)


def test_binomials_are_pascals():
    assert binomials(4)[4].tolist() == [1, 4, 6, 4, 1]


@pytest.mark.parametrize("largest", [1, 1.3, 2, 5, 60, 2000])
def test_a_reciprocal_is_a_sum_of_exponentials(largest):
    rates, weights = exponentials(largest)
    s = np.geomspace(1, largest, 500)
    np.testing.assert_allclose(np.exp(-np.outer(s, rates)) @ weights, 1 / s, rtol=1e-10)

"""Teams of several models against every team with their seats formed and measured, and who stands for round 1."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tables_of_answers import answers_frame, answers_table

from headcount.errors import UserError
from headcount.measures.subsets import COSTLY, round_one_condition, subset_measures
from headcount.measures.subsets_grid import Grid, coefficients, summed_products
from headcount.measures.table import measure

SAME = ["n_valid", "n_correct", "pairs", "equal_pairs", "correct_pairs", "unanimous", "unanimous_wrong"]
VALUES = [*SAME, "n_eff_answer", "n_eff_agreement", "agreement", "team_correct"]


def table(teams, models, gold=("A",), **key) -> pd.DataFrame:
    """Teams and their answers, an item each; agents in turn are of these models. Columns of ANSWERS."""
    rows = [
        {
            "item": f"i{i:04d}",
            "agent": place + 1,
            "n": len(team),
            "answer": answer,
            "model": models[place % len(models)],
        }
        for i, team in enumerate(teams)
        for place, answer in enumerate(team)
    ]
    frame = pd.DataFrame(rows)
    base = answers_frame(np.random.default_rng(0), teams=1).iloc[[0] * len(frame)].reset_index(drop=True)
    answer = frame["answer"].astype(object)
    key = {"task": "t", "condition": "debate", "round": 1, "k": frame["n"] - 1} | key
    correct = answer.isin(gold).astype("boolean").where(answer.notna())
    return base.assign(**frame.assign(answer=answer, correct=correct).to_dict("series"), **key)


def by_formula(frame, sizes, condition="debate") -> pd.DataFrame:
    return subset_measures(answers_table(frame), {("t", condition): sizes}).to_pandas()


def teams_of(answers, models, n):
    """Every team with as many agents of each model as the first n agents have."""
    of = [models[place % len(models)] for place in range(len(answers))]
    pools = {model: [a for a, b in zip(answers, of, strict=True) if b == model] for model in sorted(set(of))}
    chosen = [combinations(pool, of[:n].count(model)) for model, pool in pools.items()]
    return [[answer for part in team for answer in part] for team in product(*chosen)]


def by_enumeration(answers, models, n, gold=("A",)) -> pd.Series:
    measured = measure(answers_table(table(teams_of(answers, models, n), ["m"], gold))).to_pandas()
    means = measured[[*SAME, "n_eff_answer", "n_eff_agreement"]].astype(float).mean()  # of those that have one
    means["team_correct"] = measured["expected_correct"].mean()
    pairs = measured["pairs"].sum()
    means["agreement"] = measured["equal_pairs"].sum() / pairs if pairs else np.nan
    return means[VALUES]


def check(answers, models, sizes, gold=("A",)) -> None:
    ours = by_formula(table([answers], models, gold), sizes)
    assert ours["n"].tolist() == [n for n in sizes if n <= len(answers)]
    for row in ours.to_dict("records"):
        found = pd.Series(row)[VALUES].astype(float)
        expected = by_enumeration(answers, models, row["n"], gold)
        pd.testing.assert_series_equal(found, expected, check_names=False, rtol=1e-9, atol=1e-11)


some_answers = st.lists(st.sampled_from(["A", "A", "B", "C", None]), min_size=3, max_size=7)


@settings(max_examples=25, deadline=None)
@given(
    some_answers, st.sampled_from(["ab", "abc", "aab", "abcd"]), st.sampled_from([("A",), ("C",), ("Z",), ("A", "B")])
)
def test_means_are_those_of_all_teams_with_the_same_seats(answers, models, gold):
    """With missing answers, several right ones, and models that have different numbers of seats."""
    check(answers, list(models), range(1, 8), gold)


@pytest.mark.parametrize("answers", ["AABBCCDEAA", "ABCABCABCA", ["A", "A", "B", None, None, "C", None, "B", "A"]])
@pytest.mark.parametrize("models", ["ab", "abc"])
def test_ten_agents(answers, models):
    check(list(answers), list(models), (2, 3, 5, 6, len(answers)))


def test_items_with_teams_of_different_sizes_share_their_polynomials():
    answers = ["AABBAB", "AAB", "BBBAAC", "ABCAB"]
    ours = by_formula(table([list(team) for team in answers], ["a", "b"]), (2, 3, 4, 5, 6)).set_index(["item", "n"])
    assert len(ours) == 5 + 2 + 5 + 4
    for (item, n), row in ours.iterrows():
        expected = by_enumeration(list(answers[int(item[1:])]), ["a", "b"], n)
        pd.testing.assert_series_equal(row[VALUES].astype(float), expected, check_names=False, rtol=1e-9)


def test_a_team_of_one_of_each_model_is_the_pairs_between_models():
    """Each model always agrees with itself and never with another: any two of six would agree with 1/5."""
    ours = by_formula(table([list("ABCABC")], ["x", "y", "z"]), (3, 6)).set_index("n")
    assert ours["agreement"].tolist() == [0, 3 / 15]
    assert ours.loc[3, ["n_eff_answer", "n_eff_agreement"]].tolist() == pytest.approx([3, 3])
    assert ours.loc[6, "n_eff_answer"] == pytest.approx(3)


def test_models_that_are_one_under_other_names_change_nothing_when_all_are_drawn_from():
    """Means of any two of a model are also the mean over the kinds of pairs, weighted by how many there are."""
    answers = list("AABCBBAC")
    one = by_formula(table([answers], ["m"]), (2,)).iloc[0]
    between = by_formula(table([answers], ["a", "b"]), (2,)).iloc[0]
    pairs = [by_formula(table([answers[start::2]], ["m"]), (2,)).iloc[0] for start in (0, 1)]
    for name in VALUES:
        assert one[name] == pytest.approx((16 * between[name] + 6 * pairs[0][name] + 6 * pairs[1][name]) / 28)


def random_teams(items=40, agents=9, missing=0.2, options="ABCDE", seed=1):
    rng = np.random.default_rng(seed)
    letters = np.array([*options, None], dtype=object)
    share = np.r_[np.full(len(options), (1 - missing) / len(options)), missing]
    return letters[rng.choice(letters.size, p=share, size=(items, agents))].tolist()


def test_the_whole_team_is_its_measures():
    frame = table(random_teams(agents=10), ["a", "b", "c"])
    ours = by_formula(frame, [10])
    whole = measure(answers_table(frame)).to_pandas()
    same = [*SAME, "n_eff_answer", "n_eff_agreement", "agreement"]
    pd.testing.assert_frame_equal(ours[same], whole[same], check_dtype=False, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(ours["team_correct"], whole["expected_correct"], atol=1e-10)


def test_thirty_agents_by_teams_drawn_at_random():
    """Three models of ten agents, with missing answers; the paper's largest team."""
    rng = np.random.default_rng(0)
    (answers,) = random_teams(items=1, agents=30, options="AAAABCDEFGH")
    ours = by_formula(table([answers], ["a", "b", "c"]), (6, 15)).set_index("n")
    for n in (6, 15):
        seats = [list(range(model, 30, 3)) for model in range(3)]
        drawn = [[answers[a] for model in seats for a in rng.choice(model, n // 3, replace=False)] for _ in range(4000)]
        measured = measure(answers_table(table(drawn, ["m"]))).to_pandas().rename(columns={"team_correct": "chosen"})
        measured = measured.rename(columns={"expected_correct": "team_correct"})
        for name in ("n_eff_answer", "n_eff_agreement", "team_correct", "unanimous"):
            values = measured[name].astype(float).dropna()
            assert ours.loc[n, name] == pytest.approx(values.mean(), abs=4 * values.std() / 60 + 1e-12), name


@settings(max_examples=10, deadline=None)
@given(st.randoms(), st.integers(0, 99))
def test_names_of_answers_and_models_and_order_within_a_model_change_nothing(random, seed):
    (answers,) = random_teams(items=1, agents=12, seed=seed)
    names = dict(zip([*"ABCDE", None], [*random.sample("vwxyz", 5), None], strict=True))
    other = [None] * 12
    for model in range(3):
        seats = list(range(model, 12, 3))
        for place, old in zip(seats, random.sample(seats, 4), strict=True):
            other[place] = names[answers[old]]
    one = by_formula(table([answers], ["a", "b", "c"]), (2, 5, 7))
    two = by_formula(table([other], ["z", "x", "y"], gold=(names["A"],)), (2, 5, 7))
    pd.testing.assert_frame_equal(one, two, rtol=1e-10)


def test_many_models_have_what_can_be_had_exactly_and_nothing_else():
    """Ten models of three agents need 4^10 terms at n = 15; at 10 and 30, all or one of each, few do."""
    models = list("abcdefghij")
    ours = by_formula(table(random_teams(items=3, agents=30), models), (5, 15, 30)).set_index("n")
    costly = ["n_eff_answer", "n_eff_agreement", "team_correct"]
    assert ours.loc[15, costly].isna().all(axis=None)
    assert ours.loc[[5, 30], costly].notna().all(axis=None)
    assert ours[[*SAME, "agreement"]].notna().all(axis=None)


def test_a_panel_has_no_seats_and_a_team_that_talks_has():
    """One agent a model: any n of them where all are alone, the first n where they hear each other."""
    answers = list("AABC")
    panel = table([answers], list("wxyz"), condition="self_consistency", k=0)
    assert by_formula(panel, (2,), "self_consistency")["agreement"].tolist() == [1 / 6]
    assert by_formula(table([answers], list("wxyz")), (2,))["agreement"].tolist() == [1]


def test_round_1_of_debate_stands_for_all_where_nobody_was_asked_alone():
    first, later = table([list("AABB")], ["a", "b"]), table([list("BBBB")], ["a", "b"], round=2)
    sizes = {("t", condition): (2, 4) for condition in ("debate", "noise", "self_consistency")}
    ours = subset_measures(answers_table(pd.concat([first, later])), sizes).to_pandas()
    keys = ["condition", "n", "k", "round", "agents"]
    assert ours[keys].to_numpy().tolist() == [["debate", 2, 0, 1, 4], ["debate", 4, 0, 1, 4]]
    noise = pd.concat([frame.assign(condition="noise") for frame in (first, later)])
    ours = subset_measures(answers_table(pd.concat([first, later, noise])), sizes).to_pandas()
    assert set(ours["condition"]) == {"debate"}
    alone = first.assign(condition="self_consistency", k=0)
    ours = subset_measures(answers_table(pd.concat([first, later, noise, alone])), sizes).to_pandas()
    assert set(ours["condition"]) == {"self_consistency"}


def test_a_sweep_over_peers_has_one_round_1():
    """The same round-1 answers, before 3 peers are heard and before 1 is."""
    frame = table([list("AABB"), list("ABAB")], ["m"])
    both = answers_table(pd.concat([frame, frame.assign(k=1)]))
    pd.testing.assert_frame_equal(
        subset_measures(both, {("t", "debate"): (2, 3)}).to_pandas(), by_formula(frame, (2, 3))
    )


def test_tasks_of_a_team_are_each_asked_who_stands_for_round_1():
    alone = table([list("AB")], ["m"], task="u", condition="self_correction", k=0)
    both = pd.concat([table([list("AB")], ["m"]), table([list("AB")], ["m"], task="u"), alone])
    sizes = {(task, condition): (2,) for task in "tu" for condition in ("debate", "self_correction")}
    ours = subset_measures(answers_table(both), sizes).to_pandas()
    assert ours[["task", "condition"]].to_numpy().tolist() == [["t", "debate"], ["u", "self_correction"]]


def test_who_stands_for_round_1():
    every = ["noise", "debate", "self_correction", "self_consistency"]
    assert [round_one_condition(every[:count]) for count in (1, 2, 3, 4)] == every
    with pytest.raises(UserError, match="none of them"):
        round_one_condition([])


def test_an_agent_that_changes_its_model_is_an_error():
    rows = pd.concat([table([list("AB")], ["a", "b"]), table([list("AB")], ["b", "a"]).assign(item="j")])
    with pytest.raises(UserError, match=r"item j.*agent 1 is of model 'b', and of 'a' elsewhere|item i0000.*agent"):
        subset_measures(answers_table(rows), {("t", "debate"): (2,)})


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), min_size=1, max_size=4), st.integers(0, 2**32))
def test_sums_over_teams_by_adding_them_up(counts, seed):
    """The lemma under all of it, for factors that are any numbers."""
    counts = np.array(counts)
    agents, factors = counts.sum(axis=0), np.r_[1.0, np.random.default_rng(seed).normal(size=20)]
    every = np.indices(agents + 1).reshape(2, -1).T
    powers = every[np.random.default_rng(seed).permutation(len(every))[: 1 + seed % len(every)]]
    grid = Grid.of(agents, powers, 1.5)
    polynomials = grid.choices(np.r_[np.zeros((1, 2), int), counts])
    of_pool = np.arange(1, len(counts) + 1)[None]
    ours = coefficients(grid, summed_products(grid, polynomials, of_pool, factors[None], np.ones(1)))[0]
    votes = [np.repeat(np.arange(len(counts)), column) for column in counts.T]
    for found, (a, b) in zip(ours, powers, strict=True):
        teams = product(combinations(votes[0], a), combinations(votes[1], b))
        sums = [np.prod([factors[(one + two).count(v)] for v in range(len(counts))]) for one, two in teams]
        assert found == pytest.approx(sum(sums), rel=1e-9, abs=1e-7)


@given(st.integers(0, 2**32))
def test_a_sum_over_many_functions_is_the_sum_of_each(seed):
    """Also of functions that treat some numbers of votes alike, and of more functions than there are votes."""
    rng = np.random.default_rng(seed)
    kinds = np.r_[np.zeros((1, 2), int), rng.integers(1, 3, (3, 2))]
    answers, powers = np.sort(rng.integers(0, 4, (5, 3)), axis=1), np.array([[1, 2], [2, 1]])
    functions, weights = np.repeat(rng.uniform(size=(9, 2)), (1, 3), axis=1), rng.uniform(size=9)
    functions[:, 0] = 1.0
    grid = Grid.of(kinds[answers].sum(axis=1).max(axis=0), powers, 1.2)
    polynomials = grid.choices(kinds)
    ours = coefficients(grid, summed_products(grid, polynomials, answers, functions, weights))
    each = [summed_products(grid, polynomials, answers, one[None], np.ones(1)) for one in functions]
    expected = sum(weight * coefficients(grid, one) for weight, one in zip(weights, each, strict=True))
    np.testing.assert_allclose(ours, expected, rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("name", COSTLY)
def test_what_is_asked_for_alone_is_what_it_is_among_all(name):
    answers = answers_table(table(random_teams(items=5, agents=7), ["a", "b", "c"]))
    sizes = {("t", "debate"): (2, 3, 5)}
    one, every = (subset_measures(answers, sizes, **how).to_pandas() for how in ({"costly": (name,)}, {}))
    others = [other for other in COSTLY if other != name]
    assert every[[*COSTLY]].notna().any().all()
    assert one[others].isna().all(axis=None)
    pd.testing.assert_frame_equal(one.drop(columns=others), every.drop(columns=others))

"""`votes` against the slow way, against plurality where a rule comes to that, and under what must change nothing."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables_of_answers import answers_table
from talking_teams import FAMILIES, SHAPE, slow_votes, talking_frame

from headcount.errors import UserError
from headcount.measures.aggregators import BY_CERTAINTY, n_eff_weighted, votes
from headcount.measures.diversity import n_eff_answer
from headcount.measures.table import measure
from headcount.measures.weights import block_weights, probability_weights, top_weights, upper_weights
from headcount.schema import VOTES

KEYS = list(VOTES.keys)
OF_FAMILIES = ("block_weighted", "family_vote")
ALONE = dict.fromkeys(FAMILIES, "one")


def plain(table, keys=KEYS) -> pd.DataFrame:
    frame = table.to_pandas()
    labels = frame.select_dtypes("category").columns
    return frame.astype(dict.fromkeys(labels, object)).set_index(keys).sort_index()


def voted(frame: pd.DataFrame, families=FAMILIES) -> pd.DataFrame:
    return plain(votes(answers_table(frame), families))


def by_rule(frame: pd.DataFrame, rule: str, families=FAMILIES) -> pd.DataFrame:
    return voted(frame, families).xs(rule, level="rule")


def same(one: pd.DataFrame, other: pd.DataFrame) -> None:
    one, other = (frame.assign(answer=frame["answer"].fillna("")) for frame in (one, other))
    pd.testing.assert_frame_equal(one, other, check_dtype=False, check_index_type=False, rtol=1e-9)


def one_team(answers: str, **columns) -> pd.DataFrame:
    """A team in its only round, a letter an agent."""
    n, base = len(answers), talking_frame(0, teams=1).iloc[[0]]
    frame = pd.concat([base.assign(n=n, k=n - 1, round=1, agent=i + 1, answer=a) for i, a in enumerate(answers)])
    return frame.assign(correct=(frame["answer"] == "A"), **columns)


@pytest.mark.parametrize("unsure", [0.0, 0.3])
@pytest.mark.parametrize("seed", range(4))
def test_votes_are_those_of_the_slow_way(seed, unsure):
    frame = talking_frame(seed, teams=120, unsure=unsure)
    table = votes(answers_table(frame), FAMILIES)
    assert table.schema.equals(VOTES.schema)
    slow = slow_votes(frame).set_index(KEYS).sort_index()
    same(plain(table), slow[list(VOTES.schema.names)[len(KEYS) :]])
    answers = plain(table)["answer"].unstack("rule")
    for rule in set(answers) - {"plurality"}:
        assert (answers[rule].fillna("") != answers["plurality"].fillna("")).any(), f"{rule} was never put to the test"


def test_plurality_is_the_team_answer_of_measures_in_the_last_round():
    frame = talking_frame(5, teams=120)
    answers = answers_table(frame)
    ours = plain(votes(answers, FAMILIES)).xs("plurality", level="rule")
    theirs = plain(measure(answers), KEYS[:-1]).reindex(ours.index)
    assert ours["answer"].fillna("").equals(theirs["team_answer"].fillna(""))
    assert ours["correct"].equals(theirs["team_correct"])
    assert ours["n_votes"].equals(theirs["n_valid"])
    np.testing.assert_allclose(ours["n_eff"], theirs["n_eff_answer"])
    assert (theirs["tie"]).any()


def test_the_rounds_voted_on_are_those_that_some_shape_ends_with():
    frame = talking_frame(6)
    shapes = frame.groupby(["task", "condition", "n", "k"])["round"]
    ends = shapes.max().groupby(["task", "condition"]).agg(set)
    expected = {shape: sorted(set(rounds) & ends[shape[:2]]) for shape, rounds in shapes}
    rounds = voted(frame).reset_index().groupby(["task", "condition", "n", "k"])["round"].unique().map(sorted)
    assert rounds.to_dict() == expected
    assert {len(found) for found in expected.values()} == {1, 2}


def balanced(seed: int, per_family: int = 2) -> pd.DataFrame:
    """Teams of three families with as many agents each, all of whom answer."""
    frame, n = talking_frame(seed, missing=0), 3 * per_family
    rng = np.random.default_rng(seed)
    teams = frame.drop_duplicates(SHAPE).assign(n=n, k=n - 1, round=1)
    frame = teams.merge(pd.DataFrame({"seat": range(1, n + 1)}), how="cross").assign(agent=lambda f: f["seat"])
    answer = rng.choice(list("ABC"), len(frame))
    models = pd.Series(["m1", "m2", "m3"])[(frame["agent"] - 1) % 3].to_numpy()
    return frame.drop(columns="seat").assign(answer=answer, correct=answer == "A", model=models)


@pytest.mark.parametrize("per_family", [1, 2, 7])
def test_blocks_of_one_size_vote_as_plurality(per_family):
    frame = balanced(per_family, per_family)
    same(by_rule(frame, "block_weighted"), by_rule(frame, "plurality"))


def test_families_of_one_agent_vote_as_plurality():
    frame = balanced(1, 1)
    same(by_rule(frame, "family_vote"), by_rule(frame, "plurality"))


def test_a_large_family_outvotes_others_by_plurality_alone():
    frame = one_team("AAAABB", model=["m1"] * 4 + ["m2", "m3"])
    answer = voted(frame)["answer"].droplevel(KEYS[:-1])
    assert answer[["plurality", *OF_FAMILIES]].tolist() == ["A", "B", "B"]


def test_a_family_speaks_for_all_its_models():
    frame = one_team("AAB", model=["m1", "m1b", "m2"])
    block = by_rule(frame, "block_weighted").iloc[0]
    assert block["n_eff"] == pytest.approx(2)  # one family each: a tie
    assert by_rule(frame, "family_vote")["n_votes"].item() == 2


def test_one_family_has_no_rules_of_families():
    rules = voted(talking_frame(7), ALONE).index.unique("rule")
    assert set(rules) == {"plurality", *BY_CERTAINTY}


@pytest.mark.parametrize(
    ("column", "value", "rules"),
    [
        ("confidence", 70.0, ["confidence_weighted"]),
        ("confidence", 0.0, ["confidence_weighted"]),
        ("logprob", -0.1, ["probability_weighted", "filtered", "top_probability"]),
        ("logprob", -2000.0, ["probability_weighted", "filtered", "top_probability"]),  # exp underflows
    ],
)
def test_votes_that_are_equally_sure_are_votes_by_plurality(column, value, rules):
    frame = talking_frame(8).assign(**{column: value})
    for rule in rules:
        columns = ["answer", "correct", "n_eff"]
        same(by_rule(frame, rule)[columns], by_rule(frame, "plurality")[columns])


def test_a_cell_without_confidence_or_probability_lacks_the_rules_that_need_it():
    frame = talking_frame(9)
    silent = (frame["task"] == "task0") & (frame["condition"] == "debate")
    frame.loc[silent, "logprob"] = np.nan
    cells = voted(frame, ALONE).reset_index().groupby(["task", "condition"])["rule"].unique().map(set)
    assert cells["task0", "debate"] == {"plurality", "confidence_weighted"}
    assert (cells.drop(("task0", "debate")).map(len) == 5).all()
    nobody = voted(frame.assign(confidence=np.nan, logprob=np.nan), ALONE)
    assert set(nobody.index.unique("rule")) == {"plurality"}


def test_a_vote_that_does_not_say_how_sure_it_is_counts_as_a_middling_one():
    frame = one_team("ABBC", confidence=[100.0, np.nan, 10.0, 60.0])
    row = by_rule(frame, "confidence_weighted", ALONE).iloc[0]
    assert row["answer"] == "A"  # 100 against 60 + 10 and 60
    share = np.array([100, 70, 60]) / 230
    assert row["n_eff"] == pytest.approx(2 ** -(share * np.log2(share)).sum())


@pytest.mark.parametrize("sure", ["A", "B"])
def test_a_little_more_confidence_decides(sure):
    frame = one_team("AABB").assign(confidence=lambda f: 90 + 0.1 * (f["answer"] == sure))
    assert by_rule(frame, "confidence_weighted", ALONE)["answer"].item() == sure


def test_the_lowest_quartile_is_dropped():
    sure = np.log([0.1, 0.2, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95])
    frame = one_team("BBBBAACC", logprob=sure)
    row = by_rule(frame, "filtered", ALONE).iloc[0]
    assert row["n_votes"] == 6
    assert row["n_eff"] == pytest.approx(3)  # two votes each are left
    three = by_rule(one_team("BBA", logprob=sure[:3]), "filtered", ALONE).iloc[0]
    assert (three["answer"], three["n_votes"]) == ("B", 3)


def test_the_surest_vote_decides_alone():
    row = by_rule(one_team("BBBA", logprob=[-0.5, -0.5, -0.5, -0.1]), "top_probability", ALONE).iloc[0]
    assert (row["answer"], row["n_votes"], row["n_eff"]) == ("A", 1, 1.0)


@pytest.mark.parametrize("factor", [0.5, 3.0])
def test_only_ratios_of_confidence_count(factor):
    frame = talking_frame(12, unsure=0.2)
    scaled = frame.assign(confidence=frame["confidence"] * factor)
    same(by_rule(scaled, "confidence_weighted"), by_rule(frame, "confidence_weighted"))


def test_only_the_order_of_probabilities_counts_where_votes_are_dropped():
    frame = talking_frame(13, unsure=0.2)
    bent = frame.assign(logprob=-(frame["logprob"].abs() ** 0.5))
    for rule in ("filtered", "top_probability"):
        same(by_rule(bent, rule), by_rule(frame, rule))


def test_order_of_rows_and_seats_of_agents_change_nothing():
    frame = talking_frame(10, unsure=0.2)
    table = answers_table(frame)
    shuffled = table.take(np.random.default_rng(1).permutation(table.num_rows))
    assert votes(shuffled, FAMILIES).equals(votes(table, FAMILIES))
    same(voted(frame.assign(agent=frame["n"] + 1 - frame["agent"])), voted(frame))


def test_renaming_answers_changes_choices_in_ties_alone():
    frame = talking_frame(11)
    names = {"A": "17", "B": "-3", "C": "x", "D": "0.5", "E": "y"}
    ours, theirs = voted(frame), voted(frame.assign(answer=frame["answer"].map(names)))
    certain = [rule for rule in ours.index.unique("rule") if rule != "family_vote"]  # a family's tie makes its vote
    pd.testing.assert_series_equal(ours["n_votes"], theirs["n_votes"])
    ours, theirs = (rows.loc[rows.index.isin(certain, level="rule")] for rows in (ours, theirs))
    np.testing.assert_allclose(ours["n_eff"], theirs["n_eff"])
    different = ours["answer"].map(names).fillna("") != theirs["answer"].fillna("")
    alone = ours["n_votes"] == 1
    assert 0 < different.mean() < 0.35
    assert not different[alone].any()


def test_a_model_without_a_family_is_an_error_that_names_it():
    with pytest.raises(UserError, match="'m3' is not on the team"):
        votes(answers_table(talking_frame(0)), {"m1": "one", "m1b": "one", "m2": "two"})


def test_no_rows_and_no_answers():
    frame = talking_frame(0)
    assert votes(answers_table(frame).slice(0, 0), FAMILIES).num_rows == 0
    silent = voted(frame.assign(answer=None, correct=pd.NA))
    assert set(silent.index.unique("rule")) == {"plurality", *OF_FAMILIES}
    assert silent[["answer", "n_eff"]].isna().all(axis=None)
    assert not silent[["correct", "n_votes"]].any(axis=None)


votes_of_teams = st.lists(st.tuples(st.integers(0, 3), st.sampled_from([-3.0, -1.0, -0.5, 0.0])), max_size=30)


@given(votes_of_teams)
def test_three_quarters_of_a_team_s_votes_weigh_one_in_all(cast):
    team, value = np.array([t for t, _ in cast], int), np.array([v for _, v in cast])
    kept = np.bincount(team, upper_weights(team, value, 4), 4)
    size = np.bincount(team, minlength=4)
    np.testing.assert_allclose(kept, size - size // 4)


@given(votes_of_teams)
def test_weights_rise_with_how_sure_a_vote_is(cast):
    team, value = np.array([t for t, _ in cast], int), np.array([v for _, v in cast])
    for weigh in (probability_weights, upper_weights, top_weights):
        weight = weigh(team, value, 4)
        more = (team[:, None] == team) & (value[:, None] >= value)
        assert (weight[:, None] >= weight - 1e-12)[more].all()


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2)), max_size=30))
def test_each_family_of_a_team_weighs_one(cast):
    team, family = np.array([t for t, _ in cast], int), np.array([f for _, f in cast], int)
    total = np.bincount(team, block_weights(team, family), 4)
    np.testing.assert_allclose(total, [len({f for t, f in cast if t == owner}) for owner in range(4)])


@given(st.lists(st.lists(st.integers(0, 9), min_size=4, max_size=4), min_size=1), st.floats(0.01, 100))
def test_equal_weights_have_the_effective_size_of_counts(counts, weight):
    counts = np.array(counts)
    np.testing.assert_allclose(n_eff_weighted(counts * weight), n_eff_answer(counts))


@pytest.mark.parametrize("scale", [1e-8, 1.0])
@pytest.mark.parametrize(("sure", "winner"), [([1, 2], "B"), ([2, 1], "A")])
def test_sums_of_weights_of_any_size_are_told_apart(scale, sure, winner):
    frame = one_team("AB", confidence=[scale * value for value in sure])
    assert by_rule(frame, "confidence_weighted")["answer"].tolist() == [winner]

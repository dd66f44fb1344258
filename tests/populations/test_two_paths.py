"""Agents who are asked, and answers that are written directly, are of one population: tables of whole runs.

Both answer the same items, with the same difficulties and the same common answers, so each statistic is compared item
by item. A difference is allowed LIMIT standard errors of its mean over items; 100 comparisons exceed that by chance in
fewer than one of a thousand choices of the seed. test_turns.py is sharper, and says less of whole runs.
"""

from itertools import combinations

import numpy as np
import pytest
from small_runs import small_items
from two_paths import TURN, asked, configured, wide, written

LIMIT = 4.5
ITEMS, AGENTS = 40, 5
MIXED = {
    "m": {"missing": 0.1, "correlation": 0.3, "family_correlation": 0.2, "adoption": 0.25, "redraw": 0.3},
    "o": {"accuracy": 0.4, "tail": 0.9, "correlation": 0.4, "family_correlation": 0.2, "sharpening": 0.4},
}
STUBBORN = {"m": {"learning": 0.4, "sycophancy": 0.1, "switching": 0.2, "crowding": 0.5, "wrong_law": "poisson"}}
RUNS = {
    "options": (MIXED, ("m", "m", "o"), {"options": 4}),
    "numbers": (MIXED, ("m",), {}),
    "independent": (STUBBORN, ("m",), {"options": 4, "nesting": "independent"}),
    "panel": (MIXED, ("m", "o"), {"options": 4, "dialect": "ledger"}),
}


@pytest.fixture(scope="module", params=RUNS)
def both(request, tmp_path_factory):
    populations, members, how = RUNS[request.param]
    protocol = {name: how[name] for name in ("nesting", "dialect") if name in how}
    block = {"sizes": [1, AGENTS], "peers": ["full", 2], "replicates": 2}
    config = configured(populations, members, options=how.get("options", 0), block=block, protocol=protocol)
    items = small_items(ITEMS, options=how.get("options", 0))
    return asked(config, items, tmp_path_factory.mktemp("asked")), written(config, items)


def alike(one, other, what):
    """Whether two numbers an item agree; items without either number are left out."""
    difference = (one - other).dropna()
    assert len(difference) > ITEMS / 4, what
    error = max(difference.std(ddof=1), 0.05) / np.sqrt(len(difference))
    assert abs(difference.mean()) < LIMIT * error, (what, difference.mean(), error)


def of_items(teams, number):
    """The mean over repetitions of a number of a team's answers, by item."""
    return teams.apply(lambda row: number(row.to_numpy()), axis=1).groupby("item").mean()


def agreement(answers):
    said = [(a, b) for a, b in combinations(answers, 2) if a and b]
    return np.mean([a == b for a, b in said]) if said else np.nan


def cells(answers):
    big = answers[answers["n"] == AGENTS]
    yield from big.groupby(["condition", "k", "round"])


def test_they_have_the_same_turns(both):
    one, other = both
    assert one[TURN].equals(other[TURN])
    agents = ["model", "temperature", "agent"]
    assert one[agents].drop_duplicates().equals(other[agents].drop_duplicates())


def test_what_extraction_says_of_a_reply_is_the_same(both):
    """Two replies in all: with an answer, and without."""
    read = ["status", "rule", "n_tags", "tags_disagree", "truncated"]
    for silent in (True, False):
        kinds = [set(rows[rows["answer"].isna() == silent][read].itertuples(index=False)) for rows in both]
        assert kinds[0] == kinds[1] or not kinds[0] or not kinds[1]
    for rows in both:
        assert rows["correct"].isna().equals(rows["answer"].isna())
        assert rows["logprob"].isna().equals(rows["answer"].isna())


def test_an_answer_is_right_and_as_likely_whichever_way_it_came(both):
    said = [
        rows.dropna(subset="answer").groupby(["model", "item", "answer"])[["correct", "logprob"]].first()
        for rows in both
    ]
    shared = said[0].merge(said[1], on=["model", "item", "answer"], suffixes=("", "_written"))
    assert len(shared) > ITEMS
    assert (shared["correct"] == shared["correct_written"]).all()
    np.testing.assert_allclose(shared["logprob"].astype(float), shared["logprob_written"].astype(float), atol=1e-4)


def test_shares_right_and_missing_are_the_same_in_every_round(both):
    for (key, one), (_, other) in zip(*map(cells, both), strict=True):
        for number in (lambda answer: answer == "", lambda answer: (answer != "").sum()):
            alike(*(of_items(wide(rows), lambda team, f=number: np.mean(f(team))) for rows in (one, other)), key)
        right = [rows["correct"].astype(float).groupby(rows["item"]).mean() for rows in (one, other)]
        alike(*right, ("right", *key))


def test_agents_agree_as_often_in_every_round(both):
    for (key, one), (_, other) in zip(*map(cells, both), strict=True):
        alike(of_items(wide(one), agreement), of_items(wide(other), agreement), key)


def test_agents_of_one_path_agree_with_those_of_the_other_as_with_each_other(both):
    """In round 1: so wrong answers and common answers are the same ones, with the same shares."""
    one, other = (wide(rows, n=AGENTS, condition="debate", k=AGENTS - 1, round=1) for rows in both)
    pairs = [(a, b) for a in range(1, AGENTS + 1) for b in range(1, AGENTS + 1) if a != b]
    equal = [(one[a] == other[b]).where((one[a] != "") & (other[b] != "")) for a, b in pairs]
    across = (sum(e.fillna(0).astype(float) for e in equal) / sum(e.notna() for e in equal)).groupby("item").mean()
    for rows in (one, other):
        alike(across, of_items(rows, agreement), "across")


def test_agents_follow_a_peer_as_often(both):
    """Of those who differ from all their peers, who agree: the share that come to the peers' answer, by condition."""
    for condition in ("debate", "noise"):
        moved = [followed(rows, condition) for rows in both]
        assert min(len(rows) for rows in moved) > 20
        shares, counts = [np.mean(rows) for rows in moved], [len(rows) for rows in moved]
        pooled = np.average(shares, weights=counts)
        error = np.sqrt(max(pooled * (1 - pooled), 0.02) * sum(1 / count for count in counts))
        assert abs(shares[0] - shares[1]) < LIMIT * error, (condition, shares, counts)


def followed(answers, condition):
    """Whether each agent gave in round 2 what most of the others had said in round 1, and it had not."""
    first, second = (wide(answers, condition=condition, n=AGENTS, k=AGENTS - 1, round=r) for r in (1, 2))
    came = []
    for before, after in zip(first.to_numpy(), second.to_numpy(), strict=True):
        for agent in range(AGENTS):
            others = np.delete(before, agent)
            values, counts = np.unique(others[others != ""], return_counts=True)
            if before[agent] and after[agent] and counts.size and counts.max() > AGENTS / 2:
                mode = values[counts.argmax()]
                came += [after[agent] == mode] if before[agent] != mode else []
    return came


def test_tokens_are_those_of_prompts_and_replies(both):
    for (key, one), (_, other) in zip(*map(cells, both), strict=True):
        assert one["prompt_tokens"].mean() == pytest.approx(other["prompt_tokens"].mean(), rel=0.05), key
        tokens = [rows.groupby(rows["answer"].isna())["completion_tokens"].unique() for rows in (one, other)]
        assert [list(t) for t in tokens[0]] == [list(t) for t in tokens[1]], key
    alone = [
        rows[(rows["n"] == 1) & (rows["round"] > 1) & rows["condition"].isin(["debate", "noise"])] for rows in both
    ]
    for rows in alone:
        assert not rows[["prompt_tokens", "completion_tokens"]].any(axis=None)


def test_confidence_has_the_same_range(both):
    one, other = (rows["confidence"].dropna() for rows in both)
    assert one.empty == other.empty
    if len(one):
        assert (one.min(), one.max()) == (other.min(), other.max()) == (40, 99)
        assert abs(one.mean() - other.mean()) < 1

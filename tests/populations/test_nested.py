"""A team of n is the first n agents, a round is a prefix of a longer run, and nothing depends on what else is made."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from small_runs import block, small_config, small_items
from two_paths import TURN, configured, wide, written

from headcount.answers import simulated_rows
from headcount.answers.simulated_team import Sitting
from headcount.config import Population
from headcount.debate.planner import plan
from headcount.engines.questions import questions
from headcount.populations import simulate
from headcount.populations.simulate import answer_codes
from headcount.schema import ANSWERS
from headcount.store import conform, plain

POPULATION = {"missing": 0.1, "correlation": 0.2, "redraw": 0.4, "adoption": 0.3}
ITEMS = small_items(12, options=4)


def made(sizes=(2, 5), items=ITEMS, conditions=("debate", "self_correction", "noise"), **more):
    keys = {"sizes": list(sizes), "conditions": list(conditions)} | more.pop("block", {})
    return written(configured({"m": POPULATION}, options=4, block=keys, **more), items)


def same(one, other):
    pd.testing.assert_frame_equal(one.reset_index(drop=True), other.reset_index(drop=True))


def test_it_is_the_same_every_time():
    same(made(), made())


def test_another_seed_gives_other_answers_to_the_same_items():
    one, other = made(), made(seed=7)
    assert one[TURN].equals(other[TURN])
    assert 0.1 < (one["answer"].fillna("") == other["answer"].fillna("")).mean() < 0.9
    known = [rows.dropna(subset="answer").groupby(["item", "answer"])["logprob"].first() for rows in (one, other)]
    pd.testing.assert_series_equal(*(series.loc[known[0].index.intersection(known[1].index)] for series in known))


@pytest.mark.parametrize("condition", ["debate", "self_correction", "noise"])
def test_the_first_round_of_a_team_is_that_of_the_first_agents_of_a_larger_one(condition):
    answers = made(conditions=[condition])
    small, large = (wide(answers, n=n, round=1) for n in (2, 5))
    assert small.equals(large[[1, 2]])


def test_who_corrects_itself_is_the_same_at_every_size_and_who_debates_is_not():
    answers = made()
    for condition, equal in (("self_correction", True), ("debate", False)):
        small, large = (wide(answers, condition=condition, n=n, round=3) for n in (2, 5))
        assert small.equals(large[[1, 2]]) == equal


def test_all_conditions_and_sizes_start_from_the_same_round():
    answers = made()
    first = [wide(answers, condition=condition, n=5, round=1) for condition in answers["condition"].unique()]
    assert all(one.equals(first[0]) for one in first)


def test_agents_are_new_at_every_size_where_nesting_is_independent():
    answers = made(protocol={"nesting": "independent"})
    small, large = (wide(answers, condition="debate", n=n, round=1) for n in (2, 5))
    assert not small.equals(large[[1, 2]])


def test_rounds_are_prefixes_of_a_longer_run():
    short, long = made(block={"updates": 2}), made(block={"updates": 4})
    same(short, long[long["round"] <= 3])


def test_nothing_depends_on_other_sizes_conditions_repetitions_or_items():
    every = made(block={"replicates": 2})
    debate = every["condition"] == "debate"
    same(made([5], conditions=["debate"]), every[debate & (every["n"] == 5) & (every["replicate"] == 1)])
    fewer = made([5], items=ITEMS.slice(0, 6), conditions=["debate"])
    same(fewer, every[debate & (every["n"] == 5) & (every["replicate"] == 1) & every["item"].isin(fewer["item"])])


@pytest.mark.parametrize("rows", [1, 50])
def test_nothing_depends_on_the_size_of_chunks(rows, monkeypatch):
    whole = made()
    monkeypatch.setattr(simulated_rows, "ROWS", rows)
    monkeypatch.setattr(simulate, "COMPARISONS", rows)
    same(made(), whole)


def test_an_agent_is_the_same_on_every_team():
    """And in a mixed team each model's first agent is that model's agent 1."""
    experiments = {"e": block(teams=["t", "u"], sizes=[4], conditions=["self_correction"])}
    teams = {"t": {"members": ["m"]}, "u": {"members": ["o", "m"]}}
    config = small_config(
        models={"m": {"population": POPULATION}, "o": {}}, teams=teams, experiments=experiments, members=("m",)
    )
    alone, mixed = (said(config, team) for team in ("t", "u"))
    for seat, agent in ((2, 1), (4, 2)):
        pd.testing.assert_series_equal(alone[agent], mixed[seat], check_names=False)


def said(config, team):
    (cell,) = [cell for cell in plan(config).cells if cell.team == team]
    sitting = Sitting.of(config, team, questions(small_items(30)), 4)
    chunks = list(simulated_rows.Rows(sitting, cell).chunks())
    answers = plain(conform(pa.concat_tables(chunks).unify_dictionaries(), ANSWERS, team))
    return wide(answers.assign(item=answers["item"] + answers["round"].astype(str)))


def test_codes_of_a_smaller_team_are_those_of_the_first_agents():
    population = Population(**POPULATION)
    small, large = (
        answer_codes(population, 50, n, "full", 2, "self_correction", np.random.default_rng(3)) for n in (3, 8)
    )
    assert (small == large[:, :3]).all()

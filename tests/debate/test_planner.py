"""The plan against a count of what the protocol really asks."""

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_runs import ask_all, block, small_config, small_items

from headcount.config import load
from headcount.debate.costs import costs, draw_calls, naive_calls, revision_calls
from headcount.debate.planner import Shape, plan
from headcount.items.counts import known_counts

CONFIG = Path(__file__).parents[2] / "config"
PAPER_SIZES = [1, 2, 3, 5, 7, 10, 15, 20, 30]


@st.composite
def small_configs(draw, peers="full"):
    """One or two overlapping blocks, some with second teams, one or two models on the team, nested or not."""
    blocks = {}
    for i in range(draw(st.integers(1, 2))):
        conditions = draw(st.sampled_from([["debate"], ["noise"], ["self_correction"], ["self_consistency", "debate"]]))
        sizes = draw(st.lists(st.integers(2, 5), min_size=1, max_size=2))
        blocks[f"b{i}"] = block(
            conditions=conditions,
            sizes=sizes,
            updates=draw(st.integers(0, 2)),
            replicates=draw(st.integers(1, 2)),
            null_teams=draw(st.lists(st.sampled_from(sizes), max_size=1)) if "debate" in conditions else [],
            peers=[peers],
        )
    members = draw(st.sampled_from([("m",), ("m", "o"), ("m", "o", "m")]))
    nesting = draw(st.sampled_from(["nested", "independent"]))
    models = {name: {} for name in set(members)}
    return small_config(experiments=blocks, members=members, models=models, protocol={"nesting": nesting})


def _planned_and_asked(config):
    """Calls an item by the plan, and distinct requests an item that the protocol made, by cell."""
    asked, planned = ask_all(config, small_items(2)), plan(config)
    plans = {"draws": sum(map(draw_calls, planned.pools))}
    plans |= {cell.condition: revision_calls(cell, config.protocol.nesting) for cell in planned.cells}
    return plans, {name: len({request.key for request in part.requests}) / 2 for name, part in asked.items()}


@settings(max_examples=25)
@given(small_configs())
def test_the_plan_counts_the_distinct_requests_that_the_protocol_makes(config):
    planned, asked = _planned_and_asked(config)
    assert planned == asked


@settings(max_examples=15)
@given(small_configs(peers=1))
def test_where_few_are_heard_the_plan_is_an_upper_bound(config):
    """Agents of teams of two sizes may hear the same one peer, and then ask the same."""
    planned, asked = _planned_and_asked(config)
    assert all(asked[name] <= planned[name] for name in planned)
    assert asked["draws"] == planned["draws"]


def test_overlapping_blocks_are_run_once_at_the_longest():
    core = block(sizes=[5, 10], updates=2, replicates=2)
    k_sweep = block(sizes=[5, 10], updates=6, peers=[1, 4, 9])
    (cell,) = plan(small_config(experiments={"core": core, "k": k_sweep})).cells
    assert cell.shapes == (
        Shape(5, 1, 6, 1),
        Shape(5, 4, 6, 2),
        Shape(10, 1, 6, 1),
        Shape(10, 4, 6, 1),
        Shape(10, 9, 6, 2),
    )


def test_of_overlapping_blocks_the_most_shards_count():
    config = small_config(experiments={"one": block(sizes=[2], shards=2), "other": block(sizes=[3], shards=5)})
    planned = plan(config)
    assert [cell.shards for cell in planned.cells] == [pool.shards for pool in planned.pools] == [5]


def test_a_block_with_many_replicates_of_few_agents_does_not_multiply_the_many():
    blocks = {"wide": block(sizes=[30]), "deep": block(sizes=[2], replicates=9)}
    (pool,) = plan(small_config(experiments=blocks)).pools
    assert draw_calls(pool) == 30 + 8 * 2


def test_a_second_team_debates_at_the_sizes_that_are_named_and_nowhere_else():
    config = small_config(
        experiments={
            "e": block(
                conditions=["debate", "self_correction", "noise"],
                sizes=[2, 3, 5],
                peers=["full", 1],
                null_teams=[3],
            )
        }
    )
    planned = plan(config)
    debate, alone, noise = planned.cells
    assert {(s.n, s.k): s.replicates for s in debate.shapes} == {(2, 1): 1, (3, 1): 2, (3, 2): 2, (5, 1): 1, (5, 4): 1}
    assert {s.replicates for cell in (alone, noise) for s in cell.shapes} == {1}
    assert planned.pools[0].sizes == ((0, 1, 5), (0, 2, 3))
    once = plan(small_config(experiments={"e": block(sizes=[2, 3, 5], replicates=3, null_teams=[3])}))
    assert {shape.replicates for shape in once.cells[0].shapes} == {3}  # there are two teams and more already


def test_sharing_halves_the_calls_of_the_paper_grid():
    """458 an item, where the teams of two and more alone would ask 828 if each asked for itself."""
    config = small_config(sizes=tuple(PAPER_SIZES), conditions=("debate", "self_correction", "noise"))
    planned = plan(config)
    shared = sum(map(draw_calls, planned.pools)) + sum(revision_calls(cell, "nested") for cell in planned.cells)
    assert shared == 458
    speakers = small_config(sizes=tuple(PAPER_SIZES[1:]), conditions=("debate", "self_correction", "noise"))
    assert sum(map(naive_calls, plan(speakers).cells)) == 828
    alone = {cell.condition: naive_calls(cell) for cell in planned.cells}
    assert alone == {"debate": 277, "noise": 277, "self_correction": 279}  # one agent alone has nobody to revise with


def test_every_cell_of_the_papers_table_of_experiments_is_planned():
    published = Path(__file__).parents[2] / "resources/published/table03_experiment_scope.csv"
    cells = {
        (cell.team, cell.task.removesuffix("_200"), cell.condition): cell
        for cell in plan(load(CONFIG / "paper.yaml")).cells
    }
    for row in csv.DictReader(published.open()):
        tasks = [task for task in ("mmlu_hard", "gsm_hard", "gpqa") if row[f"items_{task}"]]
        conditions = row["conditions"].replace("ensemble", "self_consistency").split(";")
        for task in tasks:
            for condition in conditions:
                sizes = {shape.n for shape in cells[row["model"], task, condition].shapes}
                assert {int(row["n_min"]), int(row["n_max"])} <= sizes, row


def test_the_papers_k_sweep_shares_its_cell_with_the_core_sweep():
    shapes = plan(load(CONFIG / "paper.yaml")).cell("qwen2.5-7b", "mmlu_hard", "debate").shapes
    assert {(s.n, s.k, s.updates) for s in shapes if s.k == s.n - 1} >= {
        (5, 4, 6),
        (10, 9, 6),
        (30, 29, 6),
        (20, 19, 2),
    }


def test_recorded_answers_are_planned_and_cost_nothing():
    config = load(CONFIG / "panel.yaml")
    planned = plan(config)
    assert planned.pools == ()
    assert [(cell.task, len(cell.shapes)) for cell in planned.cells] == [("mmlu_pro", 28), ("mmlu_pro_published", 28)]
    for line in costs(config, {"mmlu_pro": 12032, "mmlu_pro_published": 12032}):
        assert (line.calls, line.naive, line.prompt_tokens, line.output_tokens, line.jobs) == (0, 0, 0, 0, 0)


@pytest.mark.parametrize("condition", ["debate", "noise"])
def test_teams_of_one_have_nothing_to_ask_but_their_draws(condition):
    (cell,) = plan(small_config(sizes=(1,), conditions=(condition,))).cells
    assert revision_calls(cell, "nested") == 0


def test_questions_are_chosen_for_who_asks_them_and_for_nobody_else():
    chosen = {"format": "high_flip", "of": "a", "model": "m", "items": 2}
    tasks = {"a": {"format": "mmlu_hard", "items": 9}, "b": chosen, "c": chosen | {"items": 3}}
    config = small_config(tasks=tasks, probing={"models": ["m"], "tasks": ["a"], "items": 4})
    assert [screen.name for screen in plan(config).screens] == [("probe", "m", "a")]
    config = small_config(tasks=tasks, probing={"models": ["m"], "tasks": ["a", "b", "c"], "items": 4})
    names = [screen.name for screen in plan(config).screens]
    assert names == [("flip_pool", "m", "a"), *(("probe", "m", task) for task in "abc")]
    by_hand = {
        ("flip_pools", "a"): 9 * 3 * 5,
        ("probes", "a"): 4 * 81,
        ("probes", "b"): 2 * 81,
        ("probes", "c"): 3 * 81,
    }
    lines = costs(config, known_counts(config))
    assert {(line.condition, line.task): line.calls for line in lines if line.what == "probes"} == by_hand

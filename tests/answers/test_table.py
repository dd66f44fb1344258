"""A team's answers: every turn in its place, counted by hand, on runs of the simulated engine."""

import shutil
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest
from small_runs import small_items

from headcount.answers.table import Replies, answer_cell
from headcount.answers.team import team_answers
from headcount.config import Config, parse
from headcount.debate.generate import generate_draws, generate_turns
from headcount.debate.planner import plan
from headcount.errors import UserError
from headcount.schema import ANSWERS, DRAWS, ITEMS, TURNS
from headcount.store import conform, plain, read, write

COUNT = 3
ITEMS_OF = {"letters": small_items(COUNT, options=4), "numbers": small_items(COUNT)}
SILENT = {"missing": 0.3}
PLACE = ["item", "n", "k", "round", "agent"]


def config_of(*, core=None, **sections) -> Config:
    block = {"teams": ["t", "mixed"], "tasks": ["letters", "numbers"], "sizes": [1, 2, 3, 5]}
    model = {"family": "f", "engine": "simulated", "population": SILENT}
    raw = {
        "run": "small",
        "models": {"m": model | {"sampling": {"slot_temperatures": [0.25, 0.75]}}, "other": model},
        "teams": {"t": {"members": ["m"]}, "mixed": {"members": ["m", "other"]}},
        "tasks": {"letters": {"format": "mmlu_hard"}, "numbers": {"format": "arithmetic"}},
        "experiments": {"core": block | (core or {})},
    }
    return parse(raw | sections, "small")


def make(config: Config, folder: Path) -> dict[str, pd.DataFrame]:
    """A whole run's answers by team, through the files of all its stages."""
    planned, results = plan(config), folder / "results"
    draws = {}
    for task, items in ITEMS_OF.items():
        write(results / f"items/{task}.parquet", items, ITEMS)
    for pool in planned.pools:
        table = conform(generate_draws(config, pool, ITEMS_OF[pool.task], folder / "cache"), DRAWS, "draws")
        draws[pool.model, pool.task] = table
        write(results / f"draws/{pool.model}/{pool.task}.parquet", table, DRAWS)
    for cell in planned.cells:
        if cell.condition != "self_consistency":
            known = {model: draws[model, cell.task] for model in config.teams[cell.team].members}
            turns = generate_turns(config, cell, ITEMS_OF[cell.task], known, folder / "cache")
            write(results / f"turns/{cell.team}/{cell.task}/{cell.condition}.parquet", turns, TURNS)
    teams = sorted({cell.team for cell in planned.cells})
    return {team: plain(conform(team_answers(config, team, results), ANSWERS, team)) for team in teams}


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("run")


@pytest.fixture(scope="module")
def answers(folder) -> pd.DataFrame:
    """Of both teams to both tasks, whose run is in the folder."""
    made = make(config_of(), folder)
    return pd.concat([rows.assign(team=team) for team, rows in made.items()])


def test_every_team_has_an_answer_of_every_agent_in_every_round(answers):
    counts = answers.groupby(["team", "task", "condition", "n", "k", "round"]).size().to_dict()
    expected = {}
    for team in ("t", "mixed"):
        for task in ("letters", "numbers"):
            for n in (1, 2, 3, 5):
                expected[team, task, "self_consistency", n, 0, 1] = COUNT * n
                for round_ in (1, 2, 3):
                    expected[team, task, "self_correction", n, 0, round_] = COUNT * n
                    expected[team, task, "debate", n, n - 1, round_] = COUNT * n
                    expected[team, task, "noise", n, n - 1, round_] = COUNT * n
    assert counts == expected


def test_a_team_of_one_that_hears_nobody_repeats_itself_at_no_cost(answers):
    alone = answers[answers["n"] == 1].set_index(["team", "task", "condition", "item", "round"])
    for condition in ("debate", "noise"):
        rounds = [alone.xs((condition, r), level=("condition", "round")) for r in (1, 2, 3)]
        assert (rounds[0]["completion_tokens"] > 0).all()
        for later in rounds[1:]:
            assert (later[["prompt_tokens", "completion_tokens"]] == 0).all(axis=None)
            kept = ["request", "answer", "status", "correct"]
            pd.testing.assert_frame_equal(later[kept], rounds[0][kept])
    corrected = alone.xs(("self_correction", 2), level=("condition", "round"))
    assert (corrected["completion_tokens"] > 0).all()


def test_round_1_is_the_same_draws_under_every_condition_and_in_every_team(answers):
    first = answers[answers["round"] == 1]
    assert (first.groupby(["team", "task", "item", "agent"])["request"].nunique() == 1).all()
    first = first[first["n"] == 5].drop_duplicates(["team", "task", "item", "agent"])
    seats = first.set_index(["team", "task", "item", "agent"])["request"]
    for item in ("q0", "q1", "q2"):  # of m and other in turn, m's second agent sits third
        assert seats["mixed", "letters", item, 3] == seats["t", "letters", item, 2]
        assert seats["mixed", "letters", item, 5] == seats["t", "letters", item, 3]


def test_models_and_temperatures_are_those_of_the_seat(answers):
    mixed = answers[answers["team"] == "mixed"].groupby("agent")[["model", "temperature"]].agg(["unique"])
    seats = {agent: (*row.iloc[0], *row.iloc[1]) for agent, row in mixed.iterrows()}
    m, other = ("m", "other")
    temperature = pytest.approx(0.4)
    assert seats == {1: (m, 0.25), 2: (other, temperature), 3: (m, 0.75), 4: (other, temperature), 5: (m, 0.25)}


def test_correct_is_known_exactly_where_there_is_an_answer(answers):
    missing = answers["answer"].isna()
    assert 0.2 < missing.mean() < 0.4
    assert (answers["correct"].isna() == missing).all()
    assert set(answers[missing]["status"]) == {"missing"}
    given = answers[~missing]
    numbers = given["task"] == "numbers"
    gold = given["item"].str[1:].astype(int) + 100  # as small_items makes them
    right = (given["answer"] == gold.astype(str)).where(numbers, given["answer"] == "A")
    assert (given["correct"].astype(bool) == right).all()
    assert 0.1 < right.mean() < 0.9


def test_a_k_sweep_has_each_shape_that_exists_and_shares_round_1(tmp_path):
    core = {
        "teams": ["t"],
        "tasks": ["letters"],
        "conditions": ["debate"],
        "sizes": [2, 4],
        "peers": ["full", 1, 2],
        "updates": 1,
    }
    rows = make(config_of(core=core), tmp_path)["t"]
    shapes = rows.groupby(["n", "k", "round"]).size().to_dict()
    assert shapes == {(n, k, r): COUNT * n for n, k in ((2, 1), (4, 1), (4, 2), (4, 3)) for r in (1, 2)}
    requests = rows[rows["n"] == 4].set_index(PLACE)["request"].unstack("k")
    first = requests.xs(1, level="round")
    assert (first[1] == first[2]).all()
    assert (first[1] == first[3]).all()
    later = requests.xs(2, level="round")
    assert not (later[1] == later[3]).any()


@pytest.mark.parametrize("nesting", ["nested", "independent"])
def test_teams_of_different_sizes_share_agents_only_where_they_are_nested(tmp_path, nesting):
    core = {"teams": ["t"], "tasks": ["numbers"], "conditions": ["self_consistency"], "sizes": [2, 3]}
    rows = make(config_of(core=core, protocol={"nesting": nesting}), tmp_path)["t"]
    small, large = (set(rows[rows["n"] == n]["request"]) for n in (2, 3))
    assert (len(small), len(large)) == (2 * COUNT, 3 * COUNT)
    assert small & large == (small if nesting == "nested" else set())


def test_replicates_and_no_updates_are_whole_runs(tmp_path):
    core = {"teams": ["t"], "tasks": ["letters"], "sizes": [2], "updates": 0, "replicates": 2}
    rows = make(config_of(core=core), tmp_path)["t"]
    assert rows.groupby(["condition", "round", "replicate"]).size().to_dict() == {
        (condition, 1, replicate): 2 * COUNT
        for condition in ("debate", "noise", "self_consistency", "self_correction")
        for replicate in (1, 2)
    }


def test_a_run_of_single_agents_has_no_turns_to_ask_and_all_its_rounds(tmp_path):
    core = {"teams": ["t"], "tasks": ["letters"], "conditions": ["debate", "noise"], "sizes": [1]}
    rows = make(config_of(core=core), tmp_path)["t"]
    assert rows.groupby("round").size().to_dict() == {1: 2 * COUNT, 2: 2 * COUNT, 3: 2 * COUNT}


def cell_by_hand(**reply) -> tuple:
    """Round 1 of one agent on one item, with a reply as given."""
    core = {"teams": ["t"], "tasks": ["numbers"], "conditions": ["self_consistency"], "sizes": [1]}
    config = config_of(core=core)
    row = {"item": "q0", "replicate": 1, "n": 0, "agent": 1, "request": "r", "finish_reason": "stop"}
    row |= {"prompt_tokens": 1, "completion_tokens": 1, "token_ends": None, "token_logprobs": None} | reply
    draws = conform(pa.Table.from_pylist([row], schema=DRAWS.schema), DRAWS, "draws")
    return config, plan(config).cells[0], ITEMS_OF["numbers"].slice(0, 1), Replies({"m": draws}, None)


# FINAL|:| 1|00|\n|CONF: 9: the answer is characters 7 to 10
ENDS = [5, 6, 8, 10, 11, 18]


@pytest.mark.parametrize(
    ("text", "ends", "logprobs", "total"),
    [
        ("FINAL: 100\nCONF: 9", ENDS, [-1, -2, -4, -8, -16, -32], -12),
        ("FINAL: 100\nCONF: 9", [10, 18], [-1, -2], -1),
        ("FINAL: 100\nCONF: 9", [7, 10, 18], [-1, -2, -4], -2),
        ("FINAL: 100\nCONF: 9", ENDS, None, None),
        ("FINAL: perhaps", [6, 14], [-1, -2], None),
    ],
)
def test_logprob_sums_over_the_tokens_that_spell_the_answer(text, ends, logprobs, total):
    (row,) = answer_cell(*cell_by_hand(text=text, token_ends=ends, token_logprobs=logprobs)).to_dict("records")
    assert (row["logprob"] if total is None else None) is None or pd.isna(row["logprob"])
    assert total is None or row["logprob"] == total


def test_a_missing_turn_is_an_error_that_names_the_cell(folder, answers, tmp_path):
    assert len(answers)  # so that the folder holds a run
    results = Path(shutil.copytree(folder / "results", tmp_path / "results"))
    turns = results / "turns/mixed/numbers/debate.parquet"
    rows = plain(read(turns, TURNS))
    lost = (rows["n"] == 3) & (rows["round"] == 2) & (rows["agent"] == 1) & (rows["item"] == "q1")
    write(turns, rows[~lost], TURNS)
    with pytest.raises(UserError) as error:
        team_answers(config_of(), "mixed", results)
    assert str(error.value) == (
        "mixed / numbers / debate: teams of 3 hearing 2 have 26 turns, and need 27. "
        "Delete the cell's turns and run again."
    )


def test_released_answers_serve_a_smaller_run_and_no_larger_one(tmp_path):
    tasks = {"letters": {"format": "mmlu_hard", "private": True}, "numbers": {"format": "arithmetic"}}
    core = {"teams": ["t"], "tasks": ["letters"]}
    whole = make(config_of(core=core, tasks=tasks), tmp_path)["t"]
    write(tmp_path / "released/answers/t/letters.parquet", whole, ANSWERS)
    replay = {"tasks": tasks, "replay": str(tmp_path / "released")}
    fewer = config_of(core=core | {"sizes": [2, 3], "updates": 1}, **replay)
    rows = plain(team_answers(fewer, "t", tmp_path / "nowhere"))
    expected = whole[whole["n"].isin([2, 3]) & (whole["round"] <= 2)].reset_index(drop=True)
    pd.testing.assert_frame_equal(rows, expected)
    with pytest.raises(UserError, match=r"t / letters / debate: teams of 7 hearing 6 have 0 turns"):
        team_answers(config_of(core=core | {"sizes": [7]}, **replay), "t", tmp_path / "nowhere")

"""The published sets, as they are fetched: sizes, names, and golds checked against the questions."""

import ast
import json
import os
import re
from collections import Counter
from fractions import Fraction
from operator import add, mul, sub, truediv
from pathlib import Path

import pytest

from headcount.config import Task
from headcount.items.counts import known_count
from headcount.items.load import load_items
from headcount.schema import ITEMS
from headcount.store import read, write

OPERATORS = {"+": add, "-": sub, "*": mul, "/": truediv}


def rows(task, cache):
    table = load_items(task, cache)
    assert table.num_rows == known_count(task)
    assert table["item"].to_pylist() == sorted(set(table["item"].to_pylist()))
    return {row["item"]: row for row in table.to_pylist()}


@pytest.mark.network
def test_mmlu_hard_is_the_724_items_of_five_subjects(pinned_cache, tmp_path):
    items = rows(Task(format="mmlu_hard"), pinned_cache)
    assert Counter(item.rpartition("-")[0] for item in items) == {
        "college_physics": 102,
        "college_mathematics": 100,
        "formal_logic": 126,
        "econometrics": 114,
        "professional_accounting": 282,
    }
    assert items["college_physics-0"]["gold"] == "B"  # rms deviation sqrt(100 * 0.1 * 0.9) = 3
    assert items["college_physics-0"]["choices"][1].endswith("rms deviation of about 3")
    assert all(len(row["choices"]) == 4 and row["gold"] in "ABCD" for row in items.values())
    assert sum(choice == "None" for row in items.values() for choice in row["choices"]) == 4
    assert json.loads(items["formal_logic-7"]["metadata"]) == {"subject": "formal_logic", "row": 7}
    write(tmp_path / "items.parquet", load_items(Task(format="mmlu_hard"), pinned_cache), ITEMS)
    assert {row["item"]: row for row in read(tmp_path / "items.parquet", ITEMS).to_pylist()} == items


@pytest.mark.network
def test_arc_challenge_is_299_questions_whose_key_names_one_of_their_options(pinned_cache):
    items = rows(Task(format="arc_challenge"), pinned_cache)
    assert Counter(len(row["choices"]) for row in items.values()) == {3: 3, 4: 295, 5: 1}
    assert all(row["gold"] in "ABCDE"[: len(row["choices"])] for row in items.values())
    assert items["Mercury_7103565"]["choices"][2] == "drought"
    assert items["Mercury_7103565"]["gold"] == "C"


@pytest.mark.network
def test_every_arithmetic_gold_is_what_its_question_comes_to(pinned_cache):
    items = rows(Task(format="arithmetic"), pinned_cache)
    for row in items.values():
        a, operator, b = re.fullmatch(r"Calculate (\d+) ([-+*/]) (\d+)\.", row["question"]).groups()
        assert Fraction(row["gold"]) == OPERATORS[operator](Fraction(a), Fraction(b))
        assert row["choices"] is None
    assert Counter(json.loads(row["metadata"])["difficulty"] for row in items.values()) == {
        "easy": 1000,
        "medium": 1000,
        "hard": 1000,
    }


@pytest.mark.network
def test_every_humaneval_gold_is_a_function_that_the_solution_defines(pinned_cache):
    items = rows(Task(format="humaneval"), pinned_cache)
    assert set(items) == {f"HumanEval/{i}" for i in range(164)}
    for row in items.values():
        metadata = json.loads(row["metadata"])
        program = ast.parse(row["question"] + metadata["canonical_solution"] + metadata["test"])
        functions = {node.name for node in program.body if isinstance(node, ast.FunctionDef)}
        assert {row["gold"], "check"} <= functions


@pytest.mark.network
def test_a_subset_of_the_real_items_is_some_of_them(pinned_cache):
    everything = rows(Task(format="humaneval"), pinned_cache)
    some = rows(Task(format="humaneval", items=30, seed=5), pinned_cache)
    assert len(some) == 30
    assert some.items() <= everything.items()
    assert some.keys() != rows(Task(format="humaneval", items=30, seed=6), pinned_cache).keys()


@pytest.mark.shared
@pytest.mark.skipif("HEADCOUNT_SHARED" not in os.environ, reason="HEADCOUNT_SHARED is not set")
def test_gsm_hard_is_the_1017_items_with_an_integer_answer(tmp_path):
    path = Path(os.environ["HEADCOUNT_SHARED"], "data", "gsmhardv2.jsonl")
    published = [json.loads(line) for line in path.open()]
    items = rows(Task(format="gsm_hard", source={"path": path}), tmp_path)
    assert known_count(Task(format="gsm_hard")) == len(items) == 1017
    assert items["gsm_hard-0"]["gold"] == "-9867630"
    for row in items.values():
        place = json.loads(row["metadata"])["row"]
        assert row["item"] == f"gsm_hard-{place}"
        assert row["question"] == published[place]["input"]
        assert int(row["gold"]) == round(published[place]["target"])  # all below 2**53: floats are exact
        assert abs(int(row["gold"])) < 2**53

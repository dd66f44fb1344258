"""The script of `measures`, from file to files."""

import importlib.util
from pathlib import Path

import pytest
from tables_of_answers import answers_table
from talking_teams import FAMILIES, talking_frame

from headcount.content import content_hash
from headcount.ledger.transitions import transitions
from headcount.measures.aggregators import votes
from headcount.measures.cross_pairs import cross_pairs
from headcount.measures.moves import moves
from headcount.measures.subsets import subset_measures
from headcount.measures.table import measure
from headcount.schema import ANSWERS, CROSS_PAIRS, MEASURES, MOVES, SUBSETS, TRANSITIONS, VOTES
from headcount.store import read, write

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"


def script(name: str):
    spec = importlib.util.spec_from_file_location(f"script_{name}", SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def answers(tmp_path):
    path = tmp_path / "answers" / "team.parquet"
    write(path, answers_table(talking_frame(0, teams=20).assign(model="m1")), ANSWERS)
    return path


def test_what_answers_say_from_file_to_files(answers, tmp_path):
    """One job reads the answers once; each file is what its own function makes of them."""
    rows = read(answers, ANSWERS)
    sizes = {("task0", "debate"): [1, 2], ("task1", "debate"): [2]}
    script("measures").main(answers, sizes, FAMILIES, tmp_path)
    expected = {
        MEASURES: measure(rows),
        SUBSETS: subset_measures(rows, sizes),
        MOVES: moves(rows),
        VOTES: votes(rows, FAMILIES),
        CROSS_PAIRS: cross_pairs(rows),
        TRANSITIONS: transitions(rows, "team", "every"),
    }
    for table, made in expected.items():
        assert content_hash(read(tmp_path / table.name / "team.parquet", table)) == content_hash(made)

"""The scripts of `moves` and `votes`, from file to file."""

import importlib.util
from pathlib import Path

import pytest
from tables_of_answers import answers_table
from talking_teams import FAMILIES, talking_frame

from headcount.content import content_hash
from headcount.measures.aggregators import votes
from headcount.measures.moves import moves
from headcount.schema import ANSWERS, MOVES, VOTES
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
    write(path, answers_table(talking_frame(0, teams=20)), ANSWERS)
    return path


def test_moves_from_file_to_file(answers, tmp_path):
    script("moves").main(answers, tmp_path / "moves.parquet")
    made = read(tmp_path / "moves.parquet", MOVES)
    assert content_hash(made) == content_hash(moves(read(answers, ANSWERS)))


def test_votes_from_file_to_file(answers, tmp_path):
    script("votes").main(answers, tmp_path / "votes.parquet", FAMILIES)
    made = read(tmp_path / "votes.parquet", VOTES)
    assert content_hash(made) == content_hash(votes(read(answers, ANSWERS), FAMILIES))

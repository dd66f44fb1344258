"""Items shared out over jobs: nothing is asked twice, and the whole does not show how it was divided."""

import random
from itertools import chain
from pathlib import Path

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st
from small_runs import keys_in, run, small_config, small_items

from headcount.content import content_hash
from headcount.debate.generate import generate_draws, generate_turns
from headcount.debate.planner import plan
from headcount.debate.shards import Shard
from headcount.schema import DRAWS, TURNS, Table
from headcount.store import read, write

CONFIG = small_config(conditions=("debate", "noise"), models={"m": {"population": {"missing": 0.2}}})


@given(st.integers(0, 40), st.integers(1, 50))
@settings(deadline=None)
def test_shards_are_disjoint_and_together_they_are_all_items(items, count):
    table = small_items(items)
    shares = [Shard(index, count).of(table)["item"].to_pylist() for index in range(1, count + 1)]
    assert sorted(chain(*shares)) == sorted(table["item"].to_pylist())
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def gathered(parts: list[pa.Table], table: Table, folder: Path) -> Path:
    """The parts in one file, in whatever order they came."""
    random.shuffle(parts)
    path = folder / f"{table.name}.parquet"
    write(path, pa.concat_tables(parts), table)
    return path


def asked_in_shards(count: int, folder: Path, cache: Path) -> list[Path]:
    """The draws, and the turns of each condition, of a run in so many shards."""
    items, shards = small_items(7), [Shard(index, count) for index in range(1, count + 1)]
    pool = plan(CONFIG).pool("m", "a")
    draws = gathered([generate_draws(CONFIG, pool, items, cache, shard) for shard in shards], DRAWS, folder)
    known = {"m": read(draws, DRAWS)}
    cells = [
        [generate_turns(CONFIG, cell, items, known, cache, shard) for shard in shards] for cell in plan(CONFIG).cells
    ]
    return [draws, *(gathered(parts, TURNS, folder / str(place)) for place, parts in enumerate(cells))]


def test_the_gathered_files_do_not_depend_on_the_number_of_shards(tmp_path):
    made = {n: asked_in_shards(n, tmp_path / f"made {n}", tmp_path / f"cache {n}") for n in (1, 3, 9)}
    for whole, three, nine in zip(*made.values(), strict=True):
        assert whole.read_bytes() == three.read_bytes() == nine.read_bytes()


def test_shards_ask_what_the_whole_asks(tmp_path):
    whole = run(CONFIG, small_items(7), tmp_path / "whole")
    draws, debate, noise = asked_in_shards(3, tmp_path, tmp_path / "shards")
    assert content_hash(read(draws, DRAWS)) == content_hash(whole.draws["m", "a"])
    assert content_hash(read(debate, TURNS)) == content_hash(whole.turns["t", "a", "debate"])
    assert content_hash(read(noise, TURNS)) == content_hash(whole.turns["t", "a", "noise"])


def test_another_number_of_shards_asks_nothing_again(tmp_path):
    asked_in_shards(3, tmp_path / "first", tmp_path / "cache")
    keys = sorted(keys_in(tmp_path / "cache"))
    asked_in_shards(2, tmp_path / "second", tmp_path / "cache")
    assert sorted(keys_in(tmp_path / "cache")) == keys

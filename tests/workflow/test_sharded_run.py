"""A cell in shards, through the workflow: one file at the end, and nothing asked again where their number changes."""

import re

import pytest
from checkout import CONFIG, Checkout, check_out

pytestmark = pytest.mark.workflow

CELL = "results/small/turns/mixed/letters/debate.parquet"
DRAWS = [f"results/small/draws/{model}/letters.parquet" for model in "ab"]
SHARDED = CONFIG.replace("conditions: [debate], sizes: [1, 2, 3]", "conditions: [debate], sizes: [2, 3], shards: 3")


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Checkout:
    """A checkout that has asked a cell in one job."""
    checkout = check_out(tmp_path_factory.mktemp("whole"))
    (checkout.folder / "small.yaml").write_text(SHARDED.replace("shards: 3", "shards: 1"), encoding="utf-8")
    checkout.run(CELL)
    return checkout


def test_shards_are_jobs_and_their_number_leaves_no_trace(whole, tmp_path):
    before = {path: (whole.folder / path).read_bytes() for path in (*DRAWS, CELL)}
    sharded = whole.clone(tmp_path / "sharded")
    (sharded.folder / "small.yaml").write_text(SHARDED, encoding="utf-8")
    for path in (*DRAWS, CELL):
        (sharded.folder / path).unlink()
    said = sharded.run(CELL)
    jobs = {"draws_of_shard": 6, "turns_of_shard": 3, "gather": 3}
    assert {rule: int(count) for rule, count in re.findall(r"^(\w+) +(\d+)$", said, re.MULTILINE)} == jobs | {
        "total": sum(jobs.values())
    }
    assert {path: (sharded.folder / path).read_bytes() for path in before} == before
    calls = re.findall(r": \d+ of \d+ calls, (\d+)% cached", said)
    assert set(calls) == {"100"}, said

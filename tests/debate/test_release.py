"""A released cache: what it replays, what it names where it cannot, and what it never holds."""

import shutil

import pytest
from small_runs import Run, keys_in, run, small_config, small_items, write_run

from headcount.debate.release import release
from headcount.errors import UserError
from headcount.schema import ANSWERS, RESPONSES
from headcount.store import read, write

ALL = ("self_consistency", "debate", "self_correction", "noise")
ITEMS = small_items(4)


@pytest.fixture
def released(tmp_path):
    """A folder that holds the cache, the results and the release of a run of all conditions."""
    made = run(small_config(conditions=ALL), ITEMS, tmp_path / "cache")
    write_run(made, ITEMS, tmp_path / "results")
    release(small_config(conditions=ALL), tmp_path / "results", tmp_path / "cache", tmp_path / "release")
    return tmp_path


def replay(folder, **changes):
    config = small_config(**({"conditions": ALL, "replay": str(folder / "release")} | changes))
    return run(config, ITEMS, folder / "nothing")


def equal(one: Run, other: Run) -> bool:
    return all(one.draws[key].equals(other.draws[key]) for key in one.draws | other.draws) and all(
        one.turns[key].equals(other.turns[key]) for key in one.turns | other.turns
    )


def test_a_release_replays_the_run_to_the_byte_without_a_journal(released):
    original = run(small_config(conditions=ALL), ITEMS, released / "cache")
    assert equal(replay(released), original)
    assert not (released / "nothing").exists()


def test_a_release_replays_a_smaller_run(released):
    assert replay(released, conditions=("debate",), sizes=(1, 2)).turns["t", "a", "debate"].num_rows == 4 * 2 * 2


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (
            {"models": {"m": {"sampling": {"temperature": 0.7}}}},
            "draws, item q0, n=0, k=0, round 1, agent 1: nearest differs in temperature (0.4 stored, 0.7 asked)",
        ),
        ({"seed": 1}, "nearest differs in seed ("),
        ({"sizes": (1, 2, 3, 4)}, "m / a / draws, item q0, n=0, k=0, round 1, agent 4: nearest differs in seed ("),
        ({"models": {"m": {"dtype": "q4"}}}, "nearest differs in dtype (auto stored, q4 asked)"),
    ],
)
def test_a_miss_names_the_place_and_the_field_that_differs(released, change, says):
    with pytest.raises(UserError, match="replay: no stored answer for") as missed:
        replay(released, **change)
    assert says in str(missed.value)


def test_a_miss_of_a_revision_names_its_prompt(released):
    """Item q1 was reworded after the release: its draws' prompts are other prompts."""
    config = small_config(conditions=ALL, replay=str(released / "release"))
    reworded = ITEMS.set_column(1, "question", [[f"{q} Reworded." for q in ITEMS["question"].to_pylist()]])
    with pytest.raises(UserError, match=r"item q0, .*nearest differs in messages \(the prompt: its template, the item"):
        run(config, reworded, released / "nothing")


def test_a_task_that_was_not_released_is_named(released):
    (released / "release/responses/m/a.parquet").unlink()
    with pytest.raises(UserError, match=r"responses/m/a\.parquet: the released cache has no answers of m to a"):
        replay(released)


def test_a_release_holds_the_runs_own_replies_and_no_prompt(released):
    other = small_config(seed=9)
    run(other, ITEMS, released / "cache")  # another run fills the same journals
    release(small_config(conditions=ALL), released / "results", released / "cache", released / "release")
    rows = read(released / "release/responses/m/a.parquet", RESPONSES)
    assert rows.num_rows < len(keys_in(released / "cache"))
    assert rows.schema.names == RESPONSES.schema.names
    assert not any("What is item" in str(value) for row in rows.to_pylist() for value in row.values())


def test_a_release_that_fails_leaves_the_former_one(released):
    """Its text may stand nowhere else."""
    before = {path: path.read_bytes() for path in (released / "release").rglob("*.parquet")}
    shutil.rmtree(released / "cache")
    with pytest.raises(UserError, match="the journals lack"):
        release(small_config(conditions=ALL), released / "results", released / "cache", released / "release")
    shutil.rmtree(released / "results")
    with pytest.raises(UserError, match="no such file"):
        release(small_config(conditions=ALL), released / "results", released / "cache", released / "release")
    assert {path: path.read_bytes() for path in before} == before


def test_a_new_release_replaces_the_former_one_whole(released):
    stale = released / "release/responses/old/a.parquet"
    stale.parent.mkdir()
    stale.touch()
    readme = released / "release/README.md"
    readme.touch()
    files = release(small_config(conditions=ALL), released / "results", released / "cache", released / "release")
    assert readme.exists(), "what is not part of a release is left alone"
    left = {path for path in (released / "release").rglob("*") if path.is_file()} - {readme}
    assert left == set(files)


def test_two_models_that_are_one_behind_their_names_are_both_released(tmp_path):
    """Their requests have equal keys, and each has a journal of its own."""
    models = {"m": {"model": "same"}, "o": {"model": "same"}}
    config = small_config(models=models, members=("m", "o"))
    made = run(config, ITEMS, tmp_path / "cache")
    write_run(made, ITEMS, tmp_path / "results")
    release(config, tmp_path / "results", tmp_path / "cache", tmp_path / "release")
    replaying = config.model_copy(update={"replay": tmp_path / "release"})
    assert equal(run(replaying, ITEMS, tmp_path / "nothing"), made)


def test_of_a_private_task_neither_questions_nor_replies_are_released(tmp_path):
    config = small_config(conditions=ALL, tasks={"a": {"format": "arithmetic", "private": True}})
    write_run(run(config, ITEMS, tmp_path / "cache"), ITEMS, tmp_path / "results")
    write(tmp_path / "results/answers/t.parquet", ANSWERS.schema.empty_table(), ANSWERS)
    files = release(config, tmp_path / "results", tmp_path / "cache", tmp_path / "release")
    assert files == [tmp_path / "release/answers/t/a.parquet", tmp_path / "release/release.json"]
    assert read(files[0], ANSWERS).schema.get_field_index("text") == -1
    assert {path for path in (tmp_path / "release").rglob("*") if path.is_file()} == set(files)

"""A file's chain stands for its content, its code, and all that it was made from; for nothing else."""

import shutil

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from checkout import made_from, page_files

from headcount.config import load
from headcount.debate.planner import plan
from headcount.publish.graph import steps
from headcount.publish.manifest import manifest


@pytest.fixture
def results(finished, tmp_path):
    return shutil.copytree(finished.folder / "results/small", tmp_path / "results")


@pytest.fixture
def config(finished):
    return load(finished.folder / "small.yaml")


def chains(config, results) -> dict[str, str]:
    return {path: file["chain"] for path, file in manifest(config, results)["files"].items()}


def change(path) -> None:
    """One value of a file, of those that no key holds."""
    if path.suffix != ".parquet":
        path.write_bytes(path.read_bytes() + b"\n")
        return
    rows = pq.read_table(path)
    name = next(n for n in ("metadata", "completion_tokens", "n_distinct", "n_items") if n in rows.column_names)
    column = rows[name]
    other = pc.binary_join_element_wise(column, "x", "") if pa.types.is_string(column.type) else pc.add(column, 1)
    rows = rows.set_column(rows.column_names.index(name), name, other.cast(column.type))
    pq.write_table(rows, path)


@pytest.mark.parametrize(
    "file",
    [
        "tables/regimes.csv",
        "curves.parquet",
        "measures/mixed.parquet",
        "answers/alone.parquet",
        "turns/mixed/letters/debate.parquet",
        "draws/b/letters.parquet",
        "items/secret.parquet",
    ],
)
def test_a_change_reaches_all_that_was_made_from_it_and_nothing_else(config, results, file):
    before = chains(config, results)
    change(results / file)
    after = chains(config, results)
    changed = {path for path in before if before[path] != after[path]}
    assert changed == made_from(file)
    assert changed & page_files()


def test_storage_and_the_run_s_name_change_no_chain(config, results):
    before = chains(config, results)
    for path in results.rglob("*.parquet"):
        pq.write_table(pq.read_table(path), path, row_group_size=5, compression="none", use_dictionary=False)
    assert chains(config.model_copy(update={"run": "other"}), results) == before


def test_every_file_is_made_from_files_before_it(config):
    seen = set()
    for step in steps(config, plan(config)):
        assert set(step.made_from) <= seen, step.path
        seen.add(step.path)
    assert seen >= page_files()


def test_templates_are_part_of_what_turns_were_made_with(config):
    code = {step.path.split("/")[0]: step.code for step in steps(config, plan(config))}
    assert "debate/templates" in code["draws"]
    assert "debate/templates" in code["turns"]

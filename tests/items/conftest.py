"""Files of items made by the tests, and the real ones, fetched once and kept in pytest's cache."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest


@pytest.fixture(scope="session")
def pinned_cache(request: pytest.FixtureRequest) -> Path:
    """A cache of fetched sources that outlives the test run, so that 85 MB come once."""
    return Path(request.config.cache.mkdir("headcount"))


@pytest.fixture
def write_arrow(tmp_path: Path) -> Callable[[list[dict]], Path]:
    """Writes rows as an Arrow stream, as Hugging Face datasets do."""

    def write(rows: list[dict]) -> Path:
        path = tmp_path / "rows.arrow"
        table = pa.Table.from_pylist(rows)
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table)
        return path

    return write


@pytest.fixture
def write_jsonl(tmp_path: Path) -> Callable[[list[dict]], Path]:
    def write(rows: list[dict]) -> Path:
        path = tmp_path / "rows.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return path

    return write


@pytest.fixture
def write_csv(tmp_path: Path) -> Callable[[list[dict]], Path]:
    def write(rows: list[dict]) -> Path:
        path = tmp_path / "rows.csv"
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            writer.writerows(rows)
        return path

    return write

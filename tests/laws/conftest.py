"""Published input -> output checks (resources/published/regression_tests.csv)."""

import csv
import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Check:
    """One printed number, the inputs that should give it, and how far rounding lets it be off."""

    id: str
    inputs: dict[str, Any]
    printed: float
    recomputed: float
    tolerance: float


@pytest.fixture(scope="session")
def published() -> Path:
    return Path(__file__).parents[2] / "resources" / "published"


@pytest.fixture(scope="session")
def published_checks(published: Path) -> Callable[[str], list[Check]]:
    with (published / "regression_tests.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 86

    def checks(function: str) -> list[Check]:
        return [
            Check(row["id"], json.loads(row["inputs_json"]), *(float(row[name]) for name in numbers))
            for row in rows
            if row["function"] == function
        ]

    numbers = ("printed", "recomputed", "tolerance")
    return checks

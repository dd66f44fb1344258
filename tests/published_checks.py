"""Published input -> output checks (resources/published/regression_tests.csv)."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PUBLISHED = Path(__file__).parents[1] / "resources" / "published"


@dataclass(frozen=True)
class Check:
    """One printed number, the inputs that should give it, and how far rounding lets it be off."""

    id: str
    function: str
    inputs: dict[str, Any]
    printed: float
    recomputed: float
    tolerance: float


def read_checks() -> list[Check]:
    with (PUBLISHED / "regression_tests.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len({row["id"] for row in rows}) == 86
    return [
        Check(row["id"], row["function"], json.loads(row["inputs_json"]), *(float(row[name]) for name in NUMBERS))
        for row in rows
    ]


NUMBERS = ("printed", "recomputed", "tolerance")

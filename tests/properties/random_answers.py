"""Random tables of answers, and the road that every one of them goes: measure, then fit."""

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.laws.cells import fit_run
from headcount.laws.series import TeamRows
from headcount.laws.settings import FitSettings
from headcount.measures.table import measure
from headcount.schema import ANSWERS
from headcount.store import conform

TEAM = ["item", "replicate", "n", "round"]
REPLY = {
    "task": "t",
    "condition": "debate",
    "replicate": 1,
    "round": 1,
    "model": "m",
    "temperature": 0.4,
    "request": "r",
    "status": "parsed",
    "rule": "final",
    "confidence": 50.0,
    "n_tags": 1,
    "tags_disagree": False,
    "truncated": False,
    "logprob": -1.0,
    "prompt_tokens": 10,
    "completion_tokens": 5,
}


def teams(answers: dict[tuple[str, int], list[str | None]], right: dict[str, str]) -> pd.DataFrame:
    """Columns of ANSWERS from what each team says.

    Args:
        answers: by item and team size, the answers of its agents.
        right: answer that is correct, by item.
    """
    rows = [
        (item, n, n - 1, agent, answer, None if answer is None else answer == right[item])
        for (item, n), given in answers.items()
        for agent, answer in enumerate(given, 1)
    ]
    frame = pd.DataFrame(rows, columns=["item", "n", "k", "agent", "answer", "correct"])
    return frame.assign(correct=frame["correct"].astype("boolean"), **REPLY)


def random_teams(seed: int, items: int = 12, sizes=(1, 2, 3, 5), missing: float = 0.15) -> pd.DataFrame:
    """Teams whose items differ in difficulty and whose agents are right (A), wrong (B to D), or silent."""
    rng = np.random.default_rng(seed)
    answers = {}
    for item in range(items):
        share = rng.dirichlet([1.0, 0.5, 0.5, 0.5])
        for n in sizes:
            given = rng.choice(list("ABCD"), n, p=share)
            answers[f"item{item:03d}", n] = [None if rng.random() < missing else str(answer) for answer in given]
    return teams(answers, {item: "A" for item, _ in answers})


def measured(frame: pd.DataFrame) -> pa.Table:
    return measure(conform(frame, ANSWERS, "test"))


def fitted(frame: pd.DataFrame, settings: FitSettings) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Fits and curves, labels as text."""
    tables = fit_run({"team": TeamRows(measured(frame))}, settings)
    fits, curves = (table.to_pandas() for table in tables)
    return tuple(part.astype(dict.fromkeys(part.select_dtypes("category"), object)) for part in (fits, curves))

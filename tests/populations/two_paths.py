"""One run on both paths of the simulated engine: through prompts, journal and extraction, and written directly."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from small_runs import run, small_config, write_run

from headcount.answers.simulated_rows import Rows
from headcount.answers.simulated_team import Sitting
from headcount.answers.team import team_answers
from headcount.config import Config
from headcount.debate.planner import plan
from headcount.engines.questions import questions
from headcount.schema import ANSWERS
from headcount.store import conform, plain

TURN = ["condition", "item", "replicate", "n", "k", "round", "agent"]


def configured(
    populations: dict[str, dict[str, Any]], members: tuple[str, ...] = ("m",), *, options: int = 0, **more: Any
) -> Config:
    """Team `t` of simulated models, each a family, on task `a`; `more` are keys of the block and sections."""
    block = {"teams": ["t"], "tasks": ["a"], "sizes": [5]} | more.pop("block", {})
    models = {name: {"family": name, "population": population} for name, population in populations.items()}
    task = {"format": "made_up", "items": 9} | ({"options": options} if options else {})
    return small_config(models=models, members=members, tasks={"a": task}, experiments={"e": block}, **more)


def asked(config: Config, items: pa.Table, folder: Path) -> pd.DataFrame:
    """Rows of ANSWERS of a run whose agents are asked, request by request."""
    write_run(run(config, items, folder / "cache"), items, folder / "results")
    return plain(team_answers(config, "t", folder / "results"))


def written(config: Config, items: pa.Table) -> pd.DataFrame:
    """The same, written directly."""
    cells = sorted(plan(config).cells, key=lambda cell: cell.condition)
    agents = max(shape.n for cell in cells for shape in cell.shapes)
    sitting = Sitting.of(config, "t", questions(items), agents)
    chunks = [chunk for cell in cells for chunk in Rows(sitting, cell).chunks()]
    return plain(conform(pa.concat_tables(chunks).unify_dictionaries(), ANSWERS, "simulated"))


def wide(answers: pd.DataFrame, **where: Any) -> pd.DataFrame:
    """Answers as text, a row a team and a column an agent; silence as ''."""
    for name, value in where.items():
        answers = answers[answers[name] == value]
    texts = answers.assign(answer=answers["answer"].fillna(""))
    return texts.pivot(index=["item", "replicate"], columns="agent", values="answer")

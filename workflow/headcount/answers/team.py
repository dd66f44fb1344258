"""All answers of a team: its cells from their texts, and private tasks from a release of answers alone."""

from pathlib import Path

import pandas as pd
import pyarrow as pa

from headcount.answers.table import Replies, answer_cell
from headcount.config import Config
from headcount.debate.planner import Cell, plan
from headcount.schema import ANSWERS, DRAWS, ITEMS, TURNS, conform, read


def team_answers(config: Config, team: str, results: Path) -> pa.Table:
    """Rows of ANSWERS of all the cells of a team.

    Args:
        results: the run's folder, which holds items, draws and turns.
    """
    cells = [cell for cell in plan(config).cells if cell.team == team]
    told = [_from_texts(config, cell, results) for cell in cells if not config.replays_answers(cell.task)]
    tables = [conform(pd.concat(told), ANSWERS, f"answers of {team}")] if told else []
    for task in sorted({cell.task for cell in cells if config.replays_answers(cell.task)}):
        assert config.replay is not None
        tables.append(read(config.replay / "answers" / team / f"{task}.parquet", ANSWERS))
    return pa.concat_tables(tables).unify_dictionaries()


def _from_texts(config: Config, cell: Cell, results: Path) -> pd.DataFrame:
    models = sorted(set(config.teams[cell.team].members))
    draws = {model: read(results / "draws" / model / f"{cell.task}.parquet", DRAWS) for model in models}
    turns = None
    if cell.condition != "self_consistency":
        turns = read(results / "turns" / cell.team / cell.task / f"{cell.condition}.parquet", TURNS)
    items = read(results / "items" / f"{cell.task}.parquet", ITEMS)
    return answer_cell(config, cell, items, Replies(draws, turns))

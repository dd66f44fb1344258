"""A page for each cell: its curve and what the laws leave over, its accuracy, what is missing, and what was said.

A page is one HTML file that needs nothing outside it and no script, since it also opens from inside the report. What
models wrote is escaped by the templates.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.config import Config
from headcount.debate.planner import Cell, plan
from headcount.publish.cell_pages_figures import LAWS, accuracy_figure, curve_figure
from headcount.publish.cell_pages_numbers import (
    Numbers,
    Series,
    by_size,
    cell_numbers,
    facts,
    flags,
    lead,
    round_rows,
    run_numbers,
    size_rows,
)
from headcount.publish.cell_pages_talk import Words, talk
from headcount.publish.cell_pages_trust import Trust, beside_nulls, foretelling, foretold
from headcount.publish.drawing import Figure
from headcount.publish.excess_cells import of_cells
from headcount.publish.html import template
from headcount.publish.transcript import asked_in, replies
from headcount.publish.words import CONDITIONS
from headcount.schema import ANSWERS, CURVES, ESTIMATES, EXCESS, FITS, ITEMS, MEASURES, RIVALS, SKILLS, Table
from headcount.store import plain, read

RECORDED = "Others asked these questions, and released answers alone: no reply is at hand."
PRIVATE = "The task is private: answers alone are shown, and no text of an item or a reply."

_ERRORS = ("error_largest", "error_largest_low", "error_largest_high", "other_half_error", "halves_error")
_SHOWN: tuple[tuple[Table, Collection[str] | None], ...] = (  # what pages say, and the columns that they say it from
    (FITS, None),
    (CURVES, ("n_items", "n_eff", "n_eff_low", "n_eff_high", "simulated")),
    (ESTIMATES, None),
    (EXCESS, ("value", "low", "high")),
    (SKILLS, ("pilot", "held_out", *_ERRORS, "skill_null_a", "skill_carried", "skill_kish_two")),
    (RIVALS, ("q", "q_df", "q_p")),
)
_MEASURED = ("n_distinct", "team_answer", "team_correct", "unanimous")
_ANSWERED = ("model", "request", "answer", "status", "correct")


def write_pages(config: Config, results: Path) -> None:
    """Write the pages of all cells, `pages/{team}/{task}.{condition}.html`.

    Args:
        results: the run's folder: fits, curves, estimates, and of each team measures, answers and replies.
    """
    fits, curves, estimates, excess, skills, rivals = (
        plain(read(results / f"{table.name}.parquet", table, columns)) for table, columns in _SHOWN
    )
    frames = [*run_numbers(fits, curves, estimates), of_cells(excess), foretelling(skills, rivals)]
    of_cell = [_by_cell(rows) for rows in frames]
    for team, cells in groupby(sorted(plan(config).answered, key=_team), key=_team):
        measures = _by_cell(plain(read(results / f"measures/{team}.parquet", MEASURES, _MEASURED)).assign(team=team))
        answers = read(results / f"answers/{team}.parquet", ANSWERS, _ANSWERED)
        folder = results / "pages" / team
        folder.mkdir(parents=True, exist_ok=True)
        for cell in cells:
            *ours, above, laws = (of(cell) for of in of_cell)
            numbers, words = cell_numbers(cell.condition, ours), _words(config, cell, results, answers)
            page = cell_page(config, cell, numbers, Trust(above, laws), measures(cell), words)
            (folder / f"{cell.task}.{cell.condition}.html").write_text(page, encoding="utf-8", newline="\n")


def cell_page(
    config: Config, cell: Cell, numbers: Numbers, trust: Trust, measures: pd.DataFrame, words: Words | None
) -> str:
    """The page of a cell, as HTML.

    Args:
        measures: its rows of MEASURES.
        words: what was said; none where it is not at hand.
    """
    sizes = by_size(numbers)
    return template("cell").render(
        run=config.run,
        cell=cell,
        condition=CONDITIONS[cell.condition],
        members=_members(config.teams[cell.team].members),
        simulated=config.simulated(cell.team),
        series=numbers.series,
        lead=lead(numbers, sizes),
        facts=facts(numbers),
        flags=flags(numbers),
        laws=[LAWS[law][0] for law in numbers.laws],
        sizes=size_rows(sizes, numbers.laws),
        nulls=beside_nulls(trust),
        has_second_team=(trust.excess["null"] == "C").any(),
        foretold=foretold(trust),
        rounds=round_rows(numbers),
        **_figures(cell.condition, numbers, sizes),
        **_talk(words, measures, numbers.series),
    )


def _team(cell: Cell) -> str:
    return cell.team


def _by_cell(rows: pd.DataFrame) -> Callable[[Cell], pd.DataFrame]:
    """The rows of each cell, which are looked for once."""
    places = rows.groupby(["team", "task", "condition"]).indices
    return lambda cell: rows.iloc[places.get((cell.team, cell.task, cell.condition), [])]


def _figures(condition: str, numbers: Numbers, sizes: pd.DataFrame) -> dict[str, Figure | None]:
    known, voted = sizes.dropna(subset="n_eff"), sizes.dropna(subset="team_accuracy")
    return {
        "curve": curve_figure(condition, known, numbers.first, numbers.laws) if len(known) else None,
        "accuracy": accuracy_figure(condition, voted) if len(voted) else None,
    }


def _words(config: Config, cell: Cell, results: Path, answers: pa.Table) -> Words | None:
    """What was said, as far as it is at hand and not private."""
    task = config.task(cell.task)
    if task.format == "recorded":
        return None
    answers = _answers(answers, cell)
    if task.private or config.replays_answers(cell.task):
        return Words(answers, None, {})
    asked = asked_in(results, cell.task)
    items = read(results / "items" / f"{asked}.parquet", ITEMS)
    models = set(config.teams[cell.team].members)
    return Words(answers, items, replies(results, cell.team, asked, cell.condition, models))


def _answers(answers: pa.Table, cell: Cell) -> pa.Table:
    """A cell's rows of ANSWERS: they stand together, since task and condition come first among the keys."""
    places = np.flatnonzero(_has(answers["task"], cell.task) & _has(answers["condition"], cell.condition))
    return answers.slice(int(places[0]) if len(places) else 0, len(places))


def _has(labels: pa.ChunkedArray, label: str) -> NDArray[np.bool_]:
    """Which rows have a label: labels are numbered, and numbers are compared faster than texts."""
    numbered = labels.unify_dictionaries().combine_chunks()
    number = pc.index(numbered.dictionary, label).as_py()  # -1 where no row has it
    return np.asarray(numbered.indices.to_numpy() == number)


def _talk(words: Words | None, measures: pd.DataFrame, series: Series) -> dict[str, Any]:
    if words is None:
        return {"talk": None, "silence": RECORDED}
    heard = {"none": measures["k"] >= 0, "full": measures["k"] == measures["n"] - 1}
    found = talk(words, measures[heard.get(series.peers, measures["k"].astype(str) == series.peers)], series.round)
    return {"talk": asdict(found) if found else None, "silence": PRIVATE if words.items is None else ""}


def _members(members: Sequence[str]) -> str:
    distinct = list(dict.fromkeys(members))
    return f"{len(distinct)} models" if len(distinct) > 5 else ", ".join(distinct)

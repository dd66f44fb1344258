"""A finished run's files, made in this process from the simulated engine: all that a page or a trace reads."""

from pathlib import Path

import small_runs as runs

from headcount.answers.team import team_answers
from headcount.config import Config
from headcount.debate.planner import plan
from headcount.laws.cells import fit_run
from headcount.laws.estimates import estimate_run
from headcount.laws.excess import SocialRows, excess_run
from headcount.laws.joined import TeamNumbers
from headcount.laws.rivals import rivals_of_run
from headcount.laws.settings import FitSettings
from headcount.laws.skills import skills_of_run
from headcount.measures.aggregators import votes
from headcount.measures.cross_pairs import cross_pairs
from headcount.measures.moves import moves
from headcount.measures.subsets import subset_measures
from headcount.measures.table import measure
from headcount.schema import ANSWERS, CURVES, ESTIMATES, EXCESS, FITS, MEASURES, MOVES, RIVALS, SKILLS, SUBSETS, VOTES
from headcount.store import write


def small_results(config: Config, folder: Path, items: int = 8, options: int = 3) -> Path:
    """The files of a run of team `t` on task `a`, from items to estimates; returns its folder."""
    results = folder / "results" / config.run
    questions = runs.small_items(items, options=options)
    runs.write_run(runs.run(config, questions, folder / "cache"), questions, results)
    write_numbers(config, results)
    return results


def write_numbers(config: Config, results: Path) -> None:
    """What follows from items, draws and turns."""
    answers = team_answers(config, "t", results)
    sizes = {(cell.task, cell.condition): sorted({s.n for s in cell.shapes}) for cell in plan(config).cells}
    families = {name: model.family for name, model in config.models.items()}
    numbers = TeamNumbers(measure(answers), subset_measures(answers, sizes), moves(answers), votes(answers, families))
    write(results / "answers/t.parquet", answers, ANSWERS)
    for part, table in (("measures", MEASURES), ("subsets", SUBSETS), ("moves", MOVES), ("votes", VOTES)):
        write(results / part / "t.parquet", getattr(numbers, part), table)
    teams, how = {"t": numbers}, FitSettings(n_boot=20)
    across = {"t": SocialRows(numbers.measures, numbers.subsets, cross_pairs(answers))}
    fits, curves = fit_run(teams, how, ["t"])
    made = {
        FITS: fits,
        CURVES: curves,
        ESTIMATES: estimate_run(teams, how, ["t"]),
        EXCESS: excess_run(across, how, ["t"]),
        SKILLS: skills_of_run(teams, how, ["t"]),
        RIVALS: rivals_of_run(teams, how, ["t"]),
    }
    for table, rows in made.items():
        write(results / f"{table.name}.parquet", rows, table)

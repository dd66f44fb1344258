"""A finished run's files that cards are made from, made in this process from the simulated engine."""

from pathlib import Path

import pandas as pd
import small_runs as runs
from small_scripts import script

from headcount.answers.probes import read_probes
from headcount.answers.team import team_answers
from headcount.config import Config
from headcount.debate.generate import generate_probes
from headcount.debate.planner import plan
from headcount.ledger.redraw import redraws
from headcount.ledger.transitions import transitions
from headcount.schema import ANSWERS, PROBE_REPLIES, PROBES, REDRAWS, TRANSITIONS
from headcount.store import conform, plain, read, write


def small_cards(config: Config, folder: Path, items: int = 12) -> Path:
    """The files of a run of teams on the choice task `a`, from items to what the ledger makes of it."""
    results, questions = folder / "results" / config.run, runs.small_items(items, options=4)
    runs.write_run(runs.run(config, questions, folder / "cache"), questions, results)
    for screen in plan(config).screens:
        replies = conform(generate_probes(config, screen, questions, folder / "cache"), PROBE_REPLIES, "replies")
        write(results / f"probe_replies/{screen.model}/a.parquet", replies, PROBE_REPLIES)
        write(results / f"probes/{screen.model}/a.parquet", read_probes(config, screen, questions, replies), PROBES)
    for team in sorted({cell.team for cell in plan(config).cells}):
        answers = team_answers(config, team, results)
        write(results / f"answers/{team}.parquet", answers, ANSWERS)
        write(results / f"transitions/{team}.parquet", transitions(answers, team, "every"), TRANSITIONS)
        write(results / f"redraws/{team}.parquet", redraws(answers, team), REDRAWS)
    of_run(config, results)
    return results


def of_run(config: Config, results: Path) -> None:
    """What is made of all teams and screens, by the workflow's own scripts."""
    raw = config.model_dump(mode="json")
    ends, said, nulls = (sorted(results.glob(f"{stage}/*.parquet")) for stage in ("transitions", "answers", "redraws"))
    probes = sorted(results.glob("probes/*/*.parquet"))
    rates, stability = results / "ledger_rates.parquet", results / "ledger_stability.parquet"
    script("ledger_rates").main(raw, ends, nulls, rates, stability)
    script("gates").main(raw, ends, probes, results / "gate_outcomes.parquet", results / "localisation.parquet")
    script("ledger_costs").main(raw, ends, said, probes, results / "ledger_costs.parquet")


def frame(results: Path, name: str, table) -> pd.DataFrame:
    return plain(read(results / f"{name}.parquet", table))

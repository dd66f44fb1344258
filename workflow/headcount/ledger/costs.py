"""The cost card: what each entry of the ledger took, and what it brought: tokens, money and time per kept correction.

A correction is kept if no collapse pays for it: kept = corrections - collapses (arXiv 2609.35279, section 11 of its
protocol). Costs are of a team that asks for all its own answers, the first included; teams of other sizes share some.
Seconds are estimates, as for a plan: replies at a speed of the engine's kind, prompts ten times as fast. Measured ones
are in the run's benchmarks, a file a job: they hold the loading of models, and nothing of replies that were there
before, so they belong to no debate.
"""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from headcount.config import Config, Model
from headcount.debate.speeds import READING, tokens_per_second
from headcount.ledger.flips import PERSON
from headcount.schema import LEDGER_COSTS
from headcount.store import conform, plain

DEBATE, SCREEN_FIRST, SCREEN_PROBES = "debate", "screen_first", "screen_probes"
QUESTIONS = 200  # that budgets are of
BATTERY = 8  # probes an agent: four strengths, with and without company
OWN = ("llamacpp", "vllm")  # engines on machines of ours
MILLION = 1e6

_SHAPE = ["task", "condition", "n", "k"]
_CELL = [*_SHAPE, "round"]
_SCREEN = ["model", "task", "condition"]
_TOKENS = ["prompt_tokens", "completion_tokens"]
_SUMMED = ["calls", "repairs", *_TOKENS, "revision_tokens"]
Debates = Mapping[str, tuple[pa.Table, pa.Table]]


def ledger_costs(debates: Debates, probes: Iterable[pa.Table], config: Config) -> pa.Table:
    """Costs of every cell at every endpoint, and of every screen.

    Args:
        debates: rows of `schema.ANSWERS` and of `schema.TRANSITIONS`, by team.
        probes: rows of `schema.PROBES`, a table a screen.
        config: prices, engines, and how fast these are taken to be.

    Returns:
        rows of `schema.LEDGER_COSTS`.
    """
    frames = [_of_team(config, team, said, ends) for team, (said, ends) in debates.items()]
    frames += [_of_screen(config, plain(rows)) for rows in probes]
    nothing = pd.DataFrame(columns=LEDGER_COSTS.schema.names).astype(object)
    return conform(pd.concat([nothing, *frames]), LEDGER_COSTS, LEDGER_COSTS.name)


def reference_calls(part: str, agents: int, rounds: int = 1, questions: int = QUESTIONS) -> int:
    """Calls that the protocol takes: agents * rounds a debate, one first answer and eight probes a screened agent.

    Args:
        agents: of a debate its N; of a screen agents times conditions.
        rounds: of a debate, the first included.

    Returns:
        calls for so many questions (arXiv 2609.35279, its cost card: 200 + 1,600 for a lite screen of one agent and
        condition, 1,800 + 14,400 for a full one of three and three, 3,000 for the debates of three of its runner, which
        revise four times; three revisions are 2,400).
    """
    return questions * agents * {DEBATE: rounds, SCREEN_FIRST: 1, SCREEN_PROBES: BATTERY}[part]


def _of_team(config: Config, team: str, said: pa.Table, transitions: pa.Table) -> pd.DataFrame:
    """Rows of a team's cells, one for each round that they may be judged at."""
    ends = plain(transitions.select([*_CELL, "item", "transition"]))
    cells = ends.groupby(_CELL)["item"].nunique().rename("n_items").reset_index()
    spent = cells.merge(_turns(said).rename(columns={"round": "turn"}), on=_SHAPE).query("turn <= round")
    spent = spent.assign(revision_tokens=spent[_TOKENS].sum(axis=1).where(spent["turn"] > 1, 0), repairs=0)
    rows = cells.merge(_billed(config, spent, _CELL), on=_CELL).merge(_brought(ends), on=_CELL)
    calls = reference_calls(DEBATE, 1) * rows["n"] * rows["round"]
    return _finished(rows, part=DEBATE, team=team, reference_per_200=calls, simulated=config.simulated(team))


def _turns(said: pa.Table) -> pd.DataFrame:
    """Calls and tokens of each shape, round and model. Who hears nobody is not asked again, but for self-correction."""
    talk = pc.is_in(said["condition"], pa.array(["debate", "noise"]))
    carried = pc.and_(pc.and_(pc.greater(said["round"], 1), pc.equal(said["k"], 0)), talk)
    groups = said.filter(pc.invert(carried)).group_by([*_CELL, "model"], use_threads=False)
    sums = groups.aggregate([*((name, "sum") for name in _TOKENS), ([], "count_all")])
    return plain(sums).rename(columns={f"{name}_sum": name for name in _TOKENS} | {"count_all": "calls"})


def _brought(ends: pd.DataFrame) -> pd.DataFrame:
    """Collapses, corrections, and how many of these are kept."""
    wanted = {"collapses": ends["transition"] == "collapse", "corrections": ends["transition"] == "correction"}
    counts = ends[_CELL].assign(**wanted).groupby(_CELL, as_index=False).sum()
    return counts.assign(kept=counts["corrections"] - counts["collapses"])


def _of_screen(config: Config, probes: pd.DataFrame) -> pd.DataFrame:
    """Two rows for each condition of a screen: first answers with their repairs, and probes."""
    people = probes.drop_duplicates(PERSON)
    first = people[_SCREEN].assign(
        calls=people["initial_calls"], **{name: people[f"initial_{name}"] for name in _TOKENS}
    )
    first = first.assign(repairs=first["calls"] - 1)
    reached = (probes["request"] != "").astype(np.int64)  # an agent without a first answer is asked no probe
    asked = probes[[*_SCREEN, *_TOKENS]].assign(calls=reached, repairs=0)
    shape = probes.groupby(_SCREEN).agg(n=("agent", "nunique"), n_items=("item", "nunique")).reset_index()
    parts = {SCREEN_FIRST: first, SCREEN_PROBES: asked}
    return pd.concat([_screened(config, shape, rows, part) for part, rows in parts.items()])


def _screened(config: Config, shape: pd.DataFrame, rows: pd.DataFrame, part: str) -> pd.DataFrame:
    rows = shape.merge(_billed(config, rows.assign(revision_tokens=0), _SCREEN), on=_SCREEN)
    simulated = rows["model"].map(lambda name: config.models[name].engine == "simulated")
    calls = reference_calls(part, 1) * rows["n"]
    rows = rows.rename(columns={"model": "team"}).assign(collapses=np.nan, corrections=np.nan, kept=np.nan)
    return _finished(rows, part=part, k=0, round=1, reference_per_200=calls, simulated=simulated)


def _billed(config: Config, rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """Counts summed, with their money and time; these are null where one of the models has none."""
    models = {name: (*_prices(model), _speed(config, model)) for name, model in config.models.items()}
    prompt_price, completion_price, speed = np.array([models[name] for name in rows["model"]]).reshape(-1, 3).T
    prompt, completion = (rows[name] for name in _TOKENS)
    usd = (prompt * prompt_price + completion * completion_price) / MILLION
    groups = rows.assign(usd=usd, seconds=(completion + prompt / READING) / speed).groupby(keys)
    bill = groups[["usd", "seconds"]].sum(skipna=False)
    return groups[_SUMMED].sum().join(bill).reset_index()


def _prices(model: Model) -> tuple[float, float]:
    return (model.prices.prompt, model.prices.completion) if model.prices else (np.nan, np.nan)


def _speed(config: Config, model: Model) -> float:
    return tokens_per_second(config, model) if model.engine in OWN else np.nan


def _finished(rows: pd.DataFrame, **about: Any) -> pd.DataFrame:
    """With what is reckoned per kept correction, and per 200 questions."""
    kept = rows["kept"].where(rows["kept"] > 0)
    tokens = rows[_TOKENS].sum(axis=1)
    told = tokens > 0  # others' answers may come without their tokens
    return rows.assign(
        tokens_per_kept=(tokens / kept).where(told),
        revision_tokens_per_kept=(rows["revision_tokens"] / kept).where(told),
        usd_per_kept=rows["usd"] / kept,
        seconds_per_kept=rows["seconds"] / kept,
        calls_per_200=QUESTIONS * rows["calls"] / rows["n_items"],
        **about,
    )

"""The numbers of a model's card: what a run's files hold of its debates and its screens."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from headcount.config import Config
from headcount.content import content_hash
from headcount.ledger.codings import PRIMARY
from headcount.publish.card_subjects import Panel, Subject
from headcount.publish.gate_words import shown
from headcount.schema import (
    ANSWERS,
    DRAWS,
    GATE_OUTCOMES,
    LEDGER_COSTS,
    LEDGER_RATES,
    PROBE_REPLIES,
    PROBES,
    TRANSITIONS,
    Table,
)
from headcount.store import plain, read

_STATUS = ["round", "status", "tags_disagree", "truncated"]
_COUNTS = ("fired", "prevented", "lost", "broken", "repaired", "net", "debates", "collapses", "corrections")
HINDSIGHT = ("end", "in_sample", "file")  # gates that know how debates ended


@dataclass(frozen=True)
class Numbers:
    """All that a card is made from; frames are empty where a model does not debate, or is not screened.

    Attributes:
        rates: rows of LEDGER_RATES at the panel's size and endpoint, of all conditions.
        gates: one row a gate, counts of all tasks together; with `knows`.
        debates: rows of TRANSITIONS of the panel's debates.
        reading: `round`, `status`, `tags_disagree` and `truncated` of their answers, at first and at the end.
        costs: rows of LEDGER_COSTS of the panel's debates and of the model's screens.
        probes: rows of PROBES.
        servers: how many first replies, and replies of screens, each server gave; "" where nobody noted it.
        made_from: content hashes of the files, as the run's manifest has them.
    """

    rates: pd.DataFrame
    gates: pd.DataFrame
    debates: pd.DataFrame
    reading: pd.DataFrame
    costs: pd.DataFrame
    probes: pd.DataFrame
    servers: dict[str, int]
    made_from: dict[str, str]

    def rate(self, quantity: str, coding: str = PRIMARY, condition: str = "debate") -> pd.DataFrame:
        """Rows of a quantity by task."""
        rows: pd.DataFrame = self.rates.iloc[self._places.get((quantity, coding, condition), [])]
        return rows.set_index("task")

    def row(self, quantity: str, task: str, condition: str = "debate") -> Mapping[Any, Any]:
        """A task's row of a quantity, by the primary coding; of NaN where there is none."""
        return self._rows.get((quantity, condition, task), dict.fromkeys(self.rates.columns, float("nan")))

    @cached_property
    def _rows(self) -> dict[tuple[str, str, str], Mapping[Any, Any]]:
        """Rows by the primary coding, by quantity, condition and task."""
        rows = self.rates[self.rates["coding"] == PRIMARY].to_dict("records")
        return {(row["quantity"], row["condition"], row["task"]): row for row in rows}

    @cached_property
    def _places(self) -> Mapping[Hashable, Any]:
        """Where the rows of each quantity, coding and condition stand."""
        return self.rates.groupby(["quantity", "coding", "condition"]).indices

    def events(self, quantity: str, coding: str = PRIMARY) -> int:
        """How often, on all tasks together."""
        return int(self.rate(quantity, coding)["events"].sum())

    def base(self, quantity: str, coding: str = PRIMARY) -> int:
        """Among how many."""
        return int(self.rate(quantity, coding)["base"].sum())

    def share(self, quantity: str, coding: str = PRIMARY) -> float | None:
        """The ratio of the two; None where there is nothing to count among."""
        base = self.base(quantity, coding)
        return self.events(quantity, coding) / base if base else None


@dataclass(frozen=True)
class RunNumbers:
    """What a run says of all models: rows of LEDGER_RATES, GATE_OUTCOMES and LEDGER_COSTS, and their files."""

    rates: pd.DataFrame
    gates: pd.DataFrame
    costs: pd.DataFrame
    files: "_Files"


def run_numbers(results: Path) -> RunNumbers:
    """Read them.

    Args:
        results: the run's folder.
    """
    files = _Files(results)
    tables = (LEDGER_RATES, GATE_OUTCOMES, LEDGER_COSTS)
    rates, gates, costs = (plain(files.read(f"{table.name}.parquet", table)) for table in tables)
    return RunNumbers(rates, gates, costs, files)


def card_numbers(config: Config, subject: Subject, of_run: RunNumbers) -> Numbers:
    """The numbers of a model, of the run's and of files of its own."""
    rates, gates, costs = of_run.rates, of_run.gates, of_run.costs
    files = of_run.files.clone()
    panel = subject.panel
    debates, said = pd.DataFrame(columns=TRANSITIONS.schema.names), pd.DataFrame(columns=_STATUS)
    if panel:
        debates = plain(_debated(files.read(f"transitions/{panel.team}.parquet", TRANSITIONS), panel))
        said = plain(_debated(files.read(f"answers/{panel.team}.parquet", ANSWERS), panel, (1, panel.round)))[_STATUS]
    screens = [files.read(f"probes/{s.model}/{s.task}.parquet", PROBES) for s in subject.screens]
    probes = plain(pa.concat_tables(screens)) if screens else pd.DataFrame(columns=PROBES.schema.names)
    own = (costs["part"] != "debate") & (costs["team"] == subject.model)
    return Numbers(
        rates=_at(rates, panel),
        gates=_gates(_at(gates[gates["condition"] == "debate"], panel)),
        debates=debates,
        reading=said,
        costs=pd.concat(
            [_at(costs[(costs["part"] == "debate") & (costs["condition"] == "debate")], panel), costs[own]]
        ),
        probes=probes,
        servers=_servers(config, subject, files),
        made_from=files.hashes,
    )


@dataclass(frozen=True)
class _Files:
    """A run's files, with the hash of each that was read."""

    results: Path
    hashes: dict[str, str] = field(default_factory=dict)

    def clone(self) -> "_Files":
        """To read more of them for one model."""
        return _Files(self.results, dict(self.hashes))

    def read(self, name: str, table: Table) -> pa.Table:
        rows = read(self.results / name, table)
        self.hashes[name] = content_hash(rows)
        return rows


def _at(rows: pd.DataFrame, panel: Panel | None) -> pd.DataFrame:
    """Rows of the panel's tasks, at its size and endpoint, with everybody or nobody heard."""
    if panel is None:
        return rows.iloc[:0]
    here = (rows["team"] == panel.team) & rows["task"].isin(panel.tasks) & (rows["n"] == panel.n)
    return rows[here & (rows["round"] == panel.round) & rows["k"].isin([0, panel.n - 1])]


def _debated(rows: pa.Table, panel: Panel, rounds: tuple[int, ...] = ()) -> pa.Table:
    wanted = {"n": [panel.n], "k": [panel.n - 1], "round": list(rounds or (panel.round,))}
    for name, values in wanted.items():
        rows = rows.filter(pc.is_in(rows[name], pa.array(values, rows[name].type)))
    for name, texts in {"task": list(panel.tasks), "condition": ["debate"]}.items():
        rows = rows.filter(pc.is_in(rows[name].cast(pa.string()), pa.array(texts)))
    return rows


def _gates(outcomes: pd.DataFrame) -> pd.DataFrame:
    """One row a gate that every task has, in the order of pages."""
    known = shown(outcomes).dropna(subset="prevented")
    groups = known.groupby(["_gate", "gate", "knows"])
    sums = groups[list(_COUNTS)].sum().assign(tasks=groups["task"].nunique()).reset_index()
    return sums[sums["tasks"] == outcomes["task"].nunique()].drop(columns=["_gate", "tasks"]).reset_index(drop=True)


def _servers(config: Config, subject: Subject, files: _Files) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in subject.told(config):
        rows = files.read(name, PROBE_REPLIES if name.startswith(PROBE_REPLIES.name) else DRAWS)
        for server in rows["server"].cast(pa.string()).to_pylist():
            counts[server or ""] = counts.get(server or "", 0) + 1
    return dict(sorted(counts.items()))

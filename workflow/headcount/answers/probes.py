"""Replies of a screen as probes: each reply read, each flip told, one row a probe and no text."""

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from headcount.answers.table import reading
from headcount.config import Config
from headcount.debate.planner import Screen
from headcount.debate.probe_prompts import Probe, probes_of
from headcount.debate.probes import INITIAL
from headcount.engines.questions import Question, questions
from headcount.errors import UserError
from headcount.schema import PROBES
from headcount.store import conform, plain, read

_AGENT = ["condition", "item", "replicate", "agent"]
_UNASKED: dict[str, Any] = {
    **{"request": "", "answer": None, "status": "missing", "rule": "", "confidence": None, "n_tags": 0},
    **{"tags_disagree": False, "truncated": False, "logprob": None, "correct": None},
    **{"prompt_tokens": 0, "completion_tokens": 0},
}


def read_probes(config: Config, screen: Screen, items: pa.Table, replies: pa.Table) -> pa.Table:
    """Rows of PROBES of a screen; an agent whose first answer could not be read has them too, without replies.

    Args:
        items: the task's questions, rows of ITEMS.
        replies: rows of PROBE_REPLIES.
    """
    known, rows = questions(items), []
    for key, own in plain(replies).groupby(_AGENT, sort=True):
        place = dict(zip(_AGENT, key, strict=True))
        said = {str(row["probe"]): row for row in own.to_dict("records")}
        rows += list(_agent(config, screen, known[str(place["item"])], place, said))
    return conform(pd.DataFrame(rows), PROBES, f"probes of {screen.model} on {screen.task}")


def _agent(
    config: Config, screen: Screen, item: Question, place: Mapping[str, Any], said: Mapping[str, Mapping[Any, Any]]
) -> Iterator[dict[str, Any]]:
    """The probes of one agent."""
    first = [row for name, row in said.items() if name == INITIAL or name.startswith("repair")]
    first.sort(key=lambda row: row["probe"])  # initial, repair_1, repair_2
    initial = _initial(item, first)
    sampling = config.models[screen.model].sampling
    whose = {"model": screen.model, "task": screen.task, "temperature": sampling.of_agent(place["agent"])}
    for probe in probes_of(screen.purpose):
        yield {**whose, **place, **initial, **_probe(item, probe, initial["initial_answer"], said.get(probe.name))}


def _initial(item: Question, first: list[Mapping[Any, Any]]) -> dict[str, Any]:
    """The columns about an agent's first answer: that of the last of its first reply and repairs."""
    read = reading(item, first[-1], "ledger")
    return {
        "initial_answer": read["answer"],
        "initial_correct": read["correct"],
        "initial_repaired": len(first) > 1 and read["answer"] is not None,
        "initial_request": first[-1]["request"],
        "initial_calls": len(first),
        "initial_prompt_tokens": sum(row["prompt_tokens"] for row in first),
        "initial_completion_tokens": sum(row["completion_tokens"] for row in first),
    }


def _probe(item: Question, probe: Probe, own: str | None, reply: Mapping[Any, Any] | None) -> dict[str, Any]:
    """The columns about one probe; `reply` is None where it was not asked."""
    named = {"probe": probe.name, "strength": probe.strength, "social": probe.social}
    if reply is None:
        return named | _UNASKED | {"alternative": None, "alternative_is_gold": None, "flip": None}
    read = reading(item, reply, "ledger")
    return (
        named
        | read
        | {
            "alternative": reply["alternative"],
            "alternative_is_gold": reply["alternative"] == item.gold,
            "flip": None if read["answer"] is None else read["answer"] != own,
            "prompt_tokens": reply["prompt_tokens"],
            "completion_tokens": reply["completion_tokens"],
        }
    )


def released_probes(config: Config, screen: Screen) -> pa.Table:
    """The probes of a screen as a release has them; those of the conditions and agents that are asked for."""
    assert config.replay is not None
    path = config.replay / "probes" / screen.model / f"{screen.task}.parquet"
    probes = read(path, PROBES)
    inside = probes.filter(
        pc.and_(
            pc.is_in(probes["condition"].cast(pa.string()), pa.array(screen.conditions)),
            pc.and_(
                pc.less_equal(probes["agent"], screen.agents), pc.less_equal(probes["replicate"], screen.replicates)
            ),
        )
    )
    if not inside.num_rows:
        raise UserError(f"{path}: holds no probe of conditions {', '.join(screen.conditions)}. Ask for those it has.")
    return inside

"""Checked records as rows of our tables: ANSWERS by team and task, PROBES by model and task."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from headcount.config import CONDITIONS
from headcount.debate.probe_prompts import BATTERY
from headcount.imports.records import Battery, Debate, DebateKey, ProbeAnswer, Said

Pair = tuple[str, str]  # a team or model, and a task
NOT_KNOWN: dict[str, Any] = {"confidence": None, "n_tags": 0, "tags_disagree": False, "logprob": None}
_ANSWER = [*DebateKey._fields, "round", "agent", "model", "correct", *Said._fields]
_SHARED: dict[str, Any] = {"replicate": 1, "request": "", "initial_request": "", "initial_calls": 0}
_TOKENS = {"initial_prompt_tokens": 0, "initial_completion_tokens": 0}


def answers_of(debates: Iterable[Debate]) -> dict[Pair, pd.DataFrame]:
    """Columns of ANSWERS for every team and task.

    The first answers of a team that was recorded talking stand again under `self_consistency`: nobody had heard
    anybody, so they are what our own runs have under this name.
    """
    by_pair: dict[Pair, list[Debate]] = defaultdict(list)
    for debate in debates:
        by_pair[debate.key.team, debate.key.task].append(debate)
    return {pair: _answers([*own, *alone(own)]) for pair, own in sorted(by_pair.items())}


def alone(debates: Sequence[Debate]) -> list[Debate]:
    """Round 1 of a team's largest debates, as teams that hear nobody; none where such teams were recorded too."""
    talking = {debate.key.condition for debate in debates}
    if "self_consistency" in talking:
        return []
    condition = min(talking, key=CONDITIONS.index)
    own = [debate for debate in debates if debate.key.condition == condition]
    shape = max((debate.key.n, debate.key.k) for debate in own)
    return [_silent(debate) for debate in own if (debate.key.n, debate.key.k) == shape]


def _silent(debate: Debate) -> Debate:
    key = debate.key._replace(condition="self_consistency", k=0)
    return Debate(key, debate.gold, debate.models, debate.rounds[:1], debate.sized, debate.where)


def _answers(debates: Sequence[Debate]) -> pd.DataFrame:
    rows = [
        (*debate.key, turn, agent, model, None if one.answer is None else one.answer == debate.gold, *one)
        for debate in debates
        for turn, answers in enumerate(debate.rounds, 1)
        for agent, (one, model) in enumerate(zip(answers, debate.models, strict=True), 1)
    ]
    frame = pd.DataFrame(rows, columns=_ANSWER).drop(columns="team")
    return frame.assign(request="", truncated=frame["status"] == "truncated", **NOT_KNOWN)


def probes_of(batteries: Iterable[Battery]) -> dict[Pair, pd.DataFrame]:
    """Columns of PROBES for every model and task.

    Agents are counted from 1; files that begin with agent 0 count from 0.
    """
    by_pair: dict[Pair, list[Battery]] = defaultdict(list)
    for battery in batteries:
        by_pair[battery.key.model, battery.key.task].append(battery)
    return {pair: _probes(own) for pair, own in sorted(by_pair.items())}


def _probes(batteries: Sequence[Battery]) -> pd.DataFrame:
    shift = 1 - min(min(battery.key.agent for battery in batteries), 1)
    rows = [row for battery in batteries for row in _rows(battery, battery.key.agent + shift)]
    return pd.DataFrame(rows).assign(**_SHARED, **_TOKENS, **NOT_KNOWN, rule="", truncated=False)


def _rows(battery: Battery, agent: int) -> Iterable[dict[str, object]]:
    """A row for each of the eight probes, also where none was asked."""
    shared = battery.key._asdict() | {
        "agent": agent,
        "temperature": battery.temperature,
        "initial_answer": battery.initial,
        "initial_correct": None if battery.initial is None else battery.initial == battery.gold,
        "initial_repaired": battery.repaired,
    }
    answers: Mapping[str, ProbeAnswer] = {probe.probe: probe for probe in battery.probes}
    for probe in BATTERY:
        given = answers.get(probe.name, ProbeAnswer(probe.name, None, None))
        known = given.answer is not None and battery.initial is not None
        yield (
            shared
            | given._asdict()
            | {
                "strength": probe.strength,
                "social": probe.social,
                "alternative_is_gold": None if given.alternative is None else given.alternative == battery.gold,
                "flip": given.answer != battery.initial if known else None,
                "correct": None if given.answer is None else given.answer == battery.gold,
                "status": "missing" if given.answer is None else "parsed",
            }
        )

"""The reference's extension traces, JSON lines: states in place of answers, and four rounds run.

    {"question_id": "mmlu_pro_17", "benchmark": "mmlu_pro", "model_name": "gemma-3-27b", "correct_label": "C",
     "temperatures": [0.5, 0.7, 1.0], "initial_states": [{"agent_id": "1", "answer": "C", "round_num": 0}, ...],
     "round_traces": [[{"agent_id": "1", "answer": "C", "round_num": 1}, ...], ...]}

They end at R3 like all others: what a row calls its majority is of its own last round, and broke ties in another way.
"""

from collections.abc import Iterator, Sequence

from headcount.imports.fields import Fields
from headcount.imports.records import Debate, Said, said
from headcount.imports.rounds import STATED, Rounds, debate, endpoint
from headcount.imports.told import Told

_UNUSED = {"backend", "timestamp", "usage", "cost", "total_cost"}
_READ = {"question_id", "benchmark", "correct_label", "model_name", "model", "temperatures"}
KNOWN = {*STATED, *_UNUSED, *_READ, "initial_answers", "initial_states", "round_traces"}


def read(row: Fields, told: Told) -> Debate | None:
    """The debate of a row; None, with its problems noted, where there is none."""
    gold, traces = row.gold("correct_label"), row.list("round_traces")
    first = row.list("initial_states") if row.has("initial_states") else row.list("initial_answers")
    temperatures = row.numbers("temperatures", len(first))
    rounds: Rounds = {0: _first(row, temperatures)}
    for number, trace in enumerate(traces, 1):
        after = number > endpoint(told)
        rounds[number] = () if after else _round(row, trace, number, temperatures)
    return debate(row, told, gold, rounds)


def _first(row: Fields, temperatures: Sequence[float | None]) -> tuple[Said, ...]:
    """The independent answers, which stand in one or both of two places."""
    answers = row.letters("initial_answers") if row.has("initial_answers") else None
    if not row.has("initial_states"):
        answers = answers if answers is not None else row.letters("initial_answers")
        return tuple(said(answer, at) for answer, at in zip(answers, temperatures, strict=False))
    states = _agents(row, "initial_states", row.list("initial_states"), 0, temperatures)
    if answers is not None and not row.bad and answers != tuple(one.answer for one in states):
        row.wrong("'initial_answers' are not the answers of 'initial_states'", "Correct the row, or remove one of them")
    return states


def _round(row: Fields, trace: object, number: int, temperatures: Sequence[float | None]) -> tuple[Said, ...]:
    if not isinstance(trace, list):
        row.wrong(f"'round_traces[{number - 1}]' is not a list of states", "Write [{...}, ...], an object an agent")
        return ()
    return _agents(row, f"round_traces[{number - 1}]", trace, number, temperatures)


def _agents(
    row: Fields, key: str, states: Sequence[object], number: int, temperatures: Sequence[float | None]
) -> tuple[Said, ...]:
    """The answers of a round's states, agent 1 first."""
    by_agent: dict[int, Said] = {}
    for agent, state in _numbered(row, key, states, number):
        if agent and agent in by_agent:
            row.wrong(f"agent {agent} stands twice in round {number}", "Remove one of them")
        at = temperatures[agent - 1] if 0 < agent <= len(temperatures) else None
        by_agent[agent] = said(state.letter("answer", there=True), at, state.tokens())
    for agent in range(1, max(len(temperatures), *by_agent, 0) + 1):
        if agent not in by_agent and not row.bad:
            row.wrong(f"round {number} has no state of agent {agent}", "Give an agent without an answer a null")
    return tuple(by_agent[agent] for agent in sorted(by_agent))


def _numbered(row: Fields, key: str, states: Sequence[object], number: int) -> Iterator[tuple[int, Fields]]:
    for state in row.objects(key, states):
        stated = state.integer("round_num", 0, number)
        if stated != number:
            row.wrong(f"a state of round {stated} stands in round {number}", "Put every state in its round")
        if state.has("reasoning"):
            row.where.remark("texts of replies are not read")
        yield state.integer("agent_id", 1), state

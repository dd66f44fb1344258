"""Answers of simulated teams as rows of ANSWERS, written directly: no prompt, no reply, nothing to extract.

What extraction would say of a reply, it says of one example. Replies do not exist, so `request` is empty. Tokens are
those of the prompts and replies that the protocol would have; a prompt's are estimated from examples.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.answers.simulated_prompts import CHARACTERS_A_TOKEN, Examples
from headcount.answers.simulated_team import Block, Sitting
from headcount.debate.planner import Cell
from headcount.populations.answers import IntArray
from headcount.schema import ANSWERS

ROWS = 300_000  # of a chunk, about
_UNASKED = -1  # in place of a prompt's length
Columns = dict[str, Any]


@dataclass(frozen=True)
class Rows:
    """The turns of a cell, chunk by chunk, in the order of their keys."""

    sitting: Sitting
    cell: Cell

    def chunks(self) -> Iterator[pa.Table]:
        """Tables of ANSWERS, of some items each."""
        width = sum(shape.n * (shape.updates + 1) * shape.replicates for shape in self.cell.shapes)
        count, step = len(self.sitting.items), max(ROWS // width, 1)
        for start in range(0, count, step):
            at = np.arange(start, min(start + step, count))
            yield self._table(list(self.sitting.blocks(self.cell, at)), at)

    def _table(self, blocks: Sequence[Block], at: IntArray) -> pa.Table:
        ids = np.concatenate([block.ids for block in blocks], axis=1)
        silent, turns = (ids < 0).ravel(), _turns(blocks)
        agents = turns["agent"].astype(np.int64) - 1
        rows: Columns = {name: np.tile(column, len(at)) for name, column in turns.items()}
        rows |= {"task": _label(self.cell.task, ids.size), "condition": _label(self.cell.condition, ids.size)}
        rows["item"] = _taken([item.id for item in self.sitting.items], np.repeat(at, ids.shape[1]))
        rows |= self._of_agents(agents, len(at)) | self._read(silent)
        rows |= self._answers(ids, agents, at) | self._tokens(blocks, ids, at)
        sure = np.concatenate([block.confidence for block in blocks], axis=1).ravel()
        unsure = silent | (self._examples.answered.columns["confidence"] is None)
        rows["confidence"] = pa.array(sure, pa.float32(), mask=unsure)
        return pa.table({name: rows[name] for name in ANSWERS.schema.names}).cast(ANSWERS.schema)

    def _of_agents(self, agents: IntArray, items: int) -> Columns:
        """Who an agent is.

        Args:
            agents: (turns,), places of agents.
        """
        config, members = self.sitting.config, self.sitting.config.teams[self.sitting.name]
        seats = range(1, len(self.sitting.team.model) + 1)
        warmth = [config.models[members.member(seat)].sampling.of_agent(members.slot(seat)) for seat in seats]
        model = np.tile(self.sitting.team.model[agents].astype(np.int32), items)
        return {
            "model": pa.DictionaryArray.from_arrays(model, sorted(set(members.members))),
            "temperature": np.tile(np.array(warmth, dtype=np.float32)[agents], items),
        }

    def _answers(self, ids: IntArray, agents: IntArray, at: IntArray) -> Columns:
        silent = (ids < 0).ravel()
        right = ids == self.sitting.team.gold[at][:, None]
        return {
            "request": _taken([""], np.zeros(ids.size, dtype=np.int32)),
            "answer": _taken(self.sitting.texts, ids.ravel(), silent),
            "correct": pa.array(right.ravel(), mask=silent),
            "logprob": pa.array(self.sitting.logprobs(ids, agents, at).ravel(), pa.float32(), mask=silent),
        }

    def _read(self, silent: NDArray[np.bool_]) -> Columns:
        """What extraction says of a reply with and without an answer."""
        said, unsaid = self._examples.answered.columns, self._examples.silent.columns
        labels = {name: _either(silent, unsaid[name], said[name]) for name in ("status", "rule")}
        flags = ("n_tags", "tags_disagree", "truncated")
        return labels | {name: np.where(silent, unsaid[name], said[name]) for name in flags}

    def _tokens(self, blocks: Sequence[Block], ids: IntArray, at: IntArray) -> Columns:
        """Tokens of prompts and replies; none where nobody was asked."""
        more = np.concatenate([self._more(block) for block in blocks])
        prompt = (self._examples.first[at][:, None] + more) // CHARACTERS_A_TOKEN
        reply = np.where(ids < 0, self._examples.silent.tokens, self._examples.answered.tokens)
        return {
            "prompt_tokens": np.where(more == _UNASKED, 0, prompt).ravel().astype(np.int32),
            "completion_tokens": np.where(more == _UNASKED, 0, reply).ravel().astype(np.int32),
        }

    def _more(self, block: Block) -> IntArray:
        """Characters that prompts have beyond round 1's, (turns,)."""
        shape, condition = block.shape, self.cell.condition
        asked = shape.updates and (shape.speaks or condition == "self_correction")
        later = self._examples.more(shape, condition) if asked else _UNASKED
        return np.repeat(np.array([0] + [later] * shape.updates), shape.n)

    @cached_property
    def _examples(self) -> Examples:
        return Examples(self.sitting.config, self.sitting.items)


def _turns(blocks: Sequence[Block]) -> dict[str, NDArray[np.int16]]:
    """The numbers of an item's turns, (turns,) each."""
    columns: dict[str, list[IntArray]] = {name: [] for name in ("replicate", "n", "k", "round", "agent")}
    for block in blocks:
        shape, rounds = block.shape, block.shape.updates + 1
        for name, value in (("replicate", block.replicate), ("n", shape.n), ("k", shape.k)):
            columns[name].append(np.full(rounds * shape.n, value))
        columns["round"].append(np.repeat(np.arange(1, rounds + 1), shape.n))
        columns["agent"].append(np.tile(np.arange(1, shape.n + 1), rounds))
    return {name: np.concatenate(parts).astype(np.int16) for name, parts in columns.items()}


def _label(value: str, count: int) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(np.zeros(count, dtype=np.int32), [value])


def _either(chosen: NDArray[np.bool_], value: str, other: str) -> pa.DictionaryArray:
    return pa.DictionaryArray.from_arrays(chosen.astype(np.int32), [other, value])


def _taken(texts: Sequence[str], places: IntArray, empty: NDArray[np.bool_] | None = None) -> pa.Array:
    return pa.array(texts, pa.string()).take(pa.array(places, mask=empty))

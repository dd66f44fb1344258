"""What the models of a team say, side by side: one agent of each, items down and models across.

A team of several models may seat several agents of each, and is run at several sizes. A panel takes the first agent
of every model, from the smallest team that seats them all; of two such teams, from the one whose agents hear more. In
round 1 that is nearly no choice: where agents are nested, a model's first agent is the same on every team.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import Ballots, count_ballots
from headcount.measures.groups import Factor, factorise
from headcount.measures.votes import plurality, tie_ranks


@dataclass(frozen=True)
class Panel:
    """One agent of each model of a team, on a task under a condition in a round.

    Attributes:
        models: (models,), in the order of their seats.
        items: all items of the task, sorted, as in `laws.series.TaskRows`: item weights go by their places.
        item: (rows,), place of each row's item, ascending; a row is one item in one replicate.
        replicate: (rows,).
        answer: (rows, models), codes; -1 where a model has no answer.
        correct: (rows, models), False where a model has no answer.
        answers: the text of each code, in sorted order.
    """

    task: str
    condition: str
    round: int
    models: list[str]
    items: list[str]
    item: IntArray
    replicate: IntArray
    answer: IntArray
    correct: BoolArray
    answers: list[str]

    @property
    def ballots(self) -> Ballots:
        """The models' votes, a team a row."""
        rows, models = self.answer.shape
        team = np.repeat(np.arange(rows), models)
        return count_ballots(team, self.answer.ravel(), self.correct.ravel(), rows)

    def plurality(self) -> IntArray:
        """Code of the answer that most models give, (rows,); ties as in MEASURES; -1 where nobody answered."""
        ballots = self.ballots

        def rank(row: IntArray, column: IntArray) -> NDArray[np.bytes_]:
            said = (self.answers[code] for code in ballots.candidates[row, column].tolist())
            return tie_ranks([self.items[place] for place in self.item[row]], self.replicate[row].tolist(), said)

        column = plurality(ballots.counts, rank)
        return np.where(column >= 0, ballots.candidates[np.arange(column.size), column], -1)

    def right(self, code: IntArray) -> BoolArray:
        """Whether some answers, (rows,), are right: whether the models that gave them are. -1 is wrong."""
        return np.asarray((self.correct & (self.answer == code[:, None])).any(axis=1))

    def item_means(self, values: FloatArray | BoolArray) -> FloatArray:
        """Values (rows, columns) averaged over replicates: (items, columns), NaN for an item that is not here."""
        start = np.flatnonzero(np.diff(self.item, prepend=-1))
        means = np.full((len(self.items), values.shape[1]), np.nan)
        if start.size == self.item.size:  # one replicate: nothing to average
            means[self.item] = values
        else:
            count = np.diff(np.r_[start, self.item.size])
            means[self.item[start]] = np.add.reduceat(values.astype(np.float64), start, axis=0) / count[:, None]
        return means


def panels(answers: pa.Table) -> Iterator[Panel]:
    """The panels of a team: one a task, condition and round, where two models or more have a seat.

    Args:
        answers: rows of `schema.ANSWERS` of one team, in any order.
    """
    labels = {name: factorise(answers[name]) for name in ("task", "condition", "model")}
    task, condition = labels["task"], labels["condition"]
    for place, name in _sorted(task):
        of_task = np.flatnonzero(task.codes == place)
        items = sorted(set(answers["item"].take(pa.array(of_task)).to_pylist()))
        for other, done in _sorted(condition):
            rows = of_task[condition.codes[of_task] == other]
            yield from _rounds(name, done, items, answers.take(pa.array(rows)), labels["model"].codes[rows])


def _rounds(task: str, condition: str, items: list[str], answers: pa.Table, model: IntArray) -> Iterator[Panel]:
    """The panels of one condition."""
    column = {name: np.asarray(answers[name].to_numpy()).astype(np.int64) for name in _NUMBERS}
    if not model.size:
        return
    shaped = _shape(column["n"], column["k"], model)
    agents = _first_agents(column["agent"][shaped], model[shaped])
    if agents.size < 2:
        return
    seated = shaped & np.isin(column["agent"], agents)
    for number in np.unique(column["round"][seated]).tolist():
        rows = np.flatnonzero(seated & (column["round"] == number))
        yield _panel(task, condition, number, items, answers.take(pa.array(rows)), agents)


def _panel(task: str, condition: str, number: int, items: list[str], answers: pa.Table, agents: IntArray) -> Panel:
    places = {name: place for place, name in enumerate(items)}
    item = np.array([places[name] for name in answers["item"].to_pylist()], dtype=np.int64)
    replicate, agent = (np.asarray(answers[name].to_numpy()).astype(np.int64) for name in ("replicate", "agent"))
    turns, row = np.unique(np.stack([item, replicate]), axis=1, return_inverse=True)
    seat = np.searchsorted(agents, agent)
    text = factorise(answers["answer"])
    order = {name: code for code, name in enumerate(sorted(text.values.to_pylist()))}
    rank = np.array([order[name] for name in text.values.to_pylist()] + [-1], dtype=np.int64)
    answer = np.full((turns.shape[1], agents.size), -1)
    answer[row.ravel(), seat] = rank[text.codes]
    correct = np.zeros(answer.shape, np.bool_)
    correct[row.ravel(), seat] = answers["correct"].fill_null(False).to_numpy()
    _, first = np.unique(agent, return_index=True)
    models = answers["model"].take(pa.array(first)).cast(pa.string()).to_pylist()
    return Panel(task, condition, number, models, items, turns[0], turns[1], answer, correct, list(order))


def _shape(n: IntArray, k: IntArray, model: IntArray) -> BoolArray:
    """Rows, (rows,), of the smallest team with the most models, and of those of its size, the one that hears most."""
    seated = np.unique(np.stack([n, model]), axis=1)[0]  # once a model
    sizes, models = np.unique(seated, return_counts=True)
    here = n == sizes[models.argmax()]
    return np.asarray(here & (k == k[here].max()))


def _first_agents(agent: IntArray, model: IntArray) -> IntArray:
    """The first agent of each model, ascending."""
    agents, at = np.unique(agent, return_index=True)
    _, first = np.unique(model[at], return_index=True)
    return np.sort(agents[first])


def _sorted(labels: Factor) -> list[tuple[int, str]]:
    """Codes and names of a label, by name."""
    return sorted(enumerate(labels.values.to_pylist()), key=lambda pair: str(pair[1]))


_NUMBERS = ("n", "k", "round", "agent")

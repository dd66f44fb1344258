"""Agents with known parameters, in place of a model. Everything made from them says SIMULATED.

On an item of difficulty d an agent answers right with probability p, drawn once an item from a Beta distribution
with the population's mean and spread; otherwise one of the wrong answers, with geometric weights in an item's own
order. In a revision it follows the most frequent answer among its peers with probability 1 - (1 - adoption)^m, where
m peers hold it (the field's mean-field rule); else it thinks again with probability `redraw`, or keeps its answer.
Peers are read from the prompt, as a model reads them. One who is argued with yields with probability
1 - (1 - persuasion)^(s v), to an argument of strength s (0.25 to 1) behind which v agents stand (1 or 3).

A question for a program has several right answers, one as good as another to whoever checks what they do: the known
solution in different words. Wrong ones raise an error. An answer is such a program's name, which stands in its first
line.
"""

import re
from collections import Counter
from collections.abc import Mapping
from math import log

import numpy as np

from headcount.config import Population
from headcount.engines.questions import Question
from headcount.engines.request import Request, Response
from headcount.seeds import seed64

_FINAL = r"FINAL:(?: |\n```python\n)(\S+)"
_OWN = re.compile(rf"^Your own answer before:\n{_FINAL}", re.MULTILINE)
_PEER = re.compile(rf"^\[Agent \d+\]\n{_FINAL}", re.MULTILINE)
_EXPERT = re.compile(r"^\[Expert (\d+)\] answered: ([A-J]|unclear)$", re.MULTILINE)
_READER = re.compile(r"^You are Expert (\d+)\.", re.MULTILINE)
_PROBED = re.compile(r"^Your answer to this question was: ([A-J])$", re.MULTILINE)
_STRENGTHS = {"perhaps it is": 0.25, "I think it is": 0.5, "It is clearly": 0.75, "agree on": 1.0}
_ARGUMENT = re.compile(rf"({'|'.join(_STRENGTHS)}) ([A-J])\b")
_CROWD, _CROWD_SIZE = "Two of the three agents", 3
_TAG = "Final Answer:"  # of the ledger's dialect, wherever it is asked for
_TAIL = 0.6  # each wrong answer is this much as likely as the one before it
_STYLES = 3  # ways to write a right program
_SILENT = "I cannot tell."


class Simulated:
    """Answers from the distributions of a population; as a pure function of the request's content and seed."""

    def __init__(self, population: Population, items: Mapping[str, Question]) -> None:
        self._population, self._items = population, items

    async def complete(self, request: Request) -> Response:
        rng = np.random.default_rng(seed64("simulated", request.key))
        prompt = request.messages[-1][1]
        item, answer = self._items[request.place.item], None
        if rng.random() < self._population.missing:
            text = _SILENT
        else:
            answer = self._answer(rng, item, prompt)
            text = f"FINAL:{_stated(item, answer)}\nCONF: {rng.integers(40, 100)}\nRATIONALE: simulated"
            if _TAG in prompt:
                text = f"simulated\n{_TAG} {answer}"
        tokens = list(re.finditer(r"\S+\s*", text))
        sure = [self._logprob(item, answer) if token.group().strip() == answer else 0.0 for token in tokens]
        return Response(
            text, "stop", len(prompt) // 4, len(tokens), tuple(token.end() for token in tokens), tuple(sure)
        )

    def _answer(self, rng: np.random.Generator, item: Question, prompt: str) -> str:
        own, peers = _heard(prompt)
        if own is None:  # round 1, or nothing that could be kept
            return self._think(rng, item)
        if argument := _ARGUMENT.search(prompt):
            weight = _STRENGTHS[argument[1]] * (_CROWD_SIZE if _CROWD in prompt else 1)
            if rng.random() < 1 - (1 - self._population.persuasion) ** weight:
                return argument[2]
        if peers:
            mode, holders = Counter(peers).most_common(1)[0]
            if rng.random() < 1 - (1 - self._population.adoption) ** holders:
                return str(mode)
        return self._think(rng, item) if rng.random() < self._population.redraw else own

    def _think(self, rng: np.random.Generator, item: Question) -> str:
        """A fresh answer from the item's distribution, which is the same for all agents."""
        accuracy, wrong, weights = self._distribution(item)
        if rng.random() >= accuracy:
            return wrong[rng.choice(len(wrong), p=weights)]
        right = _right_answers(item)
        return right[rng.integers(len(right))] if item.code else item.gold

    def _logprob(self, item: Question, answer: str) -> float:
        """How likely a fresh answer is this one: what an agent's token probabilities would tell."""
        accuracy, wrong, weights = self._distribution(item)
        right = _right_answers(item)
        fresh = dict(zip(wrong, (1 - accuracy) * weights, strict=True)) | dict.fromkeys(right, accuracy / len(right))
        return round(log(max(fresh.get(answer, 0.0), 1e-9)), 4)  # what another item's answer gets, if it was followed

    def _distribution(self, item: Question) -> tuple[float, list[str], np.ndarray]:
        """An item's chance of the right answer, its wrong answers, and their shares of the rest."""
        own = np.random.default_rng(seed64("item", item.id))
        accuracy = _accuracy(own, self._population)
        wrong = _wrong_answers(own, item, self._population.distinct_wrong)
        weights = _TAIL ** np.arange(len(wrong))
        return accuracy, wrong, weights / weights.sum()


def _heard(prompt: str) -> tuple[str | None, list[str]]:
    """What a prompt says that its reader answered before, and what others did, in either dialect."""
    if reader := _READER.search(prompt):
        said = {number: answer for number, answer in _EXPERT.findall(prompt) if answer != "unclear"}
        return said.pop(reader[1], None), list(said.values())
    own = _OWN.search(prompt) or _PROBED.search(prompt)
    return (own[1] if own else None), _PEER.findall(prompt)


def _accuracy(rng: np.random.Generator, population: Population) -> float:
    """An item's probability of a right answer, of mean `accuracy` and variance spread * accuracy (1 - accuracy)."""
    mean, spread = population.accuracy, population.spread
    if spread == 0 or mean in (0, 1):
        return mean
    precision = 1 / spread - 1
    return float(rng.beta(mean * precision, (1 - mean) * precision))


def _right_answers(item: Question) -> list[str]:
    return [f"right_{number}" for number in range(_STYLES)] if item.code else [item.gold]


def _wrong_answers(rng: np.random.Generator, item: Question, distinct: int) -> list[str]:
    if item.choices:
        wrong = [letter for letter in item.letters if letter != item.gold]
        return [wrong[place] for place in rng.permutation(len(wrong))]
    if item.code:
        return [f"wrong_{number}" for number in range(distinct)]
    offsets = rng.permutation(np.arange(1, distinct + 1)) * rng.choice((-1, 1), size=distinct)
    return [str(int(float(item.gold)) + int(offset)) for offset in offsets]


def _stated(item: Question, answer: str) -> str:
    """What stands behind FINAL."""
    if item.code is None:
        return f" {answer}"
    solution = item.code.solution if answer.startswith("right") else f"    raise ValueError({answer!r})\n"
    return f"\n```python\n{answer} = 0\n{item.question}{solution}```"

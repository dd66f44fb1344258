"""Agents with known parameters, in place of a model. Everything made from them says SIMULATED.

They answer and revise by `headcount.populations`, and this is the path that goes through prompts: peers are read from
them, as a model reads them, so an agent knows what it is shown and no more. One who is argued with yields with
probability 1 - (1 - persuasion)^(s v), to an argument of strength s (0.25 to 1) behind which v agents stand (1 or 3).
In self-correction the snippet of its own answer stands where those of peers do, and counts as one.

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
from headcount.engines.request import Place, Request, Response
from headcount.engines.simulated_answers import Known, know, known_answers, right_answers
from headcount.errors import UserError
from headcount.populations.answers import Answers
from headcount.populations.rule import ACTS, FOLLOW, LEAVE, THINK, THOUGHTS, Heard, act, think
from headcount.seeds import seed64

_FINAL = r"FINAL:(?: |\n```python\n)(\S+)"
_OWN = re.compile(rf"^Your own answer before:\n{_FINAL}", re.MULTILINE)
_PEER = re.compile(rf"^\[Agent (\d+)\]\n{_FINAL}", re.MULTILINE)
_EXPERT = re.compile(r"^\[Expert (\d+)\] answered: ([A-J]|unclear)$", re.MULTILINE)
_READER = re.compile(r"^You are Expert (\d+)\.", re.MULTILINE)
_PROBED = re.compile(r"^Your answer to this question was: ([A-J])$", re.MULTILINE)
_STRENGTHS = {"perhaps it is": 0.25, "I think it is": 0.5, "It is clearly": 0.75, "agree on": 1.0}
_ARGUMENT = re.compile(rf"({'|'.join(_STRENGTHS)}) ([A-J])\b")
_CROWD, _CROWD_SIZE = "Two of the three agents", 3
_TAG = "Final Answer:"  # of the ledger's dialect, wherever it is asked for
SILENT = "I cannot tell."
LEAST_SHARE = 1e-9
LEAST_SURE, MOST_SURE = 40, 100  # of the confidence that agents state; the latter is never reached


class Simulated:
    """Answers from the distributions of a population; as a pure function of the request's content and seed."""

    def __init__(self, population: Population, items: Mapping[str, Question], family: str = "") -> None:
        self._population, self._items, self._family = population, items, family
        self._known: dict[str, tuple[Known, Answers]] = {}

    async def complete(self, request: Request) -> Response:
        rng = np.random.default_rng(seed64("simulated", request.key))
        prompt = request.messages[-1][1]
        item, answer = self._items[request.place.item], None
        if rng.random() >= self._population.missing:
            answer = self._answer(rng, item, prompt, request.place)
        text = stated(item, answer, int(rng.integers(LEAST_SURE, MOST_SURE)), tagged=_TAG in prompt)
        tokens = list(re.finditer(r"\S+\s*", text))
        sure = [self._logprob(item, answer) if token.group().strip() == answer else 0.0 for token in tokens]
        return Response(
            text, "stop", len(prompt) // 4, len(tokens), tuple(token.end() for token in tokens), tuple(sure)
        )

    def _answer(self, rng: np.random.Generator, item: Question, prompt: str, place: Place) -> str:
        own, peers = _heard(prompt)
        if own is not None and (argument := _ARGUMENT.search(prompt)):
            weight = _STRENGTHS[argument[1]] * (_CROWD_SIZE if _CROWD in prompt else 1)
            if rng.random() < 1 - (1 - self._population.persuasion) ** weight:
                return argument[2]
        mode, holders = self._mode(own, peers, place)
        heard = Heard(
            np.array(own is None), np.array(own == mode), np.array(mode in right_answers(item)), np.array(holders)
        )
        does = int(act(self._population, heard, rng.random(ACTS)))
        if does == FOLLOW:
            return str(mode)
        if does == LEAVE:
            return self._other(rng, item, str(own))
        return self._think(rng, item, again=place.round > 1) if does == THINK else str(own)

    def _mode(self, own: str | None, peers: Mapping[int, str], place: Place) -> tuple[str | None, int]:
        """The answer that may be followed, and how many peers hold it; ties go to the first that holds one."""
        voices = dict(peers)
        if self._population.mode == "team" and place.condition == "debate":
            if place.k < place.n - 1:
                raise UserError(
                    f"{place}: `population.mode: team` is for agents who hear the whole team, and this one hears "
                    f"{place.k} of {place.n - 1} others. Set `peers: [full]`, or use `headcount simulate`."
                )
            voices |= {place.agent: own} if own else {}
        if not peers or not voices:
            return None, 0
        mode = Counter(voices[agent] for agent in sorted(voices)).most_common(1)[0][0]
        return mode, sum(answer == mode for answer in peers.values())

    def _think(self, rng: np.random.Generator, item: Question, *, again: bool) -> str:
        """A fresh answer from the item's distribution, which is the same for all agents."""
        known, answers = self._know(item)
        rank = think(self._population, answers, np.array(0), rng.random(THOUGHTS), again=again)
        return self._spelled(rng, item, known, int(rank))

    def _other(self, rng: np.random.Generator, item: Question, own: str) -> str:
        """An answer other than its own; its own where there is no other."""
        known, answers = self._know(item)
        held = 0 if own in right_answers(item) else known.wrong.index(own) + 1 if own in known.wrong else -1
        rank = int(answers.other(np.array(0), np.array(held), np.array(rng.random())))
        return own if rank == held else self._spelled(rng, item, known, rank)

    def _spelled(self, rng: np.random.Generator, item: Question, known: Known, rank: int) -> str:
        right = right_answers(item)
        return known.wrong[rank - 1] if rank else right[rng.integers(len(right))] if item.code else item.gold

    def _logprob(self, item: Question, answer: str) -> float:
        """How likely a fresh answer is this one: what an agent's token probabilities would tell."""
        known, right = self._know(item)[0], right_answers(item)
        if answer in right:
            return logprob(known.shares[0] / len(right))
        return logprob(known.shares[known.wrong.index(answer) + 1] if answer in known.wrong else 0.0)

    def _know(self, item: Question) -> tuple[Known, Answers]:
        if item.id not in self._known:
            known = know(self._population, self._family, item)
            self._known[item.id] = known, known_answers([known])
        return self._known[item.id]


def logprob(share: float) -> float:
    """Of an answer's token; what another item's answer gets, if it was followed, is a floor."""
    return round(log(max(share, LEAST_SHARE)), 4)


def _heard(prompt: str) -> tuple[str | None, dict[int, str]]:
    """What a prompt says that its reader answered before, and what others did, in either dialect."""
    if reader := _READER.search(prompt):
        said = {int(number): answer for number, answer in _EXPERT.findall(prompt) if answer != "unclear"}
        return said.pop(int(reader[1]), None), said
    own = _OWN.search(prompt) or _PROBED.search(prompt)
    return (own[1] if own else None), {int(number): answer for number, answer in _PEER.findall(prompt)}


def stated(item: Question, answer: str | None, confidence: int, *, tagged: bool) -> str:
    """A reply."""
    if answer is None:
        return SILENT
    if tagged:
        return f"simulated\n{_TAG} {answer}"
    return f"FINAL:{_final(item, answer)}\nCONF: {confidence}\nRATIONALE: simulated"


def _final(item: Question, answer: str) -> str:
    """What stands behind FINAL."""
    if item.code is None:
        return f" {answer}"
    solution = item.code.solution if answer.startswith("right") else f"    raise ValueError({answer!r})\n"
    return f"\n```python\n{answer} = 0\n{item.question}{solution}```"

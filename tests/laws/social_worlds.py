"""Teams that agree for one reason each: alike, alike and sharper on second thoughts, or conforming."""

from collections.abc import Callable, Iterator

import numpy as np
import pandas as pd

from headcount.laws.excess import SocialRows
from headcount.measures.cross_pairs import cross_pairs
from headcount.measures.subsets import subset_measures
from headcount.measures.table import measure
from headcount.schema import ANSWERS
from headcount.store import conform

LETTERS = np.array(list("ABCD"))
ROUNDS = (1, 2)
# Shares of answers (items, answers), round-1 answers (items, agents) -> answers after a revision, (items, agents).
Revision = Callable[[np.random.Generator, np.ndarray, np.ndarray], np.ndarray]


def drawn(rng, shares, agents):
    """Independent answers, (items, agents)."""
    edges = np.cumsum(shares, axis=1)[:, None, :]
    return (rng.random((len(shares), agents, 1)) > edges[:, :, :-1]).sum(axis=2)


def again(rng, shares, said):
    return drawn(rng, shares, said.shape[1])


def sharper(rng, shares, said):
    """Everybody settles more on what is likely anyhow, alone."""
    powered = shares**3
    return drawn(rng, powered / powered.sum(axis=1, keepdims=True), said.shape[1])


def conforming(rng, _shares, said):
    """Half of the agents take over what most said; the first letter wins ties."""
    votes = (said[:, :, None] == np.arange(LETTERS.size)).sum(axis=1)
    return np.where(rng.random(said.shape) < 0.5, votes.argmax(axis=1)[:, None], said)


WORLDS: dict[str, tuple[Revision, Revision]] = {  # what happens in debate, and alone
    "independent": (again, again),
    "sharpening": (sharper, sharper),
    "conforming": (conforming, again),
}


def frame_of(world, seed, *, items=150, sizes=(2, 3, 5, 10), twice=(5, 10), missing=0.0, alone_twice=False):
    """Columns of ANSWERS: what the largest team answered alone, and debates of all sizes, some of them twice."""
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.full(LETTERS.size, 0.7), items)
    debate, alone = WORLDS[world]
    largest = max(sizes)
    first = {replicate: drawn(rng, shares, largest) for replicate in (1, 2)}
    parts = [_teams("self_consistency", 1, largest, {1: first[1]})]
    for replicate in (1, 2) if alone_twice else (1,):
        said = first[replicate]
        parts.append(_teams("self_correction", replicate, largest, {1: said, 2: alone(rng, shares, said)}))
    for n in sizes:
        for replicate in (1, 2) if n in twice else (1,):
            said = first[replicate][:, :n]
            parts.append(_teams("debate", replicate, n, {1: said, 2: debate(rng, shares, said)}))
    frame = pd.concat([row for part in parts for row in part], ignore_index=True)
    frame.loc[rng.random(len(frame)) < missing, "answer"] = None
    frame["correct"] = (frame["answer"] == "A").astype("boolean").where(frame["answer"].notna())
    details = {"confidence": 50.0, "n_tags": 1, "tags_disagree": False, "truncated": False, "logprob": -1.0}
    reply = {"model": "m", "temperature": 0.4, "request": "r", "status": "parsed", "rule": "final"}
    return frame.assign(task="a", prompt_tokens=1, completion_tokens=1, **details, **reply)


def _teams(condition, replicate, n, rounds) -> Iterator[pd.DataFrame]:
    for turn, said in rounds.items():
        item, agent = np.indices(said.shape)
        names = np.char.add("item", np.char.zfill(item.ravel().astype(str), 3))
        key = {"condition": condition, "replicate": replicate, "n": n, "k": n - 1 if condition == "debate" else 0}
        answer = LETTERS[said.ravel()].astype(object)
        yield pd.DataFrame({"item": names, "agent": agent.ravel() + 1, "answer": answer}).assign(**key, round=turn)


def team_of(frame, sizes=(2, 3, 5, 10), subsets=True) -> SocialRows:
    """What a run knows of them."""
    answers = conform(frame, ANSWERS, "test")
    wanted = {("a", condition): list(sizes) for condition in ("self_consistency", "self_correction")}
    means = subset_measures(answers, wanted) if subsets else None
    return SocialRows(measure(answers), means, cross_pairs(answers))

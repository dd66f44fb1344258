"""Agents of several models of whom teams are formed: a team of n has as many of each model as the first n agents.

Any n agents would be teams of another kind: with 10 agents of each of three models, the first three are one of each,
and of any three some are two of a model. What is a mean number of agents or pairs, or a share of unanimous teams, has a
closed form; the rest is in `subsets_mixed_values`.

All results are (pools, sizes), NaN where no team has the quantity; a size above the pool's is for callers to drop.
"""

from dataclasses import dataclass

import numpy as np

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.groups import distinct_rows
from headcount.measures.seats import Seats
from headcount.measures.subsets_sums import binomials, choose


@dataclass(frozen=True)
class MixedPools:
    """Agents of whom teams are formed, one pool an item.

    Attributes:
        kinds: (kinds, models), how many agents of each model gave an answer; the first is given by none.
        correct: (kinds,), whether the answer is right.
        answers: (pools, answers), place of each answer in `kinds`; 0 pads.
        missing: (pools, models), agents without an answer.
    """

    kinds: IntArray
    correct: BoolArray
    answers: IntArray
    missing: IntArray

    @property
    def valid(self) -> IntArray:
        """Agents with an answer, (pools, models)."""
        return np.asarray(self.kinds[self.answers].sum(axis=1))

    @property
    def agents(self) -> IntArray:
        """All agents, (pools, models)."""
        return np.asarray(self.valid + self.missing)

    @property
    def right(self) -> IntArray:
        """Agents whose answer is right, (pools, models)."""
        return np.asarray((self.kinds * self.correct[:, None])[self.answers].sum(axis=1))


def mixed_pools(seats: Seats, model: IntArray) -> tuple[MixedPools, IntArray]:
    """The distinct ways in which agents answered, whatever the answers were, and which one is each team's.

    Args:
        model: (agents,), code of the model of agent 1, 2, ...
    """
    own = model[np.arange(seats.team.size) - np.searchsorted(seats.team, seats.team)]
    said = seats.column >= 0
    counts = np.zeros((*seats.ballots.counts.shape, int(model.max()) + 1), np.int64)
    np.add.at(counts, (seats.team[said], seats.column[said], own[said]), 1)
    missing = np.zeros((seats.n_teams, counts.shape[2]), np.int64)
    np.add.at(missing, (seats.team[~said], own[~said]), 1)
    flat = np.c_[counts.reshape(-1, counts.shape[2]), (seats.ballots.correct > 0).ravel()]
    kinds, kind = distinct_rows(np.r_[np.zeros((1, flat.shape[1]), np.int64), flat])
    answers = -np.sort(-kind[1:].reshape(counts.shape[:2]), axis=1)
    pools, pool = distinct_rows(np.c_[answers, missing])
    width = answers.shape[1]
    return MixedPools(kinds[:, :-1], kinds[:, -1] > 0, pools[:, :width], pools[:, width:]), pool


def seats_of(model: IntArray, sizes: IntArray) -> IntArray:
    """How many of the first n agents are of each model, (sizes, models).

    Args:
        model: (agents,), code of each agent's model; sizes above their number have all of them.
        sizes: (sizes,).
    """
    own = model[:, None] == np.arange(int(model.max(initial=0)) + 1)
    return np.asarray(np.cumsum(own, axis=0)[np.minimum(sizes, model.size) - 1])


def linear_means(pools: MixedPools, seats: IntArray) -> dict[str, FloatArray]:
    """Mean numbers of agents and of pairs: hypergeometric expectations within each model.

    With c_g of the T_g agents of model g in a team, a given one sits on c_g / T_g of the teams, a given pair of two
    models on c_g c_h / (T_g T_h), and one of a model on c_g (c_g - 1) / (T_g (T_g - 1)). Agreement is equal pairs by
    pairs; it depends on n by the share of pairs within a model.

    Args:
        seats: (sizes, models), c_g.
    """
    agents = pools.agents
    seat = seats / np.maximum(agents, 1)[:, None]
    same = np.eye(agents.shape[1], dtype=np.int64)
    places = seats[:, :, None] * (seats[:, None] - same)
    pair = places / np.maximum(agents[:, :, None] * (agents[:, None] - same), 1)[:, None]
    answers = pools.kinds[pools.answers]
    both = np.einsum("pvg,pvh->pgh", answers, answers) - pools.valid[:, None] * same
    pairs, correct_pairs = (np.einsum("psgh,pgh->ps", pair, _pairs(count)) / 2 for count in (pools.valid, pools.right))
    equal = np.einsum("psgh,pgh->ps", pair, both) / 2
    return {
        "n_valid": (seat * pools.valid[:, None]).sum(axis=2),
        "n_correct": (seat * pools.right[:, None]).sum(axis=2),
        "pairs": pairs,
        "equal_pairs": equal,
        "correct_pairs": correct_pairs,
        "agreement": ratio(equal, pairs),
    }


def unanimous_shares(pools: MixedPools, seats: IntArray) -> dict[str, FloatArray]:
    """Shares of the teams that are unanimous, and unanimous and wrong, as in `votes.unanimous`.

    The teams of agents who gave one answer or none are prod_g C(m_g + missing_g, c_g); of these, those in which nobody
    gave it and, for n of two and more, in which one agent did are not unanimous.

    Args:
        seats: (sizes, models), c_g.
    """
    ways = binomials(int(pools.agents.max(initial=0)))
    silent, places = pools.missing[:, None, None], seats[None, :, None]  # (pools, sizes, answers, models)
    given = pools.kinds[pools.answers][:, None]
    agreed = choose(ways, given + silent, places).prod(axis=3) - choose(ways, silent, places).prod(axis=3)
    one = np.zeros_like(agreed)
    for g in range(seats.shape[1]):
        but_one = places - np.eye(seats.shape[1], dtype=np.int64)[g]
        one += given[..., g] * choose(ways, silent, but_one).prod(axis=3)
    agreed -= np.where(seats.sum(axis=1)[:, None] > 1, one, 0.0)
    wrong = np.where(pools.correct[pools.answers][:, None], 0.0, agreed)
    teams = choose(ways, pools.agents[:, None], seats).prod(axis=2)
    named = {"unanimous": agreed, "unanimous_wrong": wrong}
    return {name: ratio(total.sum(axis=2), teams) for name, total in named.items()}


def ratio(total: FloatArray, teams: FloatArray) -> FloatArray:
    """A mean over teams; NaN where there are none."""
    return np.asarray(np.where(teams > 0, total / np.where(teams > 0, teams, 1.0), np.nan))


def _pairs(count: IntArray) -> IntArray:
    """Ordered pairs of distinct agents by their models, (pools, models, models), from (pools, models)."""
    return np.asarray(count[:, :, None] * (count[:, None] - np.eye(count.shape[1], dtype=np.int64)))

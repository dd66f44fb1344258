"""Rounds of a team of simulated agents under a condition: what is heard is all that the conditions differ in."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from headcount.config import Condition
from headcount.populations import hearing
from headcount.populations.answers import IntArray
from headcount.populations.teams import Round, Team
from headcount.populations.words import Words

Strange = Callable[[IntArray, Words, IntArray], IntArray]  # of items, turns, and who is heard: what stands in for them


@dataclass(frozen=True)
class Talk:
    """How a team of n goes on after round 1.

    Attributes:
        k: how many others an agent hears.
        updates: revision rounds.
        team: what tells its revisions from those of other teams and conditions.
        alone: whether an agent that hears nobody reads its own answer as one peer's.
        strange: for noise, what stands in for the answers of those who are heard.
    """

    condition: Condition
    k: int
    updates: int
    team: int
    alone: bool = True
    strange: Strange | None = None

    @property
    def speaks(self) -> bool:
        """Whether there is anything to revise by; if not, later rounds repeat the first."""
        return self.condition == "self_correction" or (self.condition != "self_consistency" and self.k > 0)


def play(team: Team, talk: Talk, items: IntArray, replicate: int, first: IntArray) -> IntArray:
    """Ids of all rounds, (items, rounds, agents).

    Args:
        items: places of items.
        first: (items, agents), ids of round 1.
    """
    said = [first]
    for number in range(2, talk.updates + 2):
        turn = Round(items, replicate, number, talk.team)
        said.append(team.revised(turn, said[-1], _heard(team, talk, turn, said[-1])) if talk.speaks else first)
    return np.stack(said, axis=1)


def _heard(team: Team, talk: Talk, turn: Round, own: IntArray) -> hearing.Mode:
    match talk.condition:
        case "self_correction":
            return (own if talk.alone else np.full_like(own, -1)), ((own >= 0) & talk.alone).astype(np.int16)
        case "noise":
            assert talk.strange is not None
            places = team.places(turn)
            return hearing.mode_heard(talk.strange(turn.items, places, hearing.choose(places, talk.k)))
    return _debated(team, talk, turn, own)


def _debated(team: Team, talk: Talk, turn: Round, own: IntArray) -> hearing.Mode:
    """Each agent's mode: that of its peers, or of its team, as its population has it."""
    mode, count = _mode(team, talk, turn, own)
    whole = np.array([member.population.mode == "team" for member in team.members])[team.model]
    if not whole.any():
        return mode, count
    of_team = hearing.mode_of_team(own)
    peers = hearing.taken(own, hearing.choose(team.places(turn), talk.k))
    return np.where(whole, of_team[:, None], mode), np.where(whole, hearing.holders(peers, of_team), count)


def _mode(team: Team, talk: Talk, turn: Round, own: IntArray) -> hearing.Mode:
    if talk.k == own.shape[1] - 1:
        return hearing.mode_of_all_others(own)
    return hearing.mode_heard(hearing.taken(own, hearing.choose(team.places(turn), talk.k)))

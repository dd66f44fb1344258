"""What a team would have said by other rules than plurality, from the answers that it gave anyway."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import count_ballots
from headcount.measures.families import family_of
from headcount.measures.groups import group
from headcount.measures.seats import Seats, columns_of, seat
from headcount.measures.votes import TIE_LABEL, plurality
from headcount.measures.weights import (
    block_weights,
    confidence_weights,
    filled,
    probability_weights,
    top_weights,
    upper_weights,
)
from headcount.schema import VOTES
from headcount.store import conform

# Rules by how sure a vote is: the column of ANSWERS that says so, and (team, value, teams) -> weight.
BY_CERTAINTY: dict[str, tuple[str, Callable[[IntArray, FloatArray, int], FloatArray]]] = {
    "confidence_weighted": ("confidence", confidence_weights),
    "probability_weighted": ("logprob", probability_weights),
    "filtered": ("logprob", upper_weights),
    "top_probability": ("logprob", top_weights),
}
FINEST = 1e-6  # sums of weights that are nearer to each other are a tie: log-probabilities are stored to 7 digits


def votes(answers: pa.Table | Seats, families: Mapping[str, str], tie_label: str = TIE_LABEL) -> pa.Table:
    """The answer of every team by every rule, in the rounds that are the last of some (n, k) of its condition.

    A sweep runs some sizes for longer: they vote in the round that all sizes end with, too.

    The candidate with the largest sum of weights wins; ties are settled as in MEASURES (arXiv 2606.02646, app. M):

    - `plurality`: all votes weigh 1; the answer is MEASURES.team_answer.
    - `confidence_weighted`, `probability_weighted`: by stated confidence; by the probability of the answer's tokens.
    - `filtered`: the lowest quartile by that probability is dropped.
    - `top_probability`: the most probable vote alone counts, or several that are equally probable.
    - `block_weighted`, `family_vote`, where the team has several families: each family's votes weigh 1 in all; each
      family's plurality is one vote, and most families win.

    A vote without a confidence (or probability) is taken to have the median one of its team; where a team has none,
    all its votes are alike. Where no vote of a whole (task, condition) has one, the rules that need it are absent.

    Args:
        answers: rows of `schema.ANSWERS` of one team, in any order, or what `seat` made of them.
        families: the family of each model.
        tie_label: seed label of the order that settles ties.

    Returns:
        rows of `schema.VOTES`; `n_votes` counts votes of a weight above 0.

    Raises:
        UserError: where a model has no family, or an agent of a team is missing.
    """
    seats = seat(answers, tie_label)
    seats = seats.only(_last_rounds(seats))
    tables = [_rows(seats, poll) for poll in _polls(seats, families)]
    return conform(pa.concat_tables(tables), VOTES, "votes")


def n_eff_weighted(weights: FloatArray) -> FloatArray:
    """Effective team size of weighted votes: 2^H with H = -sum_v p_v log2 p_v, p_v a candidate's share of all weight.

    Ours; with equal weights it is `n_eff_answer`.

    Args:
        weights: (teams, candidates), sums of weights.

    Returns:
        (teams,), from 1 to the number of candidates; NaN where no vote counts.
    """
    weights = np.sort(weights, axis=1)  # so that the names of answers, which order the columns, move no last bit
    total = weights.sum(axis=1, keepdims=True)
    share = weights / np.where(total > 0, total, 1.0)
    bits = -(share * np.log2(np.where(share > 0, share, 1.0))).sum(axis=1)
    return np.where(total[:, 0] > 0, np.exp2(bits), np.nan)


@dataclass(frozen=True)
class _Poll:
    """The votes that a rule counts.

    Attributes:
        team, column, weight: (votes,), whose, for which column of the ballots, and how much.
        held: (teams,), where the rule applies.
    """

    rule: str
    team: IntArray
    column: IntArray
    weight: FloatArray
    held: BoolArray


def _polls(seats: Seats, families: Mapping[str, str]) -> Iterator[_Poll]:
    valid = np.flatnonzero(seats.answer >= 0)
    team, column = seats.team[valid], seats.column[valid]
    everywhere = np.ones(seats.n_teams, np.bool_)
    yield _Poll("plurality", team, column, np.ones(valid.size), everywhere)
    for rule, (name, weights) in BY_CERTAINTY.items():
        sure = seats.floats(name)[valid]
        held = _cells_that_know(seats, team[np.isfinite(sure)])
        if not held.any():
            continue
        weight = weights(team, filled(team, sure, seats.n_teams), seats.n_teams)
        yield _Poll(rule, team, column, weight, held)
    family = family_of(seats.table, families)[0][seats.row]
    if np.unique(family).size > 1:
        family = family[valid]
        yield _Poll("block_weighted", team, column, block_weights(team, family), everywhere)
        speaker, choice = _spokesmen(seats, team, family, seats.answer[valid])
        yield _Poll("family_vote", speaker, choice, np.ones(speaker.size), everywhere)


def _rows(seats: Seats, poll: _Poll) -> pa.Table:
    """Rows of VOTES by one rule."""
    shape = seats.ballots.counts.shape
    cell = poll.team * shape[1] + poll.column
    weights = np.asarray(np.bincount(cell, poll.weight, shape[0] * shape[1]), dtype=np.float64).reshape(shape)
    column = _winners(seats, weights)
    teams, answered = np.arange(column.size), column >= 0
    code = np.where(answered, seats.ballots.candidates[teams, column], 0)
    rows = {name: seats.table[name].take(pa.array(seats.first())) for name in VOTES.keys if name != "rule"} | {
        "rule": pa.array([poll.rule] * column.size),
        "answer": seats.answers.take(pa.array(code, mask=~answered)),
        "correct": pa.array(answered & (seats.ballots.correct[teams, column] > 0)),
        "n_votes": pa.array(np.bincount(poll.team[poll.weight > 0], minlength=column.size)),
        "n_eff": pa.array(n_eff_weighted(weights), from_pandas=True),
    }
    return pa.table(rows).filter(pa.array(poll.held))


def _winners(seats: Seats, weights: FloatArray) -> IntArray:
    """Column of the largest sum of weights of each team, (teams,); -1 where nobody answered."""
    largest = weights.max(axis=1, keepdims=True)
    return seats.choose(np.rint(weights / np.where(largest > 0, largest, 1.0) / FINEST).astype(np.int64))


def _spokesmen(seats: Seats, team: IntArray, family: IntArray, answer: IntArray) -> tuple[IntArray, IntArray]:
    """Each family's plurality answer, ties settled as the team's: the team and the column it votes for."""
    n_families = int(family.max(initial=0)) + 1
    ballots = count_ballots(
        team * n_families + family, answer, np.zeros(answer.size, np.bool_), seats.n_teams * n_families
    )
    chosen = plurality(
        ballots.counts,
        lambda block, column: seats.tie_ranks(block // n_families, ballots.candidates[block, column]),
    )
    speaking = np.flatnonzero(chosen >= 0)
    of_team = speaking // n_families
    return of_team, columns_of(seats.ballots, of_team, ballots.candidates[speaking, chosen[speaking]])


def _cells_that_know(seats: Seats, knowing: IntArray) -> BoolArray:
    """Teams, (teams,), of each (task, condition) that one of the `knowing` teams is of."""
    cells = group([seats.keys["task"], seats.keys["condition"]])
    known = np.zeros(cells.first.size, np.bool_)
    known[cells.of_row[knowing]] = True
    return known[cells.of_row]


def _last_rounds(seats: Seats) -> BoolArray:
    """Teams, (teams,), in the rounds that are the last of some (n, k) of their task and condition."""
    labels, turn = [seats.keys[name] for name in ("task", "condition")], seats.keys["round"]
    shapes = group([*labels, seats.keys["n"], seats.keys["k"]])
    last = np.zeros(shapes.first.size, np.int64)
    np.maximum.at(last, shapes.of_row, turn)
    cell_and_round = group([*labels, turn]).of_row
    return np.isin(cell_and_round, cell_and_round[turn == last[shapes.of_row]])

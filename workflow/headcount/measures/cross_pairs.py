"""Two teams of other agents on the same items: how often agents of one team agree, and agents who never met.

Agents who read the same item agree for many reasons. Two teams share all of them but one: they did not hear each
other. So agreement across teams is the null that agreement within a team is judged by (`laws.excess`).
"""

import numpy as np
import pyarrow as pa

from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import Ballots, count_ballots
from headcount.measures.correctness import right_in_pairs
from headcount.measures.diversity import pairs_among
from headcount.measures.groups import Groups, group
from headcount.measures.seats import Seats, seat
from headcount.schema import CROSS_PAIRS
from headcount.store import conform


def cross_pairs(answers: pa.Table | Seats) -> pa.Table:
    """Pairs within teams and across them, of every item that two teams or more of a size answered.

    Teams are the replicates of a size. All pairs of their agents together, less those within a team, are those across:
    with n_rv agents of team r who give answer v, sum_v C(sum_r n_rv, 2) - sum_r sum_v C(n_rv, 2) (ours).

    Args:
        answers: rows of `schema.ANSWERS`, in any order, or what `seat` made of them; each team must hold its agents 1
            to n once each.

    Returns:
        rows of `schema.CROSS_PAIRS`; none where every team was run once.

    Raises:
        UserError: where an agent of a team is missing or stands twice.
    """
    seats = seat(answers)
    seats = seats.only(_run_again(seats))
    teams = group([seats.keys[name] for name in CROSS_PAIRS.keys])
    first = pa.array(seats.first()[teams.first])
    columns = {name: seats.table[name].take(first) for name in CROSS_PAIRS.keys} | _counts(seats, teams)
    return conform(pa.table(columns), CROSS_PAIRS, "cross_pairs")


def _run_again(seats: Seats) -> BoolArray:
    """Which teams, (teams,), are of an item and size that has more than one replicate."""
    teams = group([seats.keys[name] for name in CROSS_PAIRS.keys])
    return teams.size[teams.of_row] > 1


def _counts(seats: Seats, teams: Groups) -> dict[str, IntArray | FloatArray]:
    """The columns of CROSS_PAIRS that are not keys; each (groups of teams,)."""
    groups = teams.first.size
    each = _pairs(seats.ballots)
    within = {name: np.bincount(teams.of_row, count, groups).astype(np.int64) for name, count in each.items()}
    together = _pairs(count_ballots(teams.of_row[seats.team], seats.answer, seats.correct, groups))
    pairs = [name for name in each if name.endswith("pairs")]
    across = {name.replace("pairs", "cross_pairs"): together[name] - within[name] for name in pairs}
    ordered = right_in_pairs(*(each[name].astype(np.float64) for name in ("n_correct", "n_valid", "pairs")))
    counts: dict[str, IntArray | FloatArray] = {"replicates": teams.size, **within, **across}
    return counts | {"right_in_pairs": np.bincount(teams.of_row, ordered, groups)}


def _pairs(ballots: Ballots) -> dict[str, IntArray]:
    """Agents, and pairs of agents, of each row of ballots."""
    valid, right = ballots.counts.sum(axis=1), ballots.correct.sum(axis=1)
    return {
        "n_valid": valid,
        "n_correct": right,
        "pairs": pairs_among(valid),
        "equal_pairs": pairs_among(ballots.counts).sum(axis=1),
        "correct_pairs": pairs_among(right),
    }

"""What saved answers show of a debate while it runs: agreement, flips, and changes of the majority, round by round.

R1 is the first round of discussion, as in arXiv 2609.35279: round 2 here. No feature knows the right answer.
"""

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.ledger.majority import UNDEFINED, Majorities, majorities
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.seats import Seats, check_rounds, seat
from headcount.schema import MEASURES

DEBATE = [name for name in MEASURES.keys if name != "round"]
PRE_DEBATE = ["init_unanimous", "init_agree_frac"]
ROUND_1 = [*PRE_DEBATE, "r1_majority_changed", "r1_n_flipped", "r1_agree_frac"]
REPLAY = [
    *ROUND_1,
    *("r1_unanimous", "r1_flip_frac", "r1_consensus_gain"),
    *("r1_changed_x_agree", "r1_changed_x_init_split", "r1_changed_x_not_unanimous"),
]


def before(endpoint: int) -> list[str]:
    """The features of all rounds that are over when the last one begins: the outcome's own round is no predictor.

    Args:
        endpoint: the round that a debate is judged at, from 1 as in ANSWERS: 4 for three rounds of discussion.
    """
    later = range(2, endpoint - 1)
    return [*ROUND_1, *(f"r{number}_{name}" for number in later for name in ("majority_changed", "agree_frac"))]


def trajectories(answers: pa.Table) -> pd.DataFrame:
    """Features of every debate of a team (arXiv 2609.35279, section 5).

    - `init_agree_frac`, `rI_agree_frac`: votes of the most frequent answer / N; 0 where nobody answered.
    - `init_unanimous`, `r1_unanimous`: all N agents answered, and alike. `init_unanimous_ref` is the reference's: at
      most one answer was given, by however few.
    - `rI_majority_changed`: the majority is defined, and another than a round before.
    - `r1_n_flipped`, `r1_flip_frac`: agents who answered in both rounds, and differently; the same / N.
    - `r1_consensus_gain`: `r1_agree_frac` - `init_agree_frac`; `r1_changed_x_agree`, `r1_changed_x_init_split`,
      `r1_changed_x_not_unanimous`: a changed majority times agreement, times 1 - `init_agree_frac`, times dissent.
    - `r1_majority_correct`: what freezing at R1 would give; no predictor. Null without a majority.

    Args:
        answers: rows of `schema.ANSWERS`, in any order; each team with its agents 1 to n and rounds 1 to its last.

    Returns:
        one row a debate of two rounds or more: `DEBATE` and the features; NaN for rounds that it did not have.

    Raises:
        UserError: where an agent or a round is missing.
    """
    seats = seat(answers)
    check_rounds(seats)
    turn = seats.keys["round"]
    first = np.flatnonzero((turn == 1) & (np.append(turn[1:], 1) == 2))
    says = majorities(seats)
    keys = {name: answers[name].take(pa.array(seats.first()[first])).to_pandas().to_numpy() for name in DEBATE}
    columns = _first_rounds(seats, says, first) | _later_rounds(seats, says, first)
    return pd.DataFrame(keys | columns)


def _first_rounds(seats: Seats, says: Majorities, first: IntArray) -> dict[str, FloatArray]:
    """Features of the first answers and of R1."""
    n = seats.keys["n"].astype(np.float64)
    agree = says.top / n
    init, one, size = agree[first], agree[first + 1], n[first]
    changed = _changed(says, first + 1)
    flipped = _flipped(seats, first).astype(np.float64)
    defined = says.right[first + 1] != UNDEFINED
    return {
        "init_unanimous": (init == 1).astype(np.float64),
        "init_unanimous_ref": (says.top == says.parsed)[first].astype(np.float64),
        "init_agree_frac": init,
        "r1_majority_changed": changed,
        "r1_n_flipped": flipped,
        "r1_agree_frac": one,
        "r1_unanimous": (one == 1).astype(np.float64),
        "r1_flip_frac": flipped / size,
        "r1_consensus_gain": one - init,
        "r1_changed_x_agree": changed * one,
        "r1_changed_x_init_split": changed * (1 - init),
        "r1_changed_x_not_unanimous": changed * (one < 1),
        "r1_majority_correct": np.where(defined, says.right[first + 1], np.nan),
    }


def _later_rounds(seats: Seats, says: Majorities, first: IntArray) -> dict[str, FloatArray]:
    """Agreement and change of majority from R2 on."""
    turn, columns = seats.keys["round"], {}
    agree = says.top / seats.keys["n"]
    for number in range(2, int(turn.max(initial=1))):
        place = np.minimum(first + number, turn.size - 1)
        here = (turn[place] == number + 1) & (place == first + number)
        columns[f"r{number}_majority_changed"] = np.where(here, _changed(says, place), np.nan)
        columns[f"r{number}_agree_frac"] = np.where(here, agree[place], np.nan)
    return columns


def _changed(says: Majorities, place: IntArray) -> FloatArray:
    """1 where the majority is defined and another than in the row before."""
    new = (says.right[place] != UNDEFINED) & (says.answer[place] != says.answer[place - 1])
    return np.asarray(new, dtype=np.float64)


def _flipped(seats: Seats, first: IntArray) -> IntArray:
    """Agents who answered in rounds 1 and 2, and differently."""
    start = np.r_[0, np.cumsum(seats.keys["n"])]
    n = seats.keys["n"][first]
    debate = np.repeat(np.arange(n.size), n)
    agent = np.arange(debate.size) - np.repeat(np.cumsum(n) - n, n)
    then, now = (seats.answer[start[first + later][debate] + agent] for later in (0, 1))
    moved: BoolArray = (then >= 0) & (now >= 0) & (then != now)
    return np.bincount(debate[moved], minlength=n.size).astype(np.int64)

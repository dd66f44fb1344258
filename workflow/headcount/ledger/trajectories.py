"""What saved transitions show of a debate while it runs: agreement, flips, and changes of the majority, round by round.

R1 is the first round of discussion, as in arXiv 2609.35279: round 2 here. No feature knows the right answer.
"""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.groups import factorise
from headcount.schema import MEASURES
from headcount.store import plain

DEBATE = [name for name in MEASURES.keys if name != "round"]
OF_COURSE = (  # the columns of TRANSITIONS, beside its keys, that features are made of
    *("initial_answer", "final_answer", "final_correct"),
    *("initial_top", "final_top", "initial_parsed", "changed_answers"),
)
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


def trajectories(transitions: pa.Table) -> pd.DataFrame:
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
        transitions: rows of `schema.TRANSITIONS` of a team, in their order, with every endpoint; OF_COURSE will do.

    Returns:
        one row a debate, in the order of the rows at round 2: `DEBATE` and the features; NaN for rounds that it did not
        have.
    """
    turns = _Turns.of(transitions)
    keys = transitions.select(DEBATE).take(pa.array(turns.first))
    return pd.DataFrame(plain(keys)).assign(**_first_rounds(transitions, turns), **_later_rounds(turns))


@dataclass(frozen=True)
class _Turns:
    """Revisions of debates; all (revisions,) but the last.

    Attributes:
        turn: the round, from 2.
        changed: 1 where the majority is defined and another than a round before.
        agree: votes of the most frequent answer / N.
        first: (debates,), places of the first revisions.
    """

    turn: IntArray
    changed: FloatArray
    agree: FloatArray
    first: IntArray

    @classmethod
    def of(cls, transitions: pa.Table) -> "_Turns":
        turn = _numbers(transitions, "round").astype(np.int64)
        second = turn == 2
        if not (second | (turn == np.r_[0, turn[:-1]] + 1)).all():
            raise ValueError("a debate lacks an endpoint")
        initial, final = _answers(transitions)
        then = np.where(second, initial, np.r_[-1, final[:-1]][: turn.size])
        changed = ((final >= 0) & (final != then)).astype(np.float64)
        agree = _numbers(transitions, "final_top") / _numbers(transitions, "n")
        return cls(turn, changed, agree, np.flatnonzero(second))


def _numbers(transitions: pa.Table, name: str) -> FloatArray:
    """A column, (rows,); NaN for null."""
    return np.asarray(transitions[name].cast(pa.float64()).to_numpy())


def _answers(transitions: pa.Table) -> tuple[IntArray, IntArray]:
    """The majority at either end as a number, (rows,); -1 where there is none."""
    ends = [transitions[name] for name in ("initial_answer", "final_answer")]
    codes = factorise(pa.chunked_array([chunk for end in ends for chunk in end.chunks], pa.string())).codes
    return codes[: len(ends[0])], codes[len(ends[0]) :]


def _first_rounds(transitions: pa.Table, turns: _Turns) -> dict[str, FloatArray]:
    """Features of the first answers and of R1."""
    names = ("n", "initial_top", "initial_parsed", "changed_answers", "final_correct")
    n, top, parsed, flipped, correct = (_numbers(transitions, name)[turns.first] for name in names)
    init, one, changed = top / n, turns.agree[turns.first], turns.changed[turns.first]
    return {
        "init_unanimous": (init == 1).astype(np.float64),
        "init_unanimous_ref": (top == parsed).astype(np.float64),
        "init_agree_frac": init,
        "r1_majority_changed": changed,
        "r1_n_flipped": flipped,
        "r1_agree_frac": one,
        "r1_unanimous": (one == 1).astype(np.float64),
        "r1_flip_frac": flipped / n,
        "r1_consensus_gain": one - init,
        "r1_changed_x_agree": changed * one,
        "r1_changed_x_init_split": changed * (1 - init),
        "r1_changed_x_not_unanimous": changed * (one < 1),
        "r1_majority_correct": correct,
    }


def _later_rounds(turns: _Turns) -> dict[str, FloatArray]:
    """Agreement and change of majority from R2 on."""
    debate = np.cumsum(turns.turn == 2) - 1
    columns = {}
    for number in range(2, int(turns.turn.max(initial=1))):
        here = np.flatnonzero(turns.turn == number + 1)
        for name, values in (("majority_changed", turns.changed), ("agree_frac", turns.agree)):
            columns[f"r{number}_{name}"] = np.full(turns.first.size, np.nan)
            columns[f"r{number}_{name}"][debate[here]] = values[here]
    return columns

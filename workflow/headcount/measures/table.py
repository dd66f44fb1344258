"""Answers to measures: from one row an agent to one row a team."""

import numpy as np
import pyarrow as pa

from headcount.errors import UserError
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import Ballots
from headcount.measures.diversity import entropy, n_eff_agreement, n_eff_answer, pair_agreement, pairs_among
from headcount.measures.seats import Seats, seat, team_name
from headcount.measures.votes import TIE_LABEL, chance_of_correct, ties, unanimous
from headcount.schema import MEASURES
from headcount.store import conform


def measure(answers: pa.Table | Seats, tie_label: str = TIE_LABEL) -> pa.Table:
    """Diversity, votes and correctness of every team in a table of answers.

    A missing answer is neither an answer nor a wrong one: entropy and agreement look at valid
    answers only, and are null below one and two of them. Whether the team is right is read off the
    agents who gave its answer, so no second list of gold answers is needed.

    Args:
        answers: rows of `schema.ANSWERS`, in any order, or what `seat` made of them; each team must hold its agents
            1 to n once each.
        tie_label: seed label of the order that settles ties.

    Returns:
        rows of `schema.MEASURES`.

    Raises:
        UserError: where an agent of a team is missing or stands twice, or correctness contradicts
            itself.
    """
    seats = seat(answers, tie_label)
    _check_correctness(seats)
    first, n = pa.array(seats.first()), seats.keys["n"]
    columns = {name: seats.table[name].take(first) for name in MEASURES.keys}
    columns |= diversity_columns(seats.ballots, n)
    columns |= vote_columns(seats.ballots, n, seats.choose(seats.ballots.counts), seats.answers)
    for name in ("prompt_tokens", "completion_tokens"):
        total = np.bincount(seats.team, seats.floats(name), seats.n_teams)
        columns[name] = total.astype(np.int64)
    return conform(_table(columns), MEASURES, "measures")


def diversity_columns(ballots: Ballots, n: IntArray) -> dict[str, IntArray | FloatArray]:
    """The columns of MEASURES that do not ask who is right; each (teams,)."""
    return {
        "n_valid": ballots.counts.sum(axis=1),
        "n_distinct": (ballots.counts > 0).sum(axis=1),
        "entropy": entropy(ballots.counts),
        "n_eff_answer": n_eff_answer(ballots.counts),
        "agreement": pair_agreement(ballots.counts),
        "n_eff_agreement": n_eff_agreement(ballots.counts, n),
        "pairs": pairs_among(ballots.counts.sum(axis=1)),
        "equal_pairs": pairs_among(ballots.counts).sum(axis=1),
    }


def vote_columns(
    ballots: Ballots, n: IntArray, column: IntArray, answers: pa.Array
) -> dict[str, IntArray | BoolArray | pa.Array]:
    """The columns of MEASURES about the team's answer; each (teams,).

    Args:
        ballots: votes of the teams.
        n: (teams,), nominal team sizes.
        column: (teams,), the winning column of `ballots`; -1 where there is no answer, which
            counts as wrong.
        answers: the text of each answer code.
    """
    teams, answered = np.arange(column.size), column >= 0
    code = np.where(answered, ballots.candidates[teams, column], 0)
    right = answered & (ballots.correct[teams, column] > 0)
    agreed = unanimous(ballots.counts, n)
    return {
        "n_correct": ballots.correct.sum(axis=1),
        "correct_pairs": pairs_among(ballots.correct.sum(axis=1)),
        "team_answer": answers.take(pa.array(code, mask=~answered)),
        "team_correct": right,
        "expected_correct": chance_of_correct(ballots.counts, ballots.correct),
        "tie": ties(ballots.counts),
        "unanimous": agreed,
        "unanimous_wrong": agreed & ~right,
    }


def _check_correctness(seats: Seats) -> None:
    """Correctness is empty just where the answer is, and the same for all who gave an answer."""
    unmarked = seats.table["correct"].is_null().to_numpy() != seats.table["answer"].is_null().to_numpy()
    if unmarked.any():
        row = int(np.flatnonzero(unmarked)[0])
        raise UserError(
            f"answers: {team_name(seats.table, row)}, agent {seats.table['agent'][row]}: 'correct' must be "
            f"empty exactly where 'answer' is. Mark the answer again."
        )
    split = (seats.ballots.correct > 0) & (seats.ballots.correct < seats.ballots.counts)
    if split.any():
        row = int(seats.first()[np.flatnonzero(split.any(axis=1))[0]])
        raise UserError(
            f"answers: {team_name(seats.table, row)}: the same answer is marked correct and wrong. Mark the team again."
        )


def _table(columns: dict[str, object]) -> pa.Table:
    """Columns as a table; NaN becomes null."""
    return pa.table(
        {
            name: pa.array(values, from_pandas=True) if isinstance(values, np.ndarray) else values
            for name, values in columns.items()
        }
    )

"""Answers to measures: from one row an agent to one row a team."""

import numpy as np
import pyarrow as pa

from headcount.errors import UserError
from headcount.measures.arrays import BoolArray, FloatArray, IntArray
from headcount.measures.ballots import Ballots, count_ballots
from headcount.measures.diversity import entropy, n_eff_agreement, n_eff_answer, pair_agreement, pairs_among
from headcount.measures.groups import Factor, Groups, factorise, group, unfilled_seat
from headcount.measures.votes import TIE_LABEL, Rank, chance_of_correct, plurality, tie_rank, ties, unanimous
from headcount.schema import MEASURES
from headcount.store import conform


def measure(answers: pa.Table, tie_label: str = TIE_LABEL) -> pa.Table:
    """Diversity, votes and correctness of every team in a table of answers.

    A missing answer is neither an answer nor a wrong one: entropy and agreement look at valid
    answers only, and are null below one and two of them. Whether the team is right is read off the
    agents who gave its answer, so no second list of gold answers is needed.

    Args:
        answers: rows of `schema.ANSWERS`, in any order; each team must hold its agents 1 to n once
            each.
        tie_label: seed label of the order that settles ties.

    Returns:
        rows of `schema.MEASURES`.

    Raises:
        UserError: where an agent of a team is missing or stands twice, or correctness contradicts
            itself.
    """
    keys = {name: factorise(answers[name]) for name in ("task", "condition", "item")}
    numbers = {name: _integers(answers, name) for name in ("replicate", "n", "k", "round", "agent")}
    order = [keys["task"].codes, keys["condition"].codes, keys["item"].codes]
    groups = group(order + [numbers[name] for name in ("replicate", "n", "k", "round")])
    n = numbers["n"][groups.first]
    _check_seats(answers, groups, n, numbers["agent"])

    answer, correct = factorise(answers["answer"]), _correct(answers)
    ballots = count_ballots(groups.of_row, answer.codes, correct, groups.first.size)
    _check_correctness(answers, groups, ballots)
    rank = _rank(keys["item"], numbers["replicate"], answer, groups, ballots, tie_label)
    columns = {name: answers[name].take(pa.array(groups.first)) for name in MEASURES.keys}
    columns |= diversity_columns(ballots, n)
    columns |= vote_columns(ballots, n, plurality(ballots.counts, rank), answer.values)
    for name in ("prompt_tokens", "completion_tokens"):
        total = np.bincount(groups.of_row, _integers(answers, name), groups.first.size)
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


def _rank(item: Factor, replicate: IntArray, answer: Factor, groups: Groups, ballots: Ballots, label: str) -> Rank:
    items, answers = item.values.to_pylist(), answer.values.to_pylist()
    item_of, replicate_of = item.codes[groups.first].tolist(), replicate[groups.first].tolist()
    # The same candidates of an item tie at many sizes and in many conditions.
    known: dict[tuple[int, int, int], bytes] = {}

    def rank(team: int, column: int) -> bytes:
        key = (item_of[team], replicate_of[team], int(ballots.candidates[team, column]))
        if key not in known:
            known[key] = tie_rank(items[key[0]], key[1], answers[key[2]], label)
        return known[key]

    return rank


def _integers(answers: pa.Table, name: str) -> IntArray:
    return np.asarray(answers[name].to_numpy(), dtype=np.int64)


def _correct(answers: pa.Table) -> BoolArray:
    """Correctness with null as False; an error unless null just where there is no answer."""
    unmarked = answers["correct"].is_null().to_numpy() != answers["answer"].is_null().to_numpy()
    if unmarked.any():
        row = int(np.flatnonzero(unmarked)[0])
        raise UserError(
            f"answers: {_where(answers, row)}, agent {answers['agent'][row]}: 'correct' must be "
            f"empty exactly where 'answer' is. Mark the answer again."
        )
    return np.asarray(answers["correct"].fill_null(False).to_numpy(), dtype=np.bool_)


def _check_seats(answers: pa.Table, groups: Groups, n: IntArray, agent: IntArray) -> None:
    problem = unfilled_seat(groups, n, agent)
    if problem:
        team, what = problem
        raise UserError(
            f"answers: {_where(answers, int(groups.first[team]))}: {what}. "
            f"A team of n needs agents 1 to n once each; give an agent without an answer a row "
            f"with an empty one."
        )


def _check_correctness(answers: pa.Table, groups: Groups, ballots: Ballots) -> None:
    split = (ballots.correct > 0) & (ballots.correct < ballots.counts)
    if split.any():
        row = int(groups.first[np.flatnonzero(split.any(axis=1))[0]])
        raise UserError(
            f"answers: {_where(answers, row)}: the same answer is marked correct and wrong. Mark the team again."
        )


def _where(answers: pa.Table, row: int) -> str:
    key = {name: answers[name][row].as_py() for name in MEASURES.keys}
    return (
        f"{key['task']} / {key['condition']}, item {key['item']}, replicate {key['replicate']}, "
        f"n={key['n']}, k={key['k']}, round {key['round']}"
    )


def _table(columns: dict[str, object]) -> pa.Table:
    """Columns as a table; NaN becomes null."""
    return pa.table(
        {
            name: pa.array(values, from_pandas=True) if isinstance(values, np.ndarray) else values
            for name, values in columns.items()
        }
    )

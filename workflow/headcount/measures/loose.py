"""Measures of any table of answers that a user brings, a CSV file perhaps."""

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from numpy.typing import NDArray

from headcount.errors import UserError
from headcount.measures.arrays import BoolArray, IntArray
from headcount.measures.ballots import count_ballots
from headcount.measures.groups import Groups, factorise, group
from headcount.measures.table import diversity_columns, vote_columns
from headcount.measures.votes import Rank, plurality, tie_ranks

NEEDED = ("item", "agent", "answer")
# Those of them that a table has tell its teams apart.
KEYS = ("task", "condition", "item", "replicate", "n", "k", "round")
_NEED_GOLD = ("n_correct", "team_correct", "unanimous_wrong")


def measure_loose(frame: pd.DataFrame) -> pd.DataFrame:
    """Measures of every team in a table with columns item, agent and answer.

    Optional columns: task, condition, replicate, k and round, which tell teams apart; n, the
    team's size (default: how many agents the team has); gold, the right answer. An answer that is
    empty or NaN is missing. Agents may be numbers or names. Answers are compared as text without
    surrounding space; a whole number that a CSV reader made a float is whole again.

    Returns:
        one row a team: its keys, then the columns of `schema.MEASURES` that the table allows; the
        columns about correctness only where there is gold.

    Raises:
        UserError: where a column or an agent is missing, an agent stands twice, or a team has two
            gold answers.
    """
    _check_columns(frame)
    frame = frame.reset_index(drop=True)
    names = [name for name in KEYS if name in frame]
    groups = group([_codes(frame[name]) for name in names])
    n = _sizes(frame, groups)
    _check_agents(frame, names, groups, n)

    answer = factorise(pa.chunked_array([pa.array(_texts(frame["answer"]), pa.string())]))
    ballots = count_ballots(groups.of_row, answer.codes, _correct(frame, names, groups), n.size)
    rank = _rank(frame.iloc[groups.first], answer.values.to_pylist(), ballots.candidates)
    measures: dict[str, Any] = dict(diversity_columns(ballots, n))
    measures |= vote_columns(ballots, n, plurality(ballots.counts, rank), answer.values)
    keys = frame.iloc[groups.first].reset_index(drop=True).assign(n=n)
    keys = keys[[name for name in KEYS if name in keys]]
    unknown = () if "gold" in frame else _NEED_GOLD
    columns = {
        name: values.to_pandas() if isinstance(values, pa.Array) else values
        for name, values in measures.items()
        if name not in unknown
    }
    table = keys.assign(**columns)
    return table.sort_values(list(keys.columns), kind="stable", ignore_index=True)


def _check_columns(frame: pd.DataFrame) -> None:
    missing = [name for name in NEEDED if name not in frame]
    if missing:
        raise UserError(
            f"The table lacks column {', '.join(map(repr, missing))}; "
            f"it has {', '.join(map(str, frame.columns))}. It needs item, agent and answer; "
            f"task, condition, replicate, n, k, round and gold are optional."
        )
    if frame.empty:
        raise UserError("The table has no rows, so there is nothing to measure.")
    for name in frame.columns:
        if name in (*KEYS, "agent") and frame[name].isna().any():
            row = int(np.flatnonzero(frame[name].isna())[0]) + 1
            raise UserError(f"Row {row}: '{name}' is empty. Only an answer may be empty; fill in the {name}.")


def _sizes(frame: pd.DataFrame, groups: Groups) -> IntArray:
    """Nominal size of every team: its n, or else how many agents it has."""
    if "n" not in frame:
        return groups.size
    numbers = pd.to_numeric(frame["n"], errors="coerce").to_numpy(dtype=float)
    bad = np.flatnonzero(~(numbers >= 1) | (numbers != np.round(numbers)))
    if bad.size:
        raise UserError(f"Row {bad[0] + 1}: n is {frame['n'].iloc[bad[0]]}. A team's size is a number from 1.")
    return numbers[groups.first].astype(np.int64)


def _check_agents(frame: pd.DataFrame, names: list[str], groups: Groups, n: IntArray) -> None:
    """Every team must hold n different agents, whatever they are called."""
    agent = _codes(frame["agent"])
    order = np.lexsort((agent, groups.of_row))
    twin = (np.diff(agent[order]) == 0) & (np.diff(groups.of_row[order]) == 0)
    if twin.any():
        row = int(order[1:][twin][0])
        raise UserError(
            f"Row {row + 1}: {_where(frame, names, row)}: agent {frame['agent'].iloc[row]} stands "
            f"twice. Remove a row, or tell teams apart with a column: {', '.join(KEYS)}."
        )
    wrong = np.flatnonzero(groups.size != n)
    if wrong.size:
        team = int(wrong[0])
        raise UserError(
            f"{_where(frame, names, int(groups.first[team]))}: n is {n[team]}, but there are "
            f"{groups.size[team]} agents. Give an agent without an answer a row with an empty "
            f"answer, or correct n."
        )


def _correct(frame: pd.DataFrame, names: list[str], groups: Groups) -> BoolArray:
    """Whether each answer is the gold one; False throughout where no gold is given."""
    if "gold" not in frame:
        return np.zeros(len(frame), np.bool_)
    gold = np.array(_texts(frame["gold"]), dtype=object)
    other = np.flatnonzero(gold != gold[groups.first][groups.of_row])
    empty = np.flatnonzero(gold == None)  # noqa: E711 (elementwise)
    for rows, what in (
        (empty, "gold is empty"),
        (other, "gold differs from another row of the team"),
    ):
        if rows.size:
            row = int(rows[0])
            raise UserError(f"Row {row + 1}: {_where(frame, names, row)}: {what}. Give each item one gold answer.")
    return np.asarray(np.array(_texts(frame["answer"]), dtype=object) == gold, dtype=np.bool_)


def _rank(teams: pd.DataFrame, answers: list[str], candidates: IntArray) -> Rank:
    item = [str(value) for value in teams["item"]]
    replicate = [str(value) for value in teams["replicate"]] if "replicate" in teams else [""] * len(item)

    def rank(team: IntArray, column: IntArray) -> NDArray[np.bytes_]:
        said = (answers[code] for code in candidates[team, column].tolist())
        return tie_ranks([item[place] for place in team], [replicate[place] for place in team], said)

    return rank


def _codes(column: "pd.Series[Any]") -> IntArray:
    codes, _ = pd.factorize(column, sort=False)
    return np.asarray(codes, dtype=np.int64)


def _texts(column: "pd.Series[Any]") -> list[str | None]:
    return [_text(value) for value in column]


def _text(value: object) -> str | None:
    """An answer as text; None where it is missing."""
    if value is None or value is pd.NA or (isinstance(value, float) and np.isnan(value)):
        return None
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip() or None


def _where(frame: pd.DataFrame, names: list[str], row: int) -> str:
    return ", ".join(f"{name} {frame[name].iloc[row]}" for name in names)

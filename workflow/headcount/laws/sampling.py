"""What first answers alone bring: accuracy and effective size of every number of samples, exactly."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headcount.laws.series import TaskRows, by_task, item_means, split_series, task_rows
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.subsets import subset_measures
from headcount.schema import SUBSETS

SAMPLED = "self_consistency"
_DRAWN_IN = (SAMPLED, "self_correction", "noise", "debate")  # every condition begins with the same first answers
_BROUGHT = ("team_correct", "n_eff_answer")


@dataclass(frozen=True)
class Sampling:
    """What first answers alone bring.

    Attributes:
        agents: T, how many were drawn.
        values: (items, 2 T + 1), accuracy and then 2^H of teams of 1 to T, and tokens of one answer; NaN where unknown.
    """

    agents: int
    values: FloatArray


def sampling(rows: TaskRows, drawn: pa.Table | None) -> Sampling | None:
    """What first answers alone bring on a task; none where none were drawn.

    Of G models, teams of G, 2 G, 3 G, ... have as many of each: what others bring is taken to lie on the line between
    the next two, and of fewer than G nothing is known.

    Args:
        rows: the team's measures on the task.
        drawn: rows of ANSWERS: the first answers, as a condition in which nobody is heard.
    """
    if drawn is None:
        return None
    agents, models = int(pc.max(drawn["n"]).as_py()), len(drawn["model"].unique())
    task = drawn["task"][0].as_py()
    sizes = sorted({*range(models, agents + 1, models), agents})
    subsets = subset_measures(drawn, {(task, SAMPLED): sizes}, costly=_BROUGHT)
    teams = task_rows(subsets, np.array(rows.items, dtype=object), SUBSETS, "all")
    (series,) = split_series(teams)
    parts = np.stack([teams.columns[name][series.rows] for name in _BROUGHT], axis=1)
    means = item_means(teams, series, parts)
    known = _filled(series.sizes, means, agents)
    return Sampling(agents, np.concatenate([known[:, :, 0], known[:, :, 1], _each(rows)[:, None]], axis=1))


def _filled(sizes: IntArray, values: FloatArray, agents: int) -> FloatArray:
    """Values at every size from 1 to `agents`: between sizes on the line between the next two, NaN below the first.

    Args:
        sizes: (sizes,), ascending to `agents`.
        values: (items, sizes, parts).

    Returns:
        (items, agents, parts).
    """
    every = np.arange(int(sizes[0]), agents + 1)
    above = np.searchsorted(sizes, every)
    below = np.where(sizes[above] == every, above, above - 1)
    gap = np.maximum(sizes[above] - sizes[below], 1)
    way = ((every - sizes[below]) / gap)[:, None]
    known = np.full((len(values), agents, values.shape[2]), np.nan)
    known[:, every - 1] = (1.0 - way) * values[:, below] + way * values[:, above]
    return known


def bought(curve: FloatArray, samples: FloatArray) -> FloatArray:
    """What some numbers of samples bring, between whole numbers on the line between the two.

    Args:
        curve: (draws, T), what 1 to T samples bring.
        samples: (draws, teams), from 1 to T.

    Returns:
        (draws, teams).
    """
    below = np.clip(np.floor(samples).astype(np.int64), 1, curve.shape[1])
    above = np.minimum(below + 1, curve.shape[1])
    low, high = (np.take_along_axis(curve, place - 1, axis=1) for place in (below, above))
    return np.asarray(low + (samples - below) * (high - low))


def first_answers(answers: pa.Table) -> dict[str, pa.Table]:
    """The first answers of each task's largest teams, named self-consistency whatever condition they began."""
    first = answers.filter(pc.equal(answers["round"], 1))
    found = {}
    for task, rows in by_task(first).items():
        condition = rows["condition"].cast(pa.string())
        held = set(pc.unique(condition).to_pylist())
        largest = {name: pc.max(rows["n"].filter(pc.equal(condition, name))).as_py() for name in held}
        name = max((name for name in _DRAWN_IN if name in held), key=lambda name: largest[name])
        chosen = rows.filter(pc.equal(condition, name))
        chosen = chosen.filter(pc.equal(chosen["n"], largest[name]))
        names, nobody = pa.array([SAMPLED] * chosen.num_rows), pa.array(np.zeros(chosen.num_rows, dtype=np.int16))
        for column, values in (("condition", names), ("k", nobody)):
            place = chosen.schema.get_field_index(column)
            field = chosen.schema.field(place)
            chosen = chosen.set_column(place, field, values.cast(field.type))
        found[task] = chosen
    return found


def _each(rows: TaskRows) -> FloatArray:
    """Tokens of one first answer to each item, (items,); NaN where they were not told."""
    first = rows.columns["round"] == 1
    tokens = (rows.columns["prompt_tokens"] + rows.columns["completion_tokens"])[first]
    total = np.bincount(rows.item[first], tokens, minlength=len(rows.items))
    seats = np.bincount(rows.item[first], rows.columns["n"][first], minlength=len(rows.items))
    return np.where(total > 0, total / np.maximum(seats, 1), np.nan)

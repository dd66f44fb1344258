"""Is talking better than sampling more? Teams beside as many first answers as their calls, or their tokens, would buy.

Sampling is known at every size up to the agents that were drawn, by the mean over all teams that they could form. A
budget that buys between two whole numbers of samples buys the two in turn, so what it brings lies on the line between.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from headcount.laws.joined import TeamNumbers, joined_tasks
from headcount.laws.profiles import Row, as_table, last_series
from headcount.laws.sampling import SAMPLED, Sampling, bought, first_answers, sampling
from headcount.laws.series import Series, TaskRows, item_means
from headcount.laws.settings import FitSettings, item_weights
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import bootstrap_means
from headcount.measures.scales import ANY, DIFFERENCE, POSITIVE, SHARE, Scales
from headcount.schema import BUDGETS

_KINDS = ("accuracy", "n_eff", "accuracy_difference", "n_eff_difference")
_SCALES = [SHARE, POSITIVE, DIFFERENCE, ANY]


@dataclass(frozen=True)
class Spent:
    """Teams of one condition after its last round.

    Attributes:
        sizes: (sizes,).
        calls: (sizes,), an item.
        values: (items, sizes, 3), accuracy, 2^H and tokens of all rounds.
    """

    condition: str
    round: int
    sizes: IntArray
    calls: IntArray
    values: FloatArray


def budgets_of_run(
    teams: Mapping[str, TeamNumbers],
    answers: Mapping[str, pa.Table],
    settings: FitSettings,
    simulated: Collection[str] = (),
) -> pa.Table:
    """Teams against samples of a run.

    Args:
        teams: measures by team.
        answers: rows of ANSWERS by team.
        settings: how sure we are. All numbers of a task share their item weights.
        simulated: teams whose answers no model gave.

    Returns:
        rows of BUDGETS: each condition's teams after its last round where everybody or nobody is heard, teams of
        samples of every size, and what samples bring at the calls and at the tokens of every other team.
    """
    rows: list[Row] = []
    for team, numbers in teams.items():
        drawn = first_answers(answers[team])
        for task, joined in joined_tasks(TeamNumbers(numbers.measures)):
            weights = item_weights(len(joined.items), settings, team, task)
            sampled = sampling(joined, drawn.get(task))
            key = {"team": team, "task": task, "simulated": team in simulated}
            if sampled:
                rows += [key | row for row in _task_rows(joined, sampled, weights, settings)]
    return as_table(rows, BUDGETS)


def _task_rows(rows: TaskRows, sampled: Sampling, weights: FloatArray, settings: FitSettings) -> Iterator[Row]:
    spent = [_spent(rows, series) for series in last_series(rows) if series.condition != SAMPLED]
    values = np.concatenate([sampled.values, *(each.values.reshape(len(rows.items), -1) for each in spent)], axis=1)
    n_items = np.isfinite(sampled.values[:, 0]).sum()
    every = bootstrap_means(values, np.ones((1, len(values))))
    interval = settings.interval(settings.n_boot)
    point = _numbers(every, sampled.agents, spent)[0]
    items = np.tile([n_items if scale in (SHARE, DIFFERENCE) else 0 for scale in _SCALES], point.size // len(_KINDS))
    scales = Scales.of(_SCALES * (point.size // len(_KINDS)), items=items)
    low, high, _ = interval(
        values, lambda means: _numbers(means, sampled.agents, spent), weights, settings.confidence, scales
    )
    ends = np.stack([point, low, high] if n_items > 1 else [point, *np.full((2, point.size), np.nan)])
    by_row = ends.reshape(3, -1, len(_KINDS)).swapaxes(0, 1)
    tokens = _tokens(every, sampled.agents)
    for label, numbers in zip(_labels(sampled, spent, tokens), by_row, strict=True):
        if np.isfinite(numbers[0, 0]):
            yield label | _columns(numbers) | {"n_items": int(n_items)}


def _columns(numbers: FloatArray) -> Row:
    """Estimates and their ends, (ends, kinds), as columns."""
    return {f"{kind}{end}": numbers[e, k] for k, kind in enumerate(_KINDS) for e, end in enumerate(_ENDS)}


_ENDS = ("", "_low", "_high")


def _spent(rows: TaskRows, series: Series) -> Spent:
    here = {name: rows.columns[name][series.rows] for name in ("expected_correct", "n_eff_answer")}
    tokens = sum(rows.columns[f"{kind}_tokens_to_here"][series.rows] for kind in ("prompt", "completion"))
    parts = np.stack([*here.values(), tokens], axis=1)
    several = series.sizes > 1  # one agent alone is no team: it has nobody to hear, and its vote is its answer
    sizes, means = series.sizes[several], item_means(rows, series, parts)[:, several]
    return Spent(series.condition, series.round, sizes, sizes * series.round, means)


def _tokens(means: FloatArray, agents: int) -> FloatArray:
    """Tokens an item of teams of 1 to T samples, then of all other teams; (teams,), NaN where they were not told."""
    each, rest = means[0, 2 * agents], means[0, 2 * agents + 1 :].reshape(-1, 3)
    told = np.where(rest[:, 2] > 0, rest[:, 2], np.nan)
    return np.concatenate([each * np.arange(1, agents + 1), told])


def _numbers(means: FloatArray, agents: int, spent: list[Spent]) -> FloatArray:
    """All numbers of BUDGETS, (draws, rows x kinds): samples, other teams, samples for their calls and tokens."""
    right, n_eff, each = np.split(means[:, : 2 * agents + 1], [agents, 2 * agents], axis=1)
    teams = means[:, 2 * agents + 1 :].reshape(len(means), -1, 3)
    calls = np.concatenate([np.empty(0), *(one.calls for one in spent)])
    told = np.where(teams[:, :, 2] > 0, teams[:, :, 2], np.nan) / each
    blocks = [_block(right, n_eff), _block(teams[:, :, 0], teams[:, :, 1])]
    for samples in (np.broadcast_to(calls, told.shape), told):
        known = np.clip(np.where(np.isfinite(samples), samples, 1.0), 1.0, agents)
        here = [np.where(np.isfinite(samples), bought(curve, known), np.nan) for curve in (right, n_eff)]
        blocks.append(_block(*here, teams[:, :, 0] - here[0], teams[:, :, 1] - here[1]))
    return np.concatenate(blocks, axis=1).reshape(len(means), -1)


def _block(*kinds: FloatArray) -> FloatArray:
    """(draws, rows, kinds); those that are not given are NaN."""
    missing = [np.full_like(kinds[0], np.nan)] * (len(_KINDS) - len(kinds))
    return np.stack([*kinds, *missing], axis=2)


def _labels(sampled: Sampling, spent: list[Spent], tokens: FloatArray) -> Iterator[Row]:
    """What each row of `_numbers` is about, in its order."""
    every = np.arange(1, sampled.agents + 1)
    for n, cost in zip(every.tolist(), tokens.tolist(), strict=False):
        about = {"condition": SAMPLED, "round": 1, "n": n, "budget": "own", "calls": float(n), "tokens": cost}
        yield about | {"samples": float(n), "capped": False}
    teams = [
        {"condition": one.condition, "round": one.round, "n": n, "calls": float(calls)}
        for one in spent
        for n, calls in zip(one.sizes.tolist(), one.calls.tolist(), strict=True)
    ]
    costs = tokens[sampled.agents :]
    for budget in ("own", "calls", "tokens"):
        for team, cost in zip(teams, costs.tolist(), strict=True):
            samples = {"own": np.nan, "calls": team["calls"], "tokens": cost / (tokens[0] or np.nan)}[budget]
            capped = bool(samples > sampled.agents)
            bounded = float(np.clip(samples, 1, sampled.agents))
            yield team | {"budget": budget, "tokens": cost, "samples": bounded, "capped": capped}

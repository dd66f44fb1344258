"""What a pilot's teams read and wrote, and what larger ones would: tokens, money, and where to stop."""

from dataclasses import dataclass

import numpy as np

from headcount.laws.pilot_costs import Tokens, marginal, money, stop, tokens_of
from headcount.laws.pilot_prediction import Prediction
from headcount.laws.series import Series, TaskRows, item_means
from headcount.measures.arrays import FloatArray, IntArray
from headcount.measures.intervals import bootstrap_means

_KINDS = ("prompt_tokens", "completion_tokens")
Prices = tuple[float, float]  # US dollars per million prompt and completion tokens


@dataclass(frozen=True)
class Budget:
    """What one more effective agent may cost, an item.

    Attributes:
        usd: the limit where prices are known.
        tokens: the limit where they are not, or no `usd` is stated.
        answers: the limit where neither is: so many times what a first answer of one agent costs.
    """

    usd: float | None = None
    tokens: float | None = None
    answers: float = 10.0


def series_tokens(rows: TaskRows, series: Series, pilot: IntArray) -> Tokens | None:
    """Tokens of the agents of a series, from its pilot sizes; none where they were not told.

    Args:
        rows: joined rows of teams that were run (`joined.joined_tasks`).
    """
    to_here = np.stack([rows.columns[f"{kind}_to_here"][series.rows] for kind in _KINDS], axis=1)
    means = item_means(rows, series, to_here).reshape(len(rows.items), -1)
    spent = bootstrap_means(means, np.ones((1, len(means)))).reshape(series.sizes.size, 2)
    chosen = np.isin(series.sizes, pilot)
    hears = series.peers == "full"
    prompt, completion = spent[chosen].T
    return tokens_of(series.sizes[chosen], prompt, completion, _first(rows, series.condition), hears)


def _first(rows: TaskRows, condition: str) -> tuple[float, float]:
    """Prompt and completion tokens of an agent's first answer."""
    here = (np.array(rows.condition, dtype=object) == condition) & (rows.columns["round"] == 1)
    seats = rows.columns["n"][here].sum()
    prompt, completion = (float(rows.columns[kind][here].sum() / max(seats, 1)) for kind in _KINDS)
    return prompt, completion


@dataclass(frozen=True)
class Spending:
    """What teams of 1, 2, 3, ... cost, and the size at which to stop.

    Attributes:
        prompt, completion, usd: (sizes,), of all rounds.
        unit: usd or tokens, of the budget.
        budget: what one more effective agent may cost.
        stop, stop_low, stop_high: the size after which it costs more, by the prediction and by its two ends.
        next_agent: (sizes - 1,), what the next effective agent costs, in the unit; infinite where there is none.
    """

    prompt: FloatArray
    completion: FloatArray
    usd: FloatArray
    unit: str
    budget: float
    stop: int | None
    stop_low: int | None
    stop_high: int | None
    next_agent: FloatArray


def spending(tokens: Tokens, prices: Prices | None, budget: Budget, prediction: Prediction) -> Spending:
    """Costs at sizes 1 and `prediction.at`, which are 2, 3, 4, ..."""
    sizes = np.concatenate([[1], prediction.at])
    prompt, completion = tokens.prompt(sizes), tokens.written(sizes)
    usd = money(prompt, completion, prices)
    in_money = prices is not None and (budget.usd is not None or budget.tokens is None)
    cost = usd if in_money else prompt + completion
    first = np.array(tokens.first_prompt), np.array(tokens.first_completion)
    answer = float(money(*first, prices)) if in_money else float(first[0] + first[1])
    stated = budget.usd if in_money else budget.tokens
    limit = budget.answers * answer if stated is None else stated
    said = prediction.n_eff
    curves = [np.concatenate([[1.0], end]) for end in (said.value, said.low, said.high)]
    stops = [stop(cost, n_eff, limit) if np.isfinite(n_eff).all() else None for n_eff in curves]
    unit = "usd" if in_money else "tokens"
    value, low, high = stops
    return Spending(prompt, completion, usd, unit, limit, value, low, high, marginal(cost, curves[0]))

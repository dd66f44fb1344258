"""What larger teams will cost, told from small ones, and when one more effective agent costs too much.

Snippets have a bounded length, so what an agent reads is a straight line in the number of peers it hears, and what a
team reads grows with its square; what an agent writes does not depend on the team.
"""

from dataclasses import dataclass

import numpy as np

from headcount.laws.costs import MILLION
from headcount.measures.arrays import FloatArray, IntArray


@dataclass(frozen=True)
class Tokens:
    """Tokens an item of one agent of a team.

    Attributes:
        first_prompt, first_completion: of its first answer.
        base, per_peer: prompt tokens of all rounds, base + per_peer (N - 1).
        completion: of all rounds.
        revises: whether a team of one is asked again; where others are to be heard it is not.
    """

    first_prompt: float
    first_completion: float
    base: float
    per_peer: float
    completion: float
    revises: bool

    def prompt(self, n: FloatArray) -> FloatArray:
        """Prompt tokens of a team of n over all rounds, (sizes,)."""
        n = np.asarray(n, dtype=np.float64)
        team = n * (self.base + self.per_peer * (n - 1.0))
        return np.where((n > 1) | self.revises, team, self.first_prompt)

    def written(self, n: FloatArray) -> FloatArray:
        """Completion tokens of a team of n over all rounds, (sizes,)."""
        n = np.asarray(n, dtype=np.float64)
        return np.where((n > 1) | self.revises, n * self.completion, self.first_completion)


def tokens_of(
    sizes: IntArray, prompt: FloatArray, completion: FloatArray, first: tuple[float, float], hears: bool
) -> Tokens | None:
    """Least squares of an agent's prompt tokens on its peers, and the mean of its completion tokens.

    Args:
        sizes: (sizes,), of two and more.
        prompt, completion: (sizes,), of the team over all rounds; 0 where engines did not tell.
        first: prompt and completion tokens of one first answer.
        hears: whether agents hear others. If not, or with one size, the slope is 0.

    Returns:
        none where tokens were not told.
    """
    each = prompt / sizes
    if not (np.isfinite(each).all() and each.sum() > 0):
        return None
    slope = float(np.polyfit(sizes - 1.0, each, 1)[0]) if hears and sizes.size > 1 else 0.0
    slope = max(slope, 0.0)
    base = float(each.mean() - slope * (sizes - 1.0).mean())
    return Tokens(*first, base, slope, float((completion / sizes).mean()), revises=not hears)


def money(prompt: FloatArray, completion: FloatArray, prices: tuple[float, float] | None) -> FloatArray:
    """US dollars of some tokens; NaN without prices.

    Args:
        prices: US dollars per million prompt and completion tokens.
    """
    per_prompt, per_completion = prices or (np.nan, np.nan)
    return np.asarray((prompt * per_prompt + completion * per_completion) / MILLION)


def marginal(cost: FloatArray, n_eff: FloatArray) -> FloatArray:
    """What the next effective agent costs at each size: (cost(N + 1) - cost(N)) / (N_eff(N + 1) - N_eff(N)).

    Args:
        cost, n_eff: (sizes,), at N = 1, 2, 3, ...

    Returns:
        (sizes - 1,), infinite where a larger team is worth no more.
    """
    more = np.diff(n_eff)
    gained = more > 1e-9
    return np.asarray(np.where(gained, np.diff(cost) / np.where(gained, more, 1.0), np.inf))


def stop(cost: FloatArray, n_eff: FloatArray, budget: float) -> int:
    """The size after which every further effective agent costs more than a budget; the largest where none does.

    Args:
        cost, n_eff: (sizes,), at N = 1, 2, 3, ...
        budget: in the unit of the cost.
    """
    worth = np.flatnonzero(marginal(cost, n_eff) <= budget)
    return int(worth[-1]) + 2 if worth.size else 1

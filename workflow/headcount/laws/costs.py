"""What a team costs in tokens and money, as ratios that people can check by hand.

Arguments are arrays or numbers that broadcast. Tokens are of one kind (prompt or completion): their prices differ.
"""

import numpy as np

from headcount.laws.forms import Parameter
from headcount.measures.arrays import FloatArray, IntArray

Count = IntArray | FloatArray | float

MILLION = 1e6  # what prices are of


def cost(agents: Count, rounds: Count, tokens: Count, price: Parameter) -> FloatArray:
    """Money that an item costs a team whose agents all speak in every round.

    agents * rounds * tokens * price / 10^6 (arXiv 2606.02646, K.4: 30 agents, 3 rounds, 1,500 tokens, 10 dollars:
    1.35 dollars an item).

    Args:
        agents: team size.
        rounds: round 1 included.
        tokens: a call.
        price: of a million tokens.

    Returns:
        the broadcast shape, in the currency of the price.
    """
    return np.asarray(agents * np.asarray(rounds) * tokens * np.asarray(price) / MILLION)


def token_ratio(tokens: Count, others: Count) -> FloatArray:
    """How many times the tokens of one condition another takes.

    Of tokens per effective agent (arXiv 2606.02646, K.2 and Table 17) it is 12, 46 and 10 for debate over
    self-correction. That says little of the bill: debate has fewer effective agents to divide by. Of total tokens,
    which the paper's fig. 9 speaks of, the same table gives 11, 13 and 9.

    Returns:
        the broadcast shape; NaN where the others take none.
    """
    others = np.asarray(others, dtype=np.float64)
    return np.asarray(tokens / np.where(others > 0, others, np.nan))


def per_effective_agent(tokens: Count, n_eff: Parameter) -> FloatArray:
    """Tokens that one effective agent costs: tokens / N_eff (arXiv 2606.02646, Table 17).

    Args:
        tokens: of the team, an item. The paper's look like those of the last round alone; say which.
        n_eff: mean effective team size, in agents.

    Returns:
        the broadcast shape; NaN where the team is worth nobody.
    """
    return token_ratio(tokens, np.asarray(n_eff, dtype=np.float64))

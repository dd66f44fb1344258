"""The populations that intervals are tried on, and what is true of them.

An item has shares q_v of its answers, q_0 that of the right one, and a share of agents who each give an answer that
nobody else gives. Agents of one item are independent but for what their kind says:

- `law`: pair agreement is c N^-beta exactly. In a team of N each agent follows the item's common answer with
  probability sqrt(s), and else gives its own, so with A = mean sum_v q_v^2 any two agree with probability
  s + (1 - s) A = c N^-beta. s differs from item to item about its mean.
- `independent`, and `sharpening`: all shares are squared and scaled to 1, as if each agent thought again alone.
- `conforming`: in each of two updates every agent adopts its team's plurality with probability 1/2.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from headcount.measures.arrays import FloatArray

Kind = Literal["law", "independent", "sharpening", "conforming"]


@dataclass(frozen=True)
class Items:
    """Where items come from: the right answer's share is Beta distributed, the rest is split in fixed parts.

    Attributes:
        right: the two parameters of Beta.
        wrong: shares of the wrong answers that several may give, of what is not right; what is left of 1 goes to
            answers that nobody else gives.
    """

    right: tuple[float, float]
    wrong: tuple[float, ...]

    @property
    def chance(self) -> float:
        """A = mean over items of sum_v q_v^2: how often two agents of one item agree who never met."""
        a, b = self.right
        both = a * (a + 1) / ((a + b) * (a + b + 1))
        neither = b * (b + 1) / ((a + b) * (a + b + 1))
        return both + neither * sum(share**2 for share in self.wrong)

    def shares(self, items: int, rng: np.random.Generator) -> FloatArray:
        """(answers, items): shares of the answers that several may give, the right one first."""
        right = rng.beta(*self.right, size=items)
        return np.stack([right, *(share * (1.0 - right) for share in self.wrong)])


CHOICES = Items((2.0, 2.0), (0.5, 0.3, 0.2))  # four options
EASY = Items((9.0, 1.0), (0.5, 0.3, 0.2))  # nine of ten are right
FREE = Items((0.6, 2.4), (0.15, 0.08, 0.05, 0.02))  # numbers
OPEN = Items((0.5, 9.5), ())  # hardly two answers are the same


@dataclass(frozen=True)
class Population:
    """How agents answer: their items, their kind and, where they obey a law, its parameters."""

    items: Items
    kind: Kind
    c: float = np.nan
    beta: float = np.nan

    def following(self, sizes: FloatArray) -> FloatArray:
        """s at each size, (sizes,): how often two agents follow the item's common answer together."""
        chance = self.items.chance
        return np.asarray((self.c * sizes**-self.beta - chance) / (1.0 - chance))


POPULATIONS = {
    "choices_c60_b0": Population(CHOICES, "law", 0.6, 0.0),
    "choices_c50_b-09": Population(CHOICES, "law", 0.5, -0.09),
    "choices_c90_b20": Population(CHOICES, "law", 0.9, 0.2),
    "easy_c95_b0": Population(EASY, "law", 0.95, 0.0),
    "free_c30_b0": Population(FREE, "law", 0.3, 0.0),
    "free_c25_b-10": Population(FREE, "law", 0.25, -0.1),
    "free_c70_b40": Population(FREE, "law", 0.7, 0.4),
    "open_c06_b0": Population(OPEN, "law", 0.06, 0.0),
    "open_c90_b100": Population(OPEN, "law", 0.9, 1.0),
    "choices_independent": Population(CHOICES, "independent"),
    "choices_sharpening": Population(CHOICES, "sharpening"),
    "choices_conforming": Population(CHOICES, "conforming"),
    "free_independent": Population(FREE, "independent"),
    "free_sharpening": Population(FREE, "sharpening"),
    "free_conforming": Population(FREE, "conforming"),
}
"""The grid: beta on, off and below the paper's bound of 0 and on the free fit's bound of 1; c from .06 to .95."""

ITEMS = (24, 200, 1000)
"""Numbers of items: a demo, the smallest real test set, a large one."""

TALKING = tuple(name for name, population in POPULATIONS.items() if population.kind != "law")
"""Those whose agents do something after round 1."""

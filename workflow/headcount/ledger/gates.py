"""Gates by name: each reads saved rows of debates and says which of them to freeze.

A gate sees `trajectories` (and what probes said before the debate) and knows neither the right answer nor the end; the
two oracles do, and are bounds. R1 is the first round of discussion.
"""

from collections.abc import Callable

import numpy as np
import pandas as pd

from headcount.errors import UserError
from headcount.measures.arrays import BoolArray
from headcount.schema.ledger import Knows

Gate = Callable[[pd.DataFrame], BoolArray]
GATES: dict[str, Gate] = {}
KNOWS: dict[str, Knows] = {}


def register(name: str, knows: Knows) -> Callable[[Gate], Gate]:
    """Put a gate into `GATES` under a name of its own, and into `KNOWS` what it decides by."""

    def keep(gate: Gate) -> Gate:
        if name in GATES:
            raise ValueError(f"there is a gate {name!r} already")
        GATES[name], KNOWS[name] = gate, knows
        return gate

    return keep


def fire(name: str, debates: pd.DataFrame) -> BoolArray:
    """The rows, (debates,), that a registered gate freezes.

    Raises:
        UserError: where there is no such gate, or the rows lack what it reads.
    """
    if name not in GATES:
        raise UserError(f"gates: there is no gate {name!r}. There are: {', '.join(GATES)}.")
    try:
        return np.asarray(GATES[name](debates), dtype=np.bool_)
    except KeyError as missing:
        raise UserError(f"gates: {name} reads a column {missing}, which the debates do not have.") from missing


@register("never", "nothing")
def never(debates: pd.DataFrame) -> BoolArray:
    """Let every debate run."""
    return np.zeros(len(debates), np.bool_)


@register("always_freeze", "nothing")
def always_freeze(debates: pd.DataFrame) -> BoolArray:
    """No debate at all: its net is minus the debate's gain."""
    return np.ones(len(debates), np.bool_)


@register("r1_majority_changed", "round_1")
def r1_majority_changed(debates: pd.DataFrame) -> BoolArray:
    """The majority after R1 is another than the first."""
    return _is(debates, "r1_majority_changed")


@register("any_r1_flip", "round_1")
def any_r1_flip(debates: pd.DataFrame) -> BoolArray:
    """Some agent changed its answer in R1."""
    return np.asarray(debates["r1_n_flipped"] > 0)


@register("disagreement", "first_answers")
def disagreement(debates: pd.DataFrame) -> BoolArray:
    """The first answers were not all given and alike."""
    return ~_is(debates, "init_unanimous")


@register("disagreement_ref", "first_answers")
def disagreement_ref(debates: pd.DataFrame) -> BoolArray:
    """The reference's disagreement: two different first answers; one answer beside silence is no disagreement."""
    return ~_is(debates, "init_unanimous_ref")


@register("r1_aware", "round_1")
def r1_aware(debates: pd.DataFrame) -> BoolArray:
    """The majority changed in R1, and somebody dissents."""
    return _is(debates, "r1_majority_changed") & ~_is(debates, "r1_unanimous")


@register("oracle", "end")
def oracle(debates: pd.DataFrame) -> BoolArray:
    """Freeze collapses and nothing else: the upper bound."""
    return _is(debates, "initial_correct") & ~_is(debates, "final_correct")


@register("anti_oracle", "end")
def anti_oracle(debates: pd.DataFrame) -> BoolArray:
    """Freeze corrections and nothing else: the lower bound."""
    return ~_is(debates, "initial_correct") & _is(debates, "final_correct")


def _is(debates: pd.DataFrame, name: str) -> BoolArray:
    return np.asarray(debates[name].to_numpy(dtype=np.float64, na_value=np.nan) == 1)

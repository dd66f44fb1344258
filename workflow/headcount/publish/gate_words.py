"""The names of gates that readers see, in the order they see them in; of registered gates without one, their own."""

import pandas as pd

GATE_NAMES = {
    "oracle": "oracle",
    "learned_r1_stump": "learned after R1",
    "learned_r0_stump": "learned before R1",
    "r1_aware": "R1 changed it, and some dissent",
    "r1_majority_changed": "R1 changed the majority",
    "any_r1_flip": "somebody changed in R1",
    "disagreement": "first answers differ",
    "always_freeze": "always: no debate",
    "anti_oracle": "anti-oracle",
}
HIDDEN = ("never", "disagreement_ref")  # the first changes nothing; the other is the paper's code, and nearly the same


def shown(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Rows of gates that pages show, with their place in `_gate`: known ones first, then by name."""
    rows = outcomes[~outcomes["gate"].isin(HIDDEN)]
    order = [*GATE_NAMES, *sorted(set(rows["gate"]) - set(GATE_NAMES))]
    return rows.assign(_gate=rows["gate"].map(order.index).astype(int))

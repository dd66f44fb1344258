"""The names of gates that readers see, in the order they see them in; of registered gates without one, their own.

What a gate decides by decides what its numbers are worth, so that too has words, and whether it is of use.
"""

from collections.abc import Mapping

import pandas as pd

GATE_NAMES = {
    "oracle": "oracle",
    "learned_probe_freeze": "learned risk from probes",
    "learned_probe_r1_stump": "learned after R1, with probes",
    "learned_probe_r0_stump": "learned before R1, with probes",
    "learned_r1_stump": "learned after R1",
    "learned_r0_stump": "learned before R1",
    "shield_in_sample_most_accurate": "flips, best in sample",
    "shield_in_sample_safest": "flips, safest in sample",
    "r1_aware": "R1 changed it, and some dissent",
    "r1_majority_changed": "R1 changed the majority",
    "any_r1_flip": "somebody changed in R1",
    "disagreement": "first answers differ",
    "always_freeze": "always: no debate",
    "anti_oracle": "anti-oracle",
}
KNOWN_BY: Mapping[str, str] = {
    "nothing": "nothing",
    "first_answers": "first answers",
    "probes": "probes, first answers",
    "round_1": "R1",
    "probes_round_1": "probes, R1",
    "in_sample": "the ends of these debates",
    "end": "the end",
    "file": "what its maker took",
}
HIDDEN = ("never", "disagreement_ref")  # the first changes nothing; the other is the paper's code, and nearly the same


def shown(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Rows of gates that pages show, with their place in `_gate`: known ones first, then by name."""
    rows = outcomes[~outcomes["gate"].isin(HIDDEN)]
    order = [*GATE_NAMES, *sorted(set(rows["gate"]) - set(GATE_NAMES))]
    return rows.assign(_gate=rows["gate"].map(order.index).astype(int))


def of_use(outcomes: pd.DataFrame) -> "pd.Series[str]":
    """Whether a gate gains accuracy: `yes` where its net is above 0 and the interval of its gain is too, else `no`.

    Nothing is said of bounds, of gates that were chosen on the debates that they are scored on, of somebody's file,
    which may have been, nor where there is no count. A learned gate is scored on models that it was not learned from; a
    fixed one was learned from none.

    Args:
        outcomes: rows of GATE_OUTCOMES.
    """
    judged = ~outcomes["knows"].isin(["in_sample", "end", "file"]) & outcomes["net"].notna()
    gains = (outcomes["net"] > 0) & (outcomes["utility_1_low"] > 0)
    return gains.map({True: "yes", False: "no"}).where(judged, "")

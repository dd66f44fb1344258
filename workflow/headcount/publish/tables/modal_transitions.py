"""Who moves to the team's first majority, and who leaves it? The paper's Table 16."""

import pandas as pd

from headcount.publish.cells import CELL, wide
from headcount.publish.columns import TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES

PAPER = "table16"
QUESTION = "talk"
NEEDS = ("updates",)
READS = ("estimates",)
PUBLISHED = ("table16_modal_transitions",)

_PRINTED = {
    "modal_stay": "published_modal_stay",
    "nonmodal_to_modal": "published_nonmodal_to_modal",
    "nonmodal_to_modal_per_peer": "published_per_peer",
}

SPEC = TableSpec(
    name="modal_transitions",
    groups=("team", "task"),
    caption=(
        "From round 1 to the last round, anchored on each team's round-1 plurality answer: how many of those who gave "
        "it give it still, and how many of the others have come to it. Per peer: the latter divided by the N − 1 "
        "others, heard or not. The mean-field theorem assumes that the first never leave and that the mode never "
        "changes."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        estimate("modal_stay", "stay", "share of round-1 majority agents who still give its answer"),
        printed("published_modal_stay", "stay, paper", "modal_stay"),
        estimate("nonmodal_to_modal", "come", "share of the others who give it now"),
        printed("published_nonmodal_to_modal", "come, paper", "nonmodal_to_modal"),
        estimate("nonmodal_to_modal_per_peer", "per peer", "come / (N − 1); it falls with N by its making", 3),
        printed("published_per_peer", "per peer, paper", "nonmodal_to_modal_per_peer"),
        estimate("mode_changed", "mode changed", "share of items whose plurality answer is another than in round 1"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return modal_transitions(inputs.read(ESTIMATES), inputs.printed("table16_modal_transitions"))


def modal_transitions(estimates: pd.DataFrame, table16: pd.DataFrame) -> pd.DataFrame:
    """One row a cell that revised and size of two and more.

    Args:
        estimates: rows of ESTIMATES.
        table16: as printed.
    """
    rows = wide(estimates, [*_PRINTED, "mode_changed"]).query("round > 1 and n > 1").reset_index(drop=True)
    names = {"model": "team", "modal_stay": "published_modal_stay", "alpha_l_per_peer": "published_per_peer"}
    paper = table16.rename(columns=names | {"nonmodal_to_modal": "published_nonmodal_to_modal"})
    rows = beside(rows, paper[[*CELL, "n", *_PRINTED.values()]], [*CELL, "n"])
    return compare(rows, _PRINTED)[SPEC.fields]

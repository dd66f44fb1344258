"""What did discussion repair, and what did it destroy? Collapse and correction at every size, beside chance."""

import pandas as pd

from headcount.publish.columns import TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import wide
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, count, share
from headcount.schema import LEDGER_RATES

PAPER = ""
QUESTION = "ledger"
NEEDS = ("updates",)
READS = ("ledger_rates",)
PUBLISHED = ()

_ALONE = "in self-correction, where the same agents think again and hear nobody"
_REDRAW = "among two teams of N without a common draw, both from round 1: no talk at all"


SPEC = TableSpec(
    name="transition_rates",
    groups=("team", "task"),
    caption=(
        "What became of teams between round 1 and the last, by the answer of most agents (arXiv 2609.35279; ties to "
        "the first answer by text). Collapse: of those right at first, the share that is wrong at the end. Correction: "
        "of those wrong at first, the share that is right. A team that is asked again collapses and corrects without a "
        "word of discussion: the columns with a minus say by how much a rate exceeds that, on the same questions. "
        "Teams without an answer at either end are apart. Intervals of rates are Wilson's, of differences from "
        "resampled questions."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        share("collapse", "collapse", "of teams right at first"),
        share("correction", "correction", "of teams wrong at first"),
        share("net", "net", "corrections minus collapses, of all labelled teams: the accuracy that was gained"),
        share("collapse_minus_redraw", "collapse − re-draw", f"minus the rate {_REDRAW}"),
        share("collapse_minus_self_correction", "collapse − alone", f"minus the rate {_ALONE}"),
        share("correction_minus_redraw", "correction − re-draw", f"minus the rate {_REDRAW}"),
        share("correction_minus_self_correction", "correction − alone", f"minus the rate {_ALONE}"),
        share("initial_accuracy", "right at first", "of all labelled teams"),
        share("final_accuracy", "right at the end", "of all labelled teams"),
        count("collapse_events", "collapses", "how many"),
        count("collapse_base", "could collapse", "teams right at first"),
        count("correction_events", "corrections", "how many"),
        count("correction_base", "could be corrected", "teams wrong at first"),
        count("onset_2_events", "broke in round 2", "collapses whose first answer that is not right stood there"),
        count("onset_3_events", "broke in round 3", "the same, there"),
        count("onset_4_events", "broke in round 4", "the same, there"),
        count("onset_later_events", "broke later", "the same, in later rounds"),
        count("transient_break_events", "mended", "teams right at both ends, and not in between"),
        share("unlabelled", "unlabelled", "teams without an answer at either end"),
        share("changed_answers", "changed", "agents whose last answer is another than their first"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return transition_rates(inputs.read(LEDGER_RATES))


def transition_rates(rates: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and size.

    Args:
        rates: rows of LEDGER_RATES.
    """
    rounds = [name for name in rates["quantity"].unique() if name.startswith("onset_") and name[6:].isdigit()]
    later = [name for name in rounds if int(name[6:]) > 4]
    rows = wide(rates, [*_QUANTITIES, *later])
    rows["onset_later_events"] = rows[[f"{name}_events" for name in later]].sum(axis=1, min_count=1)
    return rows[SPEC.fields]


_QUANTITIES = (
    *(
        f"{rate}{minus}"
        for rate in ("collapse", "correction")
        for minus in ("", "_minus_redraw", "_minus_self_correction")
    ),
    *("net", "initial_accuracy", "final_accuracy", "unlabelled", "changed_answers"),
    *("onset_2", "onset_3", "onset_4", "transient_break"),
)

"""What would an intervention have done? Every gate on the debates that were saved: prevented, lost, and their worth."""

import pandas as pd

from headcount.publish.cells import CELL
from headcount.publish.columns import Column, TableSpec
from headcount.publish.gate_words import GATE_NAMES, KNOWN_BY, of_use, shown
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import cells
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, count, estimate, share
from headcount.publish.words import CONDITIONS
from headcount.schema import GATE_OUTCOMES
from headcount.schema.ledger import ALL

PAPER = ""
QUESTION = "ledger"
NEEDS = ("updates",)
READS = ("gate_outcomes",)
PUBLISHED = ()


SPEC = TableSpec(
    name="gate_replay",
    groups=("team", "task"),
    caption=(
        "What gates would have done with the debates that were run: at each cell's largest size, and at every size "
        "for all teams of one model and all tasks together. A gate that fires returns the first majority instead of "
        "the last: it prevents a collapse or loses a correction. Denominators never change. No gate reads a debate's "
        "right answer or last round, but for two kinds: the oracles are bounds, and gates chosen in sample, on the "
        "very debates that they are scored on, describe and promise nothing. The risk from probes knows how often its"
        " model left right and wrong answers to all that it was probed with. R1 is round 2, the first revision. "
        "Learned gates are one threshold, or a risk, chosen on all other models; they need 4 models with 50 labelled "
        "debates each, on probed questions if they read probes. Debates on other questions run. Other sizes and the "
        "ladder of weights are in gate_outcomes.parquet."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        Column("gate", "freeze if", "what makes the gate fire", words=GATE_NAMES),
        count("prevented", "prevented", "collapses that do not happen"),
        count("lost", "lost", "corrections that do not happen"),
        count("net", "net", "prevented minus lost"),
        share("utility_1", "gain", "of final accuracy: net of all labelled debates; questions drawn anew"),
        Column(
            "of_use",
            "of use",
            "the gain is above 0 and so is its interval, on models that the gate was not learned from; no verdict on "
            "bounds, in sample, nor on a file, which may have been made from these debates",
        ),
        estimate(
            "break_even",
            "break-even",
            "corrections that a collapse must be worth before the gate pays; Clopper and Pearson's odds, as if debates "
            "were independent, which they are not where teams share questions: see the gain",
        ),
        Column("knows", "knows", "what it decides by, beside what came before", words=KNOWN_BY),
        share("utility_3", "worth at 3", "in corrections per 100 debates, if a collapse weighs three"),
        count("fired", "fired", "debates frozen"),
        count("broken", "broken", "debates right at both ends that the gate makes wrong"),
        count("repaired", "repaired", "debates wrong at both ends that the gate makes right"),
        count("collapses", "collapses", "without a gate"),
        count("corrections", "corrections", "without a gate"),
        count("debates", "debates", "with an answer at both ends"),
        Column("accuracy", "accuracy", "at the end, with the gate", 4, 1, percent=True),
        Column("learned", "learned", "the rule, learned or chosen in sample, or why there is none", show="present"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return gate_replay(inputs.read(GATE_OUTCOMES))


def gate_replay(outcomes: pd.DataFrame) -> pd.DataFrame:
    """One row a gate, of all teams together at every size, then of each cell at its largest.

    Args:
        outcomes: rows of GATE_OUTCOMES.
    """
    rows = cells(outcomes)
    largest = rows["n"] == rows.groupby(CELL)["n"].transform("max")
    return arrange(rows[largest | (rows["team"] == ALL)])


def arrange(outcomes: pd.DataFrame) -> pd.DataFrame:
    """Rows of GATE_OUTCOMES as the table has them, all teams together first."""
    rows = shown(outcomes)
    rows = rows.assign(
        _place=rows["condition"].map(list(CONDITIONS).index).astype(int),
        _cell=rows["team"] != ALL,
        of_use=of_use(rows),
        learned=[_learned(*row) for row in zip(rows["gate"], rows["rule"], rows["models"], rows["fired"], strict=True)],
        **{name: rows[name].where(rows[name] > 0) for name in ("broken", "repaired")},
    )
    return rows.sort_values(["_cell", "team", "task", "_place", "n", "_gate"], ignore_index=True)[SPEC.fields]


def _learned(gate: str, rule: str | None, models: int, fired: float) -> str:
    if not gate.startswith("learned_"):
        return rule if isinstance(rule, str) else ""
    if pd.isna(fired):
        probed = " on probed questions" if "probe" in gate else ""
        return f"not learned: too few models with 50 debates{probed} ({models})"
    return rule if isinstance(rule, str) else f"on the {models - 1} other models"

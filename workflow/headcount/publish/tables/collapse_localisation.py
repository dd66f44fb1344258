"""How early does a collapse show? Out-of-fold areas under the curve from what is seen before the last round."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import cells
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TEAM, count, estimate
from headcount.publish.words import CONDITIONS
from headcount.schema import LOCALISATION

PAPER = ""
QUESTION = "ledger"
NEEDS = ("updates",)
READS = ("localisation",)
PUBLISHED = ()

FOLDS = {"question": "questions", "question_and_model": "questions, models"}
SETS = ("first_answers", "round_1", "all_but_last", "probes", "probes_round_1")
_KEYS = ["team", "condition", "n", "round", "folds"]

SPEC = TableSpec(
    name="collapse_localisation",
    groups=("team",),
    caption=(
        "How well the course of a debate tells, before its last round, that a right majority will be lost: the chance "
        "that a debate that collapses scores above one that stays right, among debates that were right at first. "
        "Logistic regressions, scored on questions (and models) that they did not see; no feature knows the right "
        "answer or the last round. 0.5 is a coin. Empty where fewer than ten debates collapsed or stayed right. "
        "Intervals draw questions and leave the scores as they are. All tasks together; (all): all teams of one model."
    ),
    columns=(
        TEAM,
        CONDITION,
        SIZE,
        Column("folds", "unseen", "what no debate shares with those that its score was learned from", words=FOLDS),
        estimate("auc_first_answers", "first answers", "area: how far the first answers agree"),
        estimate("auc_round_1", "+ R1", "area: the same and what changed in R1, the first revision", show="present"),
        estimate("gain_round_1", "R1 adds", "area with R1 minus area of the first answers", show="present"),
        estimate("auc_all_but_last", "+ later", "area: the same and all rounds before the last", show="present"),
        estimate("gain_all_but_last", "all add", "that area minus the area of the first answers", show="present"),
        estimate("auc_probes", "+ probes", "area: the first answers and probes before the debate", show="present"),
        estimate("gain_probes", "probes add", "that area minus the area of the first answers", show="present"),
        estimate("auc_probes_round_1", "+ probes, R1", "area: the first answers, probes and R1", show="present"),
        estimate("gain_probes_round_1", "both add", "that area minus the area of the first answers", show="present"),
        Column("collapses", "collapses", "debates that ended wrong", decimals=0),
        Column("debates", "could collapse", "debates that were right at first", decimals=0),
        count("probed", "probed", "of them, those on questions that the model was probed with; others have means"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return collapse_localisation(inputs.read(LOCALISATION))


def collapse_localisation(areas: pd.DataFrame) -> pd.DataFrame:
    """One row a team, condition, size and way to make folds.

    Args:
        areas: rows of LOCALISATION.
    """
    rows = cells(areas.assign(task=""))
    common = rows.groupby(_KEYS)[["debates", "collapses", "probed", "n_items", "simulated"]].first()
    for name in SETS:
        own = rows[rows["features"] == name].set_index(_KEYS)
        for kind, ends in _COLUMNS.items():
            common[[f"{kind}_{name}{end}" for end in ("", "_low", "_high")]] = own[ends].reindex(common.index)
    common["probed"] = common["probed"].where(common["probed"] > 0)
    table = common.reset_index().assign(_place=lambda r: r["condition"].map(list(CONDITIONS).index).astype(int))
    return table.sort_values(["team", "_place", "n", "folds"], ignore_index=True)[SPEC.fields]


_COLUMNS = {"auc": ["auc", "low", "high"], "gain": ["gain", "gain_low", "gain_high"]}

"""Can a mixed team that agrees be trusted? How often its leading answer is right, by the share of votes it has."""

import pandas as pd

from headcount.publish.cells import CELL
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ROUND, SIZE, TASK, TEAM, share
from headcount.publish.tables.held_out_audit import headline_series
from headcount.schema import CALIBRATION

PAPER = ""
QUESTION = "mix"
NEEDS = ("mixed",)
READS = ("calibration",)
PUBLISHED = ()

SPEC = TableSpec(
    name="agreement_as_confidence",
    groups=("team", "task", "condition"),
    caption=(
        "Largest teams of several models by the share of their valid votes that the leading answer has, taken for "
        "their confidence. Where accuracy is below that share, teams are surer than they are right. The row of all "
        "has the expected calibration error: the mean of the bins' errors, weighted by items."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        Column("bin", "share of votes", "that the leading answer has"),
        Column("items", "items", "in the bin", decimals=0),
        Column("mean_share", "mean share", "of the leading answer, in the bin", 4, 1, percent=True),
        share("accuracy", "accuracy", "of the leading answer; ties settled by chance"),
        Column("error", "error", "|mean share − accuracy|, in points", 4, 1, percent=True),
        Column("unanimous_wrong", "unanimous and wrong", "share of the bin's teams", 4, 1, percent=True),
        SIZE,
        ROUND,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return agreement_as_confidence(inputs.read(CALIBRATION))


def agreement_as_confidence(calibration: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and bin at the cell's largest size, all of them first, then from small shares to large.

    Args:
        calibration: rows of CALIBRATION.
    """
    rows = headline_series(calibration.assign(subsets="first"))
    rows = rows[rows["n"] == rows.groupby(CELL)["n"].transform("max")]
    return rows.rename(columns={"share": "mean_share"}).assign(bin=_named(rows)).reset_index(drop=True)[SPEC.fields]


def _named(rows: pd.DataFrame) -> list[str]:
    """What a bin holds: shares above its lower end and up to its upper one."""
    ends = zip(rows["bin"], rows["share_low"], rows["share_high"], strict=True)
    return [f"{low:.1f}–{high:.1f}" if number else "all" for number, low, high in ends]

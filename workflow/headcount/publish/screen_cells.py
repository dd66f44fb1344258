"""Rows of screens and of cohorts as pages have them, and the published ones that stand below ours."""

from collections.abc import Sequence

import pandas as pd

from headcount.ledger.screen_flags import FLAGS
from headcount.publish.columns import Column
from headcount.publish.ledger_cells import two_sizes
from headcount.publish.parts import share
from headcount.schema.ledger import ALL
from headcount.schema.screens import COHORT

PAPER = "arXiv 2609.35279"
SOURCE = Column("source", "source", "whose rows", words={"run": "this run", "paper": PAPER}, show="varying")
MODEL = Column("model", "model", "whose answers were argued with")
FAMILY = Column("family", "family", "of the model")
FLAGGED = Column("flags", "flags", "what to mind when reading a row", notes=FLAGS, show="present")
ALPHA = "flip rate of the screen: mean over agents and questions of the share of eight probes that change an answer"
PREDICTORS = {  # columns of model rows, as people read them
    "alpha_tot": "flip rate",
    "alpha_adv": "flips from right answers",
    "alpha_cor": "flips to the right answer",
    "alpha_tot_arms": "flip rate, mean of arms",
    "alpha_tot_conditions": "flip rate, all prompts",
    "s_soc": "what company adds",
    "s_arg": "what argument adds",
    "sa_of_means": "S/A of means",
    "sa_mean_of_items": "S/A, mean of questions",
    "initial_accuracy": "initial accuracy",
    "correction": "correction",
    "revision": "answers changed",
    "final_accuracy": "final accuracy",
    "raw_collapse": "collapses of all debates",
    "collapse": "collapse",
}
_ABOUT = ["rows", "probes", "unparsed", "unread", "n_items", "simulated"]
_COUNTS = {
    "alpha_tot": "alpha_tot",
    "n_debates": "debates",
    "n_init_correct": "initially_correct",
    "n_init_wrong": "_wrong",
    "n_collapses": "collapses",
    "n_corrections": "corrections",
    "final_acc": "final_accuracy",
}


def wide(screens: pd.DataFrame, quantities: Sequence[str], unanswered: str = "drop") -> pd.DataFrame:
    """One row a model, all tasks together; below it one for each task, if it was probed on several.

    Args:
        screens: rows of SCREENS.
        quantities: those wanted; one that a run lacks is an empty column.
        unanswered: the reading.

    Returns:
        model, task, q, q_low and q_high of each quantity q, then rows, probes, unparsed, unread, n_items, simulated.
    """
    rows = screens[screens["unanswered"] == unanswered]
    tasks = rows.groupby("model")["task"].transform("nunique")  # ALL is one
    rows = rows[(rows["task"] == ALL) | (tasks > 2)]
    table = rows.pivot(index=["model", "task"], columns="quantity", values=["value", "low", "high"])
    table.columns = [_NAMES[column[0]].format(column[1]) for column in table.columns]
    wanted = [name.format(quantity) for quantity in quantities for name in _NAMES.values()]
    table = table.reindex(columns=wanted).astype(float).join(rows.groupby(["model", "task"])[_ABOUT].first())
    return table.reset_index().sort_values(["model", "task"], ignore_index=True)


_NAMES = {"value": "{}", "low": "{}_low", "high": "{}_high"}


def heard(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of cohorts in which everybody hears everybody."""
    return rows[rows["k"] == rows["n"] - 1].sort_values([*COHORT], kind="stable", ignore_index=True)


def at_two_sizes(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of `heard` of the paper's team size, or the next larger one, and of the largest."""
    cohorts = heard(rows)
    return cohorts[cohorts["n"].isin(two_sizes(cohorts["n"].unique()))].reset_index(drop=True)


def published_rows(n14: pd.DataFrame) -> pd.DataFrame:
    """The paper's 14 model rows with our columns' names.

    Args:
        n14: n14_rows.csv, as printed.

    Returns:
        model, family, alpha_tot, debates, initially_correct, collapses, corrections, and the rates made of them.
    """
    rows = n14[["model", "family"]].join(n14[list(_COUNTS)].astype(float).rename(columns=_COUNTS))
    return rows.assign(
        collapse=rows["collapses"] / rows["initially_correct"],
        correction=rows["corrections"] / rows["_wrong"],
        initial_accuracy=rows["initially_correct"] / rows["debates"],
        raw_collapse=rows["collapses"] / rows["debates"],
        n=3,
        round=None,  # of six the fifth here, of the others the fourth
        source="paper",
        simulated=False,
    ).drop(columns="_wrong")


def below(ours: pd.DataFrame, published: pd.DataFrame) -> pd.DataFrame:
    """Our rows, then the published ones, which stand nowhere alone: a run without rows has an empty page."""
    own = ours.assign(source="run")
    if own.empty:
        return own
    return pd.concat([own, published.reindex(columns=own.columns)], ignore_index=True)


def rate(field: str, heading: str, meaning: str) -> Column:
    """A share with its interval, left out where no row has any."""
    return share(field, heading, meaning, show="present")

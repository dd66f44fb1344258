"""How much of a team's loss is owed to talk? Each cell beside agents who heard nobody, and beside a second team."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from headcount.publish.cells import AS_ASKED, CELL
from headcount.publish.columns import Column, TableSpec
from headcount.publish.excess_cells import largest, named, of_cells
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, share
from headcount.schema import EXCESS

PAPER = ""
QUESTION = "talk"
NEEDS = ("debate", "updates")
READS = ("excess",)
PUBLISHED = ()

NULLS = ("A", "B")
_LOST = "share of effective agents lost at N, beyond those that the null loses, by the entropy of answers"
_KAPPA = "agreement of pairs at N beyond the null's, as a share of what that leaves open"
_PAPERS = "as the paper reads it: answers of the teams that were run, β in [0, 1]"
_OF_NULL = "the same of the null's teams, all of a size"
_FREE = "cell minus null, of answers, β free"


def _paper(name: str, heading: str) -> Iterator[Column]:
    """A parameter of the cell and of each null, without an interval: FITS has the paper's."""
    yield Column(name, heading, _PAPERS, 4, 2)
    yield from (Column(f"{name}_null_{null.lower()}", f"{heading} of {null}", _OF_NULL, 4, 2) for null in NULLS)


SPEC = TableSpec(
    name="how_much_is_social",
    groups=("team", "task"),
    caption=(
        "What teams lose beyond agents who hear nobody. Null A: first answers, no talk and no second thoughts. Null B: "
        "self-correction, second thoughts without talk. Null C: a second team of other agents, at the sizes in "
        "null_teams. A calls agents social who sharpen in silence, so read it beside B. C leaves out what talk does to "
        "both teams alike. Where all hold 0, c and β say nothing about talk, whatever they are."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        SIZE,
        *(share(f"lost_{null.lower()}", f"lost, {null}", _LOST, decimals=0) for null in NULLS),
        estimate("kappa_c", "κ, C", "agreement within a team beyond that of two, as a share of what that leaves open"),
        Column("n_c", "N of C", "largest team that was run twice", decimals=0, show="present"),
        *_paper("beta", "β"),
        *(estimate(f"dbeta_{null.lower()}", f"Δβ, {null}", _FREE) for null in NULLS),
        *(estimate(f"kappa_{null.lower()}", f"κ, {null}", _KAPPA) for null in NULLS),
        *_paper("c", "c"),
        *(estimate(f"dc_{null.lower()}", f"Δc, {null}", _FREE) for null in NULLS),
        estimate("n_eff_social", "eff. size, C", "what N of C agents would be worth if talk alone tied them"),
        estimate("kappa_correctness", "κ right, C", "the same as κ, C of being right"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return how_much_is_social(inputs.read(EXCESS))


def how_much_is_social(excess: pd.DataFrame) -> pd.DataFrame:
    """One row a cell that revised, at its largest team.

    Args:
        excess: rows of EXCESS.
    """
    rows = of_cells(excess)
    against = rows[rows["null"].isin(NULLS)]
    table = largest(against)[[*CELL, "n", "round", "n_items", "simulated"]].drop_duplicates(CELL, ignore_index=True)
    second = largest(rows[rows["null"] == "C"])
    table = table.merge(second[[*CELL, "n"]].drop_duplicates().rename(columns={"n": "n_c"}), on=CELL, how="left")
    parts = (
        *_own(of_cells(excess, AS_ASKED)),
        *_numbers(largest(against), against[against["n"] == 0]),
        *_of_second(second),
    )
    for part in parts:
        table = table.merge(part, on=CELL, how="left")
    return table[SPEC.fields]


def _numbers(at_largest: pd.DataFrame, curves: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """What is known against A and B."""
    for null in NULLS:
        end = null.lower()
        yield _lost(named(at_largest, null, "log_n_eff_ratio", "log"), f"lost_{end}")
        yield named(at_largest, null, "kappa", f"kappa_{end}")
        for parameter in ("c", "beta"):
            yield named(curves, null, f"{parameter}_null_paper", f"{parameter}_null_{end}")
            yield named(curves, null, f"d{parameter}_answer", f"d{parameter}_{end}")


def _of_second(second: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """What is known against C."""
    for quantity, name in (("kappa", "kappa_c"), ("n_eff_social",) * 2, ("kappa_correctness",) * 2):
        yield named(second, "C", quantity, name)


def _own(curves: pd.DataFrame) -> Iterator[pd.DataFrame]:
    """The cell's c and beta, which stand with each null, at the sizes that both have; with A where there is one."""
    for parameter in ("c", "beta"):
        either = [named(curves, null, f"{parameter}_paper", parameter) for null in NULLS]
        yield pd.concat(either).drop_duplicates(CELL)


def _lost(log: pd.DataFrame, name: str) -> pd.DataFrame:
    """1 - exp(L), whose ends change places."""
    ends = {name: "log", f"{name}_low": "log_high", f"{name}_high": "log_low"}
    return log[CELL].assign(**{ours: 1 - np.exp(log[theirs]) for ours, theirs in ends.items()})

"""Can a pilot predict a big team? Errors on held-out sizes by form, the paper's Table 13."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from headcount.publish.cells import CELL, SERIES, headline
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import TEAM, own_fields, printed
from headcount.publish.published import beside, compare
from headcount.publish.words import LAWS
from headcount.schema import AUDITS

PAPER = "table13"
QUESTION = "pilot"
NEEDS = ("held_out",)
READS = ("audits",)
PUBLISHED = ("table13_held_out_audit",)

_FORMS = {"ringelmann": "ringelmann", "const_rho_kish": "kish", "power_law": "power", "logistic": "logistic"}
_PRINTED = {"rmse": "published_rmse", "relative_error": "published_relative_error"}

SPEC = TableSpec(
    name="held_out_audit",
    groups=("team",),
    caption=(
        "Each form is fitted to a pilot of small teams and predicts the effective sizes of larger ones, which it has "
        "not seen. Errors are means over cells. Pilot and held-out teams share items and agents, so this is the easy "
        "test. Forms of three parameters pass through a pilot of three sizes: they interpolate, and have nothing to "
        "average over."
    ),
    columns=(
        TEAM,
        Column("law", "form", "what was fitted to the pilot", words=LAWS),
        Column("cells", "cells", "tasks and conditions behind the means", decimals=0),
        Column("rmse", "RMSE", "of the effective size over held-out sizes, in agents; mean of cells", 4, 2),
        printed("published_rmse", "RMSE, paper", "rmse"),
        Column(
            "relative_error",
            "error",
            "mean |predicted − seen| / seen over held-out sizes; mean of cells",
            4,
            1,
            percent=True,
        ),
        printed("published_relative_error", "error %, paper", "relative_error"),
        Column("median", "median", "the same, median of cells: one bad cell can blow up a mean", 4, 1, percent=True),
        Column("worst", "worst cell", "the largest relative error of a cell's mean", 4, 1, percent=True),
        Column("at_largest", "at the largest", "mean relative error at the largest size", 4, 1, percent=True),
        Column("pilot", "pilot sizes", "fitted", show="varying"),
        Column("held_out", "held-out sizes", "predicted", show="varying"),
        Column("undefined", "no fit", "cells in which the form gave no prediction", decimals=0, show="varying"),
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return held_out_audit(inputs.read(AUDITS), inputs.printed("table13_held_out_audit"))


def held_out_audit(audits: pd.DataFrame, table13: pd.DataFrame) -> pd.DataFrame:
    """One row a team and form, over its cells. As in the paper, first answers alone count only where nobody revised.

    Args:
        audits: rows of AUDITS.
        table13: as printed.
    """
    rows = headline_series(audits[(audits["level"] == "answer") & audits["observed"].notna()])
    rows = rows[rows["held_out"] & rows["law"].isin(LAWS)]
    revised = rows["condition"] != "self_consistency"
    cells = cell_errors(rows[revised | ~rows["team"].isin(rows.loc[revised, "team"])])
    records = [
        dict(zip(["team", "law"], key, strict=True)) | _mean(group) for key, group in cells.groupby(["team", "law"])
    ]
    table = pd.DataFrame(records, columns=own_fields(SPEC))
    table = table.assign(_law=table["law"].map(list(LAWS).index)).sort_values(["team", "_law"], ignore_index=True)
    names = {
        "model": "team",
        "form": "law",
        "mean_rmse": "published_rmse",
        "mean_rel_err_pct": "published_relative_error",
    }
    paper = table13.replace({"form": _FORMS}).rename(columns=names)
    table = beside(table, paper[["team", "law", *_PRINTED.values()]], ["team", "law"])
    return compare(table, _PRINTED, percent=["relative_error"])[SPEC.fields]


def headline_series(rows: pd.DataFrame) -> pd.DataFrame:
    """Rows of the series that stands for each cell, the one that `cells.headline` takes.

    Args:
        rows: columns of SERIES, n, and others; of sizes that were run.
    """
    sizes = rows.groupby(SERIES)["n"].unique().rename("sizes").reset_index()
    return headline(sizes.assign(law="", level=""), "", "")[SERIES].merge(rows, on=SERIES)


def cell_errors(rows: pd.DataFrame) -> pd.DataFrame:
    """Errors of each cell and form over its held-out sizes.

    Args:
        rows: held-out rows of AUDITS at one level.

    Returns:
        team, task, condition, law, rmse (agents), relative_error, at_largest (shares), pilot, held_out, simulated.
    """
    names = [*CELL, "law", "rmse", "relative_error", "at_largest", "pilot", "held_out", "simulated"]
    return pd.DataFrame(list(_cell_errors(rows)), columns=names)


def _cell_errors(rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    for key, cell in rows.sort_values("n").groupby([*CELL, "law"]):
        error = (cell["predicted"] - cell["observed"]).to_numpy()
        relative = np.abs(error) / cell["observed"].to_numpy()
        yield {
            **dict(zip([*CELL, "law"], key, strict=True)),
            "rmse": float(np.sqrt(np.mean(error**2))),
            "relative_error": float(relative.mean()),
            "at_largest": float(relative[-1]),
            "pilot": tuple(cell["pilot"].iloc[0]),
            "held_out": tuple(cell["n"]),
            "simulated": bool(cell["simulated"].any()),
        }


def _mean(cells: pd.DataFrame) -> dict[str, object]:
    """Means over the cells in which a form gave a prediction."""
    known = cells.dropna(subset="rmse")
    return {
        "cells": len(known),
        **{name: known[name].mean() for name in ("rmse", "relative_error", "at_largest")},
        "median": known["relative_error"].median(),
        "worst": known["relative_error"].max(),
        "pilot": sorted({n for sizes in cells["pilot"] for n in sizes}),
        "held_out": sorted({n for sizes in cells["held_out"] for n in sizes}),
        "undefined": len(cells) - len(known),
        "simulated": cells["simulated"].any(),
    }

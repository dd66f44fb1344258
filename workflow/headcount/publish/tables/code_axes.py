"""Do agents who write code agree in what it does, or in how it reads? The paper's Table 20."""

import pandas as pd

from headcount.axes import CODE
from headcount.publish.cells import CELL, headline, wide
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, SIZE, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.publish.words import CONDITIONS
from headcount.schema import ESTIMATES, FITS

PAPER = "table20"
QUESTION = "size"
NEEDS = ("code",)
READS = ("fits", "estimates")
PUBLISHED = ("table20_humaneval_efficiency", "table20_humaneval_fits")

_PRINTED = {
    "r": "published_r",
    "team_accuracy": "published_accuracy",
    "c": "published_c",
    "beta": "published_beta",
    "r2_with_one": "published_r2",
}
_KEYS = [*CELL, "axis"]

SPEC = TableSpec(
    name="code_axes",
    groups=("team", "task", "axis"),
    caption=(
        "Efficiency N_eff/N of teams that write code, by two readings of the same programs: which assertions pass, "
        "and the code itself without docstrings, comments and layout. R² includes N = 1 here, as the printed values "
        "need."
    ),
    columns=(
        TEAM,
        TASK,
        Column("axis", "axis", "what makes two programs equal", words={"pass_vector": "what passes", "code": "code"}),
        CONDITION,
        SIZE,
        estimate("r", "efficiency", "effective size / N"),
        printed("published_r", "efficiency, paper", "r"),
        estimate("team_accuracy", "accuracy", "of the team's plurality answer on this axis"),
        printed("published_accuracy", "accuracy, paper", "team_accuracy"),
        estimate("c", "c", "of the law fitted to all sizes"),
        printed("published_c", "c, paper", "c"),
        estimate("beta", "β", "of the law fitted to all sizes"),
        printed("published_beta", "β, paper", "beta"),
        Column("r2_with_one", "R²", "of efficiency, N = 1 included", 4),
        printed("published_r2", "R², paper", "r2_with_one"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return code_axes(inputs.read(FITS), inputs.read(ESTIMATES), *(inputs.printed(name) for name in PUBLISHED))


def code_axes(
    fits: pd.DataFrame, estimates: pd.DataFrame, efficiency: pd.DataFrame, table20: pd.DataFrame
) -> pd.DataFrame:
    """One row a code cell, axis and size.

    Args:
        fits: rows of FITS.
        estimates: rows of ESTIMATES.
        efficiency, table20: the two halves of Table 20 as printed.
    """
    coded = {task for task in estimates["task"] if task.endswith(CODE)}
    tasks = coded | {task.removesuffix(CODE) for task in coded}
    rows = wide(estimates[estimates["task"].isin(tasks)], ["n_eff_answer", "team_accuracy"])
    rows = rows.merge(headline(fits, "ringelmann")[[*CELL, *_FITTED]], on=CELL, how="left")
    for end in ("", "_low", "_high"):
        rows[f"r{end}"] = rows[f"n_eff_answer{end}"] / rows["n"]
    is_code = rows["task"].str.endswith(CODE).astype(bool)
    rows = rows.assign(axis=is_code.map({True: "code", False: "pass_vector"}), task=rows["task"].str.removesuffix(CODE))
    sizes = {"r_efficiency": "published_r", "accuracy": "published_accuracy"}
    laws = {"c": "published_c", "beta": "published_beta", "r2": "published_r2"}
    for table, names, keys in ((_one_agent(efficiency), sizes, [*_KEYS, "n"]), (table20, laws, _KEYS)):
        rows = beside(rows, table.rename(columns={"model": "team"} | names)[[*keys, *names.values()]], keys)
    return compare(rows, _PRINTED)[SPEC.fields]


def _one_agent(efficiency: pd.DataFrame) -> pd.DataFrame:
    """The rows of N = 1, which are printed once for all conditions, under each of them."""
    shared = efficiency["condition"] == "ensemble"
    return pd.concat(
        [efficiency[~shared], *(efficiency[shared].assign(condition=condition) for condition in CONDITIONS)]
    )


_FITTED = ["c", "c_low", "c_high", "beta", "beta_low", "beta_high", "r2_with_one"]

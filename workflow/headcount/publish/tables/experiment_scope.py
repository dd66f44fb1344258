"""What was run: questions, sizes, conditions and rounds of each team. The paper's Table 3, for this run."""

import pandas as pd

from headcount.publish.columns import Column, Printed, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import TASK, TEAM, own_fields, printed
from headcount.publish.published import beside
from headcount.publish.words import CONDITIONS
from headcount.schema import CURVES

PAPER = "table03"
QUESTION = "scope"
NEEDS = ()
READS = ("curves",)
PUBLISHED = ("table03_experiment_scope",)

_KEYS = ["team", "task"]
_WORDS = CONDITIONS | {"ensemble": "first answers"}

SPEC = TableSpec(
    name="experiment_scope",
    groups=("team",),
    caption=(
        "What was run: every team and task with its questions, sizes, conditions, rounds and numbers of peers heard."
    ),
    columns=(
        TEAM,
        TASK,
        Column("n_items", "items", "questions", decimals=0),
        printed("published_items", "items, paper"),
        Column("sizes", "sizes", "of teams; means over subsets included"),
        printed("published_sizes", "sizes, paper"),
        Column("conditions", "conditions", "what agents read between rounds", words=CONDITIONS),
        Printed("published_conditions", "conditions, paper", "as printed", words=_WORDS),
        Column("rounds", "rounds", "the first answers included, at most", decimals=0),
        Column("peers", "peers", "heard by each agent", show="varying", words={"full": "all"}),
        Column("missing", "missing", "largest share of replies without an answer in any size", 4, 1, percent=True),
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return scope(inputs.read(CURVES), inputs.printed("table03_experiment_scope"))


def scope(curves: pd.DataFrame, table3: pd.DataFrame) -> pd.DataFrame:
    """One row a team and task.

    Args:
        curves: rows of CURVES.
        table3: as printed, with a column of items for each task.
    """
    rows = curves[curves["level"] == "answer"]
    records = [dict(zip(_KEYS, key, strict=True)) | _row(group) for key, group in rows.groupby(_KEYS)]
    table = pd.DataFrame(records, columns=own_fields(SPEC))
    return beside(table, _published(table3), _KEYS)[SPEC.fields]


def _row(cells: pd.DataFrame) -> dict[str, object]:
    present, peers = set(cells["condition"]), set(cells["peers"]) - {"none"}
    return {
        "n_items": cells["n_items"].max(),
        "sizes": sorted(set(cells["n"])),
        "conditions": [name for name in CONDITIONS if name in present],
        "rounds": cells["round"].max(),
        "peers": sorted(peers, key=lambda name: (name == "full", len(name), name)),
        "missing": (1 - cells["n_valid"] / cells["n"]).max(),
        "simulated": cells["simulated"].any(),
    }


def _published(table3: pd.DataFrame) -> pd.DataFrame:
    sizes = table3["n_min"] + "-" + table3["n_max"]
    told = table3.assign(published_sizes=sizes, published_conditions=table3["conditions"].str.split(";"))
    long = told.melt(
        id_vars=["model", "published_sizes", "published_conditions"],
        value_vars=list(table3.columns[table3.columns.str.startswith("items_")]),
        var_name="task",
        value_name="published_items",
    )
    long["task"] = long["task"].str.removeprefix("items_")
    long = long[long["published_items"] != ""].drop_duplicates(["model", "task"])
    return long.rename(columns={"model": "team"})

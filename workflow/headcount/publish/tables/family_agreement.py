"""Do models of one family agree more than strangers do? The paper's Table 10, and every pair of families."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, ITEMS, ROUND, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.publish.words import EMPTY
from headcount.schema import MIXING

PAPER = "table10"
QUESTION = "mix"
NEEDS = ("mixed",)
READS = ("mixing",)
PUBLISHED = ("table10_within_between_agreement", "prose_scalars")

OVERALL = "overall"  # the paper's name for all tasks pooled
_CELL = ["team", "condition", "task"]
_KEYS = [*_CELL, "family", "family_other"]
_PRINTED = {"agreement": "published_agreement", "difference": "published_difference"}
_FAMILIES = {
    "qwen": "qwen",
    "llama": "llama",
    "ministral": "mistral",
}  # as appendix G calls them, and as their models' are
_KINDS = {"within": "all pairs within one", "between": "all pairs between two"}

SPEC = TableSpec(
    name="family_agreement",
    groups=("team", "task"),
    caption=(
        "Pair agreement in mixed teams by the families of the two agents' models, over all sizes that have a pair "
        "within a family: equal pairs / pairs, so that large teams weigh most. The paper's values of single family "
        "pairs contradict its pooled ones: no weighting gives both."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        Column("family", "family", "of one agent", words=_KINDS),
        Column("family_other", "other family", "of the other", words=dict.fromkeys(_KINDS, EMPTY)),
        estimate("agreement", "agreement", "share of pairs who give the same answer", 3),
        printed("published_agreement", "agreement, paper", "agreement"),
        Column("difference", "over between", "agreement minus that of all pairs between two families", 4, 3),
        printed("published_difference", "over between, paper", "difference"),
        Column("pairs", "pairs", "of agents who both answered, over items and sizes", decimals=0),
        printed("published_pairs", "pairs, paper"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return family_agreement(inputs.read(MIXING), *(inputs.printed(name) for name in PUBLISHED))


def family_agreement(mixing: pd.DataFrame, table10: pd.DataFrame, scalars: pd.DataFrame) -> pd.DataFrame:
    """One row a cell and pair of families, in its last round, all peers heard; pooled rows first, all tasks last.

    Args:
        mixing: rows of MIXING.
        table10: as printed, within and between side by side.
        scalars: what the paper prints in its text; of it the agreement of each pair of families, in appendix G.
    """
    rows = mixing[(mixing["n"] == 0) & mixing["peers"].isin(["full", "none"])]
    rows = rows[rows["round"] == rows.groupby(_CELL)["round"].transform("max")]
    rows = rows.rename(columns={"value": "agreement", "low": "agreement_low", "high": "agreement_high"})
    rows = pd.concat([rows, _over_tasks(rows)])
    between = rows.loc[rows["family"] == "between", [*_CELL, "agreement"]].rename(columns={"agreement": "_between"})
    rows = rows.merge(between, on=_CELL, how="left")
    rows["difference"] = (rows["agreement"] - rows["_between"]).where(rows["family"] != "between")
    rows["_kind"] = rows["family"].map({"within": 0, "between": 1}).fillna(2)
    rows["_last"] = rows["task"] == OVERALL
    rows = rows.sort_values(["team", "condition", "_last", "task", "_kind", "family", "family_other"])
    paper = pd.concat([_pooled(table10), _pairs(scalars)])
    return compare(beside(rows.reset_index(drop=True), paper, _KEYS), _PRINTED)[SPEC.fields]


def _over_tasks(rows: pd.DataFrame) -> pd.DataFrame:
    """Pairs of all tasks as one, where a team has several; tasks share no items, so there is no interval."""
    keys = ["team", "condition", "family", "family_other"]
    sums = {
        "equal_pairs": "sum",
        "pairs": "sum",
        "n_items": "sum",
        "round": "max",
        "simulated": "any",
        "task": "nunique",
    }
    table = rows.groupby(keys).agg(sums).reset_index()
    table = table[table["task"] > 1]
    return table.assign(task=OVERALL, agreement=table["equal_pairs"] / table["pairs"])


def _pooled(table10: pd.DataFrame) -> pd.DataFrame:
    """Table 10 with a row a kind of pairs."""
    names = {"model": "team", "delta": "published_difference"}
    kinds = [
        table10.rename(
            columns=names | {f"rho_{kind}": "published_agreement", f"pairs_{kind}": "published_pairs"}
        ).assign(family=kind, family_other=kind)
        for kind in _KINDS
    ]
    kinds[1]["published_difference"] = ""
    return pd.concat(kinds)[[*_KEYS, "published_agreement", "published_difference", "published_pairs"]]


def _pairs(scalars: pd.DataFrame) -> pd.DataFrame:
    """The agreement of each pair of families in the paper's mixed team, all tasks pooled."""
    rows = scalars[scalars["name"].str.startswith("pair_agreement_")]
    told = [name.split("_")[2:] for name in rows["name"]]
    pairs = pd.DataFrame([sorted(_FAMILIES[family] for family in pair) for pair in told], columns=_KEYS[-2:])
    fixed = {"team": "hetero", "condition": "debate", "task": OVERALL}
    return pairs.assign(
        **fixed, published_agreement=rows["value"].to_numpy(), published_difference="", published_pairs=""
    )

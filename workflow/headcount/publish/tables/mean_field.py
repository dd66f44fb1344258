"""Does talk contract disagreement as the mean-field theorem says? Agreement after each update, seen and predicted."""

import pandas as pd

from headcount.laws.mean_field import adoption_per_peer, conformity, mean_field
from headcount.publish.cells import spread
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import ITEMS, SIZE, TASK, TEAM, estimate
from headcount.publish.tables.k_tau_collapse import peers_heard
from headcount.schema import ESTIMATES

PAPER = ""
QUESTION = "talk"
NEEDS = ("debate", "updates")
READS = ("estimates",)
PUBLISHED = ()

_KEYS = ["team", "task", "peers"]

SPEC = TableSpec(
    name="mean_field",
    groups=("team", "task"),
    caption=(
        "Pair agreement of debating teams after each update, beside ρ(τ) = 1 − (1 − ρ(0)) (1 − α₁)^(kτ). ρ(0) is the "
        "agreement in round 1, and α₁ the rate per peer that the first update alone gives: the share nm of the agents "
        "off their team's first majority who came to it, as 1 − (1 − nm)^(1/k). The first row tests that majority "
        "agents stay, later ones that the rate lasts, and all that first order in 1 − ρ is enough."
    ),
    columns=(
        TEAM,
        TASK,
        Column("k", "k", "peers that each agent hears", decimals=0),
        Column("tau", "τ", "updates", decimals=0),
        estimate("agreement", "seen", "share of pairs of agents who give the same answer", 3),
        Column("predicted", "predicted", "by the theorem", 4, 3),
        Column("difference", "difference", "seen − predicted", 4, 3),
        estimate(
            "modal_stay", "stay", "share of the first majority who still give its answer; the theorem says all", 3
        ),
        Column("first_agreement", "ρ(0)", "pair agreement in round 1", 4, 3),
        Column("alpha_1", "α₁", "chance to adopt the majority's answer from one peer who holds it", 4, 3),
        SIZE,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return contraction(inputs.read(ESTIMATES))


def contraction(estimates: pd.DataFrame) -> pd.DataFrame:
    """One row a team, task, number of peers and update, at the largest size with so many peers.

    Args:
        estimates: rows of ESTIMATES.
    """
    names = ["agreement", "nonmodal_to_modal", "modal_stay"]
    debates = estimates[(estimates["condition"] == "debate") & (estimates["subsets"] == "first")]
    rows = spread(debates[(debates["n"] > 1) & debates["quantity"].isin(names)], names)
    rows = rows[rows["n"] == rows.groupby(_KEYS)["n"].transform("max")]
    rows = rows.assign(k=peers_heard(rows), tau=rows["round"] - 1)
    first = rows[rows["tau"] == 0].rename(columns={"agreement": "first_agreement"})[[*_KEYS, "first_agreement"]]
    nm = rows[rows["tau"] == 1].rename(columns={"nonmodal_to_modal": "_nm"})[[*_KEYS, "_nm"]]
    rows = rows[rows["tau"] > 0].merge(first, on=_KEYS).merge(nm, on=_KEYS, how="left")
    k = rows["k"].to_numpy()
    rows["alpha_1"] = adoption_per_peer(rows["_nm"].to_numpy(), k)
    alpha = conformity(rows["alpha_1"].to_numpy(), k)
    rows["predicted"] = mean_field(rows["first_agreement"].to_numpy(), alpha, rows["tau"].to_numpy())
    rows["difference"] = rows["agreement"] - rows["predicted"]
    return rows.sort_values(["team", "task", "k", "tau"], ignore_index=True)[SPEC.fields]

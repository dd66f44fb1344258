"""Do peers and rounds come to the same thing? Agreement at equal products of both, the paper's Table 2."""

import pandas as pd

from headcount.publish.cells import spread
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import ITEMS, SIZE, TASK, TEAM, own_fields, printed
from headcount.publish.published import beside, compare
from headcount.schema import ESTIMATES

PAPER = "table02"
QUESTION = "talk"
NEEDS = ("k_sweep", "debate")
READS = ("estimates",)
PUBLISHED = ("table02_k_tau_collapse",)

_KEYS = ["team", "task", "n", "k_tau"]
_PRINTED = {"low": "published_low", "high": "published_high", "largest_band": "published_band"}
_STRATA = {"high": "> .7", "middle": ".4 to .7", "low": "< .4"}  # of a team's pairs, in round 1


def _stratum(name: str, agreed: str) -> Column:
    meaning = f"the same over items on which {agreed} of the team's pairs agreed in round 1"
    return Column(f"band_{name}", f"agreed {agreed}", meaning, 4, 3, show="present")


SPEC = TableSpec(
    name="k_tau_collapse",
    groups=("team", "task"),
    caption=(
        "Pair agreement of debating teams whose products of peers k and updates τ are equal. If the mean-field "
        "theorem holds they agree alike, and the band is narrow. It is of first order in 1 − ρ, so where agents "
        "disagree much it must fail."
    ),
    columns=(
        TEAM,
        TASK,
        SIZE,
        Column("k_tau", "k τ", "peers heard times updates", decimals=0),
        Column("band", "band", "highest minus lowest agreement", 4, 3),
        Column("half_width", "half-width", "of the widest interval of a configuration: what noise allows", 4, 3),
        Column("low", "lowest", "pair agreement, mean of items", 4, 3),
        printed("published_low", "lowest, paper", "low"),
        Column("high", "highest", "pair agreement, mean of items", 4, 3),
        printed("published_high", "highest, paper", "high"),
        Column("largest_band", "largest band", "over all team sizes run", 4, 3),
        printed("published_band", "largest band, paper", "largest_band"),
        Column("band_later", "band, τ ≥ 2", "without configurations of one update", 4, 3, show="present"),
        *(_stratum(name, agreed) for name, agreed in _STRATA.items()),
        Column("configurations", "(k, τ)", "that were run"),
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return k_tau_collapse(inputs.read(ESTIMATES), inputs.printed("table02_k_tau_collapse"))


def k_tau_collapse(estimates: pd.DataFrame, table2: pd.DataFrame) -> pd.DataFrame:
    """One row a team, task, size and product that two or more configurations have.

    Args:
        estimates: rows of ESTIMATES.
        table2: as printed, with the columns of its two sizes side by side.
    """
    rows = configurations(estimates, "agreement_item_mean", *(f"agreement_{name}" for name in _STRATA))
    records = [
        dict(zip(_KEYS, key, strict=True)) | _bands(group) for key, group in rows.groupby(_KEYS) if len(group) > 1
    ]
    table = pd.DataFrame(records, columns=own_fields(SPEC))
    table["largest_band"] = table.groupby(["team", "task", "k_tau"])["band"].transform("max")
    return compare(beside(table, _published(table2), _KEYS), _PRINTED)[SPEC.fields]


def configurations(estimates: pd.DataFrame, *quantities: str) -> pd.DataFrame:
    """Debates by peers heard (`k`) and updates (`tau`), with their product, and quantities with their intervals."""
    debates = estimates[(estimates["condition"] == "debate") & (estimates["subsets"] == "first")]
    debates = debates[(debates["n"] > 1) & (debates["round"] > 1)]
    rows = spread(debates[debates["quantity"].isin(quantities)], quantities)
    rows = rows.assign(k=peers_heard(rows), tau=rows["round"] - 1)
    rows = rows.drop_duplicates(["team", "task", "n", "k", "tau"])  # N = 5, k = 4 is full and 4 at once
    return rows.assign(k_tau=rows["k"] * rows["tau"]).sort_values([*_KEYS, "k"])


def peers_heard(rows: pd.DataFrame) -> pd.Series:
    """How many peers each agent hears, of teams that hear some."""
    return pd.to_numeric(rows["peers"], errors="coerce").fillna(rows["n"] - 1).astype(int)


def _bands(group: pd.DataFrame) -> dict[str, object]:
    ends = group["agreement_item_mean_high"] - group["agreement_item_mean_low"]
    later = group[group["tau"] > 1]
    return {
        "configurations": [f"({k},{tau})" for k, tau in zip(group["k"], group["tau"], strict=True)],
        "low": group["agreement_item_mean"].min(),
        "high": group["agreement_item_mean"].max(),
        "band": _band(group["agreement_item_mean"]),
        "band_later": _band(later["agreement_item_mean"]),
        **{f"band_{name}": _band(later[f"agreement_{name}"]) for name in _STRATA},
        "half_width": (ends / 2).max(),
        "n_items": group["n_items"].max(),
        "simulated": group["simulated"].any(),
    }


def _band(agreement: pd.Series) -> float:
    """Highest minus lowest; NaN for fewer than two."""
    return float(agreement.max() - agreement.min()) if agreement.count() > 1 else float("nan")


def _published(table2: pd.DataFrame) -> pd.DataFrame:
    names = {"model": "team", "max_delta_rho": "published_band"}
    sizes = [
        table2.rename(columns=names | {f"rho_n{n}_low": "published_low", f"rho_n{n}_high": "published_high"}).assign(
            n=str(n)
        )
        for n in (10, 30)
    ]
    return pd.concat(sizes)[[*_KEYS, *_PRINTED.values()]]

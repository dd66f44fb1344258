"""Does hearing more peers change how the team scales? Beta by the number of peers, the paper's Table 14."""

import pandas as pd

from headcount.laws.flags import FLAGS
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import ITEMS, TASK, TEAM, estimate, printed
from headcount.publish.published import beside, compare
from headcount.publish.words import LEVELS
from headcount.schema import FITS

PAPER = "table14"
QUESTION = "talk"
NEEDS = ("k_sweep", "debate")
READS = ("fits",)
PUBLISHED = ("table14_beta_by_density",)

_KEYS = ["team", "task", "peers", "level"]
_SCALES = {"entropy": ["answer"], "agreement": ["agreement", "pooled_agreement"]}

SPEC = TableSpec(
    name="beta_by_density",
    groups=("team", "task"),
    caption=(
        "The exponent of debating teams by the number of peers that each agent hears, after the last round of the "
        "sweep. By answers β also counts how many different wrong ones a task allows; by pooled agreement it does "
        "not. The paper's agreement may be either of ours and stands beside both."
    ),
    columns=(
        TEAM,
        TASK,
        Column("peers", "peers", "that each agent hears", words={"full": "all"}),
        Column("level", "scale", "what effective size is made of", words=LEVELS),
        estimate("beta", "β", "bounded at 0, as the paper's"),
        printed("published_beta", "β, paper", "beta"),
        estimate("beta_free", "β unbounded", "below 0 the correlation rises with N", show="present"),
        Column("flags", "flags", "what to mind: two sizes give a slope, not a fit", notes=FLAGS, show="present"),
        Column("sizes", "sizes", "of the teams fitted", show="varying"),
        Column("tau", "updates", "rounds of talk before this was measured", decimals=0, show="varying"),
        printed("published_tau", "updates, paper"),
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return beta_by_density(inputs.read(FITS), inputs.printed("table14_beta_by_density"))


def beta_by_density(fits: pd.DataFrame, table14: pd.DataFrame) -> pd.DataFrame:
    """One row a team, task, number of peers and scale, where some debate heard fewer than all.

    Args:
        fits: rows of FITS.
        table14: as printed.
    """
    rows = fits[(fits["condition"] == "debate") & (fits["subsets"] == "first")]
    rows = rows[rows["level"].isin(["answer", "agreement", "pooled_agreement"])]
    swept = rows[~rows["peers"].isin(["full", "none"])]
    rows = rows.merge(swept[["team", "task"]].drop_duplicates(), on=["team", "task"])
    last = rows.loc[rows["peers"] != "full"].groupby(["team", "task"])["round"].max().rename("_last").reset_index()
    rows = rows.merge(last, on=["team", "task"])
    rows = rows[rows["round"] == rows["_last"]]
    free = rows[rows["law"] == "ringelmann_free"].rename(columns=_FREE)[[*_KEYS, *_FREE.values()]]
    rows = rows[rows["law"] == "ringelmann"].merge(free, on=_KEYS).assign(tau=lambda found: found["round"] - 1)
    rows = rows.assign(
        _peers=pd.to_numeric(rows["peers"], errors="coerce"), _level=rows["level"].map(list(LEVELS).index)
    )
    rows = rows.sort_values(["team", "task", "_peers", "_level"], ignore_index=True)
    return compare(beside(rows, _published(table14), _KEYS), {"beta": "published_beta"})[SPEC.fields]


def _published(table14: pd.DataFrame) -> pd.DataFrame:
    names = {"model": "team", "k": "peers", "beta": "published_beta", "final_tau": "published_tau"}
    rows = table14.rename(columns=names).assign(level=table14["scale"].map(_SCALES)).explode("level")
    return rows[[*_KEYS, "published_beta", "published_tau"]]


_FREE = {"beta": "beta_free", "beta_low": "beta_free_low", "beta_high": "beta_free_high"}

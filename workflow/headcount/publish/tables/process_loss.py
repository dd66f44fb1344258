"""What does a team lose by talking instead of thinking again alone? Steiner's process loss, the paper's Table 7."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import ITEMS, SIZE, TASK, TEAM, printed, share
from headcount.publish.published import beside, compare
from headcount.schema import CONTRASTS

PAPER = "table07"
QUESTION = "talk"
NEEDS = ("debate", "self_correction", "updates")
READS = ("contrasts",)
PUBLISHED = ("table07_steiner",)

_KEYS = ["team", "task", "n"]
_NAMES = {
    "pp_rev_pct": "published_potential",
    "pp_rev_ci_low": "published_potential_low",
    "pp_rev_ci_high": "published_potential_high",
    "ap_pct": "published_actual",
    "ap_ci_low": "published_actual_low",
    "ap_ci_high": "published_actual_high",
    "pl_social_pp": "published_loss",
    "pl_social_ci_low": "published_loss_low",
    "pl_social_ci_high": "published_loss_high",
    "re_eval_gain_pp": "published_gain",
    "p_value": "published_p",
}
_PERCENT = {
    "potential": "published_potential",
    "actual": "published_actual",
    "loss": "published_loss",
    "gain_alone": "published_gain",
}
_GAINS = {"gain_self_correction": "gain_alone", "gain_debate": "gain_debate"}


def _paper(name: str, heading: str, of: str) -> Column:
    return printed(f"published_{name}", heading, of, (f"published_{name}_low", f"published_{name}_high"))


SPEC = TableSpec(
    name="process_loss",
    groups=("team",),
    caption=(
        "Steiner's decomposition at the largest team size. Potential: team accuracy after self-correction; actual: "
        "after debate; social loss: potential minus actual, on the same items. p: that the loss is 0, by paired "
        "bootstrap and by McNemar's exact test (two of the paper's three printed p fit the latter and none the "
        "former); p of TOST: that it is beyond ±5 points. The paper's gain on GPQA, 1.5, is that of debate."
    ),
    columns=(
        TEAM,
        TASK,
        SIZE,
        share("loss", "social loss", "potential minus actual; below 0, talk helped"),
        _paper("loss", "loss in points, paper", "loss"),
        Column("p_bootstrap", "p, bootstrap", "two-sided, of a loss of 0", 4, 3),
        Column("p_mcnemar", "p, McNemar", "exact, two-sided, of equal odds", 4, 3),
        printed("published_p", "p, paper"),
        Column("p_tost", "p, TOST", "that the loss lies outside ±5 points", 4, 3),
        share("potential", "potential", "accuracy after self-correction"),
        _paper("potential", "potential %, paper", "potential"),
        share("actual", "actual", "accuracy after debate"),
        _paper("actual", "actual %, paper", "actual"),
        Column("only_first", "only alone", "items that only self-correction gets right; McNemar's test", decimals=0),
        Column("only_second", "only in debate", "items that only debate gets right; McNemar's test", decimals=0),
        share("gain_alone", "gain alone", "self-correction minus its own first round"),
        printed("published_gain", "gain in points, paper", "gain_alone"),
        share("gain_debate", "gain in debate", "debate minus its own first round"),
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return process_loss(inputs.read(CONTRASTS), inputs.printed("table07_steiner"))


def process_loss(contrasts: pd.DataFrame, table7: pd.DataFrame) -> pd.DataFrame:
    """One row a team and task that did both, at the largest size that both were run at.

    Args:
        contrasts: rows of CONTRASTS.
        table7: as printed.
    """
    names = {"first": "potential", "second": "actual", "difference": "loss", "low": "loss_low", "high": "loss_high"}
    names |= {f"first_{end}": f"potential_{end}" for end in ("low", "high")}
    names |= {f"second_{end}": f"actual_{end}" for end in ("low", "high")}
    losses = contrasts[contrasts["contrast"] == "process_loss"].rename(columns=names)
    rows = losses.loc[losses.groupby(["team", "task"])["n"].idxmax()]
    for contrast, gain in _GAINS.items():
        rows = rows.merge(_differences(contrasts, contrast, gain), on=_KEYS, how="left")
    paper = table7.rename(columns={"model": "team"} | _NAMES)[[*_KEYS, *_NAMES.values()]]
    return compare(beside(rows, paper, _KEYS), _PERCENT, percent=_PERCENT)[SPEC.fields]


def _differences(contrasts: pd.DataFrame, contrast: str, name: str) -> pd.DataFrame:
    names = {"difference": name, "low": f"{name}_low", "high": f"{name}_high"}
    return contrasts[contrasts["contrast"] == contrast].rename(columns=names)[[*_KEYS, *names.values()]]

"""What makes a model flip: a stronger argument, or company? Rates by strength and arm, and their contrasts."""

import pandas as pd

from headcount.publish.columns import TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import ITEMS, TASK, estimate
from headcount.publish.screen_cells import MODEL, SOURCE, below, rate, wide
from headcount.schema import SCREENS

PAPER = ""
QUESTION = "ledger"
NEEDS = ("probes",)
READS = ("screens",)
PUBLISHED = ("ledger/sa_ratio_models",)

STRENGTHS = {"weak": "weak", "moderate": "moderate", "strong": "strong", "very_strong": "very strong"}
ARMS = ("solo", "social")
_CONTRASTS = ("s_soc", "s_arg", "sa_of_means", "sa_mean_of_items", "sa_log")
_PROMPTS = ("alpha_tot", "alpha_tot_anti_social", "alpha_tot_anti_argument")
_PRINTED = {"s_soc": "s_soc", "s_arg": "s_arg", "sa_orig": "sa_of_means", "sa_log": "sa_log"}

SPEC = TableSpec(
    name="screen_channels",
    groups=("source",),
    caption=(
        "Flip rates by the strength of the argument, and by whether the probe says that two of three agents hold the "
        "other answer. Company adds s_soc, the strongest over the weakest argument s_arg; S/A is the share of company "
        "in both. The paper says that it averages S/A over questions, and its table has the ratio of mean contrasts: "
        "both are here. Where both contrasts are near 0, S/A is noise. Models are told to weigh logic alone, or that a "
        "consensus is strong evidence, in the last two columns."
    ),
    columns=(
        SOURCE,
        MODEL,
        TASK,
        estimate("s_soc", "s_soc", "flip rate of social probes minus that of solo ones, mean over rows", 3),
        estimate("s_arg", "s_arg", "flip rate of very strong probes minus that of weak ones, mean over rows", 3),
        estimate("sa_of_means", "S/A", "s_soc / (|s_soc| + |s_arg| + 0.001) of the means", 3),
        estimate("sa_mean_of_items", "S/A, by question", "mean of the questions' own S/A", 3, show="present"),
        estimate("sa_log", "log ratio", "natural log of s_soc over s_arg, each at least 0, plus 0.001", 2),
        *(
            rate(f"alpha_{strength}_{arm}", f"{word}, {arm}", "flip rate of these probes, pooled")
            for arm in ARMS
            for strength, word in STRENGTHS.items()
        ),
        rate("alpha_tot", "default prompt", "flip rate under that system prompt"),
        rate("alpha_tot_anti_social", "weigh logic alone", "flip rate under that system prompt"),
        rate("alpha_tot_anti_argument", "trust a consensus", "flip rate under that system prompt"),
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return screen_channels(inputs.read(SCREENS), *(inputs.printed(name) for name in PUBLISHED))


def screen_channels(screens: pd.DataFrame, ratios: pd.DataFrame) -> pd.DataFrame:
    """One row a model and task, then the paper's models.

    Args:
        screens: rows of SCREENS.
        ratios: sa_ratio_models.csv, as printed.
    """
    kinds = [f"alpha_{strength}_{arm}" for arm in ARMS for strength in STRENGTHS]
    rows = wide(screens, [*_CONTRASTS, *kinds, *_PROMPTS])
    paper = ratios[["model"]].join(ratios[list(_PRINTED)].astype(float).rename(columns=_PRINTED))
    return below(rows, paper.assign(source="paper", task="", simulated=False))[SPEC.fields]

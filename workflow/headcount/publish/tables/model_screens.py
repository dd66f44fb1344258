"""How readily does a model leave its answer when somebody argues? The flip rate of every model, by every definition."""

import pandas as pd

from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.ledger_cells import point
from headcount.publish.parts import ITEMS, TASK, share
from headcount.publish.screen_cells import ALPHA, MODEL, SOURCE, below, rate, wide
from headcount.schema import SCREENS

PAPER = ""
QUESTION = "ledger"
NEEDS = ("probes",)
READS = ("screens",)
PUBLISHED = ("ledger/alpha_split_per_model", "ledger/n14_rows")

_QUANTITIES = (
    *("alpha_tot", "alpha_adv", "alpha_cor", "alpha_neutral"),
    *("alpha_tot_arms", "alpha_adv_arms", "alpha_cor_arms", "alpha_tot_conditions"),
)
_READINGS = ("no_flip", "flip")
_ARMS = "the paper's for nine models: mean of the rates of the solo and of the social probes"

SPEC = TableSpec(
    name="model_screens",
    groups=("source",),
    caption=(
        "How often a model leaves its answer when eight probes argue for another one: four strengths of argument, each "
        "with and without the word that two of three agents hold it (arXiv 2609.35279; texts our own). The paper calls "
        "several quantities by one name; ours is the first column, and its two stand beside it. Replies to probes "
        "without an answer are dropped, or read as no flip, or as a flip: where the three differ, the parser decides. "
        "The paper's rows are of other models on other questions, by its own definitions, which stand in the columns "
        "named so; its probes could argue for the right answer, ours never do, so fewer of ours correct. On high-flip "
        "questions rates are too high: where an agent's first answer comes again, so does the probe that chose the "
        "question. Intervals draw questions anew, each with all its agents."
    ),
    columns=(
        SOURCE,
        MODEL,
        TASK,
        rate("alpha_tot", "flip rate", ALPHA),
        rate("alpha_adv", "adversarial", "flips away from a right first answer, of probes of right ones"),
        rate("alpha_cor", "corrective", "flips to the right answer, of probes of wrong first answers"),
        rate("alpha_neutral", "neutral", "flips to another wrong answer, of probes of wrong first answers"),
        Column("alpha_tot_no_flip", "none = no flip", "the flip rate by that reading", 4, 1, percent=True),
        Column("alpha_tot_flip", "none = flip", "the flip rate by that reading", 4, 1, percent=True),
        share("alpha_tot_arms", "flip rate, arms", _ARMS),
        rate("alpha_adv_arms", "adversarial, arms", _ARMS),
        rate("alpha_cor_arms", "corrective, arms", _ARMS),
        rate(
            "alpha_tot_conditions",
            "flip rate, all prompts",
            "the paper's for later models: over all system prompts, no answer read as no flip",
        ),
        point("unparsed", "no answer", "replies to probes"),
        point(
            "unread",
            "not probed",
            "agents whose first answer could not be read, or left no other wrong option: they might flip otherwise",
        ),
        Column("rows", "agents × questions", "probed, with the default system prompt", decimals=0, show="present"),
        Column("probes", "probes", "that count, with the default system prompt", decimals=0, show="present"),
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return model_screens(inputs.read(SCREENS), *(inputs.printed(name) for name in PUBLISHED))


def model_screens(screens: pd.DataFrame, split: pd.DataFrame, n14: pd.DataFrame) -> pd.DataFrame:
    """One row a model and task, then the paper's models.

    Args:
        screens: rows of SCREENS.
        split: alpha_split_per_model.csv, as printed.
        n14: n14_rows.csv, as printed.
    """
    rows = wide(screens, _QUANTITIES)
    for reading in _READINGS:
        own = wide(screens, ["alpha_tot"], reading)[["model", "task", "alpha_tot"]]
        rows = rows.merge(own.rename(columns={"alpha_tot": f"alpha_tot_{reading}"}), on=["model", "task"], how="left")
    return below(rows, published(split, n14))[SPEC.fields]


def published(split: pd.DataFrame, n14: pd.DataFrame) -> pd.DataFrame:
    """The paper's models, each in the columns of the definition that it was measured by."""
    arms = split[["model"]].copy()
    for ours, theirs in (("alpha_tot", "alpha"), ("alpha_adv", "alpha_adv"), ("alpha_cor", "alpha_cor")):
        arms[f"{ours}_arms"] = (split[f"{theirs}_solo"].astype(float) + split[f"{theirs}_social"].astype(float)) / 2
    known = arms["model"].str.lower().str.replace(" ", "-")
    later = n14[~n14["model"].isin(known)]
    rest = later[["model"]].assign(alpha_tot_conditions=later["alpha_tot"].astype(float))
    return pd.concat([arms, rest], ignore_index=True).assign(source="paper", task="", simulated=False)

"""Can a pilot predict? What Ringelmann's law is worth at sizes and on items that it has not seen."""

import pandas as pd

from headcount.publish.cells import CELL, FORETOLD, SERIES, headline
from headcount.publish.columns import Column, TableSpec
from headcount.publish.inputs import Inputs
from headcount.publish.parts import CONDITION, FLAGGED, ITEMS, ROUND, TASK, TEAM, estimate, share
from headcount.publish.words import CONDITIONS, LAWS, LEVELS, SUBSETS
from headcount.schema import RIVALS, SKILLS

PAPER = ""
QUESTION = "pilot"
NEEDS = ("held_out",)
READS = ("rivals", "skills")
PUBLISHED = ()

LAW = "ringelmann_free"


def _error(field: str, heading: str, meaning: str) -> Column:
    return Column(field, heading, meaning, 4, 1, percent=True)


def _skill(reference: str, heading: str, meaning: str) -> Column:
    return Column(f"skill_{reference}", heading, f"against {meaning}", 4, 2)


def _best(field: str, heading: str, meaning: str) -> Column:
    return Column(f"best_by_{field}", heading, f"of nine forms, that with the lowest {meaning}", words=LAWS)


SPEC = TableSpec(
    name="law_skill",
    groups=("team", "task"),
    caption=(
        "What Ringelmann's law with β unbounded is worth. Fitted to a pilot of small teams, it predicts the larger "
        "ones: skill 1 is exact, 0 no better than the reference, below 0 worse, by squared errors of ln N_eff. The "
        "item split fits half of the items and predicts the other half; what the halves differ by is what no law can "
        "be asked to beat. Fitted to all sizes, Q tests whether it is the law, given how items scatter. R² says "
        "nothing of this: the curve 1/N alone reaches .98 on teams with c = .85, and fits that miss N_eff(30) by 22 "
        "to 30 % still have .994."
    ),
    columns=(
        TEAM,
        TASK,
        CONDITION,
        Column("level", "level", "what is counted: answers, or pairs that agree", words=LEVELS),
        _skill("kish_two", "skill", "a constant correlation, that of the pilot's smallest size"),
        share("error_largest", "error at the largest", "(predicted − seen) / seen at the largest size, same items"),
        _error("other_half_error_largest", "item split", "its absolute value on the other half; median of the splits"),
        _error("halves_error_largest", "halves differ", "the same between the halves as seen"),
        Column("q", "Q", "misfit over all sizes, in the metric of the items' covariance", 4, 1),
        Column("q_p", "p", "of Q if the law holds, by Hotelling's F", 4, 3),
        estimate("n_eff_30", "N_eff(30)", "effective size of a team of thirty, of the law fitted to all sizes"),
        estimate("rho_10", "ρ(10)", "correlation in a team of ten, of the law fitted to all sizes"),
        _skill("null_a", "against no talk", "the first answers of the same agents"),
        _skill("carried", "against no growth", "the effective size of the pilot's largest teams"),
        _best("q", "best by Q", "Q + 2 × parameters, over all sizes"),
        _best("left_out", "best left out", "error at sizes left out, over all sizes"),
        FLAGGED,
        _error("same_half_error_largest", "same half", "as the item split, on the half that was fitted"),
        _error("error", "mean error", "mean |predicted − seen| / seen over held-out sizes, same items"),
        _error("same_half_error", "mean error, same half", "the same on the half that was fitted"),
        _error("other_half_error", "mean error, item split", "the same on the other half"),
        _error("halves_error", "mean difference of halves", "the same between the halves as seen"),
        Column("rmse", "RMSE", "of the effective size over held-out sizes, in agents, same items", 4, 2),
        Column("same_half_rmse", "RMSE, same half", "the same on the half that was fitted", 4, 2),
        Column("other_half_rmse", "RMSE, item split", "the same on the other half", 4, 2),
        Column("halves_rmse", "RMSE of halves", "the same between the halves as seen", 4, 2),
        _error("left_out_error", "error left out", "mean |error| as each size is left out in turn, all sizes"),
        Column("q_df", "df", "sizes less parameters that are free", 0),
        Column("pilot", "pilot sizes", "fitted", show="varying"),
        Column("held_out", "held-out sizes", "predicted", show="varying"),
        Column("subsets", "teams", "whose numbers these are", words=SUBSETS, show="varying"),
        ROUND,
        ITEMS,
    ),
)


def make(inputs: Inputs) -> pd.DataFrame:
    return law_skill(inputs.read(RIVALS), inputs.read(SKILLS))


def law_skill(rivals: pd.DataFrame, skills: pd.DataFrame) -> pd.DataFrame:
    """Two rows a cell that holds out a size: answers of the teams as asked, and agreement, steadied by round 1.

    Args:
        rivals: rows of RIVALS.
        skills: rows of SKILLS.
    """
    chosen = pd.concat([headline(rivals, LAW), headline(rivals, LAW, "pooled_agreement", FORETOLD)])
    key = [*SERIES, "level", "law"]
    rows = chosen.drop(columns="simulated").merge(skills, on=key, suffixes=("", "_pilot"))
    rows["flags"] = [sorted({*whole, *pilot}) for whole, pilot in zip(rows["flags"], rows["flags_pilot"], strict=True)]
    rows = rows.assign(_condition=rows["condition"].map(list(CONDITIONS).index))
    return rows.sort_values([*CELL[:2], "_condition", "level"], ignore_index=True)[SPEC.fields]

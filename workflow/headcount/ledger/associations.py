"""The screen against collapse over models and over families of models, with every p-value that can be exact made so."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from headcount.ledger.families import by_family
from headcount.ledger.partials import rank_partial, rank_partial_test
from headcount.ledger.permutations import DRAWS
from headcount.ledger.ranks import bonett_wright_interval, fisher_interval
from headcount.measures.arrays import FloatArray

LEVELS = ("family_mean", "family_median", "model")


@dataclass(frozen=True)
class Question:
    """Which two columns are associated, at which level, with which others held fixed, and who is left out.

    Attributes:
        level: one of LEVELS; families are primary, as rows of related models are not independent.
        controls: columns.
        left_out: who is; "" for nobody.
        leaving: whether that is a family or a model: the two may have one name.
    """

    level: str
    controls: tuple[str, ...] = ()
    left_out: str = ""
    leaving: Literal["family", "model"] = "family"


def associations(
    rows: pd.DataFrame, x: str, y: str, questions: Sequence[Question], rng: np.random.Generator, draws: int = DRAWS
) -> pd.DataFrame:
    """Spearman's correlation, or the rank partial, for each question.

    Args:
        rows: one a model: `model`, `family`, x, y and controls, finite.
        x, y: columns, such as `alpha` and the collapse rate.
        questions: see `Question`; `leave_outs` makes those of every family and model.
        rng, draws: random permutations beyond nine rows.

    Returns:
        one row a question: `level`, `x`, `y`, `controls`, `leaving` ("" if nobody is left out), `left_out`, `n`, `rho`,
        `df`, `p_t`; `arrangements`, `as_extreme`, `as_directed` and `exact` of the permutation test and its
        `p_two_sided` and `p_one_sided`; `fisher_low`, `fisher_high`, `bonett_wright_low`, `bonett_wright_high`. With
        controls the permutation p is no exact conditional test, however many arrangements it counts
        (`partials.rank_partial_test`). NaN where a column is constant or rows are too few.
    """
    return pd.DataFrame([_answer(rows, x, y, question, rng, draws) for question in questions])


def leave_outs(rows: pd.DataFrame, level: str, controls: tuple[str, ...] = ()) -> list[Question]:
    """One question without each family, and one without each model. Their range is no interval.

    At the level of families a model that is all of its family is left out once, as the family.

    Args:
        rows: one a model: `model`, `family`.
        level: one of LEVELS.
        controls: of all the questions.
    """
    of_family = rows["family"].map(rows["family"].value_counts())
    models = rows["model"] if level == "model" else rows.loc[of_family > 1, "model"]
    families = [Question(level, controls, str(name)) for name in sorted(rows["family"].unique())]
    return [*families, *(Question(level, controls, str(name), "model") for name in models)]


def _answer(
    rows: pd.DataFrame, x: str, y: str, question: Question, rng: np.random.Generator, draws: int
) -> dict[str, object]:
    one, other, *controls = _columns(rows, [x, y, *question.controls], question)
    found, test = rank_partial(one, other, controls), rank_partial_test(one, other, controls, rng, draws=draws)
    ends = [interval(found.rho, one.size, len(controls)) for interval in (fisher_interval, bonett_wright_interval)]
    return {
        **{"level": question.level, "x": x, "y": y, "controls": " + ".join(question.controls)},
        **{
            "leaving": question.leaving if question.left_out else "",
            "left_out": question.left_out,
            "n": one.size,
            "rho": found.rho,
            "df": found.df,
            "p_t": found.p_t,
        },
        **{"arrangements": test.arrangements, "as_extreme": test.as_extreme, "as_directed": test.as_directed},
        **{"exact": test.exact, "p_two_sided": test.p_two_sided, "p_one_sided": test.p_one_sided},
        **{"fisher_low": ends[0][0], "fisher_high": ends[0][1]},
        **{"bonett_wright_low": ends[1][0], "bonett_wright_high": ends[1][1]},
    }


def _columns(rows: pd.DataFrame, names: list[str], question: Question) -> list[FloatArray]:
    kept = rows[rows[question.leaving] != question.left_out]
    if question.level != "model":
        kept = by_family(kept, names, "median" if question.level == "family_median" else "mean")
    return [kept[name].to_numpy(dtype=np.float64) for name in names]

"""What the screens of a run say about its collapses: every association that is reported, cohort by cohort."""

from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from headcount.config import Fitting
from headcount.ledger.associations import LEVELS, Question, associations, leave_outs
from headcount.ledger.families import family_bootstrap
from headcount.ledger.measurement_noise import measurement_noise
from headcount.ledger.permutations import DRAWS, EXACT_UP_TO, TOLERANCE
from headcount.schema import ASSOCIATIONS
from headcount.schema.screens import COHORT, SCREEN_MEASURES
from headcount.seeds import seed64

RIVALS = ("initial_accuracy", "correction", "revision", "final_accuracy", "raw_collapse")  # of the screen, in the paper
CONTROLS = (
    ("initial_accuracy",),
    ("revision",),
    ("initial_accuracy", "revision"),
    ("initial_accuracy", "final_accuracy"),
    ("initial_accuracy", "final_accuracy", "revision"),
)
_KEYS = {"x": "predictor", "y": "outcome", "n": "units"}
_NOISE = ("noise_median", "noise_low", "noise_high", "families_low", "families_high", "families_share")
_TESTED = ("rho", "df", "p_t", "as_extreme", "as_directed", "arrangements", "exact", "p_two_sided", "p_one_sided")
_NARROW = 2  # probed questions of which one is debated, where screen and collapse hardly share any


@dataclass(frozen=True)
class Pair:
    """Two columns that are set against each other, and how."""

    predictor: str
    outcome: str
    questions: tuple[Question, ...]


def screen_associations(rows: pd.DataFrame, fitting: Fitting, draws: int = DRAWS) -> pd.DataFrame:
    """Every association of every cohort.

    Args:
        rows: rows of `schema.MODEL_ROWS`.
        fitting: coverage, and the seed of what is drawn.
        draws: random arrangements, where there are too many rows for all.

    Returns:
        rows of `schema.ASSOCIATIONS`. Without a value where there are too few models: `flags` say so.
    """
    frames = []
    for key, cohort in rows.groupby(list(COHORT), observed=True):
        about: dict[str, Any] = dict(zip(COHORT, key, strict=True))
        frames += [_answers(cohort, pair, fitting, draws).assign(**about) for pair in pairs(cohort)]
    nothing = pd.DataFrame(columns=ASSOCIATIONS.schema.names).astype(object)
    return pd.concat([nothing, *frames], ignore_index=True)


def pairs(cohort: pd.DataFrame) -> list[Pair]:
    """What is asked of a cohort: the screen against collapse in every way, and what rivals it.

    Args:
        cohort: rows of `schema.MODEL_ROWS` of one cohort.
    """
    main = [*(Question(level) for level in LEVELS), *_given(CONTROLS)]
    known = cohort.dropna(subset=["alpha_tot", "collapse", "initial_accuracy"])
    if len(known) > 2:  # else nobody can be left out
        main += [*leave_outs(known, "family_mean"), *leave_outs(known, "model")]
        main += leave_outs(known, "family_mean", CONTROLS[0])
    plain = tuple(Question(level) for level in ("family_mean", "model"))
    others = (*SCREEN_MEASURES[1:], *RIVALS)
    return [
        Pair("alpha_tot", "collapse", tuple(main)),
        *(Pair(name, "collapse", plain) for name in others),
        *(Pair(name, "correction", plain) for name in ("alpha_tot", "alpha_cor")),
    ]


def _given(controls: tuple[tuple[str, ...], ...]) -> Iterator[Question]:
    for level in ("family_mean", "model"):
        yield from (Question(level, some) for some in controls)


def _answers(cohort: pd.DataFrame, pair: Pair, fitting: Fitting, draws: int) -> pd.DataFrame:
    key = tuple(cohort.iloc[0][list(COHORT)])
    rng = np.random.default_rng(seed64(fitting.seed, "associations", *key, pair.predictor, pair.outcome))
    return pd.DataFrame([_answer(cohort, pair, question, rng, fitting, draws) for question in pair.questions])


def _answer(
    cohort: pd.DataFrame, pair: Pair, question: Question, rng: np.random.Generator, fitting: Fitting, draws: int
) -> dict[Hashable, Any]:
    rows = cohort.dropna(subset=[pair.predictor, pair.outcome, *question.controls])
    here = rows[rows[question.leaving] != question.left_out]
    units = len(here) if question.level == "model" else here["family"].nunique()
    flags = _flags(cohort, rows, units, question)
    found: dict[Hashable, Any] = {
        **{"level": question.level, "x": pair.predictor, "y": pair.outcome, "n": units},
        **{"controls": " + ".join(question.controls), "left_out": question.left_out},
        "leaving": question.leaving if question.left_out else "",
    }
    if "too_few" not in flags:
        found = associations(rows, pair.predictor, pair.outcome, [question], rng, draws).to_dict("records")[0]
        if np.isnan(found["rho"]):
            found |= dict.fromkeys(_TESTED)
            flags.append("nothing_left")
        elif abs(found["rho"]) > 1 - TOLERANCE:  # t is infinite, and says nothing of how few rows there are
            found |= {"p_t": None}
    blank = dict.fromkeys(name for name in ASSOCIATIONS.schema.names if name not in (*COHORT, *_KEYS.values()))
    about = {"models": len(here), "flags": flags, "simulated": bool(here["simulated"].any())}
    noise = _noise(here, rng, fitting) if _is_headline(pair, question) and "too_few" not in flags else {}
    return blank | {_KEYS.get(str(name), name): value for name, value in found.items()} | about | noise


def _flags(cohort: pd.DataFrame, rows: pd.DataFrame, units: int, question: Question) -> list[str]:
    few = units < 3 + len(question.controls)
    raised = {
        "too_few": few,
        "out_of_reach": not few and units < 5,  # 2 / 4! is above .05
        "sampled": not few and units > EXACT_UP_TO,
        "not_conditional": not few and bool(question.controls),
        "related_rows": not few and question.level == "model" and bool(rows["family"].duplicated().any()),
        "without_value": len(rows) < len(cohort),
        "other_questions": bool((_NARROW * rows["items_both"] < rows["items_probed"]).any()),
    }
    return [name for name, is_so in raised.items() if is_so]


def _is_headline(pair: Pair, question: Question) -> bool:
    return (pair.predictor, pair.outcome, question) == ("alpha_tot", "collapse", Question("model"))


def _noise(rows: pd.DataFrame, rng: np.random.Generator, fitting: Fitting) -> dict[str, float]:
    """Noise in both measurements, and families drawn anew: two ways in which the correlation of models is unsure."""
    alpha, probes = (rows[name].to_numpy(dtype=np.float64) for name in ("alpha_tot", "probes"))
    k, n = (rows[name].to_numpy(dtype=np.int64) for name in ("collapses", "initially_correct"))
    noisy = measurement_noise(alpha, probes, k, n, rng, confidence=fitting.confidence)
    drawn = family_bootstrap(rows, "alpha_tot", "collapse", rng, confidence=fitting.confidence)
    return dict(zip(_NOISE, (noisy.median, noisy.low, noisy.high, *drawn), strict=True))

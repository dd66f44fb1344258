"""What docs/calibration.md claims: its tables are made of the tracked studies, its sentences counted from them."""

from functools import cache

import numpy as np
import pandas as pd
from computed import coverage_counts, ends, study
from pages import Document
from scipy.stats import skew

from headcount.calibration import coverage as coverage_study
from headcount.calibration import parameters
from headcount.calibration.datasets import COLUMNS, SIZES, draw
from headcount.calibration.truths import ITEMS, POPULATIONS
from headcount.config import Calibration
from headcount.laws.audit import PILOT
from headcount.laws.cells import FEW_ITEMS
from headcount.laws.estimate import LAWS
from headcount.laws.settings import FitSettings
from headcount.publish.calibration_tables import tables

CALIBRATION = Document("docs/calibration.md")
LEVEL = FitSettings().confidence
LAWFUL = [population for population in POPULATIONS.values() if population.kind == "law"]
BOUND = "open_c90_b100"


@cache
def rendered() -> list[str]:
    return list(tables({name: study(name) for name in ("coverage", "excess", "theorem", "pilots")}))


for place, text in enumerate(rendered()):
    CALIBRATION.shows(text.splitlines()[0], lambda place=place: rendered()[place])


def covered(offer: str = "jackknife_t", **where: object) -> pd.DataFrame:
    """Rows of the study of coverage."""
    rows = study("coverage")
    for name, value in {"offer": offer, **where}.items():
        rows = rows[rows[name] == value]
    return rows


def pooled(offer: str, parameter: str, items: int) -> "pd.Series[float]":
    rows = covered(offer, parameter=parameter, items=items)
    return rows[rows["level"].isin(["pooled_agreement", "accuracy"])].set_index("population")["coverage"]


# What was tried

CALIBRATION.says("{} populations answer choices of four", lambda: [coverage_counts()[0]])
CALIBRATION.says("{} obey the law exactly", lambda: [len(LAWFUL)])
CALIBRATION.says("{} obey no law:", lambda: [len(POPULATIONS) - len(LAWFUL)])


@CALIBRATION.says("bound of {}, below it ({}, {}), off it ({}, {}) and on the upper bound of {}, and c from {} to {}.")
def grid():
    betas = sorted({population.beta for population in LAWFUL})
    c = [population.c for population in LAWFUL]
    low, zero, off, bound = betas[:2][::-1], betas[2], betas[3:5], betas[5]
    return [zero, *low, *off, bound, min(c), max(c)]


@CALIBRATION.says("fitted to their own curve, from {} items")
def truth_items():
    *_, items = parameters.truth.__defaults__
    return [items]


CALIBRATION.says("Teams have {}, {}, {}, {}, {}, {}, {} and {} agents", lambda: [int(n) for n in SIZES])
CALIBRATION.says("a data set has {}, {} or {} items", lambda: ITEMS)


@CALIBRATION.says(
    "{} data sets a population and number of items (the full study takes {}), {} of them bootstrapped too: the Monte "
    "Carlo error of a coverage of {} is {} points, that of the bootstraps {}."
)
def data_sets():
    (jackknifed,), (resampled,) = (covered(offer)["data_sets"].unique() for offer in ("jackknife_t", "percentile_free"))
    errors = [100 * float(np.sqrt(LEVEL * (1 - LEVEL) / sets)) for sets in (jackknifed, resampled)]
    return [int(jackknifed), Calibration().data_sets, int(resampled), LEVEL, *errors]


CALIBRATION.says("Student's t and at most {} groups", lambda: [coverage_study.GROUPS])

# Coverage

CALIBRATION.says("## Coverage of {} % intervals", lambda: [100 * LEVEL])


@CALIBRATION.says("How many of the {} numbers ({} populations, {} parameters)")
def numbers():
    count, of_all, *_ = coverage_counts()
    return [of_all, count, len(parameters.PARAMETERS)]


@CALIBRATION.says("**The default holds at {} and {} items**: every parameter covers {} to {} on average")
def default_holds():
    rows = covered()
    means = rows[rows["items"] > ITEMS[0]].groupby(["items", "level", "parameter"])["coverage"].mean()
    return [*ITEMS[1:], *ends(means)]


CALIBRATION.says("in the cells below. At {} items all have one cause", lambda: [ITEMS[0]])


@CALIBRATION.says("Where {} % of all pairs agree, one or two of {} items")
def nearly_all_agree():
    easy, items = POPULATIONS["easy_c95_b0"], ITEMS[0]
    assert 1 < items * (1 - easy.c) < 2
    assert (
        0.27 < covered("jackknife_t_plain", population="easy_c95_b0", parameter="n_eff_2")["of_no_width"].max() < 0.33
    )
    return [100 * easy.c, items]


CALIBRATION.says("a pilot of {}, {} and {} should not be extrapolated from {} items", lambda: [*PILOT, ITEMS[0]])
CALIBRATION.says("Fits from fewer than {} items are flagged", lambda: [FEW_ITEMS])


@CALIBRATION.says("At {} items {} fails, the mean of 2ᴴ of free-form conformers at N = {}:")
def fails():
    return [ITEMS[1], coverage_counts()[2][ITEMS[1]], SIZES[-1]]


@CALIBRATION.says("a few in thirty different ones (skewness {})")
def skewness():
    drawn = draw(POPULATIONS["free_conforming"], 1, 50_000, np.random.default_rng(1))
    hill = drawn[0, :, COLUMNS.index(f"n_eff_answer_{SIZES[-1]}")]
    return [lambda said: abs(said - skew(hill)) < 1.5]


@CALIBRATION.says("At {} items its coverage is {}.")
def still_short():
    rows = covered(population="free_conforming", level="answer", parameter="n_eff_30", items=ITEMS[2])
    return [ITEMS[2], rows["coverage"].item()]


# What was changed

AGREEING = ["easy_c95_b0", "open_c06_b0"]


@CALIBRATION.says("covers N_eff({}) in {} and {} of data sets where nearly all or hardly any agents agree")
def without_scales():
    return [2, *pooled("jackknife_t_plain", "n_eff_2", ITEMS[0])[AGREEING]]


@CALIBRATION.says("its interval has no width in {} and {} of them")
def without_width():
    rows = covered("jackknife_t_plain", level="pooled_agreement", parameter="n_eff_2", items=ITEMS[0])
    return rows.set_index("population").loc[AGREEING, "of_no_width"].tolist()


@CALIBRATION.says(
    "On their own scales these cover {} and more, accuracy rises from {} to {}, and nothing changes at {} items"
)
def with_scales():
    mean = [pooled(offer, "team_accuracy_10", ITEMS[0]).mean() for offer in ("jackknife_t_plain", "jackknife_t")]
    return [pooled("jackknife_t", "n_eff_2", ITEMS[0])[AGREEING].min(), *mean, ITEMS[1]]


@CALIBRATION.says("who conform in large teams only have β = {}, and")
def conformers():
    rows = covered(population="free_conforming", level="pooled_agreement", parameter="beta")
    return [float(rows["truth"].mean())]


CALIBRATION.says("It is free from {} on now", lambda: [LAWS["ringelmann_free"][0]])

# The others


@CALIBRATION.says("The paper's interval (percentiles, β ≥ {}) never holds a β below {}, at any")
def never_holds():
    rows = covered("percentile_bounded", parameter="beta")
    assert (rows[rows["truth"] < -1e-6]["coverage"] == 0).all()
    return [LAWS["ringelmann"][0], 0]


@CALIBRATION.says("close to the default at {} items and more, for three times the fits, and fall short at {};")
def close_to_the_default():
    def gap(offer, items):
        return covered(items=items)["coverage"].mean() - covered(offer, items=items)["coverage"].mean()

    offers = ("percentile_free", "bca_free")
    assert all(gap(offer, items) < 0.012 for offer in offers for items in ITEMS[1:])
    assert all(gap(offer, ITEMS[0]) > 0.025 for offer in offers)
    return [ITEMS[1], ITEMS[0]]


@CALIBRATION.says("The basic bootstrap is worst at {}.")
def basic_is_worst():
    free = study("coverage").query(f"items == {ITEMS[0]} and offer not in ['percentile_bounded', 'wilson']")
    assert free.groupby("offer")["coverage"].mean().idxmin() == "basic_free"
    return [ITEMS[0]]


@CALIBRATION.says(
    "the largest of {} populations, and those above {} are of the population whose β is on its bound of {},"
)
def bias():
    rows = covered()
    relative = (rows["bias"].abs() / rows["rmse"]).groupby(rows["population"]).max()
    others = relative.drop(BOUND).max()
    assert relative[BOUND] > others
    return [len(relative), others, POPULATIONS[BOUND].beta]


# No claims

CALIBRATION.leaves(r"N\^−β|1 − \(1 − ρ₀\)\(1 − α₁\)\^kτ", "formulae")
CALIBRATION.leaves(r"In a first run β was free from −1 on", "a run whose bounds are gone")
CALIBRATION.leaves(r"held it in \.6 \(24 items\) and \.8 \(200 items\) of data sets", "the same, seen then")

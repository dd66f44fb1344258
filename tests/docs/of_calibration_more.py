"""What docs/calibration.md claims of the excess over nulls, of the theorem and of pilots."""

import numpy as np
import pandas as pd
from computed import ends, study
from of_calibration import CALIBRATION, LEVEL

from headcount.calibration import excess as excess_study
from headcount.calibration import pilots
from headcount.calibration.truths import ITEMS
from headcount.laws.audit import PILOT

# Excess


@CALIBRATION.says(
    "(sizes {}, {}, {}) holds {}: about {} is right where there is nothing, {} where there is something. {} data"
)
def excess_is_zero():
    (sets,) = study("excess")["data_sets"].unique()
    return [*excess_study.AT, 0, LEVEL, 0, int(sets)]


CALIBRATION.says("as often as an interval of {} % should say", lambda: [100 * LEVEL])


def holding_zero(kind: str, *names: str) -> pd.DataFrame:
    rows = study("excess")
    named = rows["parameter"].isin(names) if names else ~rows["parameter"].isin(["dc", "dbeta"])
    return rows[rows["population"].str.endswith(kind) & named]


@CALIBRATION.says("never pass for independent with {} items or more. With {} they may")
def conformers_pass():
    most = holding_zero("conforming").groupby("items")["holds_zero"].max()
    assert most[ITEMS[0]] > 0.2
    return [int(most.index[most == 0].min()), ITEMS[0]]


@CALIBRATION.says(
    "with {} choices dβ holds {} for conformers in nearly every data set, and dc of free-form conformers in two of "
    "three with {},"
)
def differences():
    rows = holding_zero("conforming", "dc", "dbeta").set_index(["population", "parameter", "items"])["holds_zero"]
    assert (rows["choices_conforming", "dbeta", ITEMS[0]] > 0.95).all()
    assert (abs(rows["free_conforming", "dc", ITEMS[1]] - 2 / 3) < 0.02).all()
    return [ITEMS[0], 0, ITEMS[1]]


# The theorem


@CALIBRATION.says("after kτ = {} updates (two answers, α₁ = {}; least and most over k = {}, {}, {}, {})")
def of_the_theorem():
    rows = study("theorem")
    return [
        *(int(one) for one in (rows["k"] * rows["tau"]).unique()),
        *(float(one) for one in rows["alpha_1"].unique()),
        *(int(one) for one in sorted(rows["k"].unique())),
    ]


def kept(off: float) -> pd.DataFrame:
    """Processes that keep all assumptions, with two answers, from a share off the mode."""
    rows = study("theorem").query("breaks == 'nothing' and agreement_off == 1")
    return rows[np.isclose(rows["off_mode"], off)]


@CALIBRATION.says(
    "With {} % off the mode it is right to {}, with {} % to {}, with {} % it says {} where {} to {} is true."
)
def first_order():
    far = kept(0.3)
    near = [part for off in (0.05, 0.1) for part in (round(100 * off), float(kept(off)["error"].max()))]
    return [*near, 30, float(far["formula"].iloc[0]), *ends(far["exact"])]


@CALIBRATION.says("at {} % off the mode, agreement differs by {} between k = {} and k = {}.")
def product_of_both():
    exact = kept(0.3).set_index("k")["exact"]
    ends = [int(exact.idxmin()), int(exact.idxmax())]
    return [30, float(exact.max() - exact.min()), min(ends), max(ends)]


def moved_by(breaks: str, off: float | None = None) -> "pd.Series[float]":
    """How far a broken assumption moves the exact agreement."""
    key = ["off_mode", "agreement_off", "k", "tau"]
    whole = study("theorem").query("breaks == 'nothing'").set_index(key)["exact"]
    rows = study("theorem").query(f"breaks == '{breaks}'")
    rows = rows if off is None else rows[rows["leak"] == off]
    return whole[pd.MultiIndex.from_frame(rows[key])].to_numpy() - rows["exact"]


@CALIBRATION.says("change nearly nothing (less than {})")
def small_teams():
    most = max(moved_by(breaks).abs().max() for breaks in ("small team", "no replacement"))
    return [lambda said: 0.75 * said < most < said]


@CALIBRATION.says("ρ falls by up to {} from its {},")
def leaks():
    return [float(moved_by("leak", 0.01).max()), float(study("theorem")["rho_0"].max())]


# Pilots


@CALIBRATION.says(
    "A pilot of teams of {}, {} and {} foretells a debate of {} agents (`snakemake pilot`): {} populations a number"
)
def pilots_tried():
    return [*PILOT, pilots.TARGET, *(int(cases) for cases in study("pilots")["cases"].unique())]


CALIBRATION.says("half widths are those of {} % intervals", lambda: [100 * pilots.CONFIDENCE])


@CALIBRATION.says("with the items' alone they would hold {} of teams at {} items")
def items_alone():
    assert study("pilots").query("group == 'talk' and pilot == '2;3;5'")["covered"].min() >= 0.94
    return [talking("2;3;5", 1000)["covered_items_alone"]["pooled_agreement"], 1000]


def talking(sizes: str, items: int) -> pd.DataFrame:
    rows = study("pilots")
    return rows[(rows["group"] == "talk") & (rows["pilot"] == sizes) & (rows["items"] == items)].set_index("level")


@CALIBRATION.says("{}, {} and {} agents foretell {} as well from {} items as {}, {} and {} from {}.")
def larger_teams():
    ratio = talking("2;5;10", 100)["error"] / talking("2;3;5", 1000)["error"]
    assert (ratio < 1.1).all()
    return [2, 5, 10, pilots.TARGET, 100, *PILOT, 1000]

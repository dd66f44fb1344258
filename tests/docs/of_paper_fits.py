"""What docs/paper.md says that fits to the paper's printed numbers give."""

from itertools import product

import numpy as np
from computed import paper_table

from headcount.laws.alternatives import fit_logistic, fit_power
from headcount.laws.estimate import fit_kish, fit_ringelmann
from headcount.laws.forms import logistic, power, ringelmann
from headcount.laws.humans import fit_human_groups
from headcount.laws.projection import project

ROUNDED = 0.005  # a half of the last of two places
THREE = {"power": (fit_power, power), "logistic": (fit_logistic, logistic)}


def worked(sizes: list[int]) -> list[float]:
    """R of the worked example at sizes, from its printed c and beta."""
    scalars = paper_table("prose_scalars").set_index("name")["value"]
    c, beta = (float(scalars[f"k1_example_{name}"]) for name in ("c", "beta"))
    return [float(one) for one in ringelmann(np.array(sizes), c, beta)]


def continued(law: str, on_r: bool) -> float:
    """Mean relative error at the held-out sizes of a law fitted to 2, 3 and 5 of the nine printed curves of Qwen."""
    fit, form = THREE[law]
    pilot, held_out = np.array([2.0, 3, 5]), np.array([7.0, 10, 15, 20, 30])
    rows = paper_table("table01_regimes")
    errors = []
    for c, beta in rows[rows["condition"] != "self_consistency"][["c", "beta"]].to_numpy(dtype=float):
        seen = ringelmann(held_out, c, beta) * (1 if on_r else held_out)
        told = form(held_out, *fit(pilot, ringelmann(pilot, c, beta), on_r).params.values())
        errors.append(np.abs(told / seen - 1).mean())
    assert len(errors) == 9
    return float(np.mean(errors))


def pass_vector_margin() -> float:
    """How far beta of the two pass vectors may be off where each R may be by its rounding: half the widest range."""
    rows = paper_table("table20_humaneval_efficiency")
    rows = rows[(rows["axis"] == "pass_vector") & (rows["n"] > 1)]
    ranges = []
    for _, cell in rows.groupby("condition"):
        corners = product((-ROUNDED, ROUNDED), repeat=len(cell))
        fits = [
            fit_ringelmann(cell["n"].to_numpy(), cell["r_efficiency"].to_numpy() + off)
            for off in map(np.array, corners)
        ]
        beta = [fit.params["beta"] for fit in fits]
        ranges.append(max(beta) - min(beta))
    return max(ranges) / 2


def projected(p: float, rho: float) -> float:
    """Accuracy that thirty such agents are said to have."""
    return float(project(np.array([p]), np.array([rho]), np.array([30]))[0, 0])


def human(group: str) -> list[float]:
    """Slope, Latane's t and Kish's c of a human group."""
    fits = fit_human_groups(paper_table("human_groups"), paper_table("prose_scalars"))
    rows = fits[fits["group"] == group].set_index("law")["value"]
    return [float(rows[law]) for law in ("latane_slope", "latane", "kish")]


def shouting_at_most() -> float:
    """Kish's c of shouting with every share as low as its rounding lets it be."""
    rows = paper_table("human_groups")
    rows = rows[(rows["group"] == "shouting_1979") & (rows["n"].astype(int) > 1)]
    fit = fit_kish(rows["n"].to_numpy(dtype=float), rows["per_person"].to_numpy(dtype=float) - ROUNDED)
    return fit.params["rho"]

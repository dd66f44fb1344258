"""The studies of calibration, and the parts that each is made of. Light: the workflow reads it at every start."""

from importlib import import_module
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from headcount.calibration.truths import ITEMS, POPULATIONS, TALKING
from headcount.seeds import seed64

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

STUDIES: dict[str, tuple[str, ...]] = {
    "coverage": tuple(f"{population}-{items}" for population, items in product(POPULATIONS, ITEMS)),
    "excess": tuple(f"{population}-{items}" for population, items in product(TALKING, ITEMS)),
    "theorem": ("k_tau_8",),
    "pilot_error": ("alone", "talk", "mixed"),
    "pilots": tuple(f"items_{items}" for items in (24, 50, 100, 200, 500, 1000)),
    "pilots_elsewhere": tuple(POPULATIONS),
}
"""Names of the parts of each study, by the name of its module."""

_UNDRAWN = ("pilot_error", "pilots_elsewhere")
FIGURES: dict[str, tuple[str, ...]] = {study: (study,) for study in STUDIES if study not in _UNDRAWN}
"""The studies that each figure shows; `publish.calibration` draws them."""


def make(study: str, part: str, data_sets: int, say: "Callable[[str], None]") -> "pd.DataFrame":
    """Rows of a part; its random numbers depend on its name alone."""
    module: Any = import_module(f"headcount.calibration.{study}")
    frame: pd.DataFrame = module.part(part, data_sets, np.random.default_rng(seed64("calibration", study, part)), say)
    return frame

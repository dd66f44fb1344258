"""Estimates of made-up teams, as tests read them."""

import pandas as pd

from headcount.laws.estimates import estimate_run
from headcount.laws.joined import TeamNumbers
from headcount.laws.quantities_of_moves import MOVING
from headcount.laws.settings import FitSettings
from headcount.schema import ESTIMATES
from headcount.store import plain

SETTINGS = FitSettings(n_boot=50)
POINTS = FitSettings(n_boot=0)
MADE_OF_MOVES = {quantity.name for quantity in MOVING} | {"alpha_s_count", "alpha_l_count"}


def estimate(team: TeamNumbers, how: FitSettings = POINTS) -> pd.DataFrame:
    table = estimate_run({"team": team}, how)
    assert table.schema.equals(ESTIMATES.schema)
    return plain(table)


def at(frame: pd.DataFrame, **key) -> pd.Series:
    """Values by quantity, of one series at one size."""
    for name, value in key.items():
        frame = frame[frame[name] == value]
    assert not frame.duplicated("quantity").any()
    return frame.set_index("quantity")["value"]

"""What plans are made with in tests: made-up past errors, and a run's plans as frames."""

import pandas as pd

from headcount.laws.joined import TeamNumbers
from headcount.laws.pilot_error import PilotErrors
from headcount.laws.pilot_plan import Planning
from headcount.laws.pilots import pilots_of_run
from headcount.laws.settings import FitSettings
from headcount.schema import PILOT_SIZES, PILOTS
from headcount.store import plain

LEVELS = ("answer", "pooled_agreement")
GROUPS = ("alone", "talk", "mixed")


def errors(s: float = 0.0, accuracy: float = 0.0, pilot=(2, 3, 5)) -> PilotErrors:
    """The same s for every level and group."""
    scales = {("n_eff", level, group): {pilot: s} for level in LEVELS for group in GROUPS}
    return PilotErrors(scales | {("accuracy", "accuracy", group): {pilot: accuracy} for group in GROUPS})


def plans(measures, subsets=None, known=None, **how) -> tuple[pd.DataFrame, pd.DataFrame]:
    planning = Planning(**{"fitting": FitSettings(), "errors": known or errors()} | how)
    told, sizes = pilots_of_run({"team": TeamNumbers(measures, subsets)}, planning)
    assert told.schema.equals(PILOTS.schema)
    assert sizes.schema.equals(PILOT_SIZES.schema)
    return plain(told), plain(sizes)

"""Does a pilot predict large teams of several models? Each form from their own smallest sizes alone. Figure 5."""

import pandas as pd
from matplotlib.figure import Figure

from headcount.publish.figures import extrapolation
from headcount.publish.inputs import Inputs
from headcount.schema import AUDITS, MIXING

PAPER = "figure5"
QUESTION = "pilot"
NEEDS = ("mixed", "held_out")
READS = ("audits", "mixing")
PUBLISHED = ()


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    audits, mixed = inputs.read(AUDITS), set(inputs.read(MIXING)["team"])
    return extrapolation.draw(
        audits[audits["team"].isin(mixed)], "No team of several models was run at more sizes than a pilot needs."
    )

"""Can a pilot of small teams predict large ones? Teams of one model, each form from the pilot alone. Figure 6."""

import pandas as pd
from matplotlib.figure import Figure

from headcount.publish.figures import extrapolation
from headcount.publish.inputs import Inputs
from headcount.schema import AUDITS, MIXING

PAPER = "figure6"
QUESTION = "pilot"
NEEDS = ("held_out", "homogeneous")
READS = ("audits", "mixing")
PUBLISHED = ()


def make(inputs: Inputs) -> tuple[Figure, pd.DataFrame]:
    audits, mixed = inputs.read(AUDITS), set(inputs.read(MIXING)["team"])
    alike = audits[~audits["team"].isin(mixed)]
    return extrapolation.draw(alike, "No team of one model was run at more sizes than a pilot needs.")

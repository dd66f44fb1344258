"""Probe batteries with known flips."""

import numpy as np
import pandas as pd

STRENGTHS = ("weak", "moderate", "strong", "very_strong")
BATTERY = [(strength, social) for social in (False, True) for strength in STRENGTHS]


def battery(flips, right, corrected=None, condition="default", model="m", agents=3):
    """Probes of rows in order: `agents` rows a question.

    Args:
        flips: (rows, 8) of True, False or None, solo probes from weak to very strong first.
        right: (rows,) of True, False or None, whether the first answer was.
        corrected: (rows, 8), whether the reply is right; by default never after a flip.
    """
    rows = []
    for place, (row, first) in enumerate(zip(flips, right, strict=True)):
        for probe, ((strength, social), flip) in enumerate(zip(BATTERY, row, strict=True)):
            reply = (first and not flip) if corrected is None else corrected[place][probe]
            rows.append(
                {
                    "model": model,
                    "task": "t",
                    "condition": condition,
                    "item": f"q{place // agents}",
                    "replicate": 0,
                    "agent": place % agents + 1,
                    "probe": probe + 1,
                    "strength": strength,
                    "social": social,
                    "initial_correct": first,
                    "flip": None if first is None else flip,
                    "correct": None if flip is None or first is None else bool(reply),
                }
            )
    return pd.DataFrame(rows)


def from_counts(n_right, n_wrong, n_adv, n_cor, n_neutral, **columns):
    """As many probes, of one strength and arm, as published counts say."""
    flip = np.repeat(
        [True, False, True, True, False], [n_adv, n_right - n_adv, n_cor, n_neutral, n_wrong - n_cor - n_neutral]
    )
    first = np.repeat([True, False], [n_right, n_wrong])
    frame = pd.DataFrame({"initial_correct": first, "flip": flip, "correct": first & ~flip})
    frame.loc[n_right : n_right + n_cor - 1, "correct"] = True
    defaults = {
        "model": "m",
        "task": "t",
        "condition": "default",
        "replicate": 0,
        "agent": 1,
        "strength": "weak",
        "social": False,
    }
    return frame.assign(item=np.arange(len(frame)).astype(str), **(defaults | columns))

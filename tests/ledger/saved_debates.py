"""Saved debates with known ends."""

import numpy as np
import pandas as pd


def ends(preserved, collapse, correction, unrepaired, **columns):
    """As many debates of each kind, in this order."""
    counts = (preserved, collapse, correction, unrepaired)
    initial, final = (np.repeat(flags, counts) for flags in ([True, True, False, False], [True, False, True, False]))
    frame = pd.DataFrame({"initial_correct": initial, "final_correct": final, "model": "m", "source": "s"})
    return frame.assign(question_id=[f"q{i}" for i in range(len(frame))], **columns)


def firing(preserved, collapse, correction, unrepaired, prevented, lost, others=0):
    """The same, and a gate that fires at some collapses, corrections and other debates."""
    debates = ends(preserved, collapse, correction, unrepaired)
    kind = np.repeat(np.arange(4), (preserved, collapse, correction, unrepaired))
    place = np.arange(len(debates)) - np.searchsorted(kind, kind)
    return debates, place < np.array([others, prevented, lost, 0])[kind]


def random_saved(seed, rows=240, models=4, questions=30):
    """Debates of several models on shared questions, with trajectories that have something to say about their end."""
    rng = np.random.default_rng(seed)
    initial, final = rng.random(rows) < 0.6, rng.random(rows) < 0.6
    changed = rng.random(rows) < np.where(initial != final, 0.8, 0.1)
    flips = np.where(changed, rng.integers(1, 4, rows), rng.integers(0, 2, rows))
    agree, one = rng.integers(1, 4, rows) / 3, rng.integers(1, 4, rows) / 3
    frame = pd.DataFrame(
        {
            "model": [f"m{i % models}" for i in range(rows)],
            "source": [f"m{i % models} debate" for i in range(rows)],
            "task": "t",
            "item": [f"q{i // models % questions}" for i in range(rows)],
            "initial_correct": initial,
            "final_correct": final,
            "r1_majority_correct": np.where(rng.random(rows) < 0.5, initial, final).astype(float),
            "init_unanimous": (agree == 1).astype(float),
            "init_unanimous_ref": ((agree == 1) | (rng.random(rows) < 0.1)).astype(float),
            "init_agree_frac": agree,
            "r1_majority_changed": changed.astype(float),
            "r1_n_flipped": flips.astype(float),
            "r1_flip_frac": flips / 3,
            "r1_agree_frac": one,
            "r1_unanimous": (one == 1).astype(float),
            "probe_mean_fr": np.where(rng.random(rows) < 0.2, np.nan, rng.random(rows)),
        }
    )
    return frame.assign(question_id=frame["task"] + "/" + frame["item"])

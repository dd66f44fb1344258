"""Simulated models: panels of three with known chances of collapse, and probes that do or do not foretell it."""

import numpy as np
import pandas as pd
from debates import said_all, table
from made_up_probes import battery

from headcount.ledger.probe_features import probe_features
from headcount.ledger.saved_run import team_debates
from headcount.ledger.transitions import transitions

FRAGILE, FIRM = 0.8, 0.15  # chances of a flip a probe
COLLAPSE, CORRECTION = 0.08, 0.4  # of right and of wrong panels, where nothing foretells


def panels(rng, fragile, *, foretold, rounds=4):
    """Answers (questions, rounds, 3): unanimous panels that change their mind, if ever, in their second round.

    Where probes foretell, 60 % of the fragile right panels collapse and 2 % of the firm, and corrections are as usual.
    """
    right = rng.random(fragile.size) < 0.6
    breaks = np.where(fragile, 0.6, 0.02) if foretold else COLLAPSE
    moved = rng.random(fragile.size) < np.where(right, breaks, CORRECTION)
    final = np.where(moved, ~right, right)
    turns = np.stack([right, *[final] * (rounds - 1)], axis=1)
    answers = np.where(turns, "A", "B")[:, :, None].repeat(3, axis=2)
    split = rng.random(fragile.size) < 0.3  # one agent dissents at first, which tells nothing
    answers[split, 0, 2] = np.where(right[split], "C", "D")
    return answers, right


def cohort(seed, models=5, questions=120, *, foretold, probed=None, rounds=4):
    """Debates of several models, with probes of the first `probed` questions of each.

    Returns:
        rows of `team_debates`, and the probes.
    """
    rng, frames, probes = np.random.default_rng(seed), [], []
    asked = questions if probed is None else probed
    for name in [f"m{number}" for number in range(models)]:
        fragile = rng.random(questions) < 0.4
        answers, right = panels(rng, fragile, foretold=foretold, rounds=rounds)
        flips = rng.random((3 * asked, 8)) < np.where(fragile, FRAGILE, FIRM)[:asked].repeat(3)[:, None]
        own = battery(flips, right[:asked].repeat(3), model=name)
        probes.append(own.assign(item=own["item"].map(lambda item: f"q{int(item[1:]):05d}")))
        frames.append((name, table(said_all(answers, model=name))))
    known = pd.concat(probes, ignore_index=True)
    features = probe_features(known)
    teams = [
        team_debates(transitions(said, f"team_{name}", "every"), name, features, simulated=True)
        for name, said in frames
    ]
    return pd.concat(teams, ignore_index=True), known

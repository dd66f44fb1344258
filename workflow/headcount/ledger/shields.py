"""Shields: freeze questions that a model was readily argued out of before the debate. Chosen on the rows they are
scored on, so they describe, and promise nothing."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from headcount.ledger.gates import Gate
from headcount.ledger.replay import Replayed, freeze, outcome

TAUS = tuple(np.round(np.arange(0, 1.0001, 0.05), 2).tolist())  # flip rates that a question's own is compared with
SLACK = 0.005  # of accuracy, that the safest shield may cost
IN_SAMPLE = {"shield_in_sample_most_accurate": "most_accurate", "shield_in_sample_safest": "safest"}


def shield(tau: float) -> Gate:
    """Freeze questions whose mean flip rate before the debate is above tau; those that were not probed run."""
    return lambda debates: np.asarray(debates["probe_mean_fr"] > tau)


def shield_sweep(debates: pd.DataFrame, taus: Sequence[float] = TAUS, slack: float = SLACK) -> pd.DataFrame:
    """Every shield on the rows that it is chosen on (arXiv 2609.35279, section 6; nothing is held out).

    Args:
        debates: labelled rows with `probe_mean_fr`.
        taus: thresholds, rising.
        slack: accuracy that the safest shield may cost.

    Returns:
        one row a threshold: `tau`, `fired`, `prevented`, `lost`, `net`, `accuracy`, and two flags, one True each:
        `most_accurate`; and `safest`: most collapses prevented among those that cost at most `slack`. Among equals the
        highest threshold, which fires least.
    """
    counts = [outcome(freeze(debates, shield(tau)(debates))) for tau in taus]
    names = ("fired", "prevented", "lost", "net", "accuracy")
    frame = pd.DataFrame({"tau": taus} | {name: [getattr(count, name) for count in counts] for name in names})
    cheap = frame["net"].to_numpy() >= -slack * len(debates) - 1e-9
    place, last = np.arange(len(frame)), len(frame) - 1
    accurate = last - frame["net"].to_numpy()[::-1].argmax()
    safest = last - np.where(cheap, frame["prevented"], -1)[::-1].argmax()
    return frame.assign(most_accurate=place == accurate, safest=(place == safest) & cheap.any())


def in_sample_shields(debates: pd.DataFrame) -> dict[str, tuple[Replayed, str]]:
    """The two shields of a sweep by the names of `IN_SAMPLE`, with their rules; none where nothing was probed.

    Args:
        debates: labelled rows with `probe_mean_fr`.
    """
    if debates["probe_mean_fr"].isna().all():
        return {}
    sweep, found = shield_sweep(debates), {}
    for name, flag in IN_SAMPLE.items():
        tau = float(sweep.loc[sweep[flag], "tau"].iloc[0])  # at 1 nothing fires: there is always one
        found[name] = freeze(debates, shield(tau)(debates)), f"probe_mean_fr > {tau:g}"
    return found

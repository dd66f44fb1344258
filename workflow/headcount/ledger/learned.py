"""Gates that are learned on all models but the one that they are tried on, among debates of one shape."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from headcount.ledger.parts import ranked
from headcount.ledger.probe_features import PRE_DEBATE_PROBED, PROBED
from headcount.ledger.probe_gate import FEATURES, MODES, probe_gated_freeze
from headcount.ledger.replay import Replayed, freeze
from headcount.ledger.saved_run import MIXED
from headcount.ledger.stump import MODELS, eligible, leave_one_model_out
from headcount.ledger.trajectories import PRE_DEBATE, REPLAY
from headcount.measures.arrays import BoolArray, IntArray
from headcount.schema.ledger import Knows

Rules = dict[str, str]  # what was learned for each model left out, in words


@dataclass(frozen=True)
class Learned:
    """What was learned.

    Attributes:
        known: (debates,), those that it decides about: of models that could be left out, in teams and tasks in which
            questions were probed if it reads probes.
        replayed: of all debates; those that it cannot decide about run.
        rules: of each model left out.
    """

    known: BoolArray
    replayed: Replayed
    rules: Rules


@dataclass(frozen=True)
class Method:
    """A way to learn a gate.

    Attributes:
        knows: what the gate decides by.
        learn: rows and their endpoint to the replay and the rules; None where R1 is needed and is the last round.
    """

    knows: Knows
    learn: Callable[[pd.DataFrame, int], tuple[Replayed, Rules]]

    @property
    def probed(self) -> bool:
        """It reads what probes said: of other questions it knows nothing, and lets them run."""
        return self.knows.startswith("probes")

    def applies(self, endpoint: int) -> bool:
        """Whether what it reads is over when the last round begins."""
        return endpoint > 2 or not self.knows.endswith("round_1")


def _stump(features: Sequence[str]) -> Callable[[pd.DataFrame, int], tuple[Replayed, Rules]]:
    def learn(rows: pd.DataFrame, endpoint: int) -> tuple[Replayed, Rules]:  # noqa: ARG001
        fired, stumps = leave_one_model_out(rows, features)
        return freeze(rows, fired), {model: str(stump) for model, stump in stumps.items()}

    return learn


def _freeze(rows: pd.DataFrame, endpoint: int) -> tuple[Replayed, Rules]:
    """Where R1 is the last round, to freeze to it is to let the debate run: that mode is left out."""
    replayed, choices = probe_gated_freeze(rows, FEATURES, modes=list(MODES)[: endpoint - 1])
    return replayed, {model: str(choice) for model, choice in choices.items()}


LEARNED = {
    "learned_r0_stump": Method("first_answers", _stump(PRE_DEBATE)),
    "learned_r1_stump": Method("round_1", _stump(REPLAY)),
    "learned_probe_r0_stump": Method("probes", _stump([*PRE_DEBATE, *PRE_DEBATE_PROBED])),
    "learned_probe_r1_stump": Method("probes_round_1", _stump([*REPLAY, *dict.fromkeys(PRE_DEBATE_PROBED + PROBED)])),
    "learned_probe_freeze": Method("probes", _freeze),
}


def learnable(rows: pd.DataFrame, *, probed: bool) -> IntArray:
    """The debates that a gate can be learned from and tried on: of models with enough of them.

    A gate that reads probes is learned from questions that were probed, and tried on these. Teams of several models
    count for none: whoever is left out, some of its members are still there.

    Args:
        rows: labelled debates of one condition, shape and endpoint.
        probed: for a gate that reads probes.

    Returns:
        their places.
    """
    own = rows["model"] != MIXED
    own = own & rows["probe_mean_fr"].notna() if probed else own
    place = np.flatnonzero(own)
    return place[eligible(rows["model"].iloc[place])]


def learn(rows: pd.DataFrame, endpoint: int) -> dict[str, Learned]:
    """Each gate on each model's debates as learned on those of all other models; none with fewer than four models.

    Args:
        rows: labelled debates of one condition, shape and endpoint.
        endpoint: the round that they are judged at.
    """
    found = {}
    for probed in (False, True):
        place = learnable(rows, probed=probed)
        if rows["model"].iloc[place].nunique() < MODELS:
            continue
        own, known = rows.iloc[place], _in_cells_of(rows, place)
        for name, method in LEARNED.items():
            if method.probed == probed and method.applies(endpoint):
                replayed, rules = method.learn(own, endpoint)
                found[name] = Learned(known, _among_all(rows, place, replayed), rules)
    return found


def _in_cells_of(rows: pd.DataFrame, place: IntArray) -> BoolArray:
    """Debates, (rows,), in teams and tasks in which some debates are."""
    team, task = (ranked(rows[name])[0] for name in ("team", "task"))
    cell = team * (int(task.max(initial=0)) + 1) + task
    return np.isin(cell, cell[place])


def _among_all(rows: pd.DataFrame, place: IntArray, some: Replayed) -> Replayed:
    """The replay of all rows: that of some of them, and the others as they ended."""
    every = freeze(rows, np.zeros(len(rows), np.bool_))
    fired, after = every.fired.copy(), every.after.copy()
    fired[place], after[place] = some.fired, some.after
    return Replayed(fired, every.initial, every.final, after)

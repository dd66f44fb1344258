"""All saved debates of a run, at every endpoint, and what of them may be known before a gate acts."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from headcount.ledger.parts import ranked
from headcount.ledger.probe_features import OF_MODEL, PRE_DEBATE_PROBED, PROBED, with_probes
from headcount.ledger.saved import saved_debates
from headcount.ledger.trajectories import PRE_DEBATE, REPLAY, before, trajectories

COHORT = ["condition", "n", "k", "round"]  # debates that one gate can be learned and tried on
OF_ANSWERS = ("model", "answer", "correct")  # the columns of ANSWERS, beside its keys, that debates are made of
MIXED = ""  # the model of a team of several: whoever it is left out of, its members are still there
OF_TRANSITIONS = ("initial_answer", "initial_correct", "final_correct")  # and of TRANSITIONS
QUESTION = "_question"  # the place of a question's name among all
_KEPT = ["team", "task", "item", "replicate", *COHORT, "model", "source", "question_id", *OF_TRANSITIONS]


def team_debates(transitions: pa.Table, answers: pa.Table, probed: pd.DataFrame, *, simulated: bool) -> pd.DataFrame:
    """Debates of two agents or more, each once for every round that it may be judged at.

    Args:
        transitions: rows of `schema.TRANSITIONS` of a team; the keys and OF_TRANSITIONS will do.
        answers: rows of `schema.ANSWERS` of the same team; the keys and OF_ANSWERS will do.
        probed: rows of `probe_features` of any models.
        simulated: no model gave them.

    Returns:
        keys of a debate, `model` (that all agents of the team are of, or MIXED), `source`, `question_id`, both ends,
        the features of `trajectories` and `with_probes`, and `simulated`.
    """
    features = trajectories(answers)
    rounds = sorted(set(transitions["round"].to_pylist()))
    ends = [saved_debates(transitions.filter(pc.equal(transitions["round"], end)), features) for end in rounds]
    rows = pd.concat(ends or [saved_debates(transitions, features)], ignore_index=True)
    known = [name for name in features.columns if name not in _KEPT]
    models = answers["model"].unique().to_pylist()
    own = models[0] if len(models) == 1 else MIXED
    rows = rows.loc[rows["n"] > 1, [*_KEPT, *known]].assign(model=own, simulated=simulated)
    return with_probes(rows, probed)


def numbered(debates: pd.DataFrame) -> pd.DataFrame:
    """Debates with what is looked up again and again as numbers: both ends, NaN for none, and the column QUESTION."""
    ends = {
        name: debates[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in ("initial_correct", "final_correct")
    }
    return debates.assign(**ends, **{QUESTION: ranked(debates["question_id"])[0]})


def blind(debates: pd.DataFrame, endpoint: int) -> pd.DataFrame:
    """What a gate may read: who debates, and features of the rounds before the last; neither end, nor who was right.

    Args:
        debates: rows of `team_debates`.
        endpoint: the round that they are judged at.
    """
    return debates[[*("team", "task", "condition", "n", "k", "model", "source", "question_id"), *seen(endpoint)]]


def seen(endpoint: int) -> list[str]:
    """Features of what is over when the last round begins: probes, and of the first answers alone if that is R1."""
    early = ["init_unanimous_ref", *PRE_DEBATE_PROBED, *OF_MODEL]
    if endpoint == 2:
        return [*PRE_DEBATE, *early]
    later = [name for name in before(endpoint) if name not in REPLAY]
    return [*REPLAY, *early, *(name for name in PROBED if name not in early), *later]

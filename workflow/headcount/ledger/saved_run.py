"""All saved debates of a run, at every endpoint, and what of them may be known before a gate acts."""

from collections.abc import Callable

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from headcount.ledger.parts import ranked
from headcount.ledger.probe_features import OF_MODEL, PRE_DEBATE_PROBED, PROBED, with_probes
from headcount.ledger.trajectories import DEBATE, OF_COURSE, PRE_DEBATE, REPLAY, before, trajectories
from headcount.schema import TRANSITIONS
from headcount.store import plain

COHORT = ["condition", "n", "k", "round"]  # debates that one gate can be learned and tried on
MIXED = ""  # the model of a team of several: whoever it is left out of, its members are still there
OF_TRANSITIONS = ("initial_correct", *OF_COURSE)  # the columns of TRANSITIONS that debates are made of, beside keys
QUESTION = "_question"  # the place of a question's name among all
_ENDS = ["initial_correct", "final_correct"]
_NAMES = ["team", "task", "item", "condition", "model", "source", "question_id"]

Texts = NDArray[np.object_]


def team_debates(transitions: pa.Table, model: str, probed: pd.DataFrame, *, simulated: bool) -> pd.DataFrame:
    """Debates of two agents or more, each once for every round that it may be judged at.

    Args:
        transitions: rows of `schema.TRANSITIONS` of a team, with every endpoint; the keys and OF_TRANSITIONS will do.
        model: that all agents of the team are of, or MIXED.
        probed: rows of `probe_features` of any models.
        simulated: no model gave them.

    Returns:
        keys of a debate, `model`, `source` (the run of a panel, in words: with `question_id` and the endpoint it names
        a row), `question_id` (task and item), whether both ends were right, the features of `trajectories` and
        `with_probes`, and `simulated`.
    """
    many = transitions.filter(pc.greater(transitions["n"], 1))
    rows = plain(many.select([*TRANSITIONS.keys, *_ENDS]))
    features = trajectories(many).drop(columns=DEBATE).iloc[np.cumsum(rows["round"] == 2) - 1]
    again = pc.count_distinct(transitions["replicate"]).as_py() > 1
    texts = {
        "source": _texts(rows, ["team", "condition", "n", "k", "replicate"], lambda some: _panel(some, again=again)),
        "question_id": _texts(rows, ["task", "item"], lambda some: some["task"] + "/" + some["item"]),
    }
    rows = pd.concat([rows, features.set_index(rows.index)], axis="columns")
    return with_probes(rows.assign(**texts, model=model, simulated=simulated), probed)


def _texts(rows: pd.DataFrame, keys: list[str], named: "Callable[[pd.DataFrame], pd.Series[str]]") -> Texts:
    """A text of each row that is made of some of its columns: once for all rows in which these are alike."""
    groups = rows.groupby(keys, sort=False)
    return named(groups.head(1)).to_numpy(dtype=object)[groups.ngroup()]


def _panel(rows: pd.DataFrame, *, again: bool) -> "pd.Series[str]":
    """The run of a panel; by replicate too where there are several."""
    panel = rows["team"] + " " + rows["condition"] + " n=" + rows["n"].astype(str) + " k=" + rows["k"].astype(str)
    return panel + " replicate " + rows["replicate"].astype(str) if again else panel


def numbered(debates: pd.DataFrame) -> pd.DataFrame:
    """Debates with what is looked up again and again as numbers: both ends, NaN for none, the column QUESTION, and
    texts as categories."""
    ends = {name: debates[name].to_numpy(dtype=np.float64, na_value=np.nan) for name in _ENDS}
    texts = {name: debates[name].astype("category") for name in _NAMES}
    return debates.assign(**ends, **texts, **{QUESTION: ranked(debates["question_id"])[0]})


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

"""Saved debates as gates and audits read them: how they ended, and what their course showed."""

import pandas as pd
import pyarrow as pa

from headcount.errors import UserError
from headcount.ledger.trajectories import DEBATE


def saved_debates(transitions: pa.Table, features: pd.DataFrame) -> pd.DataFrame:
    """Transitions of a team with the features of its debates.

    Args:
        transitions: rows of `schema.TRANSITIONS` of one team at one endpoint.
        features: rows of `trajectories` of its answers.

    Returns:
        the columns of both, and `model` (the team), `source` (the run of a panel, in words: with `question_id` it names
        a row) and `question_id` (task and item).

    Raises:
        UserError: where a debate stands at two endpoints: it would count twice.
    """
    ends = transitions.to_pandas().astype({"team": str, "task": str, "condition": str})
    twice = ends[ends.duplicated(["team", *DEBATE])]
    if len(twice):
        row = twice.iloc[0]
        raise UserError(
            f"transitions: {row['team']}, {row['task']} / {row['condition']}, item {row['item']} stands at two "
            "endpoints. Replay one endpoint at a time."
        )
    rows = ends.merge(features, on=DEBATE, how="left", validate="many_to_one")
    panel = rows["team"] + " " + rows["condition"] + " n=" + rows["n"].astype(str) + " k=" + rows["k"].astype(str)
    if rows["replicate"].nunique() > 1:
        panel += " replicate " + rows["replicate"].astype(str)
    question = rows["task"] + "/" + rows["item"].astype(str)
    return pd.DataFrame(rows.assign(model=rows["team"], source=panel, question_id=question))

"""Rows of TRANSITIONS from labels alone: what a cell's rates are made of, without the debates behind them."""

import pandas as pd
import pyarrow as pa

from headcount.ledger.labels import LABELS
from headcount.schema import REDRAWS, TRANSITIONS
from headcount.schema.ledger import CODINGS
from headcount.store import conform

_ENDS = {
    "preserved": (True, True),
    "collapse": (True, False),
    "correction": (False, True),
    "unrepaired": (False, False),
}
_PLAIN = {
    **{"team": "x", "task": "t", "condition": "debate", "replicate": 1, "n": 3, "k": 2, "round": 4},
    **{"initial_answer": None, "final_answer": None, "initial_tie": False, "final_tie": False},
    **{"initial_parsed": 3, "final_parsed": 3, "initial_top": 3, "final_top": 3},
    **{"onset_round": None, "onset_defined": None, "onset_lasting": None, "transient_break": False},
    **{"answered_twice": 3, "changed_answers": 0, "majority_flip": None},
}


def ledger_rows(labels: list[str], **columns: object) -> pa.Table:
    """One debate an item for each label; other columns as given, and codings like the label."""
    ends = [_ENDS.get(label, (True, None)) for label in labels]
    frame = pd.DataFrame({"item": [f"q{i:05d}" for i in range(len(labels))], "transition": labels})
    for place, name in enumerate(("initial", "final")):
        right = pd.array([end[place] for end in ends], dtype="boolean")
        could = ["either" if end[place] is None else "right" if end[place] else "wrong" for end in ends]
        frame = frame.assign(**{f"{name}_correct": right, f"{name}_could": could})
        frame[f"{name}_chance"] = right.astype("Float64").to_numpy(dtype=float, na_value=float("nan"))
    for coding in CODINGS:
        frame[coding] = frame["transition"]
    silent = frame["transition"] == "unlabelled"  # right at first, and then nothing
    frame.loc[silent, ["undefined_wrong", "undefined_final_wrong"]] = "collapse"
    return conform(frame.assign(**(_PLAIN | columns)), TRANSITIONS, "test")


def labels_of(**counts: int) -> list[str]:
    """Labels, each as often as it says."""
    return [label for label in LABELS for _ in range(counts.get(label, 0))]


NO_REDRAWS = conform(pd.DataFrame(columns=REDRAWS.schema.names).astype(object), REDRAWS, "test")

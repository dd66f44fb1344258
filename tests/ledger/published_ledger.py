"""The reference's published tables (resources/published/ledger)."""

import json
from pathlib import Path

import pandas as pd

from headcount.ledger.families import by_family

LEDGER = Path(__file__).parents[2] / "resources" / "published" / "ledger"


def table(name):
    return pd.read_csv(LEDGER / f"{name}.csv")


def expected(name):
    return json.loads((LEDGER / "expected_stats.json").read_text())[name]


def model_rows():
    """The 14 model rows, their columns named as our functions name them."""
    rows = table("n14_rows").rename(
        columns={
            "alpha_tot": "alpha",
            "n_collapses": "collapses",
            "n_init_correct": "initially_correct",
            "n_corrections": "corrections",
        }
    )
    rows["init_acc"] = rows["initially_correct"] / rows["n_debates"]
    rows["raw_collapse"] = rows["collapses"] / rows["n_debates"]
    rows["correction_rate"] = rows["corrections"] / rows["n_init_wrong"]
    return rows


RATE = "c_cond_pct"
MEASURED = ["alpha", RATE, "init_acc", "raw_collapse", "correction_rate", "debate_revision_proxy", "final_acc"]


def families(how="mean", rows=None):
    """What families measure, from their model rows."""
    return by_family(model_rows() if rows is None else rows, MEASURED, how)


def columns(frame, *names):
    return [frame[name].to_numpy(dtype=float) for name in names]

"""The reference's published tables (resources/published/ledger)."""

import json
from pathlib import Path

import pandas as pd

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

"""The released panels of a real model, replayed whole without a network."""

import re
from collections import Counter

import pandas as pd
import pytest
from checkout import ROOT
from replays import Replay, replayed

pytestmark = pytest.mark.workflow

RELEASE = ROOT / "resources/ledger"
TASKS = ("arc_high_flip", "mmlu_hard")


@pytest.fixture(scope="module")
def ledger(tmp_path_factory) -> Replay:
    return replayed("ledger", tmp_path_factory)


def ends(task: str) -> pd.DataFrame:
    """Majorities of the released replies to a task in the first and the last round of the debates, counted here."""
    replies = pd.read_parquet(RELEASE / f"responses/smollm2-135m/{task}.parquet")
    gold = pd.read_parquet(RELEASE / f"items/{task}.parquet").set_index("item")["gold"]
    draws = replies[(replies["condition"] == "draws") & (replies["agent"] <= 3)]
    last = replies[(replies["condition"] == "debate") & (replies["round"] == 4)]
    return pd.DataFrame(
        {name: rows.groupby("item")["text"].agg(_majority) == gold for name, rows in (("first", draws), ("last", last))}
    )


def _majority(texts: "pd.Series[str]") -> str:
    votes = Counter(re.search(r"Final Answer: ([A-D])\n", text)[1] for text in texts)
    return min(votes, key=lambda letter: (-votes[letter], letter))


def rates(ledger: Replay) -> pd.DataFrame:
    table = ledger.table("transition_rates")
    return table[table["condition"] == "debate"].set_index("task")


@pytest.mark.parametrize("task", TASKS)
def test_transitions_are_those_counted_from_the_raw_replies(ledger, task):
    right, row = ends(task), rates(ledger).loc[task]
    assert row["collapse_events"] == (right["first"] & ~right["last"]).sum()
    assert row["collapse_base"] == right["first"].sum()
    assert row["correction_events"] == (~right["first"] & right["last"]).sum()
    assert row["n_items"] == len(right)


def test_nothing_was_asked_and_nothing_released_was_touched(ledger):
    assert not (ledger.checkout.folder / "cache").exists()
    assert ledger.checkout.call("diff", "-r", "resources", str(ROOT / "resources")).returncode == 0
    assert ledger.checkout.headcount("card", "resources/ledger/release.json").returncode == 0

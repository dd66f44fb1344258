"""The released panels of a real model, replayed whole without a network; and what the README says of them."""

import re
from collections import Counter

import pandas as pd
import pytest
from checkout import ROOT, Checkout, check_out

pytestmark = pytest.mark.workflow

RELEASE = ROOT / "resources/ledger"
TASKS = ("arc_high_flip", "mmlu_hard")


@pytest.fixture(scope="module")
def replayed(tmp_path_factory) -> Checkout:
    checkout = check_out(tmp_path_factory.mktemp("released_ledger"))
    offline = ("unshare", "--map-root-user", "--net")
    asked = ("--configfile", "config/ledger.yaml", "--config", "replay=resources/ledger", "--", "ledger")
    checkout.run(*asked, before=offline)
    return checkout


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


def rates(checkout: Checkout) -> pd.DataFrame:
    table = pd.read_csv(checkout.folder / "results/ledger/tables/transition_rates.csv")
    return table[table["condition"] == "debate"].set_index("task")


@pytest.mark.parametrize("task", TASKS)
def test_transitions_are_those_counted_from_the_raw_replies(replayed, task):
    right, row = ends(task), rates(replayed).loc[task]
    assert row["collapse_events"] == (right["first"] & ~right["last"]).sum()
    assert row["collapse_base"] == right["first"].sum()
    assert row["correction_events"] == (~right["first"] & right["last"]).sum()
    assert row["n_items"] == len(right)


def test_the_readme_says_what_the_card_says(replayed):
    readme = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    said = re.search(
        r"repaired (\w+) answers and destroyed (\w+);.*?\(([\d.]+) % and ([\d.]+) %.*?(\d+) % and (\d+) %", readme
    )
    words, table = {"three": 3}, rates(replayed)
    assert [words[said[1]], words[said[2]]] == [table["correction_events"].sum(), table["collapse_events"].sum()]
    redrawn = table["collapse"] - table["collapse_minus_redraw"]
    for place, task in enumerate(TASKS):
        assert float(said[3 + place]) == round(100 * redrawn[task], 1)
        assert float(said[5 + place]) == round(100 * table.loc[task, "collapse"])


def test_nothing_was_asked_and_nothing_released_was_touched(replayed):
    assert not (replayed.folder / "cache").exists()
    assert replayed.call("diff", "-r", "resources", str(ROOT / "resources")).returncode == 0
    assert replayed.headcount("card", "resources/ledger/release.json").returncode == 0

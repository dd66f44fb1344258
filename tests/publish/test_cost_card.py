"""The cost card shows each cell at its endpoint and each screen whole, and has no price where nothing is kept."""

import pandas as pd
import pytest
from made_costs import cost
from made_run import PUBLISHED, write_nothing, write_run
from made_series import NEWCOMER, QWEN, row

from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.render import as_csv, as_markdown
from headcount.publish.tables.cost_card import SPEC, cost_card
from headcount.schema import LEDGER_COSTS


@pytest.fixture(scope="module")
def card(tmp_path_factory):
    return load("tables", "cost_card").make(Inputs(write_run(tmp_path_factory.mktemp("run")), PUBLISHED))


def test_every_size_of_a_cell_at_its_headline_endpoint(card):
    talk = card[card["condition"] != "screen"]
    swept = talk[(talk["team"] == QWEN) & (talk["task"] == "gsm_hard")]
    assert swept[["n", "round"]].to_numpy().tolist() == [[n, 3] for n in (2, 3, 5, 10, 30)]
    assert set(talk[talk["simulated"]]["team"]) == {NEWCOMER}


def test_prices_stand_in_their_columns(card):
    here = row(card, team=QWEN, task="gsm_hard", condition="debate", n=30)
    cell = {"team": QWEN, "task": "gsm_hard", "condition": "debate", "n": 30, "k": 29, "round": 3}
    assert here["seconds"] == cost(cell, "seconds")
    assert here["seconds_per_kept"] == pytest.approx(cost(cell, "seconds") / 10)
    assert [here[name] for name in ("tokens_per_kept", "revision_tokens_per_kept", "kept")] == [960, 600, 10]
    assert [here[name] for name in ("calls_per_200", "reference_per_200")] == [250, 240]
    assert here["remarks"] == []
    assert pd.isna(here["usd"])


def test_where_none_is_kept_there_is_no_price_and_the_table_says_why(card):
    for condition, kept in (("self_correction", -4), ("noise", 0)):
        here = row(card, team=QWEN, task="mmlu_hard", condition=condition, n=3)
        assert here["kept"] == kept
        assert pd.isna(here["tokens_per_kept"])
        assert here["remarks"] == ["none_kept"]
    text = as_markdown(card, SPEC)
    assert "(a) none kept: as many collapses as corrections, or more" in text
    assert "USD" not in text.split("\n\n")[1]  # no model of the run has prices


def test_a_screen_is_one_row_of_all_its_parts(card):
    here = row(card, condition="screen")
    assert (here["team"], here["task"], here["n"], here["n_items"]) == (QWEN, "mmlu_hard", 3, 40)
    assert [here[name] for name in ("calls", "prompt_tokens", "repairs")] == [2700, 27000, 21]
    assert [here[name] for name in ("seconds", "calls_per_200", "reference_per_200")] == [7.5, 2100, 1800]
    assert pd.isna(here["usd"])
    assert pd.isna(here["kept"])
    assert here["remarks"] == []


def test_a_run_that_measured_nothing_has_an_empty_card(tmp_path):
    empty = load("tables", "cost_card").make(Inputs(write_nothing(tmp_path), PUBLISHED))
    assert as_csv(empty, SPEC).count("\n") == 1


def test_what_others_did_not_tell_is_no_zero(tmp_path):
    """Answers that others recorded come without tokens, and their probes without requests."""
    costs = Inputs(write_run(tmp_path), PUBLISHED).read(LEDGER_COSTS)
    untold = cost_card(costs.assign(prompt_tokens=0, completion_tokens=0, tokens_per_kept=None))
    assert untold[["prompt_tokens", "completion_tokens", "tokens_per_kept"]].isna().all(axis=None)
    screens = untold["condition"] == "screen"
    assert untold.loc[screens, ["calls", "calls_per_200"]].isna().all(axis=None)
    assert untold.loc[~screens, "calls"].notna().all()

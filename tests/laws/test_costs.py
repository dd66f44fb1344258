"""Costs against the paper's worked examples, by hand."""

import numpy as np
import pandas as pd
import pytest

from headcount.laws.costs import cost, per_effective_agent, token_ratio


def test_the_worked_example():
    """30 agents x 3 rounds x 1,500 tokens at 10 dollars a million (app. K.4)."""
    assert cost(30, 3, 1500, 10) == 1.35


def test_costs_broadcast_over_sizes_and_prices():
    by_size = cost(np.array([1, 2, 30]), 3, 1000, np.array([[1.0], [2.0]]))
    assert by_size.tolist() == [[0.003, 0.006, 0.09], [0.006, 0.012, 0.18]]


@pytest.mark.parametrize(("task", "per_agent", "total"), [("mmlu_hard", 12, 11), ("gsm_hard", 46, 13), ("gpqa", 10, 9)])
def test_tokens_per_effective_agent_overstate_what_talk_costs(published, task, per_agent, total):
    """Table 17: debate takes 9 to 13 times the tokens of self-correction, not 10 to 46 times."""
    rows = pd.read_csv(published / "table17_summary_n30.csv")
    rows = rows[rows["task"] == task].set_index("condition")
    per_n_eff = rows["prompt_tokens_per_n_eff"].str.removesuffix("K").astype(float)
    tokens = per_n_eff * rows["n_eff_ans"]
    assert round(float(token_ratio(per_n_eff["debate"], per_n_eff["self_correction"]))) == per_agent
    assert round(float(token_ratio(tokens["debate"], tokens["self_correction"]))) == total
    ours = per_effective_agent(tokens.to_numpy(), rows["n_eff_ans"].to_numpy())
    assert ours == pytest.approx(per_n_eff.to_numpy())


def test_nothing_to_compare_with_is_no_ratio():
    np.testing.assert_array_equal(token_ratio(np.array([3, 3]), np.array([0, 2])), [np.nan, 1.5])
    assert np.isnan(per_effective_agent(5, np.nan))

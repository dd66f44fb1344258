"""The scripts of the ledger, from a team's answers to the run's rates."""

import importlib.util
from pathlib import Path

import pandas as pd
import pytest
import small_runs as runs

from headcount.answers.team import team_answers
from headcount.measures.table import measure
from headcount.schema import ANSWERS, LEDGER_RATES, LEDGER_STABILITY, REDRAWS, TRANSITIONS
from headcount.store import plain, read, write

SCRIPTS = Path(__file__).parents[2] / "workflow" / "scripts"


def script(name):
    spec = importlib.util.spec_from_file_location(name, SCRIPTS / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A simulated run of teams of 1 to 4, its answers, and what the scripts make of them."""
    folder = tmp_path_factory.mktemp("run")
    conditions = ("self_consistency", "debate", "self_correction", "noise")
    config = runs.small_config(sizes=(1, 2, 4), conditions=conditions, fitting={"bootstrap": 20})
    items = runs.small_items(8, options=3)
    runs.write_run(runs.run(config, items, folder / "cache"), items, folder)
    write(folder / "answers/t.parquet", team_answers(config, "t", folder), ANSWERS)
    script("measures").main(folder / "answers/t.parquet", {("a", "debate"): [1, 2]}, {"m": "f"}, folder)
    script("redraws").main([folder / "answers/t.parquet"], folder / "redraws", 0)
    script("ledger_rates").main(
        config.model_dump(mode="json", exclude_unset=True),
        [folder / "transitions/t.parquet"],
        [folder / "redraws/t.parquet"],
        folder / "ledger_rates.parquet",
        folder / "ledger_stability.parquet",
    )
    return folder


def test_every_debate_of_every_condition_has_a_row_at_every_endpoint(made):
    rows = plain(read(made / "transitions/t.parquet", TRANSITIONS))
    assert (rows.groupby(["condition", "n", "round"]).size() == 8).all()
    assert set(rows["condition"]) == {"debate", "self_correction", "noise"}
    assert set(rows["round"]) == {2, 3}
    assert set(rows["team"]) == {"t"}


def test_where_nothing_ties_the_majority_is_that_of_measures(made):
    rows = plain(read(made / "transitions/t.parquet", TRANSITIONS))
    measures = plain(measure(read(made / "answers/t.parquet", ANSWERS)))
    keys = ["task", "condition", "item", "replicate", "n", "k", "round"]
    both = rows[~rows["final_tie"]].merge(measures, on=keys)
    assert len(both)
    assert both["final_answer"].fillna("").tolist() == both["team_answer"].fillna("").tolist()
    assert both["final_correct"].fillna(False).tolist() == both["team_correct"].tolist()


def test_rates_and_labels_of_the_run_are_marked_as_simulated(made):
    rates = plain(read(made / "ledger_rates.parquet", LEDGER_RATES))
    assert rates["simulated"].all()
    assert {"collapse_redraw", "collapse_minus_self_correction", "onset_2"} <= set(rates["quantity"])
    assert read(made / "ledger_stability.parquet", LEDGER_STABILITY).num_rows
    assert set(plain(read(made / "redraws/t.parquet", REDRAWS))["n"]) == {1, 2}


def test_a_condition_s_null_does_not_depend_on_the_condition(made):
    rates = plain(read(made / "ledger_rates.parquet", LEDGER_RATES))
    nulls = rates[rates["quantity"] == "correction_redraw"]
    by_size = nulls.groupby(["n"])["value"]
    assert by_size.nunique().tolist() == [1, 1]
    pd.testing.assert_series_equal(by_size.min(), by_size.max())

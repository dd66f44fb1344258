"""Table 1: the right fit of each cell, with the printed one beside it."""

import io
from pathlib import Path

import pandas as pd
import pytest

from headcount import config
from headcount.laws.flags import FLAGS
from headcount.publish import words
from headcount.publish.inputs import Inputs
from headcount.publish.published import published_fits
from headcount.publish.render import as_csv, as_markdown, write_table
from headcount.publish.tables.regimes import SPEC, regimes

REAL = Path(__file__).parents[2] / "resources" / "published"


@pytest.fixture
def table(fits, published_folder):
    return regimes(fits, published_fits(Inputs(Path(), published_folder)))


def test_conditions_are_the_configurations():
    assert tuple(words.CONDITIONS) == config.CONDITIONS


def test_one_row_a_cell_in_the_papers_order(table):
    assert list(zip(table["task"], table["condition"], strict=True)) == [
        ("gsm_hard", "self_consistency"),
        ("gsm_hard", "debate"),
        ("mmlu_hard", "debate"),
        ("mmlu_hard", "noise"),
    ]


def test_the_papers_way_is_of_the_last_full_round_at_answer_level_with_all_peers(table):
    assert list(table["c_paper"]) == [
        0.43,
        0.57,
        0.85,
        0.65,
    ]  # neither an earlier round's, nor a sweep's, nor correctness
    assert list(table["beta_paper"]) == [0.25, 0.014, 0.0, 0.0]
    assert list(table["round"]) == [1, 3, 3, 3]


def test_our_reading_is_unbounded_of_pooled_agreement_and_of_the_steadiest_numbers(table):
    assert list(table["subsets"]) == ["all", "adjusted", "adjusted", "adjusted"]
    assert list(table["c"].round(3)) == [0.49, 0.64, 0.92, 0.72]
    assert list(table["beta"]) == [0.25, 0.014, -0.07, -0.07]
    assert set(table["regime"]) == {"undetermined"}


def test_the_papers_numbers_stand_beside_ours_as_printed(table):
    rows = pd.read_csv(io.StringIO(as_csv(table, SPEC)), dtype=str, keep_default_na=False)
    assert rows["published_beta"].tolist() == ["0.249", "0.01", "0.000", ""]  # Table 1 before Table 11
    assert rows["published_c_low"].tolist() == ["", "", "0.83", ""]
    assert rows["published_in"].tolist() == ["Table 1", "Table 11", "Table 1", ""]
    assert rows["c_paper"].tolist() == ["0.4300", "0.5700", "0.8500", "0.6500"]
    assert rows["c_paper_minus_published"].tolist() == ["+0.00", "+0.00", "+0.00", ""]


def test_a_team_that_the_paper_lacks_has_no_published_columns_for_people(simulated_fits, published_folder):
    text = as_markdown(regimes(simulated_fits, published_fits(Inputs(Path(), published_folder))), SPEC)
    assert "c, paper" not in text
    assert "c by entropy" in text
    assert text.startswith("SIMULATED. ")


def test_flags_are_explained(table):
    text = as_markdown(table, SPEC)
    assert "| undetermined | a |" in text
    assert f"- (a) {FLAGS['beta_at_lower_bound'].rstrip('.')}" in text


def test_two_runs_write_equal_bytes(fits, published_folder, tmp_path):
    shuffled = fits.sample(frac=1, random_state=1)
    for name, rows in (("one", fits), ("two", shuffled)):
        paths = [tmp_path / f"{name}.{kind}" for kind in ("csv", "md", "tex")]
        write_table(regimes(rows, published_fits(Inputs(Path(), published_folder))), SPEC, *paths)
    for kind in ("csv", "md", "tex"):
        assert (tmp_path / f"one.{kind}").read_bytes() == (tmp_path / f"two.{kind}").read_bytes()


def test_a_run_without_fits_makes_an_empty_table(fits, published_folder):
    nothing = regimes(fits.head(0), published_fits(Inputs(Path(), published_folder)))
    assert as_csv(nothing, SPEC).count("\n") == 1


def test_the_paper_has_47_printed_cells():
    """44 fits of Table 11, and the self-consistency of one model on three tasks from Table 1."""
    rows = published_fits(Inputs(Path(), REAL))
    assert len(rows) == 47
    assert (rows["published_in"] == "Table 1").sum() == 12
    assert not rows.duplicated(["team", "task", "condition"]).any()

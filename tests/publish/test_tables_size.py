"""Tables about team size: our numbers in their rows, the paper's beside them."""

from itertools import product

import pytest
from made_run import PUBLISHED, write_run
from made_series import HETERO, NEWCOMER, QWEN, THINKER, one, row

from headcount.laws.forms import ringelmann
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.tables.all_fits import all_fits
from headcount.publish.words import CONDITIONS, LAWS, LEVELS
from headcount.schema import ESTIMATES, FITS


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return Inputs(write_run(tmp_path_factory.mktemp("run")), PUBLISHED)


@pytest.fixture
def table(inputs):
    return lambda name: load("tables", name).make(inputs)


DEBATE = {"team": QWEN, "task": "mmlu_hard", "condition": "debate"}


def test_diversity_at_the_largest_size_after_the_last_round(table):
    rows = table("table08")
    here, debate = row(rows, **DEBATE), one(QWEN, "mmlu_hard", "debate")
    for quantity in ("n_eff_answer", "rho_answer", "agreement", "unanimous", "unanimous_wrong"):
        value = debate.number(30, quantity)
        assert (here[quantity], here[f"{quantity}_low"]) == pytest.approx((value, value - 0.01))
    assert (here["n"], here["round"], here["n_items"]) == (30, 3, 724)
    assert (here["published_n_eff"], here["published_rho"]) == ("1.12", "0.886")
    assert here["n_eff_answer_minus_published"] == f"{debate.number(30, 'n_eff_answer') - 1.12:+.2f}"
    assert here["n_eff_answer_outside"] == "outside"
    assert here["unanimous_minus_published"] == f"{100 * debate.number(30, 'unanimous') - 80:+.0f}"  # per cent
    assert (rows["published_n_eff"] != "").sum() == 4  # debate, self-correction, noise; and debate on GSM-Hard


def test_sweeps_and_means_over_subsets_reach_no_table_of_cells(table):
    rows = table("diversity")
    assert row(rows, team=QWEN, task="gsm_hard", condition="debate")["round"] == 3  # not 7
    alone = row(rows, team=QWEN, task="mmlu_hard", condition="self_consistency")
    assert alone["n_eff_answer"] == one(QWEN, "mmlu_hard", "self_consistency", 1).number(30, "n_eff_answer")


def test_a_cell_of_a_subset_or_of_a_team_of_ours(table):
    here = row(table("diversity"), team=NEWCOMER)
    assert here["published_n_eff"] == here["n_eff_answer_minus_published"] == ""


def test_correlations_beside_c(table):
    here, debate = row(table("table04"), **DEBATE), one(QWEN, "mmlu_hard", "debate")
    assert here["c"] == debate.number("answer", "ringelmann", "c")
    assert here["icc"] == debate.number(30, "icc")
    assert [here[f"published_{name}"] for name in ("c", "rho_answer", "icc", "agreement")] == [
        "0.85",
        "0.89",
        "0.92",
        "0.94",
    ]


def test_levels_stand_in_order_below_each_other(table):
    rows = table("table05")
    of_task = rows[(rows["team"] == QWEN) & (rows["task"] == "mmlu_hard")]
    assert list(zip(of_task["condition"], of_task["level"], strict=True)) == list(product(CONDITIONS, LEVELS))
    assert len(rows) == 15 * len(LEVELS)
    here = row(rows, **DEBATE, level="correctness")
    assert here["c"] == one(QWEN, "mmlu_hard", "debate").number("correctness", "ringelmann", "c")
    assert (here["published_c"], here["published_beta"]) == ("0.89", "0.000")
    assert row(rows, **DEBATE, level="pooled_agreement")["published_c"] == ""


def test_the_gap_is_how_far_the_curve_lies_above_what_was_seen(table):
    here, debate = row(table("table11"), **DEBATE), one(QWEN, "mmlu_hard", "debate")
    c, beta = (debate.number("answer", "ringelmann", name) for name in ("c", "beta"))
    fitted = 30 * float(ringelmann(30, c, beta))
    assert here["n_eff_fitted"] == pytest.approx(fitted)
    assert here["gap"] == pytest.approx(fitted / debate.number(30, "n_eff_answer") - 1)
    assert (here["published_c"], here["published_beta"], here["published_n_eff"]) == ("0.85", "0.00", "1.12")


def test_the_papers_effective_size_stands_beside_a_team_as_large_alone(inputs):
    """Ministral's controls on GSM-Hard stop at 20 agents in the paper; a run of ours may go on to 30."""
    printed = inputs.printed("table11_master_fits").replace({"n_largest": {"30": "20"}})
    rows = all_fits(inputs.read(FITS), inputs.read(ESTIMATES), printed)
    here = row(rows, **DEBATE)
    assert (here["published_c"], here["published_n_eff"], here["n_eff_answer_minus_published"]) == ("0.85", "", "")
    thinker = row(rows, team=THINKER, condition="debate")
    assert (thinker["n"], thinker["published_n_eff"]) == (5, "1.02")


def test_debates_are_grouped_by_the_papers_predictions_and_ours_come_last(table):
    rows = table("table12")
    assert rows["prediction_group"].tolist() == ["mcqa_hard_ceiling", "free_form_regime", "thinking", *[""] * 5]
    assert rows.loc[0, ["team", "task", "published_c", "published_r2", "published_n_eff"]].tolist() == [
        QWEN,
        "mmlu_hard",
        "0.85",
        "0.9995",
        "1.12",
    ]
    thinker = row(rows, team=THINKER)
    assert (thinker["n"], thinker["published_n_eff"], thinker["published_r2"]) == (5, "1.02", "")


def test_code_is_counted_by_what_it_does_and_how_it_is_written(table):
    rows = table("table20")
    key = {"team": QWEN, "task": "humaneval_30", "condition": "debate", "n": 2}
    for axis, task, printed, law in (("pass_vector", "", "0.52", "0.99"), ("code", ".code", "0.68", "0.59")):
        here, debate = row(rows, **key, axis=axis), one(QWEN, f"humaneval_30{task}", "debate")
        assert here["r"] == pytest.approx(debate.number(2, "n_eff_answer") / 2)
        assert here["r_high"] - here["r"] == pytest.approx(0.01 / 2)
        assert here["r2_with_one"] == debate.number("answer", "ringelmann", "r2_with_one")
        assert (here["published_r"], here["published_accuracy"], here["published_c"]) == (printed, "0.67", law)
    assert len(rows) == 2 * 2 * 6
    assert (rows.loc[rows["n"] == 1, "published_r"] == "1.00").all()  # printed once for all conditions
    assert (rows["published_r"] != "").all()


def test_every_law_of_a_cell_with_its_parameters(table):
    rows = table("rival_laws")
    here = rows[(rows["team"] == QWEN) & (rows["task"] == "gsm_hard")]
    assert here["law"].tolist() == list(LAWS)
    assert (here["round"] == 3).all()
    debate = one(QWEN, "gsm_hard", "debate")
    slope = row(here, law="latane_slope")
    assert slope["fitted"] == [f"{name} = {debate.number('latane_slope', name):.4g}" for name in ("t", "amplitude")]
    assert slope["left_out_error"] == debate.number("latane_slope", "left_out_error")


def test_people_beside_teams(table):
    """Rope pulling gives both printed numbers; a debate's t is that of its rivals, its c Kish's."""
    rows = table("human_groups")
    rope = row(rows, who="rope_1913")
    assert (rope["t"], rope["c"]) == (pytest.approx(0.551, abs=5e-4), pytest.approx(0.118, abs=5e-4))
    assert (rope["published_t"], rope["published_c"], rope["t_minus_published"]) == ("0.55", "0.12", "+0.00")
    assert rope["t_low"] < rope["t"] < rope["t_high"]
    debate, here = one(QWEN, "gsm_hard", "debate"), row(rows, who=QWEN, task="gsm_hard")
    assert here["t"] == debate.number("latane_slope", "t")
    assert here["c"] == debate.number("answer", "kish", "c")
    assert (here["published_t"], here["published_c"]) == ("0.13", "0.56")
    assert rows["who"].tolist()[:3] == ["rope_1913", "shouting_1979", "shouting_1979_pressure"]
    assert not rows.loc[rows["who"] == HETERO, "published_t"].any()

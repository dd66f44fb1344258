"""Tables about pilots, cost and scope."""

import numpy as np
import pytest
from made_run import PUBLISHED, write_run
from made_series import HETERO, QWEN, THINKER, one, row

from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.tables.summary import solo_accuracy
from headcount.publish.words import CONDITIONS
from headcount.schema import ESTIMATES


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return Inputs(write_run(tmp_path_factory.mktemp("run")), PUBLISHED)


@pytest.fixture
def table(inputs):
    return lambda name: load("tables", name).make(inputs)


def errors(series, law, sizes):
    seen = np.array([series.number(n, "observed") for n in sizes])
    return np.array([series.number(n, law, "predicted") for n in sizes]) - seen, seen


def test_errors_are_means_over_cells_of_sizes_that_were_run_and_held_out(table):
    here = row(table("table13"), team=HETERO, law="kish")
    cells = [errors(one(HETERO, task, "debate"), "kish", [30]) for task in ("mmlu_hard", "gsm_hard")]
    relative = [float(np.mean(np.abs(error) / seen)) for error, seen in cells]
    assert here["cells"] == 2  # first answers alone are no cell where a team revised
    assert here["rmse"] == pytest.approx(np.mean([np.sqrt(np.mean(error**2)) for error, _ in cells]))
    assert here["relative_error"] == pytest.approx(np.mean(relative))
    assert here["worst"] == pytest.approx(max(relative))
    assert (here["pilot"], here["held_out"]) == ([3, 6], [30])
    assert (here["published_rmse"], here["published_relative_error"]) == ("0.43", "27.4")
    assert here["relative_error_minus_published"] == f"{100 * here['relative_error'] - 27.4:+.1f}"


def test_a_sweeps_later_rounds_are_not_audited(table):
    here = row(table("held_out_audit"), team=THINKER, law="ringelmann")
    cells = [errors(one(THINKER, "mmlu_hard", name), "ringelmann", [5]) for name in ("debate", "self_correction")]
    assert here["at_largest"] == pytest.approx(np.mean([abs(error[0]) / seen[0] for error, seen in cells]))
    swept = row(table("held_out_audit"), team=QWEN, law="ringelmann")
    assert (swept["pilot"], swept["held_out"]) == ([2, 3], [5, 10, 30])


def test_projection_at_the_largest_size_with_errors_over_all(table):
    rows = table("table18")
    here, debate = row(rows, team=QWEN, task="gsm_hard", condition="debate"), one(QWEN, "gsm_hard", "debate")
    error = {n: abs(debate.number(n, "predicted") - debate.number(n, "accuracy")) for n in (5, 10, 30)}
    assert (here["n"], here["pilot"].tolist()) == (30, [2, 3])
    assert (here["predicted"], here["observed"]) == (debate.number(30, "predicted"), debate.number(30, "accuracy"))
    assert here["mean_error"] == pytest.approx(np.mean(list(error.values())))
    assert here["max_error"] == pytest.approx(max(error.values()))
    assert [here[f"published_{name}"] for name in ("rho", "predicted", "observed", "mean_error", "max_error")] == [
        *("0.566", "0.249", "0.264"),
        *("1.4", "1.7"),
    ]
    assert here["max_error_minus_published"] == f"{100 * here['max_error'] - 1.7:+.1f}"


def test_summary_of_the_largest_teams(table):
    here, debate = (
        row(table("table17"), team=QWEN, task="mmlu_hard", condition="debate"),
        one(QWEN, "mmlu_hard", "debate"),
    )
    alone = [one(QWEN, "mmlu_hard", name, 1).number(1, "team_accuracy") for name in CONDITIONS]
    assert here["team_accuracy"] == debate.number(30, "team_accuracy")
    assert here["solo"] in alone  # in a real run these are one number
    assert here["gain"] == here["team_accuracy"] - here["solo"]
    tokens = debate.number(30, "prompt_tokens_per_n_eff")
    assert here["kilotokens_per_n_eff"] == pytest.approx(tokens / 1000)
    assert [here[f"published_{n}"] for n in ("accuracy", "gain", "solo", "n_eff", "kilotokens")] == [
        *("0.579", "0.023", "0.555"),
        *("1.12", "91"),
    ]


@pytest.mark.parametrize(("tokens", "mark"), [(90_600, ""), (91_400, ""), (89_000, "outside")])
def test_tokens_are_compared_as_exactly_as_they_were_printed(inputs, tokens, mark):
    """91K may have been anything from 90.5K to 91.5K."""
    estimates = inputs.read(ESTIMATES).copy()
    here = estimates["quantity"] == "prompt_tokens_per_n_eff"
    estimates.loc[here, ["value", "low", "high"]] = [tokens, tokens - 50, tokens + 50]
    rows = load("tables", "summary").summary(estimates, inputs.printed("table17_summary_n30"))
    here = row(rows, team=QWEN, task="mmlu_hard", condition="debate")
    assert here["kilotokens_per_n_eff_outside"] == mark


def test_where_nobody_answered_alone_all_first_answers_count(inputs):
    solo = solo_accuracy(inputs.read(ESTIMATES))
    here = row(solo, team=HETERO, task="gsm_hard")
    assert here["solo"] == one(HETERO, "gsm_hard", "debate", 1).number(30, "agent_accuracy_missing_wrong")
    assert not solo.duplicated(["team", "task"]).any()


def test_cost_as_a_multiple_of_thinking_again(table):
    rows = table("token_cost")
    debate, alone = (one(QWEN, "mmlu_hard", name) for name in ("debate", "self_correction"))
    here = row(rows, team=QWEN, task="mmlu_hard", condition="debate", n=10)
    for ratio, quantity in (
        ("times", "prompt_tokens_to_here"),
        ("times_per_n_eff", "prompt_tokens_to_here_per_n_eff"),
        ("times_per_n_eff_last", "prompt_tokens_per_n_eff"),
    ):
        assert here[ratio] == pytest.approx(debate.number(10, quantity) / alone.number(10, quantity))
    assert here["completion_tokens"] == debate.number(10, "completion_tokens")
    assert rows.loc[rows["condition"] == "self_correction", "times"].isna().all()
    assert rows.loc[rows["team"] == HETERO, "times"].isna().all()


def test_thinkers_beside_others_at_five(table):
    rows = table("table19")
    here, debate = row(rows, team=THINKER, condition="debate"), one(THINKER, "mmlu_hard", "debate")
    assert (here["n"], here["agreement"], here["n_eff_answer"]) == (
        5,
        *(debate.number(5, name) for name in ("agreement", "n_eff_answer")),
    )
    c = debate.number("answer", "ringelmann", "c")
    assert (here["c"], here["ceiling"]) == (c, 1 / c)
    assert [here[f"published_{n}"] for n in ("solo", "agreement", "n_eff", "c", "ceiling")] == [
        *("0.872", "0.983", "1.02"),
        *("1.00", "1.00"),
    ]
    assert row(rows, team=QWEN, task="mmlu_hard", condition="debate")["published_n_eff"] == "1.12"
    assert set(rows["n"]) == {5}


def test_scope_of_each_team_and_task(table):
    rows = table("table03")
    here = row(rows, team=QWEN, task="gsm_hard")
    assert (here["sizes"], here["rounds"], here["conditions"]) == ([1, 2, 3, 5, 10, 30], 7, ["debate"])
    assert here["peers"] == ["1", "2", "4", "full"]
    assert (here["published_items"], here["published_sizes"]) == ("1017", "2-30")
    assert here["published_conditions"] == ["debate", "self_correction", "noise"]
    core = row(rows, team=QWEN, task="mmlu_hard")
    assert core["missing"] == pytest.approx(0.1)  # of noise alone
    assert core["conditions"] == ["self_consistency", "debate", "self_correction", "noise"]


def test_missing_answers_under_three_readings(table):
    here, noise = row(table("missing_answers"), team=QWEN, condition="noise"), one(QWEN, "mmlu_hard", "noise")
    for quantity in ("missing", "n_eff_answer", "n_eff_missing_own", "n_eff_missing_one", "r_over_valid"):
        assert here[quantity] == noise.number(30, quantity)
    assert here["r"] == pytest.approx(noise.number(30, "n_eff_answer") / 30)


def test_what_the_law_is_worth_at_both_levels_of_a_cell(table):
    """One row a level: here only answers were made up."""
    rows, debate = table("law_skill"), one(QWEN, "gsm_hard", "debate")
    here = row(rows, team=QWEN, task="gsm_hard", condition="debate")
    for name in ("skill_null_a", "error_largest", "error_largest_low", "other_half_error", "q", "q_p", "rho_10_high"):
        middle = name.removesuffix("_low").removesuffix("_high")
        off = 0.01 * name.endswith("_high") - 0.01 * name.endswith("_low")
        assert here[name] == pytest.approx(debate.number("ringelmann_free", middle) + off)
    assert (here["best_by_q"], here["best_by_left_out"]) == ("kish", "power_on_r")
    assert (here["pilot"].tolist(), here["held_out"].tolist()) == ([2, 3], [5, 10, 30])
    assert (here["level"], here["round"], here["subsets"]) == ("answer", 3, "first")
    mixed = row(rows, team=HETERO, task="gsm_hard", condition="debate")
    assert mixed["flags"] == ["predicts_nothing"]
    assert not rows.duplicated(["team", "task", "condition", "level"]).any()


def test_a_projection_without_the_normal_limit(table):
    here = row(table("accuracy_projection"), team=QWEN, task="gsm_hard", condition="debate")
    assert here["predicted_beta_binomial"] == one(QWEN, "gsm_hard", "debate").number(30, "scattered")


def test_q_plus_twice_the_parameters(table):
    for _, here in table("rival_laws").iterrows():
        parameters = {"kish": 1, "latane": 1}.get(here["law"], 2)  # of the made-up rows
        assert here["q_plus_2k"] == pytest.approx(here["q"] + 2 * parameters)

"""Tables about talk: what revision changes, and what of it is owed to the peers."""

import pytest
from made_run import PUBLISHED, write_run
from made_series import HETERO, NEWCOMER, QWEN, around, number, one, row

from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.tables.k_tau_collapse import configurations
from headcount.publish.tables.mean_field import contraction
from headcount.schema import ESTIMATES


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return Inputs(write_run(tmp_path_factory.mktemp("run")), PUBLISHED)


@pytest.fixture
def table(inputs):
    return lambda name: load("tables", name).make(inputs)


DEBATE = {"team": QWEN, "task": "mmlu_hard", "condition": "debate"}


def test_conditioned_correlation_of_cells_that_revised(table):
    rows, debate = table("table06"), one(QWEN, "mmlu_hard", "debate")
    here = row(rows, **DEBATE)
    for quantity in ("icc_first", "icc", "icc_conditioned", "icc_change"):
        assert here[quantity] == debate.number(30, quantity)
    assert [here[f"published_{name}"] for name in ("first", "last", "conditioned")] == ["0.957", "0.916", "0.741"]
    assert "self_consistency" not in set(rows["condition"])


def test_a_conditioned_correlation_above_one_is_flagged(inputs):
    module = load("tables", "conditioned_icc")
    estimates = inputs.read(ESTIMATES).copy()
    estimates.loc[estimates["quantity"] == "icc_conditioned", "value"] *= 2
    rows = module.conditioned(estimates, inputs.printed("table06_conditioned_icc"))
    assert rows["flags"].map(bool).tolist() == (rows["icc_conditioned"] > 1).tolist()
    assert 0 < rows["flags"].map(bool).sum() < len(rows)


def test_process_loss_at_the_largest_size(table):
    rows = table("table07")
    assert len(rows) == 1
    here, key = rows.to_dict("records")[0], (QWEN, "mmlu_hard", "process_loss", 30)
    assert (here["potential"], here["actual"]) == (number(*key, "first"), number(*key, "second"))
    assert (here["loss"], here["loss_low"], here["loss_high"]) == (number(*key, "difference"), -0.02, 0.02)
    assert here["gain_alone"] == number(QWEN, "mmlu_hard", "gain_self_correction", 30, "difference")
    assert here["gain_debate"] == number(QWEN, "mmlu_hard", "gain_debate", 30, "difference")
    assert (here["only_first"], here["only_second"]) == (30, 31)
    assert [here[f"published_{name}"] for name in ("loss", "loss_low", "p", "gain")] == ["0.8", "-1.0", "0.478", "3.2"]
    assert here["loss_minus_published"] == f"{100 * here['loss'] - 0.8:+.1f}"  # points


def test_rates_of_teams_of_ten_or_of_the_largest(table):
    rows = table("table15")
    here, debate = row(rows, **DEBATE), one(QWEN, "mmlu_hard", "debate")
    assert (here["n"], here["alpha_s"], here["alpha_l"]) == (
        10,
        *(debate.number(10, q) for q in ("alpha_s", "alpha_l")),
    )
    assert here["ratio"] == here["alpha_s"] / here["alpha_l"]
    assert [here[f"published_{n}"] for n in ("alpha_s", "alpha_s_count", "ratio", "wrong_to_correct")] == [
        "0.60",
        "119",
        "0.67",
        "0.045",
    ]
    assert row(rows, team=HETERO, task="gsm_hard")["n"] == 30
    assert row(rows, team=QWEN, task="gsm_hard")["round"] == 3


def test_transitions_at_every_size(table):
    rows, noise = table("table16"), one(QWEN, "mmlu_hard", "noise")
    here = row(rows, team=QWEN, task="mmlu_hard", condition="noise", n=30)
    assert here["nonmodal_to_modal"] == noise.number(30, "nonmodal_to_modal")
    assert [here[f"published_{n}"] for n in ("modal_stay", "nonmodal_to_modal", "per_peer")] == [
        "0.88",
        "0.19",
        "0.007",
    ]
    assert set(rows.loc[rows["team"] == HETERO, "n"]) == {3, 6, 30}
    assert not (rows["condition"] == "self_consistency").any()


def test_configurations_of_one_product_make_a_band(table):
    rows = table("table02")
    here = row(rows, team=QWEN, task="gsm_hard", n=10, k_tau=4)
    pairs = {(1, 4): 0, (2, 2): 0, (4, 1): 0}
    values = {
        (k, tau): one(QWEN, "gsm_hard", "debate", tau + 1, str(k)).number(10, "agreement_item_mean") for k, tau in pairs
    }
    assert here["configurations"] == ["(1,4)", "(2,2)", "(4,1)"]
    assert (here["low"], here["high"]) == (min(values.values()), max(values.values()))
    assert here["band_later"] == pytest.approx(abs(values[1, 4] - values[2, 2]))
    low = [one(QWEN, "gsm_hard", "debate", tau + 1, str(k)).number(10, "agreement_low") for k, tau in ((1, 4), (2, 2))]
    assert here["band_low"] == pytest.approx(abs(low[0] - low[1]))
    assert here["half_width"] == pytest.approx(0.01)
    assert [here[f"published_{name}"] for name in ("low", "high", "band")] == ["0.509", "0.557", "0.058"]
    of_product = rows[rows["k_tau"] == 4]
    assert (of_product["largest_band"] == of_product["band"].max()).all()
    assert row(rows, n=5, k_tau=4)["published_low"] == ""
    assert set(rows["k_tau"]) == {2, 4, 6, 8, 12}  # those that two configurations or more have


def test_hearing_all_of_five_is_hearing_four(inputs):
    rows = configurations(inputs.read(ESTIMATES), "agreement")
    assert not rows.duplicated(["team", "task", "n", "k", "tau"]).any()
    assert ((rows["n"] == 5) & (rows["k"] == 4) & (rows["team"] == QWEN) & (rows["task"] == "gsm_hard")).sum() == 6


def test_beta_by_peers_after_the_last_round_of_the_sweep(table):
    rows = table("table14")
    assert set(rows["team"]) == {QWEN}
    assert set(rows["task"]) == {"gsm_hard"}
    assert rows["peers"].unique().tolist() == ["1", "2", "4", "full"]
    here, swept = row(rows, peers="2", level="pooled_agreement"), one(QWEN, "gsm_hard", "debate", 7, "2")
    assert here["beta"] == swept.number("pooled_agreement", "ringelmann", "beta")
    assert here["beta_free"] == swept.number("pooled_agreement", "ringelmann_free", "beta")
    assert (here["tau"], here["published_tau"]) == (6, "5")
    told = {level: row(rows, peers="2", level=level)["published_beta"] for level in rows["level"].unique()}
    assert told == {"answer": "0.31", "agreement": "0.14", "pooled_agreement": "0.14"}


def test_rules_beside_plurality(table):
    rows, debate = table("aggregators"), one(QWEN, "mmlu_hard", "debate")
    of_cell = rows[(rows["team"] == QWEN) & (rows["task"] == "mmlu_hard") & (rows["condition"] == "debate")]
    assert of_cell["rule"].tolist() == ["plurality", "confidence_weighted", "top_probability"]
    here = row(of_cell, rule="top_probability")
    shifts = {n: debate.number(n, "accuracy_shift_top_probability") for n in (2, 3, 5, 10, 30)}
    assert (here["n"], here["accuracy"]) == (30, debate.number(30, "accuracy_top_probability"))
    assert (here["shift"], here["shift_low"]) == pytest.approx((shifts[30], shifts[30] - 0.01))
    assert (here["largest_shift"], here["largest_shift_n"]) == (max(shifts.values()), max(shifts, key=shifts.get))
    assert here["mean_shift"] == pytest.approx(sum(shifts.values()) / 5)
    assert here["beta"] == debate.number(0, "beta_top_probability")
    assert here["beta_of_plurality"] == row(of_cell, rule="plurality")["beta"] == debate.number(0, "beta_plurality")


def test_the_largest_shift_may_be_a_loss(inputs):
    estimates = inputs.read(ESTIMATES).copy()
    shifted = estimates["quantity"] == "accuracy_shift_top_probability"
    estimates.loc[shifted, "value"] = 0.01
    estimates.loc[shifted & (estimates["n"] == 3), "value"] = -0.04
    rows = load("tables", "aggregators").aggregators(estimates)
    here = row(rows, **DEBATE, rule="top_probability")
    assert (here["largest_shift"], here["largest_shift_n"]) == (-0.04, 3)
    assert here["mean_shift"] == pytest.approx((0.01 * 4 + 0.04) / 5)


def test_agreement_after_each_update_by_the_theorem(table):
    rows = table("mean_field")
    here = row(rows, team=QWEN, task="gsm_hard", k=2, tau=3)
    first, second, fourth = (one(QWEN, "gsm_hard", "debate", turn, "2") for turn in (1, 2, 4))
    stay_off = 1 - second.number(30, "nonmodal_to_modal")  # of those off the majority, after one update of k peers
    rho = first.number(30, "agreement")
    assert here["predicted"] == pytest.approx(1 - (1 - rho) * stay_off**3)
    assert here["alpha_1"] == pytest.approx(1 - stay_off**0.5)
    assert here["difference"] == pytest.approx(fourth.number(30, "agreement") - here["predicted"])
    assert here["n"] == 30
    of_task = rows[(rows["team"] == QWEN) & (rows["task"] == "gsm_hard")]
    assert of_task["k"].tolist() == [k for k in (1, 2, 4, 29) for _ in range(6)]


def test_a_team_that_follows_the_theorem_leaves_no_difference(inputs):
    """rho(0) = .4; half of those off the majority join it in each update."""
    wanted = {"agreement": lambda turn: 1 - 0.6 * 0.5 ** (turn - 1), "nonmodal_to_modal": lambda _: 0.5}
    estimates = inputs.read(ESTIMATES).copy()
    for quantity, value in wanted.items():
        here = estimates["quantity"] == quantity
        estimates.loc[here, "value"] = estimates.loc[here, "round"].map(value)
    rows = contraction(estimates)
    assert rows["difference"].abs().max() < 1e-12
    assert len(rows) == 38


def test_numbers_know_where_they_come_from():
    """The made run would hide a wrong row if two rows had one number."""
    assert number(QWEN, 1) != number(QWEN, 2) != number(NEWCOMER, 2)
    assert around(0.5) == {"value": 0.5, "low": 0.49, "high": 0.51}

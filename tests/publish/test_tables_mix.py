"""Tables about who is on the team: families, and panels of different models."""

from zlib import crc32

import pandas as pd
import pytest
from made_run import PUBLISHED, write_run
from made_series import HETERO, QWEN, number, one, row

from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.schema import CROWD, ESTIMATES


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return Inputs(write_run(tmp_path_factory.mktemp("run")), PUBLISHED)


@pytest.fixture
def table(inputs):
    return lambda name: load("tables", name).make(inputs)


FIRST, LAST = ("self_consistency", 1), ("debate", 3)


def test_ceilings_of_debates_by_task(table):
    rows, debate = table("table09"), one(HETERO, "gsm_hard", "debate")
    here = row(rows, task="gsm_hard", team=HETERO)
    c = debate.number("answer", "ringelmann", "c")
    assert (here["n_eff_answer"], here["c"], here["ceiling"]) == (debate.number(30, "n_eff_answer"), c, 1 / c)
    assert [here[f"published_{n}"] for n in ("n_eff", "rho", "c", "beta", "ceiling")] == [
        *("2.25", "0.426", "0.35"),
        *("0.000", "2.85"),
    ]
    assert rows["task"].is_monotonic_increasing
    assert rows.loc[rows["task"] == "gsm_hard", "team"].tolist() == [HETERO, QWEN]


def pairs(task, *families):
    return 1000 + crc32(f"{task}{''.join(families)}".encode()) % 1000


def test_families_pooled_over_sizes_in_the_last_round(table):
    rows = table("table10")
    of_task = rows[rows["task"] == "mmlu_hard"]
    assert of_task["family"].tolist()[:3] == ["within", "between", "llama"]
    assert len(of_task) == 2 + 6
    within, between = row(of_task, family="within"), row(of_task, family="between")
    equal = int(pairs("mmlu_hard", "within", "within") * number("mmlu_hard", 3, 0, "within", "within"))
    assert within["agreement"] == equal / pairs("mmlu_hard", "within", "within")
    assert within["difference"] == pytest.approx(within["agreement"] - between["agreement"])
    assert [within[f"published_{n}"] for n in ("agreement", "difference", "pairs")] == ["0.868", "0.050", "35400"]
    assert [between[f"published_{n}"] for n in ("agreement", "difference", "pairs")] == ["0.819", "", "82800"]
    assert pd.isna(between["difference"])


def test_all_tasks_as_one_have_the_pairs_of_each(table):
    rows = table("family_agreement")
    here = row(rows, task="overall", family="within")
    parts = [row(rows, task=task, family="within") for task in ("mmlu_hard", "gsm_hard")]
    assert here["pairs"] == sum(part["pairs"] for part in parts)
    assert here["agreement"] == pytest.approx(sum(part["agreement"] * part["pairs"] for part in parts) / here["pairs"])
    assert pd.isna(here["agreement_low"])
    assert (here["published_agreement"], here["published_pairs"]) == ("0.824", "105837")
    told = {(one, other): row(rows, task="overall", family=one, family_other=other) for one, other in _SAID}
    assert {pair: found["published_agreement"] for pair, found in told.items()} == _SAID
    assert rows["task"].tolist()[-8:] == ["overall"] * 8


_SAID = {  # appendix G; Ministral's family is mistral
    ("qwen", "qwen"): "0.80",
    ("llama", "llama"): "0.77",
    ("mistral", "mistral"): "0.80",
    ("llama", "qwen"): "0.68",
    ("mistral", "qwen"): "0.72",
    ("llama", "mistral"): "0.68",
}


def test_panels_show_first_answers_once_and_each_last_round(table):
    for name in ("error_overlap", "model_pairs", "crowd_rules", "best_member"):
        rows = table(name)
        assert list(dict.fromkeys(zip(rows["condition"], rows["round"], strict=True))) == [FIRST, LAST], name


def test_means_over_pairs_name_what_they_are(table):
    here = row(
        table("error_overlap"),
        condition="debate",
        quantity="capa",
        relation="within_minus_across",
        averaging="events",
    )
    value = number(*LAST, "within_minus_across", "events", "capa")
    assert (here["value"], here["value_low"]) == pytest.approx((value, value - 0.01))
    assert (here["pairs"], here["events"]) == (3, 300)


def test_pairs_that_err_most_alike_come_first(table):
    rows = table("model_pairs")
    for _, panel in rows.groupby("condition"):
        assert panel["equal_wrong_given_both_wrong"].is_monotonic_decreasing
    here = row(rows, condition="debate", model="a-qwen", model_other="c-qwen")
    assert here["capa_high"] == pytest.approx(number(*LAST, "a-qwen", "c-qwen", "capa") + 0.01)
    assert (here["family"], here["family_other"]) == ("qwen", "qwen")


def test_rules_of_the_crowd_beside_the_papers_on_the_same_agents(table):
    rows = table("crowd_rules")
    learnt = row(rows, condition="debate", rule="wawa")
    assert (learnt["accuracy"], learnt["difference"]) == (number(*LAST, "wawa"), number(*LAST, "wawa", "shift"))
    voted, debate = row(rows, condition="debate", rule="top_probability"), one(HETERO, "mmlu_hard", "debate")
    assert voted["accuracy"] == debate.number(3, "accuracy_top_probability")  # the team of one agent a model
    assert voted["difference"] == debate.number(3, "accuracy_shift_top_probability")
    plurality = row(rows, condition="debate", rule="plurality")  # once, the panel's
    assert (plurality["source"], plurality["accuracy"]) == ("votes", number(*LAST, "plurality"))
    assert (voted["models"], voted["unanswered"]) == (3, 2)


def test_a_panel_without_a_team_of_its_size_has_its_own_rules_alone(inputs):
    rows = load("tables", "crowd_rules").crowd_rules(inputs.read(CROWD).assign(models=4), inputs.read(ESTIMATES))
    assert set(rows["rule"]) == {"plurality", "dawid_skene", "wawa"}


def test_the_best_member_leads_by_halves(table):
    rows = table("best_member")
    of_panel = rows[rows["condition"] == "debate"]
    assert of_panel["rule"].tolist() == ["best_member", "plurality", "dawid_skene", "wawa"]
    assert of_panel["members"].tolist() == [["b-llama (3)", "a-qwen (1)"], "", "", ""]
    here = row(of_panel, rule="wawa")
    leads = [number(*LAST, split, half, "wawa") - 0.5 for split in (1, 2) for half in (1, 2)]
    assert here["led"] == sum(lead > 0 for lead in leads) / 4
    assert here["difference"] == number(*LAST, 0, 0, "wawa") - 0.5
    assert here["accuracy"] == number(*LAST, 0, 0, "wawa", "accuracy")
    assert here["halves"] == 4


def test_agreement_and_accuracy_by_bin_at_the_largest_size(table):
    rows, debate = table("agreement_as_confidence"), one(HETERO, "mmlu_hard", "debate")
    of_cell = rows[(rows["task"] == "mmlu_hard") & (rows["condition"] == "debate")]
    assert of_cell["bin"].tolist() == ["all", "0.3–0.4", "0.9–1.0"]
    assert set(of_cell["n"]) == {30}
    here = row(of_cell, bin="0.9–1.0")
    assert (here["mean_share"], here["accuracy"]) == (debate.number(30, 10, "share"), debate.number(30, 10, "accuracy"))
    assert here["unanimous_wrong"] == debate.number(30, 10, "unanimous")
    assert here["items"] == 60

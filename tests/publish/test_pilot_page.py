"""The pilot's page, table and figures: their numbers are the files', and the advice follows from them."""

import re
from html.parser import HTMLParser

import pandas as pd
import pytest
from drawings import stamps, words
from made_pilots import planned
from made_run import PUBLISHED, write_nothing, write_run
from made_series import NEWCOMER, QWEN, one, row
from small_runs import small_config

from headcount.publish.figures import frontier, pilot_prediction
from headcount.publish.inputs import Inputs
from headcount.publish.pilot_cells import chosen_plans, more_items, recommendation
from headcount.publish.pilot_page import pilot_page, write_page
from headcount.publish.registry import load
from headcount.schema import BUDGETS, PILOT_SIZES, PILOTS

PLAN = {
    **{"target": 30, "stop": 5, "stop_low": 3, "stop_high": 7, "budget": 1408.0, "budget_unit": "tokens"},
    **{"n_eff": 3.3, "n_eff_low": 2.5, "n_eff_high": 4.6, "n_items": 200},
    **{"items_to_halve": 900.0, "items_margin": 0.2, "law_margin": 0.1},
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def inputs(folder):
    return Inputs(folder, PUBLISHED)


@pytest.fixture(scope="module")
def page(folder, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "pilot.html"
    write_page(small_config(), folder, path)
    return path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {},
            "Use 5 agents (somewhere between 3 and 7, as far as this pilot can tell): beyond them, one more effective ",
        ),
        (
            {"stop": 1, "stop_low": 1, "stop_high": 1},
            "Use one agent: beyond it, one more effective agent costs more than ",
        ),
        ({"stop_high": 100}, "between 3 and 100 or more"),
        ({"stop_low": None, "stop_high": None}, "Use 5 agents, without an interval to say how sure that is: "),
        ({"budget": 0.0125, "budget_unit": "usd"}, "costs more than 0.0125 USD an item."),
        ({"stop": None}, "A team of 30 would be worth 3.3 agents [2.5, 4.6]; tokens were not told"),
    ],
)
def test_the_advice_follows_from_the_plan(change, said):
    assert said in recommendation(PLAN | change)


def test_more_items_help_only_as_far_as_the_law_is_right():
    assert more_items(PLAN) == (
        "With 900 items in place of 200, the interval at 30 would be half as wide (20 % of its variance is the law's "
        "own error, which items do not shrink)."
    )
    assert more_items(PLAN | {"items_to_halve": None, "law_margin": 0.2}).startswith("No number of items would halve ")
    assert "cannot be told" in more_items(PLAN | {"items_margin": None})


def test_a_cell_is_planned_from_the_steadiest_numbers_there_are(inputs):
    plans = chosen_plans(inputs.read(PILOTS))
    assert not plans.duplicated(["team", "task", "condition", "level"]).any()
    assert row(plans, team=QWEN, condition="self_consistency", level="answer")["subsets"] == "all"


def test_the_table_has_the_plans_numbers(inputs):
    table = load("tables", "pilot_plan").make(inputs)
    (debate,) = (s for s in planned() if (s.team, s.task, s.subsets) == (QWEN, "gsm_hard", "adjusted"))
    here = row(table, team=QWEN, task="gsm_hard", condition="debate", level="answer")
    assert (here["n_eff"], here["accuracy"]) == (debate.number("n_eff", "answer"), debate.number("accuracy", "answer"))
    assert (here["stop"], here["stop_low"], here["stop_high"]) == (5, 3, 100)
    assert here["recommendation"] == recommendation(here)


def test_talk_stands_beside_samples_of_its_budget(inputs):
    table = load("tables", "talk_or_sample").make(inputs)
    debate = one(QWEN, "gsm_hard", "debate")
    here = row(table, team=QWEN, task="gsm_hard", condition="debate", n=5, budget="tokens")
    assert here["team_accuracy"] == debate.number("accuracy", 5, "own")
    assert here["accuracy"] == debate.number("accuracy", 5, "tokens")
    assert here["accuracy_difference"] == debate.number("accuracy_difference", 5, "tokens")
    assert here["verdict"] == "team"  # made-up differences are above 0, with their intervals
    assert set(table["condition"]) == {"debate", "self_correction", "noise"}


def test_a_verdict_needs_an_interval_that_excludes_nothing(inputs):
    budgets = inputs.read(BUDGETS).copy()
    budgets[["accuracy_difference_low", "accuracy_difference_high"]] = [-0.2, -0.1]
    verdicts = load("tables", "talk_or_sample").talk_or_sample
    assert set(verdicts(budgets)["verdict"]) == {"samples"}
    budgets["accuracy_difference_high"] = 0.1
    assert set(verdicts(budgets)["verdict"]) == {"not told apart"}


class Outside(HTMLParser):
    """What a page needs that is not in it, and whether its tags close."""

    def __init__(self):
        super().__init__()
        self.needs, self.open = [], []

    def handle_starttag(self, tag, attrs):
        self.needs += [value for name, value in attrs if name in ("src", "href") and not value.startswith("data:")]
        self.needs += ["script"] if tag == "script" else []
        self.open += [] if tag in ("meta", "link", "img", "br") else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_needs_nothing_outside_it(page):
    parser = Outside()
    parser.feed(page)
    assert (parser.needs, parser.open) == ([], [])


def test_the_page_advises_on_every_cell_with_the_plans_numbers(page, inputs):
    plans = chosen_plans(inputs.read(PILOTS))
    plans = plans[plans["level"] == "pooled_agreement"]
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page))
    for plan in plans.to_dict("records"):
        assert recommendation(plan) in text
        low, high = plan["n_eff_low"], plan["n_eff_high"]
        assert f"{plan['n_eff']:.2f} [{low:.2f}, {high:.2f}]" in text
    assert text.count("Is talking better than sampling more?") == plans.groupby(["team", "task"]).ngroups
    assert "Wrong answers scatter." in text


def test_simulated_cells_say_so_on_the_page(page):
    own = page.split("<section>")[1:]
    assert [NEWCOMER in part for part in own] == ["SIMULATED:" in part for part in own]


def test_what_models_are_called_cannot_break_the_page(inputs):
    files = [inputs.read(table).assign(task="<script>alert(1)</script>") for table in (PILOTS, PILOT_SIZES, BUDGETS)]
    assert "<script" not in pilot_page(small_config(), *(_once(file) for file in files))


def _once(frame: pd.DataFrame) -> pd.DataFrame:
    return frame[(frame["team"] == NEWCOMER)]


def test_a_run_without_a_pilot_has_a_page_that_says_so(tmp_path):
    write_page(small_config(), write_nothing(tmp_path), tmp_path / "pilot.html")
    assert "nothing to predict from" in (tmp_path / "pilot.html").read_text(encoding="utf-8")


def test_the_predictions_are_drawn_with_what_was_seen(inputs):
    figure, data = pilot_prediction.draw(inputs.read(PILOTS), inputs.read(PILOT_SIZES))
    lines = {tuple(map(float, line.get_ydata())) for axes in figure.axes for line in axes.lines}
    for (team, task, condition), rows in data.groupby(["team", "task", "condition"]):
        assert tuple(rows["n_eff"]) in lines, (team, task, condition)
    assert [axes.get_title() for axes in figure.axes[:3]] == ["effective team size", "team is right", "tokens an item"]
    assert sum(stamps(figure)) == 3  # the three panels of the simulated team
    assert "not told" in words(figure)


def test_the_frontier_has_a_line_a_condition_against_tokens(inputs):
    figure, data = frontier.draw(inputs.read(BUDGETS))
    lines = {(tuple(line.get_xdata()), tuple(line.get_ydata())) for axes in figure.axes for line in axes.lines}
    for _, rows in data.groupby(["team", "task", "condition"]):
        for name in ("accuracy", "n_eff"):
            assert (tuple(rows["tokens"]), tuple(rows[name])) in lines
    assert NEWCOMER not in set(data["team"])  # its answers came without tokens


def test_the_frontier_leaves_out_who_was_only_sampled_and_says_so_where_nobody_is_left(inputs):
    budgets = inputs.read(BUDGETS)
    alone = budgets["condition"] == "self_consistency"
    assert frontier.draw(budgets[alone])[1].empty
    assert "asked again" in frontier.draw(budgets[alone])[0].texts[0].get_text()
    told = set(frontier.draw(budgets)[1]["team"])
    left = frontier.draw(budgets[alone | (budgets["team"] != QWEN)])[1]
    assert set(left["team"]) == told - {QWEN} < told


def test_panels_of_the_frontier_are_on_one_scale(inputs):
    figure, _ = frontier.draw(inputs.read(BUDGETS))
    assert len({axes.get_xlim() for axes in figure.axes}) == 1
    assert len({axes.get_ylim() for axes in figure.axes}) == 2  # of accuracy, and of effective size

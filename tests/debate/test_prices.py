"""The cost of hosted models before anything is sent, against what a server is really asked and bills."""

from collections import Counter

import pytest
from aiohttp import web
from chat_server import completion, plain, serving
from small_runs import run, small_config, small_items

from headcount.debate.generate import generate_probes
from headcount.debate.planner import plan
from headcount.debate.prices import hosted_lines
from headcount.engines.spending import spending_file, spent
from headcount.publish.cost_estimate import cost_estimate

ITEMS = small_items(3)


def hosted(url="http://127.0.0.1:9/v1"):
    """A mixed team of hosted models `a` and `b`, and a local one; `a` has prices."""
    api = {"engine": "api", "url": url, "retries": 0}
    models = {"a": api | {"prices": {"prompt": 1, "completion": 2}, "model": "a"}, "b": api | {"model": "b"}, "c": {}}
    return small_config(
        models=models,
        members=("a", "b", "c"),
        sizes=(1, 2, 4),
        conditions=("debate", "self_correction", "noise"),
        tasks={"a": {"format": "arithmetic", "items": 3}},
    )


@pytest.mark.parametrize("nesting", ["nested", "independent"])
def test_calls_are_those_that_a_server_gets_and_the_worst_is_not_exceeded(tmp_path, nesting):
    asked = Counter()

    async def answer(request):
        asked[(await request.json())["model"]] += 1
        return web.json_response(completion(f"FINAL: {asked.total()}"))  # no two alike, so that no request repeats

    with serving(answer) as url:
        config = hosted(url)
        protocol = config.protocol.model_copy(update={"nesting": nesting})
        config = config.model_copy(update={"protocol": protocol})
        before = hosted_lines(config, {"a": 3}, tmp_path)
        run(config, ITEMS, tmp_path)
        after = hosted_lines(config, {"a": 3}, tmp_path)
    for model in ("a", "b"):
        assert sum(line.calls for line in before if line.model == model) == asked[model] > 0
    assert [line.answered for line in before] == [0] * len(before)
    assert [line.answered for line in after] == [line.calls for line in after] == [line.calls for line in before]
    assert [line.tokens.reply for line in after] == [4 * line.calls for line in after], "as in the replies"
    assert all(line.tokens.reply == 120 * line.calls for line in before), "as in the estimates"
    assert 0 < spent(spending_file(tmp_path, "small")) < sum(line.usd_most for line in before if line.model == "a")


def test_a_screen_of_a_hosted_model_is_counted_as_its_server_counts_it(tmp_path):
    asked = Counter()

    async def answer(request):
        asked[(await request.json())["max_tokens"]] += 1
        return web.json_response(completion("Final Answer: B"))

    with serving(answer) as url:
        config = small_config(
            models={"m": {"engine": "api", "url": url, "prices": {"prompt": 1, "completion": 2}}},
            tasks={"a": {"format": "mmlu_hard", "items": 3}},
            probing={"models": ["m"], "tasks": ["a"], "conditions": ["default"]},
        )
        (before,) = (line for line in hosted_lines(config, {"a": 3}, tmp_path) if line.condition == "probe")
        generate_probes(config, plan(config).screens[0], small_items(3, options=4), tmp_path)
        (after,) = (line for line in hosted_lines(config, {"a": 3}, tmp_path) if line.condition == "probe")
    assert asked == {1024: 3 * 3, 512: 3 * 3 * 8}
    assert before.calls == after.calls == after.answered == asked.total()
    assert before.answered == 0


def test_dollars_by_hand(tmp_path):
    """12 draws of `a`: 3 items, 2 agents; prompts of 150 tokens, replies of 120 or at most 1024."""
    lines = {(line.model, line.condition): line for line in hosted_lines(hosted(), {"a": 3}, tmp_path)}
    draws = lines["a", ""]
    assert (draws.calls, draws.tokens.prompt, draws.tokens.reply) == (6, 900, 720)
    assert draws.usd == pytest.approx((900 * 1 + 720 * 2) / 1e6)
    assert draws.usd_most == pytest.approx((2 * 900 * 1 + 6 * 1024 * 2) / 1e6)
    # Agents 1 and 4 are `a`'s: alone nobody revises; of two agents 1 hears one, of four both hear three; 2 updates.
    heard = (150 + 2 * 120) + 2 * (150 + 4 * 120)
    assert lines["a", "debate"].tokens.prompt == 3 * 2 * heard
    assert lines["a", "debate"].calls == 3 * 2 * 3
    assert {model for model, _ in lines} == {"a", "b"}, "the local one costs nothing"


def test_replies_under_other_settings_do_not_count_as_answered(tmp_path):
    with serving(plain) as url:
        run(hosted(url), ITEMS, tmp_path)
        config = hosted(url)
    hotter = config.models["a"].model_copy(
        update={"sampling": config.models["a"].sampling.model_copy(update={"top_p": 0.5})}
    )
    lines = hosted_lines(config.model_copy(update={"models": config.models | {"a": hotter}}), {"a": 3}, tmp_path)
    assert {line.model: line.answered > 0 for line in lines} == {"a": False, "b": True}


def test_a_model_without_prices_is_named_and_never_costs_nothing(tmp_path):
    csv, md = cost_estimate(hosted(), tmp_path)
    rows = [line.split(",") for line in csv.splitlines()]
    assert {row[-1] == "" for row in rows if row[0] == "b"} == {True}
    assert all(float(row[-1]) > 0 for row in rows if row[0] == "a")
    assert "b, NO PRICE: what it costs is not known, and is in no sum." in md
    assert "On top, at prices that are not known: b." in md
    assert "Spending cap: none" in md


def test_where_nobody_hosted_is_asked_nothing_costs_anything(tmp_path):
    assert "no hosted model is asked" in cost_estimate(small_config(), tmp_path)[1]
    replayed = hosted().model_copy(update={"replay": tmp_path})
    assert "no hosted model is asked" in cost_estimate(replayed, tmp_path)[1]

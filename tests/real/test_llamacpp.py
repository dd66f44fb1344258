"""The embedded model, asked for real: a few items through draws, a debate and a release."""

from pathlib import Path

import pytest

from headcount.answers.table import Replies, answer_cell
from headcount.config import Config, load
from headcount.debate.generate import generate_draws, generate_turns
from headcount.debate.journal import stored
from headcount.debate.planner import plan
from headcount.items.load import load_items
from headcount.schema import DRAWS, ITEMS, TURNS
from headcount.store import conform

pytestmark = pytest.mark.llamacpp

MODEL = "smollm2-135m"


@pytest.fixture(scope="module")
def config() -> Config:
    """The demo, with three items a task, teams of one and two, and talk alone."""
    demo = load(Path(__file__).parents[2] / "config/demo.yaml")
    tasks = {name: task.model_copy(update={"items": 3}) for name, task in demo.tasks.items()}
    block = demo.experiments["core"].model_copy(update={"sizes": (1, 2), "conditions": ("debate",)})
    return demo.model_copy(update={"tasks": tasks, "experiments": {"core": block}})


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(scope="module")
def run(config, cache):
    return ask(config, cache)


def ask(config: Config, cache):
    """Items, draws and turns of every task, by task."""
    made = {}
    for task, settings in config.tasks.items():
        items = conform(load_items(settings, cache), ITEMS, task)
        draws = conform(generate_draws(config, plan(config).pool(MODEL, task), items, cache), DRAWS, task)
        cell = plan(config).cell(MODEL, task, "debate")
        turns = conform(generate_turns(config, cell, items, {MODEL: draws}, cache), TURNS, task)
        made[task] = items, draws, turns
    return made


def test_every_reply_keeps_the_format_and_is_read(config, run):
    for task, (items, draws, turns) in run.items():
        rows = answer_cell(config, plan(config).cell(MODEL, task, "debate"), items, Replies({MODEL: draws}, turns))
        assert set(rows["rule"]) == {"final"}, task
        assert set(rows["status"]) <= {"parsed", "missing"}
        assert rows["confidence"].between(0, 100).all()
        assert (rows["logprob"].dropna() < 0).all()
        assert rows["logprob"].notna().any()


def test_tokens_spell_the_reply(run):
    for _, draws, turns in run.values():
        for table in (draws, turns):
            for reply in table.to_pylist():
                assert reply["token_ends"][-1] == len(reply["text"])
                assert len(reply["token_ends"]) == len(reply["token_logprobs"]) <= reply["completion_tokens"]


def test_agents_differ_at_temperature_one(run):
    _, draws, _ = run["arithmetic"]
    assert len(set(draws["text"].to_pylist())) > 1


def test_what_was_answered_is_not_asked_again(config, cache, run):
    before = {row["key"] for task in run for row in stored(cache / MODEL / task, MODEL, task)}
    again = ask(config, cache)
    after = {row["key"] for task in run for row in stored(cache / MODEL / task, MODEL, task)}
    assert before == after
    assert all(again[task][2].equals(run[task][2]) for task in run)

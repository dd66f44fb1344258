"""The embedded model, asked for programs: its replies are read, and what it wrote is run."""

from pathlib import Path

import pytest

from headcount.answers.table import Replies, answer_cell
from headcount.answers.verdicts import judge
from headcount.config import Config, Task, load
from headcount.debate.generate import generate_draws, generate_turns
from headcount.debate.planner import plan
from headcount.items.load import load_items
from headcount.schema import ANSWERS, DRAWS, ITEMS, TURNS
from headcount.store import conform, plain

pytestmark = [pytest.mark.llamacpp, pytest.mark.network]

MODEL = "smollm2-135m"


@pytest.fixture(scope="module")
def config() -> Config:
    """The demo's model on two problems of HumanEval, in a team of two, with room for a program."""
    demo = load(Path(__file__).parents[2] / "config/demo.yaml")
    model = demo.models[MODEL]
    sampling = model.sampling.model_copy(update={"max_tokens": 400, "temperature": 0.2})
    block = demo.experiments["core"].model_copy(
        update={"tasks": ("humaneval_2",), "sizes": (1, 2), "conditions": ("debate",)}
    )
    return demo.model_copy(
        update={
            "models": {MODEL: model.model_copy(update={"sampling": sampling})},
            "tasks": {"humaneval_2": Task(format="humaneval", items=2)},
            "experiments": {"core": block},
        }
    )


def test_programs_of_a_real_model_are_read_run_and_answers_on_both_axes(config, tmp_path):
    planned = plan(config)
    cell = planned.cell(MODEL, "humaneval_2", "debate")
    items = load_items(config.tasks["humaneval_2"], tmp_path)
    draws = conform(
        generate_draws(config, planned.pool(MODEL, "humaneval_2"), items, tmp_path / "cache"), DRAWS, "draws"
    )
    turns = conform(generate_turns(config, cell, items, {MODEL: draws}, tmp_path / "cache"), TURNS, "turns")
    verdicts = judge(conform(items, ITEMS, "items"), [draws, turns], None, threads=2)
    rows = plain(
        conform(answer_cell(config, cell, items, Replies({MODEL: draws}, turns, verdicts)), ANSWERS, "answers")
    )
    assert set(rows["task"]) == {"humaneval_2", "humaneval_2.code"}
    stated = rows[rows["answer"].notna()]
    assert set(rows["status"]) <= {"parsed", "fallback", "missing", "truncated"}
    assert len(stated), draws["text"].to_pylist()
    passing = stated[stated["task"] == "humaneval_2"]
    assert passing["answer"].str.fullmatch("[01]+").all()
    assert (passing["correct"] == ~passing["answer"].str.contains("0")).all()

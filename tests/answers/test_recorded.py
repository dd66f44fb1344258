"""Answers that others recorded: taken from a release that holds the largest team alone, or refused with a reason."""

import pandas as pd
import pytest

from headcount.answers.team import team_answers
from headcount.config import parse
from headcount.debate.release import release as release_run
from headcount.errors import UserError
from headcount.measures.table import measure
from headcount.schema import ANSWERS
from headcount.store import plain, read, write

MODELS = ["m", "o", "p"]
GIVEN = {"q1": ["A", "A", "B"], "q2": ["C", None, "C"]}
GOLD = {"q1": "A", "q2": "B"}


def config_of(folder, *, sizes=(2, 3), members=MODELS, items=2):
    return parse(
        {
            "run": "small",
            "replay": str(folder),
            "models": {name: {"family": "f", "engine": "recorded"} for name in MODELS},
            "teams": {"t": {"members": list(members)}},
            "tasks": {"a": {"format": "recorded", "items": items}},
            "experiments": {
                "e": {"teams": ["t"], "tasks": ["a"], "conditions": ["self_consistency"], "sizes": list(sizes)}
            },
        },
        "small",
    )


def rows_of(task="a"):
    rows = [
        {"item": item, "agent": agent, "model": MODELS[agent - 1], "answer": answer}
        | {"correct": None if answer is None else answer == GOLD[item]}
        | {"status": "missing" if answer is None else "parsed", "rule": "" if answer is None else "strict"}
        for item, answers in GIVEN.items()
        for agent, answer in enumerate(answers, 1)
    ]
    return pd.DataFrame(rows).assign(
        **{"task": task, "condition": "self_consistency", "replicate": 1, "n": 3, "k": 0, "round": 1},
        **{"temperature": None, "request": "", "confidence": None, "n_tags": 0, "tags_disagree": False},
        **{"truncated": False, "logprob": None, "prompt_tokens": 0, "completion_tokens": 0},
    )


@pytest.fixture
def release(tmp_path):
    write(tmp_path / "answers/t/a.parquet", rows_of(), ANSWERS)
    return tmp_path


def test_the_largest_team_is_taken_as_it_stands(release):
    answers = team_answers(config_of(release), "t", release / "nowhere")
    rows = plain(answers)
    assert set(rows["n"]) == {3}
    assert answers["answer"].to_pylist() == [*GIVEN["q1"], *GIVEN["q2"]]
    assert dict(zip(rows["agent"], rows["model"], strict=True)) == {1: "m", 2: "o", 3: "p"}
    measures = measure(answers).to_pandas().set_index("item")
    assert measures["team_answer"].to_dict() == {"q1": "A", "q2": "C"}
    assert measures["team_correct"].to_dict() == {"q1": True, "q2": False}
    assert measures["n_valid"].to_dict() == {"q1": 3, "q2": 2}


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"sizes": (2, 4)}, r"t / a / self_consistency: teams of 4 hearing 0 have 0 turns, and need 8\. Ask for teams"),
        ({"sizes": (2,)}, r"teams of 2 hearing 0 have 0 turns, and need 4"),
        ({"items": 3}, r"teams of 3 hearing 0 have 6 turns, and need 9"),
        ({"members": ["m", "p", "o"]}, r"a\.parquet: agent 2 is 'o', and teams\.t\.members has 'p' there\. Name the"),
    ],
)
def test_a_release_that_is_not_the_configurations_is_refused(release, settings, says):
    with pytest.raises(UserError, match=says):
        team_answers(config_of(release, **settings), "t", release)


def test_a_release_of_another_task_under_this_ones_name_is_refused(tmp_path):
    write(tmp_path / "answers/t/a.parquet", rows_of(task="b"), ANSWERS)
    with pytest.raises(UserError, match="have 0 turns, and need 6"):
        team_answers(config_of(tmp_path), "t", tmp_path)


def test_without_its_release_the_file_is_named(tmp_path):
    with pytest.raises(UserError, match=r"answers/t/a\.parquet: no such file"):
        team_answers(config_of(tmp_path), "t", tmp_path)


def test_recorded_answers_are_released_as_they_came(release, tmp_path):
    config = config_of(release)
    results, target = tmp_path / "results", tmp_path / "released"
    write(results / "answers/t.parquet", team_answers(config, "t", results), ANSWERS)
    assert release_run(config, results, tmp_path / "cache", target) == [target / "answers/t/a.parquet"]
    assert read(target / "answers/t/a.parquet", ANSWERS).equals(read(release / "answers/t/a.parquet", ANSWERS))

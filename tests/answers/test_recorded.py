"""Answers that others recorded: taken from a release as they stand, or refused with a reason.

Of agents who heard nobody a release holds the largest team alone; debates stand in it at every size.
"""

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


def config_of(folder, *, sizes=(2, 3), members=MODELS, items=2, condition="self_consistency", updates=2, **task):
    return parse(
        {
            "run": "small",
            "replay": str(folder),
            "models": {name: {"family": "f", "engine": "recorded"} for name in MODELS},
            "teams": {"t": {"members": list(members)}},
            "tasks": {"a": {"format": "recorded", "items": items, **task}},
            "experiments": {
                "e": {
                    **{"teams": ["t"], "tasks": ["a"], "conditions": [condition]},
                    **{"sizes": list(sizes), "updates": updates},
                }
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


def debates_of(sizes=(2, 3), *, rounds=3, items=("q1", "q2")):
    """Debates of the first agents, in which agent 1 changes its mind in every round."""
    said = rows_of()
    said = said[said["item"].isin(items)]
    rows = pd.concat(
        [
            said[said["agent"] <= n].assign(condition="debate", n=n, k=n - 1, round=turn)
            for n in sizes
            for turn in range(1, rounds + 1)
        ],
        ignore_index=True,
    )
    first = rows["agent"] == 1
    return rows.assign(answer=rows["answer"].mask(first, rows["round"].map({1: "A", 2: "B", 3: "C", 4: "D"})))


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


def test_debates_are_taken_as_they_were_recorded_at_every_size(tmp_path):
    write(tmp_path / "answers/t/a.parquet", debates_of(sizes=(2, 3, 4)), ANSWERS)
    rows = plain(team_answers(config_of(tmp_path, condition="debate"), "t", tmp_path))
    assert set(zip(rows["n"], rows["k"], strict=True)) == {(2, 1), (3, 2)}
    assert set(rows["round"]) == {1, 2, 3}
    first = rows[(rows["agent"] == 1) & (rows["n"] == 2) & (rows["item"] == "q1")]
    assert first.sort_values("round")["answer"].tolist() == ["A", "B", "C"]


def test_debates_may_be_followed_to_an_earlier_round_but_to_no_later_one(tmp_path):
    write(tmp_path / "answers/t/a.parquet", debates_of(), ANSWERS)
    rows = plain(team_answers(config_of(tmp_path, condition="debate", updates=1), "t", tmp_path))
    assert set(rows["round"]) == {1, 2}
    with pytest.raises(UserError, match="teams of 2 hearing 1 have 12 turns, and need 16"):
        team_answers(config_of(tmp_path, condition="debate", updates=3), "t", tmp_path)


def test_a_team_that_was_asked_some_items_only_needs_a_task_that_says_so(tmp_path):
    half = pd.concat([debates_of(sizes=(2,)), debates_of(sizes=(3,), items=("q1",))])
    write(tmp_path / "answers/t/a.parquet", half, ANSWERS)
    with pytest.raises(UserError, match="teams of 3 hearing 2 have 9 turns, and need 18"):
        team_answers(config_of(tmp_path, condition="debate"), "t", tmp_path)
    rows = plain(team_answers(config_of(tmp_path, condition="debate", partial=True), "t", tmp_path))
    assert rows.groupby("n")["item"].nunique().to_dict() == {2: 2, 3: 1}
    with pytest.raises(UserError, match="teams of 4 hearing 3 have 0 turns, and need 12"):
        team_answers(config_of(tmp_path, condition="debate", partial=True, sizes=(4,)), "t", tmp_path)


def test_of_a_partial_task_too_every_debate_is_whole(tmp_path):
    rows = debates_of(sizes=(3,))
    torn = rows[(rows["item"] != "q2") | (rows["round"] < 3)]
    write(tmp_path / "answers/t/a.parquet", torn, ANSWERS)
    with pytest.raises(UserError, match="teams of 3 hearing 2 have 15 turns, and need 18"):
        team_answers(config_of(tmp_path, condition="debate", partial=True, sizes=(3,)), "t", tmp_path)


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
    files = [target / "answers/t/a.parquet", target / "release.json"]
    assert release_run(config, results, tmp_path / "cache", target) == files
    assert read(target / "answers/t/a.parquet", ANSWERS).equals(read(release / "answers/t/a.parquet", ANSWERS))

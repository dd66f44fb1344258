"""`headcount trace` on a finished run, as people type it."""

import re

import pandas as pd

from headcount.schema import ANSWERS, DRAWS, MEASURES, TURNS
from headcount.store import plain, read

ROW = ("team=alone", "task=letters", "condition=debate")


def traced(finished, *words):
    done = finished.headcount("trace", "table01", *words, "--run", "small")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_a_number_is_followed_to_its_items_and_recomputed(finished):
    said = traced(finished, *ROW, "c_paper", "--limit", "9")
    results = finished.folder / "results/small"
    table = pd.read_csv(results / "tables/regimes.csv").set_index(["team", "task", "condition"])
    refitted = float(re.search(r"c=([\d.]+), beta", said)[1])
    assert refitted == round(refitted, 6)
    assert abs(refitted - table.loc[("alone", "letters", "debate"), "c_paper"]) < 1e-4
    measures = plain(read(results / "measures/alone.parquet", MEASURES))
    measures = measures.query("task == 'letters' and condition == 'debate' and round == 3")
    means = measures.groupby("n")["n_eff_answer"].mean()
    shown = re.search(r"recomputed +(.*)", said)[1].split()
    assert [float(text) for text in shown] == [float(f"{mean:.6g}") for mean in means]
    assert "Equal: the number follows from these rows." in said
    assert "NOT EQUAL" not in said
    assert "SIMULATED" in said


def test_its_item_is_followed_to_every_reply(finished):
    said = traced(finished, *ROW, "c", "--item", "l1")
    results = finished.folder / "results/small"
    turns = plain(read(results / "turns/alone/letters/debate.parquet", TURNS)).query("item == 'l1'")
    draws = plain(read(results / "draws/a/letters.parquet", DRAWS)).query("item == 'l1'")
    answers = plain(read(results / "answers/alone.parquet", ANSWERS))
    asked = set(answers.query("task == 'letters' and condition == 'debate' and item == 'l1'")["request"])
    assert asked == {*turns["request"], *draws["request"]}
    for reply in [*turns.to_dict("records"), *draws.to_dict("records")]:
        assert f"\n{reply['request'][:12]}" in said
        assert all(f"  {line}" in said for line in reply["text"].rstrip().splitlines())


def test_a_private_task_shows_answers_and_no_text(finished):
    said = traced(finished, "team=alone", "task=secret", "condition=debate", "--item", "s1")
    assert "the task is private" in said
    assert "round 3  agent  3" in said
    assert "zebra" not in said
    assert "RATIONALE" not in said


def test_a_pipe_gets_plain_text(finished):
    said = traced(finished, *ROW, "beta")
    assert "\x1b" not in said
    assert max(len(line) for line in said.splitlines() if "headcount trace" not in line) <= 80  # that line is copied


def test_what_does_not_exist_is_one_message(finished):
    done = finished.headcount("trace", "regimes", "task=leters", "--run", "small")
    assert done.returncode == 1
    assert done.stderr == "No row of regimes has task=leters. task there: letters, secret.\n"

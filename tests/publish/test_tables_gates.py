"""Tables and the figure of gates show the cells that they say; a third party's gate is scored on the same debates."""

import csv
import io
import json

import pandas as pd
import pytest
from made_gates import utility
from made_run import PUBLISHED, write_run
from made_series import NEWCOMER, QWEN, number, row
from small_results import small_results
from small_runs import small_config
from typer.testing import CliRunner

from headcount.cli import app
from headcount.ledger.gate_outcomes import gate_outcomes
from headcount.ledger.probe_features import read_probe_features
from headcount.ledger.saved_run import team_debates
from headcount.ledger.transitions import transitions
from headcount.publish.figures.gate_utility import draw, numbers
from headcount.publish.gate_words import of_use
from headcount.publish.inputs import Inputs
from headcount.publish.registry import load
from headcount.publish.render import as_markdown
from headcount.schema import ANSWERS, GATE_OUTCOMES, PROBES, TRANSITIONS
from headcount.schema.ledger import ALL, UTILITY_WEIGHTS
from headcount.store import plain, read, write

# --- pages -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    return Inputs(write_run(tmp_path_factory.mktemp("run")), PUBLISHED)


@pytest.fixture(scope="module")
def replay(inputs):
    return load("tables", "gate_replay").make(inputs)


def test_all_together_at_every_size_and_each_cell_at_its_largest(replay):
    assert replay["team"].tolist()[: (replay["team"] == ALL).sum()] == [ALL] * (replay["team"] == ALL).sum()
    sizes = replay.groupby(["team", "task", "condition"])["n"].unique().map(sorted)
    assert sizes[ALL, ALL, "debate"] == [2, 3, 30]
    assert sizes[QWEN, "gsm_hard", "debate"] == [30]
    assert replay["round"].unique().tolist() == [3]  # not the seventh of the k-sweep
    assert not set(replay["gate"]) & {"never", "disagreement_ref"}
    assert set(replay[replay["simulated"]]["team"]) == {NEWCOMER}


def test_numbers_of_a_gate_stand_in_their_columns(replay):
    here = row(replay, team=QWEN, task="gsm_hard", condition="debate", gate="any_r1_flip")
    cell = {"team": QWEN, "task": "gsm_hard", "condition": "debate", "n": 30, "k": 29, "round": 3}
    for name in ("utility_1", "utility_3"):
        value = utility(cell, "any_r1_flip", name)
        assert [here[f"{name}{end}"] for end in ("", "_low", "_high")] == pytest.approx(
            [value, value - 0.01, value + 0.01]
        )
    assert [here[name] for name in ("prevented", "lost", "net", "break_even")] == [20, 30, -10, 1.5]
    assert pd.isna(here["broken"])  # a freeze breaks nothing, and has no column


def test_learned_gates_say_what_was_learned_or_why_nothing_was(replay):
    here = {"condition": "debate", "n": 30}
    assert row(replay, team=QWEN, task="gsm_hard", gate="learned_r1_stump", **here)["learned"] == "r1_agree_frac ≤ 0.5"
    together = row(replay, team=ALL, gate="learned_r1_stump", **here)
    assert together["learned"] == "on the 3 other models"
    chosen = row(replay, team=ALL, gate="shield_in_sample_safest", **here)
    assert chosen["learned"] == "probe_mean_fr > 0.35"  # on these debates, so it can be told for all together
    absent = row(replay, team=ALL, gate="learned_r0_stump", **here)
    assert absent["learned"] == "not learned: too few models with 50 debates (2)"
    assert pd.isna(absent["prevented"])


def test_a_gate_says_what_it_knows_and_whether_it_is_of_use(replay):
    here = replay[replay["team"] == ALL]
    told = dict(zip(here["gate"], here["of_use"], strict=True))
    assert told["learned_probe_freeze"] == "yes"
    assert {told[name] for name in ("learned_r1_stump", "any_r1_flip", "always_freeze")} == {"no"}
    assert {told[name] for name in ("oracle", "anti_oracle", "shield_in_sample_safest", "learned_r0_stump")} == {""}
    assert dict(zip(here["gate"], here["knows"], strict=True))["shield_in_sample_safest"] == "in_sample"
    text = as_markdown(replay, load("tables", "gate_replay").SPEC)
    (told,) = [line for line in text.splitlines() if "| debate | 3 | flips, safest in sample |" in line]
    assert "| the ends of these debates |" in told


@pytest.mark.parametrize(
    ("net", "low", "knows", "said"),
    [
        (5, 0.001, "round_1", "yes"),
        (5, 0.0, "probes", "no"),  # the interval touches 0
        (-5, -0.2, "nothing", "no"),
        (5, None, "probes", "no"),  # one question: no interval
        (None, None, "probes", ""),
        (5, 0.001, "in_sample", ""),
        (5, 0.001, "end", ""),
        (5, 0.001, "file", ""),
    ],
)
def test_of_use_are_gains_whose_interval_leaves_0_out_on_models_left_out(net, low, knows, said):
    rows = pd.DataFrame({"net": [net], "utility_1_low": [low], "knows": [knows]}).astype({"net": float})
    assert of_use(rows.astype({"utility_1_low": float})).tolist() == [said]


def test_areas_stand_beside_what_a_round_adds(inputs):
    areas = load("tables", "collapse_localisation").make(inputs)
    here = row(areas, team=ALL, condition="debate", n=30, folds="question_and_model")
    area = number(ALL, "debate", 30, 29, 3, "question_and_model", "round_1")
    assert here["auc_round_1"] == area
    assert here["gain_round_1_low"] == pytest.approx(area / 2 - 0.01)
    assert areas["auc_all_but_last"].isna().all()
    assert here["auc_probes"] == number(ALL, "debate", 30, 29, 3, "question_and_model", "probes")
    assert set(areas["probed"]) == {250}
    assert areas.groupby(["team", "condition", "n", "folds"]).size().max() == 1


def test_the_figure_draws_utility_at_every_weight_with_weights_of_mean_one(inputs):
    figure, data = draw(inputs.read(GATE_OUTCOMES))
    assert data.equals(numbers(inputs.read(GATE_OUTCOMES)))
    assert data["weight"].unique().tolist() == list(UTILITY_WEIGHTS)
    assert data["n"].unique().tolist() == [3, 30]
    cell = {"team": ALL, "task": ALL, "condition": "noise", "n": 3, "k": 2, "round": 3}
    here = row(data, condition="noise", n=3, gate="oracle", weight=10.0)
    assert here["value"] == pytest.approx(100 * utility(cell, "oracle", "utility_10") * 2 / 11, abs=1e-6)
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert named[0] == "oracle: the bound"
    assert "learned before R1" not in named  # it was not learned
    assert "learned risk from probes" in named
    assert not any("in sample" in name for name in named)  # it has no place beside those that are not
    assert not any("anti" in name for name in named)


# --- a gate of one's own ---------------------------------------------------------------------------------------------

CONFIG = small_config(
    models={"m": {"population": {"accuracy": 0.5, "adoption": 0.4, "redraw": 0.3}}},
    experiments={"core": {"teams": ["t"], "tasks": ["a"], "conditions": ["debate"], "sizes": [1, 2, 3]}},
)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a finished run, whose model was probed with ten of the questions."""
    folder = tmp_path_factory.mktemp("finished")
    results = small_results(CONFIG, folder, items=30)
    probes = results / "probes/m/a.parquet"
    write_probes(probes)
    answers = read(results / "answers/t.parquet", ANSWERS)
    write(results / "transitions/t.parquet", transitions(answers, "t", "every"), TRANSITIONS)
    ends = read(results / "transitions/t.parquet", TRANSITIONS)
    debates = team_debates(ends, "m", read_probe_features([probes]), simulated=True)
    write(results / "gate_outcomes.parquet", gate_outcomes(debates, CONFIG.fitting), GATE_OUTCOMES)
    return folder


def write_probes(path):
    """Of q0 to q9: of each agent's eight probes, as many flips as the question's number, but eight at most."""
    told = {"condition": "default", "replicate": 1, "initial_correct": True, "correct": False, "status": "parsed"}
    counts = dict.fromkeys(("initial_calls", "n_tags", "prompt_tokens", "completion_tokens"), 1)
    counts |= dict.fromkeys(("initial_prompt_tokens", "initial_completion_tokens"), 1)
    said = {"model": "m", "task": "a", "initial_repaired": False, "initial_request": "", "request": "", "rule": ""}
    rows = [
        {"item": f"q{item}", "agent": agent, "probe": f"{strength}_{social}", "strength": strength, "social": social}
        | {"flip": 4 * social + place < item}
        for item in range(10)
        for agent in (1, 2, 3)
        for social in (False, True)
        for place, strength in enumerate(("weak", "moderate", "strong", "very_strong"))
    ]
    frame = pd.DataFrame(rows).assign(**told, **counts, **said, tags_disagree=False, truncated=False)
    write(path, frame.reindex(columns=PROBES.schema.names), PROBES)


def called(finished, monkeypatch, *words):
    monkeypatch.chdir(finished)
    return CliRunner().invoke(app, ["gate", *words, "--run", CONFIG.run])


def listed(finished, monkeypatch):
    """What may be known of each debate."""
    return list(csv.DictReader(io.StringIO(called(finished, monkeypatch).stdout)))


def decide(finished, monkeypatch, choose, name="mine.csv"):
    """A file of a decision for each debate, made from what may be known of it."""
    rows = [(row["source"], row["question_id"], choose(row)) for row in listed(finished, monkeypatch)]
    if name.endswith(".jsonl"):
        text = [json.dumps(dict(zip(("source", "question_id", "action"), row, strict=True))) for row in rows]
    else:
        text = ["source,question_id,action", *(",".join(row) for row in rows)]
    (finished / name).write_text("\n".join(text) + "\n")


def test_a_file_that_does_as_a_gate_does_has_its_numbers(finished, monkeypatch):
    decide(finished, monkeypatch, lambda row: "freeze" if float(row["r1_majority_changed"]) else "keep")
    scored = pd.read_csv(io.StringIO(called(finished, monkeypatch, "mine.csv").stdout))
    known = plain(read(finished / "results" / CONFIG.run / "gate_outcomes.parquet", GATE_OUTCOMES))
    assert set(scored["n"]) == {2, 3}
    assert set(scored["gate"]) == {"mine.csv", "oracle", "always_freeze"}
    for n in (2, 3):
        mine = row(scored, team="t", n=n, gate="mine.csv")
        theirs = row(known, team="t", n=n, gate="r1_majority_changed", round=3)
        for name in ("debates", "collapses", "corrections", "fired", "prevented", "lost", "net"):
            assert mine[name] == theirs[name]
        assert mine["utility_3"] == pytest.approx(theirs["utility_3"], abs=1e-4)
    assert set(scored["simulated"]) == {"SIMULATED"}


def test_right_answers_repair_and_silence_breaks(finished, monkeypatch):
    decide(finished, monkeypatch, lambda row: "abstain" if row["n"] == "2" else "answer:A")
    scored = pd.read_csv(io.StringIO(called(finished, monkeypatch, "mine.csv").stdout))
    silent = row(scored, team="t", n=2, gate="mine.csv")
    assert silent["accuracy"] == 0
    gold = pd.read_parquet(finished / "results" / CONFIG.run / "items/a.parquet")["gold"]
    answered = row(scored, team="t", n=3, gate="mine.csv")
    assert answered["accuracy"] == pytest.approx((gold == "A").mean(), abs=1e-4)
    assert pd.isna(answered["break_even"])


def test_no_debate_may_be_left_out_and_none_may_be_told_its_end(finished, monkeypatch):
    listed = called(finished, monkeypatch, "--n", "3").stdout
    assert not [name for name in ("correct", "final", "gold") if name in listed.splitlines()[0]]
    decide(finished, monkeypatch, lambda _: "keep")
    text = (finished / "mine.csv").read_text().splitlines()
    (finished / "mine.csv").write_text("\n".join(text[:-1]))
    refused = called(finished, monkeypatch, "mine.csv")
    assert refused.exit_code == 1
    assert "mine.csv: no action for the debate of source 't debate n=3 k=2'" in refused.stderr
    none = called(finished, monkeypatch, "--n", "7")
    assert "there are no debates of teams of 7 agents in condition 'debate'" in none.stderr


def test_a_gate_may_read_what_probes_said_before_the_debate(finished, monkeypatch):
    rows = listed(finished, monkeypatch)
    rates = {row["question_id"]: row["probe_mean_fr"] for row in rows if row["n"] == "3"}
    assert [rates[f"a/q{item}"] for item in (0, 4, 9, 10)] == ["0.0", "0.5", "1.0", ""]
    probes = finished / "results" / CONFIG.run / "probes"
    probes.rename(probes.with_name("elsewhere"))
    try:
        assert not [name for name in listed(finished, monkeypatch)[0] if "probe" in name or "alpha" in name]
    finally:
        probes.with_name("elsewhere").rename(probes)
    decide(finished, monkeypatch, lambda row: "freeze" if float(row["probe_mean_fr"] or 0) > 0.5 else "keep")
    scored = pd.read_csv(io.StringIO(called(finished, monkeypatch, "mine.csv").stdout), keep_default_na=False)
    assert row(scored, team="t", n=3, gate="mine.csv")["fired"] == 5  # q5 to q9
    assert row(scored, team="t", n=3, gate="mine.csv")["knows"] == "file"


def test_json_lines_score_as_csv_does(finished, monkeypatch):
    for name in ("mine.csv", "mine.jsonl"):
        decide(finished, monkeypatch, lambda row: "freeze" if float(row["init_agree_frac"]) < 1 else "keep", name)
    csv_text, json_text = (called(finished, monkeypatch, name).stdout for name in ("mine.csv", "mine.jsonl"))
    assert json_text == csv_text.replace("mine.csv", "mine.jsonl")
    assert "mine.jsonl" in json_text


def test_without_items_an_answer_is_judged_where_somebody_was_right(finished, monkeypatch):
    """As of private and recorded tasks; where nobody was, it cannot be, and its row is named."""
    results = finished / "results" / CONFIG.run
    answers = plain(read(results / "answers/t.parquet", ANSWERS))
    solved = set(answers.loc[answers["correct"].fillna(False).astype(bool), "item"])
    unsolved = sorted(set(answers["item"]) - solved)
    items = results / "items/a.parquet"

    def choose(row):
        return "answer:A" if row["question_id"].removeprefix("a/") in solved else "keep"

    decide(finished, monkeypatch, choose)
    with_items = called(finished, monkeypatch, "mine.csv").stdout
    items.rename(items.with_suffix(".away"))
    try:
        assert called(finished, monkeypatch, "mine.csv").stdout == with_items
        assert unsolved, "the run is made so that nobody solves some question"
        decide(finished, monkeypatch, lambda _: "answer:A", "all.jsonl")
        refused = called(finished, monkeypatch, "all.jsonl")
    finally:
        items.with_suffix(".away").rename(items)
    assert refused.exit_code == 1
    rows = [row["question_id"] for row in listed(finished, monkeypatch)]
    first = next(place for place, name in enumerate(rows, 1) if name.removeprefix("a/") in unsolved)
    assert f"all.jsonl: row {first}: the right answer to the debate" in refused.stderr
    assert f"question '{rows[first - 1]}' is not at hand" in refused.stderr
    assert "put the task's items into the run's folder items" in refused.stderr

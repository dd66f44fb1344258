"""Probe rows of the reference as our probes: flips recomputed, no answer neither a flip nor none."""

from pathlib import Path

import numpy as np
import pytest
from saved_files import battery, states, write_lines

from headcount.config import load, parse
from headcount.errors import UserError
from headcount.imports.imported import Wanted, import_files
from headcount.ledger.flips import flip_rates
from headcount.ledger.screens import screen
from headcount.schema import PROBES
from headcount.store import plain, read

DEBATE = [["A", "A", "B"]] * 5


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def probes_of(*rows, debates=("q1", "q2"), model="gemma-3"):
    """The probes that an import of some rows has, and its remarks."""
    write_lines("debates.jsonl", [states(item, DEBATE) for item in debates])
    write_lines("probes.jsonl", rows)
    done = import_files([Path("debates.jsonl"), Path("probes.jsonl")], Wanted("theirs", overwrite=True), Path())
    assert done.written, done.read.problems
    probes = plain(read(Path(f"resources/theirs/probes/{model}/mmlu_pro.parquet"), PROBES))
    return probes, done.read.sources[1].notes.told()


def test_a_battery_is_eight_probes_with_their_flips():
    after = {"weak_solo": "B", "strong_social": "C", "very_strong_solo": None}
    probes, remarks = probes_of(battery("q1", 0, "A", after))
    assert remarks == []
    of = probes.set_index("probe")
    assert set(of.index) == {
        f"{s}_{w}" for s in ("weak", "moderate", "strong", "very_strong") for w in ("solo", "social")
    }
    assert of.loc["weak_solo", ["strength", "social", "flip", "correct", "alternative"]].tolist() == [
        *("weak", False, True, False, "B")
    ]
    assert of["flip"].isna().sum() == 1
    assert of.loc["very_strong_solo", "status"] == "missing"
    assert (of["agent"] == 1).all(), "their agents count from 0"
    assert (of["temperature"] == 0.5).all()
    assert of.loc["weak_solo", ["prompt_tokens", "completion_tokens"]].tolist() == [100, 7]
    assert (of["request"] == "").all()
    assert of["initial_correct"].astype(bool).all()
    rates = flip_rates(probes).iloc[0]
    assert (rates["probes"], rates["flip_rate"]) == (7, pytest.approx(2 / 7))


def test_an_agent_without_a_first_answer_stays_as_one_that_was_asked_nothing():
    silent = battery("q1", 1, None, {})
    silent["probe_results"] = []
    probes, _ = probes_of(silent, battery("q2", 0, "A", {}))
    asked_nothing = probes[probes["item"] == "q1"]
    assert len(asked_nothing) == 8
    assert asked_nothing[["initial_correct", "flip", "alternative", "answer"]].isna().all(axis=None)
    assert set(asked_nothing["agent"]) == {2}
    assert screen(probes).loc["gemma-3", "rows"] == 1


def test_older_rows_take_the_right_answer_from_the_debates_of_the_import():
    row = battery("q1", 1, "B", {"weak_solo": "A"})
    del row["correct_label"], row["initial_correct"], row["initial_answer"], row["condition"]
    for result in row["probe_results"]:
        result["probe_type"], result["strength"] = result["strength"], result.pop("strength_value")
        result["probe_answer"], result["original_answer"] = result.pop("post_answer"), "B"
        del result["alt_answer"]
    probes, _ = probes_of(row)
    of = probes.set_index("probe")
    assert of.loc["weak_solo", ["strength", "flip", "correct"]].tolist() == ["weak", True, True]
    assert not of["initial_correct"].any()
    assert set(of["condition"]) == {"default"}
    assert of[["alternative", "alternative_is_gold"]].isna().all(axis=None)
    assert (of["agent"] == 1).all(), "no row of the model has agent 0, so agents count from 1"


def test_alternatives_that_are_right_are_marked_and_stated_flips_that_are_none_are_remarked():
    row = battery("q1", 0, "B", {"weak_solo": "C"})
    for result in row["probe_results"]:
        result["alt_answer"] = "A"
    row["probe_results"][0]["revised"] = False
    row["initial_correct"] = True
    probes, remarks = probes_of(row)
    assert probes["alternative_is_gold"].all()
    assert probes.set_index("probe").loc["weak_solo", "flip"]
    assert remarks == [
        "stated 'revised' is not whether the answer changed, and is not used (line 1)",
        "stated 'initial_correct' is not that of the answers (ties to the first letter), and is not used (line 1)",
    ]


def test_the_configuration_screens_what_was_probed():
    rows = [
        battery(f"q{item}", agent, "A", {}, condition=condition)
        for item in (1, 2)
        for agent in (0, 1, 2)
        for condition in ("default", "anti_argument")
    ]
    probes, _ = probes_of(*rows)
    probing = load(Path("config/theirs.yaml")).probing
    assert (probing.models, probing.tasks, probing.agents) == (("gemma-3",), ("mmlu_pro",), 3)
    assert probing.conditions == ("default", "anti_argument")
    assert len(probes) == 2 * 3 * 2 * 8


def test_models_probed_on_other_tasks_than_others_are_refused_with_a_way_out():
    write_lines("debates.jsonl", [states("q1", DEBATE)])
    rows = [battery("q1", 0, "A", {}), battery("q9", 0, "A", {}, model_name="other", benchmark="gpqa")]
    write_lines("probes.jsonl", rows)
    with pytest.raises(UserError, match=r"none of gemma-3 on gpqa.* Import tasks .* as runs of their own"):
        import_files([Path("debates.jsonl"), Path("probes.jsonl")], Wanted("theirs"), Path())
    assert not Path("resources").exists()


@pytest.mark.parametrize("seed", range(3))
def test_flip_rates_are_those_that_the_rows_state_where_every_probe_is_answered(seed):
    rng = np.random.default_rng(seed)
    names = [f"{s}_{w}" for s in ("weak", "moderate", "strong", "very_strong") for w in ("solo", "social")]
    rows = [
        battery(f"q{item}", agent, "A", {name: "B" for name in names if rng.random() < 0.4})
        for item in (1, 2)
        for agent in (0, 1, 2)
    ]
    probes, _ = probes_of(*rows)
    rates = flip_rates(probes).set_index(["item", "agent"])["flip_rate"]
    for row in rows:
        assert rates[row["question_id"], row["agent_idx"] + 1] == pytest.approx(row["flip_rate"])
    parse(load(Path("config/theirs.yaml")).model_dump(mode="json"), "again")

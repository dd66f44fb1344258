"""Probes as they are read: flips, what could not be read, and what was never asked."""

import pyarrow as pa
import pytest
from small_runs import block, small_config, small_items

from headcount.answers.probes import read_probes, released_probes
from headcount.debate.generate import generate_probes
from headcount.debate.planner import plan
from headcount.errors import UserError
from headcount.schema import PROBE_REPLIES, PROBES
from headcount.store import conform, write

ITEMS = small_items(1, options=4)  # A is right


def config(population=None, **sections):
    return small_config(
        models={"m": {"sampling": {"slot_temperatures": [0.5, 0.7]}, "population": population or {}}},
        experiments={"e": block(sizes=[3])},
        tasks={"a": {"format": "mmlu_hard"}},
        probing={"models": ["m"], "tasks": ["a"], "agents": 2, "conditions": ["default"]},
        **sections,
    )


def reply(probe, text, agent=1, alternative=None, tokens=(7, 3)):
    return {
        **{"condition": "default", "item": "q0", "replicate": 1, "agent": agent, "probe": probe, "text": text},
        **{"alternative": alternative, "request": f"{agent} {probe}", "finish_reason": "stop", "server": "s"},
        **{"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "token_ends": None, "token_logprobs": None},
    }


def read(*replies):
    settings = config()
    table = conform(pa.Table.from_pylist(list(replies), schema=PROBE_REPLIES.schema), PROBE_REPLIES, "replies")
    rows = conform(read_probes(settings, plan(settings).screens[0], ITEMS, table), PROBES, "probes").to_pylist()
    return {(row["agent"], row["probe"]): row for row in rows}


def test_a_flip_is_any_other_answer_and_silence_is_neither():
    rows = read(
        reply("initial", "Final Answer: A"),
        reply("weak_solo", "Final Answer: A", alternative="C"),
        reply("moderate_solo", "Final Answer: C", alternative="C"),
        reply("strong_solo", "Final Answer: D", alternative="C"),
        reply("very_strong_solo", "Who knows?", alternative="C"),
    )
    assert [rows[1, f"{s}_solo"]["flip"] for s in ("weak", "moderate", "strong", "very_strong")] == [
        False,
        True,
        True,
        None,
    ]
    assert [rows[1, f"{s}_solo"]["correct"] for s in ("weak", "moderate", "very_strong")] == [True, False, None]
    assert rows[1, "weak_solo"]["initial_correct"]
    assert rows[1, "weak_solo"]["alternative_is_gold"] is False
    assert rows[1, "weak_solo"]["strength"] == "weak"
    assert not rows[1, "weak_solo"]["social"]
    assert rows[1, "weak_social"]["request"] == ""  # it was not asked
    assert rows[1, "weak_social"]["flip"] is None


def test_a_repaired_answer_is_the_repairs_and_all_its_calls_are_counted():
    rows = read(
        reply("initial", "Hm.", tokens=(10, 5)),
        reply("repair_1", "Hm?", tokens=(20, 2)),
        reply("repair_2", "Final Answer: B", tokens=(30, 4)),
        reply("weak_solo", "Final Answer: B", alternative="C"),
    )
    row = rows[1, "weak_solo"]
    assert (row["initial_answer"], row["initial_correct"], row["initial_repaired"]) == ("B", False, True)
    assert (row["initial_calls"], row["initial_prompt_tokens"], row["initial_completion_tokens"]) == (3, 60, 11)
    assert row["initial_request"] == "1 repair_2"
    assert row["flip"] is False


def test_an_agent_without_a_first_answer_stays_with_eight_rows_that_say_so():
    rows = read(reply("initial", "Hm."), reply("repair_1", "Hm."), reply("repair_2", "Hm."))
    assert len(rows) == 8
    assert {(row["initial_answer"], row["flip"], row["status"]) for row in rows.values()} == {(None, None, "missing")}
    assert not any(row["initial_repaired"] for row in rows.values())


def test_a_whole_screen_has_the_temperatures_of_its_slots(tmp_path):
    settings = config({"missing": 0.3})
    screen, items = plan(settings).screens[0], small_items(9, options=4)
    made = read_probes(settings, screen, items, generate_probes(settings, screen, items, tmp_path)).to_pandas()
    assert len(made) == 9 * 2 * 8
    assert sorted({(row.agent, round(row.temperature, 3)) for row in made.itertuples()}) == [(1, 0.5), (2, 0.7)]
    asked = made[made["request"] != ""]
    assert (asked["alternative"] != asked["initial_answer"]).all()
    assert asked["flip"].isna().any()
    assert set(made["status"]) == {"parsed", "missing"}


def test_released_probes_are_those_that_are_asked_for(tmp_path):
    settings = config()
    screen, items = plan(settings).screens[0], small_items(3, options=4)
    made = read_probes(settings, screen, items, generate_probes(settings, screen, items, tmp_path))
    write(tmp_path / "probes" / "m" / "a.parquet", made, PROBES)
    fewer = config(replay=str(tmp_path), tier="open")
    assert released_probes(fewer, screen).to_pylist() == conform(made, PROBES, "probes").to_pylist()
    one = fewer.model_copy(update={"probing": fewer.probing.model_copy(update={"agents": 1})})
    assert set(released_probes(one, plan(one).screens[0])["agent"].to_pylist()) == {1}
    other = fewer.model_copy(update={"probing": fewer.probing.model_copy(update={"conditions": ("anti_social",)})})
    with pytest.raises(UserError, match="holds no probe of conditions anti_social"):
        released_probes(other, plan(other).screens[0])

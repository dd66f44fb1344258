"""What debates and screens cost: against a slow count, the published budgets, and what must always hold."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from debates import random_debates, said, slow_label, slow_majority, table
from hypothesis import given, settings
from hypothesis import strategies as st
from small_runs import small_config

from headcount.ledger.costs import DEBATE, SCREEN_FIRST, SCREEN_PROBES, ledger_costs, reference_calls
from headcount.ledger.transitions import transitions
from headcount.schema import PROBES
from headcount.store import conform, plain

PUBLISHED = Path(__file__).parents[2] / "resources/published/ledger/reuse_card_fields.json"
PRICES = {"prompt": 3.0, "completion": 15.0}
URL = {"engine": "api", "url": "http://x"}
LLAMA = {"engine": "llamacpp", "weights": {"path": "x.gguf", "sha256": "0" * 64}}


def config_of(**models):
    return small_config(
        models=models or {"m": {}}, members=tuple(models or ("m",)), tasks={"a": {"format": "arithmetic"}}
    )


def costs_of(answers, config, team="t"):
    rows = table(answers)
    return plain(ledger_costs({team: (rows, transitions(rows, team, "every"))}, [], config))


def only(rows):
    (row,) = rows.to_dict("records")
    return row


# --- debates ----------------------------------------------------------------------------------------------------------


def test_a_cell_is_what_a_slow_count_makes_of_it():
    answers = random_debates(5)
    rng = np.random.default_rng(5)
    answers = answers.assign(
        prompt_tokens=rng.integers(1, 99, len(answers)), completion_tokens=rng.integers(1, 9, len(answers))
    )
    found = costs_of(answers, config_of())
    for row in found.to_dict("records"):
        cell = answers[(answers["task"] == row["task"]) & (answers["n"] == row["n"])]
        longer = cell.groupby(["item", "replicate"])["round"].transform("max") >= row["round"]
        spent = cell[(cell["round"] <= row["round"]) & ((row["n"] > 1) | (cell["round"] == 1))]
        labels = [slow_ends(debate, row["round"]) for _, debate in cell[longer].groupby(["item", "replicate"])]
        assert row["calls"] == len(spent)
        assert row["prompt_tokens"] == spent["prompt_tokens"].sum()
        assert row["completion_tokens"] == spent["completion_tokens"].sum()
        later = spent[spent["round"] > 1]
        assert row["revision_tokens"] == later["prompt_tokens"].sum() + later["completion_tokens"].sum()
        assert row["collapses"] == labels.count("collapse")
        assert row["kept"] == labels.count("correction") - labels.count("collapse")
        tokens = row["prompt_tokens"] + row["completion_tokens"]
        assert row["tokens_per_kept"] == pytest.approx(tokens / row["kept"] if row["kept"] > 0 else np.nan, nan_ok=True)
        assert row["calls_per_200"] == pytest.approx(200 * row["calls"] / row["n_items"])
    assert (found["kept"] <= 0).any()
    assert (found["kept"] > 0).any()


def slow_ends(debate, endpoint):
    ends = [debate[debate["round"] == turn].sort_values("agent")["answer"].tolist() for turn in (1, endpoint)]
    ends = [[answer if isinstance(answer, str) else None for answer in answers] for answers in ends]
    return slow_label(*map(slow_majority, ends), "C")


REPAIRED = said("q0", [["B", "B", "A"], ["A", "A", "B"]])
KEPT = said("q1", [["A", "A", "A"], ["A", "A", "A"]])


def test_money_and_time_of_a_kept_correction():
    hosted = only(costs_of(pd.concat([REPAIRED, KEPT]), config_of(m=URL | {"prices": PRICES})))
    prompt, completion = 12 * 10, 12 * 5
    assert hosted["usd"] == hosted["usd_per_kept"] == pytest.approx((3.0 * prompt + 15.0 * completion) / 1e6)
    assert pd.isna(hosted["seconds"])  # nobody of ours computes
    own = only(costs_of(pd.concat([REPAIRED, KEPT]), config_of(m=LLAMA)))
    assert pd.isna(own["usd"])
    assert own["seconds"] == pytest.approx(
        (completion + prompt / 10) / 100
    )  # as a plan takes the embedded engine to be
    assert (own["calls"], own["kept"], own["calls_per_200"], own["reference_per_200"]) == (12, 1, 1200, 1200)
    assert pd.isna(only(costs_of(pd.concat([REPAIRED, KEPT]), config_of()))["seconds"])  # simulated


def test_a_gpu_s_speed_is_the_configuration_s():
    vllm = {"engine": "vllm", "weights": {"hub": "a/b", "revision": "0" * 40}, "vllm": {"tensor_parallel": 2}}
    config = small_config(models={"m": vllm}, members=("m",), estimates={"tokens_per_second": 1000})
    assert only(costs_of(REPAIRED, config))["seconds"] == pytest.approx((30 + 60 / 10) / 2000)


def test_a_team_with_one_model_without_prices_has_no_price():
    answers = REPAIRED.assign(model=np.where(REPAIRED["agent"] == 1, "m", "o"))
    both = config_of(m=URL | {"prices": PRICES}, o=URL | {"prices": {"prompt": 1.0, "completion": 2.0}})
    row = only(costs_of(answers, both))
    assert row["usd"] == pytest.approx((2 * (30 + 75) + 4 * (10 + 10)) / 1e6)
    assert pd.isna(only(costs_of(answers, config_of(m=URL | {"prices": PRICES}, o=URL)))["usd"])


def test_none_kept_has_no_price():
    broken = said("q2", [["A", "A", "A"], ["B", "B", "A"]])
    for debates, kept in ((broken, -1), (pd.concat([broken, REPAIRED]), 0)):
        row = only(costs_of(debates, config_of(m=URL | {"prices": PRICES})))
        assert row["kept"] == kept
        assert all(pd.isna(row[f"{name}_per_kept"]) for name in ("tokens", "revision_tokens", "usd", "seconds"))


def test_who_hears_nobody_is_not_asked_again_but_to_think_again():
    alone = said("q0", [["A"], ["A"], ["B"]])
    assert costs_of(alone, config_of()).set_index("round")["calls"].to_dict() == {2: 1, 3: 1}
    again = costs_of(alone.assign(condition="self_correction"), config_of())
    assert again.set_index("round")["calls"].to_dict() == {2: 2, 3: 3}


def test_published_budgets():
    said_there = json.loads(PUBLISHED.read_text())["cost_card_200q"]
    lite, full = said_there["alpha_lite"], said_there["full_fingerprint"]
    assert [reference_calls(part, 1) for part in (SCREEN_FIRST, SCREEN_PROBES)] == [lite["initial"], lite["probes"]]
    assert [reference_calls(part, 3 * 3) for part in (SCREEN_FIRST, SCREEN_PROBES)] == [
        full["initial_rows"],
        full["probes"],
    ]
    assert reference_calls(DEBATE, 3, 5) == said_there["direct_debate"]["approx_completions"]  # four revisions
    assert reference_calls(DEBATE, 3, 4) == 2400


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.integers(2, 4))
def test_every_debate_again_costs_as_much_again_and_changes_no_price_of_a_correction(seed, times):
    answers = random_debates(seed, debates=12, sizes=(2, 3))
    many = pd.concat([answers.assign(replicate=answers["replicate"] + 2 * turn) for turn in range(times)])
    once, often = (costs_of(rows, config_of(m=URL | {"prices": PRICES})) for rows in (answers, many))
    for name in ("calls", "prompt_tokens", "revision_tokens", "kept", "usd", "calls_per_200"):
        np.testing.assert_allclose(often[name], times * once[name])
    np.testing.assert_allclose(often["tokens_per_kept"], once["tokens_per_kept"])
    np.testing.assert_allclose(once["reference_per_200"], 200 * once["n"] * once["round"])


# --- screens ----------------------------------------------------------------------------------------------------------


def probes(agents=2, items=3, unread=()):
    """Rows of PROBES: eight probes an agent, none answered by an agent whose first answer could not be read."""
    rows = []
    for item, agent, place in ((i, a, p) for i in range(items) for a in range(1, agents + 1) for p in range(8)):
        lost = (item, agent) in unread
        row = {"model": "m", "task": "a", "condition": "default", "item": f"q{item}", "replicate": 1, "agent": agent}
        row |= {"probe": f"p{place}", "temperature": 0.5, "strength": "weak", "social": place > 3, "rule": "p1_tag"}
        row |= {"initial_answer": None if lost else "A", "initial_correct": None if lost else True}
        row |= {"initial_repaired": False, "initial_request": f"i{item}{agent}", "initial_calls": 3 if lost else 1}
        row |= {"initial_prompt_tokens": 100, "initial_completion_tokens": 20, "alternative": None if lost else "B"}
        row |= {"alternative_is_gold": None if lost else False, "flip": None if lost else False, "n_tags": 1}
        row |= {
            "request": "" if lost else f"r{item}{agent}{place}",
            "answer": None if lost else "A",
            "status": "parsed",
        }
        row |= {"confidence": None, "tags_disagree": False, "truncated": False, "logprob": None, "correct": True}
        row |= {"prompt_tokens": 0 if lost else 7, "completion_tokens": 0 if lost else 2}
        rows.append(row)
    return conform(pd.DataFrame(rows), PROBES, "test")


def screens_of(config, rows):
    found = plain(ledger_costs({}, [rows], config)).set_index("part")
    return found.loc[SCREEN_FIRST].to_dict(), found.loc[SCREEN_PROBES].to_dict()


def test_a_screen_counts_each_first_answer_once_and_each_probe_that_was_asked():
    first, probed = screens_of(config_of(m=URL | {"prices": PRICES}), probes(unread=[(0, 2)]))
    assert (first["calls"], first["repairs"], first["prompt_tokens"], first["completion_tokens"]) == (8, 2, 600, 120)
    assert (probed["calls"], probed["repairs"], probed["prompt_tokens"], probed["completion_tokens"]) == (
        40,
        0,
        280,
        80,
    )
    assert first["usd"] == pytest.approx((3 * 600 + 15 * 120) / 1e6)
    assert (first["n"], first["n_items"], first["reference_per_200"]) == (2, 3, 400)
    assert (probed["reference_per_200"], probed["calls_per_200"]) == (3200, pytest.approx(200 * 40 / 3))
    assert pd.isna(probed["kept"])


def test_a_screen_that_could_read_nobody_cost_its_first_answers():
    first, probed = screens_of(config_of(), probes(agents=1, items=2, unread=[(0, 1), (1, 1)]))
    assert (first["calls"], probed["calls"], probed["prompt_tokens"]) == (6, 0, 0)


def test_a_run_without_debates_or_screens_has_no_costs():
    assert ledger_costs({}, [], config_of()).num_rows == 0

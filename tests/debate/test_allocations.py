"""What jobs ask a cluster for, against what the plan says they have to do."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_runs import block, small_config

from headcount.debate.allocations import draws_allocation, expected_items, turns_allocation
from headcount.debate.costs import costs
from headcount.debate.planner import plan

WEIGHTS = {"hub": "a/b", "revision": "0" * 40}
VLLM = {"engine": "vllm", "weights": WEIGHTS}
API = {"engine": "api", "url": "http://127.0.0.1/v1"}


def mixed(*models, shards=1, **sections):
    """A debate of a team whose members are models of some settings, on 400 items in a number of shards."""
    named = {f"m{place}": settings for place, settings in enumerate(models)}
    blocks = {"e": block(sizes=[2, 6], shards=shards)}
    tasks = {"a": {"format": "arithmetic", "items": 400}}
    return small_config(models=named, members=tuple(named), experiments=blocks, tasks=tasks, **sections)


def of_turns(config, attempt=1):
    planned = plan(config)
    return turns_allocation(config, planned, planned.cell("t", "a", "debate"), attempt)


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 4)), min_size=1, max_size=3))
def test_a_job_has_the_gpus_of_all_its_models(parallel):
    models = [VLLM | {"vllm": {"tensor_parallel": t, "data_parallel": d}} for t, d in parallel]
    config = mixed(*models)
    assert of_turns(config).gpus == sum(t * d for t, d in parallel)
    assert draws_allocation(config, plan(config).pools[0]).gpus == parallel[0][0] * parallel[0][1]
    assert not of_turns(config).hosted


@pytest.mark.parametrize(
    ("models", "gpus", "hosted"),
    [([API], 0, True), ([{}], 0, False), ([API, {}], 0, True), ([VLLM, API], 1, True)],
    ids=["hosted", "simulated", "hosted and simulated", "served and hosted"],
)
def test_only_models_that_this_job_serves_need_gpus(models, gpus, hosted):
    needs = of_turns(mixed(*models))
    assert (needs.gpus, needs.hosted) == (gpus, hosted)


def test_a_replay_needs_nothing(tmp_path):
    needs = of_turns(mixed(VLLM, API, replay=str(tmp_path)))
    assert (needs.gpus, needs.hosted, needs.hours) == (0, False, 0)


@given(st.integers(1, 40))
def test_shards_share_the_hours(shards):
    whole, share = of_turns(mixed(VLLM)), of_turns(mixed(VLLM, shards=shards))
    assert whole.hours <= shards * share.hours <= whole.hours * (1 + shards / 400)


def test_hours_are_those_of_the_plan_at_the_stated_speed():
    """One GPU that writes 100 tokens a second, and reads ten times as fast."""
    config = mixed(VLLM, estimates={"tokens_per_second": 100})
    (line,) = [line for line in costs(config, {"a": 400}) if line.condition == "debate"]
    assert of_turns(config).hours * 3600 * 100 == pytest.approx(line.output_tokens + line.prompt_tokens / 10)


def test_more_gpus_take_less_time():
    alone, four = mixed(VLLM), mixed(VLLM | {"vllm": {"data_parallel": 4}})
    assert of_turns(alone).hours == pytest.approx(4 * of_turns(four).hours)


def test_models_of_a_team_work_at_the_same_time():
    assert of_turns(mixed(VLLM, VLLM)).hours == pytest.approx(of_turns(mixed(VLLM)).hours / 2)


def test_a_rate_limit_sets_the_hours_of_a_hosted_model():
    config = mixed(API | {"requests_per_minute": 10})
    calls = sum(line.calls for line in costs(config, {"a": 400}) if line.condition == "debate")
    assert of_turns(config).hours == pytest.approx(calls / 10 / 60)


def test_a_further_attempt_has_more_time_and_memory():
    first, second = (of_turns(mixed(VLLM), attempt) for attempt in (1, 2))
    assert second.minutes > first.minutes
    assert second.mem_mb > first.mem_mb
    assert (second.gpus, second.hours) == (first.gpus, first.hours)


def test_time_covers_the_start_of_a_server_and_twice_the_estimate():
    config = mixed(VLLM | {"vllm": {"start_seconds": 600}}, estimates={"tokens_per_second": 100})
    assert of_turns(config).minutes >= 10 + 2 * 60 * of_turns(config).hours


def test_thoughts_and_tokens_with_probabilities_count():
    plain, thoughtful = of_turns(mixed(VLLM)), of_turns(mixed(VLLM | {"thinking": True, "logprobs": True}))
    assert thoughtful.hours > plain.hours
    assert thoughtful.mem_mb > plain.mem_mb


def test_a_file_that_is_not_here_is_guessed():
    """Who submits a run has not always fetched its items; the job that reads them says what is wrong with them."""
    config = small_config(tasks={"a": {"format": "file", "source": {"path": "nowhere.csv"}}})
    assert expected_items(config.tasks["a"]) == 1000

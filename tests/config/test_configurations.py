"""The configurations that we ship, their generated reference, and what their models derive."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from small_runs import small_config

from headcount.config import Config, Sampling, Team, load
from headcount.config_reference import reference, schema, write_reference

CONFIG = Path(__file__).parents[2] / "config"


@pytest.mark.parametrize("name", ["demo", "showcase", "panel", "paper"])
def test_a_shipped_configuration_is_valid_and_named_after_its_run(name):
    assert load(CONFIG / f"{name}.yaml").run == name


def test_schema_and_reference_are_those_of_the_models(tmp_path):
    """If not: `headcount reference` writes them."""
    write_reference(tmp_path)
    assert (CONFIG / "schema.json").read_text() == (tmp_path / "schema.json").read_text() == schema()
    assert (CONFIG / "README.md").read_text() == (tmp_path / "README.md").read_text() == reference()


def test_every_key_of_every_section_is_in_the_reference_and_closed_in_the_schema():
    sections = [Config.model_json_schema(), *Config.model_json_schema()["$defs"].values()]
    for section in sections:
        assert section["additionalProperties"] is False, section["title"]
        text = reference().split(f"\n## {section['title']}\n")[1].split("\n## ")[0]
        assert [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")] == list(
            section["properties"]
        )


@pytest.mark.parametrize("name", ["demo", "showcase", "panel", "paper"])
def test_a_configuration_survives_json(name):
    """Snakemake hands scripts the configuration as plain data."""
    raw = yaml.safe_load((CONFIG / f"{name}.yaml").read_text())
    assert Config.model_validate(json.loads(json.dumps(raw))) == load(CONFIG / f"{name}.yaml")


@given(st.lists(st.sampled_from("abc"), min_size=1, max_size=5), st.integers(1, 40))
def test_slots_number_each_models_agents_from_one(members, n):
    team = Team(members=tuple(members))
    for model in set(members):
        slots = [team.slot(agent) for agent in range(1, n + 1) if team.member(agent) == model]
        assert slots == list(range(1, len(slots) + 1))


def test_agents_take_temperatures_in_turn():
    sampling = Sampling(slot_temperatures=(0.2, 1.0, 0.7))
    assert [sampling.of_agent(agent) for agent in range(1, 5)] == [0.2, 1.0, 0.7, 0.2]
    assert Sampling(temperature=0.3).of_agent(9) == 0.3


def test_how_an_engine_is_run_makes_no_other_requests():
    plain = small_config().models["m"]
    assert (
        plain.model_copy(update={"concurrency": 99, "timeout": 1, "retries": 0, "threads": 3}).asked() == plain.asked()
    )
    assert plain.model_copy(update={"dtype": "q4"}).asked() != plain.asked()

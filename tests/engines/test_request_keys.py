"""A request's key: all that can change the reply, and nothing else."""

from dataclasses import fields, replace

import pytest
from small_runs import small_config

from headcount.config import Population
from headcount.config_sources import FileSource, HubSource, UrlSource
from headcount.engines.request import Identity, Place, Request, identify

PLACE = Place("t", "a", "debate", "q0", 1, 3, 2, 1, 1)
IDENTITY = Identity("m", "w", "api", "auto", 0.95, 1024, False, None)
REQUEST = Request(IDENTITY, (("user", "Äh?"),), 0.4, 7, PLACE)


def test_a_golden_key():
    """Journals and releases outlive versions: a change of this key orphans every reply ever paid for."""
    assert REQUEST.key == "bc79c7e77e20401a3791696f67771e2c853dc751e1b77641b83c75fdb57067bf"


def test_equal_content_has_an_equal_key():
    assert Request(replace(IDENTITY), (("user", "Äh?"),), 0.4, 7, PLACE).key == REQUEST.key


@pytest.mark.parametrize("place", [PLACE._replace(team="u", condition="noise"), PLACE._replace(n=30, k=4, agent=9)])
def test_the_place_is_not_in_the_key(place):
    assert replace(REQUEST, place=place).key == REQUEST.key


OTHER = {
    "model": "o",
    "weights": "v",
    "engine": "vllm",
    "dtype": "q4",
    "top_p": 0.9,
    "max_tokens": 9,
    "thinking": True,
    "grammar": "root",
    "stop": ("x",),
    "serving": ("batch-invariant",),
}


def test_every_field_of_the_identity_is_in_the_key():
    assert set(OTHER) == {field.name for field in fields(Identity)}
    keys = {replace(REQUEST, identity=replace(IDENTITY, **{name: value})).key for name, value in OTHER.items()}
    assert len(keys | {REQUEST.key}) == len(OTHER) + 1


@pytest.mark.parametrize(
    "change",
    [
        {"temperature": 0.5},
        {"seed": 8},
        {"messages": (("system", "Äh?"),)},
        {"messages": (("user", "Äh"), ("user", "?"))},
    ],
)
def test_sampling_seed_and_messages_are_in_the_key(change):
    assert replace(REQUEST, **change).key != REQUEST.key


@pytest.mark.parametrize(
    "change",
    [
        {"url": "http://elsewhere"},
        {"timeout": 1.0},
        {"concurrency": 99},
        {"retries": 0},
        {"threads": 7},
        {"family": "g"},
    ],
)
def test_how_and_where_a_model_is_served_is_not_in_the_key(change):
    model = small_config().models["m"]
    assert identify("m", model.model_copy(update=change), None) == identify("m", model, None)


def test_the_name_of_a_run_is_not_in_the_key():
    one, other = small_config(), small_config(run="other")
    assert identify("m", one.models["m"], None) == identify("m", other.models["m"], None)


@pytest.mark.parametrize(
    ("weights", "known_as"),
    [
        (HubSource(hub="o/n", revision="a" * 40), f"o/n@{'a' * 40}"),
        (HubSource(hub="o/n", revision="a" * 40, file="f", sha256="b" * 64), "b" * 64),
        (UrlSource(url="https://x.org/f", sha256="c" * 64), "c" * 64),
        (FileSource(path="/models/f.gguf"), "/models/f.gguf"),
        (FileSource(path="/models/f.gguf", sha256="d" * 64), "d" * 64),
    ],
)
def test_weights_are_known_by_what_pins_them(weights, known_as):
    model = small_config().models["m"].model_copy(update={"weights": weights, "engine": "llamacpp"})
    assert identify("m", model, None).weights == known_as


def test_another_population_is_another_model():
    model = small_config().models["m"]
    other = model.model_copy(update={"population": Population(adoption=0.2)})
    assert identify("m", model, None).weights != identify("m", other, None).weights


@pytest.mark.parametrize(
    ("population", "known_as"),
    [
        ({}, "45dd6c766f6ad62966bef0d05cd99ed0297a7d8e33a32a6846c5edfd41b2c3fa"),
        ({"persuasion": 0.3}, "916bab8d4358abb886a92b3cf2ad3cf8491369afe158c38cc9d6d73012fa8430"),
    ],
)
def test_keys_that_populations_got_later_are_in_no_older_key(population, known_as):
    """What the weights of these populations were called when populations had seven keys."""
    model = small_config(models={"m": {"population": population}}).models["m"]
    assert identify("m", model, None).weights == known_as


def test_what_a_family_has_in_common_makes_its_replies_its_own():
    for correlation, equal in ((0.0, True), (0.3, False)):
        models = {"m": {"population": {"correlation": correlation}}}
        model = small_config(models=models).models["m"]
        other = model.model_copy(update={"family": "g"})
        assert (identify("m", model, None).weights == identify("m", other, None).weights) == equal

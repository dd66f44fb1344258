"""What a configuration's errors say of panels, probes and high-flip questions."""

import copy

import pytest
import yaml

from headcount.config import parse
from headcount.errors import UserError

GOOD = yaml.safe_load("""
run: t
models: {m: {family: f, engine: simulated}, r: {family: f, engine: recorded}}
teams: {t: {members: [m]}}
tasks:
  a: {format: mmlu_hard}
  b: {format: high_flip, of: a, model: m, items: 5}
  n: {format: arithmetic}
experiments: {e: {teams: [t], tasks: [a, b], sizes: [3], updates: 3}}
probing: {models: [m], tasks: [a, b]}
protocol: {dialect: ledger}
""")


def changed(path, value):
    raw = section = copy.deepcopy(GOOD)
    *sections, key = path.split("/")
    for name in sections:
        section = section[name]
    section[key] = value
    return raw


def test_the_good_one_is_good():
    assert parse(GOOD, "x.yaml").probing.agents == 3


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("protocol/dialect", "legder", "protocol.dialect: 'legder' is not allowed. Did you mean 'ledger'?"),
        ("experiments/e/tasks", ["a", "n"], "experiments.e.tasks: 'n' asks for no option, and the ledger's prompts"),
        ("probing/tasks", ["n"], "probing.tasks: 'n' asks for no option, and the ledger's prompts ask for a letter"),
        ("probing/tasks", ["c"], "probing.tasks: 'c' is not one of the tasks. (a, b, n)"),
        ("probing/models", ["mm"], "probing.models: 'mm' is not one of the models. Did you mean 'm'?"),
        ("probing/models", ["r"], "probing.models: 'r' is never asked, so not 'a'"),
        ("probing/conditions", ["antisocial"], "'antisocial' is not allowed. Did you mean 'anti_social'?"),
        ("tasks/b/of", "c", "tasks.b.of: 'c' is not one of the tasks."),
        ("tasks/b/of", "b", "tasks.b.of: 'b' is itself chosen or recorded: name a task with questions"),
        ("tasks/b/of", "n", "tasks.b.of: 'n' asks for no option"),
        ("tasks/b/model", "r", "tasks.b.model: 'r' is never asked, so not 'a'"),
        ("tasks/b/items", None, "tasks.b: format high_flip needs 'of' (a task), 'model' and 'items' (how many)."),
        ("tasks/b/source", {"path": "x.csv"}, "tasks.b: format high_flip takes no 'source'"),
        ("tasks/n/of", "a", "tasks.n: 'of' and 'model' are for format high_flip."),
        ("tasks/a", {"format": "file", "source": {"path": "x.csv"}, "private": True}, "tasks.b: is made of 'a', which"),
        ("tier", "opne", "tier: 'opne' is not allowed. Did you mean 'open'? (full, open)"),
    ],
)
def test_what_cannot_be_is_named(path, value, says):
    with pytest.raises(UserError) as refused:
        parse(changed(path, value), "x.yaml")
    assert says in str(refused.value)


def test_in_an_open_release_all_tasks_are_answers_alone():
    assert all(parse(GOOD | {"tier": "open"}, "x.yaml").answers_only(task) for task in "abn")
    assert not any(parse(GOOD, "x.yaml").answers_only(task) for task in "abn")

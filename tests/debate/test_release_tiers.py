"""Tiers of a release: probes come with it, an open one quotes nothing, and what it says of itself is checked."""

import json
import shutil
from itertools import chain

import pyarrow.parquet as pq
import pytest
from small_runs import run, small_config, small_items, write_run

from headcount.answers.probes import read_probes, released_probes
from headcount.answers.team import team_answers
from headcount.debate.asked import asked
from headcount.debate.generate import generate_probes
from headcount.debate.planner import plan
from headcount.debate.release import release
from headcount.debate.release_files import check_files
from headcount.debate.release_metadata import check_replay, read_metadata
from headcount.errors import UserError
from headcount.schema import ANSWERS, ITEMS, PROBE_REPLIES, PROBES, RESPONSES
from headcount.store import read, write

ITEMS_A = small_items(4, options=4)
TASKS = {"a": {"format": "made_up", "items": 4, "options": 4}, "b": {"format": "made_up", "items": 4, "options": 4}}
PROBING = {"models": ["m"], "tasks": ["a", "b"], "agents": 2, "conditions": ["default", "anti_social"]}
SMALL = {"m": {"population": {"missing": 0.2}}}


def config_of(**changes):
    how = {
        "conditions": ("debate", "self_correction"),
        "sizes": (3,),
        "models": SMALL,
        "protocol": {"dialect": "ledger"},
    }
    return small_config(**({"tasks": TASKS, "probing": PROBING} | how | changes))


def finish(config, folder):
    """The files of a run of team t on task a, with the screens of its model, in a folder."""
    results, cache = folder / "results", folder / "cache"
    write_run(run(config, ITEMS_A, cache), ITEMS_A, results)
    write(results / "items/b.parquet", ITEMS_A, ITEMS)
    for screen in plan(config).screens:
        replies = generate_probes(config, screen, ITEMS_A, cache)
        write(results / f"{screen.purpose}_replies/m/{screen.task}.parquet", replies, PROBE_REPLIES)
        replies = read(results / f"{screen.purpose}_replies/m/{screen.task}.parquet", PROBE_REPLIES)
        probes = read_probes(config, screen, ITEMS_A, replies)
        write(results / f"{screen.purpose}s/m/{screen.task}.parquet", probes, PROBES)
    write(results / "answers/t.parquet", team_answers(config, "t", results), ANSWERS)
    return folder


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    return finish(config_of(), tmp_path_factory.mktemp("run"))


def released(finished, target, **changes):
    release(config_of(**changes), finished / "results", finished / "cache", target)
    return target


def texts_of(finished):
    """Everything that the run's questions and replies say."""
    tables = [pq.read_table(path) for path in (finished / "results").rglob("*.parquet")]
    said = chain.from_iterable(table["text"].to_pylist() for table in tables if "text" in table.column_names)
    questions = [*ITEMS_A["question"].to_pylist(), *chain.from_iterable(ITEMS_A["choices"].to_pylist())]
    return {*said, *questions}


def values_of(folder):
    """Every value in a folder's files, and every byte."""
    tables = [pq.read_table(path).to_pylist() for path in folder.rglob("*.parquet")]
    raw = b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())
    return "\n".join(map(str, tables)) + raw.decode("latin-1")


def test_a_full_release_replays_its_screens_and_the_questions_that_only_a_screen_asks(finished, tmp_path):
    target = released(finished, tmp_path / "release")
    names = {str(path.relative_to(target)) for path in target.rglob("*") if path.is_file()}
    assert names == {
        "items/a.parquet",
        "items/b.parquet",
        "responses/m/a.parquet",
        "responses/m/b.parquet",
        "release.json",
    }
    replaying = config_of(replay=str(target))
    for screen in plan(replaying).screens:
        own = generate_probes(replaying, screen, read(target / f"items/{screen.task}.parquet", ITEMS), tmp_path / "no")
        path = finished / f"results/probe_replies/m/{screen.task}.parquet"
        write(tmp_path / "again.parquet", own, PROBE_REPLIES)
        assert read(tmp_path / "again.parquet", PROBE_REPLIES).equals(read(path, PROBE_REPLIES))
    assert not (tmp_path / "no").exists()


def test_responses_are_those_of_draws_turns_and_screens_and_no_others(finished, tmp_path):
    target = released(finished, tmp_path / "release")
    stages = {"draws/m/a", "turns/t/a/debate", "turns/t/a/self_correction", "probe_replies/m/a"}
    requests = {key for stage in stages for key in read_keys(finished / f"results/{stage}.parquet")}
    assert set(read(target / "responses/m/a.parquet", RESPONSES)["request"].to_pylist()) == requests
    alone = set(read_keys(finished / "results/probe_replies/m/b.parquet"))
    assert set(read(target / "responses/m/b.parquet", RESPONSES)["request"].to_pylist()) == alone
    assert set(asked(config_of(), finished / "results", "m", "a")) == requests


def read_keys(path):
    return pq.read_table(path)["request"].to_pylist()


def test_an_open_release_quotes_no_question_and_no_reply(finished, tmp_path):
    texts = texts_of(finished)
    assert len(texts) > 20
    full = values_of(released(finished, tmp_path / "full"))
    assert any(repr(text)[1:-1] in full for text in texts)  # where they are, they are found
    target = released(finished, tmp_path / "open", tier="open")
    said = values_of(target)
    assert not [text for text in texts if text in said or repr(text)[1:-1] in said]
    assert {str(path.relative_to(target)) for path in target.rglob("*.parquet")} == {
        *("answers/t/a.parquet", "probes/m/a.parquet", "probes/m/b.parquet")
    }


def test_an_open_release_is_replayed_as_answers_and_probes(finished, tmp_path):
    target = released(finished, tmp_path / "open", tier="open")
    replaying = config_of(tier="open", replay=str(target))
    check_replay(replaying)
    assert team_answers(replaying, "t", tmp_path / "nothing").equals(
        read(finished / "results/answers/t.parquet", ANSWERS)
    )
    for screen in plan(replaying).screens:
        probes = read(finished / f"results/probes/m/{screen.task}.parquet", PROBES)
        assert released_probes(replaying, screen).equals(probes)


@pytest.mark.parametrize(("released_tier", "asked_tier"), [("open", "full"), ("full", "open")])
def test_a_replay_of_the_other_tier_names_both_keys(finished, tmp_path, released_tier, asked_tier):
    target = released(finished, tmp_path / "release", tier=released_tier)
    says = rf"release\.json: tier: '{released_tier}', and the configuration has tier: '{asked_tier}'\. Set `tier: "
    with pytest.raises(UserError, match=says):
        check_replay(config_of(tier=asked_tier, replay=str(target)))


def test_a_release_without_metadata_is_replayed_as_before(finished, tmp_path):
    target = released(finished, tmp_path / "release")
    (target / "release.json").unlink()
    check_replay(config_of(replay=str(target)))
    check_replay(config_of())


def test_metadata_says_what_is_open_who_answered_and_what_the_files_hold(finished, tmp_path):
    target = released(finished, tmp_path / "full")
    said = check_files(target / "release.json")
    assert (said.run, said.tier, said.full_transcripts, said.known_missing_artifacts) == ("small", "full", "open", ())
    rows = {name: pq.read_table(target / name).num_rows for name in said.files}
    assert {name: file.rows for name, file in said.files.items()} == rows
    assert {file.row_tier for file in said.files.values()} == {"open_derived"}
    replies = {(one.model, one.task): one.replies for one in said.servers}
    assert replies == {("m", task): rows[f"responses/m/{task}.parquet"] for task in ("a", "b")}
    closed = check_files(released(finished, tmp_path / "open", tier="open") / "release.json")
    assert (closed.tier, closed.full_transcripts, closed.r1_feature_matrix) == ("open", "omitted", "open")
    assert closed.known_missing_artifacts == tuple(f"questions and replies of {t}: the tier is open" for t in "ab")
    assert {file.row_tier for file in closed.files.values()} == {"gated_trace_derived"}
    assert closed.servers == said.servers


def test_a_private_task_gates_its_transcripts_alone(finished, tmp_path):
    tasks = TASKS | {"b": TASKS["b"] | {"private": True}}
    target = released(finished, tmp_path / "mixed", tasks=tasks)
    said = read_metadata(target / "release.json")
    assert (said.tier, said.full_transcripts) == ("full", "gated")
    assert said.known_missing_artifacts == ("questions and replies of b: the task is private",)
    assert {name: file.row_tier for name, file in said.files.items()} == {
        "items/a.parquet": "open_derived",
        "responses/m/a.parquet": "open_derived",
        "probes/m/b.parquet": "gated_trace_derived",
    }


def test_one_tier_does_not_replace_the_other(finished, tmp_path):
    target = released(finished, tmp_path / "release")
    before = {path: path.read_bytes() for path in target.rglob("*") if path.is_file()}
    with pytest.raises(UserError, match=r"a release of tier 'full', which one of tier 'open' would replace"):
        released(finished, target, tier="open")
    (target / "release.json").unlink()  # as older releases are
    with pytest.raises(UserError, match=r"a release of tier 'full', which"):
        released(finished, target, tier="open")
    assert {path: path.read_bytes() for path in before if path.exists()} == {
        path: content for path, content in before.items() if path.name != "release.json"
    }


def test_programs_quote_replies_and_are_in_no_open_release(tmp_path):
    config = small_config(tasks={"a": {"format": "humaneval"}}, tier="open")
    with pytest.raises(UserError, match=r"tier: 'open' releases answers alone, and those to a are programs"):
        release(config, tmp_path / "results", tmp_path / "cache", tmp_path / "release")


@pytest.fixture
def written(finished, tmp_path):
    """A release, and a way to change what it says."""
    target = released(finished, tmp_path / "release")
    path = target / "release.json"

    def change(edit):
        said = json.loads(path.read_text())
        edit(said)
        path.write_text(json.dumps(said))
        return path

    return change


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda said: said.update(tier="closed"), r"release\.json: tier: 'closed' is not allowed\. \(full, open\)"),
        (
            lambda said: said.update(full_transcripts="some"),
            r"full_transcripts: 'some' is not allowed\. \(open, gated,",
        ),
        (lambda said: said.update(tire="open"), r"tire: unknown key\. Did you mean 'tier'"),
        (lambda said: said.pop("servers"), r"servers: this key is needed"),
        (lambda said: said.update(aggregate_fields_open="yes"), r"aggregate_fields_open: 'yes': .*boolean"),
        (lambda said: said["files"]["items/a.parquet"].update(rows=-1), r"files\.items/a\.parquet\.rows: -1: "),
        (lambda said: said.update(tier="open"), r"an open release omits transcripts, and has none of items, responses"),
        (lambda said: said["files"].update({"../x": said["files"]["items/a.parquet"]}), r"paths below the release"),
    ],
)
def test_metadata_with_a_mistake_names_field_value_and_what_is_allowed(written, edit, says):
    with pytest.raises(UserError, match=says):
        read_metadata(written(edit))


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda folder: (folder / "items/b.parquet").unlink(), r"files\.items/b\.parquet is not there"),
        (
            lambda folder: shutil.copy(folder / "items/b.parquet", folder / "items/c.parquet"),
            r"items/c\.parquet is not a",
        ),
        (lambda folder: shorten(folder / "responses/m/a.parquet"), r"files\.responses/m/a\.parquet holds other rows"),
    ],
)
def test_files_that_are_not_those_of_the_metadata_are_named(finished, tmp_path, spoil, says):
    target = released(finished, tmp_path / "release")
    spoil(target)
    with pytest.raises(UserError, match=says):
        check_files(target / "release.json")


def shorten(path):
    rows = pq.read_table(path)
    pq.write_table(rows.slice(0, rows.num_rows - 1), path)

"""What our own runs wrote in other people's formats comes back as it was: the same ledger, the same measures."""

import pandas as pd
import pyarrow.compute as pc
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from saved_files import debates_of, majority, plain_rows, simulated, states, trace, write_lines

from headcount.answers.team import team_answers
from headcount.config import Config, load
from headcount.imports.imported import Wanted, import_files
from headcount.ledger.transitions import transitions
from headcount.measures.subsets import subset_measures
from headcount.measures.table import measure
from headcount.store import plain

UNTOLD = ["no_fallback", "tag_only"]  # what needs the rule that an answer was read by
WRITERS = {
    ".csv": lambda rows, path: rows.to_csv(path, index=False),
    ".jsonl": lambda rows, path: rows.to_json(path, orient="records", lines=True),
    ".parquet": lambda rows, path: rows.to_parquet(path, index=False),
}


def imported(root, *files, **wanted) -> Config:
    """The configuration of an import in which nothing was wrong, with its release named from here."""
    done = import_files([*files], Wanted("theirs", **wanted), root)
    assert done.written, done.read.problems
    assert not [source.notes.remarks for source in done.read.sources if source.notes.remarks]
    config = load(root / "config/theirs.yaml")
    return config.model_copy(update={"replay": root / config.replay})


def of(answers, condition):
    return answers.filter(pc.equal(answers["condition"], condition))


def ledger(answers, task="a"):
    rows = plain(transitions(answers, "t", "every")).assign(task=task)
    return rows.sort_values(["condition", "item", "replicate", "n", "k", "round"], ignore_index=True)


def measured(answers, task="a"):
    rows = plain(measure(answers)).assign(task=task)
    return rows.sort_values(["condition", "item", "replicate", "n", "k", "round"], ignore_index=True)


def same(ours: pd.DataFrame, theirs: pd.DataFrame) -> None:
    pd.testing.assert_frame_equal(ours, theirs, check_dtype=False, check_like=True)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return simulated(tmp_path_factory.mktemp("run"), items=30, conditions=("debate", "self_consistency"))


@pytest.mark.parametrize("kind", ["traces", "states"])
def test_a_run_in_the_references_schemas_has_the_same_ledger_and_measures(run, kind, tmp_path):
    write = {"traces": trace, "states": states}[kind]
    rows = [write(key["item"], rounds, "m") for key, rounds in debates_of(of(run, "debate"))]
    config = imported(tmp_path, write_lines(tmp_path / "d.jsonl", rows), task="a")
    task = {"traces": "a", "states": "mmlu_pro"}[kind]
    theirs = team_answers(config, "m", tmp_path)
    assert set(plain(theirs)["task"]) == {task}
    got, own = ledger(of(theirs, "debate")), ledger(of(run, "debate"))
    assert got[UNTOLD].isna().all(axis=None)
    assert own["transition"].nunique() > 2
    same(own.drop(columns=UNTOLD), got.drop(columns=UNTOLD))
    ours, got = measured(of(run, "debate")), measured(of(theirs, "debate"))
    tokens = ["prompt_tokens", "completion_tokens"]
    same(ours.drop(columns=tokens), got.drop(columns=tokens))


@pytest.mark.parametrize("suffix", WRITERS)
def test_a_run_as_a_plain_table_comes_back_whole(run, suffix, tmp_path):
    file = tmp_path / f"answers{suffix}"
    WRITERS[suffix](plain_rows(run), file)
    theirs = team_answers(imported(tmp_path, file), "m", tmp_path)
    noted = ["confidence", "logprob", "request", "n_tags", "tags_disagree"]
    kept = [name for name in run.column_names if name not in noted]
    same(plain(run.select(kept)), plain(theirs.select(kept)))
    same(ledger(run), ledger(theirs))


def test_first_answers_of_debates_are_what_a_run_has_of_teams_that_hear_nobody(run, tmp_path):
    rows = [trace(key["item"], rounds, "m") for key, rounds in debates_of(of(run, "debate"))]
    config = imported(tmp_path, write_lines(tmp_path / "d.jsonl", rows), task="a")
    theirs = of(team_answers(config, "m", tmp_path), "self_consistency")
    sizes = {("a", "self_consistency"): (1, 2, 3)}
    ours, got = (plain(subset_measures(answers, sizes)) for answers in (of(run, "self_consistency"), theirs))
    assert set(got["n"]) == {1, 2, 3}
    same(ours, got)


letters = st.sampled_from([*"ABCDJ", None])


@st.composite
def panels(draw):
    """Debates of one size and length, agents' answers by round, and a right answer each."""
    n, rounds, count = draw(st.integers(1, 5)), draw(st.integers(1, 4)), draw(st.integers(1, 6))
    one = st.lists(st.lists(letters, min_size=n, max_size=n), min_size=rounds + 1, max_size=rounds + 1)
    return rounds, draw(st.lists(st.tuples(one, st.sampled_from("ABCD")), min_size=count, max_size=count))


@given(panels())
@settings(max_examples=8)
def test_any_panel_is_the_same_in_every_schema(tmp_path_factory, panel):
    rounds, debates = panel
    folder = tmp_path_factory.mktemp("panel")
    named = {f"q{place}": debate for place, debate in enumerate(debates)}
    write_lines(folder / "traces.jsonl", [trace(item, said, None, gold) for item, (said, gold) in named.items()])
    write_lines(folder / "states.jsonl", [_bare(states(item, said, "m", gold)) for item, (said, gold) in named.items()])
    _flat(named).sample(frac=1, random_state=rounds).to_csv(folder / "plain.csv", index=False)
    found = {}
    for kind in ("traces.jsonl", "states.jsonl", "plain.csv"):
        config = imported(folder / kind.partition(".")[0], folder / kind, task="a", models=["m"], rounds=rounds)
        found[kind] = team_answers(config, "m", folder)
    assert found["traces.jsonl"].equals(found["plain.csv"])
    same(
        plain(found["traces.jsonl"]).drop(columns="temperature"),
        plain(found["states.jsonl"]).drop(columns="temperature"),
    )
    last = ledger(of(found["plain.csv"], "debate")).query("round == @rounds + 1")
    for row in last.fillna({"initial_answer": "", "final_answer": ""}).to_dict("records"):
        said, gold = named[row["item"]]
        ends = majority(said[0]), majority(said[-1])
        assert (row["initial_answer"], row["final_answer"]) == tuple(end or "" for end in ends)
        assert row["transition"] == _label(*ends, gold)


def _bare(row):
    """A row that says neither its task nor temperatures."""
    return {key: value for key, value in row.items() if key not in ("temperatures", "benchmark")}


def _flat(named):
    return pd.DataFrame(
        [
            {"item": item, "round": turn, "agent": agent, "answer": answer, "gold": gold}
            for item, (said, gold) in named.items()
            for turn, answers in enumerate(said, 1)
            for agent, answer in enumerate(answers, 1)
        ]
    )


def _label(first, last, gold):
    if first is None or last is None:
        return "unlabelled"
    return {(1, 1): "preserved", (1, 0): "collapse", (0, 1): "correction", (0, 0): "unrepaired"}[
        first == gold, last == gold
    ]

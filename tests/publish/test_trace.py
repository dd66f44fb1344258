"""From a number back to what made it: the recomputed numbers are the stored ones, and no private text is shown."""

import io
import shutil

import numpy as np
import pandas as pd
import pytest
from made_run import PUBLISHED, write_run
from rich.console import Console
from small_results import small_results
from small_runs import small_config

from headcount.errors import UserError
from headcount.publish.inputs import Inputs
from headcount.publish.registry import Page, load
from headcount.publish.tables import regimes
from headcount.publish.trace import Wanted, trace
from headcount.publish.trace_items import averaged, item_values
from headcount.publish.trace_number import choose
from headcount.publish.trace_replies import Texts, print_item, texts_of
from headcount.publish.trace_stages import printed, stages
from headcount.schema import ANSWERS, CURVES, ESTIMATES, FITS, GATE_OUTCOMES, MEASURES, TURNS
from headcount.schema.ledger import ALL
from headcount.store import plain, read, write

CONDITIONS = ("self_consistency", "debate", "self_correction", "noise")
MODELS = {"m": {"population": {"accuracy": 0.5, "missing": 0.1, "adoption": 0.4}}}
CONFIG = small_config(
    models=MODELS,
    experiments={
        "core": {"teams": ["t"], "tasks": ["a"], "conditions": CONDITIONS, "sizes": [1, 2, 3, 5], "replicates": 2},
        "sweep": {"teams": ["t"], "tasks": ["a"], "conditions": ["debate"], "sizes": [3, 5], "peers": [1, 2]},
    },
)
OPEN = Texts([{"tasks": {"a": {}}}])
PRIVATE = Texts([{"tasks": {"a": {"private": True}}}])


@pytest.fixture(scope="module")
def inputs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("run")
    (folder / "published").mkdir()
    (folder / "published/table01_regimes.csv").write_text(
        "model,task,condition,c,c_ci_low,c_ci_high,beta,beta_ci_low,beta_ci_high,regime,r2,note\n"
        "t,a,noise,0.431,,,0.25,,,sublinear,0.9997,\n"
        "t,a,debate,0.431,0.83,0.86,0.000,0.00,0.00,hard_ceiling,0.9995,\n"
    )
    (folder / "published/table11_master_fits.csv").write_text(
        "model,task,condition,c,beta,regime,n_eff_observed,n_largest,note\n"
    )
    return Inputs(small_results(CONFIG, folder, items=6), folder / "published")


def traced(inputs, *words, item=None, limit=5, texts=OPEN):
    console = screen(80)
    trace(inputs, Wanted("regimes", words, item, limit), texts, console)
    return console.file.getvalue()


def screen(width):
    return Console(width=width, file=io.StringIO(), highlight=False)


def same(again, stored):
    return np.allclose(again, stored, rtol=1e-9, atol=1e-12, equal_nan=True)


def test_every_curve_follows_from_its_items(inputs):
    for row in inputs.read(CURVES).to_dict("records"):
        values = item_values(inputs.results, row)
        assert values.sizes == [row["n"]]
        assert same(values.again, [row["n_eff"]]), row


def test_every_kind_of_estimate_follows_from_its_items(inputs):
    """One row of each quantity, from each file that it is made of."""
    rows = inputs.read(ESTIMATES).dropna(subset="value").sample(frac=1, random_state=3)
    rows = rows.drop_duplicates(["quantity", "subsets"])
    assert {"alpha_s_count", "accuracy_shift_filtered", "net_first", "icc_change"} <= set(rows["quantity"])
    for row in rows[rows["n"] > 0].to_dict("records"):
        values = item_values(inputs.results, row)
        assert same(values.again, [row["value"]]), row


def test_the_law_of_a_rule_is_fitted_to_the_sizes_of_its_votes(inputs):
    row = inputs.read(ESTIMATES).query("quantity == 'beta_filtered'").iloc[0].to_dict()
    values = item_values(inputs.results, row)
    sizes = inputs.read(ESTIMATES).query("quantity == 'n_eff_filtered' and condition == @row['condition']")
    sizes = sizes[(sizes["peers"] == row["peers"]) & (sizes["round"] == row["round"])].sort_values("n")
    assert averaged(row) == "n_eff_filtered"
    assert same(values.again, sizes["value"])


def test_item_values_are_those_of_the_measures(inputs):
    row = inputs.read(CURVES).query("condition == 'debate' and peers == 'full' and round == 2 and n == 5")
    row = row[row["level"] == "answer"].iloc[0]
    values = item_values(inputs.results, row.to_dict())
    measures = plain(read(inputs.results / "measures/t.parquet", MEASURES))
    measures = measures.query("condition == 'debate' and round == 2 and n == 5 and k == 4")
    means = measures.groupby("item")["n_eff_answer"].mean()  # over replicates
    assert same(values.values[:, 0, 0], means[values.items])


@pytest.mark.parametrize(
    ("column", "law", "level"), [("c", "ringelmann_free", "pooled_agreement"), ("c_paper", "ringelmann", "answer")]
)
def test_a_number_is_found_where_it_stands(inputs, column, law, level):
    """c of a row of regimes stands in one row of fits, beside many others of its cell."""
    frame = regimes.make(inputs)
    for place, row in enumerate(frame.to_dict("records"), start=1):
        (stage,) = stages(inputs, _page(), choose(frame, regimes.SPEC, [str(place), column]))
        fits = inputs.read(FITS)
        fits = fits[(fits["law"] == law) & (fits["level"] == level)]
        held = fits[(fits["condition"] == row["condition"]) & (fits["c"] == row[column])]
        assert stage.held_in == "c"
        assert stage.rows[0]["peers"] in held["peers"].tolist()
        assert stage.rows[0]["law"] == law


def _page():
    return Page("table01", "size", (), ("fits",), ("table01_regimes", "table11_master_fits"))


def test_a_published_number_is_found_in_the_row_of_its_cell(inputs):
    number = choose(regimes.make(inputs), regimes.SPEC, ["condition=debate", "published_c"])
    (found,) = printed(inputs, ("table01_regimes", "table11_master_fits"), number)
    assert found[:2] == ("table01_regimes", 2)


def test_a_trace_shows_the_way_and_says_that_numbers_agree(inputs):
    said = traced(inputs, "condition=debate", "beta", limit=2)
    for part in ("fits.parquet", "measures/t.parquet", "in curves.parquet", "and 4 more items"):
        assert part in said
    assert said.count("Equal: the number follows from these rows.") == 2
    assert "SIMULATED" in said
    assert max(map(len, said.replace(str(inputs.results), "").splitlines())) <= 80


def test_a_trace_says_when_numbers_do_not_agree(inputs, tmp_path):
    shutil.copytree(inputs.results, tmp_path / "run")
    curves = inputs.read(CURVES)
    write(tmp_path / "run/curves.parquet", curves.assign(n_eff=curves["n_eff"] + 1e-6), CURVES)
    assert "NOT EQUAL" in traced(Inputs(tmp_path / "run", inputs.published), "condition=debate", "beta")


def test_without_a_row_the_rows_are_listed(inputs):
    said = traced(inputs)
    assert [line.split()[:2] for line in said.splitlines() if line.startswith("    ")][:4] == [
        ["1", "self-consistency"],
        ["2", "debate"],
        ["3", "self-correction"],
        ["4", "noise"],
    ]
    assert "beta_paper_low" in said


def test_an_item_shows_every_answer_and_every_reply_once(inputs):
    said = traced(inputs, "condition=debate", "c", item="q2")
    answers = plain(read(inputs.results / "answers/t.parquet", ANSWERS)).query("condition == 'debate' and item == 'q2'")
    assert said.count("  agent ") == len(answers)
    turns = plain(read(inputs.results / "turns/t/a/debate.parquet", TURNS)).query("item == 'q2'")
    for request in answers["request"].unique():
        assert f"\n{request[:12]}" in said
    for text in turns["text"]:
        assert all(line in said for line in text.rstrip().splitlines())
    assert "What is item 2?" in said


@pytest.mark.parametrize(
    ("texts", "why"), [(PRIVATE, "the task is private"), (Texts([]), "only the run's configuration says")]
)
def test_texts_that_may_be_private_are_not_shown(inputs, texts, why):
    said = " ".join(traced(inputs, "condition=debate", "c", item="q2", texts=texts).split())
    assert why in said
    assert "agent 1" in said
    assert "What is item" not in said
    assert "RATIONALE" not in said


def test_recorded_answers_say_where_they_came_from(inputs, tmp_path):
    answers = plain(read(inputs.results / "answers/t.parquet", ANSWERS)).assign(request="")
    write(tmp_path / "answers/t.parquet", answers, ANSWERS)
    console = screen(200)
    texts = Texts([{"replay": "resources/panel", "tasks": {"a": {}}}])
    print_item(tmp_path, {"team": "t", "task": "a", "condition": "debate"}, "q2", texts, console)
    assert "others asked, and released answers alone (resources/panel/answers/t/a.parquet" in console.file.getvalue()


def test_any_configuration_of_a_run_can_make_a_task_private(tmp_path):
    (tmp_path / "config").mkdir()
    (tmp_path / "config/one.yaml").write_text("run: small\ntasks: {a: {}, b: {}}\n")
    (tmp_path / "two.yaml").write_text("run: small\ntasks: {a: {private: true}}\n")
    (tmp_path / "other.yaml").write_text("run: other\ntasks: {b: {private: true}}\n")
    (tmp_path / "broken.yaml").write_text("run: [small\n")
    answers = [{"request": "x"}]
    texts = texts_of("small", None, tmp_path)
    assert "private" in texts.why_not("t", "a", answers)
    assert texts.why_not("t", "b", answers) == ""
    assert texts_of("small", tmp_path / "config/one.yaml").why_not("t", "a", answers) == ""
    with pytest.raises(UserError, match=r"other\.yaml: not the configuration of run 'small'"):
        texts_of("small", tmp_path / "other.yaml")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["9"], "There is no row 9 in regimes: its rows are 1 to 4."),
        (["0", "c"], "There is no row 0"),
        (["1", "betta"], r"'betta' is no column of regimes. Did you mean 'beta'\?"),
        (["conditon=noise"], r"'conditon' is no column of regimes. Did you mean 'condition'\?"),
        (["condition=nois"], "condition there: self_consistency, debate, self_correction, noise"),
        (["task=a", "c"], "4 rows of regimes have task=a: 1, 2, 3, 4. Add condition=... or regime"),
        (["c"], "4 rows of regimes could be meant"),
        (["1", "c", "beta"], "name one row"),
        (["1", "condition=noise"], "name one row"),
    ],
)
def test_what_does_not_exist_is_answered_with_what_does(inputs, words, message):
    with pytest.raises(UserError, match=message):
        choose(regimes.make(inputs), regimes.SPEC, words)


def test_an_item_that_does_not_exist_is_answered_with_those_that_do(inputs):
    with pytest.raises(UserError, match=r"There is no item 'x' in t / a / debate\. Some that there are: q0, q1"):
        traced(inputs, "condition=debate", item="x")


def test_rows_of_no_cell_are_traced_as_far_as_they_go(inputs):
    frame = pd.DataFrame({"team": ["t"], "task": ["all"], "c": [1.5]})
    spec = regimes.SPEC
    number = choose(frame.reindex(columns=spec.fields), spec, ["1", "c"])
    (stage,) = stages(inputs, _page(), number)
    assert stage.held_in == ""
    assert stage.keys == {"team": "t"}
    assert stage.found == len(inputs.read(FITS))


@pytest.fixture(scope="module")
def ledger(tmp_path_factory):
    """A run with screens, and gates whose rules stand in words."""
    results = write_run(tmp_path_factory.mktemp("ledger"))
    gates = plain(read(results / "gate_outcomes.parquet", GATE_OUTCOMES)).assign(rule="r1_n_flipped ≥ 2")
    write(results / "gate_outcomes.parquet", gates, GATE_OUTCOMES)
    return Inputs(results, PUBLISHED)


def traced_of(inputs, table, *words):
    console = screen(160)
    trace(inputs, Wanted(table, words), OPEN, console)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("table", "column"),
    [("gate_replay", "prevented"), ("cost_card", "calls"), ("transition_rates", "collapse"), ("model_screens", "rows")],
)
def test_every_kind_of_ledger_number_is_traced(ledger, table, column):
    frame = load("tables", table).make(ledger)
    place = int(np.flatnonzero(frame[column].notna())[0]) + 1
    said = traced_of(ledger, table, str(place), column)
    assert f"{column} = {frame[column].iloc[place - 1]:.10g}" in said
    assert "The number stands there, as" in said
    assert f"{ALL}.parquet" not in said
    assert ("probes/MODEL/TASK.parquet" in said) == (table == "model_screens")


def test_rows_of_the_paper_lead_to_its_own_table_and_to_none_of_the_run(ledger):
    for table, whose, file in (
        ("model_screens", "model=GPT-4o-mini", "alpha_split_per_model"),
        ("family_means", "family=Meta", "n14_rows"),
    ):
        said = traced_of(ledger, table, "source=paper", whose)
        assert f"ledger/{file}.csv" in said
        assert "as printed in arXiv 2609.35279" in said
        assert ".parquet" not in said

"""What every table keeps: its columns, its caption, what it says it reads; and that it can be empty."""

import importlib
import re
import shutil
from pathlib import Path

import pytest
from made_run import FILES, PUBLISHED, write_nothing, write_run
from made_series import NEWCOMER

from headcount.publish import figures, tables
from headcount.publish.columns import Printed
from headcount.publish.inputs import Inputs
from headcount.publish.needs import NEEDS
from headcount.publish.render import as_csv, as_latex, as_markdown
from headcount.publish.words import QUESTIONS

NAMES = sorted(tables.PAGES)
REPORT = Path(__file__).parents[2] / "workflow" / "report"
NOTHING = "No cell of this run belongs here."
ALWAYS_HAVE_ROWS = {"human_groups"}  # people, whatever was run


def module(name):
    return importlib.import_module(f"headcount.publish.tables.{name}")


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return write_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def empty(tmp_path_factory):
    return write_nothing(tmp_path_factory.mktemp("empty"))


def test_the_papers_twenty_tables_are_here_and_every_published_one_is_used():
    assert sorted(page.alias for page in tables.PAGES.values() if page.alias) == [f"table{i:02}" for i in range(1, 21)]
    used = {name for page in tables.PAGES.values() for name in page.published}
    assert used >= {path.stem for path in PUBLISHED.glob("table*.csv")}


def test_no_table_is_called_as_a_figure_is():
    """Both are rules of one workflow."""
    assert not set(tables.PAGES) & set(figures.PAGES)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_is_made_from_what_it_says_alone(name, run, tmp_path):
    page = tables.PAGES[name]
    for kind, folder, wanted in (("parquet", run, page.reads), ("csv", PUBLISHED, page.published)):
        for file in wanted:
            (tmp_path / file).parent.mkdir(exist_ok=True)
            shutil.copy(folder / f"{file}.{kind}", (tmp_path / file).parent)
    frame, spec = module(name).make(Inputs(tmp_path, tmp_path)), module(name).SPEC
    assert list(frame.columns) == spec.fields
    assert len(frame)
    assert set(page.reads) <= set(FILES)


@pytest.mark.parametrize("name", NAMES)
def test_a_table_says_what_it_is(name):
    page, spec = tables.PAGES[name], module(name).SPEC
    headings = [column.heading for column in spec.columns]
    assert spec.name == name
    assert page.question in QUESTIONS
    assert set(page.needs) <= set(NEEDS)
    assert len(set(headings)) == len(headings)
    assert (REPORT / f"{name}.rst").read_text(encoding="utf-8").strip()
    assert module(name).__doc__.splitlines()[0].endswith(".")


@pytest.mark.parametrize("name", NAMES)
def test_every_row_is_told_from_every_other(name, run):
    """By what people read of it: words and sizes, not estimates."""
    frame, spec = module(name).make(Inputs(run, PUBLISHED)), module(name).SPEC
    told = [c.field for c in spec.columns if not isinstance(c, Printed) and not c.decimals]
    assert not frame[told].astype(str).duplicated().any()


@pytest.mark.parametrize("name", NAMES)
def test_every_form_can_be_written(name, run):
    frame, spec = module(name).make(Inputs(run, PUBLISHED)), module(name).SPEC
    lines = as_csv(frame, spec).splitlines()
    assert lines[0].split(",") == spec.fields
    assert len(lines) == len(frame) + 1
    assert not re.search(r"\b(nan|None|NaN)\b", as_markdown(frame, spec))
    as_latex(frame, spec).encode("latin-1")  # every other sign has a command


def test_columns_of_one_meaning_share_a_line(run):
    frame, spec = module("diversity").make(Inputs(run, PUBLISHED)), module("diversity").SPEC
    told = [line for line in as_markdown(frame, spec).splitlines() if "as printed" in line]
    assert told == [
        "- eff. size, paper; ρ, paper; agreement, paper; unan. %, paper; unan. wrong %, paper: "
        "as printed (ours minus it); ‡ outside our interval"
    ]


@pytest.mark.parametrize("name", sorted(set(NAMES) - ALWAYS_HAVE_ROWS))
def test_a_run_with_nothing_of_the_kind_makes_an_empty_table(name, empty):
    frame, spec = module(name).make(Inputs(empty, PUBLISHED)), module(name).SPEC
    assert list(frame.columns) == spec.fields
    assert as_csv(frame, spec) == ",".join(spec.fields) + "\n"
    for text in (as_markdown(frame, spec), as_latex(frame, spec)):
        assert text.count(NOTHING) == 1
        assert ", paper" not in text.partition(spec.columns[0].heading)[2]


def test_a_simulated_team_is_marked_in_every_table_that_shows_it(run):
    inputs, shown = Inputs(run, PUBLISHED), 0
    for name in NAMES:
        frame = module(name).make(inputs)
        if "team" in frame and (here := frame["team"] == NEWCOMER).any():
            shown += 1
            assert frame.loc[here, "simulated"].all()
            assert not frame.loc[~here, "simulated"].any()
    assert shown > 15

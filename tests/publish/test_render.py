"""One renderer: what it writes can be read back, and what it escapes stays what it was."""

import csv
import io
import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console

from headcount.publish.columns import Column, TableSpec
from headcount.publish.render import as_csv, as_latex, as_markdown
from headcount.publish.terminal import print_table

SPEC = TableSpec(
    "things",
    "Things of 100 % quality & more.",
    (
        Column("name", "name", "what it is called"),
        Column("x", "x", "estimate [interval]", 3, interval=("low", "high")),
        Column("share", "share", "of all", 4, 1, percent=True),
        Column("parts", "parts", "its parts", show="present"),
        Column("kind", "kind", "what it is", words={"hard_one": "hard one"}, show="varying"),
    ),
    groups=("name",),
)
ROW = {
    "name": "a",
    "x": 1.0,
    "low": 0.5,
    "high": 1.5,
    "share": 0.5,
    "parts": [],
    "kind": "hard_one",
    "simulated": False,
}
numbers = st.none() | st.floats(-1e6, 1e6)
texts = st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=8)
rows = st.fixed_dictionaries({**{k: st.just(v) for k, v in ROW.items()}, "name": texts, "x": numbers, "low": numbers})


def frame(*changes):
    return pd.DataFrame([ROW | change for change in changes or [{}]])


def table_lines(markdown):
    return [line for line in markdown.splitlines() if line.startswith("|")]


@settings(max_examples=50)
@given(st.lists(rows, min_size=1, max_size=5))
def test_csv_read_again_is_the_rounded_frame(records):
    again = list(csv.DictReader(io.StringIO(as_csv(pd.DataFrame(records), SPEC))))
    assert [row["name"] for row in again] == [record["name"] for record in records]
    for row, record in zip(again, records, strict=True):
        for field in ("x", "low"):
            if record[field] is None:
                assert row[field] == ""
            else:
                assert float(row[field]) == round(record[field], 3)
                assert re.fullmatch(r"-?\d+\.\d{3}", row[field])


@pytest.mark.parametrize("tiny", [-0.0, -0.0004, 0.0004])
def test_zero_has_no_sign(tiny):
    assert ",0.000," in as_csv(frame({"x": tiny}), SPEC)


def test_people_read_intervals_percentages_and_words():
    line = table_lines(as_markdown(frame({"x": -1.0, "share": 0.062}, {"kind": "other"}), SPEC))[2]
    assert line == "| a | −1.000 [0.500, 1.500] | 6.2 % | hard one |"


def test_what_is_equal_in_all_rows_is_said_once_and_what_no_row_has_is_left_out():
    text = as_markdown(frame({}, {"name": "b"}), SPEC)
    assert "- In all rows: kind hard one" in text
    assert table_lines(text)[0] == "| name | x | share |"


def test_no_value_is_an_empty_cell_and_a_dash():
    nothing = frame({"x": None, "low": float("nan"), "high": None}, {"kind": "other"})
    assert as_csv(nothing, SPEC).splitlines()[1] == "a,,,,0.5000,,hard_one,"
    assert "| a | – | 50.0 % |" in as_markdown(nothing, SPEC)
    assert "a & -- & 50.0 \\%" in as_latex(nothing, SPEC)


@given(texts)
def test_a_markdown_cell_stays_one_cell(name):
    for line in table_lines(as_markdown(frame({"name": name}, {}), SPEC)):
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 4


@pytest.mark.parametrize(
    ("text", "escaped"),
    [
        ("50 % & more", r"50 \% \& more"),
        ("a_b#c$d", r"a\_b\#c\$d"),
        ("{x}~^", r"\{x\}\textasciitilde{}\textasciicircum{}"),
        (r"\input", r"\textbackslash{}input"),
        ("N⁻ᵝ β R²", r"N$^{-\beta}$ $\beta$ R$^2$"),
    ],
)
def test_latex_specials_are_text(text, escaped):
    assert f"{escaped} & 1.000" in as_latex(frame({"name": text}), SPEC)


def test_simulated_is_said_in_caption_and_column_of_every_form():
    made_up = frame({"simulated": True}, {"name": "b"})
    assert as_csv(made_up, SPEC).splitlines()[1].endswith(",SIMULATED")
    assert as_csv(made_up, SPEC).splitlines()[2].endswith(",")
    for text in (as_markdown(made_up, SPEC), as_latex(made_up, SPEC)):
        assert "SIMULATED. Things" in text
        assert text.count("SIMULATED") == 3  # caption, row, meaning of the column
    assert "SIMULATED" not in as_markdown(frame(), SPEC) + as_latex(frame(), SPEC) + as_csv(frame(), SPEC)


def test_a_frame_that_does_not_say_whether_it_is_simulated_is_refused():
    with pytest.raises(KeyError, match="simulated"):
        as_csv(frame().drop(columns="simulated"), SPEC)


@pytest.mark.parametrize("width", [80, 120])
def test_a_terminal_shows_what_fits_and_names_the_rest(width):
    console = Console(width=width, record=True, file=io.StringIO())
    long = "x" * 60
    print_table(frame({"simulated": True, "kind": long}, {"name": "[b]", "parts": ["p"]}), SPEC, console)
    text = console.export_text()
    assert max(map(len, text.splitlines())) <= width
    assert "\na, SIMULATED\n" in text
    assert "\n[b]\n" in text
    assert ("More in things.csv: kind" in text) == (width == 80)


@pytest.mark.parametrize(("width", "told"), [(100, True), (30, False)])
def test_letters_are_explained_where_they_are_seen(width, told):
    """A letter without its column would be a riddle."""
    noted = replace(SPEC, columns=(*SPEC.columns[:4], Column("kind", "flags", "what to mind", notes={"few": "Few."})))
    console = Console(record=True, width=width, file=io.StringIO())
    print_table(frame({"kind": ["few"]}), noted, console)
    text = console.export_text()
    assert ("(a) Few" in text) == told
    assert ("More in things.csv: " in text) != told


def test_long_texts_are_cut_where_no_number_would_be_seen():
    words = (Column("kind", "kind", "what it is"), Column("parts", "also", "what else"))
    wide = TableSpec("wide", "Wide.", (*words, Column("x", "x", "a number", 3)))
    console = Console(width=60, record=True, file=io.StringIO())
    print_table(frame({"kind": "k" * 50, "parts": "p" * 50}, {"kind": "short", "parts": "p"}), wide, console)
    text = console.export_text()
    assert f"{'k' * 15}…  {'p' * 15}…  1.000" in text
    assert re.search(r"^  short +p +1\.000$", text, re.MULTILINE)
    assert "More in" not in text


@pytest.mark.parametrize("nothing", [None, float("nan"), np.nan, np.float64("nan"), pd.NA, pd.NaT, ""])
def test_no_value_is_an_empty_cell_whatever_stands_for_it(nothing):
    assert SPEC.columns[1].exact(nothing) == SPEC.columns[0].exact(nothing) == ""
    assert SPEC.columns[0].human({"name": nothing}) == "–"


@pytest.mark.parametrize("value", [0, 0.0, np.float64(0), np.int64(0)])
def test_a_zero_is_a_value(value):
    assert SPEC.columns[1].exact(value) == "0.000"

"""Parsers of the published sets on small files: what they read, and what they refuse."""

from collections import Counter
from fractions import Fraction

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from headcount.config import Task
from headcount.errors import UserError
from headcount.items import arc, arithmetic, gpqa, gsm_hard, mmlu
from headcount.items.counts import known_count
from headcount.items.load import load_items
from headcount.items.numbers import exact

decimals = st.decimals(allow_nan=False, allow_infinity=False, places=9, min_value=-(10**20), max_value=10**20)


@given(decimals)
def test_exact_keeps_the_value_and_has_one_spelling_for_it(decimal):
    text = exact(str(decimal))
    assert Fraction(text) == Fraction(decimal)
    assert text == exact(text) == exact(f"{decimal:.12f}") == exact(f"{decimal:E}")


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("5.0", "5"),
        ("+5", "5"),
        ("-0.00", "0"),
        ("007", "7"),
        (".5", "0.5"),
        ("100", "100"),
        ("-1.50E+1", "-15"),
        ("1e20", "100000000000000000000"),
        ("0.10000000000000000001", "0.10000000000000000001"),
    ],
)
def test_exact_spells(text, number):
    assert exact(text) == number


@pytest.mark.parametrize("text", ["", " 5", "1,000", "nan", "inf", "1/2", "5%", "٣", "1e999999999", "9" * 401])
def test_exact_refuses(text):
    assert exact(text) is None


@given(decimals)
def test_nearest_is_an_integer_within_1e_9_or_the_decimal(decimal):
    text = exact(str(decimal))
    value = Fraction(text)
    close = any(abs(value - n) <= Fraction(1, 10**9) for n in (value // 1, value // 1 + 1))
    assert ("." not in gsm_hard.nearest(text)) == close
    assert abs(Fraction(gsm_hard.nearest(text)) - value) <= Fraction(1, 10**9)


def test_gsm_hard_keeps_integers_exactly_and_their_rows(tmp_path):
    path = tmp_path / "gsm.jsonl"
    targets = ["-5.0", "2.5", "100000000000000000001", "1e+22", "2.9999999999", "3.00000001"]
    path.write_text("".join(f'{{"input": "How many?", "target": {target}}}\n' for target in targets))
    golds = {item.id: item.gold for item in gsm_hard.read([path])}
    assert golds == {
        "gsm_hard-0": "-5",
        "gsm_hard-2": "100000000000000000001",
        "gsm_hard-3": "1" + "0" * 22,
        "gsm_hard-4": "3",
    }


def mmlu_row(**changes):
    row = {
        "question": "Which?",
        "subject": "formal_logic",
        "choices": ["None", "NA", "null", "007"],
        "answer": 2,
    }
    return row | changes


def test_mmlu_counts_within_subjects_skips_others_and_keeps_texts(write_arrow):
    path = write_arrow([mmlu_row(), mmlu_row(subject="virology"), mmlu_row(subject="econometrics"), mmlu_row(answer=0)])
    items = {item.id: item for item in mmlu.read([path])}
    assert list(items) == ["formal_logic-0", "econometrics-0", "formal_logic-1"]
    assert items["formal_logic-0"].choices == ["None", "NA", "null", "007"]
    assert [item.gold for item in items.values()] == ["C", "C", "A"]


@pytest.mark.parametrize(
    ("change", "says"),
    [({"answer": 4}, "index of a choice"), ({"choices": ["a", "b"]}, "four"), ({"question": ""}, "empty")],
)
def test_mmlu_refuses_a_row_by_its_number(write_arrow, change, says):
    with pytest.raises(UserError, match=rf"rows\.arrow: row 2: .*{says}"):
        mmlu.read([write_arrow([mmlu_row(), mmlu_row(**change)])])


def test_arithmetic_takes_the_option_that_the_key_names(write_arrow):
    choices = {"text": ["97", "-096.0"], "label": ["A", "D"]}
    row = {"id": "q1", "question": "Calculate 5 - 101 =", "choices": choices, "answerKey": "D"}
    (item,) = arithmetic.read([write_arrow([row])])
    assert (item.id, item.question, item.choices, item.gold) == ("q1", "Calculate 5 - 101.", None, "-96")
    with pytest.raises(UserError, match="row 1: 'answerKey' is not one of the labels"):
        arithmetic.read([write_arrow([row | {"answerKey": "B"}])])


def gpqa_row(record, **changes):
    options = dict(zip(gpqa.OPTIONS, ["right\n", " wrong 1", "wrong 2", "wrong 3"], strict=True))
    return {"Record ID": record, "Question": "Line\nbreak?", **options, "Subdomain": "Optics"} | changes


def test_gpqa_gold_is_the_right_answer_wherever_it_was_put(write_csv):
    items = gpqa.read([write_csv([gpqa_row(f"rec{i}") for i in range(400)])])
    assert all(item.choices["ABCD".index(item.gold)] == "right" for item in items)
    assert all(sorted(item.choices) == ["right", "wrong 1", "wrong 2", "wrong 3"] for item in items)
    golds = Counter(item.gold for item in items)
    assert all(70 < golds[letter] < 130 for letter in "ABCD")  # 100 each expected, sd 8.7
    assert items[0].metadata == {"subdomain": "Optics"}


def test_gpqa_order_is_an_items_own(write_csv):
    together = {item.id: item for item in gpqa.read([write_csv([gpqa_row("a"), gpqa_row("b")])])}
    (alone,) = gpqa.read([write_csv([gpqa_row("b")])])
    assert together["b"] == alone


def test_gpqa_errors_name_rows_and_columns_and_quote_nothing(write_csv):
    bad = [
        gpqa_row("a"),
        gpqa_row("b", Question=""),
        gpqa_row("c", **{"Incorrect Answer 2": "right"}),
        gpqa_row("a"),
    ]
    with pytest.raises(UserError) as error:
        gpqa.read([write_csv(bad)])
    lines = str(error.value).splitlines()
    assert [line.split(": ")[1] for line in lines] == ["row 3", "row 4", "row 5"]
    assert not any(text in str(error.value) for text in ("right", "wrong", "Line", "Optics"))


def test_gpqa_without_its_columns(write_csv):
    with pytest.raises(UserError, match=r"no column 'Record ID'.* Its columns: Question"):
        gpqa.read([write_csv([{"Question": "?"}])])


def test_a_local_stand_in_is_counted_as_it_is(write_csv, tmp_path):
    source = {"path": write_csv([gpqa_row(f"rec{i}") for i in range(7)])}
    for size, expected in [(None, 7), (3, 3), (50, 7)]:
        task = Task(format="gpqa_diamond", source=source, items=size, private=True)
        assert known_count(task) == load_items(task, tmp_path).num_rows == expected


def test_counts_that_need_no_fetching():
    counts = {"mmlu_hard": 724, "gsm_hard": 1017, "humaneval": 164, "arithmetic": 3000}
    assert {name: known_count(Task(format=name)) for name in counts} == counts
    assert known_count(Task(format="humaneval", items=30)) == 30
    far = {"url": "https://example.org/items.csv", "sha256": "0" * 64}
    assert known_count(Task(format="file", source=far)) is None
    assert known_count(Task(format="gpqa_diamond", source=far, private=True)) == 198


def write_arrow(path, rows):
    with pa.ipc.new_stream(path, pa.Table.from_pylist(rows).schema) as stream:
        stream.write_table(pa.Table.from_pylist(rows))
    return path


def arc_row(name, labels, key):
    return {
        "id": name,
        "question": "Which?",
        "choices": {"text": [f"option {label}" for label in labels], "label": list(labels)},
        "answerKey": key,
    }


def test_arc_options_have_letters_whatever_their_labels(tmp_path):
    rows = [arc_row("lettered", "ABCDE", "E"), arc_row("numbered", "1234", "3"), arc_row("three", "ABC", "A")]
    items = arc.read([write_arrow(tmp_path / "arc.arrow", rows)])
    assert [(item.id, item.gold) for item in items] == [("lettered", "E"), ("numbered", "C"), ("three", "A")]
    assert items[1].choices == ["option 1", "option 2", "option 3", "option 4"]


def test_arc_errors_name_rows(tmp_path):
    rows = [arc_row("a", "ABCD", "A"), arc_row("b", "ABCD", "5"), arc_row("c", "AABD", "A")]
    with pytest.raises(UserError) as said:
        arc.read([write_arrow(tmp_path / "arc.arrow", rows)])
    assert "row 2: 'answerKey' is '5', and the options are labelled A, B, C, D." in str(said.value)
    assert "row 3: 'choices' have a label twice." in str(said.value)

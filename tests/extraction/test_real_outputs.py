"""Real replies: the clearly given answer is found, and every difference is listed with a reason."""

import gzip
import json
import os
import re
from decimal import Decimal
from pathlib import Path

import pandas as pd
import pytest

from headcount.extraction.extract import extract

CASES = Path(__file__).parents[1] / "cases"

# The plainest sense of "answer is X" and of two options in one breath, independent of the library.
STATEMENT = re.compile(r"""answer is[\s:*"($\\{]{0,6}([A-J])(?![A-Za-z0-9])(?!\(|[ ]?=)""")
JOINED = re.compile(r"""[^A-Za-z]{0,3}(?:and/or|and|or|,)[^A-Za-z]{0,3}[A-J](?![A-Za-z])""")


def rows(name: str) -> list[dict]:
    path = CASES / name
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in data.decode().splitlines()]


def explained(file: str) -> dict[tuple, tuple]:
    """(item, model) to (ours, status, theirs) of the differences that the fixture lists."""
    listed = [row for row in rows("extraction_disagreements.jsonl") if row["file"] == file]
    return {(r["item"], r["model"]): (r["ours"], r["status"], r["theirs"]) for r in listed}


def clear_answer(text: str, n_options: int) -> str | None:
    """The one option that the reply's statements name, if there is exactly one."""
    statements = list(STATEMENT.finditer(text))
    named = {statement[1] for statement in statements}
    if any(JOINED.match(text, statement.end()) for statement in statements) or len(named) != 1:
        return None
    letter = named.pop()
    return letter if letter <= "ABCDEFGHIJ"[n_options - 1] else None


def stated_number(solution: str) -> Decimal | None:
    line = re.search(r"^A: (.+)$", solution, re.MULTILINE)
    return Decimal(line[1].replace(",", "")) if line else None


def test_every_difference_has_a_reason():
    assert all(row["reason"] for row in rows("extraction_disagreements.jsonl"))


def test_gsm8k_solutions_give_their_stated_number():
    listed, found = explained("gsm8k"), 0
    for item, row in enumerate(rows("gsm8k_solutions.jsonl.gz")):
        gold = extract(row.pop("gold"), "number", None).value
        for model, (solution, is_correct) in row.items():
            answer = extract(solution, "number", None)
            stated = stated_number(solution)
            if stated is None:
                assert listed.pop((item, model)) == (answer.value, answer.status, None)
            else:
                assert Decimal(answer.value) == stated, (item, model)
                found += 1
            assert (answer.value == gold) == is_correct, (item, model)
    assert not listed
    assert found == 1996


def test_llama_replies_give_the_published_letter():
    listed, agree = explained("llama"), 0
    for row in rows("mmlupro_llama_outputs.jsonl.gz"):
        answer = extract(row["text"], "choice", row["n_options"])
        key = (row["item"], "Meta-Llama-3_1-8B-Instruct")
        if key in listed:
            assert listed.pop(key) == (answer.value, answer.status, row["published"])
        else:
            assert answer.value == row["published"], key
            agree += bool(STATEMENT.search(row["text"]))
    assert not listed
    assert agree == 107


@pytest.fixture(scope="module")
def replies() -> pd.DataFrame:
    """The 48,108 replies with `strict`, the published "answer is X", and our extraction."""
    folder = os.environ.get("HEADCOUNT_SHARED")
    if not folder:
        pytest.skip("HEADCOUNT_SHARED does not name the folder of the 48,108 replies")
    data = Path(folder) / "data"
    texts = pd.read_parquet(data / "mmlu_pro_outputs_4_models.parquet")
    strict = pd.read_parquet(data / "mmlu_pro_29_models.parquet", columns=["item", "model", "strict"])
    frame = texts.merge(strict.astype({"model": str}), on=["item", "model"], how="left", validate="1:1")
    frame["strict"] = frame.strict.astype(object).fillna("")
    pairs = list(zip(frame.text, frame.n_options.astype(int), strict=True))
    frame["clear"] = [clear_answer(text, n) or "" for text, n in pairs]
    frame["answer"] = [extract(text, "choice", n) for text, n in pairs]
    return frame


@pytest.mark.shared
def test_replies_that_state_one_option_give_it(replies):
    clear = replies[replies.clear != ""]
    agree = sum(answer.value == letter for answer, letter in zip(clear.answer, clear.clear, strict=True))
    assert len(clear) == 40_722
    assert agree / len(clear) >= 0.999


@pytest.mark.shared
def test_every_difference_from_a_stated_option_is_listed(replies):
    found = {}
    for row in replies.itertuples():
        theirs = row.strict or row.clear
        if theirs and (row.answer.value != theirs or (row.clear and row.answer.value != row.clear)):
            found[row.item, row.model] = (row.answer.value, row.answer.status, theirs)
    assert found == explained("mmlu_pro")

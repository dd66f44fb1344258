"""The shipped answers of 29 models to MMLU-Pro: whole, marked by one key, and made as their script says."""

import runpy
from pathlib import Path

import pandas as pd
import pytest

from headcount.config import load
from headcount.schema import ANSWERS
from headcount.store import plain, read

ROOT = Path(__file__).parents[2]
PANEL = ROOT / "resources/panel"
ITEMS = 12032
MAKE = runpy.run_path(str(PANEL / "make.py"))

# Letters that the evaluations give as right, of items the model was asked: gemini-1.5-pro-002 70.2 % of 12,020.
RIGHT_AS_PUBLISHED = {"gemini-1.5-pro-002": 8444, "gemini-1.5-flash-002": 7699, "jamba-1.5-large": 5951}


@pytest.fixture(scope="module", params=["mmlu_pro", "mmlu_pro_published"])
def task(request):
    return request.param


@pytest.fixture(scope="module")
def answers(task):
    return plain(read(PANEL / f"answers/panel/{task}.parquet", ANSWERS)).assign(
        missing=lambda rows: rows["answer"].isna()
    )


@pytest.fixture(scope="module")
def items():
    return pd.read_parquet(PANEL / "items.parquet").set_index("item")


def test_29_models_of_11_families_have_a_row_for_each_of_12032_items(answers, task, items):
    config = load(ROOT / "config/panel.yaml")
    seats = answers[["agent", "model"]].drop_duplicates().sort_values("agent")["model"].tolist()
    assert seats == list(config.teams["panel"].members)
    assert len(seats) == 29
    assert len({config.models[name].family for name in seats}) == 11
    assert config.tasks[task].items == ITEMS == len(items)
    assert len(answers) == 29 * ITEMS
    assert set(answers["item"]) == set(items.index)


def test_answers_are_letters_that_the_item_offers_and_one_key_marks_them(answers, items):
    given = answers[~answers["missing"]].join(items, on="item")
    assert items["n_options"].between(3, 10).all()
    place = given["answer"].map(ord) - ord("A")
    assert ((place >= 0) & (place < given["n_options"])).all()
    assert (given["correct"].astype(bool) == (given["answer"] == given["gold"])).all()
    assert (items["gold"].map(ord) - ord("A") < items["n_options"]).all()


def test_missing_answers_are_said_to_be_missing(answers, task):
    assert (answers["correct"].isna() == answers["missing"]).all()
    assert set(answers.loc[answers["missing"], "status"]) == {"missing"}
    assert set(answers.loc[~answers["missing"], "status"]) == {"parsed"}
    assert answers["missing"].sum() == {"mmlu_pro": 39212, "mmlu_pro_published": 34704}[task]


def test_the_readme_quotes_each_models_share_missing_and_accuracy(answers, task):
    lines = (PANEL / "README.md").read_text(encoding="utf-8").splitlines()
    said = {cells[1].strip(): cells[3:-1] for line in lines if len(cells := line.split("|")) == 9}
    column = {"mmlu_pro": 0, "mmlu_pro_published": 2}[task]
    for model, rows in answers.groupby("model"):
        numbers = (rows["missing"].mean(), rows["correct"].dropna().astype(bool).mean())
        assert [float(cell) for cell in said[model][column : column + 2]] == [round(100 * x, 1) for x in numbers], model


@pytest.mark.parametrize("model", RIGHT_AS_PUBLISHED)
def test_the_publishers_reading_gives_the_publishers_score(model):
    rows = plain(read(PANEL / "answers/panel/mmlu_pro_published.parquet", ANSWERS))
    assert rows.loc[rows["model"] == model, "correct"].sum() == RIGHT_AS_PUBLISHED[model]


def test_llama_3_70b_scores_what_the_publishers_page_says_once_missing_answers_are_guessed():
    """52.78 % in the README of TIGER-AI-Lab/MMLU-Pro, which draws a letter where a reply has none."""
    rows = plain(read(PANEL / "answers/panel/mmlu_pro_published.parquet", ANSWERS))
    rows = rows[rows["model"] == "meta-llama-3-70b"]
    guessed = rows["correct"].sum() / ITEMS + rows["answer"].isna().mean() / 10
    assert guessed == pytest.approx(0.5278, abs=0.002)


COLUMNS = ["item", "category", "n_options", "gold", "model", "published", "strict"]
SLICE = [
    (143, "business", 10, "I", "jamba-1.5-large", "I", "I"),
    (143, "business", 10, "C", "Meta-Llama-3_1-8B", "I", None),  # the key was corrected later
    (2129, "psychology", 4, "A", "jamba-1.5-large", "E", "B"),  # no fifth option
    (2129, "psychology", 1, "A", "Meta-Llama-3_1-8B", "A", "A"),  # other options
    (70, "business", 9, "I", "jamba-1.5-large", None, None),
]
CONFIG = """
run: x
replay: x
models:
  jamba-1.5-large: {family: jamba, engine: recorded}
  meta-llama-3.1-8b: {family: llama, engine: recorded}
teams: {two: {members: [meta-llama-3.1-8b, jamba-1.5-large]}}
tasks: {mmlu_pro: {format: recorded, items: 3}}
experiments: {e: {teams: [two], tasks: [mmlu_pro], conditions: [self_consistency], sizes: [2]}}
"""


def test_the_files_are_made_as_their_readme_says(tmp_path):
    pd.DataFrame(SLICE, columns=COLUMNS).to_parquet(tmp_path / "evaluations.parquet")
    (tmp_path / "two.yaml").write_text(CONFIG)
    MAKE["main"](tmp_path / "evaluations.parquet", tmp_path, tmp_path / "two.yaml")
    items = pd.read_parquet(tmp_path / "items.parquet")
    assert items.to_numpy().tolist() == [
        ["143", "business", 10, "I"],
        ["2129", "psychology", 4, "A"],
        ["70", "business", 9, "I"],
    ]
    read_as = {task: plain(read(tmp_path / f"answers/two/{task}.parquet", ANSWERS)) for task in MAKE["READINGS"]}
    found = {
        task: {(row.item, row.agent): (row.answer, row.correct) for row in rows.itertuples() if row.status == "parsed"}
        for task, rows in read_as.items()
    }
    assert all(len(rows) == 3 * 2 for rows in read_as.values())
    assert found["mmlu_pro"] == {("143", 2): ("I", True), ("2129", 2): ("B", False)}
    assert found["mmlu_pro_published"] == {("143", 1): ("I", True), ("143", 2): ("I", True)}

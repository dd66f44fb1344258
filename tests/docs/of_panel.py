"""What resources/panel/README.md claims."""

from functools import cache

import pandas as pd
from computed import ROOT, panel_config
from pages import Document

from headcount.laws.settings import FitSettings

PANEL = Document("resources/panel/README.md")
READINGS = ("mmlu_pro", "mmlu_pro_published")
GUESSING = ("meta-llama-3.1", "mathstral-7b", "gemini-1.5-flash-002")  # a letter where the reply has none


@cache
def both() -> pd.DataFrame:
    """A row a model and question: what either reading took, and whether that is right."""
    columns = ["item", "model", "answer", "correct"]
    strict, published = (
        pd.read_parquet(ROOT / f"resources/panel/answers/panel/{name}.parquet", columns=columns) for name in READINGS
    )
    rows = strict.merge(published, on=["item", "model"], suffixes=("", "_published"))
    return rows.assign(model=rows["model"].astype(str))


def per_cent(values: pd.Series) -> float:
    return 100 * float(values.mean())


PANEL.says("What {} models of {} families", lambda: [len(panel_config().models), len(families())])
PANEL.says("to the {} questions of MMLU-Pro", lambda: [both()["item"].nunique()])
PANEL.says("they are not {} independent voters", lambda: [len(panel_config().models)])
PANEL.says("above the {} % at which cells are flagged", lambda: [100 * FitSettings().missing_limit])


def families() -> set[str]:
    return {model.family for model in panel_config().models.values()}


@PANEL.says("Where both readings have a letter, {} in {} differ")
def letters_that_differ():
    lettered = both().dropna(subset=["answer", "answer_published"])
    return [int((lettered["answer"] != lettered["answer_published"]).sum()), len(lettered)]


@PANEL.says("{} replies of the Llama 3.1 models, {} of mathstral-7b and {} of")
def made_up_letters():
    return [len(alone(name)) for name in GUESSING]


@PANEL.says("of which {} to {} % are right")
def made_up_and_right():
    shares = [per_cent(alone(name)) for name in GUESSING]
    return [min(shares), max(shares)]


@PANEL.says(
    "of the {} replies of deepseek-coder-v2 and the {} of jamba-1.5-large that only the publishers read, {} % and {} %"
)
def worded_otherwise():
    right = [alone("deepseek-coder-v2"), alone("jamba-1.5-large")]
    return [*map(len, right), *map(per_cent, right)]


def alone(name: str) -> pd.Series:
    """Whether letters that only the publishers read are right, of models whose names begin so."""
    rows = both().query("answer.isna() and answer_published.notna()")
    return rows.loc[rows["model"].str.startswith(name), "correct_published"].astype(bool)


@PANEL.says("Over all models {} % are missing in `mmlu_pro` and {} % in")
def missing():
    return [per_cent(both()["answer"].isna()), per_cent(both()["answer_published"].isna())]


def of_model(model: str) -> list[float]:
    """Per cent that are missing, and of the rest that are right, in each reading."""
    own = both()[both()["model"] == model]
    return [
        per_cent(own["answer"].isna()),
        per_cent(own["correct"].dropna().astype(bool)),
        per_cent(own["answer_published"].isna()),
        per_cent(own["correct_published"].dropna().astype(bool)),
    ]


for name, model in panel_config().models.items():
    PANEL.says(f"| {name} | {model.family} | {{}} | {{}} | {{}} | {{}} |", lambda name=name: of_model(name))


@PANEL.says("`mmlu_pro_published` has {} % right and {} % missing, and a guess for each")
def the_published_llama():
    return of_all("meta-llama-3-70b")


@PANEL.says("these answers do not reach ({} % right, {} % missing)")
def the_published_qwen():
    return of_all("qwen1.5-72b-chat")


def of_all(model: str) -> list[float]:
    """Per cent of all questions that the publishers' reading has right, and that it lacks."""
    own = both()[both()["model"] == model]
    missing = own["answer_published"].isna()
    return [per_cent(own["correct_published"].fillna(False).astype(bool)), per_cent(missing)]


@PANEL.says("makes {} %. It gives Qwen1.5-72B-Chat")
def a_guess_for_each_of_the_missing():
    """Published right answers, and one over the number of options where there is none."""
    items = pd.read_parquet(ROOT / "resources/panel/items.parquet", columns=["item", "n_options"])
    own = both().query("model == 'meta-llama-3-70b'").merge(items, on="item")
    guessed = 1 / own["n_options"]
    return [per_cent(own["correct_published"].astype(float).fillna(guessed))]


for made in (
    r"\d\d,\d{3} \|$|: 171 in|1,713 questions|\(1,681 of|20 and 12 of|39 questions do|^- 32 have",
    r"Of the 822|52 % give|^ +7 % the|^- 7 \(.*\)|to 10\. Answers|: 118 in.*, 123 in|one or two options and now have 4",
):
    PANEL.leaves(made, "counted as the release was made, from replies that are not in it")
PANEL.leaves(r"gives Llama-3-70B 52\.78 %|Qwen1\.5-72B-Chat 52\.64 %", "the publishers' page")
PANEL.leaves(r"`n_options` \(3 to 10\)|round 1\b|tokens are 0|stand at 0|makes these three", "what columns hold")
PANEL.leaves(
    r"commit f418b11|Apache-2\.0|SHA-256 \w+|\"5shots\"|MMLU-Pro|arXiv 2406\.01574|Meta-Llama-3_1-8B(-Instruct)?",
    "names",
)
PANEL.leaves(r"deepseek-coder-v2|jamba-1\.5-large|Llama 3\.1|mathstral-7b|gemini-1\.5-flash-002", "models")
PANEL.leaves(r"^\| [\w.-]+ \| [\w-]+ \|", "models and their families")

"""Make this folder's files from a table of published evaluations, one row a model and question.

    .venv/bin/python resources/panel/make.py mmlu_pro_29_models.parquet

Columns read: item, category, n_options, gold (as they stood when the model was asked), model, published (its reply as
the publishers read it), strict (the letter of an explicit "answer is X"); empty where a reading found nothing.
"""

import sys
from pathlib import Path

import pandas as pd

from headcount.config import Team, load
from headcount.items.item import LETTERS
from headcount.schema import ANSWERS
from headcount.store import write

HERE = Path(__file__).parent
CONFIG = HERE.parents[1] / "config/panel.yaml"
READINGS = {"mmlu_pro": "strict", "mmlu_pro_published": "published"}  # by task
LATEST = "jamba-1.5-large"  # asked all questions in the set's last version
COLUMNS = ["item", "category", "n_options", "gold", "model", *READINGS.values()]
NOT_KNOWN = {
    **{"temperature": None, "request": "", "confidence": None, "n_tags": 0, "tags_disagree": False},
    **{"truncated": False, "logprob": None, "prompt_tokens": 0, "completion_tokens": 0},
}


def main(evaluations: Path, folder: Path = HERE, config: Path = CONFIG) -> None:
    """Write items.parquet and the answers of the one team of a configuration to each of its tasks."""
    ((team, seats),) = load(config).teams.items()
    rows = pd.read_parquet(evaluations, columns=COLUMNS).astype({"item": str, "n_options": int}).astype(object)
    items = items_of(rows)
    items.to_parquet(folder / "items.parquet", index=False, compression="zstd")
    for task, reading in READINGS.items():
        answers = answers_of(rows, items, seats, reading).assign(task=task)
        write(folder / "answers" / team / f"{task}.parquet", answers, ANSWERS)


def items_of(rows: pd.DataFrame) -> pd.DataFrame:
    """Each item as it stands in the set's last version."""
    items = rows.loc[rows["model"] == LATEST, ["item", "category", "n_options", "gold"]]
    assert set(items["item"]) == set(rows["item"]), f"{LATEST} was not asked every item"
    return items.sort_values("item").astype({"n_options": "int8"})


def answers_of(rows: pd.DataFrame, items: pd.DataFrame, seats: Team, reading: str) -> pd.DataFrame:
    """Columns of ANSWERS but the task: every member's answer to every item, marked by the key's last version.

    Missing: no answer found, a letter that the item does not offer, no reply published, or a reply to other options
    than the item has now. A key corrected over the same options marks the earlier answers too.
    """
    seat = {name(model): agent for agent, model in enumerate(seats.members, 1)}
    given = rows.assign(model=rows["model"].map(name), answer=rows[reading])[["item", "model", "n_options", "answer"]]
    every = pd.MultiIndex.from_product([items["item"], seat], names=["item", "model"]).to_frame(index=False)
    whole = every.merge(given, how="left", on=["item", "model"]).merge(items, on="item", suffixes=("_asked", ""))
    offered = whole["answer"].map({letter: place for place, letter in enumerate(LETTERS)}) < whole["n_options"]
    valid = offered & (whole["n_options_asked"] == whole["n_options"])
    whole["answer"] = whole["answer"].where(valid, None)
    return whole.assign(
        agent=whole["model"].map(seat),
        correct=(whole["answer"] == whole["gold"]).where(valid, None),
        status=valid.map({True: "parsed", False: "missing"}),
        rule=valid.map({True: reading, False: ""}),
        condition="self_consistency",
        **{"replicate": 1, "n": len(seat), "k": 0, "round": 1},
        **NOT_KNOWN,
    ).drop(columns=["category", "n_options", "n_options_asked", "gold"])


def name(model: str) -> str:
    """A model's name in the configuration: Meta-Llama-3_1-8B is meta-llama-3.1-8b."""
    return model.lower().replace("_", ".")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Somebody else's controller: a file of what it would do with each saved debate, scored on the same rows as all gates.

    source,question_id,action
    qwen3-4b debate n=3 k=2,mmlu/q17,freeze

Actions are `keep` (the debate's last answer stands), `freeze` (its first majority), `answer:<answer>` and `abstain`. To
abstain is to give no answer: the row stays in the denominator, and no answer is not a right one.
"""

import csv
from collections.abc import Iterator
from difflib import get_close_matches
from pathlib import Path

import numpy as np
import pandas as pd

from headcount.errors import UserError
from headcount.ledger.replay import Replayed, freeze

COLUMNS = ["source", "question_id", "action"]
ACTIONS = ("keep", "freeze", "abstain")
ANSWER = "answer:"

Key = tuple[str, str]


def read_actions(path: Path, debates: pd.DataFrame) -> list[str]:
    """What a controller does with each debate.

    Args:
        path: a CSV file with the columns `source`, `question_id` and `action`.
        debates: all saved rows, labelled or not: `source` and `question_id`, which name a row together.

    Returns:
        (debates,), actions in the order of the rows.

    Raises:
        UserError: names file and row where an action is not known, a debate does not exist, stands twice or is
            missing; nothing is scored then, so that a denominator is never changed.
    """
    keys = list(zip(debates["source"].astype(str), debates["question_id"].astype(str), strict=True))
    known, actions = set(keys), dict[Key, str]()
    rows: dict[Key, int] = {}
    for row, record in _records(path):
        key = record["source"], record["question_id"]
        where = f"{path}: row {row}: "
        if key in rows:
            raise UserError(
                f"{where}the debate {_name(key)} stood in row {rows[key]} already. Keep one action a debate."
            )
        if key not in known:
            raise UserError(f"{where}there is no saved debate {_name(key)}.{_hint(key, known)}")
        rows[key], actions[key] = row, _action(record["action"], where)
    missing = [key for key in keys if key not in actions]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise UserError(f"{path}: no action for the debate {_name(missing[0])}{more}. Give every saved debate a row.")
    return [actions[key] for key in keys]


def score_actions(debates: pd.DataFrame, actions: list[str]) -> Replayed:
    """Replay a controller.

    Args:
        debates: saved rows with `initial_correct`, `final_correct` and, for actions that answer, `gold`.
        actions: (debates,), from `read_actions`.

    Returns:
        the replay of the labelled rows, in order.
    """
    rows = debates.assign(action=actions)
    rows = rows[rows["initial_correct"].notna() & rows["final_correct"].notna()]
    action = rows["action"].to_numpy(dtype=str)
    replayed = freeze(rows, action == "freeze")
    after = replayed.after & (action != "abstain")
    answers = np.char.startswith(action, ANSWER)
    if answers.any():
        given = np.char.strip(np.char.replace(action, ANSWER, "", 1))
        after = np.where(answers, given == rows["gold"].to_numpy(dtype=str), after)
    return Replayed(action != "keep", replayed.initial, replayed.final, after)


def _records(path: Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Rows of the file with their numbers; the header is row 1."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file)
            header = next(reader, [])
            if sorted(header) != sorted(COLUMNS):
                raise UserError(
                    f"{path}: row 1: the columns are {', '.join(header) or 'none'}. Give {', '.join(COLUMNS)}."
                )
            for row, values in enumerate(reader, 2):
                if len(values) != len(COLUMNS):
                    raise UserError(
                        f"{path}: row {row}: {len(values)} values for {len(COLUMNS)} columns. Is it cut short?"
                    )
                yield row, dict(zip(header, values, strict=True))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: is not UTF-8 text. Save it as CSV in UTF-8.") from error


def _action(text: str, where: str) -> str:
    if text in ACTIONS or (text.startswith(ANSWER) and text.removeprefix(ANSWER).strip()):
        return text
    near = get_close_matches(text, [*ACTIONS, ANSWER], 1)
    meant = f" Did you mean {near[0]!r}?" if near else ""
    raise UserError(f"{where}{text!r} is not an action.{meant} ({', '.join(ACTIONS)}, {ANSWER}<answer>)")


def _name(key: Key) -> str:
    return f"of source {key[0]!r}, question {key[1]!r}"


def _hint(key: Key, known: set[Key]) -> str:
    sources = sorted({source for source, _ in known})
    if key[0] not in sources:
        return f" Sources are {', '.join(sources)}."
    near = get_close_matches(key[1], sorted(question for source, question in known if source == key[0]), 1)
    return f" Did you mean question {near[0]!r}?" if near else ""

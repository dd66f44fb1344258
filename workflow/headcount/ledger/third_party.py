"""Somebody else's controller: a file of what it would do with each saved debate, scored on the same rows as all gates.

    source,question_id,action
    qwen3-4b debate n=3 k=2,mmlu/q17,freeze

or the same as JSON lines. Actions are `keep` (the debate's last answer stands), `freeze` (its first majority),
`answer:<answer>` and `abstain`. To abstain is to give no answer: the row stays in the denominator, and no answer is not
a right one.
"""

import re
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd

from headcount.errors import UserError
from headcount.ledger.action_files import records
from headcount.ledger.replay import Replayed, freeze

ACTIONS = ("keep", "freeze", "abstain")
ANSWER = "answer:"

Key = tuple[str, str]


def read_actions(path: Path, debates: pd.DataFrame) -> list[str]:
    """What a controller does with each debate.

    Args:
        path: a file of `action_files`.
        debates: all saved rows, labelled or not: `source` and `question_id`, which name a row together, and `gold`, the
            right answer, null where nobody knows it.

    Returns:
        (debates,), actions in the order of the rows.

    Raises:
        UserError: names file and row where an action is not known, an answer cannot be judged, a debate does not
            exist, stands twice or is missing; nothing is scored then, so that a denominator is never changed.
    """
    keys = list(zip(debates["source"].astype(str), debates["question_id"].astype(str), strict=True))
    gold = dict(zip(keys, debates["gold"], strict=True))
    rows, actions = dict[Key, int](), dict[Key, str]()
    for row, record in records(path):
        key = record["source"], record["question_id"]
        where = f"{path}: row {row}: "
        if key in rows:
            raise UserError(
                f"{where}the debate {_name(key)} stood in row {rows[key]} already. Keep one action a debate."
            )
        if key not in gold:
            raise UserError(f"{where}there is no saved debate {_name(key)}.{_hint(key, set(gold))}")
        rows[key], actions[key] = row, _action(record["action"], where)
        if actions[key].startswith(ANSWER) and pd.isna(gold[key]):
            raise UserError(
                f"{where}the right answer to the debate {_name(key)} is not at hand, and an answer cannot be judged. "
                "Give keep, freeze or abstain, or put the task's items into the run's folder items."
            )
    missing = [key for key in keys if key not in actions]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise UserError(f"{path}: no action for the debate {_name(missing[0])}{more}. Give every saved debate a row.")
    return [actions[key] for key in keys]


def score_actions(debates: pd.DataFrame, actions: list[str]) -> Replayed:
    """Replay a controller.

    Args:
        debates: saved rows with `initial_correct`, `final_correct` and `gold`, as in `read_actions`.
        actions: (debates,), from `read_actions`.

    Returns:
        the replay of the labelled rows, in order.
    """
    rows = debates.assign(action=actions)
    rows = rows[rows["initial_correct"].notna() & rows["final_correct"].notna()]
    action = rows["action"].to_numpy(dtype=str)
    replayed = freeze(rows, action == "freeze")
    after = replayed.after & (action != "abstain")
    for place in np.flatnonzero(np.char.startswith(action, ANSWER)):
        after[place] = _equal(action[place].removeprefix(ANSWER).strip(), str(rows["gold"].iloc[place]))
    return Replayed(action != "keep", replayed.initial, replayed.final, after)


def _equal(given: str, gold: str) -> bool:
    """Whether an answer is the right one: the letter, or a number that equals it exactly."""
    try:
        return given == gold or Fraction(given) == Fraction(gold)
    except (ValueError, ZeroDivisionError):
        return False


def _action(text: str, where: str) -> str:
    answer = text.removeprefix(ANSWER).strip() if text.startswith(ANSWER) else ""
    if re.fullmatch(r"\W*[a-z]\W*|\W+[A-Z]\W*|\W*[A-Z]\W+", answer):
        letter = re.sub(r"\W", "", answer).upper()
        raise UserError(f"{where}{text!r}: an option is its capital letter and nothing else. Write {ANSWER}{letter}.")
    if text in ACTIONS or answer:
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

"""What the reference's two kinds of debates share: rounds in order up to the endpoint, and what a row states of itself.

Their R0, the independent answers, is our round 1, so R3 is our round 4. A row is a debate. Majorities are computed
from the answers; those that a row states are only compared, and where they differ that is a remark.
"""

from collections.abc import Mapping

from headcount.imports.fields import Fields
from headcount.imports.records import Debate, DebateKey, Said, majority
from headcount.imports.told import PAPER_ROUNDS, Told

Rounds = dict[int, tuple[Said, ...]]  # by the reference's number; R0 is the first

STATED = {
    *("initial_majority", "initial_correct", "final_answer", "final_answers", "final_correct"),
    *("majority_answer", "collapsed", "corrected"),
}


def endpoint(told: Told) -> int:
    """The last round that is kept, as the reference counts."""
    return PAPER_ROUNDS if told.rounds is None else told.rounds


def debate(row: Fields, told: Told, gold: str, rounds: Rounds) -> Debate | None:
    """A row's debate; None, with its problems noted, if anything is wrong with it."""
    model, task = told.model_of(row, "model", "model_name"), told.task_of(row, "benchmark")
    item, n, last = row.text("question_id"), len(rounds[0]), endpoint(told)
    _check(row, rounds, last)
    if row.bad:
        return None
    kept = [rounds[number] for number in range(last + 1)]
    _compare(row, kept, gold, whole=max(rounds) == last)
    key = DebateKey(task, model, "debate", item, 1, n, n - 1)
    return Debate(key, gold, (model,) * n, tuple(kept), sized=False, where=row.where)


def _check(row: Fields, rounds: Rounds, last: int) -> None:
    """No round and no agent is missing up to the endpoint; what comes after it is kept out."""
    n = len(rounds[0])
    if not n and not row.bad:
        row.wrong("no agent has a first answer", "Give the row its first answers")
    told = isinstance(row.cells.get("round_traces"), list)  # or else that is the problem
    for number in range(1, last + 1):
        if number not in rounds and told:
            row.wrong(f"round {number} is missing, and debates are judged after round {last}", _SHORT)
        elif number in rounds and len(rounds[number]) != n and not row.bad:
            found = f"{len(rounds[number])} answers, and the first round {n}"
            row.wrong(f"round {number} has {found}: an agent is missing", "Give an agent without an answer a null")
    for number in sorted(rounds):
        if number > last:
            row.where.remark(f"round {number} is kept out: debates end at R{last}; --rounds {number} takes it too")


_SHORT = "Complete the row, or end all debates earlier with --rounds"


def _compare(row: Fields, kept: list[tuple[Said, ...]], gold: str, *, whole: bool) -> None:
    """Remark on what a row states of its ends and the answers do not say; no majority counts as wrong in its flags.

    Args:
        whole: the last round that is kept is the row's last, so that what it states of its end is of this round.
    """
    first, last = kept[0], kept[-1]
    begins, ends = says(first), says(last)
    differs(row, row.cells, "initial_majority", begins)
    differs(row, row.cells, "initial_correct", begins == gold)
    if whole:
        differs(row, row.cells, "final_answer", ends)
        differs(row, row.cells, "majority_answer", ends)
        differs(row, row.cells, "final_answers", [one.answer for one in last])
        differs(row, row.cells, "final_correct", ends == gold)
        differs(row, row.cells, "collapsed", begins == gold and ends != gold)
        differs(row, row.cells, "corrected", begins != gold and ends == gold)


def says(answers: tuple[Said, ...]) -> str | None:
    """What a team says in a round."""
    return majority(one.answer for one in answers)


def differs(row: Fields, cells: Mapping[str, object], key: str, computed: object) -> None:
    """Remark where a stated value is not the computed one; no majority is stated as null or as an empty text."""
    if key in cells and (None if cells[key] == "" else cells[key]) != computed:
        row.where.remark(f"stated '{key}' is not that of the answers (ties to the first letter), and is not used")

"""The reference's primary traces, JSON lines: answers by round, no text (arXiv 2609.35279).

{"model": "qwen3-4b", "question_id": "mmlu_pro_17", "correct_label": "C", "initial_answers": ["C", null, "A"],
 "round_traces": [{"round": 1, "answers": ["C", "C", "A"]}, ...]}
"""

from headcount.imports.fields import Fields
from headcount.imports.records import Debate, said
from headcount.imports.rounds import STATED, Rounds, debate, differs, endpoint, says
from headcount.imports.told import Told

KNOWN = {*STATED, "model", "question_id", "correct_label", "benchmark", "initial_answers", "round_traces"}


def read(row: Fields, told: Told) -> Debate | None:
    """The debate of a row; None, with its problems noted, where there is none."""
    gold = row.gold("correct_label")
    rounds: Rounds = {0: tuple(said(answer) for answer in row.letters("initial_answers"))}
    for trace in row.objects("round_traces"):
        number = trace.integer("round", 1)
        if number and number in rounds:
            row.wrong(f"round {number} stands twice", "Remove one of them")
        after = number > endpoint(told)
        answers = () if after else tuple(said(answer) for answer in trace.letters("answers"))
        rounds.setdefault(number, answers)
        if not after and not row.bad and number - 1 in rounds:
            now, before = says(rounds[number]), says(rounds[number - 1])
            differs(row, trace.cells, "majority", now)
            differs(row, trace.cells, "majority_changed", now != before)
    return debate(row, told, gold, rounds)

"""Made-up debates as tables of answers, and the slow and obvious way to keep their ledger."""

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pyarrow as pa

from headcount.schema import ANSWERS
from headcount.store import conform

DEBATE = ["task", "condition", "item", "replicate", "n", "k"]
REPLY = {
    **{"task": "t", "condition": "debate", "replicate": 1, "model": "m", "temperature": 0.4, "request": "r"},
    **{"status": "parsed", "rule": "p1_tag", "confidence": None, "n_tags": 1, "tags_disagree": False},
    **{"truncated": False, "logprob": None, "prompt_tokens": 10, "completion_tokens": 5},
}


def said(item: str, rounds: Sequence[Sequence[str | None]], gold: str = "A", **other: object) -> pd.DataFrame:
    """Columns of ANSWERS for one debate: what each agent says, round by round."""
    return graded(spoken(item, rounds, **other), gold)


def spoken(item: str, rounds: Sequence[Sequence[str | None]], **other: object) -> list[dict[str, object]]:
    """Its rows, not yet graded."""
    n = len(rounds[0])
    return [
        REPLY | {"item": item, "round": turn, "agent": agent, "answer": answer, "n": n, "k": n - 1} | other
        for turn, answers in enumerate(rounds, 1)
        for agent, answer in enumerate(answers, 1)
    ]


def graded(rows: list[dict[str, object]], gold: str) -> pd.DataFrame:
    """Rows of any debates whose right answer is the same."""
    frame = pd.DataFrame(rows)
    right = (frame["answer"] == gold).astype("boolean")
    return frame.assign(correct=right.where(frame["answer"].notna()))


def said_all(answers: np.ndarray, gold: str = "A", **other: object) -> pd.DataFrame:
    """Columns of ANSWERS for many debates of one shape.

    Args:
        answers: (debates, rounds, agents), text.
    """
    n = answers.shape[2]
    item, turn, agent = (axis.ravel() for axis in np.indices(answers.shape))
    frame = pd.DataFrame({"item": item, "round": turn + 1, "agent": agent + 1, "answer": answers.ravel(), "n": n})
    frame = frame.assign(item=frame["item"].map("q{:05d}".format), k=n - 1, **(REPLY | other))
    return frame.assign(correct=(frame["answer"] == gold).astype("boolean"))


def table(*debates: pd.DataFrame) -> pa.Table:
    return conform(pd.concat(debates), ANSWERS, "test")


def random_debates(seed: int, debates: int = 60, sizes: Sequence[int] = (1, 2, 3, 4, 5)) -> pd.DataFrame:
    """Debates of 2 to 4 rounds whose agents are right (C), wrong, or silent, read by several rules."""
    rng = np.random.default_rng(seed)
    rows = []
    for place in range(debates):
        n, rounds = int(rng.choice(sizes)), 2 + place % 3
        share = rng.dirichlet([1.0, 1.0, 2.0, 0.5])
        answers = rng.choice([*"ABCD"], (rounds, n), p=share).astype(object)
        answers[rng.random((rounds, n)) < 0.2] = None
        rows += spoken(f"q{place:03d}", answers.tolist(), task=f"task{place % 3}", replicate=place % 2)
    frame = graded(rows, "C")
    rule = rng.choice(["p1_tag", "p2_answer_is", "p4_letter"], len(frame))
    return frame.assign(rule=rule, status=np.where(rule == "p4_letter", "fallback", "parsed"))


def slow_majority(answers: Sequence[str | None], ties: str = "alphabetical", before: str | None = None) -> str | None:
    votes = Counter(answer for answer in answers if answer is not None)
    tied = sorted(answer for answer, count in votes.items() if count == max(votes.values()))
    if not tied or (ties == "strict_plurality" and len(tied) > 1):
        return None
    if ties == "keep_previous" and before in tied:
        return before
    return tied[-1] if ties == "reverse_alphabetical" else tied[0]


Replies = list[list[tuple[str | None, str, str]]]  # by round and agent: answer, status, rule


def replies(frame: pd.DataFrame) -> dict[tuple, Replies]:
    """What was said in each debate."""
    debates: dict[tuple, Replies] = {}
    for row in frame.sort_values([*DEBATE, "round", "agent"]).to_dict("records"):
        debate = debates.setdefault(tuple(row[name] for name in DEBATE), [])
        if row["agent"] == 1:
            debate.append([])
        debate[-1].append((row["answer"] if isinstance(row["answer"], str) else None, row["status"], row["rule"]))
    return debates


def slow_rounds(debate: Replies, ties: str = "alphabetical", keep: str = "") -> list[str | None]:
    """The team's answer in each round."""
    kept = {"no_fallback": lambda s, r: s != "fallback", "tag_only": lambda s, r: r == "p1_tag"}  # noqa: ARG005
    says: list[str | None] = []
    for given in debate:
        answers = [answer if keep == "" or kept[keep](status, rule) else None for answer, status, rule in given]
        says.append(slow_majority(answers, ties, says[-1] if says else None))
    return says


def slow_label(first: str | None, last: str | None, gold: str) -> str:
    if first is None or last is None:
        return "unlabelled"
    names = {(True, True): "preserved", (True, False): "collapse", (False, True): "correction"}
    return names.get((first == gold, last == gold), "unrepaired")


def slow_transition(debate: Replies, endpoint: int, gold: str) -> dict[str, object]:
    """A debate's row of the ledger, by definition."""
    says = slow_rounds(debate)[:endpoint]
    right = [answer == gold for answer in says]
    wrong = [turn for turn in range(2, endpoint + 1) if not right[turn - 1]]
    held = [turn for turn in range(1, endpoint + 1) if right[turn - 1]]
    told = [turn for turn in wrong if says[turn - 1] is not None]
    broke = right[0] and not right[-1]
    pairs = [(then[0], now[0]) for then, now in zip(debate[0], debate[endpoint - 1], strict=True)]
    both = [then != now for then, now in pairs if then and now]
    other = {name: slow_rounds(debate, name)[:endpoint] for name in _TIES}
    other |= {name: slow_rounds(debate, keep=name)[:endpoint] for name in ("no_fallback", "tag_only")}
    return {
        "transition": slow_label(says[0], says[-1], gold),
        "undefined_wrong": slow_label(says[0] or "none", says[-1] or "none", gold),
        "undefined_final_wrong": slow_label(says[0], says[-1] or "none", gold),
        **{name: slow_label(rounds[0], rounds[-1], gold) for name, rounds in other.items()},
        "onset_round": wrong[0] if broke else None,
        "onset_defined": told[0] if broke and told else None,
        "onset_lasting": max(held) + 1 if broke else None,
        "transient_break": right[0] and right[-1] and bool(wrong),
        "answered_twice": len(both),
        "changed_answers": sum(both),
        "initial_answer": says[0],
        "final_answer": says[-1],
        "majority_flip": None if says[0] is None or says[-1] is None else says[0] != says[-1],
    }


_TIES = ("reverse_alphabetical", "strict_plurality", "keep_previous")

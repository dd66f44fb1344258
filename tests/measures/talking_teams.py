"""Made-up teams that answer over several rounds, and the slow and obvious ways to say what moved and who won."""

from collections import Counter
from collections.abc import Iterator

import numpy as np
import pandas as pd
from tables_of_answers import answers_frame

from headcount.measures.votes import tie_rank

SHAPE = ["task", "condition", "item", "replicate", "n", "k"]
RIGHT = ("A", "E")  # two ways to write the right answer: what is right is not always one text
FAMILIES = {"m1": "one", "m2": "two", "m3": "three", "m1b": "one"}


def talking_frame(seed: int, teams: int = 60, missing: float = 0.15, unsure: float = 0.0) -> pd.DataFrame:
    """Teams of 1 to 7 in 1 to 4 rounds that answer A to E or nothing, and lean to what they said; of ANSWERS.

    Args:
        unsure: share of answers without confidence, and of those without logprob.
    """
    rng = np.random.default_rng(seed)
    rows = [row for team in range(teams) for row in _team(rng, team, missing)]
    frame = pd.DataFrame(rows)
    spare = answers_frame(rng, teams=1).iloc[[0]].drop(columns=frame.columns, errors="ignore")
    frame = frame.merge(spare, how="cross")
    valid = frame["answer"].notna()
    levels = np.array([0.0, 40.0, 80.0, 90.0])
    confidence = pd.Series(rng.choice(levels, len(frame)))
    logprob = pd.Series(np.log(rng.choice([0.1, 0.25, 0.5, 0.9], len(frame))).astype(np.float32).astype(float))
    return frame.assign(
        correct=frame["answer"].isin(RIGHT).astype("boolean").where(valid),
        confidence=confidence.where(rng.random(len(frame)) >= unsure),
        logprob=logprob.where(valid & (rng.random(len(frame)) >= unsure)),
    )


def _team(rng: np.random.Generator, team: int, missing: float) -> Iterator[dict[str, object]]:
    n, rounds = int(rng.integers(1, 8)), 1 + team % 4
    key = {
        "task": f"task{team % 2}",
        "condition": ("debate", "noise")[team % 3 % 2],
        "item": f"item{team:03d}",
        "replicate": team % 2,
        "n": n,
        # Its own k for each number of rounds, as a cell's shape has one.
        "k": min(n - 1, rounds - 1),
    }
    said = {agent: str(rng.choice(list("ABCDE"))) for agent in range(1, n + 1)}
    models = rng.permutation(list(FAMILIES))
    for turn in range(1, rounds + 1):
        for agent in said:
            if turn > 1 and rng.random() < 0.5:
                said[agent] = str(rng.choice(list(said.values()) + list("ABC")))
            answer = None if rng.random() < missing else said[agent]
            yield {**key, "round": turn, "agent": agent, "answer": answer, "model": models[agent % 4]}


def slow_moves(frame: pd.DataFrame) -> pd.DataFrame:
    """Moves by definition, one agent of one team at a time."""
    rows = []
    for key, team in frame.groupby(SHAPE, sort=True):
        rounds = {turn: _answers(rows_of) for turn, rows_of in team.groupby("round")}
        for turn in sorted(rounds)[1:]:
            about = dict(zip(SHAPE, key, strict=True)) | {"round": turn}
            mode, mode_now = (winner(key[2], key[3], Counter(_valid(rounds[t]))) for t in (1, turn))
            counts = Counter()
            for agent in range(1, key[4] + 1):
                counts += _last_step(rounds[turn - 1], rounds[turn], agent)
                counts += _first_step(rounds[1], rounds[turn], agent, mode)
            rows.append(about | dict(counts) | {"mode_changed": None not in (mode, mode_now) and mode != mode_now})
    return pd.DataFrame(rows)


def _last_step(before: dict, now: dict, agent: int) -> Counter:
    counts = Counter()
    old, new = before[agent], now[agent]
    if old is None or new is None:
        return counts
    others = Counter(_valid({peer: answer for peer, answer in before.items() if peer != agent})).most_common()
    peers = others[0][0] if others and (len(others) == 1 or others[0][1] > others[1][1]) else None
    counts["correct_before" if old in RIGHT else "wrong_before"] = 1
    counts["correct_to_wrong"] = int(old in RIGHT and new not in RIGHT)
    counts["wrong_to_correct"] = int(old not in RIGHT and new in RIGHT)
    if peers is not None and old in RIGHT and peers not in RIGHT:
        counts["correct_facing_wrong"], counts["correct_yielded"] = 1, int(new == peers)
    if peers is not None and old not in RIGHT and peers in RIGHT:
        counts["wrong_facing_correct"], counts["wrong_learned"] = 1, int(new in RIGHT)
    return counts


def _first_step(first: dict, now: dict, agent: int, mode: str | None) -> Counter:
    counts = Counter()
    old, new = first[agent], now[agent]
    if old is None or new is None:
        return counts
    counts["correct_first" if old in RIGHT else "wrong_first"] = 1
    counts["correct_to_wrong_first"] = int(old in RIGHT and new not in RIGHT)
    counts["wrong_to_correct_first"] = int(old not in RIGHT and new in RIGHT)
    counts["modal" if old == mode else "nonmodal"] = 1
    counts["modal_stayed" if old == mode else "nonmodal_to_modal"] = int(new == mode)
    return counts


def slow_votes(frame: pd.DataFrame) -> pd.DataFrame:
    """Answers by every rule, one vote of one team at a time."""
    cells = frame.groupby(["task", "condition"])
    ends = {cell: set(rows.groupby(["n", "k"])["round"].max()) for cell, rows in cells}
    keys = zip(frame["task"], frame["condition"], frame["round"], strict=True)
    frame = frame[[turn in ends[task, condition] for task, condition, turn in keys]]
    valid = frame[frame["answer"].notna()]
    knows = {
        name: valid[valid[name].notna()].groupby(["task", "condition"]).size().index
        for name in ("confidence", "logprob")
    }
    rows = []
    for key, team in frame.groupby([*SHAPE, "round"], sort=True):
        ballots = team[team["answer"].notna()]
        polls = _polls(key[2], key[3], ballots)
        for rule, (votes, column) in polls.items():
            if column is None or (key[0], key[1]) in knows[column]:
                rows.append(dict(zip([*SHAPE, "round"], key, strict=True)) | _outcome(rule, key[2], key[3], votes))
    return pd.DataFrame(rows)


def _polls(item: str, replicate: int, team: pd.DataFrame) -> dict[str, tuple[list[tuple[str, float]], str | None]]:
    """(answer, weight) of each vote by rule, and the column of ANSWERS that the rule needs."""
    said, m = list(team["answer"]), len(team)
    sure, likely = _guessed(team["confidence"]), [float(np.exp(x)) for x in _guessed(team["logprob"])]
    family = list(team["model"].map(FAMILIES))
    above = [sum(other > x for other in likely) for x in likely]
    same = [likely.count(x) for x in likely]
    kept = [min(max((m - m // 4 - a) / s, 0), 1) for a, s in zip(above, same, strict=True)]
    shared = [1 / family.count(name) for name in family]
    heads = [
        winner(item, replicate, Counter(a for a, f in zip(said, family, strict=True) if f == name))
        for name in sorted(set(family))
    ]
    return {
        "plurality": (_weighed(said, [1.0] * m), None),
        "confidence_weighted": (_weighed(said, sure if sum(sure) else [1.0] * m), "confidence"),
        "probability_weighted": (_weighed(said, likely), "logprob"),
        "filtered": (_weighed(said, kept), "logprob"),
        "top_probability": (_weighed(said, [float(x == max(likely)) for x in likely]), "logprob"),
        "block_weighted": (_weighed(said, shared), None),
        "family_vote": (_weighed(heads, [1.0] * len(heads)), None),
    }


def _outcome(rule: str, item: str, replicate: int, votes: list[tuple[str, float]]) -> dict[str, object]:
    totals = Counter()
    for answer, weight in votes:
        totals[answer] += weight
    choice = winner(item, replicate, totals)
    p = np.array([total for total in totals.values() if total > 0]) / (sum(totals.values()) or 1)
    return {
        "rule": rule,
        "answer": choice,
        "correct": choice in RIGHT,
        "n_votes": sum(weight > 0 for _, weight in votes),
        "n_eff": 2 ** -(p * np.log2(p)).sum() if votes else np.nan,
    }


def winner(item: str, replicate: int, totals: Counter) -> str | None:
    most = max(totals.values(), default=0)
    tied = [answer for answer, total in totals.items() if total > most * (1 - 5e-7)]
    return min(tied, key=lambda answer: tie_rank(item, replicate, answer)) if tied else None


def _guessed(column: pd.Series) -> list[float]:
    known = sorted(column.dropna())
    return [float(x) for x in column.fillna(known[(len(known) - 1) // 2] if known else 1.0)]


def _weighed(answers: list[str], weights: list[float]) -> list[tuple[str, float]]:
    return list(zip(answers, weights, strict=True))


def _answers(rows: pd.DataFrame) -> dict[int, str | None]:
    return {a: v if isinstance(v, str) else None for a, v in zip(rows["agent"], rows["answer"], strict=True)}


def _valid(answers: dict[int, str | None]) -> list[str]:
    return [answer for answer in answers.values() if answer is not None]

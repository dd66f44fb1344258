"""Files as other people have them: debates in the reference's two schemas and in the plain one, and probe rows."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
from small_runs import run, small_config, small_items, write_run

from headcount.answers.team import team_answers
from headcount.store import plain

STRENGTHS = ("weak", "moderate", "strong", "very_strong")


def simulated(
    folder: Path, *, seed: int = 0, items: int = 12, conditions=("debate",), sizes=(3,), updates=3, replicates=1
) -> pa.Table:
    """The answers of a simulated team `t` to multiple-choice questions, as our own runs have them."""
    population = {"accuracy": 0.55, "adoption": 0.5, "redraw": 0.3, "missing": 0.1}
    block = {"teams": ["t"], "tasks": ["a"], "conditions": [*conditions], "sizes": [*sizes]}
    config = small_config(
        models={"m": {"population": population}},
        experiments={"e": block | {"updates": updates, "replicates": replicates}},
        seed=seed,
    )
    questions = small_items(items, options=4)
    write_run(run(config, questions, folder / "cache"), questions, folder / "results")
    return team_answers(config, "t", folder / "results")


def debates_of(answers: pa.Table) -> Iterable[tuple[dict[str, Any], list[list[str | None]]]]:
    """The keys of each debate of a table of answers, and its answers by round."""
    rows = plain(answers)
    rows["answer"] = rows["answer"].astype(object).where(rows["answer"].notna(), None)
    keys = ["task", "condition", "item", "replicate", "n", "k"]
    for key, own in rows.groupby(keys, sort=True):
        ordered = own.sort_values(["round", "agent"])
        yield dict(zip(keys, key, strict=True)), [of["answer"].tolist() for _, of in ordered.groupby("round")]


def trace(item: str, rounds: list[list[str | None]], model: str | None = "qwen3-4b", gold: str = "A") -> dict[str, Any]:
    """A primary trace, with the majorities that the reference's code writes."""
    said = [majority(answers) for answers in rounds]
    right = [answer == gold for answer in said]
    traces = [
        {
            "round": number,
            "answers": answers,
            "majority": said[number],
            "majority_changed": said[number] != said[number - 1],
        }
        for number, answers in enumerate(rounds)
        if number
    ]
    row = {
        "model": model,
        "question_id": item,
        "correct_label": gold,
        "initial_answers": rounds[0],
        "initial_majority": said[0],
        "initial_correct": right[0],
        "round_traces": traces,
        "final_answer": said[-1],
        "final_correct": right[-1],
        "collapsed": right[0] and not right[-1],
        "corrected": right[-1] and not right[0],
    }
    return {key: value for key, value in row.items() if key != "model" or model}


def states(item: str, rounds: list[list[str | None]], model: str = "gemma-3", gold: str = "A") -> dict[str, Any]:
    """An extension trace."""

    def of_round(number: int) -> list[dict[str, Any]]:
        return [
            {"agent_id": str(agent), "answer": answer, "reasoning": None, "round_num": number, "cost": 0.0}
            for agent, answer in enumerate(rounds[number], 1)
        ]

    return {
        "question_id": item,
        "benchmark": "mmlu_pro",
        "correct_label": gold,
        "temperatures": [0.5, 0.7, 1.0],
        "initial_answers": rounds[0],
        "initial_states": of_round(0),
        "round_traces": [of_round(number) for number in range(1, len(rounds))],
        "final_answers": rounds[-1],
        "majority_answer": majority(rounds[-1]),
        "backend": "vllm",
        "model_name": model,
        "timestamp": "2026-04-30T10:00:00Z",
        "usage": {"prompt_tokens": 10, "completion_tokens": 3},
    }


def majority(answers: Iterable[str | None]) -> str | None:
    """Counted the long way: the first by text of those that nothing beats."""
    given = [answer for answer in answers if answer]
    return next((a for a in sorted(set(given)) if all(given.count(a) >= given.count(b) for b in given)), None)


def plain_rows(answers: pa.Table, gold: str = "A") -> pd.DataFrame:
    """A plain table of some answers, with all that ours tell."""
    rows = plain(answers).assign(gold=gold)
    kept = ["task", "condition", "item", "replicate", "n", "k", "round", "agent", "model", "answer", "gold"]
    return rows[[*kept, "temperature", "status", "rule", "prompt_tokens", "completion_tokens"]]


def battery(item: str, agent: int, initial: str | None, after: Mapping[str, str | None], **more: Any) -> dict[str, Any]:
    """A probe row; `after` has the answers that differ from the first, by the probe's name."""
    results = [
        {
            "strength": strength,
            "strength_value": (place + 1) / 4,
            "social": social,
            "alt_answer": "B" if initial != "B" else "C",
            "post_answer": after.get(f"{strength}_{'social' if social else 'solo'}", initial),
            "cost": 0.0,
            "usage": {"prompt_tokens": 100, "completion_tokens": 7},
        }
        for place, strength in enumerate(STRENGTHS)
        for social in (False, True)
    ]
    for result in results:
        result["revised"] = result["post_answer"] is not None and result["post_answer"] != initial
    row = {
        "question_id": item,
        "benchmark": "mmlu_pro",
        "category": "math",
        "correct_label": "A",
        "condition": "default",
        "agent_idx": agent,
        "temperature": (0.5, 0.7, 1.0)[agent % 3],
        "initial_answer": initial,
        "initial_correct": initial == "A",
        "flip_rate": float(np.mean([result["revised"] for result in results])),
        "sa_ratio": None,
        "probe_results": results,
        "model_name": "gemma-3",
        "backend": "vllm",
        "vllm_dtype": "bfloat16",
    }
    return row | more


def write_lines(file: str | Path, rows: Iterable[Mapping[str, Any] | str]) -> Path:
    """JSON lines; a row that is text stands as it is."""
    path = Path(file)
    lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def tree(folder: Path) -> dict[str, bytes]:
    """All files of a folder, byte by byte."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

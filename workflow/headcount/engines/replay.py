"""Answers from a released cache. It never asks: what is not stored is an error that says how near the cache comes."""

import json
from pathlib import Path
from typing import Any

from headcount.engines.request import Request, Response
from headcount.errors import UserError
from headcount.schema import RESPONSES
from headcount.store import read


class Replay:
    """The released responses of one model to one task."""

    def __init__(self, release: Path, model: str, task: str) -> None:
        self._path = release / "responses" / model / f"{task}.parquet"
        if not self._path.exists():
            raise UserError(f"{self._path}: the released cache has no answers of {model} to {task}.")
        self._rows = {row["request"]: row for row in read(self._path, RESPONSES).to_pylist()}

    async def complete(self, request: Request) -> Response:
        row = self._rows.get(request.key)
        if row is None:
            raise UserError(f"replay: no stored answer for {request.place}: {self._nearest(request)}.")
        ends, logprobs = row["token_ends"], row["token_logprobs"]
        return Response(
            row["text"],
            row["finish_reason"],
            row["prompt_tokens"],
            row["completion_tokens"],
            None if ends is None else tuple(ends),
            None if logprobs is None else tuple(logprobs),
            row["server"],
        )

    def _nearest(self, request: Request) -> str:
        """How the stored request that was asked nearest to this place differs from this one."""
        place = request.place._asdict()
        alike = ("item", "round", "agent", "replicate", "condition", "k", "n", "team")  # most telling first

        def nearness(row: dict[str, Any]) -> list[bool]:
            return [row[name] == place[name] for name in alike]

        if not self._rows:
            return "the released cache is empty"
        nearest = max(self._rows.values(), key=nearness)
        stored = json.loads(nearest["settings"]) | {name: nearest[name] for name in ("temperature", "seed", "messages")}
        asked = request.fields()
        differing = [name for name in asked if asked[name] != stored.get(name)]
        return "nearest differs in " + ", ".join(_difference(name, stored.get(name), asked[name]) for name in differing)


def _difference(name: str, stored: object, asked: object) -> str:
    if name == "messages":
        return "messages (the prompt: its template, the item, or an answer before it is another)"
    if name == "grammar":
        return "grammar (the format that replies were held to)"
    return f"{name} ({stored} stored, {asked} asked)"

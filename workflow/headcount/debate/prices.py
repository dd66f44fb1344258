"""What hosted models are asked and what that costs, before anything is sent and after some of it was answered.

Typical: prompts as `estimates` says, and replies too, or as long as those that are in the cache. Worst: every prompt
twice as long as estimated, every reply as long as it may be. Lost replies that are asked for again come on top.
"""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from headcount.config import Config
from headcount.config_models import Prices
from headcount.debate.costs import asked, draw_calls, reply_tokens, screen_cost, shown_tokens
from headcount.debate.planner import plan
from headcount.debate.probes import PROBE_LIMITS
from headcount.engines.bills import cost
from headcount.engines.request import Place, identify
from headcount.engines.spending import DOLLAR
from headcount.errors import UserError

_LONG = 2  # times the estimate that a prompt may be long


@dataclass(frozen=True)
class Tokens:
    """Tokens of some calls, typical and at most."""

    prompt: int
    prompt_most: int
    reply: int
    reply_most: int


@dataclass(frozen=True)
class Line:
    """What one hosted model is asked for a pool of draws, or for its part of a cell's revisions."""

    model: str
    team: str
    task: str
    condition: str  # "" are draws; of a screen its purpose
    calls: int
    answered: int  # replies in the cache, under the settings that the model has now
    tokens: Tokens
    prices: Prices | None

    @property
    def usd(self) -> float | None:
        """Typical; None without prices."""
        return _usd(self.prices, self.tokens.prompt, self.tokens.reply)

    @property
    def usd_most(self) -> float | None:
        """At worst; None without prices."""
        return _usd(self.prices, self.tokens.prompt_most, self.tokens.reply_most)


def hosted_lines(config: Config, items: Mapping[str, int], cache: Path) -> list[Line]:
    """What each hosted model of a run is asked, by model, task and cell; nothing where answers are replayed.

    Args:
        items: how many items each task has.
        cache: where the journals are.
    """
    hosted = {name for name, model in config.models.items() if model.engine == "api" and not config.replay}
    lines = [line for line in _lines(config, items, cache) if line.model in hosted and line.calls]
    return sorted(lines, key=lambda line: (line.model, line.task))


def _lines(config: Config, items: Mapping[str, int], cache: Path) -> Iterator[Line]:
    """Every pool, every cell's revisions by model, then every screen."""
    planned, question = plan(config), config.estimates.question_tokens
    for pool in planned.pools:
        calls = draw_calls(pool) * items[pool.task]
        yield _line(config, cache, (pool.model, pool.model, pool.task, "draws"), calls, calls * question)
    for cell in planned.cells:
        calls_of: Counter[str] = Counter()
        prompts_of: Counter[str] = Counter()
        for agent, shown, calls in asked(cell, config.protocol.nesting):
            model = config.teams[cell.team].member(agent)
            calls_of[model] += calls * items[cell.task]
            snippets = (1 + shown) * shown_tokens(config)
            prompts_of[model] += calls * items[cell.task] * (question + snippets)
        for model, calls in calls_of.items():
            yield _line(config, cache, (model, cell.team, cell.task, cell.condition), calls, prompts_of[model])
    for screen in planned.screens:
        cost = screen_cost(config, screen, items[screen.task])
        of = screen.model, screen.model, screen.task, screen.purpose
        yield _line(config, cache, of, cost.calls, cost.prompt_tokens)


def _line(config: Config, cache: Path, of: tuple[str, str, str, str], calls: int, prompt: int) -> Line:
    name, team, task, condition = of
    model = config.models[name]
    answered, longest = _answered(config, cache, of), calls * model.sampling.max_tokens
    reply = round(calls * (answered.mean or reply_tokens(config, [name])))
    tokens = Tokens(prompt, _LONG * prompt, min(reply, longest), longest)
    stage = "" if condition == "draws" else condition
    return Line(name, team, task, stage, calls, min(answered.count, calls), tokens, model.prices)


@dataclass(frozen=True)
class _Answered:
    count: int
    mean: float  # tokens of a reply; 0 where there is none


def _answered(config: Config, cache: Path, of: tuple[str, str, str, str]) -> _Answered:
    """Replies that the journals hold of a model, as they were first asked for."""
    model, team, task, condition = of
    identity = identify(model, config.models[model], None)
    limits = {identity.max_tokens, *(min(limit, identity.max_tokens) for limit in PROBE_LIMITS)}
    found = [
        tokens
        for path in sorted((cache / model / task).glob("*.sqlite"))
        for limit in limits
        for place, tokens in _replies(path, replace(identity, max_tokens=limit).settings())
        if (place.team, place.condition.partition(" ")[0]) == (team, condition)
    ]
    return _Answered(len(found), sum(found) / max(len(found), 1))


def _replies(path: Path, settings: Mapping[str, object]) -> Iterator[tuple[Place, int]]:
    """Place and tokens of each reply under some settings in a journal."""
    fields = json.dumps(settings, sort_keys=True, ensure_ascii=False)
    query = "SELECT place, completion_tokens FROM responses r JOIN settings s ON s.id = r.settings WHERE s.fields = ?"
    try:
        with closing(sqlite3.connect(path, timeout=60)) as part:
            for place, tokens in part.execute(query, (fields,)):
                yield Place(*json.loads(place)), tokens
    except sqlite3.DatabaseError as problem:
        raise UserError(f"{path}: not a readable journal ({problem}). Move it away.") from None


def _usd(prices: Prices | None, prompt: int, reply: int) -> float | None:
    return None if prices is None else cost(prices, prompt, reply) / DOLLAR

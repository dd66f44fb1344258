"""Questions that ask for programs, made up, and replies that state some."""

import json

import pyarrow as pa

from headcount.schema import DRAWS, ITEMS
from headcount.store import conform

DOUBLE = 'def double(x):\n    """ Twice x.\n    """\n'
CHECK = "def check(candidate):\n" + "".join(f"    assert candidate({x}) == {2 * x}\n" for x in (0, 1, 5))


def code_items(count: int = 1) -> pa.Table:
    """Items q0, q1, ... that ask for `double`, as HumanEval does."""
    about = {"entry_point": "double", "test": CHECK, "canonical_solution": "    return x + x\n"}
    rows = [
        {"item": f"q{i}", "question": DOUBLE, "choices": None, "gold": "double", "metadata": json.dumps(about)}
        for i in range(count)
    ]
    return conform(pa.Table.from_pylist(rows, schema=ITEMS.schema), ITEMS, "items")


def program(body: str) -> str:
    """A reply whose program is `double` with a body."""
    return f"FINAL:\n```python\ndef double(x):\n    {body}\n```\nCONF: 70\nRATIONALE: x"


def code_draws(texts: list[str], item: str = "q0") -> pa.Table:
    """Round 1 of as many agents as there are texts."""
    rows = [
        {
            "item": item,
            "replicate": 1,
            "n": 0,
            "agent": agent,
            "request": f"{item}-{agent}",
            "text": text,
            "finish_reason": "stop",
            "token_ends": None,
            "token_logprobs": None,
            "prompt_tokens": 5,
            "completion_tokens": 7,
            "server": None,
        }
        for agent, text in enumerate(texts, start=1)
    ]
    return conform(pa.Table.from_pylist(rows, schema=DRAWS.schema), DRAWS, "draws")

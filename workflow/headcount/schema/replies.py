"""From questions to answers: one row an item, a reply, or an answer."""

import pyarrow as pa

from headcount.schema.columns import EXTRACTED, RESPONSE
from headcount.schema.table import KEY_TYPES, LABEL, column, table

_PLACE = ("team", "task", "condition", "item", "replicate", "n", "k", "round", "agent")

ITEMS = table(
    "items",
    ["item"],
    [
        column("question", pa.string()),
        column("choices", pa.list_(pa.string()), null=True),  # null for free-form items
        column("gold", pa.string()),  # a letter, an exact decimal, or the name of the function to write
        column("metadata", pa.string()),  # JSON object: subject, source row, ...
    ],
)

# A draw's `n` is 0 where agents are nested, so that a draw serves teams of every size.
DRAWS = table("draws", ["item", "replicate", "n", "agent"], RESPONSE)

TURNS = table(
    "turns",
    ["item", "replicate", "n", "k", "round", "agent"],
    [column("model", LABEL), *RESPONSE],
)

# A released cache: an allow-list of the journal's columns.
RESPONSES = table(
    "responses",
    ["request"],
    [
        column("settings", LABEL),  # JSON: what all requests of a model share
        column("temperature", pa.float64()),
        column("seed", pa.int64()),
        column("messages", pa.string()),  # SHA-256 of the prompt, which templates and turns rebuild
        *(column(name, KEY_TYPES[name]) for name in _PLACE),  # where it was first asked
        *RESPONSE[1:],
    ],
)

# What the programs in replies do when they are run: a row a distinct program that was stated for an item.
VERDICTS = table(
    "verdicts",
    ["item", "program"],
    [
        column("passed", pa.string()),  # a digit an assertion of the item's check: "1101" fails the third
        column("outcomes", pa.list_(pa.string())),  # of each: passed, failed, error, ended, timeout, killed
    ],
)

ANSWERS = table(
    "answers",
    ["task", "condition", "item", "replicate", "n", "k", "round", "agent"],
    [
        column("model", LABEL),
        column("temperature", pa.float32(), null=True),  # null where others asked, and did not say
        column("request", pa.string()),  # "" where others asked, and no reply is at hand
        *EXTRACTED,
        column("prompt_tokens", pa.int32()),
        column("completion_tokens", pa.int32()),
    ],
)

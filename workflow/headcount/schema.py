"""The Arrow schema of every file that passes between stages.

Keys are the same everywhere and in this order: item, replicate, n, k, round, agent. `round` counts from 1 (the
independent answers); `agent` counts from 1; `k` is the actual number of peers that an agent reads (0 where nobody
is heard, n - 1 when everybody is). Rows are sorted by a table's keys, and the keys are unique.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa


def _column(name: str, kind: pa.DataType, *, null: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=null)


def _keys(*names: str) -> list[pa.Field]:
    return [_column(name, _KEY_TYPES[name]) for name in names]


_LABEL = pa.dictionary(pa.int32(), pa.string())
_KEY_TYPES = {
    "run": _LABEL,
    "team": _LABEL,
    "task": _LABEL,
    "condition": _LABEL,
    "model": _LABEL,
    "level": _LABEL,
    "law": _LABEL,
    "peers": _LABEL,
    "family": _LABEL,
    "family_other": _LABEL,
    "probe": _LABEL,
    "gate": _LABEL,
    "request": pa.string(),  # SHA-256 of a request's content: the journal's key
    "item": pa.string(),
    "replicate": pa.int16(),
    "n": pa.int16(),
    "k": pa.int16(),
    "round": pa.int16(),
    "agent": pa.int16(),
}

_PLACE = ("team", "task", "condition", "item", "replicate", "n", "k", "round", "agent")

# What an engine returned for one request. The text itself, never a summary of it.
_RESPONSE = [
    *_keys("request"),
    _column("text", pa.string()),
    _column("finish_reason", _LABEL),  # stop, length, ...; as the server said
    _column("token_ends", pa.list_(pa.int32()), null=True),  # character offset where each token ends
    _column("token_logprobs", pa.list_(pa.float32()), null=True),
    _column("prompt_tokens", pa.int32()),
    _column("completion_tokens", pa.int32()),
]

# What extraction made of one reply. The ledger's recodings need no text: rule, tags and truncation are kept.
_EXTRACTED = [
    _column("answer", pa.string(), null=True),
    _column("status", _LABEL),  # parsed, fallback, missing, truncated, ambiguous
    _column("rule", _LABEL),  # which rule of the chain found the answer; "" if none
    _column("confidence", pa.float32(), null=True),  # 0-100, as the agent stated it
    _column("n_tags", pa.int16()),
    _column("tags_disagree", pa.bool_()),
    _column("truncated", pa.bool_()),
    _column("logprob", pa.float32(), null=True),  # sum over the tokens that spell the answer
    _column("correct", pa.bool_(), null=True),  # null where there is no answer: missing is not wrong
]


@dataclass(frozen=True)
class Table:
    """A stage's file: its name, its columns, and the leading columns that are its sorted, unique key."""

    name: str
    keys: tuple[str, ...]
    schema: pa.Schema


def _table(name: str, keys: Iterable[str], columns: Iterable[pa.Field]) -> Table:
    keys = tuple(keys)
    return Table(name, keys, pa.schema([*_keys(*keys), *columns]))


ITEMS = _table(
    "items",
    ["item"],
    [
        _column("question", pa.string()),
        _column("choices", pa.list_(pa.string()), null=True),  # null for free-form items
        _column("gold", pa.string()),  # a letter, an exact decimal, or the name of the function to write
        _column("metadata", pa.string()),  # JSON object: subject, source row, ...
    ],
)

# A draw's `n` is 0 where agents are nested, so that a draw serves teams of every size.
DRAWS = _table("draws", ["item", "replicate", "n", "agent"], _RESPONSE)

TURNS = _table(
    "turns",
    ["item", "replicate", "n", "k", "round", "agent"],
    [_column("model", _LABEL), *_RESPONSE],
)

# A released cache: an allow-list of the journal's columns.
RESPONSES = _table(
    "responses",
    ["request"],
    [
        _column("settings", _LABEL),  # JSON: what all requests of a model share
        _column("temperature", pa.float64()),
        _column("seed", pa.int64()),
        _column("messages", pa.string()),  # SHA-256 of the prompt, which templates and turns rebuild
        *(_column(name, _KEY_TYPES[name]) for name in _PLACE),  # where it was first asked
        *_RESPONSE[1:],
    ],
)

ANSWERS = _table(
    "answers",
    ["task", "condition", "item", "replicate", "n", "k", "round", "agent"],
    [
        _column("model", _LABEL),
        _column("temperature", pa.float32()),
        _column("request", pa.string()),
        *_EXTRACTED,
        _column("prompt_tokens", pa.int32()),
        _column("completion_tokens", pa.int32()),
    ],
)

MEASURES = _table(
    "measures",
    ["task", "condition", "item", "replicate", "n", "k", "round"],
    [
        _column("n_valid", pa.int16()),
        _column("n_distinct", pa.int16()),
        _column("entropy", pa.float64(), null=True),  # bits
        _column("n_eff_answer", pa.float64(), null=True),  # 2^entropy
        _column("agreement", pa.float64(), null=True),  # share of equal pairs
        _column("n_eff_agreement", pa.float64(), null=True),
        _column("n_correct", pa.int16()),
        _column("team_answer", pa.string(), null=True),
        _column("team_correct", pa.bool_()),  # no answer at all is wrong, and counted
        _column("tie", pa.bool_()),
        _column("unanimous", pa.bool_()),
        _column("unanimous_wrong", pa.bool_()),
        _column("prompt_tokens", pa.int64()),
        _column("completion_tokens", pa.int64()),
    ],
)

FITS = _table(
    "fits",
    ["team", "task", "condition", "level", "law", "peers", "round"],
    [
        _column("sizes", pa.list_(pa.int16())),
        _column("n_items", pa.int32()),
        _column("share_missing", pa.float64()),
        _column("c", pa.float64(), null=True),
        _column("c_low", pa.float64(), null=True),
        _column("c_high", pa.float64(), null=True),
        _column("beta", pa.float64(), null=True),
        _column("beta_low", pa.float64(), null=True),
        _column("beta_high", pa.float64(), null=True),
        _column("interval", _LABEL),  # how the interval was made, and at what level
        _column("n_boot", pa.int32()),
        _column("regime", _LABEL, null=True),
        _column("r2", pa.float64(), null=True),  # over R, sizes of two and more
        _column("r2_with_one", pa.float64(), null=True),  # N = 1 included, as the paper's HumanEval fits
        _column("flags", pa.list_(pa.string())),  # why a number is missing or to be read with care
        _column("simulated", pa.bool_()),
    ],
)

# R(N) of each cell beside its fits: what the figures draw and the fits were made from.
CURVES = _table(
    "curves",
    ["team", "task", "condition", "level", "peers", "round", "n"],
    [
        _column("n_items", pa.int32()),
        _column("n_valid", pa.float64()),  # mean number of valid answers of a team
        _column("n_eff", pa.float64(), null=True),
        _column("n_eff_low", pa.float64(), null=True),
        _column("n_eff_high", pa.float64(), null=True),
        _column("r", pa.float64(), null=True),
        _column("team_accuracy", pa.float64()),
        _column("agent_accuracy", pa.float64(), null=True),
        _column("share_unanimous", pa.float64()),
        _column("share_unanimous_wrong", pa.float64()),
        _column("share_missing", pa.float64()),
        _column("simulated", pa.bool_()),
    ],
)

# The ledger: what discussion repaired and what it destroyed, one row a team and item.
TRANSITIONS = _table(
    "transitions",
    ["team", "task", "condition", "item", "replicate", "n", "k"],
    [
        _column("endpoint_round", pa.int16()),
        _column("initial_answer", pa.string(), null=True),
        _column("final_answer", pa.string(), null=True),
        _column("initial_tie", pa.bool_()),
        _column("final_tie", pa.bool_()),
        _column("initial_parsed", pa.int16()),
        _column("final_parsed", pa.int16()),
        _column("gold", pa.string()),
        _column("transition", _LABEL),  # preserved, collapse, correction, unrepaired, unlabelled
        _column("onset_round", pa.int16(), null=True),
        _column("transient_break", pa.bool_()),
        _column("changed_answers", pa.int16()),
        _column("majority_flip", pa.bool_(), null=True),
    ],
)

PROBES = _table(
    "probes",
    ["model", "task", "condition", "item", "replicate", "agent", "probe"],
    [
        _column("temperature", pa.float32()),
        _column("strength", _LABEL),  # weak, moderate, strong, very_strong
        _column("social", pa.bool_()),
        _column("initial_answer", pa.string(), null=True),
        _column("initial_repaired", pa.bool_()),
        _column("alternative", pa.string()),
        _column("alternative_is_gold", pa.bool_()),
        _column("flip", pa.bool_(), null=True),  # null where the reply has no answer
        *_RESPONSE,
        *_EXTRACTED,
    ],
)

GATES = _table(
    "gates",
    ["gate", "team", "task", "condition", "item", "replicate", "n", "k"],
    [
        _column("fired", pa.bool_()),
        _column("prevented", pa.bool_()),
        _column("lost", pa.bool_()),
    ],
)

TABLES = {
    table.name: table
    for table in (ITEMS, DRAWS, TURNS, RESPONSES, ANSWERS, MEASURES, FITS, CURVES, TRANSITIONS, PROBES, GATES)
}

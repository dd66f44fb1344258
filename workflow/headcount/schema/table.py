"""What a table is: a name, typed columns, and the leading ones that are its sorted, unique key."""

from collections.abc import Iterable
from dataclasses import dataclass, replace

import pyarrow as pa


def column(name: str, kind: pa.DataType, *, null: bool = False) -> pa.Field:
    return pa.field(name, kind, nullable=null)


def keys_of(*names: str) -> list[pa.Field]:
    return [column(name, KEY_TYPES[name]) for name in names]


LABEL = pa.dictionary(pa.int32(), pa.string())
KEY_TYPES = {
    "run": LABEL,
    "team": LABEL,
    "task": LABEL,
    "condition": LABEL,
    "model": LABEL,
    "level": LABEL,
    "law": LABEL,
    # first: the first n agents; all: the mean over all teams of n; adjusted: the first n, adjusted by their round 1
    "subsets": LABEL,
    "peers": LABEL,
    "quantity": LABEL,
    "contrast": LABEL,
    "null": LABEL,  # A: no talk and no rethinking, B: rethinking alone, C: two teams who never met
    "rule": LABEL,
    "relation": LABEL,
    "averaging": LABEL,
    "model_other": LABEL,
    "family": LABEL,
    "family_other": LABEL,
    "probe": LABEL,
    "part": LABEL,  # of the costs: debate, screen_first, screen_probes
    "gate": LABEL,
    "folds": LABEL,  # what a fold keeps together: question, question_and_model
    "features": LABEL,  # a set of them
    "coding": LABEL,  # how ties, undefined majorities and doubtful answers are taken
    "transition": LABEL,  # preserved, collapse, correction, unrepaired, unlabelled
    "recoded": LABEL,  # the same under another coding
    "unanswered": LABEL,  # what a reply without an answer counts as: drop, no_flip, flip
    "predictor": LABEL,  # columns that are set against each other
    "outcome": LABEL,
    "controls": LABEL,
    "leaving": LABEL,  # what is left out: family, model, or nothing
    "left_out": LABEL,
    "budget": LABEL,  # what is held equal: calls, tokens; own: nothing
    "request": pa.string(),  # SHA-256 of a request's content: the journal's key
    "program": pa.string(),  # SHA-256 of its source
    "item": pa.string(),
    "replicate": pa.int16(),
    "n": pa.int16(),
    "k": pa.int16(),
    "round": pa.int16(),
    "agent": pa.int16(),
    "split": pa.int16(),  # a way to halve the items
    "half": pa.int16(),
    "bin": pa.int16(),
}


@dataclass(frozen=True)
class Table:
    """A stage's file: its name, its columns, and the leading columns that are its sorted, unique key."""

    name: str
    keys: tuple[str, ...]
    schema: pa.Schema


def table(name: str, keys: Iterable[str], columns: Iterable[pa.Field]) -> Table:
    keys = tuple(keys)
    return Table(name, keys, pa.schema([*keys_of(*keys), *columns]))


def numbered(table: Table, *names: str) -> Table:
    """A table with some of its texts as labels, each different one once and its number in the rows.

    For jobs that compare texts and read few of them: of millions of rows, numbers are a tenth of the work.
    """
    fields = [field.with_type(LABEL) if field.name in names else field for field in table.schema]
    return replace(table, schema=pa.schema(fields))

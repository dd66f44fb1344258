"""The ledger: transitions, probes and gates."""

import pyarrow as pa

from headcount.schema.columns import EXTRACTED, RESPONSE
from headcount.schema.table import LABEL, column, table

# The ledger: what discussion repaired and what it destroyed, one row a team and item.
TRANSITIONS = table(
    "transitions",
    ["team", "task", "condition", "item", "replicate", "n", "k"],
    [
        column("endpoint_round", pa.int16()),
        column("initial_answer", pa.string(), null=True),
        column("final_answer", pa.string(), null=True),
        column("initial_tie", pa.bool_()),
        column("final_tie", pa.bool_()),
        column("initial_parsed", pa.int16()),
        column("final_parsed", pa.int16()),
        column("gold", pa.string()),
        column("transition", LABEL),  # preserved, collapse, correction, unrepaired, unlabelled
        column("onset_round", pa.int16(), null=True),
        column("transient_break", pa.bool_()),
        column("changed_answers", pa.int16()),
        column("majority_flip", pa.bool_(), null=True),
    ],
)

PROBES = table(
    "probes",
    ["model", "task", "condition", "item", "replicate", "agent", "probe"],
    [
        column("temperature", pa.float32()),
        column("strength", LABEL),  # weak, moderate, strong, very_strong
        column("social", pa.bool_()),
        column("initial_answer", pa.string(), null=True),
        column("initial_repaired", pa.bool_()),
        column("alternative", pa.string()),
        column("alternative_is_gold", pa.bool_()),
        column("flip", pa.bool_(), null=True),  # null where the reply has no answer
        *RESPONSE,
        *EXTRACTED,
    ],
)

GATES = table(
    "gates",
    ["gate", "team", "task", "condition", "item", "replicate", "n", "k"],
    [
        column("fired", pa.bool_()),
        column("prevented", pa.bool_()),
        column("lost", pa.bool_()),
    ],
)

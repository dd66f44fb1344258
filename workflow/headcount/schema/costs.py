"""What the ledger's entries cost: calls, tokens, money and time, and what they brought."""

import pyarrow as pa

from headcount.schema.table import column, table

# A team's debates of one shape and endpoint, or one condition of a model's screen: its first answers, or its probes.
LEDGER_COSTS = table(
    "ledger_costs",
    ["part", "team", "task", "condition", "n", "k", "round"],  # team: of a screen the model
    [
        column("calls", pa.int64()),  # as if every team asked for itself
        column("repairs", pa.int64()),  # of them, those that asked again for an answer that could not be read
        column("prompt_tokens", pa.int64()),
        column("completion_tokens", pa.int64()),
        column("revision_tokens", pa.int64()),  # of both kinds, in rounds after the first
        column("usd", pa.float64(), null=True),  # null where a model has no prices
        column("seconds", pa.float64(), null=True),  # estimated as for a plan; null where no machine of ours answers
        column("collapses", pa.int32(), null=True),  # null of screens
        column("corrections", pa.int32(), null=True),
        column("kept", pa.int32(), null=True),  # corrections - collapses
        # For each kept correction; null where none is kept, and where no token was told.
        column("tokens_per_kept", pa.float64(), null=True),
        column("revision_tokens_per_kept", pa.float64(), null=True),
        column("usd_per_kept", pa.float64(), null=True),
        column("seconds_per_kept", pa.float64(), null=True),
        column("calls_per_200", pa.float64()),  # questions
        column("reference_per_200", pa.float64()),  # what the protocol takes, without repairs and repetitions
        column("n_items", pa.int32()),
        column("simulated", pa.bool_()),
    ],
)
